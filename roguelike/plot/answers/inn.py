"""The Gilded Stag: Marta, and who scrubs her pots."""

from __future__ import annotations

from roguelike.plot.answer import Answer

__all__ = ["INN"]

INN = (
    # Marta
    Answer("marta", "help", "Rats in my cellar, love, big as tax collectors. Clear them out and you eat free tonight.",
           "amused", unless=("rats-promised",), sets=("rats-promised",), does="open-cellar",
           promise="to clear the rats out of Marta's cellar"),
    Answer("marta",
           "help", "You've done me a good turn already. Go and do one for that Nim, poor barefoot thing. Feed her.",
           "warm", flags=("rats-done",)),
    Answer("marta", "help", "The cellar's open, love. The rats won't walk out by themselves.", "amused"),
    Answer("marta",
           "cellar", "One door, behind the kitchen, and it stays locked. Unless you've come to deal with the rats?",
           "wary", unless=("rats-promised",)),
    Answer("marta", "cellar", "Mind the casks, love. They're older than the council and worth more.", "amused"),
    Answer("marta",
           "letter",
           "Under the third cask. The courier left it with me an hour before he rode. I daren't read it. You do.",
           "wary", trust=3, learns=("letter-hidden",), does="open-cellar"),
    Answer("marta", "letter", "Letters? I pour ale, love. Ask me when I know you better.", "wary"),
    Answer("marta",
           "cupbearer",
           "She's at my pots, love. I'll tell her you're to be trusted. If I'm wrong I'll find a use for the ladle.",
           "warm", trust=4, learns=("tamsin-hides",), sets=("vouched",)),
    Answer("marta",
           "cupbearer", "That poor girl. No, I've not seen her. Nobody here has. Drink up.", "wary", chapter=(1,)),
    Answer("marta",
           "cupbearer", "She can come up for air now, thank the Hearth. Go on, talk to her.", "warm", chapter=(2, 3),
           learns=("tamsin-hides",), sets=("vouched",)),
    Answer("marta",
           "king", "They say his heart stopped. Funny how hearts stop on the one night the bridge burns.", "sad",
           learns=("heart-verdict",), chapter=(1,)),
    Answer("marta", "king", "Poisoned. In my town. And somebody at my tables knows it.", "angry", chapter=(2, 3)),
    Answer("marta", "osric", "He tips well and counts it twice. His steward pays in old coin and new bruises.", "wary"),
    Answer("marta",
           "rumours",
           "Start with Edda if you like noise, Mother Maelis if you like truth. And Jory saw that bridge burn, he "
           "just won't say so.",
           "amused"),
    Answer("marta", "pell", "Burned his hand on Lantern Night. On a candle, he says. Some candle.", "wary"),
    # Tamsin
    Answer("tamsin",
           "cup",
           "I carried it. Master Venn leaned over to wish him health, and his ring clicked. Powder, like flour. I "
           "saw. I saw and I served it.",
           "sad", flags=("vouched",), learns=("osric-ring",)),
    Answer("tamsin",
           "ring",
           "The silver one. It opens. He isn't wearing it any more, Marta says. Somebody small has it, I'd bet.",
           "afraid", flags=("vouched",), learns=("osric-ring",)),
    Answer("tamsin",
           "king", "He was kind. He said thank you for every cup. He said it for that one.", "sad", flags=("vouched",)),
    Answer("tamsin",
           "promise",
           "Then I'll say it out loud, if it ever comes to a court. In front of him. I think I will.", "warm",
           flags=("vouched",), sets=("tamsin-safe",), promise="to tell nobody where Tamsin hides"),
    Answer("tamsin", "osric", "Don't say that name. The walls have ears and the ears have silk sleeves.", "afraid"),
    Answer("tamsin", "cup", "I scrub pots. I don't carry cups. Ask Marta. Please, ask Marta.", "afraid"),
    Answer("tamsin", "king", "I only scrub the pots. I don't know any king.", "afraid"),
    Answer("tamsin", "cupbearer", "There's nobody here of that name. Only pots.", "afraid", unless=("vouched",)),
    Answer("tamsin",
           "cupbearer", "Yes. That's me. Marta says you're all right. Ask me about the cup, quickly.", "wary"),
)  # fmt: skip
