"""Who may write what (promise P5): designer > game > checked reply > inference."""

from __future__ import annotations

from enum import IntEnum

from npc_memory.errors import AuthorityViolation

__all__ = ["NEEDED", "Authority", "require"]


class Authority(IntEnum):
    """Ranks of writers, lowest first. A model's output never writes above ``REPLY``, what is inferred from it never
    above ``INFERENCE``.
    """

    INFERENCE = 0
    REPLY = 1
    GAME = 2
    DESIGNER = 3


NEEDED: dict[str, Authority] = {
    "fact": Authority.DESIGNER,
    "state": Authority.GAME,
    "clock": Authority.GAME,
    "actor": Authority.GAME,
    "identity": Authority.GAME,
    "event": Authority.GAME,
    "session": Authority.GAME,
    "key": Authority.GAME,
    "turn": Authority.REPLY,
    "revision": Authority.REPLY,
    "episode": Authority.REPLY,
    "audit": Authority.REPLY,
    "belief": Authority.INFERENCE,
    "relationship": Authority.INFERENCE,
    "triple": Authority.INFERENCE,
}
"""The lowest rank that may write each kind of record. A higher rank may always do what a lower one may. Retiring a
record needs the rank it was written with, so nobody takes back what stands above him."""


def require(writer: Authority, kind: str) -> None:
    """Raise ``AuthorityViolation`` unless ``writer`` may write a record of ``kind``."""
    needed = NEEDED[kind]
    if writer < needed:
        raise AuthorityViolation(writer.name.lower(), needed.name.lower(), kind)
