"""From the entities a line names to what is known around them: two hops both ways, and how much each triple is worth.

Pure. The store says which triples hold and are near; here it is decided which of them count, over all of them at once,
so that the result does not depend on where they lie. Of an entity with very many, ``FAN`` in each direction are
followed, the newest first.

    worth = NEAR[hop] + ASKED · (it has a word of the line) + MORE · (the share of the line's words it has)

The names of the entities it was looked on from are no words of the line here. A word that is part of a compound counts
half. A triple that leads to one that answers more is worth ``BRIDGE`` of that, so that both come along: "Osric lives in
Ford" is nothing to "who rules the town where Osric lives?" without "Lady Maren rules Ford", nor that without this.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from npc_memory.memory import Authority
from npc_memory.memory.text import MAX_ID_CHARS
from npc_memory.memory.triples import Edge
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

MOST_IDS = 160
"""Ids that are looked for in a line."""

_RUN = re.compile(r"[^\W_]+(?:[_\-'’.][^\W_]+)*")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")


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
    return tuple(dict.fromkeys(one for one in found if one and len(one) <= MAX_ID_CHARS))[:MOST_IDS]


@dataclass(frozen=True, slots=True)
class Near:
    """A triple that was reached: at which hop, and what it is worth."""

    edge: Edge
    hop: int
    score: float


class Graph:
    """``edges`` that hold for one NPC; ``given`` come from the world pack and are hers without a record (their numbers
    are below 0; those of the designer's rank are canonical). ``one``: the id to use for an id, where somebody has
    several.
    """

    def __init__(
        self, edges: Iterable[Edge], given: Iterable[Edge] = (), one: Callable[[str], str] = lambda id: id
    ) -> None:
        def led_back(edge: Edge) -> Edge:
            ends = one(edge.subject), one(edge.object)
            return edge if ends == (edge.subject, edge.object) else edge._replace(subject=ends[0], object=ends[1])

        self._edges, self._given = [led_back(edge) for edge in edges], [led_back(edge) for edge in given]
        self._one = one

    def reached(self, entries: Sequence[str], hops: int = HOPS) -> dict[int, tuple[Edge, int]]:
        """The triples within ``hops`` of ``entries``, by number, and at which hop each is reached first. What the canon
        contradicts is left out, and nothing is reached by it; of two that say the same only one is there.
        """
        found: dict[int, tuple[Edge, int]] = {}
        front = dict.fromkeys(self._one(id) for id in entries)
        seen = dict(front)
        for hop in range(1, hops + 1):
            after: dict[str, None] = {}
            for node in front:
                for edge in self._around.get(node, ()):
                    if edge.number not in found:
                        found[edge.number] = edge, hop
                        after[edge.subject] = after[edge.object] = None
            front = {node: None for node in after if node not in seen}
            seen |= front
        return found

    def near(
        self, line: str, entries: Sequence[str], words: Callable[[str], str], names: Callable[[str], str]
    ) -> tuple[Near, ...]:
        """What was reached, worthiest first, ties by number. ``words``: of a relation; ``names``: of an entity."""
        reached = self.reached(entries)
        asked = set(terms(line))
        for id in entries:
            asked -= set(terms(names(self._one(id))))
        answers = _Answers(sorted(asked))
        own = {
            number: NEAR[hop] + answers.of(words(edge.relation), names(edge.subject), names(edge.object))
            for number, (edge, hop) in reached.items()
        }
        beyond: dict[tuple[str, int], float] = {}
        for number, (edge, hop) in reached.items():
            for node in (edge.subject, edge.object):
                beyond[node, hop] = max(own[number], beyond.get((node, hop), 0.0))
        found = []
        for number, (edge, hop) in reached.items():
            led = max(beyond.get((node, hop + 1), 0.0) for node in (edge.subject, edge.object))
            found.append(Near(edge, hop, round(max(own[number], BRIDGE * led), 6)))
        return tuple(sorted(found, key=lambda one: (-one.score, one.edge.number)))

    @cached_property
    def _around(self) -> dict[str, list[Edge]]:
        """The triples of an entity: where it is the subject, then where it is the object, newest first, those of the
        pack last, and of each only so many.
        """
        sides: tuple[dict[str, list[Edge]], dict[str, list[Edge]]] = ({}, {})
        for part in (sorted(self._edges, reverse=True), sorted(self._given, reverse=True)):
            counted: tuple[dict[str, int], dict[str, int]] = ({}, {})
            for edge in part:
                for at, node in ((0, edge.subject), (1, edge.object)):
                    counted[at][node] = number = counted[at].get(node, 0) + 1
                    if number <= FAN and edge.number in self._settled:
                        sides[at].setdefault(node, []).append(edge)
        both = {node: [*edges, *sides[1].get(node, ())] for node, edges in sides[0].items()}
        return both | {node: edges for node, edges in sides[1].items() if node not in both}

    @cached_property
    def _settled(self) -> frozenset[int]:
        """The numbers of those that count: one for each thing that is said, and none that the pack contradicts. The
        canon stands above all, what the pack says of the beginning above what is only inferred.
        """
        canon, began = self._said(canon=True), self._said(canon=False)
        first: dict[tuple[str, str, str], int] = {}
        for edge in sorted((*self._edges, *self._given), key=_rank):
            subject, relation = edge.subject, edge.relation
            ruled = canon.get((subject, relation)) if edge.authority < Authority.DESIGNER else None
            if ruled is None and edge.authority < Authority.GAME:
                ruled = began.get((subject, relation))
            if ruled is None or edge.object in ruled:
                first.setdefault((subject, relation, edge.object), edge.number)
        return frozenset(first.values())

    def _said(self, *, canon: bool) -> dict[tuple[str, str], set[str]]:
        """The objects that the canon, or the pack's beginning, has for a subject and a relation with one object."""
        found: dict[tuple[str, str], set[str]] = {}
        for edge in self._given:
            if edge.functional and (edge.authority == Authority.DESIGNER) is canon:
                found.setdefault((edge.subject, edge.relation), set()).add(edge.object)
        return found


def _rank(edge: Edge) -> tuple[int, int]:
    return -edge.authority, -edge.number


class _Answers:
    """How much words answer a line of the words ``asked``. Relations and names come again and again."""

    def __init__(self, asked: Sequence[str]) -> None:
        self._asked = asked
        self._known: dict[str, tuple[float, ...]] = {}

    def of(self, *texts: str) -> float:
        """How much these texts together answer it."""
        if not self._asked:
            return 0.0
        found: list[float] = [max(part) for part in zip(*map(self._found, texts), strict=True)]
        return ASKED * max(found) + MORE * sum(found) / len(found)

    def _found(self, text: str) -> tuple[float, ...]:
        if text not in self._known:
            held = terms(text)
            self._known[text] = tuple(
                max((likeness(wanted, one) for one in held), default=0.0) for wanted in self._asked
            )
        return self._known[text]
