"""Set the blocks that flow through a book's pages: text, headings, tables, call-outs, cards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy

from cardgen.book.elements import Alignment, CardRef, Icon, Inline, LineEnd, Picture, Table, Words
from cardgen.book.look import (
    LINE,
    SMALL_LINE,
    SMALL_SIZE,
    STEP,
    TEXT_SIZE,
    WHITE,
    Look,
    PagePainter,
    Run,
    ShownSide,
    mixed,
    paint_band,
    paint_frame,
    paint_plate,
    paint_stripes,
)
from cardgen.book.markdown import Source
from cardgen.core.artwork import Color, TextRun
from cardgen.core.book import BookGame
from cardgen.core.findings import Findings, Location
from cardgen.core.game import Component
from cardgen.core.geometry import MM_PER_PT, Rect
from cardgen.core.records import dataclass, field, replace
from cardgen.core.sheets import Heading
from cardgen.text.icon_marks import IconNames, Mark
from cardgen.text.line_ends import word_rules
from cardgen.text.setting import compose
from cardgen.text.spans import (
    Align,
    Composed,
    HardBreak,
    IconSpan,
    Options,
    Paragraph,
    Span,
    Style,
    direction_of,
    width_of,
)

_ENDLESS = 1e5
"""mm; in practice no limit."""
TOLERANCE = 1e-7
"""mm (or lines), for rounding errors."""
LAST_LINE = 0.2
"""The least width of a paragraph's last line, as a share of the measure."""
LEAST_LINES = 2
"""Minimum lines of a paragraph at the foot of a page or at the head of the next."""


@dataclass(slots=True)
class Setting:
    """The context of all blocks of a book: its text, component and look, its icons, the minimum type size
    in mm, and its findings."""

    source: Source
    component: Component
    look: Look
    icons: IconNames
    least: float
    findings: Findings
    reported: set[tuple[str, Location]] = field(default_factory=set)

    @property
    def game(self) -> BookGame:
        return self.source.game

    def problem(self, code: str, message: str, place: int | Location, hint: str | None = None) -> None:
        """Report an error once, at a line of the book's text or elsewhere."""
        if not isinstance(place, Location):
            place = self.source.locate(place)
        if (message, place) not in self.reported:
            self.reported.add((message, place))
            self.findings.error(code, message, place, hint)

    def place(self, *path: str | int) -> Location:
        """Return the place of a value in the game's game.yaml."""
        return self.game.locator.locate(f"data/{self.game.id}/game.yaml", path)

    def compose(self, paragraph: Paragraph, box: Rect, options: Options, place: int | Location) -> Composed:
        """Set a paragraph at this place; report letters that no font has."""
        composed = compose([paragraph], box, options)
        for font, chars in composed.missing:
            message = f"the font {font} has no '{chars}'"
            self.problem("book/glyph", message, place, "use other characters, or an icon")
        return composed


class Block:
    """A part of a book's text: `before` and `after` are the minimum space above and below it, mm. `keep`
    keeps it on one page with the next block; an `unparted` block is split only if no page has room for
    it."""

    keep = False
    unparted = False
    elastic = False
    """True for pictures, which may be smaller or larger to fill a page."""
    scale = 1.0
    """The ratio of its pictures to their normal size."""
    line = 0
    """The line of the book's text where it begins."""
    bond = stray = 0.0
    """Costs of a page break after it and before it."""

    def __init__(self, *, before: float = 0.0, after: float = 0.0) -> None:
        self.before, self.after = before, after
        self.width = self.height = 0.0
        self._range: tuple[float, float, float] | None = None

    def fit(self, width: float) -> float:
        """Set it to a width, unless it is; return its height."""
        if width != self.width:
            self.width, self.height = width, self.measure(width)
        return self.height

    def least(self, width: float) -> float:
        """Return the minimum height for a part of it."""
        return self.fit(width)

    def split(self, width: float, height: float) -> list[Block]:
        """Split it in two, the first part no higher than that; None if it can't be split there."""
        return []

    def measure(self, width: float) -> float:
        """Set it to a new width; return its height."""
        raise NotImplementedError

    def scaled(self, share: float) -> Block:
        """Return it with pictures of another size: the smallest for -1, the normal for 0, the largest
        for 1."""
        if not self.elastic:
            return self
        part = copy(self)
        part.scale = 1 + share * (LARGEST - 1 if share > 0 else 1 - SMALLEST)
        part.width = 0.0
        return part

    def range(self, width: float) -> tuple[float, float]:
        """Return its least and greatest height with pictures of other sizes."""
        high = self.fit(width)
        if not self.elastic:
            return high, high
        if self._range is None or self._range[0] != width:
            low, most = self.scaled(-1.0).fit(width), self.scaled(1.0).fit(width)
            self._range = (width, min(low, high), max(most, high))
        return self._range[1:]

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        """Draw it as last fitted, with its top left corner there."""
        raise NotImplementedError


SMALLEST, LARGEST = 0.86, 1.4
"""The sizes of a picture that fills a page, as ratios to its normal one."""


def pair_of(block: Block, first: Block, second: Block) -> list[Block]:
    """Return the two parts of a block, with the space above and below it."""
    first.before, first.after = block.before, 0.0
    second.before, second.after = 0.0, block.after
    return [first, second]


@dataclass(frozen=True, slots=True)
class Type:
    """The type settings of a text. `leading` is mm from baseline to baseline; `indent` mm from the left."""

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
    """Its first letter is twice as large, in the display face and this color."""


PLAIN_TYPE = Type()


def _height(run: Run) -> float:
    """Return the place of a run in its line: the baseline, or an icon's middle."""
    return run.y if isinstance(run, TextRun) else run.y + run.size / 2


class TextBlock(Block):
    """A paragraph. A `bullet` is in the indent before its first line."""

    def __init__(
        self,
        setting: Setting,
        words: Sequence[Inline],
        line: int,
        type_: Type = PLAIN_TYPE,
        *,
        bullet: str | None = None,
        before: float = 0.0,
        after: float = 0.0,
    ) -> None:
        super().__init__(before=before, after=after)
        self.setting, self.words, self.line, self.type = setting, tuple(words), line, type_
        self.bullet = bullet
        self.leading = type_.leading
        self.lines: list[list[Run]] = []
        self._down = 0.0
        """The distance of the first remaining line from the top of the whole paragraph, mm."""
        self._is_part = False

    def measure(self, width: float) -> float:
        if not self._is_part:
            self._compose(width)
        return len(self.lines) * self.leading

    def least(self, width: float) -> float:
        self.fit(width)
        count = len(self.lines)
        whole = count < 2 * LEAST_LINES and not self._is_part
        return (count if whole else min(count, LEAST_LINES)) * self.leading

    def split(self, width: float, height: float) -> list[Block]:
        self.fit(width)
        fitting = min(int(height / self.leading + TOLERANCE), len(self.lines) - LEAST_LINES)
        if fitting < LEAST_LINES:
            return []
        first, second = self._part(0, fitting), self._part(fitting, len(self.lines))
        return pair_of(self, first, second)

    def _part(self, start: int, end: int) -> TextBlock:
        part = copy(self)
        part.lines, part._down = self.lines[start:end], self._down + start * self.leading
        part.height, part._is_part = len(part.lines) * self.leading, True
        return part

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        for line in self.lines:
            painter.text(line, x, top - self._down)

    def natural(self) -> float:
        """Return its width in one line, mm."""
        paragraph = self._paragraph()
        composed = compose([paragraph], Rect(0, 0, _ENDLESS, _ENDLESS), self._options())
        return composed.box.width + self.type.indent

    def narrowest(self) -> float:
        """Return the width of its longest word or icon, mm."""
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
            last_line=LAST_LINE if type_.align == "start" else 0.0,
        )

    def _compose(self, width: float) -> None:
        paragraph, options = self._paragraph(), self._options()
        box = Rect(0, 0, width, _ENDLESS)
        composed = self.setting.compose(paragraph, box, options, self.line)
        if composed.overflow is not None and width > 1:
            hint = "use shorter words or fewer columns"
            message = f"'{composed.overflow.text}' is wider than its column"
            self.setting.problem("book/overflow", message, self.line, hint)
        lines: dict[int, list[Run]] = {}
        for run in self._on_grid(composed.runs):
            lines.setdefault(int(_height(run) / self.leading), []).append(run)
        self.lines = [lines.get(index, []) for index in range(max(lines, default=-1) + 1)]

    def _on_grid(self, runs: Sequence[Run]) -> Sequence[Run]:
        """Return runs without the space for a large initial, which extends above its line."""
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
        """Return the words that begin with the large letter."""
        first = self.words[0] if self.words else None
        large = self.type.initial is not None and isinstance(first, Words) and first.text[:1].isalpha()
        return first if large and isinstance(first, Words) else None

    def _paragraph(self) -> Paragraph:
        type_ = self.type
        indent = type_.indent / type_.size
        spans = self._spans()
        if self.bullet is not None:  # it takes the style of the first span
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
            figure = f"the number '{mark.figure}' in the icon ':{mark.name}:'"
            message = f"{figure} prints at {size:.2g} pt; the minimum is {least:g} pt"
            hint = "make the icon larger, with @, or use fewer digits"
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


class PageEndBlock(Block):
    """The end of the page."""

    def measure(self, width: float) -> float:
        return 0.0

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        pass


CHAPTER = 2
"""The level of chapters' headings."""


class HeadingBlock(Block):
    """A heading: chapters (level 2) in the display face below rule and ornament, or on a plate; other
    levels in bold."""

    keep = True

    def __init__(
        self,
        setting: Setting,
        level: int,
        words: Sequence[Inline],
        key: str,
        title: str,
        line: int,
        *,
        large: bool = False,
    ):
        space = {2: (8, 2), 3: (5, 1)}.get(level, (3, 0))
        super().__init__(before=space[0] * STEP, after=space[1] * STEP)
        look = setting.look
        self.setting, self.level, self.key, self.title = setting, level, key, title
        self.sign = look.ornament
        if level == CHAPTER and isinstance(words[0], Icon) and not words[0].mark.figure:
            self.sign, words = words[0].mark.name, words[1:]
        self.plated = large or (level == CHAPTER and look.rule in ("plate", "band"))
        fill = look.on_ground if self.plated else look.accent
        type_ = {
            CHAPTER: Type(
                CHAPTER_SIZE * (1.4 if large else 1), (8 if large else 6) * STEP, fill=fill, display=True
            ),
            3: Type(SECTION_SIZE, LINE, bold=True),
        }.get(level, Type(bold=True, italic=True))
        self.text = TextBlock(setting, words, line, type_)

    @property
    def bar(self) -> float:
        """Return the height above a chapter's heading."""
        look = self.setting.look
        if self.level != CHAPTER or self.plated:
            return 0.0
        if self.sign is not None:
            return math.ceil((ORNAMENT + 1.0) / STEP) * STEP
        return 0.0 if look.rule == "none" else 2 * STEP

    def measure(self, width: float) -> float:
        if not self.plated:
            return self.bar + self.text.fit(width)
        most = width - self._before - PLATE_ENDS
        high = self.text.fit(min(self.text.natural() + 0.01, most))
        return math.ceil((high + 2 * PLATE_ROOM + SHADOW) / STEP) * STEP

    @property
    def _before(self) -> float:
        """Return the distance from a plate's edge to its text: padding, and the ornament."""
        return PLATE_ENDS + (ORNAMENT + 1.6 if self.sign is not None else 0.0)

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        if self.plated:
            self._on_plate(painter, x, top)
        else:
            if self.level == CHAPTER:
                self._decorate(painter, x, top)
            self.text.paint(painter, x, top + self.bar)
        painter.headings.append(Heading(self.key, self.title, self.level - 2, max(0.0, top - STEP)))

    def _on_plate(self, painter: PagePainter, x: float, top: float) -> None:
        """Draw a band as wide as the text; or a sticker: a plate with a white rim, slightly rotated."""
        look = self.setting.look
        inner, high = self.text.width, self.text.height
        plate = Rect(x, top, self._before + inner + PLATE_ENDS, high + 2 * PLATE_ROOM)
        if direction_of(look.language) == "rtl":
            plate = replace(plate, x=x + self.width - plate.width)
        if look.rule == "band":
            paint_band(painter, look, replace(plate, x=x, width=self.width))
            self._title(painter, plate, top)
            return
        if look.rule != "plate":
            paint_plate(painter, look, plate)
            self._title(painter, plate, top)
            return
        under = replace(plate, x=plate.x + SHADOW * 0.6, y=plate.y + SHADOW)
        painter.panel(under, look.ink, look.ink, radius=2.2, degrees=-0.8, below=True)
        painter.panel(plate, WHITE, look.ink, radius=2.2, below=True)
        painter.panel(plate.inset(0.9), look.ground, look.ink, radius=1.5, below=True)
        self._title(painter, plate, top)

    def _title(self, painter: PagePainter, plate: Rect, top: float) -> None:
        look = self.setting.look
        if self.sign is not None:
            self._ornament(
                painter, plate.x + PLATE_ENDS, top + (plate.height - ORNAMENT) / 2, look.on_ground
            )
        self.text.paint(painter, plate.x + self._before, top + PLATE_ROOM)

    def _ornament(self, painter: PagePainter, x: float, top: float, fill: Color) -> float:
        """Draw the ornament with its corner there; return its width."""
        look = self.setting.look
        assert self.sign is not None
        span = self.setting.icons.span(Mark(self.sign), Style(look.bold, ORNAMENT, fill))
        size = Rect(0, 0, span.width + 1, 2 * ORNAMENT)
        drawn = self.setting.compose(Paragraph([span]), size, Options(line_height=1.0), self.text.line)
        icon = drawn.runs[0]
        painter.text(drawn.runs, x - icon.x, top - icon.y)
        return span.width

    def _decorate(self, painter: PagePainter, x: float, top: float) -> None:
        """Draw the ornament, and the rule to its right or instead of it."""
        look, wide = self.setting.look, self.width
        if self.sign is not None:
            wide_icon = self._ornament(painter, x, top, look.accent) + 2.4
            x, wide, top = x + wide_icon, wide - wide_icon, top + ORNAMENT / 2 - BAR_HEIGHT / 2
        if look.rule == "bar":
            painter.rect(Rect(x, top, BAR_WIDTH, BAR_HEIGHT), look.accent)
        elif look.rule == "line":
            painter.rect(Rect(x, top + 0.3, wide, 0.4), look.accent)
        elif look.rule == "double":
            painter.rect(Rect(x, top, wide, 0.55), look.accent)
            painter.rect(Rect(x, top + 0.95, wide, 0.2), look.accent)
        elif look.rule == "stripes":
            paint_stripes(painter, look, Rect(x, top - 0.2, wide, 1.5))
        elif look.rule == "dots":
            for number in range(int((wide - BAR_HEIGHT) / DOTS) + 1):
                dot = Rect(x + number * DOTS, top, BAR_HEIGHT, BAR_HEIGHT)
                painter.rect(dot, look.accent, BAR_HEIGHT / 2)


CHAPTER_SIZE = TEXT_SIZE * 1.85
SECTION_SIZE = TEXT_SIZE * 1.16
BAR_WIDTH, BAR_HEIGHT = 11.0, 1.0
ORNAMENT = 5.6
"""mm: height of the icon above a chapter's heading."""
DOTS = 2.6
"""mm from dot to dot of a rule."""
PLATE_ENDS, PLATE_ROOM = 3.6, 1.5
"""mm: padding of a plate, at both ends and above and below its text."""
SHADOW = 1.0
"""mm: offset of a plate's shadow, down."""


class Column(Block):
    """Blocks below each other, `indent` mm from the left."""

    def __init__(
        self, blocks: Sequence[Block], *, indent: float = 0.0, before: float = 0.0, after: float = 0.0
    ) -> None:
        super().__init__(before=before, after=after)
        self.blocks, self.indent = list(blocks), indent
        self.unparted = len(self.blocks) == 1 and self.blocks[0].unparted

    def measure(self, width: float) -> float:
        return self._heights(width)[-1] if self.blocks else 0.0

    def least(self, width: float) -> float:
        return self.blocks[0].least(width - self.indent) if self.blocks else 0.0

    def _heights(self, width: float) -> list[float]:
        """Return where each block ends, from the top."""
        ends: list[float] = []
        y = 0.0
        for index, block in enumerate(self.blocks):
            if index:
                y += max(self.blocks[index - 1].after, block.before)
            y += block.fit(width - self.indent)
            ends.append(y)
        return ends

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        for block, end in zip(self.blocks, self._heights(self.width)):
            block.paint(painter, x + self.indent, top + end - block.height)

    def parted(self, width: float, height: float) -> tuple[list[Block], list[Block]]:
        """Return the blocks that fit into the height, and the rest."""
        inner = width - self.indent
        y = 0.0
        for index, block in enumerate(self.blocks):
            if index:
                y += max(self.blocks[index - 1].after, block.before)
            if y + block.fit(inner) > height + TOLERANCE:
                parts = block.split(inner, height - y)
                if parts:
                    return [*self.blocks[:index], parts[0]], [*parts[1:], *self.blocks[index + 1 :]]
                while index and self.blocks[index - 1].keep:
                    index -= 1
                return self.blocks[:index], self.blocks[index:]
            y += block.fit(inner)
        return self.blocks, []

    def split(self, width: float, height: float) -> list[Block]:
        fitting, rest = self.parted(width, height)
        if not fitting or not rest:
            return []
        first, second = (Column(blocks, indent=self.indent) for blocks in (fitting, rest))
        return pair_of(self, first, second)


STRAY = 12.0
"""Cost of an aside at the head of a page."""


class CalloutBlock(Block):
    """Text set off by a rule at its left: on a tinted ground if it has a label, else on none."""

    def __init__(
        self, setting: Setting, label: Sequence[Inline] | None, blocks: Sequence[Block], line: int
    ) -> None:
        super().__init__(before=SPACE, after=SPACE)
        self.setting, self.label, self.line = setting, label, line
        inside = list(blocks)
        if label is not None:
            look = setting.look
            fill = look.on_ground if look.banded else look.accent
            head = TextBlock(setting, label, line, Type(SMALL_SIZE, SMALL_LINE, bold=True, fill=fill))
            head.keep, head.after = True, 2 * STEP if look.banded else 0.0
            inside.insert(0, head)
        self.head = inside[0] if label is not None else None
        self.column = Column(inside)
        self.tinted = self.unparted = label is not None
        self.stray = 0.0 if self.tinted else STRAY

    @property
    def above(self) -> float:
        return ABOVE if self.tinted else 0.0

    def measure(self, width: float) -> float:
        return self.column.fit(width - LEFT - RIGHT) + 2 * self.above

    def least(self, width: float) -> float:
        inner = width - LEFT - RIGHT
        blocks = self.column.blocks
        height = blocks[0].least(inner)
        if blocks[0].keep and len(blocks) > 1:
            height += blocks[1].least(inner)
        return height + 2 * self.above

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        look = self.setting.look
        frame = Rect(x, top, self.width, self.height)
        if self.tinted:
            banded = look.banded and self.column.blocks[0] is self.head
            head = self.column.blocks[0].height + 1.5 * ABOVE if banded else 0.0
            paint_frame(painter, look, frame, head)
        else:
            painter.rect(replace(frame, width=RULE), look.accent)
        self.column.paint(painter, x + LEFT, top + self.above)

    def split(self, width: float, height: float) -> list[Block]:
        fitting, rest = self.column.parted(width - LEFT - RIGHT, height - 2 * self.above)
        if not fitting or not rest:
            return []
        return pair_of(self, self._with_blocks(fitting), self._with_blocks(rest))

    def _with_blocks(self, blocks: list[Block]) -> CalloutBlock:
        part = copy(self)
        part.column, part.unparted, part.width = Column(blocks), False, 0.0
        return part


SPACE = 4 * STEP
LEFT, RIGHT = 4.5, 4.0
"""mm from the edges of a call-out to its text."""
ABOVE = 2 * STEP
RULE = 0.9

DISTANCE = 4.0
"""mm between two cards."""
USUAL, BESIDE = 0.62, 0.45
"""The default sizes of a card: in a row, and beside text, as a ratio to its own size."""
TALLEST = 80.0
"""Default maximum height of a card, mm."""
MOST = 4
"""Cards in a row, unless all of them have a width and more fit."""


class FigureBlock(Block):
    """A row of cards with captions below."""

    def __init__(
        self, setting: Setting, pictures: Sequence[Picture], sides: Mapping[CardRef, ShownSide]
    ) -> None:
        super().__init__(before=LINE, after=LINE)
        self.pictures = [(picture, sides[picture.ref]) for picture in pictures]
        self.elastic = all(picture.about for picture in pictures)
        type_ = Type(SMALL_SIZE, SMALL_LINE, align="center")
        self.captions = [
            TextBlock(setting, picture.caption, picture.line, type_) if picture.caption else None
            for picture in pictures
        ]
        self._widths: list[float] = []
        self._tallest = 0.0

    def measure(self, width: float) -> float:
        count = len(self.pictures)
        share = (width - DISTANCE * (count - 1)) / count
        self._widths = [
            self.scale * (picture.width if picture.width is not None else min(share, usual(side, USUAL)))
            for picture, side in self.pictures
        ]
        total = sum(self._widths) + DISTANCE * (count - 1)
        if total > width:
            scale = (width - DISTANCE * (count - 1)) / sum(self._widths)
            self._widths = [each * scale for each in self._widths]
        self._tallest = max(
            shown_height(side, each) for (_, side), each in zip(self.pictures, self._widths)
        )
        captions = [
            caption.fit(each + DISTANCE) if caption is not None else 0.0
            for caption, each in zip(self.captions, self._widths)
        ]
        below = max(captions)
        return math.ceil((self._tallest + (STEP + below if below else 0.0)) / STEP) * STEP

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        x += (self.width - sum(self._widths) - DISTANCE * (len(self._widths) - 1)) / 2
        for (_, side), width, caption in zip(self.pictures, self._widths, self.captions):
            height = shown_height(side, width)
            middle = (x + width / 2, top + self._tallest - height / 2)
            painter.side(side, middle, width)
            if caption is not None:
                caption.paint(painter, x - DISTANCE / 2, top + self._tallest + STEP)
            x += width + DISTANCE


def figure_rows(
    setting: Setting, pictures: Sequence[Picture], sides: Mapping[CardRef, ShownSide], measure: float
) -> list[FigureBlock]:
    """Return cards in as few rows of `measure` mm as possible, the rows as even as possible."""
    wide = sum(picture.width if picture.width is not None else measure for picture in pictures)
    fits = wide + DISTANCE * (len(pictures) - 1) <= measure
    rows = 1 if fits else math.ceil(len(pictures) / MOST)
    columns = math.ceil(len(pictures) / rows)
    return [
        FigureBlock(setting, pictures[start : start + columns], sides)
        for start in range(0, len(pictures), columns)
    ]


class BesideBlock(Block):
    """A card, and text to its right."""

    def __init__(
        self,
        setting: Setting,
        picture: Picture,
        words: Sequence[Inline],
        line: int,
        sides: Mapping[CardRef, ShownSide],
    ) -> None:
        super().__init__(before=3 * STEP, after=3 * STEP)
        self.side = sides[picture.ref]
        self.shown = picture.width if picture.width is not None else usual(self.side, BESIDE)
        self.text = TextBlock(setting, words, line, Type(hyphens=True))

    def measure(self, width: float) -> float:
        self.shown = min(self.shown, width / 2)
        text = self.text.fit(width - self.shown - DISTANCE)
        return math.ceil(max(shown_height(self.side, self.shown), text) / STEP) * STEP

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        height = shown_height(self.side, self.shown)
        painter.side(self.side, (x + self.shown / 2, top + height / 2), self.shown)
        self.text.paint(painter, x + self.shown + DISTANCE, top - 0.4)


def shown_height(side: ShownSide, width: float) -> float:
    """Return the height of a card that is `width` mm wide."""
    return side.trim.height * width / side.trim.width


def usual(side: ShownSide, share: float) -> float:
    """Return the default width of a card."""
    return min(side.trim.width * share, TALLEST * side.trim.width / side.trim.height)


APART = 3.6
"""mm between the texts of two columns."""
EDGE = 2.0
"""mm from the table's edges to its text."""
ABOVE_TABLE = STEP
HAIR, THICK = 0.15, 0.45
LEAST_ROWS = 2
WHOLE = 62.0
"""mm; a table up to this height is kept on one page."""


MOST_WHOLE_ROWS = 9
"""Rows, with the head, of a table that is split only if no page has room for it."""


class TableBlock(Block):
    """A table that fills the width."""

    def __init__(self, setting: Setting, table: Table) -> None:
        super().__init__(before=3 * STEP, after=3 * STEP)
        self.setting = setting
        columns = max(len(row) for row in table.rows)
        aligned: list[Alignment] = list(table.aligned)
        aligned += ["start"] * (columns - len(aligned))
        self.rows: list[list[TextBlock]] = []
        for number, (row, line) in enumerate(zip(table.rows, table.lines)):
            head = number == 0
            cells = [*row, *([()] * columns)][:columns]
            self.rows.append(
                [
                    TextBlock(
                        setting,
                        cell,
                        line,
                        Type(
                            SMALL_SIZE,
                            SMALL_LINE,
                            bold=head,
                            fill=setting.look.accent if head else None,
                            align=align,
                            hyphens=not head,
                        ),
                    )
                    for cell, align in zip(cells, aligned)
                ]
            )
        self._bare_head = all(not cell for cell in table.rows[0])
        self.unparted = len(self.rows) <= MOST_WHOLE_ROWS
        self._widths: list[float] = []
        self._heights: list[float] = []
        self._fixed: list[float] | None = None

    # ------------------------------------------------------------ size

    def measure(self, width: float) -> float:
        self._widths = self._fixed or self._share(width)
        self._heights = []
        for row in self.rows:
            lines = [cell.fit(space) for cell, space in zip(row, self._widths)]
            self._heights.append(math.ceil((max(lines) + 2 * ABOVE_TABLE) / STEP - 1e-6) * STEP)
        if self._bare_head:
            self._heights[0] = 0.0
        return sum(self._heights)

    def _share(self, width: float) -> list[float]:
        """Return the widths of the columns. Spare width is shared in proportion to their demands; if there
        is too little, all have room for their longest word, and the rest is shared in proportion."""
        columns = list(zip(*self.rows))
        room = width - 2 * EDGE - APART * (len(columns) - 1)
        natural = [max(cell.natural() for cell in column) + 0.05 for column in columns]
        total = sum(natural)
        if total <= room:
            return [each * room / total for each in natural]
        narrow = [
            min(wide, max(cell.narrowest() for cell in column)) for wide, column in zip(natural, columns)
        ]
        left = room - sum(narrow)
        if left <= 0:
            return [each * room / sum(narrow) for each in narrow]
        # Square roots give a long column more lines before a short one is wrapped.
        wishes = [math.sqrt(max(wide - least, 0.0)) for wide, least in zip(natural, narrow)]
        widths = list(narrow)
        open_ = set(range(len(widths)))
        while left > 1e-6 and open_:
            share = left / sum(wishes[index] for index in open_) if any(wishes[i] for i in open_) else 0.0
            if not share:
                break
            given = 0.0
            for index in sorted(open_):
                more = min(wishes[index] * share, natural[index] - widths[index])
                widths[index] += more
                given += more
                if natural[index] - widths[index] < 1e-6:
                    open_.discard(index)
            left -= given
            if given < 1e-9:
                break
        return widths

    def least(self, width: float) -> float:
        height = self.fit(width)
        return height if height <= WHOLE else sum(self._heights[: 1 + LEAST_ROWS])

    # ------------------------------------------------------------ parts

    def split(self, width: float, height: float) -> list[Block]:
        if self.fit(width) <= WHOLE:
            return []
        fitting, used = 0, 0.0
        while fitting < len(self.rows) and used + self._heights[fitting] <= height + TOLERANCE:
            used += self._heights[fitting]
            fitting += 1
        left = len(self.rows) - fitting
        if fitting - 1 < LEAST_ROWS or left <= 0:
            return []
        if left < LEAST_ROWS and fitting - 1 > LEAST_ROWS:
            fitting -= 1
        first, second = self._part(self.rows[:fitting]), self._part([self.rows[0], *self.rows[fitting:]])
        return pair_of(self, first, second)

    def _part(self, rows: Sequence[list[TextBlock]]) -> TableBlock:
        part = copy(self)
        part.rows, part.width = list(rows), 0.0
        part._fixed = list(self._widths)
        return part

    # ------------------------------------------------------------ paint

    def paint(self, painter: PagePainter, x: float, top: float) -> None:
        look = self.setting.look
        hair = mixed(look.ink, (1.0, 1.0, 1.0), 0.72)
        y = top
        last = len(self.rows) - 1
        for number, (row, height) in enumerate(zip(self.rows, self._heights)):
            if height:
                if number == 0:
                    painter.rect(Rect(x, y, self.width, height), look.tint)
                left = x + EDGE
                for cell, width in zip(row, self._widths):
                    cell.paint(painter, left, y + ABOVE_TABLE)
                    left += width + APART
            y += height
            if number == 0 or number == last:
                painter.rect(Rect(x, y - THICK, self.width, THICK), look.accent)
            else:
                painter.rect(Rect(x, y - HAIR, self.width, HAIR), hair)
