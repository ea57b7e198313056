"""Ids of records: a letter for the kind and the record's ``seq``, "t00000012". Nothing else is in them."""

from __future__ import annotations

import re

from npc_memory.errors import UnknownId

__all__ = ["LETTERS", "looks_like_record", "record_id", "records_in", "seq_of"]

LETTERS: dict[str, str] = {
    "turn": "t",
    "episode": "e",
    "belief": "b",
    "state": "s",
    "clock": "c",
    "actor": "p",
    "audit": "a",
    "session": "x",
    "retirement": "r",
    "key": "k",
    "event": "v",
    "revision": "w",
    "identity": "i",
    "relationship": "l",
    "triple": "o",
}
"""The letter of each kind of record. Letters are never given to another kind."""

_KINDS = {letter: kind for kind, letter in LETTERS.items()}
_SHAPE = re.compile(r"([a-z])([0-9]{8,18})", re.ASCII)


def record_id(kind: str, seq: int) -> str:
    """The id of record ``seq``. Ids of one kind sort as their numbers do (up to 99,999,999 records)."""
    return f"{LETTERS[kind]}{seq:08d}"


_QUOTED = re.compile(rf'"[{"".join(sorted(LETTERS.values()))}]([0-9]{{8,18}})"', re.ASCII)


def records_in(json: str) -> list[int]:
    """The numbers of the records whose ids are texts in ``json``; some may be repeated."""
    return [int(number) for number in _QUOTED.findall(json)]


def looks_like_record(id: str) -> bool:
    """True when ``id`` has the shape of a record's id (whether or not there is one)."""
    match = _SHAPE.fullmatch(id)
    return match is not None and match[1] in _KINDS


def seq_of(id: str, kind: str = "") -> tuple[str, int]:
    """Kind and number behind ``id``; ``UnknownId`` when it cannot name a record (of ``kind``, if one is asked for)."""
    match = _SHAPE.fullmatch(id)
    found = _KINDS.get(match[1]) if match else None
    if match is None or found is None or (kind and found != kind) or record_id(found, int(match[2])) != id:
        raise UnknownId(kind or "record", id)
    return found, int(match[2])
