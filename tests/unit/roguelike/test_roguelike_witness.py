"""A theft before a witness is remembered by the witness; a theft that nobody saw, by nobody."""

from __future__ import annotations

from pathlib import Path

from session_kit import go_to
from stage_kit import Stage, staged

from roguelike.commands import Wait
from roguelike.game.sight import witnesses
from roguelike.goods import KINDS
from roguelike.screen.keys import DIRECTIONS
from roguelike.state import Item

STEPS = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
KEYS = {step: key for key, step in DIRECTIONS.items() if len(key) == 1 and key.isalpha()} | {(0, 0): "full_stop"}


async def test_who_saw_the_theft_remembers_it_and_nobody_else(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.begin()
        everybody = [one.id for one in stage.session.link.welcome.npcs]  # type: ignore[union-attr]
        seen, what = await _steal(stage, witnessed=True)
        assert seen
        for npc in everybody:
            knows = f"Stranger stole {what}" in await stage.mind(npc, f"Did I steal {what}?")
            assert knows == (npc in seen), npc
        assert len(seen) < len(everybody)
        assert "saw that" in stage.play.log_view.text
        seen, what = await _steal(stage, witnessed=False)
        assert not seen
        for npc in everybody:
            assert f"stole {what}" not in await stage.mind(npc, f"Did I steal {what}?"), npc
        assert "Nobody saw" in stage.play.log_view.text


async def _steal(stage: Stage, *, witnessed: bool) -> tuple[list[str], str]:
    """Walk to something that lies where somebody sees it (or nobody does), and take it with a player's keys."""
    world = stage.session.game._world
    for _ in range(60):
        for item, (x, y) in _within_reach(stage, witnessed):
            if go_to(stage.session, x, y) and item in world.level.items and bool(seen := witnesses(world)) == witnessed:
                stage.play.refresh_all()
                await stage.press("p", KEYS[item.x - x, item.y - y])
                assert world.carried(item.id), stage.play.log_view.text
                return seen, KINDS[item.kind].name
        for _ in range(20):
            stage.session.act(Wait())
    raise AssertionError("there was nothing to steal")


def _within_reach(stage: Stage, witnessed: bool) -> list[tuple[Item, tuple[int, int]]]:
    world = stage.session.game._world
    walk = world.ground().walk
    return [
        (item, (item.x + dx, item.y + dy))
        for item in world.level.items
        if item.owner
        and item.kind not in {one.kind for one in world.state.hero.pack}
        and world.person_at(item.x, item.y) is None
        for dx, dy in STEPS
        if walk[item.y + dy, item.x + dx]
        and world.person_at(item.x + dx, item.y + dy) is None
        and bool(witnesses(world, item.x + dx, item.y + dy)) == witnessed
    ]
