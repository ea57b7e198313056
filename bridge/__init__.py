"""The websocket bridge between game engines and npc_memory: server, client, and a bridge for other people's tests."""
