"""Saved games: one small file each, which carries the rules' state and the id of the NPCs' memory that belongs to it.

The memory is saved first and its ``save_id`` never changes its meaning; then the file is put in place in one step. So a
crash between the two leaves the older file, whose older id still means what it meant: game and memory always belong
together.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from npc_memory.errors import InvalidInput

__all__ = ["AUTO", "SLOTS", "SavedGame", "Slots"]

FORMAT = 1
AUTO = "auto"
SLOTS = (AUTO, "1", "2", "3", "4", "5")
"""The automatic one (at every threshold, after every talk, every few turns, on leaving), and the player's own."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """One game file. ``owner``: whose records in the bridge's file; ``save_id``: their state; ``game``: the rules'.

    ``hero``, ``where``, ``when``, ``turn``: what to show in a list. ``thinker``, ``audit``: who answered last, and the
    bridge's id of what was in her mind then; empty when nobody did.
    """

    owner: str
    save_id: str
    hero: str
    where: str
    when: str
    turn: int
    game: str
    thinker: str = ""
    audit: str = ""


class Slots:
    """The game files in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, slot: str, saved: SavedGame) -> None:
        """Put ``saved`` in place of what the slot held, whole or not at all. Raises ``InvalidInput`` when the disk does
        not take it.
        """
        text = json.dumps({"emberfall": FORMAT, **asdict(saved)}, ensure_ascii=False, sort_keys=True)
        path = self._path(slot)
        half = path.with_suffix(".part")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with half.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            half.replace(path)
        except OSError as error:
            raise InvalidInput(
                f"the game could not be saved: {error.strerror or error}", hint=f"make room for {path}"
            ) from error

    def read(self, slot: str) -> SavedGame:
        """The game in ``slot``. Raises ``InvalidInput`` when there is none, or one that cannot be read."""
        path = self._path(slot)
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InvalidInput(f"slot {slot} is empty", hint="choose another one") from None
        except (OSError, ValueError) as error:
            raise InvalidInput(f"{path} cannot be read: {error}", hint="choose another slot") from error
        if not isinstance(kept, dict) or not isinstance(version := kept.pop("emberfall", None), int):
            raise InvalidInput(f"{path} is no saved game", hint="choose another slot")
        if version != FORMAT:
            raise InvalidInput(f"{path} was saved by a newer game (format {version})", hint="update npc-memory")
        try:
            return SavedGame(**kept)
        except TypeError as error:
            raise InvalidInput(f"{path} is no whole saved game", hint="choose another slot") from error

    def keep(self) -> str | None:
        """Copy the automatic slot to the first empty one, which is returned; None when there is none. The memory it
        belongs to is another game's than that of a game begun next, and stays.
        """
        free = next((slot for slot, saved in self.list().items() if saved is None and slot != AUTO), None)
        if free is not None:
            self.write(free, self.read(AUTO))
        return free

    def list(self) -> dict[str, SavedGame | InvalidInput | None]:
        """Each slot with its game, None when it is empty, or why it cannot be read."""
        found: dict[str, SavedGame | InvalidInput | None] = {}
        for slot in SLOTS:
            if not self._path(slot).exists():
                found[slot] = None
                continue
            try:
                found[slot] = self.read(slot)
            except InvalidInput as error:
                found[slot] = error
        return found

    @property
    def newest(self) -> str | None:
        """The slot saved last, None when there is none."""
        times = [(self._path(slot).stat().st_mtime_ns, slot) for slot in SLOTS if self._path(slot).exists()]
        return max(times)[1] if times else None

    def _path(self, slot: str) -> Path:
        if slot not in SLOTS:
            raise InvalidInput(f"there is no slot {slot!r}", hint=f"one of {', '.join(SLOTS)}")
        return self.folder / f"{slot}.json"
