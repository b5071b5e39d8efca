"""Pictures that only Typst draws as a browser does: each a page of one PDF, then a form.

Typst (with usvg and krilla in it) says masks, blend modes, clips and patterns as PDF does, and turns only
filters into pixels. An image is a stand-in unless it lies under a filter, which needs its pixels.
"""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO

from PIL import Image

from cardgen.core.findings import Finding
from cardgen.core.geometry import PT_PER_MM, parse_length
from cardgen.core.progress import tell
from cardgen.core.records import dataclass
from cardgen.pdf.forms import PageForm, Target, page_forms
from cardgen.pdf.gradients import unroll_gradients
from cardgen.pdf.images import SMOOTH, STAND_IN, ImageLibrary, RasterImage
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.shapes import ICON_PT, Document, Drawable
from cardgen.pdf.typst_process import TypstError, compiled
from cardgen.svg import tree
from cardgen.svg.outlines import path_segments
from cardgen.svg.style import parse_color, read_style
from cardgen.svg.tree import DPI, FILTER_DPI, Node, SvgError, open_tag, serialize
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
    unroll_gradients(document)
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
