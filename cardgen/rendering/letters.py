"""Letters as shapes: where exactly they reach, and outlines for what set type can't show (strokes and
gradients)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import uharfbuzz as hb

from cardgen.geometry import Rect
from cardgen.model.artwork import IconRun, TextRun
from cardgen.sandbox.texts import number
from cardgen.typesetting.fonts import FontBook


class Outlines:
    """Path data of set text, each glyph read once."""

    def __init__(self, fonts: FontBook) -> None:
        self._fonts = fonts
        self._glyphs: dict[tuple[str, int], list[tuple[str, tuple[float, ...]]]] = {}
        self._reaches: dict[tuple[str, int], tuple[float, float, float, float] | None] = {}
        self._pen = _pen()

    def path(self, runs: Iterable[TextRun | IconRun]) -> str:
        """SVG path data of the runs, in their own coordinates. Icons are left out."""
        parts: list[str] = []
        for run in runs:
            if isinstance(run, TextRun):
                self._run(run, parts)
        return "".join(parts)

    def ink(self, runs: Iterable[TextRun | IconRun]) -> Rect | None:
        """The area that the letters and icons cover, in their own coordinates; None if they cover none.
        Curves count with their handles, which fonts keep at the extremes."""
        left = top = math.inf
        right = bottom = -math.inf
        for run in runs:
            if isinstance(run, IconRun):
                left, right = min(left, run.x), max(right, run.x + run.size)
                top, bottom = min(top, run.y), max(bottom, run.y + run.size)
                continue
            size = run.size
            for gid, x, y in _places(run):
                reach = self._reach(run.font, gid)
                if reach is not None:
                    left, right = min(left, x + reach[0] * size), max(right, x + reach[1] * size)
                    top, bottom = min(top, y - reach[3] * size), max(bottom, y - reach[2] * size)
        if left > right:
            return None
        return Rect(left, top, right - left, bottom - top)

    def _run(self, run: TextRun, parts: list[str]) -> None:
        for gid, x, y in _places(run):
            self._glyph(run, gid, x, y, parts)

    def _glyph(self, run: TextRun, gid: int, x: float, y: float, parts: list[str]) -> None:
        size = run.size
        for command, values in self._commands(run.font, gid):
            places = (
                number(x + value * size if index % 2 == 0 else y - value * size)
                for index, value in enumerate(values)
            )
            parts.append(command + " ".join(places))

    def _reach(self, key: str, gid: int) -> tuple[float, float, float, float] | None:
        """The glyph's left, right, lower and upper end in em; None for one without ink."""
        if (key, gid) not in self._reaches:
            commands = self._commands(key, gid)
            xs = [value for _, values in commands for value in values[::2]]
            ys = [value for _, values in commands for value in values[1::2]]
            self._reaches[key, gid] = (min(xs), max(xs), min(ys), max(ys)) if xs else None
        return self._reaches[key, gid]

    def _commands(self, key: str, gid: int) -> list[tuple[str, tuple[float, ...]]]:
        """The glyph's outline in em, y up."""
        done = self._glyphs.get((key, gid))
        if done is None:
            font = self._fonts.by_key(key)
            commands: list[tuple[str, tuple[float, ...]]] = []
            hb.Font(font.face).draw_glyph(gid, self._pen, commands)
            em = font.upem
            done = [(command, tuple(value / em for value in values)) for command, values in commands]
            self._glyphs[key, gid] = done
        return done


def _places(run: TextRun) -> Iterator[tuple[int, float, float]]:
    """Glyph id, x and y (mm, on the baseline) of each glyph."""
    pen = 0.0
    for index, word in enumerate(run.words):
        for gid, x, y, _ in word.glyphs:
            yield gid, run.x + (pen + x) * run.size, run.y - y * run.size
        pen += word.advance + (run.gaps[index] if run.gaps else 0.0)


def _pen() -> Any:
    """HarfBuzz draw functions that collect commands."""
    functions = hb.DrawFuncs()
    functions.set_move_to_func(lambda x, y, out: out.append(("M", (x, y))))
    functions.set_line_to_func(lambda x, y, out: out.append(("L", (x, y))))
    functions.set_quadratic_to_func(lambda a, b, x, y, out: out.append(("Q", (a, b, x, y))))
    functions.set_cubic_to_func(lambda a, b, c, d, x, y, out: out.append(("C", (a, b, c, d, x, y))))
    functions.set_close_path_func(lambda out: out.append(("Z", ())))
    return functions
