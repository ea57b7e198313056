"""The words a template puts around the snapshot: instructions, headings, cue. Data, one per model family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from npc_memory.errors import TemplateInvalid

__all__ = ["DEFAULT_WORDING", "Wording"]


@dataclass(frozen=True, slots=True)
class Wording:
    """Words of a template. "" leaves a heading out.

    ``instructions``, ``rules`` and ``public_facts`` are the same for all NPCs of a world, so they may not name one. In
    the headings of optional sections and in the ``reminder``, which stands right before the player's line, ``{npc}``
    and ``{player}`` are replaced by their names. ``topic`` tells an NPC what she and another one (``{player}``) talk
    about (``{topic}``); her first line answers ``opening``, or ``opening_about`` when there is a topic, which nobody
    has said.

    Words of certainty stand before a belief: ``knows``, ``believes``, ``thinks``, and ``doubt`` for what she is not
    sure of; ``liked`` and ``disliked`` behind one she has feelings about. ``told`` attributes what somebody
    (``{teller}``) told her, followed by ``told_at`` with the ``{place}``, if it is known, and by ``hearsay``, if it
    went through several mouths.
    """

    instructions: str = ""
    rules: str = "Rules:"
    public_facts: str = "Facts:"
    scoped_facts: str = "Facts:"
    steady_state: str = "World:"
    volatile_state: str = "Now:"
    examples: str = ""
    dialogue: str = ""
    agenda: str = "To do:"
    episodes: str = "Memories:"
    beliefs: str = "Beliefs:"
    knows: str = ""
    believes: str = ""
    thinks: str = ""
    doubt: str = "perhaps: "
    liked: str = ""
    disliked: str = ""
    told: str = "{teller}"
    told_at: str = ", {place}"
    hearsay: str = ""
    reminder: str = ""
    topic: str = "{topic}"
    opening: str = "…"
    opening_about: str = "{topic}"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, str):
                raise TemplateInvalid(
                    f"template wording {field.name!r} must be text, not {type(value).__name__}", hint="quote it"
                )
            if field.name != "instructions" and "\n" in value:
                raise TemplateInvalid(
                    f"template wording {field.name!r} holds a line break",
                    hint="headings are one line; only instructions may have several",
                )
        for name in ("instructions", "rules", "public_facts"):
            if "{npc}" in getattr(self, name) or "{player}" in getattr(self, name):
                raise TemplateInvalid(
                    f"template wording {name!r} names someone, but all NPCs share it", hint="put it into the reminder"
                )

    @property
    def headings(self) -> tuple[str, ...]:
        """Every heading; nobody's name may pass for one."""
        return tuple(getattr(self, field.name) for field in fields(self) if field.name not in _NO_HEADINGS)

    @classmethod
    def from_mapping(cls, data: Mapping[str, object]) -> Wording:
        """Make a wording from a template file's ``wording`` map; raises ``TemplateInvalid`` for unknown names."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(str(name) for name in data if name not in known)
        if unknown:
            raise TemplateInvalid(
                f"unknown template wording: {', '.join(unknown)}", hint=f"known: {', '.join(sorted(known))}"
            )
        return cls(**{str(k): str(v).rstrip("\n") if isinstance(v, str) else v for k, v in data.items()})  # type: ignore[arg-type]


_NO_HEADINGS = frozenset(
    "instructions topic opening opening_about knows believes thinks doubt liked disliked told told_at hearsay".split()
)

DEFAULT_WORDING = Wording()
"""Terse: its frame costs at most 60 characters, so that small character budgets go to the world, not to us."""
