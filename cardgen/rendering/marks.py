"""Where on a side its trouble lies, and how that is shown on a picture of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from cardgen.findings import Problem
from cardgen.geometry import Rect, Size
from cardgen.model.artwork import Artwork, Color, Picture, SetText, Stroke, TextRun
from cardgen.units import decimal

RED = "#d6002a"
RED_INK: Color = (0xD6 / 255, 0.0, 0x2A / 255)
_LINE, _HALO = 0.3, 0.45
"""mm, of outlines and crosses, and of the white below them: they are to be seen on any ground."""
_AROUND = 0.2
"""The same of red letters, in em."""
Kind = Literal["box", "missing", "words", "noted", "side"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A problem and where on the side it lies: an upright rectangle in mm from the corner of the bleed.

    `kind` says how the artwork shows it. "box": outlined in red; of text that does not fit, that is what it
    does not fit into, and the words are red. "missing": outlined and crossed, for what is not there, or
    can't be read. "words": the area of words that are red. "noted": not at all, it is a warning or a note.
    "side": it has no place of its own, `area` is the whole side, and its edge is red. One problem has
    several marks where it lies in several places. `of_file` says that it is one of a file shown there."""

    problem: Problem
    area: Rect
    kind: Kind = "box"
    of_file: bool = False

    def moved(self, by: int) -> Mark:
        """The mark with its problem's offset counted from so many bytes before."""
        return self if self.of_file else replace(self, problem=self.problem.moved(by))


@dataclass(frozen=True, slots=True)
class Marked:
    """A side laid out to be looked at, whatever is wrong with it; never to be printed, and no artwork that
    is printed has its key.

    On the `artwork` is all that could be laid out, with the trouble shown where it stands, as its `marks`
    say one by one. `problems` are those that laying it out to print finds, and those of icons in texts that
    it does not come to; each has a mark at least. `icons` are those that its text shows, whose documents
    are needed to draw it."""

    artwork: Artwork
    marks: tuple[Mark, ...]
    problems: tuple[Problem, ...]
    icons: frozenset[str]


def halo(text: SetText, red: Iterable[TextRun]) -> SetText:
    """White to lie below the red letters of a text."""
    stroke = Stroke((1.0, 1.0, 1.0), _AROUND * text.size, join=1, again=True)
    return replace(text, runs=tuple(red), bars=(), decor=True, stroke=stroke)


def kind_of(problem: Problem) -> Kind:
    """How a problem is shown of which no more is known than its area."""
    return "box" if problem.is_error else "noted"


def overlay(marks: Iterable[Mark], size: Size, bleed: float) -> Picture | None:
    """The outlines and crosses of marks, to lie over a side of `size` (trim and bleed); None for none."""
    shapes: dict[str, None] = {}
    for mark in marks:
        area = mark.area
        if mark.kind == "side":
            area = area.inset(max(bleed, 0.0) + _LINE / 2)
        elif mark.kind in ("box", "missing"):
            area = area.inset(-_HALO / 2)  # around it, over nothing that stands in it
        else:
            continue
        left, top, right, bottom = (decimal(each, 4) for each in (area.x, area.y, area.right, area.bottom))
        path = f"M{left} {top}H{right}V{bottom}H{left}Z"
        if mark.kind == "missing":
            path += f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"
        shapes[path] = None
    if not shapes:
        return None
    width, height, path = decimal(size.width, 4), decimal(size.height, 4), "".join(shapes)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" fill="none"><path d="{path}" stroke="#fff" '
        f'stroke-width="{_HALO}"/><path d="{path}" stroke="{RED}" stroke-width="{_LINE}"/></svg>'
    )
    return Picture(hashlib.blake2b(svg.encode(), digest_size=16).hexdigest(), svg)
