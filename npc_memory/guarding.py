"""What the canon guard holds a reply against: the facts and state entries that this NPC knows, and nothing else.

A fact she does not know cannot be contradicted by her: stopping her there would tell that there is something to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from npc_memory.memory import AgendaItem, Fact, Snapshot, StateEntry
from npc_memory.recall import fact_asked_for
from npc_memory.reply.guard import Claim
from npc_memory.world import World
from npc_memory.world.state import ScopedState

__all__ = ["answer_to", "claims_for", "claims_of", "reminded", "reminder_of"]


def claims_for(
    world: World,
    npc_id: str,
    state: ScopedState,
    *,
    place: str | None = None,
    factions: Iterable[str] | None = None,
) -> tuple[Claim, ...]:
    """What is true now and known to that NPC, facts by id, then state by key. Raises ``UnknownId``."""
    return claims_of(
        world,
        world.facts_for(npc_id, state, place=place, factions=factions),
        world.state_for(npc_id, state, place=place, factions=factions),
    )


def claims_of(world: World, facts: Sequence[Fact], entries: Sequence[StateEntry]) -> tuple[Claim, ...]:
    """The same of facts and entries that have been looked up already."""
    canon = [(fact, world.canon[fact.id]) for fact in facts]
    told = [
        Claim(id=f"fact:{fact.id}", text=fact.text, spoken=known.spoken, patterns=known.patterns, secret=known.secret)
        for fact, known in canon
    ]
    return (*told, *(Claim(id=f"state:{one.key}", text=one.words(), spoken=one.text) for one in entries))


def reminded(snapshot: Snapshot, item: AgendaItem) -> Snapshot:
    """``snapshot`` with ``item`` pinned right before the line, ahead of what is pinned already."""
    others = tuple(one for one in snapshot.pinned if one.id != item.id)
    return replace(snapshot, pinned=(item, *others))


def reminder_of(claim: Claim, snapshot: Snapshot) -> AgendaItem:
    """The fact beside the question: what a second try is reminded of."""
    best = max((one.score for one in snapshot.pinned), default=0.0)
    return AgendaItem(id=claim.id, text=claim.text, score=best + 1.0)


def answer_to(snapshot: Snapshot, claims: Sequence[Claim], own_name: str) -> str:
    """The spoken form of the fact that the player asks about, "" if there is none: for who has no model to speak with.

    A secret is never told this way.
    """
    spoken = {claim.id: claim.spoken for claim in claims if not claim.secret}
    open_facts = [fact for fact in snapshot.canonical_facts if f"fact:{fact.id}" in spoken]
    asked = fact_asked_for(snapshot.player_line, open_facts, apart_from=own_name)
    return spoken[f"fact:{asked}"] if asked is not None else ""
