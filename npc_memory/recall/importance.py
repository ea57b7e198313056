"""How important something is when the game does not say: by its kind and its words, in documented numbers.

A death outweighs a promise, a promise the weather. The words are few and stand for plain cases, in English, German,
Russian, Japanese and Chinese: what is not found counts as ordinary, and the rule never hides a memory; it decides
between those that fit a line about equally well, and what is on her mind when none does.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

__all__ = ["FIRST_MEETING", "IMPORTANCE", "ORDINARY", "importance_of", "importance_of_talk"]

ORDINARY = 0.3
"""Of anything else."""

FIRST_MEETING = 0.5
"""Of the first words two exchange."""

IMPORTANCE = {
    "death": 0.9,
    "threat": 0.8,
    "promise": 0.7,
    "harm": 0.7,
    "gift": 0.6,
    "name": 0.6,
    "meeting": FIRST_MEETING,
}
"""By what it is about: a death; a threat; a promise, an oath, an appointment; a theft, an attack, a betrayal; a gift;
somebody says what he is called; a first meeting.
"""

OWN = ("threat", "promise", "gift")
"""Of what an NPC says herself, what binds her."""

_ASKING = ("?", "？", "؟", "吗", "呢")
_CLOSING = " .!…\"'”’»」』"

# A phrase begins where a word begins, and ends anywhere unless it ends in "_". In scripts without spaces it may stand
# anywhere. "'" and all other marks are spaces here.
_PHRASES: dict[str, str] = {
    "death": """died_, dead_, dies_, dying_, death, kill, murder, slain_, slew_, funeral, buried_, corpse,
        tot_, tote_, toten_, toter_, gestorben_, starb, stirbt_, getötet, tötet, ermordet, mord_, erschlagen_, leiche,
        умер, погиб, убил, убит, убий, смерт, мертв, похорон, 死, 殺, 亡くな, 杀, 去世""",
    "threat": """threat, i ll kill_, i will kill_, kill you_, you ll regret, you will regret, you ll pay for_, or else_,
        i ll burn_, bedroh, droht, drohe, töte dich_, bringe dich um_, wirst du bereuen_, wirst es bereuen_,
        угро, убью, пожалеешь_, 殺してやる, 後悔する, 脅, 杀了你, 后悔, 威胁""",
    "promise": """promis, swear_, sworn_, swore_, vow, oath, my word_, meet me_, meet you_, wait for me_, i owe_,
        agreed_, verspr, schwör, schwor_, geschworen_, ehrenwort, eid_, triff mich_, treffen wir uns_, wir treffen uns_,
        обеща, клян, поклял, слово чести_, даю слово_, встретимся, встреть,
        約束, 誓, 会おう, 答应, 保证, 发誓, 约定, 一言为定""",
    "harm": """stole_, stolen_, steal, theft, thief, thieves_, robbed_, robber, attack, betray, poison,
        stahl_, gestohlen_, stiehlt_, dieb_, diebe_, diebstahl, raub, geraubt_, überfall, verrat, verrät_, vergift,
        angriff, angegriffen_, украл, украд, вор_, воры_, ограб, напал, предал, предат, отрав,
        盗, 襲, 裏切, 毒, 偷, 抢, 袭击, 背叛""",
    "gift": """gave_, gift_, gifts_, i give you_, take this_, schenk, geschenk, подар, дарю_, отдал,
        贈, あげる, 差し上げ, くれた, 送给, 礼物""",
    "name": """my name is_, my name s_, i am called_, call me_, they call me_, ich heiße_, mein name ist_,
        man nennt mich_, меня зовут_, мое имя_, 名前は, と申します, と呼んで, 我叫, 我的名字""",
    "meeting": "first met_, meeting_, met for the first time_, introduc, kennengelernt_, познаком, 初めて会, 初次见面",
}


def importance_of(text: str, kind: str = "") -> float:
    """The importance, from 0 to 1, of an event of this ``kind`` (the game's own word) that ``text`` tells, or of words
    that were said.
    """
    return _heaviest(f"{_plain(kind)}{_plain(text)}", IMPORTANCE)


def importance_of_talk(line: str, answer: str = "", *, first: bool = False) -> float:
    """The importance of what somebody said to an NPC and she answered. ``first``: they had never talked before.

    A question tells her nothing, and of what she says herself only her word counts: that she knows of a death is no
    news to her.
    """
    heard = ORDINARY if line.rstrip(_CLOSING).endswith(_ASKING) else importance_of(line)
    given = _heaviest(_plain(answer), OWN)
    return max(heard, given, FIRST_MEETING if first else ORDINARY)


def _heaviest(told: str, among: Collection[str]) -> float:
    found = (weight for about, weight in _WEIGHTS if about in among and any(one in told for one in _FOUND_BY[about]))
    return next(found, ORDINARY)


def _plain(text: str) -> str:
    """``text`` case-folded, its words between single spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    return " " + " ".join("".join(c if c.isalnum() else " " for c in folded).split()) + " "


def _phrase(words: str) -> str:
    plain = _plain(words.removesuffix("_"))
    if not plain[1:2].isascii() and plain[1] >= "\u3040":
        return plain.strip()
    return plain if words.endswith("_") else plain.rstrip()


_WEIGHTS = sorted(IMPORTANCE.items(), key=lambda one: (-one[1], one[0]))
_FOUND_BY = {about: tuple(_phrase(" ".join(p.split())) for p in words.split(",")) for about, words in _PHRASES.items()}
