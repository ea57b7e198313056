"""A recorded game is replayed: the same today, or else the replay says where it first differs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scenario_kit import SMALL_TALK, line, open_mind
from typer.testing import CliRunner

from npc_memory.audit import FORMAT, Audit, Divergence, prompt_sha256
from npc_memory.cli.app import app
from npc_memory.errors import ModelMissing, RecordingModel, RecordingTooNew
from npc_memory.inference import Reply, ScriptedEngine
from npc_memory.memory import AuditRecord, Authority
from npc_memory.opening import open_mind as open_played
from npc_memory.opening import silent_mind
from npc_memory.replaying import Replay
from npc_memory.store import Store
from npc_memory.world import load_world

LIE = "King Aldric is alive and well."
SCRIPT = ("Good evening.", "", "The stew is hot.", LIE, "I mourn him.", LIE, LIE, "The road is long.")
"""A good reply, one that is empty and tried again, one that lies once, one that lies twice, a good one."""


N_CTX = 1024
"""Tokens; so few that a long line has to be shortened."""


def play(file: Path) -> list[AuditRecord]:
    """A short game with all that can be in a prompt; return its recorded replies."""
    with open_mind(file, engine=ScriptedEngine(list(SCRIPT), format=line, n_ctx=N_CTX)) as mind:
        mind.actor("勇者", name="Élise")
        mind.talk("marta", "勇者", "Good evening. <|im_end|>")
        mind.clock(mind.game_time + 90)
        mind.observe("fire", "The mill burned down.", place="gilded_stag", audience=("marta", "brann"))
        mind.set_state({"weather": "snow"})
        mind.talk("brann", "rolf", "What is there to eat? " + "And to drink? " * 60)
        mind.end("勇者")
        for text in ("How is trade?", "Are you sure the king is dead?", "Nice weather."):
            mind.talk("marta", "勇者", text)
        return list(mind.store.audits())


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[AuditRecord]]:
    file = tmp_path_factory.mktemp("game") / "emberfall.sqlite3"
    return file, play(file)


def replayed(*records: AuditRecord) -> Divergence | None:
    with ScriptedEngine() as engine:
        return Replay(engine).run(records).divergence


def altered(record: AuditRecord, change: Callable[[dict[str, Any]], None]) -> AuditRecord:
    data = json.loads(record.payload)
    change(data)
    return replace(record, payload=json.dumps(data))


def command(*args: str | Path) -> Any:
    return CliRunner().invoke(app, ["replay", *map(str, args)], env={"COLUMNS": "200"})


def store_of(file: Path, *records: AuditRecord) -> Path:
    """A world's file that holds these replies, and nothing else."""
    with Store.open(file, world="emberfall") as store, store.transaction() as write:
        for one in records:
            said = write.turn(
                authority=Authority.GAME,
                npc=one.npc,
                player=one.player,
                speaker=one.player,
                addressee=one.npc,
                text="…",
            )
            write.audit(authority=Authority.REPLY, npc=one.npc, player=one.player, turn=said.id, payload=one.payload)
    return file


# -- the same ----------------------------------------------------------------------------------------------------------


def test_every_attempt_of_every_reply_is_built_again_the_same(game: tuple[Path, list[AuditRecord]]) -> None:
    _, records = game
    audits = [Audit.from_payload(one.payload) for one in records]
    attempts = [[one.refused for one in audit.attempts] for audit in audits]
    assert attempts == [[""], ["empty", ""], ["contradiction", ""], ["contradiction", "contradiction"], [""]]
    assert [audit.attempts[-1].reminder is not None for audit in audits] == [False, False, True, True, False]
    with ScriptedEngine() as engine:
        found = Replay(engine).run(records)
    assert found.divergence is None
    assert (found.replies, found.prompts, found.silent) == (5, 8, 0)
    assert audits[1].report["shortened"] == ["player_line"]
    assert audits[2].attempts[0].prompt_sha256 != audits[2].attempts[1].prompt_sha256


def test_the_command_says_same_and_leaves_the_file_as_it_is(game: tuple[Path, list[AuditRecord]]) -> None:
    file, _ = game
    before = file.read_bytes(), sorted(file.parent.iterdir())
    done = command(file, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert (found["replies"], found["prompts"], found["divergence"]) == (5, 8, None)
    told = command(file, "--npc", "marta", "--player", "勇者", "--limit", "2")
    assert told.exit_code == 0
    assert "same  3 prompts of 2 replies" in told.stdout
    assert (file.read_bytes(), sorted(file.parent.iterdir())) == before


def test_another_world_version_and_a_changed_pack_do_not_matter(game: tuple[Path, list[AuditRecord]]) -> None:
    """A record holds its whole input; the pack may have moved on since."""

    def older(data: dict[str, Any]) -> None:
        data.update(world_version="0.0.1", world_fingerprint="", world="no such world")

    assert replayed(*(altered(one, older) for one in game[1])) is None


def test_a_game_recorded_in_format_1_is_replayed(tmp_path: Path) -> None:
    payload = (Path(__file__).parents[1] / "replays" / "format1.json").read_text(encoding="utf-8")
    record = AuditRecord(id="", npc="marta", player="p1", turn="", game_time=0, payload=payload)
    done = command(store_of(tmp_path / "w.sqlite3", record), "--tokens", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["replies"], found["prompts"], found["generated"]) == (1, 1, 0)


# -- diverged ----------------------------------------------------------------------------------------------------------


def test_a_changed_byte_of_any_segment_is_found_in_its_section(game: tuple[Path, list[AuditRecord]]) -> None:
    record = game[1][4]
    prompt = json.loads(record.payload)["prompt"]
    assert len({section for section, _, _ in prompt}) > 6
    for at, (section, _, text) in enumerate(prompt):

        def change(data: dict[str, Any], at: int = at, text: str = text) -> None:
            data["prompt"][at][2] = text[:-1] + chr(ord(text[-1]) ^ 1)

        found = replayed(altered(record, change))
        assert found is not None
        assert (found.record, found.npc, found.attempt, found.what) == (record.id, "marta", 0, section)
        assert found.got.endswith(text)


@pytest.mark.parametrize(
    ("change", "attempt", "what", "shown"),
    [
        (lambda d: d["snapshot"].update(persona=d["snapshot"]["persona"] + "!"), 0, "persona", "!"),
        (lambda d: d["snapshot"].update(player_line="Is the queen well?"), 0, "player_line", "queen"),
        (lambda d: d["snapshot"]["canonical_facts"].pop(0), 0, "public_facts", ""),
        (lambda d: d["template"]["wording"].update(public_facts="It is so:"), 0, "public_facts", "It is so:"),
        (lambda d: d["prompt"].pop(), 0, "cue", "(no segment)"),
        (lambda d: d.update(prompt_sha256="0" * 64), 0, "prompt_sha256", ""),
        (lambda d: d.update(grammar_sha256="0" * 64), 0, "grammar", ""),
        (lambda d: d["spec"].update(max_chars=d["spec"]["max_chars"] + 1), 0, "grammar", ""),
        (lambda d: d.update(world_seed=d["world_seed"] + 1), 0, "seed", ""),
        (lambda d: d["attempts"][1].update(seed=1), 1, "seed", "1"),
        (lambda d: d["attempts"][1].update(prompt_sha256="0" * 64), 1, "prompt_sha256", "0" * 64),
        (lambda d: d["attempts"][1]["reminder"].update(text="The king lives."), 1, "prompt_sha256", ""),
        (lambda d: d["attempts"][1].update(reminder=None), 1, "prompt_sha256", ""),
        (lambda d: d["attempts"][1].update(released="Well,"), 1, "prompt_sha256", ""),
        (lambda d: d["policy"].update(limit=40), 0, "budget", "40 tokens"),
    ],
)
def test_whatever_was_changed_is_found_at_its_place(
    game: tuple[Path, list[AuditRecord]],
    change: Callable[[dict[str, Any]], None],
    attempt: int,
    what: str,
    shown: str,
) -> None:
    record = game[1][2]
    found = replayed(altered(record, change))
    assert found is not None
    assert (found.record, found.npc, found.attempt, found.what) == (record.id, "marta", attempt, what)
    assert shown in found.expected + found.got
    assert found.expected != found.got
    assert found.diff()


def test_a_change_of_our_own_words_is_found(
    game: tuple[Path, list[AuditRecord]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a new version of this program does to the prompts of an old game."""
    monkeypatch.setattr("npc_memory.prompt.page.age_words", lambda *args, **kwargs: "ages ago")
    found = replayed(*game[1])
    assert found is not None
    assert "ages ago" in found.got
    assert "ages ago" not in found.expected


def test_the_command_stops_at_the_first_difference_and_shows_it(
    game: tuple[Path, list[AuditRecord]], tmp_path: Path
) -> None:
    def change(data: dict[str, Any]) -> None:
        data["snapshot"]["canonical_facts"][0]["text"] = "King Aldric is well."

    first, second, *others = game[1]
    file = store_of(tmp_path / "w.sqlite3", first, altered(second, change), *others)
    done = command(file)
    assert done.exit_code == 3
    assert "diverged" in done.stdout
    assert "brann, attempt 0: " in done.stdout
    assert "1 replies before it are the same" in done.stdout
    assert [one for one in done.stdout.splitlines() if one.startswith("+") and "King Aldric is well." in one]
    as_json = command(file, "--json")
    assert as_json.exit_code == 3
    assert json.loads(as_json.stdout)["divergence"]["npc"] == "brann"


# -- cannot be replayed ------------------------------------------------------------------------------------------------


def test_a_newer_format_has_an_exit_code_of_its_own(game: tuple[Path, list[AuditRecord]], tmp_path: Path) -> None:
    newer = altered(game[1][0], lambda data: data.update(format=FORMAT + 1, unheard_of=1))
    with pytest.raises(RecordingTooNew, match=f"format {FORMAT + 1}"):
        replayed(newer)
    done = command(store_of(tmp_path / "w.sqlite3", newer))
    assert done.exit_code == 4
    assert "recording_too_new" in done.stderr


def test_another_model_has_an_exit_code_of_its_own(game: tuple[Path, list[AuditRecord]], tmp_path: Path) -> None:
    other = altered(game[1][0], lambda data: data["model"].update(sha256="0" * 64, name="another.gguf"))
    with pytest.raises(RecordingModel, match=r"another\.gguf"):
        replayed(other)
    done = command(store_of(tmp_path / "w.sqlite3", other), "--engine", "scripted")
    assert done.exit_code == 5
    assert "recording_model" in done.stderr
    assert "--model" in done.stderr


def test_a_game_that_runs_must_be_stopped_first(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    with open_mind(file) as mind:
        mind.talk("marta", "rolf", "Good evening.")
        done = command(file)
        assert done.exit_code == 1
        assert "store_locked" in done.stderr
        assert "stop the bridge" in done.stderr
        assert mind.talk("marta", "rolf", "Still there?").say
    assert command(file).exit_code == 0


def test_what_a_killed_game_left_in_its_log_is_replayed(tmp_path: Path) -> None:
    script = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); from scenario_kit import open_mind;"
        "mind = open_mind(sys.argv[2]); mind.talk('marta', 'rolf', 'Good evening.'); os._exit(9)"
    )
    file = tmp_path / "w.sqlite3"
    killed = subprocess.run([sys.executable, "-c", script, Path(__file__).parent, file], timeout=300, check=False)
    assert killed.returncode == 9
    before = {one: one.read_bytes() for one in tmp_path.iterdir()}
    assert len(before) == 2
    done = command(file, "--json")
    assert (done.exit_code, json.loads(done.stdout)["replies"]) == (0, 1)
    assert {one: one.read_bytes() for one in tmp_path.iterdir()} == before


@pytest.mark.parametrize("content", [b"", b"no store at all" * 400])
def test_what_is_no_recording_is_a_typed_error(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "w.sqlite3"
    file.write_bytes(content)
    for path in (file, tmp_path / "nothing", tmp_path):
        done = command(path)
        assert done.exit_code == 1
        assert isinstance(done.exception, SystemExit)
        assert "cure" in done.stderr
    assert file.read_bytes() == content


def test_a_reply_that_nobody_asked_for_is_an_error_not_a_success(game: tuple[Path, list[AuditRecord]]) -> None:
    done = command(game[0], "--npc", "nobody")
    assert done.exit_code == 1
    assert "unknown_id" in done.stderr


# -- without a model ---------------------------------------------------------------------------------------------------


def test_replies_without_a_prompt_are_counted_apart(game: tuple[Path, list[AuditRecord]]) -> None:
    def dead(data: dict[str, Any]) -> None:
        data.update(prompt=[], prompt_sha256=prompt_sha256([]), report={}, attempts=[], grammar_sha256="")

    with ScriptedEngine() as engine:
        found = Replay(engine).run([altered(game[1][0], dead), *game[1][1:]])
    assert (found.divergence, found.replies, found.silent, found.prompts) == (None, 5, 1, 7)


def test_a_game_without_a_model_needs_none_to_be_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, world = tmp_path / "w.sqlite3", load_world("emberfall")
    store = Store.open(file, world=world.id, world_version=world.version)
    with silent_mind(world, store, ModelMissing("no model here")) as mind:
        assert mind.talk("marta", "rolf", "Is the king well?").fallback
        assert mind.explain(mind.talk("marta", "rolf", "Good night.").audit).prompt
    monkeypatch.setenv("NPC_MEMORY_MODELS", str(tmp_path))
    done = command(file, "--model", "nothing.gguf", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["replies"] == 2


def test_owners_are_replayed_apart(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    with open_mind(file) as mind:
        mind.talk("marta", "rolf", "Good evening.")
        for text in SMALL_TALK[:2]:
            mind.for_owner("ada").talk("marta", "rolf", text)
    for owner, replies in (("", 1), ("ada", 2)):
        done = command(file, "--owner", owner, "--json")
        assert (done.exit_code, json.loads(done.stdout)["replies"]) == (0, replies)


# -- spoken again ------------------------------------------------------------------------------------------------------


def test_tokens_are_made_again_and_compared(tmp_path: Path) -> None:
    file = tmp_path / "w.sqlite3"
    with open_mind(file, engine=ScriptedEngine()) as mind:
        for text in SMALL_TALK[:3]:
            mind.talk("marta", "rolf", text)
        records = list(mind.store.audits())
    done = command(file, "--tokens", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert found["generated"] >= 3
    with ScriptedEngine([Reply("Something else.")]) as engine:
        other = Replay(engine, tokens=True).run(records).divergence
    assert other is not None
    assert other.what == "tokens"
    assert "Something else." in other.got


@pytest.mark.full
@pytest.mark.model
def test_what_the_real_model_said_it_says_again(tmp_path: Path) -> None:
    with open_played("emberfall", tmp_path) as mind:
        for npc, text in (("marta", "Good evening."), ("marta", "Is the king well?"), ("brann", "Can you mend it?")):
            mind.talk(npc, "rolf", text)
        bit_exact = mind.engine.info.determinism.word == "bit-exact"
    done = command(tmp_path / "emberfall.sqlite3", "--tokens", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["replies"] == 3
    assert (found["generated"] >= 3) == bit_exact
