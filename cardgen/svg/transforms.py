"""The `transform` attribute as a matrix."""

from __future__ import annotations

import math
import re

from cardgen.geometry import IDENTITY, Matrix
from cardgen.svg.bounds import MOST_SCALE, MOST_TRANSFORMS, short
from cardgen.svg.numbers import number

_FUNCTION = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)")
_BETWEEN = re.compile(r"\s*(?:,\s*)?")
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
    if not text or not (text := text.strip()):
        return IDENTITY
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
        numbers = _numbers(match)
        if len(numbers) not in _COUNTS[match[1]]:
            raise ValueError(f"{short(match[0])} has {len(numbers)} numbers")
        result = _matrix(match[1], numbers).then(result)
    return result


def _numbers(function: re.Match[str]) -> list[float]:
    """What stands between a function's brackets."""
    text = function[2]
    found: list[float] = []
    for part in text[:_LONGEST].replace(",", " ").split():
        value = number(part)
        if value is None or len(text) > _LONGEST:
            raise ValueError(f"{short(function[0])} is not of plain numbers")
        if abs(value) > MOST_SCALE:
            raise ValueError(f"{short(function[0])} has a number above {MOST_SCALE:,.0f}")
        found.append(value)
    return found


def _matrix(name: str, numbers: list[float]) -> Matrix:
    first = numbers[0]
    if name == "matrix":
        return Matrix(*numbers)
    if name == "translate":
        return Matrix(e=first, f=numbers[1] if len(numbers) > 1 else 0.0)
    if name == "scale":
        return Matrix(a=first, d=numbers[1] if len(numbers) > 1 else first)
    if name == "skewX":
        return Matrix(c=math.tan(math.radians(first)))
    if name == "skewY":
        return Matrix(b=math.tan(math.radians(first)))
    cos, sin = math.cos(math.radians(first)), math.sin(math.radians(first))
    turn = Matrix(cos, sin, -sin, cos)
    if len(numbers) == 1:
        return turn
    x, y = numbers[1:]
    return Matrix(e=-x, f=-y).then(turn).then(Matrix(e=x, f=y))
