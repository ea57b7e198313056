"""Loops are found in every script; emphasis is not a loop."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reply_walker import UNTIMED

from npc_memory.reply import ReplySpec, check
from npc_memory.reply.loops import goes_round, is_circling, repeats

# The first lines were written by SmolLM2-135M.
LONG = "The old king is dead and the whole of the town mourns him"
LOOPS = [
    "Aye, aye, I am a traveler, traveller, traveller, traveller, traveller, traveller.",
    "There is no such thing as a hot drink, no, no, no, no, no.",
    "I am the king of the hill. I am the king of the hill.",
    "It is called the Gilded Boar, it is called the Gilded Boar.",
    "Nooooooooooooooo!",
    "Aye ----------------",
    "王は死んだ。王は死んだ。王は死んだ。",
    "あああああああああああ",
    "お入りください、お入りください、お入りください",
    "Он ушёл, он ушёл, он ушёл, он ушёл.",
    "ha ha ha ha ha ha ha",
    "😀😀😀😀😀😀😀",
    "the inn and the well and the inn and the well and the inn and the well and the inn and the well",
    "เขาไปแล้วเขาไปแล้วเขาไปแล้วเขาไปแล้ว",
]
TALK = [
    "No, no, no! Not the good ale.",
    "Ha ha ha! Well said.",
    "The bridge is burned, and the ford is deep. Take the ferry; the ferryman is honest, the ferry less so.",
    "I shall, I shall.",
    "Hm... well... no.",
    "王は死んだ。だが王国は生きている。王子がいるからな。",
    "ははは、よく来たな。",
    "Aye. Aye. Come in.",
    "Round and round the mill wheel goes, and round and round go the miller's girls.",
    "Нет, нет и нет. Король мёртв, да здравствует король!",
    "Two silver for the room, one silver for the ale, one silver for the stew, and the talk is free.",
]


@pytest.mark.parametrize("text", LOOPS)
def test_a_loop_is_detected(text):
    assert goes_round(text)
    assert check(text, ReplySpec()).reason == "loop"


@pytest.mark.parametrize("text", TALK)
def test_plain_talk_and_emphasis_are_no_loop(text):
    assert not goes_round(text)
    assert check(text, ReplySpec()).say == text


@given(st.sampled_from(TALK), st.integers(2, 4))
@UNTIMED
def test_a_whole_line_said_again_and_again_is_a_loop(text, times):
    if len(text) > 40:
        assert is_circling(" ".join([text] * times))


@pytest.mark.parametrize(
    ("say", "own", "want"),
    [
        ("The bridge is burned.", ["The bridge is burned."], True),
        ("the bridge is BURNED!", ["The bridge is burned."], True),
        ("The bridge is burned.", ["The bridge is burned.", "Aye.", "Ale?"], True),
        ("The bridge is burned.", ["The bridge is burned.", "Aye.", "Ale?", "So."], False),
        ("The bridge is burned. Take the ford.", ["The bridge is burned."], False),
        ("The bridge is burned. Good evening, friend.", ["Good evening, friend.", "The bridge is burned."], True),
        ("The bridge is whole.", ["The bridge is burned."], False),
        (f"{LONG} so", [LONG], True),
        ("Aye.", ["Aye."], False),
        ("Aye.", ["Aye.", "Aye."], True),
        ("王は死んだのだ。", ["王は死んだのだ。"], True),
        ("はい。", ["はい。"], False),
        ("Aye.", [], False),
        ("...", ["..."], False),
    ],
)
def test_saying_again_what_she_said_last(say, own, want):
    assert repeats(say, own) is want
