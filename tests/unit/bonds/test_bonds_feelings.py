"""What is kept of a feeling is what the fold of all visible changes gives, whatever happens in between."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from searches import examples

from npc_memory.bonds.feelings import Feelings
from npc_memory.memory import Authority
from npc_memory.memory.relationships import KINDS, folded
from npc_memory.store import Store

GAME = Authority.GAME
START = {"trust": 10}

steps = st.lists(
    st.tuples(
        st.sampled_from(["change", "change", "change", "retire", "save", "load", "alias", "belief", "erase"]),
        st.sampled_from(["p1", "p2"]),
        st.sampled_from(KINDS),
        st.sampled_from(["by", "to", "off"]),
        st.integers(0, 60),
    ),
    max_size=14,
)


@given(steps)
@settings(deadline=None, max_examples=examples(40))
def test_what_is_kept_is_what_a_fold_of_all_gives(made):
    with Store.open(":memory:", world="w") as store:
        saved = False
        for what, other, kind, how, amount in made:
            changes = store.all_relationship_changes("marta")
            with store.transaction() as write:
                if what == "change":
                    write.relationship(authority=GAME, npc="marta", other=other, kind=kind, how=how, amount=amount)
                elif what == "retire" and changes:
                    write.retire(authority=GAME, target=changes[amount % len(changes)].id)
                elif what == "belief":
                    belief = write.belief(authority=GAME, npc="marta", text="x")
                    write.retire(authority=GAME, target=belief.id)
                elif what == "alias" and store.identities().ids("p2")[0] == "p2":
                    write.alias(authority=GAME, actor="p2", alias_of="p1")
            if what == "save":
                saved = bool(store.save("s"))
            elif what == "load" and saved:
                store.load("s")
            elif what == "erase" and changes:
                store.erase([changes[amount % len(changes)].id])
            with store.reading():
                for one in ("p1", "p2"):
                    kept = store.kept(Feelings).of(store, "marta", one, START)
                    every = store.relationship_changes("marta", one)
                    assert kept.values == folded(every, START)
                    assert kept.newest == {change.kind: change for change in every}
