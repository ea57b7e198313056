"""Which triples hold, by the words of ``TripleRecord``, over plain lists: what the store's walk is compared with."""

from __future__ import annotations

__all__ = ["held", "near"]


def held(triples, now, one=lambda id: id):
    """Those of the visible ``triples`` that hold at ``now``."""

    def about(triple):
        return one(triple.subject), triple.relation

    def same(x, y):
        lasted = y.valid_to is None or y.valid_to > y.valid_from
        return about(x) == about(y) and ((y.functional and lasted) or one(x.object) == one(y.object))

    def later(y, x):
        return same(x, y) and y.authority >= x.authority and (y.valid_from, y.seq) > (x.valid_from, x.seq)

    begun = [one for one in triples if one.valid_from <= now]
    current = [x for x in begun if not any(later(y, x) for y in begun)]
    lasting = [x for x in current if x.valid_to is None or x.valid_to > now]
    return [x for x in lasting if not any(same(x, y) and y.authority > x.authority for y in lasting)]


def near(triples, entries, hops, one=lambda id: id):
    """By id, at which hop each of ``triples`` is reached first, both ways."""
    found, front, seen = {}, {one(id) for id in entries}, {one(id) for id in entries}
    for hop in range(1, hops + 1):
        touched = [x for x in triples if {one(x.subject), one(x.object)} & front]
        for x in touched:
            found.setdefault(x.id, hop)
        front = {end for x in touched for end in (one(x.subject), one(x.object))} - seen
        seen |= front
    return found
