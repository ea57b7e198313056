"""Reading what the model wrote so far: which of it is speech, whether the speech is over, mood and action.

Reading works on any text, finished or not, legal by the grammar or not, and never raises. ``parse`` is the strict
form: a reply that is complete and within its spec, or None.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from npc_memory.reply.grammar import cue
from npc_memory.reply.schema import Action, Reply, ReplySpec, reply_model

__all__ = ["Reading", "parse", "read"]


@dataclass(frozen=True, slots=True)
class Reading:
    """``say`` as written so far (may hold line breaks when no grammar held the model), ``closed``: nothing more of it
    can come, ``complete``: the whole reply stands, so the engine may stop. ``fields``: mood and action as found.
    """

    say: str
    closed: bool = False
    complete: bool = False
    mood: str | None = None
    action: Action | None = None
    legible: bool = True


def read(spec: ReplySpec, text: str, released: str = "") -> Reading:
    """Read ``text``, what the model wrote behind the cue; ``released`` is what stood in the cue."""
    text = text.replace("\r\n", "\n")
    if spec.shape == "json":
        return _read_json(spec, text if text.lstrip().startswith("{") else cue(spec, released) + text)
    return _read_line(spec, released + text)


def parse(spec: ReplySpec, text: str, released: str = "") -> Reply | None:
    """The reply ``text`` holds if it is complete and keeps to ``spec``, else None. Every output of the grammar does."""
    reading = read(spec, text, released)
    say = reading.say.strip()
    if not reading.complete or not say or len(say) > spec.max_chars or "\n" in say:
        return None
    if spec.moods and reading.mood not in spec.moods:
        return None
    return Reply(say=say, mood=reading.mood or "", action=reading.action)


# A line behind the speech: "(glad)", "(glad) [give_room: the attic]", "[wave]"; the action may be unfinished.
_TAIL = re.compile(
    r"(?:\((?P<mood>[^()\n]{1,60})\)[ ]*)?(?:\[(?P<action>[^\[\]\n]*)(?P<shut>\])?[ ]*)?(?<=[^\n])",
)


def _read_line(spec: ReplySpec, text: str) -> Reading:
    lines = text.split("\n")
    for n, line in enumerate(lines[1:], start=1):
        ended = n + 1 < len(lines)
        found = _TAIL.fullmatch(line) if line.strip() else None
        if found and (ended or found["mood"] in spec.moods):
            mood = found["mood"] if found["mood"] in spec.moods else None
            return Reading(
                "\n".join(lines[:n]), True, ended, mood, _line_action(spec, found["action"] if found["shut"] else None)
            )
        if ended and not spec.moods and not line.strip() and any(said.strip() for said in lines[:n]):
            return Reading("\n".join(lines[:n]), True, True)
    if not spec.moods and not spec.actions and len(lines) > 1 and lines[0].strip():
        return Reading(lines[0], True, True)
    return Reading(text)


def _line_action(spec: ReplySpec, text: str | None) -> Action | None:
    id, _, rest = (text or "").partition(":")
    offered = spec.action(id.strip())
    values = [v.strip() for v in rest.split(";")] if rest.strip() else []
    if offered is None or len(values) != len(offered.args) or not all(values):
        return None
    return Action(id=offered.id, args=dict(zip(offered.args, values, strict=True)))


_OPENING = re.compile(r'\s*\{\s*"say"\s*:\s*"')
_MOOD = re.compile(r'\s*,\s*"mood"\s*:\s*("(?:[^"\\]|\\.)*")')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "\\": "\\", "/": "/"}


def _read_json(spec: ReplySpec, text: str) -> Reading:
    try:
        whole, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return _read_open_json(spec, text)
    if not isinstance(whole, dict) or not isinstance(whole.get("say"), str):
        return Reading("", legible=False)
    mood = whole.get("mood")
    known = mood if isinstance(mood, str) and mood in spec.moods else None
    return Reading(whole["say"], True, True, known, _json_action(spec, whole.get("action")))


def _read_open_json(spec: ReplySpec, text: str) -> Reading:
    opening = _OPENING.match(text)
    if opening is None:
        return Reading("", legible=False)
    say, end = _open_string(text, opening.end())
    if end is None:
        return Reading(say)
    mood = _MOOD.match(text, end)
    try:
        named = json.loads(mood[1]) if mood else None
    except ValueError:
        named = None
    return Reading(say, closed=True, mood=named if named in spec.moods else None)


def _open_string(text: str, at: int) -> tuple[str, int | None]:
    """Decode a JSON string from ``at`` on, and where it ended (None: not yet). A half escape or half pair waits."""
    out: list[str] = []
    while at < len(text):
        char = text[at]
        if char == '"':
            return _paired("".join(out)), at + 1
        if char != "\\":
            out.append(char)
            at += 1
            continue
        kind = text[at + 1 : at + 2]
        digits = text[at + 2 : at + 6]
        if not kind or (kind == "u" and len(digits) < 4):
            break
        if kind == "u" and re.fullmatch("[0-9a-fA-F]{4}", digits):
            out.append(chr(int(digits, 16)))
            at += 6
        else:
            out.append(_ESCAPES.get(kind, kind))
            at += 2
    said = "".join(out)
    if said and "\ud800" <= said[-1] <= "\udbff":
        said = said[:-1]
    return _paired(said), None


def _paired(text: str) -> str:
    """Join surrogate pairs; a lone surrogate becomes nothing."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _json_action(spec: ReplySpec, value: Any) -> Action | None:
    if value is None or not spec.actions:
        return None
    fields: dict[str, Any] = {"say": "-", "mood": spec.default_mood, "action": value}
    try:
        checked = reply_model(spec).model_validate({k: v for k, v in fields.items() if v != ""}, strict=True)
    except ValidationError:
        return None
    return Action.model_validate(checked.model_dump(by_alias=True)["action"])
