"""How the engine's process comes by its model: with the settings remembered for it, or probed and tuned.

Only ever imported in the engine's own process. It happens before the engine is ready, so nothing else is computed
meanwhile, and the model that is not chosen is gone before the first window opens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from npc_memory.inference.headroom import room_for
from npc_memory.inference.llama_backend import check_window
from npc_memory.inference.native import Model
from npc_memory.inference.probe import probe
from npc_memory.inference.probe_subject import WORK
from npc_memory.inference.protocol import Frame
from npc_memory.inference.request import Determinism
from npc_memory.inference.settings import Settings
from npc_memory.inference.tuning import tune
from npc_memory.inference.verdicts import Verdict, verdict_from

__all__ = ["examined"]


def examined(load: Frame, build: str, tell: Callable[[Frame], None]) -> tuple[Model, Verdict]:
    """Load the model a ``load`` frame names. ``tell`` is given ``progress`` frames if it has to be examined first.

    ``load["verdicts"]`` are the known ones by build, ``load["choose"]`` says whether faster settings may be chosen.
    """
    path, asked = Path(load["path"]), Settings(**load["settings"])
    known = verdict_from(load["verdicts"].get(build))
    if known is not None:
        return Model(str(path), _bearable(known.settings, asked, path)), known
    done = 0

    def heard(tokens: int) -> None:
        nonlocal done
        done += tokens
        tell({"op": "progress", "share": min(done / WORK, 1.0)})

    model = Model(str(path), asked)
    check_window(model, load["n_ctx"])
    findings = probe(model, load["n_threads"], heard)
    word, said = findings.determinism, ""
    if load["choose"]:
        model, said = tune(model, path, load["n_threads"], findings, heard)
    reason = f"{word.reason}; {said}" if said else word.reason
    return model, Verdict(Determinism(word.word, reason), model.settings)


def _bearable(chosen: Settings, asked: Settings, path: Path) -> Settings:
    """Repacked weights cost memory for nothing but speed: where there is none to spare today, do without."""
    if chosen.extra_bufts and not asked.extra_bufts and not room_for(path):
        return replace(chosen, extra_bufts=False)
    return chosen
