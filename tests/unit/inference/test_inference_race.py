from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.inference.headroom import available_memory, room_for
from npc_memory.inference.race import race

SECONDS = st.floats(min_value=1e-3, max_value=1e3)


def test_runs_alternate_and_the_beginner_changes() -> None:
    order: list[str] = []

    def run(name: str) -> float:
        order.append(name)
        return 1.0

    race(lambda: run("a"), lambda: run("b"))
    assert order == ["a", "b", "b", "a", "a", "b"]


@given(SECONDS, SECONDS, st.permutations([0, 1, 2]))
def test_one_run_out_of_line_decides_nothing(a: float, b: float, places: list[int]) -> None:
    runs = [[a, a, a], [b, b, b]]
    runs[0][places[0]], runs[1][places[1]] = a * 1000, b / 1000
    assert race(iter(runs[0]).__next__, iter(runs[1]).__next__) == pytest.approx(a / b)


def test_weights_are_doubled_only_where_half_the_free_memory_stays(tmp_path: Path) -> None:
    model = tmp_path / "m"
    model.write_bytes(b"x" * 1000)
    assert room_for(model, 2000)
    assert not room_for(model, 1999)


def test_the_system_says_what_is_free_or_nothing() -> None:
    free = available_memory()
    assert free is None or free > 1_000_000
