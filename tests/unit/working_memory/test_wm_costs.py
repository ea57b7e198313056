"""Costs are remembered in bounded memory."""

from __future__ import annotations

import pytest
from wm_kit import open_up, policy, snap

from npc_memory import Episode, WorkingMemoryBuilder
from npc_memory.working_memory import costs
from npc_memory.working_memory.costs import MOST, Costs


def test_long_texts_fill_it_sooner_than_short_ones() -> None:
    known: Costs[str] = Costs()
    for number in range(400):
        assert known.learn(f"{number}", number, 60_000) == number
        assert known[f"{number}"] == number
    assert len(known) * 60_000 <= MOST
    for number in range(10_000):
        known.learn(f"short {number}", number, 10)
    assert len(known) > 10_000


def test_starting_over_changes_no_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshots = [snap(episodes=tuple(Episode(f"e{n}", f"Day {n + m}. " * 5) for n in range(40))) for m in range(20)]
    builder = WorkingMemoryBuilder(policy(900))
    plenty = [open_up(builder.build(one)) for one in snapshots]
    monkeypatch.setattr(costs, "MOST", 1000)
    builder = WorkingMemoryBuilder(policy(900))
    assert [open_up(builder.build(one)) for one in snapshots] == plenty
