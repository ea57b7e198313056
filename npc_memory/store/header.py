"""The header of a record before it is numbered: whose memory it is, who spoke, who was there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from npc_memory.errors import InvalidInput
from npc_memory.memory import check_id
from npc_memory.store import checks

__all__ = ["Header", "scene"]


@dataclass(slots=True)
class Header:
    """What records of all kinds share, apart from rank, time and numbers."""

    kind: str
    npc: str = ""
    player: str = ""
    session: int = 0
    speaker: str = ""
    addressee: str = ""
    place: str = ""
    audience: tuple[str, ...] = ()
    overheard: tuple[str, ...] = ()


def scene(
    kind: str,
    npc: str,
    speaker: str,
    addressee: str,
    place: str,
    audience: Iterable[str],
    overheard: Iterable[str] = (),
) -> Header:
    """The header of a ``kind`` that ``npc`` perceived, its audience complete and sorted. Who overheard it was there.

    An NPC knows only what it saw, heard or was told (promise P6): it must be speaker, addressee or in the audience.
    Where none of the three is named, for an episode or a belief, the NPC was alone with it.
    """
    check_id(npc, f"the NPC of a {kind}")
    if kind == "turn":
        check_id(speaker, "a turn's speaker")
    hearers = checks.ids(overheard, f"those who overheard a {kind}")
    present = {
        *hearers,
        *checks.ids(audience, f"the audience of a {kind}"),
        *filter(None, (checks.optional_id(speaker, "a speaker"), checks.optional_id(addressee, "an addressee"))),
    }
    if present == set(hearers) and kind != "turn":
        present.add(npc)
    if npc not in present:
        raise InvalidInput(
            f"{npc!r} was not there and cannot remember this {kind}",
            hint="name the NPC in the audience if it could perceive it, else store it only for those who could",
            details={"npc": npc, "audience": sorted(present)},
        )
    where = checks.optional_id(place, "a place")
    return Header(
        kind,
        npc,
        speaker=speaker,
        addressee=addressee,
        place=where,
        audience=tuple(sorted(present)),
        overheard=tuple(sorted({*hearers} - {npc})),
    )
