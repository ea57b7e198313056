"""Erasing a person or a memory: nobody speaks meanwhile, and the world pack has a say about names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from npc_memory.errors import InvalidInput
from npc_memory.memory import check_id
from npc_memory.recall.stop_words import STOP_WORDS
from npc_memory.recall.words import forget_terms
from npc_memory.stage import Stage
from npc_memory.store import Store
from npc_memory.world import World

if TYPE_CHECKING:  # the command that erases starts no engine
    from npc_memory.inference import Engine
    from npc_memory.working_memory import WorkingMemoryBuilder

__all__ = ["Forgetting", "forget_player", "spared_names"]

Progress = Callable[[str], None]


def spared_names(world: World) -> list[str]:
    """Names that stay in texts although a player was called so: those of the world pack, and ordinary words. Otherwise
    whoever calls himself "Marta" or "The" would take everyone's memories along when he is forgotten.
    """
    return sorted({*world.names, *world.names.values(), *world.npcs, *world.places, *world.factions, *STOP_WORDS})


def forget_player(
    world: World, store: Store, player: str, *, dry_run: bool = False, progress: Progress = lambda step: None
) -> dict[str, int]:
    """See ``Mind.forget``. Needs no engine."""
    if check_id(player, "a player's id") in world.npcs:
        raise InvalidInput(f"{player!r} is an NPC of the world pack", hint="only players can be forgotten")
    return store.forget(player, spared=spared_names(world), dry_run=dry_run, progress=progress)


class Forgetting:
    """The part of a mind that erases."""

    world: World
    store: Store
    builder: WorkingMemoryBuilder
    engine: Engine
    _stage: Stage

    def forget(self, player: str, dry_run: bool = False, *, progress: Progress = lambda step: None) -> dict[str, int]:
        """Erase ``player`` from all records of this owner, on every timeline and in every save, and from every byte of
        the file: what he said and did, what was said and done to him, what was made of it, and his name in what others
        said. Counts by kind, no content (docs/erasure.md). ``dry_run``: only count. It cannot be undone.

        Waits for the replies under way, and nobody speaks meanwhile. ``progress`` gets the steps. Raises
        ``InvalidInput`` for an NPC, and any ``StoreError``; a crash is made up for when the file is opened next.
        """
        with self._silence():
            return forget_player(self.world, self.store, player, dry_run=dry_run, progress=progress)

    def erase(self, ids: Sequence[str], dry_run: bool = False) -> dict[str, int]:
        """Erase the records of these ids (turns, episodes, events …) in the same way, and all that was made from them.

        Raises ``UnknownId``; then nothing is erased.
        """
        with self._silence():
            return self.store.erase(ids, dry_run=dry_run)

    @contextmanager
    def _silence(self) -> Iterator[None]:
        """Nobody speaks: what was begun with a memory that is to be erased is not stored after it. Then what is
        remembered by its text outside the store is dropped: what it costs, its terms, and who is called how.
        """
        from npc_memory.judging import forget_guards  # the guard, which the command that erases does not need

        with self._stage.turn(*self.world.npcs):
            yield
            self.builder.forget()
            self.engine.drop_cache()
            forget_terms()
            forget_guards()
