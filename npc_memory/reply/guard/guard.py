"""The canon guard: is this sentence, about to be released, against what this NPC knows to be true?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from npc_memory.reply.guard.claim import Claim, Contradiction
from npc_memory.reply.sentences import sentences

__all__ = ["Guard"]


class Guard:
    """Holds what one NPC knows and judges her sentences against it. Pure: the same input, the same verdict.

    ``names`` are display names by id, ``own_name`` is who says "I".
    """

    def __init__(
        self, claims: Sequence[Claim], *, names: Mapping[str, str] = MappingProxyType({}), own_name: str = ""
    ) -> None:
        self._claims = tuple(claims)
        self._names, self._own_name = dict(names), own_name

    def check(self, sentence: str, *, before: str = "", question: str = "") -> Contradiction | None:
        """The first contradiction in ``sentence``, None if there is none. Never raises.

        ``before`` is what she has already said in this reply, ``question`` the player's line: pronouns and a bare
        "yes" are read over both.
        """
        for piece in sentences(sentence, final=True):
            if piece.rstrip().endswith("?"):
                continue
            for claim in self._claims:
                for pattern in claim.patterns:
                    if found := pattern.search(piece):
                        return Contradiction(claim, "pattern", sentence, found[0])
        return None
