"""What one can ask about, and how a line is recognised as asking about it: by stems of words in several languages, at
the beginning of a word. Nothing else is read out of what a player types.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

__all__ = ["SUBJECTS", "Subject", "recognised"]


@dataclass(frozen=True)
class Subject:
    """A topic. ``line``: the question as the menu asks it. ``stems``: beginnings of words that mean it (case
    ignored). ``but``: words that mean something else, after one of which a stem does not count.
    """

    id: str
    label: str
    line: str
    stems: str
    but: str = ""


SUBJECTS: dict[str, Subject] = {
    subject.id: subject
    for subject in (
        Subject("help", "work, help", "Is there any work I could do for you?",
                "help work job task favour favor hilf arbeit aufgabe aide travail ayud trabaj помо работ 手伝 仕事",
                but="your deine deiner ihre ihrer ton votre tu su твоя ваша"),
        Subject("king", "the king's death", "How did the king die?",
                "king aldric könig koenig roi rey reina корол 王"),
        Subject("nails", "the body", "You saw the king's body. What did you see?",
                "nail body corpse washed leich körper koerper corps ongle uñas cuerp ногт тело 爪 遺体"),
        Subject("poison", "poison, greycap", "Who would buy a poison such as greycap?",
                "poison greycap pouch venom vergift herb kraut poison veneno яд отрав 毒"),
        Subject("crypt", "the crypt", "Will you open the crypt for me?",
                "crypt tomb grave below krypta gruft grab crypte tombe cripta tumba склеп могил 墓"),
        Subject("cellar", "the cellar", "May I see the cellar?",
                "cellar cask rats barrel keller fass ratte cave tonneau sótano bodega barril подвал бочк 地下"),
        Subject("letter", "the king's letter", "Did the king leave a letter?",
                "letter seal brief siegel lettre sceau carta sello письм печат 手紙"),
        Subject("cupbearer", "Tamsin, the cupbearer", "What became of Tamsin, the cupbearer?",
                "tamsin cupbearer mundschenk échanson copera тамсин виночерп"),
        Subject("cup", "the cup", "You carried the cup that night. What happened?",
                "cup powder becher kelch pulver coupe poudre copa polvo кубок чаш порош 杯"),
        Subject("ring", "a ring", "Do you know anything about a silver ring?",
                "ring bague anneau anillo кольц 指輪"),
        Subject("bridge", "the fire on the bridge", "Who set fire to the north bridge?",
                "bridge fire burn brücke bruecke feuer brand pont feu incendi puente fuego мост пожар огонь 橋 火"),
        Subject("courier", "the king's courier", "What became of the king's courier?",
                "courier rider willow messenger kurier bote weide courrier messager correo mensajer курьер гонец 使者"),
        Subject("oil", "lamp oil", "Who bought lamp oil before Lantern Night?",
                "oil jar lampenöl lampenoel krug huile aceite масл 油"),
        Subject("key", "a copied key", "Did you cut a key for somebody?",
                "key copied cut schlüssel schluessel clé clef llave ключ 鍵"),
        Subject("postern", "the Keep's postern", "Who guarded the postern on Lantern Night?",
                "postern midnight pforte hintertür mitternacht poterne minuit poterna medianoche "
                "калитк полноч 裏門"),
        Subject("debt", "debts and gold", "Forty gold is a lot of money for a door. Is it not?",
                "debt bribe forty gold gambl ledger schuld besto gold dette corromp deuda soborn долг взятк 借金"),
        Subject("charter", "the salt charter", "What was to become of the salt charter?",
                "charter salt guild salz gilde urkunde charte sel guilde sal gremio соль гильд 塩"),
        Subject("osric", "Osric Venn", "What do you think of Osric Venn?", "osric venn осрик"),
        Subject("pell", "Pell", "What do you know about Pell?", "pell пелл"),
        Subject("hale",
                "Captain Hale",
                "Can Captain Hale be trusted?", "hale captain ysolde hauptmann capitaine capitán хейл капитан"),
        Subject("trial", "how a murder is tried", "What does it take to charge a man with murder?",
                "trial charge court law proof prove accuse gericht beweis anklag klage procès preuve juicio prueba "
                "суд доказ 裁判 証拠"),
        Subject("promise", "a promise", "I promise: nobody hears of you from me.",
                "promise swear vow versprech schwör promets jure prometo juro обеща кляну 約束"),
        Subject("betray", "tell where Tamsin is", "The cupbearer hides in the kitchen of the Gilded Stag.", ""),
        Subject("bribe", "his offer", "What is my silence worth to you?",
                "silence silent schweig silencio молчан"),
        Subject("accept", "take his offer", "Very well. I was never here.", ""),
        Subject("rumours", "what is new", "What do people say?",
                "rumour rumor gossip news neuig gerücht geruecht nouvelle rumeur noticia rumor слух новост 噂"),
        Subject("ferry", "the ferry", "Can you take me across the river?",
                "ferry across boat fähre faehre bateau barca barquer паром лодк 渡"),
        Subject("lisbet", "his daughter", "How is your daughter?", "lisbet daughter tochter fille hija дочь дочер 娘"),
    )
}  # fmt: skip
"""Topics by id. Their order is the menu's, and decides which of two is answered first."""

_WORDS = {id: tuple(dict.fromkeys(_fold)) for id, _fold in ((s.id, s.stems.split()) for s in SUBJECTS.values())}


def folded(text: str) -> str:
    """A text for comparing: one form, no case."""
    return unicodedata.normalize("NFKC", text).casefold()


def recognised(text: str) -> tuple[str, ...]:
    """The topics a line touches, in the order of the menu."""
    line = folded(text)
    words = re.findall(r"\w+", line)
    found = []
    for id, stems in _WORDS.items():
        but = SUBJECTS[id].but.split()
        meant = [word for before, word in zip(["", *words], words, strict=False) if before not in but]
        if any(_touches(folded(stem), line, meant) for stem in stems):
            found.append(id)
    return tuple(found)


def _touches(stem: str, line: str, words: list[str]) -> bool:
    """Scripts without blanks between words are searched anywhere; others at the beginning of a word."""
    if ord(stem[0]) >= 0x3040:
        return stem in line
    if len(stem) <= 3:
        return any(word in (stem, stem + "s") for word in words)
    return any(word.startswith(stem) for word in words)
