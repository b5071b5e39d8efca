"""What imposition hands on: for each sheet, pages of slots, marks and labels. Numbers only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from cardgen.geometry import IDENTITY, Matrix, Rect, Shape, Size
from cardgen.model.cuts import Cut

Duplex = Literal["long-edge", "short-edge", "fold", "none"]
DUPLEX: tuple[Duplex, ...] = get_args(Duplex)
"""All that there are, in the order in which they are offered."""
Marks = Literal["crop", "outline", "silhouette", "opos", "none"]
Side = Literal["face", "back"]
Rotation = Literal[0, 90, 180, 270]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper format, upright."""

    name: str
    size: Size


@dataclass(frozen=True, slots=True)
class Places:
    """Where pieces lie on paper that has places already, such as labels: `columns` and `rows` of them, each
    as large as `size`, `pitch` from the left or top of one to that of the next. `origin` is the first one's
    top left corner in mm; None: all of them lie in the middle of the paper of that name, upright."""

    columns: int
    rows: int
    size: Size
    pitch: Size
    paper: str
    origin: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """The geometry of a sheet, from `data/sheets/NAME.yaml`.

    `grid` is "auto" (as many as fit, paper and cards turned as needed), "single" (one card a page,
    the page being trim plus bleed), "booklet" (two pages of a book side by side, in the order that
    folding asks for) or (columns, rows). `gutter` is between trims; 0 means a shared
    cut. `bleed` runs outside the block (and into a gutter of at least twice its width). `margin` is
    what the printer cannot reach at each paper edge. `grid` "tiled" cuts boards that are larger than
    the paper into tiles with an `overlap`. With `cut_order` the order of a guillotine's
    cuts is printed, with `strip` a strip of colours.
    With `places` the pieces lie there, each in the middle of one, whatever `grid` and `gutter` say.
    """

    name: str
    title: str
    grid: Literal["auto", "single", "booklet", "tiled"] | tuple[int, int]
    gutter: float
    bleed: float
    margin: float
    marks: Marks
    duplex: Duplex
    overlap: float = 10.0
    cut_order: bool = False
    strip: bool = False
    places: Places | None = None


@dataclass(frozen=True, slots=True)
class BackCorrection:
    """How backs must be drawn so that a printer puts them behind their faces: turned about the page centre
    by `rotation` degrees clockwise, scaled about it, then shifted by `dx`, `dy` mm. Stated as seen from the
    face, through the paper, x to the right and y down, and therefore the same whichever edge the printer
    flips on."""

    dx: float = 0.0
    dy: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    rotation: float = 0.0

    def matrix(self, page: Size) -> Matrix:
        """The correction as a map of a page of that size, still as seen from the face."""
        x, y, angle = page.width / 2, page.height / 2, math.radians(self.rotation)
        turn = Matrix(math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle))
        corrected = turn.then(Matrix(self.scale_x, 0, 0, self.scale_y, x + self.dx, y + self.dy))
        return Matrix(1, 0, 0, 1, -x, -y).then(corrected)


@dataclass(frozen=True, slots=True)
class PrinterProfile:
    """What was measured of a printer, for portrait and for landscape pages; None: not measured. (A
    driver may turn a landscape page either way, so the one does not follow from the other.) `margin` is
    what it leaves white at the paper's edges, mm at the widest of the four."""

    name: str
    portrait: BackCorrection | None = None
    landscape: BackCorrection | None = None
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """A card on a page.

    `trim` is where its trimmed edges lie on the page; `rotation` turns the artwork clockwise into
    it; `clip` is the area it may paint: trim plus the bleed on the sides that have room for it.
    `artwork` is a key into `Rendering.artworks`.
    """

    trim: Rect
    rotation: Rotation
    clip: Rect
    artwork: str
    component: str
    card: str
    shape: Shape = "rectangle"
    """The shape of the clip: an ellipse fills its rectangle."""
    mirrored: bool = False
    """Whether the artwork is mirrored in its upright middle line before it is turned."""


@dataclass(frozen=True, slots=True)
class Line:
    """A crop mark, fold line or join mark: a stroke between two points, `weight` mm wide."""

    x1: float
    y1: float
    x2: float
    y2: float
    weight: float
    dashed: bool = False


CASING = 5.0
"""How much wider than a cased line the white below it is."""


@dataclass(frozen=True, slots=True)
class CasedLine(Line):
    """A mark on art of any colour: black, with white on both sides of it, `casing` times as wide."""

    casing: float = CASING


@dataclass(frozen=True, slots=True)
class Outline:
    """A thin cut line around a shape, for tokens cut out by hand."""

    rect: Rect
    shape: Shape
    radius: float
    weight: float


@dataclass(frozen=True, slots=True)
class Label:
    """Small print outside the cards. `x`, `y` is the start of the baseline; `size` in mm;
    `rotation` counter-clockwise in degrees. `room` is how long the line may get in mm; a longer one
    is set smaller."""

    text: str
    x: float
    y: float
    size: float
    rotation: Literal[0, 90] = 0
    room: float | None = None


@dataclass(frozen=True, slots=True)
class Patch:
    """An area of one colour in the margin, by shares of cyan, magenta, yellow and black: `pure` as these
    inks, else as the colour of a screen that is meant by them."""

    rect: Rect
    inks: tuple[float, float, float, float]
    pure: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """An entry of the outline that points `y` mm down its page. `key` is what links call it; `level`
    counts from 0, and no entry is more than one level below the one before it."""

    key: str
    title: str
    level: int
    y: float


@dataclass(frozen=True, slots=True)
class Link:
    """An area of a page that leads to a heading's `key` (written "#key") or to an address."""

    area: Rect
    target: str


@dataclass(frozen=True, slots=True)
class Page:
    """One printed page. `trim` and `bleed` are its PDF TrimBox and BleedBox on the page. Everything on
    it is drawn through `adjust`, a printer's correction."""

    size: Size
    side: Side
    trim: Rect
    bleed: Rect
    slots: tuple[Slot, ...]
    lines: tuple[Line, ...] = ()
    outlines: tuple[Outline, ...] = ()
    labels: tuple[Label, ...] = ()
    bookmark: str | None = None
    """Titles of the outline entries that point here, where components start, one a line."""
    adjust: Matrix = IDENTITY
    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()
    pieces: tuple[Outline, ...] = ()
    """What is cut out, where that is not the trims of its slots."""
    marked: tuple[Rect, ...] = ()
    """The marks that a machine's cut file has to show as well."""
    cuts: tuple[Cut, ...] = ()
    creases: tuple[Cut, ...] = ()
    """Lines for a machine that stand on the page itself, in spot colours."""
    number: str | None = None
    """What viewers call it, such as the number that is printed on it; None: after its cards."""
    patches: tuple[Patch, ...] = ()


@dataclass(frozen=True, slots=True)
class ImposedSheet:
    """A sheet ready to be written: its pages in printing order. `cards` counts printed copies."""

    name: str
    paper: str
    duplex: Duplex
    pages: tuple[Page, ...]
    cards: int
