"""A mind that lives one life only: it does again what led to a moment, and never saw any other future."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mind_pack import NPCS, PLAYERS

from npc_memory.inference import ScriptedEngine
from npc_memory.memory import Authority
from npc_memory.mind import Mind
from npc_memory.prompt_files import load_prompt
from npc_memory.store import Store
from npc_memory.world import World

__all__ = ["QUERY", "live_again", "open_mind", "shows"]

QUERY = "Who stole silver from the mill, rolf?"


def open_mind(world: World, file: Path | str) -> Mind:
    """A mind on the scripted engine."""
    store = Store.open(file, world=world.id, world_version=world.version)
    engine = ScriptedEngine(format=lambda text, request: f"{text}\n")
    return Mind(world, store, engine, load_prompt("transcript"), deadline=None)


def live_again(world: World, history: list[tuple[Any, ...]]) -> Mind:
    """A mind with that history and no other; it says what was said then, or this is an error."""
    mind = open_mind(world, ":memory:")
    for verb, *given in history:
        _AGAIN[verb](mind, *given)
    return mind


def _turn(mind: Mind, npc: str, at: int) -> str:
    return mind.store.turns(npc)[at].id


def _talk(mind: Mind, npc: str, player: str, text: str, audience: list[str] | None, said: str) -> None:
    assert mind.talk(npc, player, text, audience=audience).say == said


def _retry(mind: Mind, npc: str, at: int, text: str | None, said: str) -> None:
    assert mind.retry(_turn(mind, npc, at), text).say == said


def _believe(mind: Mind, npc: str, at: int, text: str) -> None:
    source = mind.store.episodes(npc)[at]
    with mind.store.transaction() as writer:
        writer.belief(npc=npc, text=text, provenance=(source.id,), authority=Authority.INFERENCE)


def _converse(mind: Mind, npcs: list[str], turns: int, said: list[str]) -> None:
    assert [one.say for one in mind.converse(npcs, turns=turns).replies] == said


def _forget(mind: Mind, ids: list[str]) -> None:
    for id in ids:
        mind.forget(id)


_AGAIN = {
    "talk": _talk,
    "retry": _retry,
    "believe": _believe,
    "converse": _converse,
    "forget": _forget,
    "edit": lambda mind, npc, at, text: mind.edit(_turn(mind, npc, at), text),
    "delete": lambda mind, npc, at: mind.delete(_turn(mind, npc, at)),
    "observe": lambda mind, text, given: mind.observe("deed", text, **given),
    "state": lambda mind, key, value, scope: mind.set_state({key: value}, scope),
    "clock": lambda mind, time: mind.clock(time),
    "actor": lambda mind, actor, given: mind.actor(actor, **given),
    "end": lambda mind, player, npc: mind.end(player, npc),
}


def shows(mind: Mind) -> dict[str, Any]:
    """All that can be read from a mind, whatever numbers its records have."""
    store = mind.store
    found: dict[str, Any] = {
        "clock": store.game_time(),
        "state": dict(store.state()),
        "events": [(one.kind, one.text, one.actor, one.target, one.place, one.audience) for one in store.events()],
        "exchanges": {npc: store.exchange_count(npc) for npc in NPCS},
        "sessions": {(npc, player): store.session(npc, player) for npc in NPCS for player in (*NPCS, *PLAYERS)},
    }
    for npc in NPCS:
        turns = store.turns(npc)
        at = {one.id: number for number, one in enumerate(turns)}
        found[f"{npc} turns"] = [
            (one.player, one.speaker, one.addressee, one.text, one.mark, one.session, one.roll, one.audience)
            for one in turns
        ]
        found[f"{npc} episodes"] = [(one.text, [at.get(id) for id in one.turns]) for one in store.episodes(npc)]
        found[f"{npc} overheard"] = [one.text for one in store.heard_episodes(npc)]
        found[f"{npc} beliefs"] = [one.text for one in store.beliefs(npc)]
        for player in PLAYERS:
            with mind.working_memory(npc, player, QUERY) as memory:
                found[f"{npc} to {player}"] = memory.text()
                found[f"{npc} to {player}, scores"] = [(one.text, one.score) for one in memory.episodes]
    return found
