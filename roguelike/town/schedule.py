"""Where the people of Emberfall are at each hour."""

from __future__ import annotations

from dataclasses import dataclass

from roguelike.town.plan import SPOTS, Spot

__all__ = ["BEDS", "FOLK", "NIGHT", "Folk", "sleeps_at", "spot_of"]

Hours = tuple[tuple[int, str], ...]
"""From this minute of the day on, at that spot. In order; before the first one, the last one holds."""

NIGHT = (22 * 60 + 30, 5 * 60)
"""Minutes of the day between which people sleep, once they are where they want to be."""

BEDS = ("empty-stall", "pots", "ledger", "landing")
"""Spots without a bed where somebody sleeps all the same."""


@dataclass(frozen=True)
class Folk:
    """Somebody of the world pack. ``id`` as there; ``colour`` and ``glyph``: how the map shows them."""

    id: str
    name: str
    colour: str
    hours: Hours
    glyph: str = "@"


def _at(hour: int, minute: int = 0) -> int:
    return hour * 60 + minute


FOLK: dict[str, Folk] = {
    folk.id: folk
    for folk in (
        Folk("brann", "Brann", "#c9703a", (
            (_at(6), "anvil"), (_at(12), "table"), (_at(13), "anvil"), (_at(18, 30), "bench"),
            (_at(20, 45), "smith-bed"),
        )),
        Folk("captain-hale", "Captain Hale", "#7fa6d9", (
            (_at(6, 30), "desk"), (_at(12), "gate"), (_at(12, 40), "desk"), (_at(17), "square"), (_at(17, 40), "desk"),
            (_at(23), "watch-bed"),
        )),
        Folk("edda", "Edda", "#e0b84c", (
            (_at(6), "fish-stall"), (_at(18, 45), "corner"), (_at(20, 50), "edda-bed"),
        )),
        Folk("guard-gate", "Town Guard", "#5f86b3", (
            (_at(5), "gate"), (_at(21, 20), "guard-bed"),
        )),
        Folk("guard-wall", "Town Guard", "#5f86b3", (
            (_at(0, 40), "street"), (_at(1, 40), "guard-bed"), (_at(8), "square"), (_at(11), "east-square"),
            (_at(14), "square"), (_at(20), "street"), (_at(21), "west-street"), (_at(22), "street"),
            (_at(23), "east-street"), (_at(23, 50), "square"),
        )),
        Folk("jory", "Jory", "#7fb5a0", (
            (_at(5), "landing"), (_at(13), "willow"), (_at(13, 30), "landing"),
        )),
        Folk("maelis", "Mother Maelis", "#e6d8b0", (
            (_at(5), "fire"), (_at(16), "pew"), (_at(17), "fire"), (_at(22), "maelis-bed"),
        )),
        Folk("marta", "Marta", "#d98d7f", (
            (_at(5), "bar"), (_at(9), "kitchen"), (_at(11), "bar"), (_at(15), "greens"), (_at(16), "bar"),
            (_at(23), "marta-bed"),
        )),
        Folk("nim", "Nim", "#c58fd0", (
            (_at(7), "scale"), (_at(10), "greens"), (_at(13), "kitchen"), (_at(14), "scale"), (_at(18), "hearth"),
            (_at(20, 45), "empty-stall"),
        )),
        Folk("osric", "Osric Venn", "#d4af37", (
            (_at(8), "salt-stall"), (_at(12), "hearth"), (_at(13), "salt-stall"), (_at(18), "corner"),
            (_at(20), "ledger"), (_at(22), "osric-bed"),
        )),
        Folk("pell", "Pell", "#a7a26a", (
            (_at(7), "casks"), (_at(9), "scale"), (_at(12), "casks"), (_at(14), "square"), (_at(17, 30), "casks"),
            (_at(22), "ledger"),
        )),
        Folk("tamsin", "Tamsin", "#9fb0c8", (
            (_at(6), "pots"),
        )),
        Folk("wren", "Wren", "#8fbf6a", (
            (_at(6), "herbs"), (_at(10), "west-street"), (_at(11), "herbs"), (_at(18), "pew"), (_at(19), "herbs"),
            (_at(22), "wren-bed"),
        )),
    )
}  # fmt: skip


def spot_of(npc: str, minute: int) -> tuple[str, Spot]:
    """The name and the place of the spot where ``npc`` wants to be at this minute of the day."""
    hours = FOLK[npc].hours
    name = next((spot for begins, spot in reversed(hours) if begins <= minute), hours[-1][1])
    return name, SPOTS[name]


def sleeps_at(spot: str, minute: int) -> bool:
    """Whether who has arrived at ``spot`` sleeps there at this minute of the day."""
    night = minute >= NIGHT[0] or minute < NIGHT[1]
    return night and (spot.endswith("-bed") or spot in BEDS)
