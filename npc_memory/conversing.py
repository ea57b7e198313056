"""Two NPCs talk with each other: line by line, each from her own memory, the other where a player would stand.

What a player told one of them, or did before her eyes alone, comes to nobody's mind here: it stays with those who were
there. A line that is broken off has been heard by nobody, and nothing of it is stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from npc_memory.answers import Answer, answer_of
from npc_memory.cancelling import Cancellation
from npc_memory.conversation import conversation
from npc_memory.discretion import Discretion
from npc_memory.errors import EngineError, InvalidInput, StoreError, Superseded, TextTooLong
from npc_memory.hearing import Heard, Line, gather
from npc_memory.idempotence import answers
from npc_memory.inference import EngineInfo
from npc_memory.memory import AgendaItem, Snapshot, check_id, clean_text
from npc_memory.passing import may_come_up, pass_on_said
from npc_memory.people import Cast, names, overhearers, place_of
from npc_memory.prompt import Segment, label_text
from npc_memory.prompt_files import PromptFile
from npc_memory.recording import audit_of
from npc_memory.remembering import Remembered
from npc_memory.said import Said, remember_cut_off, remember_said, remember_unanswered
from npc_memory.speaking import Spoken
from npc_memory.store import Store
from npc_memory.working_memory import BudgetPolicy, BudgetReport
from npc_memory.world import Npc, World

__all__ = ["MAX_TOPIC_BYTES", "MOST_TURNS", "Company", "Conversed", "Converser", "Ended", "Plan"]

MOST_TURNS = 16
"""The most lines of one conversation."""

MAX_TOPIC_BYTES = 1024
"""Longest topic, in bytes of UTF-8."""

Ended = Literal["", "wanted", "interrupted", "fallback", "failed"]
"""Why a conversation had fewer lines than it might have had: a player came, it was cancelled, an authored line stood in
for one, or the engine refused the next one; "" when it did not.
"""

AnswerTo = Callable[[Heard, Cancellation], tuple[Spoken, tuple[Segment, ...], BudgetReport | None]]


@dataclass(frozen=True, slots=True)
class Conversed:
    """What two NPCs said to each other, in order, and why it ended early, if it did."""

    replies: tuple[Answer, ...]
    ended: Ended = ""

    @classmethod
    def from_map(cls, data: dict[str, Any]) -> Conversed:
        """The conversation that ``asdict`` took apart."""
        return cls(tuple(Answer(**one) for one in data["replies"]), data["ended"])


@dataclass(frozen=True, slots=True)
class Plan:
    """Who talks, about what, for how many lines, where (None: where the first of them is)."""

    npcs: tuple[str, str]
    topic: str
    turns: int
    place: str | None

    @classmethod
    def of(cls, npc_of: Callable[[str], Npc], npcs: Sequence[str], topic: str, turns: int, place: str | None) -> Plan:
        """Check what was handed in; ``npc_of`` finds the NPC that an id means. Raises ``UnknownId``, ``InvalidInput``,
        ``TextTooLong``.
        """
        if isinstance(npcs, str) or not isinstance(npcs, Sequence) or len(npcs) != 2:
            raise InvalidInput(f"a conversation is between two NPCs, not {npcs!r}", hint="pass a list of two ids")
        first, second = (npc_of(check_id(one, "npcs")).id for one in npcs)
        if first == second:
            raise InvalidInput(f"{first!r} cannot talk to herself", hint="name two different NPCs")
        if type(turns) is not int or not 1 <= turns <= MOST_TURNS:
            raise InvalidInput(
                f"turns must be from 1 to {MOST_TURNS}, not {turns!r}", hint="turns are lines, 4 if left out"
            )
        if not isinstance(topic, str):
            raise InvalidInput(f"a topic must be text, not {type(topic).__name__}", hint="pass a str")
        if (size := len(topic.encode("utf-8", "surrogatepass"))) > MAX_TOPIC_BYTES:
            raise TextTooLong("the topic", size, MAX_TOPIC_BYTES)
        if place is not None:
            check_id(place, "place")
        return cls((first, second), clean_text(topic).strip(), turns, place)


@dataclass(frozen=True, slots=True)
class Company:
    """Those around two NPCs who talk. ``on_reply`` gets each line, stored; ``on_heard`` is called when the snapshot of
    the first has been taken. ``wanted`` is asked before each further line: whether a player waits for one of the two.
    """

    on_reply: Callable[[Answer], None] = lambda answer: None
    on_heard: Callable[[], None] = lambda: None
    wanted: Callable[[], bool] = lambda: False
    cancellation: Cancellation = field(default_factory=Cancellation)


class Converser:
    """Lets two NPCs of one owner's game talk; a line that a crash cut off from its answer is made up for first.
    ``answer_to`` makes words of what was heard.
    """

    def __init__(
        self,
        world: World,
        store: Store,
        prompt: PromptFile,
        policy: BudgetPolicy,
        info: EngineInfo,
        answer_to: AnswerTo,
    ) -> None:
        self._world, self._store, self._prompt = world, store, prompt
        self._policy, self._info, self._answer_to = policy, info, answer_to
        remember_cut_off(world, store)

    def run(self, plan: Plan, company: Company, key: str, epoch: int) -> Conversed:
        """See ``Mind.converse``. ``epoch``: the store's when it began."""
        lines: list[tuple[Said, Answer]] = []
        ended: Ended = ""
        try:
            while len(lines) < plan.turns and not ended:
                ended = self._next(plan, company, lines, epoch)
        except BaseException:
            with suppress(StoreError):  # what went wrong first is what matters
                self._close(lines, "", None, epoch)
            raise
        found = Conversed(tuple(answer for _, answer in lines), ended)
        try:
            self._close(lines, key, found, epoch)
        except Superseded:
            return replace(found, ended="interrupted")
        return found

    def _next(self, plan: Plan, company: Company, lines: list[tuple[Said, Answer]], epoch: int) -> Ended:
        """One line more, or why there is none; also why it is the last."""
        if company.cancellation.cancelled:
            return "interrupted"
        if lines and company.wanted():
            return "wanted"
        try:
            line = self._line(plan, company, [said for said, _ in lines], epoch)
        except Superseded:
            return "interrupted"
        except EngineError:
            if not lines:
                raise
            return "failed"  # what was said stands
        if line is None:
            return "interrupted"
        lines.append(line)
        company.on_reply(line[1])
        return "fallback" if line[1].fallback else ""

    def _line(self, plan: Plan, company: Company, earlier: Sequence[Said], epoch: int) -> tuple[Said, Answer] | None:
        before = earlier[-1] if earlier else None
        heard, fresh = self._hear(plan, len(earlier), before)
        if before is None:
            company.on_heard()
        if heard.epoch != epoch:
            return None
        spoken, segments, report = self._answer_to(heard, company.cancellation)
        if spoken.mark == "interrupted":
            return None
        audit = audit_of(self._world, self._prompt, self._policy, self._info, heard, segments, report, spoken)
        with self._store.transaction(heard.epoch) as writer:
            said = remember_said(self._store, heard, spoken, audit.payload(), before=before, fresh=fresh)
            if self._world.gossip is not None and report is not None and not spoken.mark:
                pass_on_said(self._world, self._store, writer, said, report.kept)
        turn = said.turns[said.speaker]
        answer = answer_of(heard.line, report, spoken, Remembered("", turn, "", said.audit))
        return said, replace(answer, kind="converse")

    def _hear(self, plan: Plan, number: int, before: Said | None) -> tuple[Heard, dict[str, bool]]:
        speaker, listener = plan.npcs[number % 2], plan.npcs[1 - number % 2]
        first = self._world.npc(plan.npcs[0])
        pending = before.turns[speaker] if before is not None else ""
        with self._store.reading():
            discretion = Discretion(self._world, self._store)
            line = Line(
                npc=speaker,
                player=listener,
                text=before.text if before is not None else self._opening(plan, speaker, listener),
                place=plan.place if plan.place is not None else place_of(self._store, first),
                actions=(),
            )
            near = overhearers(self._world, self._store, self._world.npc(speaker), listener, line.place, None)
            heard = gather(
                self._world,
                self._store,
                line,
                self._prompt,
                self._policy.max_exchanges,
                about=None if before is not None else plan.topic,
                told=lambda one: may_come_up(self._world, self._store, discretion, one, speaker, listener, near),
            )
            now, then = self._store.game_time(), Cast(self._world, self._store).then
            hers = conversation(self._store, listener, speaker, now, self._policy.max_exchanges, then)
        fresh = {speaker: heard.fresh, listener: hers.fresh}
        # An echo of what she was told is as little an answer as her own last words are.
        own_lines = heard.own_lines if before is None else (*heard.own_lines, before.text)
        return replace(heard, snapshot=self._shown(plan, heard, pending), own_lines=own_lines), fresh

    def _shown(self, plan: Plan, heard: Heard, pending: str) -> Snapshot:
        """Her snapshot without the line that she answers: she remembers it already, and it stands at the end."""
        shot = heard.snapshot
        pinned = tuple(shot.pinned)
        if plan.topic:
            best = max((one.score for one in pinned), default=0.0)
            told = self._worded(self._prompt.wording.topic, plan, heard.npc.id, heard.line.player)
            pinned = (AgendaItem("topic", told, best + 1.0), *pinned)
        return replace(
            shot,
            pinned=pinned,
            dialogue=tuple(turn for turn in shot.dialogue if turn.id != pending),
            episodes=tuple(one for one in shot.episodes if pending not in one.turns),
        )

    def _opening(self, plan: Plan, speaker: str, listener: str) -> str:
        wording = self._prompt.wording
        return self._worded(wording.opening_about if plan.topic else wording.opening, plan, speaker, listener)

    def _worded(self, words: str, plan: Plan, speaker: str, listener: str) -> str:
        called = names(self._world, self._store)
        known = {"npc": label_text(called[speaker]), "player": label_text(called[listener]), "topic": plan.topic}
        return re.sub(r"\{(npc|player|topic)\}", lambda found: known[found[1]], words)

    def _close(self, lines: list[tuple[Said, Answer]], key: str, found: Conversed | None, epoch: int) -> None:
        """The last line may have waited for an answer; and the key is answered from now on, unless it was cancelled."""
        if not lines:
            return
        last = lines[-1][0]
        with self._store.transaction(epoch) as writer:
            if last.unanswered:
                remember_unanswered(writer, last)
            if found is not None and found.ended != "interrupted":
                answers(writer, key, "converse", asdict(found), npc=last.speaker, player=last.listener)
