"""What a page shows, collected while flowables draw themselves: the canvas that ReportLab's frames see."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cardgen.book.look import css
from cardgen.geometry import Matrix, Point, Rect, Shape, Size, corners_of
from cardgen.model.artwork import Artwork, Color, IconRun, Item, Picture, Placed, SetText, TextRun
from cardgen.model.sheets import Heading, Link

Run = TextRun | IconRun


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side of a card that a page can show: its artwork's key and its trimmed shape, mm."""

    artwork: str
    size: Size
    bleed: float
    shape: Shape
    radius: float

    @property
    def trim(self) -> Rect:
        return Rect(0, 0, self.size.width, self.size.height).inset(self.bleed)


class PagePainter:
    """Stands in for ReportLab's canvas: it keeps the place that a flowable is drawn at and takes what
    it draws. Frames count y upwards from the foot of the page, everything else downwards from its top:
    of its trim, beyond which lies the bleed."""

    def __init__(self, size: Size, bleed: float = 0.0) -> None:
        self.size, self.bleed = size, bleed
        self.shapes: list[str] = []
        self.placed: list[Placed] = []
        self.over: list[str] = []
        """Shapes that lie on cards."""
        self.texts: list[SetText] = []
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self._x = self._y = 0.0
        self._stack: list[tuple[float, float]] = []

    # ------------------------------------------------------------ as a canvas

    def saveState(self) -> None:  # noqa: N802
        self._stack.append((self._x, self._y))

    def restoreState(self) -> None:  # noqa: N802
        self._x, self._y = self._stack.pop()

    def translate(self, dx: float, dy: float) -> None:
        self._x += dx
        self._y += dy

    def corner(self, height: float) -> tuple[float, float]:
        """The top left corner of the flowable of this height that is being drawn."""
        return self._x, self.size.height - self._y - height

    # ------------------------------------------------------------ what is shown

    def ground(self, fill: Color) -> None:
        """Fill all of the page, over its edges."""
        self.rect(Rect(0, 0, self.size.width, self.size.height).inset(-self.bleed), fill)

    def rect(self, rect: Rect, fill: Color, radius: float = 0.0) -> None:
        corners = f' rx="{radius:.3f}"' if radius else ""
        self.shapes.append(
            f'<rect x="{rect.x:.3f}" y="{rect.y:.3f}" width="{rect.width:.3f}" '
            f'height="{rect.height:.3f}"{corners} fill="{css(fill)}"/>'
        )

    def disc(self, middle: Point, radius: float, fill: Color, edge: Color, width: float) -> None:
        """A disc over cards, with an edge around it."""
        x, y = middle
        self.over.append(
            f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{radius + width:.3f}" fill="{css(edge)}"/>'
            f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{radius:.3f}" fill="{css(fill)}"/>'
        )

    def line(self, points: Sequence[Point], width: float, ink: Color) -> None:
        """A line over cards."""
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
        """A rectangle over or `below` cards with a thin edge in it, turned clockwise about its middle."""
        inner = rect.inset(LINE_WIDTH / 2)
        middle = f"{rect.x + rect.width / 2:.3f} {rect.y + rect.height / 2:.3f}"
        turn = f' transform="rotate({degrees:.3f} {middle})"'
        (self.shapes if below else self.over).append(
            f'<rect x="{inner.x:.3f}" y="{inner.y:.3f}" width="{inner.width:.3f}" '
            f'height="{inner.height:.3f}" rx="{radius:.3f}" fill="{css(fill)}" stroke="{css(edge)}" '
            f'stroke-width="{LINE_WIDTH}"{turn if degrees else ""}/>'
        )

    def text(self, runs: Iterable[Run], x: float, y: float) -> None:
        """Runs, moved by `x` and `y`."""
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
        """A card with its middle there, `width` mm wide, turned clockwise, with a thin edge that tells
        a light card from the paper."""
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
        """A part of a side, mm from the corner of its trim, that fills an area of the same proportions."""
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
        """Everything on the page, as a side: shapes, then cards, then shapes on these, then text."""
        moved = Matrix(1, 0, 0, 1, self.bleed, self.bleed)
        items: list[Item] = [*self._picture(self.shapes)]
        items += (replace(placed, matrix=placed.matrix.then(moved)) for placed in self.placed)
        items += self._picture(self.over)
        items += (replace(text, matrix=text.matrix.then(moved)) for text in self.texts)
        return Artwork(name, self.size.grown(self.bleed), self.bleed, tuple(items))

    def _picture(self, shapes: Sequence[str]) -> list[Picture]:
        """Shapes as a picture, if there are any."""
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
        """Names of the icons in the text."""
        return {run.icon for text in self.texts for run in text.runs if isinstance(run, IconRun)}


EDGE = 0.12
"""Width of the edge around a card, mm."""
EDGE_INK = "#b9b9be"
LINE_WIDTH = 0.25
"""Width of the edge of a panel, mm."""


def rotation(degrees: float) -> Matrix:
    """A turn clockwise about the origin."""
    angle = math.radians(degrees)
    cosine, sine = math.cos(angle), math.sin(angle)
    return Matrix(cosine, sine, -sine, cosine, 0, 0)
