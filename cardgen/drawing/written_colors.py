"""The colours that drawings write and pictures show, in bytes of red, green and blue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from cardgen.rasters.header import RasterError, read_header
from cardgen.rasters.pixels import open_pixels, read_pixels
from cardgen.storage.reading import PICTURE, ReadingError, read_file
from cardgen.svg.colors import parse_color

Rgb = tuple[int, int, int]

_WRITTEN = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\([^)]{1,60}\)")
_THUMBNAIL = 96
"""Pixels along the longer edge that tell enough of a picture's colours."""


def bytes_of(text: str) -> Rgb | None:
    """A colour as CSS writes it; None for what is none."""
    color = parse_color(text)
    return None if color is None else rounded(color)


def rounded(color: Iterable[float]) -> Rgb:
    """A colour of shares of 1."""
    r, g, b, *_ = (round(channel * 255) for channel in color)
    return r, g, b


def written_colors(svg: str) -> Iterator[tuple[Rgb, int]]:
    """The colours that a drawing writes, but for names, each with its place in the text."""
    for match in _WRITTEN.finditer(svg):
        if (color := bytes_of(match.group())) is not None:
            yield color, match.start()


@lru_cache(maxsize=256)
def shown_colors(path: str, roots: tuple[Path, ...]) -> frozenset[Rgb]:
    """The colours of a picture in one of `roots`, made small; none of one that can't be read, which is said
    elsewhere."""
    try:
        data = read_file(Path(path), PICTURE, path, roots)
        file = open_pixels(data, read_header(data))
        read_pixels(file)
    except (ReadingError, RasterError):
        return frozenset()
    small = file.convert("RGB")
    small.thumbnail((_THUMBNAIL, _THUMBNAIL))
    return frozenset(color for _, color in small.getcolors(_THUMBNAIL**2) or ())  # type: ignore[misc]
