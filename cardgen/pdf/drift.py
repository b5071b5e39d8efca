"""Read the colors at a side's cut edges, which a cut that is slightly off would show.

A stack of cards moves in a guillotine, and a knife drifts along its ruler, by up to `DRIFT` mm. Seen in
pixels, so that it doesn't matter what draws them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from PIL import Image, ImageChops

from cardgen.core.geometry import MM_PER_INCH, Rect
from cardgen.core.records import dataclass

DRIFT = 0.7
"""mm by which a cut may be off: what careful hands keep to."""

SAMPLES = 32
"""Samples along an edge."""

DIFFERENT = 48
"""Steps of 255 in a channel by which two colors visibly differ side by side."""

MOST_FRAME = 2 * DRIFT
"""mm: a drift takes at most half of a wider frame, which still looks like one."""

_LEAST_BEYOND = 0.5
"""mm: color that begins farther outside the trim shows as a hairline at most."""

_BEYOND = 3.0
"""mm outside the trim that are read, if there is as much bleed. If color changes there, it is a pattern:
changes nearer the trim are no frame."""

_STRAIGHT = 0.8
"""The share of an edge along which a frame has one width; less is a picture."""

Color = tuple[int, int, int]
Edge = tuple[Color, ...]
"""Colors along an edge, clockwise, each the mean of what is up to `DRIFT` mm inside the trim."""


@dataclass(frozen=True, slots=True)
class CutEdges:
    """The cut edges of a side: at the `top`, the right, the bottom and the left, and the `frames`: of each,
    mm from the trim inwards to a line along the edge where the color changes; None for no such line near
    it."""

    edges: tuple[Edge, ...]
    frames: tuple[float | None, ...]


NAMES = ("top", "right", "bottom", "left")


def cut_edges(image: Image.Image, trim: Rect, corner: float, dpi: float) -> CutEdges | None:
    """Return the cut edges of a side; None if it is too small. `image` shows it with its bleed, `trim` is
    in mm from the image's corner. Rounded corners of radius `corner` are skipped."""
    scale = dpi / MM_PER_INCH
    if min(trim.width, trim.height) <= 2 * (corner + MOST_FRAME):
        return None
    image = image if image.mode == "RGB" else image.convert("RGB")
    edges, frames = [], []
    for number in range(4):
        strip, beyond = _strip(image, trim, corner, scale, number)
        colors, frame = _read(strip, beyond, scale)
        edges.append(colors)
        frames.append(frame)
    return CutEdges(tuple(edges), tuple(frames))


def _strip(
    image: Image.Image, trim: Rect, corner: float, scale: float, number: int
) -> tuple[Image.Image, float]:
    """Return what is along an edge, a column for each sample, clockwise, its outermost row first, and mm
    from that row to the trim."""
    beyond = min(_BEYOND, trim.x, trim.y)
    inside = MOST_FRAME + DRIFT
    skip = max(corner, MOST_FRAME)
    left, top, right, bottom = trim.x, trim.y, trim.right, trim.bottom
    box = (
        (left + skip, top - beyond, right - skip, top + inside),
        (right - inside, top + skip, right + beyond, bottom - skip),
        (left + skip, bottom - inside, right - skip, bottom + beyond),
        (left - beyond, top + skip, left + inside, bottom - skip),
    )[number]
    turn = (None, Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_270)[number]
    pixels = tuple(edge * scale for edge in box)
    depth = max(4, round((beyond + inside) * scale))
    size = (SAMPLES, depth) if number % 2 == 0 else (depth, SAMPLES)
    found = image.resize(size, Image.Resampling.BOX, box=_within(pixels, image.size))
    return (found if turn is None else found.transpose(turn)), beyond


def _within(box: Sequence[float], size: tuple[int, int]) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    return max(0.0, left), max(0.0, top), min(float(size[0]), right), min(float(size[1]), bottom)


def _read(strip: Image.Image, beyond: float, scale: float) -> tuple[Edge, float | None]:
    """Return the colors of an edge and its frame."""
    step = (beyond + MOST_FRAME + DRIFT) / strip.height  # mm a row
    first, last = round(beyond / step), max(round(beyond / step) + 1, round((beyond + DRIFT) / step))
    width, height = strip.size
    inner = strip.crop((0, first, width, last)).resize((width, 1), Image.Resampling.BOX).tobytes()
    colors = tuple(zip(inner[::3], inner[1::3], inner[2::3], strict=True))
    apart = ImageChops.difference(strip.crop((0, 0, width, height - 1)), strip.crop((0, 1, width, height)))
    red, green, blue = apart.split()
    outermost = [math.inf] * width
    for place, most in enumerate(ImageChops.lighter(ImageChops.lighter(red, green), blue).tobytes()):
        if most > DIFFERENT:
            at = (place // width + 1) * step - beyond
            outermost[place % width] = min(outermost[place % width], at)
    return colors, _line(outermost, step)


def _line(outermost: Sequence[float], step: float) -> float | None:
    """Return the distance from the trim at which nearly all samples change color for the first time."""
    for at in dict.fromkeys(sorted(at for at in outermost if -_LEAST_BEYOND < at < MOST_FRAME)):
        if sum(abs(other - at) <= step for other in outermost) >= _STRAIGHT * len(outermost):
            return round(at, 2)
    return None


def differ(one: Color, other: Color) -> bool:
    """Return True if two colors visibly differ side by side."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) > DIFFERENT


def differing(one: Edge, other: Edge) -> float:
    """Return the share of an edge along which it differs from the one that faces it, which runs the other
    way."""
    pairs = list(zip(one, reversed(other), strict=True))
    return sum(differ(a, b) for a, b in pairs) / len(pairs)


def plain(edges: CutEdges) -> list[object]:
    """Return cut edges in JSON's types."""
    return [[list(map(list, edge)) for edge in edges.edges], list(edges.frames)]


def of_plain(value: Sequence[Sequence[Sequence[Sequence[int]]]]) -> CutEdges:
    """Return the cut edges that `plain` spelled."""
    edges, frames = value
    return CutEdges(tuple(tuple(_colors(edge)) for edge in edges), tuple(frames))  # type: ignore[arg-type]


def _colors(edge: Sequence[Sequence[int]]) -> Iterator[Color]:
    return ((red, green, blue) for red, green, blue in edge)
