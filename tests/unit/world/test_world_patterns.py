"""Contradiction patterns: what is accepted, what is refused, and that the pack's own words never fall to them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.world import check_world, load_world
from npc_memory.world.patterns import MAX_PATTERN_CHARS, PatternRefused, compile_pattern


@pytest.mark.parametrize(
    ("source", "hit"),
    [
        (r"\bking (is )?(alive|well)\b", "The KING is Well."),
        (r"bridge.{0,40}stands", "the bridge, they say, still stands"),
        (r"(?:north )?bridge(?! burned)", "north bridge"),
        (r"[^]x]\]", "a]"),
        (r"(\w{1,12} ){0,2}alive", "he is alive"),
        (r"a{2}b{,3}c", "aabc"),
        (r"\u0441наружи|王", "王"),
        (r"x.*?y", "x and y"),
    ],
)
def test_accepted(source, hit):
    assert compile_pattern(source).search(hit)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("(", "no regular expression"),
        ("[[a]", "no regular expression"),
        ("a{99999999999999999999}", "no regular expression"),
        ("", "matches empty text"),
        ("x*", "matches empty text"),
        ("(a|)", "matches empty text"),
        ("(a+)+b", "may take too long"),
        ("(a|aa)*b", "may take too long"),
        ("(?:x{,}y){,}z", "may take too long"),
        (".*a.*b.*c", "may take too long"),
        (r"\w+\s+\w+", "may take too long"),
        (r"(?=.*a.*b)c", "may take too long"),
        (r"(.{0,30}a){0,9}b", "may take too long"),
        (r"(a)\1", "refers back"),
        (r"(?P<x>a)(?P=x)", "rare kind of group"),
        (r"(a)?b(?(1)c|d)", "rare kind of group"),
        (r"(?x) a b", "rare kind of group"),
        ("a" * (MAX_PATTERN_CHARS + 1), "more than"),
    ],
)
def test_refused(source, message):
    with pytest.raises(PatternRefused) as caught:
        compile_pattern(source)
    assert message in caught.value.message
    assert caught.value.cure


@given(st.text(alphabet="ab()|[]{}*+?^$\\.,-1w <=!:P", max_size=20))
def test_any_text_is_either_a_pattern_or_refused(source):
    try:
        compiled = compile_pattern(source)
    except PatternRefused:
        return
    assert isinstance(compiled, re.Pattern)
    assert not compiled.search("")


CLASHES = [
    ("wheel turns", "is broken", "its own words 'The wheel is broken.'"),
    ("wheel turns", "flour", "the fact 'flour-stolen' 'Ada stole the flour.'"),
    ("wheel turns", "slept", "the fact 'ada-tired' 'Ada slept badly.'"),
    ("wheel turns", "good day", "the greeting of 'ada' 'Good day.'"),
    ("wheel turns", "not now", "a fallback line of 'ada' 'Not now.'"),
    ("wheel turns", "hello yourself", "the example 'hello' of 'ada' 'Hello yourself.'"),
]


@pytest.mark.parametrize(("old", "new", "what"), CLASHES)
def test_a_pattern_must_not_match_what_is_true_or_said(edit, old, new, what):
    root = edit("facts.yaml", old, new)
    problems = [p for p in check_world(root) if what in p.message]
    assert [(p.file, p.line, p.cure) for p in problems] == [
        ((root / "facts.yaml").as_posix(), 4, "narrow the pattern, or change those words")
    ]


def test_a_pattern_must_not_match_the_spoken_form(edit):
    root = edit("facts.yaml", "  text: The wheel is broken.", "  text: A.\n  spoken: No, the wheel turns no more.")
    assert "its own words" in check_world(root)[0].message


def test_a_pattern_may_match_what_cannot_hold_at_the_same_time(make_pack, edit):
    both = """\
- {id: broken, text: The wheel is broken., when: {wheel: broken}, contradicted_by: ['wheel is whole', 'it turns']}
- {id: whole, text: "Look, it turns.", when: {wheel: %s}, contradicted_by: ['wheel is broken']}
"""
    assert check_world(make_pack({"facts.yaml": both % "whole"})) == []
    assert check_world(make_pack({"facts.yaml": both % "{not: broken}"})) == []
    clash = check_world(make_pack({"facts.yaml": both % "{not: whole}"}))
    assert [p.message.split(" matches ")[1] for p in clash] == [
        "the fact 'whole' 'Look, it turns.'",
        "the fact 'broken' 'The wheel is broken.'",
        "the state 'wheel' 'The wheel is broken.'",
    ]


def test_patterns_ignore_case(make_pack):
    pattern = load_world(make_pack({})).canon["wheel-broken"].patterns[0]
    assert pattern.search("THE WHEEL TURNS")
