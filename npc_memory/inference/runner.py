"""The runner: takes requests, computes step after step, and tells what came of it, as frames.

It knows no clock but the one it is given and no model but its backend, so all of it runs in tests without either.
``child`` runs it in the engine's own process, ``scripted`` in a thread.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

from npc_memory.errors import DeadlinePassed, EngineError, NpcMemoryError, PromptTooLong, RequestInvalid
from npc_memory.inference.backend import Backend
from npc_memory.inference.cache import PrefixCache
from npc_memory.inference.protocol import Frame, error_frame, result_map
from npc_memory.inference.request import Finish, GenerationRequest, control_pairs
from npc_memory.inference.scheduler import Scheduler, Slice
from npc_memory.inference.sequence import Sequence

__all__ = ["Runner"]


class Runner:
    """Drives one backend. Call ``submit`` and ``cancel`` between steps, ``step`` as long as it returns True.

    Every request ends in exactly one frame: ``done`` or ``error``; ``chunk`` frames come before it. A request that
    fails takes no other with it. ``slots``: how many sequences take part in steps. ``cache_bytes``: host memory for the
    states of conversations that have none.
    """

    def __init__(
        self,
        backend: Backend,
        emit: Callable[[Frame], None],
        clock: Callable[[], float],
        *,
        slots: int = 1,
        chunk: int = 128,
        cache_bytes: int = 0,
    ) -> None:
        self._backend = backend
        self._emit = emit
        self._clock = clock
        self._scheduler = Scheduler(max_running=slots, chunk=chunk)
        self._cache = PrefixCache(backend, slots, limit=cache_bytes)
        self._suspects: list[Sequence] = []

    def submit(self, id: int, request: GenerationRequest, arrived: float | None = None) -> None:
        """Queue a request; what is wrong with it is told at once. ``arrived``: when it came, on the runner's clock.

        A warm-up under way that is less urgent ends: its tokens so far stay computed.
        """
        pairs = control_pairs(request.segments)
        stable = max(request.shared, request.stable)
        try:
            parts = [self._backend.tokenize(part) for part in split(pairs, request.shared, stable)]
            prompt = tuple(chain.from_iterable(parts))
            self._check_window(len(prompt), request.max_tokens)
        except NpcMemoryError as error:
            self._emit(error_frame("error", error, id=id))
            return
        sequence = Sequence(id, request, prompt, self._clock() if arrived is None else arrived)
        sequence.shared, sequence.stable = len(parts[0]), len(parts[0]) + len(parts[1])
        for other in self._scheduler.everyone():
            if other.ahead and other.request.priority < request.priority:
                self.cancel(other.id)
        self._scheduler.add(sequence)

    def cancel(self, id: int) -> None:
        """End a request now; one that is over already is left alone."""
        sequence = self._scheduler.remove(id)
        if sequence is not None:
            self._done(sequence, "cancelled")

    def drop(self) -> None:
        """Forget every prompt that nobody is computing with."""
        self._cache.drop()
        self._backend.forget()

    def stats(self) -> dict[str, Any]:
        """Return what the prefix cache holds (bytes) and how often each tier helped."""
        vault = self._cache.vault
        return {
            "hits": dict(self._cache.hits),
            "saved": self._cache.saved,
            "states": len(vault),
            "state_bytes": vault.size,
            "shared_bytes": len(vault.shared.data) if vault.shared else 0,
        }

    def tidy(self) -> bool:
        """Do a little of what can be done while nobody waits; False when there is nothing."""
        return self._cache.tidy()

    def step(self) -> bool:
        """Compute one step; False when there is nothing to do."""
        for sequence in self._scheduler.expired(self._clock()):
            self._fail(sequence, _too_late(sequence))
        paused, begun = self._scheduler.admit(self._ready)
        for sequence in paused:
            self._pause(sequence)
        for sequence in begun:
            self._begin(sequence)
        step = self._scheduler.schedule(self._suspects[0] if self._suspects else None)
        if step:
            self._compute(step)
        return len(self._scheduler) > 0

    def _compute(self, step: list[Slice]) -> None:
        try:
            self._backend.decode(step)
        except EngineError as error:
            self._find_out(step, error)
            return
        for part in step:
            if part.sample:
                self._clear(part.sequence)
            self._advance(part)

    def _find_out(self, step: list[Slice], error: EngineError) -> None:
        """A step failed: whoever was alone in it is to blame; of several, each is tried alone from the beginning."""
        for part in step:
            sequence = part.sequence
            self._cache.forget(sequence.slot)
            sequence.computed = sequence.cached = 0
            if len(step) == 1:
                self._fail(sequence, error)
            elif sequence not in self._suspects:
                self._suspects.append(sequence)

    def _ready(self, sequence: Sequence) -> bool:
        """Whether to begin now; not while somebody computes a beginning that is this one's too."""
        shared = sequence.prompt[: sequence.shared]
        return not self._cache.lacks(shared) or not any(
            other.computed < other.shared
            and other.request.priority >= sequence.request.priority
            and other.prompt[: other.shared] == shared
            for other in self._scheduler.running
        )

    def _check_window(self, prompt: int, reply: int) -> None:
        if prompt == 0:
            raise RequestInvalid("the prompt is empty", hint="send at least one segment with text")
        if prompt + reply > self._backend.n_ctx:
            raise PromptTooLong(
                f"prompt and reply need {prompt} + {reply} tokens, the window has {self._backend.n_ctx}",
                hint="build the prompt for this window (BudgetPolicy.for_context) or open a larger one (n_ctx)",
                details={"prompt_tokens": prompt, "max_tokens": reply, "n_ctx": self._backend.n_ctx},
            )

    def _begin(self, sequence: Sequence) -> None:
        """Begin, or go on where a more urgent one interrupted: with what can be found of its tokens."""
        first = sequence.sampler is None
        if first:
            sequence.started = self._clock()
        tokens = sequence.tokens
        slot, kept = self._cache.claim(tokens, sequence.request.conversation, whole=sequence.ahead)
        sequence.slot, sequence.computed = slot, kept
        if first:
            sequence.cached = kept
        shared = sequence.prompt[: sequence.shared]
        sequence.mark = len(shared) if kept < len(shared) and self._cache.lacks(shared) else 0
        if sequence.ahead:
            if kept == len(tokens):
                self._finish(sequence, "warmed")
        elif first:
            try:
                sequence.sampler = self._backend.begin(sequence)
            except EngineError as error:
                self._fail(sequence, error)

    def _pause(self, sequence: Sequence) -> None:
        """Give the slot up; what it holds may be found again."""
        self._cache.release(sequence.slot)
        self._clear(sequence)
        sequence.slot = -1

    def _clear(self, sequence: Sequence) -> None:
        """It is no suspect (any more)."""
        if sequence in self._suspects:
            self._suspects.remove(sequence)

    def _advance(self, part: Slice) -> None:
        """A slice has been computed: remember that, and draw the next token if the slice was complete."""
        sequence = part.sequence
        self._cache.extend(sequence.slot, part.tokens)
        sequence.computed += len(part.tokens)
        if sequence.mark and sequence.computed == sequence.mark:
            self._cache.share(sequence.slot)
        if sequence.ahead and part.sample:
            self._finish(sequence, "warmed")
        if not part.sample or sequence.sampler is None:
            return
        try:
            token = sequence.sampler.sample()
        except EngineError as error:
            self._fail(sequence, error)
            return
        if token is not None:
            self._take(sequence, token)

    def _take(self, sequence: Sequence, token: int) -> None:
        if not sequence.output:
            sequence.prompted = self._clock()
        sequence.output.append(token)
        if self._backend.ends(token, sequence.request):
            self._finish(sequence, "grammar" if sequence.request.grammar is not None else "stop")
            return
        self._show(sequence, sequence.stream.push(self._backend.piece(token)))
        if sequence.stream.stopped:
            self._finish(sequence, "stop")
        elif len(sequence.output) >= sequence.request.max_tokens:
            self._finish(sequence, "length")

    def _finish(self, sequence: Sequence, finish: Finish) -> None:
        self._show(sequence, sequence.stream.finish())
        self._scheduler.remove(sequence.id)
        self._done(sequence, finish)

    def _done(self, sequence: Sequence, finish: Finish) -> None:
        result = sequence.result(finish, self._clock())
        self._leave(sequence)
        self._emit({"op": "done", "id": sequence.id, "result": result_map(result)})

    def _fail(self, sequence: Sequence, error: NpcMemoryError) -> None:
        """End a request with an error; the others go on."""
        self._scheduler.remove(sequence.id)
        self._leave(sequence)
        self._emit(error_frame("error", error, id=sequence.id))

    def _leave(self, sequence: Sequence) -> None:
        if sequence.sampler is not None:
            sequence.sampler.close()
            sequence.sampler = None
        if sequence.slot >= 0:
            self._cache.release(sequence.slot, sequence.stable)
            sequence.slot = -1
        self._clear(sequence)

    def _show(self, sequence: Sequence, text: str) -> None:
        if text:
            self._emit({"op": "chunk", "id": sequence.id, "text": text})


def split(pairs: list[tuple[str, bool]], shared: int, stable: int) -> tuple[list[tuple[str, bool]], ...]:
    """Return the segments all NPCs share, those that stay, and the rest."""
    return pairs[:shared], pairs[shared:stable], pairs[stable:]


def _too_late(sequence: Sequence) -> DeadlinePassed:
    details: dict[str, Any] = {"deadline": sequence.request.deadline, "tokens": len(sequence.output)}
    return DeadlinePassed(
        f"the reply was not finished within {sequence.request.deadline:g} s",
        hint="allow more time, ask for fewer tokens or use a smaller model",
        details=details,
    )
