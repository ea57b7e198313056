"""The part of a conversation that a reply is shown, found without reading the conversation from its beginning."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field

from npc_memory.memory import TurnRecord
from npc_memory.reply.loops import WINDOW
from npc_memory.store import Store

__all__ = ["Conversation", "aligned_start", "conversation"]

REMEMBERED = 1024
"""Conversations of which is remembered where their exchanges begin: about 1 KB each."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """The conversation that is going on. ``offered``: turns of its newest exchanges; ``own_lines``: what the NPC said
    last, oldest first; ``last``: game time of the newest turn, None before the first.
    """

    session: int
    offered: tuple[TurnRecord, ...]
    own_lines: tuple[str, ...]
    last: int | None


def aligned_start(count: int, most: int | None) -> int:
    """Index of the first of ``count`` exchanges to offer, so that at most ``most`` are.

    The start moves by half a window at a time, so the beginning of the prompt stays the same for several replies and
    its cache with it.
    """
    if most is None or count <= most:
        return 0
    step = max(1, most // 2)
    return min(count, -(-(count - most) // step) * step)


@dataclass(slots=True)
class _Outline:
    """How many exchanges there are, and the record numbers where the newest of them and her own last lines stand.

    Exchanges are those of ``working_memory.candidates.exchanges``: one starts at each turn not by the NPC; an NPC turn
    before the first of these is one of its own.
    """

    npc: str
    starts: deque[int]
    own: deque[int] = field(default_factory=lambda: deque(maxlen=WINDOW))
    count: int = 0
    seen: int = 0
    retired: int = 0
    asked: bool = False

    def add(self, seq: int, speaker: str) -> None:
        """The next turn."""
        if speaker != self.npc:
            self.asked = True
        if speaker != self.npc or not self.asked:
            self.count += 1
            self.starts.append(seq)
        if speaker == self.npc:
            self.own.append(seq)
        self.seen = seq


class _Outlines:
    """The outlines of one owner's conversations on one timeline, those used last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, int, int | None], _Outline] = OrderedDict()

    def of(self, store: Store, npc: str, player: str, session: int, most: int | None) -> _Outline:
        key = (npc, player, session, most)
        found = self._kept.pop(key, None)
        retired = max((number for number, _ in store.retired(npc, since=found.retired if found else 0)), default=0)
        if found is None or retired:  # a turn may be gone: counted anew
            found = _Outline(npc, deque(maxlen=most), retired=retired)
        for seq, speaker in store.speakers(npc, player, session, since=found.seen):
            found.add(seq, speaker)
        self._kept[key] = found
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)
        return found


def conversation(store: Store, npc: str, player: str, most: int | None) -> Conversation:
    """The conversation of ``npc`` with ``player`` that is going on; of its exchanges at most ``most`` are offered."""
    session = store.session(npc, player)
    outline = store.kept(_Outlines).of(store, npc, player, session, most)
    if not outline.seen:
        return Conversation(session, (), (), None)
    shown = outline.count - aligned_start(outline.count, most)
    first = outline.starts[-shown] if shown else outline.seen + 1
    turns = store.dialogue(npc, player, session, since=min([first, outline.seen, *outline.own]) - 1)
    own = [turn.text for turn in turns if turn.speaker == npc][-WINDOW:]
    return Conversation(session, tuple(turn for turn in turns if turn.seq >= first), tuple(own), turns[-1].game_time)
