"""Legs for tests that play through a session, so that what is done is told to the bridge and recorded."""

from __future__ import annotations

from roguelike.commands import Move, Wait
from roguelike.happenings import Met
from roguelike.session import Session

__all__ = ["go_to", "walk_up"]


def go_to(session: Session, x: int, y: int) -> bool:
    """Walk there, round people and through what opens; False when it cannot be reached."""
    for _ in range(300):
        world, hero = session.game._world, session.game._world.state.hero
        if (hero.x, hero.y) == (x, y):
            return True
        people = [(one.x, one.y) for one in world.present()] if world.in_town else []
        way = world.ground().way((hero.x, hero.y), (x, y), blocked=people)
        if not way:
            return False
        session.act(Wait() if way[0] in people else Move(way[0][0] - hero.x, way[0][1] - hero.y))
    return False


def walk_up(session: Session, npc: str) -> None:
    """Walk into somebody, wherever she goes meanwhile."""
    for _ in range(600):
        world = session.game._world
        hero, person = world.state.hero, world.state.people[npc]
        dx, dy = person.x - hero.x, person.y - hero.y
        if max(abs(dx), abs(dy)) <= 1:
            assert Met(npc) in session.act(Move(dx, dy))
            return
        others = [(one.x, one.y) for one in world.present()]
        way = world.ground().way((hero.x, hero.y), (person.x, person.y), blocked=others)
        assert way, f"no way to {npc}"
        session.act(Wait() if way[0] in others else Move(way[0][0] - hero.x, way[0][1] - hero.y))
    raise AssertionError(f"never met {npc}")
