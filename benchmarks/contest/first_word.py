"""Part 1: seconds to the first word. One town, round robin; each prompt goes to all who are measured, one by one.

In the first turn an NPC is *new* to the engine. From then on ours is asked every other time without a hint (*warm*: the
last exchange, the volatile tail and the line have not been seen) and every other time after one (*after warm*: tail and
line have not). The bare library computes exactly those tokens with all before them held: the two floors.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.contest.contestant import Contestant, Missing
from benchmarks.contest.figures import Goal, paired, spread
from benchmarks.contest.town import Prompt, Town
from npc_memory.inference import Engine, GenerationRequest, GenerationResult, Sampling

__all__ = ["KINDS", "FirstWords", "Sample", "cpu_of", "first_words", "sampling_map", "timed"]

KINDS = ("new", "warm", "after warm")


@dataclass(frozen=True, slots=True)
class Sample:
    """One prompt's answer by our engine, and by those beside it.

    ``seconds``: from ``submit`` to the first text, as its caller sees it; ``engine`` and ``queued``: what the engine
    says of itself. ``hint``: seconds of the warm-up before. ``floor``: the bare library's seconds for the
    ``floor_tokens`` that no cache could have had (None: not asked). ``cpu`` and ``floor_cpu``: seconds of CPU of the
    two processes meanwhile, which the load of the machine hardly changes (0.0 where the system does not tell).
    ``others``: seconds to the first text of the other contestants.
    """

    kind: str
    npc: int
    turn: int
    seconds: float
    engine: float
    queued: float
    prompt_tokens: int
    cached_tokens: int
    shared_tokens: int
    floor_tokens: int
    floor: float | None
    cpu: float
    floor_cpu: float | None
    hint: float
    others: Mapping[str, float] = field(default_factory=dict)

    @property
    def needless(self) -> int:
        """Tokens computed beyond the floor's."""
        return self.prompt_tokens - self.cached_tokens - self.floor_tokens


@dataclass(frozen=True, slots=True)
class FirstWords:
    """All samples, and who could not take part and why."""

    samples: Sequence[Sample]
    missing: Mapping[str, str]

    def of(self, kind: str) -> list[Sample]:
        """The samples of one kind."""
        return [one for one in self.samples if one.kind == kind]

    def ratio(self, kind: str, to: str = "floor") -> float | None:
        """Ours to the floor, or to one of the others: the median over pairs."""
        pairs = [(one.seconds, one.floor if to == "floor" else one.others.get(to)) for one in self.of(kind)]
        both = [(ours, theirs) for ours, theirs in pairs if theirs is not None]
        return paired([ours for ours, _ in both], [theirs for _, theirs in both])

    def cpu_ratio(self, kind: str) -> float | None:
        """Ours to the floor in seconds of CPU: the median over pairs."""
        both = [(one.cpu, one.floor_cpu) for one in self.of(kind) if one.floor_cpu and one.cpu]
        return paired([ours for ours, _ in both], [floor for _, floor in both])

    def goals(self) -> list[Goal]:
        """What is to be reached here."""
        unpaid = [max(0, one.shared_tokens - one.cached_tokens) for one in self.of("new")[1:]]
        return [
            Goal("first word of a warm NPC / floor", self.ratio("warm"), 1.15),
            Goal("first word after warm / floor (tail and line)", self.ratio("after warm"), 1.10),
            Goal("shared tokens that a later NPC pays for, at most", float(max(unpaid)) if unpaid else None, 0.0),
        ]

    def others(self) -> list[str]:
        """Names of those measured beside, in order."""
        return sorted({name for one in self.samples for name in one.others})

    def as_map(self) -> dict[str, Any]:
        """Plain data, with every sample."""
        return {
            "kinds": {kind: self._kind(kind) for kind in KINDS if self.of(kind)},
            "turns": 1 + max((one.turn for one in self.samples), default=-1),
            "missing": dict(self.missing),
            "samples": [asdict(one) for one in self.samples],
        }

    def _kind(self, kind: str) -> dict[str, Any]:
        samples = self.of(kind)
        found: dict[str, Any] = {
            "ours": spread([one.seconds for one in samples]),
            "in the engine": spread([one.engine for one in samples]),
            "floor": spread([one.floor for one in samples if one.floor is not None]),
            "hint": spread([one.hint for one in samples if one.hint]),
            "ratio": self.ratio(kind),
            "cpu_ratio": self.cpu_ratio(kind),
            "prompt_tokens": spread([one.prompt_tokens for one in samples]),
            "cached_tokens": spread([one.cached_tokens for one in samples]),
            "needless_tokens": spread([one.needless for one in samples]),
            "others": {},
        }
        for name in self.others():
            theirs = [one.others[name] for one in samples if name in one.others]
            if theirs:
                found["others"][name] = {"seconds": spread(theirs), "ours_to_theirs": self.ratio(kind, name)}
        return found


def timed(engine: Engine, request: GenerationRequest) -> tuple[float, GenerationResult]:
    """Seconds from ``submit`` to the first text (to the end, when there is none), and the result."""
    seconds, _, result = timed_with_cpu(engine, request)
    return seconds, result


def timed_with_cpu(engine: Engine, request: GenerationRequest) -> tuple[float, float, GenerationResult]:
    """The same, and the seconds of CPU that the engine's process took meanwhile."""
    pid = getattr(engine, "pid", None)
    cpu, started = cpu_of(pid), perf_counter()
    generation = engine.submit(request)
    for _ in generation:
        break
    seconds = perf_counter() - started
    return seconds, cpu_of(pid) - cpu, generation.result()


def cpu_of(pid: int | None) -> float:
    """Seconds of CPU that a process has taken, 0.0 where the system does not tell (Linux does)."""
    if pid is None or sys.platform != "linux":
        return 0.0
    words = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def sampling_map(sampling: Sampling) -> dict[str, Any]:
    """How llama-cpp-python calls the same settings."""
    return {
        "temperature": sampling.temperature,
        "top_k": sampling.top_k,
        "top_p": sampling.top_p,
        "min_p": sampling.min_p,
        "repeat_penalty": sampling.repeat_penalty,
    }


def first_words(
    engine: Engine,
    town: Town,
    turns: int,
    bare: Contestant | None,
    others: Mapping[str, Contestant],
    *,
    others_npcs: int,
    others_turns: int,
    missing: Mapping[str, str],
    until: float = inf,
) -> FirstWords:
    """Run ``turns`` turns of all; the ``others`` take part in the first ``others_turns`` of ``others_npcs``.

    After ``until`` (on the performance counter) no turn begins but the first two, and the others take part in no more.
    """
    samples: list[Sample] = []
    absent = dict(missing)
    for turn in range(turns):
        late = perf_counter() >= until
        if late and turn > 1:
            break
        for npc, prompt in enumerate(town.prompts(turn)):
            kind = "new" if turn == 0 else ("warm", "after warm")[(npc + turn) % 2]
            asked = npc < others_npcs and turn < others_turns and not late
            beside = {name: one for name, one in others.items() if asked and name not in absent}
            samples.append(_Round(engine, prompt, kind, npc, turn, bare, beside, absent).run())
    return FirstWords(samples, absent)


class _Round:
    """One prompt, given to all: who begins changes from prompt to prompt."""

    def __init__(
        self,
        engine: Engine,
        prompt: Prompt,
        kind: str,
        npc: int,
        turn: int,
        bare: Contestant | None,
        others: Mapping[str, Contestant],
        absent: dict[str, str],
    ) -> None:
        self._engine, self._prompt, self._kind = engine, prompt, kind
        self._npc, self._turn = npc, turn
        self._bare, self._others, self._absent = bare, others, absent
        self._tokens = engine.tokenize(prompt.request.segments)
        self._begin = self._first({"new": 0, "warm": prompt.last, "after warm": prompt.steady}[kind])

    def run(self) -> Sample:
        """Ask everybody."""
        hint = timed(self._engine, self._prompt.warm())[0] if self._kind == "after warm" else 0.0
        ours: tuple[float, float, GenerationResult] | None = None
        floor: dict[str, Any] = {}
        beside: dict[str, float] = {}
        names = ["ours", "floor", *self._others]
        at = (self._npc + self._turn) // 2 % len(names)
        for name in names[at:] + names[:at]:
            if name == "ours":
                ours = timed_with_cpu(self._engine, self._prompt.request)
            elif name == "floor":
                floor = self._floor()
            else:
                seconds = self._other(name)
                if seconds is not None:
                    beside[name] = seconds
        assert ours is not None
        seconds, cpu, result = ours
        return Sample(
            kind=self._kind,
            npc=self._npc,
            turn=self._turn,
            seconds=seconds,
            engine=result.timings.first_token,
            queued=result.timings.queued,
            prompt_tokens=result.prompt_tokens,
            cached_tokens=result.cached_tokens,
            shared_tokens=self._first(self._prompt.request.shared),
            floor_tokens=len(self._tokens) - self._begin,
            floor=floor.get("seconds"),
            cpu=cpu,
            floor_cpu=floor.get("cpu"),
            hint=hint,
            others=beside,
        )

    def _first(self, segments: int) -> int:
        """Tokens of the first so many segments."""
        return len(self._engine.tokenize(self._prompt.request.segments[:segments]))

    def _floor(self) -> dict[str, Any]:
        if self._bare is None or self._kind == "new":
            return {}
        return self._bare.ask("floor", slot=self._npc, tokens=self._tokens, begin=self._begin)

    def _other(self, name: str) -> float | None:
        request = self._prompt.request
        try:
            answer = self._others[name].ask(
                "complete",
                prompt=self._prompt.text,
                max_tokens=request.max_tokens,
                seed=request.seed % 2**31,
                sampling=sampling_map(request.sampling),
            )
        except Missing as reason:
            self._absent[name] = str(reason)
            return None
        return float(answer["seconds"])
