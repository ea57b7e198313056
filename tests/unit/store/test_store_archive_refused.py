"""Archives that are not sound, or not fitting, are refused whole: nothing of them is stored."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from searches import examples
from store_scene import REPLY, exchange

from npc_memory.errors import (
    ArchiveConflict,
    ArchiveDamaged,
    ArchiveInvalid,
    ArchiveTooNew,
    AuthorityViolation,
    StoreWrongWorld,
)
from npc_memory.memory import Authority
from npc_memory.store import MIGRATIONS, Store, archive
from npc_memory.store.archive import sealed


def nothing_came(store):
    return store.newest_seq() == 0 and store.saves() == () and store.game_time() == 0


def rewritten(file, change):
    """The archive with its lines changed, and all checksums made right again."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n")[:-1]]
    for line in lines:
        del line["check"]
    change(lines)
    data = b"".join(map(sealed, lines[:-1]))
    end = {"end": True, "lines": len(lines) - 1, "sha256": hashlib.sha256(data).hexdigest()}
    file.write_bytes(data + sealed(end))


def first_of(lines, kind):
    return next(line for line in lines[1:] if kind in (line.get("kind"), line.get("table")))


@settings(max_examples=examples(60), deadline=None)
@given(data=st.data())
def test_any_changed_or_missing_byte_is_noticed(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    file = folder / "damaged.jsonl"
    with Store.open(":memory:", world="w") as store:
        exchange(store, "hello", "aye")
        store.export(file, replace=True)
    raw = file.read_bytes()
    at = data.draw(st.integers(0, len(raw) - 1))
    cut = data.draw(st.booleans())
    file.write_bytes(raw[:at] if cut else raw[:at] + bytes([raw[at] ^ data.draw(st.integers(1, 255))]) + raw[at + 1 :])
    with Store.open(":memory:", world="w") as store:
        with pytest.raises((ArchiveInvalid, ArchiveTooNew, StoreWrongWorld)):
            store.import_archive(file)
        assert nothing_came(store)
        file.write_bytes(raw + b"\n")
        with pytest.raises(ArchiveDamaged):
            store.import_archive(file)
        assert nothing_came(store)


def test_a_line_too_many_too_few_or_twice_is_noticed(fresh, file):
    raw = file.read_bytes().splitlines(keepends=True)
    for lines in (raw[:5] + raw[6:], [*raw[:6], raw[5], *raw[6:]], raw[:-1], raw[1:]):
        file.write_bytes(b"".join(lines))
        with pytest.raises(ArchiveInvalid):
            fresh.import_archive(file)
        assert nothing_came(fresh)


RISES = {
    "a reply as the game's": ("turn", 1, {"authority": 2}),
    "a belief above whoever imports": ("belief", 0, {"authority": 3}),
    "a state change of a model": ("state", 0, {"authority": 1}),
    "a rank there is not": ("turn", 0, {"authority": 9}),
}


@pytest.mark.parametrize("name", RISES)
def test_no_record_rises_above_its_authority(fresh, lived, tmp_path, name):
    kind, which, change = RISES[name]
    with lived.transaction() as write:
        write.turn(
            authority=REPLY, npc="marta", player="p1", speaker="marta", addressee="p1", text="x", provenance=("reply",)
        )
    file = tmp_path / "rises.jsonl"
    lived.export(file)

    def change_it(lines):
        of_kind = [line for line in lines if line.get("kind") == kind]
        (of_kind[-1] if which else of_kind[0]).update(change)

    rewritten(file, change_it)
    with pytest.raises((AuthorityViolation, ArchiveInvalid)):
        fresh.import_archive(file)
    assert nothing_came(fresh)


def test_a_designers_record_needs_a_designer(lived, fresh, tmp_path):
    with lived.transaction() as write:
        write.episode(authority=Authority.DESIGNER, npc="marta", text="hand-written")
    lived.export(tmp_path / "d.jsonl")
    with pytest.raises(AuthorityViolation):
        fresh.import_archive(tmp_path / "d.jsonl")
    fresh.import_archive(tmp_path / "d.jsonl", rank=Authority.DESIGNER)
    assert fresh.episodes("marta")[-1].text == "hand-written"


WRONG = {
    "an unknown kind": lambda line: line.update(kind="spell"),
    "an id of another kind": lambda line: line.update(id="e" + line["id"][1:]),
    "an unknown column": lambda line: line.update(sql="DROP TABLE records"),
    "an unknown table": lambda line: line.update(sqlite_schema={}),
    "a missing part": lambda line: line.pop("turns"),
    "a foreign part": lambda line: line.update(episodes={}),
    "a missing column": lambda line: line["turns"].pop("text"),
    "a wrong type": lambda line: line["turns"].update(text=1),
    "a boolean for a number": lambda line: line.update(game_time=True),
    "a number over 64 bits": lambda line: line.update(game_time=2**63),
    "a text over 64 KiB": lambda line: line["turns"].update(text="x" * 65_537),
    "an id with a control character": lambda line: line.update(speaker="a\x00b"),
    "an audience that is no list": lambda line: line.update(audience={"a": "b"}),
    "a mark there is not": lambda line: line["turns"].update(mark="canon"),
    "a timeline there is not": lambda line: line.update(timeline=99),
    "made of itself": lambda line: line.update(derivations=[{"source": int(line["id"][1:])}]),
    "made of a later one": lambda line: line.update(derivations=[{"source": 10**6}]),
    "many levels": lambda line: line.update(audience=json.loads("[" * 60 + "]" * 60)),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_store_could_have_written_is_refused_whole(fresh, file, name):
    rewritten(file, lambda lines: WRONG[name](first_of(lines, "turn")))
    with pytest.raises(ArchiveInvalid):
        fresh.import_archive(file)
    assert nothing_came(fresh)
    assert fresh.check() == []
    exchange(fresh, "hello", "aye")


def test_a_retirement_does_not_rise_above_what_it_retires(fresh, file):
    def raised(lines):
        target = first_of(lines, "retirement")["retirements"]["target"]
        next(line for line in lines if line.get("id") == f"e{target:08d}")["authority"] = 2

    rewritten(file, raised)
    with pytest.raises(AuthorityViolation):
        fresh.import_archive(file)
    assert nothing_came(fresh)


@pytest.mark.parametrize("change", [{"schema": MIGRATIONS[-1].version + 1}, {"archive": 2}])
def test_a_newer_one_is_refused_by_name(fresh, file, change):
    rewritten(file, lambda lines: lines[0].update(change))
    with pytest.raises(ArchiveTooNew, match="this npc-memory knows"):
        fresh.import_archive(file)
    rewritten(file, lambda lines: lines[0].update(new_field=1))
    with pytest.raises(ArchiveTooNew, match="this npc-memory knows"):
        fresh.import_archive(file)


def test_another_world_other_records_and_other_counts_are_refused(fresh, file):
    with Store.open(":memory:", world="v") as store, pytest.raises(StoreWrongWorld):
        store.import_archive(file)
    exchange(fresh, "of its own", "aye")
    with pytest.raises(ArchiveConflict):
        fresh.import_archive(file)
    assert len(fresh.turns("marta")) == 2
    rewritten(file, lambda lines: lines[0]["counts"].update(turn=99))
    with Store.open(":memory:", world="w") as store, pytest.raises(ArchiveDamaged, match="counts"):
        store.import_archive(file)


def test_a_file_that_is_none_is_refused(fresh, tmp_path, monkeypatch):
    other = tmp_path / "other"
    for content in (
        b"",
        b"hello\n",
        b"{}\n",
        b'{"archive":1}\n',
        b"\xff\xfe\n",
        b'{"archive":1',
        b'{"archive":' + b"[" * 10**5,
    ):
        other.write_bytes(content)
        with pytest.raises(ArchiveInvalid):
            fresh.import_archive(other)
    for missing in (tmp_path / "missing", tmp_path):
        with pytest.raises(ArchiveInvalid, match="there is no archive"):
            fresh.import_archive(missing)
    monkeypatch.setattr(archive, "MAX_FILE", 3)
    with pytest.raises(ArchiveInvalid, match="over 3 bytes"):
        fresh.import_archive(other)


def test_a_line_over_the_limit_is_refused(fresh, file, monkeypatch):
    monkeypatch.setattr(archive, "MAX_LINE", 300)
    with pytest.raises(ArchiveInvalid, match="longer than 300"):
        fresh.import_archive(file)
    assert nothing_came(fresh)
