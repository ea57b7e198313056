"""Saving, loading and what keeps loading cheap: the part of a store that moves along the tree of timelines by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from npc_memory.errors import InvalidInput
from npc_memory.memory import SaveInfo, SaveNode
from npc_memory.store import checks, compaction, saves
from npc_memory.store.database import Database
from npc_memory.store.lineage import Lineage, fork_timeline, lineage_of, moment, present, set_head
from npc_memory.store.saves import Place
from npc_memory.store.seen import Seen
from npc_memory.store.view import View

__all__ = ["Slots", "WallClock"]

WallClock = Callable[[], int]
"""Real time in Unix milliseconds. It is shown with a save; nothing is decided by it."""


class Slots(View):
    """A view that can be saved, and moved to a save."""

    def __init__(self, database: Database, seen: Seen, wall_clock: WallClock) -> None:
        super().__init__(database, seen)
        self._wall_clock = wall_clock

    def save(self, slot: str, note: str = "", *, fits: str = "") -> SaveInfo:
        """Save the game under ``slot``; what was saved there before stays loadable by its ``save_id``. Copies nothing.

        ``note``: anything to show with it, at most 64 KiB. ``fits``: see ``fits``.
        """
        if saves.check_slot(slot) == saves.AUTOMATIC:
            raise InvalidInput(f"the slot {slot!r} is filled by every load", hint="save under another name")
        with self._database.lock, self._database.transaction():
            number = self._save(slot, checks.text(note, "a save's note"), fits, automatic=False)
            set_head(self._database, self.timeline, self.owner_key, number)
            return self._save_numbered(number)

    def load(self, save: str, *, fits: str = "") -> SaveInfo:
        """Go back to a save, by slot or ``save_id``: all that came after it is out of sight. Copies nothing.

        What is left is saved in the slot "auto" first, unless a save holds it already; of those that lost the slot to
        a later one the newest ``saves.MOST_AUTOMATIC`` are kept. ``fits``: that of what is left. ``UnknownId`` for no
        save.
        """
        with self._database.lock:
            self._not_within_transaction()
            number, place, info = saves.find(self._database, self.owner_key, save)
            with self._database.transaction():
                place_left = self._save_before_load(fits)
                child = fork_timeline(self._database, self.owner_key, place)
                set_head(self._database, child, self.owner_key, number)
            self._turn_to(lineage_of(self._database, child, self.owner_key), place_left[1])
            return self._save_numbered(number) if info.slot == saves.AUTOMATIC else info

    def saves(self) -> tuple[SaveInfo, ...]:
        """What each slot holds, by slot."""
        return saves.saves(self._database, self.owner_key)

    def find_save(self, save: str) -> SaveInfo:
        """The save that a slot or ``save_id`` means; ``UnknownId``."""
        return saves.find(self._database, self.owner_key, save)[2]

    def fits(self, save_id: str) -> str:
        """For what all that must be told at a save is known to fit a prompt, "" when it is not known; see ``judge``."""
        return saves.verdict(self._database, self.owner_key, save_id)

    def judge(self, save: str, fits: str) -> None:
        """Note that all that must be told at a save fits; ``fits`` names for what: any text. It is kept for speed and
        may be lost.
        """
        with self._database.lock, self._database.transaction():
            saves.judge(self._database, saves.find(self._database, self.owner_key, save)[0], fits)

    def save_view(self, save: str) -> View:
        """What a save shows, without loading it. Good as long as the store's lock is held (``Store.reading``)."""
        with self._database.lock:
            (timeline, seq) = saves.find(self._database, self.owner_key, save)[1]
            return View(self._database, Seen(lineage_of(self._database, timeline, self.owner_key).until(seq)))

    def save_tree(self) -> tuple[SaveNode, ...]:
        """All saves, those that have lost their slot too, oldest first."""
        with self._database.lock:
            return saves.tree(self._database, self.owner_key)

    def rename_save(self, save: str, slot: str) -> SaveInfo:
        """From now on ``slot`` names this save. ``InvalidInput`` when the slot holds another one."""
        if saves.check_slot(slot) == saves.AUTOMATIC:
            raise InvalidInput(f"the slot {slot!r} is filled by every load", hint="choose another name")
        with self._database.lock, self._database.transaction():
            number, _, info = saves.find(self._database, self.owner_key, save)
            if info.slot != slot and slot in {one.slot for one in self.saves()}:
                raise InvalidInput(f"the slot {slot!r} holds another save", hint="delete that one, or choose a name")
            saves.put(self._database, self.owner_key, slot, number)
            return self._save_numbered(number)

    def delete_save(self, save: str) -> SaveInfo:
        """Take a save away, by slot or ``save_id``; others and the game being played keep all they share with it."""
        with self._database.lock, self._database.transaction():
            number, _, info = saves.find(self._database, self.owner_key, save)
            saves.delete(self._database, number)
            return info

    def compactable(self) -> bool:
        """Whether ``compact`` has something to do."""
        return len(self._seen.lineage.spans) - 1 > compaction.MOST_FOREBEARS

    def compact_step(self) -> bool:
        """A small step towards a shorter lineage, safe at any moment; False when there is nothing (more) to do."""
        with self._database.lock:
            self._not_within_transaction()
            with self._database.transaction():
                done = compaction.step(self._database, self._seen.lineage, compaction.MOST_FOREBEARS)
            if done:
                self._seen.relabel(lineage_of(self._database, self.timeline, self.owner_key))
            return done

    def compact(self) -> None:
        """Shorten the lineage, which every load that is played on makes longer, so that reading stays as fast as it
        was. No record and no save changes what it shows. A mind does it by itself, beside the game.
        """
        while self.compact_step():
            pass

    @property
    def slot(self) -> str:
        """The slot of the save that the game goes on from, "" for none."""
        return saves.playing(self._database, self.owner_key)

    def _turn_to(self, lineage: Lineage, newest: int | None = None) -> None:
        if newest is None:
            newest = present(self._database, self._seen.lineage)[1]
        self._seen.turn_to(lineage, newest, partial(moment, self._database, lineage.owner))

    def _save_before_load(self, fits: str) -> Place:
        place = present(self._database, self._seen.lineage)
        known = saves.named(self._database, self.owner_key, saves.AUTOMATIC)
        if not (known and saves.taken(self._database, self.owner_key, place)):
            self._save(saves.AUTOMATIC, "", fits, automatic=True)
            saves.drop_old(self._database, self.owner_key)
        return place

    def _save(self, slot: str, note: str, fits: str, *, automatic: bool) -> int:
        number = saves.insert(
            self._database,
            self.owner_key,
            present(self._database, self._seen.lineage),
            game_time=self.game_time(),
            real_time=self._wall_clock(),
            world_version=str(self._database.scalar("SELECT version FROM packs ORDER BY id DESC LIMIT 1")),
            automatic=automatic,
            note=note,
        )
        saves.put(self._database, self.owner_key, slot, number)
        if fits:
            saves.judge(self._database, number, fits)
        return number

    def _save_numbered(self, number: int) -> SaveInfo:
        save_id = str(self._database.scalar("SELECT save_id FROM saves WHERE id = ?", (number,)))
        return self.find_save(save_id)

    def _not_within_transaction(self) -> None:
        if self._database.in_transaction:
            raise InvalidInput("this cannot be done within a transaction", hint="end the transaction first")
