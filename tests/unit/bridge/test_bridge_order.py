"""Order, cancelling and the failure table, on a real socket."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from bridge_kit import Raw, gate, raw

from bridge.testing import scripted_bridge
from npc_memory.inference import ScriptedEngine
from npc_memory.inference.script import Reply
from npc_memory.mind import Mind

SLOW = Reply("The stew is hot. Sit down, friend. Eat. Drink.", "slow")


def prompts(mind: Mind) -> list[str]:
    """The prompt of each reply, in the order in which they were stored."""
    return ["".join(text for _, _, text in mind.explain(one.id).prompt) for one in mind.store.audits()]


def marks(mind: Mind, npc: str = "marta") -> list[str]:
    return [turn.mark for turn in mind.store.turns(npc)]


async def heard(client: Raw, id: int) -> None:
    """Wait for the first words of a reply."""
    while not client.words(id):
        await client.next()


# -- order on one connection


async def test_frames_take_effect_in_order() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        await client.send(type="set_state", id=1, entries={"weather": "rain"})
        await client.send(type="talk", id=2, npc="marta", player="p1", text="One")
        await client.send(type="set_state", id=3, entries={"weather": "clear"})
        await client.send(type="talk", id=4, npc="marta", player="p1", text="Two")
        await client.send(type="set_state", id=5, entries={"weather": "fog"})
        for id in (1, 2, 3, 4, 5):
            assert (await client.answer(id))["type"] in ("ok", "reply")
        key = bridge.mind.world.state_keys["weather"]
        first, second = prompts(bridge.mind)
        assert key.entry("rain").words() in first
        assert key.entry("clear").words() in second
        assert "One" in second


async def test_a_queued_talk_sees_what_the_one_before_left() -> None:
    held = gate("The stew is hot.")
    async with scripted_bridge(held) as bridge, raw(bridge.url) as one, raw(bridge.url) as other:
        await one.send(type="talk", id=1, npc="marta", player="p1", text="My name is Quillon.")
        await held.until(1)
        await other.send(type="talk", id=1, npc="marta", player="p1", text="Who am I?")
        await other.ask(type="ping", id=2)
        held.open()
        await one.answer(1)
        await other.answer(1)
        assert "My name is Quillon." in prompts(bridge.mind)[1]


async def test_reports_of_another_connection_do_not_wait_for_a_talk() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as one, raw(bridge.url) as other:
        await one.send(type="talk", id=1, npc="marta", player="p1", text="Hi")
        await held.until(1)
        assert (await other.ask(type="set_state", id=1, entries={"weather": "fog"}))["type"] == "ok"
        assert (await one.ask(type="set_state", id=2, entries={"weather": "rain"}))["type"] == "ok", (
            "her snapshot is taken"
        )
        held.open()
        await one.answer(1)


async def test_other_npcs_answer_while_one_thinks_on_the_same_connection() -> None:
    held = gate()

    def script(request: Any) -> str:
        return held(request) if request.conversation == "marta" else "No trouble here."

    async with scripted_bridge(script) as bridge, raw(bridge.url) as client:
        # Replies are made one after the other by the scripted engine, so brann's prompt is all that can be waited for.
        await client.send(type="talk", id=1, npc="brann", player="p1", text="Ho")
        await client.send(type="talk", id=2, npc="edda", player="p1", text="Ho")
        await client.answer(1)
        await client.answer(2)
        await client.send(type="talk", id=3, npc="marta", player="p1", text="Hi")
        await held.until(1)
        assert (await client.ask(type="clock", id=4, game_time=200_000))["type"] == "ok"
        held.open()
        assert (await client.answer(3))["type"] == "reply"


async def test_end_comes_after_what_was_said_before_it() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as client:
        await client.send(type="talk", id=1, npc="marta", player="p1", text="Hi")
        await client.send(type="end", id=2, player="p1")
        await client.send(type="explain", id=3, npc="marta", player="p1", text="Again?")
        await held.until(1)
        held.open()
        assert (await client.answer(2))["type"] == "ok"
        order = [f["re"] for f in client.seen if f["type"] in ("reply", "ok")]
        assert order[-2:] == [1, 2]
        assert bridge.mind.store.session("marta", "p1") == 2
        assert (await client.answer(3))["type"] == "working_memory"


async def test_an_id_in_use_is_refused() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as client:
        await client.send(type="talk", id=1, npc="marta", player="p1", text="Hi")
        await held.until(1)
        await client.send(type="talk", id=1, npc="brann", player="p1", text="Hi")
        frame = await client.next()
        assert (frame["code"], frame["re"]) == ("duplicate_id", 1)
        held.open()
        while frame["type"] != "reply":
            frame = await client.next()
        assert frame["npc"] == "marta"


# -- cancel


async def test_cancel_in_mid_stream() -> None:
    async with scripted_bridge(lambda request: SLOW) as bridge, raw(bridge.url) as client:
        await client.send(type="talk", id=1, npc="marta", player="p1", text="Hi")
        await heard(client, 1)
        assert await client.ask(type="cancel", id=2, request=1) == {"type": "cancelled", "re": 2, "request": 1}
        ends = [f for f in client.seen if f["type"] == "cancelled"]
        assert [f["re"] for f in ends] == [1, 2]
        asked, answered = bridge.mind.store.turns("marta")
        assert (asked.mark, answered.mark) == ("interrupted", "interrupted")
        assert answered.text == "".join(client.words(1))
        assert bridge.mind.store.episodes("marta") == ()
        assert (await client.talk(3, "brann", "Hi"))["type"] == "reply"


async def test_cancel_of_what_waits_is_answered_at_once_and_stored_in_its_turn() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as client:
        await client.send(type="talk", id=1, npc="marta", player="p1", text="First")
        await held.until(1)
        await client.send(type="talk", id=2, npc="marta", player="p1", text="Second")
        await client.ask(type="ping", id=3)
        await client.ask(type="cancel", id=4, request=2)
        assert [(f["type"], f["re"]) for f in client.seen[-2:]] == [("cancelled", 2), ("cancelled", 4)]
        held.open()
        assert (await client.answer(1))["type"] == "reply"
        await client.ask(type="end", id=5, player="p1")
        assert [t.text for t in bridge.mind.store.turns("marta") if t.speaker == "p1"] == ["First", "Second"]
        assert marks(bridge.mind) == ["", "", "interrupted"]


async def test_cancel_of_what_is_over_is_harmless_and_of_what_never_was_an_error() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        await client.talk(1, "marta", "Hi")
        assert (await client.ask(type="cancel", id=2, request=1))["type"] == "cancelled"
        assert (await client.ask(type="cancel", id=3, request=77))["code"] == "unknown_id"
        assert marks(bridge.mind) == ["", ""]


# -- the failure table


async def test_a_lie_told_twice_becomes_the_fact() -> None:
    async with scripted_bridge([Reply("", "lie")]) as bridge, raw(bridge.url) as client:
        reply = await client.talk(1, "marta", "Is the king well?")
        assert reply["fallback"]
        assert reply["say"] == "".join(client.words(1)) == bridge.mind.world.canon["king-dead"].spoken
        assert marks(bridge.mind) == ["", "fallback"]
        told = [one.text for one in bridge.mind.store.episodes("marta")]
        assert all("answered" not in text for text in told), "an authored line is no memory of hers"


@pytest.mark.parametrize("behaviour", ["empty", "loop", "crash"])
async def test_a_model_that_fails_is_stood_in_for(behaviour: Any) -> None:
    async with scripted_bridge([Reply("Hm.", behaviour)]) as bridge, raw(bridge.url) as client:
        reply = await client.talk(1, "marta", "What is new with you?")
        assert (reply["type"], reply["fallback"]) == ("reply", True)
        assert reply["say"] == "".join(client.words(1))
        assert marks(bridge.mind) == ["", "fallback"]
        assert not any(word in reply["say"].lower() for word in ("error", "engine", "crash", "deadline"))


async def test_a_passed_deadline_is_stood_in_for() -> None:
    async with scripted_bridge([Reply("Hm.", "stall")], deadline=0.2) as bridge, raw(bridge.url) as client:
        reply = await client.talk(1, "marta", "What is new with you?")
        assert reply["fallback"]
        assert marks(bridge.mind) == ["", "fallback"]


async def test_a_full_queue_is_busy_with_a_hint_and_stores_nothing() -> None:
    held = gate()
    async with scripted_bridge(held, queue=3) as bridge, raw(bridge.url) as client:
        for id in (1, 2, 3, 4, 5):
            await client.send(type="talk", id=id, npc="marta", player="p1", text=f"Line {id}")
        for id in (4, 5):
            busy = await client.answer(id)
            assert busy["code"] == "busy"
            assert busy["details"]["retry_after"] > 0
        assert (await client.ask(type="ping", id=6))["type"] == "pong"
        held.open()
        for id in (1, 2, 3):
            assert (await client.answer(id))["type"] == "reply"
        assert [t.text for t in bridge.mind.store.turns("marta")][::2] == ["Line 1", "Line 2", "Line 3"]


async def test_a_full_engine_is_busy_too() -> None:
    from scenario_shape import line

    held = gate()
    engine = ScriptedEngine(held, format=line, max_queue=1)
    async with scripted_bridge(engine=engine) as bridge, raw(bridge.url) as client:
        await client.send(type="talk", id=1, npc="marta", player="p1", text="Hi")
        await held.until(1)
        assert (await client.talk(2, "brann", "Hi"))["code"] == "busy"
        assert bridge.mind.store.turns("brann") == ()
        held.open()
        assert (await client.answer(1))["type"] == "reply"


async def test_a_lost_connection_is_remembered_as_interrupted() -> None:
    async with scripted_bridge(lambda request: SLOW) as bridge:
        async with raw(bridge.url) as client:
            await client.send(type="talk", id=1, npc="marta", player="p1", text="Hi", key="k")
            await heard(client, 1)
            client.socket.transport.abort()
        while bridge.server.clients:
            await asyncio.sleep(0.01)
        asked, answered = bridge.mind.store.turns("marta")
        assert (asked.mark, answered.mark) == ("interrupted", "interrupted")
        assert answered.text.startswith("".join(client.words(1)))
        async with raw(bridge.url) as again:
            assert (await again.talk(1, "marta", "Hi", key="k"))["type"] == "reply", "its key is still free"


async def test_a_full_disk_is_an_error_and_read_only_from_then_on(tmp_path: Path) -> None:
    import sqlite3

    async with scripted_bridge(data=tmp_path) as bridge, raw(bridge.url) as client:
        assert (await client.talk(1, "marta", "Hi"))["type"] == "reply"
        database = bridge.mind.store._database
        pages = database.number("PRAGMA page_count")
        database.query(f"PRAGMA max_page_count={pages}")
        answers = [await client.talk(n, "marta", "x" * 3_000, player=f"q{n}") for n in range(2, 8)]
        codes = [a.get("code") for a in answers]
        assert "store_full" in codes
        after = codes[codes.index("store_full") + 1 :]
        assert set(after) <= {"store_read_only"}
        assert (await client.ask(type="clock", id=9, game_time=200_000))["code"] == "store_read_only"
        seen = await client.ask(type="explain", id=10, npc="marta", player="p1", text="Hm?")
        assert "Hi" in seen["prompt"], "what was acknowledged can still be read"
    with sqlite3.connect(tmp_path / "emberfall.sqlite3") as left:
        assert left.execute("SELECT COUNT(*) FROM turns").fetchone()[0] >= 2
    left.close()


async def test_a_fault_of_ours_is_an_error_and_no_text(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as client:

        def broken(*args: Any, **more: Any) -> None:
            raise ZeroDivisionError("a secret detail")

        monkeypatch.setattr(bridge.mind, "observe", broken)
        monkeypatch.setattr(bridge.mind, "talk", broken)
        for answer in (
            await client.ask(type="observe", id=1, kind="x", text="y"),
            await client.talk(2, "marta", "Hi"),
        ):
            assert answer["code"] == "internal"
            assert "secret" not in str(answer)
        assert "a secret detail" in caplog.text
        assert (await client.ask(type="ping", id=3))["type"] == "pong"
