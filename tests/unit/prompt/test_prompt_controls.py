"""No untrusted text holds a control token of the loaded vocabulary."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from npc_memory import BudgetPolicy, Fact, Snapshot, WorkingMemoryBuilder
from npc_memory.prompt import Controls, PromptTemplate
from npc_memory.prompt.controls import is_harmless

TOKENS = st.lists(st.text("ab<|>[]_ \n", min_size=1, max_size=5), max_size=6)


@given(TOKENS, st.text("ab<|>[]_ \n", max_size=40))
def test_no_token_is_left_in_a_protected_text(tokens: list[str], text: str) -> None:
    controls = Controls(tokens)
    safe = controls.protect(text)
    assert not [token for token in controls.tokens if token in safe]
    assert safe.replace(" ", "") == text.replace(" ", "")
    assert controls.protect(safe) == safe


def test_breaking_terminates_where_tokens_overlap() -> None:
    assert Controls(["aa", "a a"]).protect("aaaa")


def test_harmless_tokens_are_let_be() -> None:
    assert all(map(is_harmless, ["", "ü", "  ", "\n\n", "\u2581\u2581", "\t"]))
    assert not any(map(is_harmless, ["<s>", "ab", "<|x|>"]))


def test_every_untrusted_text_in_a_prompt_is_protected() -> None:
    token = "[[MAGIC]]"
    builder = WorkingMemoryBuilder(BudgetPolicy(), template=PromptTemplate(controls=Controls([token])))
    shot = Snapshot(
        npc=f"m{token}",
        persona=token,
        player=f"p{token}",
        player_line=token,
        canonical_facts=[Fact(id="f", text=f"x{token}x")],
        names={f"m{token}": token},
        time_text=token,
    )
    with builder.build(shot) as memory:
        assert token not in memory.text()
