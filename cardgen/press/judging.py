"""What a press can't do with the colours of a side: what it can't mix, what has too much ink."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from PIL import Image

from cardgen.press.inks import Inks, lab_of
from cardgen.vision.difference import Floats, difference

FAR = 10.0
"""ΔE2000 from which what is printed counts as another colour."""
LEAST_AREA = 20.0
"""mm² that a colour must have on a side to be worth a word: a square of 4.5 mm."""
_ALIKE = 12.0
"""ΔE (1976) within which colours, such as those of a gradient, are told as one."""
_PIXELS = 1_000_000
"""Most pixels that are looked at."""
_MOST = 12
"""Most colours of one kind that are told of a side."""

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Missed:
    """A colour that the press can't mix, what it makes of it (sRGB, 0 to 255), how far these are apart in
    ΔE2000, and how much there is, with colours alike, in mm²."""

    asked: Rgb
    printed: Rgb
    apart: float
    area: float


@dataclass(frozen=True, slots=True)
class Heavy:
    """A colour that would take `ink` (3.0 is 300 %) by the profile, more than the press's limit, and how
    much there is, with colours alike, in mm²."""

    asked: Rgb
    ink: float
    area: float


def judged(
    image: Image.Image, unit: float, inks: Inks, texts: Iterable[tuple[Rgb, float]] = ()
) -> tuple[list[Missed], list[Heavy]]:
    """The colours of a picture (RGB or RGBX) that the press can't mix, and those that are too heavy, the
    largest first. A pixel is `unit` mm²; `texts` are colours beside it with their mm²."""
    colors, areas = _colors(image, unit, texts)
    row = Image.fromarray(colors[None], "RGB")
    printed = inks.on_screen(inks.image(row))
    lab = lab_of(row)
    apart = difference(lab, lab_of(printed))
    shown = np.asarray(printed)[0]
    missed = [
        Missed(_rgb(colors[first]), _rgb(shown[first]), float(apart[first]), area)
        for first, area in _groups(lab, areas, apart >= FAR)
    ]
    ink = inks.wanted(row)
    too_much = (ink > inks.rules.limit + 0.01) & (colors.max(axis=1) > 0)  # black is what was asked for
    heavy = [
        Heavy(_rgb(colors[first]), float(ink[first]), area) for first, area in _groups(lab, areas, too_much)
    ]
    return missed, heavy


def most_ink(image: Image.Image, inks: Inks) -> float:
    """The most ink at a pixel of a picture (RGB or RGBX) as it is printed: 3.0 is 300 %."""
    step = math.ceil(math.sqrt(image.width * image.height / _PIXELS))
    pixels = np.ascontiguousarray(np.asarray(image)[::step, ::step, :3])
    inked = np.asarray(inks.image(Image.fromarray(pixels, "RGB")), np.uint16)
    return float(inked.sum(axis=2).max()) / 255


def _colors(
    image: Image.Image, unit: float, texts: Iterable[tuple[Rgb, float]]
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint8]], Floats]:
    """Distinct colours and their mm²: those within eight steps of a channel as their mean."""
    step = math.ceil(math.sqrt(image.width * image.height / _PIXELS))  # of large boards some do
    pixels = np.asarray(image)[::step, ::step, :3].reshape(-1, 3)
    weights = np.full(len(pixels), unit * step**2)
    beside = list(texts)
    if beside:
        pixels = np.concatenate([pixels, np.array([color for color, _ in beside], np.uint8)])
        weights = np.concatenate([weights, np.array([area for _, area in beside])])
    coarse = pixels.astype(np.int32) >> 3
    bins = coarse[:, 0] << 10 | coarse[:, 1] << 5 | coarse[:, 2]
    areas: Floats = np.bincount(bins, weights, 1 << 15).astype(np.float64)
    used = np.flatnonzero(areas)
    sums = [np.bincount(bins, weights * pixels[:, channel], 1 << 15)[used] for channel in range(3)]
    return np.rint(np.stack(sums, axis=1) / areas[used, None]).astype(np.uint8), areas[used]


def _groups(
    lab: Floats, areas: Floats, wanted: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
) -> Iterator[tuple[int, float]]:
    """Among the wanted colours those that stand for all alike, each by its number, with the mm² of all."""
    left = np.flatnonzero(wanted)
    for _ in range(_MOST):
        if not len(left):
            return
        first = left[np.argmax(areas[left])]
        near = np.linalg.norm(lab[left] - lab[first], axis=1) < _ALIKE
        area = float(areas[left[near]].sum())
        if area >= LEAST_AREA:
            yield int(first), round(area, 1)
        left = left[~near]


def _rgb(color: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Rgb:
    r, g, b = (int(channel) for channel in color)
    return r, g, b
