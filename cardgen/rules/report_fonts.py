"""Provide the fonts of a report: their characters, the widths of texts, and subsets for a page."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from cardgen.core.records import astuple, dataclass
from cardgen.files.reading import FONT, read_file

_SIGNS = {"\u0394": "\u2206", "\u03a9": "\u2126", "\u03bc": "\u00b5"}
"""Greek letters, and the signs of mathematics and measures for them: delta, omega, mu."""


@dataclass(frozen=True, slots=True)
class Faces:
    """The font files of a report: TrueType, so that every format can embed them."""

    regular: Path
    bold: Path
    narrow: Path
    """For tables and charts."""
    narrow_bold: Path
    mono: Path
    """For ids and places in files."""

    def paths(self) -> Iterator[Path]:
        yield from astuple(self)

    def safe(self, text: str) -> str:
        """Return text in characters of every face: others become a sign that looks alike, as in ΔE, or a
        code, as in <U+4E2D>."""
        known = _common(self)
        shown = (char if char in known else _SIGNS.get(char, char) for char in text)
        return "".join(char if char in known else f"<U+{ord(char):04X}>" for char in shown)


@lru_cache(maxsize=8)
def _common(faces: Faces) -> frozenset[str]:
    """Return the characters that every face can set."""
    return frozenset.intersection(*map(_characters, faces.paths()))


def _data(path: Path) -> bytes:
    return read_file(path, FONT, path.name, None)  # the bundled fonts


@lru_cache(maxsize=32)
def _characters(path: Path) -> frozenset[str]:
    """Return all characters in a font file."""
    return frozenset(map(chr, _font(path).face.unicodes))


@lru_cache(maxsize=32)
def _font(path: Path) -> Any:
    import uharfbuzz as hb

    return hb.Font(hb.Face(_data(path)))


@lru_cache(maxsize=50_000)
def ems(text: str, path: Path) -> float:
    """Return the width of a text in ems."""
    import uharfbuzz as hb

    buffer = hb.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    font = _font(path)
    hb.shape(font, buffer)
    return float(sum(place.x_advance for place in buffer.glyph_positions or ()) / font.face.upem)


def subset_base64(path: Path, text: str) -> str:
    """Return a font file with the characters of a text only, in Base64 for a `data:` address."""
    import uharfbuzz as hb

    wanted = hb.SubsetInput()
    wanted.flags = hb.SubsetFlags.NO_HINTING
    wanted.unicode_set.update(ord(char) for char in sorted(set(text) & _characters(path)))
    return base64.b64encode(hb.subset(hb.Face(_data(path)), wanted).blob.data).decode("ascii")
