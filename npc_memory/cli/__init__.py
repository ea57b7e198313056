"""``npc-memory …``: the front door. It may import everything; nothing imports it."""

from npc_memory.cli.app import app, main

__all__ = ["app", "main"]
