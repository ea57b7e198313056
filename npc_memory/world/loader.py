"""World packs from disk: find one, check it, load it."""

from __future__ import annotations

from pathlib import Path

from npc_memory.errors import Problem, WorldInvalid, WorldNotFound
from npc_memory.resources import resource_dir
from npc_memory.world.build import build_world
from npc_memory.world.lint import lint_pack
from npc_memory.world.pack import Pack, read_pack
from npc_memory.world.shelf import Shelf, pack_digest
from npc_memory.world.world import World

__all__ = ["check_world", "list_worlds", "load_world"]

_LOADED = Shelf()


def list_worlds() -> list[str]:
    """Names of the worlds that came with this installation, sorted."""
    root = resource_dir("worlds")
    if not root.is_dir():
        return []
    return sorted(path.name for path in root.iterdir() if (path / "world.yaml").is_file())


def load_world(name_or_path: str | Path) -> World:
    """Load the shipped world of that name, else the pack in that folder.

    A pack that has not changed since it was loaded gives the same object again. Raises ``WorldNotFound``, or
    ``WorldInvalid`` with every error in the pack (warnings do not stop a world).
    """
    root = _find(name_or_path)
    digest = pack_digest(root)
    known = _LOADED.get(digest)
    if known is not None:
        return known
    pack, problems = _checked(root)
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise WorldInvalid(errors)
    world = build_world(pack)
    if digest and pack_digest(root) == digest:  # a file written in between is in one of the two only
        _LOADED.put(digest, world)
    return world


def check_world(name_or_path: str | Path) -> list[Problem]:
    """Everything wrong with the pack, in one go, by file and line; warnings have ``severity`` "warning".

    Raises ``WorldNotFound`` when there is no pack.
    """
    return _checked(_find(name_or_path))[1]


def _checked(root: Path) -> tuple[Pack, list[Problem]]:
    pack = read_pack(root)
    problems = [*pack.problems, *lint_pack(pack)]
    return pack, sorted(dict.fromkeys(problems), key=lambda p: (p.file, p.line, p.message))


def _find(name_or_path: str | Path) -> Path:
    if isinstance(name_or_path, str) and name_or_path in list_worlds():
        return resource_dir("worlds") / name_or_path
    path = Path(name_or_path)
    try:
        if name_or_path != "" and path.is_dir():  # Path("") would be the folder we happen to be in
            return path
    except OSError as error:  # a name no file can have, or a folder that may not be entered
        raise _not_found(name_or_path) from error
    raise _not_found(name_or_path)


def _not_found(name_or_path: str | Path) -> WorldNotFound:
    known = list_worlds()
    return WorldNotFound(
        f"there is no world {str(name_or_path)!r}",
        hint=f"known: {', '.join(known)}; or give the folder of a pack" if known else "give the folder of a pack",
        details={"world": str(name_or_path), "known": known},
    )
