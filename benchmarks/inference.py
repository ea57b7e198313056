"""What the inference engine costs: `npc-memory bench inference [--json] [--long] [--plot FILE]`.

1. Seconds to the first word, beside the bare library's floor, llama-cpp-python's ``Llama`` with its RAM cache and its
   server. 2. Tokens a second with 1 to 16 talking, beside a bare batch of that size. 3. Memory of an NPC, the cost of a
   hit by where her state was, and many NPCs beside few. All in one run, taken in turn, so that noise hits all alike;
   ratios are medians over pairs that were measured right after each other. Nothing here is asserted. On a slow or busy
machine fewer turns and rounds are made, so that it ends within ``--seconds``; the table says how many.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, is_dataclass
from inspect import signature
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.contest.conditions import conditions, load_average
from benchmarks.contest.contestant import Contestant, Missing, Script, Server
from benchmarks.contest.first_word import first_words
from benchmarks.contest.plot import plot
from benchmarks.contest.table import table
from benchmarks.contest.talkers import talkers
from benchmarks.contest.tiers import crowd, stats_of, tiers
from benchmarks.contest.town import Town
from npc_memory.inference import Engine, LlamaEngine, Settings, find_model
from npc_memory.opening import DEFAULT_MODEL, prompt_for
from npc_memory.prompt_files import PromptFile
from npc_memory.reply import grammar_for

__all__ = ["HIGH_LEVEL", "LONG", "SERVER", "Size", "main", "measure", "plain"]

HIGH_LEVEL, SERVER = "Llama, RAM cache", "its server, RAM cache"


FIRST_WORDS, TALKERS, KNOWN = 0.42, 0.57, 0.85
"""By which share of the time the first parts are to be over, and the many NPCs known."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured, at most. ``others_npcs``: so many NPCs talk with the other contestants too. ``reply``:
    tokens of a reply; ``tokens``: tokens of a talker in part 2.
    """

    npcs: int = 16
    turns: int = 10
    others_npcs: int = 4
    others_turns: int = 3
    reply: int = 4
    talkers: tuple[int, ...] = (1, 2, 4, 8, 16)
    tokens: int = 48
    rounds: int = 2
    tier_samples: int = 2
    many: int = 64
    few: int = 8
    crowd_samples: int = 24


LONG = Size(others_npcs=16, others_turns=10, reply=24, rounds=7, tier_samples=8, crowd_samples=64)


def measure(
    engines: tuple[Engine, Engine],
    bare: Contestant,
    others: Mapping[str, Contestant],
    missing: Mapping[str, str],
    prompt: PromptFile,
    size: Size,
    *,
    slots: int,
    seconds: float = inf,
) -> dict[str, Any]:
    """Run all parts; all but the conditions. The second engine serves parts that need one that knows nobody."""
    with ExitStack() as stack:

        def town(engine: Engine, npcs: int) -> Town:
            made = Town(engine, prompt, npcs, size.reply)
            stack.callback(made.close)
            return made

        began = perf_counter()

        def until(share: float) -> float:
            return began + share * seconds

        people = town(engines[0], size.npcs)
        _say("1. first words")
        first = first_words(
            engines[0],
            people,
            size.turns,
            bare,
            others,
            others_npcs=size.others_npcs,
            others_turns=size.others_turns,
            missing=missing,
            until=until(FIRST_WORDS),
        )
        _say("2. tokens a second")
        rates = talkers(
            engines[0],
            bare,
            size.talkers,
            tokens=size.tokens,
            rounds=size.rounds,
            until=until(TALKERS),
            sampling=prompt.sampling,
            grammar=grammar_for(people.spec()),
        )
        _say("3. memory and hits")
        towns = town(engines[1], max(size.many, slots + size.tier_samples)), town(engines[0], size.few)
        where = tiers(engines[1], bare, towns[0].prompts(0), slots, size.tier_samples)
        crowded = crowd((engines[1], engines[0]), towns, size.crowd_samples, known_until=until(KNOWN), until=until(1.0))
    goals = [*first.goals(), *rates.goals(), *crowded.goals()]
    return {
        "first_word": first.as_map(),
        "talkers": rates.as_map(),
        "tiers": where.as_map(),
        "crowd": crowded.as_map(),
        "goals": [goal.as_map() for goal in goals],
    }


def _say(text: str) -> None:
    print(f"   {text}", file=sys.stderr, flush=True)


@contextmanager
def _opened(args: argparse.Namespace, size: Size) -> Iterator[tuple[Any, ...]]:
    """Engines, bare library, others, who is missing, the settings all run with."""
    path = str(find_model(args.model))
    asked = {"n_ctx": args.n_ctx, "n_threads": args.threads, "slots": args.slots, "cache_mb": args.cache_mb}
    known = signature(LlamaEngine).parameters
    options = {name: value for name, value in asked.items() if name in known and value is not None}
    with ExitStack() as stack:

        def opened(one: Any) -> Any:
            stack.callback(one.close)
            return one

        engines = opened(LlamaEngine(path, **options)), opened(LlamaEngine(path, **options))
        settings = getattr(engines[0], "settings", None) or Settings()
        same = {"path": path, "n_ctx": args.n_ctx, "n_threads": args.threads}
        slots = max(size.npcs, *size.talkers)
        bare = opened(Script("bare", settings, {**same, "slots": slots, "settings": asdict(settings)}))
        others: dict[str, Contestant] = {}
        missing: dict[str, str] = {}
        cache = {**same, "cache_bytes": args.peer_cache_mb * 2**20}
        for name, start in (
            (HIGH_LEVEL, lambda: Script("high_level", None, cache)),
            (SERVER, lambda: Server(args.server_python, **cache)),
        ):
            try:
                if args.alone:
                    raise Missing("--alone")
                others[name] = opened(start())
            except Missing as reason:
                missing[name] = str(reason)
        yield engines, bare, others, missing, settings


def plain(value: Any) -> Any:
    """For JSON: dataclasses become maps."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def _arguments(given: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument("--long", action="store_true", help="more rounds, longer replies, all turns with everybody")
    parser.add_argument(
        "--seconds", type=float, default=270.0, help="about how long it may take; --long knows no limit"
    )
    parser.add_argument("--plot", type=Path, help="draw the result into this PNG")
    parser.add_argument("--model", default=DEFAULT_MODEL)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--n-ctx", type=int, default=2048)
    parser.add_argument("--slots", type=int, help="native sequences of our engine")
    parser.add_argument("--cache-mb", type=int, help="host memory of our engine for states")
    parser.add_argument("--peer-cache-mb", type=int, default=1024, help="RAM cache of the others, as they count it")
    parser.add_argument("--server-python", default=sys.executable, help="interpreter with llama-cpp-python[server]")
    parser.add_argument("--alone", action="store_true", help="only our engine and the bare library")
    return parser.parse_args(given)


def main(arguments: Sequence[str] = ()) -> None:
    """Measure and print."""
    args = _arguments(arguments)
    size = LONG if args.long else Size()
    started = perf_counter()
    with _opened(args, size) as (engines, bare, others, missing, settings):
        slots = int(stats_of(engines[0]).get("slots") or args.slots or 1)
        found = conditions(engines[0], threads=args.threads, slots=slots, settings=settings, options=asdict(size))
        left = inf if args.long else max(0.0, args.seconds - (perf_counter() - started))
        prompt = prompt_for(args.model)
        result = measure(engines, bare, others, missing, prompt, size, slots=slots, seconds=left)
    found["load_average_after"] = load_average()
    result = plain({"conditions": found, "seconds": perf_counter() - started, **result})
    print(json.dumps(result) if args.json else table(result))
    if args.plot:
        print(plot(result, args.plot), file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
