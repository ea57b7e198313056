"""One real engine for the whole session; more of them without another probe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from npc_memory.inference import LlamaEngine, Settings, find_model
from npc_memory.inference.verdicts import Verdict, Verdicts, question


@pytest.fixture(scope="session")
def model_file() -> Path:
    return find_model()


@pytest.fixture(scope="session")
def verdict_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verdicts")


@pytest.fixture(scope="session")
def engine(model_file: Path, verdict_dir: Path) -> Iterator[LlamaEngine]:
    with LlamaEngine(model_file, cache_dir=verdict_dir) as opened:
        yield opened


@pytest.fixture(scope="session")
def lent(engine: LlamaEngine, model_file: Path, verdict_dir: Path) -> Callable[..., LlamaEngine]:
    """Open an engine of other settings; the session's verdict is lent to it, for a probe takes seconds."""

    def open_one(**options: Any) -> LlamaEngine:
        settings = options.get("settings")
        asked = question(settings, options.get("n_threads", 2))
        known = Verdict(engine.info.determinism, settings or Settings())
        Verdicts(verdict_dir).put(engine.info.model_sha256, engine.info.build, asked, known)
        return LlamaEngine(model_file, cache_dir=verdict_dir, **options)

    return open_one


@pytest.fixture
def open_engine(lent: Callable[..., LlamaEngine]) -> Iterator[Callable[..., LlamaEngine]]:
    """The same, closed after the test."""
    opened: list[LlamaEngine] = []

    def open_one(**options: Any) -> LlamaEngine:
        opened.append(lent(**options))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()
