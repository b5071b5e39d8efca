"""Define the look of a book: colors, fonts, sizes, the grid, and the canvas."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cardgen.book.elements import CardRef, find_side
from cardgen.core.artwork import Artwork, Color, IconRun, Item, Picture, Placed, SetText, TextRun, contrast
from cardgen.core.book import BookGame
from cardgen.core.findings import Findings, did_you_mean
from cardgen.core.game import Component
from cardgen.core.geometry import MM_PER_PT, Matrix, Point, Rect, Shape, Size, corners_of
from cardgen.core.records import dataclass, field, replace
from cardgen.core.sheets import Heading, Link
from cardgen.text.fonts import FontBook
from cardgen.text.shaping import Font, FontError

TEXT, DISPLAY = "IBM Plex Sans", "IBM Plex Sans Condensed"
CODE = "IBM Plex Mono"

INK = "#1b1b1f"
WHITE: Color = (1.0, 1.0, 1.0)
CONTRAST = 4.5
"""Minimum contrast of text, a WCAG 2 ratio."""

LINE = 13.0 * MM_PER_PT
"""From baseline to baseline of the text, mm. Other distances are multiples of a quarter of it."""
STEP = LINE / 4
TEXT_SIZE = 9.4 * MM_PER_PT
SMALL_SIZE = 8.4 * MM_PER_PT
TINY_SIZE = 7.5 * MM_PER_PT
"""The size of running heads and page numbers, the smallest in a book."""
LEAD_SIZE = 11.5 * MM_PER_PT
SMALL_LINE = STEP * 3.5


@dataclass(frozen=True, slots=True)
class Margins:
    """Distances of the text from the edges of a page, mm; `inner` is at the fold."""

    top: float
    bottom: float
    inner: float
    outer: float

    @classmethod
    def of(cls, trim: Size) -> Margins:
        """Return 14 to 18 mm for A5 and half letter, in proportion for other sizes."""
        scale = max(0.75, min(trim.width / 140, 1.6))
        return cls(17 * scale, 17 * scale, 15.5 * scale, 14 * scale)


@dataclass(frozen=True, slots=True)
class Art:
    """A side of a card as a picture, or the part of it with this name; and its path in the look. `focus`
    is the place that a crop keeps, from 0 at the top to 1 at the bottom."""

    ref: CardRef
    part: str | None
    path: tuple[str | int, ...]
    focus: float = 0.5


@dataclass(frozen=True, slots=True)
class Look:
    """Colors are sRGB from 0 to 1. `cover` are the cards of the title page, unless it has a `front`."""

    ink: Color
    accent: Color
    tint: Color
    soft: Color
    ground: Color
    on_ground: Color
    display: Font
    regular: Font
    bold: Font
    italic: Font
    bold_italic: Font
    code: Font
    cover: tuple[CardRef, ...]
    language: str
    rule: str = "bar"
    """The ornament above the titles of chapters: "bar", "line", "double", "dots", "stripes", "none"; or
    behind them: "plate", "band"."""
    style: str = "plain"
    """What surrounds the text of pages and call-outs: "plain", "terminal", "window", "tower", "hexagon" or
    "sticker"."""
    ornament: str | None = None
    """The icon above them."""
    initial: Color | None = None
    """The color of the first letter of each chapter; None for a letter of normal size."""
    front: Art | None = None
    """The picture that fills the title page."""
    opener: Art | None = None
    """The picture above the introduction."""
    back: Art | None = None
    """The picture on the back of the book."""
    spots: tuple[Art, ...] = ()
    """Pictures for the foot of pages that are not full."""
    openers: Mapping[int, Art] = field(default_factory=dict)
    """Pictures above chapters, by their numbers from 1: these chapters start a page."""

    @property
    def banded(self) -> bool:
        """Return True if the labels of call-outs are on bands in the color of the title page."""
        return self.style in ("terminal", "window", "sticker")

    @property
    def art(self) -> tuple[Art, ...]:
        """Return all pictures."""
        single = (self.front, self.opener, self.back)
        return tuple(art for art in (*single, *self.spots, *self.openers.values()) if art is not None)

    @property
    def shown(self) -> tuple[CardRef, ...]:
        """Return the sides on the title page, then those of pictures."""
        return (*(self.cover if self.front is None else ()), *(art.ref for art in self.art))

    def font(self, *, bold: bool, italic: bool) -> Font:
        if bold:
            return self.bold_italic if italic else self.bold
        return self.italic if italic else self.regular


def resolve_look(
    game: BookGame, component: Component, fonts: FontBook, findings: Findings, *, low_ink: bool = False
) -> Look | None:
    """Return the look of a book component; None after findings at its place in game.yaml.

    With `low_ink`, a book is black on white. Findings, all errors: `book/color`, `book/contrast`,
    `book/card` and those of fonts.
    """
    assert component.book is not None
    return _Resolver(game, component, fonts, findings, low_ink=low_ink).resolve(component.book.look)


class _Resolver:
    def __init__(
        self, game: BookGame, component: Component, fonts: FontBook, findings: Findings, *, low_ink: bool
    ) -> None:
        self.game, self.component, self.fonts, self.findings = game, component, fonts, findings
        self.low_ink = low_ink
        theme = game.theme
        palette = theme.get("full")
        self.colors: dict[str, Any] = {**(palette if isinstance(palette, Mapping) else {}), **theme}

    def resolve(self, look: Mapping[str, Any]) -> Look | None:
        before = len(self.findings.errors)
        ink = self._color(look, "ink") or hex_color(INK)
        accent = self._color(look, "accent") or ink
        tint = self._color(look, "tint") or mixed(accent, WHITE, 0.9)
        ground = self._color(look, "ground") or accent
        on_ground = self._color(look, "on_ground") or max(
            (WHITE, ink), key=lambda color: contrast(color, ground)
        )
        initial = self._color(look, "initial")
        cover = self._cover(look)
        front, opener, back = (self._art(look.get(key), key) for key in ("front", "opener", "back"))
        spots = [self._art(each, "spots", index) for index, each in enumerate(look.get("spots", ()))]
        openers = {
            each["chapter"]: self._art(each, "openers", index)
            for index, each in enumerate(look.get("openers", ()))
        }
        for key, color, under in (
            ("ink", ink, WHITE),
            ("ink", ink, tint),
            ("accent", accent, WHITE),
            ("accent", accent, tint),
            ("on_ground", on_ground, ground),
        ):
            self._check(look, key, color, under)
        if initial is not None:
            self._check(look, "initial", initial, WHITE)
        if self.low_ink:
            accent, tint, ground, on_ground = ink, WHITE, WHITE, ink
            initial = initial and ink
        try:
            text = str(look.get("text", TEXT))
            faces = [
                self.fonts.face(text, weight, italic) for weight in (400, 700) for italic in (False, True)
            ]
            code = self.fonts.face(CODE)
            display = self._display(str(look.get("display", DISPLAY)))
        except FontError as error:
            key = (
                "display"
                if look.get("display") and error.findings[0].message.find(f"'{look['display']}'") >= 0
                else "text"
            )
            for finding in error.findings:
                self.findings.error(finding.code, finding.message, self._place(key), finding.hint)
            return None
        if len(self.findings.errors) > before:
            return None
        regular, italic, bold, bold_italic = faces
        return Look(
            ink,
            accent,
            tint,
            mixed(ink, WHITE, 0.35),
            ground,
            on_ground,
            display,
            regular,
            bold,
            italic,
            bold_italic,
            code,
            cover,
            self.game.language,
            str(look.get("rule", "bar")),
            str(look.get("style", "plain")),
            look.get("ornament"),
            initial,
            front,
            opener,
            back,
            tuple(art for art in spots if art is not None),
            {key: art for key, art in openers.items() if art is not None},
        )

    def _display(self, family: str) -> Font:
        """Return the heaviest upright face of a family."""
        known = self.fonts.families.get(family)
        weights = [weight for weight, italic in known.faces if not italic] if known else []
        return self.fonts.face(family, max(weights, default=700))

    def _color(self, look: Mapping[str, Any], key: str) -> Color | None:
        name = look.get(key)
        if name is None:
            return None
        value = self.colors.get(name, name) if not str(name).startswith("#") else name
        if isinstance(value, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", value):
            return hex_color(value)
        hint = did_you_mean(str(name), self.colors) or "write a value such as '#c1127a'"
        what = "is not a color such as '#c1127a'" if name in self.colors else "is not in the theme"
        if isinstance(value, Mapping):
            what, hint = "is a group of colors", "write one of its colors, such as '#c1127a'"
        self.findings.error("book/color", f"the color '{name}' {what}", self._place(key), hint)
        return None

    def _cover(self, look: Mapping[str, Any]) -> tuple[CardRef, ...]:
        wanted = look.get("cover")
        if wanted is None:
            return () if self.game.cover is None else (CardRef(*self.game.cover, "back"),)
        refs = (self._ref(name, "cover", index) for index, name in enumerate(wanted))
        return tuple(ref for ref in refs if ref is not None)

    def _art(self, wanted: Mapping[str, Any] | None, *path: str | int) -> Art | None:
        ref = None if wanted is None else self._ref(wanted["card"], *path, "card")
        if wanted is None or ref is None:
            return None
        return Art(ref, wanted.get("part"), path, float(wanted.get("focus", 0.5)))

    def _ref(self, name: str, *path: int | str) -> CardRef | None:
        """Return the side with that name; None after a finding."""
        found = find_side(name, self.game.cards)
        if isinstance(found, CardRef):
            return found
        self.findings.error("book/card", found[0], self._place(*path), found[1])
        return None

    def _check(self, look: Mapping[str, Any], key: str, color: Color, ground: Color) -> None:
        ratio = contrast(color, ground)
        if ratio < CONTRAST - 0.005:
            what = "white paper" if ground == WHITE else "the background of call-outs"
            if key == "on_ground":
                what = "the title page"
            self.findings.error(
                "book/contrast",
                f"the contrast of '{key}' to {what} is {ratio:.1f}, less than {CONTRAST:g}",
                self._place(key if key in look else "ground"),
                "choose a darker (or lighter) color",
            )

    def _place(self, *path: int | str) -> Any:
        file = f"data/{self.game.id}/game.yaml"
        return self.game.locator.locate(file, ("components", self.component.id, "look", *path))


def hex_color(value: str) -> Color:
    """Return `#rrggbb` as a color."""
    return (int(value[1:3], 16) / 255, int(value[3:5], 16) / 255, int(value[5:7], 16) / 255)


def css(color: Color) -> str:
    """Return a color as `#rrggbb`."""
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in color)


def mixed(color: Color, other: Color, share: float) -> Color:
    """Return `color` mixed with a share of `other`, from 0 to 1."""
    red, green, blue = (round(one + (two - one) * share, 6) for one, two in zip(color, other))
    return (red, green, blue)


Run = TextRun | IconRun


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side of a card for a page: its artwork's key and its trimmed shape, mm."""

    artwork: str
    size: Size
    bleed: float
    shape: Shape
    radius: float

    @property
    def trim(self) -> Rect:
        return Rect(0, 0, self.size.width, self.size.height).inset(self.bleed)


class PagePainter:
    """The drawing on a page, in mm from the upper left corner of its trim; the bleed is beyond the trim."""

    def __init__(self, size: Size, bleed: float = 0.0) -> None:
        self.size, self.bleed = size, bleed
        self.shapes: list[str] = []
        self.placed: list[Placed] = []
        self.over: list[str] = []
        """Shapes on top of cards."""
        self.texts: list[SetText] = []
        self.headings: list[Heading] = []
        self.links: list[Link] = []

    def ground(self, fill: Color) -> None:
        """Fill all of the page, including its bleed."""
        self.rect(Rect(0, 0, self.size.width, self.size.height).inset(-self.bleed), fill)

    def rect(self, rect: Rect, fill: Color, radius: float = 0.0) -> None:
        corners = f' rx="{radius:.3f}"' if radius else ""
        self.shapes.append(
            f'<rect x="{rect.x:.3f}" y="{rect.y:.3f}" width="{rect.width:.3f}" '
            f'height="{rect.height:.3f}"{corners} fill="{css(fill)}"/>'
        )

    def disc(self, middle: Point, radius: float, fill: Color, edge: Color, width: float) -> None:
        """Draw an outlined disc on top of cards."""
        x, y = middle
        self.over.append(
            f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{radius + width:.3f}" fill="{css(edge)}"/>'
            f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{radius:.3f}" fill="{css(fill)}"/>'
        )

    def line(self, points: Sequence[Point], width: float, ink: Color) -> None:
        """Draw a line on top of cards."""
        path = "L".join(f"{x:.3f} {y:.3f}" for x, y in points)
        self.over.append(
            f'<path d="M{path}" fill="none" stroke="{css(ink)}" stroke-width="{width:.3f}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def panel(
        self,
        rect: Rect,
        fill: Color,
        edge: Color,
        *,
        radius: float = 0.0,
        degrees: float = 0.0,
        below: bool = False,
    ) -> None:
        """Draw a rectangle above or `below` cards with a thin edge inside, turned clockwise about its
        center."""
        inner = rect.inset(LINE_WIDTH / 2)
        middle = f"{rect.x + rect.width / 2:.3f} {rect.y + rect.height / 2:.3f}"
        turn = f' transform="rotate({degrees:.3f} {middle})"'
        (self.shapes if below else self.over).append(
            f'<rect x="{inner.x:.3f}" y="{inner.y:.3f}" width="{inner.width:.3f}" '
            f'height="{inner.height:.3f}" rx="{radius:.3f}" fill="{css(fill)}" stroke="{css(edge)}" '
            f'stroke-width="{LINE_WIDTH}"{turn if degrees else ""}/>'
        )

    def text(self, runs: Iterable[Run], x: float, y: float) -> None:
        """Draw runs, moved by `x` and `y`."""
        painted = tuple(runs)
        for run in painted:
            if isinstance(run, TextRun) and run.target is not None:
                area = Rect(x + run.x, y + run.y - run.size, run.advance, 1.3 * run.size)
                self.links.append(Link(area, run.target))
        if painted:
            box = Rect(0, 0, self.size.width, self.size.height)
            size = max(run.size for run in painted)
            self.texts.append(SetText(painted, box, size, Matrix(1, 0, 0, 1, x, y)))

    def side(
        self, side: ShownSide, middle: tuple[float, float], width: float, degrees: float = 0.0
    ) -> None:
        """Draw a card with its center there, `width` mm wide, turned clockwise, with a thin edge that
        separates a light card from the paper."""
        trim = side.trim
        scale = width / trim.width
        turn = Matrix(scale, 0, 0, scale, 0, 0)
        if degrees:
            turn = turn.then(rotation(degrees))
        matrix = (
            Matrix(1, 0, 0, 1, -side.size.width / 2, -side.size.height / 2)
            .then(turn)
            .then(Matrix(1, 0, 0, 1, *middle))
        )
        self._edge(trim.inset(-EDGE / scale), side, matrix, EDGE / scale)
        self.placed.append(Placed(side.artwork, matrix, trim, side.shape, side.radius))

    def part(self, side: ShownSide, part: Rect, area: Rect, *, edged: bool = True) -> None:
        """Draw a part of a side, mm from the corner of its trim, to fill an area of the same
        proportions."""
        scale = area.width / part.width
        seen = Rect(side.bleed + part.x, side.bleed + part.y, part.width, part.height)
        matrix = Matrix(scale, 0, 0, scale, area.x - seen.x * scale, area.y - seen.y * scale)
        if edged:
            plain = ShownSide(side.artwork, side.size, side.bleed, "rectangle", 0.0)
            self._edge(seen.inset(-EDGE / scale), plain, matrix, 0.0)
        self.placed.append(Placed(side.artwork, matrix, seen))

    def _edge(self, rect: Rect, side: ShownSide, matrix: Matrix, extra: float) -> None:
        radius = side.radius + extra if side.radius else 0.0
        rx, ry = (rect.width / 2, rect.height / 2) if side.shape == "ellipse" else (radius, radius)
        values = " ".join(
            f"{value:.6f}" for value in (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        )
        if (corners := corners_of(side.shape, rect)) is not None:
            points = " ".join(f"{x:.4f},{y:.4f}" for x, y in corners)
            self.shapes.append(
                f'<polygon points="{points}" transform="matrix({values})" fill="{EDGE_INK}"/>'
            )
            return
        self.shapes.append(
            f'<rect x="{rect.x:.4f}" y="{rect.y:.4f}" width="{rect.width:.4f}" height="{rect.height:.4f}" '
            f'rx="{rx:.4f}" ry="{ry:.4f}" transform="matrix({values})" fill="{EDGE_INK}"/>'
        )

    def artwork(self, name: str) -> Artwork:
        """Return everything on the page, as a side: shapes, then cards, then shapes above these, then
        text."""
        moved = Matrix(1, 0, 0, 1, self.bleed, self.bleed)
        items: list[Item] = [*self._picture(self.shapes)]
        items += (replace(placed, matrix=placed.matrix.then(moved)) for placed in self.placed)
        items += self._picture(self.over)
        items += (replace(text, matrix=text.matrix.then(moved)) for text in self.texts)
        return Artwork(name, self.size.grown(self.bleed), self.bleed, tuple(items))

    def _picture(self, shapes: Sequence[str]) -> list[Picture]:
        """Return shapes as a picture, if there are any."""
        if not shapes:
            return []
        size = self.size.grown(self.bleed)
        width, height = f"{size.width:.4f}", f"{size.height:.4f}"
        corner = f"{-self.bleed:.4f}" if self.bleed else "0"
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="{corner} {corner} {width} {height}">{"".join(shapes)}</svg>'
        )
        key = hashlib.blake2b(svg.encode(), digest_size=16).hexdigest()
        return [Picture(f"book-{key}", svg)]

    def icons(self) -> set[str]:
        """Return the names of the icons in the text."""
        return {run.icon for text in self.texts for run in text.runs if isinstance(run, IconRun)}


EDGE = 0.12
"""Width of the edge around a card, mm."""
EDGE_INK = "#b9b9be"
LINE_WIDTH = 0.25
"""Width of the edge of a panel, mm."""


def rotation(degrees: float) -> Matrix:
    """Return a turn clockwise about the origin."""
    angle = math.radians(degrees)
    cosine, sine = math.cos(angle), math.sin(angle)
    return Matrix(cosine, sine, -sine, cosine, 0, 0)


# ---------------------------------------------------------------- styles

BAND = 1.55 * LINE
"""mm: height of the band behind a running head, and of the one behind a call-out's label."""
TOWER = 7.0
"""mm: width of the tower at the outer edge of pages."""
NARROW = 60.0
"""mm: up to this width a window's bar has a single button."""
NUMBER = 4.4
"""mm: half the width of the sign around a page's number."""


@dataclass(frozen=True, slots=True)
class Furniture:
    """The running head's and the page number's colors, and the center of the number, or None if it is below
    the text."""

    head: Color
    number: Color
    middle: Point | None = None


def paint_page(painter: PagePainter, look: Look, area: Rect, *, right: bool) -> Furniture:
    """Draw what surrounds the text of a page in the book's style, below everything else, and the sign
    around its number, above pictures; `right` pages have their outer edge on the right."""
    size, bleed = painter.size, painter.bleed
    under: list[str] = []
    badge = painter.over
    whole = Rect(0, 0, size.width, size.height).inset(-bleed)
    foot = area.bottom + 1.6 * LINE
    across = area.right - NUMBER if right else area.x + NUMBER
    light = mixed(look.accent, WHITE, 0.72)
    found = Furniture(look.soft, look.accent)
    if look.style == "terminal":
        head = Rect(whole.x, whole.y, whole.width, area.y - 0.6 * LINE - whole.y)
        under += [_rect(head, look.ground), _rect(replace(head, y=head.bottom, height=0.4), look.accent)]
        edge = size.width - 7.0 if right else 7.0
        for row in range(int(area.height / 2.4)):  # a punched tape
            for column in range(3):
                if (row * row + 3 * column + row * column) % 5 < 2:
                    hole = Rect(edge + (column - 1.5) * 2.0, area.y + row * 2.4, 1.1, 1.1)
                    under.append(_rect(hole, light))
        tab = Rect(across - NUMBER, foot - LINE * 0.75, 2 * NUMBER, 1.5 * LINE)
        badge.append(_rect(tab, look.ground, look.accent))
        found = Furniture(look.on_ground, look.on_ground, (across, foot))
    elif look.style == "window":
        frame = _window(area)
        if look.ground != WHITE:
            under.append(_rect(whole, mixed(look.ground, WHITE, 0.62)))
            under.append(_rect(_moved(frame, 1.2, 1.2), mixed(look.ground, look.ink, 0.35)))
        under += [_rect(frame, WHITE, look.ink), *_title_bar(look, replace(frame, height=BAND).inset(0.5))]
        status = frame.bottom - 1.75 * LINE
        under.append(_rect(Rect(frame.x + 2, status, frame.width - 4, 0.25), look.soft))
        found = Furniture(look.on_ground, look.accent, (across, frame.bottom - 0.88 * LINE))
    elif look.style == "tower":
        x = size.width - TOWER if right else whole.x
        under.append(_rect(Rect(x, whole.y, TOWER + bleed, whole.height), look.ground, look.ink))
        x = size.width - TOWER if right else 0.0
        for row in range(int(size.height / 5.2)):
            for column in range(2):
                lit = (row * 5 + column * 3 + row * row * 2) % 7 < 3
                pane = Rect(x + 1.2 + column * 2.7, 2.0 + row * 5.2, 1.9, 2.9)
                fill = look.tint if lit else mixed(look.ground, WHITE, 0.22)
                under.append(_rect(pane, fill, look.ink if look.ground == WHITE else None))
        plate = Rect(x - 0.8, foot - LINE * 0.8, TOWER + 1.6, 1.6 * LINE)
        badge.append(_rect(plate, look.tint, look.ink))
        found = Furniture(look.soft, look.accent, (x + TOWER / 2, foot))
    elif look.style == "hexagon":
        corner = whole.right if right else whole.x
        for ring in range(5):
            circle = f'<circle cx="{corner:.3f}" cy="{whole.bottom:.3f}" r="{8 + 3 * ring:.3f}"'
            ink = css(mixed(look.accent, WHITE, 0.55 + 0.08 * ring))
            under.append(f'{circle} fill="none" stroke="{ink}" stroke-width="0.35"/>')
        badge.append(_hexagon((across, foot), NUMBER, WHITE, look.accent))
        tip = area.right + 1.6 if right else area.x - 1.6
        under.append(_hexagon((tip, area.y - 0.82 * LINE), 1.1, look.accent, look.accent))
        found = Furniture(look.soft, look.accent, (across, foot))
    elif look.style == "sticker":
        corner = whole.right if right else whole.x
        for row in range(7):  # a halftone
            for column in range(14 - 2 * row):
                dot = 1.15 - 0.075 * column - 0.12 * row
                x = corner + (-1 if right else 1) * (1.5 + 3.0 * column + 1.5 * (row % 2))
                if dot > 0.15:
                    at = f'cx="{x:.3f}" cy="{whole.bottom - 1.5 - 2.6 * row:.3f}"'
                    under.append(f'<circle {at} r="{dot:.3f}" fill="{css(light)}"/>')
        for middle, fill in (((across + 0.5, foot + 0.7), look.ink), ((across, foot), WHITE)):
            badge.append(_disc(middle, NUMBER, fill, look.ink))
        badge.append(_disc((across, foot), NUMBER - 0.8, look.ground, look.ink))
        found = Furniture(look.soft, look.on_ground, (across, foot))
    painter.shapes[:0] = under
    return found


def _window(area: Rect) -> Rect:
    """Return the window around a text area."""
    return Rect(area.x - 5, area.y - 2.2 * LINE, area.width + 10, area.height + 4.7 * LINE)


def picture_room(painter: PagePainter, look: Look, area: Rect, *, right: bool) -> Rect:
    """Return the part of a page, beyond its text area, that pictures at its head and foot fill."""
    size = painter.size
    whole = Rect(0, 0, size.width, size.height).inset(-painter.bleed)
    if look.style == "terminal":
        top = area.y - 0.6 * LINE + 0.4
        return replace(whole, y=top, height=whole.bottom - top)
    if look.style == "window":
        frame = _window(area)
        top, end = frame.y + BAND, frame.bottom - 1.75 * LINE
        edge = LINE_WIDTH / 2
        return Rect(frame.x + edge, top, frame.width - 2 * edge, end - top)
    if look.style == "tower":
        x = whole.x if right else TOWER
        return replace(whole, x=x, width=whole.width - TOWER - painter.bleed)
    if look.style == "plain":
        return replace(whole, height=area.bottom - whole.y)
    return whole


EDGE_DEPTH = {"terminal": 3.0, "window": 6.6, "hexagon": 8.0, "sticker": 4.5}
"""mm: how far the paper's edge reaches into a picture at the head or foot of a page, by style."""
PIXEL = 2.2
"""mm: a step of a window's picture."""


def paint_picture_edge(painter: PagePainter, look: Look, room: Rect, y: float, *, is_head: bool) -> None:
    """Draw the edge between the text and a picture at the head or foot of a page, which ends at `y`, as
    paper in the book's style above the picture."""
    deep = EDGE_DEPTH.get(look.style, 0.0)
    into = -deep if is_head else deep
    left, right, wide = room.x, room.right, room.width
    points: list[Point] = []
    width, ink = 0.5, look.accent
    if look.style == "terminal":  # a conductor's bends
        for share, level in (
            (0.0, 0),
            (0.1, 0),
            (0.1, 1),
            (0.5, 1),
            (0.5, 0),
            (0.88, 0),
            (0.88, 1),
            (1.0, 1),
        ):
            lean = deep if level == 1 and share in (0.1, 0.88) else 0.0
            lean = deep if level == 0 and share == 0.5 else lean
            points.append((left + share * wide + lean, y + level * into))
        points[-1] = (right, y + into)
    elif look.style == "window":  # pixels
        count = math.ceil(wide / PIXEL)
        for column in range(count):
            level = (column * column * 3 + column // 2 * 7 + column // 5) % 11
            steps = 0 if level < 6 else 1 if level < 10 else 2
            step = y + (-steps if is_head else steps) * PIXEL
            points += [(left + column * PIXEL, step), (min(left + (column + 1) * PIXEL, right), step)]
        width = 0.0
    elif look.style == "hexagon":  # two corners of a hexagon
        across = deep * math.sqrt(3)
        points = [(left, y + into), (left + across, y), (right - across, y), (right, y + into)]
        width = 0.8
    elif look.style == "sticker":  # a torn comic
        count = 12
        for tooth in range(count + 1):
            high = (0.0, 1.0, 0.35, 0.8, 0.15, 0.65)[tooth % 6]
            points.append((left + wide * tooth / count, y + high * into))
        width, ink = 0.9, look.ink
    elif look.style == "tower":
        paint_stripes(painter, look, Rect(left, y - (1.6 if is_head else 0.0), wide, 1.6), above=True)
    if points:
        outside = y + (0.4 if is_head else -0.4)
        path = "L".join(f"{x:.3f} {at:.3f}" for x, at in points)
        painter.over.append(
            f'<path d="M{left:.3f} {outside:.3f}L{path}L{right:.3f} {outside:.3f}Z" fill="{css(WHITE)}"/>'
        )
        if width:
            stroke = f'stroke="{css(ink)}" stroke-width="{width}" stroke-linejoin="round"'
            painter.over.append(f'<path d="M{path}" fill="none" {stroke}/>')


def paint_plate(painter: PagePainter, look: Look, rect: Rect) -> None:
    """Draw the plate of a title on a picture, in the book's style."""
    if look.style == "hexagon":
        cut = rect.height / 2
        left, right, top, bottom = rect.x - cut * 0.6, rect.right + cut * 0.6, rect.y, rect.bottom
        middle = (top + bottom) / 2
        corners = [
            (rect.x, top),
            (rect.right, top),
            (right, middle),
            (rect.right, bottom),
            (rect.x, bottom),
        ]
        painter.shapes.append(_polygon([*corners, (left, middle)], look.ground, look.accent))
        return
    painter.shapes += [_rect(rect, look.ground, look.ink), _rect(replace(rect, width=1.4), look.accent)]


def paint_frame(painter: PagePainter, look: Look, rect: Rect, head: float) -> None:
    """Draw the frame of a call-out in the book's style; `head` is the height of its label's band, mm."""
    band = replace(rect, height=head)
    shapes = painter.shapes
    if look.style == "terminal":
        shapes += [
            _rect(rect, look.tint, look.accent),
            *([_rect(band, look.ground, look.ink)] if head else ()),
        ]
    elif look.style == "window":
        shadow = WHITE if look.ground == WHITE else mixed(look.ink, WHITE, 0.7)
        shapes += [_rect(_moved(rect, 0.8, 0.8), shadow), _rect(rect, look.tint, look.ink)]
        shapes += _title_bar(look, band.inset(0.35)) if head else ()
    elif look.style == "tower":
        painter.rect(rect, look.tint)
        for x, step in ((rect.x, 1), (rect.right, -1)):
            for y, down in ((rect.y, 1), (rect.bottom, -1)):
                points = f"{x + 5 * step:.3f} {y:.3f}H{x:.3f}V{y + 5 * down:.3f}"
                stroke = f'stroke="{css(look.accent)}" stroke-width="0.9"'
                shapes.append(f'<path d="M{points}" fill="none" {stroke}/>')
    elif look.style == "hexagon":
        cut = 3.2
        left, right, top, bottom = rect.x, rect.right, rect.y, rect.bottom
        corners = ((left + cut, top), (right, top), (right, bottom - cut), (right - cut, bottom))
        shapes.append(_polygon([*corners, (left, bottom), (left, top + cut)], look.tint, look.accent))
    elif look.style == "sticker":
        painter.panel(_moved(rect, 0.6, 1.0), look.ink, look.ink, radius=2.2, below=True)
        painter.panel(rect, WHITE, look.ink, radius=2.2, below=True)
        painter.panel(rect.inset(0.9), look.tint, look.ink, radius=1.5, below=True)
        if head:
            label = replace(band.inset(0.9), height=head - 0.9)
            painter.panel(label, look.ground, look.ink, radius=1.5, below=True)
    else:
        painter.rect(rect, look.tint)
        painter.rect(replace(rect, width=0.9), look.accent)


def _title_bar(look: Look, bar: Rect) -> list[str]:
    """Return the bar of a window, with its buttons at the right."""
    shapes = [_rect(bar, look.accent if look.ground != WHITE else WHITE, look.ink)]
    side = min(bar.height - 1.8, 3.4)
    for place in range(3 if bar.width > NARROW else 1):
        button = Rect(
            bar.right - 0.9 - side - place * (side + 0.5), bar.y + (bar.height - side) / 2, side, side
        )
        inner = button.inset(side * 0.27)
        shapes.append(_rect(button, look.tint, look.ink))
        sign = (
            f"M{inner.x:.3f} {inner.y:.3f}L{inner.right:.3f} {inner.bottom:.3f}"
            f"M{inner.right:.3f} {inner.y:.3f}L{inner.x:.3f} {inner.bottom:.3f}",
            f"M{inner.x:.3f} {inner.y:.3f}H{inner.right:.3f}V{inner.bottom:.3f}H{inner.x:.3f}Z",
            f"M{inner.x:.3f} {inner.bottom:.3f}H{inner.right:.3f}",
        )[place]
        shapes.append(f'<path d="{sign}" fill="none" stroke="{css(look.ink)}" stroke-width="0.4"/>')
    return shapes


def _moved(rect: Rect, across: float, down: float) -> Rect:
    return replace(rect, x=rect.x + across, y=rect.y + down)


def box_of(rect: Rect) -> str:
    """Return the place and size of a rectangle as attributes in SVG."""
    return f'x="{rect.x:.3f}" y="{rect.y:.3f}" width="{rect.width:.3f}" height="{rect.height:.3f}"'


def _rect(rect: Rect, fill: Color, edge: Color | None = None) -> str:
    stroke = f' stroke="{css(edge)}" stroke-width="{LINE_WIDTH}"' if edge is not None else ""
    return f'<rect {box_of(rect)} fill="{css(fill)}"{stroke}/>'


def _disc(middle: Point, radius: float, fill: Color, edge: Color) -> str:
    stroke = f'fill="{css(fill)}" stroke="{css(edge)}" stroke-width="{LINE_WIDTH}"'
    return f'<circle cx="{middle[0]:.3f}" cy="{middle[1]:.3f}" r="{radius:.3f}" {stroke}/>'


def _polygon(corners: Sequence[Point], fill: Color, edge: Color) -> str:
    points = " ".join(f"{x:.3f},{y:.3f}" for x, y in corners)
    stroke = f'stroke="{css(edge)}" stroke-width="0.35"'
    return f'<polygon points="{points}" fill="{css(fill)}" {stroke}/>'


def _hexagon(middle: Point, radius: float, fill: Color, edge: Color) -> str:
    turns = [math.pi / 3 * corner for corner in range(6)]
    points = [(middle[0] + radius * math.cos(turn), middle[1] + radius * math.sin(turn)) for turn in turns]
    return _polygon(points, fill, edge)


def paint_stripes(painter: PagePainter, look: Look, rect: Rect, *, above: bool = False) -> None:
    """Draw slanted stripes in the accent and the ink along a bar, below or `above` pictures."""
    wide = 2 * rect.height
    shapes = painter.over if above else painter.shapes
    shapes.append(_rect(rect, look.accent))
    for number in range(int(rect.width / (2 * wide))):
        x = rect.x + (2 * number + 0.75) * wide
        lean = rect.height
        corners = [(x + lean, rect.y), (x + lean + wide, rect.y), (x + wide, rect.bottom), (x, rect.bottom)]
        shapes.append(_polygon(corners, look.ground, look.ground))


def paint_band(painter: PagePainter, look: Look, rect: Rect) -> None:
    """Draw the band behind a chapter's title in the book's style."""
    if look.style == "window":
        painter.shapes += _title_bar(look, rect)
        return
    painter.shapes += [_rect(rect, look.ground, look.ink), _rect(replace(rect, width=1.4), look.accent)]
    for place in range(3):  # the lamps of a device
        lamp = (rect.right - 3.2 - 3.0 * place, rect.y + rect.height / 2)
        painter.shapes.append(_disc(lamp, 0.8, look.on_ground if place == 2 else look.accent, look.ink))
