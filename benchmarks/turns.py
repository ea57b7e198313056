"""What a turn costs when an NPC has a long past: `python -m benchmarks.turns [--past N,N,…] [--turns N] [--json]`.

Emberfall on the scripted engine. Each past is another NPC's, all of one world and process, and they are talked to in
turn: so the ratios hold on a busy machine. CPU of the whole process, medians, in milliseconds. ``--grow N`` then talks
N times, to all NPCs in turn, and prints the resident memory after every thousand turns.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import process_time

from npc_memory.inference import ScriptedEngine
from npc_memory.memory import Authority
from npc_memory.mind import Mind
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store
from npc_memory.world import load_world

__all__ = ["costs", "growth", "main"]

PASTS = (0, 100, 600, 2000, 4000)
RATIO_TO = 100
"""The past that the others are held against: with less there is less to show in the prompt."""

WORDS = (
    "king bridge silver mine wolf brother sword stew road market rain harvest temple guard door night winter song ale"
    " horse well grave stone river fire plague bread heather tower captain wedding ring letter ship smith hunger"
).split()
LINES = ("Aye, so I heard. Sit down.", "The {0} is no talk for supper.", "Ask about the {0} at the market. Or do not.")


class Talker:
    """Somebody with something to say, always the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)

    def line(self) -> str:
        """The next line."""
        first, second, third = self._draw.sample(WORDS, 3)
        return f"Have you heard of the {first}, the {second} and the {third} in the year {self._draw.randrange(900)}?"

    def answer(self) -> str:
        """What an NPC said to it."""
        return self._draw.choice(LINES).format(self._draw.choice(WORDS))


def fill(mind: Mind, npc: str, player: str, exchanges: int, talker: Talker) -> None:
    """Give ``npc`` a past: what ``exchanges`` talks leave behind, audit records aside."""
    with mind.store.transaction() as write:
        for _ in range(exchanges):
            line, answer = talker.line(), talker.answer()
            asked = write.turn(
                authority=Authority.GAME, npc=npc, player=player, speaker=player, addressee=npc, text=line
            )
            said = write.turn(
                authority=Authority.REPLY, npc=npc, player=player, speaker=npc, addressee=player, text=answer
            )
            write.episode(
                authority=Authority.REPLY,
                npc=npc,
                text=f'{player} said: "{line}" {mind.world.npc(npc).name} answered: "{answer}"',
                turns=(asked.id, said.id),
                speaker=player,
                addressee=npc,
            )


def open_scripted(place: Path | str) -> Mind:
    """Emberfall with an engine that answers something, in the shape the template asks for."""
    world, talker = load_world("emberfall"), Talker(3)
    engine = ScriptedEngine(lambda request: talker.answer(), format=lambda text, request: f"{text}\n(calm)\n")
    return Mind(
        world, Store.open(place, world=world.id, world_version=world.version), engine, load_prompt("transcript")
    )


def costs(place: Path | str, pasts: Sequence[int], turns: int) -> dict[int, float]:
    """Median milliseconds of CPU of a turn, by the exchanges the NPC has behind her."""
    talker = Talker(1)
    with open_scripted(place) as mind:
        npcs = dict(zip(pasts, sorted(mind.world.npcs), strict=False))
        for past, npc in npcs.items():
            fill(mind, npc, "p1", past, talker)
        taken: dict[int, list[float]] = {past: [] for past in npcs}
        for turn in range(turns + 3):
            for past, npc in npcs.items():
                line, start = talker.line(), process_time()
                mind.talk(npc, "p1", line)
                if turn >= 3:  # the first ones make the indexes and remember costs
                    taken[past].append((process_time() - start) * 1000)
        return {past: median(times) for past, times in taken.items()}


def growth(place: Path | str, turns: int) -> Iterator[tuple[int, float, float]]:
    """Turns so far, resident megabytes, milliseconds of CPU a turn since the last line; after every thousand turns."""
    talker = Talker(2)
    with open_scripted(place) as mind:
        npcs = sorted(mind.world.npcs)
        start = process_time()
        for turn in range(1, turns + 1):
            mind.talk(npcs[turn % len(npcs)], f"p{turn // len(npcs) % 5}", talker.line())
            assert isinstance(mind.engine, ScriptedEngine)
            mind.engine.requests.clear()  # it keeps them for tests to look at
            if turn % 1000 == 0:
                yield turn, resident(), (process_time() - start)
                start = process_time()


def resident() -> float:
    """Megabytes of memory this process has now, 0.0 where the system does not say."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return 0.0
    line = next(one for one in status.read_text(encoding="ascii").splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--past", default=",".join(map(str, PASTS)), help="exchanges behind each NPC")
    parser.add_argument("--turns", type=int, default=40, help="turns measured with each")
    parser.add_argument("--grow", type=int, default=0, help="then talk so often and watch the memory")
    parser.add_argument("--memory", action="store_true", help="keep the records in memory instead of in a file")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    pasts = [int(one) for one in args.past.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        place = ":memory:" if args.memory else Path(folder) / "turns.sqlite3"
        found = costs(place, pasts, args.turns)
        base = found.get(RATIO_TO) or next(iter(found.values()))
        if args.json:
            rows = [{"past": past, "cpu_ms": round(cost, 2), "ratio": cost / base} for past, cost in found.items()]
            print(json.dumps({"turns": args.turns, "rows": rows}))
        else:
            for past, cost in found.items():
                print(f"{past:6} exchanges behind her: {cost:6.1f} ms a turn, {cost / base:.2f} x")
        place = ":memory:" if args.memory else Path(folder) / "growth.sqlite3"
        for turn, megabytes, cost in growth(place, args.grow):
            print(f"{turn:6} turns: {megabytes:6.1f} MB, {cost:5.1f} ms a turn", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
