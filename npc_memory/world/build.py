"""From the files of a pack without problems to the frozen ``World``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from npc_memory.memory import Example, Rule
from npc_memory.memory.relationships import KINDS, RelationKind
from npc_memory.memory.triples import relation_words
from npc_memory.world.bonds import TripleRelation
from npc_memory.world.calendar import Calendar
from npc_memory.world.condition import Condition
from npc_memory.world.gossip import Gossip
from npc_memory.world.npc import Action, ActionArg, Npc
from npc_memory.world.pack import Pack
from npc_memory.world.patterns import compile_pattern
from npc_memory.world.schema import (
    CalendarModel,
    FactModel,
    NpcModel,
    OwnFactModel,
    RelationModel,
    StateModel,
    TripleRelationModel,
    WorldModel,
)
from npc_memory.world.scope import EVERYONE, Scope
from npc_memory.world.state import StateKey
from npc_memory.world.world import CanonFact, World

__all__ = ["build_world"]


def build_world(pack: Pack) -> World:
    """The world of ``pack``, whose every file has been read and found without errors."""
    assert pack.world is not None
    world, npcs = pack.world, sorted((file.model for file in pack.npcs if file.model), key=lambda npc: npc.id)
    canon = _canon(pack.facts or [], npcs)
    states = sorted((_state_key(entry) for entry in pack.state or []), key=lambda key: key.key)
    return World(
        id=world.id,
        name=world.name,
        version=world.version,
        seed=world.seed,
        description=world.description or "",
        start_time=world.start_time,
        fingerprint=_fingerprint(world, pack.facts or [], pack.state or [], npcs),
        rules=tuple(sorted((Rule(rule.id, rule.text) for rule in world.rules), key=lambda rule: rule.id)),
        moods=tuple(world.moods),
        places=MappingProxyType({place.id: place.name for place in sorted(world.places, key=lambda p: p.id)}),
        factions=MappingProxyType({one.id: one.name for one in sorted(world.factions, key=lambda f: f.id)}),
        npcs=MappingProxyType({npc.id: _npc(npc) for npc in npcs}),
        canon=MappingProxyType({fact.id: fact for fact in canon}),
        state_keys=MappingProxyType({key.key: key for key in states}),
        calendar=_calendar(world.calendar) if world.calendar else None,
        gossip=Gossip(world.gossip.per_hour, world.gossip.distance) if world.gossip else None,
        entities=MappingProxyType({one.id: one.name for one in sorted(world.entities, key=lambda one: one.id)}),
        triple_relations=MappingProxyType({one.id: _relation(one) for one in world.triple_relations}),
        money=world.money or "",
    )


def _canon(facts: list[FactModel], npcs: list[NpcModel]) -> list[CanonFact]:
    knowers: dict[str, list[str]] = {}
    own: list[tuple[OwnFactModel, Scope]] = []
    for npc in npcs:
        for known in npc.knows:
            knowers.setdefault(known if isinstance(known, str) else known.id, []).append(npc.id)
            if isinstance(known, OwnFactModel):
                own.append((known, Scope(everyone=False)))
    listed = [
        (
            fact,
            Scope(
                fact.scope.everyone,
                tuple(sorted(fact.scope.places)),
                tuple(sorted(fact.scope.factions)),
                tuple(sorted(fact.scope.npcs)),
            ),
        )
        for fact in facts
    ]
    built = (_fact(fact, scope.with_npcs(knowers.get(fact.id, ()))) for fact, scope in [*listed, *own])
    return sorted(built, key=lambda fact: fact.id)


def _fact(fact: OwnFactModel, scope: Scope) -> CanonFact:
    return CanonFact(
        id=fact.id,
        text=fact.text,
        spoken=fact.spoken or fact.text,
        scope=scope,
        secret=fact.secret,
        when=tuple(Condition(key, tuple(wanted.values), wanted.negated) for key, wanted in sorted(fact.when.items())),
        patterns=tuple(compile_pattern(source) for source in fact.contradicted_by),
        triples=tuple(fact.triples),
    )


def _state_key(entry: StateModel) -> StateKey:
    mapped = isinstance(entry.text, dict)
    return StateKey(
        key=entry.key,
        default=entry.default,
        scope=EVERYONE if entry.scope == "everyone" else entry.scope,
        volatile=entry.volatile,
        template="" if mapped else str(entry.text or ""),
        texts=MappingProxyType(dict(entry.text) if isinstance(entry.text, dict) else {}),
        values=tuple(entry.values),
    )


def _calendar(calendar: CalendarModel) -> Calendar:
    return Calendar(
        text=calendar.text,
        months=tuple((month.name, month.days) for month in calendar.months),
        year=calendar.year,
        parts=tuple(sorted((part.begins, part.name) for part in calendar.day_parts)),
        week=tuple(calendar.week),
        ordinals=tuple(calendar.ordinals),
    )


def _npc(npc: NpcModel) -> Npc:
    return Npc(
        id=npc.id,
        name=npc.name,
        pronoun=npc.pronoun,
        persona=npc.persona,
        place=npc.place,
        factions=tuple(sorted(npc.factions)),
        greeting=npc.greeting,
        moods=tuple(npc.moods),
        fallback=tuple(npc.fallback),
        examples=tuple(Example(example.id, example.player, example.npc) for example in npc.examples),
        example_moods=MappingProxyType({ex.id: ex.mood for ex in npc.examples if ex.mood is not None}),
        actions=tuple(
            Action(
                action.id,
                action.name,
                action.description,
                tuple(ActionArg(arg.id, arg.type, arg.description or "", tuple(arg.choices)) for arg in action.args),
            )
            for action in npc.actions
        ),
        knows=tuple(sorted(known if isinstance(known, str) else known.id for known in npc.knows)),
        relations=MappingProxyType({one.to: _values(one) for one in npc.relations}),
        triples=tuple(npc.triples),
    )


def _relation(one: TripleRelationModel) -> TripleRelation:
    return TripleRelation(one.id, one.text or relation_words(one.id), one.functional)


def _values(one: RelationModel) -> Mapping[RelationKind, int]:
    return MappingProxyType({kind: value for kind in KINDS if (value := getattr(one, kind))})


def _fingerprint(world: WorldModel, facts: list[FactModel], states: list[StateModel], npcs: list[NpcModel]) -> str:
    """SHA-256 of the pack's content: the order of lists whose order means nothing stays out."""
    content: dict[str, Any] = {
        # A pack that says nothing of gossip is the pack it was before packs could.
        "world": world.model_dump(mode="json", exclude=None if world.gossip else {"gossip"}),
        "facts": [fact.model_dump(mode="json") for fact in sorted(facts, key=lambda fact: fact.id)],
        "state": [entry.model_dump(mode="json") for entry in sorted(states, key=lambda entry: entry.key)],
        "npcs": [npc.model_dump(mode="json") for npc in npcs],
    }
    canonical = json.dumps(
        _without_unused(content), ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


_LATER = ("entities", "money", "relations", "triple_relations", "triples")
"""Fields that packs did not have at first: a pack without them is the pack it was."""


def _without_unused(content: Any) -> Any:
    if isinstance(content, dict):
        kept = {key: one for key, one in content.items() if one or key not in _LATER}
        return {key: _without_unused(one) for key, one in kept.items()}
    return [_without_unused(one) for one in content] if isinstance(content, list) else content
