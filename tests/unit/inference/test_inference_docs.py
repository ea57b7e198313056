"""The examples of docs/inference.md, run as they stand (``py``: needs the model, so only here)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "inference.md"
EXAMPLES = re.findall(r"```py(?:thon)?\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def test_the_scripted_example_runs() -> None:
    (example,) = [text for text in EXAMPLES if "ScriptedEngine" in text]
    exec(compile(example, str(PAGE), "exec"), {})


@pytest.mark.model
def test_the_example_of_the_real_engine_runs(
    verdict_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], engine: object
) -> None:
    monkeypatch.setenv("NPC_MEMORY_CACHE", str(verdict_dir))
    (example,) = [text for text in EXAMPLES if "LlamaEngine" in text]
    exec(compile(example, str(PAGE), "exec"), {})
    assert capsys.readouterr().out.startswith("bit-exact 5\n")
