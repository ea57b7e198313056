"""A mind against a model of plain lists: everything a game can do, in any order, with kills and torn logs in between.

After every step the store reads as the model does; what comes to mind, with its scores, is what a store without any
memory of its own finds, and what another opening of a copy of the file finds. At the end another mind, which lives only
the life that is being played, must show the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test
from mind_comparing import STEPS, players, texts
from mind_pack import NPCS
from mind_reporting import Reporting
from mind_telling import Telling
from mind_twin import open_mind

from npc_memory.errors import UnknownId


class MindMachine(Telling, Reporting):
    """Saves, and what happens to a process."""

    @rule(slot=st.sampled_from("xy"))
    def save(self, slot):
        made = self.mind.save(slot)
        assert made.save_id not in self.game.saved
        self.game.save(slot, made.save_id)

    @rule(data=st.data(), by_slot=st.booleans())
    def load(self, data, by_slot):
        if not self.game.saved:
            self.save("y")
            self.talk("bo", "ann", "I saw rats on the road.", None, "")
        slots = self.game.slots
        slot = data.draw(st.sampled_from(sorted(slots))) if by_slot and slots else ""
        save_id = slots[slot] if slot else data.draw(st.sampled_from(list(self.game.saved)))
        assert self.mind.load(slot or save_id).save_id == save_id
        self.game.load(save_id, self.store.find_save("auto").save_id)
        self.mind._compacting.settle()
        STEPS["loaded"] += 1

    @precondition(lambda self: hasattr(self, "game") and self.game.slots)
    @rule(data=st.data())
    def delete_save(self, data):
        slot = data.draw(st.sampled_from(sorted(self.game.slots)))
        gone = self.mind.delete_save(slot)
        assert gone.save_id == self.game.slots.pop(slot)
        del self.game.saved[gone.save_id]
        with pytest.raises(UnknownId):
            self.mind.load(gone.save_id)

    @rule()
    def compact(self):
        self.mind.compact()

    @rule(player=players)
    def forget(self, player):
        self.mind.forget(player)
        self.game.forget(player)

    @rule()
    def restart(self):
        self.mind.close()
        self.mind = open_mind(self.world, self.file)

    @rule(
        data=st.data(),
        deed=st.sampled_from(("talk", "observe", "edit", "delete", "retry", "save", "load", "walk", "converse")),
        torn=st.integers(0, 1000),
    )
    def killed(self, data, deed, torn):
        """The process dies in the midst of ``deed``: of its log only a part has reached the disk."""
        if deed == "load" and not self.game.saved:
            self.save("y")
        if deed in ("edit", "delete", "retry"):  # what has to be there first is whole
            for npc in NPCS:
                self.talk(npc, "ann", "Who has the crown?", None, "")
        kept, wrote = self.game.copy(), self.log()
        given = {
            "talk": lambda: {"npc": "ada", "player": "rolf", "text": data.draw(texts), "audience": None, "key": ""},
            "observe": lambda: {
                "text": data.draw(texts),
                "actor": "ann",
                "whom": "",
                "place": "mill",
                "audience": None,
                "key": "",
            },
            "edit": lambda: {"data": data, "text": data.draw(texts)},
            "delete": lambda: {"data": data},
            "retry": lambda: {"data": data, "text": None},
            "save": lambda: {"slot": "x"},
            "load": lambda: {"data": data, "by_slot": False},
            "walk": lambda: {"npc": "bo", "place": "yard"},
            "converse": lambda: {"pair": ["ada", "bo"], "turns": 1},
        }[deed]()
        getattr(self, deed)(**given)
        log = self.log()
        begun = len(wrote) if log.startswith(wrote[:32]) and len(log) >= len(wrote) else len(log)
        cut = begun + (len(log) - begun) * torn // 1000
        base, newest = self.file.read_bytes(), self.store.newest_seq()
        self.mind.close()
        self.files += 1
        self.file = self.folder / f"{self.files}.sqlite3"
        self.file.write_bytes(base)
        Path(f"{self.file}-wal").write_bytes(log[:cut])
        self.mind = open_mind(self.world, self.file)
        if cut < len(log) and not (self.store.newest_seq() == newest and self.is_so()):
            self.game = kept
            STEPS["half written"] += 1


RELAXED = {"deadline": None, "suppress_health_check": list(HealthCheck), "derandomize": True, "database": None}


def test_a_mind_agrees_with_the_model() -> None:
    run_state_machine_as_test(MindMachine, settings=settings(max_examples=4, stateful_step_count=20, **RELAXED))


@pytest.mark.full
def test_a_mind_agrees_with_the_model_over_ten_thousand_steps() -> None:
    STEPS.clear()
    run_state_machine_as_test(MindMachine, settings=settings(max_examples=265, stateful_step_count=50, **RELAXED))
    assert STEPS["steps"] >= 10_000
    assert min(STEPS[what] for what in ("rolled again", "worded anew", "half written", "loaded")) > 30, STEPS
