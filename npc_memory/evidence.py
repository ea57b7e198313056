"""Where an NPC can have something from: her own memories, what she overheard, what she perceived (promise P6)."""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.store import Store
from npc_memory.store.ids import looks_like_record, seq_of

__all__ = ["check_evidence"]

_HERS = ("turn", "episode", "belief", "relationship", "triple")


def check_evidence(store: Store, npc: str, given: Sequence[str]) -> None:
    """Raise ``InvalidInput`` if ``npc`` cannot have anything from one of these records, ``UnknownId`` if one is none,
    or cannot be seen here.
    """
    hers = {*store.identities().ids(npc)}
    for one in given:
        if not looks_like_record(one):
            raise UnknownId("record", one)
        whose, kind = store.sources((one,))[one][0], seq_of(one)[0]
        if kind == "event":
            known = not hers.isdisjoint(store.event(one).audience)
        elif kind == "turn":  # who is spoken to may have it in the memory of the one who speaks alone
            known = whose in hers or not hers.isdisjoint(store.turn(one).audience)
        elif kind == "episode":
            known = whose in hers or not hers.isdisjoint(store.hearers(one))
        else:
            known = kind in _HERS and (whose in hers or whose == "")
        if not known:
            raise InvalidInput(
                f"{npc!r} does not know of {one!r}",
                hint="name her own turns, episodes and beliefs, or what she saw or heard",
            )
