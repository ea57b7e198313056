"""A line and its answer as they stand in memory, and what was made from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from npc_memory.convictions import hold_again
from npc_memory.errors import InvalidInput
from npc_memory.memory import Authority, BeliefRecord, EpisodeRecord, TurnRecord
from npc_memory.rumours import all_visible
from npc_memory.store import Store, Writer
from npc_memory.store.ids import looks_like_record, seq_of

__all__ = ["Exchange", "copies_of", "exchange_of", "made_from", "retire", "talks_in"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """``asked``: the player's line; ``said``: her answer, None when none of it was released."""

    asked: TurnRecord
    said: TurnRecord | None

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its turns."""
        return (self.asked.id, self.said.id) if self.said is not None else (self.asked.id,)


def copies_of(store: Store, turn: str) -> tuple[str, ...]:
    """The ids of the line in all memories that it lies in: one, or two where two NPCs talked with each other, that of
    who said it first. Raises ``UnknownId``.
    """
    first = next((one for one in store.turn(turn).provenance if looks_like_record(one)), turn)
    return (first, *(one for one in store.derived_from(first) if seq_of(one)[0] == "turn"))


def exchange_of(store: Store, turn: str) -> Exchange:
    """The exchange that ``turn`` (either of its two) belongs to, if it is the newest of a conversation that is going
    on. Raises ``UnknownId``, and ``InvalidInput`` for an earlier one and for what two NPCs said to each other.
    """
    given = store.turn(turn)
    if len(copies_of(store, turn)) > 1:
        raise InvalidInput(
            f"two NPCs said turn {turn!r} to each other; nobody waits for another answer",
            hint="edit it, or delete the lines and let them converse again",
        )
    talk = store.dialogue(given.npc, given.player)
    own = [one for one in talk if one.npc == given.npc]
    asked = [one for one in own if one.speaker == given.player]
    if not asked or given.seq < asked[-1].seq or given.seq > own[-1].seq:
        raise InvalidInput(
            f"turn {turn!r} is not of the newest exchange of a conversation that is going on",
            hint="delete what was said after it first, or load a save from before it",
        )
    answers = [one for one in own if one.speaker == given.npc and one.seq > asked[-1].seq]
    return Exchange(asked[-1], answers[-1] if answers else None)


_MADE = ("episode", "belief", "relationship", "triple")
"""Kinds of what may be made from what was said."""


def made_from(store: Store, turns: Iterable[str]) -> tuple[str, ...]:
    """Ids of all memories that were derived from ``turns``, and from those, oldest first."""
    waiting, found = list(turns), dict[str, None]()
    while waiting:
        for id in store.derived_from(waiting.pop()):
            if seq_of(id)[0] in _MADE and id not in found:
                found[id] = None
                waiting.append(id)
    return tuple(sorted(found, key=lambda id: seq_of(id)[1]))


def talks_in(store: Store, made: Iterable[str]) -> tuple[EpisodeRecord, ...]:
    """Those of ``made`` that tell a single exchange."""
    episodes = [store.episode(id) for id in made if seq_of(id)[0] == "episode"]
    return tuple(one for one in episodes if one.kind == "talk" and 1 <= len(one.turns) <= 2)


def retire(store: Store, writer: Writer, ids: Iterable[str], reason: str, *, rehearsed: bool = False) -> None:
    """Take back what ``ids`` name, each with the rank it was written with, but not below the game's. What a game's
    writer wrote by hand stays; and beliefs whose place one of these had taken are held again, or what those had
    replaced. Not if it is only ``rehearsed``: a prompt would show ids of records that are never stored.
    """
    older: list[BeliefRecord] = []
    for id in ids:
        if seq_of(id)[0] == "belief":
            if store.belief(id).hand_written:
                continue
            older += store.replaced_by(id)
        writer.retire(target=id, reason=reason, authority=max(Authority.GAME, store.rank_of(id)))
    while older and not rehearsed:
        one = older.pop(0)
        if all_visible(store, one.provenance):
            hold_again(store, writer, one)
        else:
            older += store.replaced_by(one.id)
