"""``forget`` over the wire: counts, the launch token, and talk that was under way before it."""

from __future__ import annotations

from bridge_kit import raw

from bridge.testing import scripted_bridge


async def test_a_player_is_forgotten_and_counted() -> None:
    async with scripted_bridge() as bridge, raw(bridge.url) as client:
        await client.send(type="talk", id=1, npc="marta", player="p1", text="I am here.")
        await client.talk(2, "marta", "So am I.", player="p2")
        answer = await client.ask(type="forget", id=3, player="p1")
        assert answer == {"type": "forgotten", "re": 3, "counts": {"episodes": 1, "redacted": 2, "turns": 2}}
        assert [turn.player for turn in bridge.mind.store.turns("marta")] == ["p2", "p2"]
        assert await client.ask(type="forget", id=4, player="p1") == {"type": "forgotten", "re": 4, "counts": {}}
        assert (await client.ask(type="forget", id=5, player="marta"))["code"] == "invalid_input"


async def test_it_needs_the_launch_token() -> None:
    async with scripted_bridge(token="secret") as bridge, raw(bridge.url) as client:
        assert (await client.ask(type="forget", id=1, player="p1"))["code"] == "token_required"
