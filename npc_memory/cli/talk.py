"""``npc-memory talk NPC``: a conversation in the terminal, or a line in and a reply out for scripts."""

from __future__ import annotations

import json
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

from npc_memory.cli.console import err, reported, show_error
from npc_memory.cli.terminal import Terminal
from npc_memory.errors import InvalidInput, NpcMemoryError
from npc_memory.mind import Answer, Cancellation, Mind
from npc_memory.opening import DEFAULT_MODEL, EngineKind, open_mind
from npc_memory.speaking import OnText

__all__ = ["talk"]


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
    semantic: Annotated[
        bool, typer.Option("--semantic", help="Find memories by meaning too (needs the extra [semantic]).")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per reply.")] = False,
) -> None:
    """Talk to an NPC. Piped input: a line in, a reply out."""
    with reported():
        if sys.stdin is None:
            raise InvalidInput("standard input is closed", hint="pipe lines in, or start it in a terminal")
        terminal = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
        with _progress(terminal) as progress:
            mind = open_mind(
                world,
                data,
                engine=engine,
                model=model,
                prompt=prompt,
                n_threads=threads,
                semantic=semantic,
                progress=progress,
                indexed=_indexed,
            )
        with mind:
            mind.world.npc(npc)
            if name:
                mind.actor(player, name=name)
            talker = Talker(mind, npc, player, minutes)
            if terminal:
                Terminal(talker).run()
            else:
                talker.piped(as_json)


class Talker:
    """One conversation between a person (or a script) and an NPC."""

    def __init__(self, mind: Mind, npc: str, player: str, minutes: int) -> None:
        self.mind, self.npc, self.player, self.minutes = mind, mind.world.npc(npc), player, minutes

    def say(self, text: str, on_text: OnText = lambda text: None) -> Answer:
        """Say one line; the game's clock moves on by ``minutes`` before it."""
        if self.minutes:
            self.mind.clock(self.mind.store.game_time() + self.minutes)
        cancellation = Cancellation()
        with _interruptible(cancellation):
            return self.mind.talk(self.npc.id, self.player, text, on_text=on_text, cancellation=cancellation)

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


def _lines() -> Iterator[str]:
    for said in sys.stdin:
        yield said.rstrip("\r\n")


def _indexed(done: int, total: int) -> None:
    if done == total:
        err.print(f"{total} memories can be found by meaning now")


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
