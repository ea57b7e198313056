"""LoCoMo (Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents", 2024), from a file.

Its licence is CC BY-NC, so it is never part of this project. A memory is one turn, with its speaker and the caption of
what he shows; the query is the question as it stands; evidence are the turns it names, those that cannot be resolved
left out. Adversarial questions are about things that were never said, so they are counted apart.
"""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recall_parts.case import Case, Question

__all__ = ["ADVERSARIAL", "SHA256", "load_locomo"]

SHA256 = "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
"""Of the file the published numbers were measured on."""

ADVERSARIAL = "adversarial"
KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: ADVERSARIAL}
DAY = 24 * 60


def load_locomo(path: Path) -> tuple[list[Case], bool]:
    """The conversations in a file, and whether it is the known one."""
    data = path.read_bytes()
    return [_case(sample) for sample in json.loads(data)], hashlib.sha256(data).hexdigest() == SHA256


def _case(sample: dict[str, Any]) -> Case:
    talk = sample["conversation"]
    turns = [
        (turn, session, _minutes(talk[f"{session}_date_time"]) + number // 2)
        for session in talk
        if re.fullmatch(r"session_\d+", session)
        for number, turn in enumerate(talk[session])
    ]
    at = {turn["dia_id"]: position for position, (turn, _, _) in enumerate(turns)}
    speakers = sorted({turn["speaker"] for turn, _, _ in turns})
    asked = ((item["question"], KINDS[item["category"]], _evidence(item, at)) for item in sample["qa"])
    return Case(
        id=sample["sample_id"],
        language="en",
        texts=tuple(_told(turn) for turn, _, _ in turns),
        times=tuple(time for _, _, time in turns),
        people=tuple(turn["speaker"] for turn, _, _ in turns),
        scenes=tuple(session for _, session, _ in turns),
        names={name: name for name in speakers},
        now=max(time for _, _, time in turns) + DAY,
        questions=tuple(Question(text, kind, evidence) for text, kind, evidence in asked if evidence),
    )


def _told(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['speaker']}: {turn['text']}" + (f" [shares {caption}]" if caption else "")


def _minutes(text: str) -> int:
    when = datetime.strptime(text.replace(" on ", " "), "%I:%M %p %d %B, %Y").replace(tzinfo=UTC)
    return int(when.timestamp()) // 60


def _evidence(item: dict[str, Any], at: dict[str, int]) -> frozenset[int]:
    named = [part for entry in item.get("evidence") or [] for part in re.split(r"[;\s,]+", entry)]
    matches = (re.match(r"D:?(\d+):0*(\d+)$", part) for part in named)
    ids = [f"D{match[1]}:{match[2]}" for match in matches if match]
    return frozenset(at[id] for id in ids if id in at)
