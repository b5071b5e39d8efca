"""Measure paragraphs, break their lines and find the type size that fits."""

from __future__ import annotations

import math
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from cardgen.core.records import replace
from cardgen.text.line_ends import ICON, Cut, WordPlan, WordRules, glued, plan_word, without_unseen
from cardgen.text.spans import (
    Direction,
    HardBreak,
    IconSpan,
    Item,
    Options,
    Paragraph,
    Segment,
    Span,
    Style,
    directed,
    in_one_font,
    pieces_of,
    runs_right_to_left,
)

_BULLET_DISTANCE = 0.35
"""Minimum distance in em from a bullet to its text."""
_IN_LINE = 1.4
"""The largest icon, as a ratio to the type size, that doesn't change its line's height."""
_MOST_SHARED_CUTS = 8
"""Words with more cuts (Chinese sentences, long addresses) are shaped cut by cut: measuring each piece with
all its neighbors takes quadratic time, and such text has no kerning."""

_COLLAPSIBLE = " \t\n\r\f\v\x85\u2028\u2029"
_TO_COLLAPSE = str.maketrans(dict.fromkeys(_COLLAPSIBLE, " "))


def measure(
    paragraphs: Sequence[Paragraph],
    rules: WordRules,
    styles: dict[Style, Style],
    direction: Direction = "ltr",
) -> list[Segment]:
    """Return all segments of the paragraphs. `styles` collects the styles used, equal ones once."""
    segments: list[Segment] = []
    for paragraph in paragraphs:
        right_to_left = runs_right_to_left(paragraph.spans, direction)
        parts = _segments(directed(paragraph.spans, right_to_left), rules, styles)
        style = paragraph.style
        if parts and style is not None:
            _arrange(paragraph, parts, style, right_to_left)
            if segments:
                parts[0].space_before = paragraph.space_before * style.size
            segments += parts
    return segments


def _arrange(paragraph: Paragraph, parts: list[Segment], style: Style, right_to_left: bool) -> None:
    """Apply the paragraph's direction, indent and bullet to its segments."""
    indent = paragraph.indent * style.size
    if paragraph.bullet is not None:
        lead, style = style, in_one_font(paragraph.bullet, style)
        word = style.font.word(paragraph.bullet, style.spacing)
        first = next(part for part in parts if part.ends)
        first.bullet = (style, word)
        first.rise = max(first.rise, (lead.font.rise + style.baseline_shift) * style.size)
        first.depth = max(first.depth, (lead.font.depth - style.baseline_shift) * style.size)
        asked = indent if paragraph.hang is None else paragraph.hang * style.size
        first.hang = max(asked, (word.advance + _BULLET_DISTANCE) * style.size)
        indent += first.hang - asked
    for part in parts:
        part.indent = indent
        part.rule = paragraph.rule
        part.right_to_left = right_to_left


def _segments(
    spans: Sequence[Span | IconSpan | HardBreak], rules: WordRules, styles: dict[Style, Style]
) -> list[Segment]:
    """Return a paragraph's segments; none if it has neither text nor icons."""
    builders: list[_Builder] = []
    builder = _Builder(rules)
    word: list[tuple[Style, str | IconSpan]] = []
    style: Style | None = None
    known: dict[int, Style] = {}  # equal ones are the same object
    for span in spans:
        if isinstance(span, HardBreak):
            builder.close(word)
            builders.append(builder)
            builder, word = _Builder(rules), []
            continue
        style = known.get(id(span.style))
        if style is None:
            style = known[id(span.style)] = styles.setdefault(span.style, span.style)
        if isinstance(span, IconSpan):
            lead = style if span.size <= _IN_LINE else _as_larger_type(style, span)
            builder.icon_leads.setdefault(lead.size, lead)
            builder.reach(style, 0.5 * span.size, 0.5 * span.size, style.font.cap_height / 2)
            if span.figure is not None:
                styles[span.figure.style] = span.figure.style
            word.append((lead, span))
            continue
        text = span.text.translate(_TO_COLLAPSE) if not span.text.isprintable() else span.text
        first, *whole = text.split(" ")
        if first:
            word.append((style, first))
        if whole:
            last = whole.pop()
            if word:
                builder.add(word)
                builder.space(style)
            for inner in filter(None, whole):
                builder.add([(style, inner)])
                builder.space(style)
            word = [(style, last)] if last else []
        if text.strip(" "):
            lead = style.lead
            builder.text_leads.setdefault(lead.size, lead)
            builder.reach(lead, lead.font.rise, lead.font.depth)
    builder.close(word)
    builders.append(builder)
    if style is None or not any(each.ends for each in builders):
        return []
    if not builder.ends:  # a hard break at the very end adds no line
        builders.pop()
    segments: list[Segment] = []
    for each in builders:
        segments.append(each.segment(segments[-1].lead if segments else style.lead))
    return segments


class _Builder:
    """A builder of one segment from words."""

    def __init__(self, rules: WordRules) -> None:
        self.rules = rules
        self.starts: list[float] = []
        self.ends: list[float] = []
        self.firsts: list[int] = []
        self.afters: list[int] = []
        self.items: list[tuple[Style, Item]] = []
        self.hyphens: set[int] = set()
        self.text_leads: dict[float, Style] = {}
        """The first style of each type size."""
        self.icon_leads: dict[float, Style] = {}
        """The styles for lines with high icons, by size."""
        self.rise = self.depth = 0.0
        self.previous = ""
        """The last word, and True if its end may stay with the next one."""
        self.tail = False
        self.x = 0.0

    @property
    def spaced(self) -> bool:
        """Return True if there is a space after the last chunk."""
        return len(self.items) > self.afters[-1]

    def reach(self, style: Style, rise: float, depth: float, centre: float = 0.0) -> None:
        """Reserve room above and below the baseline: em, from `centre`."""
        middle = centre + style.baseline_shift
        self.rise = max(self.rise, (rise + middle) * style.size)
        self.depth = max(self.depth, (depth - middle) * style.size)

    def space(self, style: Style) -> None:
        """Add a space after the last chunk, unless there is one."""
        if self.afters and not self.spaced:
            space = style.font.word(" ", style.spacing + style.word_spacing)
            self.items.append((style, space))
            self.x += space.advance * style.size

    def add(self, parts: list[tuple[Style, str | IconSpan]]) -> None:
        """Add a word, in one or more styles, with icons in it."""
        style, text = parts[0]
        is_text = len(parts) == 1 and isinstance(text, str)
        if not is_text:
            text = "".join(part if isinstance(part, str) else ICON for _, part in parts)
        plan = plan_word(str(text), self.rules)
        if not plan.text:
            return
        held = (plan.head or self.tail) and bool(self.afters)
        held = held and glued(self.previous, plan.text, self.rules)
        self.previous, self.tail = plan.text, plan.tail
        if is_text and not plan.cuts:
            self._add_text(style, plan.text, (), not held)
        else:
            self._add_parts(parts, plan, not held)

    def close(self, parts: list[tuple[Style, str | IconSpan]]) -> None:
        """Close the segment's last word, without a space after it."""
        if parts:
            self.add(parts)

    def _append(self, style: Style, item: Item, start: float, end: float, new: bool) -> None:
        """Add an item, as a chunk of its own if it is `new`, else at the end of the last one."""
        if new:
            self.starts.append(start)
            self.ends.append(end)
            self.firsts.append(len(self.items))
            self.afters.append(len(self.items) + 1)
        else:
            self.ends[-1] = end
            self.afters[-1] = len(self.items) + 1
        self.items.append((style, item))

    def _add_parts(self, parts: list[tuple[Style, str | IconSpan]], plan: WordPlan, new: bool) -> None:
        cuts = dict(plan.cuts)
        offset = 0
        before = max(len(self.ends) - 1, 0)
        for style, part in _split_long(parts, plan):
            if offset:
                new = offset in cuts
            if isinstance(part, IconSpan):
                self._append(style, part, self.x, self.x + part.width, new)
                self.x += part.width
                offset += 1
                continue
            length = len(part)
            inner = tuple((cut - offset, soft) for cut, soft in plan.cuts if 0 < cut - offset < length)
            self._add_text(style, part, inner, new)
            offset += length
            if cuts.get(offset):
                self._end_in_hyphen(style, part)
        # Bisection needs ascending ends, and a hyphen may be wider than the text after it.
        for index in range(before + 1, len(self.ends)):
            self.ends[index] = max(self.ends[index], self.ends[index - 1])

    def _add_text(self, style: Style, text: str, cuts: tuple[Cut, ...], new: bool) -> None:
        x, size = self.x, style.size
        trailing = style.spacing * size
        word = style.font.word(text, style.spacing)
        self.x = x + word.advance * size
        if not cuts:
            self._append(style, word, x, self.x - trailing, new)
            return
        pieces = pieces_of(style.font, text, style.spacing, cuts)
        for piece, start, end, hyphen in pieces:
            self._append(style, piece, x + start * size, x + end * size - trailing, new)
            if hyphen:
                self.hyphens.add(len(self.ends) - 1)
            new = True

    def _end_in_hyphen(self, style: Style, text: str) -> None:
        """Show a hyphen after the last chunk, which ends with `text`, if a line ends there."""
        font = style.font
        hyphen = font.word(text + "-", style.spacing).advance - font.word(text, style.spacing).advance
        self.ends[-1] += hyphen * style.size
        self.hyphens.add(len(self.ends) - 1)

    def segment(self, fallback: Style) -> Segment:
        """Return the collected segment; a blank line has the height of the `fallback` style."""
        leads = {**self.icon_leads, **self.text_leads} or {fallback.size: fallback}
        lead = next(iter((*self.text_leads.values(), *self.icon_leads.values(), fallback)))
        sizes = None
        if len(leads) > 1 and self.ends:
            sizes = [
                max(style.size for style, _ in self.items[first:after])
                for first, after in zip(self.firsts, self.afters)
            ]
        return Segment(
            self.starts,
            self.ends,
            self.items,
            (self.firsts, self.afters),
            self.hyphens,
            sizes,
            leads,
            lead,
            self.rise,
            self.depth,
        )


def _as_larger_type(style: Style, icon: IconSpan) -> Style:
    """Return the style of an icon that is too high for a line of its text: that of larger type."""
    times = icon.size / _IN_LINE
    return replace(style, size=style.size * times, baseline_shift=style.baseline_shift / times)


def _split_long(
    parts: list[tuple[Style, str | IconSpan]], plan: WordPlan
) -> list[tuple[Style, str | IconSpan]]:
    """Return the parts without unseen characters, and those with very many cuts split at them."""
    result: list[tuple[Style, str | IconSpan]] = []
    offset = 0
    for style, part in parts:
        if isinstance(part, IconSpan):
            result.append((style, part))
            offset += 1
            continue
        text = without_unseen(part)
        cuts = [cut - offset for cut, _ in plan.cuts if 0 < cut - offset < len(text)]
        offset += len(text)
        if len(cuts) > _MOST_SHARED_CUTS:
            bounds = [0, *cuts, len(text)]
            result += [(style, text[start:end]) for start, end in pairwise(bounds)]
        elif text:
            result.append((style, text))
    return result


Breaks = list[int]
T = TypeVar("T")

TOLERANCE = 1e-7
"""mm, for rounding errors, far below any printer's resolution."""

# Costs of a line are shares of the width squared: an empty line would cost 1, a half empty one 0.25.
_SHORT_LAST_LINE = 1 / 3
"""A last line of one word narrower than this share of the width is avoided …"""
_SHORT_LAST_LINE_COST = 0.25
"""… unless that makes a line half empty."""
_STUB = 1 / 5
"""In justified text, where all other lines are full, any last line narrower than this is avoided too."""
_NO_SPACE = 0.5
"""A justified line without a space, which can't be stretched, costs as much as one with so many spaces."""
_SPACE = 0.25
"""The width of a space in em, for text without any."""
# Costs of a justified line are TeX's demerits: (1 + badness)², and the square of each penalty. A short last
# line costs as much as one whose spaces stretch to 1.7 times their limit.
_HYPHEN_DEMERITS, _TWO_HYPHENS_DEMERITS, _LAST_LINE_DEMERITS = 50.0**2, 10_000.0, 500.0**2
_TIE = 1e-9
"""Of nearly equal breaks, those with longer earlier lines win, in spite of rounding."""
_MOST_TRIED = 1_000_000
"""Most pairs of line ends compared to even out a paragraph: thousands of words in a few lines are set full
line by full line."""
_HYPHENS_IN_A_ROW = 2
"""Most consecutive lines with a hyphen at the end, unless a line can't end otherwise."""
_HYPHEN_COST = 0.15
"""A hyphen must save two fifths of a line."""


def fit(
    segments: Sequence[Segment], width: float, height: float, base: float, options: Options
) -> tuple[float, list[Breaks] | None]:
    """Return the largest scale at which the text fits into `width` and `height` mm, and its best breaks
    there; if it doesn't fit, the minimum scale, and None."""

    def fits_height(breaks: list[Breaks], scale: float) -> bool:
        return extent(segments, breaks, options.line_height)[0] * scale <= height + TOLERANCE

    scale, breaks = first_scale(segments, width, height, base, options)
    if breaks is None:
        return scale, None
    if any(segment.hyphens for segment in segments):
        # Hyphens make room if the text doesn't fit without them; otherwise they only even out lines.
        plain = [
            first_fit(each, available(each, width, scale), hyphens=False, least=options.least_space)
            for each in segments
        ]
        better = [first if lines is None else lines for lines, first in zip(plain, breaks)]
        if fits_height(better, scale):
            breaks = better
    evened = [
        _evened(segment, available(segment, width, scale), lines, options)
        for segment, lines in zip(segments, breaks)
    ]
    # In a text of several sizes, other breaks can change the heights of lines.
    for even in zip(*evened):
        if fits_height(list(even), scale):
            return scale, list(even)
    return scale, breaks


def _evened(segment: Segment, width: float, breaks: Breaks, options: Options) -> tuple[Breaks, Breaks]:
    """Return the best breaks of as many lines, after those that may have one more: spaces may look better
    if they are not all shrunk."""
    if options.align != "justify":
        even = even_breaks(segment, width, breaks, least=options.last_line)
        return even, even
    best = [
        _best_breaks(segment, width, breaks, options.spaces, 0.0, len(breaks) + more) for more in (0, 1)
    ]
    looks = [
        _best_breaks(segment, width, even, options.spaces, options.last_line)[1]
        for _, even in (min(best), best[0])
    ]
    return looks[0], looks[1]


def largest(base: float, options: Options) -> float:
    """Return the base size that a text has if it fits."""
    return base if options.most is None else min(base, options.most)


def first_scale(
    segments: Sequence[Segment], width: float, height: float, base: float, options: Options
) -> tuple[float, list[Breaks] | None]:
    """Return the scale found by `fit`, and the first breaks that fit at it.

    The base sizes tried are `base` (or `options.most`), the multiples of `options.step` below it and
    `options.min_size`, or else `options.steps`.
    """

    def attempt(scale: float) -> list[Breaks] | None:
        breaks: list[Breaks] = []
        for segment in segments:
            lines = first_fit(segment, available(segment, width, scale), least=options.least_space)
            if lines is None:
                return None
            breaks.append(lines)
        high = extent(segments, breaks, options.line_height)[0] * scale
        return breaks if high <= height + TOLERANCE else None

    top = largest(base, options)
    breaks = attempt(top / base)
    if breaks is not None or not options.shrink:
        return top / base, breaks
    size, breaks = shrink(lambda size: attempt(size / base), top, options)
    return size / base, breaks


def shrink(attempt: Callable[[float], T | None], base: float, options: Options) -> tuple[float, T | None]:
    """Return the largest base size below `base` for which `attempt` has a result, and the result; if none
    has, the minimum size, and None."""
    if options.steps:
        return _largest_of(attempt, options.steps)
    step = options.step
    least = min(base, options.min_size if options.min_size is not None else step)
    found = attempt(least)
    if found is None:
        return least, None
    size = least
    low = math.floor(least / step + 1e-9)
    high = math.ceil(base / step - 1e-9)
    while high - low > 1:
        middle = (low + high) // 2
        tried = round(middle * step, 9)
        result = attempt(tried)
        if result is None:
            high = middle
        else:
            low, size, found = middle, tried, result
    return size, found


def _largest_of(attempt: Callable[[float], T | None], steps: Sequence[float]) -> tuple[float, T | None]:
    """Return the same for the sizes of a list, the largest first."""
    found = attempt(steps[-1])
    low, high = 0, len(steps) - 1
    while found is not None and low < high:
        middle = (low + high) // 2
        result = attempt(steps[middle])
        if result is None:
            low = middle + 1
        else:
            high, found = middle, result
    return steps[high], found


def available(segment: Segment, width: float, scale: float) -> float:
    """Return the maximum nominal width of a line of the segment at `scale`."""
    return (width + TOLERANCE) / scale - segment.indent


def extent(
    segments: Sequence[Segment], breaks: Sequence[Breaks], line_height: float
) -> tuple[float, float]:
    """Return the nominal height of the block, and of the room added above its first line.

    Lines are `line_height` times the largest size on them high. Room is added above and below if letters or
    icons extend beyond that: for descenders at a line height below about 1.2, for raised or lowered text
    and for large icons.
    """
    y = over = foot = 0.0
    for index, (segment, ends) in enumerate(zip(segments, breaks)):
        if index:
            y += segment.space_before
        over = max(over, segment.rise - above(segment.leader(0, ends[0]), line_height) - y)
        start = 0
        if segment.sizes is None:
            y += len(ends) * line_height * segment.lead.size
        else:
            for end in ends:
                y += line_height * max(segment.sizes[start:end])
                start = end
            start = ends[-2] if len(ends) > 1 else 0
        foot = max(foot, y - below(segment.leader(start, ends[-1]), line_height) + segment.depth)
    return over + max(y, foot), over


def above(lead: Style, line_height: float) -> float:
    """Return the nominal height of a line above its baseline: the font's ascent plus half the leading,
    which is `line_height` less ascent and descent (CSS 2 §10.8.1), may be negative, and is the same
    below."""
    font = lead.font
    return lead.size * (line_height + font.ascent - font.descent) / 2


def below(lead: Style, line_height: float) -> float:
    """Return the nominal height of a line below its baseline."""
    font = lead.font
    return lead.size * (line_height - font.ascent + font.descent) / 2


def first_fit(segment: Segment, width: float, *, hyphens: bool = True, least: float = 1.0) -> Breaks | None:
    """Return each line as full as possible, which gives the fewest lines; None if a chunk is too wide.
    Spaces may shrink to the share `least` of their width. After two hyphens in a row a line ends without
    one, if possible."""
    starts, ends = segment.tight(least)
    count = len(starts)
    if not count:
        return [0]
    breaks: Breaks = []
    start = row = 0
    while start < count:
        end = full = bisect_right(ends, starts[start] + width, start)
        if not hyphens or row >= _HYPHENS_IN_A_ROW:
            while end > start and end - 1 in segment.hyphens:
                end -= 1
            if hyphens and end == start:
                end = full
        if end == start:
            return None
        row = row + 1 if end - 1 in segment.hyphens else 0
        breaks.append(end)
        start = end
    return breaks


def even_breaks(
    segment: Segment,
    width: float,
    breaks: Breaks,
    spaces: tuple[float, float] | None = None,
    least: float = 0.0,
) -> Breaks:
    """Return as many lines as in `breaks`, with the least sum of squared unused widths, except the last
    line's; in justified text, whose `spaces` stretch and shrink within these shares of their width, of
    TeX's demerits. A last line of at least the share `least` of the width takes precedence."""
    return _best_breaks(segment, width, breaks, spaces, least)[1]


def _best_breaks(
    segment: Segment,
    width: float,
    breaks: Breaks,
    spaces: tuple[float, float] | None,
    least: float,
    lines: int = 0,
) -> tuple[tuple[bool, float], Breaks]:
    """Return the breaks into `lines` (by default as many as in `breaks`) that cost least, and True if their
    last line is too short, and the cost.

    For a given number of lines, the start of each has two limits, one with all later lines full and one
    with all earlier lines full, so few starts are tried.
    """
    lines = lines or len(breaks)
    if lines < 2:
        return (False, 0.0), breaks
    given = ((True, math.inf), breaks)
    if lines > len(segment.starts):
        return given
    starts, ends = segment.tight(1.0 if spaces is None else spaces[0])
    hyphens = segment.hyphens
    count = len(starts)
    latest = [0]
    for line in range(1, lines):
        end = bisect_right(ends, starts[latest[-1]] + width, latest[-1])
        latest.append(min(end, count - lines + line))
    earliest = [0] * lines
    start = count
    for line in range(lines - 1, 0, -1):
        start = max(line, bisect_left(starts, ends[start - 1] - width, 0, start - 1))
        earliest[line] = start
    spans = [last - first + 1 for first, last in zip(earliest, latest)]
    if min(spans) < 1 or sum(map(operator.mul, spans, spans[1:])) > _MOST_TRIED:
        return given
    demerits = None if spaces is None else _Demerits(segment, width, spaces)
    tie = _TIE if demerits is not None else _TIE * width * width
    hyphen_cost = _HYPHEN_DEMERITS if demerits is not None else _HYPHEN_COST * width * width
    costs = [0.0]
    origins: list[list[int]] = []
    for line in range(1, lines):
        low, before = earliest[line], earliest[line - 1]
        next_costs: list[float] = []
        origin: list[int] = []
        for end in range(low, latest[line] + 1):
            limit = width - ends[end - 1]
            best, best_start = math.inf, before
            for start, cost in enumerate(costs, before):
                slack = limit + starts[start]
                if slack >= 0.0 and start < end:
                    cost += slack * slack if demerits is None else demerits.line(start, end)
                    if cost <= best + tie:
                        best, best_start = cost, start
            next_costs.append(best + hyphen_cost if end - 1 in hyphens else best)
            origin.append(best_start)
        costs = next_costs
        origins.append(origin)
    worst, best, start = True, math.inf, -1
    for last, cost in enumerate(costs, earliest[-1]):
        if ends[-1] - starts[last] <= width and cost < math.inf:
            cost += _last_line_cost(segment, last, width, demerits)
            stub = is_stub(ends[-1] - starts[last], width, least)
            if stub < worst or (stub == worst and cost <= best + tie):
                worst, best, start = stub, cost, last
    if start < 0:
        return given
    result = [count]
    for line in range(lines - 1, 0, -1):
        result.append(start)
        start = origins[line - 1][start - earliest[line]]
    result.reverse()
    if _too_many_hyphens(result, hyphens) and not _too_many_hyphens(breaks, hyphens):
        return given
    return (worst, best), result


class _Demerits:
    """The costs of justified lines (D. E. Knuth, The TeXbook, chapter 14): their spaces stretch and shrink
    between two shares of their own width, or stretch further at a price."""

    def __init__(self, segment: Segment, width: float, spaces: tuple[float, float]) -> None:
        self._starts, self._ends, self._hyphens = segment.starts, segment.ends, segment.hyphens
        self._width, self._before = width, segment.room_between()
        gaps = sum(map(segment.spaced, range(len(segment.starts))))
        self._usual = self._before[-1] / gaps if gaps else _SPACE * segment.lead.size
        self._shrink, self._stretch = 1.0 - spaces[0], max(spaces[1] - 1.0, _TIE)

    def line(self, start: int, end: int) -> float:
        """Return the demerits of the chunks from `start` to before `end`, without that of its hyphen."""
        slack = self._width - self._ends[end - 1] + self._starts[start]
        room = self._before[end - 1] - self._before[start] or self._usual * _NO_SPACE
        part = slack / (room * self._stretch) if slack >= 0.0 else -slack / (room * self._shrink)
        demerits = (1.0 + 100.0 * part**3) ** 2
        if start and start - 1 in self._hyphens and end - 1 in self._hyphens:
            demerits += _TWO_HYPHENS_DEMERITS
        return demerits

    def spaces(self, start: int, end: int) -> float:
        """Return the width of the line's spaces as a share of their own; 0 for a line without any."""
        slack = self._width - self._ends[end - 1] + self._starts[start]
        room = self._before[end - 1] - self._before[start]
        return 1.0 + slack / room if room else 0.0


def loosest(segment: Segment, width: float, breaks: Breaks) -> tuple[float, int, int]:
    """Return the widest spaces of a justified paragraph, except on its last line, as a share of their own
    width, and the chunks of that line."""
    demerits = _Demerits(segment, width, (1.0, 1.0))
    lines = pairwise((0, *breaks[:-1]))
    return max(((demerits.spaces(*line), *line) for line in lines), default=(0.0, 0, 0))


def _too_many_hyphens(breaks: Breaks, hyphens: set[int]) -> bool:
    row = 0
    for end in breaks:
        row = row + 1 if end - 1 in hyphens else 0
        if row > _HYPHENS_IN_A_ROW:
            return True
    return False


def is_stub(long: float, width: float, least: float) -> bool:
    """Return True if a last line is shorter than the share `least` of the width `long`."""
    return long < width * least - TOLERANCE


def _last_line_cost(segment: Segment, start: int, width: float, demerits: _Demerits | None) -> float:
    last = segment.ends[-1] - segment.starts[start]
    cost = width * width * _SHORT_LAST_LINE_COST if demerits is None else _LAST_LINE_DEMERITS
    if demerits is not None and last > width:  # its spaces shrink
        return demerits.line(start, len(segment.ends))
    if last >= width * _SHORT_LAST_LINE:
        return 0.0
    if demerits is not None and last < width * _STUB:
        return cost
    return 0.0 if any(map(segment.spaced, range(start, len(segment.ends) - 1))) else cost
