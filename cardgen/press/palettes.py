"""What the colours of streams, gradients and pictures become: inks, or the gray of a mask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PIL import Image

from cardgen.press.inks import Ink, Inks
from cardgen.press.operators import Use, operator_of


class Palette(Protocol):
    """What colours become: `space` is the PDF's name of what they are in then, `mode` Pillow's. Where they
    are `exact`, pictures lose nothing, and `picture` is asked about those in gray, too."""

    space: str
    mode: str
    exact: bool

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        """A colour of a gradient."""

    def many(self, colors: Sequence[Sequence[float]]) -> Sequence[tuple[float, ...]]:
        """Colours of a gradient."""

    def picture(self, image: Image.Image) -> Image.Image:
        """A picture in RGB, or in L."""

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        """The operator that chooses a colour for a ground, or for text."""

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        """The one that chooses it for lines, thick ones as grounds."""


class InkPalette:
    """Colours as inks."""

    space = "/DeviceCMYK"
    mode = "CMYK"
    exact = False

    def __init__(self, inks: Inks) -> None:
        self.inks = inks
        self._known: dict[tuple[tuple[float, ...], Use, bool], bytes] = {}

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        """A colour of a gradient."""
        return self.inks.area(color)

    def many(self, colors: Sequence[Sequence[float]]) -> Sequence[tuple[float, ...]]:
        """Colours of a gradient."""
        return self.inks.areas(colors)

    def picture(self, image: Image.Image) -> Image.Image:
        """A picture in RGB."""
        return self.inks.image(image)

    def inks_of(self, color: Sequence[float], use: Use) -> Ink:
        """What a colour is printed with."""
        return self.inks.area(color) if use == "area" else self.inks.fine(color)

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        return self._operator(tuple(color), use, True)

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        return self._operator(tuple(color), use, False)

    def _operator(self, color: tuple[float, ...], use: Use, fill: bool) -> bytes:
        known = self._known.get((color, use, fill))
        if known is None:
            known = self._known[color, use, fill] = operator_of(self.inks_of(color, use), fill)
        return known


class MaskPalette:
    """The colours of soft masks, which are no inks: what counts of them is how light they are."""

    space = "/DeviceGray"
    mode = "L"
    exact = False

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        r, g, b = color
        return (0.3 * r + 0.59 * g + 0.11 * b,)

    def many(self, colors: Sequence[Sequence[float]]) -> Sequence[tuple[float, ...]]:
        """Colours of a gradient."""
        return [self.values(color) for color in colors]

    def picture(self, image: Image.Image) -> Image.Image:
        """A picture in RGB."""
        return image.convert("L")

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self.values(color), fill=True)

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self.values(color), fill=False)
