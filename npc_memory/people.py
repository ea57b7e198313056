"""Who is who and who is where: ids led back to the one they mean, names, places, and who can hear what is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from npc_memory.errors import AliasRefused, InvalidInput
from npc_memory.memory import check_id
from npc_memory.store import View
from npc_memory.world import Npc, World

__all__ = ["Cast", "earlier", "factions_of", "ids", "names", "overhearers", "place_of", "refuse_two_npcs"]


class Cast:
    """The ids of a world as they are meant now. An NPC's is that of the world pack, if one of hers is in it."""

    def __init__(self, world: World, store: View) -> None:
        self._npcs, self._identities = world.npcs, store.identities()

    def id_of(self, id: str) -> str:
        """The id to use for the one that ``id`` means now; ``id`` itself when it is no alias."""
        ids = self._identities.ids(id)
        return ids[0] if len(ids) == 1 else next((one for one in ids if one in self._npcs), ids[0])

    def known_as(self, id: str) -> tuple[str, ...]:
        """All ids that mean the same one as ``id`` now."""
        return self._identities.ids(id)

    def ids_of(self, ids: Iterable[str]) -> tuple[str, ...]:
        """The same of several, in order."""
        return tuple(self.id_of(one) for one in ids)

    def then(self, id: str, seq: int) -> str:
        """Whom ``id`` means in record ``seq``: an id to use now, or one with a mark for somebody who had it before."""
        if self._identities.plain(id):
            return id
        ids = self._identities.known_as(self._identities.at(id, seq))
        return self.id_of(ids[0]) if ids else earlier(id)

    def still(self, id: str, seq: int) -> str:
        """The id in use of the one that ``id`` meant in record ``seq``; "" when others have all ids of that one."""
        found = self._identities.still(id, seq) if id else ""
        return self.id_of(found) if found else ""

    def one(self, id: str, seq: int, other: str) -> bool:
        """Whether ``id`` in record ``seq`` means the one that ``other`` means now."""
        return self._identities.at(id, seq) == self._identities.now(other)


def earlier(id: str) -> str:
    """What stands for one who had ``id`` before somebody else was born under it."""
    return f"{id[:100]}, earlier"


def place_of(store: View, npc: Npc) -> str:
    """Where ``npc`` is: where the game last said, else where the pack put her."""
    actor = store.actor(npc.id)
    return actor.place if actor is not None and actor.place else npc.place


def factions_of(store: View, npc: Npc) -> tuple[str, ...]:
    """Whom ``npc`` belongs to: as the game last said, else as the pack says."""
    actor = store.actor(npc.id)
    return (actor.faction,) if actor is not None and actor.faction else npc.factions


def names(world: World, store: View) -> dict[str, str]:
    """Display names by id: the pack's, then what the game said. Of several ids of one only that in use has a name."""
    found = {**world.names, **{id: actor.name for id, actor in store.actors().items() if actor.name}}
    identities, cast = store.identities(), Cast(world, store)
    for tied in identities.tied():
        ids = identities.ids(tied)
        actor, called = store.actor(tied), [found.pop(id) for id in ids if id in found]
        if called or (actor is not None and actor.name):
            found[cast.id_of(tied)] = actor.name if actor is not None and actor.name else called[0]
    return found


def overhearers(
    world: World, store: View, npc: Npc, player: str, place: str | None, audience: Sequence[str] | None
) -> tuple[str, ...]:
    """The NPCs besides ``npc`` who hear her talk with ``player`` at ``place`` (None: where she is), sorted (P6).

    Those of ``audience``; none for an empty one, a whisper. When it is not given (None), those whom the game has said
    to be at ``place``: that the pack gives an NPC her home there makes her no listener.
    """
    cast = Cast(world, store)
    if audience is not None:
        there = set(cast.ids_of(audience))
    else:
        where = place if place is not None else place_of(store, npc)
        at = {cast.id_of(id) for id, actor in store.actors().items() if where and actor.place == where}
        there = {id for id in at if id in world.npcs and place_of(store, world.npcs[id]) == where}
    return tuple(sorted(id for id in there - {npc.id, cast.id_of(player)} if id in world.npcs))


def refuse_two_npcs(world: World, store: View, actor: str, alias_of: str) -> None:
    """Raise ``AliasRefused`` when two NPCs of the world pack would become one."""
    identities = store.identities()
    found = [one for id in (actor, alias_of) for one in identities.ids(id) if one in world.npcs]
    if len(set(found)) > 1:
        raise AliasRefused(actor, alias_of, "the world pack has both", "two NPCs of the pack stay two")


def ids(given: Sequence[str], what: str) -> tuple[str, ...]:
    """``given`` as a tuple of checked ids; a text is no list of them."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidInput(f"{what} must be a list of ids, not {given!r}", hint="pass a list of str")
    return tuple(check_id(one, what) for one in given)
