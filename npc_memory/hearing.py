"""From a line heard to the frozen input of the reply: store and world and recall, brought together in a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from npc_memory.conversation import conversation
from npc_memory.errors import InvalidInput, TextTooLong
from npc_memory.guarding import claims_of
from npc_memory.memory import Snapshot, StateEntry, StateValue, Turn, check_id, clean_text
from npc_memory.prompt_files import PromptFile
from npc_memory.recall import recall_reminders
from npc_memory.recalling import recalled_beliefs, recalled_episodes
from npc_memory.reply import ActionSpec, ReplySpec, max_tokens
from npc_memory.reply.guard import Claim
from npc_memory.store import Store, View
from npc_memory.working_memory import BudgetPolicy
from npc_memory.world import Npc, World

__all__ = [
    "MAX_TEXT_BYTES",
    "SESSION_GAP",
    "Heard",
    "Line",
    "bare_snapshots",
    "hear",
    "policy_for",
    "spec_for",
]

MAX_TEXT_BYTES = 64 * 1024
"""Longest text accepted, in bytes of UTF-8."""

SESSION_GAP = 6 * 60
"""Game minutes of silence after which a conversation is a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What a player said to whom. ``place``: where, if not where the NPC is at home. ``actions``: ids of the actions
    the game offers now, None for all the pack lists. ``audience``: others who could hear it.
    """

    npc: str
    player: str
    text: str
    place: str | None = None
    audience: tuple[str, ...] = ()
    actions: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A line and all that its reply may draw on. ``exchange``: lines this NPC has answered before, part of the seed.
    ``fresh``: the last conversation with this player is over, this line begins a new one. ``claims``: what the reply
    may not contradict. ``own_lines``: what she said last in this conversation, oldest first. ``epoch``: that of the
    store, so that nothing is stored after a load. ``attempt``: from where attempts are counted for the seed.
    """

    line: Line
    npc: Npc
    place: str
    audience: tuple[str, ...]
    session: int
    fresh: bool
    exchange: int
    snapshot: Snapshot
    spec: ReplySpec
    own_lines: tuple[str, ...]
    claims: tuple[Claim, ...]
    epoch: int = 0
    attempt: int = 0


def check_line(line: Line) -> Line:
    """Refuse what cannot be a line (``InvalidInput``, ``TextTooLong``); clean the rest."""
    check_id(line.npc, "npc")
    check_id(line.player, "player")
    if line.place is not None:
        check_id(line.place, "place")
    if line.player == line.npc:
        raise InvalidInput(f"{line.npc!r} cannot talk to herself", hint="give the player an id no NPC has")
    if not isinstance(line.text, str):
        raise InvalidInput(f"a line must be text, not {type(line.text).__name__}", hint="pass a str")
    size = len(line.text.encode("utf-8", "surrogatepass"))
    if size > MAX_TEXT_BYTES:
        raise TextTooLong("the player's line", size, MAX_TEXT_BYTES)
    text = clean_text(line.text)
    if not text.strip():
        raise InvalidInput("the line is empty", hint="say something; nothing was stored")
    return replace(line, text=text)


def spec_for(npc: Npc, prompt: PromptFile, offered: Sequence[str] | None = None) -> ReplySpec:
    """What ``npc`` may reply in the template's shape: her moods and those of her actions that are ``offered``."""
    unknown = [id for id in offered or () if id not in {action.id for action in npc.actions}]
    if unknown:
        raise InvalidInput(
            f"{npc.id!r} has no action {unknown[0]!r}", hint=f"hers: {', '.join(a.id for a in npc.actions) or 'none'}"
        )
    actions = tuple(
        ActionSpec(action.id, tuple(arg.id for arg in action.args))
        for action in npc.actions
        if offered is None or action.id in offered
    )
    return ReplySpec(moods=npc.moods, actions=actions, max_chars=prompt.max_chars, shape=prompt.shape)


def policy_for(world: World, prompt: PromptFile, n_ctx: int) -> BudgetPolicy:
    """The policy for a window of ``n_ctx`` tokens: what the longest reply of any NPC leaves."""
    longest = max((max_tokens(spec_for(npc, prompt)) for npc in world.npcs.values()), default=0)
    return BudgetPolicy.for_context(n_ctx, reply=max(128, longest))


def hear(world: World, store: Store, line: Line, prompt: PromptFile, max_exchanges: int | None) -> Heard:
    """Take the snapshot of the reply to ``line``; reads, never writes. Raises ``UnknownId`` and what ``check_line``
    and ``spec_for`` raise.
    """
    line = check_line(line)
    npc = world.npc(line.npc)
    now = store.game_time()
    talk = conversation(store, npc.id, line.player, max_exchanges)
    fresh = talk.last is not None and now - talk.last > SESSION_GAP
    place = line.place if line.place is not None else place_of(store, npc)
    factions = factions_of(store, npc)
    audience = tuple(sorted({npc.id, line.player, *line.audience}))
    state = store.state()
    facts = world.facts_for(npc.id, state, place=place, factions=factions)
    entries = world.state_for(npc.id, state, place=place, factions=factions)
    called = names(world, store)
    snapshot = Snapshot(
        npc=npc.id,
        persona=npc.persona,
        player=line.player,
        player_line=line.text,
        game_time=now,
        rules=world.rules,
        examples=npc.examples,
        canonical_facts=facts,
        world_state=entries,
        pinned=recall_reminders(line.text, facts, entries),
        dialogue=() if fresh else [Turn(t.id, t.speaker, t.text, t.game_time, t.addressee) for t in talk.offered],
        episodes=recalled_episodes(store, npc.id, line.text, line.player, called, now),
        beliefs=recalled_beliefs(store, npc.id, line.text, now),
        names=called,
        time_text=world.time_text(now),
    )
    return Heard(
        line=line,
        npc=npc,
        place=place,
        audience=audience,
        session=talk.session,
        fresh=fresh,
        exchange=store.exchange_count(npc.id),
        snapshot=snapshot,
        spec=spec_for(npc, prompt, line.actions),
        own_lines=() if fresh else talk.own_lines,
        claims=claims_of(world, facts, entries),
        epoch=store.epoch,
    )


def bare_snapshots(
    world: World, store: View, npc: Npc, state: Mapping[tuple[str, str], StateValue], places: Iterable[str]
) -> Iterator[Snapshot]:
    """The mandatory part of any reply of ``npc`` at ``places`` under ``state``: for judging a write. Places where she
    is told the same count once.

    The date is the longest the calendar knows, so that no clock can bring more.
    """
    factions, called, now = factions_of(store, npc), names(world, store), store.game_time()
    longest = world.calendar.longest() if world.calendar else ""
    seen: set[tuple[tuple[str, ...], tuple[StateEntry, ...]]] = set()
    for place in places:
        facts = world.facts_for(npc.id, state, place=place, factions=factions)
        entries = world.state_for(npc.id, state, place=place, factions=factions)
        told = tuple(fact.id for fact in facts), entries
        if told in seen:
            continue
        seen.add(told)
        yield Snapshot(
            npc=npc.id,
            persona=npc.persona,
            player="player",
            player_line="",
            game_time=now,
            rules=world.rules,
            canonical_facts=facts,
            world_state=entries,
            names=called,
            time_text=longest,
        )


def place_of(store: View, npc: Npc) -> str:
    """Where ``npc`` is: where the game last said, else where the pack put her."""
    actor = store.actors().get(npc.id)
    return actor.place if actor is not None and actor.place else npc.place


def factions_of(store: View, npc: Npc) -> tuple[str, ...]:
    """Whom ``npc`` belongs to: as the game last said, else as the pack says."""
    actor = store.actors().get(npc.id)
    return (actor.faction,) if actor is not None and actor.faction else npc.factions


def names(world: World, store: View) -> dict[str, str]:
    """Display names by id: the pack's, then what the game said."""
    said = {id: actor.name for id, actor in store.actors().items() if actor.name}
    return {**world.names, **said}
