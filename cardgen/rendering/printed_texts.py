"""The texts of a side as a reader sees them: letters, line ends and icons, without their look."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cardgen.model.artwork import IconRun, SetText, TextRun

if TYPE_CHECKING:
    from cardgen.rendering.laying_out import LaidOut

ICON = "\ufffc"
"""Stands for an icon within a text."""
_BESIDE = 0.1
"""Of the type size: letters that are so near to each other belong to one word."""
_SAME_LINE = 0.7
"""Of the type size: letters that are raised so far are on the line all the same."""

_FOOT = 0.85
"""Of an icon's height: where the letters beside it stand, from its top."""

PrintedText = tuple[str, int, str]
"""The template that a text stands in, its line, and what is printed."""
NOWHERE = ("", 0)
"""Stands for a template and a line that are not known."""


def printed_texts(made: LaidOut) -> list[PrintedText] | None:
    """The texts of a side that is laid out, in paint order; None where an error leaves out some."""
    if made.artwork is None or not made.can_be_drawn:
        return None
    found = [printed_text(text) for text in made.artwork.texts() if text.opacity > 0]
    return [each for each in (*found, *made.outlined) if each[2]]


def printed_text(text: SetText) -> PrintedText:
    """What a set text says, and where it stands."""
    return (*(text.place or NOWHERE), _words(text))


def _words(text: SetText) -> str:
    """The letters of a text, with an ICON for each of its icons and a line end between its lines."""
    parts: list[str] = []
    end: tuple[float, float, float] | None = None
    is_icon = False
    for run in text.runs:
        if isinstance(run, IconRun):
            foot = run.y + _FOOT * run.size
            if end is not None and abs(foot - end[1]) >= _SAME_LINE * max(end[2], run.size):
                parts.append("\n")
            parts.append(ICON)
            end, is_icon = (run.x + run.width, foot, run.size), True
        elif run.within is None:
            if end is not None:
                between = _between(end, run)
                parts.append(between.strip(" ") if is_icon else between)
            parts.append(run.text)
            a, b = (run.turn[0], run.turn[1]) if run.turn is not None else (1.0, 0.0)
            end, is_icon = (run.x + a * run.advance, run.y + b * run.advance, run.size), False
    return "".join(parts)


def _between(end: tuple[float, float, float], run: TextRun) -> str:
    """What a reader sees between the `end` of a run (x, y, type size) and the next one."""
    x, y, size = end
    size = max(size, run.size)
    if math.hypot(run.x - x, run.y - y) < _BESIDE * size:
        return ""
    if abs(run.y - y) < _SAME_LINE * size:
        return "" if abs(run.x - x) < _BESIDE * size else " "
    return "\n"
