"""The result of rendering: each side of a card as pictures and set text in paint order.

Lengths are mm with the origin at the top left corner of the bleed and y down. Nothing here knows
PDF, points or pixels; the one exception is `Word.tj`, a cached spelling of the same glyphs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Protocol

from cardgen.core.geometry import IDENTITY, Matrix, Rect, Shape, Size
from cardgen.core.records import dataclass, field

Color = tuple[float, float, float]
"""Red, green and blue, each from 0 to 1, sRGB."""


def contrast(color: Color, other: Color) -> float:
    """Return the WCAG 2 contrast ratio of two colors, 1 to 21."""
    bright, dark = sorted((_luminance(color), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(color: Color) -> float:
    """Return the relative luminance as WCAG 2 defines it, 0 to 1."""
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in color
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A shaped piece of text in one font, independent of its size. Created once per font and text, so that
    equal words are the same object.

    `advance` is in em. `glyphs` are (glyph id, x in em, y in em, first character) with y up. `tj` is the
    glyph ids and kerns as the inside of a PDF TJ array for a two-byte identity encoding; kerns there are
    1/1000 em and so do not depend on the size either. `raised` is True if some glyph has a y offset, which
    `tj` can't express. `actual_text` is set if the glyphs one by one don't give the text: in right-to-left
    runs, for example, but not in ligatures.
    """

    text: str
    advance: float
    glyphs: tuple[tuple[int, float, float, int], ...]
    tj: str
    raised: bool = False
    actual_text: str | None = None
    gids: frozenset[int] = field(init=False, repr=False)
    plain: bool = field(init=False, repr=False)
    """True if `tj` is all that a PDF needs."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "gids", frozenset([glyph[0] for glyph in self.glyphs]))
        object.__setattr__(self, "plain", not self.raised and self.actual_text is None)


@dataclass(frozen=True, slots=True)
class TextRun:
    """Words side by side on one baseline in one font, size and color.

    `x`, `y` is the pen on the baseline. `gaps[i]` is the extra advance in em after word i (used by
    justification and letter spacing), empty if none. `target` is an address or a heading in a book that the
    run links to. `within` is the icon whose figure it is, `instead_of` the requested font if it lacks these
    letters.
    """

    font: str
    size: float
    x: float
    y: float
    words: tuple[Word, ...]
    fill: Color
    gaps: tuple[float, ...] = ()
    target: str | None = field(default=None, repr=False)
    within: str | None = field(default=None, repr=False)
    instead_of: str | None = field(default=None, repr=False)
    opacity: float = field(default=1.0, repr=False)
    """Opacity, multiplied by that of its text."""
    turn: tuple[float, float, float, float] | None = field(default=None, repr=False)
    """The transform of its letters about the pen: a, b, c, d of a matrix; its advance is before the
    transform."""
    hidden: bool = field(default=False, repr=False)
    """True if pictures replace its letters, which are only there for searching."""

    @property
    def text(self) -> str:
        return "".join(word.text for word in self.words)

    @property
    def advance(self) -> float:
        """Width in mm."""
        return (sum(word.advance for word in self.words) + sum(self.gaps)) * self.size

    @property
    def pens(self) -> list[float]:
        """The pen before each word and after the last, in em from the start."""
        gaps = self.gaps or (0.0,) * len(self.words)
        return [0.0, *accumulate(word.advance + gap for word, gap in zip(self.words, gaps))]


ABOVE, BELOW = 0.7, 0.05
"""The vertical extent of a word's letters: about cap height to just below the baseline, in em."""


def word_boxes(run: TextRun) -> Iterator[tuple[str, Rect]]:
    """Yield the visible words of a run with the boxes of their letters in mm; pieces without a space
    between them are joined."""
    start = pen = run.x
    letters = ""
    top, height = run.y - ABOVE * run.size, (ABOVE + BELOW) * run.size
    for index, word in enumerate(run.words):
        blank = not word.text.strip()
        if blank and letters:
            yield letters, turned(Rect(start, top, pen - start, height), run)
            letters = ""
        pen += (word.advance + (run.gaps[index] if index < len(run.gaps) else 0.0)) * run.size
        if blank:
            start = pen
        else:
            letters += word.text
    if letters:
        yield letters, turned(Rect(start, top, pen - start, height), run)


def turned(box: Rect, run: TextRun) -> Rect:
    """Return the upright rectangle around a box of a run's letters after its turn."""
    if run.turn is None:
        return box
    return Matrix(1, 0, 0, 1, -run.x, -run.y).then(Matrix(*run.turn, run.x, run.y)).around(box)


@dataclass(frozen=True, slots=True)
class IconRun:
    """An icon within text: its name, top left corner, height, color and width to height ratio. `letter` is
    set if it is the picture of a letter of a hidden run.
    """

    icon: str
    x: float
    y: float
    size: float
    fill: Color
    aspect: float = 1.0
    letter: bool = field(default=False, repr=False)

    @property
    def width(self) -> float:
        """In mm."""
        return self.size * self.aspect

    @property
    def box(self) -> Rect:
        """The area of the icon."""
        return Rect(self.x, self.y, self.width, self.size)


@dataclass(frozen=True, slots=True)
class Bar:
    """A filled rectangle of a text: an underline, a strike-through or a rule."""

    area: Rect
    fill: Color


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line along the outlines of letters: `width` in mm, before a text's matrix; `cap` and `join` as PDF
    numbers them. `again` is True if the same letters are also painted as text."""

    color: Color
    width: float
    cap: int = 0
    join: int = 0
    miter: float = 4.0
    again: bool = False


@dataclass(frozen=True, slots=True)
class SetText:
    """A text element after line breaking and fitting, its `bars` below its letters.

    `box` is the area that the lines cover, before `matrix`; `size` the fitted type size in mm. `decor`
    marks texture that nobody reads, exempt from size and contrast checks. With a `stroke`, only the
    outlines of its letters are painted.
    """

    runs: tuple[TextRun | IconRun, ...]
    box: Rect
    size: float
    matrix: Matrix = IDENTITY
    opacity: float = 1.0
    decor: bool = False
    place: tuple[str, int] | None = None
    """The element's template, which may be an included one, and its line."""
    bars: tuple[Bar, ...] = ()
    stroke: Stroke | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """Art that CairoSVG draws: a self-contained SVG document of the whole side.

    `key` is a digest of everything that affects its look, so that equal pictures are drawn once. `images`
    are the (absolute path, digest) of the raster files it shows.
    """

    key: str
    svg: str
    images: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Items drawn together under one opacity, blend mode or clip (`clip` is an SVG document whose
    painted area is the clip, or None)."""

    items: tuple[Item, ...]
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Placed:
    """Another side shown on this one, trimmed. `artwork` is its key; `matrix` maps its mm, from the corner
    of its bleed, to this side's. `radius` is that of its corners, before `matrix`."""

    artwork: str
    matrix: Matrix
    trim: Rect
    shape: Shape = "rectangle"
    radius: float = 0.0


Item = SetText | Picture | Group | Placed


@dataclass(frozen=True, slots=True)
class Artwork:
    """One side of a card, laid out. Two sides with the same `key` look the same.

    `size` is trim plus bleed on each side.
    """

    key: str
    size: Size
    bleed: float
    items: tuple[Item, ...]

    @property
    def trim(self) -> Rect:
        return Rect(0, 0, self.size.width, self.size.height).inset(self.bleed)

    def texts(self) -> Iterator[SetText]:
        """Return all set text, in paint order."""
        return (item for item in leaves(self.items) if isinstance(item, SetText))


def leaves(items: Iterable[Item]) -> Iterator[Picture | SetText]:
    """Yield the pictures and texts among items and in their groups, in paint order."""
    for item in items:
        if isinstance(item, Group):
            yield from leaves(item.items)
        elif not isinstance(item, Placed):
            yield item


@dataclass(frozen=True, slots=True)
class CardArt:
    """A card's two sides, ready to impose. `face` and `back` are keys into `Rendering.artworks`."""

    component: str
    card: str
    copies: int
    face: str
    back: str | None


class Extent(Protocol):
    """The size of a finished side: `size` is trim plus bleed on each side, `trim` is inside it."""

    @property
    def size(self) -> Size: ...
    @property
    def bleed(self) -> float: ...
    @property
    def trim(self) -> Rect: ...


class CardSides(Protocol):
    """Cards in printing order with their finished sides, laid out (a Rendering) or drawn, by key."""

    @property
    def cards(self) -> tuple[CardArt, ...]: ...
    @property
    def artworks(self) -> Mapping[str, Extent]: ...


@dataclass(frozen=True, slots=True)
class Rendering:
    """All sides of the chosen cards: cards in printing order, each distinct side once.

    `icons` contains the SVG document of every icon that an `IconRun` names.
    """

    cards: tuple[CardArt, ...]
    artworks: dict[str, Artwork]
    icons: Mapping[str, str] = field(default_factory=dict)
    faulty: frozenset[str] = frozenset()
    """Artworks with an invalid part that wasn't drawn, so a text's background may be missing."""


REGULAR, BOLD = 400, 700


def stated_weight(stated: int, *, bold: bool) -> int:
    """Return the weight in a font file's table `OS/2`, 0 if it has none.

    Old fonts count from 1 to 9. `bold` is the flag in the table `head`, for files without a weight.
    """
    if not 0 < stated <= 1000:
        return BOLD if bold else REGULAR
    return stated * 100 if stated < 10 else stated
