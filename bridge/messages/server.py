"""Frames the bridge sends. An answer has ``re``, the ``id`` of what it answers; a push has none."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from bridge.messages.fields import Frame, Int64, Minutes, Part

__all__ = [
    "ActionModel",
    "CancelledFrame",
    "DeterminismModel",
    "DueFrame",
    "ErrorFrame",
    "ForgottenFrame",
    "LoadedFrame",
    "MemoriesFrame",
    "NpcModel",
    "OkFrame",
    "PongFrame",
    "ReplyFrame",
    "ServerFrame",
    "TokenFrame",
    "WelcomeFrame",
    "WorkingMemoryFrame",
]


class Answer(Frame):
    """What every answer has."""

    re: Int64


class NpcModel(Part):
    """An NPC of the world."""

    id: str
    name: str


class DeterminismModel(Part):
    """How far replies can be reproduced, and why no further."""

    word: str
    reason: str


class WelcomeFrame(Answer):
    """Answers ``hello``. ``model`` is "" when there is none: every line is an authored one then.

    ``determinism``: ``bit-exact`` or ``prompt-only``, and why. ``slot``: the save slot being played, "" for none.
    """

    type: Literal["welcome"] = "welcome"
    protocol: int
    server: str
    world: str
    world_version: str
    npcs: list[NpcModel]
    model: str
    determinism: DeterminismModel
    game_time: Minutes
    slot: str


class TokenFrame(Answer):
    """A piece of a reply under way. Joined, the pieces are ``say``."""

    type: Literal["token"] = "token"
    text: str


class ActionModel(Part):
    """What the NPC wants to do; the game decides."""

    id: str
    name: str
    args: dict[str, Any]
    label: str | None = None


class ReplyFrame(Answer):
    """What the NPC said, and in which ``mood``; ``action``: what she wants to do, the game decides, and says what
    became of it in ``result``. Its ``id`` is that of this one wish, ``name`` the action's id in the world pack,
    ``label`` what the pack calls it.

    ``turn``: its id in memory. ``kind``: talk, converse or think. ``fallback``: an authored line stands in for the
    model's. ``dropped``: how many memories were left out for the budget. ``audit``: what ``explain`` takes.
    """

    type: Literal["reply"] = "reply"
    npc: str
    say: str
    mood: str
    action: ActionModel | None = None
    turn: str
    kind: str
    fallback: bool
    dropped: int
    audit: str


class OkFrame(Answer):
    """Done and on the disk. ``event``: of ``observe``; ``slot``, ``save_id``, ``game_time``: of ``save``, ``load``."""

    type: Literal["ok"] = "ok"
    event: str | None = None
    slot: str | None = None
    save_id: str | None = None
    game_time: Minutes | None = None


class CancelledFrame(Answer):
    """The request was cancelled."""

    type: Literal["cancelled"] = "cancelled"
    request: Int64


class MemoriesFrame(Answer):
    """Answers ``recall``. Each memory has ``id``, ``kind`` (``episode``, ``belief``, ``triple``; more may come),
    ``text`` as her prompt tells it, ``score`` from 0 to 1 among those of its kind, ``game_time``, ``age`` in words,
    ``speaker`` and ``addressee`` (ids: who said or did it, to whom), ``place``, and ``why``: the parts of the score by
    name, from 0 to 1 (docs/recall.md). An episode has ``importance``, ``event`` (its kind) and ``folded``, the ids of
    older ones that tell the same; a belief ``confidence``, ``word`` (the same in a word), ``subject``, and ``distance``
    (through how many mouths it came) if others told her; a triple ``confidence``, ``subject``, ``relation``,
    ``object``, ``hop`` and ``valid_from`` (docs/relationships.md).
    """

    type: Literal["memories"] = "memories"
    memories: list[dict[str, Any]]


class WorkingMemoryFrame(Answer):
    """Answers ``explain``: the text of each section, the budget report, the whole prompt.

    ``engine``: what a reply of late cost, all its ``attempts`` together: ``prompt_tokens``, ``cached_tokens`` (those of
    them that were ready in the cache) and ``said_tokens``. It is in no record: missing for old replies.
    """

    type: Literal["working_memory"] = "working_memory"
    sections: dict[str, str]
    report: dict[str, Any]
    prompt: str
    engine: dict[str, int] | None = None


class ForgottenFrame(Answer):
    """Answers ``forget``: counts, no content."""

    type: Literal["forgotten"] = "forgotten"
    counts: dict[str, int]


class PongFrame(Answer):
    """Answers ``ping``."""

    type: Literal["pong"] = "pong"


class DueFrame(Frame):
    """Pushed: an NPC has something on her mind, for ``player`` if there is one. ``urgency`` from 0 to 1."""

    type: Literal["due"] = "due"
    npc: str
    note: str
    urgency: float
    player: str | None = None


class LoadedFrame(Frame):
    """Pushed: the world's memory is that of another save now."""

    type: Literal["loaded"] = "loaded"
    slot: str
    save_id: str
    game_time: Minutes


class ErrorFrame(Frame):
    """A request could not be served; nothing of it was stored. ``re`` is missing when no ``id`` could be read.

    ``code`` is a literal and never changes its meaning; ``message`` and ``hint`` are for people.
    """

    type: Literal["error"] = "error"
    re: Int64 | None = None
    code: str
    message: str
    hint: str
    details: dict[str, Any]


ServerFrame = Annotated[
    WelcomeFrame
    | TokenFrame
    | ReplyFrame
    | OkFrame
    | CancelledFrame
    | MemoriesFrame
    | WorkingMemoryFrame
    | ForgottenFrame
    | PongFrame
    | DueFrame
    | LoadedFrame
    | ErrorFrame,
    Field(discriminator="type"),
]
