"""The store of one world: open, read, write in transactions, fork.

>>> from npc_memory.memory import Authority
>>> with Store.open(":memory:", world="emberfall") as store:
...     with store.transaction() as write:
...         _ = write.clock(authority=Authority.GAME, game_time=4310)
...     store.game_time()
4310
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from npc_memory.errors import InvalidInput, StoreWrongWorld, Superseded, UnknownId
from npc_memory.memory import SaveInfo, SaveNode, check_id
from npc_memory.store import checks, saves
from npc_memory.store.database import Database
from npc_memory.store.erasure import Progress, erase_person, erase_records, finish_erasures
from npc_memory.store.ids import seq_of
from npc_memory.store.lineage import (
    current_timeline,
    fork_point,
    fork_timeline,
    lineage_of,
    present,
    set_head,
)
from npc_memory.store.migrations import migrate
from npc_memory.store.seen import Seen
from npc_memory.store.view import View
from npc_memory.store.writer import Writer

__all__ = ["Store"]

WallClock = Callable[[], int]
"""Real time in Unix milliseconds. It is shown with a save; nothing is decided by it."""


def _machine_clock() -> int:
    return time.time_ns() // 1_000_000


class Store(View):
    """One world's records, seen from its owner's current timeline. Safe from several threads, one at a time."""

    def __init__(self, database: Database, seen: Seen, wall_clock: WallClock) -> None:
        super().__init__(database, seen)
        self._wall_clock = wall_clock

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        world: str,
        world_version: str = "",
        owner: str = "",
        wall_clock: WallClock = _machine_clock,
    ) -> Store:
        """Open the file of ``world``, making it and its folder if need be (":memory:": kept nowhere).

        The file is locked until ``close``. Raises ``StoreLocked`` when it is open elsewhere, ``StoreWrongWorld`` when
        it belongs to another world, ``StoreTooNew``, ``StoreDamaged``, ``StoreFull`` or ``StoreReadOnly`` (no
        permission to write); the file is then as it was.
        """
        check_id(world, "the world's id")
        if owner:
            check_id(owner, "an owner")
        database, _ = Database.open(path, migrate)
        try:
            finish_erasures(database)
            return cls(database, _settle(database, world, world_version, owner), wall_clock)
        except BaseException:
            database.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and drop its lock. Closing twice is harmless."""
        self._database.close()

    def for_owner(self, owner: str) -> Store:
        """The same file seen by another owner ("" is the local one), on that owner's own timeline; their records never
        meet. It lives as long as this store; closing it does nothing. ``InvalidInput`` for an id that cannot be one.
        """
        if owner:
            check_id(owner, "an owner")
        with self._database.lock:
            self._not_within_transaction()
            world = str(self._database.scalar("SELECT world FROM world"))
            version = str(self._database.scalar("SELECT version FROM packs ORDER BY id DESC LIMIT 1"))
            return _Beside(self._database, _settle(self._database, world, version, owner), self._wall_clock)

    @property
    def read_only(self) -> bool:
        """True after a failure of the disk or the file: reads go on, writes raise ``StoreReadOnly``."""
        return self._database.failure is not None

    @property
    def epoch(self) -> int:
        """A number that rises with every change of the timeline. Long work notes it, and writes with it."""
        return self._seen.epoch

    @contextmanager
    def transaction(self, epoch: int | None = None) -> Iterator[Writer]:
        """Write records, all or none; they are on the disk when the block has ended well.

        Other threads wait. A transaction within a transaction is part of it, and can fail alone. Raises
        ``StoreReadOnly`` after an earlier failure, ``StoreFull`` or ``StoreDamaged`` at the failure itself, and
        ``Superseded`` when ``epoch``, in which the work began that is to be stored, is over.
        """
        with self._database.lock:
            if epoch is not None and epoch != self.epoch:
                raise Superseded
            try:
                with self._database.transaction():
                    yield Writer(self._database, self)
            except BaseException:
                self._seen.folds.clear()
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One moment: no write of another thread comes between the reads of this block. Needs no writable file."""
        with self._database.lock:
            yield

    def fork(self, *, seq: int | None = None, timeline: int | None = None) -> int:
        """Begin a timeline that shares ``timeline`` (the current one) up to ``seq`` (its newest), and play on it.

        Returns the new timeline's number. Copies nothing; everything else stays and can be switched back to.
        """
        with self._database.lock:
            self._not_within_transaction()
            base = self._seen.lineage if timeline is None else lineage_of(self._database, timeline, self.owner)
            newest = self._database.number("SELECT MAX(seq) FROM records")
            if seq is not None and (type(seq) is not int or not 0 <= seq <= newest):
                raise InvalidInput(
                    f"there is no record {seq!r} to fork after", hint=f"give a number from 0 to {newest}"
                )
            place = present(self._database, base) if seq is None else fork_point(base, seq)
            with self._database.transaction():
                child = fork_timeline(self._database, self.owner, place)
                set_head(self._database, child, self.owner)
            self._seen.turn_to(lineage_of(self._database, child, self.owner))
            return child

    def switch(self, timeline: int) -> None:
        """Play on ``timeline`` from now on; ``UnknownId`` when this owner has none of that number."""
        with self._database.lock:
            self._not_within_transaction()
            lineage = lineage_of(self._database, timeline, self.owner)
            with self._database.transaction():
                set_head(self._database, timeline, self.owner)
            self._seen.turn_to(lineage)

    # -- saves -------------------------------------------------------------------------------------------------------

    def save(self, slot: str, note: str = "") -> SaveInfo:
        """Save the game under ``slot``; what was saved there before stays loadable by its ``save_id``. Copies nothing.

        ``note``: anything to show with it, at most 64 KiB.
        """
        if saves.check_slot(slot) == saves.AUTOMATIC:
            raise InvalidInput(f"the slot {slot!r} is filled by every load", hint="save under another name")
        with self._database.lock, self._database.transaction():
            number = self._save(slot, checks.text(note, "a save's note"), automatic=False)
            set_head(self._database, self.timeline, self.owner, number)
            return self._save_numbered(number)

    def load(self, save: str) -> SaveInfo:
        """Go back to a save, by slot or ``save_id``: all that came after it is out of sight. Copies nothing.

        What is left is saved in the slot "auto" first, unless a save holds it already. ``UnknownId`` for no save.
        """
        with self._database.lock:
            self._not_within_transaction()
            number, place, info = saves.find(self._database, self.owner, save)
            with self._database.transaction():
                self._save_before_load()
                child = fork_timeline(self._database, self.owner, place)
                set_head(self._database, child, self.owner, number)
            self._seen.turn_to(lineage_of(self._database, child, self.owner))
            return self._save_numbered(number) if info.slot == saves.AUTOMATIC else info

    def saves(self) -> tuple[SaveInfo, ...]:
        """What each slot holds, by slot."""
        return saves.saves(self._database, self.owner)

    def find_save(self, save: str) -> SaveInfo:
        """The save that a slot or ``save_id`` means; ``UnknownId``."""
        return saves.find(self._database, self.owner, save)[2]

    def save_view(self, save: str) -> View:
        """What a save shows, without loading it. Good until the next load."""
        with self._database.lock:
            (timeline, seq) = saves.find(self._database, self.owner, save)[1]
            return View(self._database, Seen(lineage_of(self._database, timeline, self.owner).until(seq)))

    def save_tree(self) -> tuple[SaveNode, ...]:
        """All saves, those that have lost their slot too, oldest first."""
        with self._database.lock:
            return saves.tree(self._database, self.owner)

    def rename_save(self, save: str, slot: str) -> SaveInfo:
        """From now on ``slot`` names this save. ``InvalidInput`` when the slot holds another one."""
        if saves.check_slot(slot) == saves.AUTOMATIC:
            raise InvalidInput(f"the slot {slot!r} is filled by every load", hint="choose another name")
        with self._database.lock, self._database.transaction():
            number, _, info = saves.find(self._database, self.owner, save)
            if info.slot != slot and slot in {one.slot for one in self.saves()}:
                raise InvalidInput(f"the slot {slot!r} holds another save", hint="delete that one, or choose a name")
            saves.put(self._database, self.owner, slot, number)
            return self._save_numbered(number)

    def delete_save(self, save: str) -> SaveInfo:
        """Take a save away, by slot or ``save_id``; others and the game being played keep all they share with it."""
        with self._database.lock, self._database.transaction():
            number, _, info = saves.find(self._database, self.owner, save)
            saves.delete(self._database, number)
            return info

    @property
    def slot(self) -> str:
        """The slot of the save that the game goes on from, "" for none."""
        return saves.playing(self._database, self.owner)

    def _save_before_load(self) -> None:
        place = present(self._database, self._seen.lineage)
        known = saves.AUTOMATIC in {one.slot for one in self.saves()}
        if not (known and saves.taken(self._database, self.owner, place)):
            self._save(saves.AUTOMATIC, "", automatic=True)

    def _save(self, slot: str, note: str, *, automatic: bool) -> int:
        number = saves.insert(
            self._database,
            self.owner,
            present(self._database, self._seen.lineage),
            game_time=self.game_time(),
            real_time=self._wall_clock(),
            world_version=str(self._database.scalar("SELECT version FROM packs ORDER BY id DESC LIMIT 1")),
            automatic=automatic,
            note=note,
        )
        saves.put(self._database, self.owner, slot, number)
        return number

    def _save_numbered(self, number: int) -> SaveInfo:
        save_id = str(self._database.scalar("SELECT save_id FROM saves WHERE id = ?", (number,)))
        return self.find_save(save_id)

    def forget(
        self,
        player: str,
        *,
        spared: Iterable[str] = (),
        dry_run: bool = False,
        progress: Progress = lambda step: None,
    ) -> dict[str, int]:
        """Erase ``player`` from this owner's records, on every timeline and in every save, and from every byte of the
        file; counts by kind, no content. ``dry_run``: only count. It cannot be undone.

        ``spared``: names that belong to others (NPCs, places) and stay in texts although the player was called so.
        ``progress`` gets the steps: looking, erasing, cleaning. What a crash interrupts is finished when the file is
        opened next. Raises ``InvalidInput`` for an id that cannot be one or within a transaction, and any
        ``StoreError``.
        """
        check_id(player, "a player's id")
        with self._database.lock:
            self._not_within_transaction()
            return erase_person(self._database, self.owner, player, [*spared], dry_run=dry_run, progress=progress)

    def erase(self, ids: Iterable[str], *, dry_run: bool = False) -> dict[str, int]:
        """Erase the records of these ids (a turn, an episode, an event, …), all that was made from them and what black
        boxes hold of them, from every byte of the file; counts by kind.

        Raises ``UnknownId`` when this owner has no such record on any timeline; then nothing is erased.
        """
        with self._database.lock:
            self._not_within_transaction()
            found = {id: seq_of(check_id(id, "a record's id")) for id in ids}
            for id, (kind, seq) in found.items():
                sql = "SELECT 1 FROM records WHERE seq = ? AND kind = ? AND owner = ?"
                if self._database.scalar(sql, (seq, kind, self.owner)) is None:
                    raise UnknownId(kind, id)
            return erase_records(self._database, self.owner, [seq for _, seq in found.values()], dry_run=dry_run)

    def check(self) -> list[str]:
        """Everything wrong with the file, in words; empty when it is sound. Reads all of it."""
        return self._database.check()

    def _not_within_transaction(self) -> None:
        if self._database.in_transaction:
            raise InvalidInput("this cannot be done within a transaction", hint="end the transaction first")


class _Beside(Store):
    """A store on a file that another one has opened and will close."""

    def close(self) -> None:
        """Leave the file open: others are at home in it."""


def _settle(database: Database, world: str, world_version: str, owner: str) -> Seen:
    """Check that the file is this world's and note what is new; return what the owner sees."""
    found = database.scalar("SELECT world FROM world")
    if found is not None and found != world:
        raise StoreWrongWorld(world, str(found))
    pack = database.scalar("SELECT version FROM packs ORDER BY id DESC LIMIT 1")
    timeline = current_timeline(database, owner)
    if found is None or timeline is None or pack != world_version:
        with database.transaction():
            if found is None:
                database.execute("INSERT INTO world (one, world) VALUES (1, ?)", (world,))
            if pack != world_version:
                newest = database.number("SELECT MAX(seq) FROM records")
                database.execute("INSERT INTO packs (version, after_seq) VALUES (?, ?)", (world_version, newest))
            if timeline is None:
                timeline = fork_timeline(database, owner, None)
                set_head(database, timeline, owner)
    # All stores of one owner look from the same place, so that none writes where another has left.
    seen = database.seen.get(owner)
    if not isinstance(seen, Seen):
        seen = database.seen[owner] = Seen(lineage_of(database, timeline, owner))
    return seen
