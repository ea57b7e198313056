"""``npc-memory talk NPC``: a conversation in the terminal, or a line in and a reply out for scripts."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from npc_memory.cli.console import err, out, reported
from npc_memory.errors import InvalidInput, NpcMemoryError
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
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    with reported():
        with err.status("") as status:
            if not terminal:
                status.stop()
            mind = open_mind(
                world,
                data,
                engine=engine,
                model=model,
                prompt=prompt,
                n_threads=threads,
                progress=lambda text: status.update(text),
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
        for line in _lines():
            if not line.strip():
                continue
            try:
                answer = self.say(line)
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
            err.print(f"[red]error[/red] {escape(error.message)} ({escape(error.hint)})")

    # -- people --------------------------------------------------------------------------------------------------------

    def interactive(self) -> None:
        """A prompt that streams; Ctrl-C stops a reply, a second one or /quit ends the talk."""
        info, word = self.mind.engine.info, self.mind.engine.info.determinism
        out.print(f"[bold]{escape(self.mind.world.name)}[/bold] · {escape(self.npc.name)} · [dim]{info.model}[/dim]")
        out.print(f"[dim]determinism: {word.word}{f' ({escape(word.reason)})' if word.reason else ''}[/dim]")
        out.print(f"[dim]{HELP}[/dim]\n")
        if self.npc.greeting:
            out.print(f"[cyan]{escape(self.npc.name)}[/cyan] {escape(self.npc.greeting)}")
        while True:
            try:
                line = out.input("[green]you[/green] ").strip()
            except (EOFError, KeyboardInterrupt):
                out.print()
                return
            if line in ("/quit", "/q", "/exit"):
                return
            if line:
                try:
                    self._react(line)
                except NpcMemoryError as error:
                    err.print(f"[red]error[/red] {escape(error.message)} ({escape(error.hint)})")

    def _react(self, line: str) -> None:
        command, _, rest = line.partition(" ")
        if command == "/state":
            key, _, value = rest.partition(" ")
            self.mind.set_state({key: _value(value)})
        elif command == "/wait":
            self.mind.clock(self.mind.store.game_time() + int(rest or 60))
            out.print(f"[dim]{escape(self.mind.world.time_text(self.mind.store.game_time()))}[/dim]")
        elif command == "/end":
            self.mind.end(self.player, self.npc.id)
        elif command == "/why":
            from npc_memory.cli.explain import show

            if self.last is not None:
                show(self.mind.explain(self.last.audit))
        elif command.startswith("/"):
            out.print(f"[dim]{HELP}[/dim]")
        else:
            self._speak(line)

    def _speak(self, line: str) -> None:
        out.print(f"[cyan]{escape(self.npc.name)}[/cyan] ", end="")
        answer = self.say(line, lambda text: out.print(escape(text), end=""))
        action = f" → {answer.action['id']}" if answer.action else ""
        notes = [
            note for note in (answer.mood, "authored line" * answer.fallback, "stopped" * answer.interrupted) if note
        ]
        out.print(f" [dim]({', '.join(notes)}{escape(action)})[/dim]")


def _value(text: str) -> str | int | bool | None:
    if text in ("", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else text


def _lines() -> Iterator[str]:
    for line in sys.stdin:
        yield line.rstrip("\r\n")


@contextmanager
def _interruptible(cancellation: Cancellation) -> Iterator[None]:
    """Ctrl-C stops the reply under way instead of the program; what was said until then is remembered."""
    before = signal.signal(signal.SIGINT, lambda *_: cancellation.cancel())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
