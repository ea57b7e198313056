"""The index gives what the plain computation gives, to the last bit."""

from __future__ import annotations

import recall_oracle
from hypothesis import example, given, settings
from hypothesis import strategies as st

from npc_memory.memory import EpisodeRecord
from npc_memory.recall import Index, Vocabulary, scoring

DAY = 24 * 60
WORDS = (
    "king",
    "Kings",
    "bridge",
    "another",
    "rolf",
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
times = st.integers(0, 40 * DAY) | st.sampled_from([0, DAY, -(2**63), 2**63 - 1])
weights = st.sampled_from([0.3, 0.3, 0.3, 0.0, 1.0, 0.25]) | st.floats(-1, 2)
memories = st.lists(st.tuples(texts, times, weights, st.integers(0, 3)), max_size=60)


def records(given: list[tuple[str, int, float, int]], more: dict[int, str]) -> list[EpisodeRecord]:
    return [
        EpisodeRecord(
            id=id_of(number),
            npc="marta",
            text=f"{more[group]}: {text}" if group in more else text,
            game_time=time,
            importance=weight,
        )
        for number, (text, time, weight, group) in enumerate(given)
    ]


def id_of(number: int) -> str:
    return f"e{number}"  # not in the order of numbers: e10 stands before e9


def ids(found: list[tuple[float, int]]) -> list[tuple[float, str]]:
    return [(score, id_of(number)) for score, number in found]


def filled(index: Index, given: list[tuple[str, int, float, int]]) -> Index:
    for number, (text, time, weight, group) in enumerate(given):
        index.add(number, text, weight=weight, game_time=time, group=group)
    return index


@settings(deadline=None, max_examples=120)
@given(memories, texts, times, st.integers(0, 40), st.dictionaries(st.integers(1, 4), texts, max_size=3))
@example([("stone", 0, 0.3, 0)] * 50, "king", 0, 32, {})
@example([("stone", n * 3, 0.3, 0) for n in range(50)], "king", 9000 * DAY, 32, {})
@example([("king", 0, 0.3, 1), ("bridge", 0, 0.3, 2)], "bridge another", 0, 2, {1: "Another (bridge)"})
def test_the_best_are_those_of_the_plain_computation(given, query, now, most, more):
    index = filled(Index(Vocabulary(), id_of), given)
    assert ids(index.best(query, now, most, more)) == recall_oracle.best(query, records(given, more), now, most)


@settings(deadline=None, max_examples=120)
@given(memories, texts, st.sets(st.integers(0, 70)), st.dictionaries(st.integers(1, 3), texts, max_size=2))
def test_what_was_removed_counts_no_more(given, query, gone, more):
    vocabulary = Vocabulary()
    filled(Index(vocabulary, id_of), given)  # another's memories of the same words
    index = filled(Index(vocabulary, id_of), given)
    index.remove(gone)
    left = [one for number, one in enumerate(records(given, more)) if number not in gone]
    assert ids(index.best(query, 5 * DAY, 20, more)) == recall_oracle.best(query, left, 5 * DAY, 20)
    index.add(99, "The king is dead.", weight=0.3, game_time=7)
    left.append(EpisodeRecord(id=id_of(99), npc="marta", text="The king is dead.", game_time=7))
    assert ids(index.best(query, 5 * DAY, 20, more)) == recall_oracle.best(query, left, 5 * DAY, 20)


def test_relevance_is_the_same_to_the_last_bit():
    words = [f"{letter}word" for letter in "qwertyuiopasdfghjklzxcvbnm"]
    held = [" ".join(words[(7 * n + n * m * m) % 26] for m in range(n % 17)) for n in range(200)]
    index = filled(Index(Vocabulary(), id_of), [(text, 0, 0.3, 0) for text in held])
    for query in (" ".join(words[:15]), " ".join(words[5:]), words[3], "nothing"):
        plain = scoring.relevance(query, held)
        assert index._relevance(query, {}).tolist() == plain == recall_oracle.relevance(query, held)


def test_a_word_said_ten_thousand_times_in_one_memory_is_counted():
    given = [("king " * 10_000, 0, 0.3, 0), ("king", 0, 0.3, 0), ("bridge " * 70, 0, 0.3, 0)]
    index = filled(Index(Vocabulary(), id_of), given)
    assert ids(index.best("king bridge", 0, 3)) == recall_oracle.best("king bridge", records(given, {}), 0, 3)


def test_fifty_thousand_memories_take_a_few_megabytes():
    vocabulary = Vocabulary()
    indexes = [Index(vocabulary, id_of) for _ in range(13)]
    words = [f"word{n}" for n in range(3000)]
    for number in range(50_000):
        said = " ".join(words[(number * 7 + 31 * n) % 3000] for n in range(12))
        indexes[number % 13].add(number, f'rolf said: "{said}"', weight=0.3, game_time=number)
    assert vocabulary.size + sum(index.size for index in indexes) < 8_000_000
