"""Words that say nothing about what a line is about, in the languages whose endings ``recall.stems`` knows.

A word that is a name or a thing in another of these languages is left in ("die", "war", "man"): it is frequent where
it means nothing, and BM25 gives a frequent word next to no weight.
"""

from __future__ import annotations

__all__ = ["STOP_PAIRS", "STOP_WORDS"]

_ENGLISH = """a about again ago all also am an and any are as at be been before being but by can could did didnt do does
    doesnt doing done dont for from get go good had has hasnt have havent he hello her here hers herself hi him himself
    his how i if ill im in into is isnt it its ive just know let like long many may me might mine more much my myself
    need needs no not now of off on one or our out over own please said say says shall she should so some than thank
    thanks that thats the their them themselves then there these they this those to too under up us very want wants
    was wasnt we well went were what whats when where which while who whom whose why will with would yes you your yours
    youre tell answered still ever"""

_GERMAN = """aber als am auch auf aus bei beim bin bis bist da damit dann das dass dein deine deinem deinen deiner dem
    den denn der des dich dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer fur ganz habe
    haben hast hat hatte hatten ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im ist ja je jetzt kann kannst kein keine
    keinem keinen konnte mein meine meinem meinen meiner mich mir mit nach nein nicht noch nun nur ob oder ohne schon
    sehr sein seine seinem seinen seiner seit sich sie sind uber um und uns unser unsere von vom vor wann waren warum
    was weil weiss weisst welche welchem welchen welcher welches wem wen wenn wer werde werden wessen wie wieder wir
    wird wirst wo woher wohin wollen wurde wurden zu zum zur"""

_RUSSIAN = """а без бы был была были было быть в вам вас вы где да для до его ее ей ему если есть еще же за здесь и из
    или им их к как какая какие какое какой когда которая которое которую который которые кто ли меня мне мой моя мы на
    над нам нас не него нее ней нет ни них но ну о об он она они оно от по под почему при с свой свою себе себя со так
    такая такой там тебе тебя то тот ту ты тут у уже чего чем что чтобы чья чей эта эти это этот я сколько ты твой твоя
    твою твою все всё такое знаешь"""

STOP_WORDS = frozenset(_ENGLISH.split() + _GERMAN.split() + _RUSSIAN.split())
"""As ``recall.stems.folded`` writes them."""

STOP_PAIRS = frozenset(
    """した して ます です ない ませ せん すか いま まし しま ある って った たの のは のか いる たは なの から まで
    では には とは れた れて だれ だっ いつ どこ なに なぜ どう たか のこ こと とを この その あの もう まだ てい いた
    るの""".split()
)
"""Pairs of Japanese syllables that make up endings and question words."""
