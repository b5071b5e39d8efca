"""Lengths as text to millimetres, and the constants between units."""

from __future__ import annotations

import re
from functools import lru_cache

MM_PER_INCH = 25.4
PT_PER_INCH = 72.0
MM_PER_PT = MM_PER_INCH / PT_PER_INCH
PT_PER_MM = PT_PER_INCH / MM_PER_INCH

MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_PT}

_LENGTH = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*([A-Za-z%\"]*)")


def parse_length(text: str) -> float:
    """Millimetres in a length such as "63.5mm", "2.5in", "6pt" or "1 cm".

    Raises ValueError, with a sentence for the designer, for a missing or unknown unit and for text
    that is no length.
    """
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"'{text}' is not a length such as 63.5mm or 2.5in")
    number, unit = match.groups()
    if not unit:
        raise ValueError(f"the length '{text}' has no unit; write {number}mm, {number}in or {number}pt")
    if unit not in MM_PER_UNIT:
        known = ", ".join(MM_PER_UNIT)
        raise ValueError(f"'{unit}' in '{text}' is not one of the units {known}")
    return float(number) * MM_PER_UNIT[unit]


def to_px(length: float, dpi: float) -> int:
    """Whole pixels that `length` mm cover at `dpi`, rounded to nearest."""
    return round(length / MM_PER_INCH * dpi)


@lru_cache(maxsize=8192)
def decimal(value: float, places: int = 3) -> str:
    """A number as PDF and SVG write it, without exponent or needless zeros; 3 places of a mm are 1 µm."""
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
