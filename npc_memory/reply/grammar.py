"""Reply schema → grammar, so that whatever the model samples parses, and ends.

Two shapes are derived from the same pydantic model. After the cue (what is forced behind "Name:") the model writes:

    line   Aye, one bed left, by the hearth.⏎(glad) [give_room: the attic]⏎
    json   Aye, one bed left.", "mood": "glad", "action": {"id": "give_room", "args": {"place": "the attic"}}}

Every text is bounded in characters, so every output is finite: ``token_bound`` is the proof, ``max_tokens`` the number
to ask for (a reply that runs into it is cut back to its complete sentences by ``check``).
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from npc_memory.reply.gbnf import Alt, Chars, Lit, Node, Opt, Rep, Seq, gbnf
from npc_memory.reply.schema import MAX_ARG_CHARS, ActionSpec, ReplySpec, reply_model

__all__ = ["cue", "grammar_for", "max_tokens", "reply_node", "token_bound"]

# Never in a text: controls and line breaks, what control tokens and thinking tags are made of (<|im_end|>, </s>,
# [INST], {{ }}), bidirectional controls, the replacement character. So ``clean_text`` changes nothing in such a text.
_NEVER = [(0, 0x1F), (0x7F, 0x9F), (0x2028, 0x202E), (0x2066, 0x2069), (0xFEFF, 0xFEFF), (0xFFFD, 0xFFFF)]
_NEVER += [(ord(c), ord(c)) for c in "<>|{}[]\\`"]

_SPACES = " \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"


def _chars(more: str = "") -> Chars:
    return Chars(tuple(sorted(_NEVER + [(ord(c), ord(c)) for c in more])))


def _text(low: int, high: int, more: str = "") -> Node:
    """``low`` to ``high`` characters; the first is not white space, so what is left after trimming is never empty."""
    if low == 0:
        return Rep(_chars(more), 0, high)
    return Seq((_chars(more + _SPACES), Rep(_chars(more), low - 1, high - 1)))


def _json_node(schema: dict[str, Any], defs: dict[str, Any]) -> Node:
    if "$ref" in schema:
        return _json_node(defs[schema["$ref"].rsplit("/", 1)[-1]], defs)
    if "anyOf" in schema:
        return Alt(tuple(_json_node(s, defs) for s in schema["anyOf"]))
    if "const" in schema or "enum" in schema:
        return Alt(tuple(Lit(_quoted(v)) for v in schema.get("enum", [schema.get("const")])))
    if schema["type"] == "null":
        return Lit("null")
    if schema["type"] == "string":
        return Seq((Lit('"'), _text(schema.get("minLength", 0), schema["maxLength"], '"'), Lit('"')))
    parts: list[Node] = []
    for name, value in schema.get("properties", {}).items():
        parts += [Lit(("{" if not parts else ", ") + _quoted(name) + ": "), _json_node(value, defs)]
    return Seq((*parts, Lit("}" if parts else "{}")))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _json(spec: ReplySpec, said: int) -> Node:
    schema = _schema(spec)
    whole = _json_node(schema, schema.get("$defs", {}))
    assert isinstance(whole, Seq)
    # The cue has already opened the object and the string of ``say``.
    return Seq((_say(spec, said, '"'), Lit('"'), *whole.parts[2:]))


def _line(spec: ReplySpec, said: int) -> Node:
    schema = _schema(spec)
    parts: list[Node] = [] if said else [Opt(Lit(" "))]
    parts += [_say(spec, said), Lit("\n")]
    if spec.moods:
        mood = schema["properties"]["mood"]
        parts += [Lit("("), Alt(tuple(Lit(m) for m in mood.get("enum", [mood.get("const")]))), Lit(")")]
    if spec.actions:
        gap = " " if spec.moods else ""
        offered = Alt(tuple(_line_action(a) for a in spec.actions))
        parts.append(Opt(Seq((Lit(gap + "["), offered, Lit("]")))))
    return Seq((*parts, Lit("\n"))) if spec.moods or spec.actions else Seq(tuple(parts))


def _line_action(action: ActionSpec) -> Node:
    parts: list[Node] = [Lit(action.id)]
    for n in range(len(action.args)):
        parts += [Lit(": " if n == 0 else "; "), _text(1, MAX_ARG_CHARS, ";")]
    return Seq(tuple(parts))


def _say(spec: ReplySpec, said: int, more: str = "") -> Node:
    left = spec.max_chars - said
    return _text(0, max(left, 1), more) if said else _text(1, spec.max_chars, more)


def reply_node(spec: ReplySpec, released: str = "") -> Node:
    """The grammar as a tree. ``released``: what has been streamed already and stands behind the cue."""
    return (_line if spec.shape == "line" else _json)(spec, len(released))


@lru_cache(maxsize=256)
def _schema(spec: ReplySpec) -> dict[str, Any]:
    return reply_model(spec).model_json_schema()


@lru_cache(maxsize=256)
def _grammar(spec: ReplySpec, said: int) -> str:
    return gbnf((_line if spec.shape == "line" else _json)(spec, said))


def grammar_for(spec: ReplySpec, released: str = "") -> str:
    """The grammar in GBNF, start rule ``root``; cached. ``released``: see ``reply_node``."""
    return _grammar(spec, len(released))


def cue(spec: ReplySpec, released: str = "") -> str:
    """What is forced behind "Name:" before the model writes; ends with ``released`` when a reply is continued."""
    if spec.shape == "json":
        return ' {"say": ' + (_quoted(released)[:-1] if released else '"')
    return f" {released}" if released else ""


def _longest(node: Node) -> int:
    """The most bytes of UTF-8 a text of this node can have."""
    match node:
        case Lit(text):
            return len(text.encode())
        case Chars():
            return 4
        case Seq(parts):
            return sum(_longest(p) for p in parts)
        case Alt(choices):
            return max(_longest(c) for c in choices)
        case Opt(part):
            return _longest(part)
        case Rep(part, _, high):
            return high * _longest(part)


def token_bound(spec: ReplySpec) -> int:
    """Tokens after which every reply has ended, whatever the tokenizer: each adds a byte or more; one for the end."""
    return _longest(reply_node(spec)) + 1


@lru_cache(maxsize=256)
def max_tokens(spec: ReplySpec) -> int:
    """Tokens to ask for: two characters each for ``say``, and what mood and the longest action take in bytes / 2.

    Measured: 4.4 characters a token in English, 1.7 in Russian, about 1 in Japanese and Thai, so a Japanese line may be
    cut back to its complete sentences at half of ``max_chars``.
    """
    tail = _longest(reply_node(spec)) - 4 * spec.max_chars
    actions = tail if not spec.actions else min(tail, 48)
    return spec.max_chars // 2 + max(8, actions // 2)
