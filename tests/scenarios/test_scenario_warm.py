"""A player walks up: what his first line will need is computed ahead, and nothing else happens."""

from __future__ import annotations

import pytest
from scenario_kit import SMALL_TALK, line, open_mind

from npc_memory.errors import InvalidInput, ModelMissing, UnknownId
from npc_memory.inference import Priority, ScriptedEngine
from npc_memory.mind import Mind
from npc_memory.opening import silent_mind
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store
from npc_memory.world import load_world


def engine_of(mind: Mind) -> ScriptedEngine:
    assert isinstance(mind.engine, ScriptedEngine)
    return mind.engine


def tokens(mind: Mind, at: int = -1) -> tuple[int, ...]:
    return mind.engine.tokenize(engine_of(mind).requests[at].segments)


def check_prefix(mind: Mind, npc: str, player: str, known: bool) -> int:
    """Warm, talk: the ids of the one are the beginning of the other's; their number."""
    warming = mind.warm(npc, player if known else None)
    assert warming.wait(30)
    warmed, request = tokens(mind), engine_of(mind).requests[-1]
    assert (request.max_tokens, request.priority) == (0, Priority.WARM)
    assert request.stable == len(request.segments)
    text = SMALL_TALK[len(warmed) % len(SMALL_TALK)]
    mind.talk(npc, player, f"{text} And the king?")
    spoken = engine_of(mind).requests[-1]
    whole = tokens(mind)
    assert whole[: len(warmed)] == warmed
    assert request.shared == spoken.shared
    assert request.conversation == spoken.conversation
    return len(warmed)


@pytest.mark.parametrize("prompt", ["transcript", "chat"])
def test_what_is_warmed_is_how_the_next_prompt_begins(prompt: str) -> None:
    """With the player and without, over more exchanges than the window holds, after a pause, for another owner."""
    world = load_world("emberfall")
    store = Store.open(":memory:", world=world.id, world_version=world.version)
    with Mind(world, store, ScriptedEngine(format=line), load_prompt(prompt)) as mind:
        mind.actor("rolf", name="Rolf")
        mind.set_state({"weather": "rain"})
        lengths = []
        for number in range(12):
            lengths.append(check_prefix(mind, "marta", "rolf", known=number % 4 != 3))
            mind.clock(mind.game_time + 1)
            mind.set_state({"weather": ("rain", "fog")[number % 2]})
        hers = lengths[3]
        assert lengths[3::4] == [hers] * 3, "without the player: all that is hers"
        assert all(length > hers for at, length in enumerate(lengths) if at % 4 != 3)
        check_prefix(mind, "marta", "ann", known=True)
        mind.clock(mind.game_time + 7 * 60)
        assert check_prefix(mind, "marta", "rolf", known=True) == lengths[0], "a new conversation"
        check_prefix(mind, "brann", "rolf", known=True)
        check_prefix(mind.for_owner("ann"), "marta", "rolf", known=True)


def test_nothing_is_stored_and_nothing_said_comes_out_differently() -> None:
    def play(warm: bool) -> list[tuple[str, str]]:
        with open_mind() as mind:
            told = []
            for text in SMALL_TALK:
                if warm:
                    before = mind.store.newest_seq()
                    mind.warm("marta", "rolf").wait(30)
                    mind.warm("brann")
                    assert mind.store.newest_seq() == before
                answer = mind.talk("marta", "rolf", text)
                told.append((answer.say, mind.explain(answer.audit).prompt_sha256))
            return told

    assert play(warm=True) == play(warm=False)


def test_the_same_two_are_warmed_once_at_a_time() -> None:
    engine = ScriptedEngine(format=line, behaviours=["stall"])
    with open_mind(engine=engine) as mind:
        first = mind.warm("marta", "rolf")
        again = mind.warm("marta", "rolf")
        assert again is first or first.done, "unless it was quicker"
        assert first.wait(30)
        before = len(engine.requests)
        assert mind.warm("marta", "rolf").wait(30), "it is over: warmed again"
        assert mind.warm("marta").wait(30)
        assert len(engine.requests) == before + 2


def test_whom_it_cannot_be_about_is_told() -> None:
    with open_mind() as mind:
        for npc, player, error in (
            ("nobody", "rolf", UnknownId),
            ("", "rolf", InvalidInput),
            ("marta", "", InvalidInput),
            ("marta", "marta", InvalidInput),
            ("marta", 7, InvalidInput),
        ):
            with pytest.raises(error):
                mind.warm(npc, player)  # type: ignore[arg-type]
        assert engine_of(mind).requests == []


def test_without_an_engine_that_takes_it_nothing_happens() -> None:
    world = load_world("emberfall")
    store = Store.open(":memory:", world=world.id, world_version=world.version)
    with silent_mind(world, store, ModelMissing("no model")) as mind:
        warming = mind.warm("marta", "rolf")
        assert (warming.taken, warming.done, warming.wait()) == (False, True, False)
        warming.cancel()
    closed = ScriptedEngine(format=line)
    with open_mind(engine=closed) as mind:
        closed.close()
        assert not mind.warm("marta", "rolf").taken
    full = ScriptedEngine(format=line, max_queue=0)
    with open_mind(engine=full) as mind:
        assert not mind.warm("marta", "rolf").taken


def test_where_the_budget_presses_the_talk_is_not_warmed() -> None:
    """What is kept of it then depends on a line that nobody knows yet."""
    with open_mind(engine=ScriptedEngine(["Aye. " * 30], format=line, n_ctx=1100)) as mind:
        for number in range(8):
            mind.talk("marta", "rolf", f"What of the {number}th barrel? " * 12)
        mind.warm("marta", "rolf").wait(30)
        warmed = engine_of(mind).requests[-1]
        mind.warm("marta").wait(30)
        assert engine_of(mind).requests[-1].segments == warmed.segments
