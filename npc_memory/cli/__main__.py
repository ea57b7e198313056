"""``python -m npc_memory.cli``: the same as ``npc-memory``."""

from npc_memory.cli.app import main

main()
