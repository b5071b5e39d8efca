"""The `transform` attribute as a matrix."""

from __future__ import annotations

import math
import re

from cardgen.geometry import IDENTITY, Matrix

_FUNCTION = re.compile(r"\s*,?\s*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)")
_COUNTS = {
    "matrix": (6,),
    "translate": (1, 2),
    "scale": (1, 2),
    "rotate": (1, 3),
    "skewX": (1,),
    "skewY": (1,),
}


def parse_transform(text: str | None) -> Matrix:
    """The matrix of a transform list. Raises ValueError for anything SVG 1.1 does not know."""
    if not text or not text.strip():
        return IDENTITY
    result = IDENTITY
    position = 0
    while position < len(text.rstrip()):
        match = _FUNCTION.match(text, position)
        if match is None:
            raise ValueError(f"'{text.strip()}' is not a list of transforms such as translate(2 3)")
        position = match.end()
        numbers = [float(part) for part in match[2].replace(",", " ").split()]
        if not all(map(math.isfinite, numbers)):
            raise ValueError(f"{match[1]}({match[2]}) is not of numbers")
        if len(numbers) not in _COUNTS[match[1]]:
            raise ValueError(f"{match[1]}({match[2]}) has {len(numbers)} numbers")
        result = _matrix(match[1], numbers).then(result)
    return result


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
