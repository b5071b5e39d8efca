"""A colour and a mark for each word that cards are grouped by: never the one without the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_HUES = ("#1f5fa0", "#b0431c", "#23704a", "#6f3d96", "#7d5a00", "#0d6b78", "#a52a62", "#4a5568")
"""Dark enough for white type, light enough to be told from each other."""
_NAMED = {
    "red": "#b3261e",
    "orange": "#a8501a",
    "yellow": "#806000",
    "gold": "#806000",
    "green": "#23704a",
    "blue": "#1f5fa0",
    "purple": "#6f3d96",
    "violet": "#6f3d96",
    "pink": "#a52a62",
    "brown": "#6b4a2b",
    "black": "#1d2433",
    "white": "#68707f",
    "grey": "#4a5568",
    "gray": "#4a5568",
    "silver": "#4a5568",
    "rot": "#b3261e",
    "gelb": "#806000",
    "grün": "#23704a",
    "blau": "#1f5fa0",
    "lila": "#6f3d96",
    "violett": "#6f3d96",
    "rosa": "#a52a62",
    "braun": "#6b4a2b",
    "schwarz": "#1d2433",
    "weiß": "#68707f",
    "grau": "#4a5568",
    "silber": "#4a5568",
    "fire": "#b0431c",
    "feuer": "#b0431c",
    "water": "#1f5fa0",
    "wasser": "#1f5fa0",
    "earth": "#6b4a2b",
    "erde": "#6b4a2b",
    "forest": "#23704a",
    "wald": "#23704a",
}
_MARKS = (
    "M-.95 0a.95 .95 0 1 0 1.9 0a.95 .95 0 1 0-1.9 0z",
    "M0-1.1L1.1 0 0 1.1-1.1 0z",
    "M0-1L1.05 .85H-1.05z",
    "M-.85-.85H.85V.85H-.85z",
    "M-.55-.95H.55L1.1 0 .55 .95H-.55L-1.1 0z",
    "M0-1.2L.34-.34 1.2 0 .34 .34 0 1.2-.34 .34-1.2 0-.34-.34z",
    "M-.34-1H.34V-.34H1V.34H.34V1H-.34V.34H-1V-.34H-.34z",
    "M0 1L1.05-.85H-1.05z",
)
_HEART = (
    "M0 .95C-.5 .5-1.05 .1-1.05-.42-1.05-.75-.8-1-.5-1-.27-1-.1-.87 0-.65 .1-.87 .27-1 .5-1 .8-"
    "1 1.05-.75 1.05-.42 1.05 .1 .5 .5 0 .95z"
)
_SPADE = (
    "M0-1C.5-.5 1.05-.15 1.05 .33 1.05 .66 .82 .86 .55 .86 .36 .86 .22 .78 .11 .64L.3 1.05H-.3L"
    "-.11 .64C-.22 .78-.36 .86-.55 .86-.82 .86-1.05 .66-1.05 .33-1.05-.15-.5-.5 0-1z"
)
_CLUB = (
    "M0-1.05A.5 .5 0 0 1 .44-.31 .5 .5 0 1 1 .12 .45L.3 1.05H-.3L-.12 .45A.5 .5 0 1 1-.44-.31 ."
    "5 .5 0 0 1 0-1.05z"
)
_SUITS = {
    **dict.fromkeys(("hearts", "heart", "herz", "♥"), (_HEART, "#b3261e")),
    **dict.fromkeys(("diamonds", "diamond", "karo", "♦"), (_MARKS[1], "#b3261e")),
    **dict.fromkeys(("clubs", "club", "kreuz", "♣"), (_CLUB, "#1d2433")),
    **dict.fromkeys(("spades", "spade", "pik", "♠"), (_SPADE, "#1d2433")),
}


@dataclass(frozen=True, slots=True)
class Sign:
    """What a word looks like: a mark, drawn from -1 to 1, and its colour."""

    word: str
    mark: str
    hue: str


def signs(words: Sequence[str]) -> list[Sign]:
    """A sign for each of up to eight words, no mark twice, in the colour that a word names or one of its
    own."""
    found: dict[str, tuple[str, str]] = {}
    for word in words:
        if word.casefold() in _SUITS:
            found[word] = _SUITS[word.casefold()]
    marks = [mark for mark in _MARKS if mark not in {mark for mark, _ in found.values()}]
    named = {word: _NAMED[word.casefold()] for word in words if word.casefold() in _NAMED}
    hues = [hue for hue in _HUES if hue not in named.values()] or list(_HUES)
    for word in words:
        if word not in found and marks:
            hue = named.get(word) or hues[len(found.keys() - named.keys()) % len(hues)]
            found[word] = (marks.pop(0), hue)
    return [Sign(word, *found[word]) for word in words if word in found]
