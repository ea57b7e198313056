"""The game itself: the map, what is said about it, the talk, and the skull beside them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from bridge.messages import DueFrame, ReplyFrame
from roguelike import commands
from roguelike.commands import Command, Look, Move
from roguelike.dungeon.tiles import HEIGHT
from roguelike.happenings import Died, Ended, Ending, Happening, LevelChanged, Line, Meeting, Message, Met
from roguelike.link import Talk
from roguelike.screen import asking
from roguelike.screen.gestures import looks_up, thinks
from roguelike.screen.hints import Hints
from roguelike.screen.keys import AIMED, ASKED, DIRECTIONS, HERE, PLAIN, RUNS
from roguelike.screen.log_view import LogView
from roguelike.screen.map_view import MapView
from roguelike.screen.running import halts, late
from roguelike.screen.skull import Skull
from roguelike.screen.status import Status
from roguelike.screen.talk_panel import TalkPanel
from roguelike.screen.words import speech
from roguelike.session import DECLINED, Ears, Session
from roguelike.view import Done

__all__ = ["Play"]

LONGEST_RUN = 60
MAP_AND_STATUS, LOG_ROWS, TALK_ROWS = HEIGHT + 1, 4, 11
"""Rows: of a whole level and the line below it; what the log and the talk have at least."""


class Play(Screen[None], Ears):
    """Shows a session and hands it the player's keys. Nothing here waits for the bridge."""

    CSS = """
    Play { background: #101010; }
    #left { width: 1fr; }
    MapView { height: 1fr; }
    """
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "turn", show=False, priority=True),
        Binding("escape", "back", show=False, priority=True),
        Binding("f1", "open('help')", show=False),
        Binding("f2", "open('skull')", show=False),
        Binding("f3", "open('topics')", show=False),
        Binding("f4", "open('hand')", show=False),
        Binding("f5", "open('save')", show=False),
        Binding("ctrl+s", "open('save')", show=False),
        Binding("f6", "open('load')", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        session.ears = self
        self.hints = Hints(begun=session.view.turn > 0)
        self._aiming: str | None = None
        self._cursor: tuple[int, int] | None = None
        self._throwing: str | None = None
        self._looked_into: str = ""

    def compose(self) -> ComposeResult:
        """Map, status, log or talk; the skull beside them."""
        with Horizontal():
            with Vertical(id="left"):
                yield MapView(id="map")
                yield Status()
                yield LogView()
                yield TalkPanel()
            yield Skull()

    def on_mount(self) -> None:
        """As the game stands."""
        self.log_view.begin(self.session.view.log)
        self.refresh_all()
        self._hint("begin")
        if self.session.view.over == "dead":
            asking.died(self, Died(self.session.view.hero.id, ""))

    @property
    def log_view(self) -> LogView:
        """The message log."""
        return self.query_one(LogView)

    @property
    def talk(self) -> TalkPanel:
        """The talk."""
        return self.query_one(TalkPanel)

    @property
    def skull(self) -> Skull:
        """The glass skull."""
        return self.query_one(Skull)

    def refresh_all(self) -> None:
        """Draw the game as it is now."""
        if not self.is_attached:
            return
        view = self.session.view
        self.query_one(MapView).show(view, self._cursor)
        self.query_one(Status).show(view, self.session.link)

    # -- keys ----------------------------------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """The map needs its rows; what the terminal has more is for what is said."""
        spare = event.size.height - MAP_AND_STATUS
        self.log_view.styles.height = max(LOG_ROWS, spare)
        self.talk.styles.height = max(TALK_ROWS, spare)

    def on_key(self, event: events.Key) -> None:
        """A key on the map. What is typed into a talk never comes here."""
        if self.focused is not None:
            return
        key = event.key
        event.stop()
        if self._aiming is not None:
            self._aim(key)
        elif self._cursor is not None:
            self._look(key)
        elif key in DIRECTIONS:
            self.do(Move(*DIRECTIONS[key]))
        elif key in RUNS:
            self._run(RUNS[key])
        elif key in PLAIN:
            self.do(PLAIN[key])
        elif key in AIMED:
            self._aiming, question = key, AIMED[key][1]
            self.note(Message(f"{question} (a direction key; any other: never mind)", "dim"))
        elif key in ASKED:
            self.action_open(ASKED[key])

    def do(self, command: Command) -> tuple[Happening, ...]:
        """Have the hero do it, and show what came of it."""
        found = self.session.act(command)
        self.show_happenings(found)
        return found

    def _aim(self, key: str) -> None:
        kind, self._aiming = AIMED[self._aiming or ""][0], None
        if key in DIRECTIONS:
            self.do(getattr(commands, kind)(*DIRECTIONS[key]))
        elif kind == "Steal" and key in HERE:
            self.do(commands.Steal(0, 0))

    def _run(self, step: tuple[int, int]) -> None:
        """Go on until something is said, somebody comes into view, or there is no way."""
        for _ in range(LONGEST_RUN):
            before = self.session.view
            found = self.do(Move(*step))
            view = self.session.view
            come = {one.id for one in view.figures} - {one.id for one in before.figures}
            if late(before, view):
                self.note(Message("You stop: it will soon be curfew.", "dim"))
                return
            if (
                come
                or halts(before, view, step)
                or any(isinstance(one, Message | Met | LevelChanged | Line | Died) for one in found)
            ):
                return

    def begin_look(self, throwing: str | None = None) -> None:
        """Let the player point at something on the map; ``throwing``: the item that flies there."""
        view = self.session.view
        self._cursor, self._throwing = (view.x, view.y), throwing
        what = "throw there" if throwing else "look closely"
        self.note(Message(f"Move the cursor. Enter: {what} · Esc: never mind", "dim"))
        self.refresh_all()

    def _look(self, key: str) -> None:
        view, (x, y) = self.session.view, self._cursor or (0, 0)
        if key in DIRECTIONS:
            dx, dy = DIRECTIONS[key]
            self._cursor = (min(max(x + dx, 0), view.width - 1), min(max(y + dy, 0), view.height - 1))
            if not self._throwing:
                self.do(Look(*self._cursor))
        elif key in ("enter", "full_stop", "5", "colon", "x"):
            self._cursor = None
            self.do(commands.Throw(self._throwing, x, y) if self._throwing else Look(x, y))
        self.refresh_all()

    def action_open(self, what: str) -> None:
        """Open what a key asks for."""
        asking.OPENERS[what](self)

    def action_back(self) -> None:
        """Esc: one step back from wherever one is."""
        session = self.session
        if self._aiming is not None or self._cursor is not None:
            self._aiming = self._cursor = None
            self.refresh_all()
        elif not self.talk.is_open:
            asking.menu(self)
        elif self.talk.speaking and session.last is not None:
            session.link.cancel(session.last)
        elif session.offer is not None:
            self._answer_offer(False)
        else:
            self.close_talk()

    def action_turn(self) -> None:
        """Tab: from the talk to the map, and back."""
        if not self.talk.is_open:
            asking.talk_to_near(self)
        elif self.focused is None:
            self.talk.open(self.talk.npc, self.session.name_of(self.talk.npc))
        else:
            self.set_focus(None)

    # -- talking -------------------------------------------------------------------------------------------------------

    def open_talk(self, npc: str, *, walked: bool = False) -> None:
        """Turn to somebody. ``walked``: by walking into her, or because she came up."""
        gesture = looks_up(npc, self.session.view.game_time)
        self.talk.open(npc, self.session.name_of(npc), gesture, walked=walked)
        self.log_view.add_class("hidden")
        self._hint("talk")
        fresh = [topic.label for topic in self.session.game.topics(npc) if topic.fresh]
        if fresh:
            self.talk.note(Message(f"You could ask about {', '.join(fresh[:4])} (F3).", "dim"))

    def close_talk(self) -> None:
        """Turn away."""
        self.talk.close()
        self.set_focus(None)
        self.log_view.remove_class("hidden")
        self._hint("left")
        self.refresh_all()

    def say(self, text: str) -> None:
        """The hero says ``text`` to whom he talks with."""
        self.session.offer = None
        self.talk.show_offer("")
        npc, minute = self.talk.npc, self.session.view.game_time
        self.talk.ask(text, self.session.view.hero.name, lambda number: thinks(npc, minute, number))
        self.session.say(npc, text, lambda words: self._hear(npc, words))

    def on_talk_panel_said(self, event: TalkPanel.Said) -> None:
        """Enter in the talk."""
        if event.text:
            self.say(event.text)
        elif self.session.offer is not None:
            self._answer_offer(True)

    def _hear(self, npc: str, words: str) -> None:
        if self.talk.npc == npc:
            self.talk.hear(words)

    def _answer_offer(self, agree: bool) -> None:
        self.talk.show_offer("")
        offer = self.session.offer
        done = self.session.answer_offer(agree)
        self.show_done(done)
        if agree and offer is not None and not done.ok:
            deals = [deal for deal in self.session.game.deals(offer.npc) if deal.action == offer.action.name]
            if len(deals) > 1 and not any(dict(deal.args) == dict(offer.action.args) for deal in deals):
                asking.which(self, offer.npc, offer.action.name)

    def show_done(self, done: Done) -> None:
        """Show what the rules made of an offer or a request."""
        self.show_happenings([one for one in done.happenings if isinstance(one, Happening)])
        if not done.ok and done.error != DECLINED:
            self.note(Message(f"It comes to nothing: {done.error}.", "dim"))

    # -- what a session tells ------------------------------------------------------------------------------------------

    def replied(self, talk: Talk, happenings: tuple[Happening, ...]) -> None:
        """A reply has come, or will not."""
        reply, here = talk.reply, self.talk.npc == talk.npc
        name = self.session.name_of(talk.npc)
        if here:
            self.talk.answered("" if talk.by_the_book else talk.words, self._remark(talk))
            if reply is not None:
                self.talk.show_mood(reply.mood)
        if talk.words and not talk.by_the_book:
            self.log_view.add(speech(name, talk.words))
        if here and (offer := self.session.offer) is not None:
            self.talk.show_offer(f"▸ {asking.offered(name, offer)}  Enter: yes · Esc: no · or talk on")
        self.show_happenings(happenings)
        if self.skull.has_class("open"):
            self.look_into()

    def _remark(self, talk: Talk) -> str:
        if talk.cancelled:
            return "(cut short)"
        if talk.reply is None and not talk.by_the_book:
            return f"(no answer: {talk.trouble})"
        return ""

    def overheard(self, meeting: Meeting, line: ReplyFrame) -> None:
        """Two people talk where the hero can hear it."""
        if meeting.place == self.session.view.place:
            self.log_view.add(speech(self.session.name_of(line.npc), line.say))

    def noted(self, message: Message) -> None:
        """Something about the bridge or a save."""
        self.note(message)

    def approached(self, due: DueFrame) -> None:
        """Somebody has something on her mind and comes up to the hero, whom she talks of or means."""
        if due.player and due.player != self.session.view.hero.id:
            return
        name = self.session.name_of(due.npc)
        here = any(one.id == due.npc for one in self.session.view.figures)
        found = self.session.approach(due.npc)
        if not any(isinstance(one, Met) for one in found):
            text = f"{name} is looking for you." if here else f"Word reaches you that {name} wants to see you."
            self.note(Message(text, "quest"))
        self.show_happenings(found)

    def _met(self, met: Met) -> None:
        """The hero and somebody stand face to face. Who comes up while he talks with another waits."""
        if met.came and self.talk.is_open and self.talk.npc != met.npc:
            self.note(Message(f"{self.session.name_of(met.npc)} stands beside you and waits for a word.", "quest"))
            return
        self.open_talk(met.npc, walked=True)
        if met.came:
            self.note(
                Message(f"{self.session.name_of(met.npc)} comes up to you: there is something on her mind.", "quest")
            )

    def note(self, message: Message) -> None:
        """A line for the log, and for the talk when that is in front of it."""
        self.log_view.add(message)
        if self.talk.is_open:
            self.talk.note(message)

    def show_happenings(self, happenings: Iterable[Happening]) -> None:
        """Show what came of a command or a line."""
        for one in happenings:
            match one:
                case Message():
                    self.note(one)
                case Line():
                    self._by_the_book(one)
                case Met():
                    self._met(one)
                case Ended() if self.talk.npc == one.npc:
                    self.close_talk()
                case LevelChanged():
                    self._hint(one.level)
                case Died():
                    asking.died(self, one)
                case Ending():
                    asking.ended(self, one)
                case _:
                    pass
        self.hints.saw(self.session.view, self.note)
        self.refresh_all()

    def _by_the_book(self, line: Line) -> None:
        name = self.session.name_of(line.npc)
        self.log_view.add(speech(name, line.text))
        if self.talk.npc == line.npc:
            self.talk.authored(name, line.text)
            self.talk.show_mood(line.mood)

    def _hint(self, occasion: str) -> None:
        self.hints.give(occasion, self.session.view, self.note)

    # -- the skull -----------------------------------------------------------------------------------------------------

    def toggle_skull(self) -> None:
        """Show it, or put it away."""
        self.skull.toggle_class("open")
        if self.skull.has_class("open"):
            self.look_into()

    def look_into(self) -> None:
        """Have a look at the last reply."""
        self.run_worker(self.skull.look(self.session), exclusive=True, group="skull")
