"""The index gives what the plain computation gives, to the last bit."""

from __future__ import annotations

import pytest
import recall_oracle
from hypothesis import example, given, settings
from hypothesis import strategies as st
from recall_oracle import ALIKE, Memory
from searches import examples

from npc_memory.recall import Index, Vocabulary
from npc_memory.recall.fulltext import MOST_FOUND

DAY = 24 * 60
WORDS = (
    *ALIKE,
    "the",
    "said",
    "勇者は",
    "é",
    "e\u0301",
    "ﬁre",
    "don't",
    "a:b",
    "(x)",
    "",
)

texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=12)
times = st.integers(0, 200) | st.integers(0, 40 * DAY) | st.sampled_from([0, DAY, -(2**63), 2**63 - 1])
weights = st.sampled_from([0.3, 0.3, 0.3, 0.0, 1.0, 0.25]) | st.floats(-1, 2)
few = st.integers(0, 3)
lives = st.lists(st.tuples(texts, times, weights, few, few, few), max_size=40).map(
    lambda life: [Memory(id_of(number), *one) for number, one in enumerate(life)]
)
mores = st.dictionaries(st.integers(1, 4), texts, max_size=3)
people = st.sets(st.integers(1, 4), max_size=2)


def id_of(number: int) -> str:
    return f"e{number}"  # not in the order of numbers: e10 stands before e9


def ids(found: list[tuple[float, int]]) -> list[tuple[float, str]]:
    return [(score, id_of(number)) for score, number in found]


def filled(index: Index, life: list[Memory]) -> Index:
    for one in life:
        add(index, one)
    return index


def add(index: Index, one: Memory) -> None:
    index.add(
        int(one.id[1:]),
        one.text,
        weight=one.weight,
        game_time=one.time,
        group=one.group,
        person=one.person,
        scene=one.scene,
    )


def life_of(*texts: str, scene: int = 0) -> list[Memory]:
    return [Memory(id_of(number), text, scene=scene) for number, text in enumerate(texts)]


@settings(deadline=None, max_examples=examples(150))
@given(lives, texts, times, st.integers(0, 40), mores, people)
@example(life_of(*["stone"] * 50), "king", 0, 32, {}, set())
@example([Memory(id_of(n), "stone", n * 3) for n in range(50)], "king", 9000 * DAY, 32, {}, set())
@example([Memory("e0", "king", group=1), Memory("e1", "bridge", group=2)], "bridge another", 0, 2, {1: "bridge"}, set())
@example([Memory("e0", "king", scene=1), Memory("e1", "x", scene=2), Memory("e2", "x", scene=1)], "king", 0, 3, {}, {1})
def test_the_best_are_those_of_the_plain_computation(life, query, now, most, more, named):
    index = filled(Index(Vocabulary(), id_of), life)
    assert ids(index.best(query, now, most, more, named)) == recall_oracle.best(query, life, now, most, more, named)


@settings(deadline=None, max_examples=examples(60))
@given(lives, texts, st.sets(st.integers(0, 50)), mores, people)
def test_what_was_removed_counts_no_more(life, query, gone, more, named):
    vocabulary = Vocabulary()
    filled(Index(vocabulary, id_of), life)  # another's memories of the same words
    index = filled(Index(vocabulary, id_of), life)
    index.remove(gone)
    left = [one for number, one in enumerate(life) if number not in gone]
    wanted = recall_oracle.best(query, left, 5 * DAY, 20, more, named)
    assert ids(index.best(query, 5 * DAY, 20, more, named)) == wanted
    left.append(Memory(id_of(99), "The king is dead.", 7, scene=2))
    add(index, left[-1])
    wanted = recall_oracle.best(query, left, 5 * DAY, 20, more, named)
    assert ids(index.best(query, 5 * DAY, 20, more, named)) == wanted


def test_relevance_is_the_same_to_the_last_bit():
    words = [f"{letter}word" for letter in "qwertyuiopasdfghjklzxcvbnm"]
    held = [" ".join(words[(7 * n + n * m * m) % 26] for m in range(n % 17)) for n in range(200)]
    life = [Memory(id_of(n), text, scene=1 + n % 7) for n, text in enumerate(held)]
    index = filled(Index(Vocabulary(), id_of), life)
    for query in (" ".join(words[:15]), " ".join(words[5:]), words[3], "nothing"):
        assert index.relevance(query).tolist() == recall_oracle.relevance(query, life, {}, ())


def test_a_word_said_ten_thousand_times_in_one_memory_is_counted():
    life = life_of("king " * 10_000, "king", "bridge " * 70)
    index = filled(Index(Vocabulary(), id_of), life)
    assert ids(index.best("king bridge", 0, 3)) == recall_oracle.best("king bridge", life, 0, 3)


def test_of_a_very_long_line_the_rarest_words_count():
    words = [f"{letter}{other}word" for letter in "abcdefghij" for other in "klmnopqrs"]
    life = life_of(" ".join(words), " ".join(words), "gold", words[-1])
    index = filled(Index(Vocabulary(), id_of), life)
    assert len(words) > MOST_FOUND
    relevance = index.relevance(" ".join([*words, "gold"])).tolist()
    assert relevance[2] > 0  # only one memory holds it
    assert relevance[3] == 0  # three do, and 64 rarer words are there


def test_a_memory_is_found_by_the_words_of_its_neighbour():
    life = life_of("Where is Egil buried?", "By the ford, under the willow.", "Good stew.", "Fine day.", scene=1)
    index = filled(Index(Vocabulary(), id_of), life)
    assert [number for _, number in index.best("Egil is buried where?", 0, 2)] == [0, 1]
    later = [Memory(one.id, one.text, 61 * at, scene=1) for at, one in enumerate(life)]
    assert filled(Index(Vocabulary(), id_of), later).relevance("Egil is buried where?").tolist()[1:] == [0, 0, 0]
    apart = filled(Index(Vocabulary(), id_of), [Memory(one.id, one.text) for one in life])
    assert apart.relevance("Egil is buried where?").tolist()[1:] == [0, 0, 0]


@pytest.mark.full
def test_fifty_thousand_memories_take_a_few_megabytes():
    vocabulary = Vocabulary()
    indexes = [Index(vocabulary, id_of) for _ in range(13)]
    words = [f"word{n}" for n in range(3000)]
    for number in range(50_000):
        said = " ".join(words[(number * 7 + 31 * n) % 3000] for n in range(12))
        indexes[number % 13].add(number, f'rolf said: "{said}"', weight=0.3, game_time=number)
    assert vocabulary.size + sum(index.size for index in indexes) < 9_000_000
