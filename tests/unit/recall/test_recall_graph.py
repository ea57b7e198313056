"""What is near the entities of a line: reached both ways, worth less by hop, in one order; names and ids in a line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npc_memory.memory import Authority
from npc_memory.memory.triples import Edge
from npc_memory.recall import mentions
from npc_memory.recall.graph import FAN, Graph, possible_ids
from npc_memory.recall.names import NameTable


def edge(number, subject, relation, object, *, functional=False, rank=Authority.GAME):
    return Edge(number, subject, relation, object, functional, rank)


def words(one):
    return f"{one.subject} {one.relation.replace('_', ' ')} {one.object}."


def near(graph, line, *entries):
    found = graph.near(line, entries, lambda relation: relation.replace("_", " "), lambda id: id)
    return [(words(one.edge), one.hop, one.score) for one in found]


def test_both_halves_of_an_answer_come_first():
    known = [edge(n, "osric", "likes", f"thing{n}") for n in range(8)]
    known += [edge(20, "osric", "lives_in", "ford"), edge(21, "maren", "rules", "ford")]
    known += [edge(30 + n, "ford", "borders", f"land{n}") for n in range(4)]
    found = near(Graph(known), "Who rules the town where Osric lives?", "osric")
    assert [said for said, _, _ in found[:2]] == ["osric lives in ford.", "maren rules ford."]
    assert len(found) == len(known)


def test_worth_falls_by_hop_and_rises_with_what_is_asked():
    graph = Graph([edge(1, "a", "knows", "b"), edge(2, "b", "knows", "c"), edge(3, "c", "knows", "d")])
    assert [(said, hop) for said, hop, _ in near(graph, "what of a", "a")] == [("a knows b.", 1), ("b knows c.", 2)]
    assert [hop for _, hop, _ in near(graph, "what of a", "c")] == [1, 1, 2], "against its direction too"
    asked = {said: score for said, _, score in near(graph, "who knows", "a")}
    assert all(asked[said] > score for said, _, score in near(graph, "what of a", "a"))
    assert all(0 <= score <= 1 and score == round(score, 6) for score in asked.values())


def test_the_canon_stands_above_what_is_known_and_that_above_what_is_inferred():
    canon = edge(-2, "ford", "ruled_by", "maren", functional=True, rank=Authority.DESIGNER)
    start = edge(-1, "osric", "lives_in", "keep", functional=True)
    game = edge(5, "ford", "ruled_by", "osric", functional=True)
    guess = edge(6, "osric", "lives_in", "hell", functional=True, rank=Authority.INFERENCE)
    reached = Graph([game, guess], [canon, start]).reached(["ford", "osric"])
    assert set(reached) == {-2, -1}
    assert set(Graph([game, guess]).reached(["ford"])) == {5, 6}


def test_of_two_that_say_the_same_one_is_there_and_nothing_is_reached_by_what_is_not():
    twice = [edge(1, "a", "knows", "b"), edge(2, "a", "knows", "b")]
    assert set(Graph(twice).reached(["a"])) == {2}
    canon = edge(-2, "a", "lives_in", "x", functional=True, rank=Authority.DESIGNER)
    past = edge(1, "a", "lives_in", "y", functional=True), edge(2, "y", "near", "z")
    assert set(Graph(past, [canon]).reached(["a"])) == {-2}


def test_of_very_many_the_newest_are_followed_in_each_direction():
    many = [edge(n, f"e{n}", "lives_in", "ford") for n in range(1, 40)] + [edge(99, "ford", "near", "sea")]
    reached = Graph(many).reached(["ford"])
    assert sorted(reached) == [*range(40 - FAN, 40), 99]


edges = st.lists(st.tuples(*(st.sampled_from("abcdef"),) * 2), max_size=12)


@given(edges, st.sampled_from("abcdef"), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_two_hops_equal_brute_force_in_whatever_order_they_come(pairs, entry, random):
    known = [edge(n, subject, f"r{n}", object) for n, (subject, object) in enumerate(pairs)]
    one = [n for n, pair in enumerate(pairs) if entry in pair]
    ends = {end for n in one for end in pairs[n]} | {entry}
    two = [n for n, pair in enumerate(pairs) if ends & set(pair)]
    expected = {n: 1 if n in one else 2 for n in two}
    assert {n: hop for n, (_, hop) in Graph(known).reached([entry]).items()} == expected
    shuffled = random.sample(known, len(known))
    assert near(Graph(shuffled), "r1 and r2", entry) == near(Graph(known), "r1 and r2", entry)


NAMES = {
    "osric": "Osric Venn", "vey": "Captain Vey", "old": "old king", "ford": "Ford", "勇者": "勇者", "hero": "Довакин",
    "élise": "Élise", "stag": "the Gilded Stag", "king": "King Aldric",
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Where does Osric live?", {"osric"}),
        ("Is the captain's man in Ford, Vey?", {"vey", "ford"}),
        ("勇者はどこですか", {"勇者"}),
        ("Где Довакин и Élise?", {"hero", "élise"}),
        ("Nice weather.", set()),
        ("", set()),
    ],
)
def test_who_is_named_in_a_line_in_any_script(line, expected):
    assert set(NameTable(NAMES).named_in(line)) == expected


@given(st.lists(st.sampled_from([*" ".join(NAMES.values()).split(), "and", "the", "live?"]), max_size=6))
@settings(deadline=None)
def test_the_table_finds_whom_a_look_at_each_name_finds(said):
    line = " ".join(said)
    found = NameTable(NAMES).named_in(line)
    assert set(found) == {id for id, name in NAMES.items() if mentions(line, name)}
    assert found == NameTable(dict(reversed(NAMES.items()))).named_in(line)


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ("Who rules ford?", "ford"), ("Is npc_7 here?", "npc_7"), ("Where is Lady Maren?", "lady-maren"),
        ("the north bridge burned", "north_bridge"), ("勇者はどこですか", "勇者"), ("Osric's house", "Osric"),
        ("the old north bridge", "old_north_bridge"), ("Где Довакин?", "Довакин"), ("Is Ford's gate open", "ford"),
    ],
)  # fmt: skip
def test_ids_are_found_in_a_line(line, id):
    assert id in possible_ids(line)


@given(st.text(max_size=300))
@settings(deadline=None)
def test_any_text_has_a_bounded_number_of_ids(line):
    found = possible_ids(line)
    assert len(found) <= 160
    assert len(set(found)) == len(found)
    assert all(0 < len(id) <= 200 for id in found)
