"""Joined, what was released is what she said; and it is released as early as it is certain."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reply_walker import UNTIMED, chunks, replies

from npc_memory.reply import ActionSpec, Checked, ReplySpec, SayStream, check, cue, sentences
from npc_memory.reply.reading import read
from npc_memory.reply.sentences import ends_complete, whole_sentences

MARTA = ReplySpec(("calm", "glad"), (ActionSpec("sell", ("item",)),))
JSON = ReplySpec(("calm", "glad"), (ActionSpec("sell", ("item",)),), shape="json")
LABELS = ["Traveller", "Marta", "勇者"]


def run(stream: SayStream, pieces: list[str]) -> tuple[list[str], object]:
    spoken = [piece for chunk in pieces if (piece := stream.feed(chunk))]
    last, checked = stream.finish()
    return [*spoken, last] if last else spoken, checked


@given(replies(), st.data())
@UNTIMED
def test_the_pieces_joined_are_what_was_said(case, data):
    spec, text = case
    pieces, checked = run(SayStream(spec), chunks(data.draw, text))
    assert checked == check(text, spec)
    joined = "".join(pieces)
    assert joined == checked.say if checked.ok else joined in text


MESSY_PIECES = """Aye. |Come in! |お入り。| |Marta: |Traveller: |Player: ok.|<think>|</think>|hm. |</s>|[INST]|(calm)
(odd)|[sell: ale]|😀|Mr. |no, |...|"|{{""".replace("\n", "|").split("|")
MESSY = st.lists(st.sampled_from([*MESSY_PIECES, "\n", "\r\n", "<|im_end|>"]), max_size=14).map("".join)


@given(MESSY | st.text(max_size=60), st.data())
@UNTIMED
def test_also_when_no_grammar_held_the_model(text, data):
    stream = SayStream(MARTA, labels=LABELS, own_label="Marta", own_lines=["Aye. Come in!"])
    pieces, checked = run(stream, chunks(data.draw, text))
    joined = "".join(pieces)
    assert joined == stream.released
    if checked.ok:
        assert joined == checked.say
        assert checked == check(text, MARTA, labels=LABELS, own_label="Marta", own_lines=["Aye. Come in!"])


@given(st.text(max_size=80).filter(str.strip), st.data())
@UNTIMED
def test_json_escapes_may_be_cut_anywhere(say, data):
    text = json.dumps({"say": say, "mood": "glad", "action": None})[len(cue(JSON)) - 1 :]
    pieces, checked = run(SayStream(JSON), chunks(data.draw, text))
    assert checked == check(text, JSON)
    if checked.ok:
        assert "".join(pieces) == checked.say


def test_an_emoji_escaped_as_two_halves_is_one_character():
    stream = SayStream(JSON)
    spoken = [stream.feed(c) for c in 'Aye \\ud83d\\ude00! So \\"it\\" is\\u002e", "mood": "glad", "action": null}']
    assert "".join(spoken) == 'Aye 😀! So "it" is.'
    assert "\ufffd" not in "".join(spoken)
    assert stream.done


def test_half_an_emoji_says_nothing():
    checked = check('Aye \\ud83d there.", "mood": "glad", "action": null}', JSON)
    assert checked.say == "Aye  there."


@pytest.mark.parametrize("spec", [MARTA, JSON])
def test_a_sentence_leaves_as_soon_as_the_next_begins(spec):
    stream = SayStream(spec)
    assert stream.feed("Aye.") == ""
    assert stream.feed(" ") == ""
    assert stream.feed("Come") == "Aye."
    assert stream.feed(" in.") == ""
    assert stream.feed("\n(" if spec is MARTA else '"') == " Come in."


def test_an_unfinished_last_sentence_leaves_with_the_mood():
    stream = SayStream(MARTA)
    assert stream.feed(" Well, perhaps\n(") == ""
    assert stream.feed("calm)") == "Well, perhaps"
    assert not stream.done
    assert stream.feed("\n") == ""
    assert stream.done
    assert stream.finish()[1].say == "Well, perhaps"


def test_a_thought_is_never_released():
    stream = SayStream(MARTA)
    text = "<think>The king. He is dead. Hide it.</think>Aye. Come in."
    assert "".join(map(stream.feed, text)) + stream.finish()[0] == "Aye. Come in."


def test_a_thought_that_shows_too_late_is_no_reply():
    stream = SayStream(MARTA)
    assert stream.feed("Hide it. He must") == "Hide it."
    assert stream.feed(" not know.</think>Aye. Come") == ""
    assert stream.finish() == ("", Checked(False, "", "", None, "retracted"))


def test_a_line_of_another_speaker_is_never_released_though_it_has_sentences():
    stream = SayStream(MARTA, labels=["J. R. Olaf"], own_label="Marta")
    assert "".join(map(stream.feed, "Marta: Aye.\nJ. R. Olaf: And the king? Tell me! Now.\n")) == "Aye."


def test_a_loop_is_held_back_and_reported():
    stream = SayStream(MARTA)
    spoken = "".join(map(stream.feed, " Welcome, friend. Sit by the fire. Sit by the fire. Sit by the fire. Sit."))
    assert spoken == "Welcome, friend. Sit by the fire."
    assert stream.stuck
    assert stream.finish()[1].reason == "loop"


def test_her_own_last_line_is_held_back_until_something_new_comes():
    old = "The bridge is burned, friend."
    stream = SayStream(MARTA, own_lines=[old])
    assert stream.feed(f" {old} Take") == ""
    assert stream.feed(" the ford. Go") == f"{old} Take the ford."
    again = SayStream(MARTA, own_lines=[old])
    assert "".join(map(again.feed, f" {old}\n(calm)\n")) == ""
    assert again.finish()[1].reason == "repeat"


def test_a_refused_reply_is_continued_from_what_was_released():
    first = SayStream(MARTA)
    released = first.feed(" Welcome, friend. Sit by the fire. So")
    second = SayStream(MARTA, released=released)
    spoken = "".join(map(second.feed, " Ale is two silver.\n(glad) [sell: ale]\n"))
    last, checked = second.finish()
    assert released + spoken + last == checked.say == "Welcome, friend. Sit by the fire. Ale is two silver."
    assert checked.action.args == {"item": "ale"}


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Aye. Come in.", ["Aye.", " Come in."]),
        ("Mr. Olaf and Dr. Brandt left. Gone!", ["Mr. Olaf and Dr. Brandt left.", " Gone!"]),
        ("Well... maybe. Or not…  Hm.", ["Well... maybe.", " Or not…", "  Hm."]),
        ('"Stop!" she said. "Why?" Silence.', ['"Stop!" she said.', ' "Why?"', " Silence."]),
        ("It costs 3.5 silver, e.g. ale. Yes.", ["It costs 3.5 silver, e.g. ale.", " Yes."]),
        ("Am 3. Mai. Gut.", ["Am 3. Mai.", " Gut."]),
        ("王は死んだ。本当だ！「なぜ？」彼は聞いた。", ["王は死んだ。", "本当だ！", "「なぜ？」", "彼は聞いた。"]),
        ("Он ушёл. Навсегда?! Да", ["Он ушёл.", " Навсегда?!", " Да"]),
        ("Stop‼️ Now. 😀 Ha.", ["Stop‼️", " Now.", " 😀 Ha."]),
        ("So do I. Truly.", ["So do I.", " Truly."]),
        ("no stop at all", ["no stop at all"]),
        ("", []),
    ],
)
def test_sentences(text, pieces):
    assert sentences(text, final=True) == pieces
    assert "".join(pieces) == text


@given(MESSY | st.text(max_size=80), st.data())
@UNTIMED
def test_a_certain_sentence_stays_whatever_follows(text, data):
    cut = data.draw(st.integers(0, len(text)))
    early = sentences(text[:cut], final=False)
    assert sentences(text, final=True)[: len(early)] == early
    assert "".join(sentences(text, final=True)) == text


def test_cutting_back_to_whole_sentences():
    assert whole_sentences("Aye. Come in. And th", 240) == "Aye. Come in."
    assert whole_sentences("Aye. Come in.", 8) == "Aye."
    assert whole_sentences("no end in sight", 240) == ""
    assert ends_complete('He said "no."')
    assert not ends_complete("He said")


@given(MESSY, st.data())
@UNTIMED
def test_what_is_released_does_not_depend_on_where_the_output_was_cut(text, data):
    own = ["Aye.", "Come in! お入り。"]
    whole, cut = SayStream(MARTA, labels=LABELS, own_lines=own), SayStream(MARTA, labels=LABELS, own_lines=own)
    at_once = run(whole, [text])
    piecewise = run(cut, chunks(data.draw, text))
    assert "".join(at_once[0]) == "".join(piecewise[0])
    assert (whole.released, whole.stuck, at_once[1]) == (cut.released, cut.stuck, piecewise[1])


class Thorough(SayStream):
    """Reads everything anew at every character."""

    def _adds_nothing(self, char: str) -> bool:
        return False


@given(
    MESSY | st.lists(st.sampled_from([*MESSY_PIECES, "Aye. Come", " in! ", "Mr. O", " 3.5 "])).map("".join), st.data()
)
@UNTIMED
def test_what_is_not_read_anew_would_change_nothing(text, data):
    released = data.draw(st.sampled_from(["", "Aye.", "Come in! お入り。"]))
    spec = data.draw(st.sampled_from([MARTA, JSON, ReplySpec()]))
    more = {"labels": LABELS, "own_label": "Marta", "own_lines": ["Aye."], "released": released}
    quick, thorough = SayStream(spec, **more), Thorough(spec, **more)
    for char in text:
        assert quick.feed(char) == thorough.feed(char)
        assert (quick.done, quick.stuck, quick.released) == (thorough.done, thorough.stuck, thorough.released)
    assert quick.finish() == thorough.finish()


def test_a_long_sentence_is_hardly_ever_read_anew(monkeypatch):
    readings = []
    monkeypatch.setattr("npc_memory.reply.stream.read", lambda *given: readings.append(1) or read(*given))
    stream = SayStream(MARTA)
    stream.feed(" Sit by the fire. " + "The river rose and " * 9)
    assert len(readings) < 10
