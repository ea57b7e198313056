"""Several owners in one file: no read of one shows a record of another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from searches import examples

from npc_memory.errors import InvalidInput, StoreError, UnknownId
from npc_memory.memory import Authority
from npc_memory.store import Store

GAME = Authority.GAME
OWNERS = ("", "ann", "勇者")

READS: dict[str, Callable[[Store], Any]] = {
    "game_time": lambda s: s.game_time(),
    "state": lambda s: dict(s.state()),
    "actors": lambda s: dict(s.actors()),
    "session": lambda s: s.session("marta", "p1"),
    "dialogue": lambda s: s.dialogue("marta", "p1", 1),
    "exchanges": lambda s: s.exchange_count("marta"),
    "turns": lambda s: s.turns("marta"),
    "episodes": lambda s: s.episodes("marta"),
    "beliefs": lambda s: s.beliefs("marta"),
    "audits": lambda s: s.audits(),
    "audit_ids": lambda s: s.audit_ids(),
    "events": lambda s: s.events(),
    "answer": lambda s: s.answer("k"),
}


def live(store: Store, day: int) -> None:
    with store.transaction() as write:
        write.clock(authority=GAME, game_time=store.game_time() + day)
        write.state(authority=GAME, key="day", value=day)
        write.actor(authority=GAME, actor="p1", name=f"Name {day}")
        scene: dict[str, Any] = {"npc": "marta", "player": "p1", "speaker": "marta", "addressee": "p1"}
        said = write.turn(authority=GAME, text=f"Day {day}", **scene)
        write.episode(authority=GAME, npc="marta", text=f"Day {day}", turns=(said.id,))
        write.belief(authority=GAME, npc="marta", text=f"Day {day}")
        write.audit(authority=GAME, npc="marta", player="p1", turn=said.id, payload="{}")
        write.event(authority=GAME, kind="day", text=f"Day {day}")
        if store.answer("k") is None:
            write.key(authority=GAME, key="k", answer=f"Day {day}")
        write.end_session(authority=GAME, npc="marta", player="p1")


def readings(store: Store) -> dict[str, Any]:
    return {name: read(store) for name, read in READS.items()}


def without_numbers(value: Any) -> str:
    """What was read, without ids, numbers and the owner: those differ by file."""
    import dataclasses
    import re

    if isinstance(value, dict):
        return repr({key: without_numbers(one) for key, one in value.items()})
    if isinstance(value, tuple | list):
        return repr([without_numbers(one) for one in value])
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kept = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        for name in ("id", "seq", "turns", "turn", "owner"):
            kept.pop(name, None)
        return repr(kept)
    return re.sub(r"[a-z]\d{8}", "#", repr(value))


@settings(deadline=None, max_examples=examples(30))
@given(st.lists(st.tuples(st.sampled_from(OWNERS), st.integers(1, 5)), max_size=8))
def test_each_owner_reads_what_a_file_of_his_own_would_hold(days: list[tuple[str, int]]) -> None:
    with Store.open(":memory:", world="w", world_version="1") as shared:
        views = {owner: shared if not owner else shared.for_owner(owner) for owner in OWNERS}
        for owner, day in days:
            live(views[owner], day)
        for owner in OWNERS:
            with Store.open(":memory:", world="w", world_version="1") as alone:
                for other, day in days:
                    if other == owner:
                        live(alone, day)
                found, expected = readings(views[owner]), readings(alone)
                assert {n: without_numbers(v) for n, v in found.items()} == {
                    n: without_numbers(v) for n, v in expected.items()
                }


def test_a_record_of_another_owner_has_no_id_here() -> None:
    with Store.open(":memory:", world="w") as store:
        other = store.for_owner("ann")
        live(store, 1)
        turn, event, audit = store.turns("marta")[0].id, store.events()[0].id, store.audits()[0].id
        for read in (lambda: other.turn(turn), lambda: other.event(event), lambda: other.audit(audit)):
            with pytest.raises(UnknownId):
                read()
        with pytest.raises(UnknownId), other.transaction() as write:
            write.episode(authority=GAME, npc="marta", text="Stolen.", turns=(turn,))
        with pytest.raises(UnknownId):
            other.switch(store.timeline)


def test_owners_are_there_after_a_restart_and_have_timelines_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "w.db"
    with Store.open(file, world="w") as store:
        ann = store.for_owner("ann")
        live(ann, 1)
        live(store, 2)
        ann.fork(seq=0)
        assert ann.turns("marta") == ()
        assert [one.text for one in store.turns("marta")] == ["Day 2"]
    with Store.open(file, world="w") as store:
        assert store.for_owner("ann").turns("marta") == ()
        assert [one.text for one in store.turns("marta")] == ["Day 2"]
    with Store.open(file, world="w", owner="ann") as ann:
        assert ann.turns("marta") == ()


def test_closing_the_store_closes_its_views() -> None:
    store = Store.open(":memory:", world="w")
    ann = store.for_owner("ann")
    store.close()
    with pytest.raises(StoreError):
        ann.turns("marta")


@pytest.mark.parametrize("owner", ["\x00", "x" * 201])
def test_an_owner_that_cannot_be_one_is_refused(owner: str) -> None:
    with Store.open(":memory:", world="w") as store, pytest.raises(InvalidInput):
        store.for_owner(owner)
