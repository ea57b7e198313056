"""Template files: one YAML file per family of models in ``prompts/``, read here, rendered in ``prompt``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml

from npc_memory.errors import InvalidInput, RequestInvalid, TemplateInvalid
from npc_memory.inference import EngineInfo, Sampling
from npc_memory.prompt import ChatFormat, Controls, PromptTemplate, Wording
from npc_memory.reply import ReplySpec
from npc_memory.resources import resource_dir

__all__ = ["PromptFile", "list_prompts", "load_prompt", "template_for"]

_KEYS = {"style", "wording", "reply", "sampling"}


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A template file: its style, its words, the shape and length of replies, and how tokens are drawn."""

    name: str
    style: Literal["transcript", "chat"]
    wording: Wording
    shape: Literal["line", "json"] = "line"
    max_chars: int = 240
    sampling: Sampling = field(default_factory=Sampling)


def list_prompts() -> list[str]:
    """Names of the shipped template files, sorted."""
    return sorted(path.stem for path in resource_dir("prompts").glob("*.yaml"))


def load_prompt(name_or_path: str | Path) -> PromptFile:
    """Read a template file by name or path. Raises ``TemplateInvalid`` with what is wrong and the cure."""
    path = Path(name_or_path)
    if path.suffix != ".yaml":
        path = resource_dir("prompts") / f"{name_or_path}.yaml"
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise TemplateInvalid(
            f"there is no template {str(name_or_path)!r}", hint=f"known: {', '.join(list_prompts())}, or a .yaml file"
        ) from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise TemplateInvalid(f"template {path.name} cannot be read: {error}", hint="mend the YAML") from error
    return _from_data(path.stem, data)


def _from_data(name: str, data: Any) -> PromptFile:
    if not isinstance(data, Mapping) or not set(data) <= _KEYS or data.get("style") not in ("transcript", "chat"):
        raise TemplateInvalid(
            f"template {name!r} must be a map with style (transcript or chat), wording, reply and sampling",
            hint="see prompts/transcript.yaml",
        )
    reply = data.get("reply") or {}
    try:
        sampling = Sampling(**(data.get("sampling") or {}))
        shape, max_chars = reply.get("shape", "line"), reply.get("max_chars", 240)
        ReplySpec(shape=shape, max_chars=max_chars)
    except (InvalidInput, RequestInvalid) as error:
        raise TemplateInvalid(
            f"template {name!r}: {error.message}", hint=error.hint or "see prompts/transcript.yaml"
        ) from error
    except (TypeError, ValueError, AttributeError) as error:
        raise TemplateInvalid(f"template {name!r}: {error}", hint="see prompts/transcript.yaml") from error
    wording = Wording.from_mapping(data.get("wording") or {})
    return PromptFile(name, data["style"], wording, shape, max_chars, sampling)


def template_for(file: PromptFile, info: EngineInfo) -> PromptTemplate:
    """The template of ``file`` for a loaded model: its chat format, its BOS token and its control tokens."""
    controls = Controls(info.special_tokens)
    opening = info.bos if info.add_bos else ""
    if file.style == "transcript":
        return PromptTemplate(file.wording, opening=opening, controls=controls)
    if not info.chat_template:
        raise TemplateInvalid(
            f"model {info.model} has no chat template", hint="use the transcript template for this model"
        )
    chat = ChatFormat.from_jinja(info.chat_template, bos=info.bos, eos=info.eos)
    if chat.open.startswith(opening):
        opening = ""
    return PromptTemplate(file.wording, chat=chat, opening=opening, controls=controls)
