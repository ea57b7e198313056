"""Frames a client sends. Each has ``type`` and an integer ``id``, which the answer carries as ``re``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from bridge.messages.fields import Frame, Id, Ids, Importance, Int64, Minutes, OptionalId, Text

__all__ = [
    "ActorFrame",
    "CancelFrame",
    "ClientFrame",
    "ClockFrame",
    "ConverseFrame",
    "DeleteFrame",
    "EditFrame",
    "EndFrame",
    "ExplainFrame",
    "ForgetFrame",
    "HelloFrame",
    "LoadFrame",
    "ObserveFrame",
    "PingFrame",
    "RecallFrame",
    "ResultFrame",
    "RetryFrame",
    "SaveFrame",
    "SetStateFrame",
    "TalkFrame",
    "ThinkFrame",
    "WarmFrame",
]

StateMap = Annotated[dict[Id, Text | Int64 | bool | None], Field(min_length=1)]


class Request(Frame):
    """What every client frame has."""

    id: Int64


class HelloFrame(Request):
    """Begins a connection. ``client`` names the game, for the log. ``world``: the world it expects, else any.

    ``owner``: whose records these are, so that several games on one bridge never meet; left out, the local player's;
    it may not be empty.
    ``token``: the launch token, where one is set.
    """

    type: Literal["hello"] = "hello"
    protocol: int
    client: Text
    world: OptionalId = None
    owner: Id | None = None
    token: Text | None = None


class TalkFrame(Request):
    """A player says ``text`` to an NPC. ``place``: where; ``audience``: who hears it besides the two, nobody when it
    is empty; left out, the NPCs that ``actor`` has put there.

    ``actions``: ids of what the NPC may do about it, left out for those of the world. ``stream`` false: no ``token``
    before the ``reply``. ``key``: the same key again is answered as the first was, and nothing else happens.
    """

    type: Literal["talk"] = "talk"
    npc: Id
    player: Id
    text: Text
    place: OptionalId = None
    audience: Ids | None = None
    actions: Ids | None = None
    stream: bool = True
    key: OptionalId = None


class ConverseFrame(Request):
    """Two NPCs talk with each other, the first begins: about ``topic``, for at most so many ``turns`` (lines, else 4).
    ``place``: where, left out: where the first is. ``key``: the same key again gives the same lines.
    """

    type: Literal["converse"] = "converse"
    npcs: Annotated[Ids, Field(min_length=2, max_length=2)]
    topic: Text | None = None
    turns: Annotated[int, Field(ge=1, le=16)] | None = None
    place: OptionalId = None
    key: OptionalId = None


class ThinkFrame(Request):
    """An NPC thinks about what she will do; ``trigger``: what set her thinking, ``actions``: what she may do."""

    type: Literal["think"] = "think"
    npc: Id
    trigger: Text | None = None
    actions: Ids | None = None
    key: OptionalId = None


class CancelFrame(Request):
    """Stops the request whose ``id`` was ``request``; acts at once. What had been released of a reply stays said."""

    type: Literal["cancel"] = "cancel"
    request: Int64


class WarmFrame(Request):
    """The player walks up: what his first line will need is computed ahead."""

    type: Literal["warm"] = "warm"
    npc: Id
    player: OptionalId = None


class ObserveFrame(Request):
    """Something happened in the game, in words (``text``), and those who saw it remember it.

    ``kind``: the game's own word for it. ``actor``, ``target``: who did it, to whom. ``audience``: who saw it,
    left out: those at ``place``, or where ``actor`` is.
    Of kind ``tell``, with an NPC as ``actor``, ``text`` is what she tells: those who hear it believe it more or less,
    and remember who told them, where and when. ``data`` may then say what it is about (``subject``, ``slot``,
    ``value``), who may be told (``scope``), how sure she is (``confidence``), and which of her memories it is
    (``source``).
    ``data``: anything the game wants kept with it; its ``relations``, ``triples`` and ``amount`` move what NPCs feel
    and know (docs/relationships.md). ``key``: the same key again is the same event.
    """

    type: Literal["observe"] = "observe"
    kind: Id
    text: Text
    place: OptionalId = None
    actor: OptionalId = None
    target: OptionalId = None
    audience: Ids | None = None
    importance: Importance | None = None
    data: dict[str, Any] | None = None
    key: OptionalId = None


class ResultFrame(Request):
    """What became of the ``action`` (its id in the ``reply``) an NPC wanted; ``error``: why the game refused. She knows
    it in her next reply. The same again changes nothing; ``unknown_id`` for an action of an abandoned future or of an
    answer that was rolled again.
    """

    type: Literal["result"] = "result"
    action: Id
    ok: bool
    error: Text | None = None


class SetStateFrame(Request):
    """World state becomes ``entries``, null removes one. ``scope``: who knows of it, for example ``place:inn``,
    ``faction:watch`` or ``npc:marta``; left out: everyone.
    """

    type: Literal["set_state"] = "set_state"
    entries: StateMap
    scope: OptionalId = None


class ActorFrame(Request):
    """Who or where an actor (player or NPC) is; what is left out stays as it was.

    ``alias_of``: this is another id of that one, what is remembered of both is one. ``reborn``: somebody else has this
    id now, and nothing is inherited.
    """

    type: Literal["actor"] = "actor"
    actor: Id
    name: Text | None = None
    place: OptionalId = None
    faction: OptionalId = None
    alias_of: OptionalId = None
    reborn: bool | None = None


class ClockFrame(Request):
    """The game's time, in minutes; it never goes back but by ``load``."""

    type: Literal["clock"] = "clock"
    game_time: Minutes


class EndFrame(Request):
    """The player's conversation with ``npc`` is over, left out: all of his."""

    type: Literal["end"] = "end"
    player: Id
    npc: OptionalId = None


class RetryFrame(Request):
    """Roll the reply whose ``turn`` this is again; ``text``: to another line of the player's."""

    type: Literal["retry"] = "retry"
    turn: Id
    text: Text | None = None


class EditFrame(Request):
    """Replace the text of a turn by ``text``; what was derived from it is made anew."""

    type: Literal["edit"] = "edit"
    turn: Id
    text: Text | None = None


class DeleteFrame(Request):
    """Take a turn, and all that was derived from it, out of memory."""

    type: Literal["delete"] = "delete"
    turn: Id
    text: Text | None = None


class Slotted(Request):
    """Names a save by its slot or by its immutable id."""

    slot: OptionalId = None
    save_id: OptionalId = None

    @model_validator(mode="after")
    def _named(self) -> Slotted:
        if self.slot is None and self.save_id is None:
            raise ValueError("slot or save_id is needed")
        return self


class SaveFrame(Slotted):
    """Save the game's memory. The ``save_id`` in the answer never changes its meaning; keep it in your own save."""

    type: Literal["save"] = "save"


class LoadFrame(Slotted):
    """Load a save, by one of the two: nothing of the abandoned future is remembered."""

    type: Literal["load"] = "load"


class RecallFrame(Request):
    """What comes to an NPC's mind at ``query``: at most ``k`` memories (else 10), best first, of all she remembers and
    believes; fewer when their texts exceed 256 KiB. ``player``: who speaks; his namesakes are told apart from him.
    """

    type: Literal["recall"] = "recall"
    npc: Id
    query: Text
    player: OptionalId = None
    k: Annotated[int, Field(ge=1, le=1000)] | None = None


class ExplainFrame(Request):
    """The working memory of a past reply (``audit``, as in the ``reply``), or of one to ``text`` now."""

    type: Literal["explain"] = "explain"
    audit: OptionalId = None
    npc: OptionalId = None
    player: OptionalId = None
    text: Text | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> ExplainFrame:
        if self.audit is None and (self.npc is None or self.player is None or self.text is None):
            raise ValueError("audit is needed, or npc, player and text")
        return self


class ForgetFrame(Request):
    """Erase a player from every byte of every file."""

    type: Literal["forget"] = "forget"
    player: Id


class PingFrame(Request):
    """Is anyone there?"""

    type: Literal["ping"] = "ping"


ClientFrame = Annotated[
    HelloFrame
    | TalkFrame
    | ConverseFrame
    | ThinkFrame
    | CancelFrame
    | WarmFrame
    | ObserveFrame
    | ResultFrame
    | SetStateFrame
    | ActorFrame
    | ClockFrame
    | EndFrame
    | RetryFrame
    | EditFrame
    | DeleteFrame
    | SaveFrame
    | LoadFrame
    | RecallFrame
    | ExplainFrame
    | ForgetFrame
    | PingFrame,
    Field(discriminator="type"),
]
