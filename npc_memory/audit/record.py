"""The audit record of one reply: all that went in and all that came out, as canonical JSON.

``explain`` shows it, a replay rebuilds the prompt from ``snapshot``, ``policy`` and ``template`` and compares
``prompt_sha256``. Timings and cache hits stay out: they differ from run to run and decide nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from npc_memory.errors import InvalidInput, RecordErased
from npc_memory.memory.codec import canonical_json, fields_of

__all__ = ["FORMAT", "Attempt", "Audit", "prompt_sha256"]

FORMAT = 2
"""Version of the payload; readers refuse a newer one by name. Since 2: ``spec``, ``world_seed`` and of an attempt
``released``, ``reminder``, ``prompt_sha256``, ``contradiction``; a record of format 1 has their defaults.
"""


def prompt_sha256(segments: Sequence[str]) -> str:
    """Hash of a prompt: segments apart from each other, control segments apart from text."""
    digest = hashlib.sha256()
    for segment in segments:
        data = segment.encode("utf-8")
        kind = b"c" if getattr(segment, "control", False) else b"t"
        digest.update(kind + len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a reply: its seed, what the model wrote, and why it was refused ("" if it was not).

    ``released``: what had been released before it began. ``reminder``: the agenda item pinned right before the line, on
    top of the snapshot's. ``prompt_sha256``: of the segments submitted, the cue included. ``contradiction``: what the
    canon guard stopped (claim, rule, sentence, matched). ``tokens`` are empty for an attempt that was broken off: how
    far it got depends on timing.
    """

    seed: int
    text: str = ""
    tokens: tuple[int, ...] = ()
    finish: str = ""
    refused: str = ""
    released: str = ""
    reminder: dict[str, Any] | None = None
    prompt_sha256: str = ""
    contradiction: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Everything about one reply. ``prompt`` is a list of [section, control, text], empty when none could be made.
    ``spec``: the reply asked for (moods, actions, max_chars, shape). ``world_seed`` and ``exchange`` make the seeds.
    """

    npc: str
    player: str
    exchange: int
    world: str
    world_version: str
    world_fingerprint: str
    snapshot: dict[str, Any]
    policy: dict[str, Any]
    template: dict[str, Any]
    prompt: tuple[tuple[str, bool, str], ...]
    prompt_sha256: str
    report: dict[str, Any]
    model: dict[str, Any]
    sampling: dict[str, Any]
    grammar_sha256: str
    spec: dict[str, Any] = field(default_factory=dict)
    world_seed: int = 0
    attempts: tuple[Attempt, ...] = field(default=())
    reply: dict[str, Any] = field(default_factory=dict)
    format: int = FORMAT

    def payload(self) -> str:
        """Canonical JSON; what is stored."""
        data = fields_of(self)
        data["attempts"] = [fields_of(one) for one in self.attempts]
        return canonical_json(data)

    @classmethod
    def from_payload(cls, payload: str) -> Audit:
        """Read a stored payload. Raises ``RecordErased``, and ``InvalidInput`` for a damaged or a newer one."""
        try:
            data = json.loads(payload)
            if data.get("erased") is True:
                raise RecordErased("the content of this reply was erased", hint="nothing can bring it back")
            if data["format"] > FORMAT:
                raise InvalidInput(
                    f"this audit record has format {data['format']}, newer than {FORMAT}", hint="update npc-memory"
                )
            attempts = tuple(Attempt(**{**one, "tokens": tuple(one["tokens"])}) for one in data.pop("attempts"))
            prompt = tuple((section, control, text) for section, control, text in data.pop("prompt"))
            return cls(**data, attempts=attempts, prompt=prompt)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(f"this is not an audit record: {error}", hint="the record is damaged") from error
