from __future__ import annotations

import math
from typing import Any

import pytest

from npc_memory.errors import RequestInvalid
from npc_memory.inference import ControlText, GenerationRequest, Sampling
from npc_memory.inference.request import control_pairs, prompt_hash


@pytest.mark.parametrize(
    "options",
    [
        {"max_tokens": -1},
        {"shared": 2},
        {"stable": -1},
        {"seed": -1},
        {"seed": 2**64},
        {"stop": ("",)},
        {"deadline": -0.1},
        {"deadline": math.nan},
        {"grammar": "x" * 70_000},
        {"segments": ["a", "\ud800"]},
        {"grammar": "root ::= \ud800"},
    ],
)
def test_what_no_engine_could_serve_is_refused_at_once(options: dict[str, Any]) -> None:
    with pytest.raises(RequestInvalid) as caught:
        GenerationRequest(**{"segments": ["a"], "max_tokens": 5, "seed": 1, **options})
    assert caught.value.hint


@pytest.mark.parametrize(
    "options",
    [{"temperature": -1}, {"temperature": math.nan}, {"top_p": 1.1}, {"min_p": -0.1}, {"repeat_penalty": 0},
     {"repeat_penalty": math.inf}, {"top_k": -1}, {"repeat_last_n": -1}, {"temperature": 10**400},
     {"temperature": 1e300}, {"top_k": 2**31}, {"repeat_last_n": 2**40}],
)  # fmt: skip
def test_sampling_out_of_range_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RequestInvalid):
        Sampling(**options)


@pytest.mark.parametrize("name", ["temperature", "top_p", "min_p", "repeat_penalty", "top_k", "repeat_last_n"])
@pytest.mark.parametrize("value", ["1", True, None, [1]])
def test_sampling_of_the_wrong_kind_is_refused(name: str, value: Any) -> None:
    with pytest.raises(RequestInvalid) as caught:
        Sampling(**{name: value})
    assert caught.value.hint


@pytest.mark.parametrize("name", ["top_k", "repeat_last_n"])
def test_counts_of_tokens_are_whole_numbers(name: str) -> None:
    options: dict[str, Any] = {name: 1.5}
    with pytest.raises(RequestInvalid):
        Sampling(**options)


def test_a_whole_number_will_do_where_a_fraction_may_stand() -> None:
    assert Sampling(temperature=1, top_p=1, min_p=0, repeat_penalty=1).temperature == 1


def test_a_request_does_not_change_with_the_list_it_was_made_from() -> None:
    segments = ["a"]
    request = GenerationRequest(segments, 5, 1)
    segments.append("b")
    assert request.segments == ("a",)


def test_only_a_true_control_attribute_makes_a_control_segment() -> None:
    assert control_pairs(["<|im_start|>", ControlText("<|im_start|>")]) == [
        ("<|im_start|>", False),
        ("<|im_start|>", True),
    ]


def test_the_prompt_hash_tells_ids_apart_by_order_and_border() -> None:
    assert len({prompt_hash(ids) for ids in ([1, 2], [2, 1], [12], [1, 2, 0], [258])}) == 5
