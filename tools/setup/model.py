"""The default model: pulled by npc-memory's own command, which verifies it; skipped while it stands there unchanged."""

from __future__ import annotations

import subprocess

from tools.setup import checks
from tools.setup.failure import Failure, cure_for
from tools.setup.layout import Layout
from tools.setup.stamps import digest, read_stamp, write_json

__all__ = ["DEFAULT_MODEL", "ensure_model"]

DEFAULT_MODEL = "smollm2-135m-instruct"


def ensure_model(layout: Layout) -> None:
    """Have the default model, whole.

    The full hash is taken once, by ``models pull``; afterwards size and time of the files decide.
    """
    stamp = layout.cache / "stamps" / "model.json"
    now = {"catalogue": digest([layout.models / "catalogue.yaml"]), "files": _model_files(layout)}
    if now["files"] and read_stamp(stamp) == now:
        return
    checks.check_disk(layout.root, 250, "The model")
    _pull(layout)
    files = _model_files(layout)
    if not files:
        raise Failure(
            f"the model was pulled, but {layout.model_files} holds none", "run .venv/bin/npc-memory models verify"
        )
    write_json(stamp, {"catalogue": now["catalogue"], "files": files})


def _model_files(layout: Layout) -> dict[str, list[int]]:
    found = sorted(layout.model_files.glob("*.gguf"))
    return {path.name: [path.stat().st_size, path.stat().st_mtime_ns] for path in found}


def _pull(layout: Layout) -> None:
    """The command shows its own progress and names its own cures, so it writes straight to the terminal."""
    command = [str(layout.venv / "bin" / "npc-memory"), "models", "pull", DEFAULT_MODEL]
    done = subprocess.run(command, cwd=layout.root, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise Failure(
            f"the model {DEFAULT_MODEL} could not be had (exit {done.returncode})", cure_for("", "the lines above")
        )
