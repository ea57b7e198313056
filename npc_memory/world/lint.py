"""What can be wrong with a pack whose files are each well-formed: ids, references, conditions, contradictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from npc_memory.errors import Problem
from npc_memory.memory import StateValue
from npc_memory.world.bonds_lint import bond_problems
from npc_memory.world.condition import same_value
from npc_memory.world.contradictions import contradiction_problems
from npc_memory.world.pack import Pack
from npc_memory.world.placed import PlacedFact, placed_facts
from npc_memory.world.schema import ActionModel, NpcModel, StateModel, WantedModel
from npc_memory.world.source import Document, Loc
from npc_memory.world.state import value_text

__all__ = ["lint_pack"]


def lint_pack(pack: Pack) -> list[Problem]:
    """Every problem between the parts of ``pack``; what did not parse is not judged, nor what refers to it."""
    facts = placed_facts(pack)
    return [
        *_duplicates(pack, facts),
        *_fact_references(pack, facts),
        *_state_problems(pack),
        *_npc_references(pack, facts),
        *_unknown_to_all(pack, facts),
        *_moods(pack),
        *contradiction_problems(pack, facts),
        *bond_problems(pack),
    ]


# --- duplicate ids

_LISTS = {
    "rules": "rule",
    "places": "place",
    "factions": "faction",
    "entities": "entitie",
    "triple_relations": "relation",
}


def _duplicates(pack: Pack, facts: Sequence[PlacedFact]) -> Iterator[Problem]:
    yield from _twice("fact", [(placed.fact.id, placed.document, placed.loc) for placed in facts])
    if pack.world:
        document = pack.documents["world.yaml"]
        for name, kind in _LISTS.items():
            items = getattr(pack.world, name)
            yield from _twice(kind, [(item.id, document, (name, i)) for i, item in enumerate(items)])
    if pack.state:
        document = pack.documents["state.yaml"]
        yield from _twice("state key", [(entry.key, document, (i,)) for i, entry in enumerate(pack.state)])
    yield from _twice("NPC", [(file.stem.casefold(), file.document, ("id",)) for file in pack.npcs], "(case ignored) ")
    for npc, document in _npcs(pack):
        for name in ("examples", "actions"):
            items = getattr(npc, name)
            yield from _twice(name.removesuffix("s"), [(item.id, document, (name, i)) for i, item in enumerate(items)])
        named = [(fact, document, ("knows", i)) for i, fact in enumerate(npc.knows) if isinstance(fact, str)]
        yield from _twice("entries of `knows`", named)
        yield from _twice("mood", [(mood, document, ("moods", i)) for i, mood in enumerate(npc.moods)])
        yield from _arguments(npc.actions, document)


def _arguments(actions: Sequence[ActionModel], document: Document) -> Iterator[Problem]:
    for i, action in enumerate(actions):
        yield from _twice(
            "argument", [(arg.id, document, ("actions", i, "args", j)) for j, arg in enumerate(action.args)]
        )
        for j, arg in enumerate(action.args):
            if arg.choices and arg.type != "text":
                loc = ("actions", i, "args", j, "choices")
                yield document.problem(loc, f"{arg.id!r} has choices but is no text", "remove `choices`, or `type`")


def _twice(kind: str, items: Iterable[tuple[str, Document, Loc]], note: str = "") -> Iterator[Problem]:
    first: dict[str, str] = {}
    for id, document, loc in items:
        if id in first:
            yield document.problem(
                loc,
                f"two {kind}{'' if kind.endswith('`') else 's'} share the id {id!r} {note}(first at {first[id]})",
                "give one of them another id",
            )
        else:
            first[id] = document.where(loc)


# --- references


def _fact_references(pack: Pack, facts: Sequence[PlacedFact]) -> Iterator[Problem]:
    keys = {entry.key: entry for entry in pack.state} if pack.state is not None else None
    for placed in facts:
        for key, wanted in placed.fact.when.items():
            if keys is not None:
                yield from _condition(placed, key, wanted, keys)
    known = _known(pack)
    document = pack.documents["facts.yaml"]
    for i, fact in enumerate(pack.facts or []):
        for kind in ("places", "factions", "npcs"):
            for j, id in enumerate(getattr(fact.scope, kind)):
                yield from _unknown(kind, id, known[kind], document, (i, "scope", kind, j), f"the fact {fact.id!r}")


def _condition(placed: PlacedFact, key: str, wanted: WantedModel, keys: dict[str, StateModel]) -> Iterator[Problem]:
    fact, loc = placed.fact, (*placed.loc, "when", key)
    if key not in keys:
        yield placed.document.problem(
            loc, f"the fact {fact.id!r} asks for an unknown state key {key!r}", _cure("state.yaml", key, keys)
        )
        return
    entry = keys[key]
    kind = type(entry.default)
    for value in wanted.values:
        if type(value) is not kind:
            yield placed.document.problem(
                loc,
                f"the fact {fact.id!r} can never match: {key} is {_KINDS[kind]},"
                f" {value_text(value)!r} is {_KINDS[type(value)]}",
                f"write it as {_KINDS[kind]}",
            )
            return
    never = _never(wanted, entry.values)
    if never is not None:
        shown = ", ".join(value_text(value) for value in entry.values)
        yield placed.document.problem(
            loc, f"the fact {fact.id!r} can never hold: {never}", f"values of {key} in state.yaml: {shown}"
        )
    if entry.scope != "everyone" and placed.everyone:
        yield placed.document.problem(
            loc,
            f"the fact {fact.id!r} is for everyone, but {key} is only known to {entry.scope}",
            "narrow the fact's scope, or make the state key known to everyone",
            "warning",
        )


_KINDS: dict[type, str] = {str: "a text", int: "a whole number", bool: "true or false"}


def _never(wanted: WantedModel, values: Sequence[StateValue]) -> str | None:
    """Why the condition cannot hold for any of the declared ``values`` (none declared: it always may)."""
    if not values:
        return None
    strangers = [value for value in wanted.values if not any(same_value(value, one) for one in values)]
    if strangers:  # also in a list, or negated: a value that cannot be is a slip of the pen
        return f"{', '.join(value_text(value) for value in strangers)} is not among the declared values"
    if wanted.negated and all(any(same_value(value, one) for one in wanted.values) for value in values):
        return "it excludes every declared value"
    return None


def _state_problems(pack: Pack) -> Iterator[Problem]:
    document = pack.documents["state.yaml"]
    known = _known(pack)
    for i, entry in enumerate(pack.state or []):
        kind, _, id = entry.scope.partition(":")
        if id:
            yield from _unknown(
                f"{kind}s", id, known[f"{kind}s"], document, (i, "scope"), f"the state key {entry.key!r}"
            )
        for j, value in enumerate(entry.values):
            if type(value) is not type(entry.default):
                yield document.problem(
                    (i, "values", j),
                    f"{entry.key}: {value_text(value)!r} is not {_KINDS[type(entry.default)]} as the default is",
                    "give all values one kind",
                )
        if entry.values and not any(same_value(entry.default, value) for value in entry.values):
            yield document.problem(
                (i, "default"), f"{entry.key}: the default is not among its values", "add it to `values`"
            )
        if isinstance(entry.text, dict):
            yield from _worded(entry, entry.text, document, (i, "text"))


def _worded(entry: StateModel, texts: dict[str, str], document: Document, loc: Loc) -> Iterator[Problem]:
    needed = [value_text(value) for value in entry.values or [entry.default]]
    for value in needed:
        if value not in texts:
            yield document.problem(loc, f"{entry.key}: no text for the value {value}", f"add a line `{value}: …`")
    for value in texts:
        if entry.values and value not in needed:
            yield document.problem(
                (*loc, value), f"{entry.key}: a text for {value}, which is not among its values", "add it to `values`"
            )


def _npc_references(pack: Pack, facts: Sequence[PlacedFact]) -> Iterator[Problem]:
    known = _known(pack)
    complete = pack.facts is not None and all(file.model for file in pack.npcs)
    ids = {placed.fact.id: placed for placed in facts}
    for npc, document in _npcs(pack):
        who = f"the NPC {npc.id!r}"
        yield from _unknown("places", npc.place, known["places"], document, ("place",), who)
        for i, faction in enumerate(npc.factions):
            yield from _unknown("factions", faction, known["factions"], document, ("factions", i), who)
        for i, fact in enumerate(npc.knows):
            if not isinstance(fact, str):
                continue
            if fact not in ids:
                if complete:
                    yield document.problem(
                        ("knows", i), f"{who} knows an unknown fact {fact!r}", _cure("facts.yaml", fact, ids)
                    )
            elif ids[fact].everyone:
                yield document.problem(
                    ("knows", i), f"{who} knows {fact!r}, and so does everyone", "remove the line", "warning"
                )


def _unknown_to_all(pack: Pack, facts: Sequence[PlacedFact]) -> Iterator[Problem]:
    if any(file.model is None for file in pack.npcs):
        return
    named = {fact for npc, _ in _npcs(pack) for fact in npc.knows if isinstance(fact, str)}
    for i, fact in enumerate(pack.facts or []):
        scope = fact.scope
        if not (scope.everyone or scope.places or scope.factions or scope.npcs or fact.id in named):
            yield pack.documents["facts.yaml"].problem(
                (i,),
                f"nobody knows the fact {fact.id!r}",
                "name it under `knows` of an NPC, or widen its scope",
                "warning",
            )


def _unknown(
    kind: str, id: str, known: Iterable[str] | None, document: Document, loc: Loc, who: str
) -> Iterator[Problem]:
    if known is not None and id not in known:
        singular, file = {
            "places": ("place", "world.yaml"),
            "factions": ("faction", "world.yaml"),
            "npcs": ("NPC", "npcs/"),
        }[kind]
        yield document.problem(loc, f"{who} names an unknown {singular} {id!r}", _cure(file, id, known))


def _cure(file: str, id: str, known: Iterable[str]) -> str:
    names = sorted(known)
    return f"known: {', '.join(names[:20])}{' …' if len(names) > 20 else ''}" if names else f"add {id!r} to {file}"


def _known(pack: Pack) -> dict[str, list[str] | None]:
    """The ids of each kind; None while the file that lists them has problems of its own."""
    world = pack.world
    return {
        "places": [place.id for place in world.places] if world else None,
        "factions": [faction.id for faction in world.factions] if world else None,
        "npcs": sorted({id for file in pack.npcs for id in (file.stem, file.model.id if file.model else file.stem)}),
    }


# --- moods


def _moods(pack: Pack) -> Iterator[Problem]:
    shown = pack.world.moods if pack.world else []
    for npc, document in _npcs(pack):
        for i, mood in enumerate(npc.moods):
            if shown and mood not in shown:
                yield document.problem(
                    ("moods", i),
                    f"the NPC {npc.id!r} has a mood {mood!r} that the world does not list",
                    f"moods of world.yaml: {', '.join(shown)}",
                )
        for i, example in enumerate(npc.examples):
            if example.mood is not None and example.mood not in npc.moods:
                yield document.problem(
                    ("examples", i, "mood"),
                    f"the example {example.id!r} uses a mood {example.mood!r} that {npc.id!r} does not have",
                    f"her moods: {', '.join(npc.moods)}",
                )
    used = {mood for npc, _ in _npcs(pack) for mood in npc.moods}
    for i, mood in enumerate(shown):
        if mood not in used and pack.npcs and all(file.model for file in pack.npcs):
            yield pack.documents["world.yaml"].problem(
                ("moods", i), f"no NPC has the mood {mood!r}", "give it to one, or remove it", "warning"
            )


def _npcs(pack: Pack) -> list[tuple[NpcModel, Document]]:
    return [(file.model, file.document) for file in pack.npcs if file.model is not None]
