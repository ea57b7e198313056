"""What holds for all tests."""

from __future__ import annotations

import sys

import pytest
from hypothesis import settings
from searches import PROFILES

for profile, number in PROFILES.items():
    settings.register_profile(profile, settings(), max_examples=number)
settings.load_profile("half")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close what llama_cpp opens when it is imported (the null device, twice) and never closes: Python would complain
    when it ends, and nobody could do anything about it.
    """
    opened = sys.modules.get("llama_cpp._utils")
    for name in ("outnull_file", "errnull_file"):
        if (file := getattr(opened, name, None)) is not None:
            file.close()
