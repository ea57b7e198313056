"""The glass skull: what was in an NPC's mind when she spoke last, as ``explain`` tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from bridge.client import BridgeFault
from bridge.messages import WorkingMemoryFrame
from npc_memory.errors import NpcMemoryError
from roguelike.link import Talk
from roguelike.session import Session

__all__ = ["Skull", "Thought", "anatomy"]

DIM, BRIGHT, GOLD, GOOD, BAD = "#807868", "#c8c0b0", "#e8c860", "#8fbf6f", "#e05040"
BAR = 11
LONGEST_REASON = 62
MOST_DROPPED = 8


@dataclass(frozen=True, slots=True)
class Thought:
    """A reply and what was in mind for it. ``name``: hers; ``word``, ``reason``: how far it can be reproduced.
    ``talk``: None when it was before a load.
    """

    name: str
    talk: Talk | None
    memory: WorkingMemoryFrame
    word: str
    reason: str


class Skull(VerticalScroll, can_focus=False):
    """The panel on the right."""

    DEFAULT_CSS = """
    Skull { display: none; width: 38; background: #141418; border-left: solid #505878; padding: 0 1;
            scrollbar-size-vertical: 1; scrollbar-color: #505878; scrollbar-background: #141418;
            scrollbar-gutter: stable; }
    Skull.open { display: block; }
    """

    def compose(self) -> ComposeResult:
        """One page."""
        yield Static(id="anatomy")

    def tell(self, text: str) -> None:
        """Say why there is nothing to see."""
        self.query_one("#anatomy", Static).update(Text.assemble(*_title(""), (text, DIM)))

    async def look(self, session: Session) -> None:
        """Look into what was in mind for the last reply of this game, also when that was before a load."""
        thought, link, talk = session.thought, session.link, session.answered
        if thought is None:
            self.tell("Talk to somebody; then this shows what was in her mind when she answered.")
            return
        npc, audit = thought
        try:
            memory = await link.explain(audit=audit)
        except (NpcMemoryError, BridgeFault) as error:
            self.tell(str(error))
            return
        found = link.welcome.determinism if link.welcome else None
        word, reason = (found.word, found.reason) if found else ("", "")
        self.show(Thought(session.name_of(npc), talk, memory, word, reason))

    def show(self, thought: Thought) -> None:
        """Look into it."""
        self.query_one("#anatomy", Static).update(anatomy(thought))
        self.scroll_home(animate=False)


def anatomy(thought: Thought) -> Text:
    """Everything there is to know, in 34 columns."""
    report, text = thought.memory.report, Text()
    for part in _title(thought.name):
        text.append(*part)
    if not report:
        text.append("No prompt was made: the line is an authored one.\n", style=DIM)
    else:
        text.append_text(_budget(report))
        text.append_text(_sections(thought.memory, report))
        text.append_text(_dropped(report))
    text.append_text(_speed(thought))
    text.append("\n")
    for section, words in thought.memory.sections.items():
        text.append(f"── {section} ".ljust(34, "─") + "\n", style=GOLD)
        text.append(words.strip("\n") + "\n", style=BRIGHT)
    return text


def _title(name: str) -> list[tuple[str, str]]:
    of = f"{name}, last reply" if name else "F2 shuts it"
    return [("THE GLASS SKULL", f"bold {GOLD}"), (f"  {of}\n", DIM)]


def _budget(report: dict[str, Any]) -> Text:
    total, limit, unit = report["total"], report["limit"], report["unit"]
    return Text.assemble(
        (_bar(total, limit, 22), GOLD),
        (f" {100 * total // limit} %\n", BRIGHT),
        (f"{_number(total)} of {_number(limit)} {unit}, {_number(report['mandatory'])} fixed\n", DIM),
    )


def _sections(memory: WorkingMemoryFrame, report: dict[str, Any]) -> Text:
    costs = {**dict.fromkeys(memory.sections, 0), **report.get("sections", {})}
    most = max(costs.values(), default=0) or 1
    text = Text()
    for name, cost in costs.items():
        text.append(f"{name.replace('_', ' ')[:14]:<14}", style=BRIGHT)
        text.append(f" {_bar(cost, most, BAR)}", style=GOOD)
        text.append(f" {_number(cost):>6}\n", style=DIM)
    return text


def _dropped(report: dict[str, Any]) -> Text:
    dropped, shortened = report["dropped"], report["shortened"]
    text = Text()
    if not dropped and not shortened:
        return text.append("nothing dropped, nothing shortened\n", style=DIM)
    if dropped:
        lost = sum(1 for one in dropped if one["reason"] == "budget")
        text.append(f"dropped {len(dropped)}, {lost} for the budget\n", style=BAD if lost else DIM)
    for one in dropped[:MOST_DROPPED]:
        text.append(f" {one['id'][:12]:<12} {one['section'][:8]:<8} {one['reason']}\n", style=DIM)
    if len(dropped) > MOST_DROPPED:
        text.append(f" and {len(dropped) - MOST_DROPPED} more\n", style=DIM)
    if shortened:
        text.append(f"shortened: {', '.join(shortened)}\n", style=BAD)
    return text


def _speed(thought: Thought) -> Text:
    talk, text = thought.talk, Text()
    if talk is not None and talk.first_word is not None:
        text.append(f"first word after {talk.first_word:.2f} s\n", style=BRIGHT)
    if (engine := thought.memory.engine) and engine["prompt_tokens"]:
        ready = 100 * engine["cached_tokens"] // engine["prompt_tokens"]
        text.append(f"cache hit {ready} %", style=GOOD if ready >= 50 else BRIGHT)
        text.append(f" of {_number(engine['prompt_tokens'])}, said {engine['said_tokens']}\n", style=DIM)
        if engine["attempts"] > 1:
            text.append(f"{engine['attempts']} attempts: the guard refused some\n", style=BAD)
    if talk is not None and talk.reply is not None and talk.reply.fallback:
        text.append("an authored line stood in\n", style=BAD)
    text.append(f"{thought.word}", style=GOOD if thought.word == "bit-exact" else BAD)
    reason = thought.reason
    if len(reason) > LONGEST_REASON:
        reason = reason[: LONGEST_REASON - 2].rpartition(" ")[0] + " …"
    return text.append(f": {reason}\n" if reason else "\n", style=DIM)


def _bar(part: int, whole: int, width: int) -> str:
    filled = min(width, round(width * part / whole)) if whole else 0
    return "█" * filled + "░" * (width - filled)


def _number(value: int) -> str:
    return f"{value:,}".replace(",", " ")
