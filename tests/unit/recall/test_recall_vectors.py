"""Meanings are compared in whole numbers, exactly, and never with those of another model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npc_memory.errors import EmbeddingChanged, ModelMissing
from npc_memory.recall import Index, MiniLm, Vocabulary
from npc_memory.recall.embedding import SCALE, quantised
from npc_memory.recall.vectors import Vectors

SIZE = 8
rows = st.lists(st.lists(st.integers(-127, 127), min_size=SIZE, max_size=SIZE), max_size=40)


class Letters:
    """A meaning that is known: which letters a text holds."""

    def __init__(self, name: str = "letters 1", size: int = 26) -> None:
        self.name, self.size = name, size

    def vector(self, text: str) -> np.ndarray:
        return quantised(np.array([text.count(chr(97 + at)) for at in range(self.size)], np.float32))


@settings(deadline=None)
@given(rows, st.lists(st.integers(-127, 127), min_size=SIZE, max_size=SIZE), st.data())
def test_cosines_are_those_of_integers_whatever_was_removed(held, asked, data):
    vectors = Vectors("test", SIZE)
    for row in held:
        vectors.add("test", np.array(row, np.int8))
    stays = np.array(data.draw(st.lists(st.booleans(), min_size=len(held), max_size=len(held))), np.bool_)
    vectors.keep(stays)
    left = [row for row, stay in zip(held, stays, strict=True) if stay]
    found = vectors.cosines("test", np.array(asked, np.int8)).tolist()
    assert len(vectors) == len(found) == len(left)
    for row, cosine in zip(left, found, strict=True):
        product = sum(a * b for a, b in zip(row, asked, strict=True))
        lengths = sum(a * a for a in row) * sum(b * b for b in asked)
        assert cosine == (product / np.sqrt(float(lengths)) if lengths else 0.0)


def test_the_largest_products_are_exact():
    vectors = Vectors("test", 384)
    vectors.add("test", np.full(384, 127, np.int8))
    vectors.add("test", np.full(384, -127, np.int8))
    assert vectors.cosines("test", np.full(384, 127, np.int8)).tolist() == [1.0, -1.0]


@given(st.lists(st.floats(width=32), min_size=1, max_size=SIZE))
def test_any_vector_becomes_small_integers(values):
    found = quantised(np.array(values, np.float32))
    assert found.dtype == np.int8
    assert len(found) == len(values)


def test_a_unit_vector_keeps_its_direction():
    assert quantised(np.array([0.3, 0.1, 0.0, -0.2, 0.9273618], np.float32)).tolist()[:4] == [
        round(0.3 * SCALE),
        round(0.1 * SCALE),
        0,
        round(-0.2 * SCALE),
    ]


def test_another_model_is_refused_with_the_cure():
    vectors = Vectors("old", SIZE)
    vectors.add("old", np.ones(SIZE, np.int8))
    with pytest.raises(EmbeddingChanged, match="make the vectors anew") as refused:
        vectors.cosines("new", np.ones(SIZE, np.int8))
    assert refused.value.details["embedding"] == "new"
    with pytest.raises(EmbeddingChanged):
        vectors.add("old", np.ones(SIZE + 1, np.int8))
    assert len(vectors) == 1


def test_an_index_whose_model_changed_its_size_adds_nothing():
    letters = Letters()
    index = Index(Vocabulary(), str, embedding=letters)
    index.add(0, "stone", weight=0.3, game_time=0)
    letters.size = 20
    with pytest.raises(EmbeddingChanged):
        index.add(1, "ford", weight=0.3, game_time=0)
    assert len(index) == 1


def test_a_memory_is_found_by_its_meaning():
    texts = ["the quick ford", "a jug of wine", "brr"]
    index = Index(Vocabulary(), str, embedding=Letters())
    for number, text in enumerate(texts):
        index.add(number, text, weight=0.3, game_time=0)
    assert index.best("rrrb", 0, 1)[0][1] == 2
    index.remove([2])
    assert [number for _, number in index.best("gjuu", 0, 2)] == [1, 0]


def test_without_the_extra_the_cure_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelMissing, match=r"npc-memory\[semantic\]"):
        MiniLm()


def test_near_meanings_are_near():
    try:
        model = MiniLm()
    except ModelMissing:
        pytest.skip("the extra [semantic] is not installed")
    assert model._loaded is None, "it is loaded only when a text comes"
    vectors = Vectors(model.name, model.size)
    for text in ("The innkeeper's horse ran away.", "Flour has become expensive."):
        vectors.add(model.name, model.vector(text))
    near, far = vectors.cosines(model.name, model.vector("Her mare escaped from the stable."))
    assert near > far + 0.2
    assert np.array_equal(model.vector("one"), model.vector("one"))
    assert model.vector("\ud800 and more").shape == (384,)
