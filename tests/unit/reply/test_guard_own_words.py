"""The game's own words pass: every authored line and claim of both worlds, for every NPC, in every state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from npc_memory.guarding import claims_for
from npc_memory.memory import StateValue
from npc_memory.reply.guard import Claim, Guard
from npc_memory.world import Npc, World, load_world
from npc_memory.world.state import ScopedState, StateKey

WORLDS = ("emberfall", "perigee")


def states(world: World, *, every: bool) -> Iterator[ScopedState]:
    """All combinations of the values that keys of the whole world declare, or each key turned once; narrower keys
    take their first and their last value.
    """
    keys = [key for key in world.state_keys.values() if key.values]
    wide, narrow = [key for key in keys if not key.scope], [key for key in keys if key.scope]
    for values in product(*(key.values for key in wide)) if every else turned(wide):
        for end in (0, -1):
            yield {
                **{(key.scope, key.key): value for key, value in zip(wide, values, strict=True)},
                **{(key.scope, key.key): key.values[end] for key in narrow},
            }


def turned(keys: list[StateKey]) -> Iterator[tuple[StateValue, ...]]:
    defaults = tuple(key.default for key in keys)
    yield defaults
    for i, key in enumerate(keys):
        yield from ((*defaults[:i], value, *defaults[i + 1 :]) for value in key.values if value != key.default)


def own_lines(npc: Npc) -> Mapping[str, str]:
    """Each authored line of hers and the question it answers."""
    return {npc.greeting: "", **dict.fromkeys(npc.fallback, ""), **{one.npc: one.player for one in npc.examples}}


def stopped(world: World, npc: Npc, claims: tuple[Claim, ...]) -> list[tuple[str, str]]:
    guard = Guard(claims, names=world.names, own_name=npc.name)
    said = dict(own_lines(npc)) | {text: "" for claim in claims for text in (claim.text, claim.spoken) if text}
    found = ((line, guard.check(line, question=question)) for line, question in said.items())
    return [(line, f"{hit.claim.id} {hit.rule} {hit.matched!r}") for line, hit in found if hit]


def none_is_stopped(world: World, every: bool) -> None:
    judged: set[tuple[str, tuple[Claim, ...]]] = set()
    for state in states(world, every=every):
        for npc in world.npcs.values():
            claims = tuple(claims_for(world, npc.id, state))
            if (npc.id, claims) not in judged:  # what a state changes, not every NPC knows of
                assert stopped(world, npc, claims) == [], (npc.id, dict(state))
            judged.add((npc.id, claims))
    assert len(judged) > len(world.npcs), "no state changes anything"


@pytest.mark.parametrize("name", WORLDS)
def test_no_word_of_the_game_is_stopped(name: str) -> None:
    none_is_stopped(load_world(name), every=False)


@pytest.mark.full
@pytest.mark.parametrize("name", WORLDS)
def test_no_word_of_the_game_is_stopped_in_any_state(name: str) -> None:
    none_is_stopped(load_world(name), every=True)
