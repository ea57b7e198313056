"""A bound that shortens the search for a shortened line may be loose, but it is never wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.errors import RequestInvalid
from npc_memory.inference import (
    ControlText,
    LlamaEngine,
    Pieces,
    ScriptedEngine,
    TokenCounter,
    counting,
    vocab_tokens,
)
from npc_memory.inference.protocol import FrameReader, pack, pieces_from, pieces_map
from npc_memory.working_memory import shorten
from npc_memory.working_memory.shorten import shortened

VOCABULARIES = Path(__file__).parents[3] / ".cache" / "vocabs"
FAR = 10**9


class Toy:
    """The best tokenizer its pieces allow: the fewest pieces; bytes that are none are dropped."""

    def __init__(self, *pieces: bytes, escaped: bool = False) -> None:
        self._pieces = Pieces(tuple(sorted(set(pieces))), escaped)

    def pieces(self) -> Pieces:
        return self._pieces

    def count(self, text: str) -> int:
        if not self._pieces.escaped:
            return self._fewest(text.encode())
        plain = text.replace("▁", " ")
        return min(self._fewest(plain.encode()), self._fewest(f" {plain}".encode()))

    def _fewest(self, data: bytes) -> int:
        fewest = [0]
        for end in range(1, len(data) + 1):
            ways = [fewest[end - len(p)] + 1 for p in self._pieces.spellings if p and data[:end].endswith(p)]
            if data[end - 1 : end] not in self._pieces.spellings:
                ways.append(fewest[end - 1])
            fewest.append(min(ways, default=FAR))
        return fewest[-1]


def cost(engine: counting.Counts, before: str, text: str, after: str, n: int) -> int:
    return engine.count(before + shortened(text, n) + after)


def found(engine: counting.Counts, before: str, text: str, after: str, budget: int, start: int) -> int:
    return next((n for n in range(start, 0, -1) if cost(engine, before, text, after, n) <= budget), 0)


def longest_form(text: str) -> int:
    return max(0, min(len(text) - 1, counting.LONGEST_FORM))


# -- toy vocabularies ------------------------------------------------------------------------------------------------

letters = st.text("ab …é▁", max_size=6)
spelled = letters.map(str.encode) | st.sampled_from(
    [b" \xe2", b"a \xe2\x80", b"\xa6 ", b"\x80\xa6 b", b"\xc3", b"\xa9a"]
)
every_byte = sorted({bytes([byte]) for byte in "ab …é▁\n".encode()})
toys = st.builds(
    lambda more, bytes_kept, escaped: Toy(*more, *bytes_kept, escaped=escaped),
    st.lists(spelled, max_size=12),
    st.just(every_byte) | st.sets(st.sampled_from(every_byte)).map(sorted),
    st.booleans(),
)


@given(toys, letters, st.text("ab …é▁", max_size=40), st.sampled_from(["\n", "", "a \n"]), st.integers(0, 30))
def test_no_longer_form_fits(toy: Toy, before: str, text: str, after: str, budget: int) -> None:
    most = TokenCounter(toy).most(before, text, after, budget)
    assert most is not None
    assert 0 <= most <= longest_form(text)
    assert not [n for n in range(most + 1, longest_form(text) + 1) if cost(toy, before, text, after, n) <= budget]


@given(
    st.data(), letters, st.text("ab é▁", min_size=2, max_size=12), st.sampled_from(["\n", "", "a \n"]), st.booleans()
)
def test_a_form_made_of_a_few_pieces_is_never_excluded(
    data: st.DataObject, before: str, text: str, after: str, escaped: bool
) -> None:
    """Cut a form anywhere, so that pieces reach over every seam: what it really costs is never too little for it."""
    n = data.draw(st.integers(1, len(text) - 1))
    form = f"{' ' if escaped else ''}{before}{shortened(text, n)}{after}".replace("▁", " ").encode()
    cuts = sorted(data.draw(st.sets(st.integers(1, len(form) - 1), max_size=4)))
    pieces = [form[a:b] for a, b in zip([0, *cuts], [*cuts, len(form)], strict=True)]
    left_out = data.draw(st.sampled_from([*pieces, b""]))
    more = data.draw(st.just(every_byte) | st.just([]))
    toy = Toy(*(piece for piece in pieces if piece != left_out), *more, escaped=escaped)
    budget = toy.count(before + shortened(text, n) + after)
    assert (TokenCounter(toy).most(before, text, after, budget) or 0) >= n


exact_toys = st.lists(st.text("abé", min_size=1, max_size=5).map(str.encode), max_size=12).map(
    lambda more: Toy(*more, *every_byte, " …".encode(), " é".encode())
)


@given(exact_toys, st.text("abé", max_size=4), st.text("abé", max_size=40), st.integers(0, 30))
def test_it_is_exact_where_the_seams_leave_no_choice(toy: Toy, before: str, text: str, budget: int) -> None:
    # The marker takes two pieces, or the second of them takes an "é" along: the bound has to see both.
    most = TokenCounter(toy).most(before, text, "\n", budget)
    assert most == found(toy, before, text, "\n", budget, longest_form(text))


def test_a_longer_form_may_have_fewer_pieces() -> None:
    toy = Toy(*every_byte, b"ab" * 4, " …".encode())
    costs = [cost(toy, "", "ab" * 20, "", n) for n in range(1, 40)]
    assert costs != sorted(costs)
    for budget in range(2, 30):
        fits = [n for n in range(1, 40) if costs[n - 1] <= budget]
        assert TokenCounter(toy).most("", "ab" * 20, "", budget) == max(fits, default=0)


def test_pieces_that_reach_over_the_marker_are_reckoned_with() -> None:
    for over in ("b … ", " … a", "b … a", "b …", "b ", " a", "… a"):
        toy = Toy(*every_byte, over.encode())
        text, most = "ab" * 10, TokenCounter(toy).most
        for n in (3, 4, 5):
            assert (most("", text, "", cost(toy, "", text, "", n)) or 0) >= n, over


def test_forms_longer_than_a_line_may_be_are_left_out() -> None:
    assert (counting.MARKER, counting.LONGEST_FORM) == (shorten.MARKER, shorten.MAX_LINE)
    assert TokenCounter(Toy()).most("", "a" * 5000, "", 9) == 4000
    assert [TokenCounter(Toy()).most("", text, "", 9) for text in ("", "a", "ab")] == [0, 0, 1]


def test_without_pieces_there_is_no_bound_but_an_exact_count() -> None:
    with ScriptedEngine() as engine:
        counter = TokenCounter(engine)
        assert counter.most("Rolf: ", "word " * 1000, "\n", 50) is None
        assert counter("four word") == engine.count("four word")
        assert counter(ControlText("<|im_end|>")) == 1 < counter("<|im_end|>")


def test_pieces_cross_to_the_other_process_unchanged() -> None:
    for pieces in (None, Pieces((b"\xe2", b"a", b"a b"), escaped=True)):
        (frame,) = FrameReader().feed(pack({"op": "pieces", **pieces_map(pieces)}))
        assert pieces_from(frame) == pieces


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(RequestInvalid):
        TokenCounter(Toy()).most("", "a\ud800b", "", 3)


# -- real vocabularies -----------------------------------------------------------------------------------------------

ENGLISH = (
    "The old innkeeper wiped the counter and told me that nobody had seen the king since the harvest feast. Riders "
    "came down from the north that night, she said, with torches and without banners; by morning the bridge was gone. "
    "I asked whether the miller's daughter had crossed in time. She only shrugged, poured another cup, and talked of "
    "the price of barley, which has doubled twice since spring. Is it true that your brother guards the eastern gate? "
    "He owes me eleven silver pieces and a good knife, but I'd rather hear what he saw than take the money. "
)
JAPANESE = "宿屋の主人はカウンターを拭きながら、収穫祭以来、王様の姿を見た者はいないと言った。北から騎手が来たのだ。"
RUSSIAN = "Старый трактирщик вытер стойку и сказал, что короля не видели с самого праздника урожая; мост сожгли. "
TEXTS = {
    "English": ENGLISH,
    "Japanese": JAPANESE,
    "Russian": RUSSIAN,
    "emoji": "🐉🔥👑 😀👩‍👩‍👧‍👦🏳️‍🌈 ",
    "code": 'if (x == 0) { return foo(bar[i], "baz"); }   // 0x1F600\\n ',
    "hashes": "#",
    "spaces": " ",
    "mixed": "Hi 王様! «здравствуй» 12345 #### ▁ok…  no … yes <s> <0x41> ",
}


def assert_none_fits(counter: TokenCounter, text: str, budget: int) -> int:
    """Count 60 of the forms that the bound excludes: the shortest twenty, and some of all the others."""
    before = "Rolf: "
    most = counter.most(before, text, "\n", budget)
    assert most is not None
    excluded = range(most + 1, longest_form(text) + 1)
    for n in [*excluded[:20], *excluded[20 :: max(1, len(excluded) // 40)]]:
        assert counter(f"{before}{shortened(text, n)}\n") > budget, (n, most)
    return most


@pytest.fixture(scope="module")
def counter(engine: LlamaEngine) -> TokenCounter:
    return TokenCounter(engine)


@pytest.mark.model
@pytest.mark.parametrize("kind", TEXTS)
def test_no_form_above_it_fits_on_the_real_model(counter: TokenCounter, kind: str) -> None:
    text = (TEXTS[kind] * 5000)[:5000]
    bounds = [assert_none_fits(counter, text, budget) for budget in (3, 40, 120, 400)]
    assert bounds == sorted(bounds)


@pytest.mark.model
@pytest.mark.parametrize("kind", ["English", "Japanese", "Russian", "emoji", "code", "mixed"])
def test_it_is_near_what_fits(engine: LlamaEngine, counter: TokenCounter, kind: str) -> None:
    text = (TEXTS[kind] * 5000)[:5000]
    for budget in (40, 120, 400):
        most = counter.most("Rolf: ", text, "\n", budget)
        assert most is not None
        assert most <= 1.35 * found(engine, "Rolf: ", text, "\n", budget, most)


@pytest.mark.model
def test_the_real_vocabulary_is_handed_out_once(engine: LlamaEngine) -> None:
    pieces = engine.pieces()
    assert pieces is not None
    assert not pieces.escaped
    assert {b" the", b"<|im_end|>", "é".encode()} <= set(pieces.spellings)
    assert list(pieces.spellings) == sorted(set(pieces.spellings))
    assert engine.pieces() is pieces


@pytest.fixture(params=["llama-spm", "qwen2"], scope="module")
def other_counter(request: pytest.FixtureRequest) -> Iterator[TokenCounter]:
    with vocab_tokens(VOCABULARIES / f"ggml-vocab-{request.param}.gguf") as opened:
        yield TokenCounter(opened)


@pytest.mark.model
@pytest.mark.parametrize("kind", TEXTS)
def test_no_form_above_it_fits_in_other_vocabularies(other_counter: TokenCounter, kind: str) -> None:
    text = (TEXTS[kind] * 5000)[:5000]
    for budget in (3, 40, 120):
        assert_none_fits(other_counter, text, budget)


@pytest.mark.model
@pytest.mark.parametrize("family", ["phi-3", "gemma-4"])
def test_a_vocabulary_that_swallows_or_escapes_blanks_its_own_way_bounds_nothing(family: str) -> None:
    with vocab_tokens(VOCABULARIES / f"ggml-vocab-{family}.gguf") as opened:
        assert opened.pieces() is None
        assert TokenCounter(opened).most("Rolf: ", ENGLISH, "\n", 40) is None
