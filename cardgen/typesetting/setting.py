"""Broken lines to runs with positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from cardgen.geometry import Rect
from cardgen.model.artwork import Bar, Color, IconRun, TextRun, Word
from cardgen.typesetting.directions import in_sight
from cardgen.typesetting.fitting import Breaks, above, below, extent
from cardgen.typesetting.segments import Item, Segment
from cardgen.typesetting.shaping import Font, glyph_name
from cardgen.typesetting.spans import Align, IconSpan, Options, Style, VAlign
from cardgen.typesetting.word_parts import Piece

SPACE = " "

_Parts = list[tuple[Style, float, list[Word] | IconSpan]]


@dataclass(slots=True)
class Line:
    """A line's content in the order that it is seen in: stretches of words in one style, and icons, each
    with its nominal x. `width` is the nominal width without the letter spacing after the last letter."""

    parts: _Parts
    width: float
    trailing: float
    """That letter spacing, in em of the last style."""

    def spaces(self) -> int:
        """How many spaces justification may widen."""
        return sum(
            word.text == SPACE for _, _, words in self.parts if isinstance(words, list) for word in words
        )


@dataclass(slots=True)
class Canvas:
    """Collects runs, the bars along them, and the width they cover."""

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
        lacking = None if style.base is None else style.base.font.key
        lacking = None if lacking == style.font.key else lacking
        run = TextRun(
            *(style.font.key, size, x, y, tuple(words), style.fill, gaps, style.target),
            instead_of=lacking,
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
        """The pictures of a hidden run's letters."""
        pen = run.x
        for index, word in enumerate(run.words if run.hidden else ()):
            for gid, x, up, _ in word.glyphs:
                if (picture := font.picture(gid)) is not None:
                    box = picture.box
                    left = pen + (x + box.x) * run.size
                    top = run.y + (box.y - up) * run.size
                    aspect, high = box.width / box.height, box.height * run.size
                    name = glyph_name(font.key, gid)
                    self.runs.append(IconRun(name, left, top, high, run.fill, aspect, letter=True))
            pen += (word.advance + (run.gaps[index] if index < len(run.gaps) else 0.0)) * run.size

    def bar(self, fill: Color, x: float, middle: float, width: float, thickness: float) -> None:
        self.bars.append(Bar(Rect(x, middle - thickness / 2, width, thickness), fill))

    def rule(self, style: Style, x: float, y: float, width: float) -> None:
        """A line across, half as high above the baseline as small letters."""
        size = style.size * self.scale
        thickness = style.font.bars["underline"][1] * size
        self.bar(style.fill, x, y - style.font.x_height * size / 2, width, thickness)
        self.cover(x, x + width)

    def icon(self, icon: IconSpan, x: float, y: float) -> None:
        """The icon is centred on half the cap height, and its figure within it."""
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
        """Put the line at x, y, each space wider by `stretch` nominal mm."""
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
    segments: Sequence[Segment], breaks: Sequence[Breaks], scale: float, box: Rect, options: Options
) -> tuple[Canvas, Rect]:
    """All lines in `box`, and the area they cover."""
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
    """The line of the chunks from `start` to before `end` on the baseline y, in room so wide from `left`
    on."""
    scale = canvas.scale
    room = width - segment.indent * scale
    if segment.rule:
        canvas.rule(segment.lead, left + segment.indent * scale, y, room)
        return
    line = assemble(segment, start, end)
    long = line.width * scale
    free, stretch = room - long, 0.0
    if options.align == "justify" and end < len(segment.ends) and (spaces := line.spaces()):
        stretch = max(0.0, free) / spaces / scale
        free = min(0.0, free)
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
    """The line of the chunks from `start` to before `end`."""
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
        words = _joined(style, items) if segment.broken else cast("list[Word]", items)
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
        parts = _in_sight(parts)
    return Line(parts, x, trailing)


def _in_sight(parts: _Parts) -> _Parts:
    """The parts of a line in the order in which they are seen, those that run together joined."""
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


def _joined(style: Style, items: Sequence[Item]) -> list[Word]:
    """The words of a run, neighbouring pieces of one shaped together."""
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
                if following.start != until:  # the same word again
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
    """Nominal distance of each line's baseline from the top of the block; `over` and the rest of the
    reckoning are those of `fitting.extent`."""
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
    """Distance in mm from the top of the box to the top of the block.

    In the middle means to the eye: half way between the top of the first line's capitals and the last
    baseline, unless the block would leave the box that way.
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
