"""An import takes what a store could have written and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from archive_scene import live, told
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npc_memory.errors import ArchiveInvalid, AuthorityViolation
from npc_memory.memory import Authority
from npc_memory.store import Store
from npc_memory.store.archive import sealed


def reimported(store: Store, file: Path) -> None:
    """What ``store`` exports is taken, twice, and says the same again."""
    store.export(file, replace=True)
    header = json.loads(file.read_text(encoding="utf-8").split("\n")[0])
    with Store.open(":memory:", world=header["world"], world_version=header["world_version"]) as other:
        other.import_archive(file, rank=Authority.DESIGNER)
        assert not other.import_archive(file, rank=Authority.DESIGNER).added
        other.export(file.with_name("again"), replace=True)
        assert file.with_name("again").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("person", ["p1", "p2", "olaf", "osric", "bram", "nobody"])
def test_what_is_left_when_someone_was_forgotten_is_taken(person, tmp_path):
    with Store.open(tmp_path / "w.db", world="w") as store:
        live(store)
        store.forget(person)
        reimported(store, tmp_path / "archive")


@pytest.mark.parametrize(
    ("which", "change"),
    [
        ("state", lambda line: line["state_changes"].update(scope="a\x00b")),
        ("state", lambda line: line["state_changes"].update(key="")),
        ("state", lambda line: line.update(npc="marta")),
        ("episode", lambda line: line["episodes"].update(kind="")),
        ("episode", lambda line: line["episodes"].update(turns=["e00000001"])),
        ("episode", lambda line: line["episodes"].update(turns=["t99999999"])),
        ("episode", lambda line: line.update(npc="")),
        ("event", lambda line: line["events"].update(kind="")),
        ("turn", lambda line: line.update(npc_seq=0)),
        ("turn", lambda line: line.update(session=-1)),
        ("turn", lambda line: line.update(session=0)),
        ("turn", lambda line: line["turns"].update(exchange=-1)),
        ("turn", lambda line: line.update(player="")),
        ("turn", lambda line: line.update(speaker="")),
        ("turn", lambda line: line.update(audience=["p1", "marta"])),
        ("belief", lambda line: line["belief_details"].update(distance=-1)),
        ("belief", lambda line: line["belief_details"].update(sentiment=-1.5)),
        ("belief", lambda line: line["belief_details"].update(scope="\n")),
        ("belief", lambda line: line["beliefs"].update(subject="a\x1fb")),
        ("actor", lambda line: line.update(session=1)),
        ("actor", lambda line: line["actors"].update(faction="\x00")),
        ("identity", lambda line: line["identities"].update(alias_of=line["player"])),
        ("audit", lambda line: line["audits"].update(turn=0)),
        ("audit", lambda line: line["shown"].update(records=[3, 1])),
        ("audit", lambda line: line["shown"].update(records=[])),
        ("key", lambda line: line["keys"].update(key="")),
        ("retirement", lambda line: line["retirements"].update(target=1)),
        ("relationship", lambda line: line.update(player=line["npc"])),
        ("saves", lambda line: line.update(save_id="morning")),
        ("saves", lambda line: line.update(automatic=2)),
        ("saves", lambda line: line.update(after_seq=-1)),
        ("slots", lambda line: line.update(slot="save-00000000000000000000")),
        ("slots", lambda line: line.update(slot="")),
        ("packs", lambda line: line.update(after_seq=-1)),
    ],
)
def test_a_value_that_no_store_writes_is_refused_with_its_line(fresh, file, which, change):
    lines = parsed(file)
    number = next(n for n, line in enumerate(lines) if n and which in (line.get("kind"), line.get("table")))
    change(lines[number])
    written(file, lines)
    with pytest.raises((ArchiveInvalid, AuthorityViolation), match=f"line {number + 1}"):
        fresh.import_archive(file)
    assert fresh.newest_seq() == 0


def hung_nowhere(lines):
    lines[0]["counts"]["branches"] -= 1
    lines.remove([line for line in lines[1:] if line.get("table") == "branches"][-1])


def hung(**change):
    return lambda lines: [line for line in lines[1:] if line.get("table") == "branches"][-1].update(change)


def saved(**change):
    return lambda lines: next(line for line in lines[1:] if line.get("table") == "saves").update(change)


@pytest.mark.parametrize(
    "change",
    [
        hung_nowhere,
        hung(parent=2),
        hung(fork_seq=10**6),
        saved(timeline=2),
        lambda lines: lines[0].update(timeline=7),
        lambda lines: lines[0].update(save=7),
    ],
)
def test_a_tree_that_is_none_is_refused(fresh, file, change):
    lines = parsed(file)
    change(lines)
    written(file, lines)
    with pytest.raises(ArchiveInvalid):
        fresh.import_archive(file)
    assert fresh.newest_seq() == 0


ODD: tuple[Any, ...] = (-1, 0, 1, 2, 2**63 - 1, -(2**63), 0.5, 1.5, -0.5, None, True, False, [], {}, [""], ["b", "a"])
ODD += ("", "a\x00b", "\n", "x" * 201, "marta", "p1", "fallback", "e00000001", "t00000001", "off", "place:")


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(one, (*path, key))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_changed_value_is_refused_or_one_that_a_store_could_have_written(tmp_path_factory, data):
    changed(tmp_path_factory, data)


@pytest.mark.full
@settings(max_examples=2000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_of_very_many_changed_values_is_as_well(tmp_path_factory, data):
    changed(tmp_path_factory, data)


def changed(tmp_path_factory, data) -> None:
    folder = tmp_path_factory.getbasetemp()
    source, file = folder / "values.jsonl", folder / "changed.jsonl"
    if not source.exists():
        with Store.open(":memory:", world="w") as store:
            live(store)
            store.export(source)
    lines = parsed(source)
    line = data.draw(st.sampled_from(lines[1:-1]))
    path = data.draw(st.sampled_from([one for one in leaves(line) if one != ("kind",) and one[0] != "payload"]))
    at = line
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = data.draw(st.sampled_from(ODD))
    written(file, lines)
    with Store.open(":memory:", world="w") as store:
        try:
            store.import_archive(file)
        except (ArchiveInvalid, AuthorityViolation):
            assert store.newest_seq() == 0
            return
        assert store.check() == []
        told(store)
        written_anew(store)
        reimported(store, folder / "values-again.jsonl")


def written_anew(store: Store) -> None:
    """Each memory passes where records are written."""
    with Store.open(":memory:", world="w") as other, other.transaction() as write:
        for one in store.events():
            again = write.event(
                authority=one.authority, kind=one.kind, text=one.text, place=one.place, actor=one.actor,
                target=one.target, audience=one.audience, importance=one.importance, data=one.data,
            )  # fmt: skip
            assert (again.kind, again.text, again.data) == (one.kind, one.text, one.data)
        for npc in ("marta", "bram", "olaf"):
            for one in store.episodes(npc):
                there = {*one.audience, npc}
                write.episode(
                    authority=one.authority, npc=npc, text=one.text, kind=one.kind, importance=one.importance,
                    speaker=one.speaker, addressee=one.addressee, place=one.place, audience=there,
                )  # fmt: skip
            for one in store.beliefs(npc):
                write.belief(
                    authority=one.authority, npc=npc, text=one.text, subject=one.subject, slot=one.slot,
                    value=one.value, confidence=one.confidence, sentiment=one.sentiment, valid_from=one.valid_from,
                    distance=one.distance, scope=one.scope, audience=(npc,), place=one.place,
                )  # fmt: skip
        for (scope, key), value in store.state().items():
            write.state(authority=Authority.GAME, key=key, value=value, scope=scope)
        for id, one in store.actors().items():
            write.actor(authority=one.authority, actor=id, name=one.name, place=one.place, faction=one.faction)


def parsed(file: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n")[:-1]]
    return [{name: value for name, value in line.items() if name != "check"} for line in lines]


def written(file: Path, lines: list[dict[str, Any]]) -> None:
    """The lines with their checksums made right again."""
    data = b"".join(map(sealed, lines[:-1]))
    end = {"end": True, "lines": len(lines) - 1, "sha256": hashlib.sha256(data).hexdigest()}
    file.write_bytes(data + sealed(end))
