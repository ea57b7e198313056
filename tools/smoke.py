"""Uses an installed npc-memory as a player's machine would: its own data, its own command, no development packages.

Run it with the environment's interpreter, from anywhere. Ends with exit 1 and the reason at the first thing wrong.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

LINES = ("Good evening.", "Is the king well?", "Remember me?")


def command(*arguments: str, said: str = "") -> str:
    """Run the environment's ``npc-memory`` and return what it prints."""
    program = Path(sys.executable).parent / "npc-memory"
    done = subprocess.run(
        [str(program), *arguments], input=said, capture_output=True, encoding="utf-8", timeout=300, check=False
    )
    if done.returncode:
        sys.exit(f"smoke: npc-memory {' '.join(arguments)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def talk(engine: str, lines: tuple[str, ...]) -> None:
    """Say ``lines`` to an NPC of the bundled world; each must get words back."""
    with tempfile.TemporaryDirectory(prefix="npc-memory-") as data:
        arguments = ("talk", "marta", "--world", "emberfall", "--engine", engine, "--data", data, "--json")
        printed = command(*arguments, said="\n".join(lines) + "\n")
        replies = [json.loads(line) for line in printed.splitlines() if line.strip()]
        if len(replies) != len(lines) or not all(reply.get("say") for reply in replies):
            sys.exit(f"smoke: {len(lines)} lines to the {engine} engine got:\n{printed}")
        command("explain", "--data", data)


def main() -> None:
    """Data is found, worlds are sound, the catalogue is there, and an NPC answers, on the real model where it is."""
    from npc_memory.errors import ModelMissing
    from npc_memory.inference import find_model
    from npc_memory.resources import resource_dir

    worlds = sorted(path.name for path in resource_dir("worlds").iterdir() if path.is_dir())
    if len(worlds) < 2:
        sys.exit(f"smoke: {resource_dir('worlds')} holds {worlds}")
    for world in worlds:
        command("lint", world, "--engine", "scripted")
    if "smollm2" not in command("models", "list").lower():
        sys.exit("smoke: the catalogue does not name the default model")
    talk("scripted", LINES)
    try:
        model = find_model().name
    except ModelMissing:
        model = "no model here"
    else:
        talk("llama", LINES[:1])
    print(f"smoke: {len(worlds)} worlds, {len(LINES)} scripted answers, {model}")


if __name__ == "__main__":
    main()
