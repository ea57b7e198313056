"""Whether everything an NPC remembers can be found: the index beside the records it is made from.

There is one way into the index, ``recalling.Known.catch_up``, whichever way a memory was made: it takes in what the
store holds, so there is nothing to call when one is written. This looks whether that holds, and mends what does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from npc_memory.memory import BeliefRecord, EpisodeRecord
from npc_memory.recall.words import fresh_terms
from npc_memory.recalling import Known, Recollections, known_beliefs, known_episodes
from npc_memory.store import Store
from npc_memory.store.rememberers import rememberers

__all__ = ["Unindexed", "check_index"]


@dataclass(frozen=True, slots=True)
class Unindexed:
    """A memory of ``npc`` that recall does not see as it is. ``what``: it is ``missing`` from the index, ``stale`` (the
    index has other words), or ``extra`` (it is no memory of hers here any more).
    """

    npc: str
    id: str
    what: Literal["missing", "stale", "extra"]


def check_index(store: Store, *, mend: bool = False) -> tuple[Unindexed, ...]:
    """What recall does not see as the store holds it, by NPC and record; ``mend``: and make those indexes anew.

    Reads every memory of everyone on this timeline.
    """
    with store.reading():
        found: list[Unindexed] = []
        for npc in rememberers(store):
            episodes = (*store.episodes(npc), *store.heard_episodes(npc))
            wrong = _of_kind("e", npc, known_episodes(store, npc), episodes)
            wrong += _of_kind("b", npc, known_beliefs(store, npc), store.beliefs(npc))
            if wrong and mend:
                store.kept(Recollections).drop(store.identities().same(npc))
            found += wrong
        return tuple(found)


def _of_kind(
    letter: str, npc: str, known: Known, records: Sequence[EpisodeRecord] | Sequence[BeliefRecord]
) -> list[Unindexed]:
    held, there = known.index.held(), {one.seq: one for one in records}
    found = []
    for number in sorted({*held, *there}):
        if number not in held:
            found.append(Unindexed(npc, there[number].id, "missing"))
        elif number not in there:
            found.append(Unindexed(npc, f"{letter}{number:08d}", "extra"))
        elif held[number] != len(fresh_terms(there[number].text)):
            found.append(Unindexed(npc, there[number].id, "stale"))
    return found
