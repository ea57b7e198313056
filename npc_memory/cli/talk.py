"""``npc-memory talk NPC``: a conversation in the terminal, or a line in and a reply out for scripts."""

from __future__ import annotations

import json
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from typing import Annotated

import typer
from rich.text import Text

from npc_memory.cli.console import err, line, out, reported, show_error
from npc_memory.errors import InvalidInput, NpcMemoryError, OutputClosed
from npc_memory.mind import Answer, Cancellation, Mind
from npc_memory.opening import DEFAULT_MODEL, EngineKind, open_mind

__all__ = ["talk"]

HELP = "/state KEY VALUE · /wait MINUTES · /why (working memory of the last reply) · /end (end the talk) · /quit"


def talk(
    npc: Annotated[str, typer.Argument(help="Id of the NPC, e.g. marta.")],
    world: Annotated[str, typer.Option(help="Name or folder of the world pack.")] = "emberfall",
    player: Annotated[str, typer.Option(help="Your stable id.")] = "traveller",
    name: Annotated[str, typer.Option(help="Your display name; the id if not given.")] = "",
    data: Annotated[Path, typer.Option(help="Folder of the file that remembers.")] = Path("data"),
    model: Annotated[str, typer.Option(help="Name in the catalogue, or a .gguf file.")] = DEFAULT_MODEL,
    engine: Annotated[EngineKind, typer.Option(help="llama speaks; scripted is a test double.")] = "llama",
    prompt: Annotated[str | None, typer.Option(help="Template file; by default the model family's.")] = None,
    threads: Annotated[int, typer.Option(help="Threads of the model; they change speed, never words.")] = 2,
    minutes: Annotated[int, typer.Option(help="Game minutes that pass with every line.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per reply.")] = False,
) -> None:
    """Talk to an NPC. Piped input: a line in, a reply out."""
    with reported():
        if sys.stdin is None:
            raise InvalidInput("standard input is closed", hint="pipe lines in, or start it in a terminal")
        terminal = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
        with _progress(terminal) as progress:
            mind = open_mind(
                world, data, engine=engine, model=model, prompt=prompt, n_threads=threads, progress=progress
            )
        with mind:
            mind.world.npc(npc)
            if name:
                mind.actor(player, name=name)
            talker = Talker(mind, npc, player, minutes)
            if terminal:
                talker.interactive()
            else:
                talker.piped(as_json)


class Talker:
    """One conversation between a person (or a script) and an NPC."""

    def __init__(self, mind: Mind, npc: str, player: str, minutes: int) -> None:
        self.mind, self.npc, self.player, self.minutes = mind, mind.world.npc(npc), player, minutes
        self.last: Answer | None = None

    def say(self, text: str, on_text: object = None) -> Answer:
        """Say one line; the game's clock moves on by ``minutes`` before it."""
        if self.minutes:
            self.mind.clock(self.mind.store.game_time() + self.minutes)
        cancellation = Cancellation()
        with _interruptible(cancellation):
            self.last = self.mind.talk(
                self.npc.id,
                self.player,
                text,
                on_text=on_text if callable(on_text) else lambda text: None,
                cancellation=cancellation,
            )
        return self.last

    # -- scripts -------------------------------------------------------------------------------------------------------

    def piped(self, as_json: bool) -> None:
        """A line in, a reply out. A line that is refused is reported on stderr and the talk goes on."""
        failed = False
        for said in _lines():
            if not said.strip():
                continue
            try:
                answer = self.say(said)
            except InvalidInput as error:
                failed = True
                self._refused(error, as_json)
                continue
            print(json.dumps(asdict(answer), ensure_ascii=False) if as_json else answer.say, flush=True)
        if failed:
            raise typer.Exit(1)

    def _refused(self, error: NpcMemoryError, as_json: bool) -> None:
        if as_json:
            told = {"error": error.code, "message": error.message, "hint": error.hint, "details": error.details}
            print(json.dumps(told, ensure_ascii=False), flush=True)
        else:
            show_error(error)

    # -- people --------------------------------------------------------------------------------------------------------

    def interactive(self) -> None:
        """A prompt that streams; Ctrl-C stops a reply, a second one or /quit ends the talk."""
        info, word = self.mind.engine.info, self.mind.engine.info.determinism
        out.print(line((self.mind.world.name, "bold"), f" · {self.npc.name} · ", (info.model, "dim")))
        out.print(line((f"determinism: {word.word}{f' ({word.reason})' if word.reason else ''}", "dim")))
        out.print(line((HELP, "dim"), "\n"))
        if self.npc.greeting:
            out.print(line((self.npc.name, "cyan"), f" {self.npc.greeting}"))
        while True:
            try:
                said = out.input(line(("you", "green"), " ")).strip()
            except (EOFError, KeyboardInterrupt):
                out.print()
                return
            if said in ("/quit", "/q", "/exit"):
                return
            if said:
                try:
                    self._react(said)
                except OutputClosed:
                    raise
                except NpcMemoryError as error:
                    show_error(error)

    def _react(self, said: str) -> None:
        command, _, rest = said.partition(" ")
        if command == "/state":
            key, _, value = rest.partition(" ")
            self.mind.set_state({key: _value(value)})
        elif command == "/wait":
            self.mind.clock(self.mind.store.game_time() + _minutes(rest))
            out.print(line((self.mind.world.time_text(self.mind.store.game_time()), "dim")))
        elif command == "/end":
            self.mind.end(self.player, self.npc.id)
        elif command == "/why":
            from npc_memory.cli.explain import show

            if self.last is not None:
                show(self.mind.explain(self.last.audit))
        elif command.startswith("/"):
            out.print(line((HELP, "dim")))
        else:
            self._speak(said)

    def _speak(self, said: str) -> None:
        out.print(line((self.npc.name, "cyan"), " "), end="")
        answer = self.say(said, lambda text: print(text, end="", flush=True))
        action = f" → {answer.action['id']}" if answer.action else ""
        notes = [
            note for note in (answer.mood, "authored line" * answer.fallback, "stopped" * answer.interrupted) if note
        ]
        out.print(line((f" ({', '.join(notes)}{action})", "dim")))


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


def _lines() -> Iterator[str]:
    for said in sys.stdin:
        yield said.rstrip("\r\n")


@contextmanager
def _progress(terminal: bool) -> Iterator[Callable[[str], None]]:
    """Who waits is told for what: a person sees it come and go, a script finds a line on stderr."""
    slow = "a first start with a model takes up to a minute while it is probed"
    if not terminal:
        yield lambda text: err.print(f"{text}: {slow}")
        return
    with err.status(Text()) as status:
        yield lambda text: status.update(Text(f"{text}: {slow}"))


@contextmanager
def _interruptible(cancellation: Cancellation) -> Iterator[None]:
    """Ctrl-C stops the reply under way instead of the program; what was said until then is remembered."""
    # A handler runs between two steps of the main thread, which may hold any lock just then, or be in this handler
    # already. It must take none: another thread cancels, and a SimpleQueue may be filled from anywhere.
    interrupts: SimpleQueue[bool] = SimpleQueue()

    def watch() -> None:
        if interrupts.get():
            cancellation.cancel()

    watcher = threading.Thread(target=watch, name="talk-interrupt", daemon=True)
    watcher.start()
    before = signal.signal(signal.SIGINT, lambda *_: interrupts.put(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        interrupts.put(False)
        watcher.join()
