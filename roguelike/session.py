"""A game being played: the rules on one side, the memory behind the wire on the other, and no terminal.

What the player does reaches the rules at once. What the rules say happened goes into the link's line, and nothing here
waits for it. What an NPC says comes when it comes; it changes nothing in the game by itself. What she offers to do is
done when the player agrees, by the rules, which may refuse; and the outcome goes back to her memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bridge.client import BridgeFault
from bridge.messages import ActionModel, ReplyFrame
from npc_memory.errors import InvalidInput, NpcMemoryError
from roguelike.ahead import Ahead, within
from roguelike.commands import Command, command_to
from roguelike.game import Game
from roguelike.happenings import Died, Ended, Ending, Happening, LevelChanged, Line, Meeting, Message, Met, Offered
from roguelike.link import Conversation, Link, Talk
from roguelike.plot.asking import EARSHOT
from roguelike.recording import Recording, state_hash
from roguelike.slots import AUTO, SavedGame, Slots
from roguelike.telling import LINES, NOWHERE, tell
from roguelike.view import Done, View

__all__ = ["DECLINED", "Ears", "Offer", "Session"]

SAVE_EVERY = 30
"""Turns after which the game is saved by itself, so that no crash costs more. The save waits in line like all else."""

BUSY = Message("The world holds its breath until the bridge is back.", "dim")
HERO = "Stranger"

SLOT_NAME = "emberfall "
"""What the bridge's slots are called before their number: its own "auto" is another one."""

DECLINED = "the player declined"


@dataclass(frozen=True, slots=True)
class Offer:
    """What an NPC wants to do, as she said it in her last reply; the ``id`` of what the rules have her offer is
    empty. ``unclear``: it does not say which of her wares she means.
    """

    npc: str
    action: ActionModel
    unclear: bool = False


class Ears:
    """What a session tells whoever shows it; everything here may be left as it is."""

    def overheard(self, meeting: Meeting, line: ReplyFrame) -> None:
        """Two NPCs talk with each other."""

    def replied(self, talk: Talk, happenings: tuple[Happening, ...]) -> None:
        """A talk is over: answered, cancelled, or refused; and what the rules make of it."""

    def noted(self, message: Message) -> None:
        """Something about saving, or the bridge."""


class Session:
    """``owner``: whose game this is on the bridge."""

    def __init__(self, game: Game, link: Link, slots: Slots, owner: str, ears: Ears | None = None) -> None:
        self.game, self.link, self.slots, self.owner = game, link, slots, owner
        self.ears = ears or Ears()
        self.recording: Recording | None = None
        self.offer: Offer | None = None
        self.last: Talk | None = None
        self.answered: Talk | None = None
        """The last that has a working memory to look into."""
        self.thought: tuple[str, str] | None = None
        """Whose it is, and the bridge's id of it; also of a game that was loaded."""
        self._epoch = link.epoch
        self._view: View | None = None
        self._ahead = Ahead(link)
        self._said = 0
        self._saved = self._mark()
        self._saved_turn = self.view.turn
        self._conversations: list[Conversation] = []
        self._replayed: list[int] | None = None
        self._tasks: set[asyncio.Future[Any]] = set()

    # -- beginning -----------------------------------------------------------------------------------------------------

    @classmethod
    async def new(
        cls,
        seed: int,
        link: Link,
        slots: Slots,
        owner: str,
        ears: Ears | None = None,
        *,
        hero: str = "",
        replayed: Sequence[int] | None = None,
    ) -> Session:
        """A new game: new rules, and people who have met nobody. ``hero``: what he is called. ``replayed``: how many
        lines each conversation of two NPCs had in the game that is played again.
        """
        await link.play_as(owner)
        session = cls(Game.new(seed, hero or HERO), link, slots, owner, ears)
        session.recording = Recording(seed, hero or HERO)
        session._replayed = None if replayed is None else list(replayed)
        session._told(session.game.opening())
        return session

    @classmethod
    async def load(cls, slot: str, link: Link, slots: Slots, ears: Ears | None = None) -> Session:
        """A saved game: its rules and its memory, or neither. Raises ``InvalidInput`` or ``BridgeFault``."""
        return await cls.resume(slots.read(slot), link, slots, ears)

    @classmethod
    async def resume(
        cls,
        saved: SavedGame,
        link: Link,
        slots: Slots,
        ears: Ears | None = None,
        *,
        replayed: Sequence[int] | None = None,
    ) -> Session:
        """Go on from ``saved``; ``replayed`` as in ``new``. Raises as ``load`` does."""
        game = Game.load(saved.game.encode("utf-8"))
        if link.owner != saved.owner or link.state != "here":
            await link.play_as(saved.owner)
        await link.load(saved.save_id)
        session = cls(game, link, slots, saved.owner, ears)
        session.recording = Recording(0, saved.hero, begins=saved)
        session._replayed = None if replayed is None else list(replayed)
        session.thought = (saved.thinker, saved.audit) if saved.audit else None
        session._ahead.looked(session.view)
        return session

    # -- playing -------------------------------------------------------------------------------------------------------

    @property
    def current(self) -> bool:
        """Whether this is still the game being played: no other one was loaded or begun."""
        return self._epoch == self.link.epoch

    @property
    def view(self) -> View:
        """The game as the hero sees it."""
        if self._view is None:
            self._view = self.game.view()
        return self._view

    def name_of(self, npc: str) -> str:
        """What to call an NPC."""
        welcome = self.link.welcome
        return next((one.name for one in welcome.npcs if one.id == npc), npc) if welcome else npc

    def act(self, command: Command) -> tuple[Happening, ...]:
        """Do it; returns what came of it, in order."""
        if self.link.outbox.full:
            return (BUSY,)
        self._record("do", *command_to(command))
        return self._told(self.game.act(command))

    def say(self, npc: str, text: str, on_words: Callable[[str], None] = lambda words: None) -> Talk:
        """Say ``text`` to somebody near; whoever is in earshot hears it too. ``on_words`` gets hers as they come.

        What the book answers is answered at once, and no model is asked: the talk is over when this returns.
        """
        self._record("say", npc, text)
        self._said += 1
        if self.game.answers(npc, text):
            return self._by_the_book(npc, text)
        view = self.view
        talk = self.last = self.link.talk(
            npc,
            view.hero.id,
            text,
            on_words,
            place=view.place or NOWHERE,
            audience=sorted(who for who in within(view, EARSHOT) if who != npc),
            actions=[str(id) for id in self.game.offers(npc)],
        )
        talk.when_over(lambda: self._over(talk))
        return talk

    def _by_the_book(self, npc: str, text: str) -> Talk:
        talk = self.last = Talk({"npc": npc, "text": text}, lambda words: None, by_the_book=True)
        found = self._told(self.game.asked(npc, text))
        talk.words = " ".join(one.text for one in found if isinstance(one, Line))
        talk.finish(None)
        wares = [one for one in found if isinstance(one, Offered)]
        if wares:
            ware = wares[-1]
            self.offer = Offer(npc, ActionModel(id="", name=ware.action, args=dict(ware.args), label=ware.label))
        self.ears.replied(talk, found)
        return talk

    def answer_offer(self, agree: bool) -> Done:
        """Let her do what she offered, or not. The rules have the last word, and her memory is told of it."""
        offer, self.offer = self.offer, None
        if offer is None:
            return Done(False, "nothing was offered")
        self._record("take" if agree else "leave")
        action = offer.action
        done = self.game.do(offer.npc, action.name, action.args) if agree else Done(False, DECLINED)
        if action.id:
            self.link.put("result", action=action.id, ok=done.ok, error=done.error or None)
        self._told(done.happenings)
        return done

    def deal(self, npc: str, action: str, args: Mapping[str, Any]) -> Done:
        """Ask her outright for something the rules know, without waiting for her to offer it."""
        self._record("deal", npc, action, dict(args))
        done = self.game.do(npc, action, args)
        self._told(done.happenings)
        return done

    def approach(self, npc: str) -> tuple[Happening, ...]:
        """The bridge says that ``npc`` has something on her mind (``due``): she comes up to the hero."""
        self._record("due", npc)
        return self._told(self.game.approach(npc))

    def next_hero(self, name: str) -> tuple[Happening, ...]:
        """Go on as somebody new in the same, remembering world."""
        self._record("heir", name)
        self.game = self.game.next_hero(name)
        return self._told(self.game.opening())

    # -- saving --------------------------------------------------------------------------------------------------------

    async def save(self, slot: str) -> None:
        """Save the game as it is now. Raises ``InvalidInput``, ``BridgeFault``; then the slot holds what it held."""
        dump, view, mark, thought = self.game.dump(), self.view, self._mark(), self.thought or ("", "")
        self._saved_turn = view.turn
        save_id = await self.link.save(SLOT_NAME + slot)
        self.slots.write(
            slot,
            SavedGame(
                owner=self.owner,
                save_id=save_id,
                hero=view.hero.name,
                where=view.level_name,
                when=view.time_text,
                turn=view.turn,
                game=dump.decode("utf-8"),
                thinker=thought[0],
                audit=thought[1],
            ),
        )
        self._saved = mark

    @property
    def unsaved(self) -> bool:
        """Whether something was done or said that no slot holds."""
        return self._mark() != self._saved

    def _mark(self) -> tuple[int, bytes]:
        """What would be lost: it changes with whatever is said, and with whatever the rules keep."""
        return self._said, self.game.dump()

    async def part(self) -> None:
        """Save to the automatic slot on leaving. A reply under way is cut short first: nobody waits for its end.
        Raises as ``save`` does.
        """
        self.link.hush()
        talk = self.last
        if talk is not None and not talk.over:
            self.link.cancel(talk)
            with suppress(NpcMemoryError, BridgeFault):
                await talk
        await self.save(AUTO)

    def autosave(self) -> None:
        """Save to the automatic slot, by and by."""
        task = asyncio.ensure_future(self._autosave())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settled(self) -> None:
        """Return when everything said and saved so far has been answered."""
        while self._tasks:
            await asyncio.gather(*self._tasks)
        await self.link.drained()

    async def _autosave(self) -> None:
        try:
            await self.save(AUTO)
        except (NpcMemoryError, BridgeFault) as error:
            if self.current:
                self.ears.noted(Message(f"Not saved: {error}", "dim"))

    # -- inside --------------------------------------------------------------------------------------------------------

    def _told(self, happenings: Any) -> tuple[Happening, ...]:
        found: tuple[Happening, ...] = tuple(happenings)
        self._view = None
        self._conversations += tell(self.link, found, self._listener, self._lines)
        self._ahead.looked(self.view)
        for one in found:
            if isinstance(one, Met):  # while the player types, the engine reads
                self.link.hush()
                self._ahead.met(one.npc, self.view)
        late = self.view.turn - self._saved_turn >= SAVE_EVERY and not self._tasks
        if late or any(isinstance(one, LevelChanged | Ended | Died | Ending) for one in found):
            self.autosave()
        return found

    def _listener(self, meeting: Meeting) -> Callable[[ReplyFrame], None]:
        return lambda line: self.ears.overheard(meeting, line)

    def _lines(self) -> int:
        if self._replayed is None:
            return LINES
        return self._replayed.pop(0) if self._replayed else 0

    def _over(self, talk: Talk) -> None:
        if not self.current:
            return
        reply = talk.reply
        if reply is None:
            self._record("cut", talk.words)
        else:
            action = reply.action.name if reply.action else ""
            if reply.audit:
                self.answered, self.thought = talk, (reply.npc, reply.audit)
            self._ahead.met(talk.npc, self.view)  # what was just said is read while the player reads
            self._record("heard", reply.say, reply.mood, action, reply.fallback)
            self.offer = self._offered(reply)
        self.ears.replied(talk, self._told(self.game.told(talk.npc, talk.words)))

    def _offered(self, reply: ReplyFrame) -> Offer | None:
        """What she wants to do, if the game would let her; if not, her memory is told why, and the player nothing."""
        if (action := reply.action) is None:
            return None
        error = self.game.refusal(reply.npc, action.name, action.args)
        if error and self.game.refusal(reply.npc, action.name, {}):
            self.link.put("result", action=action.id, ok=False, error=error)
            return None
        return Offer(reply.npc, action, unclear=bool(error))

    def _record(self, *step: Any) -> None:
        if self.recording is not None:
            self.recording.add(*step)

    def recorded(self) -> Recording:
        """What was played so far, since it began or was loaded, closed with a hash of the state it led to. Raises
        ``InvalidInput`` for a session that was neither begun nor loaded.
        """
        if self.recording is None:
            raise InvalidInput("nothing was recorded", hint="begin a game, or load one")
        played = self.recording
        found = Recording(played.seed, played.hero, list(played.steps), begins=played.begins)
        found.conversations = [len(one.lines) for one in self._conversations]
        found.add("state", state_hash(self.game.dump()))
        return found
