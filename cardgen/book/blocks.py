"""Flowables of text. ReportLab's frames ask them how high they are and where they may be parted; how
lines are broken and set is our own typesetting's matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from reportlab.platypus import Flowable

from cardgen.book.elements import Icon, Inline, LineEnd, Words
from cardgen.book.look import LINE, TEXT_SIZE, Look
from cardgen.book.painting import PagePainter, Run
from cardgen.findings import Findings, Location
from cardgen.geometry import Rect
from cardgen.model.artwork import Color, TextRun
from cardgen.typesetting.breaking import word_rules
from cardgen.typesetting.composing import compose
from cardgen.typesetting.directions import direction_of
from cardgen.typesetting.fallback import width_of
from cardgen.typesetting.icon_marks import IconNames, Mark
from cardgen.typesetting.spans import Align, Composed, HardBreak, IconSpan, Options, Paragraph, Span, Style
from cardgen.units import MM_PER_PT

_ENDLESS = 1e5
"""mm; as good as no limit."""
TOLERANCE = 1e-7
"""mm (or lines) against floating-point noise; ReportLab's frames forgive ten times as much."""
LEAST_LINES = 2
"""Lines of a paragraph that stand at the foot of a page or at the head of the next at least."""


@dataclass(slots=True)
class Setting:
    """What all blocks of a book share: the look, its icons, the least type size in mm, and where what is
    wrong with their text goes."""

    look: Look
    icons: IconNames
    least: float
    file: str
    findings: Findings
    said: set[tuple[str, Location]] = field(default_factory=set)

    def problem(self, code: str, message: str, place: int | Location, hint: str | None = None) -> None:
        """Say what is wrong at a line of the book's file, or elsewhere, once."""
        if not isinstance(place, Location):
            place = Location(self.file, place)
        if (message, place) not in self.said:
            self.said.add((message, place))
            self.findings.error(code, message, place, hint)

    def compose(self, paragraph: Paragraph, box: Rect, options: Options, place: int | Location) -> Composed:
        """Set a paragraph that stands there; letters that no font has are said."""
        composed = compose([paragraph], box, options)
        for font, chars in composed.missing:
            message = f"the font {font} has no '{chars}'"
            self.problem("book/glyph", message, place, "write it otherwise, or use an icon")
        return composed


class Block(Flowable):
    """A flowable that knows its place from above. `keep` holds it together with what follows; what is
    `unparted` is parted only where no page has room for it."""

    keep = False
    unparted = False

    def __init__(self, *, before: float = 0.0, after: float = 0.0) -> None:
        super().__init__()
        self.spaceBefore, self.spaceAfter = before, after
        self.width = self.height = 0.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        self.height = self.measure(width)
        return width, self.height

    def draw(self) -> None:
        painter = cast(PagePainter, self.canv)
        x, top = painter.corner(self.height)
        self.paint(painter, x, top)

    def least(self, width: float) -> float:
        """The height below which nothing of it can stand."""
        return self.measure(width)

    def split(self, width: float, height: float) -> list[Any]:
        return []

    # ---- for the kinds of blocks

    def measure(self, width: float) -> float:
        """Its height, set to that width."""
        raise NotImplementedError

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        """Draw it as it was last measured, with its top left corner there."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Type:
    """How a text is set. `leading` is mm from baseline to baseline; `indent` mm from the left."""

    size: float = TEXT_SIZE
    leading: float = LINE
    bold: bool = False
    italic: bool = False
    fill: Color | None = None
    align: Align = "start"
    indent: float = 0.0
    display: bool = False
    hyphens: bool = False
    initial: Color | None = None
    """Its first letter is twice as large, in the display face and this colour."""


class _LinesBlock(Block):
    """Lines of the paragraph `whole`, the first of them `down` mm below its top."""

    whole: TextBlock
    lines: list[list[Run]]
    down = 0.0

    def split(self, width: float, height: float) -> list[Any]:
        self.measure(width)
        leading = self.whole.leading
        fitting = min(int(height / leading + TOLERANCE), len(self.lines) - LEAST_LINES)
        if fitting < LEAST_LINES:
            return []
        return [
            _Part(self.whole, self.lines[:fitting], self.down),
            _Part(self.whole, self.lines[fitting:], self.down + fitting * leading),
        ]

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        for line in self.lines:
            painter.text(line, x, top - self.down)


def _height(run: Run) -> float:
    """Where a run stands in its line: at the baseline, or an icon's middle."""
    return run.y if isinstance(run, TextRun) else run.y + run.size / 2


class TextBlock(_LinesBlock):
    """A paragraph. A `bullet` stands in the indent before its first line."""

    def __init__(
        self,
        setting: Setting,
        words: Sequence[Inline],
        line: int,
        type_: Type = Type(),
        *,
        bullet: str | None = None,
        before: float = 0.0,
        after: float = 0.0,
    ) -> None:
        super().__init__(before=before, after=after)
        self.setting, self.words, self.line, self.type = setting, tuple(words), line, type_
        self.bullet = bullet
        self.whole, self.lines = self, []
        self._width = -1.0

    @property
    def leading(self) -> float:
        return self.type.leading

    def measure(self, width: float) -> float:
        if width != self._width:
            self._width = width
            self._compose(width)
        return len(self.lines) * self.leading

    def least(self, width: float) -> float:
        self.measure(width)
        count = len(self.lines)
        return (count if count < 2 * LEAST_LINES else LEAST_LINES) * self.leading

    def natural(self) -> float:
        """Its width in one line, mm."""
        paragraph = self._paragraph()
        composed = compose([paragraph], Rect(0, 0, _ENDLESS, _ENDLESS), self._options())
        return composed.box.width + self.type.indent

    def narrowest(self) -> float:
        """The width of its longest word or icon, mm."""
        widths = [0.0]
        for span in self._paragraph().spans:
            if isinstance(span, Span):
                widths += [width_of(span.style.font, word) for word in span.text.split()]
            elif isinstance(span, IconSpan):
                widths.append(span.width / span.style.size)
        return max(widths) * self.type.size + self.type.indent + 0.01

    # ------------------------------------------------------------ setting

    def _options(self) -> Options:
        type_ = self.type
        language = self.setting.look.language
        return Options(
            align=type_.align,
            line_height=type_.leading / type_.size,
            words=word_rules(language, hyphens=type_.hyphens),
            direction=direction_of(language),
        )

    def _compose(self, width: float) -> None:
        paragraph, options = self._paragraph(), self._options()
        box = Rect(0, 0, width, _ENDLESS)
        composed = self.setting.compose(paragraph, box, options, self.line)
        if composed.overflow is not None and width > 1:
            hint = "use shorter words, or fewer columns"
            message = f"'{composed.overflow.text}' is wider than its place"
            self.setting.problem("book/overflow", message, self.line, hint)
        lines: dict[int, list[Run]] = {}
        for run in self._on_grid(composed.runs):
            lines.setdefault(int(_height(run) / self.leading), []).append(run)
        self.lines = [lines.get(index, []) for index in range(max(lines, default=-1) + 1)]

    def _on_grid(self, runs: Sequence[Run]) -> Sequence[Run]:
        """Runs without the room that a large initial makes for itself: it reaches above its line."""
        baselines = sorted({run.y for run in runs if isinstance(run, TextRun)})
        if self._initial() is None or not baselines:
            return runs
        first, leading = baselines[0], self.leading
        rest = -leading
        start = baselines[1] - 2 * leading - first if len(baselines) > 1 else -first / 2
        return [
            replace(run, y=run.y + (start if _height(run) <= first + TOLERANCE else rest)) for run in runs
        ]

    def _initial(self) -> Words | None:
        """The words whose first letter is large."""
        first = self.words[0] if self.words else None
        large = self.type.initial is not None and isinstance(first, Words) and first.text[:1].isalpha()
        return first if large and isinstance(first, Words) else None

    def _paragraph(self) -> Paragraph:
        type_ = self.type
        indent = type_.indent / type_.size
        spans = self._spans()
        if self.bullet is not None:  # which takes the style of the first span
            look = self.setting.look
            spans.insert(0, Span("", Style(look.bold, type_.size, look.accent)))
        return Paragraph(spans, self.bullet, indent)

    def _spans(self) -> list[Span | IconSpan | HardBreak]:
        look, type_ = self.setting.look, self.type
        ink = look.ink if type_.fill is None else type_.fill
        spans: list[Span | IconSpan | HardBreak] = []
        for word in self.words:
            if isinstance(word, LineEnd):
                spans.append(HardBreak())
            elif isinstance(word, Icon):
                spans.append(self._icon(word.mark, Style(look.regular, type_.size, ink)))
            else:
                spans.append(Span(word.text, self._style(word, ink)))
        first = spans[0] if spans else None
        if self._initial() is not None and isinstance(first, Span) and type_.initial is not None:
            large = Style(look.display, 2 * type_.size, type_.initial, target=first.style.target)
            spans[:1] = [Span(first.text[0], large), Span(first.text[1:], first.style)]
        return spans

    def _icon(self, mark: Mark, style: Style) -> IconSpan:
        span = self.setting.icons.span(mark, style)
        if span.figure is not None and span.figure.style.size < self.setting.least - 0.01:
            size, least = span.figure.style.size / MM_PER_PT, self.setting.least / MM_PER_PT
            message = f"the figure '{mark.figure}' in the icon ':{mark.name}:' is set in {size:.2g} pt"
            hint = f"the game's least type size is {least:g} pt; make the icon larger, with @"
            self.setting.problem("book/icon", message, self.line, hint)
        return span

    def _style(self, word: Words, ink: Color) -> Style:
        look, type_ = self.setting.look, self.type
        if type_.display:
            font = look.display
        elif word.code:
            font = look.code
        else:
            font = look.font(bold=word.bold or type_.bold, italic=word.italic != type_.italic)
        fill = look.accent if word.target and type_.fill is None else ink
        return Style(font, type_.size, fill, target=word.target or None)


class _Part(_LinesBlock):
    """Some of the lines of a paragraph."""

    def __init__(self, whole: TextBlock, lines: list[list[Run]], down: float) -> None:
        first, last = down == 0.0, lines[-1] is whole.lines[-1]
        super().__init__(
            before=whole.getSpaceBefore() if first else 0.0, after=whole.getSpaceAfter() if last else 0.0
        )
        self.whole, self.lines, self.down = whole, lines, down

    def measure(self, width: float) -> float:
        return len(self.lines) * self.whole.leading

    def least(self, width: float) -> float:
        return min(len(self.lines), LEAST_LINES) * self.whole.leading


class PageEndBlock(Block):
    """Ends the page."""

    def measure(self, width: float) -> float:
        return 0.0

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        pass
