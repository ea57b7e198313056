"""Which of the offered items compete for the budget, and in which order (sentences 0, 4, 5 and 6 of the design)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from npc_memory.memory import AgendaItem, Belief, Episode, Snapshot, Turn
from npc_memory.working_memory.policy import BudgetPolicy

__all__ = ["Candidates", "Exchange", "candidates", "exchanges", "ranked"]

Exchange = tuple[Turn, ...]


class Scored(Protocol):
    """Anything with an id and a score."""

    @property
    def id(self) -> str:
        """Stable id; ties are broken by it, code point by code point."""
        ...

    @property
    def score(self) -> float:
        """Higher is better."""
        ...


class Spoken(Protocol):
    """Anything one speaker said."""

    @property
    def speaker(self) -> str:
        """Stable id of who said it."""
        ...


ScoredT = TypeVar("ScoredT", bound=Scored)
SpokenT = TypeVar("SpokenT", bound=Spoken)


def ranked(items: Sequence[ScoredT]) -> list[ScoredT]:
    """Best score first. Scores are quantised to 1e-6, so that the last bits of a float decide nothing; ties by id."""
    try:
        decorated: list[tuple[float, str, ScoredT]] = [(-round(one.score * 1_000_000), one.id, one) for one in items]
    except OverflowError:  # a score so large that counting its millionths is beyond a float
        decorated = [(_quantised(-one.score), one.id, one) for one in items]
    decorated.sort()  # ids are unique, so the items themselves are never compared
    return [one for _, _, one in decorated]


def _quantised(score: float) -> float:
    scaled = score * 1_000_000
    return round(scaled) if math.isfinite(scaled) else scaled


def exchanges(dialogue: Sequence[SpokenT], npc: str) -> list[tuple[SpokenT, ...]]:
    """``dialogue`` in exchanges: one starts at each turn not by ``npc``; a leading NPC turn is one of its own."""
    found: list[list[SpokenT]] = []
    for turn in dialogue:
        answers = turn.speaker == npc and found and found[-1][0].speaker != npc
        if answers:
            found[-1].append(turn)
        else:
            found.append([turn])
    return [tuple(turns) for turns in found]


@dataclass(frozen=True, slots=True)
class Candidates:
    """What competes, best first (exchanges: newest first), and what was left out before."""

    exchanges: tuple[Exchange, ...]
    episodes: tuple[Episode, ...]
    beliefs: tuple[Belief, ...]
    agenda: tuple[AgendaItem, ...]
    capped_exchanges: tuple[Exchange, ...]
    capped_episodes: tuple[Episode, ...]
    capped_beliefs: tuple[Belief, ...]
    duplicates: tuple[Episode, ...]


def candidates(snapshot: Snapshot, policy: BudgetPolicy) -> Candidates:
    """Apply duplicates and caps to what ``snapshot`` offers."""
    everything = exchanges(snapshot.dialogue, snapshot.npc)
    cap = len(everything) if policy.max_exchanges is None else policy.max_exchanges
    cut = max(0, len(everything) - cap)
    shown = {turn.id for exchange in everything[cut:] for turn in exchange}
    episodes = ranked(snapshot.episodes)
    duplicates = tuple(one for one in episodes if one.turns and shown.issuperset(one.turns))
    gone = {one.id for one in duplicates}
    fresh = tuple(one for one in episodes if one.id not in gone) if gone else tuple(episodes)
    beliefs = tuple(ranked(snapshot.beliefs))
    agenda = (*ranked(snapshot.pinned), *ranked(snapshot.tasks), *ranked(snapshot.notes))
    n_episodes, n_beliefs = policy.max_episodes, policy.max_beliefs
    return Candidates(
        exchanges=tuple(reversed(everything[cut:])),
        episodes=fresh[:n_episodes],
        beliefs=beliefs[:n_beliefs],
        agenda=agenda,
        capped_exchanges=tuple(reversed(everything[:cut])),
        capped_episodes=() if n_episodes is None else fresh[n_episodes:],
        capped_beliefs=() if n_beliefs is None else beliefs[n_beliefs:],
        duplicates=duplicates,
    )
