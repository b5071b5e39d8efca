"""Paragraphs in a shape: each line as long as the shape is wide at its height."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from cardgen.geometry import Rect
from cardgen.typesetting.composing import first_size, missing_in, text_of
from cardgen.typesetting.fallback import in_fonts
from cardgen.typesetting.fitting import TOLERANCE, above, largest, shrink
from cardgen.typesetting.measuring import measure
from cardgen.typesetting.segments import Segment
from cardgen.typesetting.setting import Canvas, set_row
from cardgen.typesetting.spans import Composed, Options, Overflow, Paragraph, Style

Room = Callable[[float, float], tuple[float, float] | None]
"""Where the widest room lies between two heights, from left to right; None where there is none."""

_STEPS = 8
"""Parts of a line's height that a line which finds no room goes down at once."""
_MOST_ROWS = 1_000
"""Lines, and places where one found no room."""
_STARTS = 24
"""Heights that a text in the middle or at the foot is tried to begin at."""


class _Row(NamedTuple):
    """A line: its chunks, the room it has, its top and its baseline."""

    segment: Segment
    start: int
    end: int
    left: float
    right: float
    top: float
    baseline: float


class _Rows(NamedTuple):
    rows: list[_Row]
    bottom: float
    lost: list[tuple[Segment, int]]
    """Segments that found no room, from these chunks on."""


def compose_within(
    paragraphs: Sequence[Paragraph], room: Room, top: float, bottom: float, options: Options
) -> Composed:
    """Set paragraphs where `room` says that there is any, between two heights (mm). What does not fit is
    left out, and overflow."""
    styles: dict[Style, Style] = {}
    paragraphs = in_fonts(paragraphs)
    segments = measure(paragraphs, options.words, styles, options.direction)
    base = options.size or first_size(paragraphs)
    if not segments:
        return Composed((), base, 0, Rect(0.0, top, 0.0, 0.0))

    def attempt(size: float) -> _Rows | None:
        rows = _rows(segments, room, top, bottom, size / base, options)
        return None if rows.lost else rows

    size = largest(base, options)
    found = attempt(size)
    if found is None and options.shrink:
        size, found = shrink(attempt, size, options)
    overflow = None
    scale = size / base
    if found is None:
        found = _rows(segments, room, top, bottom, scale, options)
        lost = " ".join(text_of(segment, range(first, len(segment.ends))) for segment, first in found.lost)
        overflow = Overflow(size, tuple(lost.split()))
    elif options.valign != "top":
        found = _placed(segments, room, (top, bottom), scale, options, found)
    canvas = Canvas(scale)
    for row in found.rows:
        width = row.right - row.left
        set_row(canvas, row.segment, row.start, row.end, row.left, width, row.baseline, options)
    missing = missing_in(paragraphs, styles)
    if not found.rows or not (canvas.runs or canvas.bars):
        return Composed((), size, 0, Rect(0.0, top, 0.0, 0.0), overflow, missing)
    first = found.rows[0].top
    area = Rect(canvas.left, first, canvas.right - canvas.left, found.bottom - first)
    return Composed(tuple(canvas.runs), size, len(found.rows), area, overflow, missing, tuple(canvas.bars))


def _rows(
    segments: Sequence[Segment], room: Room, top: float, bottom: float, scale: float, options: Options
) -> _Rows:
    """The lines from `top` on, each as full as can be."""
    rows: list[_Row] = []
    y, tried = top, 0
    for index, segment in enumerate(segments):
        if index:
            y += segment.space_before * scale
        size = segment.lead.size if segment.sizes is None else max(segment.sizes)
        high = options.line_height * size * scale
        start, count = 0, len(segment.ends)
        if not count:
            y += high
        while start < count:
            tried += 1
            if y + high > bottom + TOLERANCE or tried > _MOST_ROWS:
                lost = [(segment, start), *((each, 0) for each in segments[index + 1 :])]
                return _Rows(rows, y, lost)
            found = room(y, y + high)
            end = start
            if found is not None:
                nominal = (found[1] - found[0] + TOLERANCE) / scale - segment.indent
                end = bisect_right(segment.ends, segment.starts[start] + nominal, start)
            if found is None or end == start:
                y += high / _STEPS
                continue
            baseline = y + above(segment.leader(start, end), options.line_height) * scale
            rows.append(_Row(segment, start, end, *found, y, baseline))
            start = end
            y += high
    return _Rows(rows, y, [])


def _placed(
    segments: Sequence[Segment],
    room: Room,
    between: tuple[float, float],
    scale: float,
    options: Options,
    highest: _Rows,
) -> _Rows:
    """The lines begun where they lie in the middle or at the foot, as near as can be."""
    top, bottom = between
    best, least = highest, float("inf")
    for step in range(_STARTS):
        begun = top + (bottom - top) * step / _STARTS
        rows = _rows(segments, room, begun, bottom, scale, options)
        if rows.lost:
            break
        over, under = rows.rows[0].top - top if rows.rows else 0.0, bottom - rows.bottom
        off = abs(over - under) if options.valign == "middle" else under
        if off < least:
            best, least = rows, off
    return best
