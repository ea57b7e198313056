"""``Mind.recall``: what comes to an NPC's mind at some words, and why; only what she knows."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_kit import line, open_mind

from npc_memory.errors import InvalidInput, TextTooLong, UnknownId
from npc_memory.inference import ScriptedEngine
from npc_memory.memory import Authority
from npc_memory.mind import Mind

DAY = 24 * 60


def believing(mind: Mind, text: str, **more: object) -> str:
    with mind.store.transaction() as writer:
        return writer.belief(npc="marta", text=text, authority=Authority.INFERENCE, **more).id  # type: ignore[arg-type]


def texts(mind: Mind, query: str, npc: str = "marta", **more: object) -> list[str]:
    return [one.text for one in mind.recall(npc, query, **more)]  # type: ignore[arg-type]


def test_the_best_come_first_with_where_they_are_from_and_why() -> None:
    with open_mind() as mind:
        mind.observe("theft", "Osric stole the silver cup.", place="inn", actor="osric", importance=0.9)
        mind.clock(mind.game_time + DAY)
        mind.observe("weather", "It rained all day.", place="inn")
        cup = believing(
            mind,
            "The silver cup is cursed.",
            subject="osric",
            confidence=0.7,
            speaker="jory",
            addressee="marta",
            place="market",
        )
        mind.clock(mind.game_time + 11 * DAY)
        first, second, third = mind.recall("marta", "Where is the silver cup?")
        assert (first.kind, first.text) == ("episode", "Osric stole the silver cup.")
        assert (first.speaker, first.place, first.age) == ("osric", "inn", "twelve days ago")
        assert (second.id, second.kind, second.speaker, second.place) == (cup, "belief", "jory", "market")
        assert first.as_map()["event"] == "theft"
        assert second.as_map()["confidence"] == 0.7
        assert second.as_map()["subject"] == "osric"
        assert third.text == "It rained all day."
        assert first.score >= second.score > third.score
        for one in (first, second, third):
            assert set(one.why) == {"relevance", "importance", "recency", "words", "window", "named"}
            made = 0.85 * one.why["relevance"] + 0.1 * one.why["importance"] + 0.05 * one.why["recency"]
            assert one.score == pytest.approx(made, abs=2e-6)
        assert (first.why["words"], third.why["relevance"], first.why["importance"]) == (1.0, 0.0, 0.9)


def test_it_is_what_the_prompt_is_offered() -> None:
    with open_mind(engine=ScriptedEngine(["Aye."], format=line)) as mind:
        for n in range(20):
            mind.talk("marta", "rolf", f"My sheep number {n} is ill.")
            mind.clock(mind.game_time + DAY)
        query = "How is my sheep number 7?"
        with mind.working_memory("marta", "rolf", query) as memory:
            offered = sorted(memory.episodes, key=lambda one: (-one.score, one.id))
        found = mind.recall("marta", query, player="rolf", k=len(offered))
        assert [(one.id, one.text, one.score) for one in found] == [(one.id, one.text, one.score) for one in offered]


def test_only_what_she_knows_and_only_here(tmp_path: Path) -> None:
    with open_mind(tmp_path / "w.sqlite3", engine=ScriptedEngine(["Aye."], format=line)) as mind:
        mind.save("before")
        mind.talk("marta", "rolf", "The password is heather.", audience=[])
        assert texts(mind, "password") == ['rolf said: "The password is heather." Marta answered: "Aye."']
        assert texts(mind, "password", "jory") == []
        mind.load("before")
        assert texts(mind, "password") == []


def test_overheard_words_are_told_as_such_and_namesakes_apart() -> None:
    with open_mind(engine=ScriptedEngine(["Aye."], format=line)) as mind:
        mind.actor("p1", name="Rolf")
        mind.actor("p2", name="Rolf")
        mind.talk("jory", "p1", "The mill burns.", audience=["marta"])
        assert texts(mind, "mill") == ['Rolf said to Jory: "The mill burns." Jory answered: "Aye."']
        assert texts(mind, "mill", player="p2")[0].startswith("Another Rolf (p1) said to Jory")


def test_it_is_bounded_and_changes_nothing() -> None:
    with open_mind() as mind:
        for n in range(60):
            mind.observe("party", f"They sang, {n} of them.", audience=["marta"])
        before = mind.store.newest_seq()
        assert len(mind.recall("marta", "sang")) == 10
        assert len(mind.recall("marta", "sang", k=1000)) == 60
        assert len(mind.recall("marta", "", k=3)) == 3
        for bad in (0, 1001, True, "3", 2.0):
            with pytest.raises(InvalidInput):
                mind.recall("marta", "sang", k=bad)  # type: ignore[arg-type]
        with pytest.raises(UnknownId):
            mind.recall("nobody", "sang")
        with pytest.raises(TextTooLong):
            mind.recall("marta", "x" * 65_537)
        with pytest.raises(InvalidInput):
            mind.recall("marta", None)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput):
            mind.recall("marta", "sang", player="\n")
        assert mind.store.newest_seq() == before


def test_an_alias_is_asked_and_answers_as_one() -> None:
    with open_mind() as mind:
        mind.observe("theft", "Osric stole the cup.", audience=["marta"])
        mind.actor("marta-2", alias_of="marta")
        assert mind.recall("marta-2", "cup") == mind.recall("marta", "cup")


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Meine Schwester wohnt in Königsbrück.", "Wo wohnt deine Schwester?"),
        ("Мой брат Егор похоронен у Серого брода.", "Где похоронен брат?"),
        ("指輪は古い井戸の中に隠した。", "指輪はどこですか"),
        ("我把戒指藏在老井里了。", "戒指在哪里？"),
        ("แหวนอยู่ในบ่อน้ำเก่า", "แหวนอยู่ที่ไหน"),
    ],
)
def test_it_works_in_any_language(said: str, asked: str, tmp_path: Path) -> None:
    with open_mind(tmp_path / "w.sqlite3", engine=ScriptedEngine(["Aye."], format=line)) as mind:
        mind.talk("marta", "p1", said)
        for other in ("Gute Reise.", "Как дела?", "いい天気ですね。"):
            mind.talk("marta", "p1", other)
    with open_mind(tmp_path / "w.sqlite3") as mind:
        assert said in texts(mind, asked, k=1)[0]
