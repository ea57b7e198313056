"""Rooms and corridors: the two upper levels of the crypt, cut out of a binary space partition."""

from __future__ import annotations

import tcod.bsp
import tcod.libtcodpy
import tcod.random

from roguelike.dice import Dice
from roguelike.dungeon.digging import Digging, Point, Room
from roguelike.dungeon.tiles import HEIGHT, WIDTH

__all__ = ["dig_rooms"]


def dig_rooms(dice: Dice, digging: Digging) -> list[Room]:
    """Dig a level; returns its rooms, all of them connected."""
    tree = tcod.bsp.BSP(1, 1, WIDTH - 2, HEIGHT - 2)
    numbers = tcod.random.Random(tcod.random.MERSENNE_TWISTER, dice.below(1 << 31))
    tree.split_recursive(5, 10, 6, 1.5, 1.6, seed=numbers)
    rooms: list[Room] = []
    corridors: list[Point] = []
    _dig(dice, digging, tree, rooms, corridors)
    digging.walls()
    _doors(dice, digging, corridors)
    return rooms


def _dig(dice: Dice, digging: Digging, node: tcod.bsp.BSP, rooms: list[Room], corridors: list[Point]) -> Room:
    """Dig what is below ``node``; returns one of its rooms, for the corridor to its neighbour."""
    if not node.children:
        room = _room(dice, node)
        digging.room(room)
        rooms.append(room)
        return room
    first, second = (_dig(dice, digging, child, rooms, corridors) for child in node.children)
    corridors += digging.corridor(first.centre, second.centre, dice.chance(50))
    return first if dice.chance(50) else second


def _room(dice: Dice, leaf: tcod.bsp.BSP) -> Room:
    """A room within a leaf, with a wall's width left around it."""
    width = dice.between(min(5, leaf.width - 2), min(leaf.width - 2, 14))
    height = dice.between(min(3, leaf.height - 2), min(leaf.height - 2, 7))
    x = leaf.x + 1 + dice.below(leaf.width - width - 1)
    y = leaf.y + 1 + dice.below(leaf.height - height - 1)
    return Room((x, y, x + width - 1, y + height - 1))


def _doors(dice: Dice, digging: Digging, corridors: list[Point]) -> None:
    """Half of the narrow places where a corridor meets a room get a door."""
    for x, y in corridors:
        west, east = digging.get((x - 1, y)), digging.get((x + 1, y))
        north, south = digging.get((x, y - 1)), digging.get((x, y + 1))
        narrow = (west == east == "#" and north == south == ".") or (north == south == "#" and west == east == ".")
        if narrow and _at_a_room(digging, x, y) and dice.chance(50):
            digging.put((x, y), "+")


def _at_a_room(digging: Digging, x: int, y: int) -> bool:
    """Whether the floor opens out on one side: three floor tiles in a row next to the place."""
    sides = (
        [(x - 1, y - 1), (x - 1, y), (x - 1, y + 1)],
        [(x + 1, y - 1), (x + 1, y), (x + 1, y + 1)],
        [(x - 1, y - 1), (x, y - 1), (x + 1, y - 1)],
        [(x - 1, y + 1), (x, y + 1), (x + 1, y + 1)],
    )
    return any(all(digging.get(at) == "." for at in side) for side in sides)
