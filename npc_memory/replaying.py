"""Replay: every prompt of a recorded game is built again from its record and compared byte for byte.

A record holds its whole input, so neither the world pack nor the store's present state is asked; only the model's
tokenizer and chat format are, because a budget in tokens is counted with them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from npc_memory.audit import FORMAT, Attempt, Audit, Divergence, first_difference, prompt_sha256
from npc_memory.errors import (
    InvalidInput,
    MandatoryOverflow,
    ModelMissing,
    RecordErased,
    RecordingModel,
    RecordingTooNew,
)
from npc_memory.guarding import reminded
from npc_memory.inference import Engine, GenerationRequest, Sampling, SilentEngine, TokenCounter, generate
from npc_memory.memory import AgendaItem, AuditRecord, Snapshot
from npc_memory.memory.codec import snapshot_from_data
from npc_memory.prompt import Segment, Wording
from npc_memory.prompt_files import PromptFile, template_for
from npc_memory.reply import ActionSpec, ReplySpec, grammar_for, reply_seed
from npc_memory.speaking import request_for
from npc_memory.working_memory import BudgetPolicy, WorkingMemoryBuilder

__all__ = ["Replay", "Replayed", "audit_from", "needs_model"]

Difference = tuple[str, str, str]
"""What differs, as recorded, as it is now."""


@dataclass(slots=True)
class Replayed:
    """What a replay found. ``prompts`` counts attempts. ``silent``: replies that never had a prompt. ``generated``:
    attempts whose tokens were made again; ``unspoken``: those that were asked for and could not be, because the
    recording or the engine at hand is not bit-exact, or their builds differ. ``erased``: replies whose content was
    erased, so that there is nothing to compare. ``divergence``: where it stopped, None
    when all is the same.
    """

    replies: int = 0
    prompts: int = 0
    silent: int = 0
    generated: int = 0
    unspoken: int = 0
    erased: int = 0
    divergence: Divergence | None = None


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a record says went in, as the types that the mind uses."""

    snapshot: Snapshot
    policy: BudgetPolicy
    prompt: PromptFile
    sampling: Sampling
    spec: ReplySpec | None
    reminders: tuple[AgendaItem | None, ...]

    @classmethod
    def of(cls, record: str, audit: Audit) -> Inputs:
        """Raises ``InvalidInput`` when something in the record is not what it should be."""
        try:
            return cls(
                snapshot=snapshot_from_data(audit.snapshot),
                policy=BudgetPolicy(**{**audit.policy, "shares": tuple(audit.policy["shares"])}),
                prompt=PromptFile(
                    audit.template["name"], audit.template["style"], Wording.from_mapping(audit.template["wording"])
                ),
                sampling=Sampling(**audit.sampling),
                spec=_spec(audit.spec) if audit.spec else None,
                reminders=tuple(AgendaItem(**one.reminder) if one.reminder else None for one in audit.attempts),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"{record} cannot be replayed: {error}", hint="the record is damaged") from error


class Replay:
    """Replays records with ``engine`` (its tokenizer, chat format and control tokens; with ``tokens`` also its words).

    None will do when every record was made without a model.
    """

    def __init__(self, engine: Engine | None, *, tokens: bool = False) -> None:
        self._engine, self._tokens = engine, tokens
        self._silent = SilentEngine(ModelMissing("recorded without a model"))
        self._builders: dict[str, WorkingMemoryBuilder] = {}

    def run(self, records: Iterable[AuditRecord], progress: Callable[[int], None] = lambda done: None) -> Replayed:
        """Replay ``records`` in order up to the first difference. Raises ``RecordingTooNew``, ``RecordingModel``,
        and ``InvalidInput`` for a damaged record.
        """
        found = Replayed()
        for done, record in enumerate(records, start=1):
            found.divergence = self._reply(record, found)
            if found.divergence is not None:
                break
            found.replies += 1
            progress(done)
        return found

    def _reply(self, record: AuditRecord, found: Replayed) -> Divergence | None:
        try:
            audit = audit_from(record)
        except RecordErased:
            found.erased += 1
            return None
        if not audit.prompt:
            found.silent += 1
            return None
        inputs = Inputs.of(record.id, audit)
        engine = self._engine_for(record.id, audit)
        number = 0
        try:
            different = self._prompt(engine, audit, inputs)
            found.prompts += different is None
            # A record of format 1 does not say what an attempt was asked for; its prompt is all there is to compare.
            for number in range(len(audit.attempts) if inputs.spec and not different else 0):
                different = self._attempt(engine, audit, inputs, number, found)
                if different:
                    break
                found.prompts += number > 0
        except MandatoryOverflow as error:
            different = "budget", f"within {inputs.policy.limit} {inputs.policy.unit}", error.message
        return Divergence(record.id, audit.npc, number, *different) if different else None

    def _prompt(self, engine: Engine, audit: Audit, inputs: Inputs) -> Difference | None:
        segments = self._build(engine, inputs, None)
        built = [(one.section, one.control, one.text) for one in segments]
        return first_difference(audit.prompt, built) or _unequal(
            "prompt_sha256", audit.prompt_sha256, prompt_sha256(segments)
        )

    def _attempt(self, engine: Engine, audit: Audit, inputs: Inputs, number: int, found: Replayed) -> Difference | None:
        assert inputs.spec is not None
        attempt = audit.attempts[number]
        request = request_for(
            engine,
            inputs.spec,
            self._build(engine, inputs, inputs.reminders[number]),
            attempt.released,
            seed=reply_seed(audit.world_seed, audit.npc, audit.exchange, number),
            sampling=inputs.sampling,
            deadline=None,
            conversation=audit.npc,
        )
        grammar = hashlib.sha256(grammar_for(inputs.spec).encode()).hexdigest()
        return (
            _unequal("grammar", audit.grammar_sha256, grammar)
            or _unequal("seed", str(attempt.seed), str(request.seed))
            or _unequal("prompt_sha256", attempt.prompt_sha256, prompt_sha256(request.segments))
            or self._speak(engine, audit, attempt, request, found)
        )

    def _speak(
        self, engine: Engine, audit: Audit, attempt: Attempt, request: GenerationRequest, found: Replayed
    ) -> Difference | None:
        if not self._tokens or not attempt.tokens:
            return None
        if not _speaks_as(engine, audit.model):
            found.unspoken += 1
            return None
        found.generated += 1
        result = generate(engine, request)
        return _unequal("tokens", _told(attempt.text, attempt.tokens), _told(result.text, result.tokens))

    def _build(self, engine: Engine, inputs: Inputs, reminder: AgendaItem | None) -> tuple[Segment, ...]:
        snapshot = reminded(inputs.snapshot, reminder) if reminder is not None else inputs.snapshot
        with self._builder(engine, inputs).build(snapshot) as memory:
            return memory.segments

    def _builder(self, engine: Engine, inputs: Inputs) -> WorkingMemoryBuilder:
        key = repr((engine is self._silent, inputs.policy, inputs.prompt.style, inputs.prompt.wording))
        if key not in self._builders:
            counter = TokenCounter(engine) if inputs.policy.unit == "tokens" else None
            template = template_for(inputs.prompt, engine.info)
            self._builders[key] = WorkingMemoryBuilder(inputs.policy, counter, template)
        return self._builders[key]

    def _engine_for(self, record: str, audit: Audit) -> Engine:
        if not needs_model(audit):
            return self._silent
        engine, model = self._engine or self._silent, audit.model
        if model["sha256"] != engine.info.model_sha256:
            at_hand = f"{engine.info.model!r} ({engine.info.model_sha256[:12]}…)" if engine.info.model else "missing"
            raise RecordingModel(
                f"{record} was recorded with {model['name']!r} (sha256 {model['sha256'][:12]}…), the model at hand is"
                f" {at_hand}",
                hint="name the recorded model with --model, or --engine scripted for a test's recording",
                details={"record": record, "recorded": model["sha256"], "found": engine.info.model_sha256},
            )
        return engine


def needs_model(audit: Audit) -> bool:
    """Whether there was a model when the prompt was made; its first and its control tokens and its chat format are in
    it, whatever the budget's unit.
    """
    return bool(audit.prompt) and bool(audit.model["sha256"])


def _speaks_as(engine: Engine, model: dict[str, Any]) -> bool:
    """The same tokens are promised to the same model file and build, where both are bit-exact."""
    build, word = engine.info.build, engine.info.determinism.word
    return bool(model["build"] == build and model["determinism"] == word == "bit-exact")


def audit_from(record: AuditRecord) -> Audit:
    """The audit in ``record``. Raises ``RecordErased``, ``RecordingTooNew``; ``InvalidInput`` when it is damaged."""
    try:
        data = json.loads(record.payload)
        if data.get("erased") is True:
            raise RecordErased(f"the content of {record.id} was erased", hint="nothing can bring it back")
        format = int(data["format"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{record.id} is no audit record: {error}", hint="the record is damaged") from error
    if format > FORMAT:
        raise RecordingTooNew(
            f"{record.id} has format {format}, newer than {FORMAT}", hint="replay it with the npc-memory that made it"
        )
    return Audit.from_payload(record.payload)


def _spec(data: dict[str, Any]) -> ReplySpec:
    """The reply spec that ``asdict`` took apart."""
    actions = tuple(ActionSpec(one["id"], tuple(one["args"])) for one in data["actions"])
    return ReplySpec(tuple(data["moods"]), actions, data["max_chars"], data["shape"])


def _unequal(what: str, expected: str, got: str) -> Difference | None:
    return None if expected == got else (what, expected, got)


def _told(text: str, tokens: tuple[int, ...]) -> str:
    return f"{text}\n{list(tokens)}"
