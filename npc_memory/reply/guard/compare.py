"""Whether a proposition can be true beside one that is."""

from __future__ import annotations

from dataclasses import replace

from npc_memory.reply.guard.cast import same
from npc_memory.reply.guard.claim import RuleName
from npc_memory.reply.guard.deeds import EXCLUSIVE
from npc_memory.reply.guard.happenings import CAUSE, DAY
from npc_memory.reply.guard.lexicon import WEATHER
from npc_memory.reply.guard.offices import OFFICE
from npc_memory.reply.guard.places import places_differ
from npc_memory.reply.guard.props import Prop
from npc_memory.reply.guard.things import EXISTS

__all__ = ["clash"]

_GROUPS = frozenset(("council",))
_SKY_TOGETHER = tuple(
    frozenset(pair.split())
    for pair in ("rain storm", "rain cloud", "cloud fog", "cloud storm", "snow storm", "cloud snow", "hot clear")
)
_PARTS = frozenset("dawn dusk noon midnight night morning evening sunrise sunset afternoon".split())
_LOST = frozenset("sank sunk burned burnt destroyed gone collapsed demolished".split())
_GRAVE = frozenset("crypt grave tomb temple ground coffin earth".split())


def clash(known: Prop, said: Prop) -> RuleName | None:
    """The rule by which ``said`` contradicts ``known``, None if it does not."""
    if said.stance not in ("asserted", "flipped"):
        return None
    if said.then and not known.event and said.respect != "life":
        return None  # what happened once need not be so any more
    positive = said.positive is (said.stance == "asserted")
    if known.respect == "life" and known.value == "dead" and known.positive and said.respect == "at":
        alive = positive and same(known.subject, said.subject) and not _GRAVE & set(said.value.split())
        return "antonym" if alive else None
    if known.respect == "life" and known.value == "dead" and known.positive and said.value in ("here", "awake"):
        return "antonym" if positive and same(known.subject, said.subject) else None
    if known.respect == EXISTS and said.respect == "force":
        off = positive is (said.value == "off")
        return "antonym" if known.positive is off and same(known.subject, said.subject) else None
    if known.respect == EXISTS and said.respect == "body" and known.positive and positive and said.value == "ruined":
        lost = said.matched.rpartition(" ")[2] in _LOST and same(known.subject, said.subject)
        return "antonym" if lost else None
    if known.respect != said.respect:
        return None
    if said.subject.key == "*":
        mine = known.respect == "liberty" and known.positive and known.value == said.value and not positive
        return "negation" if mine else None
    if known.respect == OFFICE:
        return _office(known, said, positive)
    if known.respect.startswith("does:"):
        return _deed(known, said, positive)
    if (
        known.respect == said.respect == "fire"
        and not known.subject.person
        and said.subject.key == "fire"
        and not said.subject.mods
    ):
        said = replace(said, subject=known.subject)
    whole = replace(said.subject, det="") if known.respect == "vacancy" else said.subject
    if not same(known.subject, whole):
        return None
    if known.respect in ("at", "found", CAUSE, DAY):
        if not places_differ(known.value, said.value):
            within = set((said if known.positive else known).value.split()) <= set(
                (known if known.positive else said).value.split()
            )
            return "negation" if known.positive is not positive and within else None
        return "name" if known.positive and positive else None
    if known.value == said.value:
        return "negation" if known.positive is not positive else None
    if known.positive and positive:
        if known.value in WEATHER and {known.value, said.value} in _SKY_TOGETHER:
            return None
        return "antonym"
    return None


def _office(known: Prop, said: Prop, positive: bool) -> RuleName | None:
    if known.subject.key != said.subject.key:
        return None
    if known.value == said.value:
        return "negation" if known.positive is not positive else None
    if not (known.positive and positive):
        return None
    if known.value in _GROUPS and said.value.startswith("?") and said.value.endswith("s"):
        return None
    return "name"


def _deed(known: Prop, said: Prop, positive: bool) -> RuleName | None:
    told, heard = set(known.value.split()), set(said.value.split())
    shared = told & heard
    if same(known.subject, said.subject):
        if known.positive and positive and told & _PARTS and heard & _PARTS and not shared & _PARTS:
            return "name"
        return "negation" if known.positive is not positive and (shared or not said.value or not known.value) else None
    other = said.subject.person and known.subject.person and said.subject.named
    exclusive = known.respect.removeprefix("does:") in EXCLUSIVE
    return "name" if other and exclusive and shared and known.positive and positive else None
