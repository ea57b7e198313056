"""Rolled again, edited, deleted: only what stands now is remembered, and what was made from the rest goes with it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from scenario_kit import line, open_mind

from npc_memory.errors import InvalidInput, TextTooLong, UnknownId
from npc_memory.inference import Reply, ScriptedEngine
from npc_memory.memory import Authority
from npc_memory.mind import Cancellation, Mind


def said(mind: Mind) -> list[str]:
    return [turn.text for turn in mind.store.turns("marta")]


def remembered(mind: Mind) -> list[str]:
    return [one.text for one in mind.store.episodes("marta")]


def scripted(*texts: str) -> ScriptedEngine:
    return ScriptedEngine(list(texts), format=line)


def test_of_three_rolls_only_the_kept_one_is_remembered(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    with open_mind(file, engine=scripted("Aye.", "Hm.", "Perhaps.", "Well.")) as mind:
        mind.talk("marta", "rolf", "Good evening.")
        first = mind.talk("marta", "rolf", "Will you help me?")
        mind.save("first")
        second = mind.retry(first.turn)
        third = mind.retry(second.turn)
        assert (first.say, second.say, third.say) == ("Hm.", "Perhaps.", "Well.")
        assert first.turn == second.turn == third.turn
        assert said(mind) == ["Good evening.", "Aye.", "Will you help me?", "Well."]
        assert remembered(mind)[1:] == ['rolf said: "Will you help me?" Marta answered: "Well."']
        assert mind.store.turn(first.turn).roll == 2
        seeds = [mind.explain(one.audit).attempts[0].seed for one in (first, second, third)]
        assert len(set(seeds)) == 3
        prompts = [mind.explain(one.audit).prompt_sha256 for one in (first, second, third)]
        assert len(set(prompts)) == 1, "the same line heard the same way"
        with mind.working_memory("marta", "rolf", "Hm, Perhaps?") as memory:
            assert "Hm." not in memory.text().split("Hm, Perhaps")[0]
    with open_mind(file) as mind:
        assert said(mind)[-1] == "Well."
        mind.load("first")
        assert said(mind)[-1] == "Hm."
        assert remembered(mind)[-1].endswith('Marta answered: "Hm."')


def test_rolling_again_is_deterministic() -> None:
    found = []
    for _ in range(2):
        with open_mind() as mind:
            turn = mind.talk("marta", "rolf", "Will you help me?").turn
            found.append([mind.retry(turn).say for _ in range(3)])
    assert found[0] == found[1]


def test_another_line_may_take_the_place_of_the_first() -> None:
    with open_mind(engine=scripted("Aye.", "No.")) as mind:
        turn = mind.talk("marta", "rolf", "Will you help me?").turn
        mind.retry(turn, "Will you sing for me?")
        assert said(mind) == ["Will you sing for me?", "No."]
        assert remembered(mind) == ['rolf said: "Will you sing for me?" Marta answered: "No."']


def test_what_the_game_said_meanwhile_is_known_when_rolled_again() -> None:
    with open_mind() as mind:
        turn = mind.talk("marta", "rolf", "How is the well?").turn
        mind.set_state({"old_well": "poisoned"})
        again = mind.retry(turn)
        assert "poisoned" in "".join(text for _, _, text in mind.explain(again.audit).prompt)


def test_only_the_newest_exchange_can_be_rolled_again() -> None:
    with open_mind() as mind:
        first = mind.talk("marta", "rolf", "One.").turn
        second = mind.talk("marta", "rolf", "Two.").turn
        mind.talk("marta", "other", "Three.")
        with pytest.raises(InvalidInput):
            mind.retry(first)
        assert mind.retry(second).turn == second
        mind.end("rolf", "marta")
        with pytest.raises(InvalidInput):
            mind.retry(second)
        with pytest.raises(UnknownId):
            mind.retry("t00009999")


def test_a_cancelled_retry_changes_nothing() -> None:
    with open_mind() as mind:
        turn = mind.talk("marta", "rolf", "One.").turn
        before = (said(mind), remembered(mind), mind.store.newest_seq())
        cancelled = Cancellation()
        cancelled.cancel()
        answer = mind.retry(turn, cancellation=cancelled)
        assert (answer.interrupted, answer.turn) == (True, turn)
        assert (said(mind), remembered(mind), mind.store.newest_seq()) == before


def test_a_retry_under_way_ends_with_a_load() -> None:
    words = threading.Event()
    engine = ScriptedEngine([Reply("Aye."), Reply("Let me think. And think again.", "slow")], format=line, pace=0.01)
    with open_mind(engine=engine) as mind:
        turn = mind.talk("marta", "rolf", "One.").turn
        mind.save("one")
        answers = []
        thread = threading.Thread(target=lambda: answers.append(mind.retry(turn, on_text=lambda text: words.set())))
        thread.start()
        assert words.wait(30)
        mind.load("one")
        thread.join(30)
        assert (answers[0].interrupted, answers[0].reason) == (True, "superseded")
        assert said(mind) == ["One.", "Aye."]


def test_an_edited_line_is_told_anew_everywhere() -> None:
    with open_mind(engine=scripted("I know that crown.", "Aye.")) as mind:
        mind.talk("marta", "rolf", "I buried the golden crown.")
        asked, answer = mind.store.turns("marta")
        episode = mind.store.episodes("marta")[0]
        with mind.store.transaction() as writer:
            writer.belief(npc="marta", text="He is rich.", provenance=(episode.id,), authority=Authority.INFERENCE)
        mind.talk("marta", "rolf", "Well?")
        mind.save("before")
        mind.edit(asked.id, "I buried the silver spoon.")
        assert said(mind)[:2] == ["I buried the silver spoon.", "I know that crown."]
        mind.edit(answer.id, "I know that spoon.")
        assert remembered(mind)[-1] == ('rolf said: "I buried the silver spoon." Marta answered: "I know that spoon."')
        assert len(remembered(mind)) == 2
        assert mind.store.beliefs("marta") == ()
        with mind.working_memory("marta", "rolf", "Where is the crown?") as memory:
            assert "golden crown" not in memory.text()
            assert "silver spoon" in memory.text()
        mind.load("before")
        assert said(mind)[0] == "I buried the golden crown."
        assert len(mind.store.beliefs("marta")) == 1


def test_a_deleted_line_is_gone_with_what_was_made_of_it() -> None:
    with open_mind(engine=scripted("Aye.", "Never.", "So.")) as mind:
        mind.talk("marta", "rolf", "I am from Highmoor.")
        gone = mind.talk("marta", "rolf", "I killed the miller.").turn
        asked = mind.store.turns("marta")[2]
        mind.delete(gone)
        assert remembered(mind)[-1] == 'rolf said: "I killed the miller."'
        mind.delete(asked.id)
        assert said(mind) == ["I am from Highmoor.", "Aye."]
        assert len(remembered(mind)) == 1
        with mind.working_memory("marta", "rolf", "Who killed the miller?") as memory:
            assert "I killed" not in memory.text()
        for attempt in (lambda: mind.delete(gone), lambda: mind.edit(gone, "x"), lambda: mind.retry(gone)):
            with pytest.raises(UnknownId):
                attempt()
        assert mind.talk("marta", "rolf", "Good night.").say == "So."


def test_what_cannot_be_a_line_is_refused_and_nothing_changes() -> None:
    with open_mind() as mind:
        turn = mind.talk("marta", "rolf", "One.").turn
        before = said(mind)
        for text, error in (("", InvalidInput), ("  ", InvalidInput), ("x" * 70_000, TextTooLong)):
            with pytest.raises(error):
                mind.edit(turn, text)
            with pytest.raises(error):
                mind.retry(turn, text)
        assert said(mind) == before


def test_an_authored_line_rolled_again_is_an_answer_and_becomes_a_memory() -> None:
    engine = ScriptedEngine(["", "", "", "Here I am."], format=line)
    with open_mind(engine=engine) as mind:
        first = mind.talk("marta", "rolf", "Anyone there?")
        assert first.fallback
        assert remembered(mind) == ['rolf said: "Anyone there?"']
        second = mind.retry(first.turn)
        while second.fallback:
            second = mind.retry(first.turn)
        assert remembered(mind) == ['rolf said: "Anyone there?" Marta answered: "Here I am."']


@pytest.mark.parametrize("how", ["edit", "delete"])
def test_a_summary_of_a_line_that_is_taken_back_goes_with_all_that_was_made_of_it(how: str) -> None:
    with open_mind(engine=scripted("I know that crown.", "Aye.")) as mind:
        mind.talk("marta", "rolf", "I buried the golden crown.")
        mind.talk("marta", "rolf", "And I drank ale.")
        asked = mind.store.turns("marta")[0]
        with mind.store.transaction() as writer:
            told = tuple(one.id for one in mind.store.episodes("marta"))
            summary = writer.episode(
                npc="marta", kind="summary", text="He hides a crown.", provenance=told, authority=Authority.REPLY
            )
            writer.belief(npc="marta", text="He is rich.", provenance=(summary.id,), authority=Authority.INFERENCE)
        with mind.working_memory("marta", "rolf", "Who hides a crown?") as memory:
            assert "He hides a crown." in memory.text()
            assert "He is rich." in memory.text()
        mind.edit(asked.id, "I buried a spoon.") if how == "edit" else mind.delete(asked.id)
        with mind.working_memory("marta", "rolf", "Who hides a crown?") as memory:
            found = memory.text().split("Who hides")[0]
            assert "hides a crown" not in found
            assert "He is rich." not in found
            assert "drank ale" in found


def test_what_an_earlier_hero_said_is_not_put_into_the_mouth_of_the_one_who_has_his_id_now() -> None:
    with open_mind(engine=scripted("Aye.")) as mind:
        mind.talk("marta", "hero", "I buried the golden crown.", audience=["edda"])
        asked = mind.store.turns("marta")[0]
        mind.actor("hero", reborn=True)
        mind.edit(asked.id, "I buried a spoon.")
        assert mind.store.turn(asked.id).text == "I buried a spoon."
        assert remembered(mind) == []
        assert mind.store.heard_episodes("edda") == ()
        with mind.working_memory("marta", "hero", "What did I bury?") as memory:
            assert "spoon" not in memory.text()
            assert "crown" not in memory.text()
