"""The whole game in a test: textual's pilot at the keys, a real bridge with the scripted engine behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from bridge.testing import TestBridge, scripted_bridge
from roguelike.link import Link
from roguelike.screen import Emberfall
from roguelike.screen.play import Play
from roguelike.screen.table import Table
from roguelike.session import Session
from roguelike.slots import Slots

__all__ = ["Stage", "staged"]


class Stage:
    """A game on a screen that nobody sees."""

    def __init__(self, app: Emberfall, pilot: Pilot[None], bridge: TestBridge) -> None:
        self.app, self.pilot, self.bridge = app, pilot, bridge

    @property
    def play(self) -> Play:
        assert self.app.play is not None
        return self.app.play

    @property
    def session(self) -> Session:
        return self.play.session

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def quickly(self, *keys: str) -> None:
        """Press them while an engine is at work: the pilot's ``press`` waits until the whole process is idle."""
        for key in keys:
            self.app.simulate_key(key)
            await self.pilot.pause(0.05)

    async def type(self, text: str) -> None:
        await self.pilot.press(*["space" if each == " " else each for each in text])

    async def until(self, what: Callable[[], object], why: str = "it never came about") -> None:
        for _ in range(1200):
            if what():
                await self.pilot.pause()
                return
            await asyncio.sleep(0.02)
        raise AssertionError(why)

    async def begin(self) -> None:
        """From the title into a new game."""
        before = self.app.play
        await self.until(lambda: self.app.link_up)
        self.app.begin()
        await self.until(lambda: self.app.play is not before and self.play.is_mounted)

    async def ask(self, text: str) -> None:
        """Say it, and do not wait. It is put into the line at once: typing it would take a second."""
        self.play.talk.query_one(Input).value = text
        await self.press("enter")

    async def say(self, text: str) -> str:
        """Say it to whom the hero talks with; returns the words of the answer."""
        await self.ask(text)
        await self.until(lambda: not self.play.talk.speaking)
        assert self.session.last is not None
        return self.session.last.words

    async def mind(self, npc: str, text: str) -> str:
        """What ``npc`` has in mind at ``text``: her whole working memory, asked for over the wire."""
        await asyncio.wait_for(self.session.link.drained(), 60)
        found = await self.session.link.explain(npc=npc, player=self.session.view.hero.id, text=text)
        return found.prompt


@asynccontextmanager
async def staged(
    data: Path, script: Any = None, *, size: tuple[int, int] = (80, 24), seed: int = 412, **more: Any
) -> AsyncIterator[Stage]:
    async with scripted_bridge(script, data=data / "bridge") as bridge:

        async def address() -> str:
            return bridge.url

        app = Emberfall(Table(Link(address), Slots(data / "games"), seed, **more))
        async with app.run_test(size=size) as pilot:
            stage = Stage(app, pilot, bridge)
            yield stage
            if app.is_running:
                await app.farewell()
