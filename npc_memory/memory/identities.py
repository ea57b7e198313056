"""Who is who: several ids of one being, and an id that another being has now.

A fold over what the game said, in order: "this id is an alias of that one", "this id is reborn". Nothing is rewritten,
so an alias made after a save is unknown when that save is loaded. Aliases are flat: each stands for an id that is none.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from npc_memory.errors import AliasRefused

__all__ = ["Being", "Identities"]

FOREVER = 2**63 - 1

Key = tuple[str, int]
"""A being: an id, and the number of the record with which it was born under it (0: the first to have that id)."""


class Being(NamedTuple):
    """One who has or had ``id``: records that name this id are about it after number ``since`` up to ``until``."""

    id: str
    since: int = 0
    until: int = FOREVER

    def knows(self, seq: int) -> bool:
        """Whether record ``seq``, if it names the id, is about this one."""
        return self.since < seq <= self.until


class Identities:
    """``ties``: (number of the record, actor, the id it is an alias of), in order; "" for one that is reborn."""

    def __init__(self, ties: Iterable[tuple[int, str, str]] = ()) -> None:
        self._births: dict[str, list[int]] = {}
        self._root: dict[Key, Key] = {}
        self._aliases: dict[Key, list[Key]] = {}
        for seq, actor, alias_of in ties:
            if not alias_of:
                self._births.setdefault(actor, []).append(seq)
            else:
                self._tie(self.now(actor), self.now(alias_of))

    def _tie(self, key: Key, root: Key) -> None:
        # Aliases of ``key`` may be left although nobody has them any more, and so may its own id.
        for one in (key, *self._aliases.pop(key, ())):
            self._root[one] = root
            self._aliases.setdefault(root, []).append(one)

    def at(self, id: str, seq: int) -> Key:
        """Whom ``id`` means in record ``seq``; aliases are led back to the one they stand for."""
        births = self._births.get(id)
        key = (id, 0) if births is None else self._before(id, births, seq)
        return self._root.get(key, key)

    def plain(self, id: str) -> bool:
        """Whether ``id`` has always meant one being that has no other id."""
        return id not in self._births and (key := (id, 0)) not in self._root and key not in self._aliases

    def holder_at(self, id: str, seq: int) -> int:
        """The number of the record with which the one was born who had ``id`` in record ``seq``, 0 for the first."""
        return self._before(id, self._births.get(id, []), seq)[1]

    def still(self, id: str, seq: int) -> str:
        """``id``, if it means the same one now as in record ``seq``; else another id of that one, "" when others have
        all of them: who writes a record anew must not write it of somebody else.
        """
        key = self.at(id, seq)
        return id if key == self.now(id) else next(iter(self.known_as(key)), "")

    def now(self, id: str) -> Key:
        """Whom ``id`` means from now on."""
        holder = self._holder(id)
        return self._root.get(holder, holder)

    def same(self, id: str) -> tuple[Being, ...]:
        """All that ``id`` is and was known as: the one that aliases stand for first, then these, oldest first."""
        if self.plain(id):
            return (Being(id),)
        root = self.now(id)
        return tuple(Being(one, since, self._until(one, since)) for one, since in (root, *self._aliases.get(root, ())))

    def ids(self, id: str) -> tuple[str, ...]:
        """The ids that mean the same one now, in that order; the first is the one to write records under."""
        if self.plain(id):
            return (id,)
        return self.known_as(self.now(id))

    def tied(self) -> tuple[str, ...]:
        """The ids that several go back to, sorted."""
        return tuple(sorted({id for id, _ in self._aliases}))

    def births(self) -> tuple[tuple[str, int], ...]:
        """Every id that somebody took over, and the number of the record with which its last holder was born."""
        return tuple((id, births[-1]) for id, births in sorted(self._births.items()))

    def known_as(self, key: Key) -> tuple[str, ...]:
        """The ids that mean ``key`` now; none when others have all of them."""
        ids = (id for id, _ in (key, *self._aliases.get(key, ())))
        return tuple(dict.fromkeys(id for id in ids if self.now(id) == key))

    def ever_known_as(self, key: Key) -> tuple[str, ...]:
        """The ids that mean or have meant ``key``, sorted; others may have some of them now."""
        return tuple(sorted({id for id, _ in (key, *self._aliases.get(key, ()))}))

    def new_alias(self, actor: str, alias_of: str) -> bool:
        """Whether ``actor`` may become an alias of ``alias_of``; False when it is one already.

        Raises ``AliasRefused`` for an alias of itself, of an alias (a chain or a circle), or of a second id.
        """
        if actor == alias_of:
            raise AliasRefused(actor, alias_of, "it is the same id", "send alias_of only with another id")
        first, same = self.ids(alias_of)[0], self.ids(actor)
        if actor in self.ids(alias_of) and first == alias_of:
            return False
        if same[0] != actor:
            raise AliasRefused(actor, alias_of, f"it is an alias of {same[0]!r} already", "an id stands for one being")
        if alias_of in same:
            raise AliasRefused(actor, alias_of, f"{alias_of!r} is an alias of it", "both are the same one already")
        if first != alias_of:
            raise AliasRefused(actor, alias_of, f"that is an alias of {first!r}", f"send alias_of {first!r}")
        if len(same) > 1:
            raise AliasRefused(
                actor, alias_of, f"{same[1]!r} is an alias of it", f"send {alias_of!r} with alias_of {actor!r} instead"
            )
        return True

    def _holder(self, id: str) -> Key:
        births = self._births.get(id)
        return (id, births[-1]) if births else (id, 0)

    def _before(self, id: str, births: list[int], seq: int) -> Key:
        earlier = bisect_left(births, seq)
        return id, births[earlier - 1] if earlier else 0

    def _until(self, id: str, since: int) -> int:
        return next((birth for birth in self._births.get(id, ()) if birth > since), FOREVER)
