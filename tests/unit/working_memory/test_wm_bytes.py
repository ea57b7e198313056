"""P3: the same snapshot gives the same bytes, whatever the process, hash seed, locale or time zone (case 14)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from wm_digest import digest, offers
from wm_kit import build, full_snapshot, policy, talk

import npc_memory
from npc_memory import WorkingMemoryBuilder

HERE = Path(__file__).parent
PACKAGE = str(Path(npc_memory.__file__).parents[1])


def installed_locales() -> list[str]:
    """C, C.UTF-8 and at most two others this machine has."""
    tool = shutil.which("locale")
    listed = subprocess.run([tool, "-a"], capture_output=True, text=True, check=True).stdout.split() if tool else []
    others = sorted(name for name in listed if not name.startswith(("C", "POSIX")))
    return ["C", "C.UTF-8", *[name for name in others if "tr" in name][:1], *others[:1]]


def elsewhere(seed: str, locale: str, zone: str, *flags: str) -> str:
    """The digest a fresh process computes."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHON"))}
    env |= {
        "PYTHONHASHSEED": seed,
        "LC_ALL": locale,
        "LANG": locale,
        "TZ": zone,
        "PYTHONPATH": os.pathsep.join((str(HERE), PACKAGE)),
    }
    run = [sys.executable, *flags, str(HERE / "wm_digest.py")]
    return subprocess.run(run, capture_output=True, text=True, check=True, env=env, timeout=120).stdout


@pytest.fixture(scope="module")
def here() -> str:
    return digest()


@pytest.mark.parametrize(
    ("seed", "locale", "zone"),
    [
        (seed, locale, zone)
        for (seed, zone), locale in zip(
            [("0", "UTC"), ("1", "Pacific/Auckland"), ("42", "America/St_Johns"), ("4294967295", "Asia/Tokyo")],
            (installed_locales() * 4)[:4],
            strict=True,
        )
    ],
)
def test_bytes_are_equal_in_another_process(here: str, seed: str, locale: str, zone: str) -> None:
    assert elsewhere(seed, locale, zone) == here


def test_bytes_are_equal_without_utf8_mode_and_optimised(here: str) -> None:
    assert elsewhere("random", "C", "UTC", "-X", "utf8=0", "-OO") == here


def test_the_digest_covers_pressure_and_ease() -> None:
    """A digest of prompts that all look alike would prove little."""
    built = [one for one, _ in offers()]
    assert len({one.text for one in built}) > 8
    assert any(one.report.shortened for one in built)
    assert any(not one.truncated for one in built)


def test_a_thousand_builds_of_one_snapshot() -> None:
    snapshot = full_snapshot(dialogue=talk(12, 80))
    first = build(snapshot, 1100, exchanges=5, episodes=5, beliefs=3)
    builder = WorkingMemoryBuilder(policy(1100, exchanges=5, episodes=5, beliefs=3))
    for _ in range(500):
        with builder.build(snapshot) as memory:
            assert memory.text() == first.text
            assert memory.report == first.report
    for _ in range(500):
        assert build(snapshot, 1100, exchanges=5, episodes=5, beliefs=3).text == first.text


def test_an_equal_snapshot_is_as_good_as_the_same() -> None:
    assert build(full_snapshot(), 1000) == build(full_snapshot(), 1000)
