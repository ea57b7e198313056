"""The authored line that stands in when no reply could be made. Chosen, never drawn: the same case, the same line."""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.reply.seeds import reply_digest

__all__ = ["DEFAULT_FALLBACK_LINES", "fallback_line"]

DEFAULT_FALLBACK_LINES: tuple[str, ...] = ("Hm.", "Let me think about that.", "I have nothing to say to that.")
"""Last resort, when neither the NPC nor the world has lines of its own."""


def fallback_line(
    lines: Sequence[str],
    *,
    world_seed: int,
    npc: str,
    exchange: int,
    attempt: int = 0,
    last: str = "",
    default: Sequence[str] = (),
) -> str:
    """One of ``lines`` (the NPC's own), else of ``default`` (the world's), else of ``DEFAULT_FALLBACK_LINES``.

    Chosen by ``reply_digest``; never ``last``, the line she said before, unless there is no other.
    """
    offered = next(tuple(kept) for kept in map(_speakable, (lines, default, DEFAULT_FALLBACK_LINES)) if kept)
    fresh = tuple(line for line in offered if line != last.strip()) or offered
    digest = reply_digest("npc-memory.fallback.1", world_seed, npc, exchange, attempt)
    return fresh[int.from_bytes(digest[:8], "big") % len(fresh)]


def _speakable(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.strip() for line in lines if line.strip()))
