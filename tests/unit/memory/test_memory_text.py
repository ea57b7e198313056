"""``clean_text``: newlines to spaces, controls and lone surrogates out, control tokens broken up, the rest kept."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from searches import examples

from npc_memory.errors import InvalidInput
from npc_memory.memory import clean_text
from npc_memory.memory.text import MAX_ID_CHARS, check_id, check_text, is_clean, is_id

TOKENS = (
    "<|im_start|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|START_OF_TURN_TOKEN|>",
    "<|reserved_special_token_0|>",
    "<｜begin▁of▁sentence｜>",
    "<｜User｜>",
    "<s>",
    "</s>",
    "<bos>",
    "<pad>",
    "<unk>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<fim_prefix>",
    "<think>",
    "</think>",
    "[INST]",
    "[/INST]",
    "[TOOL_CALLS]",
    "<<SYS>>",
    "<</SYS>>",
    "{{ x }}",
    "{% x %}",
    "{# x #}",
)

anything = st.lists(
    st.one_of(
        st.text(st.characters(), max_size=8),
        st.text(st.characters(categories=["Cc", "Cs", "Cf", "Zl", "Zp"]), max_size=3),
        st.sampled_from(TOKENS),
        st.text("<|>｜[]{}%#/AI_s ", max_size=10),
    ),
    max_size=6,
).map("".join)


@pytest.mark.parametrize("newline", ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\t"])
def test_newlines_become_spaces(newline: str) -> None:
    assert clean_text(f"a{newline}b").replace("  ", " ") == "a b"


@pytest.mark.parametrize("control", [*map(chr, range(9)), "\x0e", "\x1b", "\x7f", "\x80", "\x9f"])
def test_other_controls_go(control: str) -> None:
    assert clean_text(f"a{control}b") == "ab"


@pytest.mark.parametrize("code", [0xD800, 0xDBFF, 0xDC00, 0xDFFF])
def test_lone_surrogates_go(code: int) -> None:
    assert clean_text(f"a{chr(code)}b") == "ab"
    assert clean_text(f"a{chr(0xD83D)}{chr(0xDE00)}b") == "ab", "two halves are no character"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I <3 you",
        "a < b and c > d",
        "5 | 6",
        "e\u0301 a\u0308",
        "👩\u200d🚀 👨\u200d👩\u200d👧",
        "می\u200cخواهم",
        "क्\u200dष",
        "กษัตริย์",
        "[sic] [1] [A]",
        "f(x) = {1, 2}",
        "100 % #1",
        "«Élise» “said” … ok",
        "😀\ufe0f",
        "  two  spaces  ",
        "\U0001f1eb\U0001f1f7",
    ],
)
def test_plain_text_stays(text: str) -> None:
    assert clean_text(text) == text


@pytest.mark.parametrize("token", TOKENS)
def test_control_tokens_are_broken_up_readably(token: str) -> None:
    for around in ("", "x", "<", ">", "|", token):
        cleaned = clean_text(around + token + around)
        assert token not in cleaned
        assert cleaned.replace(" ", "") == (around + token + around).replace(" ", ""), "nothing but spaces is added"


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("wedge", ["\x00", "\ud800", "\x7f", "\u202e", "\ufeff"])
def test_what_is_taken_out_does_not_leave_a_token_behind(token: str, wedge: str) -> None:
    for cut in range(len(token)):
        assert token not in clean_text(token[:cut] + wedge + token[cut:])


@settings(max_examples=examples(400), deadline=None)
@given(anything)
@example("<<|<|<")
@example("{{{{}}}}")
@example("|>|>>")
@example("[[INST][/INST]]")
def test_cleaned_text_is_clean(text: str) -> None:
    cleaned = clean_text(text)
    cleaned.encode("utf-8")
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in cleaned)
    assert not re.search(r"<[|｜]|[|｜]>|</?[A-Za-z]|\[/?(INST|TOOL_CALLS)\]|\{[{%#]|[}%#]\}", cleaned)
    assert clean_text(cleaned) == cleaned
    assert cleaned.splitlines() in ([], [cleaned])


@settings(max_examples=examples(400), deadline=None)
@given(anything)
def test_what_is_clean_at_a_glance_is_not_changed_and_may_be_an_id(text: str) -> None:
    if is_clean(text):
        assert clean_text(text) == text
    if is_id(text):
        assert check_id(text, "an id") == text


def test_at_a_glance_no_letter_is_clean_that_cleaning_drops() -> None:
    odd = [chr(code) for code in range(0x11000) if is_clean(chr(code)) and clean_text(chr(code)) != chr(code)]
    assert odd == []
    assert is_clean("Кто там? 勇者, naïve: a < b.") is False, "a bracket is looked at twice"
    assert is_clean("Кто там? 勇者, naïve.")
    assert not any(map(is_clean, (None, 7, b"x", "a\nb", "\ud800", "<|im_end|>", "a\u2028b")))
    assert is_id("x" * MAX_ID_CHARS)
    assert not any(map(is_id, (None, 7, "", "x" * (MAX_ID_CHARS + 1), "a\x00", "\udc00")))


@settings(max_examples=examples(200), deadline=None)
@given(anything)
def test_a_part_of_a_clean_text_is_clean(text: str) -> None:
    """Shortening keeps a head and a tail; neither may need cleaning again."""
    cleaned = clean_text(text)
    for cut in range(0, len(cleaned), 3):
        assert clean_text(cleaned[:cut]) == cleaned[:cut]
        assert clean_text(cleaned[cut:]) == cleaned[cut:]


@settings(max_examples=examples(200), deadline=None)
@given(st.text(st.characters(categories=["L", "M", "N", "Pd", "So", "Zs"])))
def test_letters_marks_and_numbers_of_every_script_stay(text: str) -> None:
    assert clean_text(text) == text


def test_it_is_not_slow_on_a_megabyte() -> None:
    for text in ("<" * 10**6, "{" * 10**6, "[A" * 500_000, "\x00" * 10**6, "<|" * 500_000):
        clean_text(text)


# --- ids --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["marta", "Довакин", "勇者", "Élise", "a b", "guard#1", "x" * MAX_ID_CHARS, "👑", "0"])
def test_an_id_of_any_script_stays_as_it_is(id: str) -> None:
    assert check_id(id, "id") == id


@pytest.mark.parametrize("id", ["", "x" * (MAX_ID_CHARS + 1), "a\nb", "a\x00", "\ud800", "a\u2028", 5, None, b"x"])
def test_what_cannot_be_an_id_is_refused_with_a_cure(id: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_id(id, "Fact.id")
    assert "Fact.id" in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("text", [None, 5, b"bytes", ["x"]])
def test_what_is_no_text_is_refused(text: object) -> None:
    with pytest.raises(InvalidInput):
        check_text(text, "Fact.text")
