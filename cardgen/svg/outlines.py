"""Outlines of shapes: path data, transforms, viewports and straight segments."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice, pairwise
from typing import NamedTuple

from cardgen.core.geometry import IDENTITY, MM_PER_INCH, Matrix, Rect, decimal, parse_length
from cardgen.svg.tree import (
    FARTHEST,
    LARGE,
    MOST_SCALE,
    MOST_TRANSFORMS,
    NEAREST,
    NUMBER,
    Node,
    number,
    numbers,
    short,
)

_COUNTS = {"M": 2, "L": 2, "C": 6, "Z": 0}


class Outline(NamedTuple):
    """An outline as `letters`, M and L with a place, C with two handles and a place, Z alone, and their
    `numbers`, x and y in turn."""

    letters: str
    numbers: Sequence[float]

    def __bool__(self) -> bool:
        return bool(self.letters)

    def segments(self) -> Iterator[tuple[str, Sequence[float]]]:
        """Yield each letter with its numbers."""
        start = 0
        for letter in self.letters:
            end = start + _COUNTS[letter]
            yield letter, self.numbers[start:end]
            start = end


NO_OUTLINE = Outline("", ())

_PIECES = 24
"""Straight pieces that a curve's length is taken from."""
_LONGEST = 1000
"""Characters of path data and transforms that are remembered, and between the brackets of a function."""
_QUARTER = 4 / 3 * (math.sqrt(2) - 1)
"""The handle length of the Bézier curve closest to a quarter circle."""


def outline_of(name: str, attrs: Mapping[str, str]) -> Outline | None:
    """Return the outline of a shape in its own units; None for what is no shape of plain numbers."""
    match name:
        case "path":
            return path_outline(attrs.get("d", ""))
        case "polygon" | "polyline":
            return points_outline(numbers(attrs.get("points", "")), name == "polygon")
        case "line":
            ends = _sizes(attrs, ("x1", "y1", "x2", "y2"))
            return points_outline(ends, False) if len(ends) == 4 else None
        case "rect" | "image":
            values = _sizes(attrs, ("x", "y", "width", "height", *_radii(attrs)))
            return rect_outline(*values) if len(values) == 6 else None
        case "circle":
            values = _sizes(attrs, ("cx", "cy", "r"))
            return ellipse_outline(*values, *values[2:]) if len(values) == 3 else None
        case "ellipse":
            values = _sizes(attrs, ("cx", "cy", *_radii(attrs)))
            return ellipse_outline(*values) if len(values) == 4 else None
    return None


def _sizes(attrs: Mapping[str, str], sides: Iterable[str]) -> list[float]:
    """Return the plain numbers among these attributes, 0 for those that aren't stated."""
    found = [number(attrs.get(side, "0").strip().removesuffix("px") or "0") for side in sides]
    return [each for each in found if each is not None]


def _radii(attrs: Mapping[str, str]) -> Sequence[str]:
    """Return the attributes of both radii: one that is not stated is the other one (SVG 2, 10.4)."""
    stated = [side for side in ("rx", "ry") if side in attrs and attrs[side].strip() != "auto"]
    return (stated * 2)[:2] or ("", "")


def path_outline(data: str, most: int | None = None) -> Outline:
    """Return the outline of a `d` attribute, or of its first commands."""
    return _known_outline(data) if len(data) < _LONGEST else _path_outline(data, most)


def _path_outline(data: str, most: int | None = None) -> Outline:
    letters: list[str] = []
    numbers: list[float] = []
    x = y = 0.0
    v: Sequence[float]
    for kind, v in islice(path_segments(data), most):
        if kind == "A":
            kind, v = _arc(x, y, v)
        elif kind == "Q":
            cx, cy, ex, ey = v
            first, second = ((x + 2 * cx) / 3, (y + 2 * cy) / 3), ((ex + 2 * cx) / 3, (ey + 2 * cy) / 3)
            kind, v = "C", (*first, *second, ex, ey)
        letters.append(kind)
        if kind == "Z":
            x, y = v
        elif kind:
            numbers += v
            x, y = v[-2:]
    return Outline("".join(letters), tuple(numbers))


_known_outline = lru_cache(maxsize=512)(_path_outline)


def points_outline(values: Sequence[float], closed: bool) -> Outline:
    """Return the outline of a polygon or polyline; an odd last number is dropped."""
    count = len(values) // 2
    if not count:
        return NO_OUTLINE
    return Outline("M" + "L" * (count - 1) + "Z" * closed, values[: 2 * count])


def rect_outline(x: float, y: float, width: float, height: float, rx: float, ry: float) -> Outline:
    """Return a rectangle, its corners rounded by quarter ellipses; nothing if it has no area."""
    if width <= 0 or height <= 0:
        return NO_OUTLINE
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    right, bottom = x + width, y + height
    if rx <= 0 or ry <= 0:
        return Outline("MLLLZ", (x, y, right, y, right, bottom, x, bottom))
    kx, ky = rx * (1 - _QUARTER), ry * (1 - _QUARTER)
    top = (x + rx, y, right - rx, y, right - kx, y, right, y + ky, right, y + ry)
    side = (right, bottom - ry, right, bottom - ky, right - kx, bottom, right - rx, bottom)
    below = (x + rx, bottom, x + kx, bottom, x, bottom - ky, x, bottom - ry)
    return Outline("MLCLCLCLCZ", (*top, *side, *below, x, y + ry, x, y + ky, x + kx, y, x + rx, y))


def ellipse_outline(cx: float, cy: float, rx: float, ry: float) -> Outline:
    """Return an ellipse, clockwise from its right; nothing if it has no area."""
    if rx <= 0 or ry <= 0:
        return NO_OUTLINE
    kx, ky = rx * _QUARTER, ry * _QUARTER
    left, right, top, bottom = cx - rx, cx + rx, cy - ry, cy + ry
    first = (right, cy, right, cy + ky, cx + kx, bottom, cx, bottom)
    second = (cx - kx, bottom, left, cy + ky, left, cy)
    third = (left, cy - ky, cx - kx, top, cx, top)
    return Outline("MCCCCZ", (*first, *second, *third, cx + kx, top, right, cy - ky, right, cy))


def _arc(x: float, y: float, v: Sequence[float]) -> Outline:
    """Return an elliptical arc from end points (SVG 2, appendix B.2.4), a curve for each quarter or less;
    nothing between equal ones."""
    rx, ry, turn, large, sweep, ex, ey = v
    if (x, y) == (ex, ey):
        return NO_OUTLINE
    if not rx or not ry:
        return Outline("L", (ex, ey))
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    hx, hy = (x - ex) / 2, (y - ey) / 2
    px, py = cos * hx + sin * hy, cos * hy - sin * hx
    excess = (px / rx) ** 2 + (py / ry) ** 2
    if excess > 1:  # radii too small to reach: grow them
        rx, ry = rx * math.sqrt(excess), ry * math.sqrt(excess)
    denominator = (rx * py) ** 2 + (ry * px) ** 2
    factor = math.sqrt(max(0.0, (rx * ry) ** 2 / denominator - 1))
    if bool(large) == bool(sweep):
        factor = -factor
    qx, qy = factor * rx * py / ry, -factor * ry * px / rx
    start = math.atan2((py - qy) / ry, (px - qx) / rx)
    swing = (math.atan2((-py - qy) / ry, (-px - qx) / rx) - start) % math.tau
    if not sweep:
        swing -= math.tau
    place = Matrix(cos * rx, sin * rx, -sin * ry, cos * ry)
    place = place.then(
        Matrix(1, 0, 0, 1, cos * qx - sin * qy + (x + ex) / 2, sin * qx + cos * qy + (y + ey) / 2)
    )
    count = max(1, math.ceil(abs(swing) / (math.pi / 2) - 1e-9))
    step = swing / count
    handle = 4 / 3 * math.tan(step / 4)
    numbers: list[float] = []
    for index in range(count):
        one, other = start + index * step, start + (index + 1) * step
        c1, s1, c2, s2 = math.cos(one), math.sin(one), math.cos(other), math.sin(other)
        end = (ex, ey) if index == count - 1 else place.apply(c2, s2)
        first = place.apply(c1 - handle * s1, s1 + handle * c1)
        second = place.apply(c2 + handle * s2, s2 - handle * c2)
        numbers += (*first, *second, *end)
    return Outline("C" * count, numbers)


def moved(outline: Outline, matrix: Matrix) -> Outline:
    """Return the outline where the matrix puts it."""
    a, b, c, d, e, f = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
    places = zip(outline.numbers[::2], outline.numbers[1::2])
    return Outline(outline.letters, [n for x, y in places for n in (a * x + c * y + e, b * x + d * y + f)])


def joined(outlines: Iterable[Outline]) -> Outline:
    """Return outlines as one."""
    letters, numbers = zip(*outlines) if (outlines := list(outlines)) else ((), ())
    return Outline("".join(letters), list(chain.from_iterable(numbers)))


def extents(outline: Outline) -> Rect:
    """Return the least upright rectangle that holds the outline, with no area where it has none."""
    xs, ys = outline.numbers[::2], outline.numbers[1::2]
    if not xs:
        return Rect(0, 0, 0, 0)
    if "C" in outline.letters:
        xs, ys = _reached(outline.letters, xs), _reached(outline.letters, ys)
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _reached(letters: str, values: Sequence[float]) -> list[float]:
    """Return one coordinate of an outline's places, and of where its curves reverse."""
    found: list[float] = []
    last = 0.0
    index = 0
    for letter in letters:
        if letter == "C":
            one, other, place = values[index : index + 3]
            found += _turns(last, one, other, place)
            index += 2
        if letter != "Z":
            last = values[index]
            found.append(last)
            index += 1
    return found


def _turns(p0: float, p1: float, p2: float, p3: float) -> Iterator[float]:
    """Return where a curve reverses in one coordinate."""
    if min(p0, p3) <= min(p1, p2) and max(p1, p2) <= max(p0, p3):
        return
    a, b, c = 3 * (p1 - p2) + p3 - p0, 2 * (p0 - 2 * p1 + p2), p1 - p0
    if abs(a) < 1e-12:
        found = [-c / b] if b else []
    else:
        root = b * b - 4 * a * c
        found = [(-b + sign * math.sqrt(root)) / (2 * a) for sign in (1, -1)] if root >= 0 else []
    for t in found:
        if 0 < t < 1:
            u = 1 - t
            yield u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3


def length(outline: Outline) -> float:
    """Return the length of an outline, with curves as straight pieces."""
    lines = flattened(outline, _PIECES)
    return sum(math.dist(one, other) for line in lines for one, other in pairwise(line))


_TOKEN = re.compile(rf"({NUMBER}|[A-Za-z])|[^\s,]")
_ARCS = re.compile(r"[Aa][^A-DF-Za-df-z]*")
_ARC = re.compile(
    r"[\s,]*".join(("", *[rf"((?>{NUMBER}))"] * 3, *["([01])"] * 2, *[rf"((?>{NUMBER}))"] * 2))
)
_ARGUMENTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
_ARGUMENTS |= {letter.upper(): count for letter, count in _ARGUMENTS.items()}


def path_commands(data: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the commands of path data one by one, repeated letters spelled out. Stops where the data
    goes wrong, as SVG wants: what came before is drawn."""
    tokens = _TOKEN.findall(_ARCS.sub(_spaced_flags, data))
    if tokens and tokens[0] not in ("m", "M"):
        return
    may_be_far = LARGE.search(data) is not None
    letter = ""
    position, count, length = 0, 0, len(tokens)
    while position < length:
        if tokens[position] in _ARGUMENTS:
            letter = tokens[position]
            count = _ARGUMENTS[letter]
            position += 1
        elif not count:  # numbers after a Z
            return
        try:
            values = tuple(map(float, tokens[position : position + count]))
        except ValueError:
            return
        if len(values) < count or (may_be_far and max(map(abs, values), default=0.0) > FARTHEST):
            return
        yield letter, values
        position += count
        if letter in "mM":  # further pairs are lines
            letter = "l" if letter == "m" else "L"


def _spaced_flags(arcs: re.Match[str]) -> str:
    """Return arcs with spaces around their flags, which need none, and an odd sign where they go wrong."""
    text = arcs[0]
    parts = [text[0]]
    position = 1
    while (match := _ARC.match(text, position)) is not None:
        parts += match.groups()
        position = match.end()
    return " ".join([*parts, "?" if text[position:].strip(" \t\r\n,") else ""])


def path_segments(data: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the commands in absolute coordinates and with five letters alone, each ending with the place
    that it leads to: M and L x y; Q and C with their handles before; A rx ry degrees large sweep x y; Z,
    which leads back to where it began."""
    x = y = start_x = start_y = 0.0
    handle: tuple[float, float] | None = None
    last = ""
    for letter, v in path_commands(data):
        kind = letter.upper()
        ox, oy = (0.0, 0.0) if letter == kind else (x, y)
        if letter == kind in "MLC":
            pass
        elif kind == "Z":
            v = (start_x, start_y)
        elif kind == "H":
            kind, v = "L", (ox + v[0], y)
        elif kind == "V":
            kind, v = "L", (x, oy + v[0])
        elif kind == "A":
            v = (abs(v[0]), abs(v[1]), *v[2:5], ox + v[5], oy + v[6])
        else:
            v = tuple(value + (oy if index % 2 else ox) for index, value in enumerate(v))
            if kind in "ST":
                kind = "C" if kind == "S" else "Q"
                # The handle before on the other side of the pen, or else the pen itself.
                mirrored = (
                    (x, y) if handle is None or last != kind else (2 * x - handle[0], 2 * y - handle[1])
                )
                v = mirrored + v
        yield kind, v
        handle = (v[-4], v[-3]) if kind in "CQ" else None
        last = kind
        x, y = v[-2:]
        if kind == "M":
            start_x, start_y = x, y


_FUNCTION = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)")
_BETWEEN = re.compile(r"\s*(?:,\s*)?")
_ANGLE = re.compile(r"[0-9.](?:deg|rad|grad|turn)\b")
_NUMBER = re.compile(NUMBER)
_ARGUMENT_COUNTS = {
    "matrix": (6,),
    "translate": (1, 2),
    "scale": (1, 2),
    "rotate": (1, 3),
    "skewX": (1,),
    "skewY": (1,),
}


class TransformBoundError(ValueError):
    """A transform list that is too long."""


def parse_transform(text: str | None) -> Matrix:
    """Return the matrix of a transform list. Raises ValueError for anything SVG 1.1 does not know, and
    its kind TransformBoundError for more than MOST_TRANSFORMS functions."""
    if not text or not (text := text.strip()) or text == "none":
        return IDENTITY
    return _known(text) if len(text) < _LONGEST else _parse(text)


def transform_of(attrs: Mapping[str, str]) -> Matrix:
    """Return the matrix of an element's `transform`, about its `transform-origin`. Raises ValueError."""
    matrix = parse_transform(attrs.get("transform"))
    if not (text := attrs.get("transform-origin")):
        return matrix
    parts = text[:_LONGEST].replace(",", " ").split()
    found = [value for part in parts if (value := number(part.removesuffix("px"))) is not None]
    if len(parts) != 2 or len(found) != 2 or max(map(abs, found)) > FARTHEST:
        raise ValueError(f"transform-origin is '{short(text)}', not two numbers in mm")
    x, y = found
    return Matrix(e=-x, f=-y).then(matrix).then(Matrix(e=x, f=y))


def _parse(text: str) -> Matrix:
    result = IDENTITY
    position = count = 0
    while position < len(text):
        between = _BETWEEN.match(text, position)
        start = between.end() if between is not None else position
        match = _FUNCTION.match(text, start)
        if match is None:
            raise ValueError(f"'{short(text)}' is not a list of transforms such as translate(2 3)")
        position = match.end()
        count += 1
        if count > MOST_TRANSFORMS:
            raise TransformBoundError(f"a transform has more than {MOST_TRANSFORMS} functions")
        values = _values(match)
        if len(values) not in _ARGUMENT_COUNTS[match[1]]:
            wanted = " or ".join(map(str, _ARGUMENT_COUNTS[match[1]]))
            raise ValueError(f"{short(match[0])} has {len(values)} numbers; {match[1]} takes {wanted}")
        result = _matrix(match[1], values).then(result)
    return result


_known = lru_cache(maxsize=4096)(_parse)


def _values(function: re.Match[str]) -> list[float]:
    """Return the numbers between a function's brackets."""
    name, text = function.groups()
    if _ANGLE.search(text):
        raise ValueError(f"{short(function[0])} has a unit; write plain degrees: {name}(45)")
    if len(text) > _LONGEST or _NUMBER.sub("", text).replace(",", "").strip():
        raise ValueError(f"{short(function[0])} needs plain numbers")
    found = numbers(text)
    if any(abs(value) > MOST_SCALE for value in found):
        raise ValueError(f"{short(function[0])} has a number above {MOST_SCALE:,.0f}")
    return found


def _matrix(name: str, values: list[float]) -> Matrix:
    first = values[0]
    if name == "matrix":
        return Matrix(*values)
    if name == "translate":
        return Matrix(e=first, f=values[1] if len(values) > 1 else 0.0)
    if name == "scale":
        return Matrix(a=first, d=values[1] if len(values) > 1 else first)
    if name == "skewX":
        return Matrix(c=math.tan(math.radians(first)))
    if name == "skewY":
        return Matrix(b=math.tan(math.radians(first)))
    cos, sin = math.cos(math.radians(first)), math.sin(math.radians(first))
    turn = Matrix(cos, sin, -sin, cos)
    if len(values) == 1:
        return turn
    x, y = values[1:]
    return Matrix(e=-x, f=-y).then(turn).then(Matrix(e=x, f=y))


Point = tuple[float, float]
PIECES = 12
"""Straight pieces that a curve is looked at in."""


def plain(attrs: Mapping[str, str], name: str) -> float:
    """Return a length in plain units; 0 where there is none."""
    return number(attrs.get(name, "0").strip().removesuffix("px")) or 0.0


def lines_of(node: Node, most: int, pieces: int = PIECES) -> list[list[Point]]:
    """Return the outline of a shape as polygons and lines, of about `most` corners at most, each curve
    in so many `pieces`."""
    if node.name == "image":
        return []
    if node.name == "path":
        return flattened(path_outline(node.attrs.get("d", ""), most + 1), pieces, most)
    return flattened(outline_of(node.name, node.attrs) or NO_OUTLINE, pieces, most)


def flattened(outline: Outline, pieces: int, most: float = math.inf) -> list[list[Point]]:
    """Return an outline as lines, as `lines_of` does."""
    lines: list[list[Point]] = []
    parts = [step / pieces for step in range(1, pieces + 1)]
    count = 0
    for kind, v in outline.segments():
        if kind == "M":
            lines.append([(v[0], v[1])])
        elif kind == "L":
            lines[-1].append((v[0], v[1]))
        elif kind == "C":
            x, y = lines[-1][-1]
            lines[-1] += zip(_along((x, *v[::2]), parts), _along((y, *v[1::2]), parts))
        else:
            start = lines[-1][0]
            lines[-1].append(start)
            lines.append([start])
        count += pieces if kind == "C" else 1
        if count > most:
            break
    return lines


def _along(values: Sequence[float], parts: Iterable[float]) -> Iterator[float]:
    """Yield a coordinate of a Bézier curve at these parts of it (de Casteljau)."""
    a, b, c, d = values
    for part in parts:
        bc = b + (c - b) * part
        one, other = a + (b - a) * part, c + (d - c) * part
        one, other = one + (bc - one) * part, bc + (other - bc) * part
        yield one + (other - one) * part


PLACED = frozenset(("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "overflow"))
"""Attributes that say where a viewport is and how it is filled; the rest is the group's."""

ASPECT = re.compile(r"none(?: +(?:meet|slice))?|x(Min|Mid|Max)Y(Min|Mid|Max)(?: +(?:meet|slice))?")
_PX_PER_INCH = 96.0
"""A drawing's own units, where a size is in others (CSS Values 4 §6.2)."""
_PART = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_RELATIVE = ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "stroke-width")


class ViewportError(ValueError):
    """A viewport without a size in numbers, or filled in no known way. The text is a sentence for the
    designer, and `hint` tells what to write."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


_BOX_HINT = "give it x, y, width and height in mm"
_VIEW_HINT = 'write four numbers, such as viewBox="0 0 24 24"'


def box_of(attrs: Mapping[str, str]) -> Rect:
    """Return x, y, width and height of an element. Raises ViewportError."""
    x, y = (_length(attrs.get(name, "0")) for name in ("x", "y"))
    try:
        width, height = (_length(attrs[name]) for name in ("width", "height"))
    except KeyError as error:
        raise ViewportError(f"it has no {error.args[0]}", _BOX_HINT) from None
    return Rect(x, y, width, height)


def _length(text: str) -> float:
    value = number(text.strip().removesuffix("px"))
    if value is None or abs(value) > FARTHEST:
        raise ViewportError("its position and size are not plain numbers", _BOX_HINT)
    return value


def view_box_of(text: str | None) -> Rect | None:
    """Return a viewBox; None if there is none. Raises ViewportError."""
    if text is None:
        return None
    found = numbers(text)
    if len(found) != 4 or min(found[2:]) < NEAREST or max(map(abs, found)) > FARTHEST:
        raise ViewportError(f"its viewBox is '{short(text)}'", _VIEW_HINT)
    return Rect(*found)


def own_box(root: Node) -> Rect | None:
    """Return the box of a drawing that stands by itself: its viewBox or, without one, its width and
    height in its own units; None where it says neither. Raises ViewportError."""
    if root.get("viewBox") is not None:
        return view_box_of(root.get("viewBox"))
    sizes: list[float] = []
    for name in ("width", "height"):
        text = (root.get(name) or "").strip()
        size = number(text.removesuffix("px"))
        try:
            size = parse_length(text) / MM_PER_INCH * _PX_PER_INCH if size is None else size
        except ValueError:
            return None
        if not NEAREST <= size <= FARTHEST:
            raise ViewportError(f"its {name} is '{short(text)}'", "make its width and height more than 0")
        sizes.append(size)
    return Rect(0.0, 0.0, *sizes)


def fit(view: Rect | None, box: Rect, aspect: str | None) -> Matrix:
    """Return the map from the view box's coordinates to those around the box, as a preserveAspectRatio
    says (SVG 1.1 §7.8). Raises ViewportError for one that there is not."""
    if view is None:
        return Matrix(e=box.x, f=box.y)
    across, down = box.width / view.width, box.height / view.height
    match = ASPECT.fullmatch((aspect or "").strip() or "xMidYMid")
    if match is None:
        hint = "write something like xMidYMid meet"
        raise ViewportError(f"its preserveAspectRatio is '{short(aspect or '')}'", hint)
    if match[1] is not None:
        across = down = max(across, down) if "slice" in match[0] else min(across, down)
    left, top = _PART[match[1] or "Min"], _PART[match[2] or "Min"]
    return Matrix(
        across,
        0.0,
        0.0,
        down,
        box.x + (box.width - view.width * across) * left - view.x * across,
        box.y + (box.height - view.height * down) * top - view.y * down,
    )


def transform(matrix: Matrix) -> str:
    """Return the matrix (without turning) as a `transform`."""
    place = f"translate({decimal(matrix.e, 4)} {decimal(matrix.f, 4)})"
    if matrix.a == matrix.d:
        return place if matrix.a == 1 else f"{place} scale({decimal(matrix.a, 6)})"
    return f"{place} scale({decimal(matrix.a, 6)} {decimal(matrix.d, 6)})"


def fitted(content: str, view: Rect | None, box: Rect, aspect: str | None, *, clipped: bool) -> str:
    """Return the markup of `content` in its box."""
    inner = f'<g transform="{transform(fit(view, box, aspect))}">{content}</g>'
    if not clipped:
        return inner
    x, y, width, height = (decimal(value, 4) for value in (box.x, box.y, box.width, box.height))
    id = "clip-" + hashlib.blake2b(f"{x} {y} {width} {height}".encode(), digest_size=6).hexdigest()
    rect = f'<rect x="{x}" y="{y}" width="{width}" height="{height}"/>'
    return f'<defs><clipPath id="{id}">{rect}</clipPath></defs><g clip-path="url(#{id})">{inner}</g>'


def relative(node: Node) -> str | None:
    """Return an attribute below the element that is a percentage, which would count from the wrong box."""
    for child in node.iter():
        if child is not node and child.name not in ("linearGradient", "radialGradient", "pattern", "stop"):
            for name in _RELATIVE:
                if child.attrs.get(name, "").endswith("%"):
                    return f'{name}="{short(child.attrs[name])}" on <{child.name}>'
    return None
