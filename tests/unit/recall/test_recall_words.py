"""Terms in every script."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npc_memory.recall.irregular import PRESENT
from npc_memory.recall.words import PART, likeness, terms


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The king's bridges burned.", ("king", "bridg", "burn")),
        ("Is he well?", ()),
        ("Königsbrücken", ("konigsbruck",)),
        ("Где похоронен король?", ("похоронен", "корол")),
        ("王様は死んだ", ("王", "様", "死", "王様", "様は", "は死", "死ん", "んだ")),
        ("水", ("水",)),
        ("왕은 죽었다", ("왕은", "죽었", "었다")),
        ("ผีเสื้อ", ("ผี", "ีเ", "เส", "สื", "ื้", "้อ")),
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


@pytest.mark.parametrize(
    "forms",
    [
        ["paint", "painted", "painting", "paints"],
        ["city", "cities"],
        ["steal", "stole", "stolen", "stealing"],
        ["come", "came", "coming"],
        ["find", "found", "finds"],
        ["eat", "ate", "eaten"],
        ["stop", "stopped", "stopping"],
        ["Brücke", "Brücken", "brücken"],
        ["Haus", "Häuser", "Häusern"],
        ["Turm", "Türme", "Türmen"],
        ["дорога", "дороги", "дорогу", "дорогой", "дорогами"],
        ["колокол", "колокола", "колоколом"],
        ["новый", "новая", "нового", "новые"],
        ["café", "cafe\u0301", "CAFE"],
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: list[str]) -> None:
    assert len({terms(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("wanted", "held", "counts"),
    [
        ("Brücke", "Königsbrücke", PART),
        ("Königsbrücken", "Brücke", PART),
        ("König", "Königsbrücke", PART),
        ("smith", "blacksmith", PART),
        ("smith", "smith", 1.0),
        ("ring", "spring", 0.0),  # too little is left of it
        ("king", "queen", 0.0),
        ("дорога", "железнодорога", PART),
    ],
)
def test_a_part_of_a_compound_counts_half(wanted: str, held: str, counts: float) -> None:
    assert likeness(terms(wanted)[0], terms(held)[0]) == counts


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200))
def test_any_text_has_terms_without_white_space(text: str) -> None:
    assert all(term and not any(c.isspace() for c in term) for term in terms(text))
    assert terms(text) == terms(text)


def test_a_past_that_is_another_word_as_often_stays_one() -> None:
    for form, verb in (("rose", "rise"), ("held", "hold"), ("saw", "see"), ("left", "leave")):
        assert terms(form) != terms(verb)
    assert all(terms(form) == terms(verb) for form, verb in PRESENT.items())
