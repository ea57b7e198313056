"""Relationships and triples in a pack: read, named, checked."""

from __future__ import annotations

import pytest

from npc_memory.world import check_world, load_world

WORLD = """
money: silver
entities: [{id: ford, name: Ford}]
triple_relations: [{id: sworn_to, functional: true}, {id: rules, text: "{object} obeys {subject}."}]
"""


def with_more(make_pack, world="", facts="", ada=""):
    root = make_pack({})
    for name, more in (("world.yaml", world), ("facts.yaml", facts), ("npcs/ada.yaml", ada)):
        path = root / name
        path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    return root


def problems(pack):
    return [(one.message, one.severity) for one in check_world(pack)]


def test_a_pack_says_how_all_stand_when_a_game_begins(make_pack):
    facts = "- {id: ford-bo, text: Bo rules Ford., triples: [[bo, rules, ford]]}\n"
    ada = "relations: [{to: bo, trust: -30, debt: 5}]\ntriples: [[bo, lives_in, ford], [bo, likes, mill]]\n"
    pack = with_more(make_pack, WORLD, facts, ada)
    assert problems(pack) == []
    world = load_world(pack)
    assert dict(world.npcs["ada"].relations["bo"]) == {"trust": -30, "debt": 5}
    assert world.npcs["ada"].triples == (("bo", "lives_in", "ford"), ("bo", "likes", "mill"))
    assert world.canon["ford-bo"].triples == (("bo", "rules", "ford"),)
    assert (world.entities, world.money) == ({"ford": "Ford"}, "silver")
    assert world.relation("rules").text == "{object} obeys {subject}."
    assert [world.relation(one).functional for one in ("sworn_to", "rules", "lives_in", "likes")] == [1, 0, 1, 0]
    assert world.relation("likes_to_eat").text == "{subject} likes to eat {object}."


def test_a_pack_without_them_has_the_fingerprint_it_had():
    assert load_world("perigee").fingerprint == "c7cc35529257d67df5882d5781b36479c76fda1e310b0037b9271182c901775c"


@pytest.mark.parametrize(
    ("part", "text", "expected"),
    [
        ("ada", "relations: [{to: ada}]", "has a relationship with herself"),
        ("ada", "relations: [{to: bo}, {to: bo, trust: 1}]", "two relationships of 'ada' are with 'bo'"),
        ("ada", "relations: [{to: bo, trust: 101}]", "less than or equal to 100"),
        ("ada", "relations: [{to: bo, fear: -1}]", "greater than or equal to 0"),
        ("ada", "relations: [{to: bo, love: 1}]", "the key `love` is not known here"),
        ("ada", "triples: [[bo, likes]]", "a triple is three ids"),
        ("ada", "triples: [[bo, likes, mill], [bo, likes, mill]]", "is there twice"),
        ("ada", "triples: [[bo, lives_in, mill], [bo, lives_in, yard]]", "can have one at a time"),
        (
            "facts",
            "- {id: x, text: X., triples: [[bo, works_at, mill], [bo, works_at, yard]]}",
            "can have one at a time",
        ),
        ("world", "triple_relations: [{id: rules, text: '{who} rules {object}.'}]", "braces that are no placeholder"),
        ("world", "entities: [{id: a, name: A}, {id: a, name: B}]", "two entities share the id 'a'"),
        ("world", "triple_relations: [{id: a}, {id: a}]", "two relations share the id 'a'"),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(make_pack, part, text, expected):
    found = problems(with_more(make_pack, **{part: text + "\n"}))
    assert [severity for message, severity in found if expected in message] == ["error"], found


def test_what_may_be_meant_so_is_a_warning(make_pack):
    found = problems(with_more(make_pack, ada="relations: [{to: hero}]\ntriples: [[bo, likes, beer]]\n"))
    assert [severity for _, severity in found] == ["warning", "warning"]
    assert "'hero', which is no NPC of the pack" in found[0][0]
    assert "speaks of 'beer', which has no name" in found[1][0]
