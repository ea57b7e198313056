"""What a claim may look like: facts in English, entries as the engine sets them, patterns, secrets, contradictions."""

from __future__ import annotations

import doctest
import re

import pytest
from guard_kit import canon

from npc_memory.reply.guard import Claim, Contradiction, Guard, nouns, worded, words


@pytest.mark.parametrize(
    ("entry", "lie", "twin"),
    [
        ("north_gate: closed", "The north gate is open.", "The north gate is closed."),
        ("north_gate: closed", "The north gate stands open.", "The south gate stands open."),
        ("free_rooms: 0", "We have three rooms free.", "We have no rooms free."),
        ("free_rooms: 2", "There are five free rooms.", "There are two free rooms."),
        ("curfew: false", "There is a curfew.", "There is no curfew."),
        ("curfew: true", "There is no curfew.", "There is a curfew."),
        ("bridge_open: false", "The bridge is open.", "The bridge is not open."),
        ("weather: rain", "The sky is clear.", "It is raining."),
        ("forge: cold", "The forge is lit.", "The forge is cold."),
        ("power: 31", "The power is at 80.", "The power is at 31."),
    ],
)
def test_an_entry_of_key_and_value_is_read_as_words(entry: str, lie: str, twin: str) -> None:
    guard = canon(entry)
    assert guard.check(lie) is not None
    assert guard.check(twin) is None


def test_what_is_found_names_claim_rule_sentence_and_words() -> None:
    guard = canon("King Aldric is dead.")
    found = guard.check("Sit down. The king is well, love.")
    assert isinstance(found, Contradiction)
    assert found.claim.id == "fact:0"
    assert found.rule == "antonym"
    assert found.sentence == "Sit down. The king is well, love."
    assert "the king is well" in found.matched


@pytest.mark.parametrize(
    ("fact", "line", "rule"),
    [
        ("King Aldric is dead.", "The king is not dead.", "negation"),
        ("The north bridge is burned.", "The north bridge stands.", "antonym"),
        ("Brann is the smith.", "Osric is the smith.", "name"),
        ("The council of three rules the town.", "The council has five members.", "number"),
    ],
)
def test_each_rule_finds_its_own(fact: str, line: str, rule: str) -> None:
    found = canon(fact, names={"brann": "Brann", "osric": "Osric"}).check(line)
    assert found is not None
    assert found.rule == rule


def pattern_guard(source: str = r"\bpink elephants?\b") -> Guard:
    return Guard([Claim(id="fact:x", text="Nothing here.", patterns=(re.compile(source, re.IGNORECASE),))])


def test_a_pattern_stops_what_is_asserted() -> None:
    found = pattern_guard().check("I keep a pink elephant.")
    assert found is not None
    assert (found.rule, found.matched) == ("pattern", "pink elephant")


@pytest.mark.parametrize(
    "line",
    [
        "Do I keep a pink elephant?",
        "If I had a pink elephant, I would sell it.",
        "They say he keeps a pink elephant.",
        "It is a lie that he keeps a pink elephant.",
    ],
)
def test_a_pattern_leaves_alone_what_is_not(line: str) -> None:
    assert pattern_guard().check(line) is None


def test_patterns_work_in_any_language() -> None:
    guard = pattern_guard(r"\bder könig lebt\b")
    assert guard.check("Der König lebt, mein Freund.") is not None
    assert guard.check("Der König ist tot.") is None


def test_the_claim_with_a_spoken_form_is_named_first() -> None:
    plain = Claim(id="fact:a", text="The king is dead.")
    spoken = Claim(id="fact:b", text="King Aldric is dead, and everybody knows it.", spoken="He is dead.")
    found = Guard([plain, spoken]).check("The king is alive.")
    assert found is not None
    assert found.claim is spoken


def test_where_the_canon_contradicts_itself_it_stops_nobody() -> None:
    guard = canon("The crypt is open.", "The crypt is locked.")
    assert guard.check("The crypt is open.") is None
    assert guard.check("The crypt stands open.") is None
    assert guard.check("The crypt is locked up.") is None


def test_nothing_is_stopped_where_nothing_is_known() -> None:
    guard = Guard([])
    assert guard.check("The king is alive.", question="Is the king dead?") is None


@pytest.mark.parametrize("module", [nouns, words, worded])
def test_the_examples_in_docstrings_hold(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0
