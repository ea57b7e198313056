"""What the hero could prove against Osric Venn if he stood up now."""

from __future__ import annotations

from dataclasses import dataclass

from roguelike.game.world import World
from roguelike.plot.clues import CLUES
from roguelike.plot.trust import notoriety

__all__ = ["Case", "case"]


@dataclass(frozen=True)
class Case:
    """``means``: what killed him. ``hand``: who did it. ``motive``: why. ``door``: how they came and went.
    ``captain``: she will listen. ``doubted``: the accuser is known for a thief, and needs more.
    """

    means: bool
    hand: bool
    motive: bool
    door: bool
    captain: bool
    doubted: bool

    @property
    def holds(self) -> bool:
        """Whether Osric would be convicted: the three, and the captain or the door; both for somebody who is
        doubted.
        """
        support = self.captain and self.door if self.doubted else self.captain or self.door
        return self.means and self.hand and self.motive and support

    @property
    def missing(self) -> tuple[str, ...]:
        """What the three still lack, in order."""
        return tuple(name for name in ("means", "hand", "motive") if not getattr(self, name))


def case(world: World) -> Case:
    """The case as it stands, from what this hero knows and has in hand or has handed in."""
    counted = {clue for clue in CLUES if _counts(world, clue)}
    proves = {what: {c for c in counted if CLUES[c].proves == what} for what in ("means", "hand", "motive", "door")}
    return Case(
        means="has-kings-cup" in counted or {"blue-nails", "greycap-sold"} <= counted,
        hand=bool(proves["hand"]),
        motive=bool(proves["motive"]),
        door=len(proves["door"]) >= 2,
        captain=bool(world.flag("hale-turned")) or world.state.plot.chapter >= 2,
        doubted=notoriety(world) >= 2,
    )


def _counts(world: World, clue: str) -> bool:
    """Known, and in hand where it is a thing; a witness must be there to say it."""
    if not world.knows(clue):
        return False
    item = CLUES[clue].item
    if item and world.holds(item) is None and not world.flag(f"given:{item}:captain-hale"):
        return False
    return not (clue == "osric-ring" and world.flag("tamsin-betrayed") and world.state.plot.chapter < 2)
