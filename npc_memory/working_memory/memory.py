"""A working memory: frozen, serves one reply, unusable once closed (promise P3)."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType

from npc_memory.errors import WorkingMemoryClosed
from npc_memory.memory import AgendaItem, Belief, Episode, Example, Fact, Rule, StateEntry, Turn
from npc_memory.prompt import Segment
from npc_memory.working_memory.report import BudgetReport

__all__ = ["Contents", "WorkingMemory"]


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a working memory, in the order shown."""

    rules: tuple[Rule, ...]
    canonical_facts: tuple[Fact, ...]
    world_state: tuple[StateEntry, ...]
    agenda: tuple[AgendaItem, ...]
    examples: tuple[Example, ...]
    dialogue: tuple[Turn, ...]
    episodes: tuple[Episode, ...]
    beliefs: tuple[Belief, ...]
    player_line: str
    segments: tuple[Segment, ...]
    report: BudgetReport


class WorkingMemory:
    """What one reply may draw on, rendered. Use it in a ``with`` block; afterwards every access raises
    ``WorkingMemoryClosed``. Closing twice is harmless. Nothing in it can be changed.
    """

    __slots__ = ("_contents",)

    _contents: Contents | None

    def __init__(self, contents: Contents) -> None:
        object.__setattr__(self, "_contents", contents)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a working memory is frozen; build a new one from a new snapshot")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a working memory is frozen")

    def __enter__(self) -> WorkingMemory:
        self._open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Throw the contents away."""
        object.__setattr__(self, "_contents", None)

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._contents is None

    def _open(self) -> Contents:
        if self._contents is None:
            raise WorkingMemoryClosed
        return self._contents

    def text(self) -> str:
        """The prompt."""
        return "".join(self._open().segments)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The prompt in pieces; each is tokenised on its own."""
        return self._open().segments

    @property
    def report(self) -> BudgetReport:
        """What it cost, kept, dropped and shortened."""
        return self._open().report

    @property
    def truncated(self) -> bool:
        """Something was dropped for ``budget``, or shortened."""
        return self._open().report.truncated

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The author's rules."""
        return self._open().rules

    @property
    def canonical_facts(self) -> tuple[Fact, ...]:
        """Every fact the snapshot offered, by id."""
        return self._open().canonical_facts

    @property
    def world_state(self) -> tuple[StateEntry, ...]:
        """Every state entry the snapshot offered, by key."""
        return self._open().world_state

    @property
    def agenda(self) -> tuple[AgendaItem, ...]:
        """Kept pinned objects, tasks and notes, best first within each."""
        return self._open().agenda

    @property
    def examples(self) -> tuple[Example, ...]:
        """Kept example exchanges."""
        return self._open().examples

    @property
    def dialogue(self) -> tuple[Turn, ...]:
        """Kept turns in order, as shown (a shortened one with its shortened text)."""
        return self._open().dialogue

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """Kept episodes in time order."""
        return self._open().episodes

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """Kept beliefs in time order."""
        return self._open().beliefs

    @property
    def player_line(self) -> str:
        """The player's line as shown."""
        return self._open().player_line
