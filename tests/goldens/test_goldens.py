"""The goldens hold: twice in one process, in a fresh one, with 1 and 2 threads, under other hash seeds and locales,
and with a restart in the middle.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import golden
import pytest

from npc_memory.inference import LlamaEngine

pytestmark = pytest.mark.model

NPCS = [script["npc"] for script in golden.scripts()]


@pytest.fixture(scope="module")
def engine() -> Iterator[LlamaEngine]:
    with golden.start_engine(2) as engine:
        yield engine


def script(npc: str) -> dict[str, object]:
    return next(one for one in golden.scripts() if one["npc"] == npc)


def in_a_fresh_process(*args: str, seed: str, locale: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "LANG": locale, "TZ": "Asia/Tokyo"}
    command = [sys.executable, str(Path(golden.__file__)), "check", *args]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=1500, check=False)
    assert done.returncode == 0, done.stdout.decode()[:4000] + done.stderr.decode()[-2000:]


def test_there_are_five_conversations_of_eight_lines() -> None:
    assert len(set(NPCS)) == 5
    assert all(len(one["lines"]) == 8 for one in golden.scripts())
    assert sorted(path.stem for path in golden.ACCEPTED.glob("*.txt")) == sorted(NPCS)


def test_the_engine_is_bit_exact(engine: LlamaEngine) -> None:
    assert engine.info.determinism.word == "bit-exact", engine.info.determinism.reason


# Half of one here and Marta below in every run, all five in make test-full: each takes half a minute on two cores.
def test_the_first_half_of_a_conversation_is_that_accepted(engine: LlamaEngine) -> None:
    whole = script("captain-hale")
    played = golden.play({**whole, "lines": whole["lines"][:4]}, engine=engine)
    want, rest, _ = golden.accepted("captain-hale").read_text("utf-8").partition("=== line 5:")
    assert rest
    assert played == want


@pytest.mark.full
@pytest.mark.parametrize("npc", NPCS)
def test_prompts_and_replies_are_those_accepted(npc: str, engine: LlamaEngine) -> None:
    assert golden.difference(npc, golden.play(script(npc), engine=engine)) == ""


@pytest.mark.full
def test_a_second_time_in_one_process(engine: LlamaEngine) -> None:
    assert golden.difference("brann", golden.play(script("brann"), engine=engine)) == ""


def test_one_thread_another_hash_seed_and_locale_and_a_restart_in_a_fresh_process() -> None:
    in_a_fresh_process("--threads", "1", "--restart-after", "4", "--npc", "marta", seed="1", locale="C")


@pytest.mark.full
@pytest.mark.parametrize(
    ("threads", "restart_after", "seed", "locale"),
    [("1", "0", "0", "C"), ("2", "4", "4242", "C.UTF-8"), ("1", "3", "7", "tr_TR.UTF-8")],
)
def test_all_of_them_in_a_fresh_process(threads: str, restart_after: str, seed: str, locale: str) -> None:
    in_a_fresh_process("--threads", threads, "--restart-after", restart_after, seed=seed, locale=locale)
