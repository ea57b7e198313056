"""Saving and loading over the wire: what a game engine is told, and what becomes of talks under way."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from bridge_kit import gate, hello, raw

from bridge.testing import scripted_bridge


async def test_save_and_load_are_answered_with_the_save_and_everybody_is_told() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as one, raw(bridge.url) as other:
        start = bridge.mind.game_time
        await one.talk(1, "marta", "I am on my way.")
        saved = await one.ask(type="save", id=2, slot="quick")
        assert saved == {
            "type": "ok", "re": 2, "slot": "quick", "save_id": saved["save_id"], "game_time": start,
        }  # fmt: skip
        await one.ask(type="clock", id=3, game_time=start + 60)
        loaded = await one.ask(type="load", id=4, slot="quick")
        assert loaded == {**saved, "re": 4}
        push = {"type": "loaded", "slot": "quick", "save_id": saved["save_id"], "game_time": start}
        assert push in one.seen
        assert await other.next() == push
        assert bridge.mind.game_time == start


async def test_welcome_names_the_slot_that_is_played() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as one:
        assert (await one.ask(type="save", id=1, slot="slot 1"))["type"] == "ok"
        async with raw(bridge.url, greet=False) as other:
            assert (await hello(other))["slot"] == "slot 1"


async def test_the_id_counts_where_slot_and_id_are_given() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as one:
        first = await one.ask(type="save", id=1, slot="quick")
        await one.talk(2, "marta", "Hello.")
        await one.ask(type="save", id=3, slot="quick")
        loaded = await one.ask(type="load", id=4, slot="quick", save_id=first["save_id"])
        assert (loaded["save_id"], loaded["slot"]) == (first["save_id"], "")
        assert bridge.mind.store.turns("marta") == ()
        lost = await one.ask(type="save", id=5, save_id=first["save_id"])
        assert (lost["type"], lost["code"]) == ("error", "invalid_input")
        again = await one.ask(type="save", id=6, slot="again")
        assert (await one.ask(type="save", id=7, save_id=again["save_id"]))["slot"] == "again"


async def test_unknown_saves_are_refused_by_name_and_nobody_is_told() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as one:
        await one.ask(type="save", id=1, slot="here")
        answer = await one.ask(type="load", id=2, slot="there")
        assert (answer["code"], answer["details"]["known"]) == ("unknown_id", ["here"])
        assert (await one.ask(type="ping", id=3))["type"] == "pong"
        assert all(frame["type"] != "loaded" for frame in one.seen)


async def test_loading_needs_the_launch_token_and_saving_does_not() -> None:
    async with scripted_bridge(token="secret") as bridge, raw(bridge.url) as one:
        assert (await one.ask(type="save", id=1, slot="quick"))["type"] == "ok"
        assert (await one.ask(type="load", id=2, slot="quick"))["code"] == "token_required"
        async with raw(bridge.url, greet=False) as other:
            await hello(other, token="secret")
            assert (await other.ask(type="load", id=1, slot="quick"))["type"] == "ok"
        assert (await one.next())["type"] == "loaded"


async def test_a_load_is_of_one_owners_game() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as one, raw(bridge.url, greet=False) as ann:
        await hello(ann, owner="ann")
        await one.ask(type="save", id=1, slot="quick")
        assert (await ann.ask(type="load", id=1, slot="quick"))["code"] == "unknown_id"
        await one.ask(type="load", id=2, slot="quick")
        assert (await ann.ask(type="ping", id=2))["type"] == "pong"
        assert all(frame["type"] != "loaded" for frame in ann.seen)


async def test_a_load_ends_talks_under_way_and_those_that_wait() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as one, raw(bridge.url) as other:
        await one.ask(type="save", id=1, slot="quick")
        newest = bridge.mind.store.newest_seq()
        await one.send(type="talk", id=2, npc="marta", player="p1", text="One", key="k")
        await held.until(1)
        await other.send(type="talk", id=1, npc="marta", player="p1", text="Two")
        await other.ask(type="ping", id=2)
        await one.send(type="load", id=3, slot="quick")
        await one.send(type="talk", id=4, npc="marta", player="p1", text="Three")
        assert (await one.answer(3))["type"] == "ok"
        held.open()
        assert (await one.answer(2))["type"] == "cancelled"
        assert (await other.answer(1))["type"] == "cancelled"
        assert (await one.answer(4))["type"] == "reply"
        assert bridge.mind.store.turns("marta")[0].text == "Three"
        assert all(turn.seq > newest for turn in bridge.mind.store.turns("marta"))
        await one.ask(type="load", id=5, slot="auto")
        assert bridge.mind.store.turns("marta") == (), "nothing of them was kept where they were said either"


async def test_a_save_holds_the_talk_that_was_asked_for_before_it() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge, raw(bridge.url) as one:
        await one.send(type="talk", id=1, npc="marta", player="p1", text="One")
        await held.until(1)
        await one.send(type="save", id=2, slot="quick")
        await asyncio.sleep(0.05)
        held.open()
        await one.answer(2)
        await one.talk(3, "marta", "Two")
        await one.ask(type="load", id=4, slot="quick")
        assert [turn.text for turn in bridge.mind.store.turns("marta")] == ["One", "Aye, friend."]


async def test_saves_are_there_after_a_restart(tmp_path: Path) -> None:
    async with scripted_bridge(data=tmp_path) as bridge, raw(bridge.url) as one:
        saved = await one.ask(type="save", id=1, slot="quick")
        await one.talk(2, "marta", "Forget this.")
    async with scripted_bridge(data=tmp_path) as bridge, raw(bridge.url) as one:
        assert (await one.ask(type="load", id=1, save_id=saved["save_id"]))["game_time"] == saved["game_time"]
        assert bridge.mind.store.turns("marta") == ()


@pytest.mark.parametrize("slot", ["auto", "save-00000000000000000000"])
async def test_names_no_game_may_give(slot: str) -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as one:
        assert (await one.ask(type="save", id=1, slot=slot))["code"] == "invalid_input"
