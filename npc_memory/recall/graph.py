"""From the entities a line names to what is known around them: two hops both ways, and how much each triple is worth.

Pure. The store says which triples hold and are near; here it is decided which of them count, over all of them at once,
so that the result does not depend on where they lie. Of an entity with very many, ``FAN`` in each direction are
followed, the newest first.

    worth = NEAR[hop] + ASKED · (it has a word of the line) + MORE · (the share of the line's words it has)

The names of the entities it was looked on from are no words of the line here. A word that is part of a compound counts
half.

A triple that leads to one that answers more is worth ``BRIDGE`` of that, so that both come along: "Osric lives in Ford"
is nothing to "who rules the town where Osric lives?" without "Lady Maren rules Ford", nor that without this.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from npc_memory.memory import Authority, TripleRecord
from npc_memory.recall.words import likeness, terms

__all__ = ["FAN", "HOPS", "MOST_ENTRIES", "Graph", "Near", "possible_ids"]

HOPS = 2

FAN = 12
"""Triples of one entity that are followed in each direction."""

MOST_ENTRIES = 4
"""Entities of a line from which it is looked on."""

NEAR = (0.0, 0.5, 0.3)
"""What a triple is worth by its hop, whatever the line asks."""

ASKED, MORE = 0.25, 0.2
"""What a triple is worth more that has a word of the line, and that has all of them."""

BRIDGE = 0.95
"""The part of what a triple leads to that it is worth itself."""

LONGEST_ID = 8
"""Characters of an id that is looked for within a run of a script without spaces."""

_RUN = re.compile(r"[^\W_]+(?:[_\-'’.][^\W_]+)*")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
MOST_IDS = 160
"""Ids that are looked for in a line."""


def possible_ids(line: str) -> tuple[str, ...]:
    """What in ``line`` may be an id: its words as they stand and folded, up to three in a row joined as ids are, and
    pieces of runs in scripts that put no spaces between words.
    """
    words = _RUN.findall(unicodedata.normalize("NFC", line))[:40]
    found: list[str] = []
    for word in words:
        bare = re.sub(r"['’]s?$|['’]s\b", "", word)
        found += (word, bare, bare.casefold())
    low = [re.sub(r"['’].*", "", word).casefold() for word in words]
    for size in (2, 3):
        for at in range(len(low) - size + 1):
            found += (joint.join(low[at : at + size]) for joint in ("_", "-"))
    for run in _UNSPACED.findall(line):
        found += (run[at : at + size] for size in range(LONGEST_ID, 0, -1) for at in range(len(run) - size + 1))
    return tuple(dict.fromkeys(one for one in found if one))[:MOST_IDS]


@dataclass(frozen=True, slots=True)
class Near:
    """A triple that was reached: at which hop, and what it is worth."""

    triple: TripleRecord
    hop: int
    score: float


class Graph:
    """``triples`` that hold for one NPC; ``given`` come from the world pack and are hers without a record. ``one``: the
    id to use for an id, where somebody has several. ``canon``: ids of those of ``given`` that are canonical.
    """

    def __init__(
        self,
        triples: Iterable[TripleRecord],
        given: Iterable[TripleRecord] = (),
        one: Callable[[str], str] = lambda id: id,
        canon: Collection[str] = (),
    ) -> None:
        self._one, self._canon = one, frozenset(canon)
        self._stored, self._given = tuple(triples), tuple(given)

    @cached_property
    def _sides(self) -> dict[tuple[str, bool], list[TripleRecord]]:
        """The triples of an entity by direction (True: it is the subject), newest first, those of the pack last."""
        found: dict[tuple[str, bool], list[TripleRecord]] = {}
        for part in (sorted(self._stored, key=lambda one: -one.seq), sorted(self._given, key=lambda one: one.id)):
            counted: dict[tuple[str, bool], int] = {}
            for triple in part:
                for side in ((self._one(triple.subject), True), (self._one(triple.object), False)):
                    counted[side] = counted.get(side, 0) + 1
                    if counted[side] <= FAN:
                        found.setdefault(side, []).append(triple)
        return found

    def reached(self, entries: Sequence[str], hops: int = HOPS) -> dict[str, tuple[TripleRecord, int]]:
        """The triples within ``hops`` of ``entries``, by id, and at which hop each is reached first. What the canon
        contradicts is left out, and nothing is reached by it; of two that say the same only one is there.
        """
        found: dict[str, tuple[TripleRecord, int]] = {}
        front = dict.fromkeys(self._one(id) for id in entries)
        seen = dict(front)
        for hop in range(1, hops + 1):
            after: dict[str, None] = {}
            for node in front:
                for triple in self._around(node):
                    found.setdefault(triple.id, (triple, hop))
                    after |= dict.fromkeys((self._one(triple.subject), self._one(triple.object)))
            front = {node: None for node in after if node not in seen}
            seen |= front
        return found

    def near(
        self, line: str, entries: Sequence[str], words: Callable[[TripleRecord], str], names: Callable[[str], str]
    ) -> tuple[Near, ...]:
        """What was reached, worthiest first, ties by id. ``words``: how a triple is said; ``names``: an entity."""
        reached = self.reached(entries)
        asked = set(terms(line))
        for id in entries:
            asked -= set(terms(names(self._one(id))))
        own = {id: NEAR[hop] + _answer(asked, set(terms(words(one)))) for id, (one, hop) in reached.items()}
        worth = {id: max(own[id], self._bridged(id, reached, own)) for id in reached}
        found = [Near(one, hop, round(worth[id], 6)) for id, (one, hop) in reached.items()]
        return tuple(sorted(found, key=lambda one: (-one.score, one.triple.id)))

    def _bridged(self, id: str, reached: Mapping[str, tuple[TripleRecord, int]], own: Mapping[str, float]) -> float:
        """What the best is worth that is reached over this one."""
        triple, hop = reached[id]
        ends = (self._one(triple.subject), self._one(triple.object))
        beyond = (
            other for end in ends for other in self._around(end) if reached.get(other.id, (None, 0))[1] == hop + 1
        )
        return BRIDGE * max((own[other.id] for other in beyond), default=0.0)

    def _around(self, node: str) -> tuple[TripleRecord, ...]:
        both = {one.id: one for side in (True, False) for one in self._sides.get((node, side), ())}
        return tuple(one for one in both.values() if one.id in self._settled)

    @cached_property
    def _settled(self) -> frozenset[str]:
        """The ids of those that count: one for each thing that is said, and none that the pack contradicts. The canon
        stands above all, what the pack says of the beginning above what is only inferred.
        """
        first: dict[tuple[str, str, str], TripleRecord] = {}
        for triple in sorted((*self._stored, *self._given), key=self._rank):
            what = self._what(triple)
            canon, began = self._said[0].get(what[:2]), self._said[1].get(what[:2])
            inferred = triple.seq and triple.authority < Authority.GAME
            if triple.id not in self._canon and canon is not None and what[2] not in canon:
                continue
            if inferred and began is not None and what[2] not in began:
                continue
            first.setdefault(what, triple)
        return frozenset(one.id for one in first.values())

    @cached_property
    def _said(self) -> tuple[dict[tuple[str, str], set[str]], dict[tuple[str, str], set[str]]]:
        """The objects that the canon, and the pack's beginning, have for a subject and a relation with one object."""
        found: tuple[dict[tuple[str, str], set[str]], dict[tuple[str, str], set[str]]] = ({}, {})
        for triple in self._given:
            if triple.functional:
                *what, object = self._what(triple)
                found[triple.id not in self._canon].setdefault((what[0], what[1]), set()).add(object)
        return found

    def _what(self, triple: TripleRecord) -> tuple[str, str, str]:
        return self._one(triple.subject), triple.relation, self._one(triple.object)

    def _rank(self, triple: TripleRecord) -> tuple[bool, int, int, str]:
        return triple.id not in self._canon, -int(triple.authority), -triple.seq, triple.id


def _answer(asked: set[str], held: set[str]) -> float:
    """How much having the words ``held`` answers a line of the words ``asked``."""
    if not asked:
        return 0.0
    found = [max((likeness(one, other) for other in sorted(held)), default=0.0) for one in sorted(asked)]
    return ASKED * max(found) + MORE * sum(found) / len(asked)
