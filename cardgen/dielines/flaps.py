"""Flaps by the edge that they hang on: along it from 0 to its length, and away from it. Each is a run of
points from one end of the edge to the other."""

from __future__ import annotations

import math

from cardgen.geometry import Point

_EASE = 0.6
"""mm that a flap is narrower on either side than its edge, so that it slides in."""
_STEPS = 8
"""Straight lines in a quarter of a circle: at a radius of 9 mm they are 0.05 mm beside it."""


def arc(middle: Point, radius: float, start: float, turn: float = 90.0) -> list[Point]:
    """Points along an arc from an angle in degrees, by `turn` of them; across and away, as flaps are."""
    x, y = middle
    steps = max(1, round(_STEPS * abs(turn) / 90))
    angles = (math.radians(start + turn * step / steps) for step in range(steps + 1))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def wall(length: float, deep: float) -> list[Point]:
    """A full rectangle."""
    return [(0.0, 0.0), (0.0, deep), (length, deep), (length, 0.0)]


def tongue(length: float, deep: float) -> list[Point]:
    """A flap that is tucked in: round corners find the slot."""
    radius = min(deep * 0.7, length / 4)
    near, far = _EASE, length - _EASE
    left = arc((near + radius, deep - radius), radius, 180, -90)
    right = arc((far - radius, deep - radius), radius, 90, -90)
    return [(0.0, 0.0), *left, *right, (length, 0.0)]


def dust_flap(length: float, deep: float) -> list[Point]:
    """A flap that closes a corner below the lid: it tapers, so that the lid comes past it."""
    return _tapered(length, deep, min(length / 5, deep / 4, 4.0))


def glue_flap(length: float, deep: float) -> list[Point]:
    """A flap that glue is put on: its ends slope, so that it meets no other."""
    return _tapered(length, deep, min(deep * 0.4, length / 4))


def _tapered(length: float, deep: float, slope: float) -> list[Point]:
    return [(0.0, 0.0), (slope, deep), (length - slope, deep), (length, 0.0)]


def notch(length: float, radius: float, deep: float) -> list[Point]:
    """A dip for the thumb in the middle of an edge, not a flap: away is below 0."""
    half = length / 2
    return [(half + x, y * deep / radius) for x, y in arc((0.0, 0.0), radius, 180, 180)]
