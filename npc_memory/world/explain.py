"""Schema errors in a writer's words: the line they stand on, what is wrong, and the cure."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from npc_memory.errors import Problem
from npc_memory.world.source import Document, Loc

__all__ = ["explained"]

_WANTED = {
    "string_type": ("a text", 'put it in quotes: "…"'),
    "int_type": ("a whole number", "write digits without quotes"),
    "bool_type": ("true or false", "write true or false without quotes"),
    "list_type": ("a list", "write each item on a line of its own after '- ', or [a, b]"),
    "dict_type": ("a mapping", "write `key: value` lines"),
    "model_type": ("a mapping", "write `key: value` lines"),
}


def explained(error: ValidationError, document: Document, model: type[BaseModel]) -> Iterator[Problem]:
    """One problem for each schema error; ``model`` is the file's model, or that of one item of its list."""
    for detail in error.errors(include_url=False):
        loc = _place(detail["loc"], document)
        message, cure = _words(detail, loc, model)
        yield document.problem(loc, message, cure)


def _place(loc: Loc, document: Document) -> Loc:
    """``loc`` without what is not in the file: names of alternatives, and a last part that is missing there."""
    found: Loc = ()
    for part in loc:
        if (*found, part) in document.lines:
            found = (*found, part)
    return found


def _words(detail: ErrorDetails, loc: Loc, model: type[BaseModel]) -> tuple[str, str]:
    kind, name = detail["type"], _name(loc)
    last = str(detail["loc"][-1]) if detail["loc"] else ""
    if kind == "pack":
        context = detail.get("ctx", {})
        return f"{name}{context['message']}", str(context["cure"])
    if kind == "missing":
        return f"{name}`{last}` is missing", f"add a line `{last}: …`"
    if kind == "extra_forbidden":
        split = detail["input"] is None and " " in last  # `{text: one, two}` reads as two keys
        cure = "put a text with a comma in quotes inside {…}" if split else _nearest(last, _fields(model, loc[:-1]))
        return f"{_name(loc[:-1])}the key `{last}` is not known here", cure
    if kind in _WANTED:
        wanted, cure = _WANTED[kind]
        if detail["input"] is None:
            return f"{name}has no value, {wanted} is wanted", "give it a value, or remove the line"
        return f"{name}must be {wanted}, not {_shown(detail['input'])}", cure
    if kind == "too_short":
        wanted = str(detail.get("ctx", {}).get("min_length", 1))
        return f"{name}needs at least {wanted} of them", "add more lines"
    return f"{name}{detail['msg'][:1].lower()}{detail['msg'][1:]}", "docs/worlds.md shows what can stand here"


def _name(loc: Loc) -> str:
    parts = [f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in loc]
    return f"{''.join(parts).lstrip('.')}: " if parts else ""


def _shown(value: Any) -> str:
    kinds = {bool: "true or false", int: "a number", str: "a text", list: "a list", dict: "a mapping"}
    return kinds.get(type(value), "that")


def _nearest(key: str, known: list[str]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    if close:
        return f"did you mean `{close[0]}`?"
    return f"remove it; known here: {', '.join(known)}" if known else "remove it"


def _fields(model: type[BaseModel], loc: Loc) -> list[str]:
    """The fields that the model at ``loc`` has; empty when there is no model there."""
    here: type[BaseModel] | None = model
    for part in loc:
        if isinstance(part, int) or here is None:
            continue
        info = here.model_fields.get(part)
        here = next(_models(info.annotation), None) if info else None
    return sorted(here.model_fields) if here else []


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)
