"""What goes into the typesetter and what comes out of it. Lengths are mm unless said to be em."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cardgen.geometry import Rect
from cardgen.model.artwork import Bar, Color, IconRun, TextRun
from cardgen.typesetting.breaking import PLAIN, WordRules
from cardgen.typesetting.shaping import Font

Direction = Literal["ltr", "rtl", "auto"]
"""Which way a paragraph runs; "auto" goes by its first letter."""
Align = Literal["start", "center", "end", "justify"]
VAlign = Literal["top", "middle", "bottom"]
Anchor = Literal["start", "middle", "end"]

SAME = 1e-5
"""mm; sizes that differ by less are one."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a span looks. `size` is mm; `spacing` (added after each letter) and `baseline_shift`
    (upwards) are em of that size. `target` is what its text leads to, and goes with the runs. `lines` are
    those drawn along it: "underline", "line-through", and `inks` their colours, where they are not the
    letters' own. `level` is that of its direction where a line has both: odd ones run right to left.
    `base` is the style whose font lacks the letters that this one sets: it says where lines lie.
    `opacity` is times that of the whole text; what has none takes its room. `word_spacing` is added to
    each space, em."""

    font: Font
    size: float
    fill: Color
    spacing: float = 0.0
    baseline_shift: float = 0.0
    target: str | None = None
    lines: tuple[str, ...] = ()
    level: int = 0
    base: Style | None = None
    inks: tuple[Color, ...] = ()
    opacity: float = 1.0
    word_spacing: float = 0.0

    @property
    def lead(self) -> Style:
        """The style that says how high lines are."""
        return self.base or self


@dataclass(frozen=True, slots=True)
class Span:
    """Text in one style. White space collapses as in CSS, across spans too: any run of spaces, tabs
    and line ends is one space, and none at the start or end of a paragraph. A no-break space stays."""

    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class IconSpan:
    """An icon in the text: as high as the style's size, centred on half the cap height.

    `size` is how many times as high it is, `aspect` how many times as wide as high; a `figure` stands in
    its middle. Its `fill` is the style's if it has none. It breaks like a letter (`2:coin:` and `:coin:.`
    stay together), but two icons may be parted.
    """

    name: str
    style: Style
    size: float = 1.0
    aspect: float = 1.0
    fill: Color | None = None
    figure: Span | None = None

    @property
    def height(self) -> float:
        """Nominal mm."""
        return self.style.size * self.size

    @property
    def width(self) -> float:
        """Nominal mm."""
        return self.height * self.aspect

    @property
    def text(self) -> str:
        """It as it is written, but for its size and colour."""
        return f":{self.name}:" if self.figure is None else f":{self.name} {self.figure.text}:"


@dataclass(frozen=True, slots=True)
class HardBreak:
    """A line end within a paragraph. One at the very end of a paragraph adds no line."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Spans that flow together. Its em is the size of its first span.

    `indent` (em) moves all its lines in from the start side. A `bullet`, set in the first span's
    style, begins `hang` em (None: the indent) before the first line; too little for it is widened.
    `space_before` (em) is extra space above, not applied to the first paragraph. A paragraph without
    any text or icon takes no room. A `rule` is a line across the box in the place of its text.
    """

    spans: Sequence[Span | IconSpan | HardBreak]
    bullet: str | None = None
    indent: float = 0.0
    space_before: float = 0.0
    hang: float | None = None
    rule: bool = False

    @property
    def style(self) -> Style | None:
        """The style of its first span, None if there is none."""
        return next((span.style.lead for span in self.spans if not isinstance(span, HardBreak)), None)


@dataclass(frozen=True, slots=True)
class Options:
    """How paragraphs fill their box.

    `line_height` is in sizes. With `shrink`, all sizes are scaled down together until the text fits,
    the base size in steps of `step` mm and not below `min_size` mm (None: as far as it takes), or to one
    of `steps`, sizes in mm that fall and lie below it. `size`
    is the base size that `min_size` and `Composed.size` speak of; None takes that of the first span.
    `direction` says which way the paragraphs run, and with that where their start is.
    `words` says how words may be broken besides. The base size is never above `most` mm, if that is given.
    Sizes and steps are above 0. Lines end so that the last one of a paragraph of several is at least
    `last_line` of the width long (a share from 0 to 1), if it can be in as many lines.
    """

    align: Align = "start"
    valign: VAlign = "top"
    line_height: float = 1.2
    shrink: bool = False
    min_size: float | None = None
    words: WordRules = PLAIN
    size: float | None = None
    step: float = 0.01
    steps: tuple[float, ...] = ()
    direction: Direction = "ltr"
    most: float | None = None
    last_line: float = 0.0

    def held(self, most: float) -> Options:
        """The same for a text whose base size, `size`, is to be `most` mm at most: as far as its own sizes
        let it, that is the largest step that is no larger, or else the least size."""
        if self.steps:
            sizes = self.steps if self.size is None else (self.size, *self.steps)
            first = next((i for i, size in enumerate(sizes) if size <= most + SAME), len(sizes) - 1)
            below = sizes[first + 1 :]
            return replace(self, most=sizes[first], steps=below, shrink=bool(below))
        return replace(self, most=max(most, self.min_size or 0.0) if self.shrink else None)


@dataclass(frozen=True, slots=True)
class Stub:
    """A last line that is shorter than it should be: what it says, and its share of the width."""

    text: str
    share: float


@dataclass(frozen=True, slots=True)
class Overflow:
    """Text that did not fit at `size` mm, the least size allowed: the words that were left out,
    because the box was full or because they alone are wider than the box. Icons read `:name:`."""

    size: float
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Composed:
    """Set text.

    `size` is the base size reached in mm and `lines` the number of lines set. `box` is what the
    lines cover: the widest line across, from the top of the first line's tall letters (or icons) to the
    foot of the last line's descenders. `missing` pairs font keys with the characters that the font
    lacks, which are set as the font's blank box: an error for the caller to report. `stub` is the shortest
    of the last lines that are shorter than `Options.last_line` asks.
    """

    runs: tuple[TextRun | IconRun, ...]
    size: float
    lines: int
    box: Rect
    overflow: Overflow | None = None
    missing: tuple[tuple[str, str], ...] = ()
    bars: tuple[Bar, ...] = ()
    stub: Stub | None = None

    def moved(self, dx: float, dy: float) -> Composed:
        """The same, so far to the right and down."""
        box = replace(self.box, x=self.box.x + dx, y=self.box.y + dy)
        runs: list[TextRun | IconRun] = [replace(run, x=run.x + dx, y=run.y + dy) for run in self.runs]
        bars = [
            replace(bar, area=replace(bar.area, x=bar.area.x + dx, y=bar.area.y + dy)) for bar in self.bars
        ]
        return replace(self, runs=tuple(runs), box=box, bars=tuple(bars))
