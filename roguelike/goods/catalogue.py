"""Every kind of thing there is in Emberfall."""

from __future__ import annotations

from roguelike.goods.kind import Kind

__all__ = ["KINDS"]

STEEL, WOOD, RED, GOLD, LEAF = "#b8c4d0", "#a8793f", "#d05050", "#d4af37", "#8fbf6a"

WEAPONS = (
    Kind("knife", "a bone-handled knife", ")", STEEL, "Good for bread, fair for rats.", "weapon", 5, 4, price=10),
    Kind("club", "a table leg", ")", WOOD, "It has settled arguments before.", "weapon", 5, 2, price=4),
    Kind("spear", "a boar spear", ")", STEEL, "Keeps teeth at arm's length.", "weapon", 7, 6, 1, price=40),
    Kind("sword", "an old king's sword", ")", STEEL, "Notched, and still sharper than the council.", "weapon", 9, 3,
         price=90),
    Kind("mace", "a verger's mace", ")", STEEL, "Made for opening coffins. Bones hate it.", "weapon", 8, 3, price=60),
    Kind("dart", "a throwing knife", ")", STEEL, "Flies straighter than it looks.", "", 0, 7, price=6, verb="throw"),
)  # fmt: skip

ARMOUR = (
    Kind("jack", "a leather jack", "[", WOOD, "Smells of its last owner. He lost.", "armour", guard=1, price=40),
    Kind("mail", "a mail shirt", "[", STEEL, "Heavy as a guilty conscience, and better protection.", "armour", guard=2,
         price=120),
    Kind("buckler", "a buckler", "[", WOOD, "A pot lid with ambitions.", "shield", guard=1, price=30),
)  # fmt: skip

LIGHTS = (
    Kind("torch", "a torch", "(", "#f0a030", "Two hours of light and a smell of pitch.", "light", price=3, burns=160),
    Kind("lantern", "a horn lantern", "(", "#f5d76e", "Sees further than a torch. Drinks lamp oil.", "light", price=60,
         burns=300),
    Kind("lamp-oil", "a flask of lamp oil", "!", "#c9a227", "Fill a lantern with it. Or throw it, and run.", thrown=10,
         price=8, verb="pour"),
)  # fmt: skip

DRINKS = (
    Kind("red-draught", "a red draught", "!", RED, "Closes wounds. Tastes of rust.", price=40, verb="drink", heal=16),
    Kind("cats-eye", "cat's-eye drops", "!", "#b6e36b", "For those who walk at night.", price=20, verb="drink",
         effect="cat's eyes", lasts=150),
    Kind("shadow-wine", "shadow wine", "!", "#6d5a8a", "Nobody remembers who drank it.", price=40, verb="drink",
         effect="shadow", lasts=60),
    Kind("quickwater", "quickwater", "!", "#7fd0f0", "The world goes slow, and you do not.", price=40, verb="drink",
         effect="quick", lasts=25),
    Kind("bear-mead", "bear mead", "!", "#d9922b", "Courage by the cup.", price=30, verb="drink", effect="strong",
         lasts=40),
    Kind("sleep-dust", "a puffball of sleep dust", "!", "#c7b0e0", "Throw it. Do not sniff it.", thrown=0, price=20,
         verb="throw"),
)  # fmt: skip

FOOD = (
    Kind("bread", "a loaf of bread", "%", "#d9b36c", "Marta's. Still warm, or was.", price=2, verb="eat", heal=3),
    Kind("stew", "a bowl of stew", "%", "#a86b3c", "It was a brave animal once.", price=5, verb="eat", heal=6),
    Kind("eel", "a smoked eel", "%", "#7d8b94", "Edda's best. It looks at you.", price=3, verb="eat", heal=4),
    Kind("trout", "a trout", "%", "#9fb8c0", "Fresh this week.", price=3, verb="eat", heal=4),
    Kind("ale", "a jug of ale", "!", "#c9922b", "Brown, flat, comforting.", price=2, verb="drink", heal=2),
    Kind("mulled-wine", "a cup of mulled wine", "!", "#8b2f3f", "Warms to the toes.", price=4, verb="drink", heal=4),
    Kind("willow-bark", "willow bark", "%", LEAF, "In hot water. Not more. Please, not more.", price=5, verb="chew",
         heal=8),
    Kind("mint", "a sprig of mint", "%", LEAF, "Comes up everywhere.", price=2, verb="chew", heal=2),
    Kind("comfrey", "a comfrey poultice", "%", LEAF, "Knits what was torn.", price=8, verb="apply", heal=12),
)  # fmt: skip

ODDMENTS = (
    Kind("lockpick", "a bent hairpin", "~", STEEL, "Opens locks for people who have no business with them.", price=15),
    Kind("salt", "a sack of salt", "&", "#e8e8e8", "Worth twice what it was before Lantern Night.", price=60),
    Kind("candlestick", "a temple candlestick", "~", GOLD, "Silver-gilt. Somebody will be missing it.", price=50),
    Kind("pipeweed", "a twist of pipeweed", "~", "#8a6d3b", "Old river leaf. A ferryman would know.", price=6),
    Kind("bead", "a blue glass bead", "*", "#5aa0ff", "Worth nothing, unless you are eleven.", price=2),
    Kind("moonmoss", "a tuft of moonmoss", '"', "#4fd1a5", "Grows where the dead are left in peace.", price=10),
    Kind("iron", "a bar of king's iron", "-", STEEL, "Old, clean, better than anything the river brings.", price=20),
    Kind("nails", "a box of nails", "~", STEEL, "The smithy makes nothing else.", thrown=4, price=10),
)

EVIDENCE = (
    Kind("kings-letter", "the king's sealed letter", "?", "#f0e0b0",
         "It takes the salt charter from the guild. Sealed the day he died.", verb="read", evidence=True),
    Kind("hollow-ring", "a hollow silver ring", "=", "#d8d8e8",
         "There is a hinge, and grey powder under it.", verb="look at", evidence=True),
    Kind("kings-cup", "the king's cup", "u", GOLD,
         "Buried with him, as is the custom. The dregs are grey.", verb="look at", evidence=True),
    Kind("ledger-page", "a page of the guild's ledger", "?", "#e8e3d3",
         "'To H., forty gold, for a door left alone. Lantern Night.'", verb="read", evidence=True),
    Kind("copied-key", "a new key, cut by hand", "~", STEEL,
         "Bright edges. It would fit an old lock. The Keep's wine cellar, say.", verb="look at", evidence=True),
    Kind("courier-seal", "a courier's brass seal", "*", GOLD,
         "The king's rider carried it. It smells of river.", verb="look at", evidence=True),
)  # fmt: skip

KINDS: dict[str, Kind] = {kind.id: kind for kind in (*WEAPONS, *ARMOUR, *LIGHTS, *DRINKS, *FOOD, *ODDMENTS, *EVIDENCE)}
"""Kinds of things by id."""
