"""Pictures that cairo doesn't draw as a browser does, through Typst: each a page of one PDF, then a form.

Typst (with usvg and krilla in it) says masks, blend modes, clips and patterns as PDF does, and turns only
filters into pixels. It sees a picture's markup and nothing else: no file, no font, no network. An image in
it is a stand-in, as for cairo, unless it lies under a filter, which needs its pixels.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
from PIL import Image

from cardgen.core.findings import Finding
from cardgen.core.geometry import PT_PER_MM, Matrix, Rect, parse_length
from cardgen.core.progress import tell
from cardgen.pdf import typst_child
from cardgen.pdf.forms import PageForm, Target, lay_tiles, page_forms
from cardgen.pdf.images import SMOOTH, STAND_IN, ImageLibrary, RasterImage
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.shapes import ICON_PT, SHAPES, Document, Drawable, UnplainError, length_of, shape_outline
from cardgen.pdf.shapes import Node as Drawn
from cardgen.pdf.typst_child import FAILED
from cardgen.svg import tree
from cardgen.svg.costs import DPI
from cardgen.svg.outlines import extents, parse_transform, path_segments
from cardgen.svg.style import RGBA, parse_color, read_style
from cardgen.svg.tree import FILTER_DPI, Node, SvgError, open_tag, serialize, share
from cardgen.svg.tree import number as parse_number

PIXELS_PER_PT = 4
"""Of a filter's picture, whatever its size: krilla-svg 0.7's `filter_scale`."""
_MOST_AT_ONCE = 20_000_000
"""Characters of markup of the pictures that one process draws."""
_FILTERED = 1_000_000
"""What a picture with filters counts for."""
_MOST_FAILED = 10
"""Pictures that could not be drawn before the rest of them is not tried."""
_DEVICE = {1: pikepdf.Name.DeviceGray, 3: pikepdf.Name.DeviceRGB}
_OPERATORS = {("cs", 1): "g", ("cs", 3): "rg", ("CS", 1): "G", ("CS", 3): "RG"}


@dataclass(frozen=True, slots=True)
class _Page:
    """A picture to draw, its size and its markup."""

    drawable: Drawable
    target: Target
    markup: str


def draw_pictures(drawables: Sequence[Drawable]) -> dict[str, PageForm]:
    """The form of every drawable, by its key. DrawingError with everything that is wrong."""
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
    """The pages in turn, no more at a time than one process draws at ease."""
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
    """The forms of some pages, and what is wrong with those that can't be drawn: where they can't be drawn
    together, each is tried by itself."""
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
    hint = "leave out its filters and masks one by one to find which it is, or save it as a PNG"
    message = f"{drawable.label}: it can't be drawn: {error}"
    return drawable.name, DrawingError.of("picture/svg", message, hint).findings[0]


def _together(batch: Sequence[_Page], library: ImageLibrary) -> dict[str, PageForm]:
    """The forms of some pages, from one document. Raises TypstError."""
    lines = ["#set page(margin: 0pt, fill: none)"]
    for number, page in enumerate(batch):
        size = f"width: {page.target.width:.6f}pt, height: {page.target.height:.6f}pt"
        image = f'image(bytes(sys.inputs.at("{number}")), format: "svg", {size}, fit: "stretch")'
        lines.append(f"#page({size}, {image})")
    data = compiled("\n".join(lines), {str(number): page.markup for number, page in enumerate(batch)})
    targets = [page.target for page in batch]
    forms = page_forms(_in_device_colors(data), targets, library, pixels=True)
    return {page.drawable.key: form for page, form in zip(batch, forms)}


def _page(drawable: Drawable, library: ImageLibrary) -> _Page:
    """A picture as a page."""
    document = tree.parse(drawable.svg.encode(), bounded=False)
    unroll_radials(document)
    lengthen_points(document)
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


def _in_device_colors(data: bytes) -> bytes:
    """The PDF with DeviceRGB and DeviceGray in place of profiles of sRGB, as all that we write."""
    with pikepdf.open(BytesIO(data)) as pdf:
        for page in pdf.pages:
            stream = pdf.make_stream(_device_operators(page.obj, page.obj.get("/Resources")))
            page.obj.Contents = stream
        for item in list(pdf.objects):
            if isinstance(item, pikepdf.Stream):
                if item.get("/Subtype") == "/Form" or item.get("/PatternType") == 1:
                    item.write(_device_operators(item, item.get("/Resources")))
                _device_spaces(item)
            elif isinstance(item, pikepdf.Dictionary):
                _device_spaces(item)
        lay_tiles(pdf)
        out = BytesIO()
        pdf.save(out, static_id=True)
    return out.getvalue()


def _device_spaces(value: Any) -> None:
    """Name the colour spaces of an image, a shading or a group, those right below it among them."""
    stack = [value]
    while stack:
        item = stack.pop()
        for key in ("/ColorSpace", "/CS"):
            space = item.get(key)
            if isinstance(space, pikepdf.Array) and space[0] == "/ICCBased":
                item[key] = _DEVICE[int(space[1].N)]
        stack += [
            item[key] for key in ("/Group", "/Shading") if isinstance(item.get(key), pikepdf.Dictionary)
        ]


def _device_operators(content: Any, resources: Any) -> bytes:
    """A content stream whose colours are said by `rg` and `g`, without their spaces."""
    spaces = resources.get("/ColorSpace", {}) if resources is not None else {}
    instructions: list[Any] = []
    current = {"cs": 0, "CS": 0}
    for instruction in pikepdf.parse_content_stream(content):
        name = str(instruction.operator)
        if name in current:
            space = spaces.get(str(instruction.operands[0]))
            current[name] = int(space[1].N) if space is not None else 0
            if space is not None:
                continue
        elif name in ("scn", "SCN"):
            operator = _OPERATORS.get(("cs" if name == "scn" else "CS", len(instruction.operands)))
            named = isinstance(instruction.operands[-1], pikepdf.Name)
            if operator is not None and not named:
                instruction = pikepdf.ContentStreamInstruction(
                    instruction.operands, pikepdf.Operator(operator)
                )
        instructions.append(instruction)
    return pikepdf.unparse_content_stream(instructions)


MEMORY, SECONDS = 2_000_000_000, 120
"""Bytes and seconds of processor time that one document may take: many times what the weights of its
pictures allow (see svg/limits.py), for they are a guard against what was reckoned wrong."""
_PATIENCE = 10 * SECONDS
"""Seconds until it is ended where the system counts no processor time."""
_KEPT = ("SYSTEMROOT", "WINDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class TypstError(Exception):
    """Typst can't draw a document; the text is what it says, for the curious."""


def compiled(source: str, inputs: Mapping[str, str]) -> bytes:
    """The PDF of a document in Typst's language, without fonts, files or network. Raises TypstError."""
    with tempfile.TemporaryDirectory(prefix="cardgen-", ignore_cleanup_errors=True) as root:
        order = {
            "source": source,
            "inputs": dict(inputs),
            "root": root,
            "modules": _modules(),
            "memory": MEMORY,
            "seconds": SECONDS,
        }
        try:
            code, data = _run(order, root)
        except PermissionError:
            # A confined process may start none, and is held by itself (see confinement/).
            return _here(order)
    if code == FAILED:
        raise TypstError(_sentence(data.decode("utf-8", "replace")))
    if code:
        raise TypstError(_sentence(""))
    return data


def _modules() -> str:
    """The folder in which the package lies."""
    spec = importlib.util.find_spec("typst")
    if spec is None or spec.origin is None:
        raise TypstError("the package typst is not installed")
    return str(Path(spec.origin).resolve().parent.parent)


def _run(order: dict[str, Any], root: str) -> tuple[int, bytes]:
    command = [sys.executable, "-I", "-S", "-B", str(Path(typst_child.__file__).resolve())]
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    with subprocess.Popen(
        command,
        env={**kept, "RUST_BACKTRACE": "0"},
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            data, _ = process.communicate(json.dumps(order).encode("utf-8"), timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            return -1, b""
        except BaseException:
            process.kill()
            raise
        return process.returncode, data


def _here(order: dict[str, Any]) -> bytes:
    try:
        return typst_child.compiled(order)
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except Exception as error:
        raise TypstError(_sentence(str(error))) from None
    except BaseException:  # a panic of Rust's is no Exception
        raise TypstError(_sentence("")) from None


def _sentence(text: str) -> str:
    """What Typst says, on one line; nothing where it crashed."""
    return " ".join(text.split())[:200] or "the renderer stops over it"


_UNSMOOTH = frozenset(("pixelated", "crisp-edges", "optimizeSpeed"))
_BOX = ("x", "y", "width", "height", "preserveAspectRatio")
_HREFS = ("href", "xlink:href")
_BRIGHTNESS = (0.2126, 0.7152, 0.0722, 0.0)
"""Of red, green and blue (CSS Masking 1, 6.4)."""


def with_stand_ins(root: Node, library: ImageLibrary) -> str:
    """The document as text. Raises DrawingError for an image that is not among the library's."""
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
    """The images that a mask weighs by their brightness."""
    for mask in root.iter():
        kind = read_style(_style(mask))[0].get("mask-type", mask.get("mask-type"))
        if mask.name == "mask" and kind != "alpha":
            yield from (node for node in mask.iter() if node.name == "image")


def in_grays(png: bytes) -> bytes:
    """A PNG with its colours as grays of the same brightness as SVG sees it (CSS Masking 1, 6.4): PDF
    weighs them otherwise."""
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
    """The JPEG that stands for an image."""
    note = STAND_IN + image.key.encode("ascii") + (SMOOTH if smooth else b"-")
    pixel = _pixel()
    return pixel[:2] + b"\xff\xfe" + struct.pack(">H", len(note) + 2) + note + pixel[2:]


@cache
def _pixel() -> bytes:
    file = BytesIO()
    Image.new("RGB", (1, 1)).save(file, "JPEG")
    return file.getvalue()


_PAINTS = ("fill", "stroke")
_MOST_TURNS = 60
"""Repeats of a gradient; readers take some 256 colours of a whole one."""
_MOST_STOPS = 2000
_MOST_CHAIN = 20
_UNKNOWN = 8
"""Turns where what is painted isn't known."""

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
    def usual(self) -> bool:
        return self.fr <= 0 and self.spread not in ("reflect", "repeat")


def unroll_radials(document: tree.Document) -> None:
    """Give shapes whose radial gradient Typst does not draw one that it does. DrawingError for one that
    no such stands for."""
    gradients = {
        id: radial
        for id, node in document.ids.items()
        if node.name == "radialGradient" and (radial := _radial(node, document.ids)) and not radial.usual
    }
    if not gradients:
        return
    made: list[Node] = []
    stack = [Document(document).root]
    while stack:
        node = stack.pop()
        stack += node.children
        for name in _PAINTS:
            radial = gradients.get(_target(node.get(name, "")))
            if radial is None or not (node.tag in SHAPES or (node.tag == "use" and _own(node, name))):
                continue
            gradient = _unrolled(radial, _turns(radial, node), f"unrolled-{len(made)}")
            made.append(gradient)
            _set(node.element, name, f"url(#{gradient.attrs['id']})")
    if made:
        defs = Node("defs", {})
        defs.children = list(made)
        document.root.children.insert(0, defs)


def _target(value: str) -> str:
    return value.strip()[5:].partition(")")[0] if value.strip().startswith("url(#") else ""


def _own(node: Drawn, name: str) -> bool:
    element = node.element
    return name in element.attrs or name in read_style(element.attrs.get("style", ""))[0]


def _set(element: Node, name: str, value: str) -> None:
    style = read_style(element.attrs.get("style", ""))[0]
    if name in style:
        element.attrs["style"] = ";".join(
            f"{key}:{value if key == name else other}" for key, other in style.items()
        )
    else:
        element.attrs[name] = value


def _radial(node: Node, ids: Mapping[str, Node]) -> _Radial | None:
    """A gradient with what it takes over; None for one without area or stops."""
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


def _turns(radial: _Radial, node: Drawn) -> int:
    """How often a gradient is repeated to paint all of a shape."""
    if radial.spread not in ("reflect", "repeat"):
        return 1
    if node.tag == "use":
        return _UNKNOWN
    try:
        box = extents(shape_outline(node))
        around = length_of(node, "stroke-width", "1") / 2 if node.get("stroke", "none") != "none" else 0.0
        if "miter" in node.get("stroke-linejoin", "miter"):
            around *= max(1.0, share(node.get("stroke-miterlimit", "4")))
        painted = Rect(box.x - around, box.y - around, box.width + 2 * around, box.height + 2 * around)
        place = parse_transform(radial.attrs.get("gradientTransform"))
        if radial.attrs.get("gradientUnits") != "userSpaceOnUse":
            place = place.then(Matrix(box.width, 0, 0, box.height, box.x, box.y))
        back = place.inverse()
    except (UnplainError, ValueError, ZeroDivisionError):
        return _UNKNOWN
    xs, ys = (painted.x, painted.right), (painted.y, painted.bottom)
    far = max(_reach(radial, *back.apply(x, y)) for x in xs for y in ys)
    return max(1, min(_MOST_TURNS, math.ceil(far)))


def _reach(radial: _Radial, x: float, y: float) -> float:
    """The number of the circle that goes through a place: 0 the focal one, 1 the outer one."""
    k = radial.r - radial.fr
    dx, dy = radial.cx - radial.fx, radial.cy - radial.fy
    start = -radial.fr / k
    qx, qy = x - radial.fx - start * dx, y - radial.fy - start * dy
    a = k * k - dx * dx - dy * dy
    if a <= 1e-6 * k * k:
        return _UNKNOWN
    along = qx * dx + qy * dy
    return start + (math.sqrt(along * along + a * (qx * qx + qy * qy)) - along) / a


def _unrolled(radial: _Radial, turns: int, id: str) -> Node:
    """The gradient from where its circles have no size, to the end of its last turn."""
    k = radial.r - radial.fr
    if k <= 1e-9 * radial.r:
        message = "a radial gradient whose focal circle is as large as the outer one is not drawn here"
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
    """The stops of all turns, counted in turns."""
    stops = [(0.0, radial.stops[0][1]), *radial.stops, (1.0, radial.stops[-1][1])]
    for turn in range(low, turns):
        if radial.spread == "pad" or radial.spread not in ("reflect", "repeat"):
            yield from ((float(turn), stops[0][1]),) if turn < 0 else stops
        elif radial.spread == "reflect" and turn % 2:
            yield from ((turn + 1 - at, color) for at, color in reversed(stops))
        else:
            yield from ((turn + at, color) for at, color in stops)


def _from(stops: list[Stop], first: float) -> Iterator[Stop]:
    """The stops from there on, with the colour that there is at that place."""
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
    """Lines in place of the parts that have no length."""
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
