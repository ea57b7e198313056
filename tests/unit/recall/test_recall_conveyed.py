"""Whether one who says this has told that."""

from __future__ import annotations

import pytest

from npc_memory.recall import conveys, gives_away

WOLF = "A grey wolf bit Pell at the ford."


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("Have you heard? A grey wolf has bitten… bit Pell, down at the ford!", WOLF),
        ("Pell was bit by a wolf at the ford.", WOLF),
        ("Ein Wolf hat Pell an der Furt gebissen, sagt man.", "Ein Wolf hat Pell an der Furt gebissen."),
        ("Говорят, волк укусил Пелла у брода.", "Волк укусил Пелла у брода."),
        ("狼が浅瀬でペルを噛んだそうだ。", "狼が浅瀬でペルを噛んだ。"),
        ("The mill has not burned, thank the Hearth.", "The mill has not burned."),
    ],
)
def test_it_is_told(said, content):
    assert conveys(said, content)


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("A wolf, they say.", WOLF),
        ("Did a grey wolf bite Pell at the ford? Was Pell bit at the ford by a grey wolf?", WOLF),
        ("No grey wolf bit Pell at the ford.", WOLF),
        ("The mill has burned.", "The mill has not burned."),
        ("Волк не укусил Пелла у брода.", "Волк укусил Пелла у брода."),
        ("Nice weather.", "Weather."),
        ("", WOLF),
        (WOLF, ""),
    ],
)
def test_it_is_not(said, content):
    assert not conveys(said, content)


def test_a_secret_is_given_away_by_half_of_it_however_it_is_said():
    secret = "Tamsin, the king's cupbearer, hides in the inn's kitchen."
    assert gives_away("Does Tamsin not hide in the kitchen?", secret)
    assert not gives_away("The kitchen is warm.", secret)
