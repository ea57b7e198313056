"""What a working memory costs to build, as ratios to a sort of the same items in the same run.

    python benchmarks/working_memory.py

A thousand items are offered. "cold": every cost is counted; "warm": costs are remembered, which is every reply but the
first. The counter is the scripted engine's tokenizer, called in this process.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from npc_memory import Belief, BudgetPolicy, Episode, Fact, Snapshot, StateEntry, Turn, WorkingMemoryBuilder


def snapshot(offered: int) -> Snapshot:
    """A snapshot that offers so many items: one in five a belief, ten exchanges, the rest episodes."""
    episodes = (offered - 20) * 4 // 5
    return Snapshot(
        npc="marta",
        persona="You are Marta, who keeps the Gilded Stag.",
        player="p1",
        player_line="Is the king well?",
        game_time=500_000,
        canonical_facts=[Fact(f"f{n}", f"Fact number {n} is true.", public=True) for n in range(30)],
        world_state=[StateEntry(f"k{n}", n) for n in range(10)],
        dialogue=[Turn(f"t{n}", "p1" if n % 2 == 0 else "marta", f"Line {n}.", n) for n in range(20)],
        episodes=[
            Episode(f"e{n}", f"The traveller told of place {n}.", (n * 7919 % 1000) / 1000, n * 400)
            for n in range(episodes)
        ],
        beliefs=[
            Belief(f"b{n}", f"The traveller fears thing {n}.", 0.6, (n * 7907 % 1000) / 1000, n * 400)
            for n in range(offered - 20 - episodes)
        ],
    )


def median(run: Callable[[], object], times: int) -> float:
    """Median milliseconds of CPU time of one call."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        run()
        taken.append((time.process_time() - start) * 1000)
    return statistics.median(taken)


def main() -> None:
    """Print the table."""
    policy = BudgetPolicy.for_context(2048)
    print("offered  cold ms  warm ms  sort ms  warm/sort")
    for offered in (50, 200, 1000):
        shot = snapshot(offered)

        def count(text: str) -> int:
            return len(text.split()) + 1

        builder = WorkingMemoryBuilder(policy, count)
        cold = median(lambda: WorkingMemoryBuilder(policy, count).build(shot), 5)  # noqa: B023
        warm = median(lambda: builder.build(shot), 50)  # noqa: B023
        sort = median(lambda: sorted(shot.episodes, key=lambda one: (-one.score, one.id)), 50)  # noqa: B023
        print(f"{offered:7}  {cold:7.2f}  {warm:7.2f}  {sort:7.3f}  {warm / max(sort, 1e-9):9.1f}")


if __name__ == "__main__":
    main()
