"""What the hero can find out, how the journal puts it, and what it proves."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CLUES", "Clue"]


@dataclass(frozen=True)
class Clue:
    """``text``: for the journal. ``proves``: means, hand, motive, door or captain, or nothing by itself. ``item``: a
    thing one must have in hand for it to count.
    """

    text: str
    proves: str = ""
    item: str = ""


CLUES: dict[str, Clue] = {
    "heart-verdict": Clue("The council says the king's heart failed, and would like no questions."),
    "trial-rules": Clue(
        "To charge somebody with murder, go to Captain Hale and show three things: what killed him, whose hand, and "
        "why. "
        "A fourth helps: how they came and went."
    ),
    "tamsin-hides": Clue("Tamsin, the king's cupbearer, hides in the kitchen of the Gilded Stag."),
    "osric-ring": Clue("Tamsin saw Osric tip powder from his hollow ring into the king's cup.", "hand"),
    "ring-stolen": Clue("Nim stole a hollow silver ring from Osric after Lantern Night."),
    "greycap-signs": Clue("Greycap stops the heart and turns the nails blue."),
    "greycap-sold": Clue("Wren sold a pouch of greycap to Pell, Osric's steward. For rats, he said.", "means"),
    "blue-nails": Clue("The dead king's fingernails were blue.", "means"),
    "key-copied": Clue("Brann copied the key of the Keep's wine cellar for Pell.", "door"),
    "postern-unguarded": Clue("The Keep's postern had no guard on Lantern Night, by the captain's order.", "door"),
    "osric-left-by-postern": Clue("Osric left the Keep by the postern at midnight on Lantern Night.", "door"),
    "hale-bribed": Clue("Captain Hale took forty gold from Osric to leave the postern unguarded.", "captain"),
    "jory-saw-fire": Clue("Jory saw Pell run from the burning bridge with an empty oil jar.", "door"),
    "courier-drowned": Clue("The king's courier drowned that night. Jory buried him under the willow."),
    "oil-sold": Clue("Edda sold Pell six jars of lamp oil on the eve of Lantern Night.", "door"),
    "letter-hidden": Clue("The king's sealed letter lies under the third cask in the inn's cellar."),
    "charter-threat": Clue("The king meant to take the salt charter from the guild.", "motive"),
    "pell-burned-bridge": Clue(
        "Pell confesses: he burned the bridge so that the king's courier could not cross.", "door"
    ),
    "osric-guilty": Clue("Pell will say it before a court: Osric Venn poisoned the king.", "hand"),
    "has-kings-letter": Clue("The king's letter takes the salt charter from the guild.", "motive", "kings-letter"),
    "has-hollow-ring": Clue("Osric's ring is hollow, and there is grey powder in it.", "hand", "hollow-ring"),
    "has-kings-cup": Clue("The dregs in the king's cup are grey.", "means", "kings-cup"),
    "has-ledger-page": Clue("The guild's ledger: forty gold 'to H., for a door left alone'.", "captain", "ledger-page"),
    "has-copied-key": Clue("A newly cut key for an old lock lay in the smugglers' den.", "door", "copied-key"),
    "has-courier-seal": Clue("The courier's brass seal, from the grave under the willow."),
}
"""By id: those of the world pack's secrets, and ``has-…`` for what one carries."""
