"""The two ways to set text: paragraphs in a box, and one line at a point."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cardgen.geometry import Rect
from cardgen.model.artwork import Word
from cardgen.typesetting.breaking import PLAIN
from cardgen.typesetting.fallback import in_fonts, in_one_font
from cardgen.typesetting.fitting import (
    EMPTY,
    TOLERANCE,
    Breaks,
    Reach,
    available,
    first_fit,
    first_scale,
    fit,
    is_stub,
    largest,
    shrink,
)
from cardgen.typesetting.measuring import measure
from cardgen.typesetting.segments import Segment, Strip
from cardgen.typesetting.setting import Canvas, assemble, set_block
from cardgen.typesetting.spans import (
    Anchor,
    Composed,
    IconSpan,
    Options,
    Overflow,
    Paragraph,
    Span,
    Stub,
    Style,
)
from cardgen.typesetting.word_parts import Piece

_DEFAULT = Options()


def compose(paragraphs: Sequence[Paragraph], box: Rect, options: Options = _DEFAULT) -> Composed:
    """Set paragraphs in `box` (mm), which they never leave.

    The first baseline lies (line_height + ascent - descent) / 2 sizes below the top of the text: the
    ascent plus half the leading, as in CSS; in tightly set text at least the height of the letters.
    Text that does not fit is left out and reported as overflow.
    """
    styles: dict[Style, Style] = {}
    paragraphs = in_fonts(paragraphs)
    segments = measure(paragraphs, options.words, styles, options.direction)
    base = options.size or first_size(paragraphs)
    if not segments:
        return Composed((), base, 0, Rect(box.x, box.y, 0.0, 0.0))
    scale, breaks = fit(segments, box.width, box.height, base, options)
    size = round(base * scale, 9)
    overflow = None
    if breaks is None:
        segments, breaks, words = _crop(segments, box, scale, options.line_height)
        if words:  # and not only blank lines
            overflow = Overflow(size, words)
    missing = missing_in(paragraphs, styles)
    if not breaks:
        return Composed((), size, 0, Rect(box.x, box.y, 0.0, 0.0), overflow, missing)
    canvas, covered = set_block(segments, breaks, scale, box, options)
    lines = sum(map(len, breaks))
    stub = None if overflow else _stub(segments, breaks, box.width, scale, options.last_line)
    return Composed(tuple(canvas.runs), size, lines, covered, overflow, missing, tuple(canvas.bars), stub)


def _stub(
    segments: Sequence[Segment], breaks: Sequence[Breaks], width: float, scale: float, least: float
) -> Stub | None:
    """The shortest of the last lines that are too short."""
    found: list[tuple[float, str]] = []
    for segment, ends in zip(segments, breaks):
        if least and len(ends) > 1:
            start, room = ends[-2], available(segment, width, scale)
            long = segment.ends[-1] - segment.starts[start]
            if is_stub(long, room, least):
                found.append((long / room, text_of(segment, range(start, ends[-1]))))
    return Stub(*min(found)[::-1]) if found else None


def size_of(paragraphs: Sequence[Paragraph], box: Rect, options: Options) -> tuple[float, bool] | None:
    """The base size that these paragraphs have in `box`, and whether they fit; None for no text."""
    paragraphs = in_fonts(paragraphs)
    segments = measure(paragraphs, options.words, {}, options.direction)
    if not segments:
        return None
    base = options.size or first_size(paragraphs)
    scale, breaks = first_scale(segments, box.width, box.height, base, options)
    return round(base * scale, 9), breaks is not None


def set_line(
    spans: Sequence[Span | IconSpan],
    x: float,
    y: float,
    anchor: Anchor = "start",
    width: float | None = None,
    options: Options = _DEFAULT,
) -> Composed:
    """Set one line with its `anchor` at `x` on the baseline `y`.

    With a `width`, the line is shrunk to it if `options.shrink` says so, and chunks at its end that
    still do not fit are left out as overflow. Of the options only `shrink`, `min_size`, `size`, `most`,
    `step` and `steps` matter, and the `direction`, which does not change what `anchor` means.
    """
    (paragraph,) = in_fonts((Paragraph(spans),))
    styles: dict[Style, Style] = {}
    segments = measure((paragraph,), PLAIN, styles, options.direction)
    base = options.size or first_size((paragraph,))
    if not segments:
        return Composed((), base, 0, Rect(x, y, 0.0, 0.0))
    segment = segments[0]
    end = len(segment.ends)
    line = assemble(segment, 0, end)
    top = largest(base, options)
    size, overflow = top, None
    if width is not None and line.width * (top / base) > width + TOLERANCE:
        room, full = width + TOLERANCE, line.width
        if options.shrink:
            size, _ = shrink(lambda size: full * size / base <= room or None, top, options)
        if full * size / base > room:
            end = bisect_right(segment.ends, room * base / size)
            line = assemble(segment, 0, end)
            lost = text_of(segment, range(end, len(segment.ends)))
            overflow = Overflow(size, _words(lost))
    missing = missing_in((paragraph,), styles)
    if not end:
        return Composed((), size, 0, Rect(x, y, 0.0, 0.0), overflow, missing)
    scale = size / base
    canvas = Canvas(scale)
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * line.width * scale
    canvas.line(line, x - before, y)
    top = segment.rise * scale
    covered = Rect(x - before, y - top, line.width * scale, top + segment.depth * scale)
    return Composed(tuple(canvas.runs), size, 1, covered, overflow, missing, tuple(canvas.bars))


def first_size(paragraphs: Sequence[Paragraph]) -> float:
    """The size of the first span, mm."""
    return next((each.style.size for each in paragraphs if each.style is not None), 0.0)


def _crop(
    segments: Sequence[Segment], box: Rect, scale: float, line_height: float
) -> tuple[list[Segment], list[Breaks], tuple[str, ...]]:
    """What of the text fits the box at `scale`, and the words that do not: chunks too wide for it by
    themselves, and all lines after the last one that fits its height."""
    kept: list[Segment] = []
    breaks: list[Breaks] = []
    lost: list[str] = []
    full = False
    reach = EMPTY
    for segment in segments:
        room = available(segment, box.width, scale)
        narrow = [
            index
            for index, (start, end) in enumerate(zip(segment.starts, segment.ends))
            if end - start <= room
        ]
        part = _only(segment, narrow)
        set_chunks = 0
        if not full and (narrow or not segment.ends):
            ends = first_fit(part, room) or []
            lines = lines_within(box.height + TOLERANCE, reach, part, ends, scale, line_height)
            full = lines < len(ends)
            if lines:
                kept.append(part)
                breaks.append(ends[:lines])
                reach = reach.with_lines(part, breaks[-1], line_height)
                set_chunks = ends[lines - 1]
        shown = set(narrow[:set_chunks])
        lost.append(text_of(segment, [i for i in range(len(segment.ends)) if i not in shown]))
    return kept, breaks, _words(" ".join(lost))


def lines_within(
    height: float, reach: Reach, segment: Segment, ends: Breaks, scale: float, line_height: float
) -> int:
    """How many lines of the segment still fit the height, after what reaches so far."""

    def too_high(count: int) -> bool:
        return reach.with_lines(segment, ends[:count], line_height).height * scale > height

    return bisect_left(range(1, len(ends) + 1), True, key=too_high)


def _only(segment: Segment, indexes: Sequence[int]) -> Segment:
    """The segment with no other chunks than these, closed up."""
    if len(indexes) == len(segment.ends):
        return segment
    starts: list[float] = []
    ends: list[float] = []
    strip = Strip()
    bounds: tuple[list[int], list[int]] = ([], [])
    x = 0.0
    for index in indexes:
        start, end = segment.starts[index], segment.ends[index]
        following = segment.starts[index + 1] if index + 1 < len(segment.starts) else end
        starts.append(x)
        ends.append(max(x + end - start, ends[-1] if ends else 0.0))
        x += max(following - start, 0.0)
        first, after = (bound[index] for bound in segment.bounds)
        bounds[0].append(len(strip.items))
        bounds[1].append(len(strip.items) + after - first)
        until = segment.bounds[0][index + 1] if segment.spaced(index) else after
        for style, items in segment.strip.runs(first, until):
            for item in items:
                strip.put(style, item)
    return replace(
        segment,
        starts=starts,
        ends=ends,
        strip=strip,
        bounds=bounds,
        hyphens={place for place, index in enumerate(indexes) if index in segment.hyphens},
        sizes=None if segment.sizes is None else [segment.sizes[index] for index in indexes],
    )


def text_of(segment: Segment, indexes: Iterable[int]) -> str:
    """The text of some chunks."""
    text = ""
    for index in indexes:
        for _, items in segment.line(index, index + 1):
            for item in items:
                if isinstance(item, Word):
                    text += item.text
                elif isinstance(item, Piece):
                    text += item.text[item.start : item.end]
                else:
                    text += item.text
        if segment.spaced(index):
            text += " "
    return text


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split(" ") if word)


def missing_in(paragraphs: Sequence[Paragraph], styles: dict[Style, Style]) -> tuple[tuple[str, str], ...]:
    """Missing characters by font."""
    if not any(style.font.flawed for style in styles):
        return ()
    missing: dict[str, dict[str, None]] = {}
    for paragraph in paragraphs:
        spans = [span.figure if isinstance(span, IconSpan) else span for span in paragraph.spans]
        texts = [(span.text, span.style) for span in spans if isinstance(span, Span)]
        if paragraph.bullet is not None and paragraph.style is not None:
            texts.append((paragraph.bullet, in_one_font(paragraph.bullet, paragraph.style)))
        for text, style in texts:
            missing.setdefault(style.font.key, {}).update(dict.fromkeys(style.font.missing(text)))
    return tuple((key, "".join(chars)) for key, chars in sorted(missing.items()) if chars)
