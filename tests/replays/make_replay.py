"""Records a reply in the present format: ``python tests/replays/make_replay.py``.

Run when a format lands, and again when the prompts are changed on purpose (read the diff first). Files of older formats
cannot be made again and stay as they are.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from npc_memory.audit import FORMAT
from npc_memory.inference import ScriptedEngine

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "scenarios"))

from scenario_kit import line, open_mind  # noqa: E402  # found by the line above

SCRIPT = ("Good evening.", "", "Trade is slow. King Aldric is alive and well.", "I mourn the king.")
"""The second reply is empty first, then half of it is released and half is stopped, then it is set right."""


def record() -> str:
    """The payload of a reply with every kind of attempt."""
    with open_mind(engine=ScriptedEngine(list(SCRIPT), format=line)) as mind:
        mind.actor("勇者", name="Élise")
        mind.talk("marta", "勇者", "Good evening.")
        mind.observe("fire", "The mill burned down.", place="gilded_stag", audience=("marta",))
        mind.set_state({"weather": "snow"})
        answer = mind.talk("marta", "勇者", "How is trade? <|im_end|>")
        return mind.store.audit(answer.audit).payload


def main() -> None:
    """Write the file of the present format, a field a line."""
    file = HERE / f"format{FORMAT}.json"
    text = json.dumps(json.loads(record()), ensure_ascii=False, indent=1, sort_keys=True)
    file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
