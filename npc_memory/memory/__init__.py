"""The records an NPC has, and who may write them. No I/O."""

from npc_memory.memory.authority import Authority, require
from npc_memory.memory.identities import Being, Identities
from npc_memory.memory.items import (
    AgendaItem,
    Belief,
    Episode,
    Example,
    Fact,
    Rule,
    StateEntry,
    StateValue,
    Turn,
)
from npc_memory.memory.records import (
    DEPRECATED,
    SILENCE,
    ActorRecord,
    AuditRecord,
    BeliefRecord,
    ClockChange,
    EpisodeRecord,
    EventRecord,
    IdentityRecord,
    KeyRecord,
    Retirement,
    Revision,
    SessionEnd,
    StateChange,
    TurnMark,
    TurnRecord,
)
from npc_memory.memory.relationships import Relationship, RelationshipChange
from npc_memory.memory.saves import SaveInfo, SaveNode
from npc_memory.memory.snapshot import Snapshot
from npc_memory.memory.text import check_id, clean_text
from npc_memory.memory.triples import TripleRecord

__all__ = [
    "DEPRECATED",
    "SILENCE",
    "ActorRecord",
    "AgendaItem",
    "AuditRecord",
    "Authority",
    "Being",
    "Belief",
    "BeliefRecord",
    "ClockChange",
    "Episode",
    "EpisodeRecord",
    "EventRecord",
    "Example",
    "Fact",
    "Identities",
    "IdentityRecord",
    "KeyRecord",
    "Relationship",
    "RelationshipChange",
    "Retirement",
    "Revision",
    "Rule",
    "SaveInfo",
    "SaveNode",
    "SessionEnd",
    "Snapshot",
    "StateChange",
    "StateEntry",
    "StateValue",
    "TripleRecord",
    "Turn",
    "TurnMark",
    "TurnRecord",
    "check_id",
    "clean_text",
    "require",
]
