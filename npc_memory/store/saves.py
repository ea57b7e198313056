"""Save slots: a name for a place in the tree of timelines, and the tree of all saves.

A save copies nothing: it is the place after the newest record that was visible. It never changes; a slot names the
newest save made under its name, and an earlier one stays loadable by its ``save_id``, for a game's own save file may
still hold that.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3

from npc_memory.errors import InvalidInput, UnknownId
from npc_memory.memory import SaveInfo, SaveNode, check_id
from npc_memory.store.database import Database
from npc_memory.store.rows import canonical
from npc_memory.store.save_tree import nodes

__all__ = [
    "AUTOMATIC",
    "MOST_AUTOMATIC",
    "Place",
    "check_save_id",
    "check_slot",
    "delete",
    "drop_old",
    "find",
    "insert",
    "judge",
    "named",
    "playing",
    "put",
    "saves",
    "taken",
    "tree",
    "verdict",
]

AUTOMATIC = "auto"
"""The slot that each load fills with what it leaves."""

MOST_AUTOMATIC = 256
"""Automatic saves of one owner that are kept, the one in the slot among them."""

Place = tuple[int, int]
"""A timeline and the number of a record on it."""

_SAVE_ID = re.compile(r"save-[0-9a-f]{20}", re.ASCII)

_SAVE = """SELECT s.id, s.save_id, s.timeline, s.after_seq, s.game_time, s.real_time, s.world_version, s.automatic,
    s.note, COALESCE(t.slot, '') AS slot"""

_COLUMNS = f"{_SAVE} FROM saves s LEFT JOIN slots t ON t.save = s.id"

_SLOTTED = f"{_SAVE} FROM slots t JOIN saves s ON s.id = t.save"


def check_slot(slot: str) -> str:
    """``slot`` if it may name a slot: any id that is not shaped like a ``save_id``."""
    if _SAVE_ID.fullmatch(check_id(slot, "a slot")):
        raise InvalidInput(f"{slot!r} has the shape of a save_id", hint="choose another name for the slot")
    return slot


def check_save_id(save_id: str) -> str:
    """``save_id`` if it has the shape of one."""
    if not _SAVE_ID.fullmatch(save_id):
        raise InvalidInput(f"{save_id!r} is no save_id", hint="it is what saving answered")
    return save_id


def insert(
    database: Database,
    owner: str,
    place: Place,
    *,
    game_time: int,
    real_time: int,
    world_version: str,
    automatic: bool,
    note: str,
) -> int:
    """Write a save; return its number."""
    number = 1 + database.number("SELECT seq FROM sqlite_sequence WHERE name = 'saves'")
    before = database.scalar("SELECT save_id FROM saves ORDER BY id DESC LIMIT 1")
    world = database.scalar("SELECT world FROM world")
    # Two copies of a file that go separate ways must not give two saves one id; the machine's clock tells them apart.
    known = canonical([world, before, number, *place, game_time, real_time])
    save_id = f"save-{hashlib.sha256(known.encode('utf-8')).hexdigest()[:20]}"
    return database.execute(
        "INSERT INTO saves (save_id, owner, timeline, after_seq, game_time, real_time, world_version, automatic, note)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (save_id, owner, *place, game_time, real_time, world_version, int(automatic), note),
    )


def put(database: Database, owner: str, slot: str, number: int) -> None:
    """From now on ``slot`` names the save of that number, and no other slot does."""
    database.execute("DELETE FROM slots WHERE owner = ? AND (slot = ? OR save = ?)", (owner, slot, number))
    database.execute("INSERT INTO slots (owner, slot, save) VALUES (?, ?, ?)", (owner, slot, number))


def find(database: Database, owner: str, name: str) -> tuple[int, Place, SaveInfo]:
    """Number, place and description of the save that ``name`` (slot or ``save_id``) means; ``UnknownId``."""
    check_id(name, "a save")
    # First who has the name, by two indexes: a game may have thousands of saves that lost their slot.
    sql = "SELECT save FROM slots WHERE owner = ? AND slot = ? UNION ALL SELECT id FROM saves WHERE save_id = ?"
    number = database.scalar(sql, (owner, name, name))
    rows = database.query(f"{_COLUMNS} WHERE s.id = ? AND s.owner = ?", (number, owner))
    if not rows:
        raise UnknownId("save", name, [one.slot for one in saves(database, owner)])
    return int(rows[0]["id"]), (int(rows[0]["timeline"]), int(rows[0]["after_seq"])), _info(rows[0])


def saves(database: Database, owner: str) -> tuple[SaveInfo, ...]:
    """What each slot holds, by slot."""
    rows = database.query(f"{_SLOTTED} WHERE t.owner = ? ORDER BY t.slot", (owner,))
    return tuple(_info(row) for row in rows)


def taken(database: Database, owner: str, place: Place) -> bool:
    """Whether a save stands at ``place``."""
    sql = "SELECT 1 FROM saves WHERE timeline = ? AND after_seq = ? AND owner = ? LIMIT 1"
    return bool(database.query(sql, (*place, owner)))


def delete(database: Database, number: int) -> None:
    """Take a save away. Its records stay: others may share them."""
    database.execute("DELETE FROM saves WHERE id = ?", (number,))


def drop_old(database: Database, owner: str) -> None:
    """Take away the automatic saves that came before the newest ``MOST_AUTOMATIC``, but none that was given a slot or
    that the game goes on from. Their records stay.
    """
    database.execute(
        """DELETE FROM saves WHERE owner = :owner AND automatic = 1 AND id <= (
            SELECT id FROM saves WHERE owner = :owner AND automatic = 1 ORDER BY id DESC LIMIT 1 OFFSET :most)
        AND id NOT IN (SELECT save FROM slots)
        AND id NOT IN (SELECT COALESCE(save, 0) FROM heads WHERE owner = :owner ORDER BY id DESC LIMIT 1)""",
        {"owner": owner, "most": MOST_AUTOMATIC},
    )


def judge(database: Database, number: int, fits: str) -> None:
    """Note for what the save of that number is known to fit a prompt."""
    database.execute("DELETE FROM verdicts WHERE save = ?", (number,))
    database.execute("INSERT INTO verdicts (save, fits) VALUES (?, ?)", (number, fits))


def verdict(database: Database, owner: str, save_id: str) -> str:
    """What ``judge`` noted last, "" for nothing."""
    sql = "SELECT v.fits FROM saves s JOIN verdicts v ON v.save = s.id WHERE s.save_id = ? AND s.owner = ?"
    return str(database.scalar(sql, (save_id, owner)) or "")


def named(database: Database, owner: str, slot: str) -> bool:
    """Whether ``slot`` holds a save."""
    return bool(database.query("SELECT 1 FROM slots WHERE owner = ? AND slot = ?", (owner, slot)))


def playing(database: Database, owner: str) -> str:
    """The slot of the save that the game goes on from, "" when there is none or another save took its slot."""
    found = database.query("SELECT save FROM heads WHERE owner = ? ORDER BY id DESC LIMIT 1", (owner,))
    save = found[0]["save"] if found else None
    return str(database.scalar("SELECT slot FROM slots WHERE save = ?", (save,)) or "")


def tree(database: Database, owner: str) -> tuple[SaveNode, ...]:
    """All saves, those without a slot too, oldest first."""
    rows = database.query(f"{_COLUMNS} WHERE s.owner = ? ORDER BY s.id", (owner,))
    return nodes(database, owner, rows, _info)


def _info(row: sqlite3.Row) -> SaveInfo:
    return SaveInfo(
        slot=row["slot"],
        save_id=row["save_id"],
        game_time=row["game_time"],
        real_time=row["real_time"],
        note=row["note"],
        world_version=row["world_version"],
        automatic=bool(row["automatic"]),
    )
