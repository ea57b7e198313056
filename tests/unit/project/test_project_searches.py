"""Half of each search in ``make test``, all of it in ``make test-full``."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import settings
from project_files import ROOT
from searches import PROFILES, WHOLE, examples

from tools.full import WHOLE_SEARCHES

PROBE = """
from hypothesis import given, settings, strategies as st
from searches import examples

@given(st.integers())
@settings(max_examples=examples(60))
def test_named(number): pass

@given(st.integers())
def test_plain(number): pass
"""


def test_what_is_tried_goes_by_the_profile() -> None:
    wanted = settings().max_examples
    assert wanted in PROFILES.values()
    assert (examples(60), examples(1)) == (60 * wanted // WHOLE, 1)


def test_the_long_run_tries_all(tmp_path) -> None:
    (tmp_path / "conftest.py").write_bytes((ROOT / "tests" / "conftest.py").read_bytes())
    (tmp_path / "searches.py").write_bytes((ROOT / "tests" / "searches.py").read_bytes())
    (tmp_path / "test_probe.py").write_text(PROBE, encoding="utf-8")
    for options, share in ((), 0.5), (WHOLE_SEARCHES, 1.0):
        argv = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "--hypothesis-show-statistics",
            *options,
        ]
        done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stdout
        for whole in (60, WHOLE):
            assert f"settings.max_examples={int(whole * share)}\n" in done.stdout
