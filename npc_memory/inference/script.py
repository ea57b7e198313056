"""What the scripted engine says: texts from a list, a mapping or a callable, and bad habits to order."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from npc_memory.errors import InvalidInput
from npc_memory.inference.request import GenerationRequest

__all__ = ["Behaviour", "Reply", "Script", "ScriptSource"]

Behaviour = Literal["lie", "loop", "stall", "crash", "empty", "slow", "split_emoji", "over_long"]
"""``lie`` states the lie · ``loop`` repeats a phrase for ever · ``stall`` says a word, then nothing · ``crash`` says a
word, then the engine dies · ``empty`` says nothing · ``slow`` takes its time · ``split_emoji`` cuts characters over
tokens · ``over_long`` never comes to an end."""

_MARKER = re.compile(r"\[\[scripted:([a-z_]+)\]\]")
_EMOJI = "Aye 🐺🔥 — take the 👨‍👩‍👧 road, żółw."
_LOOP = "I have told you already. "
_OVER_LONG = "And then another thing happened on the road to the mill. "
_OPENINGS = ("Aye", "Well", "Hm", "Friend", "Listen", "So")
_MIDDLES = (
    "the road is long",
    "I keep my ears open",
    "the night is cold",
    "I have seen stranger things",
    "bread first",
)
_ENDS = ("that is all I know", "ask me again tomorrow", "mind your step", "and that is the truth")


@dataclass(frozen=True, slots=True)
class Reply:
    """A text to say, and how to misbehave with it."""

    text: str
    behaviour: Behaviour | None = None


Answer = str | Reply
ScriptSource = Sequence[Answer] | Mapping[str, Answer] | Callable[[GenerationRequest], Answer] | None


class Script:
    """Chooses the reply of each request by the number of its arrival, from 0; deterministic."""

    def __init__(
        self,
        source: ScriptSource,
        behaviours: Sequence[Behaviour | None],
        format: Callable[[str, GenerationRequest], str] | None,
        lie: str,
    ) -> None:
        if isinstance(source, str):
            raise InvalidInput("the script is a single text", hint="put it into a list")
        self._source = source
        self._behaviours = list(behaviours)
        self._format = format
        self._lie = lie

    def reply(self, number: int, request: GenerationRequest) -> Reply:
        """Return what to say to a request. Raises ``InvalidInput`` for an unknown marker."""
        prompt = "".join(request.segments)
        answer = self._answer(number, request, prompt)
        reply = answer if isinstance(answer, Reply) else Reply(answer)
        scheduled = self._behaviours[number] if number < len(self._behaviours) else None
        behaviour = _marked(prompt) or scheduled or reply.behaviour
        text = self._bent(reply.text, behaviour)
        if request.grammar is not None and self._format is not None and text:
            text = self._format(text, request)
        return Reply(text, behaviour)

    def _answer(self, number: int, request: GenerationRequest, prompt: str) -> Answer:
        source = self._source
        if source is None:
            return _derived(request.seed, prompt)
        if callable(source):
            return source(request)
        if isinstance(source, Mapping):
            found = next((answer for pattern, answer in source.items() if re.search(pattern, prompt)), None)
            return found if found is not None else _derived(request.seed, prompt)
        return source[min(number, len(source) - 1)] if source else ""

    def _bent(self, text: str, behaviour: Behaviour | None) -> str:
        if behaviour == "lie":
            return self._lie
        if behaviour == "loop":
            return _LOOP
        if behaviour == "over_long":
            return _OVER_LONG
        if behaviour == "empty":
            return ""
        return _EMOJI if behaviour == "split_emoji" else text


def _marked(prompt: str) -> Behaviour | None:
    found = _MARKER.findall(prompt)
    if not found:
        return None
    for known in get_args(Behaviour):
        if known == found[-1]:
            return known  # type: ignore[no-any-return]
    raise InvalidInput(f"unknown marker {found[-1]!r}", hint=f"known: {', '.join(get_args(Behaviour))}")


def _derived(seed: int, prompt: str) -> str:
    """Return a short answer that depends on nothing but seed and prompt."""
    digest = hashlib.sha256(f"{seed}\n{prompt}".encode()).digest()
    opening, middle, end = (words[digest[i] % len(words)] for i, words in enumerate((_OPENINGS, _MIDDLES, _ENDS)))
    return f"{opening}, {middle}; {end}."
