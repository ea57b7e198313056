"""``python -m npc_memory`` is ``npc-memory``."""

from npc_memory.cli import main

if __name__ == "__main__":
    main()
