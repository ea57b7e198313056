"""References, duplicate ids, conditions that never hold, moods: each with its place and its cure."""

from __future__ import annotations

from pathlib import Path

import pytest

from npc_memory.errors import WorldInvalid
from npc_memory.world import check_world, load_world

REFERENCES = [
    ("facts.yaml", "{npcs: [ada]}", "{npcs: [ada, eve]}", "facts.yaml:8", "unknown NPC 'eve'", "known: ada, bo"),
    ("facts.yaml", "places: [yard]", "places: [barn]", "facts.yaml:11", "unknown place 'barn'", "known: mill, yard"),
    ("facts.yaml", "[millers]", "[mill]", "facts.yaml:11", "unknown faction 'mill'", "known: millers"),
    ("facts.yaml", "{wheel: broken}", "{weel: broken}", "facts.yaml:3", "unknown state key 'weel'", "sacks, wheel"),
    ("state.yaml", "volatile: true", "scope: place:barn", "state.yaml:7", "unknown place 'barn'", "mill, yard"),
    ("state.yaml", "volatile: true", "scope: npc:eve", "state.yaml:7", "unknown NPC 'eve'", "ada, bo"),
    ("state.yaml", "volatile: true", "scope: faction:x", "state.yaml:7", "unknown faction 'x'", "millers"),
    ("npcs/bo.yaml", "place: yard", "place: yrd", "npcs/bo.yaml:5", "unknown place 'yrd'", "mill, yard"),
    ("npcs/ada.yaml", "[millers]", "[millers, x]", "npcs/ada.yaml:6", "unknown faction 'x'", "millers"),
    (
        "npcs/bo.yaml",
        "greeting: Hm.",
        "greeting: Hm.\nknows: [nil]",
        "npcs/bo.yaml:7",
        "unknown fact 'nil'",
        "ada-tired",
    ),
    ("npcs/ada.yaml", "mood: cross", "mood: glad", "npcs/ada.yaml:10", "a mood 'glad'", "her moods: calm, cross"),
    ("npcs/bo.yaml", "[calm]", "[calm, glad]", "npcs/bo.yaml:7", "does not list", "calm, cross"),
]

NEVER = [
    ("facts.yaml", "{wheel: broken}", "{wheel: brokn}", "facts.yaml:3", "can never hold: brokn", "broken, whole"),
    ("facts.yaml", "{wheel: broken}", "{wheel: {not: lost}}", "facts.yaml:3", "lost is not among", "broken, whole"),
    ("facts.yaml", "{wheel: broken}", "{wheel: {not: [broken, whole]}}", "facts.yaml:3", "excludes every", "broken"),
    ("facts.yaml", "{wheel: broken}", "{wheel: true}", "facts.yaml:3", "'true' is true or false", "as a text"),
    ("facts.yaml", "{wheel: broken}", '{sacks: "4"}', "facts.yaml:3", "'4' is a text", "as a whole number"),
    ("state.yaml", "default: broken", "default: lost", "state.yaml:2", "default is not among", "add it"),
    ("state.yaml", "[broken, whole]", "[broken, 1]", "state.yaml:3", "'1' is not a text", "one kind"),
    (
        "state.yaml",
        "text: The wheel is {value}.",
        "text: {broken: B.}",
        "state.yaml:4",
        "no text for the value whole",
        "add",
    ),
    (
        "state.yaml",
        "text: The wheel is {value}.",
        "text: {broken: B., whole: W., x: X.}",
        "state.yaml:4",
        "a text for x",
        "add",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "where", "message", "cure"), [*REFERENCES, *NEVER])
def test_one_error(edit, file, old, new, where, message, cure):
    root = edit(file, old, new)
    problem = only(root)
    assert (shown(root, problem.file, problem.line), problem.severity) == (where, "error")
    assert message in problem.message
    assert cure in problem.cure
    with pytest.raises(WorldInvalid):
        load_world(root)


WARNINGS = [
    ("npcs/ada.yaml", "knows:", "knows:\n  - wheel-broken", "npcs/ada.yaml:12", "so does everyone"),
    ("facts.yaml", "scope: {factions: [millers], places: [yard]}", "scope: listed", "facts.yaml:9", "nobody knows"),
    ("world.yaml", "moods: [calm, cross]", "moods: [calm, cross, glad]", "world.yaml:9", "no NPC has the mood 'glad'"),
    ("state.yaml", "values: [broken, whole]", "scope: place:mill", "facts.yaml:3", "only known to place:mill"),
]


@pytest.mark.parametrize(("file", "old", "new", "where", "message"), WARNINGS)
def test_a_warning_does_not_stop_the_world(edit, file, old, new, where, message):
    root = edit(file, old, new)
    problem = only(root)
    assert (shown(root, problem.file, problem.line), problem.severity) == (where, "warning")
    assert message in problem.message
    assert load_world(root).id == "mill"


DUPLICATES = [
    ("facts.yaml", "id: flour-stolen", "id: wheel-broken", "facts.yaml:5", "facts.yaml:1"),
    ("facts.yaml", "id: flour-stolen", "id: ada-tired", "npcs/ada.yaml:12", "facts.yaml:5"),
    ("state.yaml", "key: sacks", "key: wheel", "state.yaml:5", "state.yaml:1"),
    (
        "world.yaml",
        "  - {id: yard, name: the yard}",
        "  - {id: yard, name: y}\n  - {id: mill, name: m}",
        "world.yaml:15",
        "world.yaml:13",
    ),
    (
        "world.yaml",
        "text: Be short.}",
        "text: Be short.}\n  - {id: short, text: Be.}",
        "world.yaml:12",
        "world.yaml:11",
    ),
    ("world.yaml", "the millers}", "the millers}\n  - {id: millers, name: m}", "world.yaml:17", "world.yaml:16"),
    ("npcs/ada.yaml", "knows:", "  - {id: hello, player: a, npc: b}\nknows:", "npcs/ada.yaml:11", "npcs/ada.yaml:10"),
    ("npcs/bo.yaml", "[calm]", "[calm, calm]", "npcs/bo.yaml:7", "npcs/bo.yaml:7"),
    ("npcs/ada.yaml", "knows:", "knows:\n  - millers-paid\n  - millers-paid", "npcs/ada.yaml:13", "npcs/ada.yaml:12"),
    (
        "npcs/bo.yaml",
        "greeting: Hm.",
        "greeting: Hm.\nactions:\n  - {id: go, name: Go, description: d}\n  - {id: go, name: Go, description: d}",
        "npcs/bo.yaml:9",
        "npcs/bo.yaml:8",
    ),
    (
        "npcs/bo.yaml",
        "greeting: Hm.",
        "greeting: Hm.\nactions:\n  - {id: go, name: Go, description: d, args: [{id: x}, {id: x}]}",
        "npcs/bo.yaml:8",
        "npcs/bo.yaml:8",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "second", "first"), DUPLICATES)
def test_a_duplicate_id_names_both_places(edit, file, old, new, second, first):
    root = edit(file, old, new)
    problem = next(p for p in check_world(root) if "share the id" in p.message)
    assert shown(root, problem.file, problem.line) == second
    assert f"(first at {root.as_posix()}/{first})" in problem.message
    assert problem.cure == "give one of them another id"
    with pytest.raises(WorldInvalid):
        load_world(root)


NPC = """\
id: {id}
name: X
pronoun: they
persona: p
place: mill
greeting: g
moods: [calm]
fallback: [a, b]
"""


def test_npc_ids_that_differ_only_in_case_clash(make_pack):
    root = make_pack({"npcs/Bo.yaml": NPC.format(id="Bo")})
    if len(list((root / "npcs").iterdir())) < 3:
        pytest.skip("this file system ignores case")
    assert "share the id 'bo' (case ignored)" in only(root).message


def test_choices_belong_to_texts(edit):
    actions = (
        "greeting: Hm.\nactions:\n  - {id: go, name: Go, description: d, args: [{id: n, type: integer, choices: [a]}]}"
    )
    assert "has choices but is no text" in only(edit("npcs/bo.yaml", "greeting: Hm.", actions)).message


def test_what_a_broken_file_would_have_named_is_not_called_unknown(make_pack):
    """One mistake, one problem: no wake of unknown places behind a world.yaml that does not parse."""
    for broken in ("world.yaml", "facts.yaml", "state.yaml"):
        files = {Path(p.file).name for p in check_world(make_pack({broken: "- [\n"}))}
        assert files == {broken}
    assert {Path(p.file).name for p in check_world(make_pack({"npcs/ada.yaml": "- [\n"}))} == {"ada.yaml"}


def test_two_npcs_may_share_a_name(edit):
    world = load_world(edit("npcs/bo.yaml", "name: Bo", "name: Ada"))
    assert world.names == {"ada": "Ada", "bo": "Ada"}


@pytest.mark.parametrize("id", ["Élise", "Довакин", "勇者", "o'brien", "a.b c"])
def test_ids_of_any_script(make_pack, id):
    text = NPC.format(id=id)
    world = load_world(make_pack({f"npcs/{id}.yaml": text}))
    assert world.npc(id).id == id


def only(root):
    problems = check_world(root)
    assert len(problems) == 1, [str(problem) for problem in problems]
    return problems[0]


def shown(root, file, line):
    return f"{Path(file).relative_to(root).as_posix()}:{line}"
