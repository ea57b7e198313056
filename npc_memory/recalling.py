"""What comes to her mind at a line: the best of her episodes and beliefs, found without reading them all.

What she only overheard is told as such: 'Rolf said to Marta: "…"'. An episode of somebody else who is called as the
player is, or who had the player's id before him, says so: a new hero is not the old one.

Of each NPC's memories an index is kept in the process (``recall.Index``, about 140 bytes an episode, so 50,000 take
some 7 MB). It is made when she first hears a line and grows by what has been stored since. When another timeline is
played on, what both share is taken over as it is. It is given up for others when all together would exceed
``MOST_BYTES``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import partial
from heapq import merge
from itertools import islice
from types import MappingProxyType
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from npc_memory.memory import Being, Belief, BeliefRecord, Episode, EpisodeRecord, Identities
from npc_memory.people import Cast
from npc_memory.prompt import Labels, label_text, times_words
from npc_memory.recall import Embedding, Index, Vocabulary, mentions
from npc_memory.recall.folding import fold_key
from npc_memory.store import Continued, Store
from npc_memory.store.ids import record_id

__all__ = [
    "MOST_BYTES",
    "OFFERED",
    "Known",
    "Recollections",
    "Told",
    "known_beliefs",
    "known_episodes",
    "recalled_beliefs",
    "recalled_episodes",
]

OFFERED = 32
"""How many of the best are offered; a working memory has room for a handful."""

LOOKED_AT = 8 * OFFERED
"""Of how many of the best it is asked whether they may be offered, where not all may."""

MOST_BYTES = 64 * 2**20
"""Bytes that the indexes of one owner's NPCs may take together; those not used for longest go first."""

Kind = Literal["episode", "belief"]

Told = EpisodeRecord | BeliefRecord
"""What may come to an NPC's mind."""

RecordT = TypeVar("RecordT", EpisodeRecord, BeliefRecord)

Key = tuple[Kind, tuple[Being, ...]]
"""What is remembered, and by whom: all that an NPC is and was known as."""


class Known:
    """The index of one NPC's memories of one kind. ``seen``: the last it took in; ``until_now``: up to which record it
    holds all there is, so that nothing is asked of the store while no record is newer.

    Episodes of the same opening label ("Rolf said: …") and speaker form a group, because a player's namesakes are told
    apart from him when he is the one who asks. Those with the same partner at the same place form a scene.
    """

    def __init__(self, vocabulary: Vocabulary, kind: Kind, embedding: Embedding | None) -> None:
        self._embedding = embedding
        self.index = Index(vocabulary, partial(record_id, kind), embedding=embedding)
        self.seen = 0
        self.retired = 0
        self.until_now = 0
        self._removed: list[tuple[int, int]] = []
        self._tellers: dict[str, dict[tuple[str, int], int]] = {}
        self._groups = 0
        self._people: dict[tuple[str, int], int] = {}  # an id, and the first record of him who had it
        self._scenes: dict[tuple[str, str], int] = {}

    def until(self, shared: int) -> Known:
        """What of it goes for a timeline that shares the records up to number ``shared``; this one stays as it is."""
        # What was retired later counts there. It is taken in again, and what follows it, to have all in their order.
        back = [target - 1 for number, target in self._removed if number > shared]
        last = min([shared, self.seen, *back])
        one = copy(self)
        one.index = self.index.until(last)
        one.seen, one.retired = last, min(self.retired, shared)
        one.until_now = last if back else min(self.until_now, shared)
        one._removed = [(number, target) for number, target in self._removed if number <= shared]
        one._tellers = {label: dict(tellers) for label, tellers in self._tellers.items()}
        one._people, one._scenes = dict(self._people), dict(self._scenes)
        return one

    def catch_up(self, store: Store, npc: str, newer: Iterable[EpisodeRecord | BeliefRecord], newest: int) -> None:
        """Take in the records that are ``newer``, in their order, and what has been retired since. ``newest``: the
        number of the newest record there is.
        """
        known, newer = store.identities(), list(newer)
        vectors = self._vectors(store, newer)
        for one in newer:
            weight = one.importance if isinstance(one, EpisodeRecord) else one.confidence
            partner = one.speaker if one.speaker != one.npc else one.addressee
            self.index.add(
                one.seq,
                one.text,
                weight=weight,
                game_time=one.game_time,
                group=self._group(one, known),
                person=self._person(partner, one.seq, known) if partner else 0,
                scene=self._scenes.setdefault((partner, one.place), len(self._scenes) + 1),
                fold=_fold(one, known),
                vector=vectors.get(one.seq),
            )
            self.seen = one.seq
        retired = store.retired(npc, since=self.retired)
        if retired:
            self.index.remove([target for _, target in retired])
            self.retired = retired[-1][0]
            self._removed += retired
        self.until_now = newest

    def _vectors(self, store: Store, newer: Sequence[EpisodeRecord | BeliefRecord]) -> dict[int, npt.NDArray[np.int8]]:
        """What the embedding says of them; what is not kept yet is kept from now on, if the file can be written."""
        embedding = self._embedding
        if embedding is None or not newer:
            return {}
        found = store.vectors_at([one.seq for one in newer], embedding.name)
        fresh = {one.seq: embedding.vector(one.text).tobytes() for one in newer if one.seq not in found}
        if fresh and not store.read_only:
            store.keep_vectors(embedding.name, fresh)
        return {seq: np.frombuffer(vector, np.int8) for seq, vector in {**found, **fresh}.items()}

    def namesakes(self, label: str, player: str, cast: Cast) -> dict[int, str]:
        """The groups of episodes that others than ``player`` told under his ``label``, and what is said of them."""
        tellers = self._tellers.get(label, {})
        return {
            group: f"Another ({label_text(cast.then(speaker, seq))})"
            for (speaker, seq), group in tellers.items()
            if not cast.one(speaker, seq, player)
        }

    def named(self, line: str, cast: Cast, called: Mapping[str, str]) -> set[int]:
        """The people of these memories whom ``line`` calls by the name they have now."""
        names = ((number, called.get(cast.then(id, seq), "")) for (id, seq), number in self._people.items())
        return {number for number, name in names if mentions(line, name)}

    def _person(self, id: str, seq: int, known: Identities) -> int:
        return self._people.setdefault((id, known.holder_at(id, seq) + 1), len(self._people) + 1)

    def _group(self, record: EpisodeRecord | BeliefRecord, known: Identities) -> int:
        """A number for its opening label and its speaker: his id, and the first record after he was born under it."""
        if isinstance(record, BeliefRecord) or not record.speaker or (label := opening(record.text)) is None:
            return 0
        tellers = self._tellers.setdefault(label, {})
        teller = record.speaker, known.holder_at(record.speaker, record.seq) + 1
        if teller not in tellers:
            self._groups += 1
            tellers[teller] = self._groups
        return tellers[teller]


class Recollections(Continued):
    """The indexes of one owner's NPCs on one timeline. Those of an earlier timeline are cut to what is shared when the
    NPC first hears a line on this one.
    """

    def __init__(self) -> None:
        self._vocabulary = Vocabulary()
        self._known: OrderedDict[Key, Known] = OrderedDict()
        self._before: dict[Key, tuple[Known, int]] = {}

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

    def drop(self, npc: tuple[Being, ...]) -> None:
        """Make the indexes of ``npc`` anew when they are needed next."""
        for key in [key for key in (*self._known, *self._before) if key[1] == npc]:
            self._known.pop(key, None)
            self._before.pop(key, None)

    def of(self, kind: Kind, npc: tuple[Being, ...], embedding: Embedding | None = None) -> Known:
        """The index of the memories of ``kind`` of ``npc``, all she is and was known as, as far as it has been made.
        ``embedding``: the store's.
        """
        if (kind, npc) not in self._known:
            if self._vocabulary.size > MOST_BYTES // 2:  # whose words those are is not known, so all start over
                self._known.clear()
                self._before.clear()
                self._vocabulary = Vocabulary()
            found, shared = self._before.pop((kind, npc), (None, 0))
            self._known[kind, npc] = (
                found.until(shared) if found is not None else Known(self._vocabulary, kind, embedding)
            )
        self._known.move_to_end((kind, npc))
        while len(self._known) > 1 and self.size > MOST_BYTES:
            self._known.popitem(last=False)
        return self._known[kind, npc]


def recalled_episodes(
    store: Store,
    npc: str,
    line: str,
    player: str,
    cast: Cast,
    labels: Labels,
    called: Mapping[str, str],
    game_time: int,
    told: Callable[[Told], bool] | None = None,
    most: int = OFFERED,
) -> tuple[Episode, ...]:
    """The best ``most`` episodes of ``npc`` for the ``line`` of ``player`` ("": nobody's), best first, ties by id.
    ``told``: which of them may be offered, None for all.
    """
    known = known_episodes(store, npc)
    others, named = known.namesakes(labels.player, player, cast), known.named(line, cast, called)
    # Which of several that tell the same may be told is another question for each, so then none stands for others.
    best = known.index.best(line, game_time, _looked_at(told, most), others, named, folded=told is None)
    records = store.episodes_at([number for _, number in best])
    tell = _teller(npc, player, cast, labels)
    alike = known.index.folded_with(list(records)) if told is None else {}
    found = []
    for score, one in _offered(best, records, told, most):
        folded = alike.get(one.seq, ())
        times = f" ({times_words(len(folded) + 1)})" if folded else ""
        ids = tuple(record_id("episode", number) for number in folded)
        text = f"{tell(one)}{times}"
        found.append(Episode(one.id, text, score, game_time=one.game_time, turns=one.turns, folded=ids))
    return tuple(found)


def recalled_beliefs(
    store: Store,
    npc: str,
    line: str,
    player: str,
    cast: Cast,
    called: Mapping[str, str],
    game_time: int,
    told: Callable[[Told], bool] | None = None,
    most: int = OFFERED,
    labels: Labels | None = None,
    places: Mapping[str, str] = MappingProxyType({}),
    denied: Callable[[BeliefRecord], str] = lambda record: "",
) -> tuple[Belief, ...]:
    """The best ``most`` beliefs of ``npc`` for a ``line``, best first, ties by id; none about one who had the player's
    id before him, none that is ``denied`` by what she knows. ``told`` as above; ``labels`` and ``places``: how who told
    her, and where, are called.
    """
    known = known_beliefs(store, npc)
    named = known.named(line, cast, called)

    def fits(one: BeliefRecord) -> bool:
        of_him = cast.id_of(one.subject) != player or cast.one(one.subject, one.seq, player)
        return of_him and (told is None or told(one)) and not denied(one)

    found: list[tuple[float, BeliefRecord]] = []
    for looked_at in (most, max(most, LOOKED_AT)):  # few are left out, so it is seldom worth while to look at many
        best = known.index.best(line, game_time, looked_at, named=named)
        records = store.beliefs_at([number for _, number in best])
        found = list(islice(((score, one) for score, n in best if fits(one := records[n])), most))
        if len(best) < looked_at or len(found) == most:
            break
    return tuple(_belief(one, score, cast, labels, places) for score, one in found)


def _belief(one: BeliefRecord, score: float, cast: Cast, labels: Labels | None, places: Mapping[str, str]) -> Belief:
    """``one`` as it is offered. Only what she was told has a teller: her own conclusions are hers."""
    heard = labels is not None and one.distance > 0 and one.speaker != ""
    return Belief(
        id=one.id,
        text=one.text,
        confidence=one.confidence,
        score=score,
        game_time=one.game_time,
        sentiment=one.sentiment,
        teller=labels.of(cast.then(one.speaker, one.seq)) if heard and labels is not None else "",
        place=places.get(one.place, one.place) if heard else "",
        distance=one.distance,
    )


def known_episodes(store: Store, npc: str) -> Known:
    """The index of all that ``npc`` lived through or overheard, up to date."""
    known = store.kept(Recollections).of("episode", store.identities().same(npc), _embedding(store))
    if known.until_now < (newest := store.newest_seq()):
        own, heard = store.episodes(npc, since=known.seen), store.heard_episodes(npc, since=known.seen)
        known.catch_up(store, npc, merge(own, heard, key=lambda one: one.seq), newest)
    return known


def known_beliefs(store: Store, npc: str) -> Known:
    """The index of all that ``npc`` believes, up to date."""
    known = store.kept(Recollections).of("belief", store.identities().same(npc), _embedding(store))
    if known.until_now < (newest := store.newest_seq()):
        known.catch_up(store, npc, store.beliefs(npc, since=known.seen), newest)
    return known


def _embedding(store: Store) -> Embedding | None:
    return store.embedding  # type: ignore[return-value]  # the store knows none; ``semantics`` put it there


def _looked_at(told: Callable[[Told], bool] | None, most: int) -> int:
    return most if told is None else LOOKED_AT


def _offered(
    best: list[tuple[float, int]], records: Mapping[int, RecordT], told: Callable[[Told], bool] | None, most: int
) -> list[tuple[float, RecordT]]:
    found = [(score, records[number]) for score, number in best]
    return [one for one in found if told is None or told(one[1])][:most]


def _fold(one: EpisodeRecord | BeliefRecord, known: Identities) -> int:
    """What it folds with: 0, for a belief has a way of its own to be said anew."""
    if isinstance(one, BeliefRecord):
        return 0
    people = (f"{id} {known.holder_at(id, one.seq)}" if id else "" for id in (one.npc, one.speaker, one.addressee))
    return fold_key(one.kind, people, one.text)


def opening(text: str) -> str | None:
    """The label an episode begins with ("Rolf said: …"), None when it begins otherwise. No label holds a colon."""
    before, said, _ = text.partition(": ")
    return before.removesuffix(SAID) if said and before.endswith(SAID) and ":" not in before else None


SAID = " said"


def _teller(npc: str, player: str, cast: Cast, labels: Labels) -> Callable[[EpisodeRecord], str]:
    def tell(record: EpisodeRecord) -> str:
        teller = opening(record.text)
        if not record.speaker or teller is None:
            return record.text
        said = record.text[len(teller) :]
        if cast.one(record.speaker, record.seq, player):
            teller = teller if record.speaker == player else labels.player
        elif teller == labels.player:
            teller = f"Another {teller} ({label_text(cast.then(record.speaker, record.seq))})"
        if record.addressee and cast.then(record.npc, record.seq) != npc:
            said = f"{SAID} to {labels.of(cast.then(record.addressee, record.seq))}{said[len(SAID) :]}"
        return f"{teller}{said}"

    return tell
