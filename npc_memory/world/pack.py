"""A world pack as its folder holds it: validated file by file, not yet checked for references.

emberfall/
    world.yaml      who and what the world is: rules, places, factions, calendar
    facts.yaml      canonical facts
    state.yaml      world state and its defaults
    npcs/marta.yaml one file for each NPC, named by its id
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from npc_memory.errors import Problem
from npc_memory.world.explain import explained
from npc_memory.world.schema import FactModel, FactsFile, NpcModel, StateFile, StateModel, WorldModel
from npc_memory.world.source import Document, read_document

__all__ = ["MAX_NPCS", "NpcFile", "Pack", "read_pack"]

MAX_NPCS = 2000

_FILES = ("facts.yaml", "state.yaml", "world.yaml")
T = TypeVar("T")


@dataclass(slots=True)
class NpcFile:
    """One file under ``npcs/``; ``model`` is None while it has problems."""

    stem: str
    document: Document
    model: NpcModel | None


@dataclass(slots=True)
class Pack:
    """The files of one pack. A part that has problems is None; its problems are in ``problems``."""

    root: Path
    world: WorldModel | None = None
    facts: list[FactModel] | None = None
    state: list[StateModel] | None = None
    npcs: list[NpcFile] = field(default_factory=list)
    documents: dict[str, Document] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def show(self, name: str) -> str:
        """How a file of the pack is named in problems."""
        return (self.root / name).as_posix()


def read_pack(root: Path) -> Pack:
    """Read the pack in folder ``root``; collects problems, raises none."""
    pack = Pack(root)
    pack.world = _read(pack, "world.yaml", TypeAdapter(WorldModel), {})
    pack.facts = _read(pack, "facts.yaml", FactsFile, [])
    pack.state = _read(pack, "state.yaml", StateFile, [])
    _strays(pack)
    for path in _npc_paths(pack):
        name = f"npcs/{path.name}"
        model = _read(pack, name, TypeAdapter(NpcModel), {})
        document = pack.documents[name]
        pack.npcs.append(NpcFile(unicodedata.normalize("NFC", path.stem), document, model))
        if model is not None and unicodedata.normalize("NFC", model.id) != pack.npcs[-1].stem:
            pack.problems.append(
                document.problem(
                    ("id",), f"the id {model.id!r} is not the file's name", f"rename the file to {model.id}.yaml"
                )
            )
    return pack


def _read(pack: Pack, name: str, adapter: TypeAdapter[T], empty: Any) -> T | None:
    document = read_document(pack.root / name, pack.show(name))
    pack.documents[name] = document
    pack.problems.extend(document.problems)
    if not document.lines and document.problems:
        return None
    data = empty if document.data is None else document.data
    try:
        model = adapter.validate_python(data)
    except ValidationError as error:
        pack.problems.extend(explained(error, document, _model(name)))
        return None
    return None if document.problems else model


def _model(name: str) -> type[BaseModel]:
    models: dict[str, type[BaseModel]] = {"world.yaml": WorldModel, "facts.yaml": FactModel, "state.yaml": StateModel}
    return models.get(name, NpcModel)


def _strays(pack: Pack) -> None:
    """YAML that no part of the pack reads: most often a misspelt name, whose content would silently be missing."""
    for path in _listing(pack, pack.root):
        if path.suffix.lower() in (".yaml", ".yml") and path.name not in _FILES:
            pack.problems.append(
                Problem(
                    pack.show(path.name),
                    0,
                    "is not a file of a world pack",
                    f"a pack has {', '.join(_FILES)} and npcs/",
                )
            )


def _npc_paths(pack: Pack) -> list[Path]:
    folder = pack.root / "npcs"
    if folder.is_symlink() or not folder.is_dir():
        pack.problems.append(Problem(pack.show("npcs"), 0, "is not a folder", "create it, with one file for each NPC"))
        return []
    paths = [path for path in _listing(pack, folder) if path.suffix == ".yaml" and not path.name.startswith(".")]
    for path in _listing(pack, folder):
        if path.suffix.lower() in (".yaml", ".yml") and path.suffix != ".yaml":
            pack.problems.append(
                Problem(pack.show(f"npcs/{path.name}"), 0, "is not read", f"rename it to {path.stem}.yaml")
            )
    if not paths:
        pack.problems.append(Problem(pack.show("npcs"), 0, "holds no NPC", "create npcs/<id>.yaml"))
    if len(paths) > MAX_NPCS:
        pack.problems.append(
            Problem(pack.show("npcs"), 0, f"holds more than {MAX_NPCS} NPCs", "split the world into several packs")
        )
    return paths[:MAX_NPCS]


def _listing(pack: Pack, folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        pack.problems.append(
            Problem(folder.as_posix(), 0, f"cannot be read: {error.strerror}", "check the folder and its permissions")
        )
        return []
