"""What the working-memory tests share: a small snapshot, one way to build, several counters, measured costs.

Everything here goes through the public API only, so that these tests and the builder can be wrong independently.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import HealthCheck, settings

from npc_memory import (
    AgendaItem,
    Belief,
    BudgetPolicy,
    Episode,
    Example,
    Fact,
    Rule,
    Snapshot,
    StateEntry,
    Turn,
    WorkingMemoryBuilder,
)
from npc_memory.errors import MandatoryOverflow
from npc_memory.prompt import PromptTemplate

Counter = Callable[[str], int]

HUGE = 10**9
SCALE = int(os.environ.get("NPC_MEMORY_EXAMPLES", "1"))
"""Multiplies the number of hypothesis examples; ``make test-full`` runs the marked long searches anyway."""


def examples(n: int, *, random: bool = False) -> settings:
    """Hypothesis settings for ``n`` examples: the same ones every run, unless scaled up or asked to be random."""
    return settings(
        max_examples=max(1, n * settings().max_examples // 100) * SCALE,  # as in searches.py
        database=None,
        print_blob=True,
        deadline=None,
        derandomize=SCALE == 1 and not random,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )


# --- counters ---------------------------------------------------------------------------------------------------


def utf8(text: str) -> int:
    """A byte tokenizer."""
    return len(text.encode("utf-8"))


def words(text: str) -> int:
    """A whitespace tokenizer."""
    return len(text.split())


def jumpy(text: str) -> int:
    """Not monotone: every third length costs 17 more."""
    return len(text) + (17 if len(text) % 3 == 0 and text else 0)


def shrinking(text: str) -> int:
    """A longer text costs less."""
    return max(1, 30 - len(text) // 4)


def zero_for_some(text: str) -> int:
    """Free for whatever holds an ``e``."""
    return 0 if "e" in text else len(text)


def huge_char(text: str) -> int:
    """One character costs a fortune."""
    return len(text) + 1_000_000 * text.count("ж")


def scattered(text: str) -> int:
    """No relation to length at all."""
    return zlib.crc32(text.encode("utf-8")) % 61


HOSTILE: tuple[Counter, ...] = (jumpy, shrinking, zero_for_some, huge_char, scattered)
COUNTERS: tuple[Counter | None, ...] = (None, utf8, words, *HOSTILE)


# --- building ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Built:
    """What a working memory said while it was open."""

    text: str
    segments: tuple[Any, ...]
    report: Any
    truncated: bool
    facts: tuple[Any, ...]
    state: tuple[Any, ...]
    agenda: tuple[Any, ...]
    dialogue: tuple[Any, ...]
    episodes: tuple[Any, ...]
    beliefs: tuple[Any, ...]

    def dropped(self, reason: str | None = None, section: str | None = None) -> list[str]:
        """Ids dropped for ``reason`` from ``section``, in the report's order."""
        return [
            d.id
            for d in self.report.dropped
            if (reason is None or d.reason == reason) and (section is None or d.section == section)
        ]


def open_up(memory: Any) -> Built:
    """Read a working memory and close it."""
    with memory as m:
        return Built(
            text=m.text(),
            segments=tuple(m.segments),
            report=m.report,
            truncated=m.truncated,
            facts=m.canonical_facts,
            state=m.world_state,
            agenda=m.agenda,
            dialogue=m.dialogue,
            episodes=m.episodes,
            beliefs=m.beliefs,
        )


def policy(
    limit: int = HUGE,
    counter: Counter | None = None,
    *,
    exchanges: int | None = None,
    episodes: int | None = None,
    beliefs: int | None = None,
    shares: tuple[float, float, float] = (0.60, 0.25, 0.15),
) -> BudgetPolicy:
    """A policy without caps unless given; in characters without a counter, in tokens with one."""
    return BudgetPolicy(
        limit=limit,
        unit="characters" if counter is None else "tokens",
        max_exchanges=exchanges,
        max_episodes=episodes,
        max_beliefs=beliefs,
        shares=shares,
    )


def build(
    snapshot: Snapshot,
    limit: int = HUGE,
    counter: Counter | None = None,
    *,
    template: PromptTemplate | None = None,
    **caps: Any,
) -> Built:
    """Build (with the default template unless told otherwise) and read the result."""
    return open_up(WorkingMemoryBuilder(policy(limit, counter, **caps), counter, template).build(snapshot))


def total(snapshot: Snapshot, counter: Counter | None = None, template: PromptTemplate | None = None) -> int:
    """Cost of everything the snapshot offers."""
    return int(build(snapshot, counter=counter, template=template).report.total)


def bare(snapshot: Snapshot, **sections: Any) -> Snapshot:
    """The snapshot with its mandatory parts and only the optional ``sections`` given."""
    empty: dict[str, Any] = dict.fromkeys(
        ("examples", "pinned", "tasks", "notes", "dialogue", "episodes", "beliefs"), ()
    )
    return replace(snapshot, **(empty | sections))


def cost(snapshot: Snapshot, counter: Counter | None = None, **sections: Any) -> int:
    """What ``sections`` (headings included) add to the snapshot's mandatory parts."""
    return total(bare(snapshot, **sections), counter) - total(bare(snapshot), counter)


def rest(snapshot: Snapshot, counter: Counter | None = None, template: PromptTemplate | None = None) -> int:
    """Cost of everything mandatory but the player's line, as ``MandatoryOverflow.parts`` states it."""
    try:
        build(bare(snapshot), 1, counter, template=template)
    except MandatoryOverflow as overflow:
        return sum(overflow.parts.values())
    raise AssertionError("a limit of 1 leaves less than 64 characters (16 tokens)")


# --- material ---------------------------------------------------------------------------------------------------

RULES = (Rule("r1", "Speak plainly."), Rule("r2", "Never leave the inn."))
FACTS = (
    Fact("king-dead", "King Aldric is dead.", public=True),
    Fact("bridge", "The north bridge has burned down.", public=True),
    Fact("cellar", "There is a door behind the barrels."),
)
STATE = (StateEntry("weather", "rain", volatile=True), StateEntry("guests", 3), StateEntry("gate_open", True))
NAMES = {"p1": "Traveller", "marta": "Marta"}


def snap(**changes: Any) -> Snapshot:
    """Marta and a traveller; only persona and line unless told otherwise."""
    given: dict[str, Any] = {
        "npc": "marta",
        "persona": "You are Marta, an innkeeper.",
        "player": "p1",
        "player_line": "Hm?",
        "game_time": 4310,
    }
    return Snapshot(**(given | changes))


def filler(size: int, tag: str = "") -> str:
    """A text of exactly ``size`` characters that begins with ``tag`` and repeats nothing recognisable as markup."""
    body = (tag + " lorem ipsum dolor sit amet consectetur adipiscing elit" * (size // 40 + 2)).strip()
    return body[:size]


def episodes(scores: Iterable[float], size: int = 60, *, prefix: str = "e") -> tuple[Episode, ...]:
    """Episodes of ``size`` characters, one per score, each a day older than the one before."""
    return tuple(
        Episode(f"{prefix}{i}", filler(size, f"ep{i}"), score=s, game_time=4310 - 1440 * i)
        for i, s in enumerate(scores)
    )


def belief_list(scores: Iterable[float], size: int = 60) -> tuple[Belief, ...]:
    """Beliefs of ``size`` characters, one per score."""
    return tuple(
        Belief(f"b{i}", filler(size, f"be{i}"), confidence=0.5, score=s, game_time=100 + i)
        for i, s in enumerate(scores)
    )


def talk(n: int, size: int = 40, *, answers: bool = True) -> tuple[Turn, ...]:
    """``n`` exchanges of a player's line (and the NPC's answer) of ``size`` characters each."""
    turns: list[Turn] = []
    for i in range(n):
        turns.append(Turn(f"q{i:03}", "p1", filler(size, f"ask{i}"), game_time=4000 + i))
        if answers:
            turns.append(Turn(f"a{i:03}", "marta", filler(size, f"say{i}"), game_time=4000 + i))
    return tuple(turns)


def tasks(n: int, size: int = 40) -> tuple[AgendaItem, ...]:
    """``n`` tasks of ``size`` characters, the best first."""
    return tuple(AgendaItem(f"k{i:03}", filler(size, f"do{i}"), score=1 - i / 1000) for i in range(n))


def example_lines(n: int, size: int = 30) -> tuple[Example, ...]:
    """``n`` example exchanges."""
    return tuple(Example(f"x{i}", filler(size, f"exq{i}"), filler(size, f"exa{i}")) for i in range(n))


def full_snapshot(**changes: Any) -> Snapshot:
    """Something of everything but examples."""
    given: dict[str, Any] = {
        "rules": RULES,
        "canonical_facts": FACTS,
        "world_state": STATE,
        "names": NAMES,
        "pinned": (AgendaItem("pin", "The silver key on the wall."),),
        "tasks": tasks(3),
        "notes": (AgendaItem("note", "The baker comes at noon."),),
        "dialogue": talk(4),
        "episodes": episodes((0.9, 0.7, 0.5, 0.3, 0.1)),
        "beliefs": belief_list((0.4, 0.3, 0.2)),
    }
    return snap(**(given | changes))


def offered(snapshot: Snapshot) -> list[str]:
    """Every id the snapshot offers, sorted, one entry per item."""
    with_ids: Sequence[Any] = (
        snapshot.rules
        + snapshot.canonical_facts
        + snapshot.examples
        + snapshot.pinned
        + snapshot.tasks
        + snapshot.notes
        + snapshot.dialogue
        + snapshot.episodes
        + snapshot.beliefs
    )
    return sorted([item.id for item in with_ids] + [entry.key for entry in snapshot.world_state])


def ids(items: Iterable[Any]) -> list[str]:
    """Ids (keys, for state) in order."""
    return [getattr(item, "id", None) or item.key for item in items]


def shorten(text: str, n: int) -> str:
    """DESIGN, Working memory, 7: ⌈2n/3⌉ of head, a marker, ⌊n/3⌋ of tail."""
    head, tail = -(-2 * n // 3), n // 3
    return text[:head] + " … " + (text[len(text) - tail :] if tail else "")


def count_all(built: Built, counter: Counter | None) -> int:
    """Σ counter(segment)."""
    return sum((counter or len)(segment) for segment in built.segments)
