"""Makes the saved file of the current format: `python tests/saves/make_save.py`.

Run once when a schema lands; what it made is committed and never made again. It refuses to overwrite. Beside the file
lies what it must read as, for ever: `town.json`.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

from npc_memory.memory import Authority
from npc_memory.store import MIGRATIONS, Store, View

HERE = Path(__file__).parent
NPCS, PLAYERS, OWNERS = ("marta", "bram", "Élise"), ("p1", "勇者"), ("", "ann")
GAME, REPLY, INFERENCE = Authority.GAME, Authority.REPLY, Authority.INFERENCE


def live(store: Store, day: int) -> None:
    """One day in the life of the town, with every kind of record."""
    with store.transaction() as write:
        write.clock(authority=GAME, game_time=day * 1440, provenance=("engine",))
        write.actor(authority=GAME, actor="marta", name="Marta", place="inn", faction="guild")
        write.actor(authority=GAME, actor="勇者", name="Town Guard")
        write.state(authority=GAME, key="king", value="alive" if day < 3 else "dead")
        write.state(authority=GAME, key="tolls", value=day * 10**12, scope="place:bridge")
        write.state(authority=GAME, key="open", value=day % 2 == 0, scope="npc:marta")
        write.state(authority=GAME, key="rain", value=None if day == 2 else "yes")
        write.event(
            authority=GAME,
            kind="theft",
            text=f"Day {day}: 勇者 took a loaf.",
            actor="勇者",
            target="marta",
            place="inn",
            audience=("bram",),
            importance=0.5,
            data={"loot": {"bread": 2**53 + 1}, "worth": 0.1, "seen": [True, None]},
        )
    for npc in NPCS:
        for player in PLAYERS:
            scene: dict[str, Any] = {"npc": npc, "player": player, "place": "inn", "audience": ("bram", npc)}
            with store.transaction() as write:
                asked = write.turn(
                    authority=GAME, speaker=player, addressee=npc, text=f"Day {day}: что нового? 👩‍👧", **scene
                )
                said = write.turn(
                    authority=REPLY, speaker=npc, addressee=player, text=f"«{day}» — nothing.", mood="calm", **scene
                )
                episode = write.episode(
                    authority=REPLY,
                    npc=npc,
                    text=f"{player} asked for news.",
                    turns=(asked.id, said.id),
                    importance=0.4,
                )
                write.belief(
                    authority=INFERENCE,
                    npc=npc,
                    subject=player,
                    text="A curious one.",
                    confidence=0.25,
                    provenance=(episode.id,),
                )
                payload = json.dumps({"day": day, "prompt": "…" * 50})
                write.audit(authority=REPLY, npc=npc, player=player, turn=said.id, payload=payload)
                write.key(authority=GAME, key=f"{day}/{npc}/{player}", answer=said.text, npc=npc, player=player)
                if player == "p1":
                    write.end_session(authority=GAME, npc=npc, player=player)
                else:
                    write.turn(authority=REPLY, speaker=npc, addressee=player, text="Hm.", mark="fallback", **scene)
    with store.transaction() as write:
        heard: dict[str, Any] = {"npc": "marta", "speaker": "p1", "addressee": "marta", "overheard": ("bram", "Élise")}
        aloud = write.turn(authority=GAME, player="p1", text=f"Aloud on day {day}.", **heard)
        write.episode(authority=REPLY, text=f'p1 said: "Aloud on day {day}."', turns=(aloud.id,), **heard)
        if day == 1:
            write.alias(authority=GAME, actor="p0", alias_of="p1")
        else:
            write.rebirth(authority=GAME, actor=f"guest-{day}")
        felt: dict[str, Any] = {"npc": "marta", "other": "p1", "speaker": "p1", "provenance": (aloud.id,)}
        write.relationship(authority=GAME, kind="trust", amount=-20 * day, reason="Вслух. 👩‍👧", **felt)
        write.relationship(authority=GAME, kind="debt", how="to" if day == 2 else "off", amount=day, **felt)
        write.triple(
            authority=GAME, npc="Élise", subject="勇者", relation="lives_in", object=f"town {day}", functional=True
        )
        write.triple(
            authority=INFERENCE, subject=f"town {day}", relation="knows", object="p0", valid_to=2880, confidence=0.1
        )
        write.retire(authority=GAME, target=store.beliefs("bram")[0].id, reason="corrected")
        told: dict[str, Any] = {"npc": "marta", "speaker": "bram", "addressee": "marta", "place": "inn", "slot": "home"}
        told |= {
            "subject": "勇者",
            "distance": 2,
            "scope": "faction:guild",
            "sentiment": -0.5,
            "valid_from": day * 1440 - 60,
        }
        newer = write.belief(authority=INFERENCE, text=f"They moved {day} times.", value=f"{day}", **told)
        if day == 2:
            by_hand = write.belief(authority=GAME, npc="marta", text="A friend of the house.", hand_written=True)
            older = next(one for one in store.beliefs_in("marta", "home") if one.id != newer.id)
            write.deprecate(authority=INFERENCE, target=older.id, by=newer.id)
            assert by_hand.hand_written
        write.revise(authority=GAME, turn=store.turns("bram")[-2].id, text=f"Day {day}: nothing at all.", again=True)


def plain(value: Any) -> Any:
    """Records, mappings and tuples as JSON can hold them."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return int(value) if isinstance(value, Authority) else value


def readings(view: View) -> dict[str, Any]:
    """All that can be read from one timeline."""
    return {
        "game_time": view.game_time(),
        "state": [[*slot, value] for slot, value in view.state().items()],
        "actors": [plain(actor) for actor in view.actors().values()],
        "audits": plain(view.audits()),
        "events": plain(view.events()),
        "answer": view.answer("1/marta/p1"),
        "triples": {npc: plain(view.triples(npc)) for npc in ("", *NPCS)},
        "near": [list(one) for one in view.neighbours("Élise", [("勇者", 0)], view.game_time())],
        "npcs": {
            npc: {
                "turns": plain(view.turns(npc)),
                "episodes": plain(view.episodes(npc)),
                "overheard": plain(view.heard_episodes(npc)),
                "lines": {player: [list(one) for one in view.lines(npc, player)] for player in ("p0", *PLAYERS)},
                "beliefs": plain(view.beliefs(npc)),
                "feelings": plain(view.all_relationship_changes(npc)),
                "exchanges": view.exchange_count(npc),
                "dialogue": {player: [one.id for one in view.dialogue(npc, player)] for player in PLAYERS},
                "session": {player: view.session(npc, player) for player in PLAYERS},
            }
            for npc in NPCS
        },
    }


def main() -> None:
    """Write the file and its readings, for two owners, each on two timelines."""
    folder = HERE / f"v{MIGRATIONS[-1].version}"
    path = folder / "town.db"
    if path.exists():
        raise SystemExit(f"{path} is there already and must stay as it is")
    folder.mkdir(exist_ok=True)
    expected: dict[str, Any] = {}
    for owner in OWNERS:
        with Store.open(path, world="town", world_version="1.0", owner=owner) as store:
            live(store, 1)
            fork_at = store.newest_seq()
            store.save("day 1", "the first day, вечер")
            live(store, 2)
            store.save("day 2", fits="pack and model")
            first = store.timeline
            second = store.fork(seq=fork_at)
            live(store, 3)
            expected[owner] = {"current": second, "timelines": {}}
            for timeline in (first, second):
                store.switch(timeline)
                expected[owner]["timelines"][str(timeline)] = readings(store)
            store.keep_vectors("letters", {one.seq: one.text.encode("utf-8")[:8] for one in store.episodes(NPCS[0])})
            expected[owner]["saves"] = {one.save_id: plain(one) for one in store.saves()}
            expected[owner]["saved"] = {one.save_id: readings(store.save_view(one.save_id)) for one in store.saves()}
    path.with_suffix(".json").write_text(
        json.dumps(expected, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
