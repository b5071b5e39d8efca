"""Draw the two-sided page for measuring a printer profile.

Three targets are near corners. The face has a pair of numbered scales for each, the back a cross exactly
behind their center. Held against the light, the cross shows on the scales how far the printer shifts backs
to the right (x) and down (y), in mm. Targets 1 and 2, in opposite corners, distinguish a shift from a
scaling, target 3, between them, both from a rotation.

Each edge of the face has stairs of short lines, one every half millimeter from the edge on: those in the
unprintable margin are missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import ImposedSheet, Label, Line, Page, Paper
from cardgen.sheets.grid import behind, flip_axis
from cardgen.sheets.ruler_and_labels import AT_FULL_SIZE

STAIRS = 10
"""mm from an edge to the end of its stairs. Home printers leave 3 to 6 mm white."""

_STEP = 2.0
"""mm along the edge from one line of the stairs to the next."""

INSET = 40.0
"""mm from the paper's edges to the targets, for the scales and any unprintable margin."""

REACH = 10
"""mm of the scales on both sides. Consumer printers are off by up to 4 mm."""

BESIDE = 13.0
"""mm from a target's center to its scales, so that they don't cross."""

_ARM = BESIDE + 4
"""mm from the center of a cross to its ends: across the scales even if it is off."""
_FINE, _HEAVY = 0.1, 0.2
_TEXT = 2.2
_CAPTION = 3.2


def targets(page: Size) -> tuple[tuple[float, float], ...]:
    """Return the centers of targets 1, 2 and 3, in mm from the top left corner of the face page: top left,
    bottom right, top right."""
    right, bottom = page.width - INSET, page.height - INSET
    return (INSET, INSET), (right, bottom), (right, INSET)


def calibration_sheet(
    paper: Paper, edge: Literal["long-edge", "short-edge"] = "long-edge", *, landscape: bool = False
) -> ImposedSheet:
    """Return the face and back of the test page, to be printed on both sides at 100 %, flipped on
    `edge`."""
    page = paper.size.upright.turned if landscape else paper.size.upright
    whole = Rect(0, 0, page.width, page.height)
    axis = flip_axis(page, edge)
    lines: list[Line] = []
    labels: list[Label] = []
    for name, (x, y) in zip("123", targets(page)):
        lines += _scales(x, y)
        labels += _numbers(x, y)
        labels.append(Label(name, x - REACH, y - REACH + _CAPTION, 2 * _CAPTION))
    lines += _stairs(page)
    labels += _steps(page)
    labels += _instructions(page, edge)
    crosses = []
    for x, y in targets(page):
        spot = behind(Rect(x, y, 0, 0), page, axis)
        crosses += _cross(spot.x, spot.y)
    top = page.height / 2
    note = Label(
        f"Back of the test page, {edge}. Read the other side against the light.", INSET, top, _CAPTION
    )
    pages = (
        Page(page, "face", whole, whole, (), tuple(lines), (), tuple(labels)),
        Page(page, "back", whole, whole, (), tuple(crosses), (), (note,)),
    )
    return ImposedSheet("calibration", paper.name, edge, pages, 0)


def _scales(x: float, y: float) -> list[Line]:
    """Return a small cross at (x, y), a level scale below it and an upright scale to its right, with
    ticks every half millimeter, longer at 1 and 5."""
    level, upright = y + BESIDE, x + BESIDE
    lines = [
        Line(x - 3, y, x + 3, y, _FINE),
        Line(x, y - 3, x, y + 3, _FINE),
        Line(x - REACH, level, x + REACH, level, _FINE),
        Line(upright, y - REACH, upright, y + REACH, _FINE),
    ]
    for step in range(-2 * REACH, 2 * REACH + 1):
        along = step / 2
        tick = 2.4 if step % 10 == 0 else 1.6 if step % 2 == 0 else 0.8
        lines.append(Line(x + along, level - tick, x + along, level, _FINE))
        lines.append(Line(upright - tick, y + along, upright, y + along, _FINE))
    return lines


def _numbers(x: float, y: float) -> list[Label]:
    """Return every fifth millimeter with its label; numbers rise to the right and down."""
    labels = []
    for value in range(-REACH, REACH + 1, 5):
        text = f"{value}".replace("-", "−")
        labels.append(Label(text, x + value - 0.25 * _TEXT * len(text), y + BESIDE + 2.6, _TEXT))
        labels.append(Label(text, x + BESIDE + 1, y + value + 0.35 * _TEXT, _TEXT))
    return labels


def _stairs(page: Size) -> Iterator[Line]:
    """Yield lines along the edges, from half a millimeter to STAIRS away from each."""
    for number in range(1, 2 * STAIRS + 1):
        deep, weight = number / 2, _HEAVY if number % 2 == 0 else _FINE
        for along, across in ((page.width, page.height), (page.height, page.width)):
            start = along / 2 + (number - STAIRS) * _STEP
            for down in (deep, across - deep):
                if along == page.width:
                    yield Line(start - _STEP / 2, down, start + _STEP / 2, down, weight)
                else:
                    yield Line(down, start - _STEP / 2, down, start + _STEP / 2, weight)


def _steps(page: Size) -> Iterator[Label]:
    """Yield the numbers of the stairs' whole millimeters, where every printer prints."""
    inner = STAIRS + 1.0
    for value in range(1, STAIRS + 1):
        text, offset = f"{value}", (2 * value - STAIRS) * _STEP
        width = 0.5 * _TEXT * len(text)
        x, y = page.width / 2 + offset - width / 2, page.height / 2 + offset + 0.35 * _TEXT
        yield Label(text, x, inner + _TEXT, _TEXT)
        yield Label(text, x, page.height - inner - 0.3, _TEXT)
        yield Label(text, inner, y, _TEXT)
        yield Label(text, page.width - inner - width, y, _TEXT)


def _cross(x: float, y: float) -> list[Line]:
    """Return a cross that is visible through the paper and extends across the scales."""
    return [Line(x - _ARM, y, x + _ARM, y, _HEAVY), Line(x, y - _ARM, x, y + _ARM, _HEAVY)]


def _instructions(page: Size, edge: str) -> list[Label]:
    width = page.width - 2 * INSET
    lines = (
        f"Printer test page: {page}, both sides, flipped on the {edge.replace('-', ' ')}, {AT_FULL_SIZE}",
        "Hold the paper against the light with this side towards you.",
        "At targets 1, 2 and 3 read where the other side's cross meets the scales, in mm:",
        "first x, where its upright line meets the level scale (to the right counts up),",
        "then y, where its level line meets the upright scale (down counts up).",
        "The order to type them in: x and y of target 1, of target 2, of target 3.",
        "Margin: the smallest millimeter of the stairs that prints at all four edges.",
    )
    top = page.height / 2 - len(lines) / 2 * 1.6 * _CAPTION
    return [
        Label(text, INSET, top + number * 1.6 * _CAPTION, _CAPTION, 0, width)
        for number, text in enumerate(lines)
    ]
