"""A game is a function of its seed and its commands; a saved game goes on as it would have gone on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from roguelike_bot import Bot, play
from roguelike_kit import state

from npc_memory.errors import InvalidInput
from roguelike.commands import KINDS, Wait, command_from, command_to
from roguelike.game import Game

HERE = Path(__file__).parent

SCRIPT = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from roguelike_bot import Bot, play
from roguelike.game import Game
game = Game.new(5)
happened = play(game, Bot(5), 70)
print(hashlib.sha256(game.dump() + repr(happened).encode()).hexdigest())
"""


def test_the_same_seed_and_commands_give_the_same_game_under_any_hash_seed() -> None:
    outputs = set()
    for seed in ("0", "4242"):
        run = [sys.executable, "-c", SCRIPT, str(HERE)]
        done = subprocess.run(
            run,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_saved_game_is_bit_equal_and_goes_on_the_same(seed: int) -> None:
    game, bot = Game.new(seed), Bot(seed)
    bot.down(game)
    play(game, bot, 60)
    saved = game.dump()
    again = Game.load(saved)
    assert again.dump() == saved
    assert again.view() == game.view()
    rest = Bot(seed + 100)
    first = play(game, rest, 60)
    second = play(again, Bot(seed + 100), 60)
    assert first == second
    assert game.dump() == again.dump()


def test_saving_after_every_command_changes_nothing() -> None:
    game, other, bot = Game.new(9), Game.new(9), Bot(9)
    for _ in range(80):
        command = bot.command(game.view())
        assert game.act(command) == other.act(command)
        other = Game.load(other.dump())
    assert game.dump() == other.dump()


def test_another_seed_is_another_game() -> None:
    assert Game.new(1).dump() != Game.new(2).dump()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"{}",
        b'{"version": 1}',
        b'{"version": "1"}',
        b"[" * 100_000,
        b'{"version": 1e400}',
    ],
    ids=range(9),
)
def test_bad_bytes_are_refused_with_a_cure(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="not a saved game") as caught:
        Game.load(data)
    assert caught.value.hint


def test_a_game_of_a_newer_format_is_refused_by_name() -> None:
    plain = json.loads(Game.new(1).dump())
    plain["version"] = 99
    with pytest.raises(InvalidInput, match="format 99"):
        Game.load(json.dumps(plain).encode())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("hero", "x"), 500),
        (("hero", "where"), "the moon"),
        (("levels", "town", "rows"), ["#"]),
        (("people", "marta"), None),
        (("minute",), "noon"),
        (("hero", "hp"), 1.5),
        (("levels", "town", "seen"), ["zz"] * 20),
        (("hero", "pack"), [{"id": "x-1", "kind": "crown"}]),
        (("dice", "state"), -4),
    ],
)
def test_a_saved_game_with_one_thing_wrong_is_refused(path: tuple[str, ...], value: object) -> None:
    plain = json.loads(Game.new(1).dump())
    at = plain
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    with pytest.raises(InvalidInput):
        Game.load(json.dumps(plain).encode())


def test_every_command_is_plain_data_and_back() -> None:
    for kind in KINDS.values():
        values = [{"int": 1, "str": "bread-1"}[field.type] for field in kind.__dataclass_fields__.values()]
        command = kind(*values)
        plain = json.loads(json.dumps(command_to(command)))
        assert command_from(plain) == command


@pytest.mark.parametrize(
    "plain", [[], ["Fly"], ["Move", 1], ["Move", 1, "0"], ["Move", True, 0], ["Wait", 1], [7], None]
)
def test_what_is_no_command_is_refused(plain: object) -> None:
    with pytest.raises(InvalidInput, match="not a command"):
        command_from(plain)  # type: ignore[arg-type]


def test_the_next_hero_enters_the_same_world_as_somebody_else() -> None:
    game = Game.new(4, "Ada")
    bot = Bot(4)
    bot.down(game)
    state(game).plot.flags["crypt-open"] = 1
    hero = state(game).hero
    hero.hp = 1
    hero.effects["poison"] = 5
    game.act(Wait())
    assert game.view().over == "dead"
    heir = game.next_hero("Bor")
    view = heir.view()
    assert (view.hero.id, view.hero.name, view.over, view.level) == ("hero-2", "Bor", None, "town")
    assert state(heir).plot.flags["crypt-open"] == 1
    assert state(heir).levels["town"].rows[3][43] == "+", "the gate is open by day"
    assert heir.journal().entries == ()
    left = state(heir).levels["crypt-1"].items
    assert {"knife", "bread", "torch"} <= {item.kind for item in left}, "what the dead one carried lies below"
    opening = heir.opening()
    assert any(getattr(h, "kind", "") == "death" and "Ada is dead" in h.text for h in opening)
    assert Game.load(heir.dump()).dump() == heir.dump()
