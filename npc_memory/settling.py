"""The game says what became of an action an NPC wanted."""

from __future__ import annotations

import json
from typing import Any

from npc_memory.answers import action_id
from npc_memory.errors import InvalidInput, TextTooLong, UnknownId
from npc_memory.hearing import MAX_TEXT_BYTES, Parties
from npc_memory.memory import TurnRecord, check_id
from npc_memory.memory.text import check_text
from npc_memory.outcomes import DONE, REFUSED, outcomes_of, write_outcome
from npc_memory.people import names
from npc_memory.prompt import Labels
from npc_memory.remembering import quoted
from npc_memory.store import Store
from npc_memory.world import World

__all__ = ["Settling"]


class Settling:
    """The part of a mind that is told what became of actions."""

    world: World
    store: Store

    def result(self, action: str, ok: bool, error: str = "") -> str:
        """The game did (``ok``) or refused the ``action`` (its id in the answer) that an NPC wanted; ``error``: why, in
        words (at most 64 KiB; of a long one beginning and end are remembered). She knows it from now on: while that
        conversation goes on it stands in each of her prompts.

        Returns the id of the episode that tells it; said again, the same one, and nothing else happens. Raises
        ``UnknownId`` for what nobody wanted here: in an abandoned future, or in an answer that was rolled again or
        deleted. ``InvalidInput`` when it was settled the other way before; ``TextTooLong``.
        """
        why = _checked(error)
        kind = DONE if ok else REFUSED
        with self.store.transaction() as writer:
            turn = wanted(self.store, check_id(action, "action"))
            for known in outcomes_of(self.store, turn.id):
                if known.kind == kind:
                    return known.id
                raise InvalidInput(
                    f"{action!r} is settled: {'done' if known.kind == DONE else 'refused'}",
                    hint="what happens later is an event of its own: send observe",
                )
            text = _told(self.world, self.store, turn, ok, why)
            return write_outcome(writer, turn, kind, text, self.store.game_time())


def wanted(store: Store, action: str) -> TurnRecord:
    """The turn in which ``action`` is wanted. Raises ``UnknownId``."""
    try:
        turn = store.turn(action.partition("/")[0])
    except UnknownId:
        raise UnknownId("action", action) from None
    if not turn.action or action_id(turn.id, turn.roll) != action:
        raise UnknownId("action", action)
    return turn


def _checked(error: str) -> str:
    clean = check_text(error, "error").strip()
    size = len(error.encode("utf-8", "surrogatepass"))
    if size > MAX_TEXT_BYTES:
        raise TextTooLong("error", size, MAX_TEXT_BYTES)
    return clean


def _told(world: World, store: Store, turn: TurnRecord, ok: bool, why: str) -> str:
    """How it is told later. Names are labels and the game's words are quoted, so that nothing passes for a memory."""
    name = Labels(Parties(turn.npc, turn.player, names(world, store))).npc
    action = _in_words(world, turn)
    if ok:
        return f"What {name} wanted to do was done: {action}."
    reason = f' The reason: "{quoted(why)}"' if why else ""
    return f"What {name} wanted to do could not be done: {action}.{reason}"


def _in_words(world: World, turn: TurnRecord) -> str:
    """The action with its arguments, as the world pack calls them."""
    data: dict[str, Any] = json.loads(turn.action)
    known = {one.id: one for one in world.npcs[turn.npc].actions} if turn.npc in world.npcs else {}
    action = known.get(data["id"])
    order = [one.id for one in action.args] if action else sorted(data["args"])
    args = [f'{id}: "{quoted(str(data["args"][id]))}"' for id in order if id in data["args"]]
    return (action.name if action else str(data["id"])) + (f" ({', '.join(args)})" if args else "")
