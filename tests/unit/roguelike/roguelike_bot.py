"""A player of no great skill: explores, fights, drinks, runs, steals a little, plays by the view alone."""

from __future__ import annotations

from roguelike import commands
from roguelike.commands import Command
from roguelike.dice import Dice
from roguelike.game import Game
from roguelike.game.walking import arrive
from roguelike.happenings import Happening
from roguelike.view import View

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
REMEDIES = ("drink", "chew", "apply", "eat")


class Bot:
    """Its own dice: the same seed, the same play."""

    def __init__(self, seed: int) -> None:
        self.dice = Dice.named(seed, "bot")
        self.goal: tuple[int, int] | None = None

    def down(self, game: Game) -> None:
        """Begin in the crypt, to which a bot has no key."""
        world = game._world
        level = world.enter("crypt-1")
        arrive(world, "crypt-1", level.up)
        world.take()

    def command(self, view: View) -> Command:
        """What to do now."""
        near = [f for f in view.figures if f.kind == "monster" and max(abs(f.x - view.x), abs(f.y - view.y)) <= 1]
        remedy = next((item for item in view.pack if item.verb in REMEDIES), None)
        if view.hero.hp * 2 < view.hero.max_hp and remedy is not None:
            return commands.Use(remedy.id)
        if near:
            return commands.Move(near[0].x - view.x, near[0].y - view.y)
        lights = [item for item in view.pack if item.verb == "light"]
        if view.level != "town" and view.hero.light == 0 and lights:
            return commands.Equip(self.dice.pick(lights).id)
        for item in view.pack:
            if item.verb in ("wield", "wear") and not item.equipped and self.dice.chance(20):
                return commands.Equip(item.id)
        if any(f.kind == "item" and (f.x, f.y) == (view.x, view.y) and not f.note for f in view.figures):
            return commands.PickUp()
        odd = self._odd(view)
        return odd if odd is not None else self._walk(view)

    def _odd(self, view: View) -> Command | None:
        """Now and then something else."""
        dx, dy = self.dice.pick(STEPS)
        item = self.dice.pick(view.pack).id if view.pack else "nothing"
        people = [f.id for f in view.figures if f.kind == "person"] or ["nobody"]
        choices: list[Command] = [
            commands.Steal(dx, dy), commands.Attack(dx, dy), commands.Push(dx, dy), commands.Close(dx, dy),
            commands.Throw(item, view.x + 3 * dx, view.y + 2 * dy), commands.Use(item), commands.Sleep(),
            commands.Look(view.x + dx, view.y + dy), commands.Give(self.dice.pick(people), item),
            commands.Show(self.dice.pick(people), item), commands.Drop(item), commands.Wait(), commands.Ascend(),
            commands.Accuse("pell"), commands.Meet(self.dice.pick(people)),
        ]  # fmt: skip
        return self.dice.pick(choices) if self.dice.chance(12) else None

    def _walk(self, view: View) -> Command:
        """Down a stair, now and then; else towards something, as the crow flies, and sideways when stuck."""
        if view.tiles[view.y][view.x].glyph == ">" and self.dice.chance(60):
            return commands.Descend()
        if self.goal is None or self.goal == (view.x, view.y) or self.dice.chance(4):
            stairs = [(x, y) for y, row in enumerate(view.tiles) for x, cell in enumerate(row) if cell.glyph == ">"]
            things = [(f.x, f.y) for f in view.figures if f.kind == "item" and not f.note]
            anywhere = [(self.dice.below(80), self.dice.below(20))]
            self.goal = self.dice.pick((stairs if self.dice.chance(30) else things) or anywhere)
        dx = (self.goal[0] > view.x) - (self.goal[0] < view.x)
        dy = (self.goal[1] > view.y) - (self.goal[1] < view.y)
        if (dx, dy) == (0, 0) or self.dice.chance(25):
            dx, dy = self.dice.pick(STEPS)
        return commands.Move(dx, dy)


def play(game: Game, bot: Bot, turns: int) -> list[Happening]:
    """Let the bot give so many commands; what came of them."""
    out: list[Happening] = []
    for _ in range(turns):
        view = game.view()
        if view.over:
            break
        out += game.act(bot.command(view))
    return out
