"""The seed of a reply, derived from what is persisted, so that a replay draws the same numbers (promise P4)."""

from __future__ import annotations

import hashlib
import json

__all__ = ["reply_digest", "reply_seed"]


def reply_digest(purpose: str, world_seed: int, npc: str, exchange: int, attempt: int) -> bytes:
    """SHA-256 over the UTF-8 of the JSON array [purpose, world_seed, npc, exchange, attempt] without spaces.

    ``npc`` is the stable id, ``exchange`` the persisted number of the exchange, ``attempt`` counts from 0.
    """
    canonical = json.dumps([purpose, world_seed, npc, exchange, attempt], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).digest()


def reply_seed(world_seed: int, npc: str, exchange: int, attempt: int) -> int:
    """The sampler's seed, 0 to 2**32 - 2: the digest's first four bytes, big endian.

    llama.cpp takes 2**32 - 1 for "draw one from the machine"; that value becomes 2**32 - 2.
    """
    number = int.from_bytes(reply_digest("npc-memory.reply.1", world_seed, npc, exchange, attempt)[:4], "big")
    return min(number, 2**32 - 2)
