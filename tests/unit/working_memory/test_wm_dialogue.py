"""DESIGN, "Working memory", sentences 4 and 7: whole exchanges, contiguous, newest first; shortening."""

from __future__ import annotations

from typing import Any

import pytest
from wm_kit import Built, bare, build, cost, episodes, ids, shorten, snap, talk, total

from npc_memory import Snapshot, Turn


def pressed(snapshot: Snapshot, free: int, **caps: Any) -> Built:
    """Build with exactly ``free`` left after the mandatory parts."""
    return build(snapshot, total(bare(snapshot)) + free, **caps)


def only(text: str, speaker: str = "p1") -> tuple[Turn, ...]:
    """A dialogue of one turn."""
    return (Turn("t", speaker, text),)


ALPHABET = "".join(chr(0x4E00 + i) for i in range(3000))
"""3,000 different characters, so that head and tail can be told apart."""


def shown(built: Built) -> tuple[str, str]:
    """Head and tail of the one text of the alphabet in a prompt."""
    first = next(i for i, c in enumerate(built.text) if c in ALPHABET)
    rest = built.text[first:]
    cut = rest.index(" … ")
    tail = rest[cut + 3 :]
    return rest[:cut], "".join(c for c in tail if c in ALPHABET)


@pytest.mark.parametrize("free", range(100, 1000, 61))
def test_4_whole_exchanges_newest_first_contiguous_in_order(free: int) -> None:
    snapshot = snap(dialogue=talk(12))
    built = pressed(snapshot, free)
    kept = ids(built.dialogue)
    assert kept == [t.id for t in snapshot.dialogue][-len(kept) :]
    if not built.report.shortened:
        assert kept[0].startswith("q")
        assert len(kept) % 2 == 0


def test_4_a_bigger_exchange_ends_the_dialogue_though_an_older_one_would_fit() -> None:
    turns = (
        Turn("old", "p1", "Hello."),
        Turn("big", "p1", "x" * 900),
        Turn("new", "p1", "Goodbye."),
    )
    built = pressed(snap(dialogue=turns), 400)
    assert ids(built.dialogue) == ["new"]
    assert sorted(built.dropped("budget", "dialogue")) == ["big", "old"]


def test_4_an_exchange_has_all_the_npc_turns_that_follow() -> None:
    turns = (
        Turn("q1", "p1", "One?"),
        Turn("a1", "marta", "x" * 30),
        Turn("a2", "marta", "y" * 30),
        Turn("q2", "p1", "Two?"),
        Turn("a3", "marta", "z" * 30),
    )
    snapshot = snap(dialogue=turns)
    needed = cost(snapshot, dialogue=turns)
    assert ids(pressed(snapshot, needed - 1).dialogue) == ["q2", "a3"]
    assert ids(build(snapshot, exchanges=1).dialogue) == ["q2", "a3"]


def test_4_a_leading_npc_turn_is_an_exchange_of_its_own() -> None:
    turns = (Turn("hail", "marta", "Welcome!" * 9), Turn("q", "p1", "Evening."), Turn("a", "marta", "Sit down."))
    assert ids(build(snap(dialogue=turns), exchanges=1).dialogue) == ["q", "a"]
    assert ids(build(snap(dialogue=turns), exchanges=2).dialogue) == ["hail", "q", "a"]
    snapshot = snap(dialogue=turns)
    assert ids(pressed(snapshot, cost(snapshot, dialogue=turns) - 1).dialogue) == ["q", "a"]


def test_4_each_turn_of_another_speaker_starts_an_exchange() -> None:
    turns = tuple(Turn(f"t{i}", who, "Hm.") for i, who in enumerate(("p1", "p1", "guard", "marta", "cook")))
    for cap, kept in ((1, ["t4"]), (2, ["t2", "t3", "t4"]), (3, ["t1", "t2", "t3", "t4"])):
        assert ids(build(snap(dialogue=turns), exchanges=cap).dialogue) == kept


def test_4_turns_are_shown_in_list_order_whatever_their_time() -> None:
    turns = (Turn("b", "p1", "First said.", game_time=9), Turn("a", "marta", "Then answered.", game_time=3))
    built = build(snap(dialogue=turns))
    assert ids(built.dialogue) == ["b", "a"]
    assert built.text.index("First said.") < built.text.index("Then answered.")


def test_4_the_newest_is_whole_when_share_and_pool_hold_it() -> None:
    snapshot = snap(dialogue=only("x" * 900), episodes=episodes([0.5] * 3, 60))
    built = pressed(snapshot, 1150)
    assert "x" * 900 in built.text
    assert built.report.shortened == ()


def test_4_the_newest_is_shortened_into_share_and_pool() -> None:
    """The first pass of episodes keeps what it took; dialogue gets all the rest."""
    snapshot = snap(dialogue=only(ALPHABET[:1300]), episodes=episodes([0.5] * 30, 60))
    built = pressed(snapshot, 1000)
    assert built.report.shortened == ("t",)
    assert built.truncated
    lived = cost(snapshot, episodes=built.episodes)
    assert lived <= 250
    room = 1000 - lived
    used = cost(snapshot, dialogue=built.dialogue)
    assert room - 1 <= used + (1000 - lived - used) <= room
    assert 1000 - lived - used <= 1, "as long as fits"
    assert "t" in built.report.kept
    assert built.dialogue[0].text == shorten(ALPHABET[:1300], len(built.dialogue[0].text) - 3)


def test_4_the_longest_turn_is_shortened_first() -> None:
    turns = (Turn("q", "p1", "x" * 100), Turn("a", "marta", ALPHABET[:900]))
    built = pressed(snap(dialogue=turns), 600)
    assert built.report.shortened == ("a",)
    assert "x" * 100 in built.text
    assert ids(built.dialogue) == ["q", "a"]


def test_4_several_turns_are_shortened_when_one_is_not_enough() -> None:
    turns = (Turn("q", "p1", "x" * 800), Turn("a", "marta", "y" * 900))
    built = pressed(snap(dialogue=turns), 400)
    assert set(built.report.shortened) == {"q", "a"}
    assert ids(built.dialogue) == ["q", "a"]
    assert built.report.total <= built.report.limit


def test_4_only_the_newest_exchange_is_ever_shortened() -> None:
    turns = (Turn("q1", "p1", "x" * 800), Turn("q2", "p1", "y" * 40), Turn("q3", "p1", "z" * 40))
    built = pressed(snap(dialogue=turns), 500)
    assert ids(built.dialogue) == ["q2", "q3"]
    assert built.report.shortened == ()


def test_4_if_not_even_that_fits_it_is_dropped_and_reported() -> None:
    def dear(text: str) -> int:
        return len(text) + 5000 * text.count("§")

    snapshot = snap(dialogue=only("§" * 40))
    built = build(snapshot, total(bare(snapshot), dear) + 300, dear)
    assert built.dropped("budget", "dialogue") == ["t"] or built.report.shortened == ("t",)
    assert built.report.total <= built.report.limit
    if built.report.shortened:
        assert "§" not in built.text


def test_4_no_dialogue_no_shortening() -> None:
    assert pressed(snap(episodes=episodes([0.5] * 30)), 300).report.shortened == ()


def test_6_a_turn_shows_its_speaker() -> None:
    turns = (Turn("t1", "guard", "Closed tonight.", addressee="cook"), Turn("t2", "p1", "A room."))
    text = build(snap(dialogue=turns, names={"guard": "Gate Guard", "p1": "Traveller", "cook": "Old Cook"})).text
    line = next(line for line in text.split("\n") if "Closed tonight." in line)
    assert line.index("Gate Guard") < line.index("Closed tonight.")
    assert "Old Cook" in line, "a third party is named"


# --- 7: shortening ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("free", [200, 201, 202, 203, 500, 777, 1501])
def test_7_two_thirds_of_head_a_marker_one_third_of_tail(free: int) -> None:
    text = ALPHABET[:2000]
    built = pressed(snap(dialogue=only(text)), free)
    head, tail = shown(built)
    n = len(head) + len(tail)
    assert len(head) == -(-2 * n // 3)
    assert len(tail) == n // 3
    assert text.startswith(head)
    assert text.endswith(tail)
    assert built.report.total == built.report.limit, "a character costs one: the longest n fills the room"


def test_7_the_longest_n_that_fits_when_counts_are_not_monotone() -> None:
    """Case 30: a longer candidate may cost less than a shorter one."""

    def odd(text: str) -> int:
        return len(text) + (400 if len(text) % 7 and any(c in ALPHABET for c in text) else 0)

    text = ALPHABET[:900]
    snapshot = snap(dialogue=only(text))
    limit = total(bare(snapshot), odd) + 700
    built = build(snapshot, limit, odd)
    assert built.report.shortened == ("t",)
    assert built.report.total <= limit
    head, tail = shown(built)
    for n in range(len(head) + len(tail) + 1, len(text) - 3):
        longer = snap(dialogue=only(shorten(text, n)))
        assert total(longer, odd) > limit, n


def test_7_a_longer_text_that_costs_less_wins() -> None:
    def shrinking(text: str) -> int:
        return max(1, 400 - len(text)) if any(c in ALPHABET for c in text) else 1

    text = ALPHABET[:390]
    snapshot = snap(dialogue=only(text + "é"), persona="P", player_line="L")

    def but_the_whole(s: str) -> int:
        return 10_000 if "é" in s and len(s) > 392 else shrinking(s)

    limit = total(bare(snapshot), but_the_whole) + 40
    built = build(snapshot, limit, but_the_whole)
    assert built.report.total <= limit
    assert built.report.shortened == ("t",)
    assert len(built.dialogue[0].text) > 350


def test_7_lines_are_cut_to_four_thousand_characters_before_they_are_shortened() -> None:
    for snapshot in (snap(player_line=ALPHABET * 4), snap(dialogue=only(ALPHABET * 4))):
        calls: list[int] = []

        def counting(text: str, calls: list[int] = calls) -> int:
            calls.append(len(text))
            return len(text)

        built = build(snapshot, 9000, counting)
        assert len(built.report.shortened) == 1
        assert sum(c in ALPHABET for c in built.text) <= 4000
        assert len(calls) < 6000


def test_7_the_marker_appears_only_where_something_is_missing() -> None:
    assert " … " not in build(snap(dialogue=talk(3), player_line="Well met.")).text
