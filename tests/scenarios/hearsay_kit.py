"""A town in which somebody saw something, and tells."""

from __future__ import annotations

from npc_memory.mind import Mind

__all__ = ["CROWD", "WOLF", "knows", "prompt", "saw", "tells", "together"]

WOLF = "A grey wolf bit Pell at the ford."
CROWD = ("marta", "brann", "jory", "nim", "wren", "edda")


def saw(mind: Mind, text: str = WOLF, audience: tuple[str, ...] = ("marta",), **more: object) -> str:
    return mind.observe("fight", text, place="inn", audience=audience, importance=0.8, **more)  # type: ignore[arg-type]


def tells(mind: Mind, teller: str, hearer: str, text: str = WOLF, **more: object) -> str:
    return mind.observe("tell", text, place="inn", actor=teller, target=hearer, audience=[], **more)  # type: ignore[arg-type]


def knows(mind: Mind, npc: str) -> list[str]:
    return [one.text for one in mind.beliefs(npc)]


def prompt(mind: Mind, npc: str, asked: str = "What of the wolf and Pell?") -> str:
    with mind.working_memory(npc, "p1", asked) as memory:
        return memory.text()


def together(mind: Mind, *npcs: str, place: str = "inn") -> None:
    """These are at ``place``, all others elsewhere."""
    for npc in mind.world.npcs:
        mind.actor(npc, place=place if npc in npcs else "watch")
