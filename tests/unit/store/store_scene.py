"""Small scenes for the tests of the store."""

from __future__ import annotations

from npc_memory.memory import Authority, EpisodeRecord, TurnRecord
from npc_memory.store import Store, Writer

GAME, REPLY = Authority.GAME, Authority.REPLY


def ask(write: Writer, text: str, npc: str = "marta", player: str = "p1") -> TurnRecord:
    """The player's line."""
    return write.turn(authority=GAME, npc=npc, player=player, speaker=player, addressee=npc, text=text)


def say(write: Writer, text: str, npc: str = "marta", player: str = "p1") -> TurnRecord:
    """The NPC's line."""
    return write.turn(authority=REPLY, npc=npc, player=player, speaker=npc, addressee=player, text=text)


def exchange(
    store: Store, line: str, answer: str, npc: str = "marta", player: str = "p1"
) -> tuple[TurnRecord, TurnRecord, EpisodeRecord]:
    """One reply's transaction: line, answer, episode."""
    with store.transaction() as write:
        asked, said = ask(write, line, npc, player), say(write, answer, npc, player)
        episode = write.episode(authority=REPLY, npc=npc, text=f"{line} {answer}", turns=(asked.id, said.id))
    return asked, said, episode


def texts(store: Store, npc: str = "marta", player: str = "p1", session: int | None = None) -> list[str]:
    """The texts of a conversation."""
    return [turn.text for turn in store.dialogue(npc, player, session)]
