"""A memory made by any path is found by recall at once; a check says so, and mends an index that was broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenario_kit import line, open_mind

from npc_memory.indexed import Unindexed, check_index
from npc_memory.inference import ScriptedEngine
from npc_memory.memory import Authority
from npc_memory.mind import Mind
from npc_memory.recalling import known_episodes
from npc_memory.store import Store

WISH = "You shall have a bed.\n(warm) [rent-room]"


def scripted(*texts: str) -> ScriptedEngine:
    return ScriptedEngine(list(texts), format=line)


def found(mind: Mind, query: str, npc: str = "marta") -> list[str]:
    return [one.text for one in mind.recall(npc, query, k=1)]


def lived(mind: Mind) -> None:
    mind.observe("theft", "Osric stole a silver cup.", audience=["marta", "pell"])
    mind.talk("marta", "rolf", "My brother Egil sells saddles.", audience=["jory"])
    mind.talk("pell", "rolf", "The harbour freezes in winter.", audience=[])


def test_every_path_leads_into_the_index_at_once(tmp_path: Path) -> None:
    with open_mind(tmp_path / "w.sqlite3", engine=scripted(WISH, "Aye.", "Hm.", "Well.")) as mind:
        mind.recall("marta", "anything")  # her index is there before the memories are
        mind.observe("theft", "Osric stole a silver cup.", audience=["marta"])
        assert found(mind, "silver cup") == ["Osric stole a silver cup."]
        asked = mind.talk("marta", "rolf", "My brother Egil sells saddles.", audience=["jory"])
        assert "Egil" in found(mind, "saddles")[0]
        assert "Egil" in found(mind, "saddles", "jory")[0], "overheard"
        mind.result(asked.action["id"], False, "The attic burned.")
        assert "attic burned" in found(mind, "attic")[0]
        mind.edit(mind.store.turns("marta")[0].id, "My sister Inga sells lanterns.")
        assert "Inga" in found(mind, "lanterns")[0]
        assert not any("saddles" in one.text for one in mind.recall("marta", "saddles")), "the old words are gone"
        mind.believe("marta", "The abbot hoards pepper.", confidence=0.8)
        assert found(mind, "pepper") == ["The abbot hoards pepper."]
        mind.observe("tell", "Inga keeps a red goat.", actor="pell", audience=["marta"])
        assert "red goat" in found(mind, "the red goat")[0]
        mind.converse(["marta", "pell"], topic="salt prices", turns=2)
        assert check_index(mind.store) == ()
        with mind.store.transaction() as writer:  # a summary, or what a tool writes
            summary = writer.episode(npc="marta", text="A winter of wolves.", kind="summary", authority=Authority.REPLY)
        assert found(mind, "wolves") == ["A winter of wolves."]
        mind.delete(mind.store.turns("marta")[0].id)
        mind.erase([summary.id])
        assert check_index(mind.store) == ()
        mind.store.export(tmp_path / "a.npcmem")
    with open_mind(tmp_path / "other.sqlite3") as other:
        other.recall("marta", "anything")
        other.store.import_archive(tmp_path / "a.npcmem", rank=Authority.DESIGNER)
        assert found(other, "silver cup") == ["Osric stole a silver cup."]
        assert check_index(other.store) == ()


def test_a_broken_index_is_told_of_and_mended() -> None:
    with open_mind(engine=scripted("Aye.")) as mind:
        lived(mind)
        [cup, egil] = mind.store.episodes("marta")
        with mind.store.reading():
            index = known_episodes(mind.store, "marta").index
            index.remove([cup.seq])
            index.remove([egil.seq])
            index.add(egil.seq, "other words", weight=0.3, game_time=0)
            index.add(egil.seq + 7, "nothing of hers", weight=0.3, game_time=0)
        wrong = (
            Unindexed("marta", cup.id, "missing"),
            Unindexed("marta", egil.id, "stale"),
            Unindexed("marta", f"e{egil.seq + 7:08d}", "extra"),
        )
        assert check_index(mind.store) == wrong
        with pytest.raises(KeyError):
            mind.recall("marta", "nothing of hers", k=1)
        assert check_index(mind.store, mend=True) == wrong
        assert check_index(mind.store) == ()
        assert found(mind, "silver cup") == ["Osric stole a silver cup."]
        assert found(mind, "silver cup", "pell") == ["Osric stole a silver cup."]


def test_what_was_retired_without_the_index_hearing_of_it_is_extra() -> None:
    with open_mind() as mind:
        mind.observe("theft", "Osric stole a silver cup.", audience=["marta"])
        [cup] = mind.store.episodes("marta")
        with mind.store.reading():
            known = known_episodes(mind.store, "marta")
            known.retired = cup.seq + 100  # as if that had been read already
        with mind.store.transaction() as writer:
            writer.retire(target=cup.id, authority=Authority.GAME)
        assert check_index(mind.store, mend=True) == (Unindexed("marta", cup.id, "extra"),)
        assert check_index(mind.store) == ()


def test_a_past_and_another_owner_are_sound_as_well(tmp_path: Path) -> None:
    with open_mind(tmp_path / "w.sqlite3", engine=scripted("Aye.")) as mind:
        mind.save("before")
        lived(mind)
        mind.recall("marta", "cup")
        mind.load("before")
        assert check_index(mind.store) == ()
        lived(mind.for_owner("other"))
        assert check_index(mind.for_owner("other").store) == ()
    with Store.reopen(tmp_path / "w.sqlite3", owner="other") as store:
        assert check_index(store) == ()
