"""Saving and loading a game's memory: what a mind has to see to besides moving to another timeline."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cached_property
from threading import Lock
from typing import Any

from npc_memory.cancelling import Cancellation
from npc_memory.compacting import Compacting
from npc_memory.inference import Engine
from npc_memory.memory import SaveInfo, SaveNode
from npc_memory.memory.codec import canonical_json
from npc_memory.prompt_files import PromptFile
from npc_memory.reporting import Reports
from npc_memory.store import Store
from npc_memory.version import __version__
from npc_memory.working_memory import BudgetPolicy
from npc_memory.world import World

__all__ = ["OnLoad", "SaveSlots", "UnderWay"]

OnLoad = Callable[[str, SaveInfo], None]
"""Called after a load with the owner of the game and the save that was loaded, in the thread that loaded."""


class UnderWay:
    """The replies that are being made, so that a load can stop them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._replies: list[tuple[int, Cancellation]] = []

    @contextmanager
    def reply(self, epoch: int, cancellation: Cancellation) -> Iterator[None]:
        """This reply, begun in ``epoch``, is under way."""
        with self._lock:
            self._replies.append((epoch, cancellation))
        try:
            yield
        finally:
            with self._lock:
                self._replies.remove((epoch, cancellation))

    def stop(self, epoch: int) -> None:
        """Stop those that began before ``epoch``."""
        with self._lock:
            stale = [one for begun, one in self._replies if begun < epoch]
        for one in stale:
            one.cancel()


class SaveSlots:
    """The part of a mind that saves and loads."""

    world: World
    store: Store
    engine: Engine
    prompt: PromptFile
    policy: BudgetPolicy
    on_load: list[OnLoad]
    """Who is told of each load, of any owner's game."""
    _reports: Reports
    _under_way: UnderWay
    _compacting: Compacting

    @cached_property
    def _fits(self) -> str:
        """A name for all that decides, besides what a save shows, whether facts and state fit a prompt. What is known
        to fit need not be judged again by the next process; so its first load is as quick as any.
        """
        info = self.engine.info
        known: list[Any] = [__version__, self.world.fingerprint, asdict(self.policy), asdict(self.prompt), info.engine]
        known += [info.model, info.model_sha256, info.build, info.n_ctx, info.chat_template, info.bos, info.eos]
        return hashlib.sha256(canonical_json(known).encode("utf-8")).hexdigest()

    def save(self, slot: str, note: str = "") -> SaveInfo:
        """Save the game under ``slot`` (any id but "auto"). Its ``save_id`` never changes its meaning: keep it in the
        game's own save file. What was saved under that name before stays loadable by its ``save_id``.

        Copies nothing. ``note``: anything to show with it, at most 64 KiB.
        """
        return self.store.save(slot, note, fits=self._fits)

    def load(self, save: str) -> SaveInfo:
        """Go back (or forward) to a save, by slot or ``save_id``: nothing that came after it is remembered, ranked or
        counted; loading a later save brings that back. The only way for the clock to go back.

        What is left behind is in the slot "auto" then. Replies under way end as interrupted, and nothing of them is
        stored. Raises ``UnknownId``, and ``MandatoryOverflow`` when facts and state of an NPC as saved do not fit the
        model's window any more; then nothing has changed.
        """
        info = self.store.find_save(save)
        if self.store.fits(info.save_id) != self._fits:
            self._judge(info)
        info = self.store.load(info.save_id, fits=self._fits)
        self._under_way.stop(self.store.epoch)
        self._begin()
        self._compacting.wake(self.store)
        for told in list(self.on_load):
            told(self.store.owner, info)
        return info

    def saves(self) -> tuple[SaveInfo, ...]:
        """What each slot holds, by slot; "auto" is what the last load left behind."""
        return self.store.saves()

    def save_tree(self) -> tuple[SaveNode, ...]:
        """All saves and from which each was played on, oldest first; those too that have lost their slot to a later
        one.
        """
        return self.store.save_tree()

    def rename_save(self, save: str, slot: str) -> SaveInfo:
        """``slot`` names this save from now on. Raises ``UnknownId``, ``InvalidInput`` for a slot that is taken."""
        return self.store.rename_save(save, slot)

    def delete_save(self, save: str) -> SaveInfo:
        """Take a save away, by slot or ``save_id``; what it shares with others stays. Raises ``UnknownId``."""
        return self.store.delete_save(save)

    def compact(self) -> None:
        """Do now what is done in the background after loads: shorten the lineage, so that reading stays fast."""
        self.store.compact()

    def _judge(self, save: SaveInfo) -> None:
        """Raise ``MandatoryOverflow`` unless all that must be told at ``save`` fits."""
        with self.store.reading():
            view = self.store.save_view(save.save_id)
            if (view.state(), view.actors()) != (self.store.state(), self.store.actors()):
                self._reports.check_all(view=view)
            self.store.judge(save.save_id, self._fits)

    def _begin(self) -> None:
        """The clock of a game that has just begun shows the world's first minute."""
        if self.store.game_time() < self.world.start_time:
            self._reports.clock(self.world.start_time)
