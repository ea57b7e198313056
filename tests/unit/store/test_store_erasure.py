"""Erasing a person or a record: what goes, what stays, what is counted, and what a crash leaves."""

from __future__ import annotations

import json
import sqlite3

import pytest
from store_scene import GAME, REPLY, exchange, texts

from npc_memory.errors import InvalidInput, StoreError, StoreFull, UnknownId
from npc_memory.memory import Authority
from npc_memory.store import ERASURE, Erasure, Store, erasure


@pytest.fixture
def path(tmp_path):
    return tmp_path / "w.db"


@pytest.fixture
def store(path):
    with Store.open(path, world="w") as opened:
        yield opened


def talked(store, player, line, name=""):
    """A reply with all that comes with it."""
    with store.transaction() as write:
        if name:
            write.actor(authority=GAME, actor=player, name=name)
        asked = write.turn(authority=GAME, npc="marta", player=player, speaker=player, addressee="marta", text=line)
        said = write.turn(authority=REPLY, npc="marta", player=player, speaker="marta", addressee=player, text="Aye.")
        made = write.episode(
            authority=REPLY, npc="marta", text=f"{line} Aye.", turns=(asked.id, said.id), speaker=player,
            addressee="marta",
        )  # fmt: skip
        write.audit(
            authority=REPLY, npc="marta", player=player, turn=said.id, asked=asked.id,
            payload=f'{{"line":"{line}","kept":["{made.id}"]}}',
        )  # fmt: skip
        write.key(authority=GAME, key=f"k-{line}", answer=f'{{"turn":"{said.id}"}}', npc="marta", player=player)
    return asked, said, made


def test_all_of_a_person_goes_and_is_counted(store):
    talked(store, "p1", "hello", "Rolf")
    talked(store, "p2", "evening", "Ida")
    with store.transaction() as write:
        write.event(authority=GAME, kind="theft", text="He stole it.", actor="p1", target="bram")
        write.event(authority=GAME, kind="gift", text="He got it.", actor="bram", target="p1")
        write.belief(authority=Authority.INFERENCE, npc="bram", text="He is a thief.", subject="p1")
        write.state(authority=GAME, key="fame", scope="player:p1", value=3)
        write.state(authority=GAME, key="fame", scope="player:p10", value=4)
        write.end_session(authority=GAME, npc="marta", player="p1")
    planned = store.forget("p1", dry_run=True)
    assert texts(store, player="p1", session=1) == ["hello", "Aye."]
    counts = store.forget("p1")
    assert counts == planned
    assert counts == {
        "actors": 1, "beliefs": 1, "episodes": 1, "events": 2, "keys": 1, "redacted": 1, "sessions": 1, "state": 1,
        "turns": 2,
    }  # fmt: skip
    assert (store.turns("marta"), store.events(), store.beliefs("bram")) == (store.dialogue("marta", "p2"), (), ())
    assert texts(store, player="p2") == ["evening", "Aye."]
    assert store.state() == {("player:p10", "fame"): 4}
    assert list(store.actors()) == ["p2"]
    assert (store.answer("k-hello"), store.answer("k-evening") is None) == (None, False)
    assert store.forget("p1") == {}
    assert store.check() == []


def test_what_was_made_of_it_goes_through_any_number_of_hands(store):
    _asked, _said, made = talked(store, "p1", "gold")
    with store.transaction() as write:
        told = write.belief(authority=REPLY, npc="marta", text="There is gold.", provenance=(made.id,))
        again = write.belief(authority=REPLY, npc="marta", text="Gold is near.", provenance=(told.id,))
        write.retire(authority=REPLY, target=again.id, reason="doubtful")
        other = write.belief(authority=REPLY, npc="marta", text="It rains.")
    assert store.forget("p1")["beliefs"] == 2
    assert [one.id for one in store.beliefs("marta")] == [other.id]
    assert store.retired("marta") == ()


def test_who_was_merely_there_goes_out_of_the_audience(store):
    with store.transaction() as write:
        kept = write.event(
            authority=GAME, kind="feast", text="A feast.", actor="p2", audience=("p1", "marta"), place="p1"
        )
    assert store.forget("p1") == {"struck": 1}
    found = store.event(kept.id)
    assert (found.audience, found.place, found.text) == (("marta", "p2"), "", "A feast.")


def test_his_names_go_out_of_what_others_said(store):
    talked(store, "p1", "hello", "Rolf")
    with store.transaction() as write:
        write.actor(authority=GAME, actor="p1", name="Rolf the Red")
    asked, _said, made = talked(store, "p2", "Rolf the Red is p1.")
    with store.transaction() as write:
        event = write.event(
            authority=GAME, kind="rumour", text="ROLF again", actor="p2", data={"who": ["p1", "Rolf's"], "n": 1}
        )
        write.state(authority=GAME, key="mayor", value="Rolf")
    counts = store.forget("p1")
    assert counts["struck"] == 4
    assert store.turn(asked.id).text == "someone is someone."
    assert store.episode(made.id).text == "someone is someone. Aye."
    assert (store.event(event.id).text, store.event(event.id).data) == (
        "someone again",
        {"who": ["someone", "someone's"], "n": 1},
    )
    assert store.state()[("", "mayor")] == "someone"


def test_a_black_box_that_holds_any_of_it_stays_without_its_content(store):
    _asked, _said, made = talked(store, "p1", "gold", "Rolf")
    talked(store, "p2", "plain")
    naming = talked(store, "p2", "Rolf?")
    with store.transaction() as write:
        shown = write.audit(
            authority=REPLY, npc="marta", player="p2", turn=naming[1].id, payload=f'{{"kept":["{made.id}"]}}'
        )
    own, plain, about, shown = store.audits()
    assert store.forget("p1")["redacted"] == 3
    redacted = {one.id: one for one in store.audits()}
    assert list(redacted) == [own.id, plain.id, about.id, shown.id]
    assert redacted[plain.id] == plain
    for one in (own, about, shown):
        assert redacted[one.id].payload == '{"erased":true}'
        assert redacted[one.id].game_time == one.game_time
    assert (redacted[own.id].turn, redacted[own.id].player) == ("", "")
    assert (redacted[about.id].turn, redacted[about.id].player) == (about.turn, "p2")


def test_a_black_box_that_showed_a_revision_is_found_by_its_turn(store):
    asked, said, made = talked(store, "p2", "plain")
    with store.transaction() as write:
        write.actor(authority=GAME, actor="p1", name="Rolf")
        write.revise(authority=GAME, turn=asked.id, text="said Rolf")
        shown = write.audit(
            authority=REPLY, npc="marta", player="p2", turn=said.id, payload=f'{{"dialogue":["{asked.id}"]}}'
        )
        other = write.audit(authority=REPLY, npc="marta", player="p2", turn=said.id, payload=f'{{"x":"{made.id}"}}')
    assert store.forget("p1") == {"actors": 1, "redacted": 2, "struck": 1}
    assert store.turn(asked.id).text == "said someone"
    assert store.audit(shown.id).payload == '{"erased":true}'
    assert store.audit(other.id).payload != '{"erased":true}'


def test_one_id_means_all_ids_of_the_same_person(store, path):
    talked(store, "p1", "hello", "Rolf")
    with store.transaction() as write:
        write.alias(authority=GAME, actor="p1-new", alias_of="p1")
    talked(store, "p1-new", "zanzibarine")
    assert store.forget("p1-new")["identities"] == 1
    assert store.turns("marta") == ()
    assert store.actors() == {}
    assert not any(word in path.read_bytes() for word in (b"p1", b"Rolf", b"zanzibar"))


def test_every_timeline_is_covered(store):
    home = store.timeline
    talked(store, "p1", "one")
    store.fork(seq=0)
    talked(store, "p1", "two")
    away = store.timeline
    assert store.forget("p1")["turns"] == 4
    for timeline in (home, away):
        store.switch(timeline)
        assert store.turns("marta") == ()


def test_his_name_goes_out_of_slots_and_notes_and_each_save_stays_loadable(store):
    talked(store, "p1", "hello", "Rolf")
    for slot in ("Rolf", "rolf", "p1", "of Ida"):
        store.save(slot, f"saved by {slot}")
    ids = {one.save_id for one in store.saves()}
    store.for_owner("ann").save("Rolf", "Rolf's")
    assert store.forget("p1")["struck"] == 6
    assert [one.slot for one in store.saves()] == ["of Ida", "someone", "someone 2", "someone 3"]
    assert {one.save_id for one in store.saves()} == ids
    assert {one.note for one in store.saves()} == {"saved by someone", "saved by of Ida"}
    assert [(one.slot, one.note) for one in store.for_owner("ann").saves()] == [("Rolf", "Rolf's")]
    for save in sorted(ids):
        store.load(save)
        assert store.turns("marta") == ()


def test_other_owners_keep_theirs(store):
    talked(store, "p1", "mine", "Rolf")
    ann = store.for_owner("ann")
    talked(ann, "p1", "hers, said Rolf", "Rolf")
    before = ann.turns("marta"), ann.actors(), ann.audits()
    store.forget("p1")
    assert (ann.turns("marta"), ann.actors(), ann.audits()) == before
    assert store.turns("marta") == ()


def test_nothing_kept_in_memory_shows_it_afterwards(store):
    talked(store, "p1", "hello", "Rolf")
    beside = store.for_owner("")
    held = {id(one): one.kept(dict) for one in (store, beside)}
    assert "p1" in store.actors()
    assert "p1" in beside.actors()
    store.forget("p1")
    for one in (store, beside):
        assert one.actors() == {}
        assert one.kept(dict) is not held[id(one)]


def test_a_single_memory_is_erased_with_all_that_hangs_on_it(store):
    asked, said, _made = talked(store, "p1", "a secret")
    kept = talked(store, "p1", "weather")
    planned = store.erase([asked.id], dry_run=True)
    assert store.turn(asked.id) == asked
    assert store.erase([asked.id]) == planned == {"episodes": 1, "redacted": 1, "turns": 1}
    assert [one.id for one in store.turns("marta")] == [said.id, kept[0].id, kept[1].id]
    assert [one.id for one in store.episodes("marta")] == [kept[2].id]
    assert store.audits()[0].payload == '{"erased":true}'
    with pytest.raises(UnknownId):
        store.erase([asked.id])


def test_a_key_does_not_answer_for_what_is_gone(store):
    with store.transaction() as write:
        event = write.event(authority=GAME, kind="x", text="x", actor="p1")
        write.key(authority=GAME, key="k", answer=f'{{"event":"{event.id}"}}')
    store.erase([event.id])
    assert store.answer("k") is None


def test_nothing_is_erased_when_one_id_is_wrong(store):
    asked, *_ = talked(store, "p1", "hello")
    for wrong in ("t00009999", "e" + asked.id[1:], "nonsense"):
        with pytest.raises(UnknownId):
            store.erase([asked.id, wrong])
    with pytest.raises(UnknownId):
        store.for_owner("ann").erase([asked.id])
    assert texts(store) == ["hello", "Aye."]


def test_it_is_refused_within_a_transaction(store):
    with pytest.raises(InvalidInput), store.transaction():
        store.forget("p1")
    with pytest.raises(InvalidInput), store.transaction():
        store.erase([])


def test_rows_cannot_be_changed_afterwards_either(path):
    with Store.open(path, world="w") as store:
        talked(store, "p1", "hello", "Rolf")
        talked(store, "p2", "Rolf")
        store.forget("p1")
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute("UPDATE turns SET text = 'x'")
    connection.close()


def test_a_table_without_a_rule_stops_it(store, monkeypatch):
    talked(store, "p1", "hello")
    monkeypatch.delitem(ERASURE, "turns")
    with pytest.raises(StoreError, match="turns does not say"):
        store.forget("p1")
    assert texts(store, player="p1") == ["hello", "Aye."]


def test_a_full_text_index_is_built_anew(path, monkeypatch):
    """None is in the schema; whoever adds one declares it, and this is what then happens."""
    with Store.open(path, world="w") as store:
        talked(store, "p1", "xylophonic", "Rolf")
    connection = sqlite3.connect(path)
    connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text, content='turns', content_rowid='seq')")
    connection.execute("INSERT INTO words (words) VALUES ('rebuild')")
    connection.commit()
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'words%'")]
    connection.close()
    for name in names:
        monkeypatch.setitem(ERASURE, name, Erasure("rebuild" if name == "words" else "keep", "a test's"))
    with Store.open(path, world="w") as store:
        store.forget("p1")
    assert b"xylophon" not in path.read_bytes()


@pytest.mark.parametrize("odd", ["\x00", "\x1f", "\\u0000", '"', "\u2028", "\U0001f600"])
def test_his_name_goes_whatever_stands_beside_it(store, odd):
    with store.transaction() as write:
        write.actor(authority=GAME, actor="p1", name="Rolf")
        write.actor(authority=GAME, actor="p2", name="Ida")
        write.event(authority=GAME, kind="theft by Rolf", text=f"{odd} Rolf stole it.", actor="bram")
        write.turn(
            authority=GAME, npc="marta", player="p2", speaker="p2", addressee="marta", text=f"Rolf{odd}",
            mood="as Rolf", action=f'{{"id":{json.dumps(f"call Rolf{odd}")}}}',
        )  # fmt: skip
        write.state(authority=GAME, key="thief", value=f"Rolf{odd}")
    store.save("one", f"{odd} with Rolf")
    store.forget("p1")
    assert found_in_rows(store, "Rolf") == []
    (event,), (turn,) = store.events(), store.turns("marta")
    assert (event.kind, event.text) == ("theft by someone", f"{odd} someone stole it.")
    assert (turn.text, turn.mood) == (f"someone{odd}", "as someone")
    assert store.find_save("one").note == f"{odd} with someone"


def found_in_rows(store, word):
    """Tables with a row that holds ``word``."""
    query = store._database.query
    tables = [row[0] for row in query("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return [one for one in tables if any(word in repr(tuple(row)) for row in query(f'SELECT * FROM "{one}"'))]


def _notes(path):
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT * FROM erasures").fetchall()
    connection.close()
    return found


STEPS = ("begun", "looking", "erasing", "cleaning")


@pytest.mark.parametrize("step", STEPS)
def test_what_a_crash_interrupts_is_finished_at_the_next_opening(path, step):
    class Crash(BaseException):
        pass

    def crash(at):
        if at == step:
            raise Crash

    with Store.open(path, world="w") as store:
        talked(store, "p1", "hello", "Rolf")
        talked(store, "p2", "Rolf, or Marta")
        with pytest.raises(Crash):
            store.forget("p1", spared=["Marta"], progress=crash)
    notes = _notes(path)
    assert len(notes) == 1
    assert "p1" not in repr(notes)
    with Store.open(path, world="w") as store:
        assert [turn.text for turn in store.turns("marta")] == ["someone, or Marta", "Aye."]
        assert "p1" not in store.actors()
    assert _notes(path) == []
    assert b"hello" not in path.read_bytes()


def test_a_full_disk_leaves_a_note_and_what_was(path, monkeypatch):
    with Store.open(path, world="w") as store:
        exchange(store, "hello", "aye")

        def full(database, plan, owner):
            raise StoreFull("full", hint="")

        with monkeypatch.context() as patched:
            patched.setattr(erasure, "_apply", full)
            with pytest.raises(StoreFull):
                store.forget("p1")
        assert texts(store) == ["hello", "aye"]
    with Store.open(path, world="w") as store:
        assert texts(store) == []


@pytest.mark.parametrize(
    "word", ["player", "reply", "talk", "answer", "mood", "npc", "verb", "line", "kept", "template"]
)
def test_a_word_of_ours_is_nobodys_id(store, word):
    talked(store, word, "hello", "Rolf")
    asked, said, made = talked(store, "p2", "evening", "Ida")
    with store.transaction() as write:
        scope = write.state(authority=GAME, key="fame", scope=f"{word}:p2", value=4)
        turn = write.turn(
            authority=REPLY, npc="marta", player="p2", speaker="marta", addressee="p2", text="Aye.",
            provenance=("reply",),
        )  # fmt: skip
        told = write.episode(authority=GAME, npc="marta", text="They talked.", kind="talk")
        write.key(
            authority=GAME, key="k", npc="marta", player="p2",
            answer='{"answer":{"kind":"talk","mood":"","npc":"marta","player":"p2"},"verb":"talk"}',
        )  # fmt: skip
        write.audit(
            authority=REPLY, npc="marta", player="p2", turn=turn.id,
            payload='{"line":"x","player":"p2","prompt":[["template",false,"Ida: x"]],"template":{"npc":"the player"}}',
        )  # fmt: skip
    before = store.dialogue("marta", "p2"), store.audits()[1:], store.answer("k"), store.answer("k-evening")
    store.forget(word)
    assert (store.dialogue("marta", "p2"), store.audits()[1:], store.answer("k"), store.answer("k-evening")) == before
    assert store.episode(told.id) == told
    assert store.state() == {(scope.scope, "fame"): 4}
    assert (asked.id, said.id, made.id) == (store.turn(asked.id).id, store.turn(said.id).id, store.episode(made.id).id)
