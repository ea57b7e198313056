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
from npc_memory.memory import Authority, check_id
from npc_memory.store.archive import Kind
from npc_memory.store.archive_export import export
from npc_memory.store.archive_import import Imported, import_archive
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
from npc_memory.store.owners import owner_key
from npc_memory.store.schema import MIGRATIONS
from npc_memory.store.seen import Seen
from npc_memory.store.slots import Slots, WallClock
from npc_memory.store.vectors import Vectors
from npc_memory.store.view import View
from npc_memory.store.writer import Writer

__all__ = ["Store"]


def _machine_clock() -> int:
    return time.time_ns() // 1_000_000


class Store(Vectors, Slots):
    """One world's records, seen from its owner's current timeline. Safe from several threads, one at a time."""

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

    @classmethod
    def reopen(cls, path: Path, *, owner: str = "") -> Store:
        """Open a file that is there, of whatever world. ``UnknownId`` when it is not; else as ``open``."""
        if not path.is_file():
            raise UnknownId("file", str(path))
        if owner:
            check_id(owner, "an owner")
        database, _ = Database.open(path, migrate)
        try:
            finish_erasures(database)
            world, version = _world_of(database)
            return cls(database, _settle(database, world, version, owner), _machine_clock)
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
            return _Beside(self._database, _settle(self._database, *_world_of(self._database), owner), self._wall_clock)

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
            with self._database.transaction():
                yield Writer(self._database, self)

    @contextmanager
    def rehearsal(self) -> Iterator[Writer]:
        """Write, see what would be visible then, and leave nothing of it."""
        try:
            with self.transaction() as writer:
                yield writer
                raise _Over
        except _Over:
            pass

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
            base = self._seen.lineage if timeline is None else lineage_of(self._database, timeline, self.owner_key)
            newest = self._database.number("SELECT MAX(seq) FROM records")
            if seq is not None and (type(seq) is not int or not 0 <= seq <= newest):
                raise InvalidInput(
                    f"there is no record {seq!r} to fork after", hint=f"give a number from 0 to {newest}"
                )
            place = present(self._database, base) if seq is None else fork_point(base, seq)
            with self._database.transaction():
                child = fork_timeline(self._database, self.owner_key, place)
                set_head(self._database, child, self.owner_key)
            self._turn_to(lineage_of(self._database, child, self.owner_key))
            return child

    def switch(self, timeline: int) -> None:
        """Play on ``timeline`` from now on; ``UnknownId`` when this owner has none of that number."""
        with self._database.lock:
            self._not_within_transaction()
            lineage = lineage_of(self._database, timeline, self.owner_key)
            with self._database.transaction():
                set_head(self._database, timeline, self.owner_key)
            self._turn_to(lineage)

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
            return erase_person(self._database, self.owner_key, player, [*spared], dry_run=dry_run, progress=progress)

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
                if self._database.scalar(sql, (seq, kind, self.owner_key)) is None:
                    raise UnknownId(kind, id)
            return erase_records(self._database, self.owner_key, [seq for _, seq in found.values()], dry_run=dry_run)

    def export(self, file: Path | str, *, npc: str = "", player: str = "", replace: bool = False) -> dict[str, int]:
        """Write an archive of this owner's world, with all timelines and saves; of what ``npc`` knows; or of what was
        recorded about ``player``. Counts of its lines by kind. The file is written whole or not at all.

        Raises ``InvalidInput`` when the file is there already (``replace`` allows it), ``StoreError`` when it cannot
        be written. An archive is not erased by ``forget``.
        """
        if npc and player:
            raise InvalidInput("an archive is of an NPC or of a player", hint="make two")
        kind: Kind = "npc" if npc else "player" if player else "world"
        with self._database.lock:
            version = MIGRATIONS[-1].version
            return export(self._database, self.owner_key, Path(file), kind, npc or player, version, replace=replace)

    def import_archive(
        self,
        file: Path | str,
        *,
        rank: Authority = Authority.GAME,
        check: Callable[[View], None] = lambda view: None,
    ) -> Imported:
        """Store what an archive holds: all of it or nothing, and nothing that is here already.

        ``check`` gets what is seen with it, before it is stored; if it raises, nothing is. Raises ``ArchiveInvalid``,
        ``ArchiveDamaged``, ``ArchiveTooNew``; ``ArchiveConflict`` when other records have those numbers;
        ``StoreWrongWorld``; ``AuthorityViolation`` for a record above ``rank``, that of who imports.
        """
        with self._database.lock:
            self._not_within_transaction()
            with self._database.transaction():
                done, header = import_archive(self._database, self.owner_key, Path(file), MIGRATIONS[-1].version, rank)
                if done.added and header.kind == "world" and header.timeline:
                    set_head(self._database, header.timeline, self.owner_key, header.save or None)
                timeline = current_timeline(self._database, self.owner_key) or self.timeline
                lineage = lineage_of(self._database, timeline, self.owner_key)
                check(View(self._database, Seen(lineage)))
            if done.added:
                self._turn_to(lineage)
                self._seen.forget()
            return done

    def check(self) -> list[str]:
        """Everything wrong with the file, in words; empty when it is sound. Reads all of it."""
        return self._database.check()


class _Over(Exception):
    """A rehearsal is over."""


class _Beside(Store):
    """A store on a file that another one has opened and will close."""

    def close(self) -> None:
        """Leave the file open: others are at home in it."""


def _world_of(database: Database) -> tuple[str, str]:
    """The world a file is of, and the version of its pack that is in force. Raises ``UnknownId`` for an empty file."""
    found = database.scalar("SELECT world FROM world")
    if found is None:
        raise UnknownId("world in the file", database.where)
    return str(found), str(database.scalar("SELECT version FROM packs ORDER BY id DESC LIMIT 1"))


def _settle(database: Database, world: str, world_version: str, owner: str) -> Seen:
    """Check that the file is this world's and note what is new; return what the owner sees."""
    owner = owner_key(database, owner)
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
