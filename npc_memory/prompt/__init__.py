"""Segments, templates and chat formats. Pure: no I/O, no clock, no locale."""

from npc_memory.prompt.age import age_words, number_word, plain_time, times_words
from npc_memory.prompt.chat import ChatFormat
from npc_memory.prompt.controls import Controls
from npc_memory.prompt.labels import Labels, label_text
from npc_memory.prompt.page import Page
from npc_memory.prompt.prefixes import Prefixes, prefixes
from npc_memory.prompt.segments import Segment
from npc_memory.prompt.template import DEFAULT_TEMPLATE, PromptTemplate
from npc_memory.prompt.wording import DEFAULT_WORDING, Wording

__all__ = [
    "DEFAULT_TEMPLATE",
    "DEFAULT_WORDING",
    "ChatFormat",
    "Controls",
    "Labels",
    "Page",
    "Prefixes",
    "PromptTemplate",
    "Segment",
    "Wording",
    "age_words",
    "label_text",
    "number_word",
    "plain_time",
    "prefixes",
    "times_words",
]
