from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from npc_memory.inference.stream import TextStream


def fed(stream: TextStream, data: bytes, cuts: list[int]) -> list[str]:
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    chunks = [stream.push(data[a:b]) for a, b in pairwise(edges)]
    return [*chunks, stream.finish()]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
CUTS = st.lists(st.integers(0, 200), max_size=40)


@given(TEXTS, CUTS)
def test_any_cut_gives_the_same_text_in_whole_characters(text: str, cuts: list[int]) -> None:
    stream = TextStream()
    assert "".join(fed(stream, text.encode(), cuts)) == stream.text == text


@given(st.text("abP:", max_size=30), CUTS, st.lists(st.text("abP:", min_size=1, max_size=4), min_size=1, max_size=3))
def test_text_ends_before_the_earliest_stop_however_it_is_cut(text: str, cuts: list[int], stops: list[str]) -> None:
    stream = TextStream(stops)
    shown = "".join(fed(stream, text.encode(), cuts))
    whole = min((text.find(s) for s in stops if s in text), default=len(text))
    # Only what had come may decide: a stop completed earlier wins over one that begins earlier but ends later.
    ends = min((text.find(s) + len(s), text.find(s)) for s in stops if s in text) if whole < len(text) else None
    assert shown == stream.text
    assert not any(stop in shown for stop in stops)
    assert text.startswith(shown)
    if ends is None:
        assert shown == text
    else:
        assert stream.stopped
        assert whole <= len(shown) <= ends[1]


def test_a_possible_stop_is_held_back_until_it_is_none() -> None:
    stream = TextStream(["\nPlayer:"])
    assert stream.push(b"Aye.\nPla") == "Aye."
    assert stream.push(b"ces are far") == "\nPlaces are far"


def test_a_stop_split_over_tokens_never_shows() -> None:
    stream = TextStream(["\nPlayer:"])
    chunks = [stream.push(piece) for piece in (b"Aye", b".", b"\n", b"Player", b": hello")]
    assert chunks == ["Aye", ".", "", "", ""]
    assert stream.stopped
    assert stream.push(b"more") == stream.finish() == ""


def test_half_a_character_at_the_end_is_dropped_and_bad_bytes_leave_no_mark() -> None:
    stream = TextStream()
    assert stream.push(b"a\xff\xfeb\xf0\x9f\x90") + stream.finish() == "ab"


def test_an_unfinished_stop_is_text_after_all() -> None:
    stream = TextStream(["###"])
    assert stream.push(b"end ##") + stream.finish() == "end ##"
