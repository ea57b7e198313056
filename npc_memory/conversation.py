"""The part of a conversation that a reply is shown, found without reading the conversation from its beginning.

What she overheard the player and others say to each other is part of it. It breaks off where so much time went by in
silence that what was said before is no longer what they are talking about.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field

from npc_memory.memory import TurnRecord
from npc_memory.memory.identities import Being
from npc_memory.reply.loops import WINDOW
from npc_memory.store import Continued, Store
from npc_memory.store.rows import Line

__all__ = ["SESSION_GAP", "Conversation", "aligned_start", "conversation"]

SESSION_GAP = 6 * 60
"""Game minutes of silence after which a conversation is a new one."""

REMEMBERED = 1024
"""Conversations of which is remembered where their exchanges begin: about 1 KB each, and every ``MARKED`` lines."""

MARKED = 64
"""Lines after which it is noted how a conversation stood, so that a load need not count it from its beginning."""

Who = Callable[[str, int], str]
"""The id to use now for an id in a record of that number."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """The conversation that is going on. ``offered``: turns of its newest exchanges; ``own_lines``: what the NPC said
    last, oldest first; ``fresh``: the one of number ``session`` is over, the next line begins a new one; ``first``: the
    two have never talked.
    """

    session: int
    offered: tuple[TurnRecord, ...]
    own_lines: tuple[str, ...]
    fresh: bool
    first: bool


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
    """How many exchanges there are, and the record numbers of the newest of them and of her own last lines.

    Exchanges are those of ``working_memory.candidates.exchanges``: one starts at each turn not by the NPC; an NPC turn
    before the first of these is one of its own. ``talked``: there are turns of their own in it, not only overheard
    ones; ``over``: there were before it broke off.
    """

    npc: str
    newest: deque[list[int]]
    own: deque[int] = field(default_factory=lambda: deque(maxlen=WINDOW))
    count: int = 0
    seen: int = 0
    last: int | None = None
    retired: int = 0
    asked: bool = False
    talked: bool = False
    over: bool = False

    def add(self, line: Line, speaker: str) -> None:
        """The next turn."""
        if self.last is not None and line.game_time - self.last > SESSION_GAP:
            self._break_off()
        if speaker != self.npc:
            self.asked = True
        if speaker != self.npc or not self.asked:
            self.count += 1
            self.newest.append([])
        if self.newest:  # with no exchange to be offered there is none to keep
            self.newest[-1].append(line.seq)
        if speaker == self.npc:
            self.own.append(line.seq)
        self.talked = self.talked or not line.heard
        self.seen, self.last = line.seq, line.game_time

    def standing(self) -> _Outline:
        """One of its own that says the same and grows apart from it."""
        one = copy(self)
        one.newest = deque((list(exchange) for exchange in self.newest), self.newest.maxlen)
        one.own = self.own.copy()
        return one

    def _break_off(self) -> None:
        self.newest.clear()
        self.own.clear()
        self.count, self.asked, self.talked, self.over = 0, False, False, self.over or self.talked


@dataclass(slots=True)
class _Marked:
    """An outline, and how it stood every so many lines before, oldest first. ``until_now``: up to which record it has
    all lines there are.
    """

    now: _Outline
    before: list[_Outline] = field(default_factory=list)
    lines: int = 0
    until_now: int = 0

    def add(self, line: Line, speaker: str) -> None:
        """The next turn."""
        self.now.add(line, speaker)
        self.lines += 1
        if self.lines % MARKED == 0:
            self.before.append(self.now.standing())

    def until(self, shared: int) -> _Marked | None:
        """What of it holds where the records up to number ``shared`` are the same; None when nothing does. What a
        retirement beyond took out counts again there.
        """
        if self.now.retired > shared:
            return None
        before = [one for one in self.before if one.seen <= shared]
        if self.now.seen <= shared:
            return _Marked(self.now.standing(), before, self.lines, min(self.until_now, shared))
        return _Marked(before[-1].standing(), before, MARKED * len(before)) if before else None


Key = tuple[tuple[Being, ...], tuple[Being, ...], int, int, int | None]
"""Who talks with whom; which conversation it is, and since which record overheard lines belong to it; how many
exchanges are offered at most."""


class _Outlines(Continued):
    """The outlines of one owner's conversations on one timeline, those used last. Those of an earlier timeline are
    taken back to what is shared when they are first asked for on this one.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, _Marked] = OrderedDict()
        self._before: dict[Key, tuple[_Marked, int]] = {}

    def continued(self, shared: int) -> _Outlines:
        """Those of a timeline that shares the records up to number ``shared``."""
        one = _Outlines()
        one._before = {key: (found, min(shared, last)) for key, (found, last) in self._before.items()}
        one._before |= {key: (found, shared) for key, found in self._kept.items()}
        while len(one._before) > REMEMBERED:
            one._before.pop(next(iter(one._before)))
        return one

    @property
    def size(self) -> int:
        """About how many bytes they take."""
        return 1024 * sum(1 + len(one.before) for one in self._kept.values())

    def of(self, store: Store, npc: str, player: str, ended: tuple[int, int], most: int | None, who: Who) -> _Outline:
        identities = store.identities()
        same = identities.same(npc), identities.same(player)
        key = (*same, *ended, most)
        found, newest = self._kept.pop(key, None) or self._taken_over(key), store.newest_seq()
        if found is not None and found.until_now >= newest:
            self._kept[key] = found
            return found.now
        retired = max((number for number, _ in store.retired(npc, since=found.now.retired if found else 0)), default=0)
        if found is None or retired:  # a turn may be gone: counted anew
            found = _Marked(_Outline(npc, deque(maxlen=most), retired=retired))
        for line in store.lines(npc, player, since=found.now.seen):
            found.add(line, who(line.speaker, line.seq))
        found.until_now = newest
        self._kept[key] = found
        while len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)
        return found.now

    def _taken_over(self, key: Key) -> _Marked | None:
        found, shared = self._before.pop(key, (None, 0))
        # Of several ids each has its own end of the conversation before; those are counted anew.
        plain = all(len(beings) == 1 and beings[0] == Being(beings[0].id) for beings in key[:2])
        return found.until(shared) if found is not None and plain else None


def conversation(store: Store, npc: str, player: str, now: int, most: int | None, who: Who) -> Conversation:
    """The conversation of ``npc`` with ``player`` that is going on at game time ``now``; of its exchanges at most
    ``most`` are offered.
    """
    ended = store.ended(npc, player)
    session = ended[0] + 1
    outline = store.kept(_Outlines).of(store, npc, player, ended, most, who)
    stale = outline.last is not None and now - outline.last > SESSION_GAP
    first = session == 1 and not outline.talked and not outline.over
    if stale or outline.last is None:
        return Conversation(session, (), (), outline.talked or outline.over, first)
    shown = outline.count - aligned_start(outline.count, most)
    offered = [seq for exchange in list(outline.newest)[len(outline.newest) - shown :] for seq in exchange]
    turns = store.turns_at(sorted({*offered, *outline.own}))
    return Conversation(
        session,
        tuple(turns[seq] for seq in offered if seq in turns),
        tuple(turns[seq].text for seq in outline.own if seq in turns),
        outline.over and not outline.talked,
        first,
    )
