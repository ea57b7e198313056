"""The runner: takes requests, computes step after step, and tells what came of it, as frames.

It knows no clock but the one it is given and no model but its backend, so all of it runs in tests without either.
``child`` runs it in the engine's own process, ``scripted`` in a thread.
"""

from __future__ import annotations

from collections.abc import Callable
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
    fails takes no other with it.
    """

    def __init__(
        self,
        backend: Backend,
        emit: Callable[[Frame], None],
        clock: Callable[[], float],
        *,
        slots: int = 1,
        chunk: int = 128,
    ) -> None:
        self._backend = backend
        self._emit = emit
        self._clock = clock
        self._scheduler = Scheduler(max_running=slots, chunk=chunk)
        self._cache = PrefixCache(slots)

    def submit(self, id: int, request: GenerationRequest, arrived: float | None = None) -> None:
        """Queue a request; what is wrong with it is told at once. ``arrived``: when it came, on the runner's clock."""
        try:
            prompt = self._backend.tokenize(control_pairs(request.segments))
            self._check_window(len(prompt), request.max_tokens)
        except NpcMemoryError as error:
            self._emit(error_frame("error", error, id=id))
            return
        self._scheduler.add(Sequence(id, request, prompt, self._clock() if arrived is None else arrived))

    def cancel(self, id: int) -> None:
        """End a request now; one that is over already is left alone."""
        sequence = self._scheduler.remove(id)
        if sequence is not None:
            self._done(sequence, "cancelled")

    def step(self) -> bool:
        """Compute one step; False when there is nothing to do."""
        for sequence in self._scheduler.expired(self._clock()):
            self._fail(sequence, _too_late(sequence))
        for sequence in self._scheduler.admit():
            self._begin(sequence)
        step = self._scheduler.schedule()
        if not step:
            return len(self._scheduler) > 0
        try:
            self._backend.decode(step)
        except EngineError as error:
            for part in step:
                self._distrust(part.sequence)
                self._fail(part.sequence, error)
            return True
        for part in step:
            self._advance(part)
        return True

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
        sequence.started = self._clock()
        slot, kept = self._cache.claim(sequence.prompt)
        sequence.slot = slot
        if not self._backend.keep(slot, kept):
            self._cache.forget(slot)
            kept = 0
        sequence.computed = sequence.cached = kept
        try:
            sequence.sampler = self._backend.begin(sequence)
        except EngineError as error:
            self._fail(sequence, error)

    def _advance(self, part: Slice) -> None:
        """A slice has been computed: remember that, and draw the next token if the slice was complete."""
        sequence = part.sequence
        self._cache.extend(sequence.slot, part.tokens)
        sequence.computed += len(part.tokens)
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

    def _distrust(self, sequence: Sequence) -> None:
        """After a failed step nobody knows what the slot holds."""
        self._cache.forget(sequence.slot)
        self._backend.clear(sequence.slot)

    def _leave(self, sequence: Sequence) -> None:
        if sequence.sampler is not None:
            sequence.sampler.close()
            sequence.sampler = None
        if sequence.slot >= 0:
            self._cache.release(sequence.slot)
            sequence.slot = -1

    def _show(self, sequence: Sequence, text: str) -> None:
        if text:
            self._emit({"op": "chunk", "id": sequence.id, "text": text})


def _too_late(sequence: Sequence) -> DeadlinePassed:
    details: dict[str, Any] = {"deadline": sequence.request.deadline, "tokens": len(sequence.output)}
    return DeadlinePassed(
        f"the reply was not finished within {sequence.request.deadline:g} s",
        hint="allow more time, ask for fewer tokens or use a smaller model",
        details=details,
    )
