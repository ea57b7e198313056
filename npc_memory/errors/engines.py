"""Models and engines that cannot speak."""

from __future__ import annotations

from npc_memory.errors.base import NpcMemoryError

__all__ = [
    "Cancelled",
    "DeadlinePassed",
    "EmbeddingChanged",
    "EngineBusy",
    "EngineCrashed",
    "EngineError",
    "EngineMissing",
    "ModelDamaged",
    "ModelError",
    "ModelMissing",
    "PromptTooLong",
    "RequestInvalid",
]


class ModelError(NpcMemoryError):
    """A model cannot be used."""

    code = "model_error"


class ModelMissing(ModelError):
    """No model of that name in the catalogue, or its file is not there."""

    code = "model_missing"


class ModelDamaged(ModelError):
    """The model file is wrong: size, hash or header do not fit."""

    code = "model_damaged"


class EmbeddingChanged(ModelError):
    """Vectors of one embedding model cannot be compared with those of another."""

    code = "embedding_changed"

    def __init__(self, name: str, got: str, wanted: str) -> None:
        super().__init__(
            f"the embedding {name!r} gives {got}, here are {wanted}",
            hint="make the vectors anew with --reindex (an Index in Python: every memory added to a new one),"
            " or go back to the embedding that made them",
            details={"embedding": name, "got": got, "wanted": wanted},
        )


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
    """A queue is full: the engine's, or that of one NPC. ``retry_after`` is a hint in seconds."""

    code = "busy"

    def __init__(self, retry_after: float, *, whose: str = "the engine") -> None:
        self.retry_after = retry_after
        super().__init__(
            f"the queue of {whose} is full",
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
