"""Pictures that stand in for those that are not there yet: grey hills, of the kind that a name says."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from math import ceil
from pathlib import PurePosixPath

from cardgen.geometry import Size
from cardgen.units import MM_PER_INCH

DPI = 320
"""A little more than checks ask for."""
_SKY, _HILL, _NEAR = "#e6e9ee", "#d3d8e0", "#c3c9d4"
_HILLS = (
    (_HILL, ((0, 0.78), (0.28, 0.42), (0.5, 0.7), (0.7, 0.5), (1, 0.82), (1, 1), (0, 1))),
    (_NEAR, ((0, 0.9), (0.4, 0.74), (0.72, 0.9), (1, 0.8), (1, 1), (0, 1))),
)
_FORMATS = {"jpg": "JPEG", "jpeg": "JPEG", "webp": "WEBP", "tif": "TIFF", "tiff": "TIFF"}


def stand_in(name: str, size: Size) -> bytes:
    """The content of a file of that name, of the kind that its ending says, to be shown in that size."""
    return _drawn(PurePosixPath(name).suffix.lower().removeprefix("."), size)


@cache
def _drawn(ending: str, size: Size) -> bytes:
    width, height = (ceil(side / MM_PER_INCH * DPI) for side in (size.width, size.height))
    if ending == "svg":
        hills = "".join(
            f'<path fill="{color}" d="M{"L".join(f"{x * width:g} {y * height:g}" for x, y in line)}z"/>'
            for color, line in _HILLS
        )
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        return f'{head}<rect width="{width}" height="{height}" fill="{_SKY}"/>{hills}</svg>\n'.encode()
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (width, height), _SKY)
    draw = ImageDraw.Draw(image)
    for color, line in _HILLS:
        draw.polygon([(x * width, y * height) for x, y in line], fill=color)
    out = BytesIO()
    image.save(out, _FORMATS.get(ending, "PNG"))
    return out.getvalue()
