"""Going by meaning: vectors lie beside the memories, go with them, are made anew, and never meet another model's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scenario_kit import line, open_mind

from npc_memory.errors import EmbeddingChanged, ModelMissing
from npc_memory.inference import ScriptedEngine
from npc_memory.mind import Mind
from npc_memory.opening import open_mind as open_for_play
from npc_memory.recall import MiniLm
from npc_memory.recall.embedding import quantised
from npc_memory.semantics import use_embedding
from npc_memory.store import Store

MEANINGS = ({"gold", "coin", "paid"}, {"wolf", "sheep", "howl"}, {"ship", "harbour", "sail"})


class Topics:
    """A meaning that is known: which of three topics a text is about. It counts how often it is asked."""

    def __init__(self, name: str = "topics 1", size: int = 4) -> None:
        self.name, self.size, self.asked = name, size, 0

    def vector(self, text: str) -> np.ndarray:
        self.asked += 1
        words = [sum(word in text.casefold() for word in topic) for topic in MEANINGS]
        return quantised(np.array([0.05, *words, *[0] * (self.size - 4)], np.float32))


def lived(mind: Mind) -> None:
    for text in ("He paid for the stew.", "They heard a howl at night.", "A sail came in with the tide."):
        mind.clock(mind.game_time + 24 * 60)
        mind.observe("news", text, audience=["marta"])


def best(mind: Mind, query: str) -> str:
    return mind.recall("marta", query, k=1)[0].text


def test_a_memory_is_found_by_its_meaning_and_the_record_names_the_embedding(tmp_path: Path) -> None:
    with open_mind(tmp_path / "w.sqlite3", engine=ScriptedEngine(["Aye."], format=line)) as mind:
        lived(mind)
        plain = mind.talk("pell", "rolf", "Hello.", audience=[])
        assert "embedding" not in mind.explain(plain.audit).model
        topics, seen = Topics(), []
        use_embedding(mind.store, topics, progress=lambda done, total: seen.append((done, total)))
        assert seen == [(4, 4)]
        assert best(mind, "Are there wolves near the sheep?") == "They heard a howl at night."
        assert best(mind, "Any ship in the harbour?") == "A sail came in with the tide."
        assert "meaning" in mind.recall("marta", "gold", k=1)[0].why
        answer = mind.talk("marta", "rolf", "Whose gold is it?")
        assert mind.explain(answer.audit).model["embedding"] == "topics 1"
        mind.recall("marta", "gold")
        assert mind.store.count_without_vector() == 0, "a new memory has its vector when it is first looked for"
        with mind.for_owner("other").store.reading():
            assert mind.for_owner("other").store.embedding is topics


def test_vectors_are_read_and_not_made_again(tmp_path: Path) -> None:
    with open_mind(tmp_path / "w.sqlite3") as mind:
        lived(mind)
        use_embedding(mind.store, Topics())
    with open_mind(tmp_path / "w.sqlite3") as mind:
        topics = Topics()
        use_embedding(mind.store, topics)
        assert best(mind, "gold") == "He paid for the stew."
        assert topics.asked <= 4, "the query, for ranking and for telling why, of episodes and of beliefs"


@pytest.mark.parametrize("other", [Topics("topics 2"), Topics("topics 2", size=8)])
def test_vectors_of_another_embedding_are_refused_with_the_cure_or_made_anew(tmp_path: Path, other: Topics) -> None:
    with open_mind(tmp_path / "w.sqlite3") as mind:
        lived(mind)
        use_embedding(mind.store, Topics())
        before = best(mind, "gold")
    with open_mind(tmp_path / "w.sqlite3") as mind:
        with pytest.raises(EmbeddingChanged, match="--reindex"):
            use_embedding(mind.store, other)
        assert mind.store.embedding is None, "she goes by words as before"
        assert mind.store.vector_models() == ("topics 1",)
        use_embedding(mind.store, other, reindex=True)
        assert mind.store.vector_models() == ("topics 2",)
        assert best(mind, "gold") == before


def test_a_vector_goes_with_its_memory_and_when_a_name_is_struck_out(tmp_path: Path) -> None:
    with open_mind(tmp_path / "w.sqlite3", engine=ScriptedEngine(["Aye."], format=line)) as mind:
        use_embedding(mind.store, Topics())
        mind.actor("p1", name="Brynhild")
        mind.talk("marta", "p1", "I sail at dawn.")
        mind.observe("news", "They say Brynhild paid in gold.", audience=["marta"])
        mind.observe("news", "They heard a howl.", audience=["marta"])
        mind.recall("marta", "gold")
        numbers = [one.seq for one in mind.store.episodes("marta")]
        assert sorted(mind.store.vectors_at(numbers, "topics 1")) == numbers
        mind.forget("p1")
        assert sorted(mind.store.vectors_at(numbers, "topics 1")) == numbers[2:], "the struck one's is gone as well"
        assert "Brynhild" not in best(mind, "gold")
        assert mind.store.count_without_vector() == 0


def test_without_it_nothing_changes_and_vectors_may_go_at_any_time(tmp_path: Path) -> None:
    def asked(*, semantic: bool) -> list[tuple[str, float]]:
        with open_mind(tmp_path / "w.sqlite3") as mind:
            if semantic:
                use_embedding(mind.store, Topics())
            return [(one.id, one.score) for one in mind.recall("marta", "Who paid?")]

    with open_mind(tmp_path / "w.sqlite3") as mind:
        lived(mind)
    plain, with_it = asked(semantic=False), asked(semantic=True)
    assert plain != with_it
    assert asked(semantic=False) == plain
    with Store.reopen(tmp_path / "w.sqlite3") as store:
        store.drop_vectors()
        assert store.check() == []
    assert asked(semantic=True) == with_it


def test_the_extra_is_asked_for_by_name_or_is_not_used(tmp_path: Path) -> None:
    try:
        MiniLm()
    except ModelMissing:
        with pytest.raises(ModelMissing, match="semantic"):
            open_for_play("emberfall", tmp_path, engine="scripted", semantic=True)
        with open_for_play("emberfall", tmp_path, engine="scripted") as mind:
            assert mind.store.embedding is None
        return
    with open_for_play("emberfall", tmp_path, engine="scripted", semantic=True) as mind:
        for text in ("The smith sells sharp blades.", "A baker burned his bread.", "It rained on the hills."):
            mind.clock(mind.game_time + 24 * 60)
            mind.observe("news", text, audience=["marta"])
        assert best(mind, "Where could somebody buy swords?") == "The smith sells sharp blades."
