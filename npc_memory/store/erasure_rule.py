"""The shape of a rule: how a table forgets a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Erasure"]


@dataclass(frozen=True, slots=True)
class Erasure:
    """How a table forgets a person. What it says is all that ``erasure_plan`` knows of the table.

    ``subject``: rows go that hold one of the person's ids in one of ``columns``, or name the person anywhere in one of
    ``mentions``; so does what was derived from them.
    ``cascade``: a row goes with its record, by foreign key.
    ``redact``: a row whose payload has to do with the person stays, and its payload goes.
    ``rebuild``: a full-text index, built again from the rows that are left.
    ``drop``: all rows go, whoever is forgotten: they are worked out again.
    ``strike``: no records; a row stays, and is found by ``key`` and its owner.
    ``keep``: holds nothing about persons; ``why`` says so.

    Of the rows that stay, the person's ids go out of ``lists`` (JSON lists of ids), and what names the person out of
    ``sources`` (JSON lists of ids of records and of tags); ``ids`` that name the person become "", and the person's
    names and ids are struck out of ``texts`` and ``plain`` (JSON), also out of ``data`` (JSON that beliefs, relations
    and triples are made of), where whole entries go that say something of the person. A word of ours there is neither
    an id nor a name (``erasure_literals``).
    """

    rule: Literal["subject", "cascade", "redact", "rebuild", "drop", "strike", "keep"]
    why: str
    columns: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    key: str = "seq"
