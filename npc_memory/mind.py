"""One reply, from heard to said: the way of a line.

hear      store, world and recall give a frozen snapshot
build     the working memory of this one reply, every fact and state entry in it
speak     tokens stream out, sentence by sentence, and are checked
remember  both turns, the episode and the audit record, in one transaction
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from types import TracebackType
from typing import Any

from npc_memory.among import Among
from npc_memory.answers import Answer, answer_of, superseded
from npc_memory.audit import Audit
from npc_memory.believing import Believing
from npc_memory.bonds import Relating
from npc_memory.cancelling import Cancellation
from npc_memory.compacting import Compacting
from npc_memory.conversing import Conversed, Converser
from npc_memory.efforts import Efforts
from npc_memory.errors import Superseded
from npc_memory.exchanges import Exchange, exchange_of
from npc_memory.forgetting import Forgetting
from npc_memory.guarding import reminded
from npc_memory.hearing import Heard, Line, hear, policy_for
from npc_memory.idempotence import answered, answers
from npc_memory.inference import Engine, Priority, TokenCounter
from npc_memory.memories import Memories
from npc_memory.memory import AgendaItem, StateValue, check_id
from npc_memory.people import Cast, ids
from npc_memory.prompt import Segment
from npc_memory.prompt_files import PromptFile, template_for
from npc_memory.recording import audit_of
from npc_memory.remembering import Remembered, remember
from npc_memory.reporting import Reports
from npc_memory.revising import delete_turn, edit_turn, hear_again, remember_again
from npc_memory.saving import OnLoad, SaveSlots, UnderWay
from npc_memory.settling import Settling
from npc_memory.speaking import DEAD, OnText, Speaker, Spoken
from npc_memory.stage import Stage
from npc_memory.store import Store
from npc_memory.warming import Warmer, Warming
from npc_memory.working_memory import BudgetPolicy, BudgetReport, WorkingMemory, WorkingMemoryBuilder
from npc_memory.world import Npc, World

__all__ = ["Answer", "Cancellation", "Conversed", "Mind", "Warming"]

DEADLINE = 120.0
"""Seconds one attempt at a reply may take before the authored line stands in."""


class Mind(Among, Believing, Settling, Memories, SaveSlots, Forgetting, Relating):
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
        counter = TokenCounter(engine) if self.policy.unit == "tokens" else None
        self.builder = WorkingMemoryBuilder(self.policy, counter, self.template)
        self._deadline = deadline
        self._speaker = Speaker(engine, prompt.sampling, world.seed, deadline, owner=store.owner)
        self._reports = Reports(world, store, self.builder)
        self._stage = Stage()
        self._warmer = Warmer(world, store, engine, prompt, self.builder, deadline)
        among = Speaker(engine, prompt.sampling, world.seed, deadline, owner=store.owner, priority=Priority.NPC)
        self._converser = Converser(
            world,
            store,
            prompt,
            self.policy,
            engine.info,
            lambda heard, cancellation: self._answer_to(heard, among, lambda text: None, cancellation),
        )
        self._owners: dict[str, Mind] = {store.owner: self}
        self._owners_lock = threading.Lock()
        self.on_load: list[OnLoad] = []
        self._under_way, self._compacting, self.efforts = UnderWay(), Compacting(), Efforts()
        self._begin()
        self._reports.check_all()

    def __enter__(self) -> Mind:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the engine and the store."""
        try:
            self._compacting.close()
            self.engine.close()
        finally:
            self.store.close()

    def for_owner(self, owner: str) -> Mind:
        """The same world and engine for another human owner ("" is the local one); their records never meet.

        The same owner gets the same mind. It lives as long as this one and needs no closing. Raises ``InvalidInput``
        for an id that cannot be used.
        """
        with self._owners_lock:
            if owner not in self._owners:
                mind = Mind(
                    self.world,
                    self.store.for_owner(owner),
                    self.engine,
                    self.prompt,
                    policy=self.policy,
                    deadline=self._deadline,
                )
                mind._owners, mind._owners_lock, mind.on_load = self._owners, self._owners_lock, self.on_load
                mind._compacting = self._compacting
                self._owners[owner] = mind
            return self._owners[owner]

    @property
    def game_time(self) -> int:
        """The game's time, in minutes."""
        return self.store.game_time()

    # -- one reply ---------------------------------------------------------------------------------------------------

    def talk(
        self,
        npc: str,
        player: str,
        text: str,
        *,
        place: str | None = None,
        audience: Sequence[str] | None = None,
        actions: Sequence[str] | None = None,
        on_text: OnText = lambda text: None,
        on_heard: Callable[[], None] = lambda: None,
        cancellation: Cancellation | None = None,
        key: str = "",
        epoch: int | None = None,
    ) -> Answer:
        """``player`` says ``text`` (at most 64 KiB) to ``npc``; return her answer, remembered.

        Who else hears it, question and answer: the NPCs in ``audience`` (none for an empty one: a whisper); when that
        is not given, those whom the game has said to be where it is said, ``place`` (default: where she is). They
        remember it as overheard. ``npc`` and ``player`` may be aliases; the answer repeats them.

        ``on_text`` gets the words as they are released; joined they equal ``say``. ``actions``: ids of the actions the
        game offers now, None for all in the world pack. ``on_heard`` is called once her snapshot has been taken: what
        the game reports from then on is not part of this reply. A ``key`` that has been answered before is answered
        the same again, and nothing else happens; an interrupted reply leaves its key unused.

        A load in the meantime ends it as interrupted, ``reason`` "superseded", and nothing is stored. ``epoch``: that
        of the store (``Store.epoch``) when the line was said, if that was before this call.

        Raises ``UnknownId``, ``InvalidInput``, ``TextTooLong``, ``EngineBusy`` and any ``StoreError``; then nothing
        was stored. A failing model raises nothing: an authored line stands in. What ``on_text`` raises comes out here,
        after what it was told has been remembered as interrupted.
        """
        line = Line(
            npc=npc,
            player=player,
            text=text,
            place=place,
            audience=None if audience is None else ids(audience, "audience"),
            actions=None if actions is None else ids(actions, "actions"),
        )
        begun = self.store.epoch if epoch is None else epoch
        cancellation = cancellation or Cancellation()
        with self._under_way.reply(begun, cancellation), self._stage.turn(self.npc(npc).id):
            earlier = answered(self.store, key, "talk")
            if earlier is not None:
                on_heard()
                on_text(earlier["say"])
                return Answer(**earlier)
            heard = self._hear(line)
            on_heard()
            return self._reply(heard, begun, on_text, cancellation, key)

    def retry(
        self,
        turn: str,
        text: str | None = None,
        *,
        on_text: OnText = lambda text: None,
        on_heard: Callable[[], None] = lambda: None,
        cancellation: Cancellation | None = None,
        epoch: int | None = None,
    ) -> Answer:
        """Roll the answer ``turn`` again, to the same line or to ``text`` in its place. Only the new one is remembered,
        under the same id; what was made from the old one is taken back. A cancelled one changes nothing.

        Raises ``InvalidInput`` unless it is the newest exchange of a conversation with a player that is going on, and
        what ``talk`` raises.
        """
        begun = self.store.epoch if epoch is None else epoch
        cancellation = cancellation or Cancellation()
        npc = self.store.turn(check_id(turn, "turn")).npc
        with self._under_way.reply(begun, cancellation), self._stage.turn(self.npc(npc).id):
            with self.store.reading():
                old = exchange_of(self.store, turn)
                heard = hear_again(self.world, self.store, old, text, self.prompt, self.policy.max_exchanges)
            on_heard()
            return self._reply(heard, begun, on_text, cancellation, old=old)

    def edit(self, turn: str, text: str) -> None:
        """``turn`` says ``text`` (at most 64 KiB) from now on; what was made from it is made anew or taken back.

        No canon guard reads it: it is the game's word. Raises ``UnknownId``, ``InvalidInput``, ``TextTooLong``.
        """
        edit_turn(self.world, self.store, check_id(turn, "turn"), text)

    def delete(self, turn: str) -> None:
        """Take ``turn``, and all that was made from it, out of memory; earlier saves still have it. Raises
        ``UnknownId``. (To erase it for good: ``erase``.)
        """
        delete_turn(self.world, self.store, check_id(turn, "turn"))

    def _reply(
        self,
        heard: Heard,
        begun: int,
        on_text: OnText,
        cancellation: Cancellation,
        key: str = "",
        old: Exchange | None = None,
    ) -> Answer:
        if heard.epoch != begun:
            return superseded(heard.asked)
        spoken, segments, report = self._answer_to(heard, self._speaker, on_text, cancellation)
        try:
            answer = self._remember(heard, spoken, segments, report, key, old)
            self.efforts.note(answer.audit, spoken.efforts)
        except Superseded:
            answer = superseded(heard.asked, spoken.say)
        if spoken.listener_error is not None:
            raise spoken.listener_error
        return answer

    def _answer_to(
        self, heard: Heard, speaker: Speaker, on_text: OnText, cancellation: Cancellation
    ) -> tuple[Spoken, tuple[Segment, ...], BudgetReport | None]:
        try:
            memory = self.builder.build(heard.snapshot)
        except DEAD as error:  # nobody is there to count tokens, so there is no prompt either
            return speaker.stand_in(heard, error.code, on_text), (), None

        def prompt(reminder: AgendaItem | None) -> tuple[Segment, ...]:
            if reminder is None:
                return memory.segments
            with self.builder.build(reminded(heard.snapshot, reminder)) as again:
                return again.segments

        with memory:
            return speaker.speak(heard, prompt, on_text, cancellation), memory.segments, memory.report

    def _remember(
        self,
        heard: Heard,
        spoken: Spoken,
        segments: tuple[Segment, ...],
        report: BudgetReport | None,
        key: str,
        old: Exchange | None,
    ) -> Answer:
        if old is not None and spoken.mark == "interrupted" and self.store.epoch == heard.epoch:
            return answer_of(
                heard.asked, report, spoken, Remembered(old.asked.id, old.said.id if old.said else "", "", "")
            )
        with self.store.transaction(heard.epoch) as writer:
            audit = audit_of(self.world, self.prompt, self.policy, self.engine.info, heard, segments, report, spoken)
            if old is None:
                kept = remember(self.store, heard, spoken, audit.payload())
            else:
                kept = remember_again(self.store, heard, spoken, audit.payload(), old)
            answer = answer_of(heard.asked, report, spoken, kept)
            if not answer.interrupted:
                answers(writer, key, "talk", asdict(answer), npc=answer.npc, player=answer.player)
        return answer

    def working_memory(self, npc: str, player: str, text: str) -> WorkingMemory:
        """The working memory that a reply to ``text`` would have now; nothing is said or stored."""
        return self.builder.build(self._hear(Line(npc=npc, player=player, text=text)).snapshot)

    def npc(self, id: str) -> Npc:
        """The NPC of the world pack that ``id`` means, hers or an alias. Raises ``UnknownId``."""
        check_id(id, "npc")
        with self.store.reading():
            return self.world.npc(Cast(self.world, self.store).id_of(id))

    def _hear(self, line: Line) -> Heard:
        with self.store.reading():  # nothing the game reports can come between two reads
            return hear(self.world, self.store, line, self.prompt, self.policy.max_exchanges)

    # -- what the game reports ---------------------------------------------------------------------------------------

    def clock(self, game_time: int) -> None:
        """The game's time is now ``game_time`` (minutes). Raises ``InvalidInput`` when that goes back."""
        self._reports.clock(game_time)

    def set_state(self, entries: Mapping[str, StateValue | None], scope: str = "") -> None:
        """World state becomes ``entries`` (None removes one) for ``scope``: "" everyone, else "place:…", "faction:…",
        "npc:…" with an id of the world pack.

        Refused as a whole, with nothing stored: ``InvalidInput`` for a value of the wrong kind or not among those the
        pack declares for the key, ``UnknownId`` when nobody is in the scope, ``MandatoryOverflow`` (it names her) when
        facts and state of an NPC would no longer fit.
        """
        self._reports.set_state(entries, scope)

    def actor(
        self,
        actor: str,
        *,
        name: str = "",
        place: str = "",
        faction: str = "",
        alias_of: str = "",
        reborn: bool = False,
    ) -> None:
        """The game says who or where an actor is; what is not given stays. ``name``: at most 200 characters.

        ``alias_of``: ``actor`` is another id of that one; from now on both mean one, whose records are those of both.
        ``reborn``: somebody else has the id from now on; he is not known, remembers nothing, and what was remembered
        of the one before is told apart from him. On another timeline (an older save) neither has happened.

        ``UnknownId`` for a faction the pack does not know, ``AliasRefused`` for an alias of an alias or of itself,
        ``InvalidInput`` for both at once, ``MandatoryOverflow`` if an NPC would be told too much.
        """
        self._reports.actor(actor, name, place, faction, alias_of, reborn)

    def observe(
        self,
        kind: str,
        text: str,
        *,
        place: str = "",
        actor: str = "",
        target: str = "",
        audience: Sequence[str] | None = None,
        importance: float | None = None,
        data: Mapping[str, Any] | None = None,
        key: str = "",
    ) -> str:
        """Something happened: ``text`` tells it (at most 64 KiB), ``kind`` is an id of the game's own ("theft").

        It becomes an episode of each NPC who perceived it (promise P6): those in ``audience``; when that is not given,
        those who are at ``place`` (default: where the actor is); always ``actor`` and ``target``. Of the kind "tell",
        with an NPC as ``actor``, it becomes a belief of each who hears it (docs/beliefs.md). ``importance`` from
        0 to 1, ``data`` a map of plain values that is kept with the event and never shown to a model. Its ``relations``
        and ``triples``, and some kinds, change what they feel and know (docs/relationships.md). Returns the event's id;
        a ``key`` that has been answered before returns the same id again. Raises ``InvalidInput``, ``UnknownId``,
        ``TextTooLong``; then nothing was stored.
        """
        with self.store.transaction() as writer:
            earlier = answered(self.store, key, "observe")
            if earlier is not None:
                return str(earlier["event"])
            event = self._reports.observe(
                writer,
                kind,
                text,
                place=place,
                actor=actor,
                target=target,
                audience=None if audience is None else ids(audience, "audience"),
                importance=importance,
                data=data,
            )
            answers(writer, key, "observe", {"event": event})
        return event

    def end(self, player: str, npc: str | None = None) -> None:
        """The conversation of ``player`` with ``npc`` (None: with everyone) is over."""
        self._reports.end(player, npc)

    # -- looking back ------------------------------------------------------------------------------------------------

    def explain(self, audit: str) -> Audit:
        """The record of a past reply. Raises ``UnknownId``."""
        return Audit.from_payload(self.store.audit(check_id(audit, "an audit id")).payload)
