"""How speakers are called in a prompt. Names are for reading; ids stay the keys (promise P6)."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from npc_memory.memory import clean_text

__all__ = ["Labels", "label_text"]

MAX_LABEL = 40
"""Longest label, in characters: a name must not eat the budget."""


def label_text(name: str) -> str:
    """A name as it may stand before a colon: one line, no colon of its own, at most 40 characters."""
    return " ".join(clean_text(name).replace(":", " ").replace("：", " ").split())[:MAX_LABEL].strip()


def _same(label: str) -> str:
    return unicodedata.normalize("NFKC", label).casefold()


class Talk(Protocol):
    """Who talks with whom, and how all are called: a snapshot, or what will be one."""

    @property
    def npc(self) -> str:
        """The NPC's id."""
        ...

    @property
    def player(self) -> str:
        """The player's id."""
        ...

    @property
    def names(self) -> Mapping[str, str] | Sequence[tuple[str, str]]:
        """Display names by id."""
        ...


class Labels:
    """Labels of everyone in a snapshot. ``present``: those who have a part in it, left out: all who have names.

    Nobody is shown under the NPC's own label, no third party under the player's, and no two third parties under one:
    where names are the same the id is added, so that a player who calls himself "Marta" never puts words into Marta's
    mouth, and two guards are two. Nor does one who is called like a heading (``reserved``) speak under it.
    """

    def __init__(self, snapshot: Talk, reserved: Iterable[str] = (), present: Iterable[str] | None = None) -> None:
        self._reserved = frozenset(_same(label_text(heading)) for heading in reserved if heading)
        self._present = None if present is None else frozenset(present)
        self._counted: Counter[str] | None = None
        self._names = dict(snapshot.names)
        self._npc, self._player = snapshot.npc, snapshot.player
        self.npc = self._plain(snapshot.npc)
        self._own = _same(self.npc)
        self.player = self._apart(snapshot.player, self._own)
        self._players = _same(self.player)

    def of(self, speaker: str) -> str:
        """The label of ``speaker`` (an id)."""
        if speaker == self._npc:
            return self.npc
        if speaker == self._player:
            return self.player
        label = _same(self._plain(speaker))
        shared = (label,) if self._called(label) > 1 else ()
        return self._apart(speaker, self._own, self._players, *shared)

    def _plain(self, id: str) -> str:
        return label_text(self._names.get(id, "")) or label_text(id) or "someone"

    def _called(self, label: str) -> int:
        """How many of those present have that name. Counted when a third party is first shown."""
        if self._counted is None:
            there = self._names if self._present is None else sorted(self._present)
            self._counted = Counter(_same(self._plain(id)) for id in there)
        return self._counted[label]

    def _apart(self, id: str, *taken: str) -> str:
        label = self._plain(id)
        if _same(label) not in taken and _same(label) not in self._reserved:
            return label
        marked = f"{label[: MAX_LABEL // 2]} ({label_text(id)[: MAX_LABEL // 2]})"
        free = _same(marked) not in taken and (id == self._player or not self._called(_same(marked)))
        return marked if free else f"another {label}"[:MAX_LABEL]

    def speaking(self, speaker: str, addressee: str) -> str:
        """The label of a line: Olaf, or "Olaf (to Brynja)" when it goes to a third party."""
        expected = ("", self._player) if speaker == self._npc else ("", self._npc)
        if addressee in expected:
            return self.of(speaker)
        return f"{self.of(speaker)} (to {self.of(addressee)})"
