"""The builder against a slow, obvious restatement of the algorithm with measured costs (``wm_oracle``)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st
from wm_kit import (
    Built,
    Counter,
    build,
    examples,
    jumpy,
    offered,
    policy,
    scattered,
    shrinking,
    utf8,
    words,
    zero_for_some,
)
from wm_oracle import Prediction, Unspecified, predictions
from wm_strategies import CAPS, CHAT, SHARES, limits, plain_snapshots

from npc_memory import Snapshot, WorkingMemoryBuilder
from npc_memory.errors import MandatoryOverflow
from npc_memory.prompt import PromptTemplate

Caps = dict[str, Any]
CAPS_AND_SHARES = st.fixed_dictionaries({"exchanges": CAPS, "episodes": CAPS, "beliefs": CAPS, "shares": SHARES})


def outcome(built: Built) -> dict[str, Any]:
    """What is compared."""
    return {
        "text": built.text,
        "total": built.report.total,
        "dropped": sorted((d.id, d.section, d.reason) for d in built.report.dropped),
        "shortened": sorted(built.report.shortened),
    }


def expected(prediction: Prediction, counter: Counter | None, template: PromptTemplate | None) -> dict[str, Any]:
    """The prompt of a prediction is that of a snapshot which offers no more than it keeps."""
    whole = build(prediction.shown, counter=counter, template=template)
    assert whole.report.dropped == ()
    return {
        "text": whole.text,
        "total": whole.report.total,
        "dropped": list(prediction.dropped),
        "shortened": list(prediction.shortened),
    }


def sound(snapshot: Snapshot, limit: int, counter: Counter | None, given_caps: Caps) -> None:
    """Where the contract does not say which: within the limit, all accounted for; a line alone never overflows."""
    try:
        built = build(snapshot, limit, counter, **given_caps)
    except MandatoryOverflow:
        with pytest.raises(MandatoryOverflow):
            build(replace(snapshot, player_line=""), limit, counter, **given_caps)
        return
    assert built.report.total <= limit
    assert sorted([*built.report.kept, *(d.id for d in built.report.dropped)]) == offered(snapshot)


def compare(
    snapshot: Snapshot, limit: int, counter: Counter | None, caps: Caps, template: PromptTemplate | None = None
) -> None:
    """Fail unless the builder did what one reading of the contract says."""
    made = policy(limit, counter, **caps)
    given_caps = caps | {"template": template}
    first: dict[str, Any] = {}
    try:
        for prediction in predictions(snapshot, made, counter, template):
            wanted = expected(prediction, counter, template)
            first = first or wanted
            built = build(snapshot, limit, counter, **given_caps)
            assert sorted([*built.report.kept, *(d.id for d in built.report.dropped)]) == offered(snapshot)
            if outcome(built) == wanted:
                event("truncated" if built.truncated else "whole")
                return
    except Unspecified as why:
        event(f"unspecified: {why}")
        sound(snapshot, limit, counter, given_caps)
        return
    except MandatoryOverflow:
        event("overflow")
        with pytest.raises(MandatoryOverflow):
            WorkingMemoryBuilder(made, counter, template).build(snapshot)
        return
    raise AssertionError(f"limit {limit}, {caps}, {snapshot}\ngot    {outcome(built)}\nwanted {first}")


@examples(70)
@given(st.data())
def test_in_characters(data: st.DataObject) -> None:
    snapshot = data.draw(plain_snapshots())
    limit = limits(data.draw, snapshot, None)
    compare(snapshot, limit, None, data.draw(CAPS_AND_SHARES))


@pytest.mark.parametrize("counter", [utf8, words, jumpy, shrinking, zero_for_some, scattered])
@examples(12)
@given(st.data())
def test_with_counters_of_several_kinds(counter: Counter, data: st.DataObject) -> None:
    snapshot = data.draw(plain_snapshots())
    limit = limits(data.draw, snapshot, counter)
    compare(snapshot, limit, counter, data.draw(CAPS_AND_SHARES))


@pytest.mark.parametrize("counter", [None, words])
@examples(25)
@given(st.data())
def test_in_a_chat_format(counter: Counter | None, data: st.DataObject) -> None:
    snapshot = data.draw(plain_snapshots())
    limit = limits(data.draw, snapshot, counter, CHAT)
    compare(snapshot, limit, counter, data.draw(CAPS_AND_SHARES), CHAT)


@examples(12)
@given(st.data())
def test_below_the_least(data: st.DataObject) -> None:
    snapshot = data.draw(plain_snapshots())
    limit = data.draw(st.integers(1, 400))
    assume(limit > 0)
    compare(snapshot, limit, None, {})


@pytest.mark.full
@pytest.mark.parametrize("template", [None, CHAT], ids=["transcript", "chat"])
@pytest.mark.parametrize("counter", [None, utf8, words, jumpy, shrinking, zero_for_some, scattered])
@examples(120, random=True)
@given(st.data())
def test_a_long_search(counter: Counter | None, template: PromptTemplate | None, data: st.DataObject) -> None:
    snapshot = data.draw(plain_snapshots())
    limit = limits(data.draw, snapshot, counter, template)
    compare(snapshot, limit, counter, data.draw(CAPS_AND_SHARES), template)
