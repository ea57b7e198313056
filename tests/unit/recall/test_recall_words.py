"""Terms in every script."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npc_memory.recall.words import terms


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The king's bridges burned.", ("king", "bridg", "burn")),
        ("Is he well?", ()),
        ("Königsbrücken", ("königsbrücken",)),
        ("Где похоронен король?", ("где", "похоронен", "король")),
        ("王様は死んだ", ("王様", "様は", "は死", "死ん", "んだ")),
        ("水", ("水",)),
        ("ＫＩＮＧＤＯＭ", ("kingdom",)),
        ("", ()),
        ("... 🙏 —", ()),
    ],
)
def test_terms(text: str, found: tuple[str, ...]) -> None:
    assert terms(text) == found


def test_two_forms_of_a_word_meet() -> None:
    assert terms("bridges") == terms("bridge")
    assert terms("guards") == terms("guard")
    assert terms("Aldric's") == terms("Aldric")


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200))
def test_any_text_has_terms_without_white_space(text: str) -> None:
    assert all(term and not any(c.isspace() for c in term) for term in terms(text))
    assert terms(text) == terms(text)
