"""A game being played: its state, the maps derived from it, and what has happened since the command began."""

from __future__ import annotations

from roguelike.dungeon.generate import generate
from roguelike.dungeon.ground import Ground, Mask, Steps
from roguelike.dungeon.tiles import TILES
from roguelike.happenings import Happening, Message, Observed, StateSet, Tone
from roguelike.state import Item, Level, LogLine, Monster, Person, State
from roguelike.town.plan import area_at, place_at

__all__ = ["LOG_LINES", "World"]

LOG_LINES = 60
"""Lines of the log that are kept."""

DOOR = "+/L"
NEIGHBOURS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


class World:
    """The state and what can be asked of it. ``out`` collects the happenings of one command; ``noise`` is how far
    it was heard: a footfall is 4, a fight 9.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.out: list[Happening] = []
        self.noise = 0
        self._grounds: dict[str, Ground] = {}
        self._ways: dict[tuple[int, int], Steps] = {}

    # what is where

    @property
    def level(self) -> Level:
        """The map the hero is on."""
        return self.state.levels[self.state.hero.where]

    @property
    def in_town(self) -> bool:
        return self.state.hero.where == "town"

    def ground(self, level: str | None = None) -> Ground:
        """The arrays of a map, the hero's by default."""
        id = level or self.state.hero.where
        if id not in self._grounds:
            self._grounds[id] = Ground(self.state.levels[id].rows)
        return self._grounds[id]

    def tile(self, x: int, y: int) -> str:
        """The letter of a tile of the hero's map; solid rock beyond its edge."""
        rows = self.level.rows
        return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else " "

    def set_tile(self, level: str, x: int, y: int, letter: str) -> None:
        """Change one tile of a map."""
        rows = self.state.levels[level].rows
        if rows[y][x] not in DOOR or letter not in DOOR:
            self._ways.clear()
        rows[y] = rows[y][:x] + letter + rows[y][x + 1 :]
        self._grounds.pop(level, None)

    def way_home(self, x: int, y: int) -> Steps:
        """Steps from everywhere in town to (x, y), for people who have the keys: doors do not matter to them."""
        if (x, y) not in self._ways:
            self._ways[x, y] = self.ground("town").distances(x, y, locks=True)
        return self._ways[x, y]

    def enter(self, level: str) -> Level:
        """The map ``level``, made if nobody has been there before."""
        if level not in self.state.levels:
            self.state.levels[level] = generate(self.state.seed, level)
        return self.state.levels[level]

    def person_at(self, x: int, y: int) -> Person | None:
        """Who of the town stands there; people are only ever on the town's map."""
        return self.person_in_town(x, y) if self.in_town else None

    def person_in_town(self, x: int, y: int) -> Person | None:
        """Who stands there in town, wherever the hero is."""
        return next((p for p in self.present() if (p.x, p.y) == (x, y)), None)

    def present(self) -> list[Person]:
        """The people who are still in the town."""
        return [person for person in self.state.people.values() if not person.gone]

    def monster_at(self, x: int, y: int) -> Monster | None:
        return next((m for m in self.level.monsters if (m.x, m.y) == (x, y)), None)

    def items_at(self, x: int, y: int) -> list[Item]:
        return [item for item in self.level.items if (item.x, item.y) == (x, y)]

    def carried(self, id: str) -> Item | None:
        """The item of that id in the hero's pack."""
        return next((item for item in self.state.hero.pack if item.id == id), None)

    def holds(self, kind: str) -> Item | None:
        """The first item of that kind in the hero's pack."""
        return next((item for item in self.state.hero.pack if item.kind == kind), None)

    def new_item(self, kind: str, owner: str = "", left: int = 0) -> Item:
        """A new thing with an id of its own."""
        self.state.serial += 1
        return Item(f"{kind}-{self.state.serial}", kind, owner=owner, left=left)

    def nearby(self, npc: str, reach: int = 2) -> Person | None:
        """The person of that id, if she is within ``reach`` steps of the hero and can listen."""
        person = self.state.people.get(npc)
        if person is None or person.gone or not self.in_town:
            return None
        hero = self.state.hero
        close = max(abs(person.x - hero.x), abs(person.y - hero.y)) <= reach
        return person if close and not person.down else None

    def lay(self, item: Item, x: int, y: int) -> None:
        """Put a thing on the ground of the hero's map."""
        item.x, item.y = x, y
        self.level.items.append(item)

    def free_beside(self, x: int, y: int) -> tuple[int, int] | None:
        """A tile next to (x, y) where nobody stands."""
        hero = self.state.hero
        for dx, dy in NEIGHBOURS:
            at = (x + dx, y + dy)
            taken = at == (hero.x, hero.y) or self.monster_at(*at) or self.person_at(*at)
            if not taken and TILES[self.tile(*at)].walk:
                return at
        return None

    def learn(self, clue: str, source: str) -> bool:
        """The hero knows something new; False if he knew. ``source``: a person's id, or empty for what he found."""
        known = self.state.plot.clues.setdefault(self.state.hero.id, {})
        if clue in known:
            return False
        known[clue] = (source, self.state.minute)
        return True

    def knows(self, clue: str) -> bool:
        """Whether this hero has learned it."""
        return clue in self.state.plot.clues.get(self.state.hero.id, {})

    def flag(self, name: str) -> int:
        """What has come about; 0 for what has not."""
        return self.state.plot.flags.get(name, 0)

    # time and place

    @property
    def of_day(self) -> int:
        """Minute of the day."""
        return self.state.minute % 1440

    @property
    def curfew(self) -> bool:
        """After dark: from 21:00 to 05:00."""
        return self.of_day >= 1260 or self.of_day < 300

    @property
    def daylight(self) -> bool:
        return 300 <= self.of_day < 1230

    @property
    def place(self) -> str:
        """The place of the pack the hero is at."""
        where = self.state.hero.where
        if where == "town":
            return place_at(self.state.hero.x, self.state.hero.y)
        return "inn" if where == "cellar" else "temple"

    def area(self, x: int, y: int) -> str:
        return area_at(x, y) if self.in_town else ""

    # light

    def light(self, level: str | None = None) -> Mask:
        """Where it is light of itself on a map: by day in town, else around fires, lamps and moss."""
        id = level or self.state.hero.where
        ground = self.ground(id)
        if id == "town":
            if self.daylight:
                return ground.everywhere
            return ground.glow("fhl" if self.of_day >= 300 and self.of_day < 1380 else "fl")
        return ground.glow("fhlmK")

    # saying

    def emit(self, happening: Happening) -> None:
        """Add to what this command brought about."""
        self.out.append(happening)

    def say(self, text: str, kind: Tone = "plain") -> None:
        """A line for the log."""
        self.out.append(Message(text, kind))
        self.state.log.append(LogLine(text, kind))
        del self.state.log[:-LOG_LINES]

    def observe(
        self, kind: str, text: str, audience: list[str], *, target: str | None = None, actor: str | None = None,
        importance: float | None = None, **data: object,
    ) -> None:  # fmt: skip
        """Report an event of the hero's, or of ``actor``, to those who saw it; to nobody if nobody did."""
        if audience:
            self.emit(
                Observed(kind, text, self.place, actor or self.state.hero.id, target, tuple(audience), importance, data)
            )

    def set_state(self, scope: str | None = None, **entries: str | int | bool) -> None:
        """Tell the memory that world state has changed."""
        self.emit(StateSet(entries, scope))

    def take(self) -> tuple[Happening, ...]:
        """What has happened, once."""
        out, self.out = tuple(self.out), []
        return out
