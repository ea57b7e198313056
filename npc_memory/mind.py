"""One reply, from heard to said: the way of a line.

hear      store, world and recall give a frozen snapshot
build     the working memory of this one reply, every fact and state entry in it
speak     tokens stream out, sentence by sentence, and are checked
remember  both turns, the episode and the audit record, in one transaction
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any

from npc_memory.audit import Audit, prompt_sha256
from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.hearing import Heard, Line, bare_snapshot, hear, place_of, policy_for
from npc_memory.inference import Engine, TokenCounter
from npc_memory.memory import Authority, StateEntry, StateValue, check_id
from npc_memory.memory.codec import snapshot_to_data
from npc_memory.memory.text import MAX_ID_CHARS
from npc_memory.prompt import Labels, Segment
from npc_memory.prompt_files import PromptFile, template_for
from npc_memory.remembering import Remembered, remember
from npc_memory.speaking import DEAD, Cancellation, OnText, Speaker, Spoken
from npc_memory.store import Store
from npc_memory.working_memory import BudgetPolicy, BudgetReport, WorkingMemory, WorkingMemoryBuilder
from npc_memory.world import World

__all__ = ["Answer", "Cancellation", "Mind"]

SPARE = {"tokens": 8, "characters": 32}
"""What must be left beside the least room for a line: names and dates differ a little in length."""

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
        self._speaking: dict[str, int] = {}
        if store.game_time() < world.start_time:
            self.clock(world.start_time)
        self._check_all()

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
        stands in. What ``on_text`` raises comes out here, after what it
        was told has been remembered as interrupted.
        """
        line = Line(
            npc=npc,
            player=player,
            text=text,
            place=place,
            audience=ids(audience, "audience"),
            actions=None if actions is None else ids(actions, "actions"),
        )
        with self._turn_of(npc):
            heard = self._hear(line)
            spoken, memory, report = self._answer_to(heard, on_text, cancellation or Cancellation())
            kept = remember(self.store, heard, spoken, self._audit(heard, memory, report, spoken).payload())
        if spoken.listener_error is not None:
            raise spoken.listener_error
        return self._answer(heard, report, spoken, kept)

    def _answer_to(
        self, heard: Heard, on_text: OnText, cancellation: Cancellation
    ) -> tuple[Spoken, tuple[Segment, ...], BudgetReport | None]:
        try:
            memory = self.builder.build(heard.snapshot)
        except DEAD as error:  # nobody is there to count tokens, so there is no prompt either
            return self._speaker.stand_in(heard, error.code, on_text), (), None
        with memory:
            labels = Labels(heard.snapshot)
            spoken = self._speaker.speak(heard, memory.segments, (labels.npc, labels.player), on_text, cancellation)
            return spoken, memory.segments, memory.report

    def working_memory(self, npc: str, player: str, text: str) -> WorkingMemory:
        """The working memory that a reply to ``text`` would have now; nothing is said or stored."""
        return self.builder.build(self._hear(Line(npc=npc, player=player, text=text)).snapshot)

    @contextmanager
    def _turn_of(self, npc: str) -> Iterator[None]:
        """One NPC answers one line at a time; a listener that talks back to her in mid-word is told so."""
        lock = self._locks[self.world.npc(check_id(npc, "npc")).id]
        if self._speaking.get(npc) == threading.get_ident():
            raise InvalidInput(f"{npc!r} is still speaking to this thread", hint="talk to her when talk has returned")
        with lock:
            self._speaking[npc] = threading.get_ident()
            try:
                yield
            finally:
                del self._speaking[npc]

    def _hear(self, line: Line) -> Heard:
        with self.store.transaction():  # one moment: nothing the game reports can come between two reads
            return hear(self.world, self.store, line, self.prompt, self.policy.max_exchanges)

    def _answer(self, heard: Heard, report: BudgetReport | None, spoken: Spoken, kept: Remembered) -> Answer:
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
            dropped=sum(1 for one in report.dropped if one.reason == "budget") if report else 0,
            audit=kept.audit,
            reason=spoken.reason,
        )

    def _audit(self, heard: Heard, segments: tuple[Segment, ...], report: BudgetReport | None, spoken: Spoken) -> Audit:
        info = self.engine.info
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
            prompt=tuple((segment.section, segment.control, segment.text) for segment in segments),
            prompt_sha256=prompt_sha256(segments),
            report=asdict(report) if report else {},
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
        """World state becomes ``entries`` (None removes one) for ``scope``: "" everyone, else "place:…", "faction:…",
        "npc:…" with an id of the world pack.

        Refused as a whole, with nothing stored: ``InvalidInput`` for a value of the wrong kind or not among those the
        pack declares for the key, ``UnknownId`` when nobody is in the scope, ``MandatoryOverflow`` (it names her) when
        facts and state of an NPC would no longer fit.
        """
        if not isinstance(entries, Mapping):
            raise InvalidInput("state must be a map of keys to values", hint='e.g. {"north_bridge": "burned"}')
        self._check_scope(scope)
        for key, value in entries.items():
            self._check_value(key, value)
        with self.store.transaction() as writer:
            now = self.store.game_time()
            for key, value in sorted(entries.items()):
                writer.state(key=key, value=value, scope=scope, game_time=now, authority=Authority.GAME)
            self._check_all()

    def actor(self, actor: str, *, name: str = "", place: str = "", faction: str = "") -> None:
        """The game says who or where an actor is; what is not given stays. ``name``: at most 200 characters.

        ``UnknownId`` for a faction the pack does not know, ``MandatoryOverflow`` if an NPC would be told too much.
        """
        if len(name) > MAX_ID_CHARS:
            raise InvalidInput(f"a name may have {MAX_ID_CHARS} characters, not {len(name)}", hint="shorten it")
        if faction and faction not in self.world.factions:
            raise UnknownId("faction", faction, list(self.world.factions))
        with self.store.transaction() as writer:
            writer.actor(
                actor=actor,
                name=name or None,
                place=place or None,
                faction=faction or None,
                game_time=self.store.game_time(),
                authority=Authority.GAME,
            )
            if actor in self.world.npcs:
                self._check_all()

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
        return Audit.from_payload(self.store.audit(check_id(audit, "an audit id")).payload)

    def _check_all(self) -> None:
        """Raise ``MandatoryOverflow`` if any NPC, wherever she may be spoken to, could no longer be told all she knows.

        Called inside the transaction that writes, so that what is refused is not written.
        """
        state = self.store.state()
        telling = {place for fact in self.world.canon.values() for place in fact.scope.places}
        scopes = [scope for scope, _ in state] + [key.scope for key in self.world.state_keys.values()]
        telling |= {scope.removeprefix("place:") for scope in scopes if scope.startswith("place:")}
        for npc in self.world.npcs.values():
            for place in sorted(telling | {npc.place, place_of(self.store, npc)}):
                self.builder.check(bare_snapshot(self.world, self.store, npc, state, place), SPARE[self.policy.unit])

    def _check_value(self, key: str, value: StateValue | None) -> None:
        StateEntry(key, "" if value is None else value)
        declared = self.world.state_keys.get(key)
        if value is None or declared is None or not declared.values:
            return
        if not any(type(one) is type(value) and one == value for one in declared.values):
            raise InvalidInput(
                f"{value!r} is no value of state {key!r}",
                hint=f"the world pack declares: {', '.join(map(str, declared.values))}",
            )

    def _check_scope(self, scope: str) -> None:
        kind, _, id = scope.partition(":")
        known = {"place": self.world.places, "faction": self.world.factions, "npc": self.world.npcs}
        if scope and (kind not in known or not id):
            raise InvalidInput(f"{scope!r} is no scope", hint='use "", "place:…", "faction:…" or "npc:…"')
        if scope and id not in known[kind]:
            raise UnknownId(kind, id, list(known[kind]))


def ids(given: Sequence[str], what: str) -> tuple[str, ...]:
    """``given`` as a tuple of checked ids; a text is no list of them."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidInput(f"{what} must be a list of ids, not {given!r}", hint="pass a list of str")
    return tuple(check_id(one, what) for one in given)
