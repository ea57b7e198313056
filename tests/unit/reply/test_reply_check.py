"""What may not be said: thoughts, other people's lines, control tokens, errors, nothing at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reply_walker import UNTIMED, replies
from test_reply_stream import LABELS, MESSY

from npc_memory.memory import clean_text
from npc_memory.reply import Checked, Reply, ReplySpec, check

SPEC = ReplySpec(("calm", "glad"))


def say(text: str, **more) -> str:
    checked = check(text, SPEC, labels=LABELS, own_label="Marta", **more)
    assert checked.ok, checked
    return checked.say


def why(text: str, **more) -> str:
    checked = check(text, SPEC, labels=LABELS, own_label="Marta", **more)
    assert checked == Checked(False, "", "", None, checked.reason)
    return checked.reason


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("<think>He must not know.</think>Aye.", "Aye."),
        ("<think>\nA\n\nB</think>\n\nAye.\n(glad)\n", "Aye."),
        ("Aye. <THINK>more", "Aye."),
        ("so he is dead</think>Aye.", "Aye."),
        ("<think>a</think>Aye.<think>b</think> Come.", "Aye. Come."),
        ("<thinking>a</thinking>Aye.", "Aye."),
    ],
)
def test_thoughts_are_stripped(text, want):
    assert say(text) == want


@pytest.mark.parametrize(
    "text", ["<think>all of it</think>", "<think>never closed. Aye.", "</think>", " <think></think> \n"]
)
def test_nothing_but_thoughts_is_a_failure(text):
    assert why(text) == "empty"


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("Aye.\nPlayer: And the king?\nMarta: Dead.", "Aye."),
        ("Aye.\nTraveller: And the king?", "Aye."),
        ("Aye.\n  **Traveller:** And?", "Aye."),
        ("Aye.\ntraveller (to Olaf): And?", "Aye."),
        ("Aye.\n勇者：王は？", "Aye."),
        ("Marta: Aye.", "Aye."),
        ("Marta: Aye.\nMarta: Twice.", "Aye."),
        ("I told the Player: go home.", "I told the Player: go home."),
        ("He said: Traveller: an odd word.", "He said: Traveller: an odd word."),
        ("The players left.\nPlayers come and go.", "The players left. Players come and go."),
        ("I sell\nBread: two coins", "I sell Bread: two coins"),
        ("Travellers: I like them.", "Travellers: I like them."),
    ],
)
def test_another_speakers_line_ends_the_reply_only_where_a_line_starts(text, want):
    assert say(text) == want


@pytest.mark.parametrize(
    "text", ["Player: And the king?", "Traveller: hm", "system: Be evil", "Marta:", "Marta: \nUser: x"]
)
def test_a_reply_that_is_only_somebody_elses_is_empty(text):
    assert why(text) == "empty"


def test_an_npc_called_narrator_or_system_still_speaks():
    for name in ("Narrator", "system"):
        assert check(f"{name}: Aye.", SPEC, own_label=name).say == "Aye."


@pytest.mark.parametrize(
    "tail",
    ["<|im_end|>", "</s>", "<end_of_turn>", "<start_of_turn>user", "[/INST]", "<<SYS>>", "<｜User｜>", "<|eot_id|>x"],
)
def test_a_control_token_ends_the_reply(tail):
    assert say(f"Aye. {tail} more") == "Aye."
    assert why(tail) == "empty"


@pytest.mark.parametrize(
    "text",
    [
        "token limit exceeded",
        "Error: token limit exceeded.",
        "I am sorry, the context length limit was exceeded",
        "This model's maximum context length is 2048 tokens",
        "Traceback (most recent call last):",
        "RuntimeError: llama_decode returned -1",
        "HTTP 503",
        "500 Internal Server Error",
        "Connection refused",
        "null",
        "The request timed out",
    ],
)
def test_an_error_text_is_never_spoken(text):
    assert why(text) == "error_text"


@pytest.mark.parametrize(
    "text",
    [
        "There is a limit to my patience, and you exceeded it.",
        "My error: I took you for a thief.",
        "None.",
        "A token of thanks, 500 silver.",
        "He failed to load the cart.",
        "I <3 you",
    ],
)
def test_plain_talk_is_not_an_error(text):
    assert say(text) == text


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "...", "…", '""', "(calm)", "\u200d", "\n(calm)\n"])
def test_nothing_speakable_is_empty(text):
    assert check(text, ReplySpec(("calm",))).reason == ("" if text == "(calm)" else "empty")


def test_an_emoji_or_a_number_is_something():
    assert say("😀") == "😀"
    assert say("42") == "42"


def test_a_reply_cut_off_by_the_token_limit_keeps_its_whole_sentences():
    assert say(" Aye. Come in. And the", truncated=True) == "Aye. Come in."
    assert why(" And the king of the", truncated=True) == "unfinished"
    assert say(" And the king of the") == "And the king of the"
    assert say(" Well, perhaps\n(ca", truncated=True) == "Well, perhaps"
    assert say(" Well, perhaps\n", truncated=True) == "Well, perhaps"
    assert say(" Well, perhaps\n(glad)", truncated=True) == "Well, perhaps"


def test_a_reply_that_ran_into_its_bound_keeps_its_whole_sentences():
    spec = ReplySpec(max_chars=20)
    assert check(" Aye. A b c d e f g h\n", spec).say == "Aye."
    assert check(" Aye. Come in quickly.", spec).say == "Aye."
    assert check(" " + "abcdefghij klmnopqrst", spec).reason == "unfinished"


def test_json_that_is_none_is_unparsable_and_a_torn_one_is_salvaged():
    spec = ReplySpec(("calm", "glad"), shape="json")
    assert check('{"text": "Aye."}', spec).reason == "unparsable"
    assert check('{"mood": "glad", "say": "Aye."}', spec).mood == "glad"
    assert check('Aye. Come in. And", "mo', spec, truncated=True).say == "Aye. Come in. And"
    assert check("Aye. Come in. And", spec, truncated=True).say == "Aye. Come in."
    assert check('Aye.", "mood": "glad"', spec, truncated=True).mood == "glad"


def test_an_unknown_mood_becomes_the_first():
    assert check("Aye.\n(furious)\n", SPEC).mood == "calm"
    assert check("Aye.", SPEC).mood == "calm"
    assert check("Aye.\n(glad)\n", SPEC).mood == "glad"
    assert check("Aye.", ReplySpec()).mood == ""


@given(MESSY | st.text(max_size=80), st.booleans())
@UNTIMED
def test_what_is_said_is_clean_and_checking_it_again_changes_nothing(text, truncated):
    more = {"labels": LABELS, "own_label": "Marta", "own_lines": ["Aye. Come in!"]}
    once = check(text, SPEC, truncated=truncated, **more)
    if once.ok:
        assert clean_text(once.say) == once.say == once.say.strip()
        assert check(once.say, SPEC, **more).say == once.say
        assert check(Reply(say=once.say, mood=once.mood, action=once.action), SPEC, **more) == once


@given(replies())
@UNTIMED
def test_checking_a_parsed_reply_again_changes_nothing(case):
    spec, text = case
    once = check(text, spec)
    if once.ok:
        assert check(Reply(say=once.say, mood=once.mood, action=once.action), spec) == once


@given(st.text(max_size=200))
@UNTIMED
def test_no_text_raises(text):
    for shape in ("line", "json"):
        for truncated in (False, True):
            check(text, ReplySpec(("calm",), shape=shape), truncated=truncated)


PIECES = [
    "<",
    "<think>",
    "<think></think>",
    "< ",
    "a ",
    "(",
    "。",
    "a\n",
    "A. ",
    "a.",
    "Marta: ",
    "Player:\n",
    "[",
    "\u0301",
]


@pytest.mark.parametrize("piece", PIECES)
def test_a_huge_text_takes_no_quadratic_time(piece):
    text = piece * (60_000 // len(piece))
    check(text, SPEC, labels=LABELS, own_label="Marta")
    check(text, ReplySpec(shape="json"))
