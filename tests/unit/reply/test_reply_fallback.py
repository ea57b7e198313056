"""The stand-in line and the seed: derived from what is persisted, never drawn."""

from __future__ import annotations

import hashlib
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st
from reply_walker import UNTIMED

from npc_memory.reply import DEFAULT_FALLBACK_LINES, fallback_line, reply_seed

LINES = ("Hm.", "Ask me later.", "The stew is burning!")


def line(exchange: int = 0, lines=LINES, **more) -> str:
    return fallback_line(lines, world_seed=7, npc="marta", exchange=exchange, **more)


def test_the_same_case_gives_the_same_line_and_every_line_has_its_turn():
    assert [line(n) for n in range(60)] == [line(n) for n in range(60)]
    assert {line(n) for n in range(60)} == set(LINES)


@given(st.integers(0, 10**6), st.sampled_from(LINES))
@UNTIMED
def test_the_line_said_last_is_not_said_again(exchange, last):
    assert line(exchange, last=last) != last


def test_an_only_line_may_be_said_again():
    assert line(lines=["Hm."], last="Hm.") == "Hm."
    assert line(lines=["Hm.", " Hm. "], last="Hm.") == "Hm."


def test_without_lines_of_her_own_the_worlds_then_the_last_resort():
    assert line(lines=[], default=["The machine hums."]) == "The machine hums."
    assert line(lines=["", "  "], default=()) in DEFAULT_FALLBACK_LINES


def test_the_seed_is_the_documented_digest():
    canonical = '["npc-memory.reply.1",7,"Élise",3,1]'.encode()
    assert reply_seed(7, "Élise", 3, 1) == int.from_bytes(hashlib.sha256(canonical).digest()[:4], "big")


@given(
    st.integers(-(2**63), 2**63 - 1),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    st.integers(0, 2**40),
)
@UNTIMED
def test_the_seed_fits_the_sampler_and_an_attempt_changes_it(world, npc, exchange):
    seeds = [reply_seed(world, npc, exchange, attempt) for attempt in range(3)]
    assert all(0 <= seed <= 2**32 - 2 for seed in seeds)
    assert len(set(seeds)) == 3


def test_what_separates_the_parts_cannot_be_forged():
    assert reply_seed(1, 'a",2', 3, 0) != reply_seed(1, "a", 2, 0)
    assert reply_seed(1, "a", 11, 0) != reply_seed(11, "a", 1, 0)


def test_seed_and_line_are_the_same_in_another_process_with_another_hash_seed():
    call = "world_seed=7, npc='勇者', exchange=3"
    code = (
        "from npc_memory.reply import fallback_line, reply_seed;"
        f"print(reply_seed(7, '勇者', 3, 1), fallback_line(['a', 'b', 'c'], {call}))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-X", "utf8", "-c", code],
            env={"PYTHONHASHSEED": seed, "LC_ALL": "C"},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    mine = fallback_line(["a", "b", "c"], world_seed=7, npc="勇者", exchange=3)
    assert seen == {f"{reply_seed(7, '勇者', 3, 1)} {mine}\n"}
