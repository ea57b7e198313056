"""What two NPCs said to each other lies in two memories: it is taken back in both, or in neither."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from scenario_kit import line, open_mind

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.inference import ScriptedEngine
from npc_memory.mind import Answer, Mind

TWO = ("marta", "brann")
SAID = ("Rats ate the barley.", "Then we need a cat.", "The miller has one.")


def conversed(place: Path | str = ":memory:") -> Mind:
    mind = open_mind(place, engine=ScriptedEngine(list(SAID), format=line))
    mind.actor("marta", place="market")
    mind.actor("edda", place="market")
    assert [one.say for one in mind.converse(TWO, turns=3).replies] == list(SAID)
    return mind


def lines(mind: Mind, npc: str) -> list[str]:
    return [one.text for one in mind.store.turns(npc)]


def memories(mind: Mind, npc: str) -> list[str]:
    return sorted(one.text for one in (*mind.store.episodes(npc), *mind.store.heard_episodes(npc)))


def copy_of(mind: Mind, number: int, npc: str) -> str:
    """The id of a line in the memory of ``npc``."""
    return mind.store.turns(npc)[number].id


@pytest.mark.parametrize("whose", TWO)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_an_edited_line_is_told_anew_in_every_memory(number: int, whose: str) -> None:
    with conversed() as mind:
        mind.save("before")
        told = memories(mind, "marta")
        mind.edit(copy_of(mind, number, whose), "The moon is full.")
        expected = [one if at != number else "The moon is full." for at, one in enumerate(SAID)]
        assert lines(mind, "marta") == lines(mind, "brann") == expected
        after = [one.replace(SAID[number], "The moon is full.") for one in told]
        assert memories(mind, "marta") == memories(mind, "brann") == memories(mind, "edda") == sorted(after)
        with mind.working_memory("edda", "rolf", SAID[number]) as memory:
            assert SAID[number] not in "".join(one.text for one in (*memory.episodes, *memory.dialogue))
        mind.load("before")
        assert lines(mind, "brann") == list(SAID)
        assert memories(mind, "edda") == told


@pytest.mark.parametrize("whose", TWO)
@pytest.mark.parametrize(("number", "left"), [(0, [2]), (1, [0, 2]), (2, [0])])
def test_a_deleted_line_is_gone_from_every_memory(number: int, left: list[int], whose: str) -> None:
    with conversed() as mind:
        gone = [copy_of(mind, number, npc) for npc in TWO]
        mind.delete(copy_of(mind, number, whose))
        assert lines(mind, "marta") == lines(mind, "brann") == [one for at, one in enumerate(SAID) if at != number]
        for npc in (*TWO, "edda"):
            found = " ".join(memories(mind, npc))
            assert SAID[number] not in found
            assert [at for at in range(3) if f'said: "{SAID[at]}"' in found] == left
        for id in gone:
            with pytest.raises(UnknownId):
                mind.store.turn(id)


@pytest.mark.parametrize("whose", TWO)
def test_a_line_to_another_npc_is_not_rolled_again_and_the_cure_is_named(whose: str) -> None:
    with conversed() as mind:
        before = mind.store.newest_seq()
        for number in range(3):
            with pytest.raises(InvalidInput) as caught:
                mind.retry(copy_of(mind, number, whose))
            assert "converse again" in caught.value.hint
        assert mind.store.newest_seq() == before
        turn = mind.talk("marta", "rolf", "And what do you say?").turn
        assert mind.retry(turn).turn == turn


def test_a_kill_between_a_line_and_its_answer_loses_no_memory(tmp_path: Path) -> None:
    file, copy = tmp_path / "w.sqlite3", tmp_path / "copy.sqlite3"

    def crash(answer: Answer) -> None:
        """What lies on the disk when the first line is out."""
        if not copy.exists():
            shutil.copyfile(file, copy)
            shutil.copyfile(f"{file}-wal", f"{copy}-wal")

    with open_mind(file, engine=ScriptedEngine(list(SAID), format=line)) as mind:
        mind.actor("marta", place="market")
        mind.actor("edda", place="market")
        mind.converse(TWO, turns=2, on_reply=crash)
        newest = mind.store.newest_seq()
    told = f'Marta said: "{SAID[0]}"'
    for _ in range(2):
        with open_mind(copy) as mind:
            assert lines(mind, "marta") == lines(mind, "brann") == [SAID[0]]
            assert [memories(mind, npc) for npc in (*TWO, "edda")] == [[told]] * 3
    with open_mind(file) as mind:
        assert mind.store.newest_seq() == newest, "nothing to make up for"
