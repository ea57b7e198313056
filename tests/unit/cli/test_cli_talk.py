"""The command line as a person or a script runs it: as a process of its own where that is what could differ."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from cli_kit import COMMAND, call, run


def talk(data: Path, *args: str, text: str = "Good evening.\n") -> subprocess.CompletedProcess[str]:
    return call("talk", "marta", "--engine", "scripted", "--data", str(data), *args, text=text)


def test_a_line_in_a_reply_out(tmp_path: Path) -> None:
    said = "Good evening.\n\nIs the king well?\nGood night."
    done = run("talk", "marta", "--engine", "scripted", "--data", str(tmp_path), text=said)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3
    assert all(done.stdout.splitlines())


def test_json_has_all_a_reply_has(tmp_path: Path) -> None:
    done = talk(tmp_path, "--json", "--player", "勇者", "--name", "Élise")
    reply = json.loads(done.stdout)
    assert (reply["npc"], reply["player"], reply["fallback"]) == ("marta", "勇者", False)
    assert {"say", "mood", "action", "turn", "kind", "dropped", "audit"} <= set(reply)


def test_what_is_said_is_remembered_and_explained(tmp_path: Path) -> None:
    talk(tmp_path, text="My name is Rolf.\n")
    reply = json.loads(talk(tmp_path, "--json", text="What is my name?\n").stdout)
    shown = call("explain", reply["audit"], "--data", str(tmp_path))
    assert shown.returncode == 0, shown.stderr
    for part in ("King Aldric is dead.", "My name is Rolf.", "traveller: What is my name?", "budget", reply["say"]):
        assert part in shown.stdout
    assert call("explain", reply["turn"], "--data", str(tmp_path)).stdout == shown.stdout
    listed = call("explain", "--list", "--data", str(tmp_path)).stdout.splitlines()
    assert [line.split()[0] for line in listed][-1] == reply["audit"]
    newest = json.loads(call("explain", "--json", "--data", str(tmp_path)).stdout)
    assert newest["reply"]["say"] == reply["say"]


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_every_script_in_every_locale(tmp_path: Path, locale: str) -> None:
    said = ["talk", "marta", "--engine", "scripted", "--data", str(tmp_path), "--player", "Довакин"]
    done = run(*said, text="こんばんは、マルタ。🙏\n", LC_ALL=locale, LANG=locale)
    assert done.returncode == 0, done.stderr
    shown = run("explain", "--data", str(tmp_path), LC_ALL=locale, LANG=locale)
    assert "Довакин: こんばんは、マルタ。🙏" in shown.stdout


def test_bytes_that_are_no_text_are_no_crash(tmp_path: Path) -> None:
    command = [*COMMAND, "talk", "marta", "--engine", "scripted", "--data", str(tmp_path)]
    done = subprocess.run(command, input=b"caf\xe9 \xff\xfe\x00\n", capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_a_refused_line_is_reported_and_the_talk_goes_on(tmp_path: Path) -> None:
    done = talk(tmp_path, "--json", text="x" * 1_000_000 + "\nGood evening.\n")
    refused, answered = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 1
    assert refused["error"] == "too_long"
    assert refused["hint"]
    assert answered["say"]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["talk", "nobody"], "unknown_id"),
        (["talk", "marta", "--world", "nowhere"], "world_not_found"),
        (["talk", "marta", "--engine", "llama", "--model", "no-such-model"], "model_missing"),
        (["talk", "marta", "--prompt", "nothing"], "template_invalid"),
        (["lint", "nowhere"], "world_not_found"),
        (["explain", "--data", "/nonexistent"], "unknown_id"),
        (["models", "pull", "no-such-model"], "model_missing"),
        (["models", "verify", "no-such-model"], "model_missing"),
    ],
)
def test_errors_name_message_cure_and_code(tmp_path: Path, args: list[str], code: str) -> None:
    given = [*args, "--data", str(tmp_path)] if args[0] == "talk" else args
    given += ["--engine", "scripted"] if args[0] == "talk" and "--engine" not in args else []
    done = call(*given, text="Hello.\n")
    assert done.returncode == 1
    assert f"code  {code} " in done.stderr
    assert "cure" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("content", [b"", b"GGUF", b"GGUF" + b"\x00" * 4096, b"not a model at all" * 100])
def test_a_file_that_is_no_model_is_a_typed_error(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.gguf"
    file.write_bytes(content)
    done = call("talk", "marta", "--data", str(tmp_path), "--model", str(file), text="Hello.\n")
    assert done.returncode == 1
    assert "code  model_damaged " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_second_process_on_the_same_file_is_told_so(tmp_path: Path) -> None:
    command = [*COMMAND, "talk", "marta", "--engine", "scripted", "--data", str(tmp_path)]
    first = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    try:
        assert first.stdin
        assert first.stdout
        first.stdin.write("Good evening.\n")
        first.stdin.flush()
        assert first.stdout.readline().strip()
        second = talk(tmp_path)
        assert second.returncode == 1
        assert "code  store_locked " in second.stderr
    finally:
        first.communicate(timeout=60)
    assert talk(tmp_path).returncode == 0


def test_killed_in_mid_talk_every_printed_reply_is_remembered(tmp_path: Path) -> None:
    command = [*COMMAND, "talk", "marta", "--engine", "scripted", "--json", "--data", str(tmp_path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdin
    assert process.stdout
    process.stdin.write("".join(f"Line {n}.\n" for n in range(200)))
    process.stdin.flush()
    printed = [json.loads(process.stdout.readline()) for _ in range(5)]
    time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    rest = process.communicate(timeout=60)[0].splitlines()
    printed += [json.loads(line) for line in rest if line.endswith("}")]
    listed = call("explain", "--list", "--data", str(tmp_path)).stdout
    ids = [line.split()[0] for line in listed.splitlines()]
    assert [reply["audit"] for reply in printed] == ids[: len(printed)]
    assert len(ids) - len(printed) in (0, 1)


def test_the_version_and_the_help() -> None:
    assert run("--version").stdout.startswith("npc-memory ")
    assert "talk" in run("--help").stdout


@pytest.mark.parametrize("world", ["emberfall", "perigee"])
def test_lint_prints_the_budget_of_every_npc(world: str) -> None:
    done = call("lint", world, "--engine", "scripted")
    assert done.returncode == 0, done.stdout + done.stderr
    from npc_memory.world import load_world

    for npc in load_world(world).npcs:
        assert npc in done.stdout


def test_lint_fails_when_an_npcs_facts_do_not_fit() -> None:
    done = call("lint", "emberfall", "--characters", "900")
    assert done.returncode == 1
    assert "leave no room for a line" in done.stdout


def test_lint_names_file_line_and_cure(tmp_path: Path) -> None:
    (tmp_path / "world.yaml").write_text("id: x\nname: [unclosed\n", "utf-8")
    done = run("lint", str(tmp_path))
    assert done.returncode == 1
    assert "world.yaml:" in done.stdout


def test_the_models_of_the_catalogue_are_listed() -> None:
    done = call("models", "list")
    assert done.returncode == 0
    assert "smollm2-135m-instruct" in done.stdout


@pytest.mark.model
def test_the_real_model_is_sound_and_talks(tmp_path: Path) -> None:
    verified = run("models", "verify")
    assert verified.returncode == 0, verified.stderr
    assert "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53" in verified.stdout
    done = run("talk", "marta", "--data", str(tmp_path), "--json", text="Good evening.\n")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["fallback"] is False
