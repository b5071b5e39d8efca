"""Values that drawing programs spell otherwise than the rest of cardgen reads them."""

from __future__ import annotations

import math
import re

from cardgen.svg.normal.rebuilding import remade
from cardgen.svg.numbers import NUMBER
from cardgen.svg.tree import Node

_ID = r"""(#[^\s"'()]+)"""
_URL = re.compile(rf"""url\(\s*(?:"\s*{_ID}\s*"|'\s*{_ID}\s*'|{_ID})\s*\)""")
"""With nothing that could be read in two ways, which takes long where it fails."""
_PATH = re.compile(r"""path\(\s*(?:(?:nonzero|evenodd)\s*,\s*)?(["'])([^"']*)\1\s*\)""")
_ANGLE = re.compile(rf"({NUMBER})(deg|grad|rad|turn)\b")
_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
_PIXELS = re.compile(rf"({NUMBER})px\b")
_CSS_TRANSFORM = re.compile(r"\b(translate|scale|skew)([XY])\(([^()]*)\)")
_ICC = re.compile(r"\bicc-color\([^()]*\)")
"""The same colour for a press (SVG 1.1, 11.2), which stands after one for screens."""
_COLORS = ("fill", "stroke", "stop-color", "flood-color", "color")
_MOVES = ("transform", "gradientTransform", "patternTransform", "transform-origin")


def plain_values(root: Node) -> Node:
    """The tree with references as `url(#id)`, outlines as they are, transforms without units."""
    attrs = {name: _value(name, value) for name, value in root.attrs.items()}
    if root.name in ("svg", "g") and attrs.get("transform-box") == "view-box":
        del attrs["transform-box"]
    children = [plain_values(child) if isinstance(child, Node) else child for child in root.children]
    return remade(root, attrs=attrs, children=children)


def _value(name: str, value: str) -> str:
    if "url(" in value:
        return _URL.sub(lambda match: f"url({match[1] or match[2] or match[3]})", value)
    if name in _COLORS and "icc-color" in value:
        return _ICC.sub("", value).strip()
    if name == "d" and value.lstrip().startswith("path("):
        found = _PATH.fullmatch(value.strip())
        return value if found is None else found[2]
    if name in _MOVES and len(value) < 2_000:
        value = _ANGLE.sub(lambda match: f"{float(match[1]) * _DEGREES[match[2]]:.10g}", value)
        value = _PIXELS.sub(r"\1", value)
        return _CSS_TRANSFORM.sub(_along, value)
    return value


def _along(match: re.Match[str]) -> str:
    """A CSS function along one axis as SVG 1.1 writes it."""
    kind, axis, value = match.groups()
    if kind == "skew":
        return match[0]
    other = "0" if kind == "translate" else "1"
    return f"{kind}({value} {other})" if axis == "X" else f"{kind}({other} {value})"
