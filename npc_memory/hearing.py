"""From a line heard to the frozen input of the reply: store and world and recall, brought together in a snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from npc_memory.bonds import Asked, offered_bonds
from npc_memory.conversation import SESSION_GAP, conversation
from npc_memory.errors import InvalidInput, TextTooLong
from npc_memory.judging import remembered_judge
from npc_memory.knowledge import knowledge_of
from npc_memory.memory import Snapshot, StateEntry, StateValue, Turn, check_id, clean_text
from npc_memory.outcomes import outcomes_shown
from npc_memory.people import Cast, factions_of, names, overhearers, place_of
from npc_memory.prompt import Labels
from npc_memory.prompt_files import PromptFile
from npc_memory.recall import recall_reminders
from npc_memory.recalling import OFFERED, Told, recalled_beliefs, recalled_episodes
from npc_memory.reply import ActionSpec, ReplySpec, max_tokens
from npc_memory.reply.guard import Claim
from npc_memory.reply.schema import Shape
from npc_memory.store import Store, View
from npc_memory.working_memory import BudgetPolicy
from npc_memory.world import Npc, World

__all__ = [
    "MAX_TEXT_BYTES",
    "SESSION_GAP",
    "Heard",
    "Line",
    "bare_snapshots",
    "gather",
    "hear",
    "policy_for",
    "spec_for",
]

MAX_TEXT_BYTES = 64 * 1024
"""Longest text accepted, in bytes of UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What a player said to whom. ``place``: where, if not where the NPC is at home. ``actions``: ids of the actions
    the game offers now, None for all the pack lists. ``audience``: others who could hear it; None: those who are there.
    """

    npc: str
    player: str
    text: str
    place: str | None = None
    audience: tuple[str, ...] | None = None
    actions: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A line and all that its reply may draw on, ids led back to those they stand for; ``asked``: the line as it came.
    ``audience``: all who hear it; ``overheard``: the NPCs among them that it is not said to. ``exchange``: lines this
    NPC has answered before, part of the seed. ``fresh``: the last conversation with this player is over, this line
    begins a new one; ``first``: there has been none. ``claims``: what the reply may not contradict. ``own_lines``: what
    she said last in this conversation, oldest first. ``epoch``: that of the store, so that nothing is stored after a
    load. ``attempt``: from where attempts are counted for the seed. ``embedding``: by which meanings were compared.
    """

    line: Line
    asked: Line
    npc: Npc
    place: str
    audience: tuple[str, ...]
    overheard: tuple[str, ...]
    session: int
    fresh: bool
    first: bool
    exchange: int
    snapshot: Snapshot
    spec: ReplySpec
    own_lines: tuple[str, ...]
    claims: tuple[Claim, ...]
    epoch: int = 0
    attempt: int = 0
    embedding: str = ""


class Parties(NamedTuple):
    """Who talks with whom, and how all are called."""

    npc: str
    player: str
    names: Mapping[str, str]


def _led_back(line: Line, cast: Cast) -> Line:
    """``line`` with the ids that are in use for those it names."""
    audience = line.audience and cast.ids_of(line.audience)
    found = replace(line, npc=cast.id_of(line.npc), player=cast.id_of(line.player), audience=audience)
    if found.player == found.npc:
        raise InvalidInput(f"{line.npc!r} cannot talk to herself", hint="give the player an id no NPC has")
    return found


def check_line(line: Line) -> Line:
    """Refuse what cannot be a line (``InvalidInput``, ``TextTooLong``); clean the rest."""
    check_id(line.npc, "npc")
    check_id(line.player, "player")
    if line.place is not None:
        check_id(line.place, "place")
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
        (action.id, tuple(arg.id for arg in action.args))
        for action in npc.actions
        if offered is None or action.id in offered
    )
    return _spec(npc.moods, actions, prompt.max_chars, prompt.shape)


Actions = tuple[tuple[str, tuple[str, ...]], ...]
"""Ids of actions, each with those of its arguments."""


@lru_cache(maxsize=512)
def _spec(moods: tuple[str, ...], actions: Actions, max_chars: int, shape: Shape) -> ReplySpec:
    """Checked once: it is the same for most replies."""
    return ReplySpec(moods, tuple(ActionSpec(id, args) for id, args in actions), max_chars, shape)


def policy_for(world: World, prompt: PromptFile, n_ctx: int) -> BudgetPolicy:
    """The policy for a window of ``n_ctx`` tokens: what the longest reply of any NPC leaves."""
    longest = max((max_tokens(spec_for(npc, prompt)) for npc in world.npcs.values()), default=0)
    return BudgetPolicy.for_context(n_ctx, reply=max(128, longest))


def hear(world: World, store: Store, line: Line, prompt: PromptFile, max_exchanges: int | None) -> Heard:
    """Take the snapshot of the reply to ``line``; reads, never writes. Raises ``UnknownId`` and what ``check_line``
    and ``spec_for`` raise.
    """
    return gather(world, store, check_line(line), prompt, max_exchanges)


def gather(
    world: World,
    store: Store,
    asked: Line,
    prompt: PromptFile,
    max_exchanges: int | None,
    *,
    about: str | None = None,
    told: Callable[[Told], bool] | None = None,
) -> Heard:
    """``hear`` for a line that needs no look at it. ``about``: what it is about, if that is not its text. ``told``:
    which memories may come to her mind, None for all.
    """
    cast = Cast(world, store)
    line = _led_back(asked, cast)
    query = line.text if about is None else about
    npc = world.npc(line.npc)
    now = store.game_time()
    talk = conversation(store, npc.id, line.player, now, max_exchanges, cast.then)
    place = line.place if line.place is not None else place_of(store, npc)
    factions = factions_of(store, npc)
    overheard = overhearers(world, store, npc, line.player, place, line.audience)
    known = knowledge_of(world, store, npc.id, place, factions)
    facts, entries, claims = known.facts, known.entries, known.claims
    called = names(world, store)
    labels = Labels(Parties(npc.id, line.player, called))
    judge = remembered_judge(store, claims, entries, called, called.get(npc.id, npc.name))
    outcomes = outcomes_shown(store, [t for t in talk.offered if cast.then(t.npc, t.seq) == npc.id])
    episodes = recalled_episodes(store, npc.id, query, line.player, cast, labels, called, now, told)
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
        pinned=recall_reminders(query, facts, entries),
        notes=outcomes,
        dialogue=[
            Turn(t.id, cast.then(t.speaker, t.seq), t.text, t.game_time, t.addressee and cast.then(t.addressee, t.seq))
            for t in talk.offered
        ],
        episodes=[one for one in episodes if one.id not in {note.id for note in outcomes}],
        beliefs=(
            *recalled_beliefs(
                store, npc.id, query, line.player, cast, called, now, told, OFFERED, labels, world.places, judge.against
            ),
            *offered_bonds(
                world,
                store,
                Asked(
                    npc=npc.id,
                    player=line.player,
                    query=query,
                    facts=facts,
                    game_time=now,
                    cast=cast,
                    labels=labels,
                    called=called,
                    told=told,
                ),
            ),
        ),
        names=called,
        time_text=world.time_text(now),
    )
    return Heard(
        line=line,
        asked=asked,
        npc=npc,
        place=place,
        audience=tuple(sorted({npc.id, line.player, *overheard, *(line.audience or ())})),
        overheard=overheard,
        session=talk.session,
        fresh=talk.fresh,
        first=talk.first,
        exchange=store.exchange_count(npc.id),
        snapshot=snapshot,
        spec=spec_for(npc, prompt, line.actions),
        own_lines=talk.own_lines,
        claims=claims,
        epoch=store.epoch,
        embedding=getattr(store.embedding, "name", ""),
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
