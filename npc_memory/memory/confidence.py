"""How sure an NPC is, in words; how sure she is of what she was told, and of what canon denies. Pure, quantised.

A belief that is passed on fades: ``told(c) = floor(100 · 0.8 · c) / 100``. So along any chain of tellers confidence
falls with each step until it is 0: a witness is at 0.95, then 0.76, 0.60, 0.48, 0.38, 0.30.
"""

from __future__ import annotations

from typing import Literal

__all__ = [
    "FADE",
    "KNOWS",
    "THINKS",
    "WITNESS",
    "Feeling",
    "Sureness",
    "feeling",
    "lowered",
    "quantised",
    "sureness",
    "told",
]

Sureness = Literal["knows", "believes", "thinks", "is not sure"]

Feeling = Literal["hates", "dislikes", "", "likes", "loves"]

KNOWS, BELIEVES, THINKS = 0.9, 0.6, 0.4
"""From which confidence on she knows, believes, thinks; below the last she is not sure."""

WITNESS = 0.95
"""Confidence in what one saw oneself, where nobody has said otherwise."""

FADE = 0.8
"""What is left of a confidence when something is told on."""

DENIED, MOST_DENIED = 0.25, 0.2
"""What is left of a confidence when canon says otherwise: this share, and no more than that."""

_WARM, _STRONG = 0.25, 0.75


def sureness(confidence: float) -> Sureness:
    """A confidence from 0 to 1 in words."""
    if confidence >= KNOWS:
        return "knows"
    if confidence >= BELIEVES:
        return "believes"
    return "thinks" if confidence >= THINKS else "is not sure"


def feeling(sentiment: float) -> Feeling:
    """A sentiment from -1 to 1 in words: how she feels about what a belief is about; "" for none to speak of."""
    if abs(sentiment) < _WARM:
        return ""
    if sentiment > 0:
        return "loves" if sentiment >= _STRONG else "likes"
    return "hates" if sentiment <= -_STRONG else "dislikes"


def quantised(confidence: float) -> float:
    """``confidence`` in whole hundredths, rounded down; what a float misses of a hundredth by a hair is one."""
    return int(confidence * 100 + 1e-6) / 100


def told(confidence: float) -> float:
    """How sure one is of what somebody tells who is that sure: always less, except for 0."""
    return quantised(confidence * FADE)


def lowered(confidence: float) -> float:
    """What is left of a confidence in something that canon denies."""
    return quantised(min(confidence * DENIED, MOST_DENIED))
