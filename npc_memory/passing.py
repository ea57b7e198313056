"""What one NPC has told another in so many words: from a line that was said to a belief of the one who heard it.

Only what stood in the speaker's prompt can be passed on, and only when her line says it; then it is passed on as she
remembers it, not as the model worded it. So whatever a model makes up is a line in a dialogue and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from npc_memory.discretion import WHISPER, Discretion, is_kind
from npc_memory.memory import Authority, BeliefRecord, EpisodeRecord, RelationshipChange, TripleRecord
from npc_memory.recall import conveys
from npc_memory.rumours import rumour_of
from npc_memory.said import Said
from npc_memory.store import Store, Writer
from npc_memory.store.ids import looks_like_record, seq_of
from npc_memory.telling import in_circle, may_be_told, pass_on
from npc_memory.world import World

__all__ = ["may_come_up", "pass_on_said"]


def pass_on_said(world: World, store: Store, writer: Writer, said: Said, shown: Iterable[str]) -> tuple[str, ...]:
    """The beliefs of the listener that ``said`` makes; ``shown``: ids of what stood in the speaker's prompt."""
    made, discretion = [], Discretion(world, store)
    for id in shown:
        if not looks_like_record(id) or seq_of(id)[0] not in ("episode", "belief"):
            continue
        record = store.ever(id)
        assert isinstance(record, EpisodeRecord | BeliefRecord)
        if said.listener in record.audience or not conveys(said.text, record.text):
            continue
        if discretion.keeps(said.speaker, record):
            continue
        rumour = rumour_of(store, record)
        if not may_be_told(world, store, rumour, said.listener):
            continue
        if not in_circle(world, store, discretion.scopes(record, said.listener), said.listener):
            continue
        made.append(
            pass_on(
                world,
                store,
                writer,
                rumour,
                said.speaker,
                said.listener,
                place=said.place,
                audience=(said.speaker, said.listener, *said.overheard),
                via=(said.turns[said.listener], said.turns[said.speaker]),
            )
        )
    return tuple(id for id in made if id)


Memory = BeliefRecord | EpisodeRecord | RelationshipChange | TripleRecord
"""What may stand in her prompt, or give the reason for what stands there."""


def may_come_up(
    world: World,
    store: Store,
    discretion: Discretion,
    record: Memory,
    speaker: str,
    listener: str,
    near: Sequence[str] = (),
) -> bool:
    """Whether ``record``, a memory of ``speaker``, may stand in her prompt when she talks with ``listener``: she was
    there; or no player has a part in it, and neither was it, or anything it was made of, whispered, private or meant
    for others. A belief of her own may where NPCs gossip. Nor does anything whispered, private or meant for others come
    up while NPCs are ``near``, who would hear it and were not there.
    """
    strangers = [one for one in near if one not in record.audience]
    return _may_hear(world, store, discretion, record, speaker, listener) and all(
        _open_to(world, store, discretion, record, one) for one in strangers
    )


def _may_hear(world: World, store: Store, discretion: Discretion, record: Memory, speaker: str, listener: str) -> bool:
    if listener in record.audience:
        return True
    players = [one for one in (record.speaker, record.addressee) if one and one not in world.npcs]
    if isinstance(record, BeliefRecord) and world.gossip is not None:
        if discretion.keeps(speaker, record) or not may_be_told(world, store, rumour_of(store, record), listener):
            return False
    elif record.authority < Authority.GAME or players:
        return False
    return _open_to(world, store, discretion, record, listener)


def _open_to(world: World, store: Store, discretion: Discretion, record: Memory, hearer: str) -> bool:
    """Whether neither ``record`` nor what it was made of was whispered, private or meant for others than her."""
    if isinstance(record, EpisodeRecord) and is_kind(record.kind, WHISPER):
        return False
    if discretion.made_of_private(record, hearer):
        return False
    return in_circle(world, store, discretion.scopes(record, hearer), hearer)
