"""Lengths, sizes and names of files in data that has passed its schema."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from cardgen.findings import Findings
from cardgen.geometry import Size
from cardgen.model.extremes import MAX_TRIM, MIN_TRIM
from cardgen.schema.wording import name_hint
from cardgen.units import parse_length
from cardgen.yaml.positions import DataPath
from cardgen.yaml.reader import Document


def length(
    document: Document, path: DataPath, text: str, findings: Findings, *, most: float
) -> float | None:
    """Millimetres of a length from 0 to `most` mm, or None after a finding."""
    try:
        value = round(parse_length(text), 6)  # so that 3in is 76.2 and not 76.19999999999999
    except ValueError as error:
        findings.error("schema/length", str(error), document.locate(path))
        return None
    if not math.isfinite(value) or not 0 <= value <= most:
        problem = "negative" if value < 0 else f"above the maximum {most:g}mm"
        findings.error("schema/length", f"the length {text} is {problem}", document.locate(path))
        return None
    return value


def trim(
    document: Document, path: DataPath, value: Any, sizes: Mapping[str, Size], findings: Findings
) -> Size | None:
    """The size that a `trim` states: a name of `sizes` or [width, height]. None after findings."""
    if isinstance(value, str):
        if value in sizes:
            return sizes[value]
        findings.error(
            "reference/size",
            f"there is no size '{value}'",
            document.locate(path),
            name_hint(value, sizes, "sizes in data/sizes.yaml"),
        )
        return None
    sides = [length(document, (*path, i), text, findings, most=MAX_TRIM) for i, text in enumerate(value)]
    for index, side in enumerate(sides):
        if side is not None and side < MIN_TRIM:
            message = f"the side {value[index]} is below the minimum {MIN_TRIM:g}mm"
            findings.error("schema/length", message, document.locate((*path, index)))
            sides[index] = None
    width, height = sides
    return None if width is None or height is None else Size(width, height)
