"""``result`` over the wire: what became of an action is known in the next reply."""

from __future__ import annotations

from bridge_kit import raw

from bridge.client import connect
from bridge.testing import scripted_bridge

WISH = "You shall have a bed.\n(warm) [rent-room]"


async def test_the_next_prompt_holds_what_she_said_and_that_it_was_refused() -> None:
    async with scripted_bridge([WISH, "All beds are taken."]) as bridge, raw(bridge.url) as client:
        reply = await client.talk(1, "marta", "A room, please.")
        wish = reply["action"]
        assert wish == {"id": wish["id"], "name": "rent-room", "args": {}, "label": "Rent a room"}
        answer = await client.ask(type="result", id=2, action=wish["id"], ok=False, error="All beds are taken.")
        assert answer == {"type": "ok", "re": 2}
        await client.talk(3, "marta", "And my room?")
        shown = "".join(str(s) for s in bridge.engine.requests[-1].segments)
        assert "Marta: You shall have a bed." in shown
        assert 'could not be done: Rent a room. The reason: "All beds are taken."' in shown


async def test_it_may_come_again_and_an_unknown_one_is_refused() -> None:
    async with scripted_bridge([WISH]) as bridge, raw(bridge.url) as client:
        wish = (await client.talk(1, "marta", "A room, please."))["action"]["id"]
        for id in (2, 3):
            assert (await client.ask(type="result", id=id, action=wish, ok=True))["type"] == "ok"
        assert len(bridge.mind.store.episodes("marta")) == 2
        assert (await client.ask(type="result", id=4, action=wish, ok=False))["code"] == "invalid_input"
        assert (await client.ask(type="result", id=5, action="rent-room", ok=True))["code"] == "unknown_id"


async def test_an_alias_is_told_the_same_of_her_action() -> None:
    async with scripted_bridge([WISH]) as bridge, raw(bridge.url) as client:
        assert (await client.ask(type="actor", id=1, actor="marta-2", alias_of="marta"))["type"] == "ok"
        reply = await client.talk(2, "marta-2", "A room, please.")
        assert (reply["npc"], reply["action"]["label"]) == ("marta-2", "Rent a room")
        assert (await client.ask(type="result", id=3, action=reply["action"]["id"], ok=True))["type"] == "ok"


async def test_the_python_client_has_a_word_for_it() -> None:
    async with scripted_bridge([WISH]) as bridge, connect(bridge.url) as client:
        reply = await client.talk("marta", "p1", "A room, please.")
        await client.result(reply.action.id, False, "No.")
        await client.result(reply.action.id, False)
        assert bridge.mind.store.episodes("marta")[-1].kind == "action-refused"
