"""What is written is read back as it was, in order, by those who were there."""

from __future__ import annotations

import dataclasses

import pytest
from store_scene import GAME, REPLY, ask, exchange, say, texts

from npc_memory.errors import InvalidInput, TextTooLong, UnknownId
from npc_memory.memory import Authority
from npc_memory.store import MAX_TEXT_BYTES, Store


@pytest.fixture
def store():
    with Store.open(":memory:", world="emberfall", world_version="1") as opened:
        yield opened


def test_a_turn_is_stored_whole(store):
    with store.transaction() as write:
        first = ask(write, "Good evening.")
        turn = write.turn(
            authority=REPLY,
            npc="marta",
            player="p1",
            speaker="marta",
            addressee="p1",
            text="Élise, 勇者, Довакин: добрый вечер 👩‍👧",
            game_time=4310,
            place="inn",
            audience=("bram", "marta", "bram"),
            mark="interrupted",
            mood="merry",
            action='{"id":"pour"}',
            provenance=(first.id, "reply"),
        )
    assert store.turn(turn.id) == turn
    assert turn.audience == ("bram", "marta", "p1")
    assert (turn.id, turn.seq, turn.npc_seq, turn.session, turn.game_time) == ("t00000002", 2, 2, 1, 4310)
    assert (turn.mark, turn.mood, turn.action, turn.place) == ("interrupted", "merry", '{"id":"pour"}', "inn")
    assert turn.text == "Élise, 勇者, Довакин: добрый вечер 👩‍👧"
    assert turn.provenance == (first.id, "reply")
    assert turn.authority is REPLY


def test_every_kind_is_numbered_from_one_order_and_each_memory_from_its_own(store):
    with store.transaction() as write:
        write.clock(authority=GAME, game_time=5)
        turn = ask(write, "hello")
        records = [
            write.episode(authority=REPLY, npc="marta", text="met", turns=(turn.id,)),
            write.belief(authority=Authority.INFERENCE, npc="bram", text="she is kind", subject="marta"),
            write.state(authority=GAME, key="gate", value="shut"),
            write.actor(authority=GAME, actor="marta", name="Marta"),
            write.audit(authority=REPLY, npc="marta", player="p1", turn=turn.id, payload="{}"),
            write.end_session(authority=GAME, npc="marta", player="p1"),
            write.retire(authority=GAME, target=turn.id),
            write.key(authority=GAME, key="k1", answer="{}"),
        ]
    assert [record.seq for record in records] == list(range(3, 11))
    assert [record.npc_seq for record in records] == [2, 1, 2, 3, 3, 4, 5, 4]
    assert all(record.game_time == 5 for record in records)


def test_a_session_ends_and_the_next_begins(store):
    exchange(store, "hello", "welcome")
    assert (store.session("marta", "p1"), texts(store)) == (1, ["hello", "welcome"])
    assert store.open_sessions("p1") == ("marta",)
    with store.transaction() as write:
        assert write.end_session(authority=GAME, npc="marta", player="p1").session == 1
    assert (store.session("marta", "p1"), texts(store), texts(store, session=1)) == (2, [], ["hello", "welcome"])
    assert store.open_sessions("p1") == ()
    exchange(store, "again", "you?")
    assert texts(store) == ["again", "you?"]
    assert store.session("marta", "p2") == 1
    assert [turn.text for turn in store.dialogue("marta", "p1", limit=1)] == ["you?"]


def test_a_late_turn_can_be_filed_under_its_session_but_not_under_one_to_come(store):
    exchange(store, "hello", "welcome")
    with store.transaction() as write:
        write.end_session(authority=GAME, npc="marta", player="p1")
        late = write.turn(
            authority=REPLY, npc="marta", player="p1", speaker="marta", addressee="p1", text="late", session=1
        )
    assert late.session == 1
    assert texts(store, session=1)[-1] == "late"
    for wrong in (0, 3, True, "1"):
        with pytest.raises(InvalidInput), store.transaction() as write:
            write.turn(
                authority=REPLY, npc="marta", player="p1", speaker="marta", addressee="p1", text="x", session=wrong
            )


def test_an_overheard_line_needs_an_ear(store):
    with store.transaction() as write:
        heard = {"authority": GAME, "npc": "marta", "player": "p1", "speaker": "p1", "addressee": "bram"}
        with pytest.raises(InvalidInput, match="was not there"):
            write.turn(**heard, text="psst")
        with pytest.raises(InvalidInput, match="was not there"):
            write.episode(authority=REPLY, npc="marta", text="psst", speaker="p1", addressee="bram")
        write.turn(**heard, text="psst, all", audience=("marta",))
    assert texts(store) == ["psst, all"]
    assert texts(store, npc="bram") == []


def test_a_memory_nobody_else_shares_has_its_owner_as_audience(store):
    with store.transaction() as write:
        assert write.belief(authority=Authority.INFERENCE, npc="marta", text="rain soon").audience == ("marta",)


def test_exchanges_are_counted_per_npc_and_a_retired_answer_still_counts(store):
    assert store.exchange_count("marta") == 0
    _, said, _ = exchange(store, "hello", "welcome")
    exchange(store, "hello", "aye", npc="bram")
    with store.transaction() as write:
        ask(write, "unanswered")
    assert (store.exchange_count("marta"), store.exchange_count("bram")) == (1, 1)
    with store.transaction() as write:
        write.retire(authority=GAME, target=said.id)
    assert store.exchange_count("marta") == 1
    exchange(store, "and?", "no")
    assert store.exchange_count("marta") == 2


def test_state_is_the_newest_value_of_each_scope_and_key(store):
    with store.transaction() as write:
        for scope, key, value in [
            ("", "gate", "open"),
            ("", "gate", "shut"),
            ("", "gates", 3),
            ("npc:marta", "gate", True),
            ("place:inn", "fire", 2**63 - 1),
            ("place:inn", "smoke", False),
            ("", "rain", "yes"),
            ("", "rain", None),
        ]:
            write.state(authority=GAME, key=key, value=value, scope=scope)
    assert list(store.state().items()) == [
        (("", "gate"), "shut"),
        (("", "gates"), 3),
        (("npc:marta", "gate"), True),
        (("place:inn", "fire"), 2**63 - 1),
        (("place:inn", "smoke"), False),
    ]
    assert store.state()[("place:inn", "smoke")] is False
    with pytest.raises(TypeError):
        store.state()[("", "gate")] = "open"


def test_state_read_before_a_write_is_not_read_again_after_it(store):
    for value in ("a", "b", None, "c"):
        with store.transaction() as write:
            write.state(authority=GAME, key="k", value=value)
            assert store.state().get(("", "k")) == value
        assert store.state().get(("", "k")) == value


def test_a_rolled_back_value_does_not_linger_in_the_fold(store):
    def fail():
        with store.transaction() as write:
            write.state(authority=GAME, key="k", value="undone")
            assert store.state() == {("", "k"): "undone"}
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with store.transaction() as write:
        write.state(authority=GAME, key="other", value="done")
    assert store.state() == {("", "other"): "done"}


@pytest.mark.parametrize("value", [1.5, 2**63, b"x", ["x"], {}])
def test_state_takes_text_integers_and_booleans_only(store, value):
    with pytest.raises(InvalidInput), store.transaction() as write:
        write.state(authority=GAME, key="k", value=value)


def test_the_clock_never_goes_back(store):
    with store.transaction() as write:
        write.clock(authority=GAME, game_time=10)
        write.clock(authority=GAME, game_time=10)
    with pytest.raises(InvalidInput, match="cannot go back"), store.transaction() as write:
        write.clock(authority=GAME, game_time=9)
    assert store.game_time() == 10


def test_an_actor_keeps_what_is_not_given(store):
    with store.transaction() as write:
        write.actor(authority=GAME, actor="g1", name="Town Guard", place="gate", faction="watch")
        write.actor(authority=GAME, actor="g2", name="Town Guard")
        write.actor(authority=GAME, actor="g1", place="inn")
        write.actor(authority=GAME, actor="g2", faction="")
    shown = {id: (one.name, one.place, one.faction) for id, one in store.actors().items()}
    assert shown == {"g1": ("Town Guard", "inn", "watch"), "g2": ("Town Guard", "", "")}


def test_a_retired_record_is_gone_from_now_on_and_there_in_the_past(store):
    asked, said, episode = exchange(store, "hello", "welcome")
    before = store.newest_seq()
    with store.transaction() as write:
        gone = write.retire(authority=GAME, target=episode.id, reason="edited")
    assert store.episodes("marta") == ()
    assert (gone.target, gone.reason, gone.npc) == (episode.id, "edited", "marta")
    with pytest.raises(UnknownId):
        store.episode(episode.id)
    with pytest.raises(UnknownId), store.transaction() as write:
        write.retire(authority=GAME, target=episode.id)
    assert store.at(before).episodes("marta") == (episode,)
    assert store.at(asked.seq).dialogue("marta", "p1") == (asked,)
    assert store.dialogue("marta", "p1") == (asked, said)


def test_what_a_record_was_made_from_can_be_asked_both_ways(store):
    asked, said, episode = exchange(store, "hello", "welcome")
    with store.transaction() as write:
        belief = write.belief(
            authority=Authority.INFERENCE, npc="bram", text="she is kind", provenance=(episode.id, "gossip")
        )
        audit = write.audit(authority=REPLY, npc="marta", player="p1", turn=said.id, payload="{}")
    assert belief.provenance == (episode.id, "gossip")
    assert store.derived_from(said.id) == (episode.id, audit.id)
    assert store.derived_from(episode.id) == (belief.id,)
    assert store.derived_from(asked.id) == (episode.id,)


@pytest.mark.parametrize("id", ["t00000099", "t1", "e00000001", "", "x", "t000000001", "t٠٠٠٠٠٠٠١"])
def test_an_id_that_names_no_turn_is_unknown(store, id):
    exchange(store, "hello", "welcome")
    with pytest.raises(UnknownId):
        store.turn(id)
    with pytest.raises((UnknownId, InvalidInput)), store.transaction() as write:
        write.episode(authority=REPLY, npc="marta", text="x", turns=(id,))


def test_an_episode_is_made_from_the_npcs_own_turns(store):
    asked, _, _ = exchange(store, "hello", "welcome")
    with pytest.raises(UnknownId), store.transaction() as write:
        write.episode(authority=REPLY, npc="bram", text="x", turns=(asked.id,))


@pytest.mark.parametrize("mark", ["fallback", "interrupted"])
def test_marked_turns_become_no_memory(store, mark):
    with store.transaction() as write:
        said = write.turn(
            authority=REPLY, npc="marta", player="p1", speaker="marta", addressee="p1", text="Hm.", mark=mark
        )
        with pytest.raises(InvalidInput, match="marked"):
            write.episode(authority=REPLY, npc="marta", text="x", turns=(said.id,))
        with pytest.raises(InvalidInput, match="marked"):
            write.belief(authority=Authority.INFERENCE, npc="marta", text="x", provenance=(said.id,))
    assert texts(store) == ["Hm."]
    assert store.episodes("marta") == store.beliefs("marta") == ()


def test_text_is_measured_in_bytes(store):
    with store.transaction() as write:
        ask(write, "é" * (MAX_TEXT_BYTES // 2))
        with pytest.raises(TextTooLong) as caught:
            ask(write, "é" * (MAX_TEXT_BYTES // 2) + "x")
    assert (caught.value.size, caught.value.limit) == (MAX_TEXT_BYTES + 1, MAX_TEXT_BYTES)
    assert len(store.turns("marta")) == 1
    for write_it in (
        lambda write, text: write.episode(authority=REPLY, npc="marta", text=text),
        lambda write, text: write.belief(authority=REPLY, npc="marta", text=text),
        lambda write, text: write.state(authority=GAME, key="k", value=text),
        lambda write, text: write.actor(authority=GAME, actor="a", name=text),
    ):
        with pytest.raises(TextTooLong), store.transaction() as write:
            write_it(write, "x" * (MAX_TEXT_BYTES + 1))


def test_lone_surrogates_go_and_nul_stays_harmless(store):
    with store.transaction() as write:
        assert ask(write, "a\ud800b\x00c").text == "ab\x00c"
        assert write.state(authority=GAME, key="k", value="\udfffx").value == "x"
        turn = say(write, "well")
        payload = '{"a":"\udc00é\x00"}' + "x" * 300_000
        audit = write.audit(authority=REPLY, npc="marta", player="p1", turn=turn.id, payload=payload)
    assert store.audit(audit.id).payload == payload.replace("\udc00", "")
    with pytest.raises(InvalidInput), store.transaction() as write:
        ask(write, "x", npc="ma\ud800rta")


def test_audits_are_filtered_and_limited(store):
    made = []
    for npc, player in [("marta", "p1"), ("marta", "p2"), ("bram", "p1")]:
        _, said, _ = exchange(store, "a", "b", npc=npc, player=player)
        with store.transaction() as write:
            made.append(write.audit(authority=REPLY, npc=npc, player=player, turn=said.id, payload=npc + player))
    assert store.audits() == tuple(made)
    assert store.audits(npc="marta") == tuple(made[:2])
    assert store.audits(player="p1") == (made[0], made[2])
    assert store.audits(npc="marta", player="p2") == (made[1],)
    assert store.audits(limit=2) == tuple(made[1:])


def test_an_idempotency_key_is_answered_once(store):
    with store.transaction() as write:
        write.key(authority=GAME, key="k", answer='{"type":"ok"}', npc="marta", player="p1")
    assert (store.answer("k"), store.answer("other")) == ('{"type":"ok"}', None)
    with pytest.raises(InvalidInput), store.transaction() as write:
        write.key(authority=GAME, key="k", answer="another")


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), "0.5", True])
def test_importance_and_confidence_are_fractions(store, value):
    with pytest.raises(InvalidInput), store.transaction() as write:
        write.episode(authority=REPLY, npc="marta", text="x", importance=value)
    with pytest.raises(InvalidInput), store.transaction() as write:
        write.belief(authority=REPLY, npc="marta", text="x", confidence=value)


def test_records_are_frozen(store):
    with store.transaction() as write, pytest.raises(dataclasses.FrozenInstanceError):
        ask(write, "x").text = "y"
