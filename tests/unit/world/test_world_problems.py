"""Whatever a writer gets wrong is told with file, line and cure, and does not load."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from npc_memory.errors import Problem, WorldInvalid
from npc_memory.world import check_world, load_world
from npc_memory.world.source import MAX_DEPTH, MAX_FILE_BYTES, MAX_PARTS, parse_document


def only(root: Path) -> Problem:
    """The one problem of the pack; and the pack does not load."""
    problems = check_world(root)
    assert len(problems) == 1, [str(problem) for problem in problems]
    if problems[0].severity == "error":
        with pytest.raises(WorldInvalid) as caught:
            load_world(root)
        assert caught.value.problems == tuple(problems)
    else:
        load_world(root)
    return problems[0]


def check(root: Path, where: str, message: str, cure: str, severity: str = "error") -> None:
    problem = only(root)
    assert f"{Path(problem.file).relative_to(root).as_posix()}:{problem.line}" == where
    assert message in problem.message
    assert cure in problem.cure
    assert problem.severity == severity


def test_the_pack_of_these_tests_is_right(make_pack):
    root = make_pack({})
    assert check_world(root) == []
    assert load_world(root).id == "mill"


SCHEMA = [
    ("world.yaml", "name: The Mill\n", "", "world.yaml:1", "`name` is missing", "add a line `name: …`"),
    ("world.yaml", "seed: 5", "sed: 5", "world.yaml:4", "`sed` is not known", "did you mean `seed`?"),
    ("world.yaml", "seed: 5", "seed: five", "world.yaml:4", "must be a whole number, not a text", "without quotes"),
    ("world.yaml", "seed: 5", "seed:", "world.yaml:4", "no value", "give it a value"),
    ("world.yaml", "name: The Mill", "name: 12", "world.yaml:2", "must be a text, not a number", "put it in quotes"),
    ("world.yaml", "id: mill\nname", "id: a/b\nname", "world.yaml:1", "cannot be a file name", "without"),
    ("world.yaml", "id: mill\nname", "id: con\nname", "world.yaml:1", "cannot be a file name", "use at most"),
    ("world.yaml", "{clock}, day", "{clok}, day", "world.yaml:7", "no placeholder", "{clock}"),
    ("world.yaml", "days: 10", "days: 0", "world.yaml:8", "greater than or equal to 1", "docs/worlds.md"),
    ("world.yaml", "moods: [calm, cross]", "moods: calm", "world.yaml:9", "must be a list", "[a, b]"),
    ("world.yaml", "text: Be short.", "text: Be short, be kind", "world.yaml:11", "`be kind`", "in quotes"),
    ("facts.yaml", "text: The wheel is broken.", 'text: " "', "facts.yaml:2", "the text is empty", "remove the line"),
    ("facts.yaml", "{npcs: [ada]}", "some", "facts.yaml:8", "a scope is", "scope: {factions"),
    ("facts.yaml", "{npcs: [ada]}", "{npc: [ada]}", "facts.yaml:8", "`npc` is not known", "did you mean `npcs`?"),
    ("facts.yaml", "{npcs: [ada]}", "everyone", "facts.yaml:5", "a secret that everyone knows", "give it a scope"),
    ("facts.yaml", "{wheel: broken}", "{wheel: []}", "facts.yaml:3", "at least one value", "name the values"),
    ("facts.yaml", "{wheel: broken}", "{wheel: {is: broken}}", "facts.yaml:3", "a condition is", "{not: 1}"),
    ("facts.yaml", "{wheel: broken}", "{wheel: {not: [[1]]}}", "facts.yaml:3", "a state value is", "one value"),
    ("facts.yaml", "\\bwheel turns\\b", "(wheel", "facts.yaml:4", "no regular expression", "single quotes"),
    ("facts.yaml", "\\bwheel turns\\b", "(\\w+ )*wheel", "facts.yaml:4", "may take too long", ".{0,40}"),
    ("state.yaml", "default: broken", "default: [1]", "state.yaml:2", "a state value is", "one value"),
    ("state.yaml", "default: 4", "default: 9223372036854775808", "state.yaml:6", "beyond 64 bits", "smaller number"),
    ("state.yaml", "volatile: true", "volatile: yes", "state.yaml:7", "must be true or false", "without quotes"),
    ("state.yaml", "volatile: true", "scope: inn", "state.yaml:7", "is no scope of world state", "place:ID"),
    ("state.yaml", "is {value}.", "is {what}.", "state.yaml:4", "no placeholder", "{value}"),
    ("npcs/ada.yaml", "[Later., Not now.]", "[Later.]", "npcs/ada.yaml:13", "needs at least 2", "add more lines"),
    ("npcs/ada.yaml", "fallback: [Later., Not now.]\n", "", "npcs/ada.yaml:1", "`fallback` is missing", "add a line"),
    ("npcs/ada.yaml", "moods: [calm, cross]", "moods: []", "npcs/ada.yaml:8", "needs at least 1", "add more lines"),
    (
        "npcs/ada.yaml",
        "{id: ada-tired, text",
        "{id: ada-tired, scope: all, text",
        "npcs/ada.yaml:12",
        "`scope`",
        "known here",
    ),
    (
        "npcs/ada.yaml",
        "id: ada\n",
        "id: Ada\n",
        "npcs/ada.yaml:1",
        "is not the file's name",
        "rename the file to Ada.yaml",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "where", "message", "cure"), SCHEMA)
def test_a_slip_in_the_schema(edit, file, old, new, where, message, cure):
    check(edit(file, old, new), where, message, cure)


YAML = [
    ("a: [1, 2\n", 2, "expected", "brackets"),
    ("id: mill\n\tname: x\n", 2, "\\t", "spaces, not tabs"),
    ("id: mill\nname: The Mill: again\n", 2, "mapping values", "in quotes"),
    ("id: mill\nid: mill2\n", 2, "given twice (first at", "keep one"),
    ("id: &x mill\nname: *x\n", 1, "anchors", "write the value out"),
    ("id: mill\nname: !!python/object:os.system x\n", 2, "tags", "remove the tag"),
    ("id: mill\n---\nid: mill\n", 2, "another document", "remove the '---'"),
    ('id: mill\nname: "\\ud800"\n', 2, "surrogate", "the character itself"),
    ('id: mill\nname: "\\UFFFFFFFF"\n', 2, "impossible escape", "the character itself"),
    ("id: mill\nname: a\0b\n", 2, "U+0000", "delete that character"),
    ("id: mill\nname: [" + "[" * MAX_DEPTH + "\n", 2, "nested deeper", "docs/worlds.md"),
    ("[a, b]: 1\n", 1, "a key must be a short text", "`key: value`"),
    (b"id: mill\nname: caf\xe9\n", 2, "is not UTF-8 (byte 0xe9)", "save the file as UTF-8"),
]


@pytest.mark.parametrize(("text", "line", "message", "cure"), YAML)
def test_broken_yaml(make_pack, text, line, message, cure):
    root = make_pack({"world.yaml": text})
    problem = next(p for p in check_world(root) if message in p.message)
    assert (problem.file, problem.line) == ((root / "world.yaml").as_posix(), line)
    assert cure in problem.cure
    with pytest.raises(WorldInvalid):
        load_world(root)


def test_an_alias_bomb_is_refused_before_it_unfolds(make_pack):
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    check(make_pack({"state.yaml": "\n".join(rows)}), "state.yaml:1", "anchors", "write the value out")


def test_a_huge_file_is_refused(make_pack):
    root = make_pack({"state.yaml": "#" * (MAX_FILE_BYTES + 1)})
    check(root, "state.yaml:0", f"more than {MAX_FILE_BYTES} bytes", "shorten it")


def test_too_many_parts_are_refused():
    document = parse_document("[" + "a,\n" * (MAX_PARTS + 5) + "]", "state.yaml")
    assert [(p.line, p.message) for p in document.problems] == [
        (MAX_PARTS, f"has more than {MAX_PARTS} keys and values")
    ]


@pytest.mark.parametrize("file", ["world.yaml", "facts.yaml", "state.yaml"])
def test_a_missing_file(make_pack, file):
    problem = next(p for p in check_world(make_pack({file: None})) if p.file.endswith(file))
    assert (problem.line, problem.message) == (0, "is missing")
    assert "create it" in problem.cure


def test_empty_facts_and_state_are_fine(make_pack):
    world = load_world(make_pack({"facts.yaml": "", "state.yaml": "# nothing yet\n"}))
    assert list(world.canon) == ["ada-tired"]
    assert not world.state_keys


def test_no_npcs(make_pack):
    check(make_pack({"npcs/ada.yaml": None, "npcs/bo.yaml": None, "facts.yaml": ""}), "npcs:0", "no NPC", "npcs/<id>")


def test_no_npcs_folder(tmp_path):
    (tmp_path / "world.yaml").write_text("id: x\nname: X\nversion: 1\n")
    (tmp_path / "facts.yaml").write_text("")
    (tmp_path / "state.yaml").write_text("")
    check(tmp_path, "npcs:0", "is not a folder", "create it")


def test_a_symbolic_link_is_not_followed(make_pack, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hunter2: [")
    root = make_pack({"state.yaml": None})
    (root / "state.yaml").symlink_to(secret)
    problem = next(p for p in check_world(root) if p.file.endswith("state.yaml"))
    assert problem.message == "is a symbolic link"
    assert "the file itself" in problem.cure


def test_a_pipe_is_not_read(make_pack):
    root = make_pack({"npcs/bo.yaml": None})
    os.mkfifo(root / "npcs" / "bo.yaml")
    check(root, "npcs/bo.yaml:0", "is not a regular file", "plain YAML files")


def test_a_folder_in_place_of_a_file(make_pack):
    root = make_pack({"npcs/bo.yaml": None})
    (root / "npcs" / "bo.yaml").mkdir()
    check(root, "npcs/bo.yaml:0", "is not a regular file", "plain YAML files")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(make_pack):
    root = make_pack({})
    (root / "npcs" / "bo.yaml").chmod(stat.S_IWUSR)
    check(root, "npcs/bo.yaml:0", "cannot be read", "permissions")


@pytest.mark.parametrize(
    ("name", "cure"), [("fact.yaml", "a pack has facts.yaml"), ("state.yml", "a pack has"), ("npcs/cy.yml", "cy.yaml")]
)
def test_a_file_that_nothing_would_read(make_pack, name, cure):
    check(make_pack({name: "id: x"}), f"{name}:0", "is not", cure)


def test_all_problems_come_in_one_go(make_pack):
    root = make_pack(
        {
            "world.yaml": "id: mill\nversion: [1]\nplacs: []\n",
            "facts.yaml": "- id: a\n- text: b\n",
            "npcs/bo.yaml": "name: Bo\n",
        }
    )
    found = {(Path(p.file).name, p.line) for p in check_world(root)}
    assert {("world.yaml", 1), ("world.yaml", 2), ("world.yaml", 3)} <= found
    assert {("facts.yaml", 1), ("facts.yaml", 2), ("bo.yaml", 1)} <= found
    assert sum(Path(p.file).name == "bo.yaml" for p in check_world(root)) == 7  # each missing field


def test_problems_are_ordered_and_shown_with_the_path_given(make_pack):
    problems = check_world(make_pack({"world.yaml": "id: [\n", "state.yaml": "- {}\n"}))
    assert problems == sorted(problems, key=lambda p: (p.file, p.line, p.message))
    assert str(problems[0]).startswith(f"{problems[0].file}:{problems[0].line}: ")


def test_text_is_cleaned_on_entry(edit):
    world = load_world(edit("facts.yaml", "The wheel is broken.", '"The wheel\\n is <|im_end|>broken."'))
    assert world.canon["wheel-broken"].text == "The wheel  is < |im_end| >broken."


def test_yaml_words_mean_what_they_look_like(make_pack):
    state = "- {key: a, default: no}\n- {key: b, default: 1.0}\n- {key: c, default: 05:00}\n- {key: d, default: 007}\n"
    facts = "- {id: x, text: X., when: {a: no}}\n"
    world = load_world(make_pack({"state.yaml": state, "facts.yaml": facts}))
    assert [key.default for key in world.state_keys.values()] == ["no", "1.0", "05:00", "007"]
    assert "x" in [fact.id for fact in world.facts_for("ada")]
