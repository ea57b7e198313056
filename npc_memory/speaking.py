"""From a working memory to words: generate, release sentence by sentence, check, try once more, fall back."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from npc_memory.audit import Attempt
from npc_memory.errors import DeadlinePassed, EngineCrashed, EngineMissing, ModelError
from npc_memory.hearing import Heard
from npc_memory.inference import Engine, Generation, GenerationRequest, Sampling
from npc_memory.memory import TurnMark
from npc_memory.prompt import Segment
from npc_memory.reply import Checked, SayStream, cue, fallback_line, grammar_for, max_tokens, reply_seed

__all__ = ["ATTEMPTS", "Cancellation", "Speaker", "Spoken"]

ATTEMPTS = 2
"""A reply that is empty, loops or cannot be read is tried once more with another seed."""

OnText = Callable[[str], None]

DEAD = (EngineCrashed, DeadlinePassed, EngineMissing, ModelError)
"""Errors of an engine that cannot speak: an authored line stands in."""


class Cancellation:
    """Lets another thread stop a reply. Cancelling twice, or after the reply is over, is harmless."""

    def __init__(self) -> None:
        # Re-entrant: a signal handler may cancel while this very thread is cancelling.
        self._lock = threading.RLock()
        self._generation: Generation | None = None
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """Stop the reply within one step of the engine."""
        with self._lock:
            self._cancelled = True
            if self._generation is not None:
                self._generation.cancel()

    def watch(self, generation: Generation) -> None:
        """The speaker's side: this generation is under way now."""
        with self._lock:
            self._generation = generation
            if self._cancelled:
                generation.cancel()


@dataclass(slots=True)
class Spoken:
    """What came of it. ``say`` is exactly what was released; ``reason`` says why it is not a checked reply, if so."""

    say: str = ""
    mood: str = ""
    action: dict[str, Any] | None = None
    mark: TurnMark = ""
    reason: str = ""
    attempts: list[Attempt] = field(default_factory=list)
    grammar_sha256: str = ""
    prompt_tokens: int = 0
    cached_tokens: int = 0
    listener_error: Exception | None = None


class Speaker:
    """Turns prompts into checked words with one engine. ``deadline``: seconds one attempt may take, None for no end."""

    def __init__(self, engine: Engine, sampling: Sampling, world_seed: int, deadline: float | None) -> None:
        self._engine, self._sampling = engine, sampling
        self._world_seed, self._deadline = world_seed, deadline

    def speak(
        self,
        heard: Heard,
        segments: Sequence[Segment],
        labels: tuple[str, str],
        on_text: OnText,
        cancellation: Cancellation,
    ) -> Spoken:
        """Speak. ``labels``: how the NPC and the player are called in the prompt. ``on_text`` gets the words as they
        are released; joined they equal ``say``.

        A dead engine, a missing model or a passed deadline end in an authored line; ``EngineBusy``, ``PromptTooLong``
        and ``RequestInvalid`` are the caller's to handle, and nothing has been released then.
        """
        spoken = Spoken(grammar_sha256=hashlib.sha256(grammar_for(heard.spec).encode()).hexdigest())
        for number in range(ATTEMPTS):
            try:
                checked = self._attempt(number, heard, segments, labels, on_text, cancellation, spoken)
            except DEAD as error:
                spoken.reason = error.code
                break
            if cancellation.cancelled or spoken.listener_error is not None:
                spoken.mark, spoken.reason = "interrupted", "cancelled"
                return spoken
            spoken.reason = checked.reason
            if checked.ok:
                spoken.mood = checked.mood
                spoken.action = checked.action.model_dump() if checked.action else None
                return spoken
        self._fall_back(heard, spoken, on_text)
        return spoken

    def stand_in(self, heard: Heard, reason: str, on_text: OnText) -> Spoken:
        """An authored line, where not even a prompt could be made."""
        spoken = Spoken(reason=reason)
        self._fall_back(heard, spoken, on_text)
        return spoken

    def _attempt(
        self,
        number: int,
        heard: Heard,
        segments: Sequence[Segment],
        labels: tuple[str, str],
        on_text: OnText,
        cancellation: Cancellation,
        spoken: Spoken,
    ) -> Checked:
        spec, released = heard.spec, spoken.say
        prompt = [*segments[:-1], _continued(segments[-1], cue(spec, released))]
        spent = self._engine.count(prompt[-1]) - self._engine.count(segments[-1])
        seed = reply_seed(self._world_seed, heard.npc.id, heard.exchange, number)
        stream = SayStream(spec, labels=labels, own_label=labels[0], own_lines=heard.own_lines, released=released)
        request = GenerationRequest(
            segments=prompt,
            max_tokens=max(8, max_tokens(spec) - spent),
            seed=seed,
            grammar=grammar_for(spec, released),
            sampling=self._sampling,
            deadline=self._deadline,
            conversation=heard.npc.id,
        )
        generation = self._engine.submit(request)
        cancellation.watch(generation)
        try:
            for chunk in generation:
                if cancellation.cancelled or stream.stuck or spoken.listener_error is not None:
                    break
                self._release(stream.feed(chunk), spoken, on_text)
            generation.cancel()
            result = generation.result()
        except (EngineCrashed, DeadlinePassed) as error:
            spoken.attempts.append(Attempt(seed=seed, text=stream.raw, refused=error.code))
            raise
        spoken.prompt_tokens, spoken.cached_tokens = result.prompt_tokens, result.cached_tokens
        last, checked = stream.finish(truncated=result.finish == "length")
        if not cancellation.cancelled and spoken.listener_error is None:
            self._release(last, spoken, on_text)
        # How far a cancelled generation got depends on timing, so its tokens are not for the record.
        tokens = () if result.finish == "cancelled" else result.tokens
        refused = "cancelled" if cancellation.cancelled else checked.reason
        spoken.attempts.append(Attempt(seed, stream.raw, tokens, result.finish, refused))
        return checked

    def _release(self, text: str, spoken: Spoken, on_text: OnText) -> None:
        if not text:
            return
        spoken.say += text
        try:
            on_text(text)
        except Exception as error:  # the listener is gone: what he was told is remembered first, then he is told why
            spoken.listener_error = error

    def _fall_back(self, heard: Heard, spoken: Spoken, on_text: OnText) -> None:
        """What has been streamed stands; if nothing has, an authored line does."""
        spoken.mark = "fallback"
        if not spoken.say:
            last = heard.own_lines[-1] if heard.own_lines else ""
            line = fallback_line(
                heard.npc.fallback,
                world_seed=self._world_seed,
                npc=heard.npc.id,
                exchange=heard.exchange,
                attempt=len(spoken.attempts),
                last=last,
            )
            self._release(line, spoken, on_text)
        spoken.mood = heard.spec.default_mood


def _continued(last: Segment, cue: str) -> Segment:
    return Segment(last.text + cue, last.section, last.control) if cue else last
