"""Relationships and triples in the store: what may be written, what is visible, what holds and what is near."""

from __future__ import annotations

import pytest
from bonds_oracle import held, near
from hypothesis import given, settings
from hypothesis import strategies as st
from searches import examples
from store_scene import GAME, ask, exchange

from npc_memory.errors import AuthorityViolation, InvalidInput, UnknownId
from npc_memory.memory import Authority
from npc_memory.memory.relationships import folded
from npc_memory.recall.graph import Graph
from npc_memory.store import Store, bond_queries
from npc_memory.store.ids import record_id
from npc_memory.store.rows import canonical

INFERENCE = Authority.INFERENCE


@pytest.fixture
def store():
    with Store.open(":memory:", world="w") as opened:
        yield opened


def feel(store, amount, kind="trust", npc="marta", other="p1", **more):
    with store.transaction() as write:
        return write.relationship(
            **{"authority": GAME, "npc": npc, "other": other, "kind": kind, "amount": amount, **more}
        )


def know(store, subject, relation, object, npc="marta", **more):
    with store.transaction() as write:
        return write.triple(
            **{"authority": GAME, "npc": npc, "subject": subject, "relation": relation, "object": object, **more}
        )


def walked(store, *entries, npc="marta", now=100, hops=2):
    found = store.neighbours(npc, [(id, 0) for id in entries], now, hops=hops)
    return [f"{one.subject} {one.relation} {one.object}" for one in found]


def test_a_change_is_a_record_with_its_reason_and_source(store):
    with store.transaction() as write:
        event = write.event(authority=GAME, kind="theft", text="He stole it.", actor="p1")
    made = feel(
        store, -20, reason="He stole it.", provenance=(event.id,), speaker="p1", place="inn", audience=("bram",)
    )
    assert store.relationship_changes("marta", "p1") == (made,)
    assert (made.kind, made.how, made.amount, made.reason) == ("trust", "by", -20, "He stole it.")
    assert made.audience == ("bram", "marta", "p1")
    assert store.derived_from(event.id) == (made.id,)
    assert store.relationship_changes("marta", "p2") == store.relationship_changes("bram", "p1") == ()
    assert store.relationship_changes("p1", "marta") == (), "what she feels for him is not what he feels for her"


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "love"}, {"amount": 201}, {"amount": 1.0}, {"amount": True}, {"amount": None}, {"how": "at"},
        {"how": "to", "amount": -101}, {"other": "marta"}, {"other": ""}, {"npc": ""}, {"kind": None},
        {"kind": "debt", "amount": 10**13}, {"kind": "fear", "how": "to", "amount": -1}, {"reason": 5},
    ],
)  # fmt: skip
def test_what_cannot_be_a_change_is_refused(store, wrong):
    with pytest.raises(InvalidInput):
        feel(store, **{"amount": 1, **wrong})
    assert store.newest_seq() == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"subject": ""}, {"relation": "a\nb"}, {"object": None}, {"confidence": 1.5}, {"confidence": float("nan")},
        {"valid_from": 5, "valid_to": 4}, {"valid_from": 1.0}, {"valid_to": "x"}, {"valid_from": 2**63},
    ],
)  # fmt: skip
def test_what_cannot_be_a_triple_is_refused(store, wrong):
    with pytest.raises(InvalidInput):
        know(store, **{"subject": "a", "relation": "b", "object": "c", **wrong})
    assert store.newest_seq() == 0


def test_only_the_game_sets_a_value_outright(store):
    feel(store, 5, authority=INFERENCE)
    with pytest.raises(AuthorityViolation):
        feel(store, 5, how="to", authority=INFERENCE)
    assert know(store, "a", "b", "c", authority=Authority.DESIGNER).authority == GAME


def test_what_was_made_from_a_marked_or_unknown_turn_is_refused(store):
    with store.transaction() as write:
        marked = write.turn(
            authority=GAME, npc="marta", player="p1", speaker="marta", addressee="p1", text="Hm.", mark="fallback"
        )
    for source, error in ((marked.id, InvalidInput), ("t00000099", UnknownId)):
        with pytest.raises(error):
            feel(store, 5, provenance=(source,))
        with pytest.raises(error):
            know(store, "a", "b", "c", provenance=(source,))


def test_a_retired_change_or_triple_counts_no_more_but_in_the_past(store):
    made, known = feel(store, 5), know(store, "a", "b", "c")
    before = store.newest_seq()
    with store.transaction() as write:
        write.retire(authority=GAME, target=made.id)
        write.retire(authority=GAME, target=known.id)
    assert (store.relationship_changes("marta", "p1"), store.triples("marta"), walked(store, "a")) == ((), (), [])
    then = store.at(before)
    assert (then.relationship_changes("marta", "p1"), then.triples("marta")) == ((made,), (known,))
    assert [one.number for one in then.neighbours("marta", [("a", 0)], 100)] == [known.seq]
    assert (then.triples_at([known.seq, 99]), store.triples_at([known.seq])) == ({known.seq: known}, {})


def test_a_newer_one_ends_the_older_of_a_functional_relation_and_loading_brings_it_back(store):
    know(store, "osric", "lives_in", "highmoor", functional=True, valid_from=0)
    store.save("before")
    know(store, "osric", "lives_in", "ford", functional=True, valid_from=50)
    know(store, "osric", "likes", "silk"), know(store, "osric", "likes", "salt")
    likes = ["osric likes silk", "osric likes salt"]
    assert walked(store, "osric") == ["osric lives_in ford", *likes]
    assert walked(store, "osric", now=49) == ["osric lives_in highmoor", *likes]
    assert walked(store, "highmoor") == []
    assert len(store.triples("marta")) == 4, "the inspector sees both"
    store.load("before")
    assert walked(store, "osric") == ["osric lives_in highmoor"]


def test_what_is_over_is_over_and_ends_what_was_before(store):
    know(store, "osric", "lives_in", "highmoor", functional=True, valid_from=0)
    know(store, "osric", "lives_in", "ford", functional=True, valid_from=10, valid_to=20)
    assert [walked(store, "osric", now=now) for now in (5, 10, 20)] == [
        ["osric lives_in highmoor"], ["osric lives_in ford"], [],
    ]  # fmt: skip


def test_hearsay_ends_nothing_that_the_game_said(store):
    know(store, "osric", "lives_in", "ford", functional=True)
    know(store, "osric", "lives_in", "hell", functional=True, authority=INFERENCE)
    assert walked(store, "osric") == walked(store, "hell", "ford") == ["osric lives_in ford"]
    know(store, "osric", "lives_in", "ford", functional=True, valid_to=0)
    assert walked(store, "osric") == ["osric lives_in hell"], "the game's word is over"


def test_the_worlds_triples_are_everyones_and_hers_are_hers_alone(store):
    know(store, "ford", "ruled_by", "maren", npc="")
    know(store, "osric", "lives_in", "ford", npc="marta")
    assert walked(store, "osric", npc="marta") == ["ford ruled_by maren", "osric lives_in ford"]
    assert walked(store, "osric", npc="bram") == []
    assert walked(store, "maren", npc="bram") == ["ford ruled_by maren"]


def test_other_owners_see_nothing(store):
    feel(store, 5), know(store, "a", "b", "c", npc="")
    ann = store.for_owner("ann")
    assert (ann.relationship_changes("marta", "p1"), ann.triples(), walked(ann, "a")) == ((), (), [])


def test_an_alias_is_followed_and_one_who_is_reborn_is_somebody_else(store):
    know(store, "stranger", "lives_in", "ford", functional=True)
    know(store, "ford", "ruled_by", "maren")
    feel(store, 30, other="stranger")
    with store.transaction() as write:
        write.alias(authority=GAME, actor="stranger", alias_of="osric")
    assert walked(store, "osric") == walked(store, "stranger") == ["stranger lives_in ford", "ford ruled_by maren"]
    assert walked(store, "maren") == ["stranger lives_in ford", "ford ruled_by maren"]
    know(store, "osric", "lives_in", "keep", functional=True)
    assert walked(store, "stranger") == ["osric lives_in keep"]
    assert [one.amount for one in store.relationship_changes("marta", "osric")] == [30]
    with store.transaction() as write:
        write.rebirth(authority=GAME, actor="osric")
    assert (walked(store, "osric"), store.relationship_changes("marta", "osric")) == ([], ())


def test_of_very_many_the_newest_are_followed(store):
    for number in range(bond_queries.FAN + 5):
        know(store, f"e{number}", "lives_in", "ford", functional=True)
    know(store, "maren", "rules", "ford")
    newest = [f"e{number} lives_in ford" for number in range(6, bond_queries.FAN + 5)]
    assert walked(store, "ford", hops=1) == [*newest, "maren rules ford"]


def test_a_record_of_a_forgotten_player_goes_and_reasons_lose_his_name(store):
    with store.transaction() as write:
        write.actor(authority=GAME, actor="p1", name="Rolf")
    feel(store, 5), feel(store, 5, other="bram", reason="Bram praised Rolf.", provenance=("engine",))
    know(store, "p1", "owes", "bram"), know(store, "bram", "knows", "Rolf", npc=""), know(store, "a", "b", "c")
    planned = store.forget("p1", dry_run=True)
    assert store.forget("p1") == planned
    assert (planned["relationships"], planned["triples"]) == (1, 2)
    assert store.relationship_changes("marta", "bram")[0].reason == "Bram praised someone."
    assert (len(store.triples("marta")), store.triples()) == (1, ())
    assert store.check() == []


def test_the_forgetting_of_one_whom_only_triples_name_is_finished_after_a_crash(tmp_path):
    path = tmp_path / "w.db"

    def stop(step):
        if step == "erasing":
            raise KeyboardInterrupt

    with Store.open(path, world="w") as store:
        know(store, "bram", "owes", "p9")
        with pytest.raises(KeyboardInterrupt):
            store.forget("p9", progress=stop)
        assert len(store.triples("marta")) == 1
    with Store.open(path, world="w") as store:
        assert store.triples("marta") == ()


def test_an_archive_of_a_player_has_what_is_felt_for_him_and_known_of_him(store, tmp_path):
    feel(store, 5), feel(store, 5, other="p2"), know(store, "bram", "owes", "p1"), know(store, "p2", "owes", "bram")
    assert store.export(tmp_path / "p1.jsonl", player="p1")["relationship"] == 1
    assert '"object":"p1"' in (tmp_path / "p1.jsonl").read_text(encoding="utf-8")
    assert '"subject":"p2"' not in (tmp_path / "p1.jsonl").read_text(encoding="utf-8")


def test_what_an_erased_event_changed_goes_with_it(store):
    with store.transaction() as write:
        event = write.event(authority=GAME, kind="theft", text="It went.")
    feel(store, -5, provenance=(event.id,)), know(store, "a", "b", "c", provenance=(event.id,))
    assert store.erase([event.id]) == {"events": 1, "relationships": 1, "triples": 1}
    assert (store.relationship_changes("marta", "p1"), store.triples("marta")) == ((), ())


def test_a_black_box_that_shows_a_change_is_emptied_with_it(store):
    made = feel(store, 5, other="p2")
    _, said, _ = exchange(store, "hello", "aye")
    with store.transaction() as write:
        box = write.audit(
            authority=GAME, npc="marta", player="p1", turn=said.id, payload=canonical({"kept": [made.id], "x": "trust"})
        )
    store.erase([made.id])
    assert "trust" not in store.audit(box.id).payload


def test_compaction_changes_nothing(store):
    for number in range(8):
        know(store, f"e{number}", "knows", f"e{number + 1}", npc="" if number % 2 else "marta")
        feel(store, number)
        with store.transaction() as write:
            ask(write, f"line {number}")
        store.save(f"s{number}")
        store.load(f"s{number}")
        exchange(store, "a", "b")
    before = walked(store, "e4"), store.all_relationship_changes("marta"), store.triples()
    store.compact()
    assert (walked(store, "e4"), store.all_relationship_changes("marta"), store.triples()) == before
    assert store.check() == []


steps = st.lists(
    st.tuples(
        st.sampled_from(["marta", "bram"]),
        st.sampled_from(["p1", "p2"]),
        st.sampled_from(["trust", "debt", "fear"]),
        st.sampled_from(["by", "to", "off"]),
        st.integers(0, 100),
    ),
    max_size=12,
)


@given(steps, st.integers(0, 12))
@settings(max_examples=examples(25), deadline=None)
def test_the_value_is_a_fold_of_what_is_visible(made, at):
    model = {}
    with Store.open(":memory:", world="w") as store, store.for_owner("ann") as ann:
        for number, (npc, other, kind, how, amount) in enumerate(made):
            if number == at:
                store.fork()
                feel(store, 50, npc=npc, other=other), feel(ann, 7, npc=npc, other=other)
                store.switch(1)
            feel(store, amount, kind, npc, other, how=how)
            value = model.get((npc, other, kind), 0)
            high = 100 if kind != "debt" else 10**12
            value = {"by": min(high, value + amount), "to": amount, "off": value - min(amount, max(0, value))}[how]
            model[npc, other, kind] = value
        for npc in ("marta", "bram"):
            for other in ("p1", "p2"):
                values = folded(store.relationship_changes(npc, other))
                assert {k: v for k, v in values.items() if v} == {
                    kind: value for (n, o, kind), value in model.items() if (n, o) == (npc, other) and value
                }


entities, scopes = st.sampled_from(["a", "b", "c", "d", "e"]), st.sampled_from(["", "marta", "bram"])
triples = st.lists(
    st.tuples(
        scopes, entities, st.sampled_from(["lives_in", "knows"]), entities, st.integers(0, 6),
        st.none() | st.integers(6, 12), st.sampled_from([GAME, INFERENCE]), st.sampled_from(["", "fork", "retire"]),
    ),
    max_size=14,
)  # fmt: skip
ties = st.sampled_from([(), (("alias", "e", "a"),), (("birth", "c", ""),), (("alias", "e", "a"), ("birth", "b", ""))])


@given(triples, st.integers(0, 12), entities, st.integers(1, 2), ties, st.integers(0, 14))
@settings(max_examples=examples(40), deadline=None)
def test_the_walk_equals_brute_force(made, now, entry, hops, tied, at):
    with Store.open(":memory:", world="w") as store, store.for_owner("ann") as ann:
        born = dict[str, int]()
        for number, (npc, subject, relation, object, begun, ended, rank, then) in enumerate(made):
            if number == at:
                with store.transaction() as write:
                    for what, id, of in tied:
                        if what == "alias":
                            write.alias(authority=GAME, actor=id, alias_of=of)
                        else:
                            born[id] = write.rebirth(authority=GAME, actor=id).seq
            more = {"functional": relation == "lives_in", "valid_from": begun, "valid_to": ended, "authority": rank}
            record = know(store, subject, relation, object, npc, **more)
            if then == "fork":  # what is written in an abandoned future, or by another owner, changes nothing
                home = store.timeline
                store.fork()
                know(store, object, relation, subject, "", valid_from=6), know(ann, subject, relation, object, "")
                store.switch(home)
            if then == "retire":
                with store.transaction() as write:
                    write.retire(authority=GAME, target=record.id)
        known = store.identities()

        def one(id):
            return known.ids(id)[0]

        visible = [
            x
            for x in (*store.triples(), *store.triples("marta"))
            if all(x.seq > born.get(id, 0) for id in (x.subject, x.object))
        ]
        expected = near(held(visible, now, one), [entry], hops, one)
        found = store.neighbours("marta", [(one(entry), 0)], now, hops=hops)
        assert {record_id("triple", x.number) for x in found} == {*expected}
        reached = Graph(found, one=one).reached([entry], hops)
        alike = {(one(x.subject), x.relation, one(x.object)) for x in found}
        assert {(one(x.subject), x.relation, one(x.object)) for x, _ in reached.values()} == alike
        assert all(hop == expected[record_id("triple", number)] for number, (_, hop) in reached.items())
