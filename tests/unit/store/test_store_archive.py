"""Archives: what goes in comes out the same, and a second time nothing happens."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from archive_scene import told
from store_scene import GAME, exchange

from npc_memory.errors import (
    ArchiveConflict,
    ArchiveDamaged,
    ArchiveInvalid,
    ArchiveTooNew,
    InvalidInput,
    NpcMemoryError,
    StoreError,
)
from npc_memory.memory import Authority
from npc_memory.store import ERASURE, MIGRATIONS, Store
from npc_memory.store.archive_tables import ARCHIVED, JSON_TEXTS, KIND_TABLES
from npc_memory.store.ids import LETTERS

SAVES = Path(__file__).parents[2] / "saves"


def test_a_world_comes_back_as_it_was_with_all_timelines_and_saves(lived, fresh, file, tmp_path):
    done = fresh.import_archive(file)
    assert done.added["turn"] == 7
    assert fresh.check() == []
    fresh.export(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == file.read_bytes()
    lived_on, came_back = told(lived), told(fresh)
    assert came_back == lived_on
    assert fresh.turns("marta")[-1].text == "no"
    fresh.load("morning")
    assert [turn.text for turn in fresh.turns("marta")] == ["hello «é»", 'aye "\\']
    exchange(fresh, "on", "we go")


def test_the_second_import_changes_nothing(fresh, file, tmp_path):
    fresh.import_archive(file)
    exchange(fresh, "and on", "yes")
    before = fresh.timeline, fresh.turns("marta")
    again = fresh.import_archive(file)
    assert (again.added, again.known > 20) == ({}, True)
    assert (fresh.timeline, fresh.turns("marta")) == before


def test_an_archive_is_readable_and_says_what_it_holds(lived, file):
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n")[:-1]]
    first, last = lines[0], lines[-1]
    assert (first["archive"], first["schema"], first["world"], first["kind"]) == (
        1,
        MIGRATIONS[-1].version,
        "w",
        "world",
    )
    assert sum(first["counts"].values()) == len(lines) - 2
    assert (last["end"], last["lines"]) == (True, len(lines) - 1)
    said = next(line for line in lines if line.get("kind") == "turn")
    assert (said["npc"], said["turns"]["text"]) == ("marta", "hello «é»")
    black_box = next(line for line in lines if line.get("kind") == "audit")
    assert list(black_box["audits"]["payload"]) == ["kept"]


def test_what_a_person_may_see_is_his_and_no_prompt(lived, fresh, tmp_path):
    with lived.transaction() as write:
        write.turn(
            authority=GAME, npc="marta", player="p2", speaker="p2", addressee="marta", text="he was there",
            audience=("p1", "marta"),
        )  # fmt: skip
    counts = lived.export(tmp_path / "p1.jsonl", player="p1")
    text = (tmp_path / "p1.jsonl").read_text(encoding="utf-8")
    assert {"turn", "event", "belief", "actor", "session"} <= counts.keys()
    assert not {"audit", "key", "saves"} & counts.keys()
    assert "he was there" in text
    assert "later" not in text
    fresh.import_archive(tmp_path / "p1.jsonl")
    assert fresh.check() == []
    assert fresh.actors()["p1"].name == "Rolf “R”\u2028"


def hearsay(store):
    """What bram believes of a deed of p1 that p2 told him: nobody in it is p1, and its words do not name him."""
    with store.transaction() as write:
        seen = write.event(authority=GAME, kind="theft", text="The cup was taken.", actor="p1", audience=("olaf",))
        told = write.belief(
            authority=Authority.INFERENCE, npc="bram", text="A cup is missing.", speaker="p2", addressee="bram",
            distance=1, provenance=(seen.id,),
        )  # fmt: skip
        write.belief(
            authority=Authority.INFERENCE, npc="olaf", text="Olaf heard of a cup.", speaker="bram", addressee="olaf",
            distance=2, provenance=(told.id,),
        )  # fmt: skip
        write.retire(authority=Authority.INFERENCE, target=told.id, reason="it was found")


def test_hearsay_of_his_deeds_is_among_what_he_may_see_and_goes_with_him_elsewhere(lived, fresh, tmp_path):
    hearsay(lived)
    file = tmp_path / "p1.jsonl"
    lived.export(file, player="p1")
    text = file.read_text(encoding="utf-8")
    assert "A cup is missing." in text
    assert "Olaf heard of a cup." in text
    assert "it was found" in text
    fresh.import_archive(file)
    assert fresh.check() == []
    fresh.switch(lived.timeline)
    assert [one.text for one in fresh.beliefs("olaf")] == ["Olaf heard of a cup."]
    fresh.forget("p1")
    assert fresh.beliefs("olaf") == fresh.beliefs("bram") == ()


def test_what_took_the_place_of_what_is_none_of_his_leaves_that_where_it_is(lived, fresh, tmp_path):
    """Else what he may see could be read in nowhere."""
    with lived.transaction() as write:
        other = write.belief(authority=Authority.INFERENCE, npc="bram", text="The mill stands.", slot="mill")
        seen = write.event(authority=GAME, kind="fire", text="The mill burned.", actor="p1", audience=("bram",))
        his = write.belief(
            authority=Authority.INFERENCE, npc="bram", text="The mill is gone.", slot="mill", provenance=(seen.id,)
        )
        write.deprecate(authority=Authority.INFERENCE, target=other.id, by=his.id)
    file = tmp_path / "p1.jsonl"
    lived.export(file, player="p1")
    assert "The mill stands." not in file.read_text(encoding="utf-8")
    fresh.import_archive(file)
    assert fresh.check() == []
    fresh.switch(lived.timeline)
    assert [one.text for one in fresh.beliefs("bram")] == ["The mill is gone."]


def test_what_an_npc_knows_takes_along_what_it_was_made_of(lived, fresh, tmp_path):
    hearsay(lived)
    with lived.transaction() as write:
        seen = write.episode(authority=GAME, npc="marta", text="p1 took the cup.", speaker="p1", addressee="marta")
        write.belief(authority=Authority.INFERENCE, npc="marta", text="No cup is safe.", provenance=(seen.id,))
    lived.export(tmp_path / "marta.jsonl", npc="marta")
    fresh.import_archive(tmp_path / "marta.jsonl")
    fresh.switch(lived.timeline)
    assert "No cup is safe." in [one.text for one in fresh.beliefs("marta")]
    fresh.forget("p1")
    assert "No cup is safe." not in [one.text for one in fresh.beliefs("marta")]


def test_what_an_npc_knows_is_hers(lived, fresh, tmp_path):
    exchange(lived, "elsewhere", "aye", npc="bram")
    counts = lived.export(tmp_path / "marta.jsonl", npc="marta")
    assert "elsewhere" not in (tmp_path / "marta.jsonl").read_text(encoding="utf-8")
    assert counts["audit"] == 2
    fresh.import_archive(tmp_path / "marta.jsonl")
    assert fresh.check() == []
    home = lived.timeline
    fresh.switch(home)
    assert fresh.turns("marta") == lived.turns("marta")
    assert fresh.state() == lived.state()


def test_other_owners_are_not_in_it(lived, tmp_path):
    ann = lived.for_owner("ann")
    exchange(ann, "hers alone", "aye")
    lived.export(tmp_path / "w.jsonl")
    ann.export(tmp_path / "ann.jsonl")
    assert "hers alone" not in (tmp_path / "w.jsonl").read_text(encoding="utf-8")
    with Store.open(":memory:", world="w", owner="bo") as store:
        store.import_archive(tmp_path / "ann.jsonl")
        assert [turn.text for turn in store.turns("marta")] == ["hers alone", "aye"]
        assert store.for_owner("").turns("marta") == ()


def test_every_saved_format_can_be_carried_over(tmp_path):
    for path in sorted(SAVES.glob("v*/*.db")):
        copy = tmp_path / f"{path.parent.name}.db"
        shutil.copy(path, copy)
        archived, again = copy.with_suffix(".jsonl"), copy.with_suffix(".again")
        with Store.open(copy, world="town", world_version="1.0") as store:
            store.export(archived)
        with Store.open(":memory:", world="town", world_version="1.0") as store:
            store.import_archive(archived)
            store.export(again)
        assert again.read_bytes() == archived.read_bytes()


def test_a_file_is_written_whole_or_not_at_all(lived, file, tmp_path):
    with pytest.raises(InvalidInput, match="there already"):
        lived.export(file)
    with pytest.raises(StoreError):
        lived.export(tmp_path / "nowhere" / "x.jsonl")
    before = file.read_bytes()
    lived.export(file, replace=True)
    assert file.read_bytes() == before
    assert sorted(path.suffix for path in tmp_path.iterdir() if "town" in path.name) == [".jsonl"]
    with pytest.raises(InvalidInput):
        lived.export(tmp_path / "x.jsonl", npc="marta", player="p1")


def test_what_was_forgotten_is_in_no_archive_and_that_it_was_is(lived, fresh, tmp_path):
    lived.forget("p1")
    lived.export(tmp_path / "after.jsonl")
    text = (tmp_path / "after.jsonl").read_text(encoding="utf-8")
    assert "hello" not in text
    assert "Rolf" not in text
    fresh.import_archive(tmp_path / "after.jsonl")
    assert fresh.check() == []
    assert told(fresh) == told(lived)


def test_every_table_and_every_kind_declares_how_it_is_archived():
    assert ARCHIVED.keys() == ERASURE.keys()
    assert KIND_TABLES.keys() == LETTERS.keys()
    assert {table for table, _ in JSON_TEXTS} <= ARCHIVED.keys()
    assert {table for table in KIND_TABLES.values() if table} <= {
        table for table, how in ARCHIVED.items() if how == "one"
    }


@pytest.mark.parametrize("error", [ArchiveConflict, ArchiveDamaged, ArchiveTooNew])
def test_all_of_them_are_archive_errors(error):
    assert issubclass(error, ArchiveInvalid)
    assert issubclass(error, NpcMemoryError)
