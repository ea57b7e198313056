"""Cuts a sentence into clauses and says of each how the speaker stands to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from npc_memory.reply.guard.attitudes import HEADS, Stance, attitude_end, stance_of, verdict
from npc_memory.reply.guard.english import ARTICLES, AUXILIARIES, DETERMINERS, HEDGES, OPENERS, PRONOUNS
from npc_memory.reply.guard.lexicon import VERBS
from npc_memory.reply.guard.words import Word

__all__ = ["Clause", "clauses", "merged"]

_MARKS = frozenset(',;:—()"!.?…')
_MERGED: dict[tuple[str, ...], str] = {
    ("far", "from"): "not", ("anything", "but"): "not", ("no", "longer"): "not", ("not", "yet"): "not",
    ("by", "no", "means"): "not", ("in", "no", "way"): "not", ("no", "one"): "nobody", ("not", "a", "soul"): "nobody",
    ("nothing", "but"): "", ("none", "but"): "", ("not", "only"): "", ("not", "just"): "", ("not", "merely"): "",
    ("no", "doubt"): "", ("without", "a", "doubt"): "", ("without", "doubt"): "", ("of", "course"): "",
    ("no", "question"): "", ("at", "all"): "", ("as", "if"): "as if", ("as", "though"): "as if",
    ("as", "well", "as"): "and", ("as", "long", "as"): "if", ("so", "long", "as"): "if", ("even", "if"): "if",
    ("what", "if"): "if", ("if", "only"): "if", ("would", "that"): "if", ("in", "case"): "if",
    ("let", "us", "say"): "if",
    ("now", "that"): "because", ("ever", "since"): "since", ("even", "though"): "though", ("none", "of"): "no",
    ("not", "one"): "no", ("not", "a"): "no", ("not", "any"): "no", ("nowhere", "near"): "not", ("no", "less"): "",
    ("any", "more"): "", ("for", "sure"): "", ("to", "be", "sure"): "",
    ("according", "to"): "according", ("not", "long"): "", ("it", "seems"): "", ("it", "appears"): "",
    ("but", "one"): "one",
    ("a", "little"): "", ("rumour", "has", "it"): "rumour", ("rumor", "has", "it"): "rumour",
    ("word", "has", "it"): "rumour",
    ("word", "is"): "rumour",  ("a", "bit"): "", ("a", "touch"): "",
}  # fmt: skip
_UNREAL = frozenset(
    ("if", "unless", "whether", "lest", "as if", "suppose", "imagine", "than", "when", "whenever", "before")
)
_LATER = frozenset(("until", "till", "once", "after", "while", "whilst"))
_ALWAYS = frozenset(
    "and but or nor if unless whether because while whilst though although lest who which where how why".split()
)
_TIME = frozenset(
    "this very morning only just yesterday today last night evening now an hour ago tonight year week month"
    " moment".split()
)
_GOES_ON = frozenset(('"', ":", ",", "if", "whether", "how", "why", "where", "who", "which", "when", "that", "as if"))
_FABLE = frozenset("dreams dream songs song stories story tales tale memory memories legends legend".split())
_ENDORSED = frozenset("you i we anyone".split())


@dataclass(frozen=True, slots=True)
class Clause:
    """``words`` without the opener; ``opener`` is the conjunction or mark before it, "" at the start, ``closer`` the
    mark or conjunction behind it.
    """

    words: tuple[Word, ...]
    opener: str
    stance: Stance = "asserted"
    closer: str = ""


def merged(words: Sequence[Word]) -> list[Word]:
    """Fixed phrases made one word: "no longer" is "not", "of course" says nothing."""
    found: list[Word] = []
    i = 0
    while i < len(words):
        for size in (3, 2):
            key = tuple(word.text for word in words[i : i + size])
            if len(key) == size and key in _MERGED:
                if _MERGED[key]:
                    text, last = _MERGED[key], words[i + size - 1]
                    found.append(Word(text, words[i].start, last.end, words[i].capital, words[i].first))
                i += size
                break
        else:
            if words[i].text == "as" and i + 1 < len(words) and words[i + 1].text == "well" and i + 2 >= len(words) - 1:
                i += 2
                continue
            found.append(words[i])
            i += 1
    return found


def clauses(words: Sequence[Word], *, asked: bool = False) -> list[Clause]:
    """The clauses of one sentence. ``asked``: it is a question, so nothing in it is hypothetical by inversion."""
    pieces = list(_attitudes(_timed(_split(merged(words)))))
    return _stances(pieces, asked)


def _split(words: Sequence[Word]) -> Iterator[tuple[str, list[Word]]]:
    opener = ""
    piece: list[Word] = []
    quoted = False
    for i, word in enumerate(words):
        if word.text == '"':
            quoted = not quoted
        if word.text in _MARKS:
            if piece or opener not in ("", ","):
                yield opener, piece
            opener, piece = word.text, []
        elif _opens(words, i, bool(piece)):
            if piece or (opener not in ("", ",") and opener not in _MARKS):
                yield opener, piece
            opener, piece = word.text, []
        else:
            piece.append(word)
    if piece:
        yield opener, piece


def _timed(pieces: Iterator[tuple[str, list[Word]]]) -> list[tuple[str, list[Word]]]:
    """Pieces, a time behind a comma joined to what it is the time of: "he did, this very morning"."""
    found: list[tuple[str, list[Word]]] = []
    for opener, piece in pieces:
        if found and opener == "," and piece and all(word.text in _TIME for word in piece):
            found[-1][1].extend(piece)
        else:
            found.append((opener, piece))
    return found


def _opens(words: Sequence[Word], i: int, inside: bool) -> bool:
    text = words[i].text
    if text in _ALWAYS or text in ("as if", "according"):
        return not (text in ("how", "where", "why", "who") and not inside and i == 0)
    if text not in OPENERS:
        return False
    following = words[i + 1].text if i + 1 < len(words) else ""
    if text == "that":
        heads = (
            following in PRONOUNS | ARTICLES | {"there", "no", "my", "our", "his", "her"} or following in AUXILIARIES
        )
        if inside and i and (words[i - 1].text in HEADS or (i > 1 and words[i - 2].text in HEADS)):
            return False  # "they say that", "he told me that": the attitude goes on over it
        return inside and (heads or (i + 1 < len(words) and words[i + 1].proper) or following in VERBS)
    if text in ("when", "whenever"):
        return True
    if not inside:
        return text != "so" and (text not in ("as", "for", "than") or _clause_follows(words, i))
    if text in ("so", "yet", "once", "than"):
        return text == "so" and following in PRONOUNS
    return _clause_follows(words, i) and (following in PRONOUNS or following in DETERMINERS or words[i + 1].proper)


def _clause_follows(words: Sequence[Word], i: int) -> bool:
    for word in words[i + 2 : i + 7]:
        if word.text in _MARKS:
            return False
        if word.text in AUXILIARIES or word.text in VERBS:
            return True
    return False


def _attitudes(pieces: Sequence[tuple[str, list[Word]]]) -> Iterator[tuple[str, list[Word], Stance | None]]:
    """Each piece, cut behind an attitude: the matrix comes with the stance it gives to what follows it."""
    for i, (opener, piece) in enumerate(pieces):
        rest, mark = piece, opener
        for _ in range(3):
            end = attitude_end(rest)
            if end is None:
                break
            following = pieces[i + 1][0] if i + 1 < len(pieces) else ""
            if end == len(rest) and following not in _GOES_ON and not (opener in (",", "or", "—") and len(piece) < 5):
                break  # "he will see you": whole as it is
            yield mark, rest[:end], stance_of(rest[:end])
            rest, mark = rest[end:], "that"
        if rest or mark != "that":
            yield mark, rest, None


def _stances(pieces: list[tuple[str, list[Word], Stance | None]], asked: bool) -> list[Clause]:
    found: list[Clause] = []
    scope: Stance = "asserted"
    unreal = ""  # "if" while inside a condition, "then" behind one
    for i, (opener, piece, gives) in enumerate(pieces):
        texts = [word.text for word in piece]
        if opener in ("but", ";", "yet", "though", "although", "—", "!", ".", "…", "?"):
            scope, unreal = "asserted", ""
        if opener in _UNREAL or (opener in _LATER and piece) or (not asked and _inverted(texts, opener)):
            unreal = "if"
            if opener in ("if", "unless") and found and i and not unreal_pass(texts):
                found[-1] = replace(found[-1], stance="open")
        elif unreal == "if" and opener in (",", "—", ":"):
            unreal = "then" if found and found[-1].words and found[-1].words[0].text not in _ENDORSED else ""
        if opener == "according" or (texts[:1] == ["in"] and any(text in _FABLE for text in texts)):
            scope = "reported" if opener == "according" else "open"
        if gives is not None:
            tag = opener in (",", "or", "—") and len(piece) < 5 and _is_tag(pieces, i)
            if tag and found:
                found[-1] = replace(found[-1], stance=gives)
                continue
            scope = _nested(scope, gives)
            continue
        if (judged := verdict(piece)) and any(clause.stance == "reported" for clause in found):
            found = [replace(c, stance=judged) if c.stance == "reported" else c for c in found]
        stance: Stance = "open" if unreal or any(text in HEDGES for text in texts) else scope
        if opener == "or":
            stance = "open"
            if found:
                found[-1] = replace(found[-1], stance="open")
        closer = pieces[i + 1][0] if i + 1 < len(pieces) else ""
        found.append(Clause(tuple(piece), opener, stance, closer))
    return found


def unreal_pass(texts: Sequence[str]) -> bool:
    """Whether a condition behind its sentence is only a phrase: "if you ask me"."""
    return list(texts[:2]) in (["you", "ask"], ["you", "must"], ["you", "like"], ["i", "may"]) or texts[:1] == ["any"]


def _inverted(texts: Sequence[str], opener: str) -> bool:
    return (
        opener in ("", ",", "and", "—", ";")
        and texts[:1] in (["had"], ["were"], ["should"])
        and len(texts) > 1
        and texts[1] not in ("not", "been", "a", "an")
    )


def _is_tag(pieces: list[tuple[str, list[Word], Stance | None]], i: int) -> bool:
    """Whether an attitude stands behind what it is about: "the king lives, they say"."""
    following = pieces[i + 1] if i + 1 < len(pieces) else None
    return following is None or following[0] != "that"


def _nested(outer: Stance, inner: Stance) -> Stance:
    if outer == "asserted":
        return inner
    if outer == "flipped" and inner in ("asserted", "flipped"):
        return "asserted" if inner == "flipped" else "flipped"
    return outer if outer != "reported" or inner == "asserted" else "open"
