"""Paragraphs to measured chunks: the pieces between break opportunities, with their places on an
endless line.

Widths are *nominal* mm: at the sizes that the styles ask for. Fitting scales the box instead of the
text, so each text is measured once however many sizes are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from cardgen.model.artwork import Word
from cardgen.typesetting.breaking import ICON, Cut, WordPlan, glued, plan_word, without_unseen
from cardgen.typesetting.pieces import Piece, pieces_of
from cardgen.typesetting.spans import HardBreak, IconSpan, Paragraph, Style

_BULLET_DISTANCE = 0.35
"""Least distance in em from a bullet to its text."""
_MOST_SHARED_CUTS = 8
"""Words with more cuts (Chinese sentences, long addresses) are shaped cut by cut: measuring each piece
with all its neighbours grows with the square, and such text has no kerning to lose."""

_COLLAPSIBLE = " \t\n\r\f\v\x85\u2028\u2029"
_TO_COLLAPSE = str.maketrans(dict.fromkeys(_COLLAPSIBLE, " "))


Item = tuple[Style, Word | Piece | IconSpan]


@dataclass(slots=True)
class Segment:
    """The chunks of a paragraph, or of its part between hard breaks. Lengths are nominal mm.

    A line of the chunks a to b is `ends[b] - starts[a]` wide. `ends` leave out the space after a
    chunk and include the hyphen of those in `hyphens`; both lists never fall. A segment without chunks
    is a blank line.
    """

    starts: list[float]
    ends: list[float]
    chunks: list[tuple[Item, ...]]
    spaces: list[Item | None]
    hyphens: set[int]
    sizes: list[float] | None
    """The largest type size of each chunk; None where all are `lead.size`."""
    leads: dict[float, Style]
    """The first style of each size. The style that leads a line, placing its baseline, is the one of
    the largest size on it."""
    lead: Style
    rise: float
    """How far anything reaches above its baseline, and below it."""
    depth: float
    indent: float = 0.0
    space_before: float = 0.0
    bullet: tuple[Style, Word] | None = None
    hang: float = 0.0
    """How far before the first line the bullet begins."""
    broken: bool = False
    """Whether there are pieces of words among the chunks."""

    def leader(self, start: int, end: int) -> Style:
        """The style that leads a line of the chunks from `start` to before `end`."""
        return self.lead if self.sizes is None else self.leads[max(self.sizes[start:end])]


def measure(
    paragraphs: Sequence[Paragraph], language: str | None, styles: dict[Style, Style]
) -> list[Segment]:
    """All segments of the paragraphs. `styles` is filled with the styles used, each equal one once."""
    segments: list[Segment] = []
    for paragraph in paragraphs:
        parts = _segments(paragraph, language, styles)
        style = paragraph.style
        if parts and style is not None:
            _arrange(paragraph, parts, styles[style])
            if segments:
                parts[0].space_before = paragraph.space_before * style.size
            segments += parts
    return segments


def _arrange(paragraph: Paragraph, parts: list[Segment], style: Style) -> None:
    """Apply the paragraph's indent and bullet to its segments."""
    indent = paragraph.indent * style.size
    if paragraph.bullet is not None:
        word = style.font.word(paragraph.bullet, style.spacing)
        first = next(part for part in parts if part.chunks)
        first.bullet = (style, word)
        first.rise = max(first.rise, (style.font.rise + style.baseline_shift) * style.size)
        first.depth = max(first.depth, (style.font.depth - style.baseline_shift) * style.size)
        asked = indent if paragraph.hang is None else paragraph.hang * style.size
        first.hang = max(asked, (word.advance + _BULLET_DISTANCE) * style.size)
        indent += first.hang - asked
    for part in parts:
        part.indent = indent


def _segments(paragraph: Paragraph, language: str | None, styles: dict[Style, Style]) -> list[Segment]:
    """The paragraph's segments; none if it has neither text nor icons."""
    builders: list[_Builder] = []
    builder = _Builder(language)
    word: list[tuple[Style, str | IconSpan]] = []
    style: Style | None = None
    for span in paragraph.spans:
        if isinstance(span, HardBreak):
            builder.close(word)
            builders.append(builder)
            builder, word = _Builder(language), []
            continue
        style = styles.setdefault(span.style, span.style)
        if isinstance(span, IconSpan):
            builder.icon_styles[style] = None
            word.append((style, span))
            continue
        text = span.text.translate(_TO_COLLAPSE) if not span.text.isprintable() else span.text
        first, *whole = text.split(" ")
        if first:
            word.append((style, first))
        if whole:
            if word:
                builder.add(word)
                builder.space(style)
            last = whole.pop()
            builder.add_words(style, whole)
            word = [(style, last)] if last else []
        if text.strip(" "):
            builder.text_styles[style] = None
    builder.close(word)
    builders.append(builder)
    if style is None or not any(each.chunks for each in builders):
        return []
    if not builder.chunks:  # a hard break at the very end adds no line
        builders.pop()
    segments: list[Segment] = []
    for each in builders:
        segments.append(each.segment(segments[-1].lead if segments else style))
    return segments


class _Builder:
    """Collects the words of one segment."""

    __slots__ = (
        "broken",
        "chunks",
        "ends",
        "hyphens",
        "icon_styles",
        "language",
        "previous",
        "spaces",
        "starts",
        "text_styles",
        "x",
    )

    def __init__(self, language: str | None) -> None:
        self.language = language
        self.starts: list[float] = []
        self.ends: list[float] = []
        self.chunks: list[tuple[Item, ...]] = []
        self.spaces: list[Item | None] = []
        self.hyphens: set[int] = set()
        self.text_styles: dict[Style, None] = {}
        self.icon_styles: dict[Style, None] = {}
        self.broken = False
        self.previous: WordPlan | None = None
        self.x = 0.0

    def space(self, style: Style) -> None:
        """A space after the last chunk, unless there is one."""
        if not self.spaces or self.spaces[-1] is not None:
            return
        word = style.font.word(" ", style.spacing)
        self.spaces[-1] = (style, word)
        self.x += word.advance * style.size

    def add(self, parts: list[tuple[Style, str | IconSpan]]) -> None:
        """A word, in one or more styles, with icons in it."""
        style, text = parts[0]
        simple = len(parts) == 1 and isinstance(text, str)
        if simple:
            plan = plan_word(text, self.language)
        else:
            joined = "".join(part if isinstance(part, str) else ICON for _, part in parts)
            plan = plan_word(joined, self.language)
        if not plan.text:
            return
        previous = self.previous
        self.previous = plan
        new = True
        if previous is not None and (plan.head or previous.tail) and glued(previous.text, plan.text):
            space = self.spaces[-1]
            if space is not None:
                self.chunks[-1] += (space,)
                self.spaces[-1] = None
            new = False
        if simple and not plan.cuts:
            word = style.font.word(plan.text, style.spacing)
            start = self.x
            self.x = end = start + word.advance * style.size
            if style.spacing:
                end -= style.spacing * style.size
            self._put((style, word), start, end, new)
        else:
            self._add_parts(parts, plan, new)

    def add_words(self, style: Style, texts: Sequence[str]) -> None:
        """Whole words in one style, each with a space after it; empty ones don't count."""
        font, size, spacing = style.font, style.size, style.spacing
        space = (style, font.word(" ", spacing))
        distance, trailing = space[1].advance * size, spacing * size
        for text in texts:
            if not text:
                continue
            plan, previous = plan_word(text, self.language), self.previous
            holds_on = previous is not None and (plan.head or previous.tail)
            if holds_on or plan.cuts or not plan.text:
                self.add([(style, text)])
                self.space(style)
                continue
            self.previous = plan
            word = font.word(plan.text, spacing)
            end = self.x + word.advance * size
            self.starts.append(self.x)
            self.ends.append(end - trailing)
            self.chunks.append(((style, word),))
            self.spaces.append(space)
            self.x = end + distance

    def close(self, parts: list[tuple[Style, str | IconSpan]]) -> None:
        """The segment's last word, and no space after it."""
        if parts:
            self.add(parts)
        if self.spaces:
            self.spaces[-1] = None

    def _put(self, item: Item, start: float, end: float, new: bool) -> None:
        if new:
            self.starts.append(start)
            self.ends.append(end)
            self.chunks.append((item,))
            self.spaces.append(None)
        else:
            self.ends[-1] = end
            self.chunks[-1] += (item,)

    def _add_parts(self, parts: list[tuple[Style, str | IconSpan]], plan: WordPlan, new: bool) -> None:
        cuts = dict(plan.cuts)
        offset = 0
        before = max(len(self.ends) - 1, 0)
        for style, part in _split_long(parts, plan):
            if offset:
                new = offset in cuts
            if isinstance(part, IconSpan):
                self._put((style, part), self.x, self.x + style.size, new)
                self.x += style.size
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
            self._put((style, word), x, self.x - trailing, new)
            return
        self.broken = True
        pieces = pieces_of(style.font, text, style.spacing, cuts)
        for piece, start, end, hyphen in pieces:
            self._put((style, piece), x + start * size, x + end * size - trailing, new)
            if hyphen:
                self.hyphens.add(len(self.chunks) - 1)
            new = True

    def _end_in_hyphen(self, style: Style, text: str) -> None:
        """Let the last chunk, which ends with `text`, show a hyphen if a line ends there."""
        font = style.font
        hyphen = font.word(text + "-", style.spacing).advance - font.word(text, style.spacing).advance
        self.ends[-1] += hyphen * style.size
        self.hyphens.add(len(self.chunks) - 1)

    def segment(self, fallback: Style) -> Segment:
        """What was collected; a blank line takes the height of the `fallback` style."""
        styles = list(self.text_styles | self.icon_styles) or [fallback]
        leads: dict[float, Style] = {}
        for style in styles:
            leads.setdefault(style.size, style)
        sizes = None
        if len(leads) > 1 and self.chunks:
            sizes = [max(style.size for style, _ in chunk) for chunk in self.chunks]
        rise = depth = 0.0
        for style in self.text_styles:
            rise = max(rise, (style.font.rise + style.baseline_shift) * style.size)
            depth = max(depth, (style.font.depth - style.baseline_shift) * style.size)
        for style in self.icon_styles:
            centre = style.font.cap_height / 2 + style.baseline_shift
            rise = max(rise, (0.5 + centre) * style.size)
            depth = max(depth, (0.5 - centre) * style.size)
        return Segment(
            self.starts,
            self.ends,
            self.chunks,
            self.spaces,
            self.hyphens,
            sizes,
            leads,
            styles[0],
            rise,
            depth,
            broken=self.broken,
        )


def _split_long(
    parts: list[tuple[Style, str | IconSpan]], plan: WordPlan
) -> list[tuple[Style, str | IconSpan]]:
    """The parts without unseen characters, and those with very many cuts split at them."""
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
