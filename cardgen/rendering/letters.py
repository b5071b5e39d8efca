"""Letters as shapes: where exactly they reach, and outlines for what set type can't show (strokes and
gradients)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from cardgen.geometry import Rect
from cardgen.model.artwork import IconRun, SetText, Stroke, TextRun, turned
from cardgen.sandbox.texts import number
from cardgen.typesetting.fonts import FontBook


class Outlines:
    """Path data of set text."""

    def __init__(self, fonts: FontBook) -> None:
        self._fonts = fonts
        self._reaches: dict[tuple[str, int], tuple[float, float, float, float] | None] = {}

    def path(self, runs: Iterable[TextRun | IconRun]) -> str:
        """SVG path data of the runs, in their own coordinates. Icons are left out."""
        parts: list[str] = []
        for run in runs:
            if isinstance(run, TextRun) and not run.hidden:
                font = self._fonts.by_key(run.font)
                size, em = run.size, font.upem
                if run.turn is not None:
                    parts += self._turned(run, run.turn)
                    continue
                for gid, x, y in _places(run):
                    for command, values in font.outline(gid):
                        places = (
                            number(y - value / em * size if index % 2 else x + value / em * size)
                            for index, value in enumerate(values)
                        )
                        parts.append(command + " ".join(places))
        return "".join(parts)

    def _turned(self, run: TextRun, turn: tuple[float, float, float, float]) -> Iterator[str]:
        """The same of a run that is turned about its pen."""
        font = self._fonts.by_key(run.font)
        size, (a, b, c, d) = run.size / font.upem, turn
        for gid, x, y in _places(run):
            for command, values in font.outline(gid):
                places: list[str] = []
                for across, up in zip(values[::2], values[1::2]):
                    u, v = x - run.x + across * size, y - run.y - up * size
                    places += number(run.x + a * u + c * v), number(run.y + b * u + d * v)
                yield command + " ".join(places)

    def ink(self, runs: Iterable[TextRun | IconRun]) -> Rect | None:
        """The area that the letters and icons cover, in their own coordinates; None if they cover none.
        Curves count with their handles, which fonts keep at the extremes."""
        left = top = math.inf
        right = bottom = -math.inf
        for run in runs:
            if isinstance(run, IconRun):
                left, right = min(left, run.x), max(right, run.x + run.width)
                top, bottom = min(top, run.y), max(bottom, run.y + run.size)
                continue
            size = run.size
            for gid, x, y in () if run.hidden else _places(run):
                reach = self._reach(run.font, gid)
                if reach is not None and run.turn is not None:
                    high = (reach[3] - reach[2]) * size
                    box = Rect(x + reach[0] * size, y - reach[3] * size, (reach[1] - reach[0]) * size, high)
                    area = turned(box, run)
                    left, right = min(left, area.x), max(right, area.right)
                    top, bottom = min(top, area.y), max(bottom, area.bottom)
                elif reach is not None:
                    left, right = min(left, x + reach[0] * size), max(right, x + reach[1] * size)
                    top, bottom = min(top, y - reach[3] * size), max(bottom, y - reach[2] * size)
        if left > right:
            return None
        return Rect(left, top, right - left, bottom - top)

    def _reach(self, key: str, gid: int) -> tuple[float, float, float, float] | None:
        """The glyph's left, right, lower and upper end in em; None for one without ink."""
        if (key, gid) not in self._reaches:
            font = self._fonts.by_key(key)
            xs = [value / font.upem for _, values in font.outline(gid) for value in values[::2]]
            ys = [value / font.upem for _, values in font.outline(gid) for value in values[1::2]]
            self._reaches[key, gid] = (min(xs), max(xs), min(ys), max(ys)) if xs else None
        return self._reaches[key, gid]


def stroked(
    text: SetText, stroke: tuple[Stroke, float], *, filled: bool, first: bool
) -> tuple[SetText, ...]:
    """The outlines of a text, and the text if it is filled; `first` is painted below."""
    line, opacity = stroke
    if line.width <= 0 or opacity <= 0:
        return (text,) if filled else ()
    outlines = replace(text, stroke=replace(line, again=filled), opacity=opacity, decor=True, bars=())
    if not filled:
        return (outlines,)
    return (outlines, text) if first else (text, outlines)


def _places(run: TextRun) -> Iterator[tuple[int, float, float]]:
    """Glyph id, x and y (mm, on the baseline) of each glyph."""
    pen = 0.0
    for index, word in enumerate(run.words):
        for gid, x, y, _ in word.glyphs:
            yield gid, run.x + (pen + x) * run.size, run.y - y * run.size
        pen += word.advance + (run.gaps[index] if run.gaps else 0.0)
