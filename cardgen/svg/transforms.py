"""The `transform` attribute as a matrix."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache

from cardgen.geometry import IDENTITY, Matrix
from cardgen.svg.limits import FARTHEST, MOST_SCALE, MOST_TRANSFORMS, short
from cardgen.svg.numbers import NUMBER, number, numbers

_FUNCTION = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)")
_BETWEEN = re.compile(r"\s*(?:,\s*)?")
_ANGLE = re.compile(r"[0-9.](?:deg|rad|grad|turn)\b")
_NUMBER = re.compile(NUMBER)
_COUNTS = {
    "matrix": (6,),
    "translate": (1, 2),
    "scale": (1, 2),
    "rotate": (1, 3),
    "skewX": (1,),
    "skewY": (1,),
}
_LONGEST = 1000
"""Characters between the brackets of a function."""


class TransformBoundError(ValueError):
    """A transform list that is too long."""


def parse_transform(text: str | None) -> Matrix:
    """The matrix of a transform list. Raises ValueError for anything SVG 1.1 does not know, and its kind
    TransformBoundError for more than MOST_TRANSFORMS functions."""
    if not text or not (text := text.strip()) or text == "none":
        return IDENTITY
    return _known(text) if len(text) < _LONGEST else _parse(text)


def transform_of(attrs: Mapping[str, str]) -> Matrix:
    """The matrix of an element's `transform`, about its `transform-origin`. Raises ValueError."""
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
        if len(values) not in _COUNTS[match[1]]:
            wanted = " or ".join(map(str, _COUNTS[match[1]]))
            raise ValueError(f"{short(match[0])} has {len(values)} numbers; {match[1]} takes {wanted}")
        result = _matrix(match[1], values).then(result)
    return result


_known = lru_cache(maxsize=4096)(_parse)


def _values(function: re.Match[str]) -> list[float]:
    """What stands between a function's brackets."""
    name, text = function.groups()
    if _ANGLE.search(text):
        raise ValueError(
            f"{short(function[0])} has a unit; angles are plain numbers, in degrees: {name}(45)"
        )
    if len(text) > _LONGEST or _NUMBER.sub("", text).replace(",", "").strip():
        raise ValueError(f"{short(function[0])} is not of plain numbers")
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
