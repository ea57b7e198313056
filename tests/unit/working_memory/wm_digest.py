"""Run as a script: prints one line that stands for every byte the builder makes of a few snapshots.

``test_wm_bytes`` runs it under several hash seeds, locales and time zones and compares the lines.
"""

from __future__ import annotations

import hashlib
import sys

from wm_kit import AgendaItem, Built, Episode, StateEntry, belief_list, build, episodes, full_snapshot, talk, utf8

LIMITS = (400, 700, 900, 1200, 2000, 10**6)


def offers() -> list[tuple[Built, str]]:
    """Builds under several limits, caps and counters."""
    snapshot = full_snapshot(
        dialogue=talk(9, 70),
        episodes=episodes((0.5, 0.5, 0.9, 0.1, 0.5, 0.3), 120),
        beliefs=belief_list((0.5, 0.5, 0.2), 90),
        notes=tuple(AgendaItem(i, f"Σημείωση {i}", score=0.5) for i in ("ß", "é", "I", "ı", "i", "Z", "ä", "z")),
        player_line="Ist der König wohlauf, der İstanbul'dan gelen? 国王は元気ですか。" * 5,
    )
    tied = full_snapshot(
        episodes=tuple(Episode(i, f"text {i}", score=0.5) for i in ("ß", "é", "I", "ı", "i", "Z", "ä", "z")),
        world_state=tuple(StateEntry(k, k) for k in ("ß", "é", "I", "ı", "i", "Z", "ä", "z")),
    )
    return [
        (build(s, limit, counter, exchanges=5, episodes=4, beliefs=3), f"{limit}")
        for s in (snapshot, tied)
        for limit in LIMITS
        for counter in (None, utf8)
    ]


def digest() -> str:
    """SHA-256 over texts, segments and reports."""
    hashed = hashlib.sha256()
    for built, name in offers():
        for piece in (name, built.text, repr([str(s) for s in built.segments]), repr(built.report)):
            hashed.update(piece.encode("utf-8") + b"\0")
    return hashed.hexdigest()


if __name__ == "__main__":
    sys.stdout.write(digest())
