"""A recorded game played again against a bridge, and the first thing that comes out differently.

The rules are a pure function of seed and steps. What is said is one too, because everything reaches the bridge in one
line: a reply depends on what was done before it, never on how quickly. What depends on haste (how far two people got
with each other before the player spoke, how much was out when he cut somebody short) is in the recording.
"""

from __future__ import annotations

import asyncio
from collections import deque

from roguelike.commands import command_from
from roguelike.link import Link, Talk
from roguelike.recording import Recording, Step, state_hash
from roguelike.session import Session
from roguelike.slots import Slots

__all__ = ["replay"]


async def replay(recording: Recording, link: Link, slots: Slots, owner: str) -> str:
    """Play it; return "" when everything came out as recorded, else what was the first that did not. ``link`` has to be
    in lockstep; ``owner``: of a game that nobody has played yet. One that begins from a save needs the bridge that has
    the save, and plays as the save's owner: ``BridgeFault`` (``unknown_id``) when it is not there any more.
    """
    lines = recording.conversations
    if recording.begins is not None:
        session = await Session.resume(recording.begins, link, slots, replayed=lines)
    else:
        session = await Session.new(recording.seed, link, slots, owner, hero=recording.hero, replayed=lines)
    player = _Player(session)
    for number, step in enumerate(recording.steps, 1):
        difference = await player.take(step)
        if difference:
            return f"step {number} of {len(recording.steps)}: {difference}"
    return ""


class _Player:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._talks: deque[Talk] = deque()

    async def take(self, step: Step) -> str:
        """Do one step; return how it came out differently."""
        session = self._session
        match step:
            case ["do", *command]:
                session.act(command_from(command))
            case ["say", npc, text]:
                talk = session.say(npc, text)
                if not talk.by_the_book:
                    self._talks.append(talk)
            case ["heard", *expected]:
                return await self._heard(expected)
            case ["cut", words]:
                await self._cut(words)
            case ["take"] | ["leave"]:
                session.answer_offer(step[0] == "take")
            case ["deal", npc, action, args]:
                session.deal(npc, action, args)
            case ["due", npc]:
                session.approach(npc)
            case ["heir", name]:
                session.next_hero(name)
            case ["state", expected]:
                found = state_hash(session.game.dump())
                return "" if found == expected else f"the rules' state is {found}, it was {expected}"
            case _:
                return f"not a step: {step!r:.80}"
        return ""

    async def _heard(self, expected: Step) -> str:
        talk = self._talks.popleft()
        reply = await talk
        if talk.reply is None:
            return f"no reply to {talk.fields['text']!r} ({reply!r})"
        action = talk.reply.action.name if talk.reply.action else ""
        found = [talk.reply.say, talk.reply.mood, action, talk.reply.fallback]
        return "" if found == expected else f"heard {found}, it was {expected}"

    async def _cut(self, words: str) -> None:
        """Cut her short where she was cut short then: when as much is out, as far as sentences allow."""
        talk = self._talks.popleft()
        while not talk.over and len(talk.words) < len(words):
            await asyncio.sleep(0.001)
        self._session.link.cancel(talk)
        await talk
