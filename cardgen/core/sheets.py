"""Define sheets: pages of slots, marks, labels and cuts, and flat boxes. Only numbers, in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from cardgen.core.geometry import IDENTITY, Matrix, Point, Rect, Shape, Size
from cardgen.core.records import dataclass, field

Duplex = Literal["long-edge", "short-edge", "fold", "none"]
DUPLEX: tuple[Duplex, ...] = get_args(Duplex)
"""All layouts, in the order of the help."""
Marks = Literal["crop", "outline", "silhouette", "opos", "none"]
Side = Literal["face", "back"]
Rotation = Literal[0, 90, 180, 270]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper format, upright."""

    name: str
    size: Size

    def doubled(self, known: Iterable[Paper]) -> Paper:
        """Return the paper of two sheets beside each other: one of the known papers, if it is that size."""
        size = Size(self.size.height, 2 * self.size.width)
        return next(
            (each for each in known if each.size.close_to(size)), Paper(f"{self.name}-double", size)
        )


@dataclass(frozen=True, slots=True)
class Places:
    """The places of pieces on paper with given places, such as labels: `columns` and `rows` of them, each
    of `size`, with `pitch` from the left or top of one to that of the next. `origin` is the first one's top
    left corner in mm; None centers them on the paper of that name, upright or `landscape`."""

    columns: int
    rows: int
    size: Size
    pitch: Size
    paper: str
    origin: tuple[float, float] | None = None
    landscape: bool = False

    def page(self, paper: Size) -> Size:
        """Return a paper in the orientation of the places."""
        return paper.upright.turned if self.landscape else paper.upright

    def area(self, page: Size) -> Rect:
        """Return the rectangle around all places of a page."""
        width = (self.columns - 1) * self.pitch.width + self.size.width
        height = (self.rows - 1) * self.pitch.height + self.size.height
        left, top = self.origin or ((page.width - width) / 2, (page.height - height) / 2)
        return Rect(left, top, width, height)


@dataclass(frozen=True, slots=True)
class Registration:
    """The marks of a Silhouette machine, in mm: their outer edges are `inset` from the paper's edges, the
    arms of an L `length` long and `thickness` wide, the `square` has that side, and `clear` around each is
    blank. With `four` corners an L replaces the square, and a fourth is at the lower right. The defaults
    are those of Silhouette Studio (length 20 mm, thickness 0.5 mm, inset 10 mm)."""

    inset: float = 10.0
    length: float = 20.0
    thickness: float = 0.5
    square: float = 5.0
    clear: float = 1.0
    four: bool = False


VARIANTS = "variants"
"""The key of a sheet layout's variants in its file."""


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """The geometry of a sheet, from `data/sheets/`.

    `grid` is "auto" (as many as fit, paper and cards turned as needed), "single" (one card a page, the page
    being trim plus bleed), "booklet" (two pages of a book side by side, in the order for folding) or
    (columns, rows). `gutter` is between trims; 0 means a shared cut. `bleed` runs outside the block (and
    into a gutter of at least twice its width). `margin` is the unprintable width at each paper edge. `grid`
    "tiled" cuts boards that are larger than the paper into tiles with an `overlap`. With `cut_order` the
    order of a guillotine's cuts is printed, with `strip` a strip of colors. With `places`, each piece is
    centered in one of them, and `grid` and `gutter` are ignored.
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
    registration: Registration = Registration()
    nest: bool = False
    """True if leftover cards of several sizes share pages."""
    stacks: bool = False
    """True if cut pages, stacked place by place, give the cards in order."""
    creep: float = 0.0
    """mm by which the pages of each sheet of a booklet are closer to the fold than those around it."""
    back_bleed: float | None = None
    """The bleed of backs, if it differs."""
    slug: float = 0.0
    """mm around the bleed of single pages, or at the paper's edges, with marks; 0 for none."""
    collate: bool = False
    """True if the waste of each sheet has a bar, one step further than that of the sheet before."""
    underlay: str | None = None
    """A PDF in `data/sheets/` whose first page is under faces, and whose second under backs."""
    drift: bool = True
    """True if a check says what cuts that are slightly off would show."""
    widen: bool = False
    """True if gutters are as wide as the page allows without fewer cards, up to two bleeds."""
    double: bool = False
    """True if its paper is twice as large as the chosen one."""
    variant_of: str | None = None
    """The layout whose file has this one as a variant."""

    @property
    def file(self) -> str:
        """Return its file, relative to the project."""
        return f"data/sheets/{self.variant_of or self.name}.yaml"

    def path(self, *keys: str) -> tuple[str, ...]:
        """Return the path of one of its values in its file."""
        return keys if self.variant_of is None else (VARIANTS, self.name, *keys)

    @property
    def of_backs(self) -> float:
        """Return the bleed of backs."""
        return self.bleed if self.back_bleed is None else self.back_bleed


@dataclass(frozen=True, slots=True)
class BackCorrection:
    """The correction of backs to align with their faces on a printer: rotated about the page center by
    `rotation` degrees clockwise, scaled about it, then shifted by `dx`, `dy` mm. The values are as seen
    from the face, through the paper, x to the right and y down, so they don't depend on the edge that the
    printer flips on.
    """

    dx: float = 0.0
    dy: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0
    rotation: float = 0.0

    def matrix(self, page: Size) -> Matrix:
        """Return the correction as a map of a page of that size, still as seen from the face."""
        x, y, angle = page.width / 2, page.height / 2, math.radians(self.rotation)
        turn = Matrix(math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle))
        corrected = turn.then(Matrix(self.scale_x, 0, 0, self.scale_y, x + self.dx, y + self.dy))
        return Matrix(1, 0, 0, 1, -x, -y).then(corrected)


@dataclass(frozen=True, slots=True)
class PrinterProfile:
    """The measurements of a printer, for portrait and for landscape pages; None: not measured. (A driver
    may turn a landscape page either way, so one doesn't imply the other.) `margin` is the white at the
    paper's edges, mm at the widest of the four."""

    name: str
    portrait: BackCorrection | None = None
    landscape: BackCorrection | None = None
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """A card on a page.

    `trim` is its trimmed rectangle on the page; `rotation` turns the artwork clockwise into it; `clip` is
    the area that it may paint: trim plus bleed on the sides with room for it. `artwork` is a key into
    `Rendering.artworks`.
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
    """True if the artwork is mirrored left to right before it is turned."""


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
"""The ratio of a cased line's white to its own width."""


@dataclass(frozen=True, slots=True)
class CasedLine(Line):
    """A mark on art of any color: black, with white on both sides of it, `casing` times as wide."""

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
    """Small print outside the cards. `x`, `y` is the start of the baseline; `size` in mm; `rotation`
    counter-clockwise in degrees. `room` is the maximum length in mm; a longer line is set smaller."""

    text: str
    x: float
    y: float
    size: float
    rotation: Literal[0, 90] = 0
    room: float | None = None


@dataclass(frozen=True, slots=True)
class Patch:
    """An area of one color in the margin, by shares of cyan, magenta, yellow and black: `pure` as these
    inks, else as the corresponding screen color.
    """

    rect: Rect
    inks: tuple[float, float, float, float]
    pure: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """An outline entry that points to `y` mm from the top of its page. `key` is its name in links; `level`
    counts from 0, and each entry is at most one level below the one before it."""

    key: str
    title: str
    level: int
    y: float


@dataclass(frozen=True, slots=True)
class Link:
    """An area of a page that links to a heading's `key` (written "#key") or to an address."""

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
    """Titles of the outline entries for this page, where components start, one a line."""
    adjust: Matrix = IDENTITY
    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()
    pieces: tuple[Outline, ...] = ()
    """The outlines to cut, if they differ from the trims of its slots."""
    marked: tuple[Rect, ...] = ()
    """The marks to repeat in a machine's cut file."""
    cuts: tuple[Cut, ...] = ()
    """Lines for a machine on the page itself, in spot colors."""
    number: str | None = None
    """Its name in viewers, such as its printed number; None: named after its cards."""
    patches: tuple[Patch, ...] = ()


@dataclass(frozen=True, slots=True)
class ImposedSheet:
    """A sheet ready to be written: its pages in printing order. `cards` counts printed copies."""

    name: str
    paper: str
    duplex: Duplex
    pages: tuple[Page, ...]
    cards: int


@dataclass(frozen=True, slots=True)
class Stroke:
    """A part of a cut, in mm of the page: a straight line, or with a `middle` a quarter of an ellipse
    around it, clockwise."""

    start: Point
    end: Point
    middle: Point | None = None

    @property
    def radii(self) -> Point:
        """Return the half axes of the ellipse, across and down; for a straight line (0, 0)."""
        if self.middle is None:
            return 0.0, 0.0
        x, y = self.middle
        return (
            max(abs(self.start[0] - x), abs(self.end[0] - x)),
            max(abs(self.start[1] - y), abs(self.end[1] - y)),
        )


Tool = Literal["cut", "half-cut", "crease", "perforation"]
"""What a machine does along a line: cut through, cut half through, crease to fold, perforate to tear."""
TOOLS: tuple[Tool, ...] = get_args(Tool)


@dataclass(frozen=True, slots=True)
class Cut:
    """Connected strokes for one tool. A closed cut ends where it begins."""

    strokes: tuple[Stroke, ...]
    tool: Tool = "cut"

    @property
    def closed(self) -> bool:
        return near(self.strokes[0].start) == near(self.strokes[-1].end)


_GRAIN = 2
"""Decimals of a mm at which two places are equal."""


def near(point: Point) -> Point:
    """Return a point to the hundredth of a mm."""
    return round(point[0], _GRAIN) + 0.0, round(point[1], _GRAIN) + 0.0


@dataclass(frozen=True, slots=True)
class Distance:
    """A distance from an edge: mm and a share of the whole side, added."""

    mm: float = 0.0
    share: float = 0.0

    def of(self, side: float) -> float:
        return self.mm + self.share * side


@dataclass(frozen=True, slots=True)
class TrimLine:
    """A straight line across a piece, for a tool: upright, `at` from the left, or level, `at` from the top,
    from `start` to `end` along it."""

    tool: Tool
    upright: bool
    at: Distance
    start: Distance = Distance()
    end: Distance = Distance(share=1.0)

    def on(self, trim: Size) -> Span:
        """Return its ends on a piece of that size, whose top left corner is at 0, 0."""
        across, along = (trim.width, trim.height) if self.upright else (trim.height, trim.width)
        at, start, end = self.at.of(across), self.start.of(along), self.end.of(along)
        return ((at, start), (at, end)) if self.upright else ((start, at), (end, at))


BoxForm = Literal["tuck", "wallet", "tray", "lid"]
PanelEdge = Literal["top", "right", "bottom", "left"]
Edge = Literal["cut", "fold", "glue"]
"""The kinds of a panel's edge: cut, folded, or folded to a glue flap."""
Span = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Room:
    """The inside of a box in mm: across, from top to bottom, from front to back."""

    width: float
    height: float
    depth: float


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a box between folds and cuts.

    `rect` is the rectangle around it, `corners` go around it clockwise as seen on the printed side, and
    `edges[i]` is the edge between corner i and the next. `turn` is the clockwise rotation of art in the
    flat that makes it upright on the folded box, seen from the front (a lid: from in front of it; the back:
    from behind). The `hinge` connects it to its `parent`, from its first corner to its last; the first has
    none. `glued`: its printed side receives glue.
    """

    name: str
    rect: Rect
    corners: tuple[Point, ...]
    edges: tuple[Edge, ...]
    turn: Rotation = 0
    parent: str | None = None
    hinge: Span | None = None
    glued: bool = False

    @property
    def upright(self) -> Size:
        """Return the panel's size for upright art."""
        return self.rect.size if self.turn in (0, 180) else self.rect.size.turned

    @property
    def placing(self) -> Matrix:
        """Return the map of upright art, its top left corner at 0, 0, to the flat."""
        return placed(self.rect, self.turn)


def placed(rect: Rect, turn: Rotation) -> Matrix:
    """Return the map of art, its top left corner at 0, 0, into a rectangle, turned clockwise."""
    return {
        0: Matrix(1, 0, 0, 1, rect.x, rect.y),
        90: Matrix(0, 1, -1, 0, rect.right, rect.y),
        180: Matrix(-1, 0, 0, -1, rect.right, rect.bottom),
        270: Matrix(0, -1, 1, 0, rect.x, rect.bottom),
    }[turn]


@dataclass(frozen=True, slots=True)
class Dieline:
    """A box in the flat, `size` of it. `room` is the inside once folded from card `paper` mm thick, `outer`
    the outside. `outline` goes around the sheet clockwise, `slits` are cuts inside it, `folds` don't
    include the slits, `glue` are areas without ink. Ink extends `overlap` mm onto glued flaps. `cards` is
    its capacity."""

    form: BoxForm
    size: Size
    room: Room
    outer: Room
    paper: float
    overlap: float
    panels: tuple[Panel, ...]
    outline: tuple[Point, ...]
    slits: tuple[Span, ...]
    folds: tuple[Span, ...]
    glue: tuple[tuple[Point, ...], ...]
    cards: int = 0
    about: Mapping[str, Any] = field(default_factory=dict)
    """Further variables for templates."""

    def panel(self, name: str) -> Panel:
        """Return the panel with that name; StopIteration if there is none."""
        return next(panel for panel in self.panels if panel.name == name)


MIN_TRIM = 5.0
"""Smallest trimmed side in mm: cutters can't hold smaller pieces."""
MAX_TRIM = 2000.0
"""Largest trimmed side in mm, and of paper: the widest playmats are 1830 mm, printers' rolls 1600."""
MAX_BLEED = 25.0
"""Widest bleed of a component in mm; printers ask for 2 to 6."""
MAX_CREEP = 2.0
"""Largest creep of a booklet's sheet in mm: four times the thickest card that folds."""
MAX_GUTTER = 50.0
"""Widest gutter, bleed, margin and overlap of a sheet in mm; more is a wrong unit."""
LEAST_PAGE = 90.0
"""Least side of a book's page in mm."""
MAX_STOCK = 5.0
"""Thickest card in mm, in a box and of one: more is a board, or a wrong unit."""
MAX_PLAY = 100.0
"""Most spare room in mm for the cards in a box; more is a wrong unit."""
MAX_TYPE = 20.0
"""Largest setting of a minimum type size in mm; more is a wrong unit."""
LEAST_INK, MOST_INK = 180, 400
"""Range of a press's maximum ink, in percent, all four inks together: less prints nothing dark, more is
impossible."""
MAX_PIECES = 200_000
"""Most pieces of a game, with copies: 20,000 cards ten times."""
MAX_STICKERS = 20_000
"""Most distinct stickers of the dice of a component: 3,000 dice of six faces."""
MAX_PAGES = 50_000
"""Most pages of a sheet: faces and backs of 20,000 cards, one a page, and a quarter more."""
MAX_TILES = 1_000
"""Most tiles of a board. 2000×2000 mm on A4 take 96."""
