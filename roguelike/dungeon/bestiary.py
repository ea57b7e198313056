"""What lives below, and how each of them behaves."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BESTIARY", "Beast"]


@dataclass(frozen=True)
class Beast:
    """A kind of monster. ``skill``: adds to its chance to hit. ``attack``: the most damage of a blow. ``guard``: as
    armour. ``speed``: 100 is a step a turn. ``ears``: steps of way from which it hears a footfall. ``worth``:
    experience.

    ``ways``: what sets it apart. ``flees``: runs when badly hurt. ``erratic``: half its steps are random. ``doors``:
    opens doors. ``phases``: walks through walls. ``throws``: from afar. ``splits``: in two, when hit. ``howls``: wakes
    others when it sees the hero. ``lurks``: not seen until it is next to him. ``numbs``, ``poisons``, ``drains``: what
    its blow does besides. ``bones``: blades do half. ``posing``: looks like a thing. ``snuffs``: puts lights out.
    ``deep``: from this level of the crypt on. ``often``: how often it is drawn, against the others.
    """

    id: str
    name: str
    glyph: str
    colour: str
    hp: int
    skill: int
    attack: int
    guard: int = 0
    speed: int = 100
    ears: int = 8
    worth: int = 3
    ways: frozenset[str] = frozenset()
    deep: int = 1
    often: int = 0


def _ways(text: str) -> frozenset[str]:
    return frozenset(text.split())


BESTIARY: dict[str, Beast] = {
    beast.id: beast
    for beast in (
        Beast("rat", "a crypt rat", "r", "#9c8468", 4, 0, 2, 0, 110, 9, 2, _ways("flees"), 1, 10),
        Beast("bat", "a bat", "w", "#8c7aa0", 3, 1, 2, 1, 170, 9, 2, _ways("erratic"), 1, 6),
        Beast("skeleton", "a skeleton", "s", "#e0dccf", 9, 1, 5, 1, 80, 5, 6, _ways("bones doors"), 1, 6),
        Beast("slime", "a grave slime", "j", "#7fb069", 10, 0, 3, 0, 60, 3, 5, _ways("splits"), 1, 4),
        Beast("ghoul", "a ghoul", "g", "#a3b18a", 12, 2, 4, 0, 100, 7, 9, _ways("doors numbs"), 2, 6),
        Beast("spider", "a tomb spider", "x", "#6b4f4f", 8, 3, 4, 1, 120, 6, 8, _ways("lurks poisons"), 2, 5),
        Beast(
            "smuggler", "a salt smuggler", "p", "#c98f5a", 13, 2, 4, 1, 100, 7, 10, _ways("doors throws flees"), 2, 0
        ),
        Beast("hound", "a smuggler's hound", "d", "#b5793f", 7, 2, 4, 0, 140, 10, 7, _ways("howls"), 2, 3),
        Beast("wisp", "a corpse light", "o", "#9fe8ff", 6, 3, 3, 1, 90, 9, 9, _ways("phases snuffs"), 2, 4),
        Beast("mimic", "a chest with teeth", "M", "#a8793f", 16, 3, 7, 1, 80, 1, 12, _ways("posing"), 2, 2),
        Beast("knight", "a barrow knight", "K", "#8d99a6", 15, 3, 6, 1, 80, 6, 15, _ways("bones doors"), 3, 5),
        Beast("wight", "the vault wight", "W", "#c7d0ff", 28, 4, 7, 2, 90, 6, 40, _ways("doors drains"), 3, 0),
    )
}
"""Monsters by id."""
