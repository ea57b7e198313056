from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from npc_memory.inference.cache import PrefixCache, common_prefix

TOKENS = st.lists(st.integers(0, 2), min_size=1, max_size=12)


@given(TOKENS, TOKENS)
def test_common_prefix_is_common_and_longest(a: list[int], b: list[int]) -> None:
    n = common_prefix(a, b)
    assert a[:n] == b[:n]
    assert n == min(len(a), len(b)) or a[n] != b[n]


@given(st.lists(TOKENS, min_size=1, max_size=8), st.integers(1, 3))
def test_what_is_kept_was_computed_and_the_last_token_never_is(prompts: list[list[int]], slots: int) -> None:
    cache = PrefixCache(slots)
    native: dict[int, list[int]] = {slot: [] for slot in range(slots)}
    for prompt in prompts:
        slot, kept = cache.claim(prompt)
        assert kept < len(prompt)
        assert native[slot][:kept] == prompt[:kept]
        native[slot] = list(prompt)
        cache.extend(slot, prompt[kept:])
        assert cache.held(slot) == tuple(prompt)
        cache.release(slot)


def test_the_slot_that_shares_most_is_taken_and_one_in_use_is_not() -> None:
    cache = PrefixCache(2)
    for prompt in ([1, 2, 3], [7, 8, 9]):
        slot, kept = cache.claim(prompt)
        cache.extend(slot, prompt[kept:])
        if prompt[0] == 7:
            second = slot
            cache.release(slot)
        else:
            first = slot
    cache.release(first)
    assert cache.claim([7, 8, 1]) == (second, 2)
    assert cache.claim([7, 8, 1])[0] == first


def test_a_forgotten_slot_offers_nothing() -> None:
    cache = PrefixCache(1)
    slot, _ = cache.claim([1, 2, 3])
    cache.extend(slot, [1, 2, 3])
    cache.forget(slot)
    cache.release(slot)
    assert cache.claim([1, 2, 3]) == (slot, 0)
