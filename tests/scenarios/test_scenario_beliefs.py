"""What an NPC believes: sure or not, corrected, denied by canon, written by hand, and gone with what it came from."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scenario_kit import open_mind
from searches import examples

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.memory import Authority
from npc_memory.mind import Mind


def offered(mind: Mind, npc: str, line: str, player: str = "p1") -> list[str]:
    """The beliefs in her prompt."""
    with mind.working_memory(npc, player, line) as memory:
        prompt = memory.text()
        assert all(belief.text in prompt for belief in memory.beliefs)
        return [belief.text for belief in memory.beliefs]


def statuses(mind: Mind, npc: str, at: int | None = None) -> dict[str, str]:
    return {one.text: one.status for one in mind.beliefs(npc, all=True, at=at)}


CORRECTED = [
    ("Osric lives in Highmoor.", "Osric moved from Highmoor to Ford.", "Where does Osric live?"),
    ("Osric wohnt in Hochmoor.", "Osric ist nach Furt gezogen.", "Wo wohnt Osric?"),
    ("Osric живёт в Хаймуре.", "Osric переехал в Форд.", "Где живёт Osric?"),
    ("Osricはハイムーアに住んでいる。", "Osricはフォードに引っ越した。", "Osricはどこに住んでいる?"),
]


@pytest.mark.parametrize(("old", "new", "question"), CORRECTED)
def test_a_corrected_belief_gives_way_to_the_new_one_and_stays_for_the_inspector(mind, old, new, question):
    first = mind.believe("marta", old)
    before = mind.store.newest_seq()
    mind.clock(mind.game_time + 600)
    second = mind.believe("marta", new)
    assert offered(mind, "marta", question) == [new]
    held, corrected = mind.beliefs("marta"), mind.beliefs("marta", all=True)[0]
    assert [one.id for one in held] == [second]
    assert (corrected.id, corrected.status, corrected.by) == (first, "deprecated", second)
    assert (corrected.valid_from, corrected.valid_to) == (mind.game_time - 600, mind.game_time)
    assert [one.text for one in mind.beliefs("marta", at=before)] == [old], "the past can be asked"


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("Der Schmied schuldet uns drei Silber.", "Seine Schuld ist beglichen.", "Was schuldet der Schmied?"),
        ("Кузнец должен нам три серебра.", "Долг кузнеца уплачен.", "Сколько должен кузнец?"),
        ("鍛冶屋は銀貨三枚の借りがある。", "鍛冶屋の借りは返された。", "鍛冶屋の借りは?"),
    ],
)
def test_with_a_slot_from_the_game_any_words_in_any_language_are_corrected(mind, old, new, question):
    mind.believe("marta", old, subject="brann", slot="debt")
    mind.believe("marta", new, subject="brann", slot="debt")
    assert offered(mind, "marta", question) == [new]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"text": "Osric lives in Highmoor."}, {"text": "Brann lives in Ford."}),
        ({"text": "Osric lives in Highmoor."}, {"text": "Osric lives in fear."}),
        ({"text": "Osric lives in Highmoor."}, {"text": "They say Osric moved to Ford."}),
        ({"text": "Osric lives in Highmoor."}, {"text": "Osric wants to move to Ford."}),
        ({"text": "The Town Guard lives in Highmoor."}, {"text": "The Town Guard moved to Ford."}),
        ({"text": "Osric moved to Ford."}, {"text": "Osric lives in FORD"}),
        ({"text": "a", "subject": "osric", "slot": "home"}, {"text": "b", "subject": "osric", "slot": "debt"}),
        ({"text": "a", "subject": "osric", "slot": "home"}, {"text": "b", "subject": "brann", "slot": "home"}),
        ({"text": "a", "slot": "home"}, {"text": "b", "slot": "home"}),
        ({"text": "a", "subject": "osric"}, {"text": "b", "subject": "osric"}),
        ({"text": "a", "subject": "osric", "slot": "home", "confidence": 0.9},
         {"text": "b", "subject": "osric", "slot": "home", "confidence": 0.3}),
    ],
)  # fmt: skip
def test_weak_evidence_takes_nothing_away(mind, one, other):
    mind.believe("marta", **one)
    mind.believe("marta", **other)
    assert [belief.status for belief in mind.beliefs("marta", all=True)] == ["held", "held"]


def test_old_news_that_comes_late_does_not_replace_fresh_news(mind):
    start = mind.game_time
    mind.clock(start + 900)
    fresh = mind.believe("marta", "Osric moved to Ford.", valid_from=start + 800)
    mind.believe("marta", "Osric lives in Highmoor.", valid_from=start + 100)
    assert [one.id for one in mind.beliefs("marta")] == [fresh]
    assert statuses(mind, "marta")["Osric lives in Highmoor."] == "deprecated"


def test_what_she_overheard_is_evidence_of_hers(mind):
    mind.talk("marta", "p1", "I seek the miller.", audience=["brann"])
    (heard,) = [one for one in mind.recall("brann", "miller") if one.kind == "episode"]
    mind.believe("brann", "The traveller seeks the miller.", evidence=[heard.id])
    with pytest.raises(InvalidInput, match="does not know of"):
        mind.believe("jory", "The traveller seeks the miller.", evidence=[heard.id])
    assert [one.evidence for one in mind.beliefs("brann")] == [(heard.id,)]


def test_two_who_share_a_name_are_kept_apart_and_an_alias_is_one(mind):
    mind.believe("marta", "He is at the gate.", subject="guard-gate", slot="post")
    mind.believe("marta", "He is on the wall.", subject="guard-wall", slot="post")
    assert len(mind.beliefs("marta")) == 2
    mind.actor("masked", alias_of="guard-gate")
    mind.believe("marta", "He has left the watch.", subject="masked", slot="post")
    assert [one.text for one in mind.beliefs("marta")] == ["He is on the wall.", "He has left the watch."]
    mind.actor("guard-wall", reborn=True)
    mind.believe("marta", "He guards the temple.", subject="guard-wall", slot="post")
    assert len(mind.beliefs("marta")) == 3, "somebody else has that id now"


def test_when_two_turn_out_to_be_one_what_is_believed_of_them_is_judged_at_once(mind):
    start = mind.game_time
    mind.clock(start + 900)
    mind.believe("marta", "He is in Ford.", subject="hood", slot="home", valid_from=start + 100)
    mind.believe("marta", "Osric is in Highmoor.", subject="osric", slot="home", valid_from=start + 800)
    mind.believe("brann", "Osric is in Highmoor.", subject="osric", slot="home", confidence=0.9)
    mind.believe("brann", "Maybe he is in Ford.", subject="hood", slot="home", confidence=0.2)
    mind.believe("jory", "Osric is in Highmoor.", subject="osric", slot="home")
    mind.believe("jory", "He is in HIGHMOOR", subject="hood", slot="home", value="Osric is in Highmoor.")
    mind.save("two")
    mind.actor("hood", alias_of="osric")
    assert statuses(mind, "marta") == {"He is in Ford.": "deprecated", "Osric is in Highmoor.": "held"}
    assert set(statuses(mind, "brann").values()) == set(statuses(mind, "jory").values()) == {"held"}
    mind.load("two")
    assert set(statuses(mind, "marta").values()) == {"held"}
    mind.actor("hood", reborn=True)
    mind.actor("hood", alias_of="osric")
    assert set(statuses(mind, "marta").values()) == {"held"}, "he of the hood was another then"


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["osric", "hood"]),
            st.sampled_from("abc"),
            st.sampled_from([0.2, 0.6, 0.9]),
            st.integers(0, 3),
            st.booleans(),
        ),
        max_size=6,
    )
)
def test_whenever_it_turns_out_nothing_stays_that_another_has_the_place_of(mind, believed):
    for known_before in (True, False):
        mind.load("begin")
        start = mind.game_time
        mind.clock(start + 10)
        if known_before:
            mind.actor("hood", alias_of="osric")
        for number, (who, value, sure, since, by_hand) in enumerate(believed):
            about = {"subject": who, "slot": "home", "value": value, "confidence": sure, "hand_written": by_hand}
            mind.believe("marta", f"{number}", valid_from=start + since, **about)
        if not known_before:
            mind.actor("hood", alias_of="osric")
        held = mind.beliefs("marta")
        assert bool(held) is bool(believed)
        for older, newer in itertools.combinations(sorted(held, key=lambda one: (one.valid_from, one.id)), 2):
            assert (
                older.value == newer.value
                or newer.confidence < min(older.confidence, 0.4)
                or (older.hand_written and not newer.hand_written)
            )


def test_what_she_believed_under_another_id_is_corrected_too(mind):
    mind.actor("landlady", alias_of="marta")
    with mind.store.transaction() as writer:
        writer.belief(authority=Authority.INFERENCE, npc="landlady", text="a", subject="osric", slot="home", value="a")
    mind.actor("landlady", reborn=True)
    mind.believe("marta", "b", subject="osric", slot="home")
    assert statuses(mind, "marta") == {"a": "deprecated", "b": "held"}


def test_what_canon_denies_is_never_offered_and_counts_for_little(mind):
    mind.believe("marta", "King Aldric is alive.", confidence=1.0)
    assert offered(mind, "marta", "Is King Aldric alive?") == []
    (lowered,) = mind.beliefs("marta", all=True)
    assert (lowered.status, lowered.by, lowered.confidence) == ("contradicted", "fact:king-dead", 0.2)
    assert mind.beliefs("marta") == ()


def test_many_that_canon_denies_do_not_crowd_out_the_one_it_does_not(mind):
    for number in range(40):
        mind.believe("marta", f"King Aldric is alive and well, says guest {number}.", confidence=1.0)
    assert offered(mind, "marta", "Is King Aldric alive?") == []
    mind.believe("marta", "Some still drink to the king.", confidence=0.2)
    assert offered(mind, "marta", "Is King Aldric alive and well, say the guests?") == ["Some still drink to the king."]
    assert [one.text for one in mind.recall("marta", "King Aldric") if one.kind == "belief"] == [
        "Some still drink to the king."
    ]


def test_a_state_that_changes_ends_what_was_believed_before(mind):
    mind.set_state({"north_gate": "open"})
    open_text, worded = "The north gate is open.", "Das Nordtor steht offen."
    mind.believe("marta", open_text)
    mind.believe("marta", worded, slot="state:north_gate", value="open")
    assert offered(mind, "marta", "north gate, Nordtor?") == [open_text, worded]
    before = mind.store.newest_seq()
    mind.set_state({"north_gate": "closed"})
    assert offered(mind, "marta", "north gate, Nordtor?") == []
    assert set(statuses(mind, "marta").values()) == {"contradicted"}
    assert set(statuses(mind, "marta", at=before).values()) == {"held"}


def test_a_fact_she_does_not_know_denies_nothing_until_she_knows_it(mind):
    """Otherwise what she drops would tell her that there is something to know."""
    mind.believe("brann", "A room at the Gilded Stag costs nine silver a night.")
    assert [one.status for one in mind.beliefs("brann", all=True)] == ["held"]
    mind.actor("brann", place="inn")
    assert [one.by for one in mind.beliefs("brann", all=True)] == ["fact:room-price"]


def test_a_belief_that_canon_denies_replaces_none(mind):
    mind.believe("marta", "The cellar door is locked.", slot="state:cellar_door", value="locked")
    mind.believe("marta", "The cellar door stands open.", slot="state:cellar_door", value="open")
    assert statuses(mind, "marta") == {
        "The cellar door is locked.": "held",
        "The cellar door stands open.": "contradicted",
    }


def test_what_a_writer_wrote_by_hand_only_a_writer_replaces(mind):
    written = mind.believe("marta", "Osric lives in Highmoor.", hand_written=True)
    mind.believe("marta", "Osric moved to Ford.", confidence=1.0)
    assert [one.status for one in mind.beliefs("marta", all=True)] == ["held", "held"]
    rewritten = mind.believe("marta", "Osric moved to Ford.", hand_written=True)
    assert {one.id: one.by for one in mind.beliefs("marta", all=True) if one.by} == {written: rewritten}


def test_a_hand_written_memory_outlives_the_lines_it_refers_to(mind):
    turn = mind.talk("marta", "p1", "I owe you three silver.").turn
    mind.believe("marta", "He is good for it.", subject="p1", evidence=[turn], hand_written=True)
    mind.believe("marta", "He is honest.", subject="p1", evidence=[turn])
    mind.delete(turn)
    assert [one.text for one in mind.beliefs("marta")] == ["He is good for it."]
    mind.forget("p1")
    assert mind.beliefs("marta", all=True) == (), "but whoever is forgotten is forgotten"


def test_what_a_deleted_line_had_replaced_is_held_again(mind):
    mind.believe("marta", "Osric lives in Highmoor.")
    said = mind.talk("marta", "p1", "Osric moved to Ford, you know.").turn
    mind.believe("marta", "Osric moved to Ford.", evidence=[said])
    assert offered(mind, "marta", "Where does Osric live?") == ["Osric moved to Ford."]
    mind.delete(said)
    assert offered(mind, "marta", "Where does Osric live?") == ["Osric lives in Highmoor."]


def test_what_the_replaced_one_had_replaced_is_held_again_when_both_are_gone(mind):
    mind.believe("marta", "Osric lives in Highmoor.")
    for text in ("Osric moved to Ford.", "Osric moved to Salt."):
        mind.believe("marta", text, evidence=[mind.talk("marta", "p1", f"{text} I saw it.").turn])
    for turn in [one.id for one in mind.store.turns("marta") if one.speaker == "marta"]:
        mind.delete(turn)
    assert [one.text for one in mind.beliefs("marta")] == ["Osric lives in Highmoor."]


def test_a_prompt_that_is_rolled_again_shows_only_what_is_stored(mind):
    mind.believe("marta", "Osric lives in Highmoor.")
    turn = mind.talk("marta", "p1", "Where does Osric live?").turn
    mind.believe("marta", "Osric moved to Ford.", evidence=[turn])
    again = mind.retry(turn)
    shown = mind.explain(again.audit).snapshot["beliefs"]
    assert all(mind.store.ever(one["id"]).text == one["text"] for one in shown)
    assert offered(mind, "marta", "Where does Osric live?") == ["Osric lives in Highmoor."]


def test_a_value_counts_even_where_the_pack_words_two_alike(mind, tmp_path):
    pack = tmp_path / "emberfall"
    shutil.copytree(Path(__file__).parents[2] / "worlds" / "emberfall", pack)
    with (pack / "state.yaml").open("a", encoding="utf-8") as file:
        file.write("\n- {key: lamp, default: lit, text: A lamp hangs by the door.}\n")
    with open_mind(world=pack) as other:
        other.believe("marta", "Die Lampe brennt.", slot="state:lamp", value="lit")
        assert offered(other, "marta", "Lampe?") == ["Die Lampe brennt."]
        other.set_state({"lamp": "out"})
        assert offered(other, "marta", "Lampe?") == []


def test_a_load_forgets_a_correction_and_the_newer_save_knows_it(mind):
    mind.believe("marta", "Osric lives in Highmoor.")
    mind.save("day 3")
    mind.believe("marta", "Osric moved to Ford.")
    mind.save("day 5")
    mind.load("day 3")
    assert offered(mind, "marta", "Where does Osric live?") == ["Osric lives in Highmoor."]
    mind.load("day 5")
    assert offered(mind, "marta", "Where does Osric live?") == ["Osric moved to Ford."]


def test_beliefs_survive_a_restart_and_an_archive(tmp_path: Path):
    with open_mind(tmp_path / "a.db") as mind:
        told = {"subject": "osric", "slot": "home", "hand_written": True}
        mind.believe("marta", "He lives in Highmoor.", value="Highmoor", sentiment=-0.5, scope="faction:watch", **told)
        mind.believe("marta", "The salt is dear.", confidence=0.95)
        mind.believe("marta", "Osric moved to Ford.", subject="osric", hand_written=True)
        before = mind.beliefs("marta", all=True)
        mind.store.export(tmp_path / "a.jsonl")
    with open_mind(tmp_path / "a.db") as mind:
        assert mind.beliefs("marta", all=True) == before
    with open_mind(tmp_path / "b.db") as mind:
        mind.store.import_archive(tmp_path / "a.jsonl")
        assert mind.beliefs("marta", all=True) == before


def test_a_key_is_answered_once(mind):
    first = mind.believe("marta", "Salt is dear.", key="k")
    assert mind.believe("marta", "Salt is dear.", key="k") == first
    assert len(mind.beliefs("marta")) == 1


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"npc": "nobody"}, UnknownId),
        ({"text": " "}, InvalidInput),
        ({"confidence": 1.5}, InvalidInput),
        ({"sentiment": -2}, InvalidInput),
        ({"scope": "watch"}, InvalidInput),
        ({"scope": "faction:nobody"}, UnknownId),
        ({"evidence": ["hearsay"]}, UnknownId),
        ({"evidence": ["e99999999"]}, UnknownId),
        ({"valid_from": 1.5}, InvalidInput),
    ],
)
def test_what_cannot_be_believed_is_refused_and_nothing_stored(mind, wrong, error):
    before = mind.store.newest_seq()
    with pytest.raises(error):
        mind.believe(**{"npc": "marta", "text": "Salt is dear.", **wrong})
    assert mind.store.newest_seq() == before


def test_nobody_has_evidence_from_another_ones_memory(mind):
    mind.talk("brann", "p1", "I owe you three silver.")
    (episode,) = mind.store.episodes("brann")
    event = mind.observe("theft", "Pell took a key.", actor="pell", audience=["brann"])
    for one in (episode.id, event):
        with pytest.raises(InvalidInput, match="does not know"):
            mind.believe("marta", "He is in debt.", evidence=[one])
        mind.believe("brann", "He is in debt.", evidence=[one])


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["marta", "brann"]),
            st.sampled_from(
                ["Osric lives in Ford.", "Osric moved to Highmoor.", "King Aldric is alive.", "Salt is dear."]
            ),
            st.sampled_from([0.2, 0.5, 0.9]),
        ),
        max_size=8,
    )
)
def test_another_ones_beliefs_change_nothing(mind, told):
    """Marta's beliefs, and what of them is offered, are those of a world in which only she believes."""
    seen = []
    for among in (told, [one for one in told if one[0] == "marta"]):
        mind.load("begin")
        for npc, text, confidence in among:
            mind.believe(npc, text, confidence=confidence)
        held = [(one.text, one.status, one.confidence) for one in mind.beliefs("marta", all=True)]
        with mind.working_memory("marta", "p1", "Where does Osric live?") as memory:
            seen.append((held, [(one.text, one.score, one.confidence) for one in memory.beliefs]))
    assert seen[0] == seen[1]


def test_what_is_believed_of_one_whose_id_another_has_by_now_is_judged_with_the_rest(mind):
    for actor, place in (("tall", "mill"), ("shade", "inn")):
        mind.believe("marta", f"The stranger lives at the {place}.", subject=actor, slot="home", value=place)
        mind.clock(mind.game_time + 10)
    mind.actor("shade", alias_of="p1")
    mind.actor("shade", reborn=True)
    mind.actor("tall", alias_of="p1")
    assert [one.value for one in mind.beliefs("marta")] == ["inn"]
