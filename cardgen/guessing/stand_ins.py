"""Pictures that stand in for those that are not there yet: a grey field with hills, of a kind and of no weight."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import PurePosixPath

SIZE = (780, 520)
"""Pixels; more than 300 dpi on a poker card."""
_SKY, _HILL, _NEAR = "#e6e9ee", "#d3d8e0", "#c3c9d4"
_HILLS = (
    (_HILL, ((0, 0.78), (0.28, 0.42), (0.5, 0.7), (0.7, 0.5), (1, 0.82), (1, 1), (0, 1))),
    (_NEAR, ((0, 0.9), (0.4, 0.74), (0.72, 0.9), (1, 0.8), (1, 1), (0, 1))),
)
_FORMATS = {"jpg": "JPEG", "jpeg": "JPEG", "webp": "WEBP", "tif": "TIFF", "tiff": "TIFF"}


def stand_in(name: str) -> bytes:
    """The content of a file of that name, of the kind that its ending says."""
    return _drawn(PurePosixPath(name).suffix.lower().removeprefix("."))


@cache
def _drawn(ending: str) -> bytes:
    width, height = SIZE
    if ending == "svg":
        hills = "".join(
            f'<path fill="{color}" d="M{"L".join(f"{x * width:g} {y * height:g}" for x, y in line)}z"/>'
            for color, line in _HILLS
        )
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        return f'{head}<rect width="{width}" height="{height}" fill="{_SKY}"/>{hills}</svg>\n'.encode()
    from PIL import Image, ImageDraw

    image = Image.new("RGB", SIZE, _SKY)
    draw = ImageDraw.Draw(image)
    for color, line in _HILLS:
        draw.polygon([(x * width, y * height) for x, y in line], fill=color)
    out = BytesIO()
    image.save(out, _FORMATS.get(ending, "PNG"))
    return out.getvalue()
