"""A good frame of every type, and one end of a connection to hand it to."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

from bridge.codec import Format, encode
from bridge.messages import HelloFrame
from bridge.protocol import ServerProtocol

__all__ = ["GOOD", "HELLO", "TALK", "UNTIMED", "receive", "server"]

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For searches on a machine that does other things as well."""

HELLO = {"type": "hello", "id": 1, "protocol": 1, "client": "test"}
TALK = {"type": "talk", "id": 2, "npc": "marta", "player": "p1", "text": "Good evening."}

GOOD: dict[str, dict[str, Any]] = {
    "hello": {"protocol": 1, "client": "test"},
    "talk": {"npc": "marta", "player": "p1", "text": "Hi"},
    "converse": {"npcs": ["marta", "brann"]},
    "think": {"npc": "marta"},
    "cancel": {"request": 2},
    "warm": {"npc": "marta"},
    "observe": {"kind": "theft", "text": "A loaf is gone."},
    "result": {"action": "follow", "ok": True},
    "set_state": {"entries": {"curfew": True, "rooms": 3, "weather": "rain", "old": None}},
    "actor": {"actor": "p1"},
    "clock": {"game_time": 4310},
    "end": {"player": "p1"},
    "retry": {"turn": "t00000001"},
    "edit": {"turn": "t00000001", "text": "Hello"},
    "delete": {"turn": "t00000001"},
    "save": {"slot": "one"},
    "load": {"save_id": "abc"},
    "recall": {"npc": "marta", "query": "bread"},
    "explain": {"audit": "a00000001"},
    "forget": {"player": "p1"},
    "ping": {},
}


def server(format: Format = "msgpack", *, greeted: bool = True, **settings: Any) -> ServerProtocol:
    protocol = ServerProtocol(format, **settings)
    if greeted:
        hello = {**HELLO, "token": settings["token"]} if settings.get("token") else HELLO
        assert isinstance(protocol.receive(encode(hello, format)), HelloFrame)
    return protocol


def receive(frame: Any, **settings: Any) -> Any:
    return server(**settings).receive(encode(frame, settings.get("format", "msgpack")))
