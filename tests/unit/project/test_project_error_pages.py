"""Every error has a literal code, a place in the tree and a page; every page belongs to an error."""

from __future__ import annotations

import re

import pytest
from project_files import ROOT

from npc_memory import errors
from npc_memory.errors import NpcMemoryError, all_codes

PAGES = ROOT / "docs" / "errors"


def family() -> list[type[NpcMemoryError]]:
    """The base and all its descendants that live in errors.py."""
    found, todo = [], [NpcMemoryError]
    while todo:
        each = todo.pop()
        found.append(each)
        todo += each.__subclasses__()
    return [each for each in found if each.__module__.startswith("npc_memory.errors.")]


def test_pages_and_codes_are_the_same_set() -> None:
    pages = {path.stem for path in PAGES.glob("*.md")} - {"README", "index"}
    assert pages == set(all_codes())


@pytest.mark.parametrize("code", sorted(all_codes()))
def test_a_page_says_what_happened_and_what_cures_it(code: str) -> None:
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    title = text.splitlines()[0]
    assert title == f"# {code}"
    assert "**Cure.**" in text
    assert len(text.split()) >= 30, "too short to help anyone"


def test_no_two_errors_share_a_code() -> None:
    codes = [each.__dict__["code"] for each in family() if each.__dict__.get("code")]
    assert sorted(codes) == sorted(set(codes))
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", code) for code in codes)


def test_every_error_has_a_code_of_its_own() -> None:
    assert [each.__name__ for each in family() if each is not NpcMemoryError and not each.__dict__.get("code")] == []


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn = re.findall(r"[├└]── (\w+)(?:\s+([a-z_]+))?", errors.__doc__ or "")
    expected = {each.__name__ for each in family() if each is not NpcMemoryError}
    assert {name for name, _ in drawn} == expected
    shown = {name: code for name, code in drawn if code}
    assert shown == {name: getattr(errors, name).code for name in shown}


def test_every_error_is_exported() -> None:
    assert {each.__name__ for each in family()} - set(errors.__all__) == set()
