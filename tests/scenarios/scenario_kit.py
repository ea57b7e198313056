"""A mind on the scripted engine, for scenarios that are about everything but the model."""

from __future__ import annotations

from pathlib import Path

from npc_memory.inference import ScriptedEngine
from npc_memory.mind import Mind
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store
from npc_memory.world import World, load_world

__all__ = ["SMALL_TALK", "line", "open_mind"]

SMALL_TALK = ("Nice weather.", "How is trade?", "Any news?", "The road was long.", "Is the stew good?", "Good evening.")


def line(text: str, request: object) -> str:
    """A scripted text in the shape the default template asks for."""
    return f"{text}\n"


def open_mind(
    place: Path | str = ":memory:",
    *,
    world: str | Path | World = "emberfall",
    engine: ScriptedEngine | None = None,
    deadline: float | None = 60.0,
    n_ctx: int = 2048,
    owner: str = "",
) -> Mind:
    """A mind of its own; close it (or use it in a ``with`` block)."""
    pack = world if isinstance(world, World) else load_world(world)
    store = Store.open(place, world=pack.id, world_version=pack.version, owner=owner)
    return Mind(
        pack, store, engine or ScriptedEngine(format=line, n_ctx=n_ctx), load_prompt("transcript"), deadline=deadline
    )
