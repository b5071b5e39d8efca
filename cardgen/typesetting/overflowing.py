"""Text that does not fit, set all the same: to be looked at, never to be printed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cardgen.geometry import Rect
from cardgen.typesetting.composing import first_size, lines_within, missing_in
from cardgen.typesetting.fallback import in_fonts
from cardgen.typesetting.fitting import EMPTY, TOLERANCE, Breaks, available
from cardgen.typesetting.measuring import measure
from cardgen.typesetting.segments import Segment
from cardgen.typesetting.setting import set_block
from cardgen.typesetting.shaped import Room, compose_within
from cardgen.typesetting.spans import Composed, Options, Paragraph, Style

_ENDLESS = 1e4
"""mm, below or beside any side."""


class Whole(NamedTuple):
    """All of a text; the runs from number `within` on stand in lines below its box."""

    composed: Composed
    within: int


def compose_whole(paragraphs: Sequence[Paragraph], box: Rect, options: Options, size: float) -> Whole:
    """Set all of the paragraphs with a base size of `size` mm: lines below `box` if it is too low, and
    words that are too wide for it on lines of their own, which leave it."""
    styles: dict[Style, Style] = {}
    paragraphs = in_fonts(paragraphs)
    segments = measure(paragraphs, options.words, styles, options.direction)
    if not segments:
        return Whole(Composed((), size, 0, Rect(box.x, box.y, 0.0, 0.0)), 0)
    scale = size / (options.size or first_size(paragraphs))
    breaks = [_full_lines(each, available(each, box.width, scale)) for each in segments]
    fitting: list[Breaks] = []
    reach = EMPTY
    for segment, ends in zip(segments, breaks):
        high = box.height + TOLERANCE
        lines = lines_within(high, reach, segment, ends, scale, options.line_height)
        if lines:
            fitting.append(ends[:lines])
            reach = reach.with_lines(segment, fitting[-1], options.line_height)
        if lines < len(ends):
            options = replace(options, valign="top")
            break
    canvas, covered = set_block(segments, breaks, scale, box, options)
    within = 0
    if fitting:
        within = len(set_block(segments[: len(fitting)], fitting, scale, box, options)[0].runs)
    missing = missing_in(paragraphs, styles)
    lines = sum(map(len, breaks))
    composed = Composed(tuple(canvas.runs), size, lines, covered, None, missing, tuple(canvas.bars))
    return Whole(composed, within)


def compose_beyond(
    paragraphs: Sequence[Paragraph], room: Room, box: Rect, options: Options, fitted: Composed
) -> Whole:
    """The same for paragraphs in a shape, of which `fitted` is what fits: the lines that don't stand below
    it, as wide as its `box`, or wider where that is too narrow for a word."""
    options = replace(options, shrink=False, steps=(), most=fitted.size, valign="top")
    for width in (box.width, _ENDLESS):

        def below(top: float, bottom: float, width: float = width) -> tuple[float, float] | None:
            return room(top, bottom) if bottom <= box.bottom + TOLERANCE else (box.x, box.x + width)

        composed = compose_within(paragraphs, below, box.y, box.bottom + _ENDLESS, options)
        if composed.overflow is None:
            break
    return Whole(composed, len(fitted.runs))


def _full_lines(segment: Segment, width: float) -> Breaks:
    """Each line as full as can be, with one chunk at least."""
    breaks: Breaks = []
    start, count = 0, len(segment.starts)
    while start < count:
        end = bisect_right(segment.ends, segment.starts[start] + width, start)
        start = max(start + 1, end)
        breaks.append(start)
    return breaks or [0]
