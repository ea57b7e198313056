"""``python -m npc_memory.cli``: the same as ``npc-memory``."""

from npc_memory.cli.start import main

if __name__ == "__main__":
    main()
