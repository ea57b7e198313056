"""The game's front door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from roguelike import commands
from roguelike.commands import Command, Look, Sleep
from roguelike.dice import Dice
from roguelike.dungeon.tiles import LOCKED
from roguelike.game import crime, inventory, people, saving, succession, walking
from roguelike.game.drawing import described, picture
from roguelike.game.hours import MARKET_OPENS, MARKET_SHUTS
from roguelike.game.sight import remember
from roguelike.game.succession import LANDING, outfit
from roguelike.game.turns import sleep, turn
from roguelike.game.world import World
from roguelike.happenings import ActorAt, Clock, Happening, Line, Message, Met, StateSet
from roguelike.plot import actions, asking, giving, selling, trial
from roguelike.plot.act import Deal
from roguelike.plot.greeting import greet
from roguelike.plot.journal import journal
from roguelike.plot.promises import kept
from roguelike.state import Hero, Person, State
from roguelike.town.goods import restock
from roguelike.town.schedule import FOLK
from roguelike.view import Done, Journal, Topic, View

__all__ = ["Game"]

START = 176_780
"""As in the world pack: 18:20 on the third day of Harvestmoon."""


class Game:
    """A game of Emberfall. Pure: no clock, no files, no network; the same seed and the same commands give the same
    game.

    ``act`` for what the hero does; ``asked`` and ``told`` for what he says; ``do`` for what an NPC's reply wants. Each
    returns what came of it, in order. ``view`` is the picture, ``journal`` and ``topics`` the hero's knowledge,
    ``dump`` the saved game.
    """

    def __init__(self, state: State) -> None:
        self._world = World(state)

    @classmethod
    def new(cls, seed: int, hero: str = "Stranger") -> Game:
        """A new game; ``act(Wait())`` and everything else begins from here. ``opening`` has what to report first."""
        state = State(seed, Dice.named(seed, "play"), Hero("hero-1", hero, *LANDING), START)
        game = cls(state)
        world = game._world
        world.enter("town")
        state.people = {id: Person(id, 0, 0, "") for id in sorted(FOLK)}
        people.settle(world)
        restock(state)
        outfit(world)
        world.take()
        world.say("You step off Jory's ferry. Behind you, the black stumps of a bridge.", "quest")
        world.say("They say the king is dead. They do not say how. The inn is in the north-west of the town.")
        world.take()
        remember(world)
        return game

    def opening(self) -> tuple[Happening, ...]:
        """What the memory has to be told when a connection is new: the clock, where everybody is, how the world
        stands.
        """
        world = self._world
        hero, town = world.state.hero, world.state.levels["town"]
        market = "open" if MARKET_OPENS <= world.of_day < MARKET_SHUTS else "closed"
        return (
            *self._happened(),
            Clock(world.state.minute),
            ActorAt(hero.id, name=hero.name, place=world.place),
            *(ActorAt(person.id, place=person.place) for person in world.present()),
            StateSet({"chapter": world.state.plot.chapter, "market": market}),
            StateSet({"north_gate": "closed" if town.rows[3][43] == LOCKED else "open"}),
        )

    def approach(self, npc: str) -> tuple[Happening, ...]:
        """Somebody has something on her mind: for the next hour she comes up to the hero, if he is in town. ``Met``
        (``came``) when she is there, at once or later.
        """
        world = self._world
        person = world.state.people.get(npc)
        if person is None or person.gone or person.down or self._over:
            return ()
        if world.nearby(npc, 1) is not None:
            world.state.hero.talking = npc
            world.emit(Met(npc, came=True))
        else:
            person.errand, person.errand_until = "hero", world.state.minute + 60
        return self._happened()

    def act(self, command: Command) -> tuple[Happening, ...]:
        """One command of the hero's, then the world's turn if it took time. What cannot be done changes nothing and
        says why.
        """
        world = self._world
        if self._over:
            world.say("It is over. Begin again, or go on as somebody else.", "dim")
            return world.take()
        world.noise = 1
        if "numb" in world.state.hero.effects and not isinstance(command, Look):
            world.say("You cannot move.", "danger")
            turn(world)
        elif isinstance(command, Sleep):
            sleep(world)
        elif COMMANDS[type(command)](world, command):
            turn(world)
        for happening in list(world.out):
            if isinstance(happening, Met):
                kept(world, happening.npc)
                greet(world, happening.npc)
        return self._happened()

    def _happened(self) -> tuple[Happening, ...]:
        """What this call brought about; what was said aloud the hero has heard, and can ask about."""
        remember(self._world)
        for happening in self._world.out:
            if isinstance(happening, Line) or (isinstance(happening, Message) and happening.kind == "quest"):
                asking.hear(self._world, happening.text)
        return self._world.take()

    def view(self) -> View:
        """The game as the hero sees it."""
        return picture(self._world)

    def offers(self, npc: str) -> tuple[str, ...]:
        """Ids of the world pack's actions that this NPC could do for the hero now."""
        return actions.offers(self._world, npc)

    def deals(self, npc: str) -> tuple[Deal, ...]:
        """What the hero can ask this NPC for outright, for a menu: each is an action with its arguments, for ``do``."""
        return actions.deals(self._world, npc)

    def offered_for(self, npc: str, item: str) -> int:
        """Coppers this NPC would give the hero for a thing in his pack (``Sell``), 0 when she does not want it."""
        return selling.offered_for(self._world, npc, item)

    def refusal(self, npc: str, action: str, args: Mapping[str, Any]) -> str:
        """Why ``do`` would refuse this now; empty if it would not."""
        return "the story is over" if self._over else actions.refusal(self._world, npc, action, args)

    def do(self, npc: str, action: str, args: Mapping[str, Any] | None = None) -> Done:
        """What an NPC's reply wants done, if the game allows it. Never raises: ``error`` says why not."""
        if self._over:
            return Done(False, "the story is over")
        done = actions.do(self._world, npc, action, args or {})
        if done.ok:
            remember(self._world)
        return done

    def topics(self, npc: str) -> tuple[Topic, ...]:
        """What the hero can ask this NPC about, by what he has heard of."""
        return asking.topics(self._world, npc)

    def answers(self, npc: str, text: str) -> bool:
        """Whether ``npc`` answers this line by the book (``asked``). If not, it is her own words that count
        (``told``).
        """
        return not self._over and asking.answers(self._world, npc, text)

    def asked(self, npc: str, text: str) -> tuple[Happening, ...]:
        """The hero said ``text`` to ``npc``, who answers by the book (``Line``): clues, promises, doors opened come of
        it. Say a ``Topic``'s ``line`` as it stands to be sure of being understood.
        """
        if self._over:
            return ()
        asking.asked(self._world, npc, text)
        return self._happened()

    def told(self, npc: str, say: str) -> tuple[Happening, ...]:
        """``npc`` answered the hero in words of her own: he has heard ``say``, and can ask about what it mentions."""
        if self._over:
            return ()
        asking.told(self._world, npc, say)
        return self._happened()

    def suspects(self) -> tuple[str, ...]:
        """Ids of those the hero could charge, for a menu before Captain Hale (``Accuse``); empty when she is not
        there.
        """
        return tuple(FOLK) if self._world.nearby("captain-hale", 3) else ()

    def journal(self) -> Journal:
        """What the hero knows, what he promised, what he could do next."""
        return journal(self._world)

    def next_hero(self, name: str) -> Game:
        """After a death: somebody new (a player id of his own) enters the same, remembering world the next morning.
        What the dead one carried lies where he fell.
        """
        game = Game.load(self.dump())
        succession.follow(game._world, name)
        remember(game._world)
        return game

    @property
    def _over(self) -> bool:
        return self._world.state.dead or bool(self._world.state.plot.ending)

    def dump(self) -> bytes:
        """The game as bytes; ``load`` gives the same game, bit for bit."""
        return saving.dump(self._world.state)

    @classmethod
    def load(cls, data: bytes) -> Game:
        """The game that ``dump`` wrote. Raises ``InvalidInput`` for anything else."""
        return cls(saving.load(data))


def _wait(world: World, command: Command) -> bool:
    return True


def _look(world: World, command: Look) -> bool:
    world.say(described(world, command.x, command.y), "dim")
    return False


Handler = Callable[[World, Any], bool]

COMMANDS: dict[type, Handler] = {
    commands.Move: walking.move,
    commands.Push: walking.push,
    commands.Attack: crime.attack,
    commands.Wait: _wait,
    commands.Close: walking.close,
    commands.Descend: walking.descend,
    commands.Ascend: walking.ascend,
    commands.PickUp: inventory.pick_up,
    commands.Steal: crime.steal,
    commands.Drop: inventory.drop,
    commands.Use: inventory.use,
    commands.Equip: inventory.equip,
    commands.Throw: inventory.throw,
    commands.Look: _look,
    commands.Meet: walking.meet,
    commands.Give: giving.give,
    commands.Show: giving.show,
    commands.Sell: selling.sell,
    commands.Accuse: trial.accuse,
}
