"""A kind of thing."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Kind"]


@dataclass(frozen=True)
class Kind:
    """``slot``: weapon, armour, shield, light or nothing. ``attack``: the most damage a blow does; ``thrown``: the
    most a throw does. ``guard``: what it takes off a blow and off the chance of one. ``price``: coppers, 0 for what
    nobody buys. ``verb``: what using it is called. ``heal``: hit points. ``effect``, ``lasts``: what using it brings,
    for how many turns. ``burns``: turns of light. ``evidence``: it can be shown at a trial.
    """

    id: str
    name: str
    glyph: str
    colour: str
    about: str
    slot: str = ""
    attack: int = 0
    thrown: int = 1
    guard: int = 0
    price: int = 0
    verb: str = ""
    heal: int = 0
    effect: str = ""
    lasts: int = 0
    burns: int = 0
    evidence: bool = False
