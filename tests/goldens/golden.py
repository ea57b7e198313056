"""Scripted conversations on the real model, kept as readable text: prompts and replies.

    python tests/goldens/golden.py check      show the first difference, exit 1 if there is one
    python tests/goldens/golden.py accept     take what comes out now; read the diff before you commit it

A golden says what was in every prompt and what was answered. If one changes, either the prompt was meant to change
(accept it) or determinism is broken (docs/determinism.md says how to find out where).
"""

from __future__ import annotations

import argparse
import difflib
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from npc_memory.inference import Engine, LlamaEngine, find_model
from npc_memory.mind import Mind
from npc_memory.opening import prompt_for
from npc_memory.store import Store
from npc_memory.world import load_world

HERE = Path(__file__).parent
ACCEPTED = HERE / "accepted"


@dataclass(frozen=True)
class Run:
    """How the conversations are run: ``restart_after`` that many lines of each, and with so many ``threads``."""

    threads: int = 2
    restart_after: int = 0


def scripts() -> list[dict[str, Any]]:
    """The scripted conversations."""
    return list(yaml.safe_load((HERE / "scripts.yaml").read_text("utf-8")))


def start_engine(threads: int) -> LlamaEngine:
    """The default model, with no deadline that a busy machine could miss."""
    return LlamaEngine(find_model(), n_ctx=2048, n_threads=threads)


def play(script: dict[str, Any], run: Run = Run(), engine: Engine | None = None) -> str:
    """One conversation as readable text. ``engine``: use this one instead of a new one (and do not restart it)."""
    with tempfile.TemporaryDirectory() as folder:
        stage = _Stage(Path(folder) / "world.sqlite3", script, run, engine)
        try:
            return "".join(stage.line(n, event) for n, event in enumerate(script["lines"], start=1))
        finally:
            stage.close()


class _Stage:
    def __init__(self, file: Path, script: dict[str, Any], run: Run, engine: Engine | None) -> None:
        self.file, self.script, self.run, self.lent = file, script, run, engine
        self.mind = self._open()
        if name := script.get("name"):
            self.mind.actor(script["player"], name=name)

    def _open(self) -> Mind:
        world = load_world("emberfall")
        store = Store.open(self.file, world=world.id, world_version=world.version)
        engine = self.lent or start_engine(self.run.threads)
        return Mind(world, store, engine, prompt_for(), deadline=None)

    def close(self) -> None:
        if self.lent is None:
            self.mind.close()
        else:
            self.mind.store.close()

    def line(self, number: int, event: dict[str, Any]) -> str:
        npc, player = self.script["npc"], self.script["player"]
        if self.run.restart_after and number == self.run.restart_after + 1:
            self.close()
            self.mind = self._open()
        mind = self.mind
        mind.clock(mind.store.game_time() + event.get("wait", 1))
        if "state" in event:
            mind.set_state(event["state"])
        if event.get("end"):
            mind.end(player, npc)
        answer = mind.talk(npc, player, event["say"])
        audit = mind.explain(answer.audit)
        told = "".join(text for _, _, text in audit.prompt)
        shown = "".join(f"  | {line}\n" for line in told.split("\n"))
        seeds = ", ".join(f"{one.seed} {one.refused or 'kept'}" for one in audit.attempts)
        report = audit.report
        dropped = ", ".join(f"{one[0]} {one[2]}" for one in report["dropped"]) or "nothing"
        wanted = answer.action and {"id": answer.action["name"], "args": answer.action["args"]}
        return (
            f"=== line {number}: {report['total']} tokens, dropped: {dropped}\n{shown}"
            f"--- seeds: {seeds}\n>>> {answer.say} ({answer.mood}){' fallback' * answer.fallback}"
            f"{f' {wanted}' if wanted else ''}\n\n"
        )


def accepted(npc: str) -> Path:
    """Where a conversation's golden lies."""
    return ACCEPTED / f"{npc}.txt"


def difference(npc: str, got: str) -> str:
    """A unified diff of the golden and ``got``, "" if they are equal."""
    path = accepted(npc)
    want = path.read_text("utf-8") if path.is_file() else ""
    lines = difflib.unified_diff(want.splitlines(True), got.splitlines(True), f"accepted/{npc}.txt", "now", n=2)
    return "".join(lines)


def main() -> int:
    """Check or accept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["check", "accept"])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--restart-after", type=int, default=0, metavar="LINES")
    parser.add_argument("--npc", help="only this conversation")
    args = parser.parse_args()
    run = Run(args.threads, args.restart_after)
    chosen = [script for script in scripts() if args.npc in (None, script["npc"])]
    differing = 0
    with start_engine(run.threads) as engine:
        print(f"determinism: {engine.info.determinism.word} ({engine.info.determinism.reason})", file=sys.stderr)
        for script in chosen:
            npc = script["npc"]
            got = play(script, run, None if run.restart_after else engine)
            diff = difference(npc, got)
            differing += bool(diff)
            print(f"{npc}: {'same' if not diff else 'differs'}", file=sys.stderr)
            if args.verb == "accept":
                accepted(npc).write_text(got, "utf-8")
            sys.stdout.write(diff)
    return 1 if differing and args.verb == "check" else 0


if __name__ == "__main__":
    sys.exit(main())
