"""What happened again and again is one memory with how often it was; all of it stays in the store."""

from __future__ import annotations

from scenario_kit import line, open_mind

from npc_memory.audit import Audit
from npc_memory.inference import ScriptedEngine
from npc_memory.mind import Mind

DAY = 24 * 60


def stolen(mind: Mind, times: int, text: str = "Osric stole a loaf.", actor: str = "osric") -> None:
    for _ in range(times):
        mind.clock(mind.game_time + DAY)
        mind.observe("theft", text, actor=actor, audience=["marta"])


def told(mind: Mind, text: str = "Who stole a loaf?") -> list[str]:
    with mind.working_memory("marta", "rolf", text) as memory:
        return [one.text for one in sorted(memory.episodes, key=lambda one: (-one.score, one.id))]


def test_three_thefts_are_one_memory_and_the_newest() -> None:
    with open_mind() as mind:
        stolen(mind, 3)
        assert told(mind) == ["Osric stole a loaf. (three times)"]
        found = mind.recall("marta", "loaf")
        assert [one.id for one in found] == [mind.store.episodes("marta")[-1].id]
        assert found[0].as_map()["folded"] == [one.id for one in mind.store.episodes("marta")[:-1]]
        assert found[0].age == ""
        stolen(mind, 7)
        assert told(mind) == ["Osric stole a loaf. (often)"]
        assert len(mind.store.episodes("marta")) == 10


def test_another_number_name_or_not_is_another_memory() -> None:
    with open_mind() as mind:
        stolen(mind, 2)
        stolen(mind, 1, "Osric stole two loaves.")
        stolen(mind, 1, "Osric did not steal a loaf.")
        stolen(mind, 1, "Pell stole a loaf.", "pell")
        assert sorted(told(mind)) == [
            "Osric did not steal a loaf.",
            "Osric stole a loaf. (twice)",
            "Osric stole two loaves.",
            "Pell stole a loaf.",
        ]


def test_more_room_is_left_for_others() -> None:
    with open_mind() as mind:
        stolen(mind, 1, "Pell hid a loaf under the stairs.", "pell")
        stolen(mind, 60)
        assert "Pell hid a loaf under the stairs." in told(mind)


def test_the_record_of_the_reply_names_the_folded() -> None:
    with open_mind(engine=ScriptedEngine(["Osric."], format=line)) as mind:
        stolen(mind, 3)
        answer = mind.talk("marta", "rolf", "Who stole a loaf?")
        audit = mind.explain(answer.audit)
        assert isinstance(audit, Audit)
        [episode] = audit.snapshot["episodes"]
        assert list(episode["folded"]) == [one.id for one in mind.store.episodes("marta")[:2]]
        assert "Osric stole a loaf. (three times)" in "".join(text for _, _, text in audit.prompt)


def test_an_older_save_counts_what_had_happened_by_then_and_erasure_counts_again() -> None:
    with open_mind() as mind:
        stolen(mind, 2)
        mind.save("two")
        stolen(mind, 1)
        assert told(mind) == ["Osric stole a loaf. (three times)"]
        mind.load("two")
        assert told(mind) == ["Osric stole a loaf. (twice)"]
        mind.erase([mind.store.events()[0].id])
        assert told(mind) == ["Osric stole a loaf."]


def test_two_who_had_one_id_are_two() -> None:
    with open_mind() as mind:
        stolen(mind, 1, "The stranger stole a loaf.", "hero")
        mind.actor("hero", reborn=True)
        stolen(mind, 1, "The stranger stole a loaf.", "hero")
        assert told(mind) == ["The stranger stole a loaf."] * 2
