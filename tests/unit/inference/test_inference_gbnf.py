"""Grammars the native parser must not be given, told from those it may."""

from __future__ import annotations

import pytest

from npc_memory.errors import RequestInvalid
from npc_memory.inference.grammar import check_grammar


@pytest.mark.parametrize(
    "grammar",
    ["", " \n", "root ::= \0", 'root ::= "a"{2,1}', 'root ::= "a"{1,999999999}', 'root ::= "a"{3000}', 'root ::= "a"{}',
     'root ::= "a"{-1}', 'root ::= "a"{1', 'root ::= ("a"', 'root ::= "a")', "root ::= " + "(" * 99 + '"a"' + ")" * 99],
)  # fmt: skip
def test_refused(grammar: str) -> None:
    with pytest.raises(RequestInvalid):
        check_grammar(grammar)


@pytest.mark.parametrize(
    "grammar",
    ['root ::= "a"{2} "b"{1,} "c"{0,2000} "d"{ 1 , 2 }', 'root ::= "{9,1}" [{}()] "(" # {9,1} (',
     r'root ::= [^"\\\x00-\x1f]{1,40} "\"{" [\]{]', 'root ::= ("a" ("b" | "c")*)+'],
)  # fmt: skip
def test_left_to_the_parser(grammar: str) -> None:
    check_grammar(grammar)
