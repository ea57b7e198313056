"""The websocket bridge between game engines and npc_memory. Not built yet; see the issue tracker."""
