"""Writing relationships and triples."""

from __future__ import annotations

from collections.abc import Iterable

from npc_memory.errors import AuthorityViolation, InvalidInput
from npc_memory.memory import Authority, RelationshipChange, TripleRecord, check_id, require
from npc_memory.store import checks, rows
from npc_memory.store.header import Header
from npc_memory.store.recorder import Recorder

__all__ = ["BondWriter"]


class BondWriter(Recorder):
    """The part of a writer that says what one feels for another, and who stands how to whom. See ``Writer``."""

    def relationship(
        self,
        *,
        authority: Authority,
        npc: str,
        other: str,
        kind: str,
        amount: int,
        how: str = "by",
        reason: str = "",
        game_time: int | None = None,
        speaker: str = "",
        addressee: str = "",
        place: str = "",
        audience: Iterable[str] = (),
        provenance: Iterable[str] = (),
    ) -> RelationshipChange:
        """What ``npc`` feels for ``other`` changes (``RelationshipChange``). To set a value outright (``how`` "to")
        needs the game's rank.
        """
        require(authority, "relationship")
        found, way, much = checks.move(kind, how, amount)
        if way == "to" and authority < Authority.GAME:
            raise AuthorityViolation(authority.name.lower(), Authority.GAME.name.lower(), "relationship")
        header = self._scene("relationship", check_id(npc, "an NPC's id"), speaker, addressee, place, audience)
        header.player = check_id(other, "whom a relationship is with")
        if npc == other:
            raise InvalidInput(f"{npc!r} has no relationship with herself", hint="name another id")
        why = checks.text(reason, "a reason")
        seq = self._header(header, authority, game_time, provenance, barred=True)
        self._detail("relationships (seq, kind, how, amount, reason)", seq, found, way, much, why)
        return self._stored(rows.relationship, "relationships", seq)

    def triple(
        self,
        *,
        authority: Authority,
        subject: str,
        relation: str,
        object: str,
        npc: str = "",
        valid_from: int | None = None,
        valid_to: int | None = None,
        confidence: float = 1.0,
        functional: bool = False,
        game_time: int | None = None,
        speaker: str = "",
        addressee: str = "",
        place: str = "",
        audience: Iterable[str] = (),
        provenance: Iterable[str] = (),
    ) -> TripleRecord:
        """``npc`` ("": everyone) knows from now on that ``subject`` stands in ``relation`` to ``object``; see
        ``TripleRecord``. ``valid_from`` defaults to the time of the record, or to ``valid_to`` if that is before. No
        record of one ranks above the game's: what the designer wrote stands in the world pack.
        """
        require(authority, "triple")
        for what, id in (("subject", subject), ("relation", relation), ("object", object)):
            check_id(id, f"a triple's {what}")
        time = self._view.game_time() if game_time is None else checks.minutes(game_time, "game_time")
        ended = time if valid_to is None else checks.minutes(valid_to, "valid_to")
        begun = min(time, ended) if valid_from is None else checks.minutes(valid_from, "valid_from")
        if valid_to is not None and valid_to < begun:
            raise InvalidInput(f"a triple cannot end ({valid_to}) before it begins ({begun})", hint="give a later end")
        sure = checks.fraction(confidence, "a triple's confidence")
        header = self._scene("triple", checks.optional_id(npc, "a triple's NPC"), speaker, addressee, place, audience)
        seq = self._header(header, min(authority, Authority.GAME), time, provenance, barred=True)
        self._detail(
            "triples (seq, timeline, npc, subject, relation, object, valid_from, valid_to, confidence, functional)",
            seq,
            self._view.timeline,
            npc,
            subject,
            relation,
            object,
            begun,
            valid_to,
            sure,
            int(functional),
        )
        return self._stored(rows.triple, "triples", seq)

    @staticmethod
    def _scene(kind: str, npc: str, speaker: str, addressee: str, place: str, audience: Iterable[str]) -> Header:
        there = {
            *checks.ids(audience, f"the audience of a {kind}"),
            *filter(None, (checks.optional_id(speaker, "a speaker"), checks.optional_id(addressee, "an addressee"))),
        }
        header = Header(kind, npc, speaker=speaker, addressee=addressee, place=checks.optional_id(place, "a place"))
        header.audience = tuple(sorted(there | {npc} if npc else there))
        return header
