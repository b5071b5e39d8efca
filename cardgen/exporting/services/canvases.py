"""Sides on the exact pixels that a print service asks for: the trim in the middle at true scale."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PIL import Image

from cardgen.exporting.pixels import Sides, turned
from cardgen.geometry import Rect
from cardgen.units import MM_PER_INCH


@dataclass(frozen=True, slots=True)
class Canvas:
    """A service's image: its pixels and how many of them make an inch. A `turn` of 90 or 270 turns the
    side clockwise into it. The side is printed at `scale` times its size."""

    size: tuple[int, int]
    dpi: int
    turn: int = 0
    scale: float = 1.0

    @property
    def unturned(self) -> tuple[int, int]:
        """The pixels as the side lies."""
        return self.size if self.turn in (0, 180) else (self.size[1], self.size[0])

    @property
    def pixels_a_mm(self) -> float:
        """Pixels that a mm of the side covers."""
        return self.dpi / MM_PER_INCH * self.scale

    def area(self, trim: Rect) -> Rect:
        """What of a side the canvas shows, in mm from the side's corner: its middle is the trim's."""
        width, height = (pixels / self.pixels_a_mm for pixels in self.unturned)
        x, y = trim.x + trim.width / 2, trim.y + trim.height / 2
        return Rect(x - width / 2, y - height / 2, width, height)


def on_canvas(sides: Sides, artwork: str, canvas: Canvas) -> Image.Image:
    """A side as RGB on a canvas, at exactly its dpi. Where the art ends before the canvas does, its
    outermost pixels are drawn out to the edge."""
    face = sides.face(artwork)
    area = canvas.area(face.trim)
    image = sides.window(artwork, area, canvas.unturned)
    shown = Rect(-area.x, -area.y, face.size.width, face.size.height)
    image = drawn_out(image, shown, canvas.pixels_a_mm)
    return turned(image, canvas.turn)


def missing_edge(face_trim: Rect, bleed: float, canvas: Canvas) -> float:
    """How far in mm the art ends before the canvas, at its worst edge; 0 if it covers it."""
    area = canvas.area(face_trim)
    beyond = max((area.width - face_trim.width) / 2, (area.height - face_trim.height) / 2)
    return max(0.0, beyond - bleed)


def drawn_out(image: Image.Image, shown: Rect, scale: float) -> Image.Image:
    """The image with the rows and columns outside `shown` (mm, at `scale` pixels a mm) filled from the
    last ones inside it."""
    left, top = (max(0, math.ceil(edge * scale - 1e-3)) for edge in (shown.x, shown.y))
    right = min(image.width, math.floor(shown.right * scale + 1e-3))
    bottom = min(image.height, math.floor(shown.bottom * scale + 1e-3))
    if (left, top, right, bottom) == (0, 0, image.width, image.height):
        return image
    inner = image.crop((left, top, right, bottom))
    result = Image.new("RGB", image.size)
    result.paste(inner, (left, top))
    width, height = inner.size
    strips = (
        ((0, 0, 1, height), (0, top, left, height)),
        ((width - 1, 0, width, height), (right, top, image.width - right, height)),
    )
    for source, (x, y, wide, high) in strips:
        if wide > 0:
            result.paste(inner.crop(source).resize((wide, high)), (x, y))
    for row, y, high in ((top, 0, top), (bottom - 1, bottom, image.height - bottom)):
        if high > 0:  # whole rows, the corners drawn out already
            result.paste(result.crop((0, row, image.width, row + 1)).resize((image.width, high)), (0, y))
    return result
