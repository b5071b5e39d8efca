"""Elements of SVG as drawn: inherited properties, outlines and colors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.core.records import dataclass
from cardgen.files.reading import PICTURE, ReadingError, read_file
from cardgen.svg import tree
from cardgen.svg.outlines import Outline, moved, outline_of
from cardgen.svg.raster_files import RasterError, open_pixels, read_header, read_pixels
from cardgen.svg.style import Properties, inherit, parse_color, read_style
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
    """Return True if the outline surely runs clockwise, so that overlaps add up."""
    return child.tag in ("rect", "circle", "ellipse") and "transform" not in child


_COLORS = frozenset(("fill", "stroke", "stop-color"))


class Node(dict[str, str]):
    """An element: its attributes and properties, inherited ones among them, by name."""

    __slots__ = ("children", "current", "element", "image_height", "image_width", "parent", "tag", "url")

    def __init__(self, element: tree.Node, parent: Node | None, passed: Properties) -> None:
        own = element.attrs
        if "style" in own:
            own = {**own, **read_style(own["style"])[0]}
        if "inherit" in own.values():
            own = inherit(parent or {}, own)
        super().__init__(passed)
        self.update(own)
        self.element = element
        self.parent = parent
        self.children: list[Node] = []
        self.tag = element.name
        self.url = None
        self.current: frozenset[str] = frozenset() if parent is None else parent.current
        """The colors that are `color`'s, which children take over as such."""
        if stated := _COLORS & own.keys():
            self.current = (self.current - stated).union(
                name for name in stated if own[name].lower() == "currentcolor"
            )
        for name in self.current:
            self[name] = self.get("color", "black")

    def get_href(self) -> str | None:
        """Return the target of a reference."""
        return self.get("href", self.get("xlink:href"))


class Document:
    """A parsed document: `root`, and its elements by id."""

    def __init__(self, document: tree.Document) -> None:
        self._ids = document.ids
        self.root = grown(document.root, None)

    def shown(self, id: str, parent: Node) -> Node | None:
        """Return the element of that id with all in it, as it is where `parent` shows it; None if there
        is none."""
        found = self._ids.get(id)
        return None if found is None else grown(found, parent)


def grown(element: tree.Node, parent: Node | None) -> Node:
    """Return an element and all in it, inheriting from `parent`."""
    top = Node(element, parent, inherit(parent or {}, {}))
    stack = [top]
    while stack:
        node = stack.pop()
        if node.element.children:
            passed = inherit(node, {})
            node.children = [Node(child, node, passed) for child in node.element.elements()]
            stack += node.children
    return top


class UnplainError(Exception):
    """Something that is not painted as plain operators."""


def parse(svg: str) -> Document:
    """Return the tree of a document. Raises SvgError for what is no XML or would bring in entities, and
    UnplainError for style sheets: who makes pictures writes their rules out at the elements. How large
    it may be was looked at where it was made."""
    document = tree.parse(svg.encode(), bounded=False)
    if "<style" in svg and any(node.name == "style" for node in document.root.iter()):
        raise UnplainError
    return Document(document)


_OPERATORS = str.maketrans(
    {"M": "# # m ", "L": "# # l ", "C": "# # # # # # c ", "Z": "h ", "R": "# # # # re "}
)


def written(outline: Outline, places: int, matrix: Matrix = IDENTITY) -> str:
    """Return PDF path operators of an outline where the matrix puts it, with so many decimals, one or
    more. An upright rectangle is written as one, which some readers draw sharper."""
    letters, numbers = outline if matrix is IDENTITY else moved(outline, matrix)
    if letters == "MLLLZ":
        x1, y1, x2, y2, x3, y3, x4, y4 = numbers
        if y1 == y2 and x2 == x3 and y3 == y4 and x4 == x1:
            letters, numbers = "R", (x1, y1, x2 - x1, y3 - y2)
    return _filled(letters.translate(_OPERATORS), numbers, places).rstrip()


def _filled(text: str, numbers: Iterable[float], places: int) -> str:
    """Return a text with each # before a space as a number that `decimal` writes."""
    text = text.replace("#", f"%.{places}f") % tuple(numbers)
    for _ in range(places):  # a pass takes a zero off each number that ends with one
        text = text.replace("0 ", " ")
    return text.replace(". ", " ").replace("-0 ", "0 ")


def written_ellipse(outline: Outline, places: int, matrix: Matrix) -> str:
    """Return what `written` does of an ellipse: one that stays upright has ten different numbers."""
    if matrix.b or matrix.c:
        return written(outline, places, matrix)
    a, d, e, f, n = matrix.a, matrix.d, matrix.e, matrix.f, outline.numbers
    xs = [a * x + e for x in (n[10], n[8], n[6], n[4], n[0])]
    ys = [d * y + f for y in (n[17], n[15], n[1], n[3], n[5])]
    left, before, x, behind, right, top, above, y, below, bottom = _filled(
        "# " * 10, xs + ys, places
    ).split()
    return (
        f"{right} {y} m {right} {below} {behind} {bottom} {x} {bottom} c "
        f"{before} {bottom} {left} {below} {left} {y} c {left} {above} {before} {top} {x} {top} c "
        f"{behind} {top} {right} {above} {right} {y} c h"
    )


def shape_outline(node: Node) -> Outline:
    """Return the outline of a shape in its own units. Raises UnplainError if it isn't of plain numbers."""
    outline = outline_of(node.tag, node)
    if outline is None:
        raise UnplainError
    return outline


def corners_of(box: Rect) -> tuple[float, ...]:
    return (box.x, box.y, box.right, box.y, box.right, box.bottom, box.x, box.bottom)


def share_of(node: Node, name: str, own_units: bool) -> float:
    """Return a pattern's length in its own units or as a share of a box."""
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


Rgb = tuple[int, int, int]

_WRITTEN = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\([^)]{1,60}\)")
_THUMBNAIL = 96
"""Pixels along the longer edge that tell enough of a picture's colors."""


def bytes_of(text: str) -> Rgb | None:
    """Return a color as CSS writes it; None for what is none."""
    color = parse_color(text)
    return None if color is None else rounded(color)


def rounded(color: Iterable[float]) -> Rgb:
    """Return a color of shares of 1."""
    r, g, b, *_ = (round(channel * 255) for channel in color)
    return r, g, b


def written_colors(svg: str) -> Iterator[tuple[Rgb, int]]:
    """Yield the colors that a drawing writes, but for names, each with its place in the text."""
    for match in _WRITTEN.finditer(svg):
        if (color := bytes_of(match.group())) is not None:
            yield color, match.start()


@lru_cache(maxsize=256)
def shown_colors(path: str, roots: tuple[Path, ...]) -> frozenset[Rgb]:
    """Return the colors of a picture in one of `roots`, made small; none of one that can't be read,
    which is said elsewhere."""
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
        """Return the subject of a DrawingError: a picture by its key, an icon by its id."""
        return f"{ICON}{self.icon}" if self.icon else self.key


def icon_document(svg: str, fill: tuple[float, float, float]) -> str:
    """Return an icon's SVG as a page of its proportions in one color: what `currentColor` stands for,
    and what shapes without a `fill` of their own get."""
    document = tree.parse(svg.encode(), bounded=False)
    root = document.root
    ink = "rgb({:.4%},{:.4%},{:.4%})".format(*fill)
    box = numbers(root.attrs.get("viewBox", ""))
    width = ICON_PT * box[2] / box[3] if len(box) == 4 else ICON_PT
    attrs = {"fill": ink} | root.attrs | {"width": f"{width}", "height": f"{ICON_PT}", "color": ink}
    head = tree.open_tag(tree.Node("svg", attrs), root.attrs.get("style", ""))
    content = "".join(document.source(child).decode() for child in root.elements())
    return f"{head}>{content}</svg>"
