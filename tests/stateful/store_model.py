"""What one timeline sees, as a plain list: the model that the store's machine is compared with."""

from __future__ import annotations

from dataclasses import replace

from npc_memory.memory import (
    ActorRecord,
    ClockChange,
    Retirement,
    Revision,
    SessionEnd,
    StateChange,
)

__all__ = ["Model"]


class Model:
    """What one timeline sees: every record, oldest first."""

    def __init__(self, records):
        self.records = list(records)

    def of(self, kind, **fields):
        return [
            one
            for one in self.records
            if isinstance(one, kind) and all(getattr(one, name) == value for name, value in fields.items())
        ]

    def alive(self, kind, **fields):
        gone = {one.target for one in self.of(Retirement)}
        return tuple(self.revised(one) for one in self.of(kind, **fields) if one.id not in gone)

    def revised(self, one):
        """A turn as it stands by the newest revision."""
        for said in self.of(Revision, target=one.id)[-1:]:
            return replace(one, text=said.text, mark=said.mark, mood=said.mood, action=said.action, roll=said.roll)
        return one

    def session(self, npc, player):
        return len(self.of(SessionEnd, npc=npc, player=player)) + 1

    def game_time(self):
        return max((one.game_time for one in self.of(ClockChange)), default=0)

    def state(self):
        folded = {}
        for one in self.of(StateChange):
            folded[(one.scope, one.key)] = one.value
        return {slot: value for slot, value in sorted(folded.items()) if value is not None}

    def actors(self):
        return {one.actor: one for one in self.of(ActorRecord)}

    def npc_seq(self, npc):
        return sum(1 for one in self.records if getattr(one, "npc", "") == npc)
