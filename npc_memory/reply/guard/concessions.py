"""Asides that grant others another opinion and take nothing back: "whatever they tell you", "no matter who says so"."""

from __future__ import annotations

import re

__all__ = ["without_concessions"]

_CONCESSION = re.compile(
    r"\b(?:whatever|no matter (?:what|who|how)|say what|despite what|contrary to what|regardless of what)"
    r" (?:they|you|people|folk|anyone|others|some|the [a-z]+) (?:may |might |will |say |like |tell |told |said |claim )"
    r"?[^,.;:!?]{0,40}",
    re.IGNORECASE,
)


def without_concessions(sentence: str) -> str:
    """``sentence`` without such asides, as long as something else is left of it."""
    rest = _CONCESSION.sub("", sentence)
    return rest if rest.strip(" ,;.!?") else sentence
