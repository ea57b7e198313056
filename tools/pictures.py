"""The pictures in docs/images: the opening of Emberfall, played with the default model. Needs cairosvg besides.

Run as ``python -m tools.pictures``. What the model says may change with its prompts: look at the pictures before you
commit them.
"""

from __future__ import annotations

import asyncio
import importlib
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from roguelike.bridge_process import BridgeProcess
from roguelike.commands import Move, Wait
from roguelike.happenings import Met
from roguelike.link import Link
from roguelike.screen import Emberfall
from roguelike.screen.table import Table
from roguelike.slots import Slots

__all__ = ["main"]

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
FONT = "DejaVu Sans Mono"
WIDTH = 960
SEED = 7
TYPING = 3.0
"""Seconds a line takes to type, which the engine uses to read."""

SAID = ("Good evening, Marta. My name is Ada.", "It smells good in here.", "Is the king well?", "Is there any work?")


class Painter:
    """Plays and takes pictures."""

    def __init__(self, app: Emberfall, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def paint(self, name: str) -> None:
        """Save what is on the screen as a PNG of that name."""
        await self.pilot.pause(0.3)
        svg = self.app.export_screenshot(title="Emberfall")
        svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code", FONT)
        IMAGES.mkdir(parents=True, exist_ok=True)
        target = IMAGES / f"roguelike-{name}.png"
        importlib.import_module("cairosvg").svg2png(
            bytestring=svg.encode("utf-8"), write_to=str(target), output_width=WIDTH
        )
        print(f"{target.name} {target.stat().st_size // 1024} KB")

    async def until(self, what: Callable[[], object]) -> None:
        """Wait for it."""
        while not what():
            await asyncio.sleep(0.05)
        await self.pilot.pause()

    async def begin(self) -> None:
        """Into a new game, as the title shows it."""
        await self.until(lambda: self.app.link_up)
        await self.paint("title")
        self.app.begin()
        await self.until(lambda: self.app.play is not None and self.app.play.is_mounted)

    async def walk_up(self, npc: str) -> None:
        """Walk into somebody."""
        play = self.app.play
        assert play is not None
        world = play.session.game._world
        while True:
            hero, person = world.state.hero, world.state.people[npc]
            dx, dy = person.x - hero.x, person.y - hero.y
            if max(abs(dx), abs(dy)) <= 1 and Met(npc) in play.do(Move(dx, dy)):
                return
            others = [(one.x, one.y) for one in world.present()]
            way = world.ground().way((hero.x, hero.y), (person.x, person.y), blocked=others)
            play.do(Wait() if way[0] in others else Move(way[0][0] - hero.x, way[0][1] - hero.y))
            await asyncio.sleep(0.02)

    async def say(self, text: str) -> None:
        """Say it and hear the answer."""
        play = self.app.play
        assert play is not None
        play.talk.query_one(Input).value = text
        await self.pilot.pause(TYPING)
        await self.pilot.press("enter")
        await self.until(lambda: not play.talk.speaking)


async def _paint(size: tuple[int, int], names: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as data:
        process = BridgeProcess(["emberfall", "--data", data])
        link = Link(process.address, token=process.token)
        app = Emberfall(Table(link, Slots(Path(data) / "games"), SEED, process, "Ada"))
        async with app.run_test(size=size) as pilot:
            painter = Painter(app, pilot)
            await painter.begin()
            await painter.walk_up("guard-wall")
            await pilot.press("escape")
            if "town" in names:
                await painter.paint("town")
            await painter.walk_up("marta")
            for text in SAID:
                await painter.say(text)
            if "talk" in names:
                await painter.paint("talk")
            await pilot.press("f2")
            await pilot.pause(2)
            await painter.paint(names[-1])
            await app.farewell()


def main() -> None:
    """Paint all of them."""
    asyncio.run(_paint((80, 24), ("town", "talk", "skull")))
    asyncio.run(_paint((100, 30), ("wide",)))


if __name__ == "__main__":
    main()
