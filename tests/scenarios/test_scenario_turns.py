"""What a turn remembers of the past is kept in the process; it must be what reading everything afresh would give."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from scenario_kit import open_mind
from searches import examples

from npc_memory import Snapshot, recalling
from npc_memory.conversation import SESSION_GAP
from npc_memory.errors import AliasRefused
from npc_memory.hearing import Heard, Line, hear
from npc_memory.memory import Authority, BeliefRecord, Episode, EpisodeRecord, Turn, TurnRecord
from npc_memory.people import Cast, names
from npc_memory.prompt import Labels, label_text
from npc_memory.prompt_files import load_prompt
from npc_memory.recall import mentions
from npc_memory.recall.folding import fold_key
from npc_memory.recalling import OFFERED
from npc_memory.store import Store, rows
from npc_memory.working_memory.candidates import exchanges
from npc_memory.world import load_world

sys.path.insert(0, str(Path(__file__).parent.parent / "unit" / "recall"))
import recall_oracle

HOW_OFTEN = {1: "", 2: " (twice)"} | {
    n: f" ({word} times)" for n, word in enumerate("three four five six seven eight nine".split(), 3)
}
WORLD, PROMPT = load_world("emberfall"), load_prompt("transcript")
GAME, REPLY, INFERENCE = Authority.GAME, Authority.REPLY, Authority.INFERENCE
NPCS = tuple(sorted(WORLD.npcs))[:2]
PLAYERS = ("p1", "p2", "p3")
WORDS = ("king", "bridge", "another", "rolf", "p2", "stone", "勇者は", "said: ", "Well met.", '"', "the")

npcs, players = st.sampled_from(NPCS), st.sampled_from(PLAYERS)
said = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
called = st.sampled_from(("Rolf", "Rolf", "rolf: said", "", "勇者"))
numbers = st.integers(0, 10**6)
talks = st.tuples(st.just("talk"), npcs, players, said, st.booleans())
operations = (
    talks
    | talks
    | talks
    | st.tuples(st.just("overheard"), npcs, players, said)
    | st.tuples(st.just("loud"), npcs, players, said, st.booleans())
    | st.tuples(st.just("loud"), npcs, players, said, st.booleans())
    | st.tuples(st.just("reborn"), players | npcs)
    | st.tuples(st.just("alias"), players | npcs, players | npcs)
    | st.tuples(st.just("spoken_to"), npcs, players, said)
    | st.tuples(st.just("event"), npcs, said, st.sampled_from([0.3, 0.9]))
    | st.tuples(st.just("belief"), npcs, said, st.sampled_from([0.3, 0.5, 1.0]))
    | st.tuples(st.just("retire"), npcs, numbers)
    | st.tuples(st.just("clock"), st.sampled_from([1, 60, 400, 20_000]))
    | st.tuples(st.just("name"), players, called)
    | st.tuples(st.just("end"), npcs, players)
    | st.tuples(st.just("fork"), numbers)
    | st.tuples(st.just("switch"), numbers)
    | st.tuples(st.just("fail"), npcs, players, said)
    | st.tuples(st.just("owner"))
)


class Past:
    """Two owners' stores of one file, and what is done to them."""

    def __init__(self) -> None:
        self.stores = [Store.open(":memory:", world=WORLD.id, world_version=WORLD.version)]
        self.stores.append(self.stores[0].for_owner("ann"))
        self.timelines = [[one.timeline] for one in self.stores]
        self.at = 0

    @property
    def store(self) -> Store:
        return self.stores[self.at]

    def loud(self, npc: str, player: str, text: str, answered: bool) -> None:
        self.talk(npc, player, text, answered, tuple(one for one in NPCS if one != npc))

    def reborn(self, actor: str) -> None:
        with self.store.transaction() as write:
            write.rebirth(authority=GAME, actor=actor)

    def alias(self, actor: str, alias_of: str) -> None:
        if actor in NPCS or alias_of in NPCS:
            return  # two NPCs of a pack stay two
        with suppress(AliasRefused), self.store.transaction() as write:
            write.alias(authority=GAME, actor=actor, alias_of=alias_of)

    def talk(self, npc: str, player: str, text: str, answered: bool, heard: tuple[str, ...] = ()) -> None:
        player = Cast(WORLD, self.store).id_of(player)
        with self.store.transaction() as write:
            label = label_text(names(WORLD, self.store).get(player, player))
            scene = {"npc": npc, "player": player, "overheard": heard}
            asked = write.turn(authority=GAME, speaker=player, addressee=npc, text=text, **scene)
            turns = [asked.id]
            if answered:
                said = {"speaker": npc, "addressee": player, "text": f"So, {text}"}
                turns.append(write.turn(authority=REPLY, **scene, **said).id)
            told = f'{label} said: "{text}"'
            scene = {"npc": npc, "speaker": player, "addressee": npc, "overheard": heard}
            write.episode(authority=REPLY, text=told, turns=turns, **scene)

    def overheard(self, npc: str, player: str, text: str) -> None:
        with self.store.transaction() as write:
            there = {"audience": (npc,), "speaker": "p9", "addressee": player, "text": text}
            write.turn(authority=GAME, npc=npc, player=player, **there)

    def spoken_to(self, npc: str, player: str, text: str) -> None:
        with self.store.transaction() as write:
            write.turn(authority=REPLY, npc=npc, player=player, speaker=npc, addressee=player, text=text)

    def event(self, npc: str, text: str, importance: float) -> None:
        with self.store.transaction() as write:
            write.episode(authority=REPLY, npc=npc, text=text, kind="theft", importance=importance)

    def belief(self, npc: str, text: str, confidence: float) -> None:
        with self.store.transaction() as write:
            write.belief(authority=INFERENCE, npc=npc, text=text, confidence=confidence)

    def retire(self, npc: str, number: int) -> None:
        store = self.store
        there = [one.id for one in (*store.turns(npc), *store.episodes(npc), *store.beliefs(npc))]
        if there:
            with store.transaction() as write:
                write.retire(authority=GAME, target=there[number % len(there)])

    def clock(self, minutes: int) -> None:
        with self.store.transaction() as write:
            write.clock(authority=GAME, game_time=self.store.game_time() + minutes)

    def name(self, player: str, name: str) -> None:
        with self.store.transaction() as write:
            write.actor(authority=GAME, actor=player, name=name)

    def end(self, npc: str, player: str) -> None:
        with self.store.transaction() as write:
            write.end_session(authority=GAME, npc=npc, player=player)

    def fork(self, number: int) -> None:
        self.timelines[self.at].append(self.store.fork(seq=number % (self.store.newest_seq() + 1)))

    def switch(self, number: int) -> None:
        known = self.timelines[self.at]
        self.store.switch(known[number % len(known)])

    def fail(self, npc: str, player: str, text: str) -> None:
        with suppress(ZeroDivisionError), self.store.transaction():
            self.talk(npc, player, text, True)
            check(self.store, npc, player, text, 4)
            raise ZeroDivisionError

    def owner(self) -> None:
        self.at = 1 - self.at


def lines_of(store: Store, line: Line) -> tuple[list[TurnRecord], bool]:
    """What is going on between the two and in her hearing, from every turn there is; and whether it is over."""
    cast, own, heard = Cast(WORLD, store), [], []
    for turn in store._records(rows.turn, "turns", "r.kind = 'turn'"):
        if not cast.one(turn.player, turn.seq, line.player) or not cast.one(line.npc, turn.seq, line.npc):
            continue
        if turn.npc == line.npc and turn.session == store.session(line.npc, turn.player):
            own.append(turn)
        elif line.npc in store.hearers(turn.id):
            then, now = store.at(turn.seq).session(line.npc, turn.player), store.session(line.npc, turn.player)
            heard += [turn] * (then == now)
    kept: list[TurnRecord] = []
    over = False
    for turn in sorted(own + heard, key=lambda one: one.seq):
        if kept and turn.game_time - kept[-1].game_time > SESSION_GAP:
            over, kept = over or any(one in own for one in kept), []
        kept.append(turn)
    talked = any(one in own for one in kept)
    if kept and store.game_time() - kept[-1].game_time > SESSION_GAP:
        return [], talked or over
    return kept, over and not talked


def afresh(store: Store, line: Line, heard: Heard, most: int | None) -> Heard:
    """What ``hear`` has to give, from every record of the NPC."""
    shot, now, cast = heard.snapshot, store.game_time(), Cast(WORLD, store)
    line = heard.line
    turns, fresh = lines_of(store, line)
    shown = [
        Turn(one.id, cast.then(one.speaker, one.seq), one.text, one.game_time, cast.then(one.addressee, one.seq))
        for one in turns
    ]
    grouped = exchanges(shown, line.npc)
    start = 0
    if most is not None and len(grouped) > most:
        step = max(1, most // 2)
        start = min(len(grouped), -(-(len(grouped) - most) // step) * step)
    remembered = sorted([*store.episodes(line.npc), *store.heard_episodes(line.npc)], key=lambda one: one.seq)
    episodes = {one.id: told_apart(store, line, one) for one in remembered}
    beliefs = {one.id: one for one in store.beliefs(line.npc)}
    called = names(WORLD, store)
    told = recall_oracle.best(
        line.text, memories(episodes.values(), line, cast, called), now, len(episodes), named={True}
    )
    same = told_once_more(store, remembered)
    best = [(score, id) for score, id in told if id == same[id][-1]][:OFFERED]
    held = recall_oracle.best(line.text, memories(beliefs.values(), line, cast, called), now, named={True})
    return replace(
        heard,
        fresh=fresh,
        session=store.session(line.npc, line.player),
        own_lines=tuple(turn.text for turn in shown if turn.speaker == line.npc)[-3:],
        snapshot=replace(
            shot,
            dialogue=[one for exchange in grouped[start:] for one in exchange],
            episodes=[
                Episode(
                    id,
                    overheard(line, episodes[id], heard.snapshot, cast) + HOW_OFTEN.get(len(same[id]), " (often)"),
                    score,
                    episodes[id].game_time,
                    episodes[id].turns,
                    tuple(same[id][:-1]),
                )
                for score, id in best
            ],
            beliefs=[
                replace(one, score=score, text=beliefs[id].text, confidence=beliefs[id].confidence)
                for (score, id), one in zip(held, shot.beliefs, strict=True)
                if one.id == id and one.game_time == beliefs[id].game_time
            ],
        ),
    )


def memories(
    records: Iterable[EpisodeRecord | BeliefRecord], line: Line, cast: Cast, called: Mapping[str, str]
) -> list[recall_oracle.Memory]:
    """What the index should have been told; a person is whether he is named."""
    found = []
    for one in records:
        partner = one.speaker if one.speaker != one.npc else one.addressee
        name = called.get(cast.then(partner, one.seq), "") if partner else ""
        weight = one.importance if isinstance(one, EpisodeRecord) else one.confidence
        scene, named = f"{partner}@{one.place}", mentions(line.text, name)
        found.append(recall_oracle.Memory(one.id, one.text, one.game_time, weight, person=named, scene=scene))
    return found


def told_once_more(store: Store, remembered: Iterable[EpisodeRecord]) -> dict[str, list[str]]:
    """By id of each, the ids of all that tell the same of the same people, oldest first."""
    known, folds = store.identities(), dict[int, list[str]]()
    same = {}
    for one in remembered:
        people = [f"{id} {known.holder_at(id, one.seq)}" if id else "" for id in (one.npc, one.speaker, one.addressee)]
        same[one.id] = folds.setdefault(fold_key(one.kind, people, one.text), [])
        same[one.id].append(one.id)
    return same


def told_apart(store: Store, line: Line, one: EpisodeRecord) -> EpisodeRecord:
    cast = Cast(WORLD, store)
    label = label_text(names(WORLD, store).get(line.player, line.player))
    start = f"{label} said: "
    if not one.speaker or cast.one(one.speaker, one.seq, line.player) or not one.text.startswith(start):
        return one
    who = label_text(cast.then(one.speaker, one.seq))
    return replace(one, text=f"Another {label} ({who}) said: {one.text[len(start) :]}")


def overheard(line: Line, one: EpisodeRecord, shot: Snapshot, cast: Cast) -> str:
    """How she tells it: what was not said to her was said to another."""
    who, _, rest = one.text.partition(" said: ")
    if one.speaker and who and cast.one(one.speaker, one.seq, line.player) and one.speaker != line.player:
        who = Labels(shot).player
    if one.npc == line.npc:
        return f"{who} said: {rest}" if rest else one.text
    return f"{who} said to {Labels(shot).of(cast.then(one.npc, one.seq))}: {rest}"


def check(store: Store, npc: str, player: str, text: str, most: int | None) -> None:
    line = Line(npc=npc, player=player, text=text)
    with store.reading():
        heard = hear(WORLD, store, line, PROMPT, most)
    assert heard == afresh(store, line, heard, most)


A, B = NPCS
LOUD = [
    ("loud", A, "p1", "king", True),
    ("loud", B, "p1", "stone", True),
    ("loud", A, "p2", "king stone", False),
    ("alias", "p2", "p1"),
    ("clock", 400),
    ("loud", B, "p1", "the bridge", True),
    ("retire", B, 0),
    ("end", A, "p1"),
    ("loud", B, "p1", "king", True),
    ("reborn", B),
    ("name", "p1", "Rolf"),
    ("fork", 12),
    ("reborn", "p1"),
    ("loud", B, "p1", "king again", True),
    ("name", "p1", "Rolf"),
    ("switch", 0),
    ("loud", B, "p2", "stone again", True),
]
FORKED = [
    *(("talk", A, "p1", f"king stone {number}", True) for number in range(6)),
    ("belief", A, "the king", 0.5),
    ("fork", 9),
    ("talk", A, "p1", "bridge", True),
    ("switch", 0),
    ("talk", A, "p1", "stone", False),
    ("switch", 1),
    ("fork", 3),
    ("owner",),
    ("talk", A, "p1", "the other owner", True),
    ("owner",),
]
NAMESAKES = [
    *(("name", player, "Rolf") for player in PLAYERS),
    *(("talk", A, player, f"another stone {player}", True) for player in PLAYERS * 2),
    ("event", A, "Rolf said: so", 0.9),
    ("retire", A, 1),
    ("name", "p1", "勇者"),
    *(("retire", A, number) for number in (15, 2, 9)),
    ("fail", A, "p1", "stone"),
    ("talk", A, "p2", "stone", True),
    ("spoken_to", B, "p1", "Well met."),
    ("spoken_to", B, "p1", "Well met."),
    ("overheard", B, "p1", "the king"),
    ("talk", B, "p1", "the king", True),
]


@example(FORKED, "king stone", 2)
@example(LOUD, "king stone", 3)
@example(NAMESAKES, "another stone p2", 3)
@given(st.lists(operations, max_size=40), said, st.sampled_from([None, 0, 1, 2, 3, 8]))
@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_heard_is_what_reading_everything_gives(done, query, most):
    past = Past()
    with past.stores[0]:
        for verb, *given_to in done:
            getattr(past, verb)(*given_to)
            check(past.store, NPCS[0], "p1", query, most)
        for at in (0, 1):
            past.at = at
            for npc in NPCS:
                for player in PLAYERS:
                    check(past.store, npc, player, query, most)


def test_a_small_shelf_changes_nothing_but_the_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recalling, "MOST_BYTES", 9000)
    past = Past()
    with past.stores[0] as store:
        sizes = []
        for number in range(60):
            past.talk(NPCS[number % 2], "p1", f"The king and the stone {number}.", True)
            check(store, NPCS[number % 2], "p1", "king stone", 4)
            with store.reading():
                kept = store.kept(recalling.Recollections)
            sizes.append(len(kept))
            assert kept.size < 13_000 or len(kept) == 1
        assert min(sizes[10:]) < max(sizes) == 4


def test_the_same_after_a_restart_as_before(tmp_path: Path) -> None:
    shots = []
    for restarts in (False, True):
        place = tmp_path / f"{restarts}.sqlite3"
        mind = open_mind(place)
        for number in range(24):
            mind.talk("marta", f"p{number % 3}", f"The king and the silver {number}.")
            if restarts and number % 3 != 1:
                mind.close()
                mind = open_mind(place)
        with mind, mind.working_memory("marta", "p1", "Is the silver gone?") as memory:
            shots.append((memory.text(), mind.store.newest_seq()))
    assert shots[0] == shots[1]
