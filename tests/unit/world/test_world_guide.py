"""The writers' guide is true: the pack it shows loads without a problem, and it names every key there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from npc_memory.world import check_world, load_world
from npc_memory.world import schema as schema_module
from npc_memory.world.fields import Strict

GUIDE = (Path(__file__).parents[3] / "docs" / "worlds.md").read_text(encoding="utf-8")
INTERNAL = {"everyone", "values", "negated"}


def test_the_pack_in_the_guide_loads(tmp_path):
    blocks = re.findall(r"^```yaml (\S+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in blocks] == ["world.yaml", "facts.yaml", "state.yaml", "npcs/ada.yaml"]
    (tmp_path / "npcs").mkdir()
    for name, text in blocks:
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert check_world(tmp_path) == []
    world = load_world(tmp_path)
    assert [fact.id for fact in world.facts_for("ada")] == ["ada-debt", "flood", "flour-hidden", "wheel-stuck"]
    assert world.time_text(world.start_time) == "It is 08:00 on the first day of Sowing, 12."


@pytest.mark.parametrize("name", [name for name in schema_module.__all__ if name.endswith("Model")])
def test_every_key_is_in_the_guide(name):
    model = getattr(schema_module, name)
    assert issubclass(model, Strict)
    assert [
        field for field in model.model_fields if field not in INTERNAL and not re.search(rf"\b{field}\b", GUIDE)
    ] == []
