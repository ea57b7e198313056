"""Chat formats: the control pieces between messages, taken from a model's own template.

A GGUF carries a Jinja template that turns messages into text. We render it once over messages made of marks, in a
sandbox and with a pinned clock, and keep what stands between the marks. From then on a prompt is those pieces with
cleaned text in between: no untrusted text ever passes through Jinja.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from npc_memory.errors import TemplateInvalid

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

__all__ = ["ChatFormat"]

PINNED_CLOCK = datetime(2024, 1, 1)
"""What ``strftime_now`` of a chat template sees; a prompt must not depend on the machine's day (promise P3)."""

_MARKS = tuple(f"\ue000{letter}\ue001" for letter in "abcdef")


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """What stands before, between and after messages. All pieces are trusted and tokenised with special tokens.

    ``open`` before the system text; ``to_user`` from it to the first user text; ``to_reply`` from a user text to an
    answer; ``to_next`` from an answer to the next user text; ``generate`` from the last user text to the model's turn.
    """

    open: str
    to_user: str
    to_reply: str
    to_next: str
    generate: str

    @classmethod
    def from_jinja(cls, source: str, *, bos: str = "", eos: str = "") -> ChatFormat:
        """Derive the pieces from a GGUF's ``tokenizer.chat_template``.

        A template without a system role gets the system text at the head of the first user message. Raises
        ``TemplateInvalid`` when the template fails or does not keep messages apart the same way each time.
        """
        from jinja2 import TemplateError  # half of what importing npc_memory would take, and few need it

        problems = []
        for roles in ("suauau", "uauau"):
            try:
                return cls._from_pieces(roles, _pieces(source, roles, bos, eos))
            except (TemplateError, TemplateInvalid, TypeError, ValueError) as error:
                problems.append(str(error))
        raise TemplateInvalid(
            f"the model's chat template cannot be used: {problems[-1]}", hint="use a transcript template instead"
        )

    @classmethod
    def _from_pieces(cls, roles: str, pieces: list[str]) -> ChatFormat:
        opened, *head = pieces[: len(pieces) - 5]
        to_reply, to_next, again, next_again, generate = pieces[-5:]
        if (again, next_again) != (to_reply, to_next):
            raise TemplateInvalid(f"messages are not kept apart the same way each time ({roles})")
        return cls(opened, head[0] if head else "", to_reply, to_next, generate)


def _pieces(source: str, roles: str, bos: str, eos: str) -> list[str]:
    names = {"s": "system", "u": "user", "a": "assistant"}
    messages = [{"role": names[role], "content": mark} for role, mark in zip(roles, _MARKS, strict=False)]
    template = _environment().from_string(source)
    text = template.render(messages=messages, add_generation_prompt=True, bos_token=bos, eos_token=eos, tools=None)
    pieces = []
    for mark in _MARKS[: len(roles)]:
        before, found, text = text.partition(mark)
        if not found or mark in text:
            raise TemplateInvalid("a message is dropped, repeated or moved")
        pieces.append(before)
    return [*pieces, text]


def _environment() -> ImmutableSandboxedEnvironment:
    from jinja2 import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def refuse(message: str) -> None:
        raise TemplateError(message)

    def strftime(form: str) -> str:
        return PINNED_CLOCK.strftime(form) if form.isascii() else ""

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals.update(raise_exception=refuse, strftime_now=strftime)
    return environment
