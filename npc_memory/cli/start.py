"""The entry point of the ``npc-memory`` script: everything else is loaded under its guard."""

from __future__ import annotations

import sys

__all__ = ["main"]

INTERRUPTED = 130
"""What a shell expects of a program that ended on Ctrl-C."""


def main() -> None:
    """Run the command line and exit: 0 done, 1 a typed error, 2 wrong usage, 130 interrupted."""
    # Loading the commands takes a good part of a second, and Ctrl-C in it is no reason for a traceback.
    try:
        from npc_memory.cli.app import run

        code = run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)
