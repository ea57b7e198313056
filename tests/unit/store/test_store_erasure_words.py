"""How a name is found in what others said, and what is struck out."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from searches import examples

from npc_memory.store.erasure_words import STAND_IN, Words


@pytest.mark.parametrize(
    ("name", "text", "struck"),
    [
        ("Rolf", "Rolf stole it.", "someone stole it."),
        ("Rolf", "It was ROLF, rolf and rOlF's dog.", "It was someone, someone and someone's dog."),
        ("Rolf", "Rolfs Pferd", "someone Pferd"),
        ("Rolf", "Rolfson and Grolf ride.", "Rolfson and Grolf ride."),
        ("Rolf", "rolf_7 and Rolf-7", "someone_7 and someone-7"),
        ("Élise", unicodedata.normalize("NFD", "Ask Élise!"), "Ask someone!"),
        (unicodedata.normalize("NFD", "Élise"), "Ask Élise!", "Ask someone!"),
        ("Strauß", "STRAUSS came.", "someone came."),
        ("Довакин", "Я видел Довакина.", "Я видел someone."),
        ("勇者", "私は勇者を見た。", "私はsomeoneを見た。"),
        ("김철수", "김철수가 왔다", "someone가 왔다"),
        ("Rolf the Red", "the axe of Rolf  the Red", "the axe of someone"),
        ("Rolf the Red", "Rolf's axe", "Rolf's axe"),
        ("Rolf (7)", "Rolf (7) fell", "someone fell"),
        ("Al", "Also Al's ale", "Also someone's ale"),
        ("p1", "p1 p10 xp1 p1: p1", "someone p10 xp1 someone: someone"),
        ("...", "Well ... no", "Well ... no"),
    ],
)
def test_a_name_is_a_word_in_any_case_and_form(name: str, text: str, struck: str) -> None:
    words = Words([name])
    assert words.struck(text) == struck
    assert words.found(text) == (struck != text)
    assert not words.found(struck)


def test_a_name_that_is_somebody_elses_stays() -> None:
    words = Words(["Rolf", "p1"], ["ROLF", "p2", "p1.2"])
    assert words.names == ("p1",)
    assert words.struck("Rolf and p1 and p1.2") == "Rolf and someone and p1.2"


def test_a_longer_name_of_somebody_else_stays_whole() -> None:
    words = Words(["Rolf"], ["Rolf the Red", "Old Rolf"])
    assert (
        words.struck("Rolf the Red fought Rolf; old rolf watched.") == "Rolf the Red fought someone; old rolf watched."
    )
    assert not words.found("Rolf the Red and Old Rolf")


def test_nobody_is_named_by_no_name() -> None:
    assert Words(["", "  "]).struck("nobody  here") == "nobody  here"
    assert not Words([]).found("")


def test_plain_values_are_struck_in_texts_and_keys() -> None:
    words = Words(["Rolf"])
    value = {"Rolf": ["Rolf", 1, 0.5, None, True, {"by": "Rolf's"}]}
    assert words.struck_from(value) == {"someone": ["someone", 1, 0.5, None, True, {"by": "someone's"}]}


names = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=12)


@settings(deadline=None)
@given(names, names, st.text(max_size=30))
@example("ǅ", "ß", "ǆ SS")
@example("İ", "i", "i̇")
def test_a_struck_text_names_nobody_and_others_are_left_alone(name: str, other: str, text: str) -> None:
    words = Words([name], [other])
    struck = words.struck(f"{text} {name} {text}")
    if words.names and not Words([name]).found(STAND_IN):
        assert not words.found(struck)
    if not words.names:
        assert struck == f"{text} {name} {text}"


@settings(deadline=None, max_examples=examples(50))
@given(names, names)
def test_the_quick_look_never_misses(name: str, around: str) -> None:
    words = Words([name])
    for text in (f" {name} ", f" {name.upper()} ", f" {name.casefold()} ", f" {unicodedata.normalize('NFD', name)} "):
        if words.found(text):
            assert words.may_hold(json.dumps(f"{around}{text}", ensure_ascii=False))
