"""Paragraphs to measured chunks: the pieces between break opportunities, with their places on an
endless line.

Widths are *nominal* mm: at the sizes that the styles ask for. Fitting scales the box instead of the
text, so each text is measured once however many sizes are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from cardgen.typesetting.breaking import ICON, Cut, WordPlan, WordRules, glued, plan_word, without_unseen
from cardgen.typesetting.directions import directed, runs_right_to_left
from cardgen.typesetting.fallback import in_one_font
from cardgen.typesetting.rulers import Ruler, ruler_of
from cardgen.typesetting.segments import Item, Segment, Strip
from cardgen.typesetting.spans import Direction, HardBreak, IconSpan, Paragraph, Span, Style
from cardgen.typesetting.word_parts import pieces_of

_BULLET_DISTANCE = 0.35
"""Least distance in em from a bullet to its text."""
_IN_LINE = 1.4
"""How many times as high as the type an icon may be before it makes its line higher."""
_MOST_SHARED_CUTS = 8
"""Words with more cuts (Chinese sentences, long addresses) are shaped cut by cut: measuring each piece
with all its neighbours grows with the square, and such text has no kerning to lose."""

_COLLAPSIBLE = " \t\n\r\f\v\x85\u2028\u2029"
_TO_COLLAPSE = str.maketrans(dict.fromkeys(_COLLAPSIBLE, " "))


def measure(
    paragraphs: Sequence[Paragraph],
    rules: WordRules,
    styles: dict[Style, Style],
    direction: Direction = "ltr",
) -> list[Segment]:
    """All segments of the paragraphs. `styles` is filled with the styles used, each equal one once."""
    segments: list[Segment] = []
    for paragraph in paragraphs:
        right_to_left = runs_right_to_left(paragraph.spans, direction)
        parts = _segments(directed(paragraph.spans, right_to_left), rules, styles)
        style = paragraph.style
        if parts and style is not None:
            _arrange(paragraph, parts, ruler_of(style, rules).style, right_to_left)
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
    """A paragraph's segments; none if it has neither text nor icons."""
    builders: list[_Builder] = []
    builder = _Builder(rules)
    word: list[tuple[Ruler, str | IconSpan]] = []
    rulers: dict[int, Ruler] = {}  # by the identity of styles
    ruler: Ruler | None = None
    for span in spans:
        if isinstance(span, HardBreak):
            builder.close(word)
            builders.append(builder)
            builder, word = _Builder(rules), []
            continue
        ruler = rulers.get(id(span.style))
        if ruler is None:
            ruler = rulers[id(span.style)] = ruler_of(span.style, rules)
            styles[ruler.style] = ruler.style
        if isinstance(span, IconSpan):
            lead = ruler if span.size <= _IN_LINE else _leading(ruler, span, rules)
            builder.icons[ruler, span.size] = None
            builder.leads[lead] = None
            if span.figure is not None:
                styles[span.figure.style] = span.figure.style
            word.append((lead, span))
            continue
        text = span.text.translate(_TO_COLLAPSE) if not span.text.isprintable() else span.text
        first, *whole = text.split(" ")
        if first:
            word.append((ruler, first))
        if whole:
            last = whole.pop()
            if len(word) == 1 and first:
                whole.insert(0, first)
            elif word:
                builder.add(word)
                builder.space(ruler)
            if whole:
                builder.add_words(ruler, whole)
            word = [(ruler, last)] if last else []
        if text.strip(" "):
            base = span.style.base
            builder.text_rulers[ruler if base is None else ruler_of(base, rules)] = None
    builder.close(word)
    builders.append(builder)
    if ruler is None or not any(each.ends for each in builders):
        return []
    if not builder.ends:  # a hard break at the very end adds no line
        builders.pop()
    segments: list[Segment] = []
    for each in builders:
        segments.append(each.segment(segments[-1].lead if segments else ruler.style.lead))
    return segments


class _Builder:
    """Collects the words of one segment."""

    def __init__(self, rules: WordRules) -> None:
        self.rules = rules
        self.starts: list[float] = []
        self.ends: list[float] = []
        self.firsts: list[int] = []
        self.afters: list[int] = []
        self.strip = Strip()
        self.hyphens: set[int] = set()
        self.text_rulers: dict[Ruler, None] = {}
        self.icons: dict[tuple[Ruler, float], None] = {}
        """The styles of icons, and how many times as high they are."""
        self.leads: dict[Ruler, None] = {}
        """The styles that lead lines for icons."""
        self.broken = False
        self.previous = ""
        """The last word, and whether its end may hold on to the next one."""
        self.tail = False
        self.x = 0.0

    @property
    def spaced(self) -> bool:
        """Whether there is a space after the last chunk."""
        return len(self.strip.items) > self.afters[-1]

    def space(self, ruler: Ruler) -> None:
        """A space after the last chunk, unless there is one."""
        if self.afters and not self.spaced:
            self.strip.put(ruler.style, ruler.space)
            self.x += ruler.distance

    def add(self, parts: list[tuple[Ruler, str | IconSpan]]) -> None:
        """A word, in one or more styles, with icons in it."""
        ruler, text = parts[0]
        simple = len(parts) == 1
        if simple and isinstance(text, str):
            known = ruler.words[text]
            if known is not None and not self.tail:
                word, width = known
                self._put(ruler.style, word, self.x, self.x + width - ruler.trailing, True)
                self.x += width
                self.previous = text
                return
            plan = plan_word(text, self.rules)
        else:
            joined = "".join(part if isinstance(part, str) else ICON for _, part in parts)
            plan = plan_word(joined, self.rules)
        if not plan.text:
            return
        held = (plan.head or self.tail) and bool(self.afters)
        held = held and glued(self.previous, plan.text, self.rules)
        self.previous, self.tail = plan.text, plan.tail
        if simple and isinstance(text, str) and not plan.cuts:
            self._add_text(ruler.style, plan.text, (), not held)
        else:
            self._add_parts(parts, plan, not held)

    def add_words(self, ruler: Ruler, texts: Sequence[str]) -> None:
        """Whole words in one style, each with a space after it; empty ones don't count."""
        words, space, distance, trailing = ruler.words, ruler.space, ruler.distance, ruler.trailing
        items = self.strip.items
        x = self.x
        for text in texts:
            known = words[text]
            if known is not None and not self.tail:
                word, width = known
                self.strip.begin(ruler.style)
                count = len(items)
                self.starts.append(x)
                x += width
                self.ends.append(x - trailing)
                x += distance
                self.firsts.append(count)
                self.afters.append(count + 1)
                items.append(word)
                items.append(space)
                self.previous = text
            elif text:
                self.x = x
                self.add([(ruler, text)])
                self.space(ruler)
                x = self.x
        self.x = x

    def close(self, parts: list[tuple[Ruler, str | IconSpan]]) -> None:
        """The segment's last word, and no space after it."""
        if parts:
            self.add(parts)

    def _put(self, style: Style, item: Item, start: float, end: float, new: bool) -> None:
        """An item, as a chunk of its own if it is `new`, else with all before it in the last one."""
        if new:
            self.starts.append(start)
            self.ends.append(end)
            self.firsts.append(len(self.strip.items))
            self.afters.append(len(self.strip.items) + 1)
        else:
            self.ends[-1] = end
            self.afters[-1] = len(self.strip.items) + 1
        self.strip.put(style, item)

    def _add_parts(self, parts: list[tuple[Ruler, str | IconSpan]], plan: WordPlan, new: bool) -> None:
        cuts = dict(plan.cuts)
        offset = 0
        before = max(len(self.ends) - 1, 0)
        for style, part in _split_long(parts, plan):
            if offset:
                new = offset in cuts
            if isinstance(part, IconSpan):
                self._put(style, part, self.x, self.x + part.width, new)
                self.x += part.width
                offset += 1
                continue
            length = len(part)
            inner = tuple((cut - offset, soft) for cut, soft in plan.cuts if 0 < cut - offset < length)
            self._add_text(style, part, inner, new)
            offset += length
            if cuts.get(offset):
                self._end_in_hyphen(style, part)
        # Bisection needs rising ends, and a hyphen may be wider than what follows it.
        for index in range(before + 1, len(self.ends)):
            self.ends[index] = max(self.ends[index], self.ends[index - 1])

    def _add_text(self, style: Style, text: str, cuts: tuple[Cut, ...], new: bool) -> None:
        x, size = self.x, style.size
        trailing = style.spacing * size
        word = style.font.word(text, style.spacing)
        self.x = x + word.advance * size
        if not cuts:
            self._put(style, word, x, self.x - trailing, new)
            return
        self.broken = True
        pieces = pieces_of(style.font, text, style.spacing, cuts)
        for piece, start, end, hyphen in pieces:
            self._put(style, piece, x + start * size, x + end * size - trailing, new)
            if hyphen:
                self.hyphens.add(len(self.ends) - 1)
            new = True

    def _end_in_hyphen(self, style: Style, text: str) -> None:
        """Let the last chunk, which ends with `text`, show a hyphen if a line ends there."""
        font = style.font
        hyphen = font.word(text + "-", style.spacing).advance - font.word(text, style.spacing).advance
        self.ends[-1] += hyphen * style.size
        self.hyphens.add(len(self.ends) - 1)

    def segment(self, fallback: Style) -> Segment:
        """What was collected; a blank line takes the height of the `fallback` style."""
        styles = [ruler.style for ruler in self.text_rulers | self.leads] or [fallback]
        leads: dict[float, Style] = {}
        for style in styles:
            leads.setdefault(style.size, style)
        sizes = None
        if len(leads) > 1 and self.ends:
            sizes = [
                max(style.size for style, _ in self.strip.runs(first, after))
                for first, after in zip(self.firsts, self.afters)
            ]
        rise = depth = 0.0
        for ruler in self.text_rulers:
            style = ruler.style
            rise = max(rise, (style.font.rise + style.baseline_shift) * style.size)
            depth = max(depth, (style.font.depth - style.baseline_shift) * style.size)
        for ruler, high in self.icons:
            style = ruler.style
            centre = style.font.cap_height / 2 + style.baseline_shift
            rise = max(rise, (0.5 * high + centre) * style.size)
            depth = max(depth, (0.5 * high - centre) * style.size)
        return Segment(
            self.starts,
            self.ends,
            self.strip,
            (self.firsts, self.afters),
            self.hyphens,
            sizes,
            leads,
            styles[0],
            rise,
            depth,
            broken=self.broken,
        )


def _leading(ruler: Ruler, icon: IconSpan, rules: WordRules) -> Ruler:
    """The ruler of an icon that is too high for a line of its text: as if it were larger type."""
    style, times = ruler.style, icon.size / _IN_LINE
    return ruler_of(
        replace(style, size=style.size * times, baseline_shift=style.baseline_shift / times), rules
    )


def _split_long(
    parts: list[tuple[Ruler, str | IconSpan]], plan: WordPlan
) -> list[tuple[Style, str | IconSpan]]:
    """The parts without unseen characters, and those with very many cuts split at them."""
    result: list[tuple[Style, str | IconSpan]] = []
    offset = 0
    for ruler, part in parts:
        style = ruler.style
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
