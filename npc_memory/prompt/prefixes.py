"""How a prompt begins: which of its leading segments others begin with too, and so need not be computed again.

Told by the sections alone, for every template: what is counted here is what ``page`` puts first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from npc_memory.prompt.segments import Segment

__all__ = ["Prefixes", "prefixes"]

_SHARED = frozenset(("instructions", "rules", "public_facts"))
_HERS = frozenset(("persona", "scoped_facts", "steady_state", "format"))
_TALK = frozenset(("examples", "dialogue"))


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Lengths in segments, each the beginning of the next.

    ``shared``: what every NPC of this world begins with (instructions, rules, public facts). ``hers``: and what this
    NPC begins with, whoever talks to her. ``steady``: and the talk so far; all before the volatile tail. ``stable``:
    what her next prompt in this talk will begin with, as far as can be told: all that is steady, but examples go as
    soon as there is something that was really said.
    """

    shared: int
    hers: int
    steady: int
    stable: int


def prefixes(segments: Iterable[Segment]) -> Prefixes:
    """Measure ``segments`` (a whole prompt, or the beginning of one). A section unknown here belongs to the tail."""
    sections = [segment.section for segment in segments]
    opening = sections[:1] == ["format"]
    shared = opening + _run(sections[opening:], _SHARED)
    hers = shared + _run(sections[shared:], _HERS)
    steady = hers + _run(sections[hers:], _TALK)
    examples = "examples" in sections[hers:steady]
    return Prefixes(shared, hers, steady, hers if examples else steady)


def _run(sections: list[str], among: frozenset[str]) -> int:
    return sum(1 for _ in takewhile(among.__contains__, sections))
