"""Theft and blows in town: who saw it, and what the watch does about it."""

from __future__ import annotations

from roguelike.commands import Attack, Steal
from roguelike.game.combat import strike
from roguelike.game.deeds import record
from roguelike.game.hours import skip_to
from roguelike.game.inventory import ROOM, carry
from roguelike.game.sight import witnesses
from roguelike.game.walking import arrive
from roguelike.game.world import World
from roguelike.goods import KINDS
from roguelike.happenings import Line
from roguelike.state import Person
from roguelike.town.schedule import FOLK

__all__ = ["attack", "fine", "jail", "steal"]

WATCH = ("captain-hale", "guard-gate", "guard-wall")
FINE = 20
"""Coppers: the two silver of the market guard's rule book."""

PURSES = {"osric": (10, 40), "pell": (2, 8), "edda": (3, 12), "marta": (3, 12), "captain-hale": (1, 6), "jory": (1, 5)}
"""Coppers in a pocket, from and to; other people have next to nothing."""


def steal(world: World, command: Steal) -> bool:
    """Take what is somebody's, from the tile at (dx, dy) or out of a pocket."""
    hero = world.state.hero
    x, y = hero.x + command.dx, hero.y + command.dy
    if max(abs(command.dx), abs(command.dy)) > 1:
        world.say("That is too far away.", "dim")
        return False
    person = world.person_at(x, y)
    if person is not None and (command.dx, command.dy) != (0, 0):
        return _pick_pocket(world, person)
    owned = [item for item in world.items_at(x, y) if item.owner]
    if not owned:
        world.say("There is nothing there to steal.", "dim")
        return False
    if len(hero.pack) >= ROOM:
        world.say("You can carry no more.", "bad")
        return False
    item, owner = owned[0], owned[0].owner
    seen = witnesses(world)
    world.level.items.remove(item)
    carry(world, item)
    name = KINDS[item.kind].name
    record(world, "theft", owner, f"{hero.name} stole {name} from {FOLK[owner].name}", seen)
    _after(world, owner, name, seen)
    return True


def _pick_pocket(world: World, person: Person) -> bool:
    """A hand in a pocket: the owner may notice, awake; the others see it as they see anything."""
    hero = world.state.hero
    seen = [npc for npc in witnesses(world) if npc != person.id]
    if not person.asleep and world.state.dice.chance(55 - 4 * hero.level):
        seen.insert(0, person.id)
    low, high = PURSES.get(person.id, (0, 2))
    emptied = f"purse:{person.id}"
    taken = world.state.dice.between(low, high) if not world.flag(emptied) else 0
    world.state.plot.flags[emptied] = 1
    hero.coppers += taken
    what = f"{taken} coppers" if taken else "nothing at all"
    world.say(f"Your fingers find {what}.")
    text = f"{hero.name} had a hand in {FOLK[person.id].name}'s pocket"
    record(world, "theft", person.id, text, seen)
    _after(world, person.id, "", seen)
    return True


def _after(world: World, owner: str, name: str, seen: list[str]) -> None:
    """What he has now, and what those say who saw it. Nobody saw it: nobody says anything."""
    mine = f"{name[0].upper()}{name[1:]} is yours now." if name else ""
    if not seen:
        world.say(f"{mine} Nobody saw.".strip(), "dim")
        return
    if mine:
        world.say(mine, "dim")
    speaker = owner if owner in seen else seen[0]
    world.say(f"{_subject(speaker)} saw that.", "danger")
    if speaker in CRIES:
        world.emit(Line(speaker, CRIES[speaker], "angry" if speaker != "nim" else "amused"))
    guards = [npc for npc in seen if npc in WATCH]
    if guards:
        fine(world, guards[0], "theft")


CRIES = {
    "edda": "Thief! Oh, I have a voice, dear, and I am going to use it!",
    "marta": "Put that back, love, and then get out of my sight.",
    "osric": "I count everything, friend. I have just counted one less.",
    "pell": "My master will hear of this. Oh dear. My master hears of everything.",
    "nim": "Clumsy! Elbow in, thumb under. Who taught you?",
    "brann": "That's mine. I'll remember.",
    "maelis": "From the temple, child? The fire saw it. So did I.",
    "wren": "That's... you took... like bindweed. Just like bindweed.",
    "jory": "River takes things too. But the river doesn't sneak.",
    "tamsin": "I saw nothing. I never see anything. Please go.",
    "captain-hale": "Hand. Off. Now.",
    "guard-wall": "Article four! I saw that! Article four!",
    "guard-gate": "Hey! I mean... hey! Was that food?",
}
"""What each says who catches a thief."""


def fine(world: World, guard: str, reason: str) -> None:
    """The watch makes him pay, or sit."""
    hero = world.state.hero
    if hero.coppers >= FINE:
        hero.coppers -= FINE
        world.say(f"{_subject(guard)} takes two silver off you for {reason}.", "bad")
        world.observe("fine", f"{hero.name} was fined two silver for {reason}.", [guard], actor=guard, target=hero.id)
    else:
        world.say(f"You cannot pay the fine for {reason}.", "bad")
        jail(world, guard, reason)


def jail(world: World, guard: str, reason: str) -> None:
    """A night in a cell: until seven in the morning."""
    hero = world.state.hero
    world.observe(
        "jail", f"{hero.name} spent a night in the cells for {reason}.", ["captain-hale", guard], target=hero.id
    )
    world.say("The cell door closes. Somebody has scratched 'IT WAS THE SALT' into the wall.", "bad")
    skip_to(world, 7 * 60)
    arrive(world, "town", (66, 9))
    hero.hp = min(hero.max_hp, hero.hp + 8)
    world.say("In the morning they let you go.", "dim")


def attack(world: World, command: Attack) -> bool:
    """A blow on purpose. Monsters take it as any blow; people remember it."""
    hero = world.state.hero
    x, y = hero.x + command.dx, hero.y + command.dy
    person = world.person_at(x, y)
    monster = world.monster_at(x, y)
    if max(abs(command.dx), abs(command.dy)) != 1 or (person is None and monster is None):
        world.say("You hit the air. It does not hit back.", "dim")
        return False
    if monster is not None:
        strike(world, monster)
    elif person is not None:
        _assault(world, person)
    return True


def _assault(world: World, person: Person) -> None:
    """Nobody of the town is killed: they go down, and the town knows who did it."""
    hero = world.state.hero
    seen = [person.id, *(npc for npc in witnesses(world) if npc != person.id)]
    person.down, person.asleep = 40, False
    world.say(f"{_subject(person.id)} goes down.", "danger")
    record(world, "assault", person.id, f"{hero.name} knocked {FOLK[person.id].name} down", seen)
    guards = [npc for npc in seen if npc in WATCH and npc != person.id]
    if guards:
        jail(world, guards[0], "brawling")


def _subject(npc: str) -> str:
    """What somebody is called where a sentence begins."""
    name = FOLK[npc].name
    return "The town guard" if name == "Town Guard" else name
