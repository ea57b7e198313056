"""The formulas by name. Each takes ``Signals`` and gives every memory a score from 0 to 1, finite whatever comes in.

All go by game time. All but ``salience`` need to know what was asked. Which one serves recall best is measured by
``npc-memory bench recall``, and so is what half-lives do to it. On LoCoMo (months of talk, evidence recall@10) a term
that fades within hours changes nothing, for all but the newest are forgotten alike, and one that fades over a month
costs three points and more; so ``blend`` lets age decide only between memories that fit about equally well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from npc_memory.errors import InvalidInput
from npc_memory.recall.scoring.fading import Fading
from npc_memory.recall.scoring.signals import DAY, Signals

__all__ = ["FORMULAS", "Blend", "Formula", "Generative", "Salience", "TemporalDecay", "formula_named"]

Floats = npt.NDArray[np.float64]

Formula = Callable[[Signals], Floats]

PARK_A_MINUTE = 0.9999164611258403
"""0.995 to the power of 1/60: the decay an hour of Park et al., for a minute."""


@dataclass(frozen=True, slots=True)
class Blend:
    """0.85 relevance + 0.10 importance + 0.05 recency, recency = 1 / (1 + age in days). The default.

    Our own: weights chosen on the development halves of ``npc-memory bench recall``; recency is a term of a few per
    cent with a long tail, so it decides ties and never buries what was asked for.
    """

    relevance: float = 0.85
    importance: float = 0.10
    recency: float = 0.05

    def __post_init__(self) -> None:
        _check_weights(self.relevance, self.importance, self.recency)

    def __call__(self, signals: Signals) -> Floats:
        """Scores, not quantised."""
        recency = 1 / (1 + signals.ages / DAY)
        return _sum((self.relevance, signals.relevance), (self.importance, signals.importance), (self.recency, recency))


@dataclass(frozen=True, slots=True)
class TemporalDecay:
    """α · cos + (1 − α) · e^(−λ·Δt); λ is given as ``half_life`` in game minutes, ln 2 / λ.

    The forgetting curve (Ebbinghaus, "Über das Gedächtnis", 1885; for agents Zhong et al., "MemoryBank", 2023) beside
    the cosine of embeddings; without embeddings the relevance of the full text takes its place, both from 0 to 1.
    Published half-lives are hours; the default is 30 days of game time. For what they do see the module.
    """

    alpha: float = 0.75
    half_life: float = 30 * DAY
    _fading: Fading = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_weights(self.alpha, 1 - self.alpha)
        if not (math.isfinite(self.half_life) and self.half_life > 0):
            raise InvalidInput(f"a half-life cannot be {self.half_life!r}", hint="give game minutes above 0")
        object.__setattr__(self, "_fading", Fading.halving(self.half_life))

    def __call__(self, signals: Signals) -> Floats:
        """Scores, not quantised."""
        return _sum((self.alpha, signals.relevance), (1 - self.alpha, self._fading.left(signals.ages)))


@dataclass(frozen=True, slots=True)
class Generative:
    """0.5 relevance + 0.3 importance + 0.2 recency, recency = 0.995 per hour of game time.

    The three terms and the decay of Park et al., "Generative Agents: Interactive Simulacra of Human Behavior", 2023
    (there with equal weights, and age since the memory was last recalled; here since it happened).
    """

    _fading: Fading = field(default_factory=lambda: Fading(PARK_A_MINUTE), init=False, repr=False, compare=False)

    def __call__(self, signals: Signals) -> Floats:
        """Scores, not quantised."""
        recency = self._fading.left(signals.ages)
        return _sum((0.5, signals.relevance), (0.3, signals.importance), (0.2, recency))


@dataclass(frozen=True, slots=True)
class Salience:
    """0.4 recency + 0.3 frequency + 0.3 importance: what is on her mind when nobody has asked anything.

    Recency as in ``Generative``. Frequency is count / (count + 1), so that it needs no other memory's count. Relevance
    has no part in it. It is the activation of a memory by recent and frequent use (Anderson & Schooler, "Reflections
    of the Environment in Memory", 1991), with importance beside it.
    """

    _fading: Fading = field(default_factory=lambda: Fading(PARK_A_MINUTE), init=False, repr=False, compare=False)

    def __call__(self, signals: Signals) -> Floats:
        """Scores, not quantised."""
        frequency = signals.counts / (signals.counts + 1)
        return _sum((0.4, self._fading.left(signals.ages)), (0.3, frequency), (0.3, signals.importance))


def _check_weights(*weights: float) -> None:
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights) or sum(weights) > 1 + 1e-9:
        raise InvalidInput(f"weights cannot be {weights}", hint="give numbers from 0 that add up to 1 at most")


def _sum(*parts: tuple[float, Floats]) -> Floats:
    """The weighted sum, one part after the other."""
    weight, values = parts[0]
    total = weight * values
    for weight, values in parts[1:]:
        total = total + weight * values
    return total


FORMULAS: dict[str, Formula] = {
    "blend": Blend(),
    "temporal_decay": TemporalDecay(),
    "generative": Generative(),
    "salience": Salience(),
}


def formula_named(name: str) -> Formula:
    """The formula of that name; ``InvalidInput`` when there is none."""
    if name not in FORMULAS:
        raise InvalidInput(f"there is no scoring formula {name!r}", hint=f"one of: {', '.join(FORMULAS)}")
    return FORMULAS[name]
