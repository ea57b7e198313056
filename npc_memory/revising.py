"""Taking words back: an answer rolled again, a line edited or deleted, and what was made from them (by provenance).

Nothing is lost by it: a save from before still shows what was said then.
"""

from __future__ import annotations

from dataclasses import replace

from npc_memory.audit import Audit
from npc_memory.errors import InvalidInput
from npc_memory.exchanges import Exchange, copies_of, made_from, retire, talks_in
from npc_memory.hearing import Heard, Line, Parties, check_line, hear
from npc_memory.memory import Authority, EpisodeRecord, TurnRecord
from npc_memory.memory.codec import canonical_json
from npc_memory.outcomes import outcomes_of, write_outcome
from npc_memory.people import names
from npc_memory.prompt import Labels
from npc_memory.prompt_files import PromptFile
from npc_memory.recall.importance import FIRST_MEETING, importance_of_talk
from npc_memory.remembering import Remembered, told, write_answer, write_audit, write_episode
from npc_memory.speaking import MOST_ATTEMPTS, Spoken
from npc_memory.store import Store, Writer
from npc_memory.store.ids import seq_of
from npc_memory.world import World

__all__ = ["delete_turn", "edit_turn", "hear_again", "remember_again"]


def hear_again(
    world: World, store: Store, old: Exchange, text: str | None, prompt: PromptFile, max_exchanges: int | None
) -> Heard:
    """Hear the line of ``old`` once more (or ``text`` in its place) as things are now, but as if it had not been
    answered. Its answer draws the numbers of the same exchange and of attempts that have not been made.
    """
    asked = old.asked
    line = Line(
        npc=asked.npc,
        player=asked.player,
        text=asked.text if text is None else text,
        place=asked.place or None,
        audience=tuple(one for one in asked.audience if one not in (asked.npc, asked.player)),
        actions=_offered(store, old),
    )
    with store.rehearsal() as writer:
        retire(store, writer, [*made_from(store, old.ids), *old.ids], "heard again", rehearsed=True)
        heard = hear(world, store, line, prompt, max_exchanges)
    heard = replace(heard, session=asked.session, fresh=False)
    if old.said is None:
        return heard
    exchange = store.exchange_number(old.said.id) - 1
    return replace(heard, exchange=exchange, attempt=MOST_ATTEMPTS * (old.said.roll + 1))


def remember_again(store: Store, heard: Heard, spoken: Spoken, payload: str, old: Exchange) -> Remembered:
    """Write what is said in the place of ``old``: all of it is stored, or nothing. Raises ``Superseded``."""
    with store.transaction(heard.epoch) as writer:
        stale = made_from(store, old.ids)
        asked = _asked_again(store, writer, heard, old.asked)
        if old.said is None:
            said = write_answer(writer, heard, old.asked.session, spoken)
        else:
            writer.revise(
                turn=old.said.id,
                text=spoken.say,
                again=True,
                mark=spoken.mark,
                mood=spoken.mood,
                action=canonical_json(spoken.action) if spoken.action else "",
                game_time=heard.snapshot.game_time,
                provenance=("reply",),
                authority=max(Authority.REPLY, old.said.authority),
            )
            said = store.turn(old.said.id)
        retire(store, writer, stale, "said anew")
        episode = write_episode(writer, heard, spoken, asked, said)
        audit = write_audit(writer, heard, asked, said, payload)
    return Remembered(asked.id, said.id, episode, audit, said.roll)


def edit_turn(world: World, store: Store, turn: str, text: str) -> None:
    """``turn`` says ``text``, in both memories if two NPCs talked; what told of the exchange tells it anew, what else
    was made from it is taken back.
    """
    with store.transaction() as writer:
        said = store.turn(turn)
        clean = check_line(Line(npc=said.npc, player=said.player, text=text)).text
        lines = copies_of(store, turn)
        stale = made_from(store, lines)
        talks, outcomes = talks_in(store, stale), outcomes_of(store, turn)
        authority = max(Authority.GAME, said.authority)
        for line in lines:
            writer.revise(turn=line, text=clean, mood=said.mood, action=said.action, authority=authority)
        retire(store, writer, stale, "edited")
        for one in talks:
            _tell_anew(world, store, writer, one)
        for one in outcomes:  # what she wanted is as it was, and so is what became of it
            write_outcome(writer, store.turn(turn), one.kind, one.text, one.game_time)


def delete_turn(world: World, store: Store, turn: str) -> None:
    """``turn`` was not said, as far as anyone remembers; nor is anything left that was made from it."""
    with store.transaction() as writer:
        lines = copies_of(store, turn)
        stale = made_from(store, lines)
        talks = talks_in(store, stale)
        retire(store, writer, [*stale, *lines], "deleted")
        for one in talks:
            _tell_anew(world, store, writer, one)


def _asked_again(store: Store, writer: Writer, heard: Heard, asked: TurnRecord) -> TurnRecord:
    if (heard.line.text, "") != (asked.text, asked.mark):
        authority = max(Authority.GAME, asked.authority)
        writer.revise(turn=asked.id, text=heard.line.text, game_time=heard.snapshot.game_time, authority=authority)
    return store.turn(asked.id)


def _tell_anew(world: World, store: Store, writer: Writer, told_before: EpisodeRecord) -> None:
    """An episode of what is left of the exchange that ``told_before`` told, if the player's line is. None where one of
    the two is somebody else by now: a memory made today would be theirs.
    """
    known, seq = store.identities(), told_before.seq
    if any(id and known.at(id, seq) != known.now(id) for id in (told_before.speaker, told_before.addressee)):
        return
    left = [one for one in store.turns(told_before.npc) if one.id in told_before.turns and not one.mark]
    asked = next((one for one in left if one.speaker == told_before.speaker), None)
    if asked is None:
        return
    answers = [one for one in left if one.speaker != told_before.speaker]
    labels = Labels(Parties(told_before.addressee or told_before.npc, asked.speaker, names(world, store)))
    turns, answer = tuple(one.id for one in [asked, *answers]), answers[0].text if answers else ""
    writer.episode(
        npc=told_before.npc,
        text=told(labels.player, asked.text, labels.npc, answer),
        kind=told_before.kind,
        importance=importance_of_talk(asked.text, answer, first=told_before.importance == FIRST_MEETING),
        game_time=told_before.game_time,
        turns=turns,
        speaker=told_before.speaker,
        addressee=told_before.addressee,
        place=told_before.place,
        audience=told_before.audience,
        overheard=store.hearers(told_before.id),
        provenance=turns,
        authority=max(Authority.REPLY, told_before.authority),
    )


def _offered(store: Store, old: Exchange) -> tuple[str, ...] | None:
    """The actions the game offered when the answer was made; None (all) when that is not known any more."""
    made = [id for id in store.derived_from(old.ids[-1]) if seq_of(id)[0] == "audit"]
    try:
        spec = Audit.from_payload(store.audit(made[-1]).payload).spec if made else {}
        return tuple(str(action["id"]) for action in spec["actions"]) if spec else None
    except InvalidInput:  # erased, or written by a version of long ago
        return None
