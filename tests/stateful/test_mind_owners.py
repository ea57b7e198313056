"""Two owners in one file: whatever one does, the other's game is what it would be in a file of its own.

Words, ids, slots and keys are the same for both on purpose: only who owns a record may tell them apart. What is
compared are prompts and scores too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mind_pack import NPCS, PLAYERS, write_pack
from mind_twin import open_mind, shows

from npc_memory.errors import NpcMemoryError
from npc_memory.memory import Authority
from npc_memory.mind import Mind
from npc_memory.world import load_world

OWNERS = ("", "ann@example.org", "勇者")

npcs, players = st.sampled_from(NPCS), st.sampled_from(PLAYERS)
texts = st.sampled_from(("rolf stole silver from the mill.", "Who has the flour?", "ann hid the crown.", "A fox, ann."))
keys = st.sampled_from(("", "", "k1", "k2"))
slots = st.sampled_from(("x", "y"))
places = st.sampled_from(("mill", "yard"))
DEEDS = st.one_of(
    st.tuples(st.just("talk"), npcs, players, texts, st.none() | st.just(("bo", "cid")), keys),
    st.tuples(st.just("talk"), npcs, players, texts, st.none(), keys),
    st.tuples(st.just("observe"), texts, st.sampled_from(("ann", "rolf")), places, keys),
    st.tuples(st.just("converse"), st.sampled_from((("ada", "bo"), ("cid", "ada")))),
    st.tuples(st.just("believe"), npcs, players),
    st.tuples(st.just("state"), st.sampled_from(("wheel", "rumour")), st.sampled_from(("whole", "broken", None))),
    st.tuples(st.just("walk"), npcs, places),
    st.tuples(st.just("alias"), st.just("guest-7"), st.sampled_from(("ann", "rolf"))),
    st.tuples(st.just("reborn"), st.sampled_from(("guest-7", "rolf", "cid"))),
    st.tuples(st.just("clock"), st.sampled_from((10, 500))),
    st.tuples(st.just("end"), players),
    st.tuples(st.just("edit"), npcs, texts),
    st.tuples(st.just("delete"), npcs),
    st.tuples(st.just("retry"), npcs),
    st.tuples(st.just("save"), slots),
    st.tuples(st.just("load"), slots),
    st.tuples(st.just("forget"), players),
    st.tuples(st.just("export"), st.sampled_from((("",), ("npc", "bo"), ("player", "ann")))),
)


def act(mind: Mind, folder: Path, deed: tuple[Any, ...]) -> object:
    """Do it, and say what came of it without a number of a record."""
    try:
        return _act(mind, folder, *deed)
    except NpcMemoryError as error:
        return error.code


def _act(mind: Mind, folder: Path, verb: str, *with_: Any) -> object:
    store = mind.store
    if verb == "talk":
        npc, player, text, audience, key = with_
        answer = mind.talk(npc, player, text, audience=audience, key=key)
        return answer.say, answer.mood, answer.fallback, answer.dropped
    if verb == "observe":
        text, actor, place, key = with_
        return bool(mind.observe("deed", text, actor=actor, place=place, key=key))
    if verb == "converse":
        return [one.say for one in mind.converse(with_[0], turns=2).replies]
    if verb == "believe":
        npc, subject = with_
        with store.transaction() as writer:
            source = tuple(one.id for one in store.episodes(npc)[-1:])
            writer.belief(
                npc=npc, subject=subject, text=f"{subject} is odd.", provenance=source, authority=Authority.INFERENCE
            )
    elif verb == "state":
        mind.set_state({with_[0]: with_[1]})
    elif verb == "walk":
        mind.actor(with_[0], place=with_[1])
    elif verb == "alias":
        mind.actor(with_[0], alias_of=with_[1])
    elif verb == "reborn":
        mind.actor(with_[0], reborn=True)
    elif verb == "clock":
        mind.clock(store.game_time() + with_[0])
    elif verb == "end":
        mind.end(with_[0])
    elif verb in ("edit", "delete", "retry"):
        turn = next((one.id for one in reversed(store.turns(with_[0])) if one.player in PLAYERS), "t00000000")
        if verb == "retry":
            return mind.retry(turn).say
        return mind.edit(turn, with_[1]) if verb == "edit" else mind.delete(turn)
    elif verb == "save":
        return mind.save(with_[0]).game_time
    elif verb == "load":
        return mind.load(with_[0]).game_time
    elif verb == "forget":
        return mind.forget(with_[0], dry_run=True), mind.forget(with_[0])
    else:
        file = folder / "archive.jsonl"
        chosen = dict([with_[0]]) if len(with_[0]) == 2 else {}
        counts = store.export(file, replace=True, **chosen)
        # A file has one list of pack versions; every owner's archive carries it.
        return counts, sorted(_told(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()[1:-1])
    return None


def _told(line: dict[str, Any]) -> str:
    """The words of an archive's line."""
    return json.dumps(
        {
            part: {name: one for name, one in line[part].items() if name in ("text", "confidence", "value", "alias_of")}
            for part in ("turns", "episodes", "events", "beliefs", "state_changes", "identities")
            if part in line
        },
        ensure_ascii=False,
        sort_keys=True,
    )


def everything(mind: Mind) -> dict[str, Any]:
    """All that is shown, the black boxes, the saves and the answers to keys."""
    store = mind.store
    return {
        **shows(mind),
        "owner": {one.owner for npc in NPCS for one in (*store.turns(npc), *store.episodes(npc))} | {store.owner},
        "audits": [(one.npc, one.player, one.owner, one.game_time) for one in store.audits()],
        "audits of ann": len(store.audits(player="ann")),
        "saves": [(one.slot, one.game_time, one.automatic) for one in mind.saves()],
        "tree": [(one.save.slot, one.records, one.playing) for one in mind.save_tree()],
        "slot": store.slot,
        "keys": [store.answer(key) is not None for key in ("k1", "k2")],
        "names": {id: (one.name, one.place) for id, one in store.actors().items()},
        "who": [store.identities().ids(one) for one in PLAYERS],
        "open": [store.open_sessions(one) for one in PLAYERS],
    }


def live_apart(folder: Path, deeds: list[tuple[str, tuple[Any, ...]]]) -> None:
    world = load_world(folder / "pack")
    owners = sorted({owner for owner, _ in deeds} | {""})
    with open_mind(world, ":memory:") as shared:
        minds = {owner: shared.for_owner(owner) for owner in owners}
        outcomes = [act(minds[owner], folder, deed) for owner, deed in deeds]
        found = {owner: everything(minds[owner]) for owner in owners}
        assert shared.store.check() == []
    for owner in owners:
        with open_mind(world, ":memory:") as local:
            alone = local.for_owner(owner)
            for (other, deed), outcome in zip(deeds, outcomes, strict=True):
                if other == owner:
                    assert act(alone, folder, deed) == outcome, deed
            expected = everything(alone)
            for what in expected:
                assert found[owner][what] == expected[what], (owner, what)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("owners")
    write_pack(made / "pack")
    return made


RELAXED: dict[str, Any] = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=5, **RELAXED)
@given(deeds=st.lists(st.tuples(st.sampled_from(OWNERS), DEEDS), min_size=6, max_size=14))
def test_whatever_one_owner_does_the_others_games_are_their_own(folder: Path, deeds: list[Any]) -> None:
    live_apart(folder, deeds)


@pytest.mark.full
@settings(max_examples=50, **RELAXED)
@given(deeds=st.lists(st.tuples(st.sampled_from(OWNERS), DEEDS), min_size=10, max_size=30))
def test_whatever_one_owner_does_the_others_games_are_their_own_in_long_games(folder: Path, deeds: list[Any]) -> None:
    live_apart(folder, deeds)


def test_one_owner_does_all_there_is_and_another_sees_nothing_of_it(folder: Path) -> None:
    hers: list[tuple[Any, ...]] = [
        ("talk", "ada", "rolf", "ann hid the crown.", ("bo",), "k1"),
        ("believe", "ada", "rolf"),
        ("save", "x"),
        ("walk", "bo", "yard"),
        ("observe", "rolf stole silver from the mill.", "rolf", "mill", "k2"),
        ("talk", "bo", "guest-7", "Who has the flour?", None, ""),
        ("alias", "guest-7", "rolf"),
        ("converse", ("ada", "bo")),
        ("retry", "bo"),
        ("edit", "ada", "A fox, ann."),
        ("reborn", "cid"),
        ("load", "x"),
        ("delete", "ada"),
        ("export", ("",)),
        ("forget", "rolf"),
    ]
    his = ("talk", "ada", "rolf", "ann hid the crown.", ("bo",), "k1")
    before_and_after = [("", his), ("", ("save", "x"))], [("", ("load", "x")), ("", his)]
    live_apart(folder, [*before_and_after[0], *[("ann@example.org", deed) for deed in hers], *before_and_after[1]])
    world = load_world(folder / "pack")
    with open_mind(world, ":memory:") as mind:
        act(mind, folder, his)
        act(mind, folder, ("save", "x"))
        before, ann = everything(mind), mind.for_owner("ann@example.org")
        for deed in hers:
            act(ann, folder, deed)
            after = everything(mind)
            assert after == before, deed
