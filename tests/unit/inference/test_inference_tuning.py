"""Choosing settings, on real models quantised on the spot: what gives other bits is not chosen, however fast it is.

The native library belongs into a process of its own, so each test is a script that prints what it found.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from npc_memory.inference import LlamaEngine, Settings
from npc_memory.inference.settings import child_environment

pytestmark = pytest.mark.model

QUANTISE = """
import ctypes, sys
import llama_cpp.llama_cpp as lib
params = lib.llama_model_quantize_default_params()
params.allow_requantize, params.nthread = True, 2
params.ftype = getattr(lib, "LLAMA_FTYPE_MOSTLY_" + sys.argv[3])
source, target = sys.argv[1].encode(), sys.argv[2].encode()
sys.exit(lib.llama_model_quantize(source, target, ctypes.byref(params)))
"""

REMEMBERED = """
import json, sys
from pathlib import Path
from npc_memory.inference import Settings, examination
from npc_memory.inference.request import Determinism
from npc_memory.inference.verdicts import Verdict, verdict_map
chosen = Verdict(Determinism("bit-exact", "remembered"), Settings(extra_bufts=True, chunk=256))
load = {"path": sys.argv[1], "settings": Settings().as_map(), "n_ctx": 512, "n_threads": 2, "choose": True}
load["verdicts"] = {"this build": verdict_map(chosen), "another": None}
told, found = [], []
for room in (True, False):
    examination.room_for = lambda path: room
    model, verdict = examination.examined(load, "this build", told.append)
    found.append([verdict == chosen, model.settings.as_map()])
    model.close()
print(json.dumps([found, told]))
"""

TUNED = """
import json, sys
from pathlib import Path
from npc_memory.inference import Settings, native, tuning
from npc_memory.inference.native import Model
from npc_memory.inference.probe import agrees, probe

def race(a, b):
    return (a(), b(), 9.0)[2]

tuning.race = race  # speed is no obstacle
tuning.STEP_SECONDS = 1e9 if sys.argv[2] == "slow steps" else 0
if sys.argv[2] == "slow steps":
    native._PLAIN = set()  # any other loading counts as rearranged
path = Path(sys.argv[1])
model = Model(str(path), Settings())
findings = probe(model, 2, lambda tokens: None)
other = Model(str(path), Settings(extra_bufts=True))
rearranged, same = other.rearranged, agrees(other, 2, findings.logits, lambda tokens: None)
exact = probe(other, 2, lambda tokens: None).determinism.word if rearranged else ""
other.close()
tuned = tuning.tune(model, path, 2, findings, lambda tokens: None)
again = agrees(tuned.model, 2, findings.logits, lambda tokens: None)
answer = {"word": findings.determinism.word, "rearranged": rearranged, "same": same, "exact": exact, "again": again}
print(json.dumps({**answer, "said": tuned.said, "settings": tuned.model.settings.as_map()}))
"""


def native(script: str, *arguments: str | Path) -> Any:
    """Run a script as an engine's process would run; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        env=child_environment(Settings()),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]) if done.stdout else None


def quantised(model_file: Path, folder: Path, kind: str) -> Path:
    target = folder / f"{kind}.gguf"
    native(QUANTISE, model_file, target, kind)
    return target


def test_a_remembered_choice_is_applied_unexamined_and_given_up_where_memory_is_short(model_file: Path) -> None:
    found, told = native(REMEMBERED, model_file)
    assert told == []
    assert found == [
        [True, Settings(extra_bufts=True, chunk=256).as_map()],
        [True, Settings(chunk=256).as_map()],
    ]


@pytest.mark.full
def test_what_is_faster_with_the_same_bits_is_chosen_and_said(model_file: Path) -> None:
    tuned = native(TUNED, model_file, "slow steps")
    assert (tuned["word"], tuned["same"], tuned["again"]) == ("bit-exact", True, True)
    assert tuned["settings"] == Settings(extra_bufts=True, chunk=256).as_map()
    assert "weights are repacked: prompts 9.0 times as fast, the same bits" in tuned["said"]
    assert "prompts are computed 256 tokens at a time" in tuned["said"]


@pytest.mark.full
@pytest.mark.parametrize("kind", ["Q4_0", "Q4_K_M", "Q8_0"])
def test_other_bits_are_never_chosen_however_fast(model_file: Path, tmp_path: Path, kind: str) -> None:
    path = quantised(model_file, tmp_path, kind)
    tuned = native(TUNED, path, "short steps")
    assert (tuned["word"], tuned["again"]) == ("bit-exact", True)
    assert tuned["settings"] == Settings(extra_bufts=tuned["rearranged"] and tuned["same"]).as_map()
    assert bool(tuned["said"]) == tuned["settings"]["extra_bufts"]


@pytest.mark.full
@pytest.mark.parametrize("kind", ["Q4_0", "Q4_K_M"])
def test_repacked_weights_asked_for_get_the_word_they_deserve(model_file: Path, tmp_path: Path, kind: str) -> None:
    path = quantised(model_file, tmp_path, kind)
    expected = native(TUNED, path, "short steps")["exact"]
    if not expected:
        pytest.skip("this build repacks nothing of the kind")
    with LlamaEngine(path, settings=Settings(extra_bufts=True), cache_dir=tmp_path) as opened:
        assert opened.info.determinism.word == expected
        assert opened.info.build.endswith(" extra_bufts")
