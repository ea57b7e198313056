"""DESIGN, "Working memory", sentence 6, and "Prompt": headings, ties, quantised scores, the order of sections."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, takewhile

import pytest
from wm_kit import NAMES, RULES, Built, bare, belief_list, build, cost, episodes, full_snapshot, ids, snap, talk, total
from wm_strategies import CHAT

from npc_memory import AgendaItem, Belief, Episode, Example, Fact, Rule, StateEntry, Turn
from npc_memory.prompt import PromptTemplate


def common_prefix(one: str, other: str) -> str:
    """What two prompts begin with."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(a for a, _ in same)


@pytest.mark.parametrize(
    ("section", "item"),
    [
        ("canonical_facts", Fact("i", "§")),
        ("rules", Rule("i", "§")),
        ("world_state", StateEntry("i", "§")),
        ("episodes", Episode("i", "§")),
        ("beliefs", Belief("i", "§")),
        ("dialogue", Turn("i", "p1", "§")),
        ("examples", Example("i", "§", "§")),
        ("pinned", AgendaItem("i", "§")),
        ("tasks", AgendaItem("i", "§")),
        ("notes", AgendaItem("i", "§")),
    ],
)
def test_6_an_empty_section_leaves_no_trace(section: str, item: object) -> None:
    assert build(snap(**{section: ()})).text == build(snap()).text
    assert build(snap(**{section: (item,)})).text != build(snap()).text


def test_6_a_heading_is_charged_with_the_first_item() -> None:
    lived = tuple(replace(e, game_time=4310) for e in episodes([0.5] * 3, 50))
    for section, items in (("episodes", lived), ("beliefs", belief_list([0.5] * 3, 50))):
        snapshot = snap(**{section: items})
        one, two, three = (cost(snapshot, **{section: items[:n]}) for n in (1, 2, 3))
        assert three - two == len(items[2].text) + (two - one - len(items[1].text))
        assert one >= two - one
        assert build(snapshot, total(bare(snapshot)) + one - 1).report.kept == ()
        assert len(build(snapshot, total(bare(snapshot)) + one).report.kept) == 1


def test_6_ties_go_by_code_point_not_by_locale() -> None:
    names = ("b", "B", "a", "é", "Z", "\U0001f600", "\uffee", "10", "9")
    items = tuple(Episode(n, "x" * 30, score=0.5) for n in names)
    for cap in range(1, len(names)):
        built = build(snap(episodes=items), episodes=cap)
        assert {e.id for e in built.episodes} == set(sorted(names)[:cap])
        assert ids(built.episodes) == sorted(names)[:cap], "same minute: by id"


def test_6_scores_are_quantised_before_they_are_compared() -> None:
    close = (Episode("b", "x" * 30, score=0.5 + 4e-8), Episode("a", "x" * 30, score=0.5))
    assert ids(build(snap(episodes=close), episodes=1).episodes) == ["a"]
    apart = (Episode("b", "x" * 30, score=0.5 + 2e-6), Episode("a", "x" * 30, score=0.5))
    assert ids(build(snap(episodes=apart), episodes=1).episodes) == ["b"]
    beliefs = (Belief("b", "x" * 30, score=0.5 + 4e-8), Belief("a", "x" * 30, score=0.5))
    assert ids(build(snap(beliefs=beliefs), beliefs=1).beliefs) == ["a"]


@pytest.mark.parametrize("score", [1e300, -1e300, 5e-324, -0.0, 2**62, 0])
def test_6_any_finite_score_works(score: float) -> None:
    items = (Episode("a", "x", score=score), Episode("b", "y", score=1.0))
    best = "a" if score > 1 else "b"
    assert ids(build(snap(episodes=items), episodes=1).episodes) == [best]


def test_6_facts_by_id_state_by_key() -> None:
    facts = tuple(Fact(i, f"fact {i}.") for i in ("b", "a", "C", "é"))
    state = tuple(StateEntry(k, f"value {k}") for k in ("b", "a", "C", "é"))
    built = build(snap(canonical_facts=facts, world_state=state))
    assert ids(built.facts) == ["C", "a", "b", "é"]
    assert ids(built.state) == ["C", "a", "b", "é"]
    for word in ("fact", "value"):
        places = [built.text.index(f"{word} {i}") for i in ("C", "a", "b", "é")]
        assert places == sorted(places)


@pytest.mark.parametrize("value", ["burned", 7, -(2**63), 2**63 - 1, True, False, "日本"])
def test_6_state_values_are_strings_integers_or_booleans(value: str | int | bool) -> None:
    built = build(snap(world_state=(StateEntry("k", value),)))
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    assert f"k: {shown}" in built.text


# --- the order of the prompt ------------------------------------------------------------------------------------


def places(built: Built, *texts: str) -> list[int]:
    return [built.text.index(text) for text in texts]


def test_prompt_order_instructions_to_line() -> None:
    snapshot = full_snapshot(time_text="THE-TIME", player_line="THE-LINE", persona="THE-PERSONA")
    built = build(snapshot)
    order = [
        ["Speak plainly.", "King Aldric is dead."],
        ["THE-PERSONA", "behind the barrels", "guests: 3"],
        ["ask0", "say3"],
        ["weather: rain"],
        ["do0"],
        ["ep0"],
        ["be0"],
        ["THE-TIME"],
        ["THE-LINE"],
    ]
    for before, after in pairwise(order):
        assert max(places(built, *before)) < min(places(built, *after)), (before, after)


def test_prompt_rules_and_public_facts_are_a_prefix_shared_by_all_npcs() -> None:
    one = build(full_snapshot())
    other = build(
        snap(
            npc="bran",
            persona="You are Bran.",
            player="p9",
            player_line="Hey.",
            game_time=9,
            rules=RULES,
            canonical_facts=(
                Fact("king-dead", "King Aldric is dead.", public=True),
                Fact("bridge", "The north bridge has burned down.", public=True),
                Fact("aaa", "Bran forged the seal."),
            ),
            names={"bran": "Bran", "p9": "Wolf"},
        )
    )
    shared = common_prefix(one.text, other.text)
    for text in ("Speak plainly.", "Never leave the inn.", "King Aldric is dead.", "The north bridge has burned down."):
        assert text in shared


def test_prompt_the_line_is_quoted_with_its_speaker_after_everything_else() -> None:
    built = build(full_snapshot(player_line="THE-LINE"))
    line = next(line for line in built.text.split("\n") if "THE-LINE" in line)
    assert line.index("Traveller") < line.index("THE-LINE")
    assert built.text.count("THE-LINE") == 1


@pytest.mark.parametrize("template", [None, CHAT], ids=["transcript", "chat"])
def test_29_after_one_more_exchange_the_common_prefix_reaches_to_the_volatile_tail(
    template: PromptTemplate | None,
) -> None:
    before = full_snapshot(dialogue=talk(3))
    after = replace(
        before,
        dialogue=talk(4),
        episodes=episodes((0.4, 0.9)),
        beliefs=(),
        tasks=(),
        world_state=(
            StateEntry("weather", "sun", volatile=True),
            StateEntry("guests", 3),
            StateEntry("gate_open", True),
        ),
        game_time=before.game_time + 5,
        player_line="And now?",
    )
    one, other = build(before, template=template), build(after, template=template)
    shared = common_prefix(one.text, other.text)
    tail = one.text.index("say2") + len(talk(3)[-1].text)
    assert len(shared) >= tail


def test_29_holds_from_the_second_exchange_on_with_examples_offered() -> None:
    examples = (Example("x", "Good day.", "Day."),)
    two, three = (build(full_snapshot(dialogue=talk(n), examples=examples, names=NAMES)) for n in (1, 2))
    shared = common_prefix(two.text, three.text)
    assert "say0" in shared
