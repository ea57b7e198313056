"""The engine: llama-cpp-python compiled from its pinned source with the strict flags, kept as a wheel under a key.

pip's own wheel cache does not know which CMAKE_ARGS a wheel was built with, so it is never used: a wheel made with
other flags would silently break the promise of bit-equal replies.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sysconfig
import tarfile
from pathlib import Path

from tools.setup import checks
from tools.setup.environment import create_venv, pip_install
from tools.setup.failure import Failure
from tools.setup.layout import Layout
from tools.setup.stamps import file_sha256, key_of, read_stamp, write_json
from tools.setup.steps import clean_environment, run
from tools.setup.vocabs import keep_vocabularies, vocabularies_kept

__all__ = ["FLAGS", "EngineBuild"]

# NATIVE: code for the building machine's own processor dies with an illegal instruction on another, and computes other
# bits. LLAMAFILE: its kernels differ between one and many rows, so a cached prompt would give another reply than a
# fresh one. LLAVA: images, not used.
FLAGS = ("-DGGML_NATIVE=OFF", "-DGGML_LLAMAFILE=OFF", "-DLLAVA_BUILD=OFF")

# The binding forces llama.cpp's helpers for command-line programs to be built: more than half of the time, and nothing
# here loads them. Its own switch for web builds turns them off; this is the same switch. The engine is untouched.
TRIMMED = ("LLAMA_BUILD_COMMON ON CACHE BOOL", "LLAMA_BUILD_COMMON OFF CACHE BOOL")


class EngineBuild:
    """Finds or makes the engine's wheel. An interrupted compilation goes on where it stopped."""

    def __init__(self, layout: Layout, hold: int | None = None) -> None:
        self.layout = layout
        self.hold = hold
        lock = layout.requirements("engine").read_text(encoding="utf-8")
        self.name, self.version = _pinned(lock)
        self.sdist_hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})", lock)
        self.key = key_of(self._identity())
        self.folder = layout.wheels / self.key
        self.work = layout.cache / "build" / self.key
        self.log = layout.logs / "engine-build.log"

    def _identity(self) -> dict[str, object]:
        # No Python tag: the wheel is py3-none (loaded with ctypes), so one serves every Python of this machine.
        return {
            "package": [self.name, self.version],
            "source": self.sdist_hashes,
            "flags": FLAGS,
            "trimmed": TRIMMED,
            "platform": [sysconfig.get_platform(), *platform.libc_ver()],
            "compilers": [os.environ.get("CC", ""), os.environ.get("CXX", "")],
        }

    def find(self) -> Path | None:
        """The finished wheel, or None. A wheel whose hash is not the one recorded does not count."""
        record = read_stamp(self.folder / "build.json")
        wheel = self.folder / str(record.get("wheel", ""))
        if wheel.is_file() and file_sha256(wheel) == record.get("sha256"):
            return wheel
        return None

    def check(self) -> None:
        """Refuse early when the wheel must be compiled and this machine cannot."""
        if self.find() is None:
            checks.check_disk(self.layout.root, 1500, "Compiling the engine")
            checks.check_compiler()

    def ensure(self) -> Path:
        """Return the wheel; compile it when there is none (minutes), and keep the vocabularies of its source."""
        wheel = self.find()
        if wheel is not None and vocabularies_kept(self.layout.vocabs, self.sdist_hashes):
            return wheel
        source = self._source()
        keep_vocabularies(source, self.layout.vocabs, self.sdist_hashes)
        if wheel is None:
            wheel = self._compile(source, checks.check_compiler())
        shutil.rmtree(self.work, ignore_errors=True)
        return wheel

    def _tools(self) -> Path:
        """An environment with cmake, ninja and the build backend, hashed too; returns its interpreter."""
        folder = self.layout.cache / "native-env"
        python = folder / "bin" / "python"
        lock = self.layout.requirements("native")
        key = key_of({"lock": file_sha256(lock), "python": sysconfig.get_python_version(), "at": folder})
        if read_stamp(folder / ".npc-native.json").get("key") != key or not python.exists():
            create_venv(folder, self.layout.logs / "native-env.log", self.hold)
            arguments: list[str | Path] = ["--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", lock]
            pip_install(
                "build tools (cmake, ninja)", python, arguments, self.layout.logs / "build-tools.log", self.hold
            )
            write_json(folder / ".npc-native.json", {"key": key})
        return python

    def _source(self) -> Path:
        """Download, verify and unpack the source; a finished one is used again."""
        ready = self.work / "source.json"
        source = self.work / f"{self.name.replace('-', '_')}-{self.version}"
        if read_stamp(ready).get("sha256") in self.sdist_hashes and source.is_dir():
            return source
        python = self._tools()
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        lock = self.layout.requirements("engine")
        argv: list[str | Path] = [python, "-m", "pip", "download", "--require-hashes", "--no-deps", "--no-cache-dir"]
        argv += ["--no-binary", ":all:", "--no-build-isolation", "-d", self.work, "-r", lock]
        env = self._build_environment(python)
        run("engine source (77 MB)", argv, self.layout.logs / "engine-source.log", env=env, hold=self.hold)
        archive = self._archive()
        with tarfile.open(archive) as packed:
            _unpack(packed, self.work)
        _trim(source / "CMakeLists.txt")
        write_json(ready, {"sha256": file_sha256(archive)})
        archive.unlink()
        return source

    def _archive(self) -> Path:
        found = sorted(self.work.glob("*.tar.gz"))
        if len(found) != 1 or file_sha256(found[0]) not in self.sdist_hashes:
            raise Failure(
                f"the source of {self.name} {self.version} is not the one in {self.layout.requirements('engine').name}",
                "delete .cache/build and try again; if it stays so, the index serves another file: do not use it",
            )
        return found[0]

    def _compile(self, source: Path, compilers: checks.Compilers) -> Path:
        python = self._tools()
        for built in (source / "llama_cpp" / "lib").glob("*"):  # of an interrupted run: what is packed is made afresh
            built.unlink()
        out = self.work / "out"
        shutil.rmtree(out, ignore_errors=True)
        argv: list[str | Path] = [python, "-m", "pip", "wheel", "-v", "--no-deps", "--no-index", "--no-cache-dir"]
        argv += ["--no-build-isolation", "--config-settings", f"build-dir={self.work / 'cmake'}", "-w", out, source]
        title = f"compiling {self.name} {self.version} (once, some minutes)"
        run(title, argv, self.log, env=self._build_environment(python, compilers), hold=self.hold)
        return self._keep(sorted(out.glob("*.whl")), compilers)

    def _build_environment(self, python: Path, compilers: checks.Compilers | None = None) -> dict[str, str]:
        jobs = os.environ.get("JOBS") or str(
            len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        )
        # Named outright: else the build backend takes whatever this Python itself was once compiled with.
        chosen = {"CC": compilers.c, "CXX": compilers.cxx} if compilers else {}
        return clean_environment(
            {
                **chosen,
                "PATH": f"{python.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
                "CMAKE_ARGS": " ".join(FLAGS),
                "CMAKE_BUILD_PARALLEL_LEVEL": jobs,
                "GIT_CEILING_DIRECTORIES": str(self.work),  # else it takes this checkout's commit for llama.cpp's own
                "PYTHONUNBUFFERED": "1",
            }
        )

    def _keep(self, built: list[Path], compilers: checks.Compilers) -> Path:
        if len(built) != 1:
            raise Failure(f"the compilation left {len(built)} wheels instead of one", f"read {self.log}")
        self.folder.mkdir(parents=True, exist_ok=True)
        wheel = self.folder / built[0].name
        half = wheel.with_name(wheel.name + ".part")
        shutil.copyfile(built[0], half)
        half.replace(wheel)
        record = {
            **self._identity(),
            "wheel": wheel.name,
            "sha256": file_sha256(wheel),
            "built_with": compilers.versions,
        }
        write_json(self.folder / "build.json", record)
        return wheel


def _trim(cmake: Path) -> None:
    before, after = TRIMMED
    text = cmake.read_text(encoding="utf-8")
    if text.count(before) != 1:
        raise Failure(
            f"{cmake.name} of the engine has changed", "mend TRIMMED in tools/setup/engine.py for this version"
        )
    cmake.write_text(text.replace(before, after), encoding="utf-8")


def _unpack(archive: tarfile.TarFile, folder: Path) -> None:
    """Unpack an archive whose hash is known; early 3.11 releases do not have the filter yet."""
    if hasattr(tarfile, "data_filter"):
        archive.extractall(folder, filter="data")
    else:
        archive.extractall(folder)


def _pinned(lock: str) -> tuple[str, str]:
    found = re.search(r"^([A-Za-z0-9._-]+)==([A-Za-z0-9.]+)", lock, re.MULTILINE)
    if not found:
        raise Failure("requirements/engine.txt pins nothing", "take the file from version control again")
    return found.group(1), found.group(2)
