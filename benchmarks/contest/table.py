"""The result of a run as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["table"]


def table(result: dict[str, Any]) -> str:
    """All that was measured, ratios first among equals; ``result`` is what ``--json`` prints."""
    parts = (_conditions(result), _first_words(result), _talkers(result), _tiers(result), _goals(result))
    return "\n\n".join("\n".join(part) for part in parts)


def _conditions(result: dict[str, Any]) -> Iterator[str]:
    found = result["conditions"]
    versions = found["versions"]
    yield f"{found['model']} on {found['cpu']}, {found['cores']} cores, {found['threads']} threads"
    yield (
        f"npc-memory {versions['npc-memory']}, llama-cpp-python {versions['llama-cpp-python']},"
        f" Python {versions['python']}, {versions['system']}"
    )
    yield (f"build {found['build']}: {found['determinism']}; {found['sequences']} sequences of {found['n_ctx']} tokens")
    yield f"settings: {', '.join(f'{name} {value}' for name, value in found['settings'].items())}"
    load = f"{found['load_average_before']}, after {found['load_average_after']}"
    yield f"load average before {load}; it took {result['seconds']:.0f} s"


def _first_words(result: dict[str, Any]) -> Iterator[str]:
    part, options = result["first_word"], result["conditions"]["options"]
    yield f"Seconds to the first word: {options['npcs']} NPCs, {part['turns']} turns, round robin"
    yield f"{'':34} {'median':>8} {'p90':>8} {'n':>5} {'ours / it':>10}   tokens: prompt, computed"
    for kind, found in part["kinds"].items():
        computed = found["prompt_tokens"]["median"] - found["cached_tokens"]["median"]
        yield _row(f"{kind}: ours", found["ours"], None) + f"   {found['prompt_tokens']['median']:.0f}, {computed:.0f}"
        if found["floor"]:
            cpu = "" if found["cpu_ratio"] is None else f"   of CPU: {found['cpu_ratio']:.2f}"
            yield _row(f"{kind}: floor", found["floor"], found["ratio"]) + cpu
        if found["hint"]:
            yield _row(f"{kind}: the hint before it", found["hint"], None)
        for name, other in found["others"].items():
            yield _row(f"{kind}: {name}", other["seconds"], other["ours_to_theirs"])
    if options["others_npcs"] < options["npcs"]:
        yield f"(the others serve {options['others_npcs']} NPCs only, and their caches no more)"
    for name, reason in part["missing"].items():
        yield f"{name}: not measured ({reason})"


def _row(name: str, found: dict[str, Any] | None, ratio: float | None) -> str:
    if found is None:
        return f"{name:34} {'-':>8}"
    told = "" if ratio is None else f"{ratio:.2f}"
    return f"{name:34} {found['median']:8.3f} {found['p90']:8.3f} {found['n']:5} {told:>10}"


def _talkers(result: dict[str, Any]) -> Iterator[str]:
    part = result["talkers"]
    yield f"{'Tokens a second':24} {'ours':>8} {'bare batch':>11} {'ratio':>6} {'of CPU':>7}   with the reply's grammar"
    for count, row in part["plain"].items():
        yield f"{count + ' talking':24} {_rates(row, 11)}   {_rates(part['grammar'][count], 8)}"


def _rates(row: dict[str, Any], width: int) -> str:
    return f"{row['ours']:8.1f} {row['bare']:{width}.1f} {_ratio(row['ratio']):>6} {_ratio(row['cpu_ratio']):>7}"


def _tiers(result: dict[str, Any]) -> Iterator[str]:
    part = result["tiers"]
    yield (
        f"An NPC's state: {part['bytes_per_npc'] / 2**20:.1f} MiB for a prompt of {part['prompt_tokens']} tokens"
        f" ({part['bytes_per_token']:,.0f} bytes a token)"
    )
    yield "on the bare library: " + ", ".join(
        f"{name} {1000 * seconds:.1f} ms" for name, seconds in part["bare_seconds"].items()
    )
    yield f"{'first word by where it was':34} {'median':>8} {'p90':>8} {'n':>5}   tokens cached"
    for tier, found in part["first_word"].items():
        yield _row(tier, found["seconds"], None).rstrip() + f"   {found['cached_tokens']['median']:.0f}"
    for name, value in part["engine_stats"].items():
        yield f"  {name}: {value}"
    crowd = result["crowd"]
    yield _row(f"{crowd['many']} NPCs, warm", crowd["many_seconds"], None)
    yield _row(f"{crowd['few']} NPCs, warm", crowd["few_seconds"], crowd["ratio"])


def _goals(result: dict[str, Any]) -> Iterator[str]:
    yield "To reach"
    for goal in result["goals"]:
        sign = "≤" if goal["at_most"] else "≥"
        word = {True: "reached", False: "not reached", None: "not measured"}[goal["reached"]]
        yield f"{goal['name']:52} {_ratio(goal['measured']):>6}  {sign} {goal['limit']:g}  {word}"


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
