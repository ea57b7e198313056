"""Idempotency keys: the same key again answers what it answered before, also after a restart, and does nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from npc_memory.errors import InvalidInput
from npc_memory.memory import Authority, check_id
from npc_memory.memory.codec import canonical_json
from npc_memory.store import Store, Writer

__all__ = ["answered", "answers"]


def answered(store: Store, key: str, verb: str) -> dict[str, Any] | None:
    """What ``key`` was answered on this timeline, None if it is new (or ""). A key belongs to one ``verb``:
    ``InvalidInput`` when it was used for another, or cannot be one.
    """
    if key == "" or (stored := store.answer(check_id(key, "a key"))) is None:
        return None
    found: dict[str, Any] = json.loads(stored)
    if found["verb"] != verb:
        raise InvalidInput(
            f"the key {key!r} was used for {found['verb']!r} before", hint="use a new key for each request"
        )
    return dict(found["answer"])


def answers(writer: Writer, key: str, verb: str, answer: Mapping[str, Any], *, npc: str = "", player: str = "") -> None:
    """From now on ``key`` is answered with ``answer``. Written in the transaction that does what was asked."""
    if key:
        stored = canonical_json({"verb": verb, "answer": dict(answer)})
        writer.key(key=key, answer=stored, npc=npc, player=player, authority=Authority.GAME)
