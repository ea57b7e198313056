"""The bridge on a real socket: greeting, talk, streaming, keys, errors, several clients at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from bridge_kit import gate, hello, raw
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, NegotiationError

from bridge.messages import DueFrame, LoadedFrame
from bridge.server import Server
from bridge.testing import running_bridge, scripted_bridge
from npc_memory.errors import PortTaken, TokenRequired
from npc_memory.inference.script import Reply
from npc_memory.world import load_world

TWO = "The stew is hot. Sit down, friend."


async def test_welcome_says_what_a_client_needs() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url, greet=False) as client:
        welcome = await hello(client, world="emberfall")
        assert welcome == {
            "type": "welcome",
            "re": 0,
            "protocol": 1,
            "server": welcome["server"],
            "world": "emberfall",
            "world_version": bridge.mind.world.version,
            "npcs": [{"id": npc.id, "name": npc.name} for npc in bridge.mind.world.npcs.values()],
            "model": "scripted",
            "determinism": {"word": "bit-exact", "reason": welcome["determinism"]["reason"]},
            "game_time": bridge.mind.world.start_time,
            "slot": "",
        }
        assert len(welcome["npcs"]) == 13


async def test_another_world_is_refused_and_a_second_hello_may_be_right() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url, greet=False) as client:
        assert (await hello(client, world="perigee"))["code"] == "unknown_id"
        assert (await client.talk(1, "marta", "Hi"))["code"] == "hello_first"
        assert (await client.ask(type="hello", id=2, protocol=1, client="x"))["type"] == "welcome"


async def test_a_reply_is_streamed_by_sentence_and_joined_it_is_say() -> None:
    async with scripted_bridge([TWO, TWO + " Eat."]) as bridge, raw(bridge.url) as client:
        reply = await client.talk(1, "marta", "Good evening.")
        assert client.words(1) == ["The stew is hot.", " Sit down, friend."] or "".join(client.words(1)) == TWO
        assert reply == {
            "type": "reply",
            "re": 1,
            "npc": "marta",
            "say": TWO,
            "mood": reply["mood"],
            "turn": bridge.mind.store.turns("marta")[-1].id,
            "kind": "talk",
            "fallback": False,
            "dropped": 0,
            "audit": bridge.mind.store.audits()[-1].id,
        }
        assert (await client.talk(2, "marta", "And?", stream=False))["say"] == TWO + " Eat."
        assert client.words(2) == []


async def test_json_and_msgpack_clients_get_the_same() -> None:
    import json

    async with scripted_bridge([TWO]) as bridge, raw(bridge.url) as client:
        async with connect(bridge.url, subprotocols=["npc-memory.v1.json"], proxy=None) as socket:  # type: ignore[list-item]
            await socket.send(json.dumps({"type": "hello", "id": 0, "protocol": 1, "client": "j"}))
            assert json.loads(await socket.recv())["type"] == "welcome"
            await socket.send(json.dumps({"type": "talk", "id": 1, "npc": "brann", "player": "p1", "text": "Ho 🐺"}))
            frames = [json.loads(await socket.recv())]
            while frames[-1]["type"] != "reply":
                frames.append(json.loads(await socket.recv()))
            assert "".join(f["text"] for f in frames[:-1]) == frames[-1]["say"] == TWO
            assert socket.subprotocol == "npc-memory.v1.json"
        assert (await client.talk(1, "edda", "Ho"))["say"] == TWO
        assert bridge.mind.store.turns("brann")[0].text == "Ho 🐺"


async def test_msgpack_is_spoken_when_nothing_was_asked_for() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url, subprotocols=None) as client:
        assert client.socket.subprotocol is None
        assert (await client.ask(type="ping", id=1))["type"] == "pong"


async def test_a_client_of_another_protocol_is_not_taken() -> None:
    async with scripted_bridge() as bridge:
        with pytest.raises((NegotiationError, InvalidStatus, ConnectionClosed)):
            async with connect(bridge.url, subprotocols=["mqtt"], proxy=None) as socket:  # type: ignore[list-item]
                assert socket.subprotocol == "mqtt"


async def test_what_the_game_reports_is_in_the_next_prompt() -> None:
    async with scripted_bridge([TWO]) as bridge, raw(bridge.url) as client:
        place = bridge.mind.world.npc("marta").place
        told = "The traveller took a loaf from the counter."
        event = await client.ask(type="observe", id=1, kind="theft", text=told, place=place, actor="p1", importance=1)
        assert event == {"type": "ok", "re": 1, "event": bridge.mind.store.events()[0].id}
        assert (await client.ask(type="set_state", id=2, entries={"north_gate": "closed"}))["type"] == "ok"
        assert (await client.ask(type="actor", id=3, actor="p1", name="Quillon"))["type"] == "ok"
        assert (await client.ask(type="clock", id=4, game_time=200_000))["type"] == "ok"
        seen = await client.ask(type="explain", id=5, npc="marta", player="p1", text="Who took the loaf?")
        assert told in seen["prompt"]
        assert "north gate" in seen["prompt"]
        assert "Quillon: Who took the loaf?" in seen["prompt"]
        with bridge.mind.working_memory("marta", "p1", "Who took the loaf?") as memory:
            assert seen["prompt"] == memory.text()
        assert seen["report"]["total"] <= seen["report"]["limit"]
        assert told in seen["sections"]["episodes"]
        assert (await client.ask(type="clock", id=6, game_time=199_999))["code"] == "invalid_input"


async def test_explain_tells_of_a_past_reply() -> None:
    async with scripted_bridge([TWO]) as bridge, raw(bridge.url) as client:
        reply = await client.talk(1, "marta", "Is the king well?")
        past = await client.ask(type="explain", id=2, audit=reply["audit"])
        assert past["prompt"] == "".join(str(s) for s in bridge.engine.requests[0].segments)
        assert "King Aldric is dead." in past["prompt"]
        assert past["report"]["dropped"] == []
        assert (await client.ask(type="explain", id=3, audit="a99999999"))["code"] == "unknown_id"


@pytest.mark.parametrize("type", ["think"])
async def test_what_is_not_served_yet_says_so(type: str) -> None:
    from test_bridge_protocol import GOOD

    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        answer = await client.ask(type=type, id=1, **GOOD[type])
        assert (answer["type"], answer["code"]) == ("error", "not_available")
        assert bridge.mind.store.audits() == ()


async def test_errors_store_nothing_and_the_connection_goes_on() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        before = bridge.mind.store.newest_seq()
        assert (await client.talk(1, "nobody", "Hi"))["code"] == "unknown_id"
        assert (await client.talk(2, "marta", "   "))["code"] == "invalid_input"
        assert (await client.talk(3, "marta", "x" * 65_537))["code"] == "too_long"
        assert (await client.talk(4, "marta", "Hi", actions=["fly"]))["code"] == "invalid_input"
        assert (await client.ask(type="set_state", id=5, entries={"north_gate": "ajar"}))["code"] == "invalid_input"
        assert (await client.ask(type="set_state", id=6, entries={"x": "y" * 60_000}))["code"] == "mandatory_overflow"
        assert (await client.ask(type="actor", id=7, actor="p1", faction="pirates"))["code"] == "unknown_id"
        assert (await client.ask(type="end", id=8, player="p1", npc="nobody"))["code"] == "unknown_id"
        assert bridge.mind.store.newest_seq() == before
        assert (await client.talk(9, "marta", "Hi"))["type"] == "reply"


async def test_an_action_comes_with_its_name() -> None:
    world = load_world("emberfall")
    npc = next(npc for npc in world.npcs.values() if any(not a.args for a in npc.actions))
    action = next(a for a in npc.actions if not a.args)
    script = f"So be it, friend.\n({npc.moods[-1]}) [{action.id}]"
    async with scripted_bridge([script, script + " "]) as bridge, raw(bridge.url) as client:
        reply = await client.talk(1, npc.id, "Come.", actions=[action.id])
        assert (reply["say"], reply["mood"]) == ("So be it, friend.", npc.moods[-1])
        wish = {"id": f"{reply['turn']}/0", "name": action.id, "args": {}, "label": action.name}
        assert reply["action"] == wish
        assert "action" not in await client.talk(2, npc.id, "Come.", player="p2", actions=[])


# -- keys


async def test_a_key_answers_what_it_answered_also_after_a_reconnect() -> None:
    async with scripted_bridge([TWO, "Something else."]) as bridge:
        async with raw(bridge.url) as client:
            first = await client.talk(1, "marta", "Good evening.", key="k1")
            event = await client.ask(type="observe", id=2, kind="x", text="Rain.", target="marta", key="k2")
        before = bridge.mind.store.newest_seq()
        async with raw(bridge.url) as client:
            again = await client.talk(7, "marta", "Good evening.", key="k1")
            assert again == {**first, "re": 7}
            assert "".join(client.words(7)) == first["say"]
            same = await client.ask(type="observe", id=8, kind="x", text="Rain.", target="marta", key="k2")
            assert same == {**event, "re": 8}
            assert (await client.ask(type="observe", id=9, kind="x", text="Rain.", key="k1"))["code"] == "invalid_input"
        assert bridge.mind.store.newest_seq() == before


async def test_two_clients_with_one_key_get_one_answer() -> None:
    held = gate(TWO)
    async with scripted_bridge(held) as bridge, raw(bridge.url) as one, raw(bridge.url) as other:
        await one.send(type="talk", id=1, npc="marta", player="p1", text="Hi", key="k")
        await other.send(type="talk", id=1, npc="marta", player="p1", text="Hi", key="k")
        await held.until(1)
        held.open()
        assert await one.answer(1) == await other.answer(1)
        assert one.words(1) == other.words(1) or "".join(one.words(1)) == "".join(other.words(1)) == TWO
        assert len(bridge.mind.store.turns("marta")) == 2


# -- several at once


async def test_several_players_and_npcs_at_once() -> None:
    async def play(url: str, player: str) -> None:
        async with raw(url) as client:
            npcs = ["marta", "brann", "edda"]
            for n, npc in enumerate(npcs * 2, start=1):
                await client.send(type="talk", id=n, npc=npc, player=player, text=f"{player} says {n}")
            for n, npc in enumerate(npcs * 2, start=1):
                reply = await client.answer(n)
                assert (reply["type"], reply["npc"]) == ("reply", npc)
                assert "".join(client.words(n)) == reply["say"]

    async with scripted_bridge() as bridge:
        await asyncio.gather(*(play(bridge.url, f"p{n}") for n in range(5)))
        for npc in ("marta", "brann", "edda"):
            turns = bridge.mind.store.turns(npc)
            assert len(turns) == 20
            for asked, answered in zip(turns[::2], turns[1::2], strict=True):
                assert (asked.addressee, answered.addressee) == (npc, asked.speaker)
            for player in (f"p{n}" for n in range(5)):
                own = [t.text for t in turns if t.speaker == player]
                assert own == sorted(own), "one NPC answers one player's lines in order"


async def test_owners_never_meet() -> None:
    async with scripted_bridge() as bridge:
        async with raw(bridge.url, greet=False) as ann, raw(bridge.url, greet=False) as bob:
            await hello(ann, owner="ann")
            await hello(bob, owner="bob")
            await ann.talk(1, "marta", "My name is Quillon.", key="k")
            await ann.ask(type="clock", id=2, game_time=300_000)
            seen = await bob.ask(type="explain", id=1, npc="marta", player="p1", text="Who am I?")
            assert "Quillon" not in seen["prompt"]
            assert (await bob.talk(2, "marta", "Hi", key="k"))["type"] == "reply"
            assert bridge.mind.store.turns("marta") == ()
            assert bridge.mind.for_owner("bob").store.turns("marta")[0].text == "Hi"


async def test_pushes_reach_every_client_of_that_game_and_no_other() -> None:
    async with scripted_bridge() as bridge:
        async with raw(bridge.url) as one, raw(bridge.url) as two, raw(bridge.url, greet=False) as ann:
            await hello(ann, owner="ann")
            bridge.server.push(DueFrame(npc="marta", note="Ask about the ring.", urgency=0.5))
            bridge.server.push(LoadedFrame(slot="one", save_id="s1", game_time=4310), owner="ann")
            due = {"type": "due", "npc": "marta", "note": "Ask about the ring.", "urgency": 0.5}
            assert await one.next() == await two.next() == due
            assert await ann.next() == {"type": "loaded", "slot": "one", "save_id": "s1", "game_time": 4310}


# -- starting


async def test_a_taken_port_is_a_typed_error() -> None:
    async with scripted_bridge() as bridge:
        with pytest.raises(PortTaken, match=str(bridge.server.port)):
            async with scripted_bridge(port=bridge.server.port):
                raise AssertionError("it listened")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", ""])
async def test_other_machines_need_a_token(host: str) -> None:
    async with scripted_bridge() as bridge:
        with pytest.raises(TokenRequired):
            Server(bridge.mind, host=host)


async def test_a_token_guards_what_shows_or_changes_the_past() -> None:
    async with scripted_bridge(token="s3cret") as bridge:
        async with raw(bridge.url) as plain, raw(bridge.url, greet=False) as trusted:
            await hello(trusted, token="s3cret")
            reply = await plain.talk(1, "marta", "Hi")
            assert (await plain.ask(type="explain", id=2, audit=reply["audit"]))["code"] == "token_required"
            assert (await trusted.ask(type="explain", id=2, audit=reply["audit"]))["type"] == "working_memory"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:8765"])
async def test_a_web_page_does_not_reach_the_bridge(origin: str) -> None:
    async with scripted_bridge(origins=["https://game.example"]) as bridge:
        with pytest.raises(InvalidStatus) as refused:
            async with connect(bridge.url, origin=origin, proxy=None):  # type: ignore[arg-type]
                raise AssertionError("it was let in")
        assert refused.value.response.status_code == 403
        async with raw(bridge.url, origin="https://game.example") as client:
            assert (await client.ask(type="ping", id=1))["type"] == "pong"


async def test_a_frame_over_the_limit_closes_with_1009() -> None:
    async with scripted_bridge(max_frame=100_000) as bridge:
        async with raw(bridge.url) as client:
            await client.socket.send(b"\x00" * 100_001)
            with pytest.raises(ConnectionClosed) as closed:
                await client.next()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
        async with raw(bridge.url) as client:
            await client.socket.send(b"\x00" * 100_000)
            assert (await client.next())["code"] == "bad_frame"


def test_a_bridge_in_a_thread_for_tests_in_other_languages(tmp_path: Path) -> None:
    async def once(url: str, text: str) -> dict[str, Any]:
        async with raw(url) as client:
            return await client.talk(1, "marta", text)

    with running_bridge([TWO], data=tmp_path) as bridge:
        assert asyncio.run(once(bridge.url, "Hi"))["say"] == TWO
    with running_bridge([Reply("", "lie")], data=tmp_path) as bridge:
        assert asyncio.run(once(bridge.url, "Is the king well?"))["fallback"]
        assert len(bridge.mind.store.turns("marta")) == 4
    with pytest.raises(TokenRequired):
        with running_bridge(host="0.0.0.0"):
            raise AssertionError("it listened")
