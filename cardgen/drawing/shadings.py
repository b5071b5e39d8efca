"""Gradients as PDF patterns."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from cardgen.drawing.inheriting import Node
from cardgen.drawing.outlines import UnplainError
from cardgen.geometry import Matrix, Rect
from cardgen.svg.colors import parse_color
from cardgen.svg.numbers import share
from cardgen.svg.transforms import parse_transform
from cardgen.units import decimal

_NARROWEST = 1e-5
"""What a part of a gradient takes of the whole at least: bounds must rise (ISO 32000-1, 7.10.4)."""

Stop = tuple[float, tuple[float, float, float]]


def gradient_pattern(
    gradient: Node, matrix: Matrix, box: Callable[[], Rect]
) -> tuple[str, float] | tuple[float, float, float, float] | None:
    """The dictionary of a gradient's pattern in the coordinates that `matrix` leads to, and how opaque it
    is; one colour where it has one stop, None where SVG says that nothing is painted. `box` gives the
    bounds of what it fills. Raises UnplainError for one that is neither padded nor equally opaque."""
    own_units = gradient.get("gradientUnits") == "userSpaceOnUse"
    if gradient.get("spreadMethod", "pad") != "pad":
        raise UnplainError
    stops, opacity = _stops(gradient)
    if not stops:
        return None
    place = parse_transform(gradient.get("gradientTransform"))
    if not own_units:
        around = box()
        if around.width < 1e-9 or around.height < 1e-9:
            return None
        place = place.then(Matrix(around.width, 0, 0, around.height, around.x, around.y))
    if len(stops) == 1:
        return (*stops[0][1], opacity)

    def value(name: str, default: str) -> float:
        text = gradient.get(name, default).strip()
        if text.endswith("%") and own_units:
            raise UnplainError
        return _number(text)

    if gradient.tag == "linearGradient":
        coords = [value("x1", "0%"), value("y1", "0%"), value("x2", "100%"), value("y2", "0%")]
        if math.dist(coords[:2], coords[2:]) < 1e-9:
            raise UnplainError
        kind = 2
    else:
        cx, cy, r = value("cx", "50%"), value("cy", "50%"), value("r", "50%")
        fx, fy, fr = value("fx", str(cx)), value("fy", str(cy)), value("fr", "0")
        if r <= 0 or math.dist((fx, fy), (cx, cy)) + fr > 0.99 * r:
            raise UnplainError
        coords = [fx, fy, fr, cx, cy, r]
        kind = 3
    place = place.then(matrix)
    if abs(place.a * place.d - place.b * place.c) < 1e-12:
        raise UnplainError
    placed = " ".join(decimal(v, 7) for v in (place.a, place.b, place.c, place.d, place.e, place.f))
    ends = " ".join(decimal(v, 6) for v in coords)
    return (
        f"<</PatternType 2/Matrix[{placed}]/Shading<</ShadingType {kind}/ColorSpace/DeviceRGB"
        f"/Coords[{ends}]/Function {_function(stops)}/Extend[true true]>>>>"
    ), opacity


def _number(text: str) -> float:
    try:
        return share(text.removesuffix("px"))
    except ValueError:
        raise UnplainError from None


def _stops(gradient: Node) -> tuple[list[Stop], float]:
    stops: list[Stop] = []
    opacities: set[float] = set()
    offset = 0.0
    for stop in gradient.children:
        if stop.tag != "stop":
            continue
        color = parse_color(stop.get("stop-color", "black"))
        if color is None:
            raise UnplainError
        offset = min(max(offset, _number(stop.get("offset", "0") or "0")), 1.0)
        stops.append((offset, color[:3]))
        opacities.add(min(max(_number(stop.get("stop-opacity", "1")), 0.0), 1.0) * color[3])
    if len(opacities) > 1:
        raise UnplainError
    return stops, next(iter(opacities), 1.0)


def _function(stops: Sequence[Stop]) -> str:
    """The colours from 0 to 1."""
    whole = list(stops)
    if whole[0][0] > 0:
        whole.insert(0, (0.0, whole[0][1]))
    if whole[-1][0] < 1:
        whole.append((1.0, whole[-1][1]))
    parts = [
        f"<</FunctionType 2/Domain[0 1]/C0[{_color(one)}]/C1[{_color(other)}]/N 1>>"
        for (_, one), (_, other) in pairwise(whole)
    ]
    if len(parts) == 1:
        return parts[0]
    bounds = [offset for offset, _ in whole[1:-1]]
    least = min(_NARROWEST, 0.5 / len(parts))
    low = 0.0
    for index, bound in enumerate(bounds):
        low = bounds[index] = max(bound, low + least)
    high = 1.0
    for index in reversed(range(len(bounds))):
        high = bounds[index] = min(bounds[index], high - least)
    inner = " ".join(decimal(bound, 8) for bound in bounds)
    return (
        f"<</FunctionType 3/Domain[0 1]/Functions[{''.join(parts)}]/Bounds[{inner}]"
        f"/Encode[{' '.join(['0 1'] * len(parts))}]>>"
    )


def _color(color: tuple[float, float, float]) -> str:
    return " ".join(decimal(channel, 4) for channel in color)
