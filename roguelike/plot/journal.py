"""What the hero knows, from whom, and what he could do next: nobody has to be stuck."""

from __future__ import annotations

from collections.abc import Callable

from roguelike.game.world import World
from roguelike.plot.case import case
from roguelike.plot.clues import CLUES
from roguelike.plot.trust import trust
from roguelike.town.schedule import FOLK
from roguelike.view import Journal, JournalEntry

__all__ = ["journal"]

LEADS_SHOWN = 5
FIRST_DAY = 122
"""The day of the pack's start_time."""


def journal(world: World) -> Journal:
    """The hero's own notes."""
    known = world.state.plot.clues.get(world.state.hero.id, {})
    entries = tuple(
        JournalEntry(CLUES[clue].text, _source(source), f"day {minute // 1440 - FIRST_DAY + 1}")
        for clue, (source, minute) in sorted(known.items(), key=lambda item: (item[1][1], item[0]))
        if clue in CLUES
    )
    promises = tuple(world.state.plot.promises.get(world.state.hero.id, ()))
    return Journal(entries, promises, tuple(text for text, due in LEADS if due(world))[:LEADS_SHOWN])


def _source(source: str) -> str:
    return FOLK[source].name if source in FOLK else "found"


def _has(world: World, kind: str) -> bool:
    return world.holds(kind) is not None or bool(world.flag(f"given:{kind}:captain-hale"))


LEADS: tuple[tuple[str, Callable[[World], bool]], ...] = (
    ("The case stands. Go to Captain Hale in the watch house, and say the name twice.", lambda w: case(w).holds),
    ("What, who and why are there. Give Hale a reason to risk her neck, or show how they came and went that night.",
     lambda w: not case(w).missing and not case(w).holds),
    ("Marta at the Gilded Stag, in the north-west of the town, knows everybody. Ask what she needs.",
     lambda w: not w.flag("rats-promised")),
    ("There are rats in Marta's cellar, behind the kitchen. Then tell her.",
     lambda w: bool(w.flag("rats-promised")) and not w.flag("rats-done")),
    ("Marta trusts you now. Ask her about a letter, and about the cupbearer; feed Nim, and she will trust you more.",
     lambda w: trust(w, "marta") >= 3 and not (w.knows("letter-hidden") or w.flag("letter-found"))),
    ("The third cask in the cellar: walk into it.", lambda w: w.knows("letter-hidden") and not w.flag("letter-found")),
    ("Nim, barefoot, in the market: feed her, and ask about a silver ring.",
     lambda w: w.flag("letter-found") > 0 and not _has(w, "hollow-ring") and not w.knows("osric-ring")),
    ("Mother Maelis keeps the crypt. Ask her what you could do for her, by day.", lambda w: not w.flag("crypt-open")),
    ("The candlestick lies on the first level of the crypt. Bring light, and something for wounds.",
     lambda w: bool(w.flag("crypt-open")) and not w.flag("candle-done")),
    ("Ask Mother Maelis about the king's body.", lambda w: trust(w, "maelis") >= 3 and not w.knows("blue-nails")),
    ("Blue nails: ask Wren about poison.", lambda w: w.knows("blue-nails") and not w.knows("greycap-sold")),
    ("Smugglers have a den on the second level of the crypt, and they keep books.",
     lambda w: bool(w.flag("candle-done")) and not w.knows("has-ledger-page")),
    ("Show the ledger page to Captain Hale when she is alone.",
     lambda w: _has(w, "ledger-page") and not w.flag("hale-turned")),
    ("The kings lie three stairs down, each with his cup. Something guards them.",
     lambda w: bool(w.flag("candle-done")) and not w.knows("has-kings-cup")),
    ("Show the cup and the letter to Captain Hale: the council could no longer lie.",
     lambda w: _has(w, "kings-cup") and _has(w, "kings-letter") and w.state.plot.chapter == 1),
    ("Tamsin, at the pots in Marta's kitchen, carried the cup. Ask her about it.",
     lambda w: bool(w.flag("vouched")) and not w.knows("osric-ring")),
    ("The guard of the north gate is always hungry, and saw something.",
     lambda w: not w.knows("osric-left-by-postern")),
    ("Jory saw the bridge burn. His pipe is empty.", lambda w: not w.knows("jory-saw-fire")),
    ("Buy something from Edda, and ask about lamp oil.",
     lambda w: w.knows("jory-saw-fire") and not w.knows("oil-sold")),
    ("Pell will break if asked about the bridge, when Osric cannot see him.",
     lambda w: w.knows("jory-saw-fire") and w.knows("oil-sold") and not w.flag("pell-broken")),
    ("The guard of the market knows how a murder is tried.", lambda w: not w.knows("trial-rules")),
)  # fmt: skip
"""What to do next and when it is worth saying, most pressing first."""
