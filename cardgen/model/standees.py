"""A figure that stands: printed on both sides, folded at its head, held up by what is below its feet."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from cardgen.geometry import Point, Rect, Shape, Size, corners_of

Foot = Literal["flaps", "tab", "slotted"]

LEAST_EDGE = 5.0
"""mm of the level edge that a figure needs at its head, to hold its two halves together at the fold, and at
its feet, to hold it up. A figure of our own: there is no standard."""


@dataclass(frozen=True, slots=True)
class Standee:
    """What is below a figure's feet, `depth` mm of it on both halves.

    `flaps` are folded: outwards, to stand as an upturned T, or one over the other, as an A. A `tab` goes on
    straight, for a bought stand. A `slotted` one has a slit from below to half its depth, and comes with a
    foot that has one from above: the two are put together crosswise. Slits are `slot` mm wide.
    """

    foot: Foot
    depth: float
    slot: float


def flanks(shape: Shape, trim: Size) -> tuple[tuple[Point, ...], tuple[Point, ...]] | None:
    """The sides of a figure between fold and feet, mm from the trim's corner: the right one from its head
    down, the left one up. None of a shape without one level edge at the top of its trim and one at the
    bottom, each LEAST_EDGE long at least."""
    whole = Rect(0, 0, trim.width, trim.height)
    corners = corners_of(shape, whole)
    if shape == "rectangle":
        corners = ((0, 0), (trim.width, 0), (trim.width, trim.height), (0, trim.height))
    if corners is None:
        return None
    sides = list(pairwise((*corners, corners[0])))
    heads = [n for n, side in enumerate(sides) if all(y < 1e-6 for _, y in side)]
    feet = [n for n, side in enumerate(sides) if all(y > trim.height - 1e-6 for _, y in side)]
    if len(heads) != 1 or len(feet) != 1:
        return None
    if min(abs(end[0] - start[0]) for start, end in (sides[heads[0]], sides[feet[0]])) < LEAST_EDGE:
        return None
    count = len(corners)
    down, up = (feet[0] - heads[0]) % count, (heads[0] - feet[0]) % count
    right = tuple(corners[(heads[0] + 1 + step) % count] for step in range(down))
    left = tuple(corners[(feet[0] + 1 + step) % count] for step in range(up))
    return right, left
