"""Lengths, sums and boxes of elements as plain numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

from cardgen.core.findings import Problem, Severity
from cardgen.core.geometry import IDENTITY, Rect
from cardgen.core.records import dataclass, replace
from cardgen.svg.outlines import (
    Outline,
    ViewportError,
    extents,
    joined,
    length,
    moved,
    outline_of,
    own_box,
    transform_of,
    view_box_of,
)
from cardgen.svg.tree import MOST_PROBLEMS, NUMBER, Node, names, number, numbers, short

_UNITS = {
    "px": 1.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "q": 96 / 101.6,
    "pt": 96 / 72,
    "pc": 16.0,
}
_ACROSS = names("x x1 x2 cx fx width rx dx markerWidth refX")
_DOWN = names("y y1 y2 cy fy height ry dy markerHeight refY")
_BOTH = names("r fr stroke-width stroke-dashoffset stroke-dasharray")
_SIZES = names("font-size letter-spacing word-spacing")
_LENGTHS = _ACROSS | _DOWN | _BOTH | _SIZES
_LENGTH = re.compile(rf"({NUMBER})\s*([A-Za-z]+|%)?")
_SIDES = ("width", "height")
_WHOLE = ("100%", "100%")
_EFFECTS = names("clip-path mask filter")
_RELATIVE_SERVERS = {
    "linearGradient": "gradientUnits",
    "radialGradient": "gradientUnits",
    "pattern": "patternUnits",
    "mask": "maskUnits",
    "filter": "filterUnits",
}
_REGION = {"x": "-10%", "y": "-10%", "width": "120%", "height": "120%"}
"""The region of a mask or filter that states none (CSS Masking 1, 6.3; Filter Effects 1, 5)."""
_LONGEST = 20_000
"""Characters of a list of lengths; a longer one is refused elsewhere."""
_FONT_SIZE = 16.0
"""`medium`, which most programs take for 16 px."""
_EX = 0.5


@dataclass(frozen=True, slots=True)
class _Around:
    """The references for lengths: the box of the nearest viewport, and font sizes."""

    box: Rect
    size: float
    root: float
    page: tuple[float, float]
    """Width and height of the whole drawing."""
    sizes: Mapping[str, tuple[str, str]]
    """Width and height of each `<svg>` that may be used, as it says them, by its id."""


_NOWHERE = _Around(Rect(0, 0, 1, 1), _FONT_SIZE, _FONT_SIZE, (1, 1), {})


def _absolute(text: str | None) -> float | None:
    """Return a length that counts from nothing else."""
    match = _LENGTH.fullmatch((text or "").strip())
    factor = {**_UNITS, "": 1.0}.get((match[2] or "").lower()) if match is not None else None
    return float(match[1]) * factor if match is not None and factor is not None else None


_GUESSED = re.compile(r"[0-9.](?:ch|ex)\b", re.IGNORECASE)


def guessed_lengths(root: Node) -> list[Problem]:
    """Warn of the first length that counts from letters of a font, of which a drawing knows nothing."""
    for node in root.iter():
        for name, value in node.attrs.items():
            if name in _LENGTHS and _GUESSED.search(value[:_LONGEST]):
                message = f"{name} is '{short(value)}'; this unit is taken as half the font size"
                hint = "write em or px"
                return [Problem("svg/unit", message, hint, Severity.WARNING, offset=node.start)]
    return []


def measured(root: Node) -> Node:
    """Return the tree with lengths as plain numbers, those of the outermost element but for its parts of
    a page that there is not."""
    box = _box(root)
    if box is None:
        return root
    size = _font_size(root, _FONT_SIZE, _FONT_SIZE)
    used = {
        node.attrs["id"]: (node.get("width", "100%") or "", node.get("height", "100%") or "")
        for node in root.iter()
        if node.name == "svg" and "id" in node.attrs
    }
    across, down = (_absolute(root.get(name)) for name in _SIDES)
    around = _Around(box, size, size, (across or box.width, down or box.height), used)
    children = [_measured(child, around) if isinstance(child, Node) else child for child in root.children]
    attrs = {
        name: value if name in ("x", "y", "width", "height") else _value(root, name, value, around)
        for name, value in root.attrs.items()
    }
    if root.get("viewBox") is not None:
        for name in ("width", "height"):
            if attrs.get(name, "").strip().endswith("%") or attrs.get(name, "").strip() == "auto":
                attrs = {key: value for key, value in attrs.items() if key != name}
        sized = _stretched(root, attrs, box, children)
        if sized is not None:
            return sized
    return remade(root, attrs=attrs, children=children)


def _stretched(root: Node, attrs: dict[str, str], view: Rect, children: list[Node | str]) -> Node | None:
    """Return a drawing that fills its own size otherwise than as a whole and in the middle, with that
    said by a box in it; None for any other."""
    aspect = (attrs.get("preserveAspectRatio") or "").strip()
    sides = [_plain(attrs.get(name, "").strip(), _NOWHERE, 0) for name in _SIDES]
    width, height = sides
    if aspect in ("", "xMidYMid", "xMidYMid meet") or not width or not height:
        return None
    if math.isclose(width * view.height, height * view.width, rel_tol=1e-3):
        return None
    size = {"width": f"{width:.10g}", "height": f"{height:.10g}"}
    inner = Node("svg", {**size, "viewBox": attrs["viewBox"], "preserveAspectRatio": aspect}, root.start)
    inner.end = root.end
    inner.children = children
    inner.has_text = root.has_text
    outer = {name: value for name, value in attrs.items() if name != "preserveAspectRatio"}
    outer |= {**size, "viewBox": f"0 0 {width:.10g} {height:.10g}"}
    return remade(root, attrs=outer, children=[inner])


def _box(root: Node) -> Rect | None:
    try:
        return own_box(root)
    except ViewportError:
        return None


def _measured(node: Node, around: _Around) -> Node:
    size = _font_size(node, around.size, around.root)
    here = around if size == around.size else replace(around, size=size)
    attrs = {
        # A size of type counts from that around it, all else from the element's own.
        name: _value(node, name, value, around if name == "font-size" else here)
        for name, value in node.attrs.items()
    }
    if node.name == "use" or node.name == "svg":
        attrs = _sized(node, attrs, here)
    if node.name == "use" and not _EFFECTS.isdisjoint(attrs):
        attrs = _moved(attrs)
    if node.name in ("mask", "filter") and _own_units(node):
        missing = _REGION.keys() - attrs.keys()
        attrs |= {name: _one(_REGION[name], name, here) for name in sorted(missing)}
    inner = here
    if node.name in ("svg", "symbol"):
        inner = replace(here, box=_inner_box(attrs, here.box))
    children = [_measured(child, inner) if isinstance(child, Node) else child for child in node.children]
    return remade(node, attrs=attrs, children=children)


def _sized(node: Node, attrs: dict[str, str], around: _Around) -> dict[str, str]:
    """Return it with the size that a drawing in it has without one: all of the box around it."""
    if node.name == "use" and not (node.href or "").startswith("#"):
        return attrs
    own = (
        around.sizes.get((node.href or "")[1:], ("100%", "100%"))
        if node.name == "use"
        else ("100%", "100%")
    )
    missing = {
        name: _one("100%" if side.strip() == "auto" else side, name, around)
        for name, side in zip(_SIDES, own)
        if attrs.get(name, "auto").strip() == "auto"
    }
    return {**attrs, **missing} if missing else attrs


def _moved(attrs: dict[str, str]) -> dict[str, str]:
    """Return it with its place as a part of its transform, for the effects on it move along (SVG 2,
    5.6)."""
    x, y = (attrs.get(name, "0").strip() for name in ("x", "y"))
    if (number(x) or 0.0) == (number(y) or 0.0) == 0.0 or "transform-origin" in attrs:
        return attrs
    transform = attrs.get("transform", "").strip().removesuffix("none")
    kept = {name: value for name, value in attrs.items() if name not in ("x", "y")}
    return {**kept, "transform": f"{transform} translate({x} {y})".strip()}


def _inner_box(attrs: dict[str, str], outer: Rect) -> Rect:
    try:
        view = view_box_of(attrs.get("viewBox"))
    except ViewportError:
        return outer
    if view is not None:
        return view
    sides = [numbers(attrs.get(name, "")) for name in ("width", "height")]
    if all(len(side) == 1 and side[0] > 0 for side in sides):
        return Rect(0.0, 0.0, sides[0][0], sides[1][0])
    return outer


def _font_size(node: Node, parent: float, root: float) -> float:
    text = node.attrs.get("font-size")
    if text is None:
        return parent
    found = _plain(text.strip(), replace(_NOWHERE, size=parent, root=root), parent)
    return found if found is not None and 0 < found < 1e6 else parent


def _value(node: Node, name: str, value: str, around: _Around) -> str:
    """Return an attribute's value with plain numbers where it holds lengths."""
    if name not in _LENGTHS or len(value) > _LONGEST:
        return value
    if node.name in _RELATIVE_SERVERS and not _own_units(node):
        return value  # parts of the box of what is painted
    if node.name == "stop" or node.name.startswith("fe"):
        return value
    if name.startswith("stroke-dash") or " " in value.strip() or "," in value:
        parts = [_one(part, name, around) for part in _split(value)]
        return " ".join(parts) if parts != _split(value) else value
    return _one(value, name, around)


def _split(value: str) -> list[str]:
    return value.replace(",", " ").split() if "(" not in value else [value]


def _own_units(node: Node) -> bool:
    return node.get(_RELATIVE_SERVERS[node.name]) == "userSpaceOnUse"


def _one(text: str, name: str, around: _Around) -> str:
    stripped = text.strip()
    if stripped[-1:].isdigit() or not stripped:
        return text
    box = around.box
    if name in _ACROSS:
        whole = box.width
    elif name in _DOWN:
        whole = box.height
    elif name in _SIZES:
        whole = around.size
    else:
        whole = math.hypot(box.width, box.height) / math.sqrt(2)
    found = _plain(stripped, around, whole)
    return text if found is None or not math.isfinite(found) else f"{found:.10g}"


def _plain(text: str, around: _Around, whole: float) -> float | None:
    """Return a length in user units; None for what is none. `whole` is what 100 % are."""
    if text.startswith("calc("):
        return summed(text, lambda number, unit: _scaled(number, unit, around, whole))
    match = _LENGTH.fullmatch(text)
    if match is None:
        return None
    return _scaled(float(match[1]), match[2] or "", around, whole)


def _scaled(number: float, unit: str, around: _Around, whole: float) -> float | None:
    unit = unit.lower()
    if not unit:
        return number
    if unit == "%":
        return number / 100 * whole
    factor = {
        **_UNITS,
        "em": around.size,
        "rem": around.root,
        "ex": around.size * _EX,
        "ch": around.size * _EX,
        "vw": around.page[0] / 100,
        "vh": around.page[1] / 100,
        "vmin": min(around.page) / 100,
        "vmax": max(around.page) / 100,
    }.get(unit)
    return None if factor is None else number * factor


Style = dict[str, str]

_DASHES = ("stroke-dasharray", "stroke-dashoffset")
_KEPT = ("stroke", "stroke-width", *_DASHES)
_SHAPE = re.compile(r"(circle|ellipse|inset|polygon|path)\s*\((.*)\)", re.S)
_GEOMETRY = re.compile(r"\b(fill|stroke|view|border|margin|padding|content)-box\b")
_BOX_LENGTH = re.compile(rf"({NUMBER})(px|%)?")
_WORDS = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
_UPRIGHT = frozenset(("top", "bottom"))
_MOST_POINTS = 2_000
_MOST_LOOKED_AT = 500_000
"""Characters of outlines whose boxes are reckoned."""


class _UnreadError(ValueError):
    """A value that is not read here."""


def boxed(root: Node, problems: list[Problem]) -> Node:
    """Return the tree with all that said in plain numbers; what can't be is a problem."""
    box = _box(root) or Rect(0.0, 0.0, 0.0, 0.0)
    made: list[Node] = []
    pass_ = _Pass(problems, made)
    root = pass_.element(root, {}, box, top=True)
    if not made:
        return root
    defs = Node("defs", {}, root.start)
    defs.children = list(made)
    return remade(root, children=[*root.children, defs])


class _Pass:
    def __init__(self, problems: list[Problem], made: list[Node]) -> None:
        self._problems = problems
        self._made = made
        self._left = _MOST_LOOKED_AT

    def _box(self, node: Node) -> Rect:
        """Return the box of an element. Groups in groups are looked through again for each."""
        for part in node.iter():
            self._left -= 20 + len(part.get("d") or part.get("points") or "")
            if self._left < 0:
                raise _UnreadError("the boxes of groups are too costly; use a <clipPath>")
        box = box_of_element(node)
        if box is None:
            raise _UnreadError(f"the box of this <{short(node.name)}> is not known here; use a <clipPath>")
        return box

    def element(self, node: Node, above: Style, view: Rect, top: bool = False) -> Node:
        style = {**above, **{name: node.attrs[name] for name in _KEPT if name in node.attrs}}
        inner = view
        if node.name in ("svg", "symbol") and not top:
            inner = _inner_box(node.attrs, view)
        children = [
            self.element(child, style, inner) if isinstance(child, Node) else child
            for child in node.children
        ]
        node = remade(node, children=children)  # whose own boxes are known
        attrs = node.attrs
        if "clip-path" in attrs and _SHAPE.search(attrs["clip-path"]):
            attrs = self._tried(node, attrs, lambda: self._clipped(node, attrs, style, view))
        if node.name in _TRANSFORMS and "transform-origin" in attrs:
            attrs = self._tried(node, attrs, lambda: _turned_about(node, attrs, view))
        elif "transform-box" in attrs or "transform-origin" in attrs:
            attrs = self._tried(node, attrs, lambda: _originated(node, attrs, style, view, self._box))
        if "-" in style.get("stroke-dasharray", "") and "stroke-dasharray" in attrs:
            attrs = {**attrs, "stroke-dasharray": "none"}  # one that is negative makes the list void
        if "pathLength" in attrs:
            attrs = self._tried(node, attrs, lambda: _measured_box(node, attrs, style))
        return remade(node, attrs=attrs)

    def _tried(self, node: Node, attrs: Style, done: Callable[[], Style]) -> Style:
        try:
            return done()
        except _UnreadError as error:
            message, _, hint = str(error).partition("; ")
            if len(self._problems) < MOST_PROBLEMS:
                self._problems.append(Problem("svg/box", message, hint or None, offset=node.start))
            return attrs

    def _clipped(self, node: Node, attrs: Style, style: Style, view: Rect) -> Style:
        """Return it with a clip path in place of a CSS shape."""
        text = attrs["clip-path"]
        match = _SHAPE.search(text)
        assert match is not None
        rest = text[: match.start()] + text[match.end() :]
        word = _GEOMETRY.search(rest)
        box = _reference(node, style, view, word[1] if word else "border", self._box)
        shape = _css_shape(match[1], match[2], box)
        clip = Node("clipPath", {"id": f"css-clip-{len(self._made)}"}, node.start)
        clip.children = [shape]
        self._made.append(clip)
        return {**attrs, "clip-path": f"url(#{clip.attrs['id']})"}


def _reference(node: Node, style: Style, view: Rect, word: str, box_of: Callable[[Node], Rect]) -> Rect:
    """Return the box that parts and places count from."""
    if word == "view":
        return Rect(0.0, 0.0, view.width, view.height)
    box = box_of(node)
    if word == "fill" or style.get("stroke", "none").strip() == "none":
        return box
    if node.name not in ("rect", "circle", "ellipse"):
        raise _UnreadError("stroke-box is supported only for rectangles and circles; write fill-box")
    width = number(style.get("stroke-width", "1").removesuffix("px")) or 0.0
    return Rect(box.x - width / 2, box.y - width / 2, box.width + width, box.height + width)


# ---- CSS shapes


def _css_shape(kind: str, text: str, box: Rect) -> Node:
    if kind == "path":
        data = re.search(r"""(["'])(.*?)\1""", text, re.S)
        if data is None:
            raise _UnreadError("the path() of a clip-path can't be read")
        rule = "evenodd" if text.lstrip().startswith("evenodd") else "nonzero"
        place = f"translate({box.x:.9g} {box.y:.9g})"
        return Node("path", {"d": data[2], "clip-rule": rule, "transform": place})
    if kind == "polygon":
        return _polygon(text, box)
    if kind == "inset":
        return _inset(text, box)
    sizes, _, place = text.partition("at ") if re.search(r"\bat\b", text) else (text, "", "")
    cx, cy = _position(place or "center", box)
    radii = sizes.split()
    near = (min(abs(cx - box.x), abs(box.right - cx)), min(abs(cy - box.y), abs(box.bottom - cy)))
    far = (max(abs(cx - box.x), abs(box.right - cx)), max(abs(cy - box.y), abs(box.bottom - cy)))
    at = {"cx": f"{cx:.9g}", "cy": f"{cy:.9g}"}
    if kind == "circle":
        word = radii[0] if radii else "closest-side"
        both = math.hypot(box.width, box.height) / math.sqrt(2)
        named = {"closest-side": min(near), "farthest-side": max(far)}
        radius = named[word] if word in named else _length(word, both)
        return Node("circle", {**at, "r": f"{radius:.9g}"})
    words = radii or ["closest-side"] * 2
    if len(words) != 2:
        raise _UnreadError("an ellipse() of a clip-path needs two radii")
    rx, ry = (
        {"closest-side": near[axis], "farthest-side": far[axis]}[word]
        if word in ("closest-side", "farthest-side")
        else _length(word, (box.width, box.height)[axis])
        for axis, word in enumerate(words)
    )
    return Node("ellipse", {**at, "rx": f"{rx:.9g}", "ry": f"{ry:.9g}"})


def _polygon(text: str, box: Rect) -> Node:
    rule = "nonzero"
    corners = text.split(",")
    if corners and corners[0].strip() in ("evenodd", "nonzero"):
        rule = corners.pop(0).strip()
    if len(corners) > _MOST_POINTS:
        raise _UnreadError(f"a polygon() has more than {_MOST_POINTS:,} corners")
    points: list[str] = []
    for corner in corners:
        pair = corner.split()
        if len(pair) != 2:
            raise _UnreadError("the polygon() of a clip-path needs two lengths for each corner")
        x, y = box.x + _length(pair[0], box.width), box.y + _length(pair[1], box.height)
        points.append(f"{x:.9g},{y:.9g}")
    return Node("polygon", {"points": " ".join(points), "clip-rule": rule})


def _inset(text: str, box: Rect) -> Node:
    sides, _, corners = text.partition("round")
    parts = sides.split()
    if not 1 <= len(parts) <= 4:
        raise _UnreadError("an inset() needs one to four lengths")
    top, right, bottom, left = (parts + parts[:1] * (4 - len(parts)))[:4]
    if len(parts) >= 2:
        bottom, left = (
            (parts[2] if len(parts) > 2 else parts[0]),
            (parts[3] if len(parts) > 3 else parts[1]),
        )
    x, y = box.x + _length(left, box.width), box.y + _length(top, box.height)
    width = max(0.0, box.right - _length(right, box.width) - x)
    height = max(0.0, box.bottom - _length(bottom, box.height) - y)
    attrs = {"x": x, "y": y, "width": width, "height": height}
    if radii := corners.split():
        if len(radii) != 1:
            raise _UnreadError("an inset() with several radii is not supported; use a <clipPath>")
        attrs |= {"rx": _length(radii[0], box.width), "ry": _length(radii[0], box.height)}
    return Node("rect", {name: f"{value:.9g}" for name, value in attrs.items()})


def _length(text: str, whole: float) -> float:
    match = _BOX_LENGTH.fullmatch(text.strip())
    if match is None:
        raise _UnreadError(f"'{short(text)}' is not a length in px or %")
    return float(match[1]) * (whole / 100 if match[2] == "%" else 1.0)


def _position(text: str, box: Rect) -> tuple[float, float]:
    words = text.split()[:3]
    if len(words) == 1:
        words = ["center", words[0]] if words[0] in _UPRIGHT else [words[0], "center"]
    if len(words) > 1 and (words[0] in _UPRIGHT or words[1] in ("left", "right")):
        words[:2] = words[1], words[0]
    if len(words) < 2:
        raise _UnreadError("a position needs two lengths, or words such as center")
    across, down = (_WORDS.get(word, word) for word in words[:2])
    return box.x + _length(across, box.width), box.y + _length(down, box.height)


# ---- transforms and dashes


def _originated(
    node: Node, attrs: Style, style: Style, view: Rect, box_of: Callable[[Node], Rect]
) -> Style:
    """Return it with the origin of its transform in plain numbers."""
    kind = attrs.get("transform-box", "view-box").strip().removesuffix("-box")
    origin = attrs.get("transform-origin", "").strip()
    moved = attrs.get("transform", "none").strip() not in ("", "none")
    kept = {name: value for name, value in attrs.items() if name != "transform-box"}
    if not moved:
        return {name: value for name, value in kept.items() if name != "transform-origin"}
    plain = len(numbers(origin)) == 2 and not re.search("[a-z%]", origin.replace("px", ""))
    if kind == "view" and (plain or not origin):
        return kept
    if kind not in ("view", "fill", "border", "stroke", "content"):
        raise _UnreadError(f"transform-box is '{short(kind)}'; write fill-box")
    box = _reference(node, style, view, {"content": "fill", "border": "stroke"}.get(kind, kind), box_of)
    x, y = _position(origin or "0 0", box)
    return {**kept, "transform-origin": f"{x:.9g} {y:.9g}"}


_TRANSFORMS = {
    "linearGradient": "gradientTransform",
    "radialGradient": "gradientTransform",
    "pattern": "patternTransform",
}


def _turned_about(node: Node, attrs: Style, view: Rect) -> Style:
    """Return it with the origin of a server's transform as a part of it."""
    kept = {
        name: value for name, value in attrs.items() if name not in ("transform-origin", "transform-box")
    }
    name = _TRANSFORMS[node.name]
    if name in kept:
        x, y = _position(attrs["transform-origin"], Rect(0.0, 0.0, view.width, view.height))
        kept[name] = f"translate({x:.9g} {y:.9g}) {kept[name]} translate({-x:.9g} {-y:.9g})"
    return kept


def _measured_box(node: Node, attrs: Style, style: Style) -> Style:
    """Return it with dashes in units of the drawing instead of parts of `pathLength`."""
    kept = {name: value for name, value in attrs.items() if name != "pathLength"}
    if style.get("stroke-dasharray", "none").strip() == "none":
        return kept
    stated = number(attrs["pathLength"].strip())
    outline = outline_of(node.name, node.attrs)
    if stated is None or stated <= 0 or outline is None:
        raise _UnreadError(
            f"pathLength is '{short(attrs['pathLength'])}'; write the dashes in the path's units"
        )
    scale = length(outline) / stated
    for name in _DASHES:
        if found := numbers(style.get(name, "")):
            kept[name] = " ".join(f"{each * scale:.8g}" for each in found)
    return kept


_UNSEEN = frozenset(("title", "desc", "metadata", "defs", "style"))


def box_of_element(node: Node) -> Rect | None:
    """Return the box of a shape or a group of shapes in its own units, strokes left out; None if it
    isn't known."""
    found: list[Outline] = []
    stack = [(node, IDENTITY)]
    while stack:
        part, matrix = stack.pop()
        if part.name not in ("g", "svg") or (part.name == "svg" and part is not node):
            outline = outline_of(part.name, part.attrs)
            if outline is None:
                return None
            found.append(moved(outline, matrix))
            continue
        for child in part.elements():
            if child.name in _UNSEEN or ":" in child.name or child.get("display") == "none":
                continue
            try:
                stack.append((child, transform_of(child.attrs).then(matrix)))
            except ValueError:
                return None
    whole = joined(found)
    return extents(whole) if whole else None


_TOKEN = re.compile(rf"\s*(?:({NUMBER})([A-Za-z]+|%)?|(calc\(|\()|(\))|([*/+-]))\s*")
_LONGEST_SUM = 500
_DEEPEST = 20

Scale = Callable[[float, str], float | None]
"""A number with its unit in plain units; None for a unit that there is not."""


def summed(text: str, scale: Scale) -> float | None:
    """Return the value of a `calc(…)`; None if it can't be read."""
    if len(text) > _LONGEST_SUM:
        return None
    try:
        reader = _Reader(text, scale)
        value = reader.product(0)
        return value if reader.at_end else None
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


class _Reader:
    def __init__(self, text: str, scale: Scale) -> None:
        self._tokens: list[tuple[str, str, str, str, str]] = []
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise ValueError
            number, unit, opened, closed, sign = match.groups(default="")
            # 1px -2px is no sum, and 3 -2 none: the sign stands apart
            self._tokens.append((number, unit, opened, closed, sign))
            position = match.end()
        self._scale = scale
        self._next = 0

    @property
    def at_end(self) -> bool:
        return self._next == len(self._tokens)

    def _peek(self) -> tuple[str, str, str, str, str]:
        return self._tokens[self._next] if not self.at_end else ("", "", "", "", "")

    def total(self, depth: int) -> float:
        value = self.product(depth)
        while (sign := self._peek()[4]) in ("+", "-") and sign:
            self._next += 1
            other = self.product(depth)
            value = value + other if sign == "+" else value - other
        return value

    def product(self, depth: int) -> float:
        value = self._value(depth)
        while (sign := self._peek()[4]) in ("*", "/") and sign:
            self._next += 1
            other = self._value(depth)
            value = value * other if sign == "*" else value / other
        return value

    def _value(self, depth: int) -> float:
        number, unit, opened, _, _ = self._peek()
        self._next += 1
        if number:
            found = self._scale(float(number), unit)
            if found is None:
                raise ValueError
            return found
        if not opened or depth > _DEEPEST:
            raise ValueError
        value = self.total(depth + 1)
        if not self._peek()[3]:
            raise ValueError
        self._next += 1
        return value


def remade(
    node: Node,
    *,
    name: str | None = None,
    attrs: dict[str, str] | None = None,
    children: Sequence[Node | str] | None = None,
) -> Node:
    """Return the element with that changed, at the same place; itself where nothing is."""
    name = node.name if name is None else name
    attrs = node.attrs if attrs is None else attrs
    if children is None or _same(children, node.children):
        if name == node.name and attrs == node.attrs:
            return node
        children = node.children
    made = Node(name, attrs, node.start)
    made.end = node.end
    made.children = list(children)
    made.has_text = name in ("text", "tspan") or any(
        isinstance(child, Node) and child.has_text for child in children
    )
    return made


def _same(some: Sequence[Node | str], others: Sequence[Node | str]) -> bool:
    return len(some) == len(others) and all(a is b for a, b in zip(some, others))
