"""Computing ahead: the player walks up, and what his first line will need of the prompt is there when he speaks."""

from __future__ import annotations

import threading

from npc_memory.errors import EngineError, InvalidInput, MandatoryOverflow, ModelError
from npc_memory.hearing import Line, gather
from npc_memory.inference import Engine, Generation, GenerationRequest, Priority
from npc_memory.memory import Snapshot, check_id
from npc_memory.prompt import prefixes
from npc_memory.prompt_files import PromptFile
from npc_memory.speaking import begins_alike
from npc_memory.store import Store
from npc_memory.working_memory import WorkingMemoryBuilder
from npc_memory.world import World

__all__ = ["Warmer", "Warming"]

ANYBODY = "player"
"""Stands for a player nobody knows yet; nothing that names him is computed."""


class Warming:
    """A prompt that is being computed ahead, a hint and no promise: whatever is more urgent ends it.

    ``taken``: whether there is an engine that took the hint.
    """

    def __init__(self, generation: Generation | None = None) -> None:
        self._generation = generation

    @property
    def taken(self) -> bool:
        """Whether the engine took it."""
        return self._generation is not None

    @property
    def done(self) -> bool:
        """Whether it is over, one way or another."""
        return self._generation is None or self._generation.done

    def cancel(self) -> None:
        """The player has walked on."""
        if self._generation is not None:
            self._generation.cancel()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over, at most ``timeout`` seconds; whether all of it has been computed."""
        try:
            return self._generation is not None and self._generation.result(timeout).finish == "warmed"
        except (EngineError, TimeoutError):
            return False


class Warmer:
    """Warms the prompts of one owner's game, for each NPC and player one at a time."""

    def __init__(
        self,
        world: World,
        store: Store,
        engine: Engine,
        prompt: PromptFile,
        builder: WorkingMemoryBuilder,
        deadline: float | None,
    ) -> None:
        self._world, self._store, self._engine = world, store, engine
        self._prompt, self._builder, self._deadline = prompt, builder, deadline
        self._lock = threading.Lock()
        self._under_way: dict[tuple[str, str | None], Warming] = {}

    def warm(self, npc: str, player: str | None) -> Warming:
        """See ``Mind.warm``."""
        pair = self.check(npc, player)
        with self._lock:
            self._under_way = {key: one for key, one in self._under_way.items() if not one.done}
            if pair not in self._under_way:
                self._under_way[pair] = self._begin(*pair)
            return self._under_way[pair]

    def check(self, npc: str, player: str | None) -> tuple[str, str | None]:
        """Whom it is about. Raises ``UnknownId``, ``InvalidInput``."""
        check_id(npc, "npc")
        pair = self._world.npc(npc).id, None if player is None else check_id(player, "player")
        if player == npc:
            raise InvalidInput(f"{npc!r} does not walk up to herself", hint="give the player an id no NPC has")
        return pair

    def _begin(self, npc: str, player: str | None) -> Warming:
        line = Line(npc=npc, player=player or ANYBODY, text="")
        try:
            with self._store.reading():
                heard = gather(self._world, self._store, line, self._prompt, self._builder.policy.max_exchanges)
            request = self._request(heard.snapshot, known=player is not None)
            return Warming(self._engine.submit(request) if request is not None else None)
        except (EngineError, ModelError, MandatoryOverflow):  # nobody is there to warm anything: a talk will say so
            return Warming()

    def _request(self, snapshot: Snapshot, *, known: bool) -> GenerationRequest | None:
        with self._builder.build(snapshot) as memory:
            begins = prefixes(memory.segments)
            # Where the budget presses, what is kept of the talk depends on the line that is still to come.
            length = begins.steady if known and not memory.truncated else begins.hers
            segments = memory.segments[:length]
        if not segments:
            return None
        return GenerationRequest(
            segments=segments,
            max_tokens=0,
            seed=0,
            deadline=self._deadline,
            priority=Priority.WARM,
            conversation=begins_alike(snapshot.npc, self._store.owner),
            shared=begins.shared,
            stable=length,
        )
