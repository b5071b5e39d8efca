"""Drawings as drawing programs write them → the SVG that the rest of cardgen reads.

Each pass takes a tree and answers one in which less is left to know: style sheets of any kind become
properties at the elements, `<switch>` its chosen child, lengths in any unit plain numbers, a reference
without a size one with it. A drawing that has none of that stays the very same tree. Elements keep their
places in the source, for findings.
"""

from __future__ import annotations

import math
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from urllib.parse import unquote_to_bytes

from cardgen.core.findings import Problem
from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.core.records import dataclass
from cardgen.svg.lengths import boxed, guessed_lengths, measured, remade
from cardgen.svg.outlines import (
    ViewportError,
    box_of,
    fit,
    moved,
    outline_of,
    own_box,
    transform_of,
    view_box_of,
)
from cardgen.svg.style import INITIAL, parse_color, read_style, renamed
from cardgen.svg.tree import (
    NUMBER,
    Document,
    Node,
    SvgError,
    is_foreign,
    is_unseen,
    names,
    numbers,
    parse,
    short,
)

_UNUSUAL = re.compile(
    rb"""<style|flowRoot|<!DOCTYPE|<switch|<a[\s>/]|<symbol|<mask|<\w+:|xmlns:\w+\s*=\s*["']http://www\.w3\.org/2000/svg
    |var\(|calc\(|%|[0-9.](?:cm|mm|in|pt|pc|q|rem|ex|ch|vw|vh)\b|\b(?:initial|unset|revert|inherit)\b
    |[0-9.]vm(?:in|ax)\b|font-size\s{0,9}[:=]\s{0,9}["']?[a-z]
    |(?<![\w-])(?:(?:width|height)\s{0,9}[:=]\s{0,9}["']?0|(?:rx|ry|stroke-width)\s{0,9}[:=]\s{0,9}["']?-)
    |dash(?:array|offset)\s*[:=][^;>]{0,100}-|data:image/svg|icc-color|<use\s[^>]*(?:clip-path|mask|filter)
    |\b(?:system|required|vector-|pathLength|transform-|marker|font\b|auto|preserveAspectRatio)
    |transform\s*:|\bd\s*:|filter\s*:|url\(\s*["' ]|(?:circle|ellipse|inset|polygon|path)\(|<svg.*<svg""",
    re.X | re.S,
)
"""Signs of a drawing that needs normalizing."""
_BY_TYPE = re.compile(
    rb"[0-9.](?:r?em|ex|ch|mm|cm|in|pt|pc|q|vw|vh|%)\b|[0-9.]%|calc\(|pathLength|transform-|vector-|data:image/svg|icc-color|<use\s[^>]*(?:clip-path|mask|filter)"
    rb"|[0-9.]vm(?:in|ax)\b|font-size\s{0,9}[:=]\s{0,9}[\"']?[a-z]"
    rb"|(?<![\w-])(?:rx|ry|stroke-width)\s{0,9}:\s{0,9}-"
    rb"|(?:circle|ellipse|inset|polygon|path)\(|dash(?:array|offset)\s*[:=][^;>]{0,100}-"
)
"""Lengths that count from the size of type or a box: they must stand at the elements."""


@dataclass(frozen=True, slots=True)
class Normal:
    """A drawing in plain SVG, and what its style sheets say that can't be read, offsets in the file."""

    document: Document
    problems: tuple[Problem, ...] = ()


def normalised(
    document: Document,
    language: str = "en",
    inside: int = 0,
    *,
    everything: bool = False,
    lengths: bool = True,
) -> Normal:
    """Return the drawing with everything said where it counts. `language` is that of the readers, by
    which `<switch>` chooses; `inside` counts the drawings that it stands in. With `everything` no style
    is left to the drawing's sheets; without `lengths` they stay in the units that they are in."""
    everything = everything or inside > 0
    if not everything and _UNUSUAL.search(document.data) is None:
        return Normal(document)
    everything = everything or _BY_TYPE.search(document.data) is not None
    from cardgen.svg.cascade import cascaded  # loads readers of CSS

    root, problems = cascaded(document.root, everything=everything)
    if SVG_DATA.search(document.data):

        def plain(inner: Document, deep: int) -> tuple[Document, list[Problem]]:
            normal = normalised(inner, language, deep)
            return normal.document, list(normal.problems)

        root = inlined(root, plain, INITIAL, inside, problems)
    root = plain_structure(root, language)
    if b"flowRoot" in document.data:
        root = flowed(root)
    root = plain_values(root)
    if lengths:
        problems += guessed_lengths(root)
        root = boxed(measured(root), problems)
    root = kept_strokes(root, problems)
    root = with_gray_masks(root)
    if root is document.root:
        return Normal(document, tuple(problems))
    return Normal(Document(document.data, root, *_ids_of(root)), tuple(problems))


def _ids_of(root: Node) -> tuple[dict[str, Node], tuple[Node, ...]]:
    """Return the elements by their ids, and those with an id that another has."""
    ids: dict[str, Node] = {}
    repeated: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if is_unseen(node.name):
            continue
        if "id" in node.attrs and ids.setdefault(node.attrs["id"], node) is not node:
            repeated.append(node)
        stack.extend(child for child in reversed(node.children) if isinstance(child, Node))
    return ids, tuple(repeated)


_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_CONDITIONS = ("requiredExtensions", "requiredFeatures", "systemLanguage")
_LINK = names("href target download rel type xlink:href xlink:title xlink:show")
_LONGEST = 1_000
"""Characters of a list of languages."""
_MARKED = names("line path polygon polyline")
_MARKERS = ("marker-start", "marker-mid", "marker-end")
_UNMARKED = names("circle ellipse rect")


def plain_structure(root: Node, language: str) -> Node:
    """Return the tree with links as groups, of a `<switch>` the child that holds, and nothing whose
    conditions don't."""
    prefixes = {
        name.removeprefix("xmlns:"): value
        for node in root.iter()
        for name, value in node.attrs.items()
        if name.startswith("xmlns:")
    }
    return _Structure(prefixes, language, root).plain(root) or root


class _Structure:
    def __init__(self, prefixes: dict[str, str], language: str, root: Node) -> None:
        self._prefixes = prefixes
        self._root = root
        self._language = language.lower()
        self._usual = not any(
            name != "xlink" and value == _XLINK for name, value in prefixes.items()
        )  # whether references are spelt as usual

    def plain(self, node: Node) -> Node | None:
        """Return an element and all in it; None for one that is not shown."""
        name = self._name(node.name)
        if not self._holds(node) or (":" in name and name.partition(":")[0] in self._prefixes):
            return None  # or another program's own
        if name in ("image", "svg") and node is not self._root and _has_no_size(node):
            return None
        attrs = self._attributes(node.attrs)
        children: list[Node | str] = []
        for child in node.children:
            if isinstance(child, str):
                children.append(child)
                continue
            made = self.plain(child)
            if made is not None:
                children.append(made)
            if name == "switch" and made is not None and ":" not in made.name:
                break  # the first whose conditions hold is the only one
        if name in ("a", "switch"):
            attrs = {key: value for key, value in attrs.items() if name != "a" or key not in _LINK}
            name = "g"
        if name in _UNMARKED and any(marker in attrs for marker in _MARKERS):
            attrs = {key: value for key, value in attrs.items() if key not in _MARKERS}
        return remade(node, name=name, attrs=attrs, children=children)

    def _name(self, name: str) -> str:
        prefix, colon, local = name.partition(":")
        return local if colon and self._prefixes.get(prefix) == _SVG else name

    def _attributes(self, attrs: dict[str, str]) -> dict[str, str]:
        if not any(name in _CONDITIONS for name in attrs) and self._usual:
            return attrs
        result: dict[str, str] = {}
        for name, value in attrs.items():
            prefix, colon, local = name.partition(":")
            if name in _CONDITIONS:
                continue
            if colon and self._prefixes.get(prefix) == _XLINK:
                name = "xlink:" + local
            result[name] = value
        return result

    def _holds(self, node: Node) -> bool:
        """Return True if an element's conditions are met."""
        attrs = node.attrs
        if attrs.get("requiredExtensions") is not None:  # none is supported, and an empty list neither
            return False
        if "systemLanguage" in attrs:
            wanted = [one.strip().lower() for one in attrs["systemLanguage"][:_LONGEST].split(",")]
            mine = self._language
            return any(
                one and (one == mine or one.startswith(mine + "-") or mine.startswith(one + "-"))
                for one in wanted
            )
        return True


_ZERO = re.compile(r"[-+]?(?:0*\.)?0+(?:[a-zA-Z]+|%)?")


def _has_no_size(node: Node) -> bool:
    return any(_ZERO.fullmatch(node.attrs.get(name, "").strip()) for name in ("width", "height"))


_ID = r"""(#[^\s"'()]+)"""
_URL = re.compile(rf"""url\(\s*(?:"\s*{_ID}\s*"|'\s*{_ID}\s*'|{_ID})\s*\)""")
"""With nothing that could be read in two ways, which takes long where it fails."""
_PATH = re.compile(r"""path\(\s*(?:(?:nonzero|evenodd)\s*,\s*)?(["'])([^"']*)\1\s*\)""")
_ANGLE = re.compile(rf"({NUMBER})(deg|grad|rad|turn)\b")
_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
_PIXELS = re.compile(rf"({NUMBER})px\b")
_CSS_TRANSFORM = re.compile(r"\b(translate|scale|skew)([XY])\(([^()]*)\)")
_ICC = re.compile(r"\bicc-color\([^()]*\)")
"""The same color for a press (SVG 1.1, 11.2), which stands after one for screens."""
_COLORS = ("fill", "stroke", "stop-color", "flood-color", "color")
_FONT_SIZES = {
    "xx-small": "9px",
    "x-small": "10px",
    "small": "13px",
    "medium": "16px",
    "large": "18px",
    "x-large": "24px",
    "xx-large": "32px",
    "xxx-large": "48px",
    "smaller": ".833333em",
    "larger": "1.2em",
}
"""Names of sizes of type as browsers have them (CSS Fonts 4, 2.5)."""
_MOVES = ("transform", "gradientTransform", "patternTransform", "transform-origin")


def plain_values(root: Node) -> Node:
    """Return the tree with references as `url(#id)`, outlines as they are, transforms without units."""
    attrs = {
        name: _value(name, value)
        for name, value in root.attrs.items()
        if not (name in _NEVER_NEGATIVE and _is_invalid_length(value))
    }
    if root.name in ("svg", "g") and attrs.get("transform-box") == "view-box":
        del attrs["transform-box"]
    children = [plain_values(child) if isinstance(child, Node) else child for child in root.children]
    return remade(root, attrs=attrs, children=children)


_NEVER_NEGATIVE = ("rx", "ry", "stroke-width")


def _is_invalid_length(value: str) -> bool:
    """Tell whether a length is as if it were not stated: negative, or one that another decides."""
    return value.strip() == "auto" or value.strip().startswith("-")


def _value(name: str, value: str) -> str:
    if name == "font-size":
        return _FONT_SIZES.get(value.strip().lower(), value)
    if "url(" in value:
        return _URL.sub(lambda match: f"url({match[1] or match[2] or match[3]})", value)
    if name in _COLORS and "icc-color" in value:
        return _ICC.sub("", value).strip()
    if name == "d" and value.lstrip().startswith("path("):
        found = _PATH.fullmatch(value.strip())
        return value if found is None else found[2]
    if name in _MOVES and len(value) < 2_000:
        value = _ANGLE.sub(lambda match: f"{float(match[1]) * _DEGREES[match[2]]:.10g}", value)
        value = _PIXELS.sub(r"\1", value)
        return _CSS_TRANSFORM.sub(_along, value)
    return value


def _along(match: re.Match[str]) -> str:
    """Return a CSS function along one axis as SVG 1.1 writes it."""
    kind, axis, value = match.groups()
    if kind == "skew":
        return match[0]
    other = "0" if kind == "translate" else "1"
    return f"{kind}({value} {other})" if axis == "X" else f"{kind}({other} {value})"


_SHAPES = frozenset(("rect", "circle", "ellipse", "polygon", "polyline", "path"))
_PARAGRAPHS = frozenset(("flowPara", "flowDiv"))


def flowed(root: Node) -> Node:
    """Return the tree with every flowRoot as a `<text>`, and the shape that it fills. One without
    letters is gone; one without a shape of its own, or with several, stays as it is."""
    ids = {node.attrs["id"] for node in root.iter() if "id" in node.attrs}
    return _flowed(root, ids)


def _flowed(node: Node, ids: set[str]) -> Node:
    children: list[Node | str] = []
    for child in node.children:
        if isinstance(child, str):
            children.append(child)
        elif child.name == "flowRoot":
            children += _text(child, ids)
        else:
            children.append(_flowed(child, ids))
    return remade(node, children=children)


def _text(root: Node, ids: set[str]) -> list[Node]:
    regions = [node for node in root.elements() if node.name == "flowRegion"]
    contents = [node for node in root.elements() if node.name in (*_PARAGRAPHS, "flowSpan")]
    if not any(node.text().strip() for node in contents):
        return []
    shapes = [shape for region in regions for shape in region.elements() if shape.name in _SHAPES]
    if len(shapes) != 1:
        return [root]
    name = shapes[0].get("id")
    if name is None:
        name = next(f"flow-{number}" for number in range(len(ids) + 1) if f"flow-{number}" not in ids)
        ids.add(name)
    shape = remade(shapes[0], attrs={**shapes[0].attrs, "id": name})
    while contents and not contents[-1].text().strip():
        contents.pop()
    attrs = {**root.attrs, "shape-inside": f"url(#{name})", "cg:paragraph-space": "0"}
    made = remade(root, name="text", attrs=attrs, children=[_part(node) for node in contents])
    defs = Node("defs", {}, shape.start)
    defs.end = shape.end
    defs.children = [shape]
    return [defs, made]


def _part(node: Node) -> Node:
    """Return a paragraph or a part of one; an empty paragraph is a blank line."""
    paragraph = node.name in _PARAGRAPHS
    children: list[Node | str] = [
        _part(child) if isinstance(child, Node) and child.name.startswith("flow") else child
        for child in node.children
    ]
    attrs = dict(node.attrs)
    if paragraph:
        attrs["cg:block"] = "paragraph"
        if not node.text().strip():
            attrs["visibility"], children = "hidden", ["."]  # which takes its room
    elif node.name == "flowLine":
        attrs["cg:block"] = "break"
    return remade(node, name="tspan", attrs=attrs, children=children)


SVG_DATA = re.compile(rb"data:image/svg")
_MOST_INSIDE = 3
_DEEPEST = 30
"""Levels of nesting in such a drawing."""
_MOST = 500
_BOX = names("x y width height preserveAspectRatio")
_ROOT = names("width height viewBox x y version id preserveAspectRatio")

Plain = Callable[[Document, int], tuple[Document, list[Problem]]]
"""A drawing in plain SVG, so many levels inside of others."""


class _Inner:
    def __init__(self, plain: Plain, initial: dict[str, str], inside: int, problems: list[Problem]) -> None:
        self._plain = plain
        self._initial = initial
        self._inside = inside
        self._problems = problems
        self._count = 0

    def element(self, node: Node) -> Node:
        if node.name == "image" and (node.href or "").startswith("data:image/svg"):
            return self._shown(node)
        children = [self.element(child) if isinstance(child, Node) else child for child in node.children]
        return remade(node, children=children)

    def _shown(self, image: Node) -> Node:
        self._count += 1
        try:
            if self._count > _MOST or self._inside >= _MOST_INSIDE:
                raise ValueError(f"it exceeds {_MOST_INSIDE} nested drawings or {_MOST} drawings in all")
            document, found = self._plain(parse(_decoded(image.href or "")), self._inside + 1)
            box = own_box(document.root)
            if document.root.name != "svg" or _depth(document.root) > _DEEPEST:
                raise ValueError(f"it is not an <svg>, or is more than {_DEEPEST} elements deep")
        except (SvgError, ValueError) as error:  # one of viewports, too
            return self._refused(image, str(error))
        if any(problem.is_error for problem in found):
            return self._refused(image, found[0].message)
        return self._nested(image, document, box)

    def _refused(self, image: Node, why: str) -> Node:
        message = f"a drawing inside the drawing can't be shown: {short(why)}"
        self._problems.append(
            Problem("image/data", message, "move its artwork into a <g>", offset=image.start)
        )
        return Node("g", {}, image.start)

    def _nested(self, image: Node, document: Document, box: Rect | None) -> Node:
        prefix = f"inner{self._inside}-{self._count}-"
        new = {id: prefix + id for id in document.ids}
        size = {name: image.attrs[name] for name in _BOX if name in image.attrs}
        if box is not None:
            size["viewBox"] = f"{box.x:.10g} {box.y:.10g} {box.width:.10g} {box.height:.10g}"
            for name, side in (("width", box.width), ("height", box.height)):
                size.setdefault(name, f"{side:.10g}")
        root = document.root
        own = {name: renamed(name, value, new) for name, value in root.attrs.items() if name not in _ROOT}
        group = Node("g", {**self._initial, **own}, image.start)
        group.children = [
            _copied(child, new, image) if isinstance(child, Node) else child for child in root.children
        ]
        group.has_text = root.has_text
        nested = Node("svg", size, image.start)
        nested.children, nested.has_text, nested.end = [group], root.has_text, image.end
        outer = {
            name: value
            for name, value in image.attrs.items()
            if name not in _BOX and name not in ("href", "xlink:href")
        }
        return remade(image, name="g", attrs=outer, children=[nested])


def inlined(
    root: Node, plain: Plain, initial: dict[str, str], inside: int, problems: list[Problem]
) -> Node:
    """Return the tree with such images as what they show. `initial` is what their roots don't take over."""
    return _Inner(plain, initial, inside, problems).element(root)


def _decoded(href: str) -> bytes:
    head, _, body = href.partition(",")
    return b64decode(body) if head.rstrip().endswith(";base64") else unquote_to_bytes(body)


def _depth(root: Node) -> int:
    deepest = 0
    stack = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        stack += ((child, depth + 1) for child in node.elements())
    return deepest


def _copied(node: Node, new: dict[str, str], image: Node) -> Node:
    """Return an element under its new ids, at the image's place in the source."""
    attrs = {name: renamed(name, value, new) for name, value in node.attrs.items()}
    copy = Node(node.name, attrs, image.start)
    copy.end = image.end
    copy.has_text = node.has_text
    copy.children = [
        _copied(child, new, image) if isinstance(child, Node) else child for child in node.children
    ]
    return copy


_PAINTS = names("fill stroke color flood-color")


def with_gray_masks(root: Node) -> Node:
    """Return the tree with the colors in masks as grays of the same brightness: PDF weighs green and
    blue otherwise than SVG does."""
    if not any(node.name == "mask" for node in root.iter()):
        return root
    return _masked(root, inside=False)


def _masked(node: Node, inside: bool) -> Node:
    inside = inside or node.name == "mask"
    attrs = node.attrs
    if inside:
        attrs = {name: _gray(value) if name in _PAINTS else value for name, value in attrs.items()}
        if "style" in attrs and any(name in attrs["style"] for name in _PAINTS):
            declared = read_style(attrs["style"])[0]
            attrs["style"] = ";".join(
                f"{name}:{_gray(value) if name in _PAINTS else value}" for name, value in declared.items()
            )
    children = [_masked(child, inside) if isinstance(child, Node) else child for child in node.children]
    return remade(node, attrs=attrs, children=children)


def _gray(value: str) -> str:
    color = parse_color(value)
    if color is None or color[0] == color[1] == color[2]:
        return value
    red, green, blue, opacity = color
    level = 100 * (0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return f"rgba({level:.4f}%,{level:.4f}%,{level:.4f}%,{opacity:.6g})"


_KEPT = "non-scaling-stroke"
_WIDTHS = ("stroke-width", "stroke-dasharray", "stroke-dashoffset")
_MARKS = names("marker-start marker-mid marker-end")
_REORDERED = names("paint-order")
_FOLLOWED = (*_WIDTHS, "stroke", *sorted(_MARKS | _REORDERED))
_GEOMETRY = names("d points x y width height cx cy r rx ry x1 y1 x2 y2")


def kept_strokes(root: Node, problems: list[Problem]) -> Node:
    """Return the tree with widths of such strokes as they are drawn. Where shapes are stretched more one
    way than the other that can't be said, which is a problem."""
    if not any(node.attrs.get("vector-effect") == _KEPT for node in root.iter()):
        return root
    return _kept(root, IDENTITY, {}, problems, top=True)


def _kept(
    node: Node, around: Matrix, style: dict[str, str], problems: list[Problem], top: bool = False
) -> Node:
    try:
        here = around if top else transform_of(node.attrs).then(around)
        if node.name == "svg" and not top:
            here = fit(
                view_box_of(node.get("viewBox")), box_of(node.attrs), node.get("preserveAspectRatio")
            ).then(here)
    except (ValueError, ViewportError):
        return node  # said by the lint
    style = {**style, **{name: node.attrs[name] for name in _FOLLOWED if name in node.attrs}}
    children = [
        _kept(child, here, style, problems) if isinstance(child, Node) else child for child in node.children
    ]
    attrs = node.attrs
    if attrs.get("vector-effect") == _KEPT:
        scale = _scale(here)
        if scale is None:
            return _apart(node, here, style, problems)
        attrs = {name: value for name, value in attrs.items() if name != "vector-effect"}
        attrs |= dict(_scaled({"stroke-width": "1", **style}, 1 / scale))
    return remade(node, attrs=attrs, children=children)


def _apart(node: Node, here: Matrix, style: dict[str, str], problems: list[Problem]) -> Node:
    """Return a shape that is stretched more one way than the other, as its fill and, over it, its
    outline as it lies in the whole drawing, stroked there."""
    paint = style.get("stroke", "none").strip()
    kept = {name: value for name, value in node.attrs.items() if name != "vector-effect"}
    if paint == "none":
        return remade(node, attrs=kept)
    outline = outline_of(node.name, node.attrs)
    if outline is None or paint.startswith("url(") or style.keys() & _MARKS or _REORDERED & style.keys():
        message = "a fixed-width stroke (vector-effect) is not supported on stretched artwork"
        problems.append(
            Problem("svg/vector-effect", message, "draw it without such a transform", offset=node.start)
        )
        return node
    try:
        back = here.inverse()
    except ZeroDivisionError:
        return remade(node, attrs=kept)  # nothing of it is seen
    around = {name: value for name, value in kept.items() if name not in _GEOMETRY}
    inner = {name: value for name, value in kept.items() if name in _GEOMETRY}
    fill = Node(node.name, {**inner, "stroke": "none"}, node.start)
    data = "".join(
        letter + " ".join(f"{value:.9g}" for value in values)
        for letter, values in moved(outline, here).segments()
    )
    values = (back.a, back.b, back.c, back.d, back.e, back.f)
    place = f"matrix({' '.join(f'{value:.12g}' for value in values)})"
    stroke = Node("path", {"d": data, "fill": "none", "transform": place}, node.start)
    return remade(node, name="g", attrs=around, children=[fill, stroke])


def _scale(matrix: Matrix) -> float | None:
    """Return the scale of a matrix; None if that depends on the direction."""
    across, down = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
    square = abs(matrix.a * matrix.c + matrix.b * matrix.d) < 1e-6 * across * down
    if not square or not math.isclose(across, down, rel_tol=1e-4):
        return None
    return across


def _scaled(style: dict[str, str], by: float) -> Iterator[tuple[str, str]]:
    for name, value in style.items():
        found = numbers(value) if name in _WIDTHS else []
        if found:
            yield name, " ".join(f"{each * by:.8g}" for each in found)


_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_VALUE = _TEXT | str.maketrans({'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
_DECLARED = {
    "xmlns": "http://www.w3.org/2000/svg",
    "xmlns:xlink": "http://www.w3.org/1999/xlink",
    "xmlns:cg": "urn:cardgen",
}


def rewritten(root: Node) -> Document:
    """Write a tree as a document of its own, without the attributes of drawing programs. Its elements are
    the same ones, with the places where they were made."""
    parts: list[bytes] = []
    spans: dict[Node, tuple[int, int]] = {}
    length = 0

    def put(text: str) -> None:
        nonlocal length
        parts.append(text.encode())
        length += len(parts[-1])

    def write(node: Node, declared: dict[str, str]) -> None:
        start = length
        attrs = declared | {name: value for name, value in node.attrs.items() if _is_ours(name)}
        said = "".join(f' {name}="{value.translate(_VALUE)}"' for name, value in attrs.items())
        put(f"<{node.name}{said}>" if node.children else f"<{node.name}{said}/>")
        for child in node.children:
            if isinstance(child, str):
                put(child.translate(_TEXT))
            else:
                write(child, {})
        if node.children:
            put(f"</{node.name}>")
        spans[node] = start, length

    write(root, _DECLARED)
    ids, repeated = _ids_of(root)
    return Document(b"".join(parts), root, ids, repeated, spans)


def _is_ours(name: str) -> bool:
    return name.startswith("cg:") or not (is_foreign(name) or name.startswith("xmlns"))
