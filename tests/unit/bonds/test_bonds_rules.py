"""The rules and the words are those of the page; a debt is owed to who lends and is never overpaid."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from npc_memory.bonds.rules import RULES, debt_step
from npc_memory.bonds.words import CLEAR, STRONG, sentences
from npc_memory.memory.relationships import BOUNDS, KINDS, folded, moved
from npc_memory.memory.triples import FUNCTIONAL, relation_words

PAGE = (Path(__file__).parents[3] / "docs" / "relationships.md").read_text(encoding="utf-8")


def moves(cell):
    return {kind: int(by) for kind, by in re.findall(r"(\w+) ([+-]\d+)", cell)}


def test_the_page_has_the_rules():
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \| ([^|]*)\| ([^|]*)\|$", PAGE, re.MULTILINE)
    told = {
        kind: (moves(target), moves(witness))
        for kinds, target, witness in rows
        for kind in re.findall(r"`(\w+)`", kinds)
        if kind not in KINDS
    }
    assert told == {kind: (dict(rule.target), dict(rule.witness)) for kind, rule in RULES.items()}


def test_the_page_has_the_functional_relations():
    told = re.search(r"They are\n(.*?), and those the pack", PAGE, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", told[1])) == FUNCTIONAL


def test_rules_move_within_bounds():
    for rule in RULES.values():
        for kind, by in (*rule.target.items(), *rule.witness.items()):
            assert by
            assert abs(by) <= BOUNDS[kind][1]


@pytest.mark.parametrize(
    ("value", "how", "amount", "after"),
    [
        (90, "by", 20, 100), (-90, "by", -20, -100), (5, "to", -7, -7), (5, "off", 3, 2), (5, "off", 9, 0),
        (-5, "off", 9, -5), (-5, "off", -2, -3), (-5, "off", -9, 0), (5, "off", -9, 5), (0, "off", 9, 0),
    ],
)  # fmt: skip
def test_one_step(value, how, amount, after):
    assert moved(value, "trust", how, amount) == after


def test_fear_has_no_other_side():
    assert (moved(10, "fear", "by", -50), folded([], {"trust": 5})) == (0, dict.fromkeys(KINDS, 0) | {"trust": 5})


def test_a_loan_and_its_payment_are_seen_from_both_sides():
    lender, borrower = debt_step("loan", 5, acts=True), debt_step("loan", 5, acts=False)
    assert (lender, borrower) == (("debt", "by", 5), ("debt", "by", -5))
    payer, paid = debt_step("payment", 5, acts=True), debt_step("payment", 5, acts=False)
    assert (payer, paid) == (("debt", "off", -5), ("debt", "off", 5))
    assert debt_step("gift", 5, acts=True) is debt_step("loan", 0, acts=True) is None


@pytest.mark.parametrize("kind", ["trust", "affection", "respect", "fear"])
def test_words_rise_with_the_value_and_begin_where_they_should(kind):
    def said(value):
        return sentences(dict.fromkeys(KINDS, 0) | {kind: value}, "Rolf", "silver").get(kind, "")

    low, high = BOUNDS[kind]
    assert said(0) == said(CLEAR - 1) == said(max(low, 1 - CLEAR)) == ""
    levels = [said(value) for value in range(low, high + 1)]
    assert len(set(levels)) == (5 if low else 3)
    assert said(STRONG) == said(high) != said(STRONG - 1) == said(CLEAR)
    assert all(one.count("Rolf") == 1 and one.endswith(".") for one in levels if one)


def test_a_name_with_braces_is_a_name():
    assert sentences(dict.fromkeys(KINDS, 0) | {"debt": 1}, "{} {x}", "silver") == {"debt": "{} {x} owes you 1 silver."}
    assert sentences(dict.fromkeys(KINDS, 0) | {"trust": 30}, "{}", "") == {"trust": "You trust {}."}
    assert relation_words("lives_in") == "{subject} lives in {object}."
