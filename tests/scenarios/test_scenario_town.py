"""Two NPCs of Emberfall talk on the real model, and a player interrupts them; the game is replayed to the byte."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from npc_memory.inference import LlamaEngine, find_model
from npc_memory.mind import Answer, Mind
from npc_memory.opening import prompt_for
from npc_memory.replaying import Replay
from npc_memory.store import Store
from npc_memory.world import load_world

pytestmark = [pytest.mark.model, pytest.mark.full]

TWO = ("edda", "captain-hale")
TOPIC = "the burned bridge"


@pytest.fixture(scope="module")
def engine() -> Iterator[LlamaEngine]:
    with LlamaEngine(find_model(), n_ctx=2048, n_threads=2) as engine:
        yield engine


def game(file: Path, engine: LlamaEngine, *, warm: bool) -> list[tuple[str, str, str]]:
    """Lines of two NPCs; after the second a player talks to one of them, and later they go on."""
    world = load_world("emberfall")
    with Store.open(file, world=world.id, world_version=world.version) as store:
        mind = Mind(world, store, engine, prompt_for(), deadline=None)
        told: list[Answer] = []
        players: list[threading.Thread] = []

        def arrive(answer: Answer) -> None:
            told.append(answer)
            if len(told) == 2:
                call = lambda: told.append(mind.talk("edda", "rolf", "Is the king well?"))  # noqa: E731
                players.append(threading.Thread(target=call))
                players[0].start()
                while not mind._stage._floor._waiting:
                    players[0].join(0.005)

        first = mind.converse(TWO, topic=TOPIC, turns=6, on_reply=arrive)
        players[0].join()
        assert (first.ended, len(first.replies)) == ("wanted", 2)
        if warm:
            assert mind.warm("captain-hale", "edda").wait(120)
        second = mind.converse(TWO[::-1], turns=2)
        assert told[2].player == "rolf"
        assert second.replies[0].npc == "captain-hale"
        for npc in TWO:
            lines = [turn.text for turn in mind.store.turns(npc) if turn.player in TWO]
            assert lines == [one.say for one in (*first.replies, *second.replies)]
        return [(one.npc, one.say, mind.explain(one.audit).prompt_sha256) for one in (*told, *second.replies)]


def test_a_player_interrupts_two_who_talk_and_it_replays_the_same(tmp_path: Path, engine: LlamaEngine) -> None:
    file = tmp_path / "emberfall.sqlite3"
    lines = game(file, engine, warm=False)
    assert [npc for npc, _, _ in lines[:3]] == ["edda", "captain-hale", "edda"]
    world = load_world("emberfall")
    with Store.open(file, world=world.id, world_version=world.version) as store:
        found = Replay(engine, tokens=True).run(store.audits())
    assert found.divergence is None
    assert found.generated >= len(lines) - 1


@pytest.mark.full
def test_the_same_again_warmed_or_not(tmp_path: Path, engine: LlamaEngine) -> None:
    played = [game(tmp_path / f"{warm}.sqlite3", engine, warm=warm) for warm in (False, True)]
    assert played[0] == played[1]
