"""Promise P5: every rank against every kind of record."""

from __future__ import annotations

import pytest
from store_scene import exchange

from npc_memory.errors import AuthorityViolation
from npc_memory.memory import Authority
from npc_memory.memory.authority import NEEDED
from npc_memory.store import Store
from npc_memory.store.ids import LETTERS

D, G, R, I = Authority.DESIGNER, Authority.GAME, Authority.REPLY, Authority.INFERENCE  # noqa: E741

WRITES = {
    "turn": (
        R,
        lambda w, rank, turn: w.turn(
            authority=rank, npc="marta", player="p1", speaker="marta", addressee="p1", text="x"
        ),
    ),
    "episode": (R, lambda w, rank, turn: w.episode(authority=rank, npc="marta", text="x")),
    "belief": (I, lambda w, rank, turn: w.belief(authority=rank, npc="marta", text="x")),
    "relationship": (
        I,
        lambda w, rank, turn: w.relationship(authority=rank, npc="marta", other="p1", kind="trust", amount=1),
    ),
    "triple": (I, lambda w, rank, turn: w.triple(authority=rank, subject="a", relation="b", object="c")),
    "state": (G, lambda w, rank, turn: w.state(authority=rank, key="k", value=1)),
    "clock": (G, lambda w, rank, turn: w.clock(authority=rank, game_time=1)),
    "actor": (G, lambda w, rank, turn: w.actor(authority=rank, actor="a")),
    "identity": (G, lambda w, rank, turn: w.alias(authority=rank, actor="a", alias_of="b")),
    "audit": (R, lambda w, rank, turn: w.audit(authority=rank, npc="marta", player="p1", turn=turn, payload="{}")),
    "event": (G, lambda w, rank, turn: w.event(authority=rank, kind="theft", text="x")),
    "session": (G, lambda w, rank, turn: w.end_session(authority=rank, npc="marta", player="p1")),
    "revision": (R, lambda w, rank, turn: w.revise(authority=rank, turn=turn, text="x")),
    "key": (G, lambda w, rank, turn: w.key(authority=rank, key="k", answer="x")),
}


def test_every_kind_is_here():
    assert set(WRITES) == set(LETTERS) - {"retirement"}
    assert {kind: needed for kind, (needed, _) in WRITES.items()} == {kind: NEEDED[kind] for kind in WRITES}


@pytest.mark.parametrize("rank", list(Authority))
@pytest.mark.parametrize("kind", sorted(WRITES))
def test_a_writer_stays_within_its_rank(kind, rank):
    needed, write_it = WRITES[kind]
    with Store.open(":memory:", world="w") as store:
        _, said, _ = exchange(store, "a", "b")
        before = store.newest_seq()
        if rank >= needed:
            with store.transaction() as write:
                write_it(write, rank, said.id)
            assert store.newest_seq() == before + 1
        else:
            with pytest.raises(AuthorityViolation) as caught, store.transaction() as write:
                write_it(write, rank, said.id)
            assert (caught.value.writer, caught.value.needed) == (rank.name.lower(), needed.name.lower())
            assert store.newest_seq() == before


@pytest.mark.parametrize("rank", list(Authority))
@pytest.mark.parametrize("written", list(Authority))
def test_nobody_retires_what_stands_above_him(written, rank):
    with Store.open(":memory:", world="w") as store:
        with store.transaction() as write:
            belief = write.belief(authority=written, npc="marta", text="x")
            assert belief.authority is written
        if rank >= written:
            with store.transaction() as write:
                write.retire(authority=rank, target=belief.id)
            assert store.beliefs("marta") == ()
        else:
            with pytest.raises(AuthorityViolation), store.transaction() as write:
                write.retire(authority=rank, target=belief.id)
            assert store.beliefs("marta") == (belief,)
