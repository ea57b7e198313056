"""Whatever is said: the guard answers, answers the same, and does not mind where a text is cut."""

from __future__ import annotations

import pytest
from guard_kit import guard_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from npc_memory.reply.guard import Guard
from npc_memory.reply.sentences import sentences

WORDS = (
    "the king is not dead alive well bridge gate open shut if they say that he it no yes , . ? ! ; ' \" 's and but or"
    " Aldric Marta four silver rooms never nobody of in was will I you there who than as so"
).split()
SPOKEN = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
ANY = st.one_of(SPOKEN, st.text(max_size=200))
HOSTILE = [
    "a" * 4000,
    " " * 4000,
    '"' * 4000,
    "'" * 4000,
    "9" * 4000,
    "no, " * 1000,
    "the king is well, " * 222,
    "not " * 1000,
    "they say that " * 285,
    "king's " * 571,
    "of the king " * 333,
    "one hundred " * 333,
    "if the " * 571,
    "—" * 4000,
    "İ" * 2000,
    "\u200d\ud800"[:1] * 4000,
]


@settings(deadline=None)
@given(ANY, ANY, ANY)
@example("", "", "")
@example("Is", "Is", "Is")
@example("'s", "'s", "'s")
@example("²³ ½ ٣", "no", "how many guards?")
def test_it_never_raises_and_always_says_the_same(sentence: str, before: str, question: str) -> None:
    guard = guard_of("marta")
    first = guard.check(sentence, before=before, question=question)
    assert guard.check(sentence, before=before, question=question) == first
    if first is not None:
        assert first.sentence == sentence
        assert first.matched


@settings(deadline=None)
@given(SPOKEN)
def test_a_text_with_a_contradiction_has_a_sentence_with_one(text: str) -> None:
    """Judged whole or sentence by sentence, with what came before: the same words are let out."""
    guard = guard_of("marta")
    whole = guard.check(text)
    before, found = "", False
    for piece in sentences(text, final=True):
        found = found or guard.check(piece, before=before) is not None
        before += piece
    assert found is (whole is not None)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_judged_too(text: str) -> None:
    guard = guard_of("marta")
    for question, before in (("", ""), (text, ""), ("", text)):
        guard.check(text, before=before, question=question)


@settings(deadline=None)
@given(st.lists(ANY, max_size=5))
def test_any_claims_make_a_guard(texts: list[str]) -> None:
    from npc_memory.reply.guard import Claim

    guard = Guard([Claim(id=f"fact:{i}", text=text, spoken=text) for i, text in enumerate(texts)], own_name="Marta")
    for text in texts:
        assert guard.check(text) is None, "what the canon says is never stopped"
