"""The workload: a town of NPCs whose prompts the real working memory builds.

Emberfall's people and, beyond them, copies of other names; each talks with a player of his own. Facts, state, rules,
reminders and the aligned window of the dialogue are what ``hear`` gives; the lines, the answers, three episodes and
two beliefs that change each turn are given here, so that all who are measured see the same prompts.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from npc_memory.hearing import Line, hear, policy_for
from npc_memory.inference import Engine, GenerationRequest, Priority, TokenCounter
from npc_memory.memory import Authority, Belief, Episode, Snapshot
from npc_memory.prompt import prefixes
from npc_memory.prompt_files import PromptFile, template_for
from npc_memory.reply import ReplySpec, reply_seed
from npc_memory.speaking import begins_alike, request_for
from npc_memory.store import Store
from npc_memory.working_memory import WorkingMemoryBuilder
from npc_memory.world import load_world

__all__ = ["Prompt", "Town"]

EPISODES, BELIEFS = 3, 2
MINUTES = 5
"""Game minutes from one turn to the next."""

COPIES = "Odo Runa Silas Thea Ulf Vera Wick Yrsa Abel Bera Cato Dora Egon Frida Goran Hedda".split()
LINES = (
    "Is the king well?",
    "What happened to the north bridge?",
    "I need bread for the road. Who sells it?",
    "Have you seen a man with a grey hood?",
    "Where can I sleep tonight?",
    "They say the crypt is locked. Why?",
    "Who keeps the peace in this town?",
    "I am looking for my brother. He came here in spring.",
)
ANSWERS = (
    "I know what everybody knows, stranger, and no more than that.",
    "Ask at the market when the bell has rung. They hear everything there.",
    "You would do well to keep such questions for daylight.",
    "I have seen many come through this year. Few of them stayed.",
    "That is a long story, and I have work to finish before dark.",
)
PLACES = "market ferry mill cellar gate chapel orchard quarry well tannery".split()
DEEDS = (
    '{who} said: "I left a sack of flour at the {place}." {npc} answered: "Then somebody has eaten well."',
    "{npc} saw {who} at the {place} after dark with a lantern under the cloak.",
    '{who} said: "I will pay you in silver." {npc} answered: "Silver is always welcome at the {place}."',
    "{who} and a carter quarrelled at the {place} about the price of salt.",
    "{npc} found the lock of the {place} broken in the morning and told the watch.",
)
BELIEVED = (
    "{who} owes money to somebody at the {place}.",
    "{who} is not telling the whole truth about the {place}.",
    "{who} was a soldier once.",
    "Something is hidden at the {place}.",
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: the request the product would make of it, and where in its segments what begins.

    ``last``: begin of the last exchange; ``steady``: begin of the volatile tail, the same while there was no exchange.
    """

    request: GenerationRequest
    last: int
    steady: int

    @property
    def text(self) -> str:
        """The whole prompt."""
        return "".join(self.request.segments)

    def warm(self) -> GenerationRequest:
        """The request that computes all before the volatile tail ahead."""
        segments = self.request.segments[: self.steady]
        return replace(self.request, segments=segments, max_tokens=0, grammar=None, priority=Priority.WARM)


class Town:
    """``npcs`` people; ``engine`` counts their tokens. ``reply``: tokens asked for, at most."""

    def __init__(self, engine: Engine, prompt: PromptFile, npcs: int, reply: int, world: str = "emberfall") -> None:
        self.engine, self.prompt, self.npcs, self.reply = engine, prompt, npcs, reply
        self.world = load_world(world)
        self._store = Store.open(":memory:", world=self.world.id, world_version=self.world.version)
        self._policy = policy_for(self.world, prompt, engine.info.n_ctx)
        self._builder = WorkingMemoryBuilder(self._policy, TokenCounter(engine), template_for(prompt, engine.info))
        self._people = sorted(self.world.npcs)
        self.turn = -1  # the last one whose prompts were made
        self.first_turn: list[Prompt] = []

    def close(self) -> None:
        """Forget everything."""
        self._store.close()

    def spec(self) -> ReplySpec:
        """What the first of them may reply."""
        return self._heard(0, LINES[0])[0]

    def prompts(self, turn: int) -> list[Prompt]:
        """The prompts of all NPCs in their ``turn``-th turn; turns are taken in order, each once."""
        assert turn == self.turn + 1, "a turn was left out"
        self.turn = turn
        with self._store.transaction() as write:
            write.clock(authority=Authority.GAME, game_time=self.world.start_time + MINUTES * turn)
        made = [self._prompt(number, turn) for number in range(self.npcs)]
        for number in range(self.npcs):
            self._remember(number, turn)
        if turn == 0:
            self.first_turn = made
        return made

    def _base(self, number: int) -> tuple[str, str, str]:
        """Id in the world pack, id and name in this town."""
        base = self._people[number % len(self._people)]
        name = self.world.npc(base).name
        copy = number // len(self._people)
        return (base, f"{base}-{copy}", f"{COPIES[number % len(COPIES)]} {name}") if copy else (base, base, name)

    def _prompt(self, number: int, turn: int) -> Prompt:
        line = LINES[(turn + number) % len(LINES)]
        spec, snapshot, exchange = self._heard(number, line)
        memories = self._memories(number, turn, snapshot)
        with self._builder.build(memories) as memory:
            segments = memory.segments
        request = request_for(
            self.engine,
            spec,
            segments,
            "",
            seed=reply_seed(self.world.seed, snapshot.npc, exchange, 0),
            sampling=self.prompt.sampling,
            deadline=None,
            conversation=begins_alike(snapshot.npc, ""),
        )
        steady = prefixes(segments).steady
        asked = [
            i
            for i, one in enumerate(segments[:steady])
            if one.section == "dialogue" and one.startswith(f"player-{number}:")
        ]
        return Prompt(replace(request, max_tokens=self.reply), asked[-1] if asked else steady, steady)

    def _heard(self, number: int, line: str) -> tuple[ReplySpec, Snapshot, int]:
        base, id, name = self._base(number)
        heard = hear(
            self.world,
            self._store,
            Line(npc=base, player=f"player-{number}", text=line),
            self.prompt,
            self._policy.max_exchanges,
        )
        shot = heard.snapshot
        if id != base:
            called = {base: id, f"player-{number}": f"player-{number}"}
            shot = replace(
                shot,
                npc=id,
                persona=shot.persona.replace(self.world.npc(base).name.split()[0], name.split()[0]),
                names={**dict(shot.names), id: name},
                dialogue=[
                    replace(
                        turn, speaker=called.get(turn.speaker, turn.speaker), addressee=called.get(turn.addressee, "")
                    )
                    for turn in shot.dialogue
                ],
            )
        return heard.spec, shot, heard.exchange

    def _memories(self, number: int, turn: int, shot: Snapshot) -> Snapshot:
        draw = random.Random(f"{number} {turn}")
        npc = dict(shot.names)[shot.npc]

        def fill(text: str) -> str:
            return text.format(who=f"player-{draw.randrange(8)}", npc=npc, place=draw.choice(PLACES))

        episodes = [
            Episode(f"e{turn}-{i}", fill(text), score=0.9 - i / 10, game_time=shot.game_time - draw.randrange(60, 9000))
            for i, text in enumerate(draw.sample(DEEDS, EPISODES))
        ]
        beliefs = [
            Belief(f"b{turn}-{i}", fill(text), confidence=draw.choice((0.3, 0.7)), score=0.9 - i / 10)
            for i, text in enumerate(draw.sample(BELIEVED, BELIEFS))
        ]
        return replace(shot, episodes=episodes, beliefs=beliefs)

    def _remember(self, number: int, turn: int) -> None:
        base, _, _ = self._base(number)
        player = f"player-{number}"
        with self._store.transaction() as write:
            for speaker, addressee, text, rank in (
                (player, base, LINES[(turn + number) % len(LINES)], Authority.GAME),
                (base, player, ANSWERS[(turn * 3 + number) % len(ANSWERS)], Authority.REPLY),
            ):
                write.turn(
                    authority=rank, npc=base, player=player, speaker=speaker, addressee=addressee, text=text,
                    game_time=self.world.start_time + MINUTES * turn,
                )  # fmt: skip
