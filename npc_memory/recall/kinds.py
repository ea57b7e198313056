"""Kinds of things, so that a question finds what is told in other words: livestock finds the goat, a remedy the salve.

A memory that has a word of a kind has the kind as well, beside its words; a line that has one looks for the kind, which
counts little beside a word of its own (``KIND``, chosen on the development half of the data in
``benchmarks/data/recall``). The words are English and plain, those of stories and games; one may be of several kinds.
"""

from __future__ import annotations

from collections.abc import Iterable

from npc_memory.recall.stems import folded, stem

__all__ = ["KIND", "MARK", "kinds_of"]

KIND = 0.01
"""What a kind counts, beside 1 for the word itself."""

MARK = "#"
"""Begins the name of a kind; no word does. Names are too short to be taken for a part of a word."""

_KINDS = """
family relative kin mother father parent mom dad sister brother sibling son daughter child cousin uncle aunt nephew
    niece grandmother grandfather grandson granddaughter wife husband widow widower orphan twin
child kid boy girl baby infant toddler orphan youngster youth son daughter
love lover sweetheart kiss marry marriage wedding wife husband bride groom betrothed propose spouse romance couple
livestock cattle animal beast cow ox bull calf goat sheep lamb ram pig sow hog hen chicken rooster duck goose mule
pet dog cat puppy kitten hound
horse mare stallion pony foal mount saddle ride donkey mule
bird owl hawk falcon crow raven dove pigeon eagle gull hen duck goose feather
vermin rodent rat mouse mice pest
predator wolf bear fox lion beast monster
fish trout salmon eel herring pike cod angler
officer captain lieutenant sergeant commander general guard soldier marshal constable sheriff watchman admiral
leader chief king queen lord lady ruler governor mayor boss captain prince duke baron emperor commander
craftsman artisan smith blacksmith carpenter mason potter weaver tailor cobbler baker miller cooper tanner mechanic
    engineer builder
healer doctor physician nurse medic surgeon apothecary herbalist midwife
priest monk nun cleric bishop abbot temple church pray prayer holy altar shrine
merchant trader seller vendor shopkeeper pedlar peddler dealer customer buyer market shop stall trade
thief robber burglar bandit smuggler pirate outlaw crook criminal
steal swipe rob pilfer filch loot burgle snatch thieve smuggle
kill murder slay execute hang behead assassinate slaughter death dead die
punish punishment hang gallows jail prison arrest whip exile banish dungeon
destroy break smash shatter crack burst ruin wreck demolish tear drop
fire flame burn blaze smoke ash ember torch
sick ill illness disease fever cough plague infection pox ache pain vomit shiver
cure heal remedy medicine drug herb serum salve potion tonic pill ointment treatment treat syrup balm
skin itch rash sore blister
injury wound hurt bleed bruise scar bandage stab bite
alcohol liquor drink beer ale wine gin whiskey rum brandy spirits booze still brew drunk tavern mead
food meal eat bread soup stew meat cheese cake pie breakfast lunch dinner supper cook bake feast dish
fruit apple pear berry plum cherry grape
money coin gold silver copper pay payment debt owe loan price cost wage salary fee tax rent
wealth rich wealthy fortune treasure jewel gem gold
poor beggar beg poverty hungry hunger starve
paper paperwork document page book letter note record log ledger manual journal diary scroll contract map
write read letter script sign signature pen ink literate spell
message letter news word courier messenger
weapon sword knife dagger axe bow arrow gun pistol rifle spear blade musket sling
shoot aim target hit arrow bow pistol marksman
fight battle brawl attack duel war clash skirmish combat
threat threaten warn warning revenge vengeance menace
rescue save help aid evacuate
danger dangerous risk peril hazard unsafe
promise swear oath vow pledge
secret hide hidden conceal whisper confide
lie deceive cheat trick fool pretend fraud betray traitor
trust rely confide faith
refuse deny reject decline forbid disobey
agree accept consent allow permit approve
gift present give donate offer reward
heirloom inherit inheritance legacy heir
forgive pardon apology apologise apologize mercy
fear afraid scared frightened terror dread panic terrified
joy happy glad delighted cheerful smile laugh
grief grieve sad mourn cry weep sorrow bereaved
anger angry rage furious shout yell temper
music song sing hymn tune melody fiddle flute drum dance choir
game play dice cards chess bet gamble
picture paint art portrait draw sketch artist
clothes clothing dress coat cloak shirt boot shoe hat glove scarf garment
jewel ring necklace bracelet brooch pendant
wood timber lumber log plank tree beam
metal iron steel copper bronze forge anvil
stone rock boulder brick pebble
vessel pot jug cup mug bowl jar vase pitcher plate
ship boat vessel sail ferry barge raft sailor crew harbour harbor dock
cart wagon coach carriage vehicle
fuel propellant oil coal peat
travel trip journey voyage tour trek expedition sortie
flee escape run leave depart
home house cottage hut cabin dwelling
door gate entrance key lock
work job labour labor profession employment task
school teacher pupil lesson teach learn study apprentice
sleep asleep bed dream nap awake
night midnight evening dusk dark
morning dawn sunrise
weather rain storm snow wind thunder lightning hail fog flood drought
winter snow ice frost cold freeze
water river lake stream sea ocean pond well spring
mountain hill peak cliff
forest tree grove
garden flower rose plant seed grow bloom
farm field crop harvest grain wheat barley plough
grave bury funeral coffin corpse cemetery tomb
foreign stranger foreigner abroad language
feast celebration celebrate party festival birthday anniversary
friend companion mate ally
enemy foe rival
build construct repair mend fix
find discover uncover found
lose lost missing vanish disappear
buy purchase acquire
sell trade vend
old ancient elderly aged
brave courage bold hero
"""


def _read() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for number, words in enumerate(_KINDS.replace("\n    ", " ").strip().splitlines()):
        for one in dict.fromkeys(stem(folded(word)) for word in words.split()):
            found.setdefault(one, []).append(f"{MARK}{number}")
    return {term: tuple(kinds) for term, kinds in found.items()}


_OF = _read()


def kinds_of(terms: Iterable[str]) -> tuple[str, ...]:
    """The names of the kinds that these terms are of, each once, in order."""
    return tuple(dict.fromkeys(kind for term in terms for kind in _OF.get(term, ())))
