"""How far making vectors is: a bar, which begins when there is anything to make."""

from __future__ import annotations

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from npc_memory.cli.console import err

__all__ = ["IndexBar"]


class IndexBar:
    """Called with how many memories are done, and of how many; it goes away when all are."""

    def __init__(self) -> None:
        columns = (TextColumn("meanings of memories"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=err)

    def __call__(self, done: int, total: int) -> None:
        """So many of so many are done."""
        if not self._bar.task_ids:
            self._bar.start()
            self._bar.add_task("", total=total)
        self._bar.update(self._bar.task_ids[0], completed=done)
        if done >= total:
            self._bar.stop()
