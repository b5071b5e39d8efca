"""The outermost element of a side: its size must be the card's with bleed, in mm."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.findings import Problem
from cardgen.geometry import Size
from cardgen.svg.limits import short
from cardgen.svg.numbers import numbers
from cardgen.svg.tree import Node
from cardgen.units import parse_length

_TOLERANCE = 0.01
_WHOLE = {"clip-path": "none", "opacity": "1", "transform": ""}
"""Attributes that would hold for a side as a whole, with the values that mean nothing."""


def check_root(root: Node, size: Size) -> Iterator[Problem]:
    """Whether width, height and viewBox say `size` (trim and bleed) in mm."""
    width, height = f"{size.width:g}", f"{size.height:g}"
    hint = f'write <svg width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">'
    wrong = [
        name
        for name, expected in (("width", size.width), ("height", size.height))
        if not _agrees(root.get(name), expected)
    ]
    if wrong:
        said = " and ".join(f"{name} {short(root.get(name) or 'missing')}" for name in wrong)
        message = f"the side with its bleed is {width}×{height} mm, but the template says {said}"
        yield Problem("svg/size", message, hint)
    box = numbers(root.get("viewBox") or "")
    expected = [0.0, 0.0, size.width, size.height]
    if len(box) != 4 or any(abs(a - b) > _TOLERANCE for a, b in zip(box, expected)):
        message = f"the viewBox is {short(root.get('viewBox') or '')}" if box else "there is no viewBox"
        yield Problem("svg/viewbox", f"{message}, so that one unit is not one millimetre", hint)
    for name, harmless in _WHOLE.items():
        value = (root.get(name) or harmless).strip()
        if value not in (harmless, "none"):
            message = f"{name} on the outermost <svg> would hold for its pictures, and not for its texts"
            yield Problem("svg/root", message, "put a <g> around what it is for")


def _agrees(text: str | None, expected: float) -> bool:
    try:
        return text is not None and abs(parse_length(text) - expected) <= _TOLERANCE
    except ValueError:
        return False
