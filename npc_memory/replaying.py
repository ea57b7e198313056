"""Replay: every prompt of a recorded game is built again from its record and compared byte for byte.

A record holds its whole input, so neither the world pack nor the store's present state is asked; only the model's
tokenizer and chat format are, because a budget in tokens is counted with them.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from npc_memory.audit import FORMAT, Attempt, Audit, Divergence, first_difference, prompt_sha256
from npc_memory.errors import InvalidInput, RecordingModel, RecordingTooNew, StoreDamaged, StoreLocked, UnknownId
from npc_memory.guarding import reminded
from npc_memory.inference import Engine, Sampling, TokenCounter, generate
from npc_memory.memory import AgendaItem, AuditRecord
from npc_memory.memory.codec import canonical_json, snapshot_from_data
from npc_memory.prompt import Segment, Wording
from npc_memory.prompt_files import PromptFile, template_for
from npc_memory.reply import ActionSpec, ReplySpec, grammar_for, reply_seed
from npc_memory.speaking import request_for
from npc_memory.store import Store
from npc_memory.working_memory import BudgetPolicy, WorkingMemoryBuilder

__all__ = ["Replay", "Replayed", "audit_from", "recorded"]


@dataclass(slots=True)
class Replayed:
    """What a replay found. ``prompts`` counts attempts. ``silent``: replies that never had a prompt. ``generated``:
    attempts whose tokens were made again. ``divergence``: where it stopped, None when all is the same.
    """

    replies: int = 0
    prompts: int = 0
    silent: int = 0
    generated: int = 0
    divergence: Divergence | None = None


class Replay:
    """Replays records with ``engine`` (its tokenizer and chat format; with ``tokens`` also its words)."""

    def __init__(self, engine: Engine, *, tokens: bool = False) -> None:
        self._engine, self._tokens = engine, tokens
        self._builders: dict[str, WorkingMemoryBuilder] = {}

    def run(self, records: Sequence[AuditRecord], progress: Callable[[int], None] = lambda done: None) -> Replayed:
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
        audit = audit_from(record)
        if not audit.prompt:
            found.silent += 1
            return None
        self._check_model(audit)
        segments = self._build(audit, None)
        built = [(one.section, one.control, one.text) for one in segments]
        if different := first_difference(audit.prompt, built):
            return Divergence(record.id, audit.npc, 0, *different)
        if (now := prompt_sha256(segments)) != audit.prompt_sha256:
            return Divergence(record.id, audit.npc, 0, "prompt_sha256", audit.prompt_sha256, now)
        found.prompts += 1
        for number, attempt in enumerate(audit.attempts if audit.spec else ()):
            if different := self._attempt(audit, number, attempt, found):
                return Divergence(record.id, audit.npc, number, *different)
            found.prompts += number > 0
        return None

    def _attempt(self, audit: Audit, number: int, attempt: Attempt, found: Replayed) -> tuple[str, str, str] | None:
        spec = spec_from(audit.spec)
        grammar = hashlib.sha256(grammar_for(spec).encode()).hexdigest()
        if grammar != audit.grammar_sha256:
            return "grammar", audit.grammar_sha256, grammar
        seed = reply_seed(audit.world_seed, audit.npc, audit.exchange, number)
        if seed != attempt.seed:
            return "seed", str(attempt.seed), str(seed)
        request = request_for(
            self._engine,
            spec,
            self._build(audit, attempt.reminder),
            attempt.released,
            seed=seed,
            sampling=Sampling(**audit.sampling),
            deadline=None,
            conversation=audit.npc,
        )
        if (now := prompt_sha256(request.segments)) != attempt.prompt_sha256:
            return "prompt_sha256", attempt.prompt_sha256, now
        if self._tokens and attempt.tokens:
            found.generated += 1
            result = generate(self._engine, request)
            if result.tokens != attempt.tokens:
                return "tokens", f"{attempt.text}\n{list(attempt.tokens)}", f"{result.text}\n{list(result.tokens)}"
        return None

    def _build(self, audit: Audit, reminder: dict[str, Any] | None) -> tuple[Segment, ...]:
        snapshot = snapshot_from_data(audit.snapshot)
        if reminder is not None:
            snapshot = reminded(snapshot, AgendaItem(**reminder))
        with self._builder(audit).build(snapshot) as memory:
            return memory.segments

    def _builder(self, audit: Audit) -> WorkingMemoryBuilder:
        key = canonical_json([audit.policy, audit.template])
        if key not in self._builders:
            policy = BudgetPolicy(**{**audit.policy, "shares": tuple(audit.policy["shares"])})
            file = PromptFile(
                audit.template["name"], audit.template["style"], Wording.from_mapping(audit.template["wording"])
            )
            counter = TokenCounter(self._engine) if policy.unit == "tokens" else None
            self._builders[key] = WorkingMemoryBuilder(policy, counter, template_for(file, self._engine.info))
        return self._builders[key]

    def _check_model(self, audit: Audit) -> None:
        info = self._engine.info
        if audit.model["sha256"] != info.model_sha256 and audit.policy["unit"] == "tokens":
            raise RecordingModel(
                f"recorded with {audit.model['name']!r} (sha256 {audit.model['sha256'][:12]}…),"
                f" the model at hand is {info.model!r} ({info.model_sha256[:12]}…)",
                hint="name the recorded model with --model, or --engine scripted for a test's recording",
                details={"recorded": audit.model["sha256"], "found": info.model_sha256},
            )


def audit_from(record: AuditRecord) -> Audit:
    """The audit in ``record``. Raises ``RecordingTooNew``; ``InvalidInput`` when it is damaged."""
    try:
        format = int(json.loads(record.payload)["format"])
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(f"{record.id} is no audit record: {error}", hint="the record is damaged") from error
    if format > FORMAT:
        raise RecordingTooNew(
            f"{record.id} has format {format}, newer than {FORMAT}", hint="replay it with the npc-memory that made it"
        )
    return Audit.from_payload(record.payload)


def spec_from(data: dict[str, Any]) -> ReplySpec:
    """The reply spec that ``asdict`` took apart."""
    actions = tuple(ActionSpec(one["id"], tuple(one["args"])) for one in data["actions"])
    return ReplySpec(tuple(data["moods"]), actions, data["max_chars"], data["shape"])


def recorded(
    file: Path, *, owner: str = "", npc: str | None = None, player: str | None = None, limit: int | None = None
) -> tuple[AuditRecord, ...]:
    """The audit records of a world's file, oldest first, or the newest ``limit`` of them. The file stays as it is.

    Raises ``UnknownId`` when it is not there, ``StoreLocked`` while a program has it open, and what opening a store
    raises.
    """
    if not file.is_file():
        raise UnknownId("recording", str(file))
    with _copy_of(file) as copy:
        with closing(sqlite3.connect(copy)) as connection:
            try:
                row = connection.execute("SELECT world FROM world").fetchone()
            except sqlite3.Error as error:
                raise StoreDamaged(f"{file} is no world's file: {error}", hint="name the file in --data") from error
        if row is None:
            raise UnknownId("world in the file", str(file))
        with Store.open(copy, world=str(row[0]), owner=owner) as store:
            return store.audits(npc, player, limit=limit)


@contextmanager
def _copy_of(file: Path) -> Iterator[Path]:
    """A copy to read in, with the log beside it: reading a file in place may write to it."""
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=0)) as connection:
        try:
            connection.execute("SELECT COUNT(*) FROM sqlite_master")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise StoreLocked(
                    f"{file} is in use", hint="stop the bridge first; a copy made while it runs may be half written"
                ) from error
        except sqlite3.DatabaseError as error:
            raise StoreDamaged(f"{file} is no world's file: {error}", hint="name the file in --data") from error
    with tempfile.TemporaryDirectory(prefix="npc-memory-replay-") as folder:
        copy = Path(folder) / file.name
        shutil.copyfile(file, copy)
        log = file.with_name(f"{file.name}-wal")
        if log.is_file():
            shutil.copyfile(log, copy.with_name(log.name))
        yield copy
