"""The watch and the river: Captain Hale, the guard of the gate, Jory."""

from __future__ import annotations

from roguelike.plot.answer import Answer

__all__ = ["WATCH"]

WATCH = (
    # Captain Hale
    Answer("captain-hale",
           "debt",
           "Close the door. ... Yes. Forty gold, for a door. I told myself it was a love affair. Bring me your proof, "
           "all of it, and I will be a captain one more time.",
           "sad", holds=("ledger-page",), sets=("hale-turned",), learns=("hale-bribed", "postern-unguarded")),
    Answer("captain-hale",
           "debt",
           "Who have you been talking to? Choose your next word like a man on a roof.",
           "angry", knows=("postern-unguarded",)),
    Answer("captain-hale", "debt", "My purse is none of your business. Next.", "angry"),
    Answer("captain-hale", "postern", "A guard was moved. By order. That happens. Who told you that?", "wary"),
    Answer("captain-hale",
           "king", "His heart. It's in the report. I wrote the report. Ask me something else.", "wary", chapter=(1,),
           learns=("heart-verdict",)),
    Answer("captain-hale",
           "king",
           "The council admits it: poison. So. Give me a hand and a reason, and I'll give you a trial.",
           "calm", chapter=(2, 3)),
    Answer("captain-hale",
           "trial",
           "What killed him. Whose hand. Why. Lay it on this table, say a name, and say it twice. If you are wrong, "
           "somebody hangs. Sleep on it.",
           "calm", learns=("trial-rules",)),
    Answer("captain-hale",
           "help",
           "Twenty silver for the cupbearer. Or an honest answer to a question: what killed him? Either will do.",
           "wary", chapter=(1,)),
    Answer("captain-hale", "help", "I've eleven guards and need twenty. Find me who did it. I'll do the rest.", "calm"),
    Answer("captain-hale",
           "betray",
           "The Stag's kitchen. Under my nose, and Marta's ladle. Here. Twenty silver. Spend it somewhere else.",
           "calm",
           knows=("tamsin-hides",), chapter=(1,), unless=("tamsin-betrayed",), sets=("tamsin-betrayed",)),
    Answer("captain-hale",
           "cupbearer",
           "She ran. People who run have reasons. Twenty silver says you'd like to help me ask her.",
           "wary", chapter=(1,)),
    Answer("captain-hale",
           "osric", "Master Venn is a man of the council's acquaintance. Bring me iron, not smoke.", "wary"),
    Answer("captain-hale",
           "letter",
           "If there were a letter with the king's seal, it would belong on this table. Show it to me, or don't speak "
           "of it.", "wary"),
    # Guard of the gate
    Answer("guard-gate",
           "postern",
           "He came out of it. Master Venn. Midnight, Lantern Night, no hat. I was told to forget it, and I'd nearly "
           "managed. Is there more pie?",
           "afraid", trust=2, learns=("postern-unguarded", "osric-left-by-postern")),
    Answer("guard-gate",
           "postern",
           "There was nobody on it. Captain's order. I'm not supposed to... I saw somebody, though. I talk better "
           "full.", "wary",
           trust=1, learns=("postern-unguarded",)),
    Answer("guard-gate",
           "postern",
           "I can't talk about that on an empty stomach. I can't talk about it on a full one either, but I'd feel "
           "worse about saying no.", "amused"),
    Answer("guard-gate",
           "help",
           "Food. Any food. I'd open the gate for a stew. I'd open the gate for a picture of a stew.", "amused"),
    Answer("guard-gate",
           "king", "Heart, they said. I carried the chair out. It smelled of... no. I don't know. Wine.", "afraid"),
    Answer("guard-gate", "osric", "Oh, him. He walks at night. Walked. Once. Never mind.", "afraid"),
    Answer("guard-gate",
           "rumours", "That pigeon is called Gerald. He saw who came out of the postern. He won't talk.", "amused"),
    Answer("guard-gate", "hale", "She used to laugh. Before the dice.", "wary"),
    # Jory
    Answer("jory",
           "bridge",
           "Saw a man run off it, burning at the sleeve, an empty jar in his arm. Thin fellow. Pell. River saw it "
           "too, but she's worse at talking.",
           "sad", trust=1, learns=("jory-saw-fire",)),
    Answer("jory",
           "bridge",
           "Fire and water. They settled it between them. A man with a pipe and nothing to put in it doesn't remember "
           "much.", "wary"),
    Answer("jory",
           "courier",
           "He was on the bridge when it went. I pulled him out by the willow. No name on him, only a seal. Come, "
           "I'll show you. Somebody should stand there who isn't me.",
           "sad", knows=("jory-saw-fire",), learns=("courier-drowned",), does="show-grave"),
    Answer("jory", "courier", "River keeps who she keeps. Ask me about the fire first. If you must.", "sad"),
    Answer("jory",
           "ferry",
           "Two coppers in my hand. Then step into the boat, if you mean it. She doesn't turn round halfway.",
           "calm"),
    Answer("jory",
           "help",
           "Pipeweed. Old river leaf. Edda's is hay. There was a smuggler had some, went under the temple and didn't "
           "come up.", "amused"),
    Answer("jory",
           "king",
           "He crossed with me once, as a boy. Dropped a shoe in. I told him the river would give it back. She hasn't.",
           "sad"),
    Answer("jory",
           "rumours",
           "Boats come at night with no lamp. Not to my landing. Somewhere under the rock. Salt, I'd say.", "wary"),
)  # fmt: skip
