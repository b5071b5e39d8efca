"""What inks a colour of the screen is printed with, as one table that everything is looked up in.

The table has the four inks of 33³ colours, between which colours are interpolated. As a sum of inks is
linear in each of them, no colour needs more ink than the nodes around it: the limit holds everywhere.

What is above the limit is not scaled down: that would take cyan, magenta and yellow alike, and as a press
needs more cyan for a gray, dark grounds would turn brown. Instead black takes over: among the inks within
the limit those are sought that look most alike, hue before lightness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageCms, ImageFilter

from cardgen.press.profiles import Profile, as_it_is, transforms
from cardgen.vision.difference import difference

NODES = 33
RICH_BLACK = (0.6, 0.4, 0.4, 1.0)
"""Shares of cyan, magenta, yellow and black for what is black on a ground."""

_HUE_BEFORE_LIGHTNESS = np.array([0.6, 1.0, 1.0])
_NEAR = 60.0
"""How much inks count against looks, in ΔE² for all of an ink: keeps neighbours alike where several inks
look the same."""
_ROUNDS = 8
_STEP = 20 / 255
"""How far inks are varied to see what they do: Lab comes in 8 bits."""
_ROUNDING = 0.012
"""What rounding four inks to 8 bits may add, and once more for what is interpolated."""
_GRAY = 7.0
"""Chroma (in ΔE) under which a colour counts as gray."""
_NEARLY_BLACK = 33.0
"""How far (in ΔE 1976) from black a colour may be to be black in a letter: #17143f is, #400000 is not."""
_SOLID = 20.0
"""L* under which letters are of solid black ink, which has sharper edges than a screen of 95 %."""

Floats = npt.NDArray[np.float64]
Ink = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class InkRules:
    """How a press wants its ink: at most `limit` (3.0 is 300 %) of all four together, and `rich_black`."""

    limit: float = 3.0
    rich_black: Ink = RICH_BLACK


class Inks:
    """Colours of the screen (sRGB, shares of 1) as inks (cyan, magenta, yellow, black, shares of 1)."""

    def __init__(self, profile: Profile, rules: InkRules) -> None:
        self.rules = rules
        self._profile = profile
        self._to_inks, self._to_screen, self._to_lab = transforms(profile.opened())
        table = self._table()
        self._filter = ImageFilter.Color3DLUT(
            NODES, table.reshape(-1).tolist(), channels=4, target_mode="CMYK"
        )
        self._known: dict[tuple[int, int, int], Ink] = {}
        self._fine: dict[tuple[int, int, int], Ink] = {}
        ramp = np.zeros((256, 4))
        ramp[:, 3] = np.arange(256) / 255
        self._blacks = _luminance(self._lab(ramp)[:, 0])

    def image(self, image: Image.Image) -> Image.Image:
        """A picture in RGB in inks."""
        return image.filter(self._filter)

    def on_screen(self, image: Image.Image, *, paper: bool = False) -> Image.Image:
        """What a picture in inks looks like, in sRGB: paper white, black as dark as the screen's; or, on
        its `paper`, as it is, paper not quite white and black not quite black."""
        to_screen = as_it_is(self._profile.opened()) if paper else self._to_screen
        shown = ImageCms.applyTransform(image, to_screen)
        assert shown is not None
        return shown

    def area(self, color: Sequence[float]) -> Ink:
        """The inks of a ground, as in a picture."""
        return self.areas([color])[0]

    def areas(self, colors: Sequence[Sequence[float]]) -> list[Ink]:
        """The inks of many grounds, at once."""
        keys = [_bytes(color) for color in colors]
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if new:
            row = self.image(Image.fromarray(np.array([new], np.uint8), "RGB"))
            for key, inked in zip(new, np.asarray(row)[0].tolist()):
                c, m, y, k = (value / 255 for value in inked)
                self._known[key] = (c, m, y, k)
        return [self._known[key] for key in keys]

    def fine(self, color: Sequence[float]) -> Ink:
        """The inks of text and lines: what is gray or nearly black is of black ink alone, since four inks
        never lie exactly on one another."""
        key = _bytes(color)
        if key not in self._fine:
            self._fine[key] = self._of_black(key) or self.area(color)
        return self._fine[key]

    def wanted(self, image: Image.Image) -> Floats:
        """How much ink the profile asks for, all four together, at each pixel of a picture in RGB, before
        the limit: 3.0 is 300 %."""
        inked = np.asarray(ImageCms.applyTransform(image, self._to_inks), np.float64)
        found: Floats = inked.reshape(-1, 4).sum(axis=1) / 255
        return found

    def missed(self, colors: Sequence[tuple[int, int, int]]) -> list[float]:
        """How far colours (0 to 255) are from what the press makes of them as grounds, in ΔE2000."""
        if not colors:
            return []
        asked = Image.fromarray(np.array([colors], np.uint8), "RGB")
        got = self.on_screen(self.image(asked))
        return [float(value) for value in difference(lab_of(asked), lab_of(got))]

    def _of_black(self, key: tuple[int, int, int]) -> Ink | None:
        if min(key) == 255:
            return (0.0, 0.0, 0.0, 0.0)
        lightness, a, b = lab_of(Image.new("RGB", (1, 1), key))[0]
        chroma = np.hypot(a, b)
        if chroma >= _GRAY and np.hypot(lightness, chroma) >= _NEARLY_BLACK:
            return None
        if lightness < _SOLID:
            return (0.0, 0.0, 0.0, 1.0)
        darkest = self._blacks[-1]
        wanted = darkest + _luminance(lightness) * (1 - darkest)
        return (0.0, 0.0, 0.0, float(np.argmin(np.abs(self._blacks - wanted))) / 255)

    # ------------------------------------------------------------ the table

    def _table(self) -> Floats:
        """The inks of each node, red the fastest."""
        steps = np.rint(np.arange(NODES) * 255 / (NODES - 1)).astype(np.uint8)
        blue, green, red = np.meshgrid(steps, steps, steps, indexing="ij")
        nodes = np.stack([red, green, blue], axis=-1).reshape(NODES * NODES, NODES, 3)
        inked = ImageCms.applyTransform(Image.fromarray(nodes, "RGB"), self._to_inks)
        table = np.asarray(inked, np.float64).reshape(-1, 4) / 255
        table[-1] = 0.0  # white is paper
        limit = self.rules.limit - _ROUNDING
        over = np.flatnonzero(table.sum(axis=1) > limit)
        if len(over):
            table[over] = self._within(table[over], limit)
        black = np.array(self.rules.rich_black)
        table[0] = black if black.sum() <= limit else _cut(black[None], limit)[0]
        return table

    def _within(self, inks: Floats, limit: float) -> Floats:
        """Inks within a limit that look most like these, all at once: Gauss and Newton's method on the
        difference in Lab, with the sum of inks held."""
        target = self._lab(inks)
        # black first: what is over is taken from the colours and half of it given to black
        start = inks.copy()
        start[:, 3] = np.minimum(1.0, start[:, 3] + 0.5 * (start.sum(axis=1) - limit))
        found = _cut(start, limit)
        for _ in range(_ROUNDS):
            around = self._lab(found)
            slopes = np.empty((len(found), 3, 4))
            for ink in range(4):
                sign = np.where(found[:, ink] > 0.5, -1.0, 1.0)
                moved = found.copy()
                moved[:, ink] += sign * _STEP
                slopes[:, :, ink] = (self._lab(moved) - around) * (sign / _STEP)[:, None]
            weighted = slopes * _HUE_BEFORE_LIGHTNESS[None, :, None]
            missing = (target - around) * _HUE_BEFORE_LIGHTNESS
            system = np.zeros((len(found), 5, 5))
            system[:, :4, :4] = weighted.transpose(0, 2, 1) @ weighted + _NEAR * np.eye(4)
            system[:, :4, 4] = system[:, 4, :4] = 1.0
            right = np.zeros((len(found), 5, 1))
            right[:, :4, 0] = (weighted.transpose(0, 2, 1) @ missing[:, :, None])[:, :, 0]
            right[:, :4, 0] += _NEAR * (start - found)
            right[:, 4, 0] = limit - found.sum(axis=1)
            by = np.linalg.solve(system, right)[:, :4, 0]
            found = _cut(found + np.clip(by, -0.15, 0.15), limit)
        return found

    def _lab(self, inks: Floats) -> Floats:
        """What inks look like, as Lab (0 to 100, -128 to 127)."""
        packed = np.rint(np.clip(inks, 0, 1) * 255).astype(np.uint8)[None]
        return _unpacked(ImageCms.applyTransform(Image.fromarray(packed, "CMYK"), self._to_lab))


def _cut(inks: Floats, limit: float) -> Floats:
    """Inks from 0 to 1 whose sum is within the limit: what is over is taken from the colours."""
    inks = np.clip(inks, 0, 1)
    colors = inks[:, :3].sum(axis=1)
    allowed = np.maximum(limit - inks[:, 3], 0.0)
    share = np.where(colors > allowed, allowed / np.maximum(colors, 1e-9), 1.0)
    inks[:, :3] *= share[:, None]
    return inks


def _luminance(lightness: Any) -> Any:
    """The share of light that L* (0 to 100, one or many) stands for."""
    return np.where(lightness > 8, ((lightness + 16) / 116) ** 3, lightness / 903.3)


def _bytes(color: Sequence[float]) -> tuple[int, int, int]:
    r, g, b = (min(max(round(channel * 255), 0), 255) for channel in color)
    return r, g, b


def lab_of(image: Image.Image) -> Floats:
    """The pixels of a picture in sRGB, one after the other, in Lab (0 to 100, -128 to 127)."""
    return _unpacked(ImageCms.applyTransform(image, _screen_to_lab()))


@lru_cache(maxsize=4)
def inks_of(profile: Profile, rules: InkRules) -> Inks:
    """The inks of a press: made once a process, as their table takes a quarter of a second."""
    return Inks(profile, rules)


@cache
def _screen_to_lab() -> ImageCms.ImageCmsTransform:
    return ImageCms.buildTransform(
        ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB"
    )


def _unpacked(image: Image.Image | None) -> Floats:
    """The pixels of a picture in Lab, which Pillow holds as unsigned and signed bytes."""
    assert image is not None
    raw = np.asarray(image).reshape(-1, 3)
    lab = np.empty(raw.shape)
    lab[:, 0] = raw[:, 0] / 2.55
    lab[:, 1:] = raw[:, 1:].astype(np.int8)
    return lab
