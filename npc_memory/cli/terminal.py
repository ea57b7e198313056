"""A conversation with a person: a prompt that streams, and commands with a slash."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Protocol

from npc_memory.cli.console import line, out, show_error
from npc_memory.cli.explain import show
from npc_memory.errors import InvalidInput, NpcMemoryError, OutputClosed
from npc_memory.mind import Answer, Mind
from npc_memory.speaking import OnText
from npc_memory.world import Npc

__all__ = ["Terminal"]

HELP = (
    "/state [KEY [VALUE]] shows or changes the world · /wait MINUTES · /why shows the last reply's working memory ·"
    " /end ends the talk · /quit leaves"
)
WAITING = "…"


class Talks(Protocol):
    """Who speaks for the person at the terminal."""

    mind: Mind
    npc: Npc
    player: str

    def say(self, text: str, on_text: OnText) -> Answer:
        """Say one line."""
        ...


class Terminal:
    """Reads lines until /quit, Ctrl-D or a second Ctrl-C; a Ctrl-C in mid-reply stops the reply only."""

    def __init__(self, talker: Talks) -> None:
        self.talker, self.mind, self.npc = talker, talker.mind, talker.npc

    def run(self) -> None:
        """Talk."""
        with suppress(ImportError):  # line editing and history, where Python has them
            import readline  # noqa: F401
        self._greet()
        leaving = False
        while True:
            try:
                said = input("you ").strip()
            except EOFError:
                out.print()
                return
            except KeyboardInterrupt:
                out.print(line(("" if leaving else " Ctrl-C again, or /quit, leaves", "dim")))
                if leaving:
                    return
                leaving = True
                continue
            leaving = False
            if said in ("/quit", "/q", "/exit"):
                return
            if said:
                self._reacted(said)

    def _greet(self) -> None:
        info, found = self.mind.engine.info, self.mind.engine.info.determinism
        out.print(
            line((self.mind.world.name, "bold"), f" · {self.npc.name} · ", (f"{info.model}, {found.word}", "dim"))
        )
        if found.word != "bit-exact":
            out.print(line((found.reason, "yellow")))
        out.print(line((HELP, "dim"), "\n"))
        if self.npc.greeting:
            out.print(line((self.npc.name, "cyan"), f" {self.npc.greeting}"))

    def _reacted(self, said: str) -> None:
        try:
            self._react(said)
        except OutputClosed:
            raise
        except NpcMemoryError as error:
            show_error(error)

    def _react(self, said: str) -> None:
        command, _, rest = said.partition(" ")
        if command == "/state":
            self._state(*rest.split(maxsplit=1))
        elif command == "/wait":
            self.mind.clock(self.mind.store.game_time() + _minutes(rest))
            out.print(line((self.mind.world.time_text(self.mind.store.game_time()), "dim")))
        elif command == "/end":
            self.mind.end(self.talker.player, self.npc.id)
            out.print(line(("This talk is over; the next line begins a new one.", "dim")))
        elif command == "/why":
            self._why()
        elif command.startswith("/"):
            out.print(line((HELP, "dim")))
        else:
            self._speak(said)

    def _state(self, key: str = "", value: str | None = None) -> None:
        if value is not None:
            self.mind.set_state({key: _value(value)})
        entries = self.mind.world.state_for(self.npc.id, self.mind.store.state())
        shown = [entry for entry in entries if key in ("", entry.key)]
        for entry in shown:
            out.print(
                line((f"{entry.key} = {entry.value}", "dim"), (f"  {entry.words()}" if entry.text else "", "dim"))
            )
        if not shown:
            out.print(line((f"{key} is not set for {self.npc.name}", "dim")))

    def _why(self) -> None:
        newest = self.mind.store.audits(self.npc.id, self.talker.player, limit=1)
        if newest:
            show(self.mind.explain(newest[0].id), newest[0].id)
        else:
            out.print(line(("There is no reply yet.", "dim")))

    def _speak(self, said: str) -> None:
        out.print(line((self.npc.name, "cyan"), f" {WAITING}"), end="")
        waiting = True

        def hear(text: str) -> None:
            nonlocal waiting
            print(("\b \b" if waiting else "") + text, end="", flush=True)
            waiting = False

        answer = self.talker.say(said, hear)
        action = f", wants to {answer.action['id']}" if answer.action else ""
        notes = (answer.mood, "authored line" * answer.fallback, "stopped" * answer.interrupted)
        out.print(line((f" ({', '.join(note for note in notes if note)}{action})", "dim")))


def _value(text: str) -> str | int | bool | None:
    if text in ("", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    return _whole(text) if re.fullmatch(r"-?[0-9]+", text) else text


def _minutes(text: str) -> int:
    if not text.strip():
        return 60
    if not re.fullmatch(r"[0-9]+", text.strip()):
        raise InvalidInput(f"{text.strip()!r} is not a number of minutes", hint="write a whole number, as in /wait 90")
    return _whole(text.strip())


def _whole(digits: str) -> int:
    if len(digits) > 20:
        raise InvalidInput(f"a number of {len(digits)} digits is too large", hint="use a number of at most 20 digits")
    return int(digits)
