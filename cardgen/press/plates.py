"""The plates of a press, to look at: a PDF in inks, each ink as the gray of its plate.

Programs that make pixels of a PDF know red, green and blue. So a page is made of two: in one, red is where
there is no cyan, green where there is no magenta and blue where there is no yellow; the other is the plate
of black. Colours that lie over one another are mixed in each channel by itself, so what comes out are the
inks that are printed, pixel by pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pikepdf
from PIL import Image, ImageChops

from cardgen.press.conversion import Conversion
from cardgen.press.operators import Use, operator_of
from cardgen.press.palettes import InkPalette


class _Plates:
    """Some of the inks of a palette as light: 1 is none of it."""

    exact = True

    def __init__(self, palette: InkPalette, space: str, mode: str, inks: slice) -> None:
        self._palette, self._inks = palette, inks
        self.space, self.mode = space, mode

    def _light(self, inks: Sequence[float]) -> tuple[float, ...]:
        return tuple(1 - ink for ink in inks[self._inks])

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        """A colour of a gradient."""
        return self._light(self._palette.values(color))

    def many(self, colors: Sequence[Sequence[float]]) -> Sequence[tuple[float, ...]]:
        """Colours of a gradient."""
        return [self._light(inks) for inks in self._palette.many(colors)]

    def picture(self, image: Image.Image) -> Image.Image:
        """A picture in RGB, or one in gray, which black ink prints."""
        if image.mode == "L":
            none = Image.new("L", image.size, 0)
            inks = Image.merge("CMYK", [none, none, none, ImageChops.invert(image)])
        else:
            inks = self._palette.picture(image)
        return _merged(inks.split()[self._inks], self.mode)

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self._light(self._palette.inks_of(color, use)), fill=True)

    def stroke(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self._light(self._palette.inks_of(color, use)), fill=False)


def _merged(bands: Sequence[Image.Image], mode: str) -> Image.Image:
    """Inks as light."""
    return Image.merge(mode, [ImageChops.invert(band) for band in bands])


def plates(content: bytes, palette: InkPalette) -> tuple[bytes, bytes]:
    """Of a PDF in RGB two others: cyan, magenta and yellow as the absence of red, green and blue, and black
    as gray. Raises as `Conversion.run` does."""
    found = []
    for space, mode, inks in (("/DeviceRGB", "RGB", slice(0, 3)), ("/DeviceGray", "L", slice(3, 4))):
        with pikepdf.open(BytesIO(content)) as pdf:
            Conversion(pdf, _Plates(palette, space, mode, inks)).run()
            out = BytesIO()
            pdf.save(out)
            found.append(out.getvalue())
    return found[0], found[1]


def in_inks(colors: Image.Image, black: Image.Image) -> Image.Image:
    """The inks of a page (CMYK), from the pixels (RGB or L) of its two."""
    bands = [*colors.convert("RGB").split(), black.convert("L")]
    return Image.merge("CMYK", [ImageChops.invert(band) for band in bands])
