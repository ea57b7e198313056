"""``observe`` of kind ``tell`` over the wire: hearers believe it, and ``recall`` says who told them."""

from __future__ import annotations

from bridge_kit import raw

from bridge.testing import scripted_bridge


async def test_what_an_npc_is_seen_to_tell_is_believed_by_who_hears_it() -> None:
    async with scripted_bridge(["Aye."]) as bridge, raw(bridge.url) as client:
        told = {"kind": "tell", "text": "Osric moved to Ford.", "actor": "marta", "target": "brann", "audience": []}
        data = {"subject": "osric", "slot": "home", "value": "Ford"}
        event = (await client.ask(type="observe", id=1, key="k", data=data, **told))["event"]
        assert (await client.ask(type="observe", id=2, key="k", data=data, **told))["event"] == event
        answer = await client.ask(type="recall", id=3, npc="brann", query="Where is Osric?")
        (found,) = answer["memories"]
        assert (found["kind"], found["text"], found["speaker"]) == ("belief", "Osric moved to Ford.", "marta")
        assert (found["confidence"], found["word"], found["distance"]) == (0.76, "believes", 1)
        assert found["subject"] == "osric"
        wrong = await client.ask(type="observe", id=4, data={"source": "e99999999"}, **told)
        assert (wrong["type"], wrong["code"]) == ("error", "unknown_id")
