"""What NPCs do without a player's line: a prompt is warmed before he speaks, and two of them talk with each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from npc_memory.answers import Answer
from npc_memory.cancelling import Cancellation
from npc_memory.conversing import Company, Conversed, Converser, Plan
from npc_memory.idempotence import answered
from npc_memory.saving import UnderWay
from npc_memory.stage import Stage
from npc_memory.store import Store
from npc_memory.warming import Warmer, Warming
from npc_memory.world import Npc, World

__all__ = ["Among"]


class Among:
    """The part of a mind that needs no player."""

    world: World
    store: Store
    npc: Callable[[str], Npc]
    _stage: Stage
    _under_way: UnderWay
    _warmer: Warmer
    _converser: Converser

    def warm(self, npc: str, player: str | None = None) -> Warming:
        """``player`` (None: somebody) walks up to ``npc``: what his first line will need of her prompt is computed now,
        everything before the parts that change. A hint: nothing is stored, whatever is more urgent ends it, and without
        an engine that takes it nothing happens. While it is under way another one for the same two is the same one.

        Raises ``UnknownId`` for the NPC, ``InvalidInput``.
        """
        return self._warmer.warm(npc, player)

    def check_warm(self, npc: str, player: str | None = None) -> None:
        """Raise what ``warm`` raises for these two, and do nothing else."""
        self._warmer.check(npc, player)

    def converse(
        self,
        npcs: Sequence[str],
        *,
        topic: str = "",
        turns: int = 4,
        place: str | None = None,
        key: str = "",
        on_reply: Callable[[Answer], None] = lambda answer: None,
        on_heard: Callable[[], None] = lambda: None,
        wanted: Callable[[], bool] = lambda: False,
        cancellation: Cancellation | None = None,
        epoch: int | None = None,
    ) -> Conversed:
        """Two ``npcs`` talk with each other, the first begins: at most ``turns`` lines (1 to 16) about ``topic`` (1 KiB
        at most), at ``place`` (None: where the first is). Each line is stored in both memories before ``on_reply`` gets
        it. What players told one of them alone does not come up.

        It ends early with what was said: when a player waits for one of the two before the next line (in ``talk``, or
        ``wanted`` says so), after the first authored line that stands in for the model, when the engine takes no more,
        and when it is cancelled or a save is loaded (the line under way is dropped then, and the ``key`` stays unused;
        ``epoch``: see ``talk``). ``on_heard`` is called once the snapshot of the first line has been taken. A ``key``
        that has been answered before gives the same lines again, and nothing else happens.

        Raises ``UnknownId``, ``InvalidInput``, ``TextTooLong``, ``EngineBusy``; then nothing was stored. What
        ``on_reply`` raises comes out here, and any ``StoreError``; the lines said before stay.
        """
        plan = Plan.of(self.npc, npcs, topic, turns, place)
        begun, cancellation = self.store.epoch if epoch is None else epoch, cancellation or Cancellation()
        turn = self._stage.turn(*plan.npcs, player=False)
        with self._under_way.reply(begun, cancellation), turn as here:
            if (earlier := answered(self.store, key, "converse")) is not None:
                on_heard()
                found = Conversed.from_map(earlier)
                for answer in found.replies:
                    on_reply(answer)
                return found
            company = Company(on_reply, on_heard, lambda: here.wanted or wanted(), cancellation)
            return self._converser.run(plan, company, key, begun)
