"""Every error npc-memory raises, one tree under one base.

    NpcMemoryError
    ├── InvalidInput            invalid_input          a value the caller handed in cannot be used
    │   ├── DuplicateId         duplicate_id           two items of one section share an id
    │   ├── UnknownId           unknown_id             no NPC, player, reply … of that id
    │   ├── TextTooLong         too_long               a text is over its limit
    │   ├── InvalidPolicy       invalid_policy         a budget policy that cannot work
    │   └── TemplateInvalid     template_invalid       a prompt template or chat format that cannot be used
    ├── MandatoryOverflow       mandatory_overflow     facts, state and persona do not fit the limit
    ├── WorkingMemoryClosed     working_memory_closed  a working memory was used after its reply
    ├── AuthorityViolation      authority              a writer tried to write above its rank
    ├── WorldError
    │   ├── WorldNotFound       world_not_found        no world pack of that name or path
    │   └── WorldInvalid        world_invalid          a world pack with problems (file, line, cure)
    ├── StoreError
    │   ├── StoreLocked         store_locked           another process has this world's file open
    │   ├── StoreFull           store_full             the disk is full: read-only from then on
    │   ├── StoreDamaged        store_damaged          the file is damaged: read-only from then on
    │   ├── StoreReadOnly       store_read_only        no permission to write, or after one of the two above
    │   ├── StoreTooNew         store_too_new          written by a newer npc-memory
    │   └── StoreWrongWorld     store_wrong_world      the file belongs to another world
    ├── OutputClosed            output_closed          standard output takes no more
    ├── ModelError
    │   ├── ModelMissing        model_missing          no such model, or its file is not there
    │   └── ModelDamaged        model_damaged          wrong or truncated model file
    └── EngineError
        ├── EngineMissing       engine_missing         llama-cpp-python is not installed or cannot load
        ├── EngineCrashed       engine_crashed         the engine process died
        ├── EngineBusy          busy                   the queue is full; try again
        ├── DeadlinePassed      deadline               the reply took longer than allowed
        ├── PromptTooLong       prompt_too_long        prompt and reply exceed the model's window
        ├── RequestInvalid      request_invalid        the engine refused a request (bad grammar, unknown token)
        └── Cancelled           cancelled              the caller cancelled the request

Codes are literals and never change their meaning; each has a page in ``docs/errors/``. What an error knows is on it
as attributes and, for the wire, in ``details``. No error text is ever spoken by an NPC (promise P11).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

__all__ = [
    "AuthorityViolation",
    "Cancelled",
    "DeadlinePassed",
    "DuplicateId",
    "EngineBusy",
    "EngineCrashed",
    "EngineError",
    "EngineMissing",
    "InvalidInput",
    "InvalidPolicy",
    "MandatoryOverflow",
    "ModelDamaged",
    "ModelError",
    "ModelMissing",
    "NpcMemoryError",
    "OutputClosed",
    "Problem",
    "PromptTooLong",
    "RequestInvalid",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreLocked",
    "StoreReadOnly",
    "StoreTooNew",
    "StoreWrongWorld",
    "TemplateInvalid",
    "TextTooLong",
    "UnknownId",
    "WorkingMemoryClosed",
    "WorldError",
    "WorldInvalid",
    "WorldNotFound",
    "all_codes",
]


class NpcMemoryError(Exception):
    """Base of every error. ``code`` is a literal, ``hint`` names the cure, ``details`` is plain data."""

    code: ClassVar[str] = ""

    def __init__(self, message: str, *, hint: str = "", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = dict(details or {})

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class InvalidInput(NpcMemoryError):
    """A value the caller handed in cannot be used as it is."""

    code = "invalid_input"


class DuplicateId(InvalidInput):
    """Two items of one section share an id. ``section`` and ``id`` say which; the first stays as it was."""

    code = "duplicate_id"

    def __init__(self, section: str, id: str) -> None:
        self.section, self.id = section, id
        super().__init__(
            f"two {section} share the id {id!r}",
            hint="give each item an id of its own; the first one is unchanged",
            details={"section": section, "id": id},
        )


class UnknownId(InvalidInput):
    """There is no ``kind`` (NPC, player, reply …) of that ``id``."""

    code = "unknown_id"

    def __init__(self, kind: str, id: str, known: Sequence[str] = ()) -> None:
        self.kind, self.id = kind, id
        some = ", ".join(list(known)[:50]) + (", …" if len(known) > 50 else "")
        super().__init__(
            f"there is no {kind} {id!r}",
            hint=f"known: {some}" if some else f"check the {kind} id",
            details={"kind": kind, "id": id, "known": list(known)[:50]},
        )


class TextTooLong(InvalidInput):
    """A text of ``size`` bytes is over its ``limit`` of bytes."""

    code = "too_long"

    def __init__(self, what: str, size: int, limit: int) -> None:
        self.what, self.size, self.limit = what, size, limit
        super().__init__(
            f"{what} has {size} bytes, the limit is {limit}",
            hint="send a shorter text; nothing was stored",
            details={"what": what, "size": size, "limit": limit},
        )


class InvalidPolicy(InvalidInput):
    """A budget policy that cannot work (limit, unit, caps or shares), or one in tokens without a counter."""

    code = "invalid_policy"


class TemplateInvalid(InvalidInput):
    """A prompt template or a model's chat format that cannot be read or does not keep its parts apart."""

    code = "template_invalid"


class MandatoryOverflow(NpcMemoryError):
    """What must never be cut does not fit. ``limit`` and the cost of each of ``parts`` are in the policy's unit."""

    code = "mandatory_overflow"

    def __init__(self, limit: int, parts: Mapping[str, int], *, unit: str = "characters", who: str = "") -> None:
        self.limit = limit
        self.parts: dict[str, int] = dict(parts)
        self.unit = unit
        self.who = who
        sizes = ", ".join(f"{name} {cost}" for name, cost in self.parts.items())
        total = sum(self.parts.values())
        super().__init__(
            f"mandatory parts{f' of {who}' if who else ''} need {total} of {limit} {unit}"
            f" and leave no room for a line: {sizes}",
            hint="raise the limit, or shorten or narrow the scope of the largest part",
            details={"limit": limit, "parts": self.parts, "unit": unit, "npc": who},
        )


class WorkingMemoryClosed(NpcMemoryError):
    """A working memory serves one reply; this one is over."""

    code = "working_memory_closed"

    def __init__(self) -> None:
        super().__init__("this working memory is closed", hint="build a new one from a snapshot for every reply")


class AuthorityViolation(NpcMemoryError):
    """A writer of rank ``writer`` tried to write what needs rank ``needed`` (promise P5)."""

    code = "authority"

    def __init__(self, writer: str, needed: str, what: str) -> None:
        self.writer, self.needed, self.what = writer, needed, what
        super().__init__(
            f"{writer} may not write {what}: that needs {needed}",
            hint="designer > game > reply > inference; write it as a record of the writer's own rank",
            details={"writer": writer, "needed": needed, "what": what},
        )


class WorldError(NpcMemoryError):
    """A world pack cannot be used."""

    code = "world_error"


class WorldNotFound(WorldError):
    """No world pack of that name or at that path."""

    code = "world_not_found"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a world pack: where (``file``, 1-based ``line``, 0 if unknown), what, and the cure."""

    file: str
    line: int
    message: str
    cure: str
    severity: str = "error"

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.message} — {self.cure}"


class WorldInvalid(WorldError):
    """A world pack with ``problems``, each with file, line and cure."""

    code = "world_invalid"

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        shown = "\n".join(str(p) for p in self.problems[:20])
        more = f"\n… and {len(self.problems) - 20} more" if len(self.problems) > 20 else ""
        super().__init__(
            f"{len(self.problems)} problem(s) in the world pack:\n{shown}{more}",
            hint="mend the lines named above; `npc-memory lint` checks again",
            details={"problems": [str(p) for p in self.problems]},
        )


class StoreError(NpcMemoryError):
    """The world's file cannot be used as asked."""

    code = "store_error"


class StoreLocked(StoreError):
    """Another process has this world's file open."""

    code = "store_locked"


class StoreFull(StoreError):
    """The disk is full; the store is read-only from now on and what was acknowledged stays."""

    code = "store_full"


class StoreDamaged(StoreError):
    """The file is not a healthy npc-memory store; it is read-only from now on."""

    code = "store_damaged"


class StoreReadOnly(StoreError):
    """No permission to write to the file, or a write after the store went read-only."""

    code = "store_read_only"


class StoreTooNew(StoreError):
    """Written by a newer npc-memory; this one will not touch it."""

    code = "store_too_new"


class StoreWrongWorld(StoreError):
    """The file holds the memory of world ``found``, not of ``wanted``."""

    code = "store_wrong_world"

    def __init__(self, wanted: str, found: str) -> None:
        self.wanted, self.found = wanted, found
        super().__init__(
            f"this file belongs to the world {found!r}, not to {wanted!r}",
            hint="each world has a file of its own: name another file or open the world it belongs to",
            details={"wanted": wanted, "found": found},
        )


class OutputClosed(NpcMemoryError):
    """Standard output takes no more: a closed pipe, a full disk, or none was given."""

    code = "output_closed"

    def __init__(self, why: str) -> None:
        super().__init__(
            f"standard output cannot be written to: {why}",
            hint="keep its reader open or free some space; every reply made until now is remembered",
        )


class ModelError(NpcMemoryError):
    """A model cannot be used."""

    code = "model_error"


class ModelMissing(ModelError):
    """No model of that name in the catalogue, or its file is not there."""

    code = "model_missing"


class ModelDamaged(ModelError):
    """The model file is wrong: size, hash or header do not fit."""

    code = "model_damaged"


class EngineError(NpcMemoryError):
    """The inference engine could not serve a request."""

    code = "engine_error"


class EngineMissing(EngineError):
    """llama-cpp-python is not installed, or its library does not load here."""

    code = "engine_missing"


class EngineCrashed(EngineError):
    """The engine process died; the next request starts a new one."""

    code = "engine_crashed"


class EngineBusy(EngineError):
    """The engine's queue is full. ``retry_after`` is a hint in seconds."""

    code = "busy"

    def __init__(self, retry_after: float) -> None:
        self.retry_after = retry_after
        super().__init__(
            "the engine's queue is full",
            hint=f"try again in about {retry_after:g} s",
            details={"retry_after": retry_after},
        )


class DeadlinePassed(EngineError):
    """The reply took longer than the request allowed."""

    code = "deadline"


class PromptTooLong(EngineError):
    """Prompt and reply together exceed the model's window; nothing is ever cut by the window (promise P1)."""

    code = "prompt_too_long"


class RequestInvalid(EngineError):
    """The engine refused the request itself: a grammar that does not parse, a token outside the vocabulary."""

    code = "request_invalid"


class Cancelled(EngineError):
    """The caller cancelled the request."""

    code = "cancelled"


def all_codes() -> dict[str, type[NpcMemoryError]]:
    """Every code and its class, sorted by code; what ``docs/errors/`` must have a page for."""
    found: dict[str, type[NpcMemoryError]] = {}
    todo: list[type[NpcMemoryError]] = [NpcMemoryError]
    while todo:
        cls = todo.pop()
        if cls.code:
            found[cls.code] = cls
        todo.extend(cls.__subclasses__())
    return dict(sorted(found.items()))
