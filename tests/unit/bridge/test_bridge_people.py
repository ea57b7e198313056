"""Who hears what and who is who, on a real socket; and owners who never meet."""

from __future__ import annotations

from typing import Any

import pytest
from bridge_kit import Raw, gate, hello, raw

from bridge.testing import scripted_bridge


async def told(client: Raw, id: int, npc: str, player: str, text: str) -> str:
    answer = await client.ask(type="explain", id=id, npc=npc, player=player, text=text)
    return str(answer["prompt"])


async def test_who_overhears_a_talk_has_heard_all_of_it_when_she_is_asked_next() -> None:
    held = gate("The stew is hot.")
    async with scripted_bridge(held) as bridge, raw(bridge.url) as client:
        for id, npc in ((1, "marta"), (2, "tamsin")):
            await client.ask(type="actor", id=id, actor=npc, place="inn")
        await client.send(type="talk", id=3, npc="marta", player="p1", text="What is for supper?")
        await client.send(type="talk", id=4, npc="tamsin", player="p1", text="And is it good?")
        await held.until(1)
        held.open()
        assert [(await client.answer(id))["npc"] for id in (3, 4)] == ["marta", "tamsin"]
        audit = bridge.mind.explain((await client.answer(4))["audit"])
        shown = "".join(text for _, _, text in audit.prompt)
        assert "p1 (to Marta): What is for supper?\nMarta (to p1): The stew is hot.\n" in shown


async def test_a_whisper_waits_for_nobody_and_is_heard_by_nobody() -> None:
    async with scripted_bridge(["Aye."]) as bridge, raw(bridge.url) as client:
        for id, npc in ((1, "marta"), (2, "tamsin")):
            await client.ask(type="actor", id=id, actor=npc, place="inn")
        await client.talk(3, "marta", "Whispered.", audience=[])
        await client.talk(4, "marta", "Aloud.")
        shown = await told(client, 5, "tamsin", "p1", "Well?")
        assert "p1 (to Marta): Aloud." in shown
        assert "Whispered" not in shown


async def test_an_alias_and_a_rebirth_are_served_and_what_cannot_be_one_is_refused() -> None:
    async with scripted_bridge(["Aye."]) as bridge, raw(bridge.url) as client:
        await client.talk(1, "marta", "I hid the crown.", player="old")
        assert (await client.ask(type="actor", id=2, actor="new", alias_of="old", name="Rolf"))["type"] == "ok"
        assert (await client.ask(type="actor", id=3, actor="npc-7", alias_of="marta"))["type"] == "ok"
        reply = await client.talk(4, "npc-7", "The crown?", player="new")
        assert (reply["type"], reply["npc"]) == ("reply", "npc-7")
        assert "Rolf: I hid the crown." in await told(client, 5, "npc-7", "new", "Well?")
        refused = await client.ask(type="actor", id=6, actor="newer", alias_of="new")
        assert (refused["type"], refused["code"]) == ("error", "alias_refused")
        assert "'old'" in refused["hint"]
        assert (await client.ask(type="actor", id=7, actor="old", reborn=True))["type"] == "ok"
        assert "Rolf: I hid the crown." not in await told(client, 8, "marta", "old", "Well?")


async def test_owners_with_the_same_ids_never_meet() -> None:
    async with scripted_bridge(["Aye."]) as bridge:
        clients: dict[str, dict[str, Any]] = {"": {}, "ann": {"owner": "ann"}, "勇者": {"owner": "勇者"}}
        for owner, more in clients.items():
            async with raw(bridge.url, greet=False) as client:
                await hello(client, **more)
                await client.ask(type="actor", id=1, actor="p1", name=f"Name-{owner or 'local'}", place="inn")
                await client.ask(type="actor", id=2, actor="tamsin", place="inn")
                await client.talk(3, "marta", f"Secret-{owner or 'local'}.", place="inn")
                await client.ask(type="actor", id=4, actor=f"alias-{owner or 7}", alias_of="p1")
        for owner, more in clients.items():
            async with raw(bridge.url, greet=False) as client:
                await hello(client, **more)
                for number, (npc, player) in enumerate([("marta", "p1"), ("tamsin", "p1"), ("marta", "alias-ann")]):
                    shown = await told(client, 10 + number, npc, player, "Secret? Name?")
                    for other in clients:
                        assert (f"Secret-{other or 'local'}." in shown) == (other == owner)
                        assert other == owner or f"Name-{other or 'local'}" not in shown


@pytest.mark.parametrize("owner", ["", "\x00", "x" * 201])
async def test_an_owner_that_is_given_must_be_one(owner: str) -> None:
    async with scripted_bridge(["Aye."]) as bridge, raw(bridge.url, greet=False) as client:
        answer = await client.ask(type="hello", id=1, protocol=1, client="test", owner=owner)
        assert (answer["type"], answer["code"]) == ("error", "invalid_input")
