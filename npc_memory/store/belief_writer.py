"""Writing beliefs: what an NPC holds true, and that a newer belief has taken an older one's place."""

from __future__ import annotations

from collections.abc import Iterable

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.memory import DEPRECATED, Authority, BeliefRecord, Retirement, require
from npc_memory.store import checks
from npc_memory.store.header import scene
from npc_memory.store.ids import record_id
from npc_memory.store.retiring import Retiring

__all__ = ["BeliefWriter"]


class BeliefWriter(Retiring):
    """Puts beliefs onto the timeline of ``view``; see ``Writer``."""

    def belief(
        self,
        *,
        authority: Authority,
        npc: str,
        text: str,
        game_time: int | None = None,
        subject: str = "",
        slot: str = "",
        value: str = "",
        confidence: float = 0.5,
        sentiment: float = 0.0,
        valid_from: int | None = None,
        distance: int = 0,
        scope: str = "",
        hand_written: bool = False,
        speaker: str = "",
        addressee: str = "",
        place: str = "",
        audience: Iterable[str] = (),
        provenance: Iterable[str] = (),
    ) -> BeliefRecord:
        """Something ``npc`` holds true about ``subject``; it may be wrong. It holds from ``valid_from`` on (now)."""
        require(authority, "belief")
        body = checks.text(text, "a belief's text")
        about = checks.optional_id(subject, "a belief's subject")
        sure = checks.fraction(confidence, "a belief's confidence")
        details = (
            checks.optional_id(slot, "a belief's slot"),
            checks.text(value, "a belief's value"),
            checks.signed_fraction(sentiment, "a belief's sentiment"),
            self._view.game_time() if valid_from is None else checks.minutes(valid_from, "valid_from"),
            checks.count(distance, "a belief's distance"),
            checks.optional_id(scope, "a belief's scope"),
            int(bool(hand_written)),
        )
        header = scene("belief", npc, speaker, addressee, place, audience)
        seq = self._header(header, authority, game_time, provenance, barred=True)
        self._detail("beliefs (seq, subject, confidence, text)", seq, about, sure, body)
        columns = "seq, slot, value, sentiment, valid_from, distance, scope, hand_written"
        self._detail(f"belief_details ({columns})", seq, *details)
        return self._view.belief(record_id("belief", seq))

    def deprecate(self, *, authority: Authority, target: str, by: str) -> Retirement:
        """The belief ``target`` holds no more since the belief ``by`` of the same NPC does.

        Raises ``InvalidInput`` when ``target`` is hand-written and ``by`` is not, ``AuthorityViolation`` as ``retire``.
        """
        older, newer = self._view.belief(target), self._view.belief(by)
        hers = self._view.identities().same(newer.npc)
        if not any(one.id == older.npc and one.knows(older.seq) for one in hers):
            raise UnknownId("belief", target)
        if older.hand_written and not newer.hand_written:
            raise InvalidInput(
                f"belief {target!r} is hand-written", hint="only another hand-written one takes its place"
            )
        return self.retire(authority=authority, target=target, reason=DEPRECATED, provenance=(by,))
