"""Elements of SVG as drawn: inherited properties, outlines, markers and colors."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.core.geometry import Rect, decimal
from cardgen.files.reading import PICTURE, ReadingError, read_file
from cardgen.pdf.objects import DrawingError
from cardgen.svg import tree
from cardgen.svg.outlines import (
    Segment,
    ellipse_outline,
    path_outline,
    path_segments,
    points_outline,
    rect_outline,
)
from cardgen.svg.raster_files import RasterError, open_pixels, read_header, read_pixels
from cardgen.svg.style import inherit, parse_color, read_style
from cardgen.svg.tree import number, numbers, share

SHAPES = frozenset(("circle", "ellipse", "line", "path", "polygon", "polyline", "rect"))
UNPAINTED = frozenset(
    (
        *("defs", "symbol", "clipPath", "linearGradient", "radialGradient", "pattern", "marker"),
        *("mask", "filter", "stop", "style", "title", "desc", "metadata", "script", "view"),
    )
)
NONE = frozenset(("none", "normal", "auto", "0", ""))
"""Values of masks, filters and markers that are none."""


def turns_right(child: Node) -> bool:
    """Whether the outline runs clockwise for sure, so that overlaps add up."""
    return child.tag in ("rect", "circle", "ellipse") and "transform" not in child


def trace(context: Any, outline: Iterable[Segment]) -> None:
    """Add an outline to the context's current path, in user units."""
    for kind, v in outline:
        match kind:
            case "M":
                context.move_to(*v)
            case "L":
                context.line_to(*v)
            case "C":
                context.curve_to(*v)
            case "Z":
                context.close_path()


def trace_rect(context: Any, x: float, y: float, width: float, height: float, rx: float, ry: float) -> None:
    """A rectangle, its corners rounded by quarter ellipses; nothing if it has no area. One without such
    corners is a rectangle for cairo, too."""
    if width > 0 and height > 0 and min(rx, ry) <= 0:
        context.rectangle(x, y, width, height)
    else:
        trace(context, rect_outline(x, y, width, height, rx, ry))


_COLORS = ("fill", "stroke", "stop-color")


class Node(dict[str, str]):
    """An element: its attributes and properties, inherited ones among them, by name."""

    __slots__ = ("children", "current", "element", "image_height", "image_width", "parent", "tag", "url")

    def __init__(self, element: tree.Node, parent: Node | None) -> None:
        own = {**element.attrs, **read_style(element.attrs.get("style", ""))[0]}
        super().__init__(inherit(parent or {}, own))
        self.element = element
        self.parent = parent
        self.children: list[Node] = []
        self.tag = element.name
        self.url = None
        taken: frozenset[str] = frozenset() if parent is None else parent.current
        self.current: frozenset[str] = frozenset(
            name
            for name in _COLORS
            if (own[name].lower() == "currentcolor" if name in own else name in taken)
        )
        """The colours that are `color`'s, which children take over as such."""
        for name in self.current:
            self[name] = self.get("color", "black")

    def get_href(self) -> str | None:
        """The target of a reference."""
        return self.get("href", self.get("xlink:href"))


class Document:
    """A parsed document: `root`, and its elements by id."""

    def __init__(self, document: tree.Document) -> None:
        self._ids = document.ids
        self.root = grown(document.root, None)

    def shown(self, id: str, parent: Node) -> Node | None:
        """The element of that id with all in it, as it is where `parent` shows it; None if there is
        none."""
        found = self._ids.get(id)
        return None if found is None else grown(found, parent)


def grown(element: tree.Node, parent: Node | None) -> Node:
    """An element and all in it, inheriting from `parent`."""
    top = Node(element, parent)
    stack = [top]
    while stack:
        node = stack.pop()
        node.children = [Node(child, node) for child in node.element.elements()]
        stack += node.children
    return top


def parse(svg: str) -> Document:
    """The tree of a document. Raises SvgError for what is no XML or would bring in entities, and
    DrawingError for style sheets: who makes pictures writes their rules out at the elements. How large it
    may be was looked at where it was made."""
    document = tree.parse(svg.encode(), bounded=False)
    if any(node.name == "style" for node in document.root.iter()):
        raise DrawingError.of("picture/style", "a style sheet is not read", "write styles at the elements")
    return Document(document)


_LETTERS = {"M": "m", "L": "l", "C": "c"}


class UnplainError(Exception):
    """Something that is not painted as plain operators."""


def written(outline: Sequence[Segment], places: int) -> str:
    """PDF path operators, numbers with so many places. An upright rectangle is written as one, which some
    readers draw sharper."""
    if len(outline) == 5 and [kind for kind, _ in outline] == ["M", "L", "L", "L", "Z"]:
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = (v for _, v in outline[:4])
        if y1 == y2 and x2 == x3 and y3 == y4 and x4 == x1:
            return " ".join([decimal(value, places) for value in (x1, y1, x2 - x1, y3 - y2)]) + " re"
    return " ".join(
        [
            f"{' '.join([decimal(value, places) for value in v])} {_LETTERS[kind]}" if v else "h"
            for kind, v in outline
        ]
    )


def shape_outline(node: Node) -> list[Segment]:
    """The outline of a shape in its own units."""
    tag = node.tag
    if tag == "path":
        return path_outline(node.get("d", ""))
    if tag in ("polygon", "polyline"):
        return points_outline(numbers(node.get("points", "")), tag == "polygon")
    if tag == "line":
        return points_outline([length_of(node, name) for name in ("x1", "y1", "x2", "y2")], False)
    if tag == "rect":
        x, y, width, height, rx, ry = (
            length_of(node, name) for name in ("x", "y", "width", "height", "rx", "ry")
        )
        return rect_outline(x, y, width, height, rx or ry, ry or rx)
    if tag == "circle":
        return ellipse_outline(length_of(node, "cx"), length_of(node, "cy"), *[length_of(node, "r")] * 2)
    return ellipse_outline(*(length_of(node, name) for name in ("cx", "cy", "rx", "ry")))


def corners_of(box: Rect) -> tuple[float, ...]:
    return (box.x, box.y, box.right, box.y, box.right, box.bottom, box.x, box.bottom)


def share_of(node: Node, name: str, own_units: bool) -> float:
    """A pattern's length in its own units or as a share of a box."""
    text = node.get(name, "0").strip()
    if not own_units and text.endswith("%"):
        return share(text)
    return number_of(text)


def length_of(node: Node, name: str, default: str = "0") -> float:
    text = node.get(name)
    return number_of(default if text is None else text)


def number_of(text: str) -> float:
    value = number(text.strip().removesuffix("px"))
    if value is None:
        raise UnplainError
    return value


Place = tuple[float, float]


class Corner(NamedTuple):
    """A corner of an outline: its place, the direction of what comes in and of what goes out (None at an
    open end), in radians."""

    place: Place
    coming: float | None
    going: float | None

    @property
    def angle(self) -> float:
        """The direction half way between the two."""
        if self.coming is None or self.going is None:
            return self.coming or self.going or 0.0
        across = math.cos(self.coming) + math.cos(self.going)
        down = math.sin(self.coming) + math.sin(self.going)
        if abs(across) + abs(down) < 1e-9:  # straight back
            return self.coming + math.pi / 2
        return math.atan2(down, across)


class Run(NamedTuple):
    """An outline without a gap: its places, and between each two the directions in which the line
    leaves the one and reaches the other."""

    places: list[Place]
    turns: list[tuple[float, float]]
    closed: bool = False


def corners(runs: Sequence[Run]) -> Iterator[Corner]:
    """The corners of an outline's runs, in order."""
    for run in runs:
        count = len(run.places)
        closed = run.closed and count > 1
        for index, place in enumerate(run.places):
            coming = run.turns[index - 1][1] if index else (run.turns[-1][1] if closed else None)
            going = run.turns[index][0] if index < count - 1 else (run.turns[0][0] if closed else None)
            yield Corner(place, coming, going)


def straight(places: Sequence[Place], closed: bool) -> list[Run]:
    """The run of a line, polyline or polygon."""
    if not places:
        return []
    found = [*places, places[0]] if closed else list(places)
    turns = [(angle, angle) for angle in map(_direction, found, found[1:])]
    return [Run(found, turns, closed)]


def path_runs(data: str) -> list[Run]:
    """The runs of path data."""
    runs: list[Run] = []
    here = (0.0, 0.0)
    for kind, v in path_segments(data):
        end = (v[-2], v[-1])
        if kind == "M":
            runs.append(Run([end], []))
            here = end
            continue
        if runs[-1].closed:  # a line after Z starts where that one ended
            runs.append(Run([here], []))
        run = runs[-1]
        if kind == "Z":
            runs[-1] = Run(run.places, run.turns, True)
        line = [here, *(_arc(here, v, end) if kind == "A" else zip(v[::2], v[1::2]))]
        run.turns.append((_leaving(line), _reaching(line)))
        run.places.append(end)
        here = end
    return runs


def _arc(start: Place, v: Sequence[float], end: Place) -> list[Place]:
    """Points in whose directions an arc leaves its start and reaches its end."""
    rx, ry, turn, large, sweep = v[0], v[1], math.radians(v[2]), bool(v[3]), bool(v[4])
    if not rx or not ry or start == end:
        return [end]
    # In the coordinates in which the ellipse is the unit circle.
    cos, sin = math.cos(turn), math.sin(turn)

    def flat(place: Place) -> Place:
        return (cos * place[0] + sin * place[1]) / rx, (cos * place[1] - sin * place[0]) / ry

    def back(x: float, y: float) -> Place:
        return cos * rx * x - sin * ry * y, sin * rx * x + cos * ry * y

    (ax, ay), (bx, by) = flat(start), flat(end)
    half = math.dist((ax, ay), (bx, by)) / 2
    if half < 1e-12:
        return [end]
    away = math.sqrt(max(0.0, 1 - half * half)) * (1 if large != sweep else -1)
    cx = (ax + bx) / 2 - away * (by - ay) / (2 * half)
    cy = (ay + by) / 2 + away * (bx - ax) / (2 * half)
    sign = 1 if sweep else -1
    first = back(-sign * (ay - cy), sign * (ax - cx))
    final = back(-sign * (by - cy), sign * (bx - cx))
    return [(start[0] + first[0], start[1] + first[1]), (end[0] - final[0], end[1] - final[1]), end]


def _direction(start: Place, end: Place) -> float:
    return math.atan2(end[1] - start[1], end[0] - start[0])


def _reaching(line: Sequence[Place]) -> float:
    """The direction in which it reaches the last of them."""
    end = line[-1]
    return next((_direction(place, end) for place in reversed(line) if place != end), 0.0)


def _leaving(line: Sequence[Place]) -> float:
    """The direction in which a curve with these control points leaves the first of them."""
    return next((_direction(line[0], place) for place in line[1:] if place != line[0]), 0.0)


Rgb = tuple[int, int, int]

_WRITTEN = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\([^)]{1,60}\)")
_THUMBNAIL = 96
"""Pixels along the longer edge that tell enough of a picture's colours."""


def bytes_of(text: str) -> Rgb | None:
    """A colour as CSS writes it; None for what is none."""
    color = parse_color(text)
    return None if color is None else rounded(color)


def rounded(color: Iterable[float]) -> Rgb:
    """A colour of shares of 1."""
    r, g, b, *_ = (round(channel * 255) for channel in color)
    return r, g, b


def written_colors(svg: str) -> Iterator[tuple[Rgb, int]]:
    """The colours that a drawing writes, but for names, each with its place in the text."""
    for match in _WRITTEN.finditer(svg):
        if (color := bytes_of(match.group())) is not None:
            yield color, match.start()


@lru_cache(maxsize=256)
def shown_colors(path: str, roots: tuple[Path, ...]) -> frozenset[Rgb]:
    """The colours of a picture in one of `roots`, made small; none of one that can't be read, which is said
    elsewhere."""
    try:
        data = read_file(Path(path), PICTURE, path, roots)
        file = open_pixels(data, read_header(data))
        read_pixels(file)
    except (ReadingError, RasterError):
        return frozenset()
    small = file.convert("RGB")
    small.thumbnail((_THUMBNAIL, _THUMBNAIL))
    return frozenset(color for _, color in small.getcolors(_THUMBNAIL**2) or ())  # type: ignore[misc]


ICON = "icon-"
"""Begins the ids of icons."""

ICON_PT = 24.0
"""Height of an icon's page. Its form maps that page to the unit square."""


@dataclass(frozen=True, slots=True)
class Drawable:
    """An SVG document to draw. `unit` says that its form covers the unit square (an icon) instead
    of the document's own size in mm; `label` is how errors speak of it. `icon` is its name if it is one."""

    key: str
    svg: str
    images: tuple[tuple[str, str], ...] = ()
    unit: bool = False
    label: str = "artwork"
    icon: str = ""

    @property
    def name(self) -> str:
        """What a DrawingError is about: a picture by its key, an icon by its id."""
        return f"{ICON}{self.icon}" if self.icon else self.key


def icon_document(svg: str, fill: tuple[float, float, float]) -> str:
    """An icon's SVG as a page of its proportions in one colour: what `currentColor` stands for, and what
    shapes without a `fill` of their own get."""
    document = tree.parse(svg.encode(), bounded=False)
    root = document.root
    ink = "rgb({:.4%},{:.4%},{:.4%})".format(*fill)
    box = numbers(root.attrs.get("viewBox", ""))
    width = ICON_PT * box[2] / box[3] if len(box) == 4 else ICON_PT
    attrs = {"fill": ink} | root.attrs | {"width": f"{width}", "height": f"{ICON_PT}", "color": ink}
    head = tree.open_tag(tree.Node("svg", attrs), root.attrs.get("style", ""))
    content = "".join(document.source(child).decode() for child in root.elements())
    return f"{head}>{content}</svg>"
