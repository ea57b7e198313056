"""Blows stay within what weapon and armour allow; habits of monsters show; nobody is hurt by who is not there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roguelike_bot import Bot
from roguelike_kit import state

from roguelike.commands import Attack, Equip, Move, Throw, Use, Wait
from roguelike.dice import Dice
from roguelike.dungeon.bestiary import BESTIARY
from roguelike.game import Game
from roguelike.game.combat import chance_to_hit, hero_attack, hero_guard, hurt_monster
from roguelike.goods import KINDS
from roguelike.state import Monster


def arena(*kinds: str, seed: int = 1) -> tuple[Game, list[Monster]]:
    """A hero in the crypt with just these monsters, side by side to his east, awake."""
    game = Game.new(seed)
    Bot(seed).down(game)
    level, hero = game._world.level, state(game).hero
    level.rows = [" " * 80, *(" " + "." * 78 + " " for _ in range(18)), " " * 80]
    game._world._grounds.clear()
    hero.x, hero.y = 40, 10
    level.items.clear()
    level.monsters[:] = [Monster(f"{k}-{n}", k, 41, 9 + n, BESTIARY[k].hp, awake=1) for n, k in enumerate(kinds)]
    return game, level.monsters


@given(skill=st.integers(-5, 30), guard=st.integers(0, 12))
def test_nothing_always_hits_and_nothing_never_does(skill: int, guard: int) -> None:
    chance = chance_to_hit(skill, guard)
    assert 10 <= chance <= 95
    assert chance_to_hit(skill + 1, guard) >= chance >= chance_to_hit(skill, guard + 1)


@pytest.mark.parametrize("kind", sorted(BESTIARY))
def test_a_blow_does_no_more_than_it_can(kind: str) -> None:
    """A round against one of each, many times: hero and monster lose at least 1 and at most their foe's best."""
    hits = 0
    for seed in range(8):
        game, monsters = arena("rat", kind, seed=seed)
        del monsters[0]
        hero, monster = state(game).hero, monsters[0]
        before, hp = hero.hp, monster.hp
        game.act(Attack(1, 0))
        if "posing" not in BESTIARY[kind].ways:
            assert 0 <= before - hero.hp <= 2 * max(BESTIARY[kind].attack, 4)
        for _ in range(3):
            game.act(Wait())
        lost = hp - (monster.hp if monster in monsters else min(0, hp - hero_attack(game._world)))
        assert lost <= max(hero_attack(game._world), hp)
        hits += hero.hp < before
    assert hits


def test_armour_takes_off_and_a_blade_puts_on() -> None:
    game, _ = arena()
    bare = hero_attack(game._world), hero_guard(game._world)
    for kind in ("sword", "mail", "buckler"):
        item = game._world.new_item(kind)
        state(game).hero.pack.append(item)
        game.act(Equip(item.id))
    assert (hero_attack(game._world) - bare[0], hero_guard(game._world) - bare[1]) == (
        KINDS["sword"].attack - KINDS["knife"].attack,
        3,
    )
    game.act(Equip(item.id))
    assert hero_guard(game._world) == bare[1] + 2


def test_who_dies_is_gone_and_has_taught_something() -> None:
    game, monsters = arena("rat", "ghoul")
    del monsters[0]
    hurt_monster(game._world, monsters[0], 100, "You hit")
    assert game._world.level.monsters == []
    assert state(game).hero.experience == BESTIARY["ghoul"].worth


def test_a_slime_comes_apart() -> None:
    game, monsters = arena("rat", "slime")
    del monsters[0]
    hurt_monster(game._world, monsters[0], 2, "You hit")
    assert sorted(m.hp for m in game._world.level.monsters) == [4, 4]


def test_a_rat_runs_when_it_is_badly_hurt() -> None:
    game, monsters = arena("rat", "rat")
    del monsters[0]
    monsters[0].hp = 4
    hurt_monster(game._world, monsters[0], 3, "You hit")
    for _ in range(4):
        game.act(Wait())
    assert max(abs(monsters[0].x - 40), abs(monsters[0].y - 10)) > 1


def test_only_some_open_doors() -> None:
    for kind, opens in (("skeleton", True), ("slime", False)):
        game, monsters = arena("rat", kind)
        del monsters[0]
        for y in range(1, 19):
            game._world.set_tile("crypt-1", 42, y, "#")
        game._world.set_tile("crypt-1", 42, 10, "+")
        monsters[0].x, monsters[0].seen_x, monsters[0].seen_y = 43, 40, 10
        for _ in range(8):
            monsters[0].awake = 1
            game.act(Wait())
        assert (game._world.tile(42, 10) == "/") is opens, kind


def test_a_thrown_flask_burns_and_dust_puts_to_sleep() -> None:
    game, monsters = arena("ghoul", "ghoul", "ghoul")
    for monster in monsters:
        monster.x = 45
    for kind in ("sleep-dust", "lamp-oil"):
        item = game._world.new_item(kind)
        state(game).hero.pack.append(item)
        torch = next(i for i in state(game).hero.pack if i.kind == "torch")
        torch.on = True
        game.act(Throw(item.id, 45, 10))
        if kind == "sleep-dust":
            assert all(m.effects.get("asleep") for m in monsters)
            assert all(m.x == 45 for m in monsters)
    assert sum(m.hp for m in game._world.level.monsters) <= 3 * BESTIARY["ghoul"].hp - 12


def test_the_dead_do_not_act() -> None:
    game, _ = arena("wight", "wight", "wight")
    state(game).hero.hp = 1
    for _ in range(30):
        game.act(Wait())
    assert game.view().over == "dead"
    turn = state(game).turn
    assert "over" in game.act(Move(1, 0))[0].text  # type: ignore[union-attr]
    assert state(game).turn == turn
    assert game.asked("marta", "help") == ()
    assert not game.do("marta", "serve", {"item": "ale"}).ok


def test_remedies_heal_but_not_beyond_what_one_has() -> None:
    game, _ = arena()
    hero = state(game).hero
    item = game._world.new_item("red-draught")
    hero.pack.append(item)
    hero.hp = hero.max_hp - 3
    game.act(Use(item.id))
    assert hero.hp == hero.max_hp
    assert item not in hero.pack


def test_every_kind_of_thing_and_beast_can_be_drawn() -> None:
    for kind in [*KINDS.values(), *BESTIARY.values()]:
        assert len(kind.glyph) == 1
        assert kind.colour.startswith("#")
        assert len(kind.colour) == 7
    assert len(BESTIARY) >= 8
    assert len(KINDS) >= 15
    assert Dice(1).pick(sorted(KINDS))
