"""Caves: the lowest level, where water and noise have shaped the rock around the kings' vault."""

from __future__ import annotations

import numpy as np
import tcod.noise

from roguelike.dice import Dice
from roguelike.dungeon.digging import Digging, Point, Room
from roguelike.dungeon.tiles import HEIGHT, WIDTH

__all__ = ["dig_caves"]

VAULT = (11, 5)
"""Width and height of the kings' vault."""


def dig_caves(dice: Dice, digging: Digging) -> tuple[Room, Room]:
    """Dig a level; returns the landing of the stairs, on one side, and the vault, on the other."""
    _noise(dice, digging)
    landing = _chamber(dice, 2, 5, 3)
    vault = _chamber(dice, WIDTH - 3 - VAULT[0], VAULT[0], VAULT[1])
    for room in (landing, vault):
        digging.room(room)
    _connect(dice, digging, landing.centre)
    digging.walls()
    return landing, vault


def _chamber(dice: Dice, x: int, width: int, height: int) -> Room:
    y = dice.between(2, HEIGHT - 3 - height)
    return Room((x, y, x + width - 1, y + height - 1))


def _noise(dice: Dice, digging: Digging) -> None:
    """Open the rock where the noise is low, and let water stand where it is lowest."""
    noise = tcod.noise.Noise(2, algorithm=tcod.noise.Algorithm.SIMPLEX, seed=dice.below(1 << 31), octaves=3)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    heights = noise[(x * 0.13).astype(np.float32), (y * 0.24).astype(np.float32)]
    for row in range(1, HEIGHT - 1):
        for column in range(1, WIDTH - 1):
            height = float(heights[row, column])
            if height < 0.12:
                digging.put((column, row), "w" if height < -0.72 else ".")


def _connect(dice: Dice, digging: Digging, start: Point) -> None:
    """Tunnel from what cannot be reached to what can, the nearest first; fill what is too small to be worth it."""
    while True:
        reached = digging.steps_from(start)
        lost = _lost(digging, reached)
        if lost is None:
            return
        region = digging.steps_from(lost)
        if len(region) < 12:
            for at in region:
                digging.put(at, " ")
            continue
        goal = min(reached, key=lambda at: (abs(at[0] - lost[0]) + abs(at[1] - lost[1]), at))
        digging.corridor(lost, goal, dice.chance(50))


def _lost(digging: Digging, reached: dict[Point, int]) -> Point | None:
    """A floor tile that cannot be reached: the first in reading order from the left."""
    return next(
        (
            (x, y)
            for x in range(1, WIDTH - 1)
            for y in range(1, HEIGHT - 1)
            if digging.get((x, y)) in ".w" and (x, y) not in reached
        ),
        None,
    )
