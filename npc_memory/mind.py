"""One reply, from heard to said: the way of a line.

hear      store, world and recall give a frozen snapshot
build     the working memory of this one reply, every fact and state entry in it
speak     tokens stream out, sentence by sentence, and are checked
remember  both turns, the episode and the audit record, in one transaction
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any

from npc_memory.audit import Audit, prompt_sha256
from npc_memory.hearing import Heard, Line, bare_snapshot, hear, policy_for
from npc_memory.inference import Engine, TokenCounter
from npc_memory.memory import Authority, StateEntry, StateValue
from npc_memory.memory.codec import snapshot_to_data
from npc_memory.prompt import Labels
from npc_memory.prompt_files import PromptFile, template_for
from npc_memory.remembering import Remembered, remember
from npc_memory.speaking import Cancellation, OnText, Speaker, Spoken
from npc_memory.store import Store
from npc_memory.working_memory import BudgetPolicy, WorkingMemory, WorkingMemoryBuilder
from npc_memory.world import World

__all__ = ["Answer", "Cancellation", "Mind"]

DEADLINE = 120.0
"""Seconds one attempt at a reply may take before the authored line stands in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A reply as the game gets it. ``dropped``: items left out of the prompt for the budget; ``audit``: id of its
    record. ``fallback``: an authored line. ``interrupted``: cancelled, ``say`` is what had been released.
    """

    npc: str
    player: str
    say: str
    mood: str
    action: dict[str, Any] | None
    turn: str
    kind: str
    fallback: bool
    interrupted: bool
    dropped: int
    audit: str
    reason: str


class Mind:
    """The NPCs of one world: what they know, what they remember, how they answer.

    Owns its store and engine and closes them. Every method may be called from any thread; one NPC answers one line at
    a time. Opening one raises ``MandatoryOverflow`` when an NPC's facts do not fit the model's window, so that this
    never happens while a player speaks.
    """

    def __init__(
        self,
        world: World,
        store: Store,
        engine: Engine,
        prompt: PromptFile,
        *,
        policy: BudgetPolicy | None = None,
        deadline: float | None = DEADLINE,
    ) -> None:
        self.world, self.store, self.engine, self.prompt = world, store, engine, prompt
        self.policy = policy or policy_for(world, prompt, engine.info.n_ctx)
        self.template = template_for(prompt, engine.info)
        self.builder = WorkingMemoryBuilder(self.policy, TokenCounter(engine), self.template)
        self._speaker = Speaker(engine, prompt.sampling, world.seed, deadline)
        self._locks: dict[str, threading.Lock] = {npc: threading.Lock() for npc in world.npcs}
        if store.game_time() < world.start_time:
            self.clock(world.start_time)
        self._check_all(store.state())

    def __enter__(self) -> Mind:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the engine and the store."""
        try:
            self.engine.close()
        finally:
            self.store.close()

    # -- one reply ---------------------------------------------------------------------------------------------------

    def talk(
        self,
        npc: str,
        player: str,
        text: str,
        *,
        place: str | None = None,
        audience: Sequence[str] = (),
        actions: Sequence[str] | None = None,
        on_text: OnText = lambda text: None,
        cancellation: Cancellation | None = None,
    ) -> Answer:
        """``player`` says ``text`` (at most 64 KiB) to ``npc``; return her answer, remembered.

        ``on_text`` gets the words as they are released; joined they equal ``say``. ``actions``: ids of the actions the
        game offers now, None for all in the world pack. Raises ``UnknownId``, ``InvalidInput``, ``TextTooLong``,
        ``EngineBusy`` and any ``StoreError``; then nothing was stored. A failing model raises nothing: an authored line
        stands in.
        """
        line = Line(
            npc=npc,
            player=player,
            text=text,
            place=place,
            audience=tuple(audience),
            actions=None if actions is None else tuple(actions),
        )
        with self._turn_of(npc):
            heard = self._hear(line)
            with self.builder.build(heard.snapshot) as memory:
                spoken = self._speak(heard, memory, on_text, cancellation or Cancellation())
                kept = remember(self.store, heard, spoken, self._audit(heard, memory, spoken).payload())
                return self._answer(heard, memory, spoken, kept)

    def working_memory(self, npc: str, player: str, text: str) -> WorkingMemory:
        """The working memory that a reply to ``text`` would have now; nothing is said or stored."""
        return self.builder.build(self._hear(Line(npc=npc, player=player, text=text)).snapshot)

    def _turn_of(self, npc: str) -> threading.Lock:
        self.world.npc(npc)
        return self._locks[npc]

    def _hear(self, line: Line) -> Heard:
        return hear(self.world, self.store, line, self.prompt, self.policy.max_exchanges)

    def _speak(self, heard: Heard, memory: WorkingMemory, on_text: OnText, cancellation: Cancellation) -> Spoken:
        labels = Labels(heard.snapshot)
        return self._speaker.speak(heard, memory.segments, (labels.npc, labels.player), on_text, cancellation)

    def _answer(self, heard: Heard, memory: WorkingMemory, spoken: Spoken, kept: Remembered) -> Answer:
        return Answer(
            npc=heard.npc.id,
            player=heard.line.player,
            say=spoken.say,
            mood=spoken.mood,
            action=spoken.action,
            turn=kept.turn,
            kind="talk",
            fallback=spoken.mark == "fallback",
            interrupted=spoken.mark == "interrupted",
            dropped=sum(1 for one in memory.report.dropped if one.reason == "budget"),
            audit=kept.audit,
            reason=spoken.reason,
        )

    def _audit(self, heard: Heard, memory: WorkingMemory, spoken: Spoken) -> Audit:
        info, report = self.engine.info, memory.report
        return Audit(
            npc=heard.npc.id,
            player=heard.line.player,
            exchange=heard.exchange,
            world=self.world.id,
            world_version=self.world.version,
            world_fingerprint=self.world.fingerprint,
            snapshot=snapshot_to_data(heard.snapshot),
            policy=asdict(self.policy),
            template={"name": self.prompt.name, "style": self.prompt.style, "wording": asdict(self.prompt.wording)},
            prompt=tuple((segment.section, segment.control, segment.text) for segment in memory.segments),
            prompt_sha256=prompt_sha256(memory.segments),
            report=asdict(report),
            model={
                "name": info.model,
                "sha256": info.model_sha256,
                "build": info.build,
                "n_ctx": info.n_ctx,
                "determinism": info.determinism.word,
            },
            sampling=asdict(self.prompt.sampling),
            grammar_sha256=spoken.grammar_sha256,
            attempts=tuple(spoken.attempts),
            reply={"say": spoken.say, "mood": spoken.mood, "action": spoken.action, "mark": spoken.mark},
        )

    # -- what the game reports ---------------------------------------------------------------------------------------

    def clock(self, game_time: int) -> None:
        """The game's time is now ``game_time`` (minutes). Raises ``InvalidInput`` when that goes back."""
        with self.store.transaction() as writer:
            writer.clock(game_time=game_time, authority=Authority.GAME)

    def set_state(self, entries: Mapping[str, StateValue | None], scope: str = "") -> None:
        """World state becomes ``entries`` (None removes one) for ``scope`` ("" everyone, else "place:…", "faction:…",
        "npc:…").

        Refused as a whole, with nothing stored, when a value is of the wrong kind (``InvalidInput``) or when facts and
        state of an NPC would no longer fit (``MandatoryOverflow`` names the first such NPC).
        """
        for key, value in entries.items():
            StateEntry(key, "" if value is None else value)
        state: dict[tuple[str, str], StateValue] = dict(self.store.state())
        for key, value in entries.items():
            state.pop((scope, key), None)
            if value is not None:
                state[scope, key] = value
        self._check_all(state)
        now = self.store.game_time()
        with self.store.transaction() as writer:
            for key, value in sorted(entries.items()):
                writer.state(key=key, value=value, scope=scope, game_time=now, authority=Authority.GAME)

    def actor(self, actor: str, *, name: str = "", place: str = "", faction: str = "") -> None:
        """The game says who or where an actor is. ``MandatoryOverflow`` if a new place tells her too much."""
        npc = self.world.npcs.get(actor)
        if npc is not None and place:
            self.builder.check(bare_snapshot(self.world, self.store, npc, self.store.state(), place))
        with self.store.transaction() as writer:
            writer.actor(
                actor=actor,
                name=name or None,
                place=place or None,
                faction=faction or None,
                game_time=self.store.game_time(),
                authority=Authority.GAME,
            )

    def end(self, player: str, npc: str | None = None) -> None:
        """The conversation of ``player`` with ``npc`` (None: with everyone) is over."""
        with self.store.transaction() as writer:
            for one in [npc] if npc is not None else list(self.world.npcs):
                writer.end_session(
                    npc=self.world.npc(one).id,
                    player=player,
                    game_time=self.store.game_time(),
                    authority=Authority.GAME,
                )

    # -- looking back ------------------------------------------------------------------------------------------------

    def explain(self, audit: str) -> Audit:
        """The record of a past reply. Raises ``UnknownId``."""
        return Audit.from_payload(self.store.audit(audit).payload)

    def _check_all(self, state: Mapping[tuple[str, str], StateValue]) -> None:
        for npc in self.world.npcs.values():
            self.builder.check(bare_snapshot(self.world, self.store, npc, state))
