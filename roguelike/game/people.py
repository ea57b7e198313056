"""The town's turn: people walk where their day takes them, doors shut, the hours bring what they bring."""

from __future__ import annotations

from roguelike.dungeon.tiles import HEIGHT, LOCKED, SHUT, TILES, WIDTH
from roguelike.game.world import NEIGHBOURS, World
from roguelike.happenings import ActorAt, Clock, Ended, Meeting, Met, Observed
from roguelike.signature import signature
from roguelike.state import Person
from roguelike.town.plan import DOORS, SPOTS, place_at
from roguelike.town.schedule import sleeps_at, spot_of

__all__ = ["settle", "tend_doors", "town_turn"]

CLOCK_EVERY = 10
"""Minutes between two reports of the clock."""

MEETING_EVERY = 90
"""Minutes between two conversations anywhere in town: each costs the model several lines."""

PAIR_EVERY = 480
"""Minutes before the same two have something to say to each other again."""


def settle(world: World) -> None:
    """Put everybody where this hour wants them: the beginning of a game, and every morning after a night slept
    through.
    """
    for person in world.present():
        spot, (x, y) = spot_of(person.id, world.of_day)
        person.x, person.y = _free_near(world, person, x, y)
        person.asleep = sleeps_at(spot, world.of_day)
        _arrive(world, person)


def _free_near(world: World, person: Person, x: int, y: int) -> tuple[int, int]:
    """(x, y), or the next tile to it that is free."""
    for dx, dy in ((0, 0), *NEIGHBOURS):
        there = (x + dx, y + dy)
        walkable = TILES[world.state.levels["town"].rows[there[1]][there[0]]].walk
        if walkable and not _taken(world, person, there):
            return there
    return x, y


def _taken(world: World, person: Person, at: tuple[int, int]) -> bool:
    hero = world.state.hero
    if hero.where == "town" and (hero.x, hero.y) == at:
        return True
    return any((other.x, other.y) == at for other in world.present() if other is not person)


def town_turn(world: World) -> None:
    """A minute in the town, whether or not the hero is there."""
    if world.state.minute % CLOCK_EVERY == 0:
        world.emit(Clock(world.state.minute))
    tend_doors(world)
    for person in world.present():
        _step(world, person)
    _meetings(world)
    _talk_over(world)


def tend_doors(world: World) -> None:
    """Doors fall shut behind people, and are locked at night."""
    rows = world.state.levels["town"].rows
    hero = world.state.hero
    for (x, y), door in DOORS.items():
        letter = rows[y][x]
        near = hero.where == "town" and max(abs(hero.x - x), abs(hero.y - y)) <= 1
        if (near and letter == "/") or (letter == LOCKED and door.opens == door.shuts):
            continue
        closed = SHUT
        if door.opens != door.shuts:
            held = world.state.plot.flags.get(f"open:{door.name}", 0) > world.state.minute
            closed = SHUT if held or door.opens <= world.of_day < door.shuts else LOCKED
        if letter != closed and not any((p.x, p.y) == (x, y) for p in world.present()):
            world.set_tile("town", x, y, closed)


def _step(world: World, person: Person) -> None:
    """One step towards where this hour wants her."""
    if person.down:
        person.down -= 1
        return
    spot, goal = _wanted(world, person)
    here = (person.x, person.y)
    if person.errand == "hero" and max(abs(here[0] - goal[0]), abs(here[1] - goal[1])) == 1:
        person.errand = ""
        world.state.hero.talking = person.id
        world.emit(Met(person.id, came=True))
        return
    if here == goal or (max(abs(here[0] - goal[0]), abs(here[1] - goal[1])) == 1 and _taken(world, person, goal)):
        person.asleep = sleeps_at(spot, world.of_day)
        return
    person.asleep = False
    _walk(world, person, goal)


def _walk(world: World, person: Person, goal: tuple[int, int]) -> None:
    """The next tile of the way, or one beside it. Two who stand in each other's way change places; the hero is walked
    round.
    """
    steps = world.way_home(*goal)
    here = int(steps[person.y, person.x])
    hero = (world.state.hero.x, world.state.hero.y) if world.in_town else None
    ahead = []
    for order, (dx, dy) in enumerate(NEIGHBOURS):
        at = (person.x + dx, person.y + dy)
        left = int(steps[at[1], at[0]]) if 0 <= at[0] < WIDTH and 0 <= at[1] < HEIGHT else here + 1
        if left <= here and at != hero:
            ahead.append((left, order, at))
    for left, _, at in sorted(ahead):
        other = world.person_in_town(*at)
        if other is not None and left == here:
            continue
        if other is not None:
            other.x, other.y = person.x, person.y
            _arrive(world, other)
        person.x, person.y = at
        _arrive(world, person)
        return


def _wanted(world: World, person: Person) -> tuple[str, tuple[int, int]]:
    """Where she wants to be: on an errand, or where the hour has her."""
    if person.errand and person.errand_until > world.state.minute:
        if person.errand in SPOTS:
            return person.errand, SPOTS[person.errand]
        if world.in_town:
            return person.errand, (world.state.hero.x, world.state.hero.y)
    person.errand = ""
    return spot_of(person.id, world.of_day)


def _arrive(world: World, person: Person) -> None:
    """Report a new place."""
    place = place_at(person.x, person.y)
    if place != person.place:
        person.place = place
        world.emit(ActorAt(person.id, place=place))


def _meetings(world: World) -> None:
    """Two who stand together and are awake may have something to say to each other."""
    plot = world.state.plot
    if world.state.minute - plot.met.get("last", -MEETING_EVERY) < MEETING_EVERY:
        return
    awake = sorted((p for p in world.present() if not p.asleep and not p.down), key=lambda p: p.id)
    for a in awake:
        for b in awake:
            pair = f"{a.id} {b.id}"
            close = a.id < b.id and max(abs(a.x - b.x), abs(a.y - b.y)) <= 2 and a.place == b.place
            if close and world.state.minute - plot.met.get(pair, -PAIR_EVERY) >= PAIR_EVERY:
                plot.met[pair] = plot.met["last"] = world.state.minute
                world.emit(Meeting(a.id, b.id, a.place, _news(world, a.id, b.id)))
                return


def _news(world: World, a: str, b: str) -> str:
    """What the two talk about: the newest deed one of them knows and the other does not, who is told and then
    knows it.
    """
    for deed in reversed(world.state.plot.deeds):
        knows = [npc in deed.known for npc in (a, b)]
        if knows in ([True, False], [False, True]):
            teller, hearer = (a, b) if knows[0] else (b, a)
            deed.known.append(hearer)
            place = world.state.people[teller].place
            world.emit(Observed("tell", f"{deed.text}.", place, teller, hearer))
            return deed.text
    return TALK[signature(f"{a} {b} {world.state.minute // 1440}") % len(TALK)]


TALK = (
    "the north bridge and who will pay for it",
    "the price of salt",
    "the curfew and the watch that keeps it",
    "the weather on the river",
    "the king, and how quickly he was buried",
    "the stranger who came with Jory's ferry",
    "the noises under the temple",
    "what Edda said about the neighbours",
    "the princess at the southern court",
)
"""What people talk about when there is nothing newer."""


def _talk_over(world: World) -> None:
    """Who walks away from a talk has ended it."""
    hero = world.state.hero
    if hero.talking and world.nearby(hero.talking, 4) is None:
        world.emit(Ended(hero.talking, hero.id))
        hero.talking = ""
