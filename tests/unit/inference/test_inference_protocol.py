from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npc_memory.errors import EngineError, ModelDamaged, PromptTooLong, RequestInvalid
from npc_memory.inference import ControlText, GenerationRequest, GenerationResult, Sampling, Timings
from npc_memory.inference.protocol import (
    FrameReader,
    error_frame,
    error_from,
    pack,
    request_from,
    request_map,
    result_from,
    result_map,
)
from npc_memory.inference.request import control_pairs

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(st.lists(st.dictionaries(TEXT, TEXT | st.integers(-(2**63), 2**63 - 1)), max_size=5), st.integers(1, 9))
def test_frames_survive_any_partition(bodies: list[dict[str, object]], size: int) -> None:
    frames = [{**body, "op": "x"} for body in bodies]
    data = b"".join(map(pack, frames))
    reader = FrameReader()
    heard = [frame for at in range(0, len(data), size) for frame in reader.feed(data[at : at + size])]
    assert heard == frames


@pytest.mark.parametrize(
    "data",
    [
        struct.pack(">I", 2**31) + b"x",
        struct.pack(">I", 3) + b"\xc1\xc1\xc1",
        struct.pack(">I", 1) + b"\x05",
        struct.pack(">I", 1) + b"\x80",
        b"stray text printed by somebody",
    ],
)
def test_bytes_that_are_no_frames_are_refused(data: bytes) -> None:
    with pytest.raises(EngineError):
        list(FrameReader().feed(data))


@given(
    st.builds(
        GenerationRequest,
        segments=st.lists(TEXT | TEXT.map(ControlText), max_size=4),
        max_tokens=st.integers(1, 999),
        seed=st.integers(0, 2**64 - 1),
        grammar=st.none() | TEXT,
        sampling=st.builds(Sampling, temperature=st.floats(0, 2), top_k=st.integers(0, 99)),
        stop=st.lists(TEXT.filter(bool), max_size=2).map(tuple),
        deadline=st.none() | st.floats(0, 99),
        priority=st.integers(-9, 9),
        conversation=TEXT,
        hash_logits=st.booleans(),
    )
)
def test_a_request_arrives_as_it_was_sent(request_: GenerationRequest) -> None:
    (frame,) = FrameReader().feed(pack({"op": "generate", "request": request_map(request_)}))
    arrived = request_from(frame["request"])
    assert arrived == request_
    assert control_pairs(arrived.segments) == control_pairs(request_.segments)


def test_a_result_arrives_with_what_equality_leaves_out() -> None:
    sent = GenerationResult("aye", (5, 2), "grammar", 9, "ab", 7, Timings(1.0, 2.0, 3.0, 4.0), "cd")
    (frame,) = FrameReader().feed(pack({"op": "done", "result": result_map(sent)}))
    arrived = result_from(frame["result"])
    assert (arrived, arrived.cached_tokens, arrived.timings) == (sent, 7, sent.timings)


@pytest.mark.parametrize("kind", [PromptTooLong, RequestInvalid, ModelDamaged, EngineError])
def test_errors_keep_their_type_and_cure(kind: type[EngineError]) -> None:
    (frame,) = FrameReader().feed(pack(error_frame("error", kind("what", hint="cure", details={"n": 1}), id=3)))
    error = error_from(frame)
    assert type(error) is kind
    assert (error.message, error.hint, error.details, frame["id"]) == ("what", "cure", {"n": 1}, 3)
