"""What is public is named, and what is named exists and is explained."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest
from project_files import PACKAGES, ROOT, module_name, sources

import npc_memory

MODULES = [module_name(path) for path in sources(*PACKAGES) if path.name != "__main__.py"]
# What the README's and DESIGN's examples import.
PROMISED = [
    "AgendaItem", "Belief", "BudgetPolicy", "Episode", "Example", "Fact", "Rule", "Snapshot", "StateEntry", "Turn",
    "WorkingMemoryBuilder",
]  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_a_module_names_what_is_public(name: str) -> None:
    module = importlib.import_module(name)
    assert (module.__doc__ or "").strip(), "no docstring: what is this file's one noun?"
    if not _defines_something(module):
        return
    public = list(module.__all__)
    missing = [each for each in public if not hasattr(module, each)]
    assert missing == []
    assert len(public) == len(set(public))


def _defines_something(module: ModuleType) -> bool:
    assert module.__file__ is not None
    body = ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef) for node in body)


def test_the_package_exports_what_its_examples_use() -> None:
    assert sorted(set(PROMISED) - set(npc_memory.__all__)) == []


@pytest.mark.parametrize("name", sorted(npc_memory.__all__))
def test_every_export_is_explained(name: str) -> None:
    value = getattr(npc_memory, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        doc = inspect.getdoc(value) or ""
        assert len(doc.split()) >= 4, f"{name} has no docstring that says what it means"
        assert not re.match(rf"{name}\(.*\)$", doc), f"{name}'s docstring is the one a dataclass makes up"


def test_nothing_exported_is_private() -> None:
    assert [name for name in npc_memory.__all__ if name.startswith("_") and name != "__version__"] == []
    assert (ROOT / "npc_memory" / "py.typed").is_file()
