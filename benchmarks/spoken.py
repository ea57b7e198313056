"""How often the model speaks what its working memory holds: a rate, printed, never asserted.

    python benchmarks/spoken.py [--prompt transcript|chat] [--tries 30]

Told: each try tells an NPC one thing, restarts the mind on the same file and asks for it. Canon: each try asks for one
fact. Printed are how often the thing was in the prompt (must be all), and how often it was in the reply.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from npc_memory.inference import Engine, LlamaEngine, find_model
from npc_memory.mind import Mind
from npc_memory.opening import prompt_for
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store
from npc_memory.world import load_world

NAMES = "Rolf Edda Sigrid Bram Hilda Otto Yara Corin Leta Hugo Nadia Pavel Ines Torvald Anselm".split()
TOLD = (
    [(f"My name is {name}.", "What is my name?", name) for name in NAMES]
    + [
        (f"I come from {place}.", "Where do I come from?", place)
        for place in "Highmoor Ford Greywater Ashby Larkspur Thornwood Saltmere Ravenhold Dunmoor Eastfall".split()
    ]
    + [
        (f"I am looking for my lost {thing}.", "What am I looking for?", thing)
        for thing in ("brother", "ring", "horse", "sword", "dog")
    ]
)
CANON = [
    ("Is the king alive?", ("dead", "killed", "died", "no")),
    ("Is the king dead?", ("dead", "yes", "aye")),
    ("What happened to the north bridge?", ("burn", "fire")),
    ("Can I cross the north bridge?", ("burn", "no", "fire", "cannot", "can't")),
    ("Who is captain of the watch?", ("hale", "ysolde")),
    ("Who leads the temple?", ("maelis",)),
    ("Who is the smith?", ("brann",)),
    ("How can I cross the river?", ("ferry", "jory")),
    ("Who rules Emberfall?", ("council",)),
    ("Is the market open?", ("open", "yes")),
]


def open_mind(file: Path, engine: Engine, prompt: str | None) -> Mind:
    """A mind on a lent engine."""
    world = load_world("emberfall")
    store = Store.open(file, world=world.id, world_version=world.version)
    return Mind(world, store, engine, load_prompt(prompt) if prompt else prompt_for(), deadline=None)


def told(engine: Engine, prompt: str | None, tries: int) -> tuple[int, int]:
    """In the prompt, in the reply."""
    shown = spoken = 0
    for tell, ask, thing in TOLD[:tries]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "world.sqlite3"
            mind = open_mind(file, engine, prompt)
            mind.talk("marta", "stranger", tell)
            mind.store.close()
            mind = open_mind(file, engine, prompt)
            answer = mind.talk("marta", "stranger", ask)
            parts = mind.explain(answer.audit).prompt
            memory = "".join(text for section, _, text in parts if section != "player_line")
            shown += thing in memory
            spoken += thing.lower() in answer.say.lower()
            print(f"  {ask} [{thing}] {answer.say}")
            mind.store.close()
    return shown, spoken


def canon(engine: Engine, prompt: str | None, tries: int) -> int:
    """How many of the questions were answered with the fact."""
    right = 0
    with tempfile.TemporaryDirectory() as folder:
        mind = open_mind(Path(folder) / "world.sqlite3", engine, prompt)
        for n in range(tries):
            ask, words = CANON[n % len(CANON)]
            answer = mind.talk("marta", f"stranger-{n}", ask)
            right += any(word in answer.say.lower() for word in words)
            print(f"  {ask} {answer.say}{' (authored)' * answer.fallback}")
        mind.store.close()
    return right


def main() -> None:
    """Print both rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prompt")
    parser.add_argument("--tries", type=int, default=30)
    args = parser.parse_args()
    with LlamaEngine(find_model(), n_ctx=2048) as engine:
        shown, spoken = told(engine, args.prompt, args.tries)
        right = canon(engine, args.prompt, args.tries)
        print(f"model {engine.info.model}, {engine.info.determinism.word}, template {args.prompt or 'default'}")
    tries = min(args.tries, len(TOLD))
    print(f"told before a restart: in the prompt {shown} of {tries}, in the reply {spoken} of {tries}")
    print(f"canonical facts asked for: in the reply {right} of {args.tries}")


if __name__ == "__main__":
    main()
