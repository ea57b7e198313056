"""Importance by rule: what is grave is found in each language, and words that only look like it are not."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.recall.importance import (
    FIRST_MEETING,
    IMPORTANCE,
    ORDINARY,
    importance_of,
    importance_of_talk,
)

FOUND = {
    "death": """The miller died. | Wolves killed two sheep. | Der Müller ist tot. | Он погиб на мосту.
        | 彼は昨日死んだ。
        | 国王去世了。""",
    "threat": """Pay, or else! | I'll burn your mill. | Das wirst du bereuen. | Ты ещё пожалеешь. | きっと後悔するぞ
        | 你会后悔的""",
    "promise": """Meet me at dawn. | I promise. | You have my word. | I SWEAR IT | Ich verspreche es dir. | Я обещаю.
        | 必ず約束する。 | 我答应你。""",
    "harm": """Osric stole the cup. | The purse was stolen. | Sie haben uns verraten. | Он украл кошелёк.
        | 財布を盗まれた。 | 他偷了戒指。""",
    "gift": """She gave him a ring. | Er hat mir ein Messer geschenkt. | Он подарил ей кольцо. | この指輪をあげる。
        | 这是送给你的。""",
    "name": """My name is Rolf. | Call me Rolf. | Ich heiße Rolf. | Ich heisse Rolf. | Меня зовут Егор.
        | 私の名前は太郎です。 | 我叫小明。""",
    "meeting": "They met for the first time. | 初めて会った日",
}
CASES = [(about, text.strip()) for about, texts in FOUND.items() for text in texts.split("|")]
ORDINARY_TEXTS = """Nice weather. | Your skill is great. | The deadline is near. | In total three. | Ein Totempfahl
    | The problem is solved. | A dieback of ash trees. | Good morning! | … | Хорошая погода. | いい天気です。 | """
KINDS = {
    "death": "death",
    "npc_killed": "death",
    "gift": "gift",
    "theft": "harm",
    "broken-promise": "promise",
    "attack": "harm",
}


@pytest.mark.parametrize(("about", "text"), CASES)
def test_it_is_found_in_each_language(about: str, text: str) -> None:
    assert importance_of(text) == IMPORTANCE[about]
    assert importance_of(unicodedata.normalize("NFD", text)) == IMPORTANCE[about]


@pytest.mark.parametrize("text", [text.strip() for text in ORDINARY_TEXTS.split("|")])
def test_what_only_looks_like_it_is_ordinary(text: str) -> None:
    assert importance_of(text) == ORDINARY


@pytest.mark.parametrize(("kind", "about"), KINDS.items())
def test_the_kind_of_an_event_counts_like_its_words(kind: str, about: str) -> None:
    assert importance_of("Something happened.", kind) == IMPORTANCE[about]


def test_the_heaviest_counts() -> None:
    assert importance_of("My name is Rolf. I promise you: he is dead.") == IMPORTANCE["death"]


def test_a_question_is_no_news_and_her_own_knowledge_neither() -> None:
    assert importance_of_talk("Is the king dead?", "The king is dead, love.") == ORDINARY
    assert importance_of_talk("王は死んだのか？", "") == ORDINARY
    assert importance_of_talk("The king is dead.") == IMPORTANCE["death"]
    assert importance_of_talk("Will you help?", "I promise.") == IMPORTANCE["promise"]
    assert importance_of_talk("Hello.", "Hello.", first=True) == FIRST_MEETING


@given(st.text(), st.text(), st.booleans())
def test_it_is_one_of_the_documented_numbers_for_any_words(line: str, answer: str, first: bool) -> None:
    assert importance_of_talk(line, answer, first=first) in {ORDINARY, *IMPORTANCE.values()}
