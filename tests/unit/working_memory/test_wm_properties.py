"""P1, P2, P3 and P9 as properties, over hostile texts and hostile counters."""

from __future__ import annotations

import re
from collections import Counter as Tally
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wm_kit import (
    COUNTERS,
    Built,
    Counter,
    bare,
    build,
    count_all,
    examples,
    huge_char,
    offered,
    open_up,
    policy,
    rest,
    snap,
    total,
    utf8,
)
from wm_oracle import by_rank
from wm_strategies import CAPS, CHAT, SHAPES, SHARES, hostile_snapshots, limits, plain_snapshots, raw_texts

from npc_memory import Snapshot, Turn, WorkingMemoryBuilder
from npc_memory.errors import MandatoryOverflow

counters = st.sampled_from(COUNTERS)
caps = st.fixed_dictionaries({"exchanges": CAPS, "episodes": CAPS, "beliefs": CAPS, "shares": SHARES})
caps_and_template = st.fixed_dictionaries(
    {
        "exchanges": CAPS,
        "episodes": CAPS,
        "beliefs": CAPS,
        "shares": SHARES,
        "template": st.sampled_from([None, None, CHAT]),
    }
)
UNORDERED = ("canonical_facts", "world_state", "pinned", "tasks", "notes", "episodes", "beliefs")


def attempt(snapshot: Snapshot, limit: int, counter: Counter | None, **given_caps: Any) -> Built | None:
    """Build, or None for an overflow that is one."""
    try:
        return build(snapshot, limit, counter, **given_caps)
    except MandatoryOverflow:
        return None


@examples(80)
@given(hostile_snapshots(), st.integers(1, 3000), counters, caps_and_template)
def test_p1_no_fact_and_no_state_is_ever_missing(
    snapshot: Snapshot, limit: int, counter: Counter | None, given_caps: dict[str, Any]
) -> None:
    built = attempt(snapshot, limit, counter, **given_caps)
    if built is None:
        return
    for rule in snapshot.rules:
        assert rule.text in built.text
        assert rule.id in built.report.kept
    for fact in snapshot.canonical_facts:
        assert fact.text in built.text
        assert fact.id in built.report.kept
    for entry in snapshot.world_state:
        assert entry.words() in built.text
        assert entry.key in built.report.kept
    assert snapshot.persona in built.text
    assert {f.id for f in built.facts} == {f.id for f in snapshot.canonical_facts}
    assert {s.key for s in built.state} == {s.key for s in snapshot.world_state}


@examples(60)
@given(hostile_snapshots(), raw_texts)
def test_p1_whether_it_overflows_depends_on_no_word_the_player_says(snapshot: Snapshot, line: str) -> None:
    least = rest(snapshot) + 64
    for said in ("", "x", line, line * 40):
        built = build(replace(snapshot, player_line=said), least)
        assert built.report.total <= least
    with pytest.raises(MandatoryOverflow):
        build(replace(snapshot, player_line=line), least - 1)


@examples(60)
@given(hostile_snapshots(), st.integers(1, 2000))
def test_p1_nor_on_anything_optional(snapshot: Snapshot, limit: int) -> None:
    assert (attempt(snapshot, limit, None) is None) == (attempt(bare(snapshot), limit, None) is None)


@examples(80)
@given(hostile_snapshots(), st.integers(1, 3000), counters, caps_and_template)
def test_p2_total_is_exact_and_within_the_limit(
    snapshot: Snapshot, limit: int, counter: Counter | None, given_caps: dict[str, Any]
) -> None:
    built = attempt(snapshot, limit, counter, **given_caps)
    if built is None:
        return
    assert built.report.total == count_all(built, counter)
    assert "".join(built.segments) == built.text
    assert built.report.total <= built.report.limit == limit
    assert built.report.mandatory <= built.report.total
    assert built.truncated == (bool(built.report.shortened) or bool(built.dropped("budget")))


@examples(80)
@given(hostile_snapshots(), st.integers(200, 3000), counters, caps_and_template)
def test_p2_everything_is_kept_or_dropped_exactly_once(
    snapshot: Snapshot, limit: int, counter: Counter | None, given_caps: dict[str, Any]
) -> None:
    built = attempt(snapshot, limit, counter, **given_caps)
    if built is None:
        return
    assert sorted([*built.report.kept, *built.dropped()]) == offered(snapshot)
    by_section = Tally((d.id, d.section) for d in built.report.dropped if d.section != "agenda")
    assert all(times == 1 for times in by_section.values())
    for section, items in (
        ("dialogue", snapshot.dialogue),
        ("episodes", snapshot.episodes),
        ("beliefs", snapshot.beliefs),
        ("examples", snapshot.examples),
        ("agenda", snapshot.pinned + snapshot.tasks + snapshot.notes),
    ):
        gone = set(built.dropped(section=section))
        assert gone <= {item.id for item in items}
        if section != "examples":
            shown = {item.id for item in getattr(built, section)}
            assert shown == {item.id for item in items} - gone
    assert set(built.report.shortened) <= {turn.id for turn in built.dialogue} | {"player_line"}


@examples(60)
@given(st.data())
def test_p2_shares_as_promised(data: st.DataObject) -> None:
    """What the share alone would have held is in; what is out would not fit into what is left."""
    snapshot = data.draw(plain_snapshots())
    limit, given_caps = limits(data.draw, snapshot, None), data.draw(caps)
    built = build(snapshot, limit, **given_caps)
    if not built.truncated:
        return
    line = next((s for s in built.segments if s.section == "player_line"), None)
    assert line is not None
    free = limit - built.report.mandatory
    shown = replace(snapshot, player_line="")  # its cost cancels out below

    def cost(**sections: Any) -> int:
        return total(bare(shown, **sections)) - total(bare(shown))

    def kept(name: str) -> tuple[Any, ...]:
        return tuple(i for i in getattr(snapshot, name) if i in getattr(built, "agenda", ()))

    agenda = cost(**{name: kept(name) for name in ("pinned", "tasks", "notes")})
    if built.dropped("budget", "agenda") or built.report.shortened:
        assert agenda <= free * 15 // 100
    room = limit - built.report.total
    remaining = free - agenda
    floors = [int(share * 100) * remaining // 100 for share in given_caps["shares"][:2]]
    sections: list[tuple[str, int]] = [("episodes", floors[1]), ("beliefs", remaining - sum(floors))]
    for name, share in sections:
        gone = set(built.dropped("budget", name))
        if gone:
            ranked = [i for i in by_rank(getattr(snapshot, name)) if i.id in gone or i in getattr(built, name)]
            first = next(n for n, item in enumerate(ranked) if item.id in gone)
            assert cost(**{name: tuple(ranked[: first + 1])}) > share, "the first pass would have taken it"
            for item in ranked:
                if item.id in gone:
                    with_it = (*getattr(built, name), item)
                    assert cost(**{name: with_it}) - cost(**{name: getattr(built, name)}) > room


@examples(80)
@given(hostile_snapshots(), st.integers(200, 2000), counters, caps_and_template, st.randoms(use_true_random=False))
def test_p3_the_order_of_the_offer_is_irrelevant(
    snapshot: Snapshot, limit: int, counter: Counter | None, given_caps: dict[str, Any], random: Any
) -> None:
    def shuffled(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(random.sample(items, len(items)))

    turned = replace(snapshot, **{name: shuffled(getattr(snapshot, name)) for name in UNORDERED})
    one, other = attempt(snapshot, limit, counter, **given_caps), attempt(turned, limit, counter, **given_caps)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one.text == other.text
        assert one.report == other.report
        assert one.segments == other.segments


@examples(40)
@given(st.lists(hostile_snapshots(), min_size=2, max_size=6), st.integers(300, 2000), counters)
def test_p3_a_builder_remembers_nothing_that_shows(
    snapshots: list[Snapshot], limit: int, counter: Counter | None
) -> None:
    """One builder over many snapshots, there and back again, says what a fresh one says each time."""
    used = WorkingMemoryBuilder(policy(limit, counter, exchanges=3, episodes=3, beliefs=3), counter=counter)
    for snapshot in [*snapshots, *snapshots[::-1]]:
        fresh = attempt(snapshot, limit, counter, exchanges=3, episodes=3, beliefs=3)
        if fresh is None:
            with pytest.raises(MandatoryOverflow):
                used.build(snapshot)
        else:
            assert open_up(used.build(snapshot)) == fresh


@examples(80)
@given(hostile_snapshots(), st.integers(300, 5000))
def test_p9_no_text_becomes_markup(snapshot: Snapshot, limit: int) -> None:
    built = attempt(snapshot, limit, None)
    if built is None:
        return
    built.text.encode("utf-8")
    assert not re.search(r"<[|｜]|[|｜]>|</?[a-z]|\[/?INST\]|\{[{%#]|[}%#]\}", built.text)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", built.text)
    assert not any(segment.control for segment in built.segments if segment.section in {"dialogue", "player_line"})


@examples(60)
@given(raw_texts.filter(lambda t: t.strip()))
def test_p9_a_line_stays_one_line_that_begins_with_its_speaker(text: str) -> None:
    snapshot = snap(player_line=text, dialogue=(Turn("t", "p1", text),), names={"p1": "Traveller"})
    plain = build(snap(player_line="x", dialogue=(Turn("t", "p1", "x"),), names={"p1": "Traveller"}))
    built = build(snapshot)
    assert len(built.text.split("\n")) == len(plain.text.split("\n"))
    cleaned = snapshot.player_line
    assert built.text.split("\n").count(f"Traveller: {cleaned}") == 2


def test_shapes_hold_what_they_claim() -> None:
    assert len(set(SHAPES)) == len(SHAPES)


@pytest.mark.parametrize("name", ["勇者" * 60, "ж" * 30, "x" * 5000, "a " * 90])
def test_p1_nor_on_what_the_player_is_called(name: str) -> None:
    for counter in (None, utf8, huge_char):
        least = rest(snap(), counter) + (64 if counter is None else 16)
        for line in ("Hi.", "x" * 900, ""):
            built = build(snap(names={"p1": name}, player_line=line), least, counter)
            assert built.report.total <= least
