"""What counts from the boxes and outlines of elements: CSS shapes as clip paths (CSS Shapes 1, CSS Masking
1), origins of transforms in words and parts (CSS Transforms 1), dashes by `pathLength` (SVG 2, 9.6)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from cardgen.findings import Problem
from cardgen.geometry import Rect
from cardgen.svg.limits import MOST_PROBLEMS, short
from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.normal.shapes import box_of_element, outline_of
from cardgen.svg.numbers import NUMBER, number, numbers
from cardgen.svg.outlines import length
from cardgen.svg.tree import Node
from cardgen.svg.viewports import ViewportError, own_box, view_box_of

Style = dict[str, str]

_DASHES = ("stroke-dasharray", "stroke-dashoffset")
_KEPT = ("stroke", "stroke-width", *_DASHES)
_SHAPE = re.compile(r"(circle|ellipse|inset|polygon|path)\s*\((.*)\)", re.S)
_GEOMETRY = re.compile(r"\b(fill|stroke|view|border|margin|padding|content)-box\b")
_LENGTH = re.compile(rf"({NUMBER})(px|%)?")
_WORDS = {"left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"}
_UPRIGHT = frozenset(("top", "bottom"))
_MOST_POINTS = 2_000
_MOST_LOOKED_AT = 500_000
"""Characters of outlines whose boxes are reckoned."""


class _UnreadError(ValueError):
    """A value that is not read here."""


def boxed(root: Node, problems: list[Problem]) -> Node:
    """The tree with all that said in plain numbers; what can't be is a problem."""
    box = _own_box(root) or Rect(0.0, 0.0, 0.0, 0.0)
    made: list[Node] = []
    pass_ = _Pass(problems, made)
    root = pass_.element(root, {}, box, top=True)
    if not made:
        return root
    defs = Node("defs", {}, root.start)
    defs.children = list(made)
    return remade(root, children=[*root.children, defs])


def _own_box(root: Node) -> Rect | None:
    try:
        return own_box(root)
    except ViewportError:
        return None


class _Pass:
    def __init__(self, problems: list[Problem], made: list[Node]) -> None:
        self._problems = problems
        self._made = made
        self._left = _MOST_LOOKED_AT

    def _box(self, node: Node) -> Rect:
        """The box of an element. Groups in groups are looked through again for each."""
        for part in node.iter():
            self._left -= 20 + len(part.get("d") or part.get("points") or "")
            if self._left < 0:
                raise _UnreadError("the boxes of groups come to too much; use a <clipPath>")
        box = box_of_element(node)
        if box is None:
            raise _UnreadError(f"the box of this <{short(node.name)}> is not known here; use a <clipPath>")
        return box

    def element(self, node: Node, above: Style, view: Rect, top: bool = False) -> Node:
        style = {**above, **{name: node.attrs[name] for name in _KEPT if name in node.attrs}}
        inner = view
        if node.name in ("svg", "symbol") and not top:
            inner = _inner(node, view)
        children = [
            self.element(child, style, inner) if isinstance(child, Node) else child
            for child in node.children
        ]
        node = remade(node, children=children)  # whose own boxes are known
        attrs = node.attrs
        if "clip-path" in attrs and _SHAPE.search(attrs["clip-path"]):
            attrs = self._tried(node, attrs, lambda: self._clipped(node, attrs, style, view))
        if "transform-box" in attrs or "transform-origin" in attrs:
            attrs = self._tried(node, attrs, lambda: _originated(node, attrs, style, view, self._box))
        if "-" in style.get("stroke-dasharray", "") and "stroke-dasharray" in attrs:
            attrs = {**attrs, "stroke-dasharray": "none"}  # one that is negative makes the list void
        if "pathLength" in attrs:
            attrs = self._tried(node, attrs, lambda: _measured(node, attrs, style))
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
        """With a clip path in place of a CSS shape."""
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


def _inner(node: Node, view: Rect) -> Rect:
    try:
        found = view_box_of(node.get("viewBox"))
    except ViewportError:
        return view
    if found is not None:
        return found
    sides = [number(node.get(name, "") or "") for name in ("width", "height")]
    return Rect(0.0, 0.0, sides[0] or view.width, sides[1] or view.height)


def _reference(node: Node, style: Style, view: Rect, word: str, box_of: Callable[[Node], Rect]) -> Rect:
    """The box that parts and places count from."""
    if word == "view":
        return Rect(0.0, 0.0, view.width, view.height)
    box = box_of(node)
    if word == "fill" or style.get("stroke", "none").strip() == "none":
        return box
    if node.name not in ("rect", "circle", "ellipse"):
        raise _UnreadError("the box of a stroke is read of rectangles and circles only; write fill-box")
    width = number(style.get("stroke-width", "1").removesuffix("px")) or 0.0
    return Rect(box.x - width / 2, box.y - width / 2, box.width + width, box.height + width)


# ---- CSS shapes


def _css_shape(kind: str, text: str, box: Rect) -> Node:
    if kind == "path":
        data = re.search(r"""(["'])(.*?)\1""", text, re.S)
        if data is None:
            raise _UnreadError("the path() of a clip-path is not readable")
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
        raise _UnreadError("an ellipse() of a clip-path has two radii")
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
            raise _UnreadError("the polygon() of a clip-path has two lengths for each corner")
        x, y = box.x + _length(pair[0], box.width), box.y + _length(pair[1], box.height)
        points.append(f"{x:.9g},{y:.9g}")
    return Node("polygon", {"points": " ".join(points), "clip-rule": rule})


def _inset(text: str, box: Rect) -> Node:
    sides, _, corners = text.partition("round")
    parts = sides.split()
    if not 1 <= len(parts) <= 4:
        raise _UnreadError("an inset() has one to four lengths")
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
            raise _UnreadError("an inset() with several radii is not read; use a <clipPath>")
        attrs |= {"rx": _length(radii[0], box.width), "ry": _length(radii[0], box.height)}
    return Node("rect", {name: f"{value:.9g}" for name, value in attrs.items()})


def _length(text: str, whole: float) -> float:
    match = _LENGTH.fullmatch(text.strip())
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
        raise _UnreadError("a place is two lengths, or words such as center")
    across, down = (_WORDS.get(word, word) for word in words[:2])
    return box.x + _length(across, box.width), box.y + _length(down, box.height)


# ---- transforms and dashes


def _originated(
    node: Node, attrs: Style, style: Style, view: Rect, box_of: Callable[[Node], Rect]
) -> Style:
    """With the origin of its transform in plain numbers."""
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


def _measured(node: Node, attrs: Style, style: Style) -> Style:
    """With dashes in units of the drawing instead of parts of `pathLength`."""
    kept = {name: value for name, value in attrs.items() if name != "pathLength"}
    if style.get("stroke-dasharray", "none").strip() == "none":
        return kept
    stated = number(attrs["pathLength"].strip())
    outline = outline_of(node)
    if stated is None or stated <= 0 or outline is None:
        raise _UnreadError(
            f"pathLength is '{short(attrs['pathLength'])}'; give the dashes in its own units"
        )
    scale = length(outline) / stated
    for name in _DASHES:
        if found := numbers(style.get(name, "")):
            kept[name] = " ".join(f"{each * scale:.8g}" for each in found)
    return kept
