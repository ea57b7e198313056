"""Template files: read, checked, and fitted to a loaded model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from npc_memory.errors import TemplateInvalid
from npc_memory.inference import EngineInfo, ScriptedEngine
from npc_memory.prompt import Wording
from npc_memory.prompt_files import list_prompts, load_prompt, template_for


@pytest.fixture
def info() -> EngineInfo:
    with ScriptedEngine() as engine:
        return engine.info


def test_the_shipped_templates_load(info: EngineInfo) -> None:
    assert list_prompts() == ["chat", "transcript"]
    for name in list_prompts():
        file = load_prompt(name)
        template = template_for(file, info)
        assert (template.chat is not None) == (file.style == "chat")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "style: novel",
        "style: chat\nextra: 1",
        "style: chat\nwording: {unheard: x}",
        "style: chat\nwording: {rules: [1]}",
        'style: chat\nwording: {rules: "a\\nb"}',
        "style: chat\nwording: {instructions: 'You are {npc}.'}",
        "style: chat\nsampling: {temperature: hot}",
        "style: chat\nsampling: {heat: 1}",
        "style: chat\nsampling: {temperature: -1}",
        "style: chat\nsampling: {temperature: .nan}",
        "style: chat\nsampling: {top_k: 1.5}",
        'style: chat\nsampling: {top_k: "40"}',
        "style: chat\nsampling: {top_k: true}",
        "style: chat\nsampling: {top_p: true}",
        "style: chat\nsampling: 5",
        "style: chat\nreply: {max_chars: many}",
        "style: chat\nreply: {max_chars: true}",
        "style: chat\nreply: {max_chars: 0}",
        "style: chat\nreply: {shape: poem}",
        "style: chat\nreply: [1]",
        "style: [unclosed",
    ],
)
def test_a_broken_template_is_refused_with_a_cure(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(TemplateInvalid) as caught:
        load_prompt(path)
    assert caught.value.hint


def test_an_unknown_name_says_what_there_is() -> None:
    with pytest.raises(TemplateInvalid) as caught:
        load_prompt("nothing")
    assert "transcript" in caught.value.hint


def test_a_model_that_wants_its_bos_token_gets_it_once(info: EngineInfo) -> None:
    wants = replace(info, bos="<s>", add_bos=True, chat_template="{{ bos_token }}" + info.chat_template)
    assert template_for(load_prompt("transcript"), wants).opening == "<s>"
    chat = template_for(load_prompt("chat"), wants)
    assert chat.chat is not None
    assert (chat.opening + chat.chat.open).count("<s>") == 1


def test_a_chat_template_needs_a_chat_model(info: EngineInfo) -> None:
    with pytest.raises(TemplateInvalid) as caught:
        template_for(load_prompt("chat"), replace(info, chat_template=""))
    assert "transcript" in caught.value.hint


def test_shared_wording_names_nobody() -> None:
    with pytest.raises(TemplateInvalid):
        Wording(public_facts="{npc} knows:")
