"""Who is meant and what was asked: pronouns, left-out subjects and bare answers over what was said before."""

from __future__ import annotations

import pytest
from guard_kit import canon, judged

KING = "King Aldric is dead."


@pytest.mark.parametrize(
    ("before", "lie", "twin"),
    [
        ("The king drank willow bark.", "It cured him, and he is well again.", "It did not cure him, and he is dead."),
        ("They say the king is dead.", "But he lives, I know it.", "But he lived well, I know it."),
        ("The king, you mean?", "Alive and well.", "Dead and buried."),
        ("You ask after the king.", "He will see you tomorrow.", "He would have seen you."),
        ("I saw my brother and the king.", "The king is well.", "My brother is well."),
    ],
)
def test_a_pronoun_is_read_over_what_she_said_before(before: str, lie: str, twin: str) -> None:
    guard = canon(KING)
    assert guard.check(lie, before=before) is not None
    assert guard.check(twin, before=before) is None


def test_a_pronoun_means_the_last_man_named() -> None:
    guard = canon(KING, "Brann is the smith.", names={"brann": "Brann"})
    assert guard.check("He is well.", question="How is the king?") is not None
    assert guard.check("He is well.", question="How is Brann?") is None
    assert guard.check("He is well.", question="How is the king?", before="I saw Brann today.") is None


def test_you_in_the_question_is_the_npc() -> None:
    guard = canon("Marta keeps the inn.", own_name="Marta", names={"marta": "Marta", "edda": "Edda"})
    assert guard.check("No.", question="Are you the innkeeper?") is not None
    assert guard.check("Yes.", question="Are you the innkeeper?") is None
    assert guard.check("I am the innkeeper.") is None
    other = canon("Marta keeps the inn.", own_name="Edda", names={"marta": "Marta", "edda": "Edda"})
    assert other.check("I am the innkeeper.") is not None
    assert other.check("Yes.", question="Are you the innkeeper?") is not None


@pytest.mark.parametrize("question", ["Did you hear the king is dead?", "Do you know whether the king lives?"])
def test_a_bare_answer_says_only_what_was_asked(question: str) -> None:
    guard = canon(KING)
    assert guard.check("No.", question=question) is None
    assert guard.check("Yes.", question=question) is None


def test_a_bare_answer_is_one_only_at_the_start_of_the_reply() -> None:
    guard = canon(KING)
    assert guard.check("Yes.", question="Is the king alive?") is not None
    assert guard.check("Yes.", question="Is the king alive?", before="He is dead and gone, love.") is None


def test_what_she_says_in_full_outweighs_her_yes() -> None:
    guard = canon(KING)
    assert guard.check("Yes, he is dead.", question="Is the king alive?") is None
    assert guard.check("No, he is alive.", question="Is the king dead?") is not None


def test_a_doubt_takes_the_answer_back() -> None:
    assert judged("marta", "Yes. I don't know.", question="Is the king alive?") is None


def test_the_player_s_own_lie_is_stopped_only_when_she_makes_it_hers() -> None:
    guard = canon(KING)
    question = "The king is alive."
    assert guard.check("You say the king is alive.", question=question) is None
    assert guard.check("The king is alive, you say?", question=question) is None
    assert guard.check("So he is.", question=question) is not None
