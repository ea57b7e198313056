"""The last look at a reply before it is anyone's words: cleaned, whole, not looping, not an error text.

Pure, and idempotent: checking what was checked changes nothing. A refusal is a typed result with its reason, never an
exception and never a text (promise P11).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from npc_memory.memory import clean_text
from npc_memory.reply.cleaning import Speakers, clean_say
from npc_memory.reply.loops import goes_round, repeats
from npc_memory.reply.reading import Reading, read
from npc_memory.reply.schema import MAX_ARG_CHARS, Action, Reply, ReplySpec
from npc_memory.reply.sentences import ends_complete, whole_sentences

__all__ = ["Checked", "Reason", "check", "is_error_text", "judge"]

Reason = Literal["", "empty", "unparsable", "unfinished", "loop", "repeat", "error_text", "retracted"]
"""Why a reply was refused; "" when it was not.

``empty``: nothing speakable is left. ``unparsable``: no reply can be read in it. ``unfinished``: it was cut off before
its first sentence ended. ``loop``: it goes round in circles. ``repeat``: it says again what she said last.
``error_text``: it looks like a program's error message. ``retracted``: what was already released is not its beginning.
"""


@dataclass(frozen=True, slots=True)
class Checked:
    """The outcome. When ``ok``, ``say`` may be spoken and stored as it is; else it is "" and ``reason`` says why."""

    ok: bool
    say: str
    mood: str
    action: Action | None
    reason: Reason


_ERROR_TEXT = re.compile(
    r"(?:token|context|rate|quota|usage)s?[ _-]*(?:length |window |size )?limit"
    r" (?:(?:was|is|has been) )?(?:exceeded|reached)"
    r"|maximum context length|exceeds? (?:the )?(?:available |maximum )?context (?:size|window|length)"
    r"|prompt (?:is )?too long|llama_(?:decode|model|context)|ggml_|traceback \(most recent call last\)"
    r"|^\W*(?:error|exception|fatal|[a-z]+(?:error|exception))\s*(?:code\s*)?(?:\d+\s*)?[:：]"
    r"|\bHTTP(?:/\d(?:\.\d)?)? ?[45]\d\d\b"
    r"|^\W*[45]\d\d\s+(?:internal|bad|service|gateway|too many|not found|forbidden)"
    r"|internal server error|connection (?:refused|reset by peer|timed out)|\berrno\b|segmentation fault"
    r"|failed to (?:load|generate|decode) (?:the |a )?(?:model|response|reply|text|token)"
    r"|(?:request|response) timed out|model (?:is )?(?:not (?:found|loaded)|overloaded)|invalid api key"
    r"|^\W*(?:undefined|null|nan)\W*$",
    re.I,
)


def check(
    reply: Reply | str,
    spec: ReplySpec,
    *,
    labels: Sequence[str] = (),
    own_lines: Sequence[str] = (),
    own_label: str = "",
    truncated: bool = False,
    released: str = "",
) -> Checked:
    """Check a parsed reply or a raw text (what the model wrote behind the cue).

    ``labels``: the names that stand before lines in the prompt; ``own_label``: the NPC's own, which is merely taken off
    the start. ``own_lines``: what the NPC said before in this dialogue, oldest first. ``truncated``: the engine stopped
    at its token limit, so only whole sentences count. ``released``: what stood in the cue and has been streamed.
    """
    speakers = Speakers(labels, own_label)
    if isinstance(reply, Reply):
        reading = Reading(reply.say, True, True, reply.mood, reply.action)
    else:
        reading = read(spec, reply, released)
    return judge(reading, spec, speakers, own_lines, truncated)


def judge(reading: Reading, spec: ReplySpec, speakers: Speakers, own_lines: Sequence[str], truncated: bool) -> Checked:
    """``check`` of what has been read already."""
    if not reading.legible:
        return _refused("unparsable")
    raw, cut = reading.say, truncated and not reading.closed
    if cut and "\n" in raw.lstrip():
        # The engine stopped behind the speech, in what was to become the mood; the lines before are whole.
        raw, cut = raw.rpartition("\n")[0], False
    say = clean_say(raw, speakers)
    if not _is_speakable(say):
        return _refused("empty")
    if len(say) > spec.max_chars or (not ends_complete(say) and (cut or len(say) >= spec.max_chars)):
        say = whole_sentences(say, spec.max_chars)
        if not _is_speakable(say):
            return _refused("unfinished")
    if is_error_text(say):
        return _refused("error_text")
    if goes_round(say):
        return _refused("loop")
    if repeats(say, own_lines):
        return _refused("repeat")
    mood = reading.mood if reading.mood in spec.moods else spec.default_mood
    return Checked(True, say, mood or "", _offered(reading.action, spec), "")


def is_error_text(say: str) -> bool:
    """Whether ``say`` looks like the message of a program that failed."""
    return _ERROR_TEXT.search(say) is not None


def _refused(reason: Reason) -> Checked:
    return Checked(False, "", "", None, reason)


def _is_speakable(say: str) -> bool:
    """Whether there is a letter, a digit or a symbol such as an emoji in it."""
    return any(unicodedata.category(c)[0] in "LN" or unicodedata.category(c) == "So" for c in say)


def _offered(action: Action | None, spec: ReplySpec) -> Action | None:
    """The action if the game offered it with just these arguments; what was not offered is never wanted."""
    offered = spec.action(action.id) if action else None
    if action is None or offered is None or sorted(action.args) != sorted(offered.args):
        return None
    args = {name: clean_text(action.args[name]).strip() for name in offered.args}
    if not all(0 < len(value) <= MAX_ARG_CHARS for value in args.values()):
        return None
    return Action(id=action.id, args=args)
