"""Which leading segments of a prompt others begin with too, for transcripts and chats, whatever is in them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from npc_memory import Belief, BudgetPolicy, Episode, Example, Fact, Rule, Snapshot, StateEntry, Turn
from npc_memory.memory import AgendaItem
from npc_memory.prompt import ChatFormat, PromptTemplate, Segment, Wording, prefixes
from npc_memory.working_memory import WorkingMemoryBuilder

CHAT = ChatFormat(
    "<|im_start|>system\n", "<|im_end|>\n<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n",
    "<|im_end|>\n<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n",
)  # fmt: skip
WORDS = Wording(instructions="Play.", examples="The talk:", dialogue="The talk:", reminder="Answer as {npc}.")
TEMPLATES = {
    "bare": PromptTemplate(),
    "transcript": PromptTemplate(WORDS),
    "opened": PromptTemplate(WORDS, opening="<s>"),
    "chat": PromptTemplate(WORDS, CHAT),
    "opened chat": PromptTemplate(WORDS, CHAT, opening="<s>"),
}
FULL = {
    "rules": (Rule("r", "Be kind."),),
    "examples": (Example("x", "I starve.", "Sit down."),),
    "canonical_facts": (Fact("f", "The king is dead.", public=True), Fact("g", "Her ale is thin.")),
    "world_state": (StateEntry("bridge", "burned"), StateEntry("weather", "rain", volatile=True)),
    "pinned": (AgendaItem("p", "The king is dead."),),
    "dialogue": (Turn("t1", "p1", "Hi."), Turn("t2", "marta", "Aye."), Turn("t3", "p1", "Well?")),
    "episodes": (Episode("e", "He paid in silver.", game_time=-2000),),
    "beliefs": (Belief("b", "He is honest."),),
}
BASE = Snapshot(npc="marta", persona="You are Marta.", player="p1", player_line="Is he well?", names={"p1": "Rolf"})

templates = st.sampled_from(list(TEMPLATES))
parts = st.sets(st.sampled_from(sorted(FULL)))
tails = st.sets(st.sampled_from(("beliefs", "episodes", "pinned")))
few = settings(max_examples=40)


def shot(*names: str) -> Snapshot:
    return replace(BASE, **{name: FULL[name] for name in names})  # type: ignore[arg-type]


def built(snapshot: Snapshot, template: str) -> tuple[Segment, ...]:
    policy = BudgetPolicy(limit=20_000)
    with WorkingMemoryBuilder(policy, template=TEMPLATES[template]).build(snapshot) as memory:
        return memory.segments


def same(one: tuple[Segment, ...], other: tuple[Segment, ...], length: int) -> bool:
    return [(s.text, s.control) for s in one[:length]] == [(s.text, s.control) for s in other[:length]]


def text(segments: tuple[Segment, ...]) -> str:
    return "".join(segments)


@pytest.mark.parametrize("template", TEMPLATES)
def test_each_part_of_a_full_prompt_is_in_the_prefix_it_belongs_to(template: str) -> None:
    whole = built(shot(*FULL), template)
    begins = prefixes(whole)
    shared, hers = text(whole[: begins.shared]), text(whole[begins.shared : begins.hers])
    talk, tail = text(whole[begins.hers : begins.steady]), text(whole[begins.steady :])
    assert "Be kind." in shared
    assert shared.endswith("The king is dead.\n")
    assert all(one in hers for one in ("You are Marta.", "Her ale is thin.", "burned"))
    assert all(one in talk for one in ("Rolf: Hi.", "Aye.", "Rolf: Well?"))
    assert all(one in tail for one in ("rain", "The king is dead.", "He paid", "He is honest.", "Is he well?"))
    assert begins.stable == begins.steady


@few
@given(templates, parts)
def test_another_npc_begins_with_what_is_shared(template: str, names: set[str]) -> None:
    mine = built(shot(*names), template)
    begins = prefixes(mine)
    other = replace(shot(*names), npc="brann", persona="You are Brann.", dialogue=(), canonical_facts=())
    other = replace(other, canonical_facts=[fact for fact in shot(*names).canonical_facts if fact.public])
    hers = built(other, template)
    assert prefixes(hers).shared == begins.shared
    assert same(mine, hers, begins.shared)
    assert not same(mine, hers, begins.shared + 1), "and with no more"


@few
@given(templates, parts, tails)
def test_the_next_prompt_of_the_talk_begins_with_what_is_stable(template: str, first: set[str], tail: set[str]) -> None:
    """Whatever the tail holds then, and whoever's line it is."""
    now = built(shot(*first), template)
    begins = prefixes(now)
    kept = {"rules", "examples", "canonical_facts"} & first
    said = shot(*kept, *tail)
    answered = (Turn("t8", "p1", "Is he well?"), Turn("t9", "marta", "Dead."))
    steady = [entry for entry in shot(*first).world_state if not entry.volatile]
    then = replace(said, dialogue=(*shot(*first).dialogue, *answered), world_state=steady, player_line="And now?")
    assert same(now, built(then, template), begins.stable)


@few
@given(templates, parts)
def test_another_players_talk_begins_with_what_is_hers(template: str, names: set[str]) -> None:
    now = built(shot(*names), template)
    then = built(replace(shot(*names), player="p2", names={"p2": "Ann"}, dialogue=()), template)
    assert same(now, then, prefixes(now).hers)


@few
@given(templates, parts)
def test_each_is_the_beginning_of_the_next(template: str, names: set[str]) -> None:
    whole = built(shot(*names), template)
    begins = prefixes(whole)
    assert 0 <= begins.shared <= begins.hers <= begins.stable <= begins.steady < len(whole)
    assert prefixes(whole[: begins.steady]) == begins


def test_examples_are_steady_and_not_stable() -> None:
    whole = built(shot("examples"), "transcript")
    begins = prefixes(whole)
    assert "Sit down." in text(whole[: begins.steady])
    assert begins.stable == begins.hers


def test_nothing_begins_with_nothing() -> None:
    assert prefixes(()) == prefixes((Segment("Hi.\n", "player_line"),))
    assert prefixes(()).steady == 0
