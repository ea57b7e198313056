"""Whose goods lie where, each morning anew."""

from __future__ import annotations

from roguelike.goods import KINDS
from roguelike.state import Item, State

__all__ = ["restock"]

GOODS: tuple[tuple[str, int, int, str], ...] = (
    ("eel", 27, 7, "edda"), ("eel", 28, 7, "edda"), ("trout", 29, 7, "edda"), ("lamp-oil", 30, 7, "edda"),
    ("salt", 35, 8, "osric"), ("salt", 36, 8, "osric"),
    ("bread", 12, 6, "marta"), ("ale", 15, 7, "marta"), ("stew", 18, 8, "marta"),
    ("knife", 13, 15, "brann"), ("iron", 14, 15, "brann"),
    ("mint", 63, 17, "wren"), ("comfrey", 64, 17, "wren"),
    ("spear", 60, 7, "captain-hale"), ("torch", 61, 7, "captain-hale"),
    ("mulled-wine", 24, 15, "osric"),
)  # fmt: skip
"""Kind, column, row, owner."""


def restock(state: State) -> None:
    """Lay out what is missing, if its owner is still in town."""
    town = state.levels["town"]
    there = {(item.kind, item.x, item.y) for item in town.items}
    for kind, x, y, owner in GOODS:
        if (kind, x, y) not in there and not state.people[owner].gone:
            state.serial += 1
            town.items.append(Item(f"{kind}-{state.serial}", kind, x, y, owner, KINDS[kind].burns))
