"""The same script gives the same prompts and replies: twice, and with restarts in between."""

from __future__ import annotations

from pathlib import Path

from scenario_kit import line, open_mind

from npc_memory.inference import Priority, ScriptedEngine

SCRIPT = [
    ("marta", "rolf", "My name is Rolf."),
    ("marta", "rolf", "Is the king well?"),
    ("brann", "rolf", "Can you mend a sword?"),
    ("marta", "edda", "Have you seen Rolf?"),
    ("marta", "rolf", "Do you have a bed?"),
    ("brann", "edda", "Good day."),
    ("marta", "rolf", "What is my name?"),
]


def run(file: Path, restart_every: int) -> list[tuple[str, str, tuple[int, ...]]]:
    told = []
    mind = open_mind(file)
    try:
        for n, (npc, player, text) in enumerate(SCRIPT):
            if n and n % restart_every == 0:
                mind.close()
                mind = open_mind(file)
            mind.clock(mind.store.game_time() + 1)
            answer = mind.talk(npc, player, text)
            audit = mind.explain(answer.audit)
            told.append((audit.prompt_sha256, answer.say, tuple(one.seed for one in audit.attempts)))
    finally:
        mind.close()
    return told


def test_twice_and_with_restarts(tmp_path: Path) -> None:
    first = run(tmp_path / "a", restart_every=100)
    assert run(tmp_path / "b", restart_every=100) == first
    assert run(tmp_path / "c", restart_every=1) == first
    assert len({seeds for _, _, seeds in first}) == len(SCRIPT)


def test_a_request_says_how_urgent_it_is_and_how_it_begins() -> None:
    engine = ScriptedEngine(["Aye."], format=line)
    with open_mind(engine=engine) as mind:
        for npc, text in (("marta", "Good evening."), ("brann", "Good evening."), ("marta", "How is trade?")):
            mind.talk(npc, "rolf", text)
        mind.for_owner("ann").talk("marta", "rolf", "Good evening.")
        first, other, second, anns = engine.requests
        assert {one.priority for one in engine.requests} == {Priority.PLAYER}
        assert [one.conversation for one in (first, other, second)] == ["marta", "brann", "marta"]
        assert anns.conversation not in ("marta", "brann")
        assert first.shared == other.shared > 0
        assert first.segments[: first.shared] == other.segments[: other.shared]
        assert first.shared < first.stable < second.stable
        assert first.segments[: first.stable] == second.segments[: first.stable] == anns.segments[: anns.stable]
        assert "rolf: Good evening." in "".join(second.segments[: second.stable])
        assert "How is trade?" not in "".join(second.segments[: second.stable])
