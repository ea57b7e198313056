"""A world pack at run time: frozen, and a pure function of the pack and the world state handed in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from npc_memory.errors import UnknownId
from npc_memory.memory import Fact, Rule, StateEntry
from npc_memory.world.bonds import Triple, TripleRelation
from npc_memory.world.calendar import Calendar
from npc_memory.world.condition import Condition, holds
from npc_memory.world.gossip import Gossip
from npc_memory.world.npc import Npc
from npc_memory.world.scope import EVERYONE, Scope, Standing
from npc_memory.world.state import ScopedState, StateKey, view

__all__ = ["CanonFact", "World"]

_NO_STATE: ScopedState = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CanonFact:
    """A canonical fact as the pack has it.

    ``patterns`` (case ignored) match what contradicts it while it holds; ``spoken`` is what an NPC says who must
    state it. ``scope`` includes the NPCs that name it under ``knows``.
    """

    id: str
    text: str
    spoken: str
    scope: Scope = field(default=Scope())
    secret: bool = False
    when: tuple[Condition, ...] = field(default=())
    patterns: tuple[re.Pattern[str], ...] = field(default=())
    triples: tuple[Triple, ...] = field(default=())


@dataclass(frozen=True, kw_only=True, eq=False)
class World:
    """A loaded world. ``npcs``, ``canon`` and ``state_keys`` are read-only and sorted by id.

    ``seed`` is the world's part of every reply's seed. ``start_time`` is in game minutes. ``fingerprint`` is the
    SHA-256 of the whole pack in canonical JSON. ``entities``: names of what is no NPC, place or faction; ``money``: the
    word for what debts are counted in ("" has none). ``state`` arguments are world state by (scope, key), laid over the
    pack's defaults; ``place`` and ``factions`` say where an NPC is by now and whom she belongs to, if not as in the
    pack.
    """

    id: str
    name: str
    version: str
    seed: int
    description: str
    start_time: int
    fingerprint: str
    rules: tuple[Rule, ...]
    moods: tuple[str, ...]
    places: Mapping[str, str]
    factions: Mapping[str, str]
    npcs: Mapping[str, Npc]
    canon: Mapping[str, CanonFact]
    state_keys: Mapping[str, StateKey]
    calendar: Calendar | None = None
    gossip: Gossip | None = None
    entities: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    triple_relations: Mapping[str, TripleRelation] = field(default_factory=lambda: MappingProxyType({}))
    money: str = ""

    def npc(self, npc_id: str) -> Npc:
        """The NPC of that id. Raises ``UnknownId``."""
        try:
            return self.npcs[npc_id]
        except KeyError:
            raise UnknownId("NPC", npc_id, list(self.npcs)) from None

    def facts_for(
        self,
        npc_id: str,
        state: ScopedState = _NO_STATE,
        *,
        place: str | None = None,
        factions: Iterable[str] | None = None,
    ) -> tuple[Fact, ...]:
        """The canonical facts she knows and that hold now, sorted by id.

        A fact is ``public`` when every NPC has it whenever she has: its scope is everyone and its condition reads
        nothing volatile and nothing that differs between NPCs. Raises ``UnknownId``.
        """
        who = self.standing(npc_id, place, factions)
        hers = view(self.state_keys.values(), state, who)
        narrow = self._narrow_keys(state)
        return tuple(
            self._told[fact.id][fact.scope.everyone and self._steady(fact, narrow)]
            for fact in self.canon.values()
            if fact.scope.covers(who) and holds(fact.when, hers)
        )

    def state_for(
        self,
        npc_id: str,
        state: ScopedState = _NO_STATE,
        *,
        place: str | None = None,
        factions: Iterable[str] | None = None,
    ) -> tuple[StateEntry, ...]:
        """World state in her scope, sorted by key; of two scopes the narrower one counts. Raises ``UnknownId``.

        Keys the pack does not know are fine: the engine may set any.
        """
        hers = view(self.state_keys.values(), state, self.standing(npc_id, place, factions))
        return tuple(
            self.state_keys[key].entry(value) if key in self.state_keys else StateEntry(key, value)
            for key, value in hers.items()
        )

    def secrets_not_known_by(
        self, npc_id: str, *, place: str | None = None, factions: Iterable[str] | None = None
    ) -> tuple[CanonFact, ...]:
        """The secrets she must not speak of because she does not know them, holding or not, sorted by id."""
        who = self.standing(npc_id, place, factions)
        return tuple(fact for fact in self.canon.values() if fact.secret and not fact.scope.covers(who))

    def time_text(self, minutes: int) -> str:
        """``minutes`` in the words of the world's calendar; "" when it has none."""
        return self.calendar.words(minutes) if self.calendar else ""

    def relation(self, id: str) -> TripleRelation:
        """A relation of triples, as the pack declares it or as any is."""
        return self.triple_relations.get(id) or TripleRelation.default(id)

    @property
    def names(self) -> dict[str, str]:
        """The display name of each NPC, by id."""
        return {npc.id: npc.name for npc in self.npcs.values()}

    def standing(self, npc_id: str, place: str | None = None, factions: Iterable[str] | None = None) -> Standing:
        """Where she stands: as the pack says, except for what is handed in. Raises ``UnknownId``."""
        npc = self.npc(npc_id)
        return Standing(
            npc.id,
            npc.place,
            npc.place if place is None else place,
            npc.factions if factions is None else tuple(sorted(factions)),
        )

    @cached_property
    def _told(self) -> dict[str, tuple[Fact, Fact]]:
        """Each fact as not public and as public, cleaned once and not for every reply."""
        return {fact.id: (Fact(fact.id, fact.text), Fact(fact.id, fact.text, True)) for fact in self.canon.values()}

    def _steady(self, fact: CanonFact, narrow: frozenset[str]) -> bool:
        return not any(condition.key in narrow or self.state_keys[condition.key].volatile for condition in fact.when)

    def _narrow_keys(self, state: ScopedState) -> frozenset[str]:
        """Keys of which two NPCs may have different values."""
        declared = (key.key for key in self.state_keys.values() if key.scope != EVERYONE)
        return frozenset(declared) | {key for scope, key in state if scope != EVERYONE}
