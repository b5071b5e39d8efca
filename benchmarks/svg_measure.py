"""How two pictures of one drawing are compared: what the eye takes for the same is right."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageChops, ImageFilter

MOST_OFF = 0.004
"""The most of all pixels that may be off."""
OFF_BY = 32
"""How far a channel may be (of 255) from all that it has in the reference's 3 × 3 pixels around it."""
MOST_MEAN = 3.0
"""The most that channels may differ in the mean, of 255."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`off` is the part of the pixels that are off, `mean` the mean difference of channels, of 255."""

    off: float
    mean: float

    @property
    def right(self) -> bool:
        return self.off <= MOST_OFF and self.mean <= MOST_MEAN

    def __str__(self) -> str:
        return f"{self.off:.1%} of the pixels are off, {self.mean:.1f} in the mean"


def on_white(image: Image.Image) -> Image.Image:
    """The picture on white paper, as RGB."""
    shown = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown).convert("RGB")


def compare(found: Image.Image, wanted: Image.Image) -> Difference:
    """How far a picture is from its reference; both on white. A pixel is off if a channel of it is
    by more than OFF_BY brighter or darker than any pixel that touches it in the reference, or the
    other way round, so that edges may lie half a pixel beside. Raises ValueError for different sizes."""
    if found.size != wanted.size:
        raise ValueError(f"{found.size} and {wanted.size} pixels can't be compared")
    found, wanted = on_white(found), on_white(wanted)
    off = ImageChops.lighter(_beyond(found, wanted), _beyond(wanted, found))
    red, green, blue = off.split()
    worst = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    size = found.width * found.height
    total = ImageChops.difference(found, wanted).histogram()
    mean = sum(count * (level % 256) for level, count in enumerate(total)) / (3 * size)
    return Difference(sum(worst[OFF_BY + 1 :]) / size, mean)


def _beyond(image: Image.Image, other: Image.Image) -> Image.Image:
    """How far each channel lies outside of what the other picture has in the 3 × 3 pixels there."""
    over = ImageChops.subtract(image, other.filter(ImageFilter.MaxFilter(3)))
    under = ImageChops.subtract(other.filter(ImageFilter.MinFilter(3)), image)
    return ImageChops.lighter(over, under)
