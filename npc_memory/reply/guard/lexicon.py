"""The antonyms: for each respect in which two words exclude each other, the words of either pole.

A form in the first column of a pole is said of a subject as it is ("the king is dead", "the bridge stands"); ``events``
also count in the past tense, because what they did lasts ("the bridge was rebuilt", "he recovered").
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EVENTS", "OBJECT_VERBS", "PASSAGE", "POLES", "PREDICATES", "PREDICATE_WORDS", "VERBS", "WEATHER", "Sense"]


@dataclass(frozen=True, slots=True)
class Sense:
    """``respect`` is the dimension ("life"), ``pole`` one of its two ends ("dead")."""

    respect: str
    pole: str


_TABLE: dict[str, dict[str, str]] = {
    "life": {
        "dead": "dead|die|dies|deceased|killed|murdered|slain|poisoned|buried|assassinated|died|perished"
        "|drowned|lifeless|no more"
        "|in his grave|in her grave|in the grave|in his coffin|in his tomb|passed away|passed on|with the gods"
        "|strangled"
        "|stabbed|executed|hanged|beheaded|long gone|cold in|six feet under|in the ground|in the crypt",
        "alive": "up again|up|strong as ever|alive|living|lives|live|well|healthy|fine|hale|hearty"
        "|recovering|recovered|recovers|breathing"
        "|breathes"
        "|reigns|rules|reigning|ruling|thriving|thrives|in good health|in perfect health|in fine health|in"
        " excellent health"
        "|in the best of health|in rude health|in good spirits|in high spirits|better|never better|never been"
        " better|unwell"
        "|not been better|better than ever|strong|on the mend|up and about|on his feet|survived|survives|on the throne"
        "|on his throne|in his chambers|in his bed|ill|sick|ailing|dying|healed|cured|unharmed|unhurt|among the living"
        "|back on his feet|of sound body|resting|asleep|sleeping|awake|safe|wounded|feverish|in bed|in good hands|abed"
        "|sleeps|good|about to|happy|angry|busy|tired|hungry|drunk|glad|pleased|cheerful|worried|bored|lonely|holds"
        " court|out back|out hunting|vigorous|robust|good as new|as good as new|well again|recuperating|in"
        " hiding|merely asleep|doing well|fit",
    },
    "body": {
        "ruined": "caught fire|catch fire|burn|burned|sank|sunk|burnt|gone|destroyed|collapsed|broken|in ruins"
        "|ruined|ash|ashes|wrecked|charred|missing|smashed"
        "|unusable|impassable|in ashes|burned down|burnt down|a ruin|rubble|cinders|fallen|demolished|down|lost"
        "|torn down"
        "|washed away|swept away|out of use|fell|charcoal|unsafe|beyond repair",
        "whole": "operational|functional|stands|standing|stand|whole|intact|sound|repaired|rebuilt|mended"
        "|restored|open|safe|fine"
        "|sturdy|strong"
        "|passable|usable|undamaged|in use|in one piece|holds|hold|as good as new|good as new|unharmed|works"
        "|firm|steady"
        "|crossable|unscathed|solid|untouched|as it always was|never burned|fixed|in good repair|all right"
        "|there|finished"
        "|saved|spared|holding|working|reopened|clear|good|in place|back up|sound as|as good as ever",
    },
    "access": {
        "open": "open|opened|opens|unlocked|ajar|unbarred|wide open|passable|unguarded|reopened|unsealed|open"
        " wide|unbolted",
        "closed": "closed|shut|barred|locked|sealed|bolted|blocked|chained|closes|impassable|boarded up|off"
        " limits|shut down"
        "|shut up|closed down|forbidden",
    },
    "liberty": {
        "free": "free|released|at large|escaped|fled|loose|acquitted|innocent|pardoned|at his stall|at home"
        "|freed|at liberty"
        "|let go|left the town|left town|left emberfall|on the run"
        "|walks free|got away|out of prison|not guilty|cleared|exonerated",
        "held": "arrested|jailed|imprisoned|in chains|behind bars|locked up|caught|captured|in custody|in"
        " prison|in jail"
        "|in a cell|in the cells|in a watch cell|in irons|accused|convicted|under arrest|in the dungeon|on trial",
    },
    "presence": {
        "here": "upstairs|downstairs|next door"
        "|here|home|back|returned|returns|present|arrived|in town|come home|has come|come back|at home"
        "|back home|among us",
        "away": "away|absent|abroad|missing|gone|elsewhere|far away|evacuated|left|departed|overseas|far from"
        " here|fled",
    },
    "wake": {
        "awake": "awake|wide awake|woke|conscious|woken|up|up and about|awakened|awoke|out of cryosleep|revived"
        "|walking around",
        "asleep": "asleep|sleeps|sleeping|unconscious|in cryosleep|dormant|slumbers|slumbering|in cryo|frozen|in stasis"
        "|fast asleep|comatose|in the pod|in the cryopod|out cold",
    },
    "power": {
        "on": "fired|online|on|working|running|operational|active|back|firing|functional|works|work|run|fixed"
        "|repaired|back online"
        "|up|responding|fine|in order|restored|fires|fire|lit|purring|purr|humming|on line|nominal|burning|ready",
        "off": "offline|off|down|dead|out|broken|cold|disabled|inactive|failed|silent|unresponsive|shut down"
        "|off line|dark"
        "|out of order|never started|useless|wrecked|idle",
    },
    "fire": {
        "lit": "lit|hot|burning|ablaze|glowing|roaring|warm|burns|going|blazing|alight|glows|roars|red hot|aglow",
        "cold": "cold|out|dead|dark|unlit|gone out|cooled|gone cold|went out|extinguished|stone cold|black|as cold as",
    },
    "level": {
        "high": "high|swollen|in flood|flooding|deep|rising|above its banks|flooded|over its banks|up|in spate"
        "|angry|wild",
        "low": "low|shallow|dry|dried up|ankle deep|knee deep|down|a trickle|wadeable|drained",
    },
    "course": {
        "falling": "falling|decaying|decays|sinking|dropping|failing|degrading|unstable|losing altitude|falls"
        "|sinks|drops"
        "|dying|doomed|slipping|going down|descending|burning up|lost",
        "steady": "stable|steady|holds|held|holding|rising|fine|safe|sound|climbing|stabilised|stabilized"
        "|secure|gaining altitude"
        "|rises|good|nominal|saved|not falling|back up|corrected|restored",
    },
    "cost": {
        "cheap": "half the price|costs the same|costs less|costs half|costs nothing|cheap|cheaper|dirt cheap|never been"
        " cheaper|never cheaper|a bargain|for free|free of charge|half price"
        "|the same as before|the same as ever|what it always did|as cheap as|the same price",
        "dear": "expensive|costly|doubled|dear|dearer|costs twice|costs double|cost twice|cost double"
        "|overpriced|steep|high",
    },
    "vacancy": {
        "full": "full|taken|occupied|booked|booked out|booked up|filled|let|full up|packed",
        "vacant": "empty|free|available|vacant|spare|unoccupied|to spare|to let|going",
    },
    "force": {
        "on": "in force|in effect|holds|stands|on|still on|imposed|enforced|back|kept|strict",
        "off": "lifted|over|ended|cancelled|canceled|gone|suspended|abolished|ends|relaxed|called off|done with"
        "|history",
    },
    "guilt": {
        "guilty": "guilty|to blame|the killer|the murderer|the poisoner|responsible",
        "innocent": "innocent|not guilty|blameless|cleared|guiltless|falsely accused",
    },
    "war": {
        "war": "at war|war|under siege|besieged|under attack",
        "peace": "at peace|peace|peaceful",
    },
    "sought": {
        "wanted": "wanted|sought|hunted|hunted for",
        "cleared": "cleared|pardoned|free|innocent|forgiven|off the hook|no longer wanted",
    },
    "grief": {
        "mourning": "in mourning|mourns|mourning|grieving|grieves|mourn|sad|in grief|wearing black|quiet",
        "merry": "dancing|celebrating|merry|rejoicing|feasting|cheerful|happy|dances|celebrates|laughing|singing",
    },
}

WEATHER: dict[str, str] = {
    "fog": "fog|foggy|mist|misty|hazy",
    "rain": "rain|raining|rains|rainy|pouring|drizzling|drizzle|wet|showers|downpour",
    "snow": "snow|snowing|snows|snowy|blizzard|sleet",
    "storm": "storm|stormy|storming|thunderstorm|thunder|gale|tempest",
    "clear": "clear|sunny|sun|sunshine|bright|cloudless|blue|fair|dry|calm|starry|stars|moonlight",
    "cloud": "cloudy|overcast|clouds|grey|gray",
    "hot": "hot|heat|scorching|sweltering",
}

EVENTS = frozenset(
    "fired|caught fire|catch fire|die|burn|survive|recover|killed|murdered|slain|poisoned|assassinated|died|perished"
    "|drowned|passed away|passed on|strangled|stabbed|executed"
    "|hanged|beheaded|recovered|survived|healed|cured|burned|burnt|destroyed|collapsed|smashed|burned down"
    "|burnt down|demolished"
    "|fell|repaired|rebuilt|mended|restored|fixed|saved|spared|reopened|opened|released|escaped|fled|acquitted|pardoned"
    "|freed|arrested|jailed|imprisoned|caught|captured|accused|convicted|returned|arrived|woke|woken|awakened"
    "|awoke|revived"
    "|evacuated|departed|doubled|lifted|cancelled|canceled|abolished|called off|stabilised|stabilized|failed"
    "|went out|gone out"
    "|got away|let go|torn down|washed away|swept away|buried|left|sank|sunk".split("|")
)

VERBS = frozenset(
    "fired|caught fire|catch fire|costs twice|costs double|costs the same|costs less|costs half|costs nothing|die"
    "|dies|burn|sank|sunk|mourns|mourn|grieves|dances|celebrates|lives|live|recovers|breathes|reigns|rules"
    "|thrives|survives|survived|died|perished|recovered|stands|stand|holds|hold|works"
    "|work|run|runs|opens|closes|escaped|fled|returned|returns|arrived|woke|awoke|sleeps|slumbers|fires|burns"
    "|falls|sinks"
    "|drops|decays|rises|fell|collapsed|failed|doubled|glows|roars|passed away|passed on|burned|burnt|drowned"
    "|went out|has come"
    "|left|departed|ended|ends|got away|come home|come back".split("|")
)

OBJECT_VERBS: dict[str, str] = {
    "closed": "closed", "shut": "closed", "barred": "closed", "locked": "closed", "sealed": "closed", "opened": "open",
    "unlocked": "open", "unbarred": "open", "reopened": "open", "burned": "ruined", "burnt": "ruined",
    "destroyed": "ruined", "wrecked": "ruined", "rebuilt": "whole", "repaired": "whole", "mended": "whole",
    "restored": "whole", "fixed": "whole", "killed": "dead", "murdered": "dead", "poisoned": "dead", "buried": "dead",
    "cured": "alive", "healed": "alive", "saved": "alive", "arrested": "held", "jailed": "held", "caught": "held",
    "released": "free", "freed": "free", "pardoned": "free", "lifted": "off",
    "dropped": "off", "abolished": "off", "removed": "off", "suspended": "off", "ended": "off", "cancelled": "off",
    "seek": "wanted", "seeks": "wanted", "seeking": "wanted", "hunt": "wanted", "hunts": "wanted", "hunting": "wanted",
    "holds": "steady", "looking": "wanted", "searching": "wanted", "want": "wanted", "chasing": "wanted",
}  # fmt: skip
"""Past forms that do to their object what the pole says: "they closed the north gate"."""

PASSAGE = frozenset(
    "cross crosses crossing crossed pass passes passing use uses using take takes taking enter enters leave"
    " leaves".split()
)
"""What somebody does with a bridge or a gate that is open and whole."""


def _senses() -> dict[tuple[str, ...], tuple[Sense, ...]]:
    found: dict[tuple[str, ...], list[Sense]] = {}
    for respect, poles in _TABLE.items():
        for pole, forms in poles.items():
            for form in forms.split("|"):
                found.setdefault(tuple(form.split()), []).append(Sense(respect, pole))
    return {form: tuple(senses) for form, senses in found.items()}


PREDICATES = _senses()
"""What each form means, by its words; one form may mean something in several respects."""

POLES: dict[str, tuple[str, ...]] = {}
"""The respects in which a pole of that name stands."""

for _respect, _poles in _TABLE.items():
    for _pole in _poles:
        POLES[_pole] = (*POLES.get(_pole, ()), _respect)

PREDICATE_WORDS = frozenset(form[0] for form in PREDICATES)
