"""Letters as shapes: where exactly they reach, and outlines for what set type can't show (strokes and
gradients)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import uharfbuzz as hb

from cardgen.geometry import Rect
from cardgen.model.artwork import IconRun, TextRun
from cardgen.rendering.functions import number
from cardgen.typesetting import FontBook


class Outlines:
    """Path data of set text, each glyph read once."""

    def __init__(self, fonts: FontBook) -> None:
        self._fonts = fonts
        self._glyphs: dict[tuple[str, int], list[tuple[str, tuple[float, ...]]]] = {}
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
        xs: list[float] = []
        ys: list[float] = []
        for run in runs:
            if isinstance(run, IconRun):
                xs += (run.x, run.x + run.size)
                ys += (run.y, run.y + run.size)
                continue
            for gid, x, y in _places(run):
                for _, values in self._commands(run.font, gid):
                    xs += (x + value * run.size for value in values[::2])
                    ys += (y - value * run.size for value in values[1::2])
        if not xs:
            return None
        return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))

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
