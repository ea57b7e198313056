"""docs/wire.md, made from the models of the frames: ``python -m tools.wire_page`` writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bridge import messages
from bridge.codec import MAX_DEPTH
from bridge.dispatch import SERVED
from bridge.messages import MAX_TEXT_BYTES, Frame
from bridge.protocol import TRUSTED
from bridge.server import DEFAULT_PORT, MAX_FRAME
from npc_memory.errors import all_codes
from npc_memory.memory.text import MAX_ID_CHARS

__all__ = ["ANSWERS", "PAGE", "page"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "wire.md"

ANSWERS = {
    "hello": "`welcome`",
    "talk": "`token` for each sentence, then `reply`; or `cancelled`",
    "converse": "`reply` for each line, then `ok`; or `cancelled`",
    "think": "`reply` of kind `think`",
    "cancel": "`cancelled`",
    "warm": "`ok`",
    "observe": "`ok` with `event`",
    "result": "`ok`",
    "set_state": "`ok`",
    "actor": "`ok`",
    "clock": "`ok`",
    "end": "`ok`",
    "retry": "`reply`",
    "edit": "`ok`",
    "delete": "`ok`",
    "save": "`ok` with `slot`, `save_id`, `game_time`",
    "load": "`ok` with `slot`, `save_id`, `game_time`",
    "recall": "`memories`",
    "explain": "`working_memory`",
    "forget": "`forgotten`",
    "ping": "`pong`",
}
"""What answers each frame of a client, besides ``error``."""

AT_ONCE = {"hello", "talk", "retry", "converse", "warm", "cancel", "ping"}
"""Frames the bridge serves itself; the others go through ``bridge.dispatch``."""

HEAD = f"""\
# The wire

<!-- Made by `python -m tools.wire_page` from bridge/messages; edit those, not this page. -->

What travels between a game engine and the bridge. How the bridge behaves (order, streaming, failures) is in
[bridge.md](bridge.md); `clients/fixtures` has every frame as bytes to test a client with.

## Messages

A websocket, `ws://127.0.0.1:{DEFAULT_PORT}` unless told otherwise. Each message is one map, in the format of the
subprotocol the client asks for:

| subprotocol | message |
|---|---|
| `npc-memory.v1.msgpack` (the default) | binary: one msgpack map |
| `npc-memory.v1.json` | text: the same map as a JSON object |

A client's frame has `type` and an integer `id` of its choice. An answer has `type` and, as `re`, that id; a push has
no `re`. `hello` comes first (`ping` may come before it); then anything, without waiting for answers. A field that is
optional may be left out or null, and an optional id may be empty, which is the same.

Fields are added in time, never renamed or used for something else: ignore what you do not know. `protocol` changes
only when something would break.

## Limits

| what | limit | else |
|---|---|---|
| an id, a key, a slot, a kind | 1 to {MAX_ID_CHARS} characters of any script, no control characters | `invalid_input` |
| a text | {MAX_TEXT_BYTES:,} bytes of UTF-8 | `too_long` |
| a frame | {MAX_FRAME:,} bytes | the connection closes with 1009 |
| maps and lists in each other | {MAX_DEPTH} levels, the frame is the first | `bad_frame` |
| an integer | 64 bits with sign | `bad_frame` |
| a number with a fraction | finite; NaN and infinities do not travel | `bad_frame` |
| a text's characters | valid Unicode, no lone surrogates | `bad_frame` |
| a map's keys | text, each once | `bad_frame` |
| msgpack | no extension types, no bytes | `bad_frame` |

1.0 and 1 are different things: an integer field takes no float, not even a whole one. Write floats with 64 bits. An
engine whose JSON knows only doubles cannot carry integers beyond 2^53; use msgpack there.

A bad frame is answered with `error`, nothing of it takes effect, and the connection goes on. Where a launch token is
set (`npc-memory serve --token`), some frames need it; on an address that other machines reach, `hello` does.
"""

FAMILIES = {"bridge_error", "engine_error", "model_error", "store_error", "world_error"}
"""Codes of errors that are only raised as one of their kinds."""

WORDS = {"string": "text", "integer": "integer", "number": "number", "boolean": "boolean", "null": "null"}


def page() -> str:
    """The whole page."""
    parts = [HEAD, "## What a client sends\n"]
    parts += [_frame(model, f"Answered with {ANSWERS[_type(model)]}.") for model in _members(messages.ClientFrame)]
    parts.append("## What the bridge sends\n")
    parts += [_frame(model, "") for model in _members(messages.ServerFrame)]
    parts.append(_codes())
    return "\n".join(parts)


def _members(union: Any) -> tuple[type[Frame], ...]:
    members: tuple[type[Frame], ...] = union.__args__[0].__args__
    return members


def _type(model: type[Frame]) -> str:
    return str(model.model_fields["type"].default)


def _frame(model: type[Frame], answered: str) -> str:
    kind = _type(model)
    said = " ".join((model.__doc__ or "").split()).replace("``", "`")
    notes = [said, answered]
    if answered and model not in SERVED and kind not in AT_ONCE:
        notes.append("Not served yet: answers `error` `not_available`.")
    if kind in TRUSTED:
        notes.append("Needs the launch token where one is set.")
    schema = model.model_json_schema()
    skipped = {"type", "id"} if answered else {"type", "re"} if "re" in schema.get("required", ()) else {"type"}
    rows = [
        f"| `{name}` | {_words(field, schema)}{_need(name, field, schema)} |"
        for name, field in schema["properties"].items()
        if name not in skipped
    ]
    table = ["| field | what |", "|---|---|", *rows, ""] if rows else []
    return "\n".join([f"### {kind}\n", " ".join(note for note in notes if note) + "\n", *table])


def _need(name: str, field: dict[str, Any], schema: dict[str, Any]) -> str:
    if name in schema.get("required", ()):
        return ""
    default = field.get("default")
    return " (optional)" if default is None else f" (optional, else {str(default).lower()})"


def _words(field: dict[str, Any], schema: dict[str, Any]) -> str:
    """A field's JSON schema in a few words."""
    if "$ref" in field:
        inner = schema["$defs"][field["$ref"].rsplit("/", 1)[1]]
        parts = [f"`{name}` {_words(one, schema)}" for name, one in inner["properties"].items()]
        return f"map of {', '.join(parts)}"
    if "anyOf" in field:
        return _either([_words(one, schema) for one in field["anyOf"] if one.get("type") != "null" or _is_value(field)])
    kind = field.get("type")
    if kind == "array":
        return f"list of {_words(field['items'], schema)}{_bounds(field, 'minItems', 'maxItems')}"
    if kind == "object":
        values = field.get("additionalProperties")
        within = f" of {_words(values, schema)}" if isinstance(values, dict) else ""
        return f"map{within}{_bounds(field, 'minProperties', 'maxProperties')}"
    if "description" in field:
        return str(field["description"])
    return WORDS[str(kind)] + _bounds({k: v for k, v in field.items() if v != -(2**63)}, "minimum", "maximum")


def _is_value(field: dict[str, Any]) -> bool:
    """Whether null is a value of its own here, not just a way to leave the field out."""
    return "default" not in field and "title" not in field


def _either(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _bounds(field: dict[str, Any], least: str, most: str) -> str:
    low, high = field.get(least), field.get(most)
    if low is None and high is None:
        return ""
    if low == high:
        return f", {low}"
    if high is None and low is not None:
        return f", at least {low}"
    return f", {low} to {high}"


def _codes() -> str:
    rows = [
        f"| [`{code}`](errors/{code}.md) | {_sentence(error)} |"
        for code, error in all_codes().items()
        if error.__module__.startswith("npc_memory.errors.") and code not in FAMILIES
    ]
    said = "All there are; a game will meet few of them. Codes are added in time, and never change their meaning.\n"
    return "\n".join(["## Codes of `error`\n", said, "| code | what it says |", "|---|---|", *rows, ""])


def _sentence(error: type[Exception]) -> str:
    return " ".join((error.__doc__ or "").split("\n\n")[0].split()).replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
