"""What the product's recall is held against: the plain ways to choose memories."""

from __future__ import annotations

import importlib
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import numpy as np
import numpy.typing as npt

from recall_parts.case import Case

__all__ = ["Floats", "Scorer", "bm25s_scorer", "fts5", "fused", "newest"]

Floats = npt.NDArray[np.float64]
Scorer = Callable[[str], Floats]

STOP = frozenset(
    """a an the of to in on at for with by from and or is are was were be been being do does did done has have had what
    when where who whom whose which why how that this these those it its as about into her his their they she he him
    them i you your we our me my would could should will can may might many much long""".split()
)


def newest(case: Case) -> Scorer:
    """Newest first, whatever is asked."""
    times = np.array(case.times, np.float64)
    return lambda query: times


def fts5(case: Case) -> Scorer:
    """SQLite's FTS5 with its Porter tokenizer and its own BM25, any of the query's words."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE VIRTUAL TABLE f USING fts5(t, tokenize='porter unicode61 remove_diacritics 2')")
        base.executemany("INSERT INTO f (rowid, t) VALUES (?, ?)", enumerate(case.texts, 1))
        found = {one.text: _matches(base, one.text, len(case.texts)) for one in case.questions}
    return lambda query: found[query]


def _matches(base: sqlite3.Connection, query: str, count: int) -> Floats:
    scores = np.zeros(count)
    words = dict.fromkeys(word for word in re.findall(r"\w+", query.casefold()) if word not in STOP)
    if words:
        match = " OR ".join(f'"{word}"' for word in words)
        for row, value in base.execute("SELECT rowid, bm25(f) FROM f WHERE f MATCH ?", (match,)):
            scores[row - 1] = -value
    return scores


def bm25s_scorer(case: Case) -> Scorer | None:
    """BM25 as bm25s does it, with its English stop words; None when it is not installed."""
    try:
        bm25s = importlib.import_module("bm25s")
    except ImportError:
        return None
    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(bm25s.tokenize(list(case.texts), stopwords="en", show_progress=False), show_progress=False)

    def score(query: str) -> Floats:
        words = bm25s.tokenize([query], stopwords="en", return_ids=False, show_progress=False)[0]
        return np.asarray(index.get_scores(words), np.float64) if words else np.zeros(len(case.texts))

    return score


def fused(*all_scores: Floats, k: int = 60) -> Floats:
    """Reciprocal rank fusion (Cormack et al., 2009); what scores 0 has no rank."""
    total = np.zeros(len(all_scores[0]))
    for scores in all_scores:
        ranks = np.empty(len(scores))
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        total += np.where(scores > 0, 1 / (k + ranks), 0)
    return total
