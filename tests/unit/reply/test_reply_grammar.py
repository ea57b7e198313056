"""Whatever the grammar allows parses, is bounded, and says only what was offered."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from reply_walker import UNTIMED, replies, specs
from searches import examples

from npc_memory.errors import InvalidInput
from npc_memory.memory import clean_text
from npc_memory.reply import (
    Action,
    ActionSpec,
    Reply,
    ReplySpec,
    check,
    cue,
    grammar_for,
    max_tokens,
    parse,
    token_bound,
)
from npc_memory.reply.schema import reply_model

MARTA = ReplySpec(("calm", "glad"), (ActionSpec("give_room"), ActionSpec("sell", ("item", "price"))))


@given(replies())
@UNTIMED
def test_every_text_of_the_grammar_parses(case):
    spec, text = case
    reply = parse(spec, text)
    assert reply is not None, text
    assert 1 <= len(reply.say) <= spec.max_chars
    assert reply.mood in (spec.moods or ("",))
    if reply.action:
        assert tuple(reply.action.args) == spec.action(reply.action.id).args
    assert len(text.encode()) < token_bound(spec)
    assert clean_text(reply.say) == reply.say
    wrote = "[" in text.partition("\n")[2] if spec.shape == "line" else '"action": {' in text
    assert (reply.action is not None) == wrote


@given(replies())
@settings(UNTIMED, max_examples=examples(40))
def test_a_parsed_reply_is_an_instance_of_its_schema(case):
    spec, text = case
    fields = parse(spec, text).model_dump()
    model = reply_model(spec)
    model.model_validate({name: fields[name] for name in model.model_fields}, strict=True)


@given(specs())
@UNTIMED
def test_the_same_spec_gives_the_same_grammar_and_another_order_another(spec):
    assert grammar_for(spec) is grammar_for(ReplySpec(spec.moods, spec.actions, spec.max_chars, spec.shape))
    if len(spec.moods) > 1:
        assert grammar_for(spec) != grammar_for(ReplySpec(spec.moods[::-1], spec.actions, spec.max_chars, spec.shape))


def test_the_two_shapes_say_the_same():
    want = Reply(say="One silver.", mood="glad", action=Action(id="sell", args={"item": "ale", "price": "1"}))
    assert parse(MARTA, " One silver.\n(glad) [sell: ale; 1]\n") == want
    json = ReplySpec(MARTA.moods, MARTA.actions, shape="json")
    args = '{"item": "ale", "price": "1"}'
    assert parse(json, f'One silver.", "mood": "glad", "action": {{"id": "sell", "args": {args}}}}}') == want
    assert parse(json, 'One silver.", "mood": "glad", "action": null}').action is None


def test_the_cue_forces_what_the_model_must_not_choose():
    assert cue(MARTA) == ""
    assert cue(ReplySpec(shape="json")) == ' {"say": "'
    assert cue(MARTA, "Aye.") == " Aye."


@pytest.mark.parametrize(
    "text",
    [
        " Aye.",
        " Aye.\n",
        " Aye.\n(calm)",
        " Aye.\n(angry)\n",
        "\n(calm)\n",
        " Aye.\nPlayer: so?\n(calm)\n",
        " " + "a" * 241 + "\n(calm)\n",
    ],
)
def test_what_the_grammar_forbids_does_not_parse(text):
    assert parse(MARTA, text) is None


@pytest.mark.parametrize("action", ["[burn_inn]", "[sell: ale]", "[sell: ale; 1; 2]", "[sell: ; 1]", "[give_room: x]"])
def test_an_action_that_was_not_offered_is_not_wanted(action):
    assert parse(MARTA, f" Aye.\n(calm) {action}\n").action is None


def test_a_continued_reply_keeps_to_the_bound_of_the_whole():
    released = "The inn is full."
    assert "{0,224}" in grammar_for(MARTA, released)
    reply = parse(MARTA, " Try the barn.\n(calm)\n", released)
    assert reply.say == "The inn is full. Try the barn."
    assert parse(MARTA, "\n(calm)\n", released).say == released


def test_the_reserve_of_tokens_is_modest_and_never_above_the_bound():
    assert max_tokens(MARTA) == 120 + 24
    assert max_tokens(ReplySpec(("calm",))) == 128
    assert max_tokens(MARTA) < token_bound(MARTA)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ReplySpec(("",)),
        lambda: ReplySpec(("calm", "calm")),
        lambda: ReplySpec(("calm)\n",)),
        lambda: ReplySpec(("ca[lm",)),
        lambda: ReplySpec(('a"b',)),
        lambda: ReplySpec(actions=(ActionSpec("a"), ActionSpec("a"))),
        lambda: ActionSpec("a: b"),
        lambda: ActionSpec("a", ("x;y",)),
        lambda: ReplySpec(max_chars=3),
        lambda: ReplySpec(max_chars=10**6),
        lambda: ReplySpec(max_chars=True),
        lambda: ReplySpec(shape="xml"),
    ],
)
def test_a_spec_that_could_be_misread_is_refused(make):
    with pytest.raises(InvalidInput):
        make()


def test_names_of_every_script_and_of_model_methods_are_fine():
    spec = ReplySpec(("радостный", "می\u200cخندد"), (ActionSpec("разлить", ("copy", "json", "предмет")),))
    reply = parse(spec, " Да.\n(радостный) [разлить: эль; 2; кружка]\n")
    assert reply.action.args == {"copy": "эль", "json": "2", "предмет": "кружка"}


def test_check_takes_only_offered_actions_with_clean_bounded_arguments():
    def action(**args):
        return check(Reply(say="Aye.", action=Action(id="sell", args=args)), MARTA).action

    assert action(item="ale<|im_end|>", price="1").args == {"item": "ale< |im_end| >", "price": "1"}
    assert action(price="1", item="ale") == Action(id="sell", args={"item": "ale", "price": "1"})
    assert action(item="ale") is None
    assert action(item="a" * 41, price="1") is None
    assert check(Reply(say="Aye.", action=Action(id="burn")), MARTA).action is None
