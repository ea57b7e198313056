"""The memories of one NPC, ready to be searched: what scoring needs to know of them, in a few arrays.

A search costs a handful of passes over those arrays, and Python looks only at the few memories that are offered. What
is added up is added up in a fixed order, so the same memories give the same scores to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from npc_memory.recall.column import Column
from npc_memory.recall.embedding import Embedding
from npc_memory.recall.fulltext import WEIGHTS, FullText, Weights, over_best
from npc_memory.recall.kinds import kinds_of
from npc_memory.recall.neighbours import Neighbours
from npc_memory.recall.postings import Postings
from npc_memory.recall.scoring import DAY, FORMULAS, OLDEST, Formula, Signals
from npc_memory.recall.vectors import Vectors, windowed
from npc_memory.recall.vocabulary import Vocabulary
from npc_memory.recall.words import fresh_terms

__all__ = ["Index"]

EXACT = 2**62
"""Times between minus this and this can be subtracted from each other as int64."""

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Index:
    """Memories under numbers that rise. ``id_of``: the id behind a number; equal scores are ordered by it.

    ``formula``: what scores them, one of ``recall.scoring``; ``weights``: those of the parts of relevance.
    ``embedding``: what tells how near meanings are, None to go by words alone; it is asked once for each memory added.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        id_of: Callable[[int], str],
        formula: Formula = FORMULAS["blend"],
        weights: Weights = WEIGHTS,
        embedding: Embedding | None = None,
    ) -> None:
        self._id_of, self._formula, self._text_weights = id_of, formula, weights
        self._postings = Postings(vocabulary)
        self._embedding = embedding
        self._vectors = Vectors(embedding.name, embedding.size) if embedding else None
        self._numbers = Column(np.int64)
        self._times = Column(np.int64)
        self._weights = Column(np.float64)
        self._groups = Column(np.uint32)
        self._people = Column(np.uint32)
        self._scenes = Column(np.uint32)
        self._folds = Column(np.uint64)
        self._newest_of_fold = Column(np.bool_)
        self._neighbours = Neighbours()
        self._oldest, self._newest = 0, 0  # game times; bounds that hold for what was removed as well
        self._last_id, self._by_id = "", True

    def __len__(self) -> int:
        return len(self._numbers.view)

    @property
    def size(self) -> int:
        """How many bytes it takes, the vocabulary aside."""
        of_vectors = self._vectors.size if self._vectors else 0
        columns = sum(column.size for column in (*self._of_memories(), self._folds, self._newest_of_fold))
        return self._postings.size + columns + self._neighbours.size + of_vectors

    def add(
        self,
        number: int,
        text: str,
        *,
        weight: float,
        game_time: int,
        group: int = 0,
        person: int = 0,
        scene: int = 0,
        fold: int = 0,
        vector: npt.NDArray[np.int8] | None = None,
    ) -> None:
        """Add a memory. ``weight``: its importance or confidence; ``game_time`` in minutes (int64).

        ``group``: memories of one group may be given more words for one search; ``person``: whom it is about, who may
        be named in a search; ``scene``: those of one scene that are close in time belong together; ``fold``: those of
        one fold tell the same, and the newest stands for all of them. 0 is none of these. ``vector``: what the
        embedding said of ``text``, if that is known.
        """
        if self._embedding and self._vectors is not None:  # first: it may fail, and then nothing was added
            self._vectors.add(self._embedding.name, self._embedding.vector(text) if vector is None else vector)
        terms = fresh_terms(text)
        self._postings.add(terms, kinds_of(terms))
        self._numbers.append(number)
        self._times.append(game_time)
        self._weights.append(min(1.0, max(0.0, weight)))
        self._groups.append(group)
        self._people.append(person)
        self._scenes.append(scene)
        if fold:
            self._newest_of_fold.view[self._folds.view == fold] = False
        self._folds.append(fold)
        self._newest_of_fold.append(True)
        self._neighbours.add(scene, game_time)
        self._oldest, self._newest = min(self._oldest, game_time), max(self._newest, game_time)
        id = self._id_of(number)
        self._by_id = self._by_id and id > self._last_id
        self._last_id = id

    def remove(self, numbers: Collection[int]) -> None:
        """Remove the memories of these numbers; one that is not here is no error."""
        stays = ~np.isin(self._numbers.view, np.fromiter(numbers, np.int64))
        if stays.all():
            return
        self._postings.keep(stays)
        if self._vectors is not None:
            self._vectors.keep(stays)
        for column in self._of_memories():
            column.keep(stays)
        self._folds.keep(stays)
        self._newest_of_fold = _newest(self._folds.view)
        self._neighbours = Neighbours.of(self._scenes.view, self._times.view)

    def until(self, number: int) -> Index:
        """An index of its own with the memories up to ``number``."""
        one = copy(self)
        count = int(np.searchsorted(self._numbers.view, number, side="right"))
        for name in ("_postings", "_numbers", "_times", "_weights", "_groups", "_people", "_scenes", "_folds"):
            setattr(one, name, getattr(self, name).first(count))
        one._vectors = self._vectors.first(count) if self._vectors is not None else None
        whole = count == len(self)
        one._newest_of_fold = _flags(self._newest_of_fold.view) if whole else _newest(one._folds.view)
        one._neighbours = self._neighbours.copy() if whole else Neighbours.of(one._scenes.view, one._times.view)
        one._last_id = self._id_of(int(self._numbers.view[count - 1])) if count else ""
        return one

    def best(
        self,
        query: str,
        game_time: int,
        most: int,
        more: Mapping[int, str] | None = None,
        named: Collection[int] = (),
        *,
        folded: bool = False,
    ) -> list[tuple[float, int]]:
        """Scores and numbers of the best ``most`` memories for ``query`` at ``game_time``: best first, ties by id.

        ``more``: by group, words that its memories hold for this search on top of their own. ``named``: the people
        whom the query names. ``folded``: of those that tell the same only the newest.
        """
        if not len(self):
            return []
        relevance = self.relevance(query, more, named)
        signals = Signals(relevance, self._weights.view, self._ages(game_time), np.ones(len(self), np.int64))
        scores = self._formula(signals)
        if not folded or self._newest_of_fold.view.all():
            return self._first(scores, most)
        # Below any score, and few enough are asked for that none of these is reached.
        left = int(self._newest_of_fold.view.sum())
        return self._first(np.where(self._newest_of_fold.view, scores, -1.0), min(most, left))

    def held(self) -> dict[int, int]:
        """How many terms it holds of each memory, by number."""
        return dict(zip(self._numbers.view.tolist(), self._postings.sizes.tolist(), strict=True))

    def folded_with(self, numbers: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """For each of these memories that is not the only one to tell what it does, the numbers of the others, oldest
        first.
        """
        newest, folds = self._newest_of_fold.view, self._folds.view
        several = set(folds[~newest].tolist()) if not newest.all() else set()
        if not several:
            return {}
        at = np.searchsorted(self._numbers.view, np.array(numbers, np.int64))
        here = ((number, int(folds[i])) for number, i in zip(numbers, at.tolist(), strict=True) if i < len(folds))
        alike = {number: self._numbers.view[folds == fold].tolist() for number, fold in here if fold in several}
        return {number: tuple(one for one in same if one != number) for number, same in alike.items() if number in same}

    def why(
        self,
        query: str,
        game_time: int,
        numbers: Collection[int],
        more: Mapping[int, str] | None = None,
        named: Collection[int] = (),
    ) -> dict[int, dict[str, float]]:
        """What the scores of these memories are made of, by number, each part from 0 to 1 and rounded to 1e-6:
        ``relevance``, ``importance``, ``recency`` (as ``blend`` counts it), and what the relevance is made of:
        ``words``, ``window``, ``named``, and with an embedding ``meaning``.
        """
        at = np.flatnonzero(np.isin(self._numbers.view, np.fromiter(numbers, np.int64)))
        if not len(at):
            return {}
        words, window, about = self.text.parts(query, self._text_weights, more or {}, named)
        parts = {"relevance": self.relevance(query, more, named), "importance": self._weights.view}
        parts |= {"recency": 1 / (1 + self._ages(game_time) / DAY), "words": words, "window": window, "named": about}
        meaning = self.cosines(query)
        if meaning is not None:
            parts["meaning"] = np.maximum(windowed(meaning, self.neighbours), 0)
        rows = {name: values[at].tolist() for name, values in parts.items()}
        found = self._numbers.view[at].tolist()
        return {n: {name: round(row[i], 6) for name, row in rows.items()} for i, n in enumerate(found)}

    def relevance(self, query: str, more: Mapping[int, str] | None = None, named: Collection[int] = ()) -> Floats:
        """How well each memory fits ``query``, in the order they were added: 0 to 1."""
        words = self.text.relevance(query, self._text_weights, more or {}, named)
        meaning = self.cosines(query)
        if meaning is None:
            return words
        return over_best(words + self._text_weights.meaning * np.maximum(windowed(meaning, self.neighbours), 0))

    def cosines(self, query: str) -> Floats | None:
        """How near the meaning of each memory is to that of ``query``, from -1 to 1; None without an embedding.

        Raises ``EmbeddingChanged`` when the embedding is no longer the one that made the vectors.
        """
        if self._embedding is None or self._vectors is None:
            return None
        return self._vectors.cosines(self._embedding.name, self._embedding.vector(query))

    @property
    def text(self) -> FullText:
        """The words of the memories that are here now."""
        return FullText(self._postings, self._groups.view, self._people.view, self._neighbours)

    @property
    def neighbours(self) -> Neighbours:
        """Which memories belong together."""
        return self._neighbours

    def _of_memories(self) -> tuple[Column, ...]:
        return self._numbers, self._times, self._weights, self._groups, self._people, self._scenes

    def _ages(self, now: int) -> Integers:
        times = self._times.view
        if max(abs(now), abs(self._oldest), abs(self._newest)) > EXACT:
            return np.array([min(max(0, now - time), OLDEST) for time in times.tolist()], np.int64)
        ages: Integers = np.clip(now - times, 0, OLDEST)
        return ages

    def _first(self, blended: Floats, most: int) -> list[tuple[float, int]]:
        """The best ``most`` after quantising to 1e-6. Few need rounding: it keeps the order, up to ties."""
        if most <= 0:
            return []
        if most >= len(blended):
            return self._in_order((round(value, 6), at) for at, value in enumerate(blended.tolist()))[:most]
        last = np.partition(blended, len(blended) - most)[len(blended) - most]
        limit = round(float(last), 6)
        above = np.flatnonzero(blended > last)  # fewer than ``most``
        chosen = [(round(value, 6), at) for at, value in zip(above.tolist(), blended[above].tolist(), strict=True)]
        ties = [at for score, at in chosen if score == limit]
        chosen = [one for one in chosen if one[0] > limit]
        near = np.flatnonzero((blended <= last) & (blended >= limit - 0.6e-6))
        certain = blended[near] >= limit - 0.4e-6
        ties += near[certain].tolist()
        ties += [at for at in near[~certain].tolist() if round(float(blended[at]), 6) == limit]
        ties.sort(key=None if self._by_id else self._id_at)
        return self._in_order([*chosen, *((limit, at) for at in ties[: most - len(chosen)])])

    def _in_order(self, scored: Any) -> list[tuple[float, int]]:
        ordered = sorted(scored, key=lambda one: (-one[0], one[1] if self._by_id else self._id_at(one[1])))
        numbers = self._numbers.view
        return [(score, int(numbers[at])) for score, at in ordered]

    def _id_at(self, at: int) -> str:
        return self._id_of(int(self._numbers.view[at]))


def _newest(folds: npt.NDArray[np.uint64]) -> Column:
    """Which of these stand for their fold: the newest of each, and all that are in none."""
    newest = np.ones(len(folds), np.bool_)
    order = np.argsort(folds, kind="stable")
    same = (folds[order][1:] == folds[order][:-1]) & (folds[order][1:] != 0)
    newest[order[:-1][same]] = False
    return _flags(newest)


def _flags(values: npt.NDArray[np.bool_]) -> Column:
    """Flags of their own."""
    column = Column(np.bool_)
    column.extend(values)
    return column
