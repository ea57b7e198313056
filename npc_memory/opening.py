"""Putting a mind together: world, file, model, words. Used by the command line and by the bridge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from npc_memory.defaults import DEFAULT_MODEL, EngineKind, store_path
from npc_memory.errors import EngineMissing, ModelError
from npc_memory.inference import CACHE_MB, Engine, LlamaEngine, ScriptedEngine, SilentEngine, entry_of, find_model
from npc_memory.mind import Mind
from npc_memory.prompt_files import PromptFile, list_prompts, load_prompt
from npc_memory.recall import MiniLm
from npc_memory.semantics import use_embedding
from npc_memory.store import Store
from npc_memory.working_memory import BudgetPolicy
from npc_memory.world import World, load_world

__all__ = [
    "CHARACTERS_PER_TOKEN",
    "DEFAULT_MODEL",
    "EngineKind",
    "open_engine",
    "open_mind",
    "prompt_for",
    "silent_mind",
    "store_path",
]

SMALL = 900_000_000
"""Bytes of a model file below which a transcript is continued better than a chat is followed (about 1 B parameters)."""

CHARACTERS_PER_TOKEN = 4
"""About what English text has; where there is no tokenizer, windows are measured with it."""


def prompt_for(model: str | Path = DEFAULT_MODEL, engine: EngineKind = "llama") -> PromptFile:
    """The template file that fits a model: its catalogue family's, else by the size of its file."""
    if engine == "scripted":
        return load_prompt("transcript")
    path = find_model(model)
    entry = entry_of(path)
    if entry is not None and entry.family in list_prompts():
        return load_prompt(entry.family)
    return load_prompt("transcript" if path.stat().st_size < SMALL else "chat")


def open_engine(
    kind: EngineKind,
    model: str | Path = DEFAULT_MODEL,
    *,
    n_ctx: int = 2048,
    n_threads: int = 2,
    slots: int | None = None,
    cache_mb: int = CACHE_MB,
    progress: Callable[[str], None] | None = None,
) -> Engine:
    """Start an engine; ``slots`` and ``cache_mb`` as ``LlamaEngine`` takes them.

    Raises ``ModelMissing``, ``ModelDamaged``, ``EngineMissing``.
    """
    if kind == "scripted":
        return ScriptedEngine(n_ctx=n_ctx)
    path = find_model(model)
    if progress is not None:
        progress(f"loading {path.name}")
    heard = None if progress is None else _quarters(path.name, progress)
    return LlamaEngine(path, n_ctx=n_ctx, n_threads=n_threads, slots=slots, cache_mb=cache_mb, progress=heard)


def _quarters(name: str, progress: Callable[[str], None]) -> Callable[[float], None]:
    """Say at each quarter how far a model's first examination is; a log file need not hear more."""
    said = 0

    def heard(share: float) -> None:
        nonlocal said
        if int(share * 4) > said:
            said = int(share * 4)
            progress(f"examining {name}, {said * 25} % done")

    return heard


def open_mind(
    world: str | Path,
    data: Path | None,
    *,
    engine: EngineKind = "llama",
    model: str | Path = DEFAULT_MODEL,
    prompt: str | None = None,
    n_ctx: int = 2048,
    n_threads: int = 2,
    slots: int | None = None,
    cache_mb: int = CACHE_MB,
    without_model: bool = False,
    semantic: bool = False,
    reindex: bool = False,
    progress: Callable[[str], None] | None = None,
    indexed: Callable[[int, int], None] = lambda done, total: None,
) -> Mind:
    """Open a mind that owns its store and engine; close it when done.

    ``data``: folder of the world's file, None to remember nothing beyond this process. ``prompt``: name of a template
    file, None for the one the model's family asks for. ``without_model``: a model that is missing or damaged is no
    error; every reply is an authored line then (``mind.engine.info.model`` is "").

    ``semantic``: memories are found by meaning as well, with the embedding of the extra ``[semantic]``; ``reindex``:
    and all vectors are made anew. ``indexed`` gets how many memories have theirs, and how many there are. Raises any
    ``WorldError``, ``StoreError``, ``ModelError`` or ``EngineError``; nothing is left open then.
    """
    pack = load_world(world)
    place = ":memory:" if data is None else store_path(data, pack.id)
    store = Store.open(place, world=pack.id, world_version=pack.version)
    try:
        if semantic or reindex:
            use_embedding(store, MiniLm(), reindex=reindex, progress=indexed)
        try:
            file = load_prompt(prompt) if prompt else prompt_for(model, engine)
            started = open_engine(
                engine, model, n_ctx=n_ctx, n_threads=n_threads, slots=slots, cache_mb=cache_mb, progress=progress
            )
        except (ModelError, EngineMissing) as error:
            if not without_model:
                raise
            return silent_mind(pack, store, error, n_ctx)
        try:
            return Mind(pack, store, started, file)
        except BaseException:
            started.close()
            raise
    except BaseException:
        store.close()
        raise


def silent_mind(world: World, store: Store, reason: ModelError | EngineMissing, n_ctx: int = 2048) -> Mind:
    """A mind whose every reply is an authored line, because of ``reason``; it remembers as any other does."""
    policy = BudgetPolicy(
        limit=n_ctx * CHARACTERS_PER_TOKEN, unit="characters", max_exchanges=8, max_episodes=8, max_beliefs=6
    )
    return Mind(world, store, SilentEngine(reason, n_ctx=n_ctx), load_prompt("transcript"), policy=policy)
