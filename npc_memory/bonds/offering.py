"""Relationships and triples as candidates among the beliefs of one reply."""

from __future__ import annotations

from npc_memory.bonds.asking import Asked
from npc_memory.bonds.feelings import Feelings
from npc_memory.bonds.knowing import near_triples
from npc_memory.bonds.reading import MONEY, starting_values
from npc_memory.bonds.words import LONGEST_REASON, sentences
from npc_memory.memory import Belief
from npc_memory.store import Store
from npc_memory.world import World

__all__ = ["FELT", "MOST_TRIPLES", "RELATIONSHIP", "offered_bonds"]

MOST_TRIPLES = 8
"""Triples that are offered to one reply."""

RELATIONSHIP = 2.0
"""Score of the relationship with the one she answers: above what is found by words."""

FELT = 0.75
"""Confidence of a feeling: what is felt stands in a prompt without a word of doubt or of knowledge before it."""


def offered_bonds(world: World, store: Store, asked: Asked) -> tuple[Belief, ...]:
    """What she feels for the one she answers, if it is not neutral, and the triples near what the line names."""
    return (*_feelings(world, store, asked), *_triples(world, store, asked))


def _feelings(world: World, store: Store, asked: Asked) -> tuple[Belief, ...]:
    start = starting_values(world, store, asked.npc, asked.player)
    feeling = store.kept(Feelings).of(store, asked.npc, asked.player, start)
    shown = sentences(feeling.values, asked.labels.player, world.money or MONEY)
    if not shown:
        return ()
    changes = [feeling.newest[kind] for kind in shown if kind in feeling.newest]
    last = max(changes, key=lambda one: one.seq, default=None)
    text = " ".join(shown.values())
    if last is not None and 0 < len(why := last.reason.strip()) <= LONGEST_REASON and asked.may_tell(last):
        text = f"{text} ({why})"
    return (
        Belief(
            id=last.id if last is not None else f"start:{asked.player}"[:200],
            text=text,
            confidence=FELT,
            score=RELATIONSHIP,
            game_time=last.game_time if last is not None else asked.game_time,
        ),
    )


def _triples(world: World, store: Store, asked: Asked) -> tuple[Belief, ...]:
    return tuple(
        Belief(
            id=one.id,
            text=one.text,
            confidence=one.record.confidence if one.record is not None else 1.0,
            score=one.near.score,
            game_time=one.record.game_time if one.record is not None else asked.game_time,
        )
        for one in near_triples(world, store, asked, MOST_TRIPLES)
    )
