"""Who is who: same names, odd scripts, ids an engine changed, ids it used again, the hero's successor."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_kit import line, open_mind

from npc_memory.errors import AliasRefused, InvalidInput, UnknownId
from npc_memory.inference import ScriptedEngine
from npc_memory.mind import Mind

SECRET = "I hid the crown in the well."
ASKED = "Where is the crown, in the well?"


def mind_at(place: Path | str = ":memory:") -> Mind:
    return open_mind(place, engine=ScriptedEngine(["Aye."], format=line))


def shown(mind: Mind, npc: str, player: str, text: str = ASKED) -> str:
    with mind.working_memory(npc, player, text) as memory:
        return memory.text()


def test_two_guards_of_one_name_share_no_secret() -> None:
    with mind_at() as mind:
        for guard in ("guard-gate", "guard-wall"):
            mind.actor(guard, place="market", name="Town Guard")
        mind.talk("guard-gate", "rolf", SECRET, audience=[])
        assert SECRET in shown(mind, "guard-gate", "rolf")
        assert "hid the crown" not in shown(mind, "guard-wall", "rolf")


def test_two_guards_of_one_name_are_told_apart_in_a_third_ones_memory() -> None:
    with mind_at() as mind:
        mind.talk("guard-gate", "rolf", "The gate is open.", audience=["edda"])
        mind.talk("guard-wall", "rolf", "The wall is high.", audience=["edda"])
        text = shown(mind, "edda", "rolf", "Well?")
        assert "rolf (to Town Guard (guard-gate)): The gate is open." in text
        assert "rolf (to Town Guard (guard-wall)): The wall is high." in text


@pytest.mark.parametrize(("one", "other"), [("Довакин", "勇者"), ("Élise", "Elise"), ("p 1", "p1")])
def test_players_of_any_script_have_stores_of_their_own(tmp_path: Path, one: str, other: str) -> None:
    with mind_at(tmp_path / "w.sqlite3") as mind:
        mind.actor(one, name=one)
        mind.talk("marta", one, SECRET)
        mind.end(one)
        mind.talk("marta", other, "Good evening.")
    with mind_at(tmp_path / "w.sqlite3") as mind:
        assert [turn.text for turn in mind.store.dialogue("marta", one, 1)] == [SECRET, "Aye."]
        assert [turn.text for turn in mind.store.dialogue("marta", other)] == ["Good evening.", "Aye."]
        assert f'{one} said: "{SECRET}"' in shown(mind, "marta", other)


@pytest.mark.parametrize("name", ["Élise", "Rolf", "Narrator", "system", "Player", "勇者"])
def test_an_npc_with_such_a_name_inherits_nothing(name: str) -> None:
    with mind_at() as mind:
        mind.actor("rolf", name="Rolf")
        mind.actor("tamsin", name=name)
        mind.talk("marta", "rolf", SECRET)
        assert "hid the crown" not in shown(mind, "tamsin", "rolf")
        assert mind.store.turns("tamsin") == ()
        mind.talk("tamsin", "rolf", "Are you well?")
        text = shown(mind, "tamsin", "rolf", "And now?")
        assert text.count(f"{name}: Aye.\n") == 1
        speaks = "Rolf (rolf)" if name == "Rolf" else "Rolf"
        assert f"\n{speaks}: Are you well?\n" in text
        assert f'{speaks} said: "Are you well?" {name} answered' in mind.store.episodes("tamsin")[0].text


def test_an_npc_who_is_called_as_the_player_is_another_in_a_third_ones_memory() -> None:
    with mind_at() as mind:
        mind.actor("rolf", name="Rolf")
        mind.actor("tamsin", name="Rolf")
        mind.talk("tamsin", "rolf", SECRET, audience=["marta"])
        text = shown(mind, "marta", "rolf", "What did I say?")
        assert f"Rolf (to Rolf (tamsin)): {SECRET}" in text
        assert "Rolf (tamsin) (to Rolf): Aye." in text


def test_a_hero_with_a_new_id_is_told_apart_from_the_one_before() -> None:
    with mind_at() as mind:
        mind.actor("hero-1", name="Rolf")
        mind.talk("marta", "hero-1", SECRET)
        mind.actor("hero-2", name="Rolf")
        text = shown(mind, "marta", "hero-2")
        assert f'Another Rolf (hero-1) said: "{SECRET}"' in text
        assert f"Rolf: {SECRET}" not in text


def test_a_hero_reborn_under_the_same_id_is_told_apart_from_the_one_before(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    with mind_at(file) as mind:
        mind.actor("hero", name="Rolf")
        mind.talk("marta", "hero", SECRET)
        mind.actor("hero", reborn=True, name="Rolf")
        texts = [shown(mind, "marta", "hero")]
        assert mind.store.dialogue("marta", "hero") == ()
    with mind_at(file) as mind:
        texts.append(shown(mind, "marta", "hero"))
        mind.talk("marta", "hero", "I am new here.")
        after = shown(mind, "marta", "hero")
        assert "Rolf: I am new here." in after
        assert f"Rolf: {SECRET}" not in after
    assert texts[0] == texts[1]
    assert f'Another Rolf (hero, earlier) said: "{SECRET}"' in texts[0]


def test_who_is_reborn_keeps_no_name_and_no_place_and_no_open_conversation() -> None:
    with mind_at() as mind:
        mind.actor("hero", name="Rolf", place="market", faction="watch")
        mind.talk("marta", "hero", SECRET)
        mind.actor("hero", reborn=True)
        found = mind.store.actor("hero")
        assert found is not None
        assert (found.name, found.place, found.faction) == ("", "", "")
        assert mind.store.open_sessions("hero") == ()
        assert "Rolf: Good day." not in shown(mind, "marta", "hero", "Good day.")


def test_an_npc_reborn_remembers_nothing_and_those_who_knew_her_still_do() -> None:
    with mind_at() as mind:
        mind.talk("guard-gate", "rolf", SECRET, audience=["edda"])
        mind.actor("guard-gate", reborn=True)
        assert mind.store.turns("guard-gate") == mind.store.episodes("guard-gate") == ()
        assert "hid the crown" not in shown(mind, "guard-gate", "rolf")
        assert SECRET in shown(mind, "edda", "rolf")
        first, second = mind.talk("guard-gate", "rolf", "Who are you?"), mind.talk("guard-gate", "rolf", "And now?")
        seeds = {mind.explain(one.audit).exchange for one in (first, second)}
        assert seeds == {1, 2}, "a line drawn again would be the same line"


def test_an_alias_reads_what_both_ids_have_said_and_heard() -> None:
    with mind_at() as mind:
        mind.talk("marta", "p-old", SECRET)
        mind.talk("marta", "p-new", "My horse is called Thunder.")
        assert "p-new: My horse" not in shown(mind, "marta", "p-old", "My horse?")
        mind.actor("p-new", alias_of="p-old", name="Rolf")
        both = [shown(mind, "marta", one, "My horse and the crown?") for one in ("p-old", "p-new")]
        assert both[0] == both[1]
        assert f"Rolf: {SECRET}" in both[0]
        assert "Rolf: My horse is called Thunder." in both[0]
        assert mind.store.turns("marta")[0].speaker == "p-old", "nothing is rewritten"
        answer = mind.talk("marta", "p-new", "Good night.")
        assert answer.player == "p-new"
        assert mind.store.turns("marta")[-2].speaker == "p-old"
        mind.end("p-new", "marta")
        assert "Rolf: My horse" not in shown(mind, "marta", "p-old", "Hello.")


def test_an_npc_has_the_records_of_the_id_she_had_and_of_the_one_she_has() -> None:
    with mind_at() as mind:
        mind.actor("npc-0042", alias_of="marta", place="market")
        answer = mind.talk("npc-0042", "rolf", SECRET)
        assert (answer.npc, answer.fallback) == ("npc-0042", False)
        assert shown(mind, "npc-0042", "rolf") == shown(mind, "marta", "rolf")
        assert SECRET in shown(mind, "marta", "rolf")
        mind.observe("fire", "The hayrick burned.", audience=["npc-0042"])
        assert mind.store.episodes("marta")[-1].text == "The hayrick burned."
        mind.set_state({"north_bridge": "burned"}, scope="npc:npc-0042")


def test_a_pack_that_renamed_an_npc_finds_what_she_remembers() -> None:
    """The pack has "tamsin" only; what she remembers is stored for "old-tamsin"."""
    with mind_at() as mind:
        with mind.store.transaction() as write:
            told = {"npc": "old-tamsin", "player": "rolf", "speaker": "rolf", "addressee": "old-tamsin"}
            write.turn(authority=2, text=SECRET, **told)  # type: ignore[arg-type]
        mind.actor("tamsin", alias_of="old-tamsin")
        assert f"rolf: {SECRET}" in shown(mind, "tamsin", "rolf")
        mind.talk("tamsin", "rolf", "Hello.")
        assert {turn.npc for turn in mind.store.turns("tamsin")} == {"tamsin", "old-tamsin"}


def test_what_was_said_of_either_id_holds_for_both() -> None:
    with mind_at() as mind:
        mind.actor("p-old", name="Rolf", place="inn")
        mind.actor("p-new", place="market")
        mind.actor("p-new", alias_of="p-old")
        for one in ("p-old", "p-new"):
            found = mind.store.actor(one)
            assert found is not None
            assert (found.name, found.place) == ("Rolf", "market")


def test_an_alias_made_after_a_save_is_unknown_in_it() -> None:
    with mind_at() as mind:
        mind.talk("marta", "p-old", SECRET)
        before = mind.save("before")
        apart = shown(mind, "marta", "p-new")
        mind.actor("p-new", alias_of="p-old")
        together = shown(mind, "marta", "p-new")
        after = mind.save("after")
        assert apart != together
        mind.load("before")
        assert shown(mind, "marta", "p-new") == apart
        mind.actor("p-new", reborn=True)
        mind.load("after")
        assert shown(mind, "marta", "p-new") == together
        assert before.save_id != after.save_id


@pytest.mark.parametrize(
    ("actor", "alias_of", "hint"),
    [
        ("a", "a", "another id"),
        ("a", "c", "already"),
        ("d", "b", "'a'"),
        ("b", "d", "one being"),
        ("a", "d", "instead"),
        ("a", "b", "already"),
        ("edda", "nim", "stay two"),
    ],
)
def test_chains_circles_and_two_of_the_pack_are_refused(actor: str, alias_of: str, hint: str) -> None:
    with mind_at() as mind:
        mind.actor("b", alias_of="a")
        mind.actor("c", alias_of="a")
        newest = mind.store.newest_seq()
        with pytest.raises(AliasRefused) as caught:
            mind.actor(actor, alias_of=alias_of)
        assert (caught.value.actor, caught.value.alias_of) == (actor, alias_of)
        assert hint in caught.value.hint
        assert mind.store.newest_seq() == newest
        mind.actor("b", alias_of="a", name="Said again")


def test_what_makes_no_sense_is_refused() -> None:
    with mind_at() as mind:
        with pytest.raises(InvalidInput):
            mind.actor("a", alias_of="b", reborn=True)
        mind.actor("shape", alias_of="marta")
        with pytest.raises(InvalidInput, match="herself"):
            mind.talk("marta", "shape", "Hello, me.")
        mind.actor("ghost", alias_of="nobody")
        with pytest.raises(UnknownId):
            mind.talk("ghost", "rolf", "Hello.")


def test_an_id_used_again_does_not_take_along_those_who_had_it() -> None:
    """An engine renamed guest-7 to rolf, and later gave guest-7 to somebody else."""
    with mind_at() as mind:
        mind.talk("marta", "guest-7", SECRET)
        mind.actor("rolf", alias_of="guest-7")
        mind.actor("guest-7", reborn=True)
        assert f'rolf said: "{SECRET}"' in shown(mind, "marta", "rolf")
        assert f'Another guest-7 (rolf) said: "{SECRET}"' in shown(mind, "marta", "guest-7")
        mind.talk("marta", "guest-7", "I am another one.")
        mind.talk("marta", "rolf", "It is me.")
        assert "I am another one." not in [turn.text for turn in mind.store.dialogue("marta", "rolf")]
        assert [turn.text for turn in mind.store.dialogue("marta", "guest-7")] == ["I am another one.", "Aye."]


def test_a_belief_about_the_one_before_is_none_about_the_one_who_has_his_id() -> None:
    with mind_at() as mind:
        with mind.store.transaction() as write:
            write.belief(authority=0, npc="marta", subject="hero", text="The hero is a thief.")  # type: ignore[arg-type]
        assert "The hero is a thief." in shown(mind, "marta", "hero")
        mind.actor("hero", reborn=True)
        assert "The hero is a thief." not in shown(mind, "marta", "hero")
        assert "The hero is a thief." in shown(mind, "marta", "rolf")
