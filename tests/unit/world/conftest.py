"""A tiny pack that is right, for tests that make one thing in it wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

FILES = {
    "world.yaml": """\
id: mill
name: The Mill
version: "1"
seed: 5
start_time: 90
calendar:
  text: "{clock}, day {days}"
  months: [{name: only, days: 10}]
moods: [calm, cross]
rules:
  - {id: short, text: Be short.}
places:
  - {id: mill, name: the mill}
  - {id: yard, name: the yard}
factions:
  - {id: millers, name: the millers}
""",
    "facts.yaml": """\
- id: wheel-broken
  text: The wheel is broken.
  when: {wheel: broken}
  contradicted_by: ['\\bwheel turns\\b']
- id: flour-stolen
  text: Ada stole the flour.
  secret: true
  scope: {npcs: [ada]}
- id: millers-paid
  text: The millers were paid in May.
  scope: {factions: [millers], places: [yard]}
""",
    "state.yaml": """\
- key: wheel
  default: broken
  values: [broken, whole]
  text: The wheel is {value}.
- key: sacks
  default: 4
  volatile: true
""",
    "npcs/ada.yaml": """\
id: ada
name: Ada
pronoun: she
persona: You are Ada, the miller.
place: mill
factions: [millers]
greeting: Good day.
moods: [calm, cross]
examples:
  - {id: hello, player: "Hello.", npc: "Hello yourself.", mood: cross}
knows:
  - {id: ada-tired, text: "Ada slept badly."}
fallback: [Later., Not now.]
""",
    "npcs/bo.yaml": """\
id: bo
name: Bo
pronoun: he
persona: You are Bo, the carter.
place: yard
greeting: Hm.
moods: [calm]
fallback: [Later., Not now.]
""",
}

MakePack = Callable[[dict[str, str | bytes | None]], Path]
Edit = Callable[[str, str, str], Path]


@pytest.fixture
def make_pack(tmp_path: Path) -> MakePack:
    """Write the pack with some files replaced (None: left out)."""

    def make(files: dict[str, str | bytes | None]) -> Path:
        root = tmp_path / "mill"
        (root / "npcs").mkdir(parents=True, exist_ok=True)
        for name, content in {**FILES, **files}.items():
            if content is not None:
                path = root / name
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return make


@pytest.fixture
def edit(make_pack: MakePack) -> Edit:
    """Write the pack with one text in one file replaced; the text must be there once."""

    def make(name: str, old: str, new: str) -> Path:
        assert FILES[name].count(old) == 1, f"{old!r} must stand once in {name}"
        return make_pack({name: FILES[name].replace(old, new)})

    return make
