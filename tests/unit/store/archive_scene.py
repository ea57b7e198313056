"""A store that has lived, and all that can be asked of one: for the tests of archives."""

from __future__ import annotations

from store_scene import GAME, REPLY, exchange

from npc_memory.errors import (
    InvalidInput,
)
from npc_memory.memory import Authority

__all__ = ["live", "told"]


def live(store):
    """Every kind of record, on two timelines, with a save."""
    with store.transaction() as write:
        write.clock(authority=GAME, game_time=100, provenance=("engine",))
        write.actor(authority=GAME, actor="p1", name="Rolf “R”\u2028", place="inn")
        write.state(authority=GAME, key="tolls", value=-(2**63), scope="place:bridge")
        write.state(authority=GAME, key="gone", value=None)
        write.event(
            authority=GAME, kind="theft", text="x", actor="p1", audience=("marta",),
            data={"a": [1, 0.1, None, {"b": "c"}]},
        )  # fmt: skip
    asked, said, made = exchange(store, "hello «é»", 'aye "\\')
    store.save("morning", "a note")
    with store.transaction() as write:
        audit = write.audit(
            authority=REPLY, npc="marta", player="p1", turn=said.id, asked=asked.id, payload=f'{{"kept":["{made.id}"]}}'
        )
        write.audit(authority=REPLY, npc="marta", player="p1", turn=said.id, payload="no json at all")
        write.belief(
            authority=Authority.INFERENCE, npc="marta", text="b", subject="p1", confidence=1 / 3, provenance=(made.id,)
        )
        write.retire(authority=REPLY, target=made.id, reason="why")
        write.key(authority=GAME, key="k", answer=audit.id)
        write.end_session(authority=GAME, npc="marta", player="p1")
    exchange(store, "later", "so", player="p2")
    with store.transaction() as write:
        loud = {"npc": "marta", "speaker": "p2", "addressee": "marta", "text": "aloud", "overheard": ("bram", "olaf")}
        said = write.turn(authority=GAME, player="p2", **loud)
        made = write.episode(authority=REPLY, turns=(said.id,), **loud)
        write.retire(authority=REPLY, target=made.id)
        write.alias(authority=GAME, actor="p20", alias_of="p2")
        felt = {"npc": "marta", "speaker": "p2", "reason": "Aloud. «é»", "provenance": (said.id,)}
        write.relationship(authority=GAME, other="p2", kind="trust", amount=-20, **felt)
        write.relationship(authority=GAME, other="olaf", kind="debt", how="to", amount=10**12, **felt)
        write.triple(authority=GAME, npc="marta", subject="osric", relation="lives_in", object="勇者", functional=True)
        write.triple(
            authority=Authority.INFERENCE, subject="p2", relation="knows", object="x", valid_to=200, confidence=0.1
        )
        write.rebirth(authority=GAME, actor="guest")
    store.load("morning")
    exchange(store, "again", "no")


def told(store):
    """All that can be asked."""
    home = store.timeline
    found = [home, store.slot, store.saves(), store.save_tree()]
    for timeline in range(1, 9):
        try:
            store.switch(timeline)
        except InvalidInput:
            continue
        found += [timeline, store.turns("marta"), store.episodes("marta"), store.beliefs("marta"), store.events()]
        found += [dict(store.state()), dict(store.actors()), store.audits(), store.game_time(), store.answer("k")]
        found += [store.session("marta", "p1"), store.last_npc_seq("marta"), store.retired("marta")]
        found += [store.lines("bram", "p20"), store.retired("bram"), store.identities().same("p2")]
        found += [store.all_relationship_changes("marta"), store.triples("marta"), store.triples()]
        found += [store.neighbours("marta", [("p20", 0), ("osric", 0)], 150)]
        found += [store.hearers(one.id) for one in store.turns("marta")]
        found += [store.derived_from(one.id) for one in store.turns("marta")]
    store.switch(home)
    return found
