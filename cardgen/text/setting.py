"""Set paragraphs as positioned runs: in a box, on a line, in a shape, or overflowing."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from cardgen.core.artwork import Bar, Color, IconRun, TextRun, Word
from cardgen.core.geometry import Rect
from cardgen.core.records import dataclass, field, replace
from cardgen.text.measuring import (
    TOLERANCE,
    Breaks,
    above,
    available,
    below,
    extent,
    first_scale,
    fit,
    is_stub,
    largest,
    loosest,
    measure,
    shrink,
)
from cardgen.text.shaping import Font, glyph_name
from cardgen.text.spans import (
    BEFORE,
    SAME,
    Align,
    Anchor,
    Composed,
    IconSpan,
    Item,
    Options,
    Overflow,
    Paragraph,
    Piece,
    Segment,
    Span,
    Stub,
    Style,
    VAlign,
    in_fonts,
    in_one_font,
    in_sight,
)

SPACE = " "

_Parts = list[tuple[Style, float, list[Word] | IconSpan]]


@dataclass(slots=True)
class Line:
    """A line's content in visual order: stretches of words in one style, and icons, each with its nominal
    x. `width` is the nominal width without the letter spacing after the last letter."""

    parts: _Parts
    width: float
    trailing: float
    """The letter spacing, in em of the last style."""

    def spaces(self) -> int:
        """Return the number of spaces that justification may widen."""
        return sum(
            word.text == SPACE for _, _, words in self.parts if isinstance(words, list) for word in words
        )

    def room(self) -> float:
        """Return the nominal width of its spaces."""
        lines = ((style, words) for style, _, words in self.parts if isinstance(words, list))
        return sum(
            word.advance * style.size for style, words in lines for word in words if word.text == SPACE
        )


@dataclass(slots=True)
class Canvas:
    """A collector of runs, the bars along them, and their width."""

    scale: float
    runs: list[TextRun | IconRun] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    left: float = float("inf")
    right: float = float("-inf")

    def text(
        self, style: Style, x: float, y: float, words: Sequence[Word], gaps: tuple[float, ...] = ()
    ) -> None:
        size = round(style.size * self.scale, 9)
        y -= style.baseline_shift * size
        if not style.opacity:
            return
        requested = None if style.base is None else style.base.font.key
        requested = None if requested == style.font.key else requested
        run = TextRun(
            *(style.font.key, size, x, y, tuple(words), style.fill, gaps, style.target),
            instead_of=requested,
            opacity=style.opacity,
            hidden=style.font.is_painted,
        )
        self.runs.append(run)
        self._pictures(run, style.font)
        for index, name in enumerate(style.lines):
            place, thickness = style.lead.font.bars[name]
            ink = style.inks[index] if style.inks else style.fill
            self.bar(ink, x, y - place * size, run.advance, thickness * size)

    def _pictures(self, run: TextRun, font: Font) -> None:
        """Draw the pictures of a hidden run's letters."""
        for word, pen in zip(run.words, run.pens) if run.hidden else ():
            for gid, x, up, _ in word.glyphs:
                if (picture := font.picture(gid)) is not None:
                    box = picture.box
                    left = run.x + (pen + x + box.x) * run.size
                    top = run.y + (box.y - up) * run.size
                    aspect, high = box.width / box.height, box.height * run.size
                    name = glyph_name(font.key, gid)
                    self.runs.append(IconRun(name, left, top, high, run.fill, aspect, letter=True))

    def bar(self, fill: Color, x: float, middle: float, width: float, thickness: float) -> None:
        self.bars.append(Bar(Rect(x, middle - thickness / 2, width, thickness), fill))

    def rule(self, style: Style, x: float, y: float, width: float) -> None:
        """Draw a line across, at half the height of small letters."""
        size = style.size * self.scale
        thickness = style.font.bars["underline"][1] * size
        self.bar(style.fill, x, y - style.font.x_height * size / 2, width, thickness)
        self.cover(x, x + width)

    def icon(self, icon: IconSpan, x: float, y: float) -> None:
        """Draw the icon centered on half the cap height, and its figure inside."""
        if not icon.style.opacity:
            return
        style, size = icon.style, round(icon.height * self.scale, 9)
        top = y - (style.font.cap_height / 2 + style.baseline_shift + 0.5 * icon.size) * (size / icon.size)
        fill = style.fill if icon.fill is None else icon.fill
        run = IconRun(icon.name, x, top, size, fill, icon.aspect)
        self.runs.append(run)
        if (figure := icon.figure) is not None:
            font, high = figure.style.font, round(figure.style.size * self.scale, 9)
            word = font.word(figure.text, figure.style.spacing)
            left = x + (run.width - word.advance * high) / 2
            base = top + (size + font.cap_height * high) / 2
            within = icon.name
            shown = (font.key, high, left, base, (word,), figure.style.fill)
            figures = TextRun(*shown, within=within, hidden=font.is_painted)
            self.runs.append(figures)
            self._pictures(figures, font)

    def cover(self, left: float, right: float) -> None:
        self.left = min(self.left, left)
        self.right = max(self.right, right)

    def line(self, line: Line, x: float, y: float, stretch: float = 0.0) -> None:
        """Set the line at x, y, with each space `stretch` nominal mm wider."""
        scale = self.scale
        last = len(line.parts) - 1
        widened = 0.0
        for index, (style, at, content) in enumerate(line.parts):
            left = x + (at + widened) * scale
            if isinstance(content, IconSpan):
                self.icon(content, left, y)
                continue
            gaps: tuple[float, ...] = ()
            if stretch:
                wider = stretch / style.size
                gaps = tuple(wider if word.text == SPACE else 0.0 for word in content)
                widened += stretch * sum(word.text == SPACE for word in content)
            if index == last and line.trailing:
                before = gaps or (0.0,) * len(content)
                gaps = (*before[:-1], before[-1] - line.trailing)
            self.text(style, left, y, content, gaps)
        if line.parts:
            self.cover(x, x + (line.width + widened) * scale)


def set_block(
    segments: Sequence[Segment],
    breaks: Sequence[Breaks],
    scale: float,
    box: Rect,
    options: Options,
) -> tuple[Canvas, Rect]:
    """Return all lines in `box`, and their area."""
    canvas = Canvas(scale)
    first = segments[0].leader(0, breaks[0][0])
    height, over = extent(segments, breaks, options.line_height)
    baselines = _baselines(segments, breaks, options.line_height, over)
    top = box.y + _offset(options.valign, box.height, height * scale, first, baselines, scale)
    index = 0
    for segment, ends in zip(segments, breaks):
        start = 0
        for end in ends:
            y = top + baselines[index] * scale
            index += 1
            set_row(canvas, segment, start, end, box.x, box.width, y, options)
            start = end
    y = top + (baselines[0] - segments[0].rise) * scale
    bottom = top + (baselines[-1] + segments[-1].depth) * scale
    if not (canvas.runs or canvas.bars):
        return canvas, Rect(box.x, y, 0.0, bottom - y)
    return canvas, Rect(canvas.left, y, canvas.right - canvas.left, bottom - y)


def set_row(
    canvas: Canvas,
    segment: Segment,
    start: int,
    end: int,
    left: float,
    width: float,
    y: float,
    options: Options,
) -> None:
    """Set the chunks from `start` to before `end` as a line on the baseline y, in room of this width from
    `left` on."""
    scale = canvas.scale
    room = width - segment.indent * scale
    if segment.rule:
        canvas.rule(segment.lead, left + segment.indent * scale, y, room)
        return
    line = assemble(segment, start, end)
    long = line.width * scale
    free, stretch = room - long, 0.0
    if options.align == "justify" and (end < len(segment.ends) or free < 0.0) and (spaces := line.spaces()):
        stretch = free / spaces / scale
        least = (options.least_space - 1.0) * line.room()
        if free < 0.0 and stretch * spaces < least - TOLERANCE:  # overflowing text
            stretch = 0.0
        else:
            free = 0.0
    if segment.right_to_left:
        x = left + free - _indent(options.align, free)
    else:
        x = left + segment.indent * scale + _indent(options.align, free)
    if segment.bullet is not None and not start:
        style, word = segment.bullet
        hang = segment.hang * scale
        if segment.right_to_left:
            right = x + (room if stretch else long)
            canvas.text(style, right + hang - word.advance * style.size * scale, y, (word,))
            canvas.cover(right, right + hang)
        else:
            canvas.text(style, x - hang, y, (word,))
            canvas.cover(x - hang, x)
    canvas.line(line, x, y, stretch)


def assemble(segment: Segment, start: int, end: int) -> Line:
    """Return the line of the chunks from `start` to before `end`."""
    parts: _Parts = []
    style: Style | None = None
    words: list[Word] = []
    x = trailing = 0.0
    for style, items in segment.line(start, end) if end > start else ():
        if isinstance(items[0], IconSpan):
            words = []
            parts.append((style, x, items[0]))
            x += items[0].width
            continue
        words = _joined_words(style, items)
        parts.append((style, x, words))
        for word in words:
            x += word.advance * style.size
    if style is not None and words:
        if end - 1 in segment.hyphens:
            words[-1] = style.font.word(words[-1].text + "-", style.spacing)
            x = parts[-1][1]
            for word in words:
                x += word.advance * style.size
        if style.spacing:
            trailing = style.spacing
            x -= trailing * style.size
    if any(style.level for style, _, _ in parts):
        parts = _visual_order(parts)
    return Line(parts, x, trailing)


def _visual_order(parts: _Parts) -> _Parts:
    """Return the parts of a line in visual order, with continuous ones joined."""
    units: list[tuple[Style, Word | IconSpan]] = []
    for style, _, content in parts:
        units += [(style, each) for each in ([content] if isinstance(content, IconSpan) else content)]
    seen: _Parts = []
    x = 0.0
    for style, unit in in_sight(units, [style.level for style, _ in units]):
        if isinstance(unit, IconSpan):
            seen.append((style, x, unit))
            x += unit.width
            continue
        before = seen[-1] if seen else None
        if before is not None and before[0] is style and isinstance(before[2], list):
            before[2].append(unit)
        else:
            seen.append((style, x, [unit]))
        x += unit.advance * style.size
    return seen


def _joined_words(style: Style, items: Sequence[Item]) -> list[Word]:
    """Return the words of a run, with neighboring pieces of one word shaped together."""
    words: list[Word] = []
    index, count = 0, len(items)
    while index < count:
        item = items[index]
        index += 1
        if isinstance(item, Piece):
            until = item.end
            while index < count:
                following = items[index]
                if not isinstance(following, Piece) or following.text != item.text:
                    break
                if following.start != until:  # more of the same word
                    break
                until = following.end
                index += 1
            words.append(style.font.word(item.text[item.start : until], style.spacing))
        elif isinstance(item, Word):
            words.append(item)
    return words


def _baselines(
    segments: Sequence[Segment], breaks: Sequence[Breaks], line_height: float, over: float
) -> list[float]:
    """Return the nominal distance of each line's baseline from the top of the block; `over` and the other
    values are those of `fitting.extent`."""
    baselines: list[float] = []
    y = over
    for segment, ends in zip(segments, breaks):
        y += segment.space_before if baselines else 0.0
        start = 0
        for end in ends:
            lead = segment.leader(start, end)
            y += above(lead, line_height)
            baselines.append(y)
            y += below(lead, line_height)
            start = end
    return baselines


def _offset(
    valign: VAlign, room: float, height: float, first: Style, baselines: Sequence[float], scale: float
) -> float:
    """Return the distance in mm from the top of the box to the top of the block.

    The middle is the optical one: half way between the top of the first line's capitals and the last
    baseline, unless the block would then extend beyond the box.
    """
    free = room - height
    if valign == "top":
        return 0.0
    if valign == "bottom":
        return free
    caps = baselines[0] - first.font.cap_height * first.size
    centre = (caps + baselines[-1]) / 2 * scale
    return min(max(room / 2 - centre, 0.0), max(free, 0.0))


def _indent(align: Align, free: float) -> float:
    if align == "center":
        return free / 2
    return free if align == "end" else 0.0


_DEFAULT = Options()


class _Measured(NamedTuple):
    """Measured paragraphs, their base size, and the characters missing from their fonts."""

    segments: list[Segment]
    base: float
    missing: tuple[tuple[str, str], ...]


def _measured(paragraphs: Sequence[Paragraph], options: Options) -> _Measured:
    styles: dict[Style, Style] = {}
    paragraphs = in_fonts(paragraphs)
    segments = measure(paragraphs, options.words, styles, options.direction)
    return _Measured(segments, options.size or first_size(paragraphs), missing_in(paragraphs, styles))


def _empty(size: float, x: float, y: float) -> Composed:
    """Return an empty result."""
    return Composed((), size, 0, Rect(x, y, 0.0, 0.0))


def compose(paragraphs: Sequence[Paragraph], box: Rect, options: Options = _DEFAULT) -> Composed:
    """Set paragraphs in `box` (mm); only text reported as overflow extends beyond it.

    The first baseline is (line_height + ascent - descent) / 2 sizes below the top of the text: the ascent
    plus half the leading, as in CSS; in tightly set text at least the height of the letters.
    """
    segments, base, missing = _measured(paragraphs, options)
    if not segments:
        return _empty(base, box.x, box.y)
    scale, breaks = fit(segments, box.width, box.height, base, options)
    size = round(base * scale, 9)
    overflow = None
    if breaks is None:
        breaks = [_full_lines(each, available(each, box.width, scale)) for each in segments]
        inside = _first_lines(segments, breaks, box.height / scale, options.line_height)
        if inside != breaks:
            options = replace(options, valign="top")
        if words := _lost_words(segments, inside, box.width, scale):  # not only blank lines
            fitting = len(set_block(segments, inside, scale, box, options)[0].runs) if inside else 0
            overflow = Overflow(size, words, box, fitting)
    canvas, covered = set_block(segments, breaks, scale, box, options)
    lines = sum(map(len, breaks))
    stub = None if overflow else _shortest_stub(segments, breaks, box.width, scale, options.last_line)
    loose = None if overflow else _loosest_line(segments, breaks, box.width, scale, options)
    bars = tuple(canvas.bars)
    return Composed(tuple(canvas.runs), size, lines, covered, overflow, missing, bars, stub, loose)


def _loosest_line(
    segments: Sequence[Segment], breaks: Sequence[Breaks], width: float, scale: float, options: Options
) -> Stub | None:
    """Return the justified line with the widest spaces if they are wider than they should be."""
    if options.align != "justify":
        return None
    found = (
        (loosest(each, available(each, width, scale), ends), each) for each, ends in zip(segments, breaks)
    )
    (share, start, end), segment = max(found, key=lambda pair: pair[0])
    return Stub(text_of(segment, range(start, end)), share) if share > options.spaces[1] + SAME else None


def _shortest_stub(
    segments: Sequence[Segment], breaks: Sequence[Breaks], width: float, scale: float, least: float
) -> Stub | None:
    """Return the shortest of the last lines that are too short."""
    found: list[tuple[float, str]] = []
    for segment, ends in zip(segments, breaks):
        if least and len(ends) > 1:
            start, room = ends[-2], available(segment, width, scale)
            long = segment.ends[-1] - segment.starts[start]
            if is_stub(long, room, least):
                found.append((long / room, text_of(segment, range(start, ends[-1]))))
    return Stub(*min(found)[::-1]) if found else None


def size_of(paragraphs: Sequence[Paragraph], box: Rect, options: Options) -> tuple[float, bool] | None:
    """Return the base size of these paragraphs in `box`, and True if they fit; None for no text."""
    segments, base, _ = _measured(paragraphs, options)
    if not segments:
        return None
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

    With a `width`, the line is shrunk to it if `options.shrink` is set, and chunks at its end that still
    don't fit are its overflow. Of the options only `shrink`, `min_size`, `size`, `most`, `step` and `steps`
    matter, and the `direction`, which doesn't affect the `anchor`.
    """
    segments, base, missing = _measured((Paragraph(spans),), options)
    if not segments:
        return _empty(base, x, y)
    segment = segments[0]
    line = assemble(segment, 0, len(segment.ends))
    size = largest(base, options)
    overflow = None
    before = BEFORE[anchor]
    free, full = math.inf if width is None else width + TOLERANCE, line.width / base
    if width is not None and full * size > free:
        if options.shrink:
            size, _ = shrink(lambda size: full * size <= free or None, size, options)
        if full * size > free:
            end = bisect_right(segment.ends, free * base / size)
            lost = text_of(segment, range(end, len(segment.ends)))
            room = Rect(x - before * width, y - segment.rise, width, segment.rise + segment.depth)
            overflow = Overflow(size, _words(lost), room, len(line.parts))
    scale = size / base
    canvas = Canvas(scale)
    left = x - before * line.width * scale
    canvas.line(line, left, y)
    if overflow is not None:
        overflow = replace(overflow, fitting=len(canvas.runs))
    top = segment.rise * scale
    covered = Rect(left, y - top, line.width * scale, top + segment.depth * scale)
    return Composed(tuple(canvas.runs), size, 1, covered, overflow, missing, tuple(canvas.bars))


def first_size(paragraphs: Sequence[Paragraph]) -> float:
    """Return the size of the first span, mm."""
    return next((each.style.size for each in paragraphs if each.style is not None), 0.0)


def _first_lines(
    segments: Sequence[Segment], breaks: Sequence[Breaks], height: float, line_height: float
) -> list[Breaks]:
    """Return the first lines that fit a nominal height."""

    def first(count: int) -> list[Breaks]:
        parts: list[Breaks] = []
        for ends in breaks:
            if count > 0:
                parts.append(ends[:count])
            count -= len(ends)
        return parts

    def is_too_high(count: int) -> bool:
        return extent(segments, first(count), line_height)[0] > height + TOLERANCE

    lines = sum(map(len, breaks))
    return first(bisect_left(range(1, lines + 1), True, key=is_too_high))


def _lost_words(
    segments: Sequence[Segment], inside: Sequence[Breaks], width: float, scale: float
) -> tuple[str, ...]:
    """Return the words of chunks after the lines `inside` a box, and of those too wide for it."""
    lost: list[str] = []
    for index, segment in enumerate(segments):
        after = inside[index][-1] if index < len(inside) else 0
        room = available(segment, width, scale)
        chunks = enumerate(zip(segment.starts, segment.ends))
        chunks_left = [chunk for chunk, (start, end) in chunks if chunk >= after or end - start > room]
        lost.append(text_of(segment, chunks_left))
    return _words(" ".join(lost))


def text_of(segment: Segment, indexes: Iterable[int]) -> str:
    """Return the text of some chunks."""
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
    """Return the missing characters by font."""
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


Room = Callable[[float, float], tuple[float, float] | None]
"""A function that returns the widest room between two heights, from left to right, or None."""

_ENDLESS = 1e4
"""mm, below or beside any side."""
_STEPS = 8
"""Steps in a line's height by which a line without room is moved down."""
_MOST_ROWS = 1_000
"""Most lines, and places without room for one."""
_STARTS = 24
"""Most start heights tried for a text in the middle or at the foot."""


class _Row(NamedTuple):
    """A line: its chunks, its room, its top and its baseline."""

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
    """Segments without room, from these chunks on."""


def compose_within(paragraphs: Sequence[Paragraph], room: Room, box: Rect, options: Options) -> Composed:
    """Set paragraphs in the places in `box` (mm) where `room` returns any. The rest is overflow, set below
    the box, in its width, or wider for a word that is too wide."""
    top, bottom = box.y, box.bottom
    segments, base, missing = _measured(paragraphs, options)
    if not segments:
        return _empty(base, 0.0, top)

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
        inside = _rows(segments, room, top, bottom, scale, options)
        lost = [text_of(segment, range(first, len(segment.ends))) for segment, first in inside.lost]
        fitting = len(_draw_rows(inside.rows, scale, options).runs)
        overflow = Overflow(size, tuple(" ".join(lost).split()), box, fitting)
        found = _rows_beyond(segments, room, box, scale, options)
    elif options.valign != "top":
        found = _aligned_rows(segments, room, (top, bottom), scale, options, found)
    canvas = _draw_rows(found.rows, scale, options)
    runs, bars = tuple(canvas.runs), tuple(canvas.bars)
    if not (runs or bars):
        return replace(_empty(size, 0.0, top), overflow=overflow, missing=missing)
    first = found.rows[0].top
    area = Rect(canvas.left, first, canvas.right - canvas.left, found.bottom - first)
    return Composed(runs, size, len(found.rows), area, overflow, missing, bars)


def _draw_rows(rows: Sequence[_Row], scale: float, options: Options) -> Canvas:
    canvas = Canvas(scale)
    for row in rows:
        width = row.right - row.left
        set_row(canvas, row.segment, row.start, row.end, row.left, width, row.baseline, options)
    return canvas


def _rows_beyond(
    segments: Sequence[Segment], room: Room, box: Rect, scale: float, options: Options
) -> _Rows:
    """Return all lines, with those that don't fit below the box."""
    for width in (box.width, _ENDLESS):

        def below(top: float, bottom: float, width: float = width) -> tuple[float, float] | None:
            return room(top, bottom) if bottom <= box.bottom + TOLERANCE else (box.x, box.x + width)

        rows = _rows(segments, below, box.y, box.bottom + _ENDLESS, scale, options)
        if not rows.lost:
            break
    return rows


def _rows(
    segments: Sequence[Segment], room: Room, top: float, bottom: float, scale: float, options: Options
) -> _Rows:
    """Return the lines from `top` on, each as full as possible."""
    rows: list[_Row] = []
    y, tried = top, 0
    for index, segment in enumerate(segments):
        if index:
            y += segment.space_before * scale
        size = segment.lead.size if segment.sizes is None else max(segment.sizes)
        high = options.line_height * size * scale
        start, count = 0, len(segment.ends)
        starts, ends = segment.tight(options.least_space)
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
                end = bisect_right(ends, starts[start] + nominal, start)
            if found is None or end == start:
                y += high / _STEPS
                continue
            baseline = y + above(segment.leader(start, end), options.line_height) * scale
            rows.append(_Row(segment, start, end, *found, y, baseline))
            start = end
            y += high
    return _Rows(rows, y, [])


def _aligned_rows(
    segments: Sequence[Segment],
    room: Room,
    between: tuple[float, float],
    scale: float,
    options: Options,
    highest: _Rows,
) -> _Rows:
    """Return the lines with the start that puts them nearest to the middle or the foot."""
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


def _full_lines(segment: Segment, width: float) -> Breaks:
    """Return each line as full as possible, with at least one chunk."""
    breaks: Breaks = []
    start, count = 0, len(segment.starts)
    while start < count:
        end = bisect_right(segment.ends, segment.starts[start] + width, start)
        start = max(start + 1, end)
        breaks.append(start)
    return breaks or [0]
