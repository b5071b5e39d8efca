"""Gradients in inks: their colours sampled, so that each of them is what the press makes of it and not
what lies between the inks of its ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import pikepdf

SAMPLES = 65
_Evaluator = Callable[[float], tuple[float, ...]]


class UnknownShadingError(ValueError):
    """A gradient of a kind that nothing here draws."""


class Values(Protocol):
    """What colours become."""

    space: str

    def many(self, colors: Sequence[tuple[float, ...]]) -> Sequence[tuple[float, ...]]: ...


def recolor(shading: Any, gray: bool, palette: Values, pdf: pikepdf.Pdf) -> None:
    """Put the colours of a gradient along a line or between circles into the palette's space, in place.
    `gray` says that it has one number a colour. Raises UnknownShadingError."""
    if int(shading.ShadingType) not in (2, 3) or "/Function" not in shading:
        raise UnknownShadingError(f"a gradient of type {shading.ShadingType}")
    low, high = (float(edge) for edge in shading.get("/Domain", [0, 1]))
    packed = bytearray()
    count = 0
    at = _evaluator(shading.Function)
    colors = [at(low + (high - low) * number / (SAMPLES - 1)) for number in range(SAMPLES)]
    for values in palette.many([color * 3 if gray else color for color in colors]):
        count = len(values)
        packed += bytes(min(max(round(value * 255), 0), 255) for value in values)
    function = pikepdf.Stream(pdf, bytes(packed))
    function.FunctionType = 0
    function.Domain = [low, high]
    function.Range = [0, 1] * count
    function.Size = [SAMPLES]
    function.BitsPerSample = 8
    shading.Function = pdf.make_indirect(function)
    shading.ColorSpace = pikepdf.Name(palette.space)
    for key in ("/Background",):
        if key in shading:
            del shading[key]


def _evaluator(function: Any) -> _Evaluator:
    """A function of one number (ISO 32000-1, 7.10), read once to be asked often. Raises
    UnknownShadingError."""
    if isinstance(function, pikepdf.Array):
        each = [_evaluator(one) for one in function]
        return lambda x: tuple(value for one in each for value in one(x))
    low, high = (float(edge) for edge in function.Domain)
    kind = int(function.FunctionType)
    if kind == 2:
        made = _power(function)
    elif kind == 3:
        made = _stitched(function, low, high)
    elif kind == 0 and int(function.BitsPerSample) in (8, 16) and len(function.Size) == 1:
        made = _sampled(function, low, high)
    else:
        raise UnknownShadingError(f"a gradient with a function of type {kind}")
    return lambda x: made(min(max(x, low), high))


def _power(function: Any) -> _Evaluator:
    power = float(function.N)
    pairs = list(zip(_numbers(function.get("/C0", [0])), _numbers(function.get("/C1", [1]))))

    def at(x: float) -> tuple[float, ...]:
        share = x**power
        return tuple(a + share * (b - a) for a, b in pairs)

    return at


def _stitched(function: Any, low: float, high: float) -> _Evaluator:
    edges = [low, *_numbers(function.Bounds), high]
    encode = _numbers(function.Encode)
    parts = [_evaluator(part) for part in function.Functions]

    def at(x: float) -> tuple[float, ...]:
        number = next((n for n in range(len(parts) - 1) if x < edges[n + 1]), len(parts) - 1)
        left, right = edges[number], edges[number + 1]
        share = 0.0 if right == left else (x - left) / (right - left)
        start, end = encode[2 * number], encode[2 * number + 1]
        return parts[number](start + share * (end - start))

    return at


def _sampled(function: Any, low: float, high: float) -> _Evaluator:
    size, width = int(function.Size[0]), int(function.BitsPerSample) // 8
    bounds = _numbers(function.get("/Decode", function.Range))
    count = len(bounds) // 2
    data = function.read_bytes()
    ends = _numbers(function.get("/Encode", [0, size - 1]))

    def sample(number: int, part: int) -> float:
        place = (min(number, size - 1) * count + part) * width
        value = int.from_bytes(data[place : place + width], "big") / (256**width - 1)
        return float(bounds[2 * part] + value * (bounds[2 * part + 1] - bounds[2 * part]))

    def at(x: float) -> tuple[float, ...]:
        place = ends[0] + (x - low) / ((high - low) or 1) * (ends[1] - ends[0])
        place = min(max(place, 0.0), size - 1.0)
        first = min(int(place), max(size - 2, 0))
        share = place - first
        return tuple(
            sample(first, part) + share * (sample(first + 1, part) - sample(first, part))
            for part in range(count)
        )

    return at


def _numbers(values: Any) -> list[float]:
    return [float(value) for value in values]
