"""How well recall finds what a question is about, beside plain ways to choose memories, and what it costs.

    python -m benchmarks.recall [--locomo FILE] [--json] [--no-model] [--no-growth] [--sizes N …]

Evidence recall at 5, 10 and 25, in per cent: the share of a question's evidence among the best k. On the lives in
``data/recall``, and on LoCoMo when its file is named (``eval/locomo10.json`` of the public repository BAI-LAB/MemoryOS;
its licence forbids shipping it). Weights are the product's, and for LoCoMo also those that were best on the other
conversations. Formulas put age and importance on top of the relevance.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from recall_parts.case import Case
from recall_parts.counting import DEPTHS, Hit, found, table
from recall_parts.growth import growth
from recall_parts.inserts import inserts
from recall_parts.lives import load_lives
from recall_parts.locomo import ADVERSARIAL, load_locomo
from recall_parts.measured import GRID, Measured, Weighing, chosen, measure
from recall_parts.rankers import Floats, Scorer, bm25s_scorer, fts5, fused, newest

from npc_memory.errors import ModelMissing
from npc_memory.recall import Embedding, MiniLm
from npc_memory.recall.fulltext import WEIGHTS
from npc_memory.recall.scoring import FORMULAS, Formula, TemporalDecay

__all__ = ["fading", "main", "measure_all"]

DAY = 24 * 60
SIZES = (1_000, 10_000, 100_000)
RECALL = "recall: with who is named"
HALF_LIFE = "  temporal_decay, half-life "
SHIPPED: Weighing = (WEIGHTS.window, WEIGHTS.named, 0.0)
WITH_MEANING: Weighing = (WEIGHTS.window, WEIGHTS.named, WEIGHTS.meaning)
HALF_LIVES = (("1.9 hours", 114.0), ("1 day", DAY), ("7 days", 7 * DAY), ("30 days", 30 * DAY), ("1 year", 365 * DAY))


def measure_all(
    cases: Sequence[Case], *, leave_one_out: bool, headline_without: str = "", embedding: Embedding | None = None
) -> dict[str, Any]:
    """One table for each way to choose: recall over all questions, by kind, by half and by language."""
    rows = []
    for case in cases:
        print(f"\r{case.id} …\033[K", end="", file=sys.stderr, flush=True)
        rows.append(measure(case, embedding))
    print("\r\033[K", end="", file=sys.stderr, flush=True)
    tables: dict[str, Any] = {}

    def add(name: str, hits: list[Hit]) -> None:
        tables[name] = table(hits, headline_without)

    add("newest first", _plain(cases, newest))
    add("FTS5", _plain(cases, fts5))
    if all(bm25s_scorer(case) is not None for case in cases):
        add("BM25 (bm25s)", _plain(cases, _bm25s))
    add("full text of single memories", _hits(rows, lambda one: one.turn))
    add("full text and windows", _hits(rows, lambda one: one.turn + WEIGHTS.window * one.window))
    add("RRF of the two", _hits(rows, lambda one: fused(one.turn, one.window)))
    add(RECALL, _hits(rows, lambda one: one.relevance(SHIPPED)))
    words_only = [weights for weights in GRID if not weights[2]]
    if leave_one_out:
        add("  weights of the other conversations", _left_out(rows, headline_without, words_only))
    if embedding:
        add("MiniLM alone", _hits(rows, lambda one: one.alone))
        add("RRF of recall and MiniLM", _hits(rows, lambda one: fused(one.relevance(SHIPPED), one.alone + 1)))
        add("recall with MiniLM", _hits(rows, lambda one: one.relevance(WITH_MEANING)))
        if leave_one_out:
            add("  MiniLM, weights of the other conversations", _left_out(rows, headline_without, GRID))
    for name, formula in FORMULAS.items():
        add(f"  scored by {name}", _hits(rows, lambda one, f=formula: one.scored(SHIPPED, f)))
    for name, minutes in HALF_LIVES:
        decay: Formula = TemporalDecay(half_life=minutes)
        add(f"{HALF_LIFE}{name}", _hits(rows, lambda one, f=decay: one.scored(SHIPPED, f)))
    return tables


def _bm25s(case: Case) -> Scorer:
    scorer = bm25s_scorer(case)
    assert scorer is not None
    return scorer


def _plain(cases: Sequence[Case], make: Callable[[Case], Scorer]) -> list[Hit]:
    hits = []
    for case in cases:
        score = make(case)
        hits += [(case, one, found(score(one.text), one.evidence)) for one in case.questions]
    return hits


def _hits(rows: Sequence[Sequence[Measured]], score: Callable[[Measured], Floats]) -> list[Hit]:
    return [(one.case, one.question, found(score(one), one.question.evidence)) for case in rows for one in case]


def _left_out(rows: Sequence[Sequence[Measured]], headline_without: str, grid: Sequence[Weighing]) -> list[Hit]:
    at = DEPTHS.index(10)
    counted = [[one for one in case if one.question.kind != headline_without] for case in rows]
    picks = chosen(counted, grid, lambda one, weights: found(one.relevance(weights), one.question.evidence)[at])
    weights_of = {case[0].case.id: pick for case, pick in zip(rows, picks, strict=True)}
    return _hits(rows, lambda one: one.relevance(weights_of[one.case.id]))


def _print(title: str, tables: dict[str, Any]) -> None:
    columns = list(next(iter(tables.values())))
    print(f"\n{title}: evidence recall@{'/'.join(map(str, DEPTHS))} in per cent")
    width = max(map(len, tables))
    for column in columns:
        print(f"  {column}")
        for name, rows in tables.items():
            if column in ("all", "(test)") or not name.startswith("  "):
                print(f"    {name:<{width}}  {' '.join(f'{value:6.1f}' for value in rows[column] or ())}")
    print(f"  {fading(tables)}")


def fading(tables: dict[str, Any]) -> str:
    """What half-lives, the literature's hours among them, do to recall at 10, in points."""
    at = DEPTHS.index(10)
    without = tables[RECALL]["all"][at]
    named = {name.removeprefix(HALF_LIFE): rows for name, rows in tables.items() if name.startswith(HALF_LIFE)}
    changes = ", ".join(f"{name} {rows['all'][at] - without:+.1f}" for name, rows in named.items())
    return f"what a half-life does to recall@10 ({without} without one): {changes}"


def _embedding() -> Embedding | None:
    try:
        return MiniLm()
    except ModelMissing as error:
        print(f"without MiniLM: {error}", file=sys.stderr)
        return None


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--locomo", type=Path, help="LoCoMo's locomo10.json")
    parser.add_argument("--no-model", action="store_true", help="leave out MiniLM, which takes minutes on LoCoMo")
    parser.add_argument("--no-growth", action="store_true", help="leave out what recall costs")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="beside how many memories it costs that")
    args = parser.parse_args(arguments)
    embedding = None if args.no_model else _embedding()
    result: dict[str, Any] = {"lives": measure_all(load_lives(), leave_one_out=False, embedding=embedding)}
    if args.locomo:
        cases, known = load_locomo(args.locomo)
        if not known:
            print(f"{args.locomo} is not the file the published numbers were measured on", file=sys.stderr)
        result["locomo"] = measure_all(cases, leave_one_out=True, headline_without=ADVERSARIAL, embedding=embedding)
    if not args.no_growth:
        result["growth"] = growth(args.sizes)
        result["inserts"] = inserts(args.sizes)
    if args.json:
        print(json.dumps(result, indent=2, ensure_ascii=False))
        return
    _print("Lives", result["lives"])
    if args.locomo:
        _print("LoCoMo without the adversarial questions", result["locomo"])
    for size, cost in result.get("growth", {}).items():
        print(f"{size} memories: " + ", ".join(f"{name} {value}" for name, value in cost.items()))
    for size, cost in result.get("inserts", {}).items():
        print(f"one more beside {size}: " + ", ".join(f"{name} {value}" for name, value in cost.items()))


if __name__ == "__main__":
    main()
