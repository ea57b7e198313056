"""A line names somebody."""

from __future__ import annotations

import pytest

from npc_memory.recall import mentions


@pytest.mark.parametrize(
    ("line", "name", "named"),
    [
        ("Where is Egil?", "Egil", True),
        ("Egil's axe, where is it?", "Egil", True),
        ("Where is Captain Vey?", "Captain Vey", True),
        ("What did Vey say?", "Captain Vey", True),
        ("Is the captain here?", "Captain Vey", False),
        ("The king is dead.", "The King", True),
        ("Where is the smith?", "Egil", False),
        ("Где Ольга?", "Ольга", True),
        ("Ты видела Ольгу?", "Ольга", True),
        ("勇者はどこですか", "勇者", True),
        ("Hello.", "", False),
        ("", "Egil", False),
        ("Hello.", "!?", False),
        ("Who are you?", "You", False),
    ],
)
def test_who_is_named(line: str, name: str, named: bool) -> None:
    assert mentions(line, name) is named
