"""What comes to an NPC's mind at some words, for the game and for who wants to know why: ``Mind.recall``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from heapq import nsmallest
from typing import Any

from npc_memory.bonds import Asked as TripleQuery
from npc_memory.bonds import facts_known, near_triples
from npc_memory.errors import InvalidInput, TextTooLong
from npc_memory.hearing import MAX_TEXT_BYTES, Parties
from npc_memory.judging import judge_of
from npc_memory.memory import BeliefRecord, EpisodeRecord, TripleRecord, check_id
from npc_memory.memory.confidence import sureness
from npc_memory.memory.text import check_text
from npc_memory.people import Cast, names
from npc_memory.prompt import Labels
from npc_memory.prompt.age import age_words
from npc_memory.recall.graph import NEAR
from npc_memory.recalling import Known, known_beliefs, known_episodes, recalled_beliefs, recalled_episodes
from npc_memory.store import Store
from npc_memory.store.ids import seq_of
from npc_memory.world import World

__all__ = ["MOST", "Asked", "Memories", "Memory"]

MOST = 1000
"""The most memories that can be asked for at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory of an NPC. ``kind``: "episode", "belief", "triple"; ``text``: as her prompt tells it; ``score`` from 0
    to 1, as recall ranks it among those of its kind.

    ``game_time`` in minutes, ``age`` in words ("" for now). ``speaker``, ``addressee``: ids of who said or did it and
    to whom, ``place``: where; "" for none. ``why``: the parts of the score by name, each from 0 to 1 (docs/recall.md).
    ``more``: what only its kind has, plain values.
    """

    id: str
    kind: str
    text: str
    score: float
    game_time: int
    age: str
    speaker: str
    addressee: str
    place: str
    why: Mapping[str, float]
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_map(self) -> dict[str, Any]:
        """The same in plain values, ``more`` among the others."""
        found = asdict(self)
        return {**found.pop("more"), **found}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """``query``: the words; ``player``: who asks, "" for nobody; ``most``: how many memories of one kind at most;
    ``denied``: what of her beliefs canon says is not so.
    """

    world: World
    store: Store
    npc: str
    query: str
    player: str
    most: int
    cast: Cast
    labels: Labels
    called: Mapping[str, str]
    now: int
    denied: Callable[[BeliefRecord], str] = lambda record: ""


Source = Callable[[Asked], Iterable[Memory]]
"""Finds the memories of one kind, best first."""


class Memories:
    """The part of a mind that tells what comes to mind."""

    world: World
    store: Store

    def recall(self, npc: str, query: str, *, player: str = "", k: int = 10) -> tuple[Memory, ...]:
        """What comes to the mind of ``npc`` at ``query`` (at most 64 KiB): the best ``k`` (1 to 1000) of all she
        remembers, believes and knows of others on this timeline, best first, ties by id; no belief that canon denies.
        Nothing is said or stored.

        ``player``: who speaks; his namesakes are told apart from him. Raises ``UnknownId``, ``InvalidInput``,
        ``TextTooLong``.
        """
        words = _checked(query, k)
        check_id(npc, "npc")
        with self.store.reading():
            cast = Cast(self.world, self.store)
            hers = self.world.npc(cast.id_of(npc)).id
            who, called = cast.id_of(check_id(player, "player")) if player else "", names(self.world, self.store)
            asked = Asked(
                world=self.world,
                store=self.store,
                npc=hers,
                query=words,
                player=who,
                most=k,
                cast=cast,
                labels=Labels(Parties(hers, who, called)),
                called=called,
                now=self.store.game_time(),
                denied=judge_of(self.world, self.store, hers, self.store).against,
            )
            found = [one for source in SOURCES for one in source(asked)]
        return tuple(nsmallest(k, found, key=lambda one: (-one.score, one.id)))


def _checked(query: str, k: int) -> str:
    clean = check_text(query, "query")
    size = len(query.encode("utf-8", "surrogatepass"))
    if size > MAX_TEXT_BYTES:
        raise TextTooLong("query", size, MAX_TEXT_BYTES)
    if type(k) is not int or not 1 <= k <= MOST:
        raise InvalidInput(f"k cannot be {k!r}", hint=f"ask for 1 to {MOST} memories")
    return clean


def _episodes(asked: Asked) -> Iterable[Memory]:
    store, npc, cast = asked.store, asked.npc, asked.cast
    best = recalled_episodes(
        store, npc, asked.query, asked.player, cast, asked.labels, asked.called, asked.now, most=asked.most
    )
    numbers = [seq_of(one.id)[1] for one in best]
    known = known_episodes(store, npc)
    why = _why(asked, known, numbers, known.namesakes(asked.labels.player, asked.player, cast))
    records = store.episodes_at(numbers)
    for one, number in zip(best, numbers, strict=True):
        more = {"importance": records[number].importance, "event": records[number].kind, "folded": list(one.folded)}
        yield _memory("episode", one.text, one.score, records[number], asked, why[number], more)


def _beliefs(asked: Asked) -> Iterable[Memory]:
    store, npc = asked.store, asked.npc
    best = recalled_beliefs(
        store, npc, asked.query, asked.player, asked.cast, asked.called, asked.now, most=asked.most, denied=asked.denied
    )
    numbers = [seq_of(one.id)[1] for one in best]
    why = _why(asked, known_beliefs(store, npc), numbers, {})
    records = store.beliefs_at(numbers)
    for one, number in zip(best, numbers, strict=True):
        of = records[number]
        more = {"confidence": one.confidence, "word": sureness(one.confidence), "subject": of.subject}
        if of.distance:
            more["distance"] = of.distance
        yield _memory("belief", one.text, one.score, records[number], asked, why[number], more)


def _triples(asked: Asked) -> Iterable[Memory]:
    """What is near the entities that the words name; what the pack says is no memory of hers."""
    of = TripleQuery(
        npc=asked.npc,
        player=asked.player,
        query=asked.query,
        facts=facts_known(asked.world, asked.store, asked.npc),
        game_time=asked.now,
        cast=asked.cast,
        labels=asked.labels,
        called=asked.called,
    )
    for found in near_triples(asked.world, asked.store, of, asked.most):
        record, score = found.record, found.near.score
        if record is not None:
            near = NEAR[found.near.hop]
            more = {"confidence": record.confidence, "subject": record.subject, "relation": record.relation}
            more |= {"object": record.object, "hop": found.near.hop, "valid_from": record.valid_from}
            yield _memory(
                "triple", found.text, score, record, asked, {"near": near, "answer": round(score - near, 6)}, more
            )


SOURCES: tuple[Source, ...] = (_episodes, _beliefs, _triples)
"""Where memories come from; another kind is another source."""


def _why(
    asked: Asked, known: Known, numbers: Collection[int], others: Mapping[int, str]
) -> dict[int, dict[str, float]]:
    return known.index.why(asked.query, asked.now, numbers, others, known.named(asked.query, asked.cast, asked.called))


def _memory(
    kind: str,
    text: str,
    score: float,
    record: EpisodeRecord | BeliefRecord | TripleRecord,
    asked: Asked,
    why: Mapping[str, float],
    more: Mapping[str, Any],
) -> Memory:
    def then(id: str) -> str:
        return asked.cast.then(id, record.seq) if id else ""

    return Memory(
        id=record.id,
        kind=kind,
        text=text,
        score=score,
        game_time=record.game_time,
        age=age_words(asked.now - record.game_time),
        speaker=then(record.speaker),
        addressee=then(record.addressee),
        place=record.place,
        why=why,
        more=more,
    )
