"""What became of an action an NPC wanted, as she remembers it beside what she said.

It is an episode of hers, made from the turn in which she wanted it. So it goes where the turn goes: it is not there in
an older save, and when the answer is rolled again or deleted it is taken back.
"""

from __future__ import annotations

from collections.abc import Iterable

from npc_memory.memory import AgendaItem, Authority, EpisodeRecord, TurnRecord
from npc_memory.store import Store, Writer

__all__ = ["DONE", "REFUSED", "outcomes_of", "outcomes_shown", "write_outcome"]

DONE, REFUSED = "action-done", "action-refused"
"""The kinds of episodes that tell it."""

IMPORTANCE = {DONE: 0.4, REFUSED: 0.5}

MOST_SHOWN = 3
"""Of how many of the newest actions she is told in each prompt what became of them."""


def outcomes_of(store: Store, turn: str) -> tuple[EpisodeRecord, ...]:
    """The episodes that tell what became of what was wanted in ``turn``: one at most."""
    made = [id for id in store.derived_from(turn) if id.startswith("e")]
    return tuple(one for one in map(store.episode, made) if one.kind in IMPORTANCE)


def write_outcome(writer: Writer, turn: TurnRecord, kind: str, text: str, game_time: int) -> str:
    """Write the episode; return its id. It names no ``turns``: it is never left out because those are shown."""
    episode = writer.episode(
        npc=turn.npc,
        text=text,
        kind=kind,
        importance=IMPORTANCE[kind],
        game_time=game_time,
        speaker=turn.speaker,
        addressee=turn.addressee,
        place=turn.place,
        audience=tuple(sorted({turn.speaker, turn.addressee})),
        provenance=(turn.id,),
        authority=Authority.GAME,
    )
    return episode.id


def outcomes_shown(store: Store, turns: Iterable[TurnRecord]) -> tuple[AgendaItem, ...]:
    """What became of what was wanted in these ``turns``, to stand in the prompt while they do; newest first."""
    wanting = [one.id for one in turns if one.action][-MOST_SHOWN:]
    found = [outcome for turn in wanting for outcome in outcomes_of(store, turn)]
    return tuple(AgendaItem(id=one.id, text=one.text, score=float(n)) for n, one in enumerate(found, 1))[::-1]
