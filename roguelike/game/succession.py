"""A dead hero, and the next one."""

from __future__ import annotations

from roguelike.game.hours import skip_to
from roguelike.game.world import World
from roguelike.goods import KINDS
from roguelike.happenings import ActorAt, LevelChanged
from roguelike.state import Hero

__all__ = ["LANDING", "follow", "outfit"]

LANDING = (48, 2)
MORNING = 8 * 60
LAPSE = ("room", "boat-ready", "curfew-warned", "curfew-pass", "vouched", "bribe-offered", "bribe-taken", "trial-lost")
"""Flags that belong to a hero, not to the town."""


def outfit(world: World) -> None:
    """What one has on arriving."""
    for kind in ("knife", "bread", "torch"):
        item = world.new_item(kind, left=KINDS[kind].burns)
        item.on = kind == "knife"
        world.state.hero.pack.append(item)


def follow(world: World, name: str) -> None:
    """Let a new hero step off the ferry the next morning. The town knows that the one before is dead, and nothing
    of him.
    """
    state = world.state
    before = state.hero
    number = int(before.id.rsplit("-", 1)[1]) + 1
    state.hero = Hero(f"hero-{number}", name, *LANDING)
    state.dead = False
    for flag in sorted(state.plot.flags):
        if flag in LAPSE or flag.startswith("charged:"):
            del state.plot.flags[flag]
    skip_to(world, MORNING)
    outfit(world)
    everybody = [person.id for person in world.present()]
    world.observe("death", f"{before.name} is dead: {state.graves[-1].split(': ', 1)[1]}.", everybody, actor=before.id)
    world.emit(ActorAt(state.hero.id, name=name, place=world.place))
    world.emit(LevelChanged("town", "Emberfall"))
    world.say(f"Another boat, another stranger. In town they still talk about {before.name}.", "quest")
