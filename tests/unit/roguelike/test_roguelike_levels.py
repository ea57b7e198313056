"""Whatever the seed: one gets from the stairs to everywhere, what the story needs lies where it should, nothing
overlaps.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roguelike.dice import Dice
from roguelike.dungeon.digging import Digging
from roguelike.dungeon.generate import LEVELS, generate
from roguelike.dungeon.tiles import HEIGHT, TILES, WIDTH
from roguelike.state import Level
from roguelike.town.goods import GOODS
from roguelike.town.plan import DOORS, SPOTS, TOWN

SEEDS = st.integers(0, 2**32)
CRYPTS = ("crypt-1", "crypt-2", "crypt-3")
NEEDED = {
    "crypt-1": {"candlestick", "iron", "moonmoss", "pipeweed", "bead", "red-draught", "torch"},
    "crypt-2": {"ledger-page", "copied-key", "moonmoss", "red-draught"},
    "crypt-3": {"kings-cup", "red-draught"},
}


def reached(level: Level) -> set[tuple[int, int]]:
    digging = Digging()
    digging.grid = [list(row) for row in level.rows]
    return set(digging.steps_from(level.up))


@pytest.mark.parametrize("id", CRYPTS)
@given(seed=SEEDS)
@settings(max_examples=12, deadline=None)
def test_everything_can_be_reached(id: str, seed: int) -> None:
    level = generate(seed, id)
    within = reached(level)
    walkable = {(x, y) for y, row in enumerate(level.rows) for x, letter in enumerate(row) if TILES[letter].walk}
    assert walkable == within
    assert all((item.x, item.y) in within for item in level.items)
    assert all((monster.x, monster.y) in within for monster in level.monsters)
    if id != "crypt-3":
        assert level.down in within
        assert level.rows[level.down[1]][level.down[0]] == ">"
    assert len(within) > 200, "a level worth walking"


@pytest.mark.parametrize("id", CRYPTS)
@given(seed=SEEDS)
@settings(max_examples=6, deadline=None)
def test_the_story_finds_what_it_needs(id: str, seed: int) -> None:
    level = generate(seed, id)
    assert {item.kind for item in level.items} >= NEEDED[id]
    things = [*level.items, *level.monsters]
    assert len({thing.id for thing in things}) == len(things)
    assert len({(thing.x, thing.y) for thing in things}) == len(things)
    up = level.up
    assert all(max(abs(m.x - up[0]), abs(m.y - up[1])) > 1 for m in level.monsters), "nobody waits on the stairs"
    assert all(row == " " * WIDTH or len(row) == WIDTH for row in level.rows)
    assert len(level.rows) == HEIGHT


@given(seed=SEEDS)
@settings(max_examples=3, deadline=None)
def test_a_level_depends_on_nothing_but_the_seed(seed: int) -> None:
    assert [generate(seed, id) for id in CRYPTS] == [generate(seed, id) for id in reversed(CRYPTS)][::-1]
    assert generate(seed, "crypt-1").rows != generate(seed + 1, "crypt-1").rows


def test_the_town_is_whole() -> None:
    assert (len(TOWN), {len(row) for row in TOWN}) == (HEIGHT, {WIDTH})
    assert all(TILES[TOWN[y][x]].walk for x, y in SPOTS.values())
    assert all(TOWN[y][x] == "+" for x, y in DOORS)
    digging = Digging()
    digging.grid = [list(row) for row in TOWN]
    within = set(digging.steps_from((48, 2)))
    assert set(SPOTS.values()) <= within
    assert {(3, 6), (67, 17), (49, 0), (66, 1)} <= within, "cellar, crypt, boat, grave"
    assert all((x, y) in within or TOWN[y][x] in "nt" for _, x, y, _ in GOODS)
    assert set(LEVELS) == {"town", "cellar", *CRYPTS}


@given(state=st.integers(0, 2**64 - 1), n=st.integers(1, 10**12))
def test_dice_stay_within_bounds(state: int, n: int) -> None:
    dice = Dice(state)
    assert 0 <= dice.below(n) < n
    assert sorted(dice.shuffled(range(9))) == list(range(9))
    assert Dice(dice.state).next() == dice.next()


def test_dice_are_even() -> None:
    dice = Dice.named(1, "even")
    counts = [0] * 6
    for _ in range(12_000):
        counts[dice.below(6)] += 1
    assert all(1800 < count < 2200 for count in counts)
    assert Dice.named(1, "even").next() != Dice.named(1, "odd").next()
