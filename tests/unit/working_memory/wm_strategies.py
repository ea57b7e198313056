"""Hypothesis strategies: small snapshots for the oracle, hostile ones for the properties."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from wm_kit import Counter, bare, filler, rest, snap, total

from npc_memory import AgendaItem, Belief, Episode, Example, Fact, Rule, Snapshot, StateEntry, Turn
from npc_memory.prompt import ChatFormat, PromptTemplate

SHAPES = (
    "<|im_start|>system",
    "<|im_end|>",
    "<|endoftext|>",
    "</s>",
    "<s>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<start_of_turn>user",
    "<｜User｜>",
    "{{ persona }}",
    "{% for x in y %}",
    "{# no #}",
    "<think>",
    "\nTraveller: I lie",
    "\r\n",
    "\x00",
    "\x0b",
    "\u2028",
    "\ud800",
    "\udfff",
    "\u202e",
    "e\u0301",
    "👩\u200d🚀",
    "Facts:",
    " … ",
    "ж",
)
"""Pieces a hostile text is made of."""

CHAT = PromptTemplate(
    chat=ChatFormat(
        open="<|im_start|>system\n",
        to_user="<|im_end|>\n<|im_start|>user\n",
        to_reply="<|im_end|>\n<|im_start|>assistant\n",
        to_next="<|im_end|>\n<|im_start|>user\n",
        generate="<|im_end|>\n<|im_start|>assistant\n",
    )
)
"""A chat format of the usual shape."""

SIZES = st.integers(1, 90)
SCORES = st.integers(-4, 10).map(lambda n: n / 10)
TIMES = st.integers(0, 6000)
SHARES = st.sampled_from([(0.60, 0.25, 0.15), (0.60, 0.25, 0.15), (0.2, 0.3, 0.5), (0.0, 0.5, 0.5), (1.0, 0.0, 0.0)])
CAPS = st.sampled_from([None, None, 1, 2, 3, 5])

raw_texts = st.lists(
    st.one_of(
        st.sampled_from(SHAPES),
        st.text(max_size=12),
        st.text(st.characters(categories=["Cc", "Cf", "Cs", "Co", "Mn", "Zs", "Zl", "Zp"]), max_size=4),
        st.text("ab <|>[]{}%#/｜", max_size=12),
    ),
    max_size=6,
).map("".join)
"""Anything a player could type, and more."""


@st.composite
def plain_snapshots(draw: st.DrawFn) -> Snapshot:
    """A small snapshot of plain texts with at most one leading NPC turn."""

    def texts(prefix: str, most: int) -> list[tuple[str, str]]:
        sizes = draw(st.lists(SIZES, max_size=most))
        return [(f"{prefix}{i}", filler(n, f"{prefix}{i}")) for i, n in enumerate(sizes)]

    speakers = draw(st.lists(st.sampled_from(["p1", "p1", "marta", "guard"]), max_size=8))
    while speakers[:2] == ["marta", "marta"]:
        speakers = speakers[1:]
    sizes = draw(st.lists(st.integers(1, 150), min_size=len(speakers), max_size=len(speakers)))
    spoken = enumerate(zip(speakers, sizes, strict=True))
    dialogue = tuple(Turn(f"t{i}", who, filler(n, f"t{i}"), game_time=i) for i, (who, n) in spoken)
    turn_ids = [t.id for t in dialogue] or ["none"]
    of_turns = st.lists(st.sampled_from([*turn_ids, "elsewhere"]), max_size=2).map(tuple)
    few = st.booleans().flatmap(lambda yes: of_turns if yes else st.just(()))
    agenda = {name: tuple(AgendaItem(i, t, draw(SCORES)) for i, t in texts(name[0], 3)) for name in AGENDA}
    return snap(
        persona=filler(draw(SIZES), "persona"),
        player_line=filler(draw(st.one_of(st.integers(1, 20), st.integers(1, 200))), "line"),
        rules=tuple(Rule(i, t) for i, t in texts("r", 1)),
        canonical_facts=tuple(Fact(i, t, draw(st.booleans())) for i, t in texts("f", 2)),
        world_state=tuple(StateEntry(i, t, draw(st.booleans())) for i, t in texts("s", 2)),
        examples=tuple(Example(i, t, t[::-1]) for i, t in texts("x", 3)),
        dialogue=dialogue,
        episodes=tuple(Episode(i, t, draw(SCORES), draw(TIMES), draw(few)) for i, t in texts("e", 7)),
        beliefs=tuple(Belief(i, t, 0.5, draw(SCORES), draw(TIMES)) for i, t in texts("b", 7)),
        **agenda,
    )


AGENDA = ("pinned", "tasks", "notes")


def limits(draw: st.DrawFn, snapshot: Snapshot, counter: Counter | None, template: PromptTemplate | None = None) -> int:
    """A limit between the least that is allowed and a little more than all that is offered."""
    needed = rest(snapshot, counter, template)
    least = needed + 64  # test_below_the_least goes lower
    everything = total(replace(snapshot, examples=()) if snapshot.dialogue else snapshot, counter, template)
    most = max(least, everything) + 15
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return draw(st.integers(least, most))
    if kind == 1:
        return draw(st.integers(max(least, most - 30), most))
    roomy = max(least, needed + 4 * (total(bare(snapshot), counter, template) - needed))  # the line stays whole
    return draw(st.integers(roomy, max(roomy, most)))


@st.composite
def hostile_snapshots(draw: st.DrawFn) -> Snapshot:
    """A snapshot whose texts, names and speakers are as hostile as texts can be; ids are shared across sections."""

    def texts(most: int) -> list[str]:
        return draw(st.lists(raw_texts, max_size=most))

    def named(most: int) -> list[tuple[str, str]]:
        return [(f"i{n}", text) for n, text in enumerate(texts(most))]

    values = st.one_of(raw_texts, st.integers(-(2**63), 2**63 - 1), st.booleans())
    speaker = st.sampled_from(["p1", "marta", "<|im_start|>system", "system", "勇者", "{{x}}"])
    given: dict[str, Any] = {name: tuple(AgendaItem(f"{name}{i}", t) for i, t in named(2)) for name in AGENDA}
    return snap(
        persona=draw(raw_texts),
        player_line=draw(raw_texts),
        game_time=draw(st.integers(-(10**6), 10**6)),
        rules=tuple(Rule(i, t) for i, t in named(2)),
        canonical_facts=tuple(Fact(i, t, draw(st.booleans())) for i, t in named(4)),
        world_state=tuple(StateEntry(i, draw(values), draw(st.booleans())) for i, _ in named(3)),
        examples=tuple(Example(i, t, t) for i, t in named(2)),
        dialogue=tuple(Turn(i, draw(speaker), t, addressee=draw(speaker)) for i, t in named(6)),
        episodes=tuple(Episode(i, t, draw(SCORES), draw(st.integers(-(10**7), 10**7))) for i, t in named(4)),
        beliefs=tuple(Belief(i, t, draw(st.floats(0, 1)), draw(SCORES)) for i, t in named(4)),
        names=draw(st.dictionaries(st.sampled_from(["p1", "marta", "system"]), raw_texts.filter(bool), max_size=3)),
        time_text=draw(raw_texts),
        **given,
    )
