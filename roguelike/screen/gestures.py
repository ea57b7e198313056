"""What somebody does with her hands: when the hero walks up, and while she thinks of an answer. Looks only: nothing of
it is remembered, and no dice are thrown for it.
"""

from __future__ import annotations

from roguelike.signature import signature

__all__ = ["looks_up", "thinks"]

LOOKS_UP: dict[str, tuple[str, ...]] = {
    "marta": ("Marta wipes the counter and looks up.", "Marta points at a stool with her ladle."),
    "brann": ("Brann lays the hammer down.", "Brann nods, and goes on holding the tongs."),
    "edda": ("Edda slaps an eel on the board and beams.", "Edda leans over the stall, all ears."),
    "maelis": ("Mother Maelis turns from the fire.", "Mother Maelis folds her hands and waits."),
    "wren": ("Wren jumps, and saves a jar from falling.", "Wren looks up from a bundle of stalks."),
    "osric": ("Osric Venn closes the ledger on his finger.", "Osric Venn smiles with most of his face."),
    "pell": ("Pell looks over his shoulder, then at you.", "Pell hides a bandaged hand in his sleeve."),
    "jory": ("Jory takes the cold pipe out of his mouth.", "Jory looks at the river, then at you."),
    "nim": ("Nim has both hands behind her back.", "Nim looks at your belt, then at your face."),
    "tamsin": ("Tamsin does not stop scrubbing.", "Tamsin looks at the door behind you first."),
    "captain-hale": ("Captain Hale looks up from a report.", "Captain Hale puts the pen down, slowly."),
    "guard-gate": ("The guard stands up straight. Something rumbles.", "The guard lowers his spear, and sniffs."),
    "guard-wall": ("The guard turns a page of the rule book.", "The guard looks you up and down."),
}

THINKS: dict[str, tuple[str, ...]] = {
    "marta": ("Marta stirs the pot and thinks about it.", "Marta tops up somebody's ale on the way.",
              "Marta looks at the ceiling as if it had the answer."),
    "brann": ("Brann turns a nail over in his fingers.", "Brann works the bellows once, twice.",
              "Brann looks into the coals."),
    "edda": ("Edda opens her mouth, and looks round first.", "Edda counts eels that do not need counting.",
             "Edda wipes her hands. It takes a while."),
    "maelis": ("Mother Maelis looks into the fire.", "Mother Maelis lays on another log.",
               "Mother Maelis shuts her eyes. She is not asleep."),
    "wren": ("Wren picks leaves off a stalk.", "Wren smells a jar, and puts it back.", "Wren begins, and stops again."),
    "osric": ("Osric Venn weighs that.", "Osric Venn straightens a column of coins.", "Osric Venn taps the ledger."),
    "pell": ("Pell swallows.", "Pell looks for his master.", "Pell pulls his sleeve down over his hand."),
    "jory": ("Jory sucks on the empty pipe.", "Jory watches a branch float by.", "Jory lets the river answer first."),
    "nim": ("Nim scratches one foot with the other.", "Nim looks for the nearest way out.", "Nim chews on nothing."),
    "tamsin": ("Tamsin scrubs a pot that is clean.", "Tamsin listens at the wall.", "Tamsin wrings the rag out."),
    "captain-hale": ("Captain Hale looks at you for a long moment.", "Captain Hale turns a die between her fingers.",
                     "Captain Hale looks out at the square."),
    "guard-gate": ("The guard frowns with the effort.", "The guard's stomach speaks first.",
                   "The guard looks at a pigeon for help."),
    "guard-wall": ("The guard looks it up.", "The guard turns three pages back.", "The guard wets a finger."),
}  # fmt: skip


def looks_up(npc: str, minute: int) -> str:
    """When the hero turns to ``npc``, at this minute of the game; empty for who has no gesture."""
    lines = LOOKS_UP.get(npc, ())
    return lines[signature(f"{npc} {minute}") % len(lines)] if lines else ""


def thinks(npc: str, minute: int, number: int) -> str:
    """While she thinks: the first line, the second …; they come round again."""
    lines = THINKS.get(npc, ("…",))
    return lines[(signature(f"{npc} {minute}") + number) % len(lines)]
