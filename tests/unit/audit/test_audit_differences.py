"""The first difference between two prompts: which segment it is in, and how it is shown."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from npc_memory.audit import Divergence, Piece, first_difference

PROMPT: tuple[Piece, ...] = (
    ("opening", True, "<|im_start|>"),
    ("rules", False, "Answer in one line.\n"),
    ("facts", False, "King Aldric is dead.\nThe gate is shut.\n"),
    ("line", False, "Rolf: Is the king well?\nMarta:"),
)


def test_the_same_prompt_differs_nowhere() -> None:
    assert first_difference(PROMPT, list(PROMPT)) is None
    assert first_difference((), ()) is None


pieces = st.tuples(st.sampled_from(["a", "b"]), st.booleans(), st.text(max_size=3))


@settings(deadline=None)
@given(st.lists(pieces, max_size=6), st.lists(pieces, max_size=6))
def test_a_difference_is_found_exactly_when_there_is_one(old: list[Piece], new: list[Piece]) -> None:
    found = first_difference(old, new)
    assert (found is None) == (old == new)
    if found is not None:
        at = next(i for i in range(max(len(old), len(new))) if old[i : i + 1] != new[i : i + 1])
        assert found[0] == (old[at] if at < len(old) else new[at])[0]
        for side, shown in ((old, found[1]), (new, found[2])):
            assert (shown == "(no segment)") == (at >= len(side))
            assert at >= len(side) or shown.endswith(f"]\n{side[at][2]}")
        assert found[1] != found[2]


def test_one_changed_letter_is_shown_in_its_section() -> None:
    now = (*PROMPT[:2], ("facts", False, "King Aldric is dead.\nThe gate is shot.\n"), *PROMPT[3:])
    section, expected, got = first_difference(PROMPT, now) or ("", "", "")
    assert section == "facts"
    diff = Divergence("x00000001", "marta", 0, section, expected, got).diff()
    assert diff[-2:] == ["-The gate is shut.", "+The gate is shot."]
    assert " King Aldric is dead." in diff


def test_text_that_became_control_is_a_difference() -> None:
    now = (*PROMPT[:3], (PROMPT[3][0], True, PROMPT[3][2]))
    assert first_difference(PROMPT, now) == ("line", f"[line]\n{PROMPT[3][2]}", f"[line, control]\n{PROMPT[3][2]}")


def test_what_looks_the_same_is_shown_by_its_code_points() -> None:
    for expected, got in (("a\n", "a"), ("a\r\nb", "a\nb")):
        diff = Divergence("x00000001", "marta", 0, "line", expected, got).diff()
        assert diff == [f"- {expected!r}", f"+ {got!r}"]


def test_characters_that_look_alike_are_told_apart() -> None:
    diff = Divergence("x00000001", "marta", 0, "line", "Good.\nÉlise: Well?", "Good.\nE\u0301lise: Well?").diff()
    assert diff[1:] == [" Good.", "- '\\xc9lise: Well?'", "+ 'E\\u0301lise: Well?'"]
