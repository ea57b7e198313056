"""What the repository holds, for the tests about the repository itself."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("npc_memory", "bridge", "roguelike")


@cache
def tracked() -> tuple[Path, ...]:
    """Every file that version control has or would take, sorted; without version control, every file that is ours."""
    argv = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, check=False) if (ROOT / ".git").exists() else None
    if done is None or done.returncode:
        names = [
            str(p.relative_to(ROOT)) for folder in (*PACKAGES, "tests", "tools") for p in ROOT.glob(f"{folder}/**/*")
        ]
    else:
        names = done.stdout.decode("utf-8").split("\0")
    found = (ROOT / name for name in sorted(set(names)) if name and "__pycache__" not in name)
    return tuple(path for path in found if path.is_file())


def sources(*folders: str) -> list[Path]:
    """The Python files below ``folders``, sorted."""
    roots = [ROOT / folder for folder in folders]
    return [path for path in tracked() if path.suffix == ".py" and any(root in path.parents for root in roots)]


def module_name(path: Path) -> str:
    """``npc_memory/store/rows.py`` → ``npc_memory.store.rows``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full module name of every import in the file, those inside functions and for type checkers included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            module = node.module or ""
            for name in node.names:
                yield node.lineno, f"{module}.{name.name}"
