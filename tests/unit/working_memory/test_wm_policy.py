"""Policies: what is refused, and the presets."""

from __future__ import annotations

import pytest
from wm_kit import HUGE, build, policy, snap

from npc_memory import BudgetPolicy, WorkingMemoryBuilder
from npc_memory.errors import InvalidPolicy, NpcMemoryError


def test_tokens_need_a_counter() -> None:
    with pytest.raises(InvalidPolicy):
        WorkingMemoryBuilder(BudgetPolicy(limit=1000, unit="tokens")).build(snap())


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": 0},
        {"limit": -5},
        {"limit": True},
        {"limit": 10.5},
        {"unit": "words"},
        {"max_exchanges": -1},
        {"max_episodes": -1},
        {"max_beliefs": 1.5},
        {"shares": (0.6, 0.4)},
        {"shares": (-0.1, 0.6, 0.5)},
        {"shares": (0.9, 0.9, 0.9)},
        {"shares": (float("nan"), 0.5, 0.5)},
        {"shares": (float("inf"), 0.0, 0.0)},
    ],
)
def test_a_policy_that_cannot_work_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidPolicy):
        BudgetPolicy(**({"limit": 1000, "unit": "characters"} | wrong))  # type: ignore[arg-type]


def test_presets() -> None:
    caps = {
        "default": (2000, 5, 5, 3),
        "minimal": (1000, 2, 2, 1),
        "expanded": (4000, 10, 10, 5),
    }
    for name, (limit, exchanges, episodes, beliefs) in caps.items():
        preset = getattr(BudgetPolicy, name)()
        assert (preset.limit, preset.unit) == (limit, "characters")
        assert (preset.max_exchanges, preset.max_episodes, preset.max_beliefs) == (exchanges, episodes, beliefs)
        assert preset.shares == (0.60, 0.25, 0.15)


def test_preset_for_a_context_leaves_room_for_the_reply() -> None:
    preset = BudgetPolicy.for_context(2048, reply=200)
    assert preset.unit == "tokens"
    assert 0 < preset.limit <= 2048 - 200
    assert (preset.max_exchanges, preset.max_episodes, preset.max_beliefs) == (8, 8, 6)
    assert BudgetPolicy.for_context(2048).limit - preset.limit == 72
    with pytest.raises(InvalidPolicy):
        BudgetPolicy.for_context(100)


def test_a_policy_is_frozen() -> None:
    with pytest.raises((AttributeError, TypeError)):
        policy().limit = HUGE  # type: ignore[misc]


@pytest.mark.parametrize("wrong", [-1, 1.5, None, "3", True])
def test_a_counter_that_does_not_count_is_a_typed_error(wrong: object) -> None:
    with pytest.raises(NpcMemoryError):
        build(snap(), 1000, lambda text: wrong)  # type: ignore[arg-type, return-value]
