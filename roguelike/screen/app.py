"""The application: title, game, and the order in which everything begins and ends."""

from __future__ import annotations

import asyncio
import secrets
import signal
from contextlib import suppress
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver

from bridge.client import BridgeFault
from bridge.messages import DueFrame, LoadedFrame
from npc_memory.errors import NpcMemoryError
from roguelike.ahead import within
from roguelike.game import Game
from roguelike.happenings import Message
from roguelike.link import NOT_YET
from roguelike.screen import asking, terminal
from roguelike.screen.picker import Page
from roguelike.screen.play import Play
from roguelike.screen.table import Table
from roguelike.screen.title import Title
from roguelike.session import Session
from roguelike.slots import AUTO, SavedGame

__all__ = ["Emberfall"]

FERRYMAN, FIRST_HERO = "jory", "hero-1"
"""Whom a new game meets first, and as whom."""

FAREWELL = 15.0
"""Seconds that saving may take when the player leaves."""


def new_owner() -> str:
    """For a game that nobody has played yet."""
    return f"emberfall-{secrets.token_hex(6)}"


class Emberfall(App[None]):
    """The game on a ``Table``. ``signals``: save and end in order when the terminal hangs up or the system says so."""

    TITLE = "Emberfall"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", show=False, priority=True),
        Binding("ctrl+c", "quit", show=False, priority=True),
    ]

    def __init__(self, table: Table, *, signals: bool = False) -> None:
        super().__init__()
        self.table, self._signals = table, signals
        self.play: Play | None = None
        self._leaving = self._warmed = self._alone = False
        self._progress = self._fresh = ""
        self._whom = (FERRYMAN, FIRST_HERO)

    @property
    def link_up(self) -> bool:
        """Whether the bridge is there."""
        return self.table.link.state == "here"

    def on_mount(self) -> None:
        """The title at once; the bridge when it is ready."""
        link = self.table.link
        link.owner, self._whom = self._expected()
        link.on_change, link.on_push = self._bridge_changed, self._pushed
        if self.table.process is not None:
            self.table.process.on_progress = self._starting
        self.push_screen(Title(self.table))
        self.run_worker(link.run(), group="link", exit_on_error=True)
        if self._signals:
            loop = asyncio.get_running_loop()
            with suppress(NotImplementedError):  # Windows, where a closed window is the end of its processes
                loop.add_signal_handler(signal.SIGTERM, lambda: self.leave(quit=True))
                loop.add_signal_handler(signal.SIGHUP, self._hung_up)
                terminal.keep_closed()
        self.call_after_refresh(self._bridge_changed)

    def get_driver_class(self) -> type[Driver]:
        """The platform's, which outlives its terminal."""
        return terminal.lasting(super().get_driver_class())

    def panic(self, *renderables: Any) -> None:
        """What went wrong is shown and ends the game, unless it is that the terminal was closed."""
        if self._signals and terminal.closed():
            self._hung_up()
        else:
            super().panic(*renderables)

    def _hung_up(self) -> None:
        """The terminal was closed: save and end, without it."""
        if not self._alone:
            self._alone = True
            terminal.let_go()
            self.leave(quit=True)

    # -- beginning -----------------------------------------------------------------------------------------------------

    def on_title_chosen(self, event: Title.Chosen) -> None:
        """Something of the title's menu."""
        if event.what == "quit":
            self.leave(quit=True)
        elif event.what == "new":
            asking.before_new(self)
        elif event.what == "continue":
            self.load(self.table.slots.newest or AUTO)
        else:
            picker = asking.slot_picker("Load", self.table.slots, writing=False)
            self.push_screen(picker, lambda slot: self.load(slot) if slot else None)

    def begin(self) -> None:
        """A new game."""
        self.run_worker(self._begin(), group="game", exclusive=True)

    def load(self, slot: str, saving: str = "") -> None:
        """A saved game; ``saving``: the slot in which the one being played is saved first."""
        self.run_worker(self._load(slot, saving), group="game", exclusive=True)

    async def _begin(self) -> None:
        self._wait_for_bridge()
        table = self.table
        owner, self._fresh = self._fresh or new_owner(), ""
        session = await Session.new(table.seed, table.link, table.slots, owner, hero=table.hero)
        await self._show(session)

    async def _load(self, slot: str, saving: str) -> None:
        self._wait_for_bridge()
        try:
            if saving and self.play is not None:
                await self.play.session.save(saving)
            session = await Session.load(slot, self.table.link, self.table.slots)
        except (NpcMemoryError, BridgeFault) as error:
            self.push_screen(Page("Not loaded", f"{error}\n\nNothing was changed."))
            return
        await self._show(session)
        self.note(Message("Loaded. They remember what they knew then, and nothing that came after.", "good"))

    async def _show(self, session: Session) -> None:
        old, self.play = self.play, Play(session)
        if old is not None:
            await self.switch_screen(self.play)
        else:
            await self.push_screen(self.play)

    def _wait_for_bridge(self) -> None:
        if not self.link_up:
            self._tell_title("Waiting for the bridge; the game begins when it is there …", "#e8c860")

    # -- saving and leaving --------------------------------------------------------------------------------------------

    def save(self, slot: str) -> None:
        """Save in ``slot``; the game goes on meanwhile."""
        self.run_worker(self._save(slot), group="save")

    async def _save(self, slot: str) -> None:
        if self.play is None:
            return
        try:
            await self.play.session.save(slot)
        except (NpcMemoryError, BridgeFault) as error:
            self.note(Message(f"Not saved: {error}", "bad"))
        else:
            self.note(Message(f"Saved in slot {slot}.", "good"))

    async def action_quit(self) -> None:
        """Ctrl-Q, Ctrl-C: save and quit."""
        self.leave(quit=True)

    def leave(self, quit: bool) -> None:
        """Save, then go back to the title, or end."""
        if not self._leaving:
            self._leaving = quit
            self.run_worker(self._leave(quit), group="leave")

    async def _leave(self, quit: bool) -> None:
        play, unsaved = self.play, ""
        if play is not None and play.session.current:
            self.note(Message("Saving …", "dim"))
            try:
                await asyncio.wait_for(play.session.part(), FAREWELL)
            except TimeoutError:
                unsaved = f"the bridge did not answer within {FAREWELL:.0f} seconds"
            except (NpcMemoryError, BridgeFault) as error:
                unsaved = str(error) or type(error).__name__
        if play is not None and self.table.record is not None:
            with suppress(NpcMemoryError, OSError):
                play.session.recorded().write(self.table.record)
        if quit:
            await self.farewell(flush=0.0 if unsaved else 3.0)
            self.exit(
                return_code=1 if unsaved else 0, message=f"Emberfall was not saved: {unsaved}" if unsaved else None
            )
            return
        self.play = None
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        await self.push_screen(Title(self.table))
        self.call_after_refresh(self._bridge_changed)
        if unsaved:
            self.push_screen(Page("Not saved", f"{unsaved}\n\nThe automatic slot holds what it held before."))

    async def farewell(self, flush: float = 3.0) -> None:
        """Close the link, with ``flush`` seconds for what is in line, and end the bridge this game has started."""
        await self.table.link.close(flush)
        if self.table.process is not None:
            await self.table.process.stop()

    # -- the bridge ----------------------------------------------------------------------------------------------------

    def note(self, message: Message) -> None:
        """A line for the game's log, if there is one."""
        if self.play is not None and self.play.is_mounted:
            self.play.note(message)

    def _starting(self, text: str) -> None:
        self._progress = text
        self._bridge_changed()

    def _bridge_changed(self) -> None:
        if not self.is_running:
            return
        link = self.table.link
        if self.play is not None and self.play.is_mounted:
            self.play.refresh_all()
            return
        if link.state == "here" and link.welcome is not None:
            self._warm()
            model, word = link.welcome.model, link.welcome.determinism.word
            if model:
                self._tell_title(f"The bridge is ready: {model}, {word}.", "#8fbf6f")
            else:
                self._tell_title("No model file: people speak authored lines. `make setup` fetches one.", "#e8c860")
        elif link.state == "refused":
            self._tell_title(f"The bridge refuses this game: {link.why}", "#e05040")
        elif link.why == NOT_YET:
            self._tell_title(self._progress or "The bridge is starting …")
        else:
            self._tell_title(f"No bridge: {link.why}", "#e05040")

    def _warm(self) -> None:
        """While the title is read, the engine reads what everybody knows, and what the first to be met has in mind."""
        if not self._warmed:
            self._warmed = True
            self.table.link.warm(*self._whom)

    def _expected(self) -> tuple[str, tuple[str, str]]:
        """The game that will be played, most likely: whose it is on the bridge, and who will be talked to as whom."""
        slots = self.table.slots
        try:
            saved = slots.read(slots.newest or AUTO)
            view = Game.load(saved.game.encode("utf-8")).view()
        except NpcMemoryError:
            self._fresh = new_owner()
            return self._fresh, (FERRYMAN, FIRST_HERO)
        return saved.owner, ((within(view, 80) or [FERRYMAN])[0], view.hero.id)

    def _tell_title(self, text: str, style: str = "#807868") -> None:
        for screen in self.screen_stack:
            if isinstance(screen, Title) and screen.is_mounted:
                screen.tell(text, style)

    def _pushed(self, frame: DueFrame | LoadedFrame) -> None:
        if self.play is None:
            return
        if isinstance(frame, DueFrame):
            self.play.approached(frame)
            return
        slots = self.table.slots.list()
        slot = next((s for s, g in slots.items() if isinstance(g, SavedGame) and g.save_id == frame.save_id), None)
        if slot is not None:
            self.note(Message(f"Somebody loaded slot {slot} at the bridge; the game follows.", "quest"))
            self.load(slot)
        else:
            self.note(Message("Somebody loaded another memory at the bridge. Load a game to be at one with it.", "bad"))
