"""Entry: ``python3 -m tools.setup run|play|dev|engine``."""

from __future__ import annotations

import errno
import fcntl
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tools.setup import checks
from tools.setup.engine import EngineBuild
from tools.setup.environment import Environment
from tools.setup.failure import Failure
from tools.setup.layout import Layout
from tools.setup.model import ensure_model
from tools.setup.progress import Progress

__all__ = ["main"]

_PROFILES = ("run", "play", "dev", "engine")


def set_up(layout: Layout, profile: str, hold: int | None) -> None:
    """Bring the checkout to ``profile``: each stage in turn, finished ones skipped."""
    environment, build = Environment(layout, hold), EngineBuild(layout, hold)
    build.check()
    environment.ensure_base()
    environment.ensure_engine(build.key, build.ensure())
    if profile == "engine":
        return
    environment.ensure_project()
    if profile in ("play", "dev"):
        environment.ensure_roguelike()
    if profile == "dev":
        environment.ensure_dev()
    ensure_model(layout)


@contextmanager
def only_one(layout: Layout) -> Iterator[int]:
    """Let one set-up work in this checkout at a time; yields the lock's file descriptor.

    The tools that set-up starts inherit the lock: when set-up itself was killed, the next one waits for the last of
    them instead of writing into the same folder.
    """
    layout.cache.mkdir(exist_ok=True)
    with (layout.cache / "setup.lock").open("a", encoding="utf-8") as file:
        if not _try_lock(file.fileno()):
            waiting = Progress("another set-up works in this checkout; waiting for it")
            while not _try_lock(file.fileno()):
                time.sleep(0.2)
                waiting.tick()
            waiting.done("it is through")
        yield file.fileno()


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def main(arguments: list[str]) -> int:
    """Run one profile; 0 done, 1 failed, 2 wrong call, 130 interrupted."""
    if len(arguments) != 1 or arguments[0] not in _PROFILES:
        print(f"usage: python3 -m tools.setup {'|'.join(_PROFILES)}", file=sys.stderr)
        return 2
    for sign in (signal.SIGTERM, signal.SIGHUP):  # a closed terminal must not leave a compiler behind
        signal.signal(sign, _interrupt)
    layout = Layout(Path(__file__).resolve().parents[2])
    try:
        checks.check_python()
        with only_one(layout) as hold:
            set_up(layout, arguments[0], hold)
    except Failure as failure:
        print(f"\nsetup: {failure.message}\n  Cure: {failure.cure}.", file=sys.stderr)
        return 1
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM):
            raise
        print(f"\nsetup: {error}\n  Cure: give {layout.root} a writable disk with free space.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nsetup: stopped; the same command goes on where it was.", file=sys.stderr)
        return 130
    return 0


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
