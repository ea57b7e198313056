"""A reply recorded in each format there ever was: read for ever, and its prompt built again the same.

When prompts are changed on purpose, ``make_replay.py`` records the newest anew; an older one that then differs is still
read, and its replay may be taken out here by name.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from npc_memory.audit import FORMAT, Audit
from npc_memory.inference import ScriptedEngine
from npc_memory.memory import AuditRecord
from npc_memory.replaying import Replay

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("format*.json"), key=lambda path: int(path.stem.removeprefix("format")))


def test_there_is_one_of_each_format() -> None:
    assert [path.stem for path in FILES] == [f"format{n}" for n in range(1, FORMAT + 1)]
    for number, path in enumerate(FILES, start=1):
        assert Audit.from_payload(path.read_text(encoding="utf-8")).format == number


def test_the_newest_has_something_in_every_field() -> None:
    """Or the corpus would not notice a field that is no longer read."""
    audit = Audit.from_payload(FILES[-1].read_text(encoding="utf-8"))
    assert [name for name, value in asdict(audit).items() if value in ("", (), {}, [], None)] == []
    used = {name for one in audit.attempts for name, value in asdict(one).items() if value not in ("", (), None)}
    assert used == set(asdict(audit.attempts[0]))
    assert json.loads(audit.payload()) == json.loads(FILES[-1].read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_its_prompts_are_built_the_same_today(path: Path) -> None:
    audit = Audit.from_payload(path.read_text(encoding="utf-8"))
    record = AuditRecord(
        id="a00000001",
        npc=audit.npc,
        player=audit.player,
        turn="t00000001",
        game_time=0,
        payload=path.read_text(encoding="utf-8"),
    )
    with ScriptedEngine() as engine:
        found = Replay(engine).run([record])
    assert found.divergence is None
    assert found.prompts == (len(audit.attempts) if audit.format > 1 else 1)
