"""What the NPCs of a mind remember, as plain lists and dicts: the model that the mind's machine is compared with.

A save is a copy of it, a load takes the copy back: nothing here could ever know of an abandoned future.
"""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Game", "Life", "Memory", "Spoken"]


@dataclass
class Spoken:
    """A turn. ``line``: the id of the first of its copies, for what two NPCs say lies in two memories. ``taken_back``:
    it is retired; it still counts as spoken.
    """

    id: str
    seq: int
    npc: str
    player: str
    speaker: str
    text: str
    mark: str
    session: int
    exchange: int
    hearers: tuple[str, ...]
    line: str
    taken_back: bool = False


@dataclass
class Memory:
    """An episode or a belief, and what it was made from."""

    id: str
    seq: int
    npc: str
    text: str
    made_from: tuple[str, ...] = ()
    hearers: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    belief: bool = False


@dataclass
class Life:
    """What is so on one timeline, and ``history``: what was done that led to it."""

    clock: int = 0
    state: dict[tuple[str, str], Any] = field(default_factory=dict)
    spoken: list[Spoken] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    events: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    answers: dict[str, tuple[Any, tuple[str, ...]]] = field(default_factory=dict)
    ended: dict[tuple[str, str], int] = field(default_factory=dict)
    audits: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    born: dict[str, int] = field(default_factory=dict)
    alias: dict[str, str] = field(default_factory=dict)
    murky: set[str] = field(default_factory=set)
    history: list[tuple[Any, ...]] = field(default_factory=list)

    def turns(self, npc: str) -> list[Spoken]:
        """What ``npc`` remembers to have been said by and to her."""
        since = self.born.get(npc, 0)
        return [one for one in self.spoken if one.npc == npc and one.seq > since and not one.taken_back]

    def copies(self, one: Spoken) -> list[Spoken]:
        """The same line in all memories it lies in."""
        return [other for other in self.spoken if other.line == one.line]

    def exchanges(self, npc: str) -> int:
        """How many lines she has spoken."""
        return (
            max((one for one in self.spoken if one.npc == npc), key=lambda one: one.seq).exchange
            if any(one.npc == npc for one in self.spoken)
            else 0
        )

    def episodes(self, npc: str) -> list[Memory]:
        """Her own."""
        since = self.born.get(npc, 0)
        return [one for one in self.memories if one.npc == npc and one.seq > since and not one.belief]

    def overheard(self, npc: str) -> list[Memory]:
        """Others' that she overheard."""
        since = self.born.get(npc, 0)
        return [one for one in self.memories if npc in one.hearers and one.npc != npc and one.seq > since]

    def beliefs(self, npc: str) -> list[Memory]:
        """What she holds true."""
        since = self.born.get(npc, 0)
        return [one for one in self.memories if one.npc == npc and one.seq > since and one.belief]

    def dialogue(self, npc: str, player: str) -> list[Spoken]:
        """The turns of the conversation of these two that is going on; who is nobody else's alias, nor has one."""
        session, since = self.session(npc, player), self.born.get(player, 0)
        return [one for one in self.turns(npc) if one.player == player and one.session == session and one.seq > since]

    def session(self, npc: str, player: str) -> int:
        """The number of that conversation."""
        return self.ended.get((npc, player), 0) + 1

    def plain(self, id: str) -> bool:
        """Whether ``id`` is nobody else's, and never was."""
        return id not in self.alias and id not in self.alias.values() and id not in self.murky

    def made_from(self, ids: set[str]) -> set[str]:
        """Ids of the memories made from ``ids``, through any number of hands."""
        found: set[str] = set()
        while more := {one.id for one in self.memories if {*one.made_from} & (ids | found)} - found:
            found |= more
        return found

    def drop(self, ids: set[str]) -> None:
        """These memories count no more."""
        self.memories = [one for one in self.memories if one.id not in ids]

    def forget(self, ids: set[str]) -> None:
        """The person of these ``ids`` was never here; where others named him they named someone."""
        gone = {one.id for one in self.spoken if ids & {one.player, one.speaker}}
        gone |= {id for id, (_, people) in self.events.items() if ids & {*people}}
        gone |= {one.id for one in self.memories if ids & {*one.people}}
        gone |= self.made_from(gone)
        self.spoken = [one for one in self.spoken if one.id not in gone]
        self.drop(gone)
        self.events = {id: one for id, one in self.events.items() if id not in gone}
        self.answers = {key: one for key, one in self.answers.items() if not ({*one[1]} & (gone | ids))}
        self.ended = {pair: count for pair, count in self.ended.items() if pair[1] not in ids}
        for known in (self.names, self.places, self.born):
            for id in ids:
                known.pop(id, None)  # type: ignore[attr-defined]
        self.alias = {one: other for one, other in self.alias.items() if not ids & {one, other}}
        self.murky -= ids
        for one in (*self.spoken, *self.memories):
            one.text = struck(one.text, ids)
        self.events = {id: (struck(text, ids), people) for id, (text, people) in self.events.items()}
        self.state = {
            slot: struck(value, ids) if isinstance(value, str) else value for slot, value in self.state.items()
        }


def struck(text: str, ids: set[str]) -> str:
    """``text`` with "someone" in place of each of ``ids``."""
    for id in sorted(ids):
        text = re.sub(rf"(?<!\w){re.escape(id)}(?!\w)", "someone", text)
    return text


@dataclass
class Game:
    """All that one file holds: the life being played, every save, every slot; and ids that were ever tied."""

    life: Life = field(default_factory=Life)
    saved: dict[str, Life] = field(default_factory=dict)
    slots: dict[str, str] = field(default_factory=dict)
    tied: set[tuple[str, str]] = field(default_factory=set)

    def copy(self) -> Game:
        """One that goes its own way."""
        return deepcopy(self)

    def save(self, slot: str, save_id: str) -> None:
        """The life is kept under that name."""
        self.saved[save_id] = deepcopy(self.life)
        self.slots[slot] = save_id

    def load(self, save_id: str, auto: str) -> None:
        """That save is played on; ``auto`` is the save that holds what is left."""
        if auto not in self.saved:
            self.saved[auto] = deepcopy(self.life)
        self.slots["auto"] = auto
        self.life = deepcopy(self.saved[save_id])

    def known_as(self, id: str) -> set[str]:
        """All ids that were ever tied to ``id``, on whatever timeline."""
        found = {id}
        while more := {one for pair in self.tied if found & {*pair} for one in pair} - found:
            found |= more
        return found

    def forget(self, player: str) -> set[str]:
        """Forget him everywhere; all ids he had."""
        ids = self.known_as(player)
        for life in (self.life, *self.saved.values()):
            life.forget(ids)
            life.history.append(("forget", sorted(ids)))
        self.tied = {pair for pair in self.tied if not ids & {*pair}}
        return ids
