"""Snapshots and items as plain data, for audit records and replay. Canonical: equal values give equal bytes."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from npc_memory.errors import InvalidInput
from npc_memory.memory.snapshot import SECTIONS, Snapshot

__all__ = ["canonical_json", "fields_of", "snapshot_from_data", "snapshot_to_data"]


def canonical_json(data: object) -> str:
    """``data`` as JSON with sorted keys, no spaces and no NaN; the same data gives the same text everywhere."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def fields_of(item: object) -> dict[str, Any]:
    """The fields of a dataclass by name. Their values are not copied, so this is for what is only written out:
    ``dataclasses.asdict``, which copies, took a quarter of a whole turn.
    """
    return {field.name: getattr(item, field.name) for field in fields(item)}  # type: ignore[arg-type]


def snapshot_to_data(snapshot: Snapshot) -> dict[str, Any]:
    """``snapshot`` as plain data."""
    data = fields_of(snapshot)
    for name in SECTIONS:
        data[name] = [_item_to_data(item) for item in data[name]]
    data["names"] = [list(pair) for pair in snapshot.names]
    return data


def snapshot_from_data(data: dict[str, Any]) -> Snapshot:
    """The snapshot that ``snapshot_to_data`` took apart. Raises ``InvalidInput`` when the data is not one."""
    try:
        values: dict[str, Any] = {
            name: tuple(SECTIONS[name](**item) for item in value) if name in SECTIONS else value
            for name, value in data.items()
        }
        values["names"] = tuple((key, name) for key, name in data.get("names", ()))
        return Snapshot(**values)
    except (TypeError, AttributeError, ValueError) as error:
        raise InvalidInput(f"this is not a recorded snapshot: {error}", hint="the audit record is damaged") from error


def _item_to_data(item: object) -> dict[str, Any]:
    data = fields_of(item)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}
