"""What the parts of a side come to together, held to the bounds of a side."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.findings import Problem
from cardgen.svg.limits import (
    MOST_HARD_TEXT,
    MOST_LAYERS,
    MOST_MARKUP,
    MOST_PICTURES,
    MOST_REPEATED,
    MOST_SIDE_TEXT,
    MOST_STEPS,
)


class Load(NamedTuple):
    """Steps of drawing, and those of them that references add; layers; pictures; characters of text, and
    those of them that are hard to break into lines."""

    steps: float = 0.0
    repeated: float = 0.0
    layers: int = 0
    pictures: int = 0
    characters: int = 0
    hard: int = 0

    def beside(self, other: Load) -> Load:
        """Both together."""
        return Load(
            self.steps + other.steps,
            self.repeated + other.repeated,
            self.layers + other.layers,
            self.pictures + other.pictures,
            self.characters + other.characters,
            self.hard + other.hard,
        )

    def problem(self, offset: int) -> Problem | None:
        """What is wrong if it is more than a side may have; `offset` is of the element that was last."""
        hint = "draw less, or save it as a PNG"
        if self.repeated > MOST_REPEATED:
            what = f"{MOST_REPEATED:,} steps of drawing by what is shown again and again"
            hint = "see what <use>, patterns, gradients and markers repeat"
        elif self.steps > MOST_STEPS:
            what = f"{MOST_STEPS:,} steps of drawing"
        elif self.layers > MOST_LAYERS:
            what, hint = f"{MOST_LAYERS:,} see-through layers", "mix the colours instead"
        elif self.pictures > MOST_PICTURES:
            what = f"{MOST_PICTURES:,} shapes that stand by themselves"
            hint = "put shapes that belong together into a group <g>, without text"
        elif self.characters > MOST_SIDE_TEXT:
            what, hint = f"{MOST_SIDE_TEXT:,} characters of text", "shorten the texts"
        elif self.hard > MOST_HARD_TEXT:
            what = f"{MOST_HARD_TEXT:,} characters in words that are not of plain letters"
            hint = "shorten the texts"
        else:
            return None
        return Problem("svg/bounds", f"with this the side comes to more than {what}", hint, offset=offset)


NO_LOAD = Load()


class MarkupError(Exception):
    """A side or drawing comes to more markup than is drawn. The text is a sentence for the designer."""


class Room:
    """What is left of the markup that a side or a drawing may come to. Every element gets the properties
    of its rules written out, so that a long rule for many elements is very much longer than its source."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = MOST_MARKUP

    def take(self, text: str) -> str:
        """The text. Raises MarkupError if there is no room for it."""
        self._left -= len(text)
        if self._left < 0:
            message = f"it comes to more than {MOST_MARKUP // 1_000_000} MB with its styles written out"
            raise MarkupError(message)
        return text
