"""Random walks over a reply grammar: texts the grammar allows, drawn by hypothesis."""

from __future__ import annotations

from functools import lru_cache

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from npc_memory.reply import ActionSpec, ReplySpec
from npc_memory.reply.gbnf import Alt, Chars, Lit, Node, Opt, Rep, Seq
from npc_memory.reply.grammar import reply_node

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For property tests: how fast a shared machine is says nothing about the code."""

LIKELY = list("aeAZ09 .,!?…。！「」'’\"-:;()*éЖ勇者は😀\u200d\ufe0f\u00a0\u3000\u0301٠؟")


@lru_cache(maxsize=64)
def _char(node: Chars) -> st.SearchStrategy[str]:
    likely = st.sampled_from([c for c in LIKELY if node.allows(c)])
    never = "".join(chr(point) for low, high in node.excluded for point in range(low, high + 1))
    return likely | likely | st.characters(exclude_categories=("Cs",), exclude_characters=never)


def texts(node: Node) -> st.SearchStrategy[str]:
    """Texts that ``node`` derives."""
    match node:
        case Lit(text):
            return st.just(text)
        case Chars():
            return _char(node)
        case Seq(parts):
            return st.tuples(*map(texts, parts)).map("".join)
        case Alt(choices):
            return st.one_of(*map(texts, choices))
        case Opt(part):
            return st.just("") | texts(part)
        case Rep(Chars() as part, low, high):
            return st.text(_char(part), min_size=low, max_size=high)


NAMES = st.sampled_from(["calm", "怒り", "très-gai", "o'k", "a.b", "give_room", "give", "give room", "copy", "id"])


@st.composite
def specs(draw: st.DrawFn) -> ReplySpec:
    """Any spec: with and without moods and actions, both shapes."""
    args = st.lists(NAMES, max_size=3, unique=True).map(tuple)
    ids = draw(st.lists(NAMES, max_size=3, unique=True))
    return ReplySpec(
        moods=tuple(draw(st.lists(NAMES, max_size=4, unique=True))),
        actions=tuple(ActionSpec(id, draw(args)) for id in ids),
        max_chars=draw(st.integers(16, 40)),
        shape=draw(st.sampled_from(["line", "json"])),
    )


@st.composite
def replies(draw: st.DrawFn) -> tuple[ReplySpec, str]:
    """A spec and a text its grammar allows."""
    spec = draw(specs())
    return spec, draw(texts(reply_node(spec)))


def chunks(draw: st.DrawFn, text: str) -> list[str]:
    """``text`` cut anywhere."""
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
