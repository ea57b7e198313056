"""What happened, as the wire's frames: the game's half of "the world reports".

``Observed`` becomes ``observe``, ``StateSet`` ``set_state``, ``ActorAt`` ``actor``, ``Clock`` ``clock``, ``Ended``
``end`` and ``Meeting`` ``converse``. Messages, lines and the rest are the screen's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bridge.messages import ReplyFrame
from roguelike.happenings import ActorAt, Clock, Ended, Happening, Meeting, Observed, StateSet
from roguelike.link import Conversation, Link

__all__ = ["NOWHERE", "tell"]

NOWHERE = "elsewhere"
"""Where somebody is who is at none of the world pack's places: on the wire a place left out stays as it was."""

LINES = 2
"""Lines two NPCs exchange when they meet: a question and an answer."""


def tell(
    link: Link,
    happenings: Iterable[Happening],
    on_meeting: Callable[[Meeting], Callable[[ReplyFrame], None]],
    lines: Callable[[], int] = lambda: LINES,
) -> list[Conversation]:
    """Put what the memory should know in line; return the conversations among it. ``on_meeting`` says who hears the
    lines of one, ``lines`` how long it may be (0: it is left out).
    """
    conversations = []
    for one in happenings:
        if isinstance(one, Meeting):
            if turns := lines():
                conversations.append(
                    link.converse(one.a, one.b, on_meeting(one), topic=one.topic, place=one.place, turns=turns)
                )
        else:
            _tell(link, one)
    return conversations


def _tell(link: Link, one: Happening) -> None:
    match one:
        case Observed():
            link.put(
                "observe",
                kind=one.kind,
                text=one.text,
                place=one.place,
                actor=one.actor,
                target=one.target,
                audience=list(one.audience),
                importance=one.importance,
                data=dict(one.data) or None,
            )
        case StateSet():
            link.put("set_state", entries=dict(one.entries), scope=one.scope)
        case ActorAt():
            place = one.place if one.place is not None or one.name is not None else NOWHERE
            link.put("actor", actor=one.actor, name=one.name, place=place, faction=one.faction)
        case Clock():
            link.clock(one.game_time)
        case Ended():
            link.put("end", player=one.player, npc=one.npc)
        case _:
            pass
