"""A player is forgotten: nothing of him is in any byte of any file, and the others lose nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from erasure_scan import found_in
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenario_kit import open_mind

from npc_memory import judging
from npc_memory.errors import InvalidInput, RecordErased
from npc_memory.memory import Authority
from npc_memory.mind import Mind
from npc_memory.replaying import Replay
from npc_memory.store import rows

HERS = ("Zanzibarine", "Quixotian")
"""Words that only the player who is forgotten says; his name is the second."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "town").mkdir()
    return tmp_path / "town"


def live(mind: Mind) -> None:
    """Two players' evening, in which they hear and speak of each other."""
    mind.actor("hero-quixotian", name="Quixotian")
    mind.actor("p2", name="Ida")
    mind.talk("maelis", "p2", "Good evening.")
    mind.talk("marta", "hero-quixotian", "I am Quixotian and seek the zanzibarine crown.", key="quixotian-1")
    mind.talk("marta", "p2", "Did QUIXOTIAN speak of a crown?")
    mind.talk("marta", "p2", "How is the stew?", audience=["hero-quixotian"])
    mind.observe("theft", "Quixotian stole a zanzibarine crown.", actor="hero-quixotian", audience=["marta", "jory"])
    mind.observe("rumour", "They say Quixotian's crown is false.", audience=["brann"], data={"who": "hero-quixotian"})
    mind.set_state({"wanted": "Quixotian"})
    mind.talk("jory", "p2", "What happened?")
    mind.talk("brann", "p2", "Is the forge hot?")
    with mind.store.transaction() as write:
        write.belief(authority=Authority.REPLY, npc="jory", text="A thief is about.", subject="hero-quixotian")


def test_no_byte_of_any_file_is_left(folder: Path) -> None:
    with open_mind(folder / "town.db") as mind:
        live(mind)
        assert found_in(folder, HERS), "the scan finds nothing even before: it is broken"
        planned = mind.forget("hero-quixotian", dry_run=True)
        assert mind.store.dialogue("marta", "hero-quixotian")
        assert mind.forget("hero-quixotian") == planned
        assert found_in(folder, (*HERS, "hero-quixotian")) == []
        assert (folder / "town.db-wal").stat().st_size == 0 or found_in(folder, HERS) == []
        mind.talk("marta", "p2", "And the stew?")
        assert found_in(folder, (*HERS, "hero-quixotian")) == []
    assert found_in(folder, (*HERS, "hero-quixotian")) == []


def test_he_does_not_come_back_by_going_back_in_time(folder: Path) -> None:
    with open_mind(folder / "town.db") as mind:
        live(mind)
        old, saved = mind.store.timeline, mind.store.newest_seq()
        mind.store.fork(seq=saved)
        mind.talk("marta", "hero-quixotian", "The zanzibarine crown again.")
        mind.forget("hero-quixotian")
        for timeline in (old, mind.store.timeline):
            mind.store.switch(timeline)
            with mind.working_memory("marta", "p2", "Who spoke of a crown?") as memory:
                assert not any(word.lower() in memory.text().lower() for word in HERS)
    assert found_in(folder, HERS) == []


def test_the_others_are_told_what_they_were_told(folder: Path) -> None:
    with open_mind(folder / "town.db") as mind:
        live(mind)
        with mind.working_memory("brann", "p2", "Is the forge hot?") as memory:
            before = memory.dialogue, memory.text()
        mind.forget("hero-quixotian")
        with mind.working_memory("brann", "p2", "Is the forge hot?") as memory:
            assert memory.dialogue == before[0]
            assert memory.text() == before[1].replace("Quixotian's", "someone's").replace("Quixotian", "someone")
        told = [turn.text for turn in mind.store.dialogue("marta", "p2")]
        assert told[0] == "Did someone speak of a crown?"
        assert told[2] == "How is the stew?"


def test_the_black_box_says_that_it_was_erased(folder: Path) -> None:
    with open_mind(folder / "town.db") as mind:
        live(mind)
        every = mind.store.audits()
        counts = mind.forget("hero-quixotian")
        with pytest.raises(RecordErased):
            mind.explain(every[1].id)
        left = mind.store.audits()
        assert [one.id for one in left] == [one.id for one in every]
        found = Replay(mind.engine).run(left)
        assert found.divergence is None
        assert (found.erased, found.replies) == (counts["redacted"], len(every))
        assert 0 < found.erased < len(every)
        assert not any("sha256" in one.payload for one in left if "erased" in one.payload)


def test_npcs_are_not_forgotten_and_a_listener_cannot_erase(folder: Path) -> None:
    with open_mind() as mind:
        with pytest.raises(InvalidInput, match="is an NPC"):
            mind.forget("marta")
        with pytest.raises(InvalidInput, match="still speaking"):
            mind.talk("marta", "p1", "Hello.", on_text=lambda text: mind.forget("p1") and None)
        assert mind.forget("p1")["turns"] == 2


def test_a_name_of_the_pack_or_of_everyday_stays_in_what_others_said() -> None:
    with open_mind() as mind:
        for player, name in (("p1", "Marta"), ("p3", "The")):
            mind.actor(player, name=name)
        mind.talk("brann", "p2", "Marta keeps the inn, and the stew is hers.")
        mind.forget("p1")
        mind.forget("p3")
        assert mind.store.dialogue("brann", "p2")[0].text == "Marta keeps the inn, and the stew is hers."


def test_a_single_memory_is_deleted(folder: Path) -> None:
    with open_mind(folder / "town.db") as mind:
        mind.talk("marta", "p1", "My zanzibarine secret.")
        mind.talk("marta", "p1", "The weather is fine.")
        asked = mind.store.dialogue("marta", "p1")[0]
        assert mind.erase([asked.id]) == {"episodes": 1, "redacted": 2, "turns": 1}
        assert found_in(folder, HERS[:1]) == []
        assert [turn.text for turn in mind.store.dialogue("marta", "p1")][1] == "The weather is fine."


Act = tuple[str, str, str, str, bool]
LINES = st.sampled_from(("Good evening.", "Is the king well?", "The stew is hot.", "I lost my horse.", "Any news?"))
ACTS = st.lists(
    st.tuples(
        st.sampled_from(("talk", "talk", "observe", "end", "state")),
        st.sampled_from(("p1", "p2")),
        st.sampled_from(("marta", "jory")),
        LINES,
        st.booleans(),
    ),
    max_size=10,
)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ACTS)
def test_in_any_history_the_other_player_keeps_all_and_is_offered_the_same(
    acts: list[Act],
) -> None:
    """The same evening without him: what NPCs are offered for the other player is that, and his own records stay."""
    with open_mind() as together, open_mind() as alone:
        for act in acts:
            _do(together, act)
            if act[1] == "p2":
                _do(alone, act)
        before = {npc: _records(together, npc) for npc in ("marta", "jory")}
        together.forget("p1")
        for npc in ("marta", "jory"):
            assert _records(together, npc) == [one for one in before[npc] if "p1" not in (one[0], one[1])]
            assert together.store.dialogue(npc, "p1", 1) == ()
            for line in ("Any news?", "Where is the horse?"):
                assert _offered(together, npc, line) == _offered(alone, npc, line)


def _do(mind: Mind, act: Act) -> None:
    kind, player, npc, text, crowded = act
    other = "p2" if player == "p1" else "p1"
    if kind == "talk":
        mind.talk(npc, player, text, audience=[other] if crowded else [])
    elif kind == "observe":
        mind.observe("deed", text, actor=player, audience=[npc, *([other] if crowded else [])])
    elif kind == "end":
        mind.end(player, npc)
    else:
        mind.set_state({f"fame.{player}": text})


def _records(mind: Mind, npc: str) -> list[tuple[str, str, str]]:
    turns = [(one.speaker, one.addressee, one.text) for one in mind.store.turns(npc)]
    return turns + [(one.speaker, one.addressee, one.text) for one in mind.store.episodes(npc)]


def _offered(mind: Mind, npc: str, line: str) -> list[object]:
    """Texts, times and scores; replies differ, for NPCs speak by chance and have said other things before."""
    with mind.working_memory(npc, "p2", line) as memory:
        asked = [turn.text for turn in memory.dialogue if turn.speaker == "p2"]
        told = [(one.text.split(" answered: ")[0], one.game_time) for one in memory.episodes]
        return [asked, told, memory.world_state, memory.canonical_facts]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("kills", [8, pytest.param(100, marks=pytest.mark.full)])
def test_kill_9_in_the_middle_leaves_nothing_after_the_next_opening(tmp_path: Path, kills: int) -> None:
    driver = Path(__file__).with_name("erasure_kill_driver.py")
    done = subprocess.run(
        [sys.executable, str(driver), str(tmp_path), str(kills)],
        capture_output=True,
        encoding="utf-8",
        timeout=1200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    killed, begun = map(int, done.stdout.split())
    assert (killed, begun > 0) == (kills, True)


def test_what_an_event_carried_of_him_is_not_told_on_of_someone(folder: Path) -> None:
    with open_mind(folder / "town.db") as mind:
        mind.actor("zorb", name="Quimb")
        data = {
            "triples": [["zorb", "lives_in", "ford"], {"subject": "osric", "relation": "owes", "object": "jory"}],
            "relations": [{"of": "pell", "to": "zorb", "fear": 5}, {"of": "pell", "to": "jory", "trust": 5}],
            "subject": "zorb", "slot": "home", "value": "Quimb house", "scope": "npc:zorb", "note": ["Quimb"],
        }  # fmt: skip
        event = mind.observe("news", "A man was seen.", actor="brann", audience=["marta"], data=data)
        data["scope"] = ""
        mind.observe("news", "A man was heard.", actor="brann", audience=["marta"], data=data)
        mind.forget("zorb")
        assert mind.store.event(event).data == {
            "note": ["someone"], "relations": data["relations"][1:], "scope": "npc:someone",
            "triples": data["triples"][1:],
        }  # fmt: skip
        mind.gossip(npcs=["marta", "pell"])
        assert {(one.subject, one.object) for one in mind.triples("pell")} == {("osric", "jory")}
        assert {(one.subject, one.slot) for one in mind.beliefs("pell")} == {("", "")}
        assert found_in(folder, ("zorb", "quimb")) == []


def test_kinds_and_sources_that_name_him_are_struck(folder: Path) -> None:
    with open_mind(folder / "town.db") as mind:
        mind.actor("zorb", name="Quimb")
        event = mind.observe("zorb-arrived", "Something happened at the gate.", audience=["marta"])
        with mind.store.transaction() as write:
            write.triple(
                authority=Authority.GAME, subject="osric", relation="owes", object="jory",
                provenance=("zorb-letter", "quimb", event),
            )  # fmt: skip
        mind.forget("zorb")
        assert mind.store.event(event).kind == "someone-arrived"
        assert mind.store.triples("")[-1].provenance == (event,)
    assert found_in(folder, ("zorb", "quimb")) == []


@pytest.mark.parametrize("named", [True, False])
def test_what_an_npc_told_of_him_goes_with_what_she_told_of(folder: Path, named: bool) -> None:
    with open_mind(folder / "town.db") as mind:
        seen = mind.observe("theft", "He has a canarysecret.", actor="zorb", audience=["marta"])
        (memory,) = (one.id for one in mind.store.episodes("marta"))
        told, data = ("A canarysecret he has.", {"source": memory}) if named else ("He has a canarysecret.", {})
        mind.observe("tell", told, actor="marta", target="pell", audience=[], data=data)
        other = mind.observe("tell", "A pedlar sang.", actor="marta", target="pell", audience=[])
        assert found_in(folder, ("canarysecret",))
        if named:
            mind.erase([seen])
        else:
            mind.forget("zorb")
        assert [one.id for one in mind.store.events()] == [other]
        assert [one.text for one in mind.store.episodes("marta")] == ['Marta said: "A pedlar sang."']
        assert [one.text for one in mind.beliefs("pell")] == ["A pedlar sang."]
    assert found_in(folder, ("canarysecret",)) == []


def test_what_is_remembered_beside_the_store_is_dropped() -> None:
    with open_mind() as mind:
        mind.actor("p1", name="Quillon")
        mind.set_state({"wanted": "Quillon the thief"})
        mind.believe("marta", "Barley is dear.")
        mind.talk("marta", "p1", "Is barley dear?")
        guards = judging._guard, judging.knowledge
        assert all(one.cache_info().currsize for one in guards), "they hold how everyone is called"
        assert any("Quillon" in text for text in mind.builder._meter._texts)
        mind.forget("p1")
        assert [one.cache_info().currsize for one in guards] == [0, 0]
        assert not any("Quillon" in text for text in mind.builder._meter._texts)
        known = rows.value_of.cache_info().hits
        assert (rows.value_of('"Quillon the thief"'), rows.value_of.cache_info().hits) == ("Quillon the thief", known)
