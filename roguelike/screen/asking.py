"""What the screen asks the player: which item, which topic, which slot, what now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rich.text import Text

from npc_memory.errors import InvalidInput
from roguelike import commands
from roguelike.happenings import Died, Ending, Message
from roguelike.screen.keys import HELP
from roguelike.screen.picker import Page, Picker
from roguelike.session import Offer
from roguelike.slots import AUTO, SavedGame
from roguelike.view import Carried

if TYPE_CHECKING:
    from roguelike.screen.play import Play

__all__ = ["OPENERS", "before_new", "died", "ended", "menu", "offered", "slot_picker", "talk_to_near", "which"]

HEIRS = ("Wayfarer", "Drover", "Pilgrim", "Tinker", "Sailor", "Scribe")
"""What those are called who come after the first hero."""

GOLD, DIM = "#e8c860", "#807868"


def offered(name: str, offer: Offer) -> str:
    """What an NPC wants to do, in words."""
    if not offer.action.id:
        return f"{name} offers: {offer.action.label}."
    args = "" if offer.unclear else ", ".join(str(value) for value in offer.action.args.values())
    return f"{name} offers: {offer.action.label or offer.action.name}{': ' + args if args else ''}."


def talk_to_near(play: Play) -> None:
    """Turn to whoever is beside the hero."""
    view = play.session.view
    near = sorted(
        (max(abs(one.x - view.x), abs(one.y - view.y)), one.id, one.name)
        for one in view.figures
        if one.kind == "person"
    )
    close = [(id, name) for steps, id, name in near if steps <= 2]

    def chosen(id: str | None) -> None:
        if id:
            play.do(commands.Meet(id))

    if not close:
        play.note(Message("Nobody is beside you. Walk up to somebody.", "dim"))
    elif len(close) == 1:
        chosen(close[0][0])
    else:
        play.app.push_screen(Picker("Talk to whom?", close), chosen)


def topics(play: Play) -> None:
    """What the hero could ask whom he talks with: about something, or for something."""
    npc = play.talk.npc
    if not npc:
        talk_to_near(play)
        return
    game = play.session.game
    lines = {f"ask {topic.id}": topic.line for topic in game.topics(npc)}
    deals = {f"deal {number}": deal for number, deal in enumerate(game.deals(npc))}
    choices = [
        (f"ask {topic.id}", Text.assemble((topic.label, "" if topic.fresh else DIM), (f"  “{topic.line}”", DIM)))
        for topic in sorted(game.topics(npc), key=lambda topic: not topic.fresh)
    ]
    choices += [(id, Text.assemble(("» ", GOLD), deal.label)) for id, deal in deals.items()]
    if not choices:
        play.note(Message("Nothing comes to mind that you could ask. Say what you like.", "dim"))
        return

    def chosen(id: str | None) -> None:
        if id in lines:
            play.say(lines[id])
        elif id in deals:
            play.show_done(play.session.deal(npc, deals[id].action, deals[id].args))

    play.app.push_screen(Picker(f"Ask {play.session.name_of(npc)}", choices), chosen)


def which(play: Play, npc: str, action: str) -> None:
    """Let the player say which of the wares he means."""
    deals = {str(number): deal for number, deal in enumerate(play.session.game.deals(npc)) if deal.action == action}
    choices = [(id, deal.label) for id, deal in deals.items()]

    def chosen(id: str | None) -> None:
        if id is not None:
            play.show_done(play.session.deal(npc, action, deals[id].args))

    play.app.push_screen(Picker("Which?", choices), chosen)


def pack(play: Play) -> None:
    """What the hero carries, and what to do with it."""
    _choose_item(play, "Your pack", lambda item: _verbs(play, item))


def throw(play: Play) -> None:
    """Throw something somewhere."""
    _choose_item(play, "Throw what?", lambda item: play.begin_look(item.id))


def hand(play: Play) -> None:
    """Give, show or sell something to whom the hero talks with."""
    npc = play.talk.npc
    if not npc:
        play.note(Message("Walk into somebody first.", "dim"))
        return

    def then(item: Carried) -> None:
        choices = [("show", "Show it, and keep it"), ("give", "Give it away")]
        if paid := play.session.game.offered_for(npc, item.id):
            choices.append(("sell", f"Sell it for {paid}c"))

        def do(verb: str | None) -> None:
            match verb:
                case "show":
                    play.do(commands.Show(npc, item.id))
                case "give":
                    play.do(commands.Give(npc, item.id))
                case "sell":
                    play.do(commands.Sell(npc, item.id))

        play.app.push_screen(Picker(item.name, choices), do)

    game = play.session.game
    prices = {item.id: paid for item in play.session.view.pack if (paid := game.offered_for(npc, item.id))}
    _choose_item(play, f"Show, give or sell {play.session.name_of(npc)} what?", then, prices)


def _choose_item(
    play: Play, title: str, then: Callable[[Carried], None], prices: Mapping[str, int] = MappingProxyType({})
) -> None:
    carried = {item.id: item for item in play.session.view.pack}
    if not carried:
        play.note(Message("Your pack is empty.", "dim"))
        return
    choices = [(item.id, _described(item, prices.get(item.id, 0))) for item in carried.values()]
    play.app.push_screen(Picker(title, choices), lambda id: then(carried[id]) if id else None)


def _described(item: Carried, paid: int) -> Text:
    worn = (" (in use)", GOLD) if item.equipped else ("", "")
    price = (f"  {paid}c", GOLD) if paid else ("", "")
    return Text.assemble((f"{item.glyph} ", item.colour), item.name, worn, price, (f"  {item.about}", DIM))


def _verbs(play: Play, item: Carried) -> None:
    ways: dict[str, tuple[str, Callable[[], Any]]] = {}
    if item.verb:
        ways["use"] = (item.verb.capitalize(), lambda: play.do(commands.Use(item.id)))
    off = "Take off, put out or put away" if item.equipped else "Wield, wear or light"
    ways["equip"] = (off, lambda: play.do(commands.Equip(item.id)))
    ways["throw"] = ("Throw", lambda: play.begin_look(item.id))
    ways["drop"] = ("Drop", lambda: play.do(commands.Drop(item.id)))
    choices = [(id, label) for id, (label, _) in ways.items()]
    play.app.push_screen(Picker(item.name, choices), lambda id: ways[id][1]() if id else None)


def journal(play: Play) -> None:
    """What the hero knows, has promised, and could do."""
    found, text = play.session.game.journal(), Text()
    text.append("What to do next\n", style=GOLD)
    for lead in found.leads or ("Talk to people. Somebody saw something.",):
        text.append(f" · {lead}\n")
    if found.promises:
        text.append("\nWhat you promised\n", style=GOLD)
        for promise in found.promises:
            text.append(f" · {promise}\n")
    text.append("\nWhat you know\n", style=GOLD)
    for entry in found.entries:
        text.append(f" · {entry.text}").append(f"  ({entry.source}, {entry.day})\n", style=DIM)
    if not found.entries:
        text.append(" nothing yet\n", style=DIM)
    play.app.push_screen(Page("Your journal", text))


def accuse(play: Play) -> None:
    """Charge somebody with the king's murder."""
    suspects = play.session.game.suspects()
    if not suspects:
        play.note(Message("An accusation is heard by Captain Hale. Find her first.", "dim"))
        return
    choices = [(id, play.session.name_of(id)) for id in suspects]

    def then(who: str | None) -> None:
        if who:
            play.do(commands.Accuse(who))

    play.app.push_screen(Picker("Accuse whom of the king's murder?", choices), then)


def before_new(app: Any) -> None:
    """Begin a new game, but not over the one that goes on in the automatic slot without asking."""
    slots = app.table.slots
    saved = slots.list()
    going = saved[AUTO]
    if not isinstance(going, SavedGame):
        app.begin()
        return
    about = f"{going.hero}, {going.where}"
    choices = [("over", f"Begin, and give up {about}"), ("back", "Never mind")]
    if None in saved.values():
        choices.insert(0, ("keep", f"Keep {about}, in a slot of its own, and begin"))

    def chosen(what: str | None) -> None:
        if what == "keep":
            try:
                slots.keep()
            except InvalidInput as error:
                app.push_screen(Page("Not kept", f"{error}\n\nNothing was changed."))
                return
        if what in ("keep", "over"):
            app.begin()

    app.push_screen(Picker("The automatic slot holds a game", choices), chosen)


def slot_picker(title: str, slots: Any, *, writing: bool) -> Picker:
    """A list of the slots; each has the same key whatever the list is for. Loading begins at what was saved last."""
    choices = slot_choices(slots, writing=writing)
    keys = ["a" if slot == AUTO else slot for slot, _ in choices]
    return Picker(title, choices, keys=keys, at=None if writing else slots.newest)


def slot_choices(play_slots: Any, *, writing: bool) -> list[tuple[str, Text]]:
    """The slots, with what is in them."""
    choices = []
    for slot, saved in play_slots.list().items():
        if writing and slot == AUTO:
            continue
        label = "automatic" if slot == AUTO else f"slot {slot}"
        if saved is None:
            if not writing:
                continue
            about = "empty"
        elif isinstance(saved, Exception):
            about = "cannot be read"
        else:
            about = f"{saved.hero}, {saved.where}, {saved.when}, turn {saved.turn}"
        choices.append((slot, Text.assemble(f"{label:<10}", (about, DIM))))
    return choices


def save(play: Play) -> None:
    """Choose a slot and save."""
    if play.session.view.over == "dead":
        play.note(Message("The dead save nothing. Esc: what now.", "dim"))
        return
    picker = slot_picker("Save the game in", play.session.slots, writing=True)
    play.app.push_screen(picker, lambda slot: _app(play).save(slot) if slot else None)


def load(play: Play) -> None:
    """Choose a slot and load it."""
    picker = slot_picker("Load", play.session.slots, writing=False)
    if not picker.choices:
        play.note(Message("There is no saved game yet. F5 saves.", "dim"))
        return
    play.app.push_screen(picker, lambda slot: _before_load(play, slot) if slot else None)


def _before_load(play: Play, slot: str) -> None:
    """Load, but not over what no slot holds without asking."""
    if not play.session.unsaved or play.session.view.over:
        _app(play).load(slot)
        return
    view = play.session.view
    choices = [("back", "Never mind"), ("load", "Load, and give up what was played since it was saved")]
    free = next((id for id, saved in play.session.slots.list().items() if saved is None and id != AUTO), None)
    if free is not None:
        choices.insert(1, ("save", f"Save it in slot {free} first, then load"))

    def chosen(what: str | None) -> None:
        if what == "load":
            _app(play).load(slot)
        elif what == "save" and free is not None:
            _app(play).load(slot, saving=free)

    play.app.push_screen(Picker(f"{view.hero.name}, turn {view.turn}, is not saved", choices), chosen)


def messages(play: Play) -> None:
    """Everything the log still has, newest last."""
    page = Page("Messages", play.log_view.whole, "PageUp, PageDown, arrows · Esc: back", from_end=True)
    play.app.push_screen(page)


def menu(play: Play) -> None:
    """Go on, save, load or leave."""
    if play.session.view.over == "dead":
        _dead(play)
        return
    choices = [
        ("stay", "Go on playing"),
        ("journal", "Your journal"),
        ("save", "Save"),
        ("load", "Load"),
        ("help", "Keys"),
        ("title", "Save and leave to the title"),
        ("quit", "Save and quit"),
    ]

    def chosen(what: str | None) -> None:
        if what in ("title", "quit"):
            _app(play).leave(quit=what == "quit")
        elif what in OPENERS:
            OPENERS[what](play)

    play.app.push_screen(Picker("Emberfall", choices), chosen)


def died(play: Play, death: Died) -> None:
    """The hero is dead; the world is not."""
    cause = f"{death.cause[0].upper()}{death.cause[1:]} killed you." if death.cause else "You lie where you fell."
    text = f"{cause}\n\nThe people of Emberfall will remember. Somebody else may come up the river road."

    page = Page("You are dead", text, "Enter: go on as a new hero · Esc: other choices", enter="heir")
    play.app.push_screen(page, lambda answer: _heir(play) if answer == "heir" else _dead(play))


def _heir(play: Play) -> None:
    number = int(play.session.view.hero.id.rpartition("-")[2])
    play.show_happenings(play.session.next_hero(HEIRS[(number - 1) % len(HEIRS)]))


def _dead(play: Play) -> None:
    """What the dead can do; there is no way past it."""
    choices = [
        ("heir", "Go on as a new hero"),
        ("journal", "Your journal"),
        ("load", "Load"),
        ("title", "Leave to the title"),
        ("quit", "Quit"),
    ]

    def chosen(what: str | None) -> None:
        if what == "heir":
            _heir(play)
        elif what in ("title", "quit"):
            _app(play).leave(quit=what == "quit")
        elif what is None:
            _dead(play)
        else:
            OPENERS[what](play)

    play.app.push_screen(Picker("You are dead", choices, "Enter: choose"), chosen)


def ended(play: Play, ending: Ending) -> None:
    """The story is over."""
    page = Page(ending.title, ending.text, "Enter or Esc: leave this tale", enter="menu")
    play.app.push_screen(page, lambda answer: menu(play))


def help_page(play: Play) -> None:
    """The keys."""
    play.app.push_screen(Page("Keys", HELP))


def _app(play: Play) -> Any:
    return play.app


OPENERS: dict[str, Callable[[Play], None]] = {
    "talk": talk_to_near,
    "topics": topics,
    "hand": hand,
    "pack": pack,
    "throw": throw,
    "journal": journal,
    "accuse": accuse,
    "messages": messages,
    "look": lambda play: play.begin_look(),
    "help": help_page,
    "skull": lambda play: play.toggle_skull(),
    "save": save,
    "load": load,
    "menu": menu,
}
