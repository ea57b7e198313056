"""Which key does what on the map: vi keys, arrows and numpad; pure."""

from __future__ import annotations

from roguelike.commands import Ascend, Command, Descend, PickUp, Sleep, Wait

__all__ = ["AIMED", "ASKED", "DIRECTIONS", "HELP", "HERE", "PLAIN", "RUNS"]

Step = tuple[int, int]

_WAYS: dict[Step, tuple[str, ...]] = {
    (0, -1): ("k", "up", "8"),
    (0, 1): ("j", "down", "2"),
    (-1, 0): ("h", "left", "4"),
    (1, 0): ("l", "right", "6"),
    (-1, -1): ("y", "home", "7"),
    (1, -1): ("u", "pageup", "9"),
    (-1, 1): ("b", "end", "1"),
    (1, 1): ("n", "pagedown", "3"),
}

DIRECTIONS: dict[str, Step] = {key: step for step, keys in _WAYS.items() for key in keys}
"""Keys that step, and that answer "in which direction?"."""

HERE = ("full_stop", "5", "s")
"""Keys that answer it with "underfoot"."""

RUNS: dict[str, Step] = {
    **{key.upper(): step for key, step in DIRECTIONS.items() if len(key) == 1 and key.isalpha()},
    **{f"shift+{key}": step for key, step in DIRECTIONS.items() if key in ("up", "down", "left", "right")},
}
"""Keys that run until something comes into view."""

PLAIN: dict[str, Command] = {
    "full_stop": Wait(),
    "5": Wait(),
    "s": Wait(),
    "g": PickUp(),
    "comma": PickUp(),
    "greater_than_sign": Descend(),
    "less_than_sign": Ascend(),
    "Z": Sleep(),
}
"""Keys that are a command by themselves."""

AIMED: dict[str, tuple[str, str]] = {
    "f": ("Attack", "Strike in which direction?"),
    "p": ("Steal", "Take what is not yours, in which direction?"),
    "P": ("Push", "Squeeze past in which direction?"),
    "c": ("Close", "Close the door in which direction?"),
}
"""Keys that want a direction: the command's name, and the question."""

ASKED: dict[str, str] = {
    "t": "talk",
    "i": "pack",
    "v": "throw",
    "q": "journal",
    "m": "messages",
    "A": "accuse",
    "colon": "look",
    "x": "look",
    "question_mark": "help",
    "f1": "help",
    "f2": "skull",
    "f3": "topics",
    "f4": "hand",
    "f5": "save",
    "f6": "load",
    "ctrl+s": "save",
    "tab": "turn_to_talk",
    "escape": "menu",
    "Q": "menu",
}
"""Keys that open something of the screen's."""

HELP = """\
Move     h j k l  y u b n, arrows or numpad; with Shift you run
Talk     walk into somebody, then type; t: to whoever is beside you
Strike   walk into a monster; f and a direction: anybody at all
. s 5    wait a minute           Z     sleep
g ,      pick up                 > <   stairs down, up
i        your pack               v     throw something
p        steal (who is looking?) P     squeeze past somebody
c        close a door            : x   look around
q        what you know           m     earlier messages
A        accuse somebody, before the captain
F2       the glass skull: what goes on in her head
F5 F6    save, load              Esc   leave, save or go on

While you talk:  Enter  say it, or on an empty line accept her offer
                 F3     what you can ask     F4   give, show, sell
                 Tab    to the map and back  Esc  cut her short, leave
                 PageUp, PageDown  what was said before
"""
