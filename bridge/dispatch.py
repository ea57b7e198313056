"""What each frame but ``talk`` asks of the mind. Runs in the clerk's thread; raises the typed error that answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from itertools import accumulate
from typing import Any

from bridge.messages import (
    ActorFrame,
    ClockFrame,
    DeleteFrame,
    DeterminismModel,
    EditFrame,
    EndFrame,
    ExplainFrame,
    ForgetFrame,
    ForgottenFrame,
    HelloFrame,
    LoadFrame,
    MemoriesFrame,
    NpcModel,
    ObserveFrame,
    OkFrame,
    RecallFrame,
    ResultFrame,
    RetryFrame,
    SaveFrame,
    ServerFrame,
    SetStateFrame,
    TalkFrame,
    WelcomeFrame,
    WorkingMemoryFrame,
)
from bridge.protocol import PROTOCOL
from npc_memory.errors import InvalidInput, NotAvailable, UnknownId
from npc_memory.memory import SaveInfo
from npc_memory.mind import Mind
from npc_memory.people import overhearers
from npc_memory.version import __version__

__all__ = ["MOST_TEXT", "SERVED", "serve", "welcome", "who_hears"]

MOST_TEXT = 256 * 1024
"""Bytes of text that the memories of one answer may have together: a client's frames have bounds as well."""


def welcome(frame: HelloFrame, mind: Mind) -> tuple[Mind, WelcomeFrame]:
    """The mind that serves this client, and what he is told of it. Raises ``UnknownId`` for another world."""
    if frame.world is not None and frame.world != mind.world.id:
        raise UnknownId("world", frame.world, [mind.world.id])
    mine = mind.for_owner(frame.owner) if frame.owner else mind
    info = mine.engine.info
    return mine, WelcomeFrame(
        re=frame.id,
        protocol=PROTOCOL,
        server=f"npc-memory {__version__}",
        world=mine.world.id,
        world_version=mine.world.version,
        npcs=[NpcModel(id=npc.id, name=npc.name) for _, npc in sorted(mine.world.npcs.items())],
        model=info.model,
        determinism=DeterminismModel(word=info.determinism.word, reason=info.determinism.reason),
        game_time=mine.game_time,
        slot=mine.store.slot,
    )


def who_hears(frame: TalkFrame | RetryFrame, mind: Mind) -> tuple[str, tuple[str, ...]]:
    """The NPC that ``frame`` is said to, and those who overhear it. Raises ``UnknownId``."""
    if type(frame) is RetryFrame:
        return mind.npc(mind.store.turn(frame.turn).npc).id, mind.store.hearers(frame.turn)
    assert type(frame) is TalkFrame
    npc, store = mind.npc(frame.npc), mind.store
    with store.reading():
        return npc.id, overhearers(mind.world, store, npc, frame.player, frame.place, frame.audience)


def serve(frame: Any, mind: Mind) -> ServerFrame:
    """Do what ``frame`` asks and answer it. Raises ``NotAvailable`` and what the mind raises."""
    served = SERVED.get(type(frame))
    if served is None:
        raise NotAvailable(
            f"{frame.type!r} is not served by npc-memory {__version__} yet", hint="update npc-memory, or do without it"
        )
    return served(frame, mind)


def _observe(frame: ObserveFrame, mind: Mind) -> OkFrame:
    event = mind.observe(
        frame.kind,
        frame.text,
        place=frame.place or "",
        actor=frame.actor or "",
        target=frame.target or "",
        audience=frame.audience,
        importance=frame.importance,
        data=frame.data,
        key=frame.key or "",
    )
    return OkFrame(re=frame.id, event=event)


def _result(frame: ResultFrame, mind: Mind) -> OkFrame:
    mind.result(frame.action, frame.ok, frame.error or "")
    return OkFrame(re=frame.id)


def _set_state(frame: SetStateFrame, mind: Mind) -> OkFrame:
    mind.set_state(frame.entries, frame.scope or "")
    return OkFrame(re=frame.id)


def _actor(frame: ActorFrame, mind: Mind) -> OkFrame:
    mind.actor(
        frame.actor,
        name=frame.name or "",
        place=frame.place or "",
        faction=frame.faction or "",
        alias_of=frame.alias_of or "",
        reborn=bool(frame.reborn),
    )
    return OkFrame(re=frame.id)


def _clock(frame: ClockFrame, mind: Mind) -> OkFrame:
    mind.clock(frame.game_time)
    return OkFrame(re=frame.id)


def _end(frame: EndFrame, mind: Mind) -> OkFrame:
    mind.end(frame.player, frame.npc)
    return OkFrame(re=frame.id)


def _edit(frame: EditFrame, mind: Mind) -> OkFrame:
    mind.edit(frame.turn, frame.text or "")
    return OkFrame(re=frame.id)


def _delete(frame: DeleteFrame, mind: Mind) -> OkFrame:
    mind.delete(frame.turn)
    return OkFrame(re=frame.id)


def _save(frame: SaveFrame, mind: Mind) -> OkFrame:
    slot = frame.slot or mind.store.find_save(frame.save_id or "").slot
    if not slot:
        raise InvalidInput("that save has lost its slot to a later one", hint="name the slot to save under")
    return _saved(frame.id, mind.save(slot))


def _load(frame: LoadFrame, mind: Mind) -> OkFrame:
    # The engine's own file may carry both; its slot may have been overwritten since, the id means what it meant.
    return _saved(frame.id, mind.load(frame.save_id or frame.slot or ""))


def _saved(re: int, save: SaveInfo) -> OkFrame:
    return OkFrame(re=re, slot=save.slot, save_id=save.save_id, game_time=save.game_time)


def _recall(frame: RecallFrame, mind: Mind) -> MemoriesFrame:
    found = mind.recall(frame.npc, frame.query, player=frame.player or "", k=frame.k or 10)
    sizes = accumulate(len(one.text.encode("utf-8")) for one in found)
    fitting = sum(size <= MOST_TEXT for size in sizes)
    return MemoriesFrame(re=frame.id, memories=[one.as_map() for one in found[: max(1, fitting)]])


def _explain(frame: ExplainFrame, mind: Mind) -> WorkingMemoryFrame:
    if frame.audit is not None:
        audit = mind.explain(frame.audit)
        pieces = [(section, text) for section, _, text in audit.prompt]
        return _working_memory(frame.id, pieces, audit.report, mind.efforts.of(frame.audit))
    with mind.working_memory(frame.npc or "", frame.player or "", frame.text or "") as memory:
        pieces = [(segment.section, str(segment)) for segment in memory.segments]
        return _working_memory(frame.id, pieces, asdict(memory.report))


def _forget(frame: ForgetFrame, mind: Mind) -> ForgottenFrame:
    return ForgottenFrame(re=frame.id, counts=mind.forget(frame.player))


def _working_memory(
    re: int, pieces: list[tuple[str, str]], report: dict[str, Any], engine: dict[str, int] | None = None
) -> WorkingMemoryFrame:
    sections: dict[str, str] = {}
    for section, text in pieces:
        sections[section] = sections.get(section, "") + text
    prompt = "".join(text for _, text in pieces)
    return WorkingMemoryFrame(re=re, sections=sections, report=_report(report), prompt=prompt, engine=engine)


def _report(report: dict[str, Any]) -> dict[str, Any]:
    """The budget report in lists and maps; {} when no prompt could be made."""
    if not report:
        return {}
    dropped = [dict(zip(("id", "section", "reason", "cost"), one, strict=True)) for one in report["dropped"]]
    lists = {name: list(report[name]) for name in ("kept", "shortened")}
    return {**report, **lists, "dropped": dropped, "sections": dict(report["sections"])}


SERVED: dict[type, Callable[[Any, Mind], ServerFrame]] = {
    ObserveFrame: _observe,
    ResultFrame: _result,
    SetStateFrame: _set_state,
    ActorFrame: _actor,
    ClockFrame: _clock,
    EndFrame: _end,
    EditFrame: _edit,
    DeleteFrame: _delete,
    SaveFrame: _save,
    LoadFrame: _load,
    RecallFrame: _recall,
    ExplainFrame: _explain,
    ForgetFrame: _forget,
}
