"""From a reply to records: both turns, the episode and the audit record, in one transaction (promise P10)."""

from __future__ import annotations

from dataclasses import dataclass

from npc_memory.hearing import Heard
from npc_memory.memory import SILENCE, Authority, TurnMark, TurnRecord
from npc_memory.memory.codec import canonical_json
from npc_memory.prompt import Labels
from npc_memory.recall.importance import importance_of_talk
from npc_memory.speaking import Spoken
from npc_memory.store import Store, Writer
from npc_memory.working_memory.shorten import shortened

__all__ = ["Remembered", "episode_text", "quoted", "remember", "told", "write_answer", "write_audit", "write_episode"]

MAX_QUOTE = 240
"""Longest quote of a line in an episode, in characters; the turn itself is stored whole."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """Ids of what one reply left behind; ``turn`` is the NPC's ("" when nothing of her answer was released), ``roll``:
    how often it has been rolled again.
    """

    asked: str
    turn: str
    episode: str
    audit: str
    roll: int = 0


def remember(store: Store, heard: Heard, spoken: Spoken, payload: str) -> Remembered:
    """Write what was heard and said. All of it is stored, or nothing. Raises ``Superseded`` when a save has been loaded
    since it was heard.

    A fallback line and an interrupted one are marked and barred from episodes; what the player said is remembered all
    the same, unless he broke off himself.
    """
    with store.transaction(heard.epoch) as writer:
        session = heard.session
        if heard.fresh:
            writer.end_session(
                npc=heard.npc.id,
                player=heard.line.player,
                game_time=heard.snapshot.game_time,
                authority=Authority.GAME,
                provenance=(SILENCE,),
            )
            session += 1
        asked = write_turn(writer, heard, session, by_player=True, text=heard.line.text, mark=_mark_of_line(spoken))
        answered = write_answer(writer, heard, session, spoken) if spoken.say else None
        episode = None if spoken.mark == "interrupted" else write_episode(writer, heard, spoken, asked, answered)
        audit = write_audit(writer, heard, asked, answered, payload)
    return Remembered(asked.id, answered.id if answered else "", episode or "", audit)


def write_audit(writer: Writer, heard: Heard, asked: TurnRecord, answered: TurnRecord | None, payload: str) -> str:
    """Write the black box of a reply; return its id."""
    audit = writer.audit(
        npc=heard.npc.id,
        player=heard.line.player,
        turn=(answered or asked).id,
        asked=asked.id,
        game_time=heard.snapshot.game_time,
        payload=payload,
        authority=Authority.REPLY,
    )
    return audit.id


def write_answer(writer: Writer, heard: Heard, session: int, spoken: Spoken) -> TurnRecord:
    """Write her answer."""
    return write_turn(writer, heard, session, by_player=False, text=spoken.say, mark=spoken.mark, spoken=spoken)


def _mark_of_line(spoken: Spoken) -> TurnMark:
    return "interrupted" if spoken.mark == "interrupted" else ""


def write_turn(
    writer: Writer,
    heard: Heard,
    session: int,
    *,
    by_player: bool,
    text: str,
    mark: TurnMark,
    spoken: Spoken | None = None,
) -> TurnRecord:
    """Write the player's line, or hers."""
    npc, player = heard.npc.id, heard.line.player
    return writer.turn(
        npc=npc,
        player=player,
        session=session,
        speaker=player if by_player else npc,
        addressee=npc if by_player else player,
        text=text,
        game_time=heard.snapshot.game_time,
        place=heard.place,
        audience=heard.audience,
        overheard=heard.overheard,
        mark=mark,
        mood=spoken.mood if spoken else "",
        action=canonical_json(spoken.action) if spoken and spoken.action else "",
        provenance=("player",) if by_player else ("reply",),
        authority=Authority.GAME if by_player else Authority.REPLY,
    )


def write_episode(writer: Writer, heard: Heard, spoken: Spoken, asked: TurnRecord, answered: TurnRecord | None) -> str:
    """Write the episode that tells the exchange; return its id. A marked answer is left out of it."""
    sources = [asked] + ([answered] if answered and not spoken.mark else [])
    answer = spoken.say if len(sources) > 1 else ""
    episode = writer.episode(
        npc=heard.npc.id,
        text=episode_text(heard, answer),
        kind="talk",
        importance=importance_of_talk(heard.line.text, answer, first=heard.first),
        game_time=heard.snapshot.game_time,
        turns=tuple(turn.id for turn in sources),
        speaker=heard.line.player,
        addressee=heard.npc.id,
        place=heard.place,
        audience=heard.audience,
        overheard=heard.overheard,
        provenance=tuple(turn.id for turn in sources),
        authority=Authority.REPLY,
    )
    return episode.id


def episode_text(heard: Heard, answer: str) -> str:
    """How an exchange is told later: the player's own words, and hers.

    Names are labels and quotation marks inside a quote become single ones, so that no words of a player can close the
    quote and go on as if they were a memory.
    """
    labels = Labels(heard.snapshot)
    return told(labels.player, heard.line.text, labels.npc, answer)


def told(player: str, line: str, npc: str, answer: str) -> str:
    """The same for any exchange, with the labels of both; ``answer`` "": there is none to be told."""
    asked = f'{player} said: "{quoted(line)}"'
    return f'{asked} {npc} answered: "{quoted(answer)}"' if answer else asked


def quoted(text: str) -> str:
    """``text`` as it may stand between quotation marks."""
    return shortened(text.translate(_SINGLE), MAX_QUOTE)


_SINGLE = {ord(mark): "'" for mark in '"“”„‟«»＂'}
