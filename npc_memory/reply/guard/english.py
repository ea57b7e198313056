"""English function words, as closed lists: what may stand between a subject and what is said of it."""

from __future__ import annotations

__all__ = [
    "ADVERBS",
    "ARTICLES",
    "AUXILIARIES",
    "COPULA_AFTER",
    "DETERMINERS",
    "FEMALE",
    "HEDGES",
    "MALE",
    "MODALS",
    "NEGATIONS",
    "NOBODY",
    "OPENERS",
    "PAST",
    "PERSONS",
    "PREPOSITIONS",
    "PRONOUNS",
    "RECENT",
    "STOPWORDS",
    "TITLES",
]


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRONOUNS = _set(
    "i me we us you he him she her it they them himself herself itself myself yourself ourselves themselves one who"
    " everyone everybody someone somebody anyone anybody something anything everything this that these those"
)
ARTICLES = _set("the a an")
DETERMINERS = ARTICLES | _set(
    "my your his her its our their no every each any some all both another this that these those what which such"
)
NOBODY = _set("nobody none nothing neither noone")
NEGATIONS = _set("not no never hardly barely scarcely nor neither none nobody nothing without nowhere") | {"not-"}
PAST = _set(
    "was were had did used sat stood lay seemed looked remained stayed kept became got went ran appeared turned"
)
MODALS = _set("would could might should may can must shall will ought")
AUXILIARIES = (
    _set(
        "am is are was were be been being do does did have has had seem seems seemed look looks looked remain remains"
        " remained stay stays stayed appear appears appeared feel feels sound sounds lie lies lay stand stands"
        " stood sit sits"
        " sat keep keeps kept get gets got become becomes became turn turned go goes went come comes came has"
        " used runs run ran"
    )
    | MODALS
)
ADVERBS = _set(
    "still yet now already also just very quite so too rather truly indeed certainly surely always ever again once only"
    " even then today tonight all both safe there here pretty much most doing feeling as more any long currently"
    " perhaps maybe far upstairs downstairs outside out well-nigh almost nearly half wide fast both alike sir dear"
    " love child friend guest to be dead"
    " at-last of-course right soon often sometimes usually not-only back merely simply"
) - _set("safe there here dead right back")
COPULA_AFTER = _set(
    "and but or in at on again now enough since for thanks today tonight as because so too this that by with to then"
    " still up like under behind until till from i you they we he she all day night every these those most here there"
)
PREPOSITIONS = _set(
    "of in on at to by for with from under over behind near beside between beyond below above across through into onto"
    " inside outside along around about against among after before without within toward towards past off out up down"
    " like than as until till since during"
)
OPENERS = _set(
    "and but or nor so because since for while whilst though although yet if unless whether when whenever until till"
    " before after that who which where how why as than except once lest"
)
HEDGES = _set("perhaps maybe possibly conceivably supposedly allegedly reportedly mayhap perchance")
RECENT = _set("today yesterday tonight morning now evening minute hour moments ago night just noon week")
TITLES = _set(
    "king queen prince princess lord lady sir dame captain mother father brother sister doctor chief master"
    " mistress duke"
    " duchess count countess baron baroness emperor empress commander general sergeant professor abbot bishop"
    " saint chancellor"
)
MALE = _set(
    "king prince lord sir father brother duke count baron emperor abbot man boy husband son uncle lad gentleman fellow"
    " majesty monarch grandfather nephew widower"
)
FEMALE = _set(
    "queen princess lady dame mother sister duchess countess baroness empress woman girl wife daughter aunt maid widow"
    " highness mistress grandmother niece"
)
PERSONS = (
    MALE
    | FEMALE
    | TITLES
    | _set(
        "guard smith innkeeper ferryman herbalist priest priestess steward cousin child kid friend stranger"
        " traveller baker"
        " cook merchant soldier courier cupbearer heir ruler sovereign miller farmer fisherman butcher nobleman killer"
        " murderer thief spy doctor engineer commander councillor neighbour somebody apprentice carter beggar"
        " drunk fool"
        " liar servant knight healer people folk men women guards watchmen councillors"
    )
)
STOPWORDS = (
    PRONOUNS
    | DETERMINERS
    | NEGATIONS
    | MODALS
    | PREPOSITIONS
    | OPENERS
    | _set(
        "am is are was were be been being do does did have has had there here not then now just only very well too also"
        " still yet sir love dear child friend guest mate yes no aye oh please mine ours yours theirs what when how why"
        " where who whom whose much many lot got get"
    )
)
