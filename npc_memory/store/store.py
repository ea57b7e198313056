"""The store of one world: open, read, write in transactions, fork.

>>> from npc_memory.memory import Authority
>>> with Store.open(":memory:", world="emberfall") as store:
...     with store.transaction() as write:
...         _ = write.clock(authority=Authority.GAME, game_time=4310)
...     store.game_time()
4310
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from npc_memory.errors import InvalidInput, StoreWrongWorld
from npc_memory.memory import check_id
from npc_memory.store.database import Database
from npc_memory.store.lineage import Lineage, current_timeline, fork_point, fork_timeline, lineage_of, set_head
from npc_memory.store.migrations import migrate
from npc_memory.store.view import View
from npc_memory.store.writer import Writer

__all__ = ["Store"]


class Store(View):
    """One world's records, seen from its owner's current timeline. Safe from several threads, one at a time."""

    @classmethod
    def open(cls, path: Path | str, *, world: str, world_version: str = "", owner: str = "") -> Store:
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
            timeline = _settle(database, world, world_version, owner)
            return cls(database, lineage_of(database, timeline, owner))
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
            timeline = _settle(self._database, world, version, owner)
            return _Beside(self._database, lineage_of(self._database, timeline, owner))

    @property
    def read_only(self) -> bool:
        """True after a failure of the disk or the file: reads go on, writes raise ``StoreReadOnly``."""
        return self._database.failure is not None

    @contextmanager
    def transaction(self) -> Iterator[Writer]:
        """Write records, all or none; they are on the disk when the block has ended well.

        Other threads wait. A transaction within a transaction is part of it, and can fail alone. Raises
        ``StoreReadOnly`` after an earlier failure, ``StoreFull`` or ``StoreDamaged`` at the failure itself.
        """
        with self._database.lock:
            try:
                with self._database.transaction():
                    yield Writer(self._database, self)
            except BaseException:
                self._folds.clear()
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One moment: no write of another thread comes between the reads of this block. Needs no writable file."""
        with self._database.lock:
            yield

    def newest_seq(self) -> int:
        """The number of the newest record visible here, 0 when there is none."""
        return self._database.number("SELECT MAX(seq) FROM records WHERE timeline = ?", (self.timeline,)) or (
            self._lineage.spans[1][1] if len(self._lineage.spans) > 1 else 0
        )

    def fork(self, *, seq: int | None = None, timeline: int | None = None) -> int:
        """Begin a timeline that shares ``timeline`` (the current one) up to ``seq`` (its newest), and play on it.

        Returns the new timeline's number. Copies nothing; everything else stays and can be switched back to.
        """
        with self._database.lock:
            self._not_within_transaction()
            base = self._lineage if timeline is None else lineage_of(self._database, timeline, self.owner)
            newest = self._database.number("SELECT MAX(seq) FROM records")
            after = newest if seq is None else seq
            if type(after) is not int or not 0 <= after <= newest:
                raise InvalidInput(
                    f"there is no record {seq!r} to fork after", hint=f"give a number from 0 to {newest}"
                )
            with self._database.transaction():
                child = fork_timeline(self._database, self.owner, fork_point(base, after))
                set_head(self._database, child, self.owner)
            self._see(lineage_of(self._database, child, self.owner))
            return child

    def switch(self, timeline: int) -> None:
        """Play on ``timeline`` from now on; ``UnknownId`` when this owner has none of that number."""
        with self._database.lock:
            self._not_within_transaction()
            lineage = lineage_of(self._database, timeline, self.owner)
            with self._database.transaction():
                set_head(self._database, timeline, self.owner)
            self._see(lineage)

    def check(self) -> list[str]:
        """Everything wrong with the file, in words; empty when it is sound. Reads all of it."""
        return self._database.check()

    def _see(self, lineage: Lineage) -> None:
        self._lineage, self._parameter = lineage, lineage.parameter()
        self._folds.clear()

    def _not_within_transaction(self) -> None:
        if self._database.in_transaction:
            raise InvalidInput("the timeline cannot change within a transaction", hint="end the transaction first")


class _Beside(Store):
    """A store on a file that another one has opened and will close."""

    def close(self) -> None:
        """Leave the file open: others are at home in it."""


def _settle(database: Database, world: str, world_version: str, owner: str) -> int:
    """Check that the file is this world's and note what is new; return the owner's current timeline."""
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
    return timeline
