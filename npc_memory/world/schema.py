"""What the YAML files of a world pack may say. ``docs/worlds.md`` shows each of them by example."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, TypeAdapter, model_validator

from npc_memory.memory.relationships import BOUNDS
from npc_memory.world.fields import (
    CalendarText,
    FileId,
    Id,
    Line,
    Minutes,
    Pattern,
    Persona,
    Scalar,
    StateText,
    Strict,
    TripleText,
    Version,
    Whole,
    Word,
    bad,
)

__all__ = [
    "ActionArgModel",
    "ActionModel",
    "CalendarModel",
    "DayPartModel",
    "ExampleModel",
    "FactModel",
    "FactsFile",
    "GossipModel",
    "MonthModel",
    "NamedModel",
    "NpcModel",
    "OwnFactModel",
    "RelationModel",
    "RuleModel",
    "ScopeModel",
    "StateFile",
    "StateModel",
    "TripleRelationModel",
    "WantedModel",
    "WorldModel",
]


class ScopeModel(Strict):
    """Who knows a fact. All empty (in the file: `listed`): those who name it under ``knows``, and nobody else."""

    everyone: bool = False
    places: list[Id] = Field(default=[])
    factions: list[Id] = Field(default=[])
    npcs: list[Id] = Field(default=[])


def _scope(value: Any) -> Any:
    if value in ("everyone", "listed"):
        return {"everyone": value == "everyone"}
    if isinstance(value, ScopeModel) or (isinstance(value, dict) and value and "everyone" not in value):
        return value
    raise bad(
        "a scope is `everyone`, `listed` or lists of places, factions and npcs",
        "write for example `scope: {factions: [watch], npcs: [marta]}`; `listed`: those who name it under `knows`",
    )


class WantedModel(Strict):
    """The values one key of a ``when`` must have (``negated``: must not have)."""

    values: list[Scalar]
    negated: bool = False


def _wanted(value: Any) -> Any:
    negated = isinstance(value, dict)
    if isinstance(value, dict):
        if list(value) != ["not"]:
            raise bad("a condition is a value, a list of values, or {not: …}", "write for example `chapter: {not: 1}`")
        value = value["not"]
    values = value if isinstance(value, list) else [value]
    if not values:
        raise bad("a condition needs at least one value", "name the values, or remove the key")
    return {"values": values, "negated": negated}


def _triple(value: Any) -> Any:
    if not isinstance(value, list) or len(value) != 3:
        raise bad("a triple is three ids: subject, relation, object", "write for example [osric, lives_in, ford]")
    return tuple(value)


Triple = Annotated[tuple[Id, Id, Id], BeforeValidator(_triple)]
"""Subject, relation, object."""


class OwnFactModel(Strict):
    """A canonical fact, here one NPC's own. Without ``spoken`` an NPC who must state it says ``text``.

    ``triples``: what it says, for questions that lead from one thing to another.
    """

    id: Id
    text: Line
    secret: bool = False
    when: dict[Id, Annotated[WantedModel, BeforeValidator(_wanted)]] = Field(default={})
    contradicted_by: list[Pattern] = Field(default=[])
    spoken: Line | None = None
    triples: list[Triple] = Field(default=[], max_length=40)


class FactModel(OwnFactModel):
    """A canonical fact and who knows it."""

    scope: Annotated[ScopeModel, BeforeValidator(_scope)] = ScopeModel(everyone=True)

    @model_validator(mode="after")
    def _secrets_are_not_for_everyone(self) -> FactModel:
        if self.secret and self.scope.everyone:
            raise bad(f"{self.id!r} is a secret that everyone knows", "give it a scope, or remove `secret`")
        return self


def _kind(value: Any) -> str:
    return "a mapping" if isinstance(value, dict | OwnFactModel) else "a text"


_STATE_SCOPE = re.compile(r"everyone|(?:place|faction|npc):.+")


def _state_scope(value: str) -> str:
    if not _STATE_SCOPE.fullmatch(value):
        raise bad(f"{value!r} is no scope of world state", "write everyone, place:ID, faction:ID or npc:ID")
    return value


StateWords = Annotated[
    Annotated[StateText, Tag("a text")] | Annotated[dict[Id, StateText], Tag("a mapping")], Discriminator(_kind)
]
"""How an entry is worded: one text for every value, or one text for each value."""


class StateModel(Strict):
    """A key of world state and its value when a new game begins."""

    key: Id
    default: Scalar
    values: list[Scalar] = Field(default=[])
    scope: Annotated[str, AfterValidator(_state_scope)] = "everyone"
    volatile: bool = False
    text: StateWords | None = None


class NamedModel(Strict):
    """A place, a faction, or anything else that has a name."""

    id: Id
    name: Word
    description: Line | None = None


class TripleRelationModel(Strict):
    """A relation of triples: how it is worded; ``functional``: one object at a time, a newer one ends the older."""

    id: Id
    text: TripleText | None = None
    functional: bool = False


class RelationModel(Strict):
    """What an NPC feels for another when a new game begins."""

    to: Id
    trust: int = Field(default=0, ge=BOUNDS["trust"][0], le=BOUNDS["trust"][1])
    affection: int = Field(default=0, ge=BOUNDS["affection"][0], le=BOUNDS["affection"][1])
    fear: int = Field(default=0, ge=BOUNDS["fear"][0], le=BOUNDS["fear"][1])
    respect: int = Field(default=0, ge=BOUNDS["respect"][0], le=BOUNDS["respect"][1])
    debt: int = Field(default=0, ge=BOUNDS["debt"][0], le=BOUNDS["debt"][1])


class RuleModel(Strict):
    """A rule of conduct for all NPCs."""

    id: Id
    text: Line


class MonthModel(Strict):
    """A month of the world's year."""

    name: Word
    days: int = Field(ge=1, le=400)


def _clock(value: Any) -> Any:
    match = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)", value) if isinstance(value, str) else None
    if match is None:
        raise bad("a time of day is written HH:MM", "write for example 05:30")
    return int(match[1]) * 60 + int(match[2])


class DayPartModel(Strict):
    """A part of the day and the time it begins (in the file HH:MM, here minutes)."""

    begins: Annotated[int, BeforeValidator(_clock)]
    name: Word


class CalendarModel(Strict):
    """How the world tells the time; see ``Calendar``."""

    text: CalendarText
    year: int = Field(default=1, ge=-1_000_000, le=1_000_000)
    months: list[MonthModel] = Field(min_length=1, max_length=40)
    day_parts: list[DayPartModel] = Field(default=[], max_length=24)
    week: list[Word] = Field(default=[], max_length=40)
    ordinals: list[Word] = Field(default=[], max_length=400)


class GossipModel(Strict):
    """NPCs who share a place tell each other things by themselves; see ``Gossip``."""

    per_hour: int = Field(default=2, ge=0, le=20)
    distance: int = Field(default=3, ge=1, le=20)


class WorldModel(Strict):
    """``world.yaml``."""

    id: FileId
    name: Word
    version: Version
    seed: Whole = 0
    description: Persona | None = None
    start_time: Minutes = 0
    calendar: CalendarModel | None = None
    moods: list[Id] = Field(default=[])
    rules: list[RuleModel] = Field(default=[])
    places: list[NamedModel] = Field(default=[])
    factions: list[NamedModel] = Field(default=[])
    gossip: GossipModel | None = None
    entities: list[NamedModel] = Field(default=[], max_length=2000)
    triple_relations: list[TripleRelationModel] = Field(default=[], max_length=200)
    money: Word | None = None


class ExampleModel(Strict):
    """A line and its answer, to show how the NPC talks."""

    id: Id
    player: Line
    npc: Line
    mood: Id | None = None


class ActionArgModel(Strict):
    """An argument of an action; ``choices``: the only texts it may be."""

    id: Id
    type: Literal["text", "integer", "boolean"] = "text"
    description: Line | None = None
    choices: list[Id] = Field(default=[])


class ActionModel(Strict):
    """Something the NPC may offer to do; the game decides whether it happens."""

    id: Id
    name: Word
    description: Line
    args: list[ActionArgModel] = Field(default=[])


Known = Annotated[Annotated[Id, Tag("a text")] | Annotated[OwnFactModel, Tag("a mapping")], Discriminator(_kind)]
"""The id of a fact, or a fact of her own."""


class NpcModel(Strict):
    """``npcs/<id>.yaml``. The first mood is the one she is in by default."""

    id: FileId
    name: Word
    pronoun: Word
    persona: Persona
    place: Id
    factions: list[Id] = Field(default=[])
    greeting: Line
    moods: list[Id] = Field(min_length=1)
    examples: list[ExampleModel] = Field(default=[])
    knows: list[Known] = Field(default=[])
    relations: list[RelationModel] = Field(default=[], max_length=200)
    triples: list[Triple] = Field(default=[], max_length=200)
    actions: list[ActionModel] = Field(default=[])
    fallback: list[Line] = Field(min_length=2)


FactsFile: TypeAdapter[list[FactModel]] = TypeAdapter(list[FactModel])
"""``facts.yaml``: a list of facts."""

StateFile: TypeAdapter[list[StateModel]] = TypeAdapter(list[StateModel])
"""``state.yaml``: a list of keys."""
