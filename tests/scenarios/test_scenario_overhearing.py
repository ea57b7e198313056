"""Who hears what is said: whispers, groups, bystanders, late joiners; and that nobody takes it for said to her."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from scenario_kit import line, open_mind
from searches import examples

from npc_memory.inference import Behaviour, ScriptedEngine
from npc_memory.mind import Mind
from npc_memory.prompt_files import load_prompt
from npc_memory.replaying import Replay
from npc_memory.store import Store
from npc_memory.working_memory import BudgetPolicy
from npc_memory.world import load_world

PASSWORD = "The password is heather."


def mind_at(place: Path | str = ":memory:", behaviours: Sequence[Behaviour] = ()) -> Mind:
    return open_mind(place, engine=ScriptedEngine(["Aye."], behaviours=list(behaviours), format=line))


def shown(mind: Mind, npc: str, player: str, text: str = "What is the password?") -> str:
    with mind.working_memory(npc, player, text) as memory:
        return memory.text()


def gather(mind: Mind, *npcs: str, place: str = "inn") -> None:
    for npc in npcs:
        mind.actor(npc, place=place)


def test_a_whisper_is_remembered_by_the_one_addressed_only() -> None:
    with mind_at() as mind:
        gather(mind, "marta", "tamsin", "edda")
        mind.talk("marta", "rolf", PASSWORD, audience=[])
        assert PASSWORD in shown(mind, "marta", "rolf")
        for npc in ("tamsin", "edda", "nim"):
            assert "heather" not in shown(mind, npc, "rolf")


def test_who_is_there_overhears_question_and_answer_and_knows_it_was_not_said_to_her() -> None:
    with mind_at() as mind:
        gather(mind, "marta", "tamsin")
        mind.actor("rolf", name="Rolf")
        mind.talk("marta", "rolf", PASSWORD)
        text = shown(mind, "tamsin", "rolf", "Well?")
        assert f"Rolf (to Marta): {PASSWORD}\nMarta (to Rolf): Aye.\n" in text
        assert f"Rolf: {PASSWORD}" not in text
        assert "heather" not in shown(mind, "edda", "rolf"), "she is at the market"
        mind.end("rolf")
        later = shown(mind, "tamsin", "rolf")
        assert f'Rolf said to Marta: "{PASSWORD}" Marta answered: "Aye."' in later
        assert f'Rolf said: "{PASSWORD}"' not in later
        assert f'Rolf said: "{PASSWORD}"' in shown(mind, "marta", "rolf")


def test_the_packs_home_makes_nobody_a_listener() -> None:
    with mind_at() as mind:
        assert mind.world.npc("tamsin").place == mind.world.npc("marta").place == "inn"
        mind.talk("marta", "rolf", PASSWORD)
        assert "heather" not in shown(mind, "tamsin", "rolf")
        mind.actor("tamsin", place="inn")
        mind.talk("marta", "rolf", "Once more: heather.")
        assert "rolf (to Marta): Once more: heather." in shown(mind, "tamsin", "rolf")
        assert "The password is heather." not in shown(mind, "tamsin", "rolf")


def test_the_place_of_a_line_decides_who_hears_it() -> None:
    with mind_at() as mind:
        gather(mind, "marta", "tamsin")
        gather(mind, "edda", "nim", place="market")
        mind.talk("marta", "rolf", PASSWORD, place="market")
        assert [npc for npc in ("tamsin", "edda", "nim") if "heather" in shown(mind, npc, "rolf")] == ["edda", "nim"]


def test_a_group_hears_it_and_the_right_one_answers() -> None:
    with mind_at() as mind:
        first = mind.talk("marta", "rolf", "Who has seen Wren?", audience=["tamsin", "edda"])
        second = mind.talk("edda", "rolf", "And you?", audience=["marta", "tamsin"])
        assert (first.npc, second.npc) == ("marta", "edda")
        text = shown(mind, "tamsin", "rolf", "And you, Tamsin?")
        said = ["rolf (to Marta): Who has seen Wren?", "Marta (to rolf): Aye.", "rolf (to Edda): And you?"]
        at = [text.index(one) for one in said]
        assert at == sorted(at)
        assert "rolf: Who has seen Wren?\nMarta: Aye.\nrolf (to Edda): And you?\nEdda (to rolf): Aye." in shown(
            mind, "marta", "rolf", "Hm?"
        )


def test_who_comes_late_heard_only_what_was_said_after_also_when_the_talk_is_trimmed(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    with mind_at(file) as mind:
        gather(mind, "marta")
        mind.talk("marta", "rolf", "Early: the mill is haunted.")
        mind.actor("tamsin", place="inn")
        mind.talk("marta", "rolf", "Middle: the ferry leaks.")
        mind.actor("tamsin", place="market")
        mind.talk("marta", "rolf", "Late: the fox is loose.")
        for number in range(30):
            mind.talk("marta", "rolf", f"Nice weather, {number}.", audience=["tamsin"])
    with mind_at(file) as mind:
        text = shown(mind, "tamsin", "rolf", "The mill, the ferry, the fox?")
        assert 'said to Marta: "Middle: the ferry leaks."' in text
        assert "haunted" not in text
        assert "the fox is loose" not in text
        assert "Nice weather, 29." in text


def test_a_whisper_of_another_player_is_overheard_by_nobody_and_what_he_said_aloud_is() -> None:
    with mind_at() as mind:
        gather(mind, "marta", "tamsin")
        mind.talk("marta", "olaf", "Whispered: heather.", audience=[])
        mind.talk("marta", "olaf", "Aloud: the heather blooms.")
        text = shown(mind, "tamsin", "rolf", "What of the heather?")
        assert 'olaf said to Marta: "Aloud: the heather blooms."' in text
        assert "olaf (to Marta)" not in text, "that was another conversation"
        assert "Whispered" not in text


def test_an_event_reaches_those_named_and_nobody_when_nobody_is() -> None:
    with mind_at() as mind:
        gather(mind, "marta", "tamsin")
        mind.observe("theft", "Rolf took a loaf.", place="inn", audience=["edda"])
        mind.observe("theft", "Rolf took a ham.", place="inn", audience=[])
        mind.observe("theft", "Rolf took an egg.", place="inn")
        seen = {npc: [one.text for one in mind.store.episodes(npc)] for npc in ("marta", "tamsin", "edda")}
        assert seen == {"marta": ["Rolf took an egg."], "tamsin": ["Rolf took an egg."], "edda": ["Rolf took a loaf."]}


@pytest.mark.parametrize("behaviour", ["crash", "empty"])
def test_an_authored_line_is_overheard_as_talk_and_is_no_memory(behaviour: Behaviour) -> None:
    with mind_at(behaviours=[behaviour] * 2) as mind:
        said = mind.talk("marta", "rolf", PASSWORD, audience=["tamsin"])
        assert said.fallback
        assert f"Marta (to rolf): {said.say}" in shown(mind, "tamsin", "rolf")
        (episode,) = mind.store.heard_episodes("tamsin")
        assert episode.text == f'rolf said: "{PASSWORD}"'


def test_the_words_are_stored_once_however_many_hear_them(tmp_path: Path) -> None:
    with mind_at(tmp_path / "w.sqlite3") as mind:
        crowd = sorted(set(mind.world.npcs) - {"marta"})
        assert len(crowd) >= 12
        gather(mind, "marta", *crowd)
        mind.talk("marta", "rolf", PASSWORD)
        before = mind.store.newest_seq()
        mind.talk("marta", "rolf", "Canary-7f3a sings.", audience=[])
        alone = mind.store.newest_seq() - before
        before = mind.store.newest_seq()
        mind.talk("marta", "rolf", "Canary-91bc sings.")
        assert mind.store.newest_seq() - before == alone
        turn = mind.store.turns("marta")[-2]
        assert (turn.text, mind.store.hearers(turn.id)) == ("Canary-91bc sings.", tuple(crowd))


def test_silence_ends_what_was_overheard_as_it_ends_a_conversation() -> None:
    with mind_at() as mind:
        mind.talk("tamsin", "rolf", "Good evening.")
        mind.clock(mind.game_time + 500)
        mind.talk("marta", "rolf", PASSWORD, audience=["tamsin"])
        mind.clock(mind.game_time + 100)
        for question in ("And you?", "Truly?"):
            text = shown(mind, "tamsin", "rolf", question)
            assert f"rolf (to Marta): {PASSWORD}" in text
            assert "rolf: Good evening." not in text
            mind.talk("tamsin", "rolf", question)
        assert mind.store.session("tamsin", "rolf") == 2
        mind.clock(mind.game_time + 361)
        assert "rolf (to Marta)" not in shown(mind, "tamsin", "rolf")


def test_what_is_taken_back_was_not_overheard_either() -> None:
    with mind_at() as mind:
        mind.talk("marta", "rolf", PASSWORD, audience=["tamsin"])
        assert "heather" in shown(mind, "tamsin", "rolf")
        gone = [*mind.store.turns("marta"), *mind.store.episodes("marta")]
        with mind.store.transaction() as write:
            for one in gone:
                write.retire(authority=one.authority, target=one.id)
        assert "heather" not in shown(mind, "tamsin", "rolf")


def test_who_overheard_knows_what_was_said_anew_and_not_what_was_forgotten() -> None:
    with open_mind(engine=ScriptedEngine(["First answer.", "Second answer."], format=line)) as mind:
        first = mind.talk("marta", "rolf", "Hello there.", audience=["tamsin"])
        mind.retry(first.turn)
        mind.edit(mind.store.turns("marta")[0].id, "Good day, friend.")
        text = shown(mind, "tamsin", "rolf", "Well, friend?")
        assert "rolf (to Marta): Good day, friend.\nMarta (to rolf): Second answer." in text
        assert "Hello" not in text
        assert "First" not in text
        mind.end("rolf")
        text = shown(mind, "tamsin", "rolf", "Well, friend?")
        assert 'rolf said to Marta: "Good day, friend." Marta answered: "Second answer."' in text
        mind.actor("rolf-2", alias_of="rolf")
        mind.forget("rolf-2")
        assert "Good day" not in shown(mind, "tamsin", "rolf", "Well, friend?")
        assert mind.store.turns("marta") == mind.store.heard_episodes("tamsin") == ()


def test_a_recording_with_overheard_lines_aliases_and_rebirths_replays_to_the_byte(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    with mind_at(file) as mind:
        gather(mind, "marta", "tamsin", "edda")
        mind.actor("edda", name="Marta")
        mind.talk("marta", "rolf", PASSWORD)
        mind.talk("tamsin", "rolf", "Did you hear?")
        mind.actor("rolf-2", alias_of="rolf", name="Tamsin")
        mind.talk("edda", "rolf-2", "And you?")
        mind.actor("rolf", reborn=True, name="Tamsin")
        mind.talk("edda", "rolf", "I am new.")
        mind.talk("marta", "rolf-2", "It is me again.")
        records = mind.store.audits()
        prompts = ["".join(text for _, _, text in mind.explain(one.id).prompt) for one in records]
    assert f"Tamsin (to Marta (marta)): {PASSWORD}" in prompts[2], "she who is asked is called Marta, too"
    with ScriptedEngine() as engine:
        found = Replay(engine).run(records)
    assert found.divergence is None
    assert (found.replies, found.prompts) == (5, 5)


WORLD = load_world("emberfall")
ROOMY = BudgetPolicy(limit=60_000, max_exchanges=None, max_episodes=None, max_beliefs=None)
NPCS, PLAYERS, PLACES = ("marta", "tamsin", "edda"), ("rolf", "勇者"), ("inn", "market", "")
steps = st.lists(
    st.tuples(st.just("move"), st.sampled_from(NPCS), st.sampled_from(PLACES[:2]))
    | st.tuples(st.just("talk"), st.sampled_from(NPCS), st.sampled_from(PLAYERS))
    | st.tuples(st.just("talk"), st.sampled_from(NPCS), st.sampled_from(PLAYERS))
    | st.tuples(st.just("whisper"), st.sampled_from(NPCS), st.sampled_from(PLAYERS))
    | st.tuples(st.just("group"), st.sampled_from(NPCS), st.sampled_from(PLAYERS), st.sampled_from(NPCS))
    | st.tuples(st.just("reborn"), st.sampled_from(NPCS))
    | st.tuples(st.just("end"), st.sampled_from(PLAYERS))
    | st.tuples(st.just("save"), st.sampled_from("ab"))
    | st.tuples(st.just("load"), st.sampled_from("ab")),
    max_size=14,
)


class Ears:
    """Who may know which line, as plain sets, and a mind to hold against it."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self.at = dict.fromkeys(NPCS, "")
        self.known: dict[str, set[str]] = {npc: set() for npc in NPCS}
        self.saved: dict[str, tuple[dict[str, str], dict[str, set[str]]]] = {}
        self.said = 0

    def move(self, npc: str, place: str) -> None:
        self.mind.actor(npc, place=place)
        self.at[npc] = place

    def talk(self, npc: str, player: str) -> None:
        where = self.at[npc] or self.mind.world.npc(npc).place
        self._say(npc, player, None, {one for one in NPCS if self.at[one] == where})

    def whisper(self, npc: str, player: str) -> None:
        self._say(npc, player, [], set())

    def group(self, npc: str, player: str, other: str) -> None:
        self._say(npc, player, [other], {other})

    def reborn(self, npc: str) -> None:
        self.mind.actor(npc, reborn=True)
        self.known[npc], self.at[npc] = set(), ""

    def end(self, player: str) -> None:
        self.mind.end(player)

    def save(self, slot: str) -> None:
        self.mind.save(slot)
        self.saved[slot] = dict(self.at), {npc: set(lines) for npc, lines in self.known.items()}

    def load(self, slot: str) -> None:
        if slot in self.saved:
            self.mind.load(slot)
            at, known = self.saved[slot]
            self.at, self.known = dict(at), {npc: set(lines) for npc, lines in known.items()}

    def _say(self, npc: str, player: str, audience: list[str] | None, hearers: set[str]) -> None:
        self.said += 1
        words = f"verse{self.said}x"
        self.mind.talk(npc, player, f"Listen to {words}.", audience=audience)
        for one in {npc} | hearers:
            self.known[one].add(words)

    def check(self) -> None:
        everything = {f"verse{number}x" for number in range(1, self.said + 1)}
        for npc in NPCS:
            for player in PLAYERS:
                text = shown(self.mind, npc, player, "Well?")
                assert {words for words in everything if words in text} == self.known[npc], (npc, player)


@example([("talk", "marta", "rolf"), ("move", "tamsin", "inn"), ("talk", "marta", "rolf"), ("end", "rolf")])
@example([("move", "edda", "inn"), ("save", "a"), ("talk", "marta", "rolf"), ("load", "a"), ("reborn", "marta")])
@given(steps)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_nobody_knows_a_line_she_did_not_hear_and_everybody_knows_what_she_heard(done: list[tuple[str, ...]]) -> None:
    store = Store.open(":memory:", world=WORLD.id, world_version=WORLD.version)
    with Mind(WORLD, store, ScriptedEngine(["Aye."], format=line), load_prompt("transcript"), policy=ROOMY) as mind:
        ears = Ears(mind)
        for verb, *given_to in done:
            getattr(ears, verb)(*given_to)
        ears.check()
