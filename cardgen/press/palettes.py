"""What the colours of streams, gradients and pictures become: inks, spot colours, or the gray of a mask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PIL import Image

from cardgen.press.inks import Inks
from cardgen.press.operators import Use, operator_of


class InkPalette:
    """Colours as inks. `spots` are colours (0 to 255) that have an ink of their own, by name; `used`
    gathers the names that were met in the stream at hand."""

    space = "/DeviceCMYK"
    mode = "CMYK"

    def __init__(self, inks: Inks, spots: Mapping[tuple[int, int, int], str] | None = None) -> None:
        self.inks = inks
        self.spots = spots or {}
        self.used: set[str] = set()

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        """A colour of a gradient."""
        return self.inks.area(color)

    def picture(self, image: Image.Image) -> Image.Image:
        """A picture in RGB."""
        return self.inks.image(image)

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        inks = self.inks.area(color) if use == "area" else self.inks.fine(color)
        return self._spot(color, "cs", "scn") or operator_of(inks, fill=True)

    def stroke(self, color: Sequence[float]) -> bytes:
        return self._spot(color, "CS", "SCN") or operator_of(self.inks.fine(color), fill=False)

    def _spot(self, color: Sequence[float], space: str, choose: str) -> bytes | None:
        if not self.spots:
            return None
        r, g, b = (round(channel * 255) for channel in color)
        name = self.spots.get((r, g, b))
        if name is None:
            return None
        self.used.add(name)
        return f"/{spot_key(name)} {space} 1 {choose}".encode("ascii")


class MaskPalette:
    """The colours of soft masks, which are no inks: what counts of them is how light they are."""

    space = "/DeviceGray"
    mode = "L"
    used: frozenset[str] = frozenset()

    def values(self, color: Sequence[float]) -> tuple[float, ...]:
        """A colour of a gradient."""
        r, g, b = color
        return (0.3 * r + 0.59 * g + 0.11 * b,)

    def picture(self, image: Image.Image) -> Image.Image:
        """A picture in RGB."""
        return image.convert("L")

    def fill(self, color: Sequence[float], use: Use) -> bytes:
        return operator_of(self.values(color), fill=True)

    def stroke(self, color: Sequence[float]) -> bytes:
        return operator_of(self.values(color), fill=False)


def spot_key(name: str) -> str:
    """What streams call the space of a spot colour."""
    return "spot-" + name.encode("utf-8").hex()
