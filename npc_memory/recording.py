"""From a reply to its audit record: all that went in, so that it can be explained and replayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from npc_memory.audit import Audit, prompt_sha256
from npc_memory.hearing import Heard
from npc_memory.inference import EngineInfo
from npc_memory.memory import Snapshot
from npc_memory.memory.codec import fields_of, snapshot_to_data
from npc_memory.prompt import Segment
from npc_memory.prompt_files import PromptFile
from npc_memory.speaking import Spoken
from npc_memory.working_memory import BudgetPolicy, BudgetReport
from npc_memory.world import World

__all__ = ["audit_of"]


def audit_of(
    world: World,
    prompt: PromptFile,
    policy: BudgetPolicy,
    info: EngineInfo,
    heard: Heard,
    segments: Sequence[Segment],
    report: BudgetReport | None,
    spoken: Spoken,
) -> Audit:
    """The record of one reply. ``segments`` and ``report`` are empty when not even a prompt could be made."""
    return Audit(
        npc=heard.npc.id,
        player=heard.line.player,
        exchange=heard.exchange,
        world=world.id,
        world_version=world.version,
        world_fingerprint=world.fingerprint,
        world_seed=world.seed,
        snapshot=_snapshot(heard.snapshot),
        policy=fields_of(policy),
        template={"name": prompt.name, "style": prompt.style, "wording": fields_of(prompt.wording)},
        prompt=tuple((segment.section, segment.control, segment.text) for segment in segments),
        prompt_sha256=prompt_sha256(segments),
        report=fields_of(report) if report else {},
        model={
            "name": info.model,
            "sha256": info.model_sha256,
            "build": info.build,
            "engine": info.engine,
            "n_ctx": info.n_ctx,
            "determinism": info.determinism.word,
            **({"embedding": heard.embedding} if heard.embedding else {}),
        },
        sampling=fields_of(prompt.sampling),
        grammar_sha256=spoken.grammar_sha256,
        spec=asdict(heard.spec),
        attempts=tuple(spoken.attempts),
        reply={"say": spoken.say, "mood": spoken.mood, "action": spoken.action, "mark": spoken.mark},
    )


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """The snapshot with the names of those only who speak in it or are spoken to: no others are ever looked up, and the
    record has to do with nobody else when somebody is to be forgotten.
    """
    data = snapshot_to_data(snapshot)
    present = {snapshot.npc, snapshot.player}
    for turn in snapshot.dialogue:
        present |= {turn.speaker, turn.addressee}
    data["names"] = [pair for pair in data["names"] if pair[0] in present]
    return data
