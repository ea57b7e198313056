"""What the hours bring: bells, gates, stalls, the curfew; and how a night is slept through."""

from __future__ import annotations

from roguelike.game.people import settle, tend_doors
from roguelike.game.sight import witnesses
from roguelike.game.world import World
from roguelike.happenings import Clock, Line
from roguelike.town.goods import restock
from roguelike.town.plan import area_at

__all__ = ["MARKET_OPENS", "MARKET_SHUTS", "curfew_seen", "skip_to", "strike_hour"]

DAWN, MARKET_OPENS, MARKET_SHUTS, DUSK = 300, 360, 1200, 1260
WATCH = ("guard-gate", "guard-wall", "captain-hale")
GRACE = 20
"""Minutes between a warning and a fine."""


def strike_hour(world: World) -> None:
    """What happens at this very minute of the day."""
    if world.of_day == DAWN:
        world.say("The temple bell rings dawn. The north gate opens.", "dim")
        world.set_state(north_gate="open")
    elif world.of_day == MARKET_OPENS:
        restock(world.state)
        world.set_state(market="open")
    elif world.of_day == MARKET_SHUTS:
        world.say("Shutters fall. The market is closed.", "dim")
        world.set_state(market="closed")
    elif world.of_day == DUSK:
        world.say("The temple bell rings dusk. From now on only the watch may walk the streets.", "quest")
        world.set_state(north_gate="closed")


def skip_to(world: World, of_day: int) -> None:
    """Let time pass until that minute of the day; what the hours between bring is brought, in order."""
    state = world.state
    until = state.minute + (of_day - world.of_day) % 1440
    while state.minute < until:
        state.minute += 1
        strike_hour(world)
    settle(world)
    tend_doors(world)
    world.emit(Clock(state.minute))


def curfew_seen(world: World) -> str | None:
    """The guard who has had enough of the hero's being abroad after dark: he was warned, and is still out. Warns him
    first.
    """
    hero, flags = world.state.hero, world.state.plot.flags
    if not world.curfew or not world.in_town or area_at(hero.x, hero.y) not in ("the market", "the river road"):
        return None
    guard = next((npc for npc in witnesses(world) if npc in WATCH), None)
    since = world.state.minute - flags.get("curfew-warned", -1440)
    if flags.get("curfew-pass", 0) > world.state.minute:
        return None
    if guard is None or since < GRACE:
        return None
    if since < 300:
        flags["curfew-warned"] = world.state.minute
        return guard
    flags["curfew-warned"] = world.state.minute
    world.emit(Line(guard, WARNING[guard], "wary"))
    world.say("You have been told to get off the street.", "danger")
    return None


WARNING = {
    "guard-gate": "Curfew! Please go in. If I have to run after you I'll faint. I've had one turnip today.",
    "guard-wall": "Article one. After dark only the watch walks. You are not the watch. Off the street.",
    "captain-hale": "Curfew. You have as long as my patience. Start walking.",
}
