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


_TILE = 24.0
"""Width and height of an icon's drawing."""
_LETTERS = 3


def labelled_icon(word: str, font: bytes) -> bytes:
    """Return an SVG icon that stands in for one to be drawn: the first letters of a word in a box.

    `font` is the content of a TrueType or OpenType file.
    """
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.ttLib import TTFont

    file = TTFont(BytesIO(font), lazy=True)
    glyphs, names = file.getGlyphSet(), file.getBestCmap()
    letters = word.replace("-", "")[:_LETTERS].upper()
    label = [names[ord(letter)] for letter in letters if ord(letter) in names]
    width = sum(glyphs[name].width for name in label) or 1
    bounds = BoundsPen(glyphs)
    glyphs[names[ord("H")]].draw(bounds)
    height = bounds.bounds[3]
    scale = min(18.0 / width, 11.0 / height)
    pen = SVGPathPen(glyphs, ntos=lambda number: f"{number:.2f}".rstrip("0").rstrip("."))
    x = (_TILE - width * scale) / 2
    for name in label:
        glyphs[name].draw(TransformPen(pen, (scale, 0, 0, -scale, x, (_TILE + height * scale) / 2)))
        x += glyphs[name].width * scale
    box = "M5 2H19A3 3 0 0 1 22 5V19A3 3 0 0 1 19 22H5A3 3 0 0 1 2 19V5A3 3 0 0 1 5 2Z"
    inside = "M5 3.2A2 2 0 0 0 3.2 5V19A2 2 0 0 0 5 20.8H19A2 2 0 0 0 20.8 19V5A2 2 0 0 0 19 3.2Z"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">\n'
        f'<path fill="currentColor" fill-rule="evenodd" d="{box}{inside}"/>\n'
        f'<path fill="currentColor" d="{pen.getCommands()}"/>\n</svg>\n'
    ).encode()
