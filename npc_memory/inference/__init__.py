"""Inference: many requests, one llama.cpp model in a process of its own, the same words every time.

Importing this loads no native code: the library lives in the child process only.
"""

from npc_memory.inference.catalogue import CatalogueEntry, RegistrySource, UrlSource, catalogue
from npc_memory.inference.counting import TokenCounter
from npc_memory.inference.engine import Engine, generate
from npc_memory.inference.generation import Generation
from npc_memory.inference.llama import CACHE_MB, LlamaEngine
from npc_memory.inference.models import (
    InstalledModel,
    VerifiedModel,
    entry_of,
    find_model,
    list_models,
    models_dir,
    verify_model,
)
from npc_memory.inference.pieces import Pieces
from npc_memory.inference.pull import pull_model
from npc_memory.inference.request import (
    ControlText,
    Determinism,
    EngineInfo,
    GenerationRequest,
    GenerationResult,
    Priority,
    Sampling,
    Timings,
)
from npc_memory.inference.scripted import Behaviour, Reply, ScriptedEngine
from npc_memory.inference.settings import Settings
from npc_memory.inference.silent import SilentEngine
from npc_memory.inference.vocabulary import Vocabulary, VocabularyToken, vocab_tokens

__all__ = [
    "CACHE_MB",
    "Behaviour",
    "CatalogueEntry",
    "ControlText",
    "Determinism",
    "Engine",
    "EngineInfo",
    "Generation",
    "GenerationRequest",
    "GenerationResult",
    "InstalledModel",
    "LlamaEngine",
    "Pieces",
    "Priority",
    "RegistrySource",
    "Reply",
    "Sampling",
    "ScriptedEngine",
    "Settings",
    "SilentEngine",
    "Timings",
    "TokenCounter",
    "UrlSource",
    "VerifiedModel",
    "Vocabulary",
    "VocabularyToken",
    "catalogue",
    "entry_of",
    "find_model",
    "generate",
    "list_models",
    "models_dir",
    "pull_model",
    "verify_model",
    "vocab_tokens",
]
