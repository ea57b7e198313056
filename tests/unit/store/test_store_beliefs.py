"""Beliefs in the store: what they say of themselves, which have been replaced, and where they came from."""

from __future__ import annotations

import hashlib
import json
import sqlite3

import pytest
from store_scene import GAME, exchange

from npc_memory.errors import ArchiveInvalid, AuthorityViolation, InvalidInput, UnknownId
from npc_memory.memory import DEPRECATED, Authority
from npc_memory.store import Store
from npc_memory.store.archive import sealed

LOW = Authority.INFERENCE
DETAILS = {
    "subject": "p1",
    "slot": "home",
    "value": "Ford",
    "confidence": 0.25,
    "sentiment": -0.5,
    "valid_from": -7,
    "distance": 3,
    "scope": "faction:watch",
    "speaker": "bram",
    "addressee": "marta",
}


@pytest.fixture
def store():
    with Store.open(":memory:", world="w") as one:
        yield one


def belief(store, text="He lives in Ford.", npc="marta", authority=LOW, **more):
    with store.transaction() as write:
        return write.belief(authority=authority, npc=npc, text=text, **more)


def deprecate(store, target, by, authority=LOW):
    with store.transaction() as write:
        return write.deprecate(authority=authority, target=target.id, by=by.id)


def test_a_belief_keeps_all_it_says_of_itself(store):
    made = belief(store, hand_written=True, **DETAILS)
    assert {name: getattr(made, name) for name in DETAILS} == DETAILS
    assert (made.hand_written, store.belief(made.id), store.beliefs("marta")) == (True, made, (made,))
    assert belief(store).valid_from == store.game_time()


def test_one_of_an_older_file_says_none_of_it(tmp_path):
    with Store.open(tmp_path / "w.db", world="w") as store:
        made = belief(store, **DETAILS)
    connection = sqlite3.connect(tmp_path / "w.db")
    with connection:
        connection.execute("DELETE FROM belief_details")
    connection.close()
    with Store.open(tmp_path / "w.db", world="w") as store:
        old = store.belief(made.id)
        assert (old.text, old.subject, old.confidence, old.speaker) == (made.text, "p1", 0.25, "bram")
        assert (old.slot, old.value, old.sentiment, old.distance, old.scope, old.hand_written) == (
            "",
            "",
            0,
            0,
            "",
            False,
        )
        assert old.valid_from == old.game_time


@pytest.mark.parametrize(
    "wrong",
    [{"sentiment": 1.1}, {"sentiment": float("nan")}, {"sentiment": True}, {"sentiment": "x"}, {"distance": -1},
     {"distance": 1.0}, {"valid_from": 2**63}, {"slot": "\n"}, {"value": 3}, {"scope": 1}],
)  # fmt: skip
def test_what_cannot_be_stored_is_refused(store, wrong):
    with pytest.raises(InvalidInput):
        belief(store, **wrong)
    assert store.beliefs("marta") == ()


def test_a_replaced_belief_is_gone_and_its_record_stays(store):
    older, newer = belief(store, "a"), belief(store, "b")
    before = store.newest_seq()
    said = deprecate(store, older, newer)
    assert (said.reason, said.provenance) == (DEPRECATED, (newer.id,))
    assert store.beliefs("marta") == (newer,)
    assert store.deprecations("marta") == ((older, said),)
    assert store.replaced_by(newer.id) == (older,)
    assert store.ever(older.id) == older
    assert store.at(before).beliefs("marta") == (older, newer)
    assert store.at(before).deprecations("marta") == ()
    with pytest.raises(UnknownId):
        store.at(before - 1).ever(newer.id)


def test_who_may_replace_what(store):
    low, high, other = belief(store, "a"), belief(store, "b", authority=GAME), belief(store, "c", npc="bram")
    by_hand = belief(store, "d", authority=GAME, hand_written=True)
    with pytest.raises(AuthorityViolation):
        deprecate(store, high, low)
    with pytest.raises(UnknownId):
        deprecate(store, low, other)
    with pytest.raises(InvalidInput, match="hand-written"):
        deprecate(store, by_hand, high, GAME)
    assert store.beliefs("marta") == (low, high, by_hand)
    deprecate(store, by_hand, belief(store, "e", authority=GAME, hand_written=True), GAME)


def test_erasing_the_newer_belief_brings_the_older_one_back(store):
    older, newer = belief(store, "a"), belief(store, "b", subject="p2")
    deprecate(store, older, newer)
    store.forget("p2")
    assert store.beliefs("marta") == (older,)
    assert store.check() == []


def test_a_name_goes_out_of_what_a_belief_says_and_one_for_his_ears_goes_whole(store):
    with store.transaction() as write:
        write.actor(authority=GAME, actor="p2", name="Quixotian")
    kept = belief(store, "Osric lives with Quixotian.", slot="home", value="with Quixotian")
    belief(store, "The cellar is open.", scope="npc:p2")
    store.forget("p2")
    (left,) = store.beliefs("marta")
    assert (left.id, left.text, left.value) == (kept.id, "Osric lives with someone.", "with someone")


def test_what_is_looked_up_of_one_npc_is_hers_alone(store):
    exchange(store, "hello", "aye")
    mine = [belief(store, "a", slot="home"), belief(store, "b", slot="home", distance=1), belief(store, "a")]
    belief(store, "a", npc="bram", slot="home", distance=1)
    (episode,) = store.episodes("marta")
    assert store.beliefs_in("marta", "home") == tuple(mine[:2])
    assert store.beliefs_saying("marta", "a") == (mine[0], mine[2])
    assert store.hearsay_since("marta", 0) == (mine[1],)
    assert store.hearsay_since("marta", 1) == ()
    assert store.episodes_saying("marta", episode.text) == (episode,)
    assert store.episodes_saying("bram", episode.text) == ()
    assert store.newest_memories("marta", 2) == (episode, mine[1], mine[2])


def test_who_has_anything_made_of_a_record(store):
    asked, _, episode = exchange(store, "hello", "aye")
    there = {"npc": "bram", "audience": ("bram",), "provenance": (episode.id,)}
    made = belief(store, "b", **there)
    assert (store.knowers(asked.id), store.knowers(episode.id)) == ({"marta"}, {"bram"})
    with store.transaction() as write:
        write.retire(authority=GAME, target=made.id)
    assert store.knowers(episode.id) == {"bram"}
    assert [store.ever(one.id).id for one in (asked, episode, made)] == [asked.id, episode.id, made.id]
    for wrong in ("c00000001", "b99999999", "nothing"):
        with pytest.raises(UnknownId):
            store.ever(wrong)


def rewritten(file, change):
    """The archive with its beliefs changed, and all checksums made right again."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        del line["check"]
        if "belief_details" in line:
            change(line)
    data = b"".join(map(sealed, lines[:-1]))
    end = {"end": True, "lines": len(lines) - 1, "sha256": hashlib.sha256(data).hexdigest()}
    file.write_bytes(data + sealed(end))
    return file


WRONG = {"too fond": {"sentiment": 2.0}, "before the source": {"distance": -1}, "no id": {"slot": "\n"},
         "half by hand": {"hand_written": 2}, "another column": {"more": 1}}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_an_archive_cannot_bring_what_could_not_be_written(store, tmp_path, wrong):
    belief(store, **DETAILS)
    store.export(tmp_path / "a.jsonl")
    with Store.open(":memory:", world="w") as fresh:
        with pytest.raises(ArchiveInvalid):
            fresh.import_archive(
                rewritten(tmp_path / "a.jsonl", lambda line: line["belief_details"].update(WRONG[wrong]))
            )
        assert fresh.newest_seq() == 0


def test_an_archive_of_an_older_program_has_plain_beliefs(store, tmp_path):
    belief(store, **DETAILS)
    store.export(tmp_path / "a.jsonl")
    with Store.open(":memory:", world="w") as fresh:
        fresh.import_archive(rewritten(tmp_path / "a.jsonl", lambda line: line.pop("belief_details")))
        (found,) = fresh.beliefs("marta")
        assert (found.text, found.slot, found.distance) == ("He lives in Ford.", "", 0)
