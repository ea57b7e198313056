"""Scores of memories: how well a memory fits a line, and named formulas that weigh that with importance and age.

Pure and deterministic: no clock but the game's, sums in a fixed order, scores quantised to 1e-6.
"""

from npc_memory.recall.scoring.bm25 import K1, B, idf, relevance
from npc_memory.recall.scoring.fading import OLDEST, Fading
from npc_memory.recall.scoring.formulas import (
    FORMULAS,
    Blend,
    Formula,
    Generative,
    Salience,
    TemporalDecay,
    formula_named,
)
from npc_memory.recall.scoring.signals import DAY, Signals, score

__all__ = [
    "DAY",
    "FORMULAS",
    "K1",
    "OLDEST",
    "B",
    "Blend",
    "Fading",
    "Formula",
    "Generative",
    "Salience",
    "Signals",
    "TemporalDecay",
    "formula_named",
    "idf",
    "relevance",
    "score",
]
