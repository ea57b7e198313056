"""From a working memory to words: generate, release what passes the guard, check, try once more, fall back."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from npc_memory.audit import Attempt, prompt_sha256
from npc_memory.cancelling import Cancellation
from npc_memory.efforts import Effort
from npc_memory.errors import DeadlinePassed, EngineCrashed, EngineMissing, ModelError
from npc_memory.guarding import answer_to, reminder_of
from npc_memory.hearing import Heard
from npc_memory.inference import Engine, GenerationRequest, Priority, Sampling
from npc_memory.memory import AgendaItem, TurnMark
from npc_memory.prompt import Labels, Segment, prefixes
from npc_memory.releasing import OnText, Release
from npc_memory.reply import ReplySpec, SayStream, cue, fallback_line, grammar_for, max_tokens, reply_seed
from npc_memory.reply.guard import Contradiction, Guard

__all__ = ["DEAD", "MOST_ATTEMPTS", "TRIES", "OnText", "Prompt", "Speaker", "Spoken", "begins_alike", "request_for"]

TRIES = 2
"""A reply that is empty, loops or cannot be read is tried once more with another seed, and so is one that contradicts
the canon, then with the fact beside the question. So a reply has at most three attempts: one of each kind, and one
more that has to pass.
"""

MOST_ATTEMPTS = 4
"""A reply rolled again counts its attempts from the next multiple of this: no two rolls share a seed."""

Prompt = Callable[[AgendaItem | None], Sequence[Segment]]
"""Builds the prompt of an attempt, with one more reminder right before the line or without."""

DEAD = (EngineCrashed, DeadlinePassed, EngineMissing, ModelError)
"""Errors of an engine that cannot speak: an authored line stands in."""

CONTRADICTION = "contradiction"


@dataclass(slots=True)
class Spoken:
    """What came of it. ``say`` is exactly what was released; ``reason`` says why it is not a checked reply, if so.

    ``contradiction``: the last sentence that the canon guard stopped.
    """

    say: str = ""
    mood: str = ""
    action: dict[str, Any] | None = None
    mark: TurnMark = ""
    reason: str = ""
    attempts: list[Attempt] = field(default_factory=list)
    grammar_sha256: str = ""
    contradiction: Contradiction | None = None
    listener_error: Exception | None = None
    efforts: list[Effort] = field(default_factory=list)


class Speaker:
    """Turns prompts into checked words with one engine. ``deadline``: seconds one attempt may take, None for no end.
    ``owner``: whose game it is; ``priority``: how urgent its replies are.
    """

    def __init__(
        self,
        engine: Engine,
        sampling: Sampling,
        world_seed: int,
        deadline: float | None,
        *,
        owner: str = "",
        priority: Priority = Priority.PLAYER,
    ) -> None:
        self._engine, self._sampling = engine, sampling
        self._world_seed, self._deadline = world_seed, deadline
        self._owner, self._priority = owner, priority

    def speak(self, heard: Heard, prompt: Prompt, on_text: OnText, cancellation: Cancellation) -> Spoken:
        """Speak. ``on_text`` gets the words as they are released; joined they equal ``say``.

        A dead engine, a missing model or a passed deadline end in an authored line; ``EngineBusy``, ``PromptTooLong``
        and ``RequestInvalid`` are the caller's to handle, and nothing has been released then.
        """
        spoken = Spoken(grammar_sha256=hashlib.sha256(grammar_for(heard.spec).encode()).hexdigest())
        release = self._release(heard, on_text)
        try:
            self._try(heard, prompt, release, cancellation, spoken)
        except DEAD as error:
            spoken.reason = error.code
        if spoken.reason and spoken.mark != "interrupted":
            self._fall_back(heard, spoken, release)
        spoken.say, spoken.listener_error = release.say, release.listener_error
        return spoken

    def stand_in(self, heard: Heard, reason: str, on_text: OnText) -> Spoken:
        """An authored line, where not even a prompt could be made."""
        spoken, release = Spoken(reason=reason), self._release(heard, on_text)
        self._fall_back(heard, spoken, release)
        spoken.say, spoken.listener_error = release.say, release.listener_error
        return spoken

    def _release(self, heard: Heard, on_text: OnText) -> Release:
        names = dict(heard.snapshot.names)
        guard = Guard(heard.claims, names=names, own_name=names.get(heard.npc.id, heard.npc.name))
        return Release(guard, heard.snapshot.player_line, on_text)

    def _try(self, heard: Heard, prompt: Prompt, release: Release, cancellation: Cancellation, spoken: Spoken) -> None:
        failed: Counter[bool] = Counter()
        reminder: AgendaItem | None = None
        while max(failed.values(), default=0) < TRIES:
            if not cancellation.cancelled:  # who broke off while he waited gets no prompt read for him
                segments = prompt(reminder)
                spoken.reason = self._attempt(heard, segments, reminder, release, cancellation, spoken)
            if cancellation.cancelled or release.listener_error is not None:
                spoken.mark, spoken.reason = "interrupted", "cancelled"
                return
            if not spoken.reason:
                return
            failed[spoken.reason == CONTRADICTION] += 1
            # A secret right before the line would be asking her to blurt it out.
            if spoken.contradiction is not None and not spoken.contradiction.claim.secret:
                reminder = reminder_of(spoken.contradiction.claim, heard.snapshot)

    def _attempt(
        self,
        heard: Heard,
        segments: Sequence[Segment],
        reminder: AgendaItem | None,
        release: Release,
        cancellation: Cancellation,
        spoken: Spoken,
    ) -> str:
        """One generation, released as far as it may be; return why it was refused, "" if it was not."""
        spec, released = heard.spec, release.say
        labels = Labels(heard.snapshot)
        stream = SayStream(
            spec,
            labels=(labels.npc, labels.player),
            own_label=labels.npc,
            own_lines=heard.own_lines,
            released=released,
        )
        request = request_for(
            self._engine,
            spec,
            segments,
            released,
            seed=reply_seed(self._world_seed, heard.npc.id, heard.exchange, heard.attempt + len(spoken.attempts)),
            sampling=self._sampling,
            deadline=self._deadline,
            conversation=begins_alike(heard.npc.id, self._owner),
            priority=self._priority,
        )
        record = Attempt(
            seed=request.seed,
            released=released,
            reminder=asdict(reminder) if reminder else None,
            prompt_sha256=prompt_sha256(request.segments),
        )
        release.contradiction, stopped = None, False
        generation = self._engine.submit(request)
        cancellation.watch(generation)
        try:
            for chunk in generation:
                if not cancellation.cancelled:
                    release.offer(stream.feed(chunk))
                if stopped := cancellation.cancelled or stream.stuck or release.closed:
                    break
            generation.cancel()
            result = generation.result()
            spoken.efforts.append(Effort(result.prompt_tokens, result.cached_tokens, len(result.tokens)))
        except (EngineCrashed, DeadlinePassed) as error:
            spoken.attempts.append(replace(record, text=stream.raw, refused=error.code))
            raise
        last, checked = stream.finish(truncated=result.finish == "length")
        if not cancellation.cancelled and not release.closed:
            release.offer(last)
        refused = "cancelled" if cancellation.cancelled else checked.reason
        if release.contradiction is not None:
            refused, spoken.contradiction = CONTRADICTION, release.contradiction
        if not refused:
            spoken.mood = checked.mood
            spoken.action = checked.action.model_dump() if checked.action else None
        # How far a generation got that was stopped from here depends on timing: it is not for the record.
        stopped = stopped or result.finish == "cancelled"
        spoken.attempts.append(
            replace(
                record,
                text=stream.raw,
                tokens=() if stopped else result.tokens,
                finish="cancelled" if stopped else result.finish,
                refused=refused,
                contradiction=_described(release.contradiction),
            )
        )
        return refused

    def _fall_back(self, heard: Heard, spoken: Spoken, release: Release) -> None:
        """What has been streamed stands. A stopped contradiction is set right by the fact's spoken form; else, if
        nothing is out yet, what answers the question does, or an authored line. No secret is blurted out here.
        """
        spoken.mark = "fallback"
        claim = spoken.contradiction.claim if spoken.contradiction else None
        if claim is not None and claim.spoken and not claim.secret:
            if claim.spoken not in release.say:
                release.author(claim.spoken)
        elif not release.say:
            release.author(self._authored(heard, heard.attempt + len(spoken.attempts)))
        spoken.mood, spoken.action = heard.spec.default_mood, None

    def _authored(self, heard: Heard, attempt: int) -> str:
        last = heard.own_lines[-1] if heard.own_lines else ""
        answer = answer_to(heard.snapshot, heard.claims, heard.npc.name)
        if answer and answer != last:
            return answer
        return fallback_line(
            heard.npc.fallback,
            world_seed=self._world_seed,
            npc=heard.npc.id,
            exchange=heard.exchange,
            attempt=attempt,
            last=last,
        )


def request_for(
    engine: Engine,
    spec: ReplySpec,
    segments: Sequence[Segment],
    released: str,
    *,
    seed: int,
    sampling: Sampling,
    deadline: float | None,
    conversation: str,
    priority: Priority = Priority.PLAYER,
) -> GenerationRequest:
    """What the engine is asked for: ``segments`` with the cue of what has been ``released``, and room for the rest."""
    prompt = [*segments[:-1], _continued(segments[-1], cue(spec, released))]
    spent = engine.count(prompt[-1]) - engine.count(segments[-1])
    begins = prefixes(prompt)
    return GenerationRequest(
        segments=prompt,
        max_tokens=max(8, max_tokens(spec) - spent),
        seed=seed,
        grammar=grammar_for(spec, released),
        sampling=sampling,
        deadline=deadline,
        priority=priority,
        conversation=conversation,
        shared=begins.shared,
        stable=begins.stable,
    )


def begins_alike(npc: str, owner: str) -> str:
    """Which requests may share what is computed of them: those to one NPC in one owner's game."""
    return f"{npc}\n{owner}" if owner else npc


def _continued(last: Segment, cue: str) -> Segment:
    return Segment(last.text + cue, last.section, last.control) if cue else last


def _described(found: Contradiction | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"claim": found.claim.id, "rule": found.rule, "sentence": found.sentence, "matched": found.matched}
