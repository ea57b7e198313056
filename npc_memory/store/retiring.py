"""Writing that a record counts no more."""

from __future__ import annotations

from collections.abc import Iterable

from npc_memory.errors import AuthorityViolation, InvalidInput
from npc_memory.memory import Authority, Retirement
from npc_memory.store import checks, rows
from npc_memory.store.header import Header
from npc_memory.store.ids import seq_of
from npc_memory.store.recorder import Recorder

__all__ = ["Retiring"]

RETIRABLE = ("turn", "episode", "belief", "relationship", "triple")


class Retiring(Recorder):
    """Puts retirements onto the timeline of ``view``; see ``Writer``."""

    def retire(
        self,
        *,
        authority: Authority,
        target: str,
        game_time: int | None = None,
        reason: str = "",
        provenance: Iterable[str] = (),
    ) -> Retirement:
        """The memory ``target`` (one of ``RETIRABLE``) counts no more. Needs the rank it was written with."""
        kind, seq_retired = seq_of(target)
        if kind not in RETIRABLE:
            raise InvalidInput(f"a {kind} cannot be retired", hint="write a new one instead; it takes its place")
        rank = self._view.rank_of(target)
        if authority < rank:
            raise AuthorityViolation(authority.name.lower(), rank.name.lower(), f"retirement of {kind}")
        npc = self._whose(seq_retired)
        why = checks.text(reason, "a reason")
        seq = self._header(Header("retirement", npc=npc), authority, game_time, provenance)
        self._detail("retirements (seq, target, reason)", seq, seq_retired, why)
        self._heard("retirement", seq, self._view.hearers(target))
        return self._stored(rows.retirement, "retirements", seq)

    def _whose(self, seq: int) -> str:
        """The id under which a record's retirement is found: that of its NPC, or one she still has, if it is somebody
        else's by now.
        """
        npc = str(self._database.scalar("SELECT npc FROM records WHERE seq = ?", (seq,)))
        known = self._view.identities()
        ids = known.known_as(known.at(npc, seq))
        return npc if npc in ids or not ids else ids[0]
