"""Whether a line calls somebody by name."""

from __future__ import annotations

from npc_memory.recall.words import terms

__all__ = ["mentions"]

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
    words = [own for word in name.split() if (own := set(terms(word)))]
    if len(words) > 1:
        words = [own for own in words if not own & _TITLES] or [set().union(*words)]
    return any(own <= said for own in words)


_TITLES = frozenset(term for title in TITLES for term in terms(title))
