"""For whom the engine reads ahead."""

from __future__ import annotations

from dataclasses import replace

import pytest
from link_kit import linked

from bridge.testing import scripted_bridge
from roguelike.ahead import Ahead
from roguelike.commands import Move
from roguelike.game import Game


async def test_it_reads_for_who_is_near_and_after_a_night_for_who_will_be_met(monkeypatch: pytest.MonkeyPatch) -> None:
    hints: list[tuple[str, str]] = []
    async with scripted_bridge() as bridge, linked(bridge.url) as link:
        monkeypatch.setattr(link, "warm", lambda npc, player: hints.append((npc, player)))
        ahead, game = Ahead(link), Game.new(3)
        ahead.looked(game.view())
        ahead.looked(game.view())
        assert hints == [("jory", "hero-1")], "once is enough"
        ahead.met("jory", game.view())
        assert len(hints) == 2
        for _ in range(4):
            game.act(Move(-1, 0))
            ahead.looked(game.view())
        assert len(hints) == 2, "not for everybody in view"
        view = game.view()
        ahead.looked(replace(view, game_time=view.game_time + 600, figures=()))
        assert hints[2:] == [("jory", "hero-1")], "nobody is in view: for who was talked to last"
        night = replace(view, game_time=view.game_time + 1200)
        ahead.looked(night)
        assert hints[3:] == [("jory", "hero-1")], "the nearest in view"
        ahead.looked(night)
        assert len(hints) == 4
