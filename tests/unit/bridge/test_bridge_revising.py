"""retry, edit and delete over the wire."""

from __future__ import annotations

from bridge_kit import gate, hello, raw

from bridge.testing import scripted_bridge


async def test_a_reply_is_rolled_again_under_the_same_turn() -> None:
    async with scripted_bridge(["Aye.", "No."]) as bridge, raw(bridge.url) as one:
        first = await one.talk(1, "marta", "Will you help me?")
        again = await one.ask(type="retry", id=2, turn=first["turn"])
        assert (again["type"], again["say"], again["turn"]) == ("reply", "No.", first["turn"])
        assert [turn.text for turn in bridge.mind.store.turns("marta")] == ["Will you help me?", "No."]
        other = await one.ask(type="retry", id=3, turn=first["turn"], text="Will you sing?")
        assert other["type"] == "reply"
        assert bridge.mind.store.turns("marta")[0].text == "Will you sing?"


async def test_a_retry_can_be_cancelled_and_ends_with_a_load() -> None:
    held = gate()
    async with scripted_bridge(held) as bridge:
        async with raw(bridge.url) as one:
            held.open()
            first = await one.talk(1, "marta", "Hi.")
            held._open.clear()
            await one.ask(type="save", id=2, slot="one")
            come = held.come
            await one.send(type="retry", id=3, turn=first["turn"])
            await held.until(come + 1)
            await one.send(type="cancel", id=4, request=3)
            assert (await one.ask(type="ping", id=9))["type"] == "pong", "the cancel before it has been read"
            held.open()
            assert (await one.answer(3))["type"] == "cancelled"
            held._open.clear()
            come = held.come
            await one.send(type="retry", id=5, turn=first["turn"])
            await held.until(come + 1)
            assert (await one.ask(type="load", id=6, slot="one"))["type"] == "ok"
            held.open()
            assert (await one.answer(5))["type"] == "cancelled"
            assert [turn.roll for turn in bridge.mind.store.turns("marta")] == [0, 0]


async def test_edit_and_delete() -> None:
    async with scripted_bridge(["Aye.", "No."]) as bridge, raw(bridge.url) as one:
        turn = (await one.talk(1, "marta", "Will you help me?"))["turn"]
        assert (await one.ask(type="edit", id=2, turn=turn, text="Gladly."))["type"] == "ok"
        assert bridge.mind.store.turn(turn).text == "Gladly."
        assert bridge.mind.store.episodes("marta")[0].text.endswith('answered: "Gladly."')
        assert (await one.ask(type="delete", id=3, turn=turn))["type"] == "ok"
        for id, frame in enumerate(({"type": "edit", "text": "x"}, {"type": "delete"}, {"type": "retry"}), 4):
            assert (await one.ask(id=id, turn=turn, **frame))["code"] == "unknown_id"
        assert (await one.ask(type="edit", id=8, turn=bridge.mind.store.turns("marta")[0].id))[
            "code"
        ] == "invalid_input"


async def test_edit_and_delete_need_the_launch_token_and_retry_does_not() -> None:
    async with scripted_bridge(["Aye.", "No."], token="secret") as bridge, raw(bridge.url) as one:
        turn = (await one.talk(1, "marta", "Will you help me?"))["turn"]
        assert (await one.ask(type="edit", id=2, turn=turn, text="x"))["code"] == "token_required"
        assert (await one.ask(type="delete", id=3, turn=turn))["code"] == "token_required"
        assert (await one.ask(type="retry", id=4, turn=turn))["type"] == "reply"
        async with raw(bridge.url, greet=False) as other:
            await hello(other, token="secret")
            assert (await other.ask(type="delete", id=1, turn=turn))["type"] == "ok"
