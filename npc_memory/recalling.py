"""What comes to her mind at a line: the best of her episodes and beliefs, found without reading them all.

Of each NPC's memories an index is kept in the process (``recall.Index``, about 120 bytes an episode, so 50,000 take
some 6 MB). It is made when she first hears a line and grows by what has been stored since. When another timeline is
played on, what both share is taken over as it is. It is given up for others when all together would exceed
``MOST_BYTES``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import partial
from typing import Literal

from npc_memory.memory import Belief, BeliefRecord, Episode, EpisodeRecord
from npc_memory.prompt import label_text
from npc_memory.recall import Index, Vocabulary
from npc_memory.store import Continued, Store
from npc_memory.store.ids import record_id

__all__ = ["MOST_BYTES", "OFFERED", "Recollections", "recalled_beliefs", "recalled_episodes"]

OFFERED = 32
"""How many of the best are offered; a working memory has room for a handful."""

MOST_BYTES = 64 * 2**20
"""Bytes that the indexes of one owner's NPCs may take together; those not used for longest go first."""

Kind = Literal["episode", "belief"]


class Known:
    """The index of one NPC's memories of one kind, and up to which record it goes.

    Episodes of the same opening label ("Rolf said: …") and speaker form a group, because a player's namesakes are told
    apart from him when he is the one who asks.
    """

    def __init__(self, vocabulary: Vocabulary, kind: Kind) -> None:
        self.index = Index(vocabulary, partial(record_id, kind))
        self.seen = 0
        self.retired = 0
        self._removed: list[tuple[int, int]] = []
        self._tellers: dict[str, dict[str, int]] = {}
        self._groups = 0

    def until(self, shared: int) -> Known:
        """What of it goes for a timeline that shares the records up to number ``shared``; this one stays as it is."""
        # What was retired later counts there. It is taken in again, and what follows it, to have all in their order.
        back = [target - 1 for number, target in self._removed if number > shared]
        last = min([shared, self.seen, *back])
        one = copy(self)
        one.index = self.index.until(last)
        one.seen, one.retired = last, min(self.retired, shared)
        one._removed = [(number, target) for number, target in self._removed if number <= shared]
        one._tellers = {label: dict(tellers) for label, tellers in self._tellers.items()}
        return one

    def catch_up(self, store: Store, npc: str, newer: Iterable[EpisodeRecord | BeliefRecord]) -> None:
        """Take in the records that are ``newer``, and what has been retired since."""
        for one in newer:
            weight = one.importance if isinstance(one, EpisodeRecord) else one.confidence
            self.index.add(one.seq, one.text, weight=weight, game_time=one.game_time, group=self._group(one))
            self.seen = one.seq
        retired = store.retired(npc, since=self.retired)
        if retired:
            self.index.remove([target for _, target in retired])
            self.retired = retired[-1][0]
            self._removed += retired

    def namesakes(self, label: str, player: str) -> dict[int, str]:
        """The groups of episodes that others than ``player`` told under his ``label``, and what is said of them."""
        tellers = self._tellers.get(label, {})
        return {group: f"Another ({label_text(speaker)})" for speaker, group in tellers.items() if speaker != player}

    def _group(self, record: EpisodeRecord | BeliefRecord) -> int:
        if isinstance(record, BeliefRecord) or not record.speaker or (label := opening(record.text)) is None:
            return 0
        tellers = self._tellers.setdefault(label, {})
        if record.speaker not in tellers:
            self._groups += 1
            tellers[record.speaker] = self._groups
        return tellers[record.speaker]


class Recollections(Continued):
    """The indexes of one owner's NPCs on one timeline. Those of an earlier timeline are cut to what is shared when the
    NPC first hears a line on this one.
    """

    def __init__(self) -> None:
        self._vocabulary = Vocabulary()
        self._known: OrderedDict[tuple[Kind, str], Known] = OrderedDict()
        self._before: dict[tuple[Kind, str], tuple[Known, int]] = {}

    def continued(self, shared: int) -> Recollections:
        """Those of a timeline that shares the records up to number ``shared``."""
        one = Recollections()
        one._vocabulary = self._vocabulary
        known = {key: (found, min(shared, last)) for key, (found, last) in self._before.items()}
        one._before = {**known, **{key: (found, shared) for key, found in self._known.items()}}
        return one

    def __len__(self) -> int:
        return len(self._known)

    @property
    def size(self) -> int:
        """About how many bytes they take."""
        return self._vocabulary.size + sum(known.index.size for known in self._known.values())

    def of(self, kind: Kind, npc: str) -> Known:
        """The index of the memories of ``kind`` of ``npc``, as far as it has been made."""
        if (kind, npc) not in self._known:
            if self._vocabulary.size > MOST_BYTES // 2:  # whose words those are is not known, so all start over
                self._known.clear()
                self._before.clear()
                self._vocabulary = Vocabulary()
            found, shared = self._before.pop((kind, npc), (None, 0))
            self._known[kind, npc] = found.until(shared) if found is not None else Known(self._vocabulary, kind)
        self._known.move_to_end((kind, npc))
        while len(self._known) > 1 and self.size > MOST_BYTES:
            self._known.popitem(last=False)
        return self._known[kind, npc]


def recalled_episodes(
    store: Store, npc: str, line: str, player: str, called: Mapping[str, str], game_time: int
) -> tuple[Episode, ...]:
    """The best episodes of ``npc`` for the ``line`` of ``player``, best first, ties by id.

    Episodes with another player of the same name say so: a new hero is not the old one.
    """
    known = store.kept(Recollections).of("episode", npc)
    known.catch_up(store, npc, store.episodes(npc, since=known.seen))
    label = label_text(called.get(player, player))
    best = known.index.best(line, game_time, OFFERED, known.namesakes(label, player))
    records = store.episodes_at([number for _, number in best])
    tell = _told_apart(label, player)
    return tuple(
        Episode(id=one.id, text=tell(one), score=score, game_time=one.game_time, turns=one.turns)
        for score, one in ((score, records[number]) for score, number in best)
    )


def recalled_beliefs(store: Store, npc: str, line: str, game_time: int) -> tuple[Belief, ...]:
    """The best beliefs of ``npc`` for a ``line``, best first, ties by id."""
    known = store.kept(Recollections).of("belief", npc)
    known.catch_up(store, npc, store.beliefs(npc, since=known.seen))
    best = known.index.best(line, game_time, OFFERED)
    records = store.beliefs_at([number for _, number in best])
    return tuple(
        Belief(id=one.id, text=one.text, confidence=one.confidence, score=score, game_time=one.game_time)
        for score, one in ((score, records[number]) for score, number in best)
    )


def opening(text: str) -> str | None:
    """The label an episode begins with ("Rolf said: …"), None when it begins otherwise. No label holds a colon."""
    before, said, _ = text.partition(": ")
    return before.removesuffix(SAID) if said and before.endswith(SAID) and ":" not in before else None


SAID = " said"


def _told_apart(label: str, player: str) -> Callable[[EpisodeRecord], str]:
    start = f"{label}{SAID}: "

    def tell(record: EpisodeRecord) -> str:
        if record.speaker in ("", player) or not record.text.startswith(start):
            return record.text
        return f"Another {label} ({label_text(record.speaker)}){SAID}: {record.text[len(start) :]}"

    return tell
