"""The result of a run as a picture. Matplotlib is only loaded here: it is the extra ``[bench]``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["plot"]

CURE = "no plot: matplotlib is not installed; install npc-memory with the extra [bench]"
GREY, BLUE, GREEN = "#9aa5b1", "#2b6cb0", "#2f855a"


def plot(result: dict[str, Any], path: Path) -> str:
    """Draw ``result`` (what ``--json`` prints) into the PNG ``path``; return what was done, or why not."""
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        return CURE
    figure, (first, rates, tiers) = pyplot.subplots(1, 3, figsize=(15, 5), layout="constrained")
    try:
        _first_words(first, result)
        _rates(rates, result)
        _tiers(tiers, result)
        found = result["conditions"]
        load = found["load_average_before"]
        figure.suptitle(f"{found['model']}, {found['cpu']}, {found['threads']} threads, load average {load}")
        figure.savefig(path, dpi=110)
    finally:
        pyplot.close(figure)
    return f"plot: {path}"


def _bars(axes: Any, title: str, rows: Sequence[tuple[str, float, float, str]]) -> None:
    """Horizontal bars, the first on top: label, median, p90, colour."""
    places = range(len(rows), 0, -1)
    axes.barh(places, [row[1] for row in rows], color=[row[3] for row in rows])
    axes.hlines(places, [row[1] for row in rows], [row[2] for row in rows], colors="#1a202c", linewidth=1)
    axes.set_yticks(places, [row[0] for row in rows])
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.3)


def _first_words(axes: Any, result: dict[str, Any]) -> None:
    rows = []
    for kind, found in result["first_word"]["kinds"].items():
        rows.append((f"{kind}: ours", found["ours"]["median"], found["ours"]["p90"], BLUE))
        if found["floor"]:
            rows.append((f"{kind}: floor", found["floor"]["median"], found["floor"]["p90"], GREEN))
        for name, other in found["others"].items():
            rows.append((f"{kind}: {name}", other["seconds"]["median"], other["seconds"]["p90"], GREY))
    _bars(axes, "Seconds to the first word (line: p90)", rows)


def _rates(axes: Any, result: dict[str, Any]) -> None:
    part = result["talkers"]
    counts = [int(count) for count in part["plain"]]
    for name, rows, key, style in (
        ("bare batch", part["plain"], "bare", {"color": GREEN, "marker": "o"}),
        ("ours", part["plain"], "ours", {"color": BLUE, "marker": "o"}),
        ("ours, with grammar", part["grammar"], "ours", {"color": BLUE, "marker": "x", "linestyle": "--"}),
    ):
        axes.plot(counts, [row[key] for row in rows.values()], label=name, **style)
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("talking at once")
    axes.set_title("Tokens a second")
    axes.grid(alpha=0.3)
    axes.legend()


def _tiers(axes: Any, result: dict[str, Any]) -> None:
    rows = [
        (tier, found["seconds"]["median"], found["seconds"]["p90"], BLUE)
        for tier, found in result["tiers"]["first_word"].items()
    ]
    crowd = result["crowd"]
    for name in ("many", "few"):
        found = crowd[f"{name}_seconds"]
        if found:
            rows.append((f"warm, {crowd[name]} NPCs", found["median"], found["p90"], GREEN))
    _bars(axes, f"By where the state was: {result['tiers']['bytes_per_npc'] / 2**20:.1f} MiB an NPC", rows)
