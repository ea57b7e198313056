"""The prefix cache over a memory that is made of lists: what it says a slot holds, the slot must hold."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.inference.cache import WORTH, PrefixCache, common_prefix
from npc_memory.inference.vault import State, Vault

TOKENS = st.lists(st.integers(0, 2), min_size=1, max_size=12)


class Lists:
    """A model's memory: the tokens themselves. ``tail``: whether a tail can be dropped."""

    def __init__(self, slots: int, tail: bool = True, fits: bool = True) -> None:
        self.native: list[list[int]] = [[] for _ in range(slots)]
        self.tail, self.fits = tail, fits
        self.restored = 0

    def keep(self, slot: int, n: int) -> bool:
        assert len(self.native[slot]) >= n, "tokens are kept that were never there"
        self.native[slot] = self.native[slot][:n] if self.tail else []
        return self.tail

    def clear(self, slot: int) -> None:
        self.native[slot] = []

    def save(self, slot: int) -> bytes:
        return json.dumps(self.native[slot]).encode()

    def restore(self, slot: int, state: bytes) -> bool:
        self.restored += 1
        self.native[slot] = json.loads(state) if self.fits else []
        return self.fits


def use(cache: PrefixCache, memory: Lists, prompt: list[int], conversation: str = "", stable: int = 0) -> int:
    """Compute a prompt in whatever slot it gets; return how many of its tokens were there."""
    slot, kept = cache.claim(prompt, conversation)
    assert memory.native[slot] == prompt[:kept]
    memory.native[slot] += prompt[kept:]
    cache.extend(slot, prompt[kept:])
    assert cache.held(slot) == tuple(prompt)
    cache.release(slot, stable)
    return kept


@given(TOKENS, TOKENS)
def test_common_prefix_is_common_and_longest(a: list[int], b: list[int]) -> None:
    n = common_prefix(a, tuple(b))
    assert a[:n] == b[:n]
    assert n == min(len(a), len(b)) or a[n] != b[n]


@given(
    st.lists(st.tuples(TOKENS, st.sampled_from(["", "marta", "brann", "élise"]), st.integers(0, 12)), max_size=12),
    st.integers(1, 3),
    st.booleans(),
    st.booleans(),
    st.integers(0, 200),
)
def test_what_is_kept_was_computed_and_the_last_token_never_is(
    prompts: list[tuple[list[int], str, int]], slots: int, tail: bool, fits: bool, limit: int
) -> None:
    memory = Lists(slots, tail, fits)
    cache = PrefixCache(memory, slots, limit=limit)
    for short, conversation, stable in prompts:
        prompt = [token for token in short for _ in range(WORTH)]
        assert use(cache, memory, prompt, conversation, stable * WORTH) < len(prompt)
        assert cache.vault.size <= limit


def test_nobody_takes_a_slot_in_use_and_the_longest_beginning_is_found() -> None:
    memory = Lists(2)
    cache = PrefixCache(memory, 2)
    first, _ = cache.claim([1, 2, 3])
    cache.extend(first, [1, 2, 3])
    second, _ = cache.claim([7, 8, 9])
    cache.extend(second, [7, 8, 9])
    memory.native[first], memory.native[second] = [1, 2, 3], [7, 8, 9]
    cache.release(second)
    cache.release(first)
    assert cache.claim([7, 8, 1]) == (second, 2)
    assert cache.claim([7, 8, 1])[0] == first


def long(name: int, size: int = 100) -> list[int]:
    return [name] * size


def test_more_talkers_than_slots_come_back_to_what_they_had() -> None:
    memory = Lists(2)
    cache = PrefixCache(memory, 2, limit=100_000)
    shared = [0] * 50
    for turn in range(3):
        for npc in range(1, 7):
            prompt = shared + long(npc, 60 + 10 * turn) + [9, turn, npc]
            kept = use(cache, memory, prompt, f"npc{npc}", stable=len(prompt) - 3)
            assert kept == (len(prompt) - 13 if turn else (0 if npc == 1 else 50 if npc > 2 else 0))
    assert cache.hits["memory"] == 12


def test_the_worlds_beginning_is_there_for_everybody() -> None:
    memory = Lists(2)
    cache = PrefixCache(memory, 2)
    shared = long(5)
    assert cache.lacks(shared)
    assert not cache.lacks([])
    slot, _ = cache.claim([*shared, 1], "marta")
    memory.native[slot] = list(shared)
    cache.extend(slot, shared)
    cache.share(slot)
    assert not cache.lacks(shared)
    cache.release(slot)
    assert use(cache, memory, [*shared, 2], "brann") == len(shared)
    assert use(cache, memory, [*shared, 3], "élise") == len(shared)
    assert cache.hits["shared"] == 2
    assert memory.restored == 1, "the third found it in the slot it took over"
    assert cache.lacks(shared[1:])


def test_only_what_the_next_prompt_may_begin_with_is_put_away() -> None:
    memory = Lists(1)
    cache = PrefixCache(memory, 1, limit=10_000)
    use(cache, memory, long(1) + [2] * 40, "marta", stable=100)
    use(cache, memory, long(3), "brann")
    (state,) = [cache.vault.get("marta")]
    assert state is not None
    assert state.tokens == (1,) * 100
    assert use(cache, memory, [*long(1), 4], "marta") == 100
    use(cache, memory, long(5, WORTH - 1), "brief")
    use(cache, memory, long(6), "brann")
    assert cache.vault.get("brief") is None, "too little to be worth it"


def test_a_state_is_written_once_while_nothing_changed() -> None:
    memory = Lists(1)
    cache = PrefixCache(memory, 1, limit=10_000)
    for _ in range(3):
        use(cache, memory, [*long(1), 7], "marta", stable=100)
        use(cache, memory, [*long(2), 7], "brann", stable=100)
    assert cache.saved == 2
    assert cache.hits["memory"] == 4


def test_who_would_have_to_leave_next_is_put_away_in_time() -> None:
    memory = Lists(3)
    cache = PrefixCache(memory, 3, limit=100_000)
    for npc in range(3):
        use(cache, memory, [*long(npc), 7], f"npc{npc}", stable=100)
    assert not cache.tidy(), "nobody ever had to leave"
    use(cache, memory, [*long(3), 7], "npc3", stable=100)
    assert cache.saved == 1
    assert cache.tidy()
    assert (cache.saved, cache.tidy()) == (2, False), "only the next one"
    use(cache, memory, [*long(4), 7], "npc4", stable=100)
    assert cache.saved == 2, "it was done already"
    assert [use(cache, memory, [*long(npc), 8], f"npc{npc}", stable=100) for npc in (4, 3, 1, 0)] == [100] * 4


def test_a_prompt_computed_ahead_may_be_there_whole() -> None:
    memory = Lists(1)
    cache = PrefixCache(memory, 1)
    use(cache, memory, [1, 2, 3])
    slot, kept = cache.claim([1, 2, 3], whole=True)
    assert kept == 3
    cache.release(slot)
    assert cache.claim([1, 2, 3]) == (slot, 2)


def test_a_forgotten_slot_offers_nothing() -> None:
    memory = Lists(1)
    cache = PrefixCache(memory, 1)
    slot, _ = cache.claim([1, 2, 3])
    cache.extend(slot, [1, 2, 3])
    memory.native[slot] = [1, 2, 3]
    cache.forget(slot)
    assert memory.native[slot] == []
    cache.release(slot)
    assert cache.claim([1, 2, 3]) == (slot, 0)


@pytest.mark.parametrize("fits", [True, False])
def test_a_state_that_does_not_fit_is_not_asked_again(fits: bool) -> None:
    memory = Lists(1, fits=fits)
    cache = PrefixCache(memory, 1, limit=10_000)
    use(cache, memory, long(1), "marta")
    use(cache, memory, long(2), "brann")
    assert use(cache, memory, [*long(1), 2], "marta") == (100 if fits else 0)
    assert (cache.vault.get("marta") is not None) == fits


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 60), st.booleans()), max_size=30))
def test_the_vault_keeps_what_was_used_last_and_never_more_than_its_limit(uses: list[tuple[str, int, bool]]) -> None:
    vault, order = Vault(100), list[tuple[str, int]]()
    for name, size, put in uses:
        if put:
            vault.put(name, State((1,), b"x" * size))
            order = [entry for entry in order if entry[0] != name] + [(name, size)]
            while sum(size for _, size in order) > 100:
                order.pop(0)
        elif vault.get(name) is not None:
            order.sort(key=lambda entry: entry[0] == name)
        assert vault.size == sum(size for _, size in order)
        assert len(vault) == len(order)
    for name, size in order:
        state = vault.get(name)
        assert state is not None
        assert len(state.data) == size
