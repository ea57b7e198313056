"""Speech out of a token stream, sentence by sentence; what has been released is never taken back.

    stream = SayStream(spec, labels=…, own_lines=…)
    for chunk in chunks:
        piece = stream.feed(chunk)      # "" or one or more whole sentences
        if stream.done: stop the engine
    last, checked = stream.finish()

A piece is released once its end is certain, no later text can change it, and what has been said so far neither loops
nor merely repeats the NPC's last lines. So the joined pieces are always the beginning of ``say``, and all of it when
the reply is ok. A reply refused after something was released is continued: ``SayStream(spec, released=…)`` with the
``cue`` and the grammar for the same ``released``.
"""

from __future__ import annotations

from collections.abc import Sequence

from npc_memory.reply.check import Checked, is_error_text, judge
from npc_memory.reply.cleaning import BREAKS_OR_MARKUP, Speakers, clean_say, settled
from npc_memory.reply.loops import goes_round, is_circling, repeats
from npc_memory.reply.reading import read
from npc_memory.reply.schema import ReplySpec
from npc_memory.reply.sentences import ends_complete, sentences, stops

__all__ = ["SayStream"]


class SayStream:
    """Reads one reply as it is written. Feed decoded text; chunks may be cut anywhere between characters."""

    def __init__(
        self,
        spec: ReplySpec,
        *,
        labels: Sequence[str] = (),
        own_lines: Sequence[str] = (),
        own_label: str = "",
        released: str = "",
    ) -> None:
        """See ``check`` for the arguments. ``released``: what an earlier attempt released; it is not released again."""
        self._spec = spec
        self._speakers = Speakers(labels, own_label)
        self._own_lines = tuple(own_lines)
        self._given = released
        self._raw = ""
        # While the text is one plain line, these are the ends of sentences that have not been released.
        self._plain = spec.shape == "line" and BREAKS_OR_MARKUP.search(released) is None
        self._waiting = 0
        self.released = released
        """All that may have been spoken of this reply, earlier attempts included."""
        self.done = False
        """The reply stands complete: more tokens cannot add to it."""
        self.stuck = False
        """What was written loops: more tokens cannot mend it."""

    @property
    def raw(self) -> str:
        """What the model wrote so far."""
        return self._raw

    def feed(self, chunk: str) -> str:
        """Take a piece of output; return the speech that may be spoken now, "" if none. A loop is read no further."""
        # Character by character, so that what is released never depends on how the engine cut its output (promise P4).
        spoken = ""
        for char in chunk:
            if self.stuck:
                break
            spoken += self._take(char)
        return spoken

    def _take(self, char: str) -> str:
        self._raw += char
        if self._adds_nothing(char):
            return ""
        reading = read(self._spec, self._raw, self._given)
        self.done = reading.complete
        if reading.closed:
            checked = judge(reading, self._spec, self._speakers, self._own_lines, False)
            return self._release(checked.say)
        raw = settled(reading.say, self._speakers)
        text = clean_say(raw, self._speakers)
        ready = len(self.released)
        for piece in sentences(text[ready:], final=raw.endswith("\n")):
            if ready + len(piece) > self._spec.max_chars or not ends_complete(piece):
                break
            ready += len(piece)
        return self._release(text[:ready])

    def _adds_nothing(self, char: str) -> bool:
        """Whether ``char`` cannot complete anything: no line, no mark-up, no sentence, as none has ended behind what is
        released. Most characters are of this kind, and reading all anew at each of them is what costs.
        """
        self._plain = self._plain and BREAKS_OR_MARKUP.match(char) is None
        self._waiting += stops(char)
        return self._plain and not self._waiting

    def _release(self, text: str) -> str:
        piece = text[len(self.released) :]
        if not piece or not text.startswith(self.released):
            return ""
        self.stuck = is_circling(text)
        if goes_round(text) or is_error_text(text) or repeats(text, self._own_lines):
            return ""
        self.released = text
        self._waiting = stops(self._given) + stops(self._raw) - stops(text)
        return piece

    def finish(self, *, truncated: bool = False) -> tuple[str, Checked]:
        """The output is over. Return what is still to be spoken and the outcome for the whole reply.

        ``truncated``: the engine stopped at its token limit. The last piece is "" unless the outcome is ok.
        """
        reading = read(self._spec, self._raw, self._given)
        checked = judge(reading, self._spec, self._speakers, self._own_lines, truncated)
        if not checked.ok:
            return "", checked
        if not checked.say.startswith(self.released):
            return "", Checked(False, "", "", None, "retracted")
        last = checked.say[len(self.released) :]
        self.released = checked.say
        return last, checked
