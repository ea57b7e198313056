"""What a caller handed in, and what may not be done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from npc_memory.errors.base import NpcMemoryError

__all__ = [
    "AliasRefused",
    "AuthorityViolation",
    "DuplicateId",
    "ExtraMissing",
    "InvalidInput",
    "InvalidPolicy",
    "MandatoryOverflow",
    "RecordErased",
    "RecordingModel",
    "RecordingTooNew",
    "TemplateInvalid",
    "TextTooLong",
    "UnknownId",
    "WorkingMemoryClosed",
]


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


class AliasRefused(InvalidInput):
    """``actor`` cannot be an alias of ``alias_of``: that would be a chain, a circle, or two who cannot be one."""

    code = "alias_refused"

    def __init__(self, actor: str, alias_of: str, why: str, hint: str) -> None:
        self.actor, self.alias_of = actor, alias_of
        super().__init__(
            f"{actor!r} cannot be an alias of {alias_of!r}: {why}",
            hint=hint,
            details={"actor": actor, "alias_of": alias_of},
        )


class InvalidPolicy(InvalidInput):
    """A budget policy that cannot work (limit, unit, caps or shares), or one in tokens without a counter."""

    code = "invalid_policy"


class TemplateInvalid(InvalidInput):
    """A prompt template or a model's chat format that cannot be read or does not keep its parts apart."""

    code = "template_invalid"


class RecordingTooNew(InvalidInput):
    """A recorded reply in a format newer than this version reads."""

    code = "recording_too_new"


class RecordingModel(InvalidInput):
    """A reply recorded with another model than the one at hand; its prompt cannot be counted with this one."""

    code = "recording_model"


class RecordErased(InvalidInput):
    """A recorded reply whose content was erased: a player was forgotten, or a memory deleted."""

    code = "record_erased"


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


class ExtraMissing(NpcMemoryError):
    """A command needs packages that are not installed: those of the optional ``extra``."""

    code = "extra_missing"

    def __init__(self, extra: str, package: str) -> None:
        self.extra, self.package = extra, package
        super().__init__(
            f"{package} is not installed",
            hint=f"install the extra: pip install 'npc-memory[{extra}]' (in a checkout: make play)",
            details={"extra": extra, "package": package},
        )
