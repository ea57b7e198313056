"""Rendering: what each part of a working memory adds to the prompt.

Every method returns the segments of one part; a part never depends on which other parts are shown, so a part's cost is
what it adds to the prompt. ``assemble`` puts them in the order that lets prefixes be shared and stay:

    instructions, rules, public facts     the same for all NPCs of a world
    persona, scoped facts, steady state   stays for this NPC
    examples or dialogue                  grows at its end
    volatile state, agenda, episodes, beliefs, time, the player's line, the cue
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from npc_memory.memory import AgendaItem, Belief, Episode, Example, Snapshot, StateEntry, Turn
from npc_memory.memory.confidence import feeling, sureness
from npc_memory.prompt.age import age_words, plain_time
from npc_memory.prompt.labels import Labels
from npc_memory.prompt.segments import Segment
from npc_memory.prompt.template import PromptTemplate

__all__ = ["MANDATORY", "Page", "Segments"]

Segments = tuple[Segment, ...]

MANDATORY = ("format", "instructions", "rules", "canonical_facts", "persona", "world_state", "time", "frame")
"""Names of the mandatory parts, the player's line aside."""

HEARSAY = 2
"""Tellers through whom a belief must have come to be called hearsay."""


class Page:
    """One snapshot seen through one template."""

    def __init__(self, template: PromptTemplate, snapshot: Snapshot) -> None:
        self.template, self.snapshot = template, snapshot
        # Names of others play no part: the record of a reply does not hold them.
        talking = {id for turn in snapshot.dialogue for id in (turn.speaker, turn.addressee) if id}
        self.labels = Labels(snapshot, template.wording.headings, {snapshot.npc, snapshot.player, *talking})
        self._wording = template.wording
        self._protect: Callable[[str], str] = template.controls.protect

    # -- mandatory ---------------------------------------------------------------------------------------------------

    def mandatory(self) -> dict[str, Segments]:
        """Segments by part, the player's line aside. Keys are those of ``MANDATORY``."""
        parts = self._mandatory_in_order()
        merged: dict[str, list[Segment]] = {name: [] for name in MANDATORY}
        for name, segments in parts:
            merged[name].extend(segments)
        return {name: tuple(segments) for name, segments in merged.items()}

    def _mandatory_in_order(self) -> list[tuple[str, Segments]]:
        return [*self._head(), *self._volatile(), ("time", self._time()), ("frame", self._reminder()), *self._foot()]

    def _head(self) -> list[tuple[str, Segments]]:
        shot, words, chat = self.snapshot, self._wording, self.template.chat
        facts = sorted(shot.canonical_facts, key=lambda fact: fact.id)
        steady = [entry for entry in shot.world_state if not entry.volatile]
        public = [fact.text for fact in facts if fact.public]
        scoped = [fact.text for fact in facts if not fact.public]
        persona = self._lines("persona", "", [shot.persona] if shot.persona else [])
        return [
            ("format", self._control(self.template.opening + (chat.open if chat else ""))),
            ("instructions", self._trusted("instructions", words.instructions)),
            ("rules", self._lines("rules", words.rules, [rule.text for rule in shot.rules])),
            ("canonical_facts", self._lines("public_facts", words.public_facts, public)),
            ("persona", persona),
            ("canonical_facts", self._lines("scoped_facts", words.scoped_facts, scoped)),
            ("world_state", self._lines("steady_state", words.steady_state, _state_words(steady))),
            ("format", self._control(chat.to_user if chat else "")),
        ]

    def _volatile(self) -> list[tuple[str, Segments]]:
        entries = [entry for entry in self.snapshot.world_state if entry.volatile]
        return [("world_state", self._lines("volatile_state", self._wording.volatile_state, _state_words(entries)))]

    def _time(self) -> Segments:
        text = self.snapshot.time_text or plain_time(self.snapshot.game_time)
        return self._lines("time", "", [text])

    def _reminder(self) -> Segments:
        return self._trusted("reminder", self._named(self._wording.reminder))

    def _foot(self) -> list[tuple[str, Segments]]:
        template = self.template
        if template.chat:
            generate = template.chat.generate
            cue = Segment(template.cue, "cue") if template.cue else None
            return [("format", self._control(generate)), ("frame", (cue,) if cue else ())]
        return [("frame", (Segment(f"{self._label(self.labels.npc)}:{template.cue}", "cue"),))]

    # -- the player's line -------------------------------------------------------------------------------------------

    def player_line(self, text: str, *, named: bool = True) -> Segments:
        """The line the reply answers."""
        label = self._label(self.labels.player) if named else "Player"
        return (Segment(f"{label}: {self._protect(text)}\n", "player_line"),)

    # -- optional ----------------------------------------------------------------------------------------------------

    def heading(self, section: str) -> Segments:
        """The heading of an optional section, charged with its first item."""
        return self._trusted(section, self._named(getattr(self._wording, section)))

    def agenda_item(self, item: AgendaItem) -> Segments:
        """One pinned object, task or note."""
        return (self._line("agenda", item.text),)

    def belief(self, belief: Belief) -> Segments:
        """One belief, with how sure she is of it; one she was told stands under who told it, where and how long ago: a
        segment of its own, because it changes as time goes by.
        """
        told = self.attribution(belief)
        return (Segment(f"{told}\n", "beliefs"), self._held(belief)) if told else (self._held(belief),)

    def _held(self, belief: Belief) -> Segment:
        words = self._wording
        sure = {"knows": words.knows, "believes": words.believes, "thinks": words.thinks, "is not sure": words.doubt}
        felt = {"loves": words.liked, "likes": words.liked, "dislikes": words.disliked, "hates": words.disliked}
        felt_words = felt.get(feeling(belief.sentiment), "")
        return Segment(f"{sure[sureness(belief.confidence)]}{self._protect(belief.text)}{felt_words}\n", "beliefs")

    def attribution(self, belief: Belief) -> str:
        """Who told her, where and how long ago; "" when nobody did."""
        if not belief.teller:
            return ""
        words, age = self._wording, age_words(self.snapshot.game_time - belief.game_time)
        parts = [self._named(words.told).replace("{teller}", self._label(belief.teller))]
        if belief.place:
            parts.append(words.told_at.replace("{place}", self._protect(belief.place)))
        if belief.distance >= HEARSAY:
            parts.append(words.hearsay)
        return f"{''.join(parts)}{f', {age}' if age else ''}:"

    def episode(self, episode: Episode) -> Segments:
        """One episode: its age, a segment of its own because it changes as time goes by, and its text."""
        age = age_words(self.snapshot.game_time - episode.game_time)
        text = self._line("episodes", episode.text)
        return (Segment(f"{age}:\n", "episodes"), text) if age else (text,)

    def example(self, example: Example) -> Segments:
        """An example exchange between this player and the NPC."""
        asked = Turn(id="asked", speaker=self.snapshot.player, text=example.player)
        answered = Turn(id="answered", speaker=self.snapshot.npc, text=example.npc)
        return self._exchange((asked, answered), "examples")

    def exchange(self, turns: Sequence[Turn]) -> Segments:
        """An exchange: a line and the NPC's answers to it."""
        return self._exchange(turns, "dialogue")

    def _exchange(self, turns: Sequence[Turn], section: str) -> Segments:
        chat = self.template.chat
        if chat is None:
            return tuple(self._spoken(turn, section) for turn in turns)
        # In a chat the NPC's own turns are the model's messages. One that answers nobody cannot be: many formats
        # insist that the player begins. It is told in the player's message instead, by name.
        asked = [turn for turn in turns if turn.speaker != self.snapshot.npc]
        answers = [turn for turn in turns if turn.speaker == self.snapshot.npc]
        if not asked or not answers:
            return tuple(self._spoken(turn, section) for turn in turns)
        said = [Segment(self._said(turn), section) for turn in answers[:-1]]
        last = Segment(self._protect(answers[-1].text), section)
        return (
            *(self._spoken(turn, section) for turn in asked),
            Segment(chat.to_reply, section, True),
            *said,
            last,
            Segment(chat.to_next, section, True),
        )

    def _said(self, turn: Turn) -> str:
        return f"{self._protect(turn.text)}\n"

    def _spoken(self, turn: Turn, section: str) -> Segment:
        label = self._label(self.labels.speaking(turn.speaker, turn.addressee))
        return Segment(f"{label}: {self._said(turn)}", section)

    # -- the whole ---------------------------------------------------------------------------------------------------

    def assemble(
        self,
        line: Segments,
        *,
        examples: Iterable[Example] = (),
        exchanges: Iterable[Sequence[Turn]] = (),
        agenda: Iterable[AgendaItem] = (),
        episodes: Iterable[Episode] = (),
        beliefs: Iterable[Belief] = (),
    ) -> Segments:
        """The prompt's segments in order; optional items as given, each section under its heading."""
        out: list[Segment] = []
        for _, segments in self._head():
            out.extend(segments)
        out.extend(self._section("examples", [self.example(one) for one in examples]))
        out.extend(self._section("dialogue", [self.exchange(turns) for turns in exchanges]))
        for _, segments in self._volatile():
            out.extend(segments)
        out.extend(self._section("agenda", [self.agenda_item(item) for item in agenda]))
        out.extend(self._section("episodes", [self.episode(one) for one in episodes]))
        out.extend(self._section("beliefs", [self.belief(one) for one in beliefs]))
        out.extend(self._time())
        out.extend(self._reminder())
        out.extend(line)
        for _, segments in self._foot():
            out.extend(segments)
        return tuple(out)

    def _section(self, section: str, items: list[Segments]) -> list[Segment]:
        return [*self.heading(section), *(segment for item in items for segment in item)] if items else []

    # -- lines -------------------------------------------------------------------------------------------------------

    def _label(self, label: str) -> str:
        return self._protect(label)

    def _named(self, words: str) -> str:
        if "{" not in words:
            return words
        return words.replace("{npc}", self._label(self.labels.npc)).replace("{player}", self._label(self.labels.player))

    def _line(self, section: str, text: str) -> Segment:
        return Segment(f"{self._protect(text)}\n", section)

    def _lines(self, section: str, heading: str, texts: list[str]) -> Segments:
        if not texts:
            return ()
        return (*self._trusted(section, heading), *(self._line(section, text) for text in texts))

    def _trusted(self, section: str, text: str) -> Segments:
        return (Segment(f"{text}\n", section),) if text else ()

    def _control(self, text: str) -> Segments:
        return (Segment(text, "format", True),) if text else ()


def _state_words(entries: Iterable[StateEntry]) -> list[str]:
    return [entry.words() for entry in sorted(entries, key=lambda entry: entry.key)]
