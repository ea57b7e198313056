"""Whether a line calls somebody by name, and whom of all who have names."""

from __future__ import annotations

from collections.abc import Mapping

from npc_memory.recall.words import terms

__all__ = ["NameTable", "mentions"]

TITLES = frozenset(
    """brother captain chief director doctor dr father general king lady lieutenant lord madam master mayor miss mother
    mr mrs ms old prince princess queen saint sergeant sir sister young bruder frau herr konig konigin schwester vater
    mutter брат госпожа господин король королева мать отец сестра""".split()
)
"""Words before a name, as ``terms`` gives them or nearly so, that many people share."""


def mentions(line: str, name: str) -> bool:
    """Whether ``line`` holds ``name``, or one of its words that is no title: "Vey" is Captain Vey.

    By terms, so that "Aldric's" and, in languages without spaces, a name amid others is found.
    """
    said = set(terms(line))
    return any(own <= said for own in _forms(name))


def _forms(name: str) -> list[set[str]]:
    """The terms of each way ``name`` may be said."""
    words = [own for word in name.split() if (own := set(terms(word)))]
    if len(words) > 1:
        words = [own for own in words if not own & _TITLES] or [set().union(*words)]
    return words


class NameTable:
    """``names`` (by id) ready to be looked for in many lines: a look costs what the line is long, not how many there
    are.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._by_term: dict[str, list[tuple[frozenset[str], str]]] = {}
        for id, name in sorted(names.items()):
            for form in _forms(name):
                # Any of its terms will do to find it by; the longest is the rarest as a rule.
                first = min(form, key=lambda term: (-len(term), term))
                self._by_term.setdefault(first, []).append((frozenset(form), id))

    def named_in(self, line: str) -> tuple[str, ...]:
        """The ids of those whom ``line`` names: whose names have more of its terms first, then by id."""
        said = set(terms(line))
        found: dict[str, int] = {}
        for term in sorted(said):
            for form, id in self._by_term.get(term, ()):
                if form <= said:
                    found[id] = found.get(id, 0) + len(form)
        return tuple(sorted(found, key=lambda id: (-found[id], id)))


_TITLES = frozenset(term for title in TITLES for term in terms(title))
