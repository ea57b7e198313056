"""Load means load (promise P8): nothing of an abandoned future is remembered, ranked or counted; nothing is lost."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from scenario_kit import line, open_mind

from npc_memory.errors import InvalidInput, MandatoryOverflow, Superseded, UnknownId
from npc_memory.hearing import Line, gather
from npc_memory.inference import Reply, ScriptedEngine
from npc_memory.memory import Authority
from npc_memory.mind import Answer, Mind
from npc_memory.reporting import Reports
from npc_memory.store import Store
from npc_memory.store.database import Database
from npc_memory.store.seen import Seen

DAY = 24 * 60

TALES = (
    "Rats ate the barley in the mill.",
    "The miller pays in barley and silver.",
    "A silver fox was seen near the mill.",
    "My sister sells barley in Highmoor.",
    "Silver rings were stolen from the chapel.",
)


def shown(mind: Mind, text: str, npc: str = "marta") -> tuple[str, list[tuple[str, float]]]:
    """The whole prompt, and what of her memories was offered with which score."""
    heard = mind._hear(Line(npc=npc, player="rolf", text=text))
    with mind.working_memory(npc, "rolf", text) as memory:
        return memory.text(), [(one.id, one.score) for one in heard.snapshot.episodes]


def fresh(file: Path, folder: Path, text: str) -> tuple[str, list[tuple[str, float]]]:
    """The same in another process's eyes: a copy of the closed file, opened anew."""
    copy = shutil.copy(file, folder / "copy.sqlite3")
    with open_mind(copy) as mind:
        return shown(mind, text)


def test_day_5_is_unknown_after_loading_day_3_and_known_again_after_loading_day_5() -> None:
    with open_mind() as mind:
        start = mind.game_time
        mind.clock(start + 3 * DAY)
        mind.talk("marta", "rolf", "I am on my way to the mill.")
        day3 = mind.save("day 3")
        mind.clock(start + 5 * DAY)
        mind.talk("marta", "rolf", "On day five I buried the golden crown under the oak.")
        mind.set_state({"old_well": "poisoned"})
        before = shown(mind, "Where is the golden crown?")
        day5 = mind.save("day 5")
        assert "golden crown under the oak" in before[0]

        assert mind.load("day 3") == day3
        asked = shown(mind, "Where is the golden crown?")
        assert "oak" not in asked[0]
        assert "poisoned" not in asked[0]
        assert mind.game_time == start + 3 * DAY
        mind.clock(start + 4 * DAY)
        mind.talk("marta", "rolf", "Nothing of that ever happened.")

        assert mind.load(day5.save_id) == day5
        assert shown(mind, "Where is the golden crown?") == before


def test_the_clock_goes_back_by_a_load_only() -> None:
    with open_mind() as mind:
        mind.save("start")
        start = mind.game_time
        mind.clock(start + DAY)
        with pytest.raises(InvalidInput):
            mind.clock(start)
        assert mind.load("start").game_time == start == mind.game_time


def test_load_a_then_b_in_one_process_is_b_in_a_fresh_process(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    question = "Who sells barley and silver?"
    with open_mind(file) as mind:
        mind.talk("marta", "rolf", TALES[0])
        mind.save("a")
        for tale in TALES[1:3]:
            mind.talk("marta", "rolf", tale)
            mind.clock(mind.game_time + DAY)
        mind.save("b")
        mind.talk("marta", "rolf", TALES[3])
        mind.talk("marta", "other", TALES[4])
        here = {}
        for save in ("a", "b", "a", "auto", "b"):
            mind.load(save)
            here[save] = shown(mind, question)
            mind.talk("marta", "rolf", f"{TALES[4]} That was after {save}.")
    assert len({text for text, _ in here.values()}) == 3
    for save in ("a", "b"):
        with open_mind(file) as mind:
            mind.load(save)
        assert fresh(file, tmp_path, question) == here[save]
    assert len(here["b"][1]) == 3


def test_a_retired_memory_is_back_where_it_was_not_retired(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    with open_mind(file) as mind:
        for tale in TALES:
            mind.talk("marta", "rolf", tale)
        mind.save("all")
        before = shown(mind, "barley and silver")
        for one in (0, 2):
            with mind.store.transaction() as writer:
                episode = mind.store.episodes("marta")[one]
                writer.retire(target=episode.id, authority=episode.authority)
        assert len(shown(mind, "barley and silver")[1]) == len(TALES) - 2
        mind.load("all")
        assert shown(mind, "barley and silver") == before
    assert fresh(file, tmp_path, "barley and silver") == before


def test_the_same_line_after_a_load_gets_the_same_answer() -> None:
    with open_mind() as mind:
        mind.talk("marta", "rolf", TALES[0])
        mind.save("one")
        said = [mind.talk("marta", "rolf", "And what do you say?").say]
        mind.load("one")
        said.append(mind.talk("marta", "rolf", "And what do you say?").say)
        assert said[0] == said[1]


class Slow:
    """An engine that waits in mid-word until it is let go on."""

    def __init__(self) -> None:
        self.words = threading.Event()
        self.engine = ScriptedEngine([Reply("Let me think. And think again.", "slow")], format=line, pace=0.01)


def talking(mind: Mind, said: list[Answer | BaseException], words: threading.Event) -> threading.Thread:
    def run() -> None:
        try:
            said.append(mind.talk("marta", "rolf", "Long story?", on_text=lambda text: words.set(), key="k1"))
        except BaseException as error:
            said.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_a_reply_under_way_ends_with_the_load_and_is_not_stored() -> None:
    slow, said = Slow(), list[Answer | BaseException]()
    with open_mind(engine=slow.engine) as mind:
        mind.save("one")
        newest = mind.store.newest_seq()
        thread = talking(mind, said, slow.words)
        assert slow.words.wait(30)
        mind.load("one")
        thread.join(30)
        (answer,) = said
        assert isinstance(answer, Answer)
        assert (answer.interrupted, answer.reason, answer.turn, answer.audit) == (True, "superseded", "", "")
        assert "Let me think." in answer.say
        assert mind.store.newest_seq() == newest
        assert mind.store.answer("k1") is None
        mind.load("auto")
        assert mind.store.turns("marta") == ()


def test_a_line_that_waited_for_its_turn_is_not_said_after_the_load() -> None:
    with open_mind() as mind:
        mind.save("one")
        begun = mind.store.epoch
        mind.load("one")
        answer = mind.talk("marta", "rolf", "Anyone there?", epoch=begun)
        assert (answer.interrupted, answer.turn, answer.say) == (True, "", "")
        assert mind.store.turns("marta") == ()
        assert not mind.talk("marta", "rolf", "Anyone there?", epoch=mind.store.epoch).interrupted


def test_a_summary_that_comes_after_the_load_is_thrown_away() -> None:
    with open_mind() as mind:
        mind.talk("marta", "rolf", TALES[0])
        mind.save("one")
        mind.talk("marta", "rolf", TALES[1])
        begun, told = mind.store.epoch, [one.id for one in mind.store.episodes("marta")]
        mind.load("one")  # while somebody thinks about what to write
        for save in ("one", "auto"):
            with pytest.raises(Superseded), mind.store.transaction(begun) as writer:
                writer.episode(
                    npc="marta", kind="summary", text="Of barley.", provenance=told, authority=Authority.REPLY
                )
            assert "Of barley." not in [one.text for one in mind.store.episodes("marta")]
            mind.load(save)
        assert "Of barley." not in shown(mind, "What of the barley?")[0]


def test_each_load_is_told_to_those_who_ask() -> None:
    with open_mind() as mind:
        told = []
        mind.on_load.append(lambda owner, save: told.append((owner, save.slot)))
        ann = mind.for_owner("ann")
        mind.save("one")
        ann.save("hers")
        mind.load("one")
        ann.load("hers")
        assert told == [("", "one"), ("ann", "hers")]
        with pytest.raises(UnknownId):
            ann.load("one")


def test_a_save_whose_state_does_not_fit_any_more_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    with open_mind(file) as mind:
        mind.set_state({f"rumour{number}": "a long tale of wars and taxes " * 8 for number in range(8)})
        mind.save("much")
        mind.set_state({f"rumour{number}": None for number in range(8)})
        mind.save("little")
    with open_mind(file, n_ctx=1200) as mind:
        before = (mind.store.epoch, mind.saves(), dict(mind.store.state()))
        with pytest.raises(MandatoryOverflow):
            mind.load("much")
        assert (mind.store.epoch, mind.saves(), dict(mind.store.state())) == before
        assert mind.load("little").slot == "little"


def test_a_line_taken_out_after_the_save_counts_again_after_the_load() -> None:
    def shown() -> tuple[object, object]:
        asked = Line(npc="marta", player="p1", text="And now?")
        fresh = Store(mind.store._database, Seen(mind.store._seen.lineage), lambda: 0)
        with mind.store.reading():
            kept, anew = (gather(mind.world, one, asked, mind.prompt, 2) for one in (mind.store, fresh))
        return (kept.snapshot.dialogue, kept.own_lines), (anew.snapshot.dialogue, anew.own_lines)

    with open_mind() as mind:
        first = mind.talk("marta", "p1", "How is trade?")
        for text in ("Any news?", "Is the stew good?"):
            mind.talk("marta", "p1", text)
        mind.save("old")
        before = shown()
        mind.delete(first.turn)
        mind.delete(mind.store.dialogue("marta", "p1")[0].id)
        assert shown()[0] == shown()[1] != before[0]
        mind.load("old")
        assert shown() == before


def test_a_save_is_judged_once_for_each_model_and_again_after_an_erasure(tmp_path: Path, monkeypatch) -> None:
    judged: list[int] = []
    real = Reports.check_all
    monkeypatch.setattr(
        Reports, "check_all", lambda self, *given, **view: judged.append(1) or real(self, *given, **view)
    )
    with open_mind(tmp_path / "town.sqlite3") as mind:
        mind.save("old")
        mind.talk("marta", "p1", "Good evening.")
        mind.set_state({"north_bridge": "burned"})
    for n_ctx, forgets, expected in ((2048, False, []), (4096, False, [1, 1]), (4096, True, [1, 1]), (4096, False, [])):
        with open_mind(tmp_path / "town.sqlite3", n_ctx=n_ctx) as mind:
            if forgets:
                mind.forget("p1")
            del judged[:]
            mind.load("old")
            mind.load("auto")
            assert judged == expected


def test_a_line_said_before_the_save_keeps_its_key_and_one_after_it_does_not() -> None:
    with open_mind() as mind:
        first = mind.talk("marta", "rolf", "One.", key="before")
        mind.save("one")
        mind.talk("marta", "rolf", "Two.", key="after")
        mind.load("one")
        assert mind.talk("marta", "rolf", "One.", key="before") == first
        assert mind.store.answer("after") is None


def asked(mind: Mind, monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> int:
    """How many statements ``do`` runs."""
    with monkeypatch.context() as patch:
        real, ran = Database._bound, []
        patch.setattr(Database, "_bound", lambda self, sql, given: (ran.append(sql), real(self, sql, given))[1])
        do()
        return len(ran)


def test_a_snapshot_asks_no_more_however_much_was_said_and_less_when_nothing_is_new(monkeypatch) -> None:
    with open_mind() as mind:
        for told in TALES:
            mind.talk("marta", "rolf", told)
        mind.save("old")
        after_a_reply = asked(mind, monkeypatch, lambda: shown(mind, "Who has barley?"))
        again = asked(mind, monkeypatch, lambda: shown(mind, "Who has barley?"))
        mind.talk("marta", "rolf", "Good night.")
        mind.load("old")
        after_a_load = asked(mind, monkeypatch, lambda: shown(mind, "Who has barley?"))
        for _ in range(20):
            mind.talk("marta", "rolf", "Good night.")
        later = asked(mind, monkeypatch, lambda: shown(mind, "Who has barley?"))
        assert later == after_a_reply, "it does not grow with the past"
        assert again < after_a_load < after_a_reply, "what is known not to be newer is not asked for"


def test_what_an_npc_knows_follows_state_place_and_faction_and_comes_back_with_a_load() -> None:
    def known(mind: Mind) -> tuple[object, ...]:
        heard = mind._hear(Line(npc="marta", player="rolf", text="Well?")).snapshot
        kept = heard.canonical_facts, heard.world_state
        actor, npc = mind.store.actor("marta"), mind.world.npc("marta")
        place = actor.place if actor is not None and actor.place else npc.place
        factions = (actor.faction,) if actor is not None and actor.faction else npc.factions
        state = dict(mind.store.state())
        facts = mind.world.facts_for("marta", state, place=place, factions=factions)
        assert kept == (facts, mind.world.state_for("marta", state, place=place, factions=factions))
        return kept

    with open_mind() as mind:
        begun = known(mind)
        mind.save("begun")
        mind.set_state({"old_well": "poisoned"})
        poisoned = known(mind)
        mind.actor("marta", place=next(one for one in mind.world.places if one != mind.world.npc("marta").place))
        known(mind)
        mind.actor("marta", faction=next(iter(mind.world.factions)))
        known(mind)
        mind.load("begun")
        assert known(mind) == begun != poisoned
        mind.load("auto")
        after = known(mind)
        with mind.store.rehearsal():
            mind.set_state({"old_well": "clean"})
            assert known(mind) != after
        assert known(mind) == after


def test_saves_are_small(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    with open_mind(file) as mind:
        for tale in TALES:
            mind.talk("marta", "rolf", tale)
        for number in range(50):
            mind.save(f"slot {number}")
            mind.load(f"slot {number}")
    assert file.stat().st_size < 600_000
