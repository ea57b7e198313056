"""Other words for the same thing: who says "the tavern" means the inn that the claims speak of."""

from __future__ import annotations

__all__ = ["SYNONYMS", "plain"]

_TABLE = {
    "bridge": "crossing span overpass",
    "ferry": "boat barge raft",
    "market": "bazaar marketplace stalls",
    "inn": "tavern alehouse hostel pub",
    "forge": "furnace coals",
    "crypt": "vault catacomb mausoleum",
    "gate": "portal gateway",
    "river": "stream",
    "thruster": "engine engines",
    "antenna": "aerial dish",
    "station": "ship hull",
    "cell": "dungeon gaol",
    "room": "bed chamber bedroom",
    "guard": "watchman watchmen soldier",
    "smith": "blacksmith",
    "north": "northern",
    "south": "southern",
    "east": "eastern",
    "west": "western",
    "town": "city village",
    "keep": "castle",
}

SYNONYMS = {word: known for known, words in _TABLE.items() for word in words.split()}
"""The word of the claims that each may stand for."""


def plain(word: str, known: frozenset[str]) -> str:
    """``word`` in the claims' own vocabulary: as it is if they use it, else as what it stands for, if they use that."""
    if word in known:
        return word
    stands_for = SYNONYMS.get(word, "")
    return stands_for if stands_for in known else word
