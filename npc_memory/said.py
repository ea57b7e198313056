"""What two NPCs who talk with each other remember of it: every line lies in both memories, or in neither."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from npc_memory.exchanges import copies_of
from npc_memory.hearing import Heard, Parties
from npc_memory.memory import SILENCE, Authority
from npc_memory.people import names
from npc_memory.prompt import Labels
from npc_memory.recall.importance import importance_of_talk
from npc_memory.remembering import told
from npc_memory.speaking import Spoken
from npc_memory.store import Store, Writer
from npc_memory.world import World

__all__ = ["Said", "remember_cut_off", "remember_said", "remember_unanswered"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A line as both remember it. ``turns``: its id in each one's memory, by NPC; ``audit``: id of its record.
    ``names``: the speaker's label and the listener's, as the speaker's prompt has them.

    ``unanswered``: it is in no episode yet, and may come into one together with the answer.
    """

    speaker: str
    listener: str
    names: tuple[str, str]
    text: str
    place: str
    overheard: tuple[str, ...]
    game_time: int
    turns: Mapping[str, str]
    audit: str
    unanswered: bool


def remember_said(
    store: Store, heard: Heard, spoken: Spoken, payload: str, *, before: Said | None, fresh: Mapping[str, bool]
) -> Said:
    """Write what ``heard.npc`` said to the other: a turn in both memories, the audit record, and if ``before`` has
    waited for an answer, an episode of the two lines, the same for both. All of it is stored, or nothing.

    ``fresh``: by NPC, whether her last talk with the other is over and this line begins a new one.
    """
    speaker, listener = heard.npc.id, heard.line.player
    labels = Labels(heard.snapshot)
    answers = before if before is not None and before.unanswered else None
    with store.transaction(heard.epoch) as writer:
        mine = _turn(writer, store, heard, spoken, speaker, listener, fresh[speaker], "reply")
        theirs = _turn(writer, store, heard, spoken, listener, speaker, fresh[listener], mine)
        audit = writer.audit(
            npc=speaker,
            player=listener,
            turn=mine,
            asked=before.turns[speaker] if before is not None else "",
            game_time=heard.snapshot.game_time,
            payload=payload,
            authority=Authority.REPLY,
        )
        said = Said(
            speaker=speaker,
            listener=listener,
            names=(labels.npc, labels.player),
            text=spoken.say,
            place=heard.place,
            overheard=heard.overheard,
            game_time=heard.snapshot.game_time,
            turns={speaker: mine, listener: theirs},
            audit=audit.id,
            unanswered=answers is None and not spoken.mark,
        )
        if answers is not None:
            _episodes(writer, answers, None if spoken.mark else said)
    return said


def remember_unanswered(writer: Writer, said: Said) -> None:
    """The talk ends with ``said``: an episode of that line alone, for both."""
    _episodes(writer, said, None)


def remember_cut_off(world: World, store: Store) -> None:
    """Make up for a process that died between a line and its answer: an episode of that line alone, for both. Only the
    newest line of an NPC can be such a one.
    """
    for npc in world.npcs:
        newest = store.newest_turn(npc)
        if newest is None or newest.speaker != npc or not store.untold(newest.id):
            continue
        lines = {store.turn(one).npc: one for one in copies_of(store, newest.id)}
        if len(lines) == 1:  # the other one's is gone, or a player was told it
            continue
        labels = Labels(Parties(npc, newest.addressee, names(world, store)))
        said = Said(
            speaker=npc,
            listener=newest.addressee,
            names=(labels.npc, labels.player),
            text=newest.text,
            place=newest.place,
            overheard=store.hearers(newest.id),
            game_time=newest.game_time,
            turns=lines,
            audit="",
            unanswered=True,
        )
        with store.transaction() as writer:
            remember_unanswered(writer, said)


def _turn(
    writer: Writer, store: Store, heard: Heard, spoken: Spoken, npc: str, other: str, fresh: bool, origin: str
) -> str:
    now = heard.snapshot.game_time
    if fresh:
        writer.end_session(npc=npc, player=other, game_time=now, authority=Authority.GAME, provenance=(SILENCE,))
    turn = writer.turn(
        npc=npc,
        player=other,
        session=store.session(npc, other),
        speaker=heard.npc.id,
        addressee=heard.line.player,
        text=spoken.say,
        game_time=now,
        place=heard.place,
        audience=heard.audience,
        overheard=heard.overheard if npc == heard.npc.id else (),
        mark=spoken.mark,
        mood=spoken.mood,
        provenance=(origin,),
        authority=Authority.REPLY,
    )
    return turn.id


def _episodes(writer: Writer, first: Said, answer: Said | None) -> None:
    lines = (first,) if answer is None else (first, answer)
    # Two of one name are told apart as the one who answers does.
    name, text = (first.names[0], "") if answer is None else (answer.names[1], answer.text)
    words = told(name, first.text, answer.names[0] if answer else "", text)
    for npc in (first.speaker, first.listener):
        turns = tuple(one.turns[npc] for one in lines)
        writer.episode(
            npc=npc,
            text=words,
            kind="talk",
            importance=importance_of_talk(first.text, text),
            game_time=lines[-1].game_time,
            turns=turns,
            speaker=first.speaker,
            addressee=first.listener,
            place=first.place,
            audience=(first.speaker, first.listener, *first.overheard),
            overheard=first.overheard if npc == first.speaker else (),
            provenance=turns,
            authority=Authority.REPLY,
        )
