"""What is said to somebody, and what she says by the book."""

from __future__ import annotations

from roguelike.commands import Accuse
from roguelike.game.deeds import record
from roguelike.game.sight import witnesses
from roguelike.game.world import World
from roguelike.happenings import Line, Message
from roguelike.plot.actions import do
from roguelike.plot.answer import Answer
from roguelike.plot.answers import ANSWERS
from roguelike.plot.clues import CLUES
from roguelike.plot.promises import kept
from roguelike.plot.topics import SUBJECTS, folded, recognised
from roguelike.plot.trial import accuse
from roguelike.plot.trust import trust
from roguelike.town.schedule import FOLK
from roguelike.view import Topic

__all__ = ["answer_about", "hear", "speak_about", "told", "topics"]

AT_ONCE = 2
"""Topics of one line that are answered."""

EARSHOT = 2
"""Steps within which others hear what is said."""

FROM_THE_START = ("help", "king", "rumours", "bridge", "ferry")
ACCUSING = ("accus",
            "murderer", "killed the king", "did it", "charge", "anklag", "beschuldig", "mörder", "acus", "asesin",
            "meurtri", "обвин", "убийц", "犯人")  # fmt: skip


def topics(world: World, npc: str) -> tuple[Topic, ...]:
    """What the hero has heard of and ``npc`` has something to say about, in the order of the menu."""
    about = {answer.topic for answer in ANSWERS.get(npc, ())}
    out = []
    for subject in SUBJECTS.values():
        if subject.id not in about or not _heard_of(world, subject.id):
            continue
        answer = answer_about(world, npc, subject.id)
        if answer is not None:
            out.append(Topic(subject.id, subject.label, subject.line, not _said(world, answer)))
    return tuple(out)


def _heard_of(world: World, topic: str) -> bool:
    """Whether this hero has come across it. What gives somebody away is only offered to who could do so."""
    if topic == "betray":
        return world.knows("tamsin-hides")
    if topic in ("promise", "bribe", "accept"):
        return True
    return topic in FROM_THE_START or bool(world.flag(f"topic:{world.state.hero.id}:{topic}"))


def hear(world: World, text: str) -> None:
    """The hero has heard this, so he can ask about what it touches."""
    for topic in recognised(text):
        world.state.plot.flags.setdefault(f"topic:{world.state.hero.id}:{topic}", world.state.minute)


def told(world: World, npc: str, text: str, say: str) -> None:
    """The hero said ``text`` to ``npc`` and she answered ``say``; now what she has to say by the book, if anything."""
    person = world.nearby(npc, 4)
    if person is None:
        return
    hero = world.state.hero
    hero.talking = npc
    if hero.id not in person.met:
        person.met.append(hero.id)
    hear(world, say)
    kept(world, npc)
    if npc == "captain-hale" and _charge(world, text):
        return
    asked = [subject.id for subject in SUBJECTS.values() if folded(subject.line) == folded(text.strip())]
    answered = 0
    for topic in asked or recognised(text):
        answer = answer_about(world, npc, topic)
        if answer is not None and (asked or not _said(world, answer)) and answered < AT_ONCE:
            _speak(world, answer)
            answered += 1


def speak_about(world: World, npc: str, topic: str) -> None:
    """Have her say what she has to say about it, as often as she is asked."""
    answer = answer_about(world, npc, topic)
    if answer is not None:
        _speak(world, answer)


def _charge(world: World, text: str) -> bool:
    """A name and a word of accusation, before the captain."""
    line = folded(text)
    if not any(word in line for word in ACCUSING):
        return False
    named = [id for id, folk in FOLK.items() if folk.name != "Town Guard" and folded(folk.name.split()[-1]) in line]
    named += ["osric"] if "osric" in line and "osric" not in named else []
    if len(named) != 1:
        return False
    accuse(world, Accuse(named[0]))
    return True


def answer_about(world: World, npc: str, topic: str) -> Answer | None:
    """The first thing ``npc`` has to say about it that fits how matters stand."""
    return next((a for a in ANSWERS.get(npc, ()) if a.topic == topic and _holds(world, a)), None)


def _holds(world: World, answer: Answer) -> bool:
    return (
        world.state.plot.chapter in answer.chapter
        and all(world.knows(clue) for clue in answer.knows)
        and all(world.holds(item) or world.flag(f"given:{item}:{answer.npc}") for item in answer.holds)
        and all(world.flag(name) for name in answer.flags)
        and not any(world.flag(name) for name in answer.unless)
        and (answer.trust <= -99 or trust(world, answer.npc) >= answer.trust)
        and not (answer.alone and _watched_by(world, answer.npc, answer.alone))
    )


def _watched_by(world: World, npc: str, other: str) -> bool:
    """Whether ``other`` can see ``npc``."""
    person = world.state.people[npc]
    return other in witnesses(world, person.x, person.y)


def _said(world: World, answer: Answer) -> bool:
    return bool(world.flag(f"said:{world.state.hero.id}:{answer.id}"))


def _speak(world: World, answer: Answer) -> None:
    """Say it, and let it have its consequences."""
    hero, flags = world.state.hero, world.state.plot.flags
    npc, name = answer.npc, FOLK[answer.npc].name
    flags[f"said:{hero.id}:{answer.id}"] = world.state.minute
    world.emit(Line(npc, answer.say, answer.mood))
    overheard = [id for id in witnesses(world) if id != npc and world.nearby(id, EARSHOT)]
    new = [clue for clue in answer.learns if world.learn(clue, npc)]
    for clue in new:
        world.say(f"Journal: {CLUES[clue].text}", "quest")
        hear(world, CLUES[clue].text)
    if new:
        text = f"{name} told {hero.name}: {CLUES[new[0]].text}"
        world.observe("told", text, [npc, *overheard], actor=npc, target=hero.id, importance=0.8)
    for flag in answer.sets:
        flags[flag] = world.state.minute or 1
    if answer.promise:
        world.state.plot.promises.setdefault(hero.id, []).append(answer.promise)
        record(world, "promise", npc, f"{hero.name} promised {answer.promise}", [npc, *overheard])
    if answer.does:
        world.out.extend(do(world, npc, answer.does, {}).happenings)
    _consequences(world, answer, overheard)


def _consequences(world: World, answer: Answer, overheard: list[str]) -> None:
    """What more than words comes of it."""
    hero = world.state.hero
    if "tamsin-betrayed" in answer.sets:
        hero.coppers += 200
        world.state.people["tamsin"].errand = "cell"
        world.state.people["tamsin"].errand_until = world.state.minute + 100_000
        text = f"{hero.name} told the watch where Tamsin was hiding, for twenty silver"
        record(world, "betrayal", "tamsin", text, ["captain-hale", "tamsin", "marta", *overheard])
        if world.flag("tamsin-safe"):
            broken = f"{hero.name} promised to tell nobody where Tamsin hides, and told the watch."
            world.observe("promise_broken", broken, ["tamsin", "marta"], target="tamsin")
        world.emit(Message("Two guards go out. You hear the kitchen door from here.", "bad"))
    if "bribe-taken" in answer.sets:
        hero.coppers += 5000
        for kind in ("hollow-ring", "kings-letter", "kings-cup", "ledger-page"):
            item = world.holds(kind)
            if item is not None:
                hero.pack.remove(item)
        world.say("Pell counts out fifty gold and takes what you have found. He does not look at you.", "bad")
    if "hale-turned" in answer.sets:
        text = f"{hero.name} read the ledger to Captain Hale, and gave her a chance"
        record(world, "help", "captain-hale", text, ["captain-hale"])
