"""Pictures that only Typst draws as a browser does: each a page of one PDF, then a form.

Typst (with usvg and krilla in it) says masks, blend modes, clips and patterns as PDF does, and turns only
filters into pixels. An image is a stand-in unless it lies under a filter, which needs its pixels.
"""

from __future__ import annotations

import math
import re
import struct
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO

from PIL import Image

from cardgen.core.findings import Finding
from cardgen.core.geometry import PT_PER_MM, Rect, parse_length
from cardgen.core.progress import tell
from cardgen.pdf.forms import PageForm, Target, page_forms
from cardgen.pdf.images import SMOOTH, STAND_IN, ImageLibrary, RasterImage
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.shapes import ICON_PT, Document, Drawable
from cardgen.pdf.typst_process import TypstError, compiled
from cardgen.svg import tree
from cardgen.svg.lengths import box_of_element
from cardgen.svg.outlines import path_segments
from cardgen.svg.style import RGBA, parse_color, read_style
from cardgen.svg.tree import DPI, FILTER_DPI, Node, SvgError, open_tag, serialize, share
from cardgen.svg.tree import number as parse_number

PIXELS_PER_PT = 4
"""Of a filter's picture, whatever its size: krilla-svg 0.7's `filter_scale`."""
_MOST_AT_ONCE = 20_000_000
"""Characters of markup of the pictures that are drawn together."""
_FILTERED = 1_000_000
"""The cost of a picture with filters."""
_MOST_FAILED = 10
"""Pictures that could not be drawn before the rest of them is not tried."""


@dataclass(frozen=True, slots=True)
class _Page:
    """A picture to draw, its size and its markup."""

    drawable: Drawable
    target: Target
    markup: str


def draw_pictures(drawables: Sequence[Drawable]) -> dict[str, PageForm]:
    """Return the form of every drawable, by its key. DrawingError with everything that is wrong."""
    library = ImageLibrary(image for drawable in drawables for image in drawable.images)
    pages: list[_Page] = []
    problems: list[tuple[str, Finding]] = []
    for drawable in drawables:
        try:
            pages.append(_page(drawable, library))
        except DrawingError as error:
            problems += [(drawable.name, finding) for finding in error.findings]
        except (SvgError, ValueError) as error:
            wrong = DrawingError.of("picture/svg", f"{drawable.label}: {error}")
            problems.append((drawable.name, wrong.findings[0]))
    forms: dict[str, PageForm] = {}
    done = 0
    for batch in _batches(pages):
        tell("drawing effects", done, len(pages))
        done += len(batch)
        forms |= _drawn(batch, library, problems)
    if problems:
        raise DrawingError.of_pictures(problems)
    return forms


def _batches(pages: Sequence[_Page]) -> Iterator[list[_Page]]:
    """Yield the pages in turn, no more at a time than one process draws at ease."""
    batch: list[_Page] = []
    load = 0
    for page in pages:
        own = len(page.markup) + _FILTERED * ("<filter" in page.markup or "filter=" in page.markup)
        if batch and load + own > _MOST_AT_ONCE:
            yield batch
            batch, load = [], 0
        batch.append(page)
        load += own
    if batch:
        yield batch


def _drawn(
    batch: Sequence[_Page], library: ImageLibrary, problems: list[tuple[str, Finding]]
) -> dict[str, PageForm]:
    """Return the forms of some pages, and what is wrong with those that can't be drawn: where they can't
    be drawn together, each is tried by itself."""
    try:
        return _together(batch, library)
    except TypstError as error:
        if len(batch) == 1:
            problems.append(_undrawn(batch[0].drawable, error))
            return {}
    forms: dict[str, PageForm] = {}
    failed = 0
    for page in batch:
        try:
            forms |= _together([page], library)
        except TypstError as error:
            problems.append(_undrawn(page.drawable, error))
            failed += 1
            if failed == _MOST_FAILED:
                break
    return forms


def _undrawn(drawable: Drawable, error: TypstError) -> tuple[str, Finding]:
    hint = "remove its filters and masks one by one to find the cause, or save it as a PNG"
    message = f"{drawable.label}: it can't be drawn: {error}"
    return drawable.name, DrawingError.of("picture/svg", message, hint).findings[0]


def _together(batch: Sequence[_Page], library: ImageLibrary) -> dict[str, PageForm]:
    """Return the forms of some pages, from one document. Raises TypstError."""
    lines = ["#set page(margin: 0pt, fill: none)"]
    for number, page in enumerate(batch):
        size = f"width: {page.target.width:.6f}pt, height: {page.target.height:.6f}pt"
        image = f'image(bytes(sys.inputs.at("{number}")), format: "svg", {size}, fit: "stretch")'
        lines.append(f"#page({size}, {image})")
    data = compiled("\n".join(lines), {str(number): page.markup for number, page in enumerate(batch)})
    targets = [page.target for page in batch]
    forms = page_forms(data, targets, library)
    return {page.drawable.key: form for page, form in zip(batch, forms)}


def _page(drawable: Drawable, library: ImageLibrary) -> _Page:
    """Return a picture as a page."""
    document = tree.parse(drawable.svg.encode(), bounded=False)
    define_once(document)
    unroll_radials(document)
    lengthen_points(document)
    for node in list(document.root.iter()):
        _write_for_typst(node, node is document.root)
    root = document.root
    if drawable.unit:
        width, height = (float(root.attrs.get(name, "")) for name in ("width", "height"))
        target = Target(ICON_PT * width / height, ICON_PT, 1.0, 1.0)
    else:
        across, down = (parse_length(root.attrs.get(name, "")) for name in ("width", "height"))
        # The page is as much larger than printed as makes filters come out with their dpi.
        dpi = int(root.attrs.pop(DPI, FILTER_DPI))
        scale = PT_PER_MM * dpi / 72 / PIXELS_PER_PT
        target = Target(across * scale, down * scale, across, down)
    return _Page(drawable, target, with_stand_ins(root, library))


def define_once(document: tree.Document) -> None:
    """Drop definitions ahead of a picture that are in it again: Typst takes the last of an id."""
    times = Counter(node.attrs["id"] for node in document.root.iter() if "id" in node.attrs)
    for defs in document.root.elements():
        if defs.name == "defs":
            again = {id(node) for node in defs.elements() if times[node.attrs.get("id", "")] > 1}
            defs.children = [child for child in defs.children if id(child) not in again]
    document.ids.update({node.attrs["id"]: node for node in document.root.iter() if "id" in node.attrs})


_UNSMOOTH = frozenset(("pixelated", "crisp-edges", "optimizeSpeed"))
_BOX = ("x", "y", "width", "height", "preserveAspectRatio")
_HREFS = ("href", "xlink:href")
_BRIGHTNESS = (0.2126, 0.7152, 0.0722, 0.0)
"""Of red, green and blue (CSS Masking 1, 6.4)."""


def with_stand_ins(root: Node, library: ImageLibrary) -> str:
    """Return the document as text. Raises DrawingError for an image that is not among the library's."""
    whole = any(node.name == "filter" for node in root.iter())
    weighed = frozenset(_weighed(root))

    def replace(node: Node) -> str | None:
        if node.name != "image":
            return None
        image = library.find(node.href or "")
        outer = {name: value for name, value in node.attrs.items() if name not in (*_BOX, *_HREFS)}
        boxed = {name: node.attrs[name] for name in _BOX if name in node.attrs}
        width, height = f"{image.width}", f"{image.height}"
        box = {"width": width, "height": height} | boxed | {"viewBox": f"0 0 {width} {height}"}
        if node in weighed:
            kind, data = "png", in_grays(image.shown_png())
        elif whole:
            kind, data = "png", image.shown_png()
        else:
            kind, data = "jpeg", stand_in(image, _smooth(node))
        href = f"data:image/{kind};base64,{b64encode(data).decode('ascii')}"
        inner = {"width": width, "height": height, "preserveAspectRatio": "none", "href": href}
        nested = open_tag(Node("svg", box), "") + ">" + open_tag(Node("image", inner), "") + "/></svg>"
        return f"{open_tag(Node('g', outer), _style(node))}>{nested}</g>"

    return serialize(root, replace, _style).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)


def _weighed(root: Node) -> Iterator[Node]:
    """Yield the images that a mask weighs by their brightness."""
    for mask in root.iter():
        kind = read_style(_style(mask))[0].get("mask-type", mask.get("mask-type"))
        if mask.name == "mask" and kind != "alpha":
            yield from (node for node in mask.iter() if node.name == "image")


def in_grays(png: bytes) -> bytes:
    """Return a PNG with its colors as grays of the same brightness as SVG sees it (CSS Masking 1, 6.4):
    PDF weighs them otherwise."""
    with Image.open(BytesIO(png)) as image:
        colors = image.convert("RGB").convert("L", matrix=_BRIGHTNESS)
        if image.mode == "RGBA":
            colors.putalpha(image.getchannel("A"))
        file = BytesIO()
        colors.save(file, "PNG")
    return file.getvalue()


def _style(node: Node) -> str:
    return node.attrs.get("style", "")


def _smooth(node: Node) -> bool:
    declared = read_style(_style(node))[0]
    return declared.get("image-rendering", node.attrs.get("image-rendering")) not in _UNSMOOTH


def stand_in(image: RasterImage, smooth: bool) -> bytes:
    """Return the JPEG that stands for an image."""
    note = STAND_IN + image.key.encode("ascii") + (SMOOTH if smooth else b"-")
    pixel = _pixel()
    return pixel[:2] + b"\xff\xfe" + struct.pack(">H", len(note) + 2) + note + pixel[2:]


@cache
def _pixel() -> bytes:
    file = BytesIO()
    Image.new("RGB", (1, 1)).save(file, "JPEG")
    return file.getvalue()


_UNMARKED = ("circle", "ellipse", "rect")
_OF_GROUPS = ("opacity", "clip-path", "mask", "filter", "style", "transform", "transform-origin")
_COLORS = ("fill", "stroke", "stop-color", "flood-color", "lighting-color", "color")
_OF_STYLES = ("mix-blend-mode", "isolation")


def _write_for_typst(node: Node, is_root: bool) -> None:
    """Write an element that Typst takes otherwise than browsers so that it doesn't."""
    declared = read_style(_style(node))[0]
    found = {name: node.attrs.pop(name) for name in _OF_STYLES if name in node.attrs}
    found |= {name: _color(declared[name]) for name in _COLORS if name in declared}
    node.attrs |= {name: _color(node.attrs[name]) for name in _COLORS if name in node.attrs}
    if node.name in _UNMARKED:  # Typst gives them the markers that they inherit
        found["marker"] = "none"
    if found:
        node.attrs["style"] = ";".join(f"{name}:{value}" for name, value in {**declared, **found}.items())
    if node.name == "svg":
        _group(node, is_root)
    if node.name == "clipPath":
        _split_clip(node)


def _color(text: str) -> str:
    """Return a color as any program reads it."""
    if text.strip().lower() == "currentcolor":
        return "currentColor"
    color = None if text.startswith(("#", "url(")) else parse_color(text)
    if color is None:
        return text
    red, green, blue = (round(255 * channel) for channel in color[:3])
    return (
        f"rgba({red},{green},{blue},{color[3]:.6g})" if color[3] < 1 else f"#{red:02x}{green:02x}{blue:02x}"
    )


def _group(node: Node, is_root: bool) -> None:
    """Have a group say what makes one of a drawing: Typst does not look for it at `<svg>`."""
    grouped = {name: node.attrs.pop(name) for name in _OF_GROUPS if name in node.attrs}
    if not grouped:
        return
    inner = Node("g" if is_root else "svg", grouped if is_root else node.attrs)
    inner.children = node.children
    if not is_root:
        node.name, node.attrs = "g", grouped
    node.children = [inner]


def _split_clip(clip: Node) -> None:
    """Have the shapes of a clip path painted one by one. Typst joins outlines of one rule, and those that
    turn against each other would cancel out."""
    shapes = list(clip.elements())
    if len(shapes) < 2 or all(
        shape.name in _UNMARKED and "transform" not in shape.attrs for shape in shapes
    ):
        return
    rule = read_style(_style(shapes[0]))[0].get("clip-rule", shapes[0].attrs.get("clip-rule"))
    other = "nonzero" if rule == "evenodd" else "evenodd"
    clip.children.append(Node("path", {"d": "M0 0h1e-6v1e-6z", "clip-rule": other}))


_FARTHEST_TURN = 60
"""Repeats of a gradient; readers take some 256 colors of a whole one."""
_MOST_STOPS = 2000
_MOST_CHAIN = 20

Stop = tuple[float, RGBA]


@dataclass(frozen=True, slots=True)
class _Radial:
    """Circles from that about (fx, fy) with radius fr to that about (cx, cy) with radius r, and on."""

    attrs: Mapping[str, str]
    stops: tuple[Stop, ...]
    cx: float
    cy: float
    r: float
    fx: float
    fy: float
    fr: float

    @property
    def spread(self) -> str:
        return self.attrs.get("spreadMethod", "pad").strip()

    @property
    def is_usual(self) -> bool:
        return self.fr <= 0 and self.spread not in ("reflect", "repeat")


def unroll_radials(document: tree.Document) -> None:
    """Write radial gradients that Typst does not draw as ones that it does. Raises DrawingError for one
    that no such stands for."""
    for node in list(document.ids.values()):
        radial = _radial(node, document.ids) if node.name == "radialGradient" else None
        if radial is None or radial.is_usual:
            continue
        own_units = radial.attrs.get("gradientUnits") == "userSpaceOnUse"
        box = _painted(document.root, f"url(#{node.attrs['id']})") if own_units else Rect(0, 0, 1, 1)
        turns = _turns(radial, box)
        gradient = _unrolled(radial, turns, node.attrs["id"])
        node.attrs, node.children = gradient.attrs, gradient.children


def _painted(root: Node, paint: str) -> Rect:
    """Return the box of all that is painted so, strokes and transforms around it left out."""
    boxes: list[Rect] = []
    for node in root.iter():
        own = {**node.attrs, **read_style(_style(node))[0]}
        if paint in (own.get("fill", "").strip(), own.get("stroke", "").strip()):
            boxes.append(box_of_element(node) or Rect(0, 0, 0, 0))
    if not boxes:
        return Rect(0, 0, 0, 0)
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    return Rect(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def _turns(radial: _Radial, box: Rect) -> int:
    """Return how often a gradient repeats to paint all of a box."""
    if radial.spread not in ("reflect", "repeat"):
        return 1
    corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    far = max(math.dist((radial.fx, radial.fy), corner) for corner in corners)
    wider = radial.r - radial.fr - math.dist((radial.fx, radial.fy), (radial.cx, radial.cy))
    return _FARTHEST_TURN if far > _FARTHEST_TURN * wider else 1 + math.ceil(far / wider)


def _radial(node: Node, ids: Mapping[str, Node]) -> _Radial | None:
    """Return a gradient with what it takes over; None for one without area or stops."""
    chain = [node]
    while len(chain) < _MOST_CHAIN and (other := ids.get((chain[-1].href or "")[1:])) is not None:
        if other in chain:
            break
        chain.append(other)
    attrs = {name: value for each in reversed(chain) for name, value in each.attrs.items()}
    stops = next((found for each in chain if (found := tuple(_stops(each)))), ())
    try:
        cx, cy, r = (share(attrs.get(name, "50%").removesuffix("px")) for name in ("cx", "cy", "r"))
        fx, fy, fr = (
            share(attrs.get(name, default).removesuffix("px"))
            for name, default in (("fx", f"{cx}"), ("fy", f"{cy}"), ("fr", "0"))
        )
    except ValueError:
        return None
    return _Radial(attrs, stops, cx, cy, r, fx, fy, fr) if stops and r > 0 else None


def _stops(gradient: Node) -> Iterator[Stop]:
    offset = 0.0
    for stop in gradient.elements():
        own = {**stop.attrs, **read_style(stop.attrs.get("style", ""))[0]}
        color = parse_color(own.get("stop-color", "black"))
        if stop.name != "stop" or color is None:
            continue
        offset = min(max(offset, share(own.get("offset") or "0")), 1.0)
        opacity = min(max(share(own.get("stop-opacity", "1")), 0.0), 1.0)
        yield offset, (*color[:3], color[3] * opacity)


def _unrolled(radial: _Radial, turns: int, id: str) -> Node:
    """Return the gradient from where its circles have no size, to the end of its last turn."""
    k = radial.r - radial.fr
    if k <= 1e-9 * radial.r:
        message = "a radial gradient can't have a focal circle as large as its outer circle here"
        raise DrawingError.of("picture/gradient", message, "make fr less than r")
    dx, dy = radial.cx - radial.fx, radial.cy - radial.fy
    first = -max(radial.fr, 0.0) / k
    low = math.floor(first)
    if (turns - low) * (len(radial.stops) + 2) > _MOST_STOPS:
        message = "a radial gradient repeats too often to be drawn here"
        raise DrawingError.of("picture/gradient", message, "make its radius larger")
    kept = {
        name: radial.attrs[name] for name in ("gradientUnits", "gradientTransform") if name in radial.attrs
    }
    circle = {
        "cx": radial.fx + turns * dx,
        "cy": radial.fy + turns * dy,
        "r": radial.fr + turns * k,
        "fx": radial.fx + first * dx,
        "fy": radial.fy + first * dy,
    }
    gradient = Node(
        "radialGradient", {"id": id, **kept, **{name: f"{at:.9g}" for name, at in circle.items()}}
    )
    for at, color in _from(list(_written_out(radial, low, turns)), first):
        red, green, blue = (f"{100 * channel:.4f}%" for channel in color[:3])
        attrs = {
            "offset": f"{(at - first) / (turns - first):.9g}",
            "stop-color": f"rgb({red},{green},{blue})",
            "stop-opacity": f"{color[3]:.6g}",
        }
        gradient.children.append(Node("stop", attrs))
    return gradient


def _written_out(radial: _Radial, low: int, turns: int) -> Iterator[Stop]:
    """Yield the stops of all turns, counted in turns."""
    stops = [(0.0, radial.stops[0][1]), *radial.stops, (1.0, radial.stops[-1][1])]
    for turn in range(low, turns):
        if radial.spread == "pad" or radial.spread not in ("reflect", "repeat"):
            yield from ((float(turn), stops[0][1]),) if turn < 0 else stops
        elif radial.spread == "reflect" and turn % 2:
            yield from ((turn + 1 - at, color) for at, color in reversed(stops))
        else:
            yield from ((turn + at, color) for at, color in stops)


def _from(stops: list[Stop], first: float) -> Iterator[Stop]:
    """Yield the stops from there on, with the color that there is at that place."""
    before = [stop for stop in stops if stop[0] <= first]
    after = [stop for stop in stops if stop[0] > first]
    if before and after:
        (at, one), (next_at, other) = before[-1], after[0]
        part = (first - at) / (next_at - at)
        red, green, blue, alpha = (a + (b - a) * part for a, b in zip(one, other))
        yield first, (red, green, blue, alpha)
    yield from after


_LEAST = 1e-3
_ENDS = ("x1", "y1", "x2", "y2")
_CAPS = re.compile(rb"square|round")


def lengthen_points(document: tree.Document) -> None:
    """Give lines with such caps some length where they have none."""
    if _CAPS.search(document.data) is None:
        return
    stack = [Document(document).root]
    while stack:
        node = stack.pop()
        stack += node.children
        if node.get("stroke-linecap") not in ("square", "round"):
            continue
        if node.tag == "line":
            x1, y1, x2, y2 = (parse_number(node.get(name, "0").removesuffix("px")) for name in _ENDS)
            if (x1, y1) == (x2, y2) and x1 is not None:
                node.element.attrs["x2"] = f"{x1 + _LEAST:.9g}"
        elif node.tag == "path":
            data = node.get("d", "")
            found = _lengthened(data)
            if found:
                node.element.attrs["d"] = f"{data} {found}"


def _lengthened(data: str) -> str:
    """Return lines in place of the parts that have no length."""
    parts: list[str] = []
    start: tuple[float, float] | None = None
    point = False

    def end() -> None:
        if start is not None and point:
            parts.append(f"M{start[0]:.9g} {start[1]:.9g}h{_LEAST}")

    for kind, v in path_segments(data):
        place = (v[-2], v[-1])
        if kind == "M":
            end()
            start, point = place, False
        elif start is not None:
            same = all((x, y) == start for x, y in ([place] if kind == "A" else zip(v[::2], v[1::2])))
            start, point = (start, True) if same else (None, False)
    end()
    return "".join(parts)
