"""What the colours of streams, gradients and pictures become: inks, or the gray of a mask."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from cardgen.press.inks import Inks
from cardgen.press.operators import Use, operator_of


class InkPalette:
    """Colours as inks."""

    space = "/DeviceCMYK"
    mode = "CMYK"

    def __init__(self, inks: Inks) -> None:
        self.inks = inks

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        """A colour of a gradient."""
        return self.inks.area(color)

    def picture(self, image: Image.Image) -> Image.Image:
        """A picture in RGB."""
        return self.inks.image(image)

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        inks = self.inks.area(color) if use == "area" else self.inks.fine(color)
        return operator_of(inks, fill=True)

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        inks = self.inks.area(color) if use == "area" else self.inks.fine(color)
        return operator_of(inks, fill=False)


class MaskPalette:
    """The colours of soft masks, which are no inks: what counts of them is how light they are."""

    space = "/DeviceGray"
    mode = "L"

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        """A colour of a gradient."""
        r, g, b = color
        return (0.3 * r + 0.59 * g + 0.11 * b,)

    def picture(self, image: Image.Image) -> Image.Image:
        """A picture in RGB."""
        return image.convert("L")

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self.values(color), fill=True)

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self.values(color), fill=False)
