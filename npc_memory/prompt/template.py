"""A template: wording, style and the vocabulary it must be safe for. Data only; ``prompt.page`` renders with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from npc_memory.errors import TemplateInvalid
from npc_memory.prompt.chat import ChatFormat
from npc_memory.prompt.controls import Controls
from npc_memory.prompt.wording import DEFAULT_WORDING, Wording

__all__ = ["DEFAULT_TEMPLATE", "PromptTemplate"]

_NO_CONTROLS = Controls()


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """How a working memory becomes a prompt.

    ``chat`` None means a transcript: plain lines "Name: text" from top to bottom, which small models continue best.
    ``opening`` is a control text before everything (a model's BOS token, when it wants one). ``cue`` follows the name
    of the NPC at the very end and starts the reply; in a chat it opens the model's turn. ``controls`` are those of the
    loaded vocabulary.
    """

    wording: Wording = DEFAULT_WORDING
    chat: ChatFormat | None = None
    opening: str = ""
    cue: str = ""
    controls: Controls = field(default=_NO_CONTROLS, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.wording, Wording):
            raise TemplateInvalid("a template's wording must be a Wording", hint="Wording.from_mapping reads a map")

    def with_cue(self, cue: str) -> PromptTemplate:
        """The same template with another ``cue``."""
        return self if cue == self.cue else replace(self, cue=cue)


DEFAULT_TEMPLATE = PromptTemplate()
