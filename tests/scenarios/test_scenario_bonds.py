"""What events make NPCs feel and know, in what they are told when somebody speaks to them."""

from __future__ import annotations

import pytest
from scenario_kit import open_mind

from npc_memory.errors import InvalidInput, UnknownId


@pytest.fixture
def mind():
    with open_mind() as opened:
        opened.actor("p1", name="Rolf")
        yield opened


def beliefs(mind, npc="marta", player="p1", text="Good evening."):
    with mind.working_memory(npc, player, text) as memory:
        return [one.text for one in memory.beliefs]


def stolen(mind, **more):
    return mind.observe("theft", "Rolf stole two spoons.", **{"actor": "p1", "audience": ["marta"], **more})


def test_who_saw_the_theft_trusts_him_less_and_nobody_else_does(mind):
    stolen(mind)
    assert beliefs(mind) == ["You do not trust Rolf. (Rolf stole two spoons.)"]
    assert (mind.relationship("marta", "p1").trust, mind.relationship("marta", "p1").affection) == (-20, -10)
    assert beliefs(mind, "brann") == beliefs(mind, player="p2") == []
    assert mind.relationship("brann", "p1").history == ()


def test_the_one_it_is_done_to_is_moved_more(mind):
    stolen(mind, target="marta", audience=["brann"])
    assert (mind.relationship("marta", "p1").trust, mind.relationship("brann", "p1").trust) == (-35, -20)


def test_after_a_load_of_the_save_before_the_theft_trust_is_back(mind):
    mind.relate("marta", "p1", trust=30)
    mind.save("before")
    stolen(mind)
    mind.save("after")
    mind.load("before")
    assert (mind.relationship("marta", "p1").trust, beliefs(mind)) == (30, ["You trust Rolf."])
    mind.load("after")
    assert mind.relationship("marta", "p1").trust == 10


def test_a_promise_that_is_kept_and_one_that_is_broken(mind):
    mind.observe("promise", "Rolf promised to come back.", actor="p1", target="marta")
    assert mind.relationship("marta", "p1").history == ()
    mind.observe("promise_kept", "Rolf came back, as promised.", actor="p1", target="marta")
    assert beliefs(mind) == ["You trust Rolf. (Rolf came back, as promised.)"]
    mind.observe("Promise_Broken", "Rolf never paid, for all his promises.", actor="p1", target="marta")
    assert mind.relationship("marta", "p1").trust == -5


def test_a_debt_is_shown_until_it_is_paid(mind):
    mind.observe("loan", "Marta lent Rolf silver.", actor="marta", target="p1", data={"amount": 5})
    assert beliefs(mind) == ["Rolf owes you 5 coins. (Marta lent Rolf silver.)"]
    mind.observe("payment", "Rolf paid.", actor="p1", target="marta", data={"amount": 2})
    assert mind.relationship("marta", "p1").debt == 3
    mind.observe("payment", "Rolf paid for everything.", actor="p1", target="marta", data={"amount": 10})
    assert (mind.relationship("marta", "p1").debt, beliefs(mind)) == (0, [])
    mind.observe("loan", "Rolf lent Brann silver.", actor="p1", target="brann", data={"amount": 7})
    assert beliefs(mind, "brann")[0].startswith("You owe Rolf 7 coins.")


def test_the_games_own_word_takes_the_place_of_the_rule(mind):
    stolen(
        mind, data={"relations": [{"of": "marta", "to": "p1", "fear": 70}, {"of": "brann", "to": "p1", "trust": -25}]}
    )
    found = mind.relationship("marta", "p1")
    assert (found.trust, found.fear, found.words) == (0, 70, ("You are terrified of Rolf.",))
    assert beliefs(mind, "brann") == ["You do not trust Rolf."], "he was not there, so its text is no reason of his"


@pytest.mark.parametrize(
    "data",
    [
        {"relations": {}}, {"relations": [5]}, {"relations": [{"of": "marta", "to": "p1", "love": 1}]},
        {"relations": [{"of": "marta", "to": "p1", "trust": 0.5}]}, {"relations": [{"of": "marta", "trust": 5}]},
        {"relations": [{"of": "marta", "to": "marta", "trust": 5}]}, {"triples": [["a", "b"]]}, {"triples": "abc"},
        {"relations": [{"of": "marta", "to": "p1", "trust": 300}]}, {"triples": [["a", "b", ""]]},
        {"triples": [{"subject": "a", "relation": "b", "object": "c", "what": 1}]}, {"relations": [{}] * 201},
        {"triples": [{"subject": "a", "relation": "b", "object": "c", "confidence": 2}]},
        {"relations": [{"of": "marta", "to": "p1", "trust": 5, "reason": 5}]},
    ],
)  # fmt: skip
def test_data_that_cannot_be_used_is_refused_and_nothing_is_stored(mind, data):
    before = mind.store.newest_seq()
    with pytest.raises(InvalidInput):
        stolen(mind, data=data)
    with pytest.raises(UnknownId):
        stolen(mind, data={"relations": [{"of": "nobody", "to": "p1", "trust": 5}]})
    with pytest.raises(InvalidInput):
        mind.observe("loan", "x", actor="marta", target="p1", data={"amount": -5})
    assert mind.store.newest_seq() == before


def test_the_game_moves_and_sets_and_a_key_does_so_once(mind):
    for _ in range(2):
        found = mind.relate("marta", "p1", trust=70, reason="He saved the inn.", key="k1")
    assert (found.trust, [one.reason for one in found.history]) == (70, ["He saved the inn."])
    assert mind.relate("marta", "p1", trust=-50, debt=3, exact=True).trust == -50
    assert mind.relate("marta", "p1", trust=-200).trust == -100
    assert [one.other for one in mind.relationships("marta")] == ["p1"]
    with pytest.raises(InvalidInput):
        mind.relate("marta", "marta", trust=1)
    with pytest.raises(UnknownId):
        mind.relate("nobody", "p1", trust=1)


def test_a_change_made_from_a_turn_goes_when_the_turn_is_deleted(mind):
    said = mind.talk("marta", "p1", "I will kill you all.")
    mind.relate("marta", "p1", fear=40, source=said.turn)
    mind.triple("p1", "threatens", "marta", npc="marta", source=said.turn)
    assert mind.relationship("marta", "p1").fear == 40
    mind.delete(said.turn)
    assert (mind.relationship("marta", "p1").fear, mind.triples("marta")) == (0, ())


def test_a_source_is_a_record_that_can_be_taken_back(mind):
    for source in ("zorb letter", "engine", "v99999999"):
        with pytest.raises(UnknownId):
            mind.relate("edda", "osric", trust=-30, source=source)
        with pytest.raises(UnknownId):
            mind.triple("osric", "owes", "jory", source=source)
    assert (mind.relationship("edda", "osric").trust, mind.triples()) == (0, ())


def test_a_source_is_hers_or_what_she_perceived(mind):
    seen = mind.observe("fight", "A wolf bit Pell.", place="inn", audience=["marta"])
    (hers,) = mind.store.episodes("marta")
    for source in (seen, hers.id):
        with pytest.raises(InvalidInput, match="does not know of"):
            mind.relate("edda", "osric", trust=-30, source=source)
        with pytest.raises(InvalidInput, match="does not know of"):
            mind.triple("osric", "owes", "jory", npc="edda", source=source)
        mind.relate("marta", "osric", trust=-30, source=source)
        mind.triple("osric", "owes", "jory", npc="marta", source=source)
        mind.triple("osric", "owes", "jory", source=source)
    assert (mind.relationship("edda", "osric").trust, mind.triples("edda")) == (0, ())


def test_both_heard_the_line_that_one_npc_said_to_the_other(mind):
    heard = [one.turn for one in mind.converse(["marta", "edda"], turns=2).replies]
    for source in heard:
        for npc, other in (("marta", "edda"), ("edda", "marta")):
            before = mind.relationship(npc, other).trust
            assert mind.relate(npc, other, trust=5, source=source).trust == before + 5
        with pytest.raises(InvalidInput, match="does not know of"):
            mind.relate("osric", "marta", trust=5, source=source)
    mind.delete(heard[1])
    assert mind.relationship("marta", "edda").trust == mind.relationship("edda", "marta").trust == 5


def test_an_erased_event_takes_what_it_changed_along(mind):
    event = stolen(mind, data={"triples": [["p1", "has", "spoons"]]})
    mind.erase([event])
    assert (mind.relationship("marta", "p1").history, mind.triples("marta")) == ((), ())


def test_a_forgotten_player_leaves_no_feeling_behind(mind):
    stolen(mind, data={"triples": [["p1", "has", "spoons"]]})
    mind.relate("marta", "brann", trust=-30, reason="Brann drinks with Rolf.")
    mind.forget("p1")
    assert (mind.relationship("marta", "p1").history, mind.triples("marta")) == ((), ())
    assert [one.reason for one in mind.relationship("marta", "brann").history] == ["Brann drinks with someone."]


def test_an_alias_is_one_and_a_new_hero_is_not_the_old_one(mind):
    stolen(mind)
    mind.actor("stranger", alias_of="p1")
    assert beliefs(mind, player="stranger")[0].startswith("You do not trust Rolf.")
    mind.actor("p1", reborn=True, name="Rolf")
    assert (beliefs(mind), mind.relationship("marta", "p1").trust) == ([], 0)


def test_a_question_of_two_hops_gets_both_triples(mind):
    mind.actor("ford", name="Ford")
    mind.actor("maren", name="Lady Maren")
    mind.observe("news", "Osric moved.", audience=["marta"], data={"triples": [["osric", "lives_in", "ford"]]})
    mind.triple("maren", "rules", "ford")
    mind.triple("maren", "hates", "brann")
    question = "Who rules the town where Osric lives?"
    assert set(beliefs(mind, text=question)) == {"Osric Venn lives in Ford.", "Lady Maren rules Ford."}
    assert beliefs(mind, "brann", text=question) == [], "he was not told where Osric lives"
    assert beliefs(mind, text="Nice weather.") == []


def test_moved_from_highmoor_to_ford(mind):
    for number, place in enumerate(["highmoor", "ford"]):
        mind.clock(200_000 + number)
        mind.triple("osric", "lives_in", place, npc="marta")
    assert beliefs(mind, text="Where does Osric live?") == ["Osric Venn lives in ford."]
    assert [one.object for one in mind.triples("marta")] == ["highmoor", "ford"], "for the inspector"


@pytest.mark.parametrize(
    ("name", "question"),
    [("勇者", "勇者はどこに住んでいますか"), ("Довакин", "Где живёт Довакин?"), ("Élise", "Où habite Élise ?")],
)
def test_entities_are_found_in_any_script_by_name_and_by_id(mind, name, question):
    mind.triple(name, "lives_in", "ford")
    assert beliefs(mind, text=question) == [f"{name} lives in ford."]
    mind.triple("npc_7", "likes", "bread")
    mind.actor("npc_7", name=name * 2)
    assert f"{name * 2} likes bread." in beliefs(mind, text=question.replace(name, name * 2))


def test_what_a_player_told_one_of_two_alone_comes_up_in_no_talk_of_theirs(mind):
    data = {
        "triples": [["osric", "hides_in", "hayloft"]],
        "relations": [{"of": "marta", "to": "brann", "trust": -30}],
    }
    mind.observe("talk", "Rolf said where Osric hides.", actor="p1", target="marta", audience=[], data=data)
    mind.converse(["marta", "brann"], topic="Where is Osric?", turns=1)
    shown = mind.store.audits(npc="marta")[-1].payload
    assert "You do not trust Brann" in shown
    assert [told for told in ("hayloft", "(Rolf said where") if told in shown] == []
    assert "Osric Venn hides in hayloft." in beliefs(mind, text="Where does Osric hide?")


def test_another_owner_knows_and_feels_nothing(mind):
    stolen(mind, data={"triples": [["osric", "lives_in", "ford"]]})
    ann = mind.for_owner("ann")
    assert beliefs(ann, text="Where does Osric live?") == []
    assert ann.relationship("marta", "p1").history == ()


def test_what_the_pack_says_is_where_it_begins(tmp_path):
    import shutil

    from npc_memory.resources import resource_dir

    pack = shutil.copytree(resource_dir("worlds") / "perigee", tmp_path / "perigee")
    for name, more in (
        ("world.yaml", "money: credits\nentities: [{id: dock, name: Dock Nine}]\n"),
        ("npcs/imre.yaml", "relations: [{to: okafor, trust: 40, debt: -3}]\ntriples: [[okafor, lives_in, dock]]\n"),
        ("facts.yaml", "- {id: dock-sable, text: Sable runs the dock., triples: [[dock, run_by, sable]]}\n"),
    ):
        path = pack / name
        path.write_text(path.read_text(encoding="utf-8") + "\n" + more, encoding="utf-8")
    with open_mind(world=pack) as mind:
        names = mind.world.names
        found = mind.relationship("imre", "okafor")
        assert (found.trust, found.debt, dict(found.start), found.history) == (40, -3, {"trust": 40, "debt": -3}, ())
        assert found.words[1] == f"You owe {names['okafor']} 3 credits."
        question = f"Who runs the place where {names['okafor']} lives?"
        expected = [f"{names['okafor']} lives in Dock Nine.", f"Dock Nine run by {names['sable']}."]
        assert sorted(beliefs(mind, "imre", text=question)) == sorted(expected)
        mind.triple("okafor", "lives_in", "airlock", npc="imre")
        assert beliefs(mind, "imre", text=question) == [f"{names['okafor']} lives in airlock."]
        mind.triple("dock", "run_by", "okafor")
        assert f"Dock Nine run by {names['sable']}." in beliefs(mind, "imre", text="Who runs Dock Nine?")
        assert mind.relate("imre", "okafor", trust=-50).trust == -10


def test_who_is_told_of_it_is_moved_half_as_much_and_less_sure(mind):
    stolen(mind, data={"triples": [["p1", "has", "spoons"]]})
    told = mind.observe("tell", "Rolf stole two spoons.", actor="marta", target="brann", audience=[])
    found = mind.relationship("brann", "p1")
    assert (found.trust, found.affection, mind.relationship("jory", "p1").trust) == (-10, -5, 0)
    assert {one.authority.name for one in found.history} == {"INFERENCE"}
    assert [(one.object, one.confidence) for one in mind.triples("brann")] == [("spoons", 0.76)]
    mind.observe("tell", "Rolf stole two spoons.", actor="marta", target="brann", audience=[])
    assert mind.relationship("brann", "p1").trust == -10, "told twice, moved once"
    mind.observe("tell", "Rolf stole two spoons.", actor="brann", target="marta", audience=[])
    assert mind.relationship("marta", "p1").trust == -20, "she saw it herself"
    assert mind.erase([told])["relationships"] == 2
    assert (mind.relationship("brann", "p1").trust, mind.triples("brann")) == (0, ())


def test_what_an_npc_tells_with_triples_is_known_once_by_those_who_hear_it(mind):
    data = {"triples": [["osric", "lives_in", "ford"]]}
    mind.observe("tell", "Osric lives in Ford.", actor="marta", target="brann", audience=[], data=data)
    assert [len(mind.triples(npc)) for npc in ("marta", "brann", "jory")] == [1, 1, 0]


def test_recall_tells_of_triples_and_why_they_came(mind):
    mind.triple("osric", "lives_in", "ford", npc="marta", confidence=0.5)
    mind.triple("maren", "rules", "ford")
    found = [one for one in mind.recall("marta", "Who rules the town where Osric lives?") if one.kind == "triple"]
    assert [one.text for one in found] == ["Osric Venn lives in ford.", "Maren rules ford."]
    assert found[0].more == {
        "confidence": 0.5, "subject": "osric", "relation": "lives_in", "object": "ford", "hop": 1,
        "valid_from": mind.game_time,
    }  # fmt: skip
    assert all(sum(one.why.values()) == pytest.approx(one.score) for one in found)
    assert [one.kind for one in mind.recall("brann", "Where does Osric live?")] == []
