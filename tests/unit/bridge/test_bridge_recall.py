"""``recall`` over the wire: plain maps, in order, bounded."""

from __future__ import annotations

from bridge_kit import gate, raw

from bridge.client import connect
from bridge.dispatch import MOST_TEXT
from bridge.testing import scripted_bridge

KEYS = {
    *("id", "kind", "text", "score", "game_time", "age", "speaker", "addressee", "place", "why"),
    *("importance", "event", "folded"),
}


async def test_memories_come_best_first_as_plain_maps() -> None:
    async with scripted_bridge(["Aye."]) as bridge, raw(bridge.url) as client:
        for id, text in enumerate(("Osric stole the cup.", "It rained.", "The cup is silver."), 1):
            await client.ask(type="observe", id=id, kind="news", text=text, audience=["marta"], actor="osric")
            await client.ask(type="clock", id=10 + id, game_time=bridge.mind.game_time + 12 * 24 * 60)
        answer = await client.ask(type="recall", id=5, npc="marta", query="Who stole the cup?", player="p1", k=2)
        assert (answer["type"], answer["re"]) == ("memories", 5)
        assert [one["text"] for one in answer["memories"]] == ["Osric stole the cup.", "The cup is silver."]
        first = answer["memories"][0]
        assert set(first) == KEYS
        assert (first["kind"], first["event"], first["age"]) == ("episode", "news", "36 days ago")
        assert first["why"]["words"] == 1.0
        for npc, code in (("nobody", "unknown_id"), ("jory", None)):
            other = await client.ask(type="recall", id=6 + (code is None), npc=npc, query="cup")
            assert other.get("code") == code
            assert other.get("memories", []) == []


async def test_what_was_said_before_it_is_there_and_others_wait_for_nobody() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as client:
        await client.send(type="talk", id=1, npc="marta", player="p1", text="I hid the crown in the well.")
        await held.until(1)
        assert (await client.ask(type="recall", id=2, npc="jory", query="crown"))["memories"] == []
        await client.send(type="recall", id=3, npc="marta", query="crown")
        held.open()
        assert "I hid the crown in the well." in (await client.answer(3))["memories"][0]["text"]


async def test_an_answer_is_no_larger_than_a_client_can_take() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        for id in range(1, 9):
            await client.ask(type="observe", id=id, kind="speech", text=f"{id} " + "ж" * 32_000, audience=["marta"])
        found = (await client.ask(type="recall", id=9, npc="marta", query="speech", k=1000))["memories"]
        assert len(found) == MOST_TEXT // 64_002


async def test_the_python_client_has_a_word_for_it() -> None:
    async with scripted_bridge() as bridge, connect(bridge.url) as client:
        await client.request("observe", kind="theft", text="Osric stole the cup.", audience=["marta"])
        found = await client.recall("marta", "cup", k=1)
        assert [one["text"] for one in found] == ["Osric stole the cup."]
        assert await client.recall("jory", "cup", player="p1") == []
