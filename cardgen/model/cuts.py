"""Where a machine cuts: runs of straight lines and quarters of ellipses, in mm of a page."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.geometry import Point


@dataclass(frozen=True, slots=True)
class Stroke:
    """A part of a cut, in mm of the page: a straight line, or with a `middle` a quarter of an ellipse
    around it, clockwise as it is seen."""

    start: Point
    end: Point
    middle: Point | None = None

    @property
    def radii(self) -> Point:
        """The half axes of the ellipse, across and down; of a straight line (0, 0)."""
        if self.middle is None:
            return 0.0, 0.0
        x, y = self.middle
        return (
            max(abs(self.start[0] - x), abs(self.end[0] - x)),
            max(abs(self.start[1] - y), abs(self.end[1] - y)),
        )


@dataclass(frozen=True, slots=True)
class Cut:
    """Strokes, each beginning where the one before it ends. A closed one ends where it begins."""

    strokes: tuple[Stroke, ...]

    @property
    def closed(self) -> bool:
        return near(self.strokes[0].start) == near(self.strokes[-1].end)


_GRAIN = 2
"""Decimals of a mm in which two places are one."""


def near(point: Point) -> Point:
    """A point to the hundredth of a mm."""
    return round(point[0], _GRAIN) + 0.0, round(point[1], _GRAIN) + 0.0
