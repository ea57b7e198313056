"""What tells the same once more folds, and nothing that differs in a number, a name or a "not"."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.prompt import times_words
from npc_memory.recall import Index, Vocabulary, folding
from npc_memory.recall.folding import FILLERS, fold_key

SAME = [
    ("Osric stole a loaf.", "Osric stole the loaf!"),
    ("Osric stole a loaf.", "  OSRIC  stole, again, a loaf…"),
    ("Он украл хлеб.", "Он снова украл хлеб"),
    ("Er stahl das Brot.", "Er stahl wieder das Brot."),
    ("財布を盗んだ。", "財布を盗んだ"),
    ("ﬁre", "Fire"),
]
APART = [
    ("Osric stole 2 loaves.", "Osric stole 3 loaves."),
    ("Osric stole two loaves.", "Osric stole three loaves."),
    ("Osric stole one loaf.", "Osric stole a loaf."),
    ("Osric stole a loaf.", "Egil stole a loaf."),
    ("Osric hit Egil.", "Egil hit Osric."),
    ("Osric did not steal.", "Osric did steal."),
    ("I can swim.", "I can't swim."),
    ("Er kommt.", "Er kommt nicht."),
    ("Er hat Brot.", "Er hat kein Brot."),
    ("Он пришёл.", "Он не пришёл."),
    ("彼は来た。", "彼は来ない。"),
    ("你去。", "你不去。"),
    ("ขา", "ข้า"),
    ("The king is dead.", "Is the king dead?"),
    ("The king is dead.", "The king is dead?"),
    ("We use it", "we_use_it two"),
    ("Das Licht ist an.", "Das Licht ist."),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_other_dress_folds(one: str, other: str) -> None:
    assert fold_key("theft", ["osric", "marta"], one) == fold_key("theft", ["osric", "marta"], other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_differs_in_a_word_does_not(one: str, other: str) -> None:
    assert fold_key("theft", ["osric"], one) != fold_key("theft", ["osric"], other)


def test_people_their_part_in_it_and_the_kind_count() -> None:
    keys = [
        fold_key(kind, people, "It was so.")
        for kind, people in (
            ("a", ["b", "c"]),
            ("a", ["c", "b"]),
            ("a", ["bc"]),
            ("a", ["b", "c", ""]),
            ("b", ["b", "c"]),
        )
    ]
    assert len(set(keys)) == len(keys)
    assert 0 not in keys


WORDS = st.sampled_from(["king", "two", "2", "not", "egil", "王", "ข้า", "Brot", *sorted(FILLERS)[:6]])
texts = st.lists(WORDS, max_size=6)


@given(texts, texts)
def test_only_what_is_equal_without_its_fillers_folds(one: list[str], other: list[str]) -> None:
    def left(words: list[str]) -> list[str]:
        return [word.casefold() for word in words if word not in FILLERS]

    same = fold_key("k", ["p"], " ".join(one)) == fold_key("k", ["p"], ", ".join(other).upper())
    assert same == (left(one) == left(other))


@given(st.text(), st.integers(0, 9))
def test_it_is_a_number_for_any_text(text: str, n: int) -> None:
    assert 0 < fold_key("k", [], text) < 2**64


@given(st.text())
def test_letters_marks_and_numbers_make_words(text: str) -> None:
    spaced = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in text)
    assert text.translate(folding._SPACED) == spaced


def test_not_every_letter_there_is_stays_in_mind() -> None:
    every = "".join(map(chr, range(0x20, 0xD800)))
    spaced = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in every)
    assert every.translate(folding._SPACED) == spaced
    assert len(folding._SPACED) <= folding.MOST_SPACED


def index_of(*folds: int) -> Index:
    index = Index(Vocabulary(), lambda number: f"e{number:03}")
    for number, fold in enumerate(folds):
        index.add(number, "Osric stole a loaf.", weight=0.5, game_time=number, fold=fold)
    return index


@given(st.lists(st.integers(0, 4), max_size=12), st.sets(st.integers(0, 12)), st.integers(0, 12), st.integers(0, 14))
def test_the_newest_stands_for_its_fold_whatever_goes_or_is_left_behind(
    folds: list[int], gone: set[int], shared: int, most: int
) -> None:
    index = index_of(*folds)
    index.remove(gone)
    for one, numbers in ((index, range(len(folds))), (index.until(shared), range(min(shared + 1, len(folds))))):
        here = [n for n in numbers if n not in gone]
        newest = [n for n in here if not folds[n] or n == max(m for m in here if folds[m] == folds[n])]
        every = one.best("loaf", 99, len(folds))
        found = one.best("loaf", 99, most, folded=True)
        assert found == [each for each in every if each[1] in newest][:most]
        alike = {n: tuple(m for m in here if folds[n] and folds[m] == folds[n] and m != n) for n in here}
        assert one.folded_with(range(14)) == {n: others for n, others in alike.items() if others}


def test_how_often_is_told_in_words() -> None:
    assert [times_words(n) for n in (2, 3, 9, 10, 500)] == ["twice", "three times", "nine times", "often", "often"]
