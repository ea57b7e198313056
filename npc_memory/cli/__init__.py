"""``npc-memory …``: the front door. It may import everything; nothing imports it."""

from npc_memory.cli.start import main

__all__ = ["main"]
