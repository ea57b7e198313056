"""An NPC as a world pack wrote her: frozen, and nothing of what she lives through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from npc_memory.memory import Example
from npc_memory.memory.relationships import RelationKind
from npc_memory.world.bonds import Triple

__all__ = ["Action", "ActionArg", "Npc"]

_NONE: Mapping[str, str] = MappingProxyType({})
_UNMOVED: Mapping[str, Mapping[RelationKind, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ActionArg:
    """An argument of an action. ``choices``: the only texts it may be (empty: any)."""

    id: str
    type: Literal["text", "integer", "boolean"] = "text"
    description: str = ""
    choices: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Action:
    """Something she may offer to do; the game decides whether it happens."""

    id: str
    name: str
    description: str
    args: tuple[ActionArg, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Npc:
    """``id`` is the key, ``name`` is only shown (two guards may share one).

    ``place`` is her home and where a new game finds her. ``moods`` has at least one, the first is the default.
    ``fallback`` are at least two lines that stand in when no reply can be had. ``knows`` are the ids of facts that
    she knows beyond what her place and factions know, sorted. ``example_moods``: the mood of an example, by its id.
    ``relations``: what she feels for others when a new game begins, by their ids; ``triples``: what she knows then.
    """

    id: str
    name: str
    pronoun: str
    persona: str
    place: str
    factions: tuple[str, ...]
    greeting: str
    moods: tuple[str, ...]
    fallback: tuple[str, ...]
    examples: tuple[Example, ...] = field(default=())
    example_moods: Mapping[str, str] = field(default_factory=lambda: _NONE)
    actions: tuple[Action, ...] = field(default=())
    knows: tuple[str, ...] = field(default=())
    relations: Mapping[str, Mapping[RelationKind, int]] = field(default_factory=lambda: _UNMOVED)
    triples: tuple[Triple, ...] = field(default=())
