"""A player of no great skill: explores, fights, runs, steals a little, talks to whoever stands in his way."""

from __future__ import annotations

from roguelike import commands
from roguelike.commands import Command
from roguelike.dice import Dice
from roguelike.game import Game
from roguelike.goods import KINDS
from roguelike.happenings import Happening
from roguelike.view import View

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


class Bot:
    """Plays by the view alone, as a person does. Its own dice: the same seed, the same play."""

    def __init__(self, seed: int) -> None:
        self.dice = Dice.named(seed, "bot")
        self.goal: tuple[int, int] | None = None

    def command(self, view: View) -> Command:
        """What to do now."""
        near = [f for f in view.figures if f.kind == "monster" and max(abs(f.x - view.x), abs(f.y - view.y)) <= 1]
        if view.hero.hp * 2 < view.hero.max_hp:
            for item in view.pack:
                if (
                    KINDS[item.id.rsplit("-", 1)[0].split("-crypt")[0]].heal
                    if False
                    else item.verb in ("drink", "chew", "apply")
                ):
                    return commands.Use(item.id)
        if near:
            return commands.Move(near[0].x - view.x, near[0].y - view.y)
        if view.level != "town" and view.hero.light == 0:
            light = next((i for i in view.pack if i.verb == "light"), None)
            if light is not None and not light.equipped:
                return commands.Equip(light.id)
        for item in view.pack:
            if item.verb in ("wield", "wear") and not item.equipped and self.dice.chance(20):
                return commands.Equip(item.id)
        if any(f.kind == "item" and (f.x, f.y) == (view.x, view.y) and not f.note for f in view.figures):
            return commands.PickUp()
        odd = self._odd(view)
        return odd if odd is not None else self._walk(view)

    def _odd(self, view: View) -> Command | None:
        """Now and then something else."""
        drawn = self.dice.below(100)
        dx, dy = self.dice.pick(STEPS)
        if drawn < 3:
            return commands.Steal(dx, dy)
        if drawn < 4:
            return commands.Attack(dx, dy)
        if drawn < 6:
            return commands.Push(dx, dy)
        if drawn < 7:
            return commands.Close(dx, dy)
        if drawn < 8 and view.pack:
            return commands.Throw(self.dice.pick(view.pack).id, view.x + 3 * dx, view.y + 2 * dy)
        if drawn < 9 and view.pack:
            return commands.Use(self.dice.pick(view.pack).id)
        if drawn < 10:
            return commands.Sleep()
        if drawn < 11:
            return commands.Look(view.x + dx, view.y + dy)
        return None

    def _walk(self, view: View) -> Command:
        """Down a stair, now and then; else to a place drawn at random, as the crow flies, and sideways when stuck."""
        if view.tiles[view.y][view.x].glyph == ">" and self.dice.chance(60):
            return commands.Descend()
        if self.goal is None or self.goal == (view.x, view.y) or self.dice.chance(4):
            stairs = [(x, y) for y, row in enumerate(view.tiles) for x, cell in enumerate(row) if cell.glyph == ">"]
            wanted = stairs if stairs and self.dice.chance(30) else []
            things = [(f.x, f.y) for f in view.figures if f.kind == "item" and not f.note]
            self.goal = self.dice.pick(wanted or things or [(self.dice.below(80), self.dice.below(20))])
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
