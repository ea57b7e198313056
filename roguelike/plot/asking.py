"""What is said to somebody, and what she says by the book.

A line that the book answers is answered by the book, at once and alone: two voices in one answer would contradict each
other. All other lines are the model's.
"""

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
from roguelike.plot.denying import DENIALS, deny, to_her_face
from roguelike.plot.hello import due_hello, say_hello
from roguelike.plot.knowing import due_memory, say_memory
from roguelike.plot.promises import kept
from roguelike.plot.topics import SUBJECTS, folded, recognised
from roguelike.plot.trial import accuse
from roguelike.plot.trust import trust
from roguelike.plot.wanting import offer_wanted, wanted
from roguelike.town.schedule import FOLK
from roguelike.view import Topic

__all__ = ["answer_about", "answers", "asked", "hear", "speak_about", "told", "topics"]

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


def answers(world: World, npc: str, text: str) -> bool:
    """Whether ``npc`` answers this line by the book."""
    if world.nearby(npc, 4) is None:
        return False
    if npc == "captain-hale" and _charged(text):
        return True
    if (to_her_face(text) and npc in DENIALS) or due_memory(world, npc, text):
        return True
    if wanted(world, npc, text) is not None or any(_due(world, npc, text, topic) for topic in _touched(text)):
        return True
    return due_hello(world, npc, text)


def asked(world: World, npc: str, text: str) -> None:
    """The hero said ``text`` to ``npc``, and this is what she has to say about it by the book. She remembers both, and
    so does who stood by.
    """
    if not _turned_to(world, npc):
        return
    who = _charged(text) if npc == "captain-hale" else ""
    if who:
        accuse(world, Accuse(who))
        return
    says: list[str] = []
    before, deal = len(_known(world)), wanted(world, npc, text)
    if to_her_face(text) and npc in DENIALS:
        says.append(deny(world, npc))
    elif due_memory(world, npc, text):
        says.append(say_memory(world, npc))
    elif deal is not None:
        says.append(offer_wanted(world, npc, deal))
    for topic in () if deal or says else _touched(text):
        answer = _due(world, npc, text, topic)
        if answer is not None and len(says) < AT_ONCE:
            _speak(world, answer)
            says.append(answer.say)
    if not says and due_hello(world, npc, text):
        says.append(say_hello(world, npc))
    if says:
        hero, name = world.state.hero.name, FOLK[npc].name
        line = text.strip().replace('"', "'")
        said = f'{hero} said to {name}: "{line}" {name} answered: "{" ".join(says)}"'
        _remembered(world, npc, said, new=len(_known(world)) > before)


def told(world: World, npc: str, say: str) -> None:
    """``npc`` has answered the hero in words of her own, ``say``."""
    if _turned_to(world, npc):
        hear(world, say)


def _turned_to(world: World, npc: str) -> bool:
    """The hero talks with her; False when she is not there."""
    person, hero = world.nearby(npc, 4), world.state.hero
    if person is None:
        return False
    hero.talking = npc
    if hero.id not in person.met:
        person.met.append(hero.id)
    kept(world, npc)
    return True


def _touched(text: str) -> tuple[str, ...]:
    """What a line asks about: a question of the menu only what it stands for."""
    return _of_the_menu(text) or recognised(text)


def _of_the_menu(text: str) -> tuple[str, ...]:
    line = folded(text.strip())
    return tuple(subject.id for subject in SUBJECTS.values() if folded(subject.line) == line)


def _due(world: World, npc: str, text: str, topic: str) -> Answer | None:
    """What she has to say about it; once, unless it is asked from the menu."""
    answer = answer_about(world, npc, topic)
    if answer is None or (_said(world, answer) and not _of_the_menu(text)):
        return None
    return answer


def speak_about(world: World, npc: str, topic: str) -> None:
    """Have her say what she has to say about it, as often as she is asked."""
    answer = answer_about(world, npc, topic)
    if answer is not None:
        before = len(_known(world))
        _speak(world, answer)
        said = f'{FOLK[npc].name} said to {world.state.hero.name}: "{answer.say}"'
        _remembered(world, npc, said, new=len(_known(world)) > before)


def _known(world: World) -> dict[str, tuple[str, int]]:
    """What this hero knows."""
    return world.state.plot.clues.get(world.state.hero.id, {})


def _remembered(world: World, npc: str, said: str, *, new: bool) -> None:
    """She has said this, and knows it; whoever was in earshot does too."""
    overheard = [id for id in witnesses(world) if id != npc and world.nearby(id, EARSHOT)]
    world.observe(
        "told", said, [npc, *overheard], actor=npc, target=world.state.hero.id, importance=0.8 if new else 0.4
    )


def _charged(text: str) -> str:
    """Who is named beside a word of accusation; empty for nobody, or for several."""
    line = folded(text)
    if not any(word in line for word in ACCUSING):
        return ""
    named = [id for id, folk in FOLK.items() if folk.name != "Town Guard" and folded(folk.name.split()[-1]) in line]
    named += ["osric"] if "osric" in line and "osric" not in named else []
    return named[0] if len(named) == 1 else ""


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
    npc = answer.npc
    flags[f"said:{hero.id}:{answer.id}"] = world.state.minute
    world.emit(Line(npc, answer.say, answer.mood))
    overheard = [id for id in witnesses(world) if id != npc and world.nearby(id, EARSHOT)]
    for clue in [clue for clue in answer.learns if world.learn(clue, npc)]:
        world.say(f"Journal: {CLUES[clue].text}", "quest")
        hear(world, CLUES[clue].text)
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
