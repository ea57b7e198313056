"""The bundled world, opened once a file, for tests that need nothing of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from scenario_kit import open_mind

from npc_memory.mind import Mind


@pytest.fixture(scope="module")
def town() -> Iterator[Mind]:
    """Emberfall with the scripted engine, saved at its first minute."""
    with open_mind() as one:
        one.save("begin")
        yield one


@pytest.fixture
def mind(town: Mind) -> Mind:
    """The same for every test, on a timeline of its own."""
    town.load("begin")
    return town
