"""Parts of outlines without a length, which have round and square caps in SVG: usvg leaves them out, and
PDF knows no square ones (ISO 32000-1, 8.5.3.2). They get a length that nobody sees."""

from __future__ import annotations

import re

from cardgen.drawing.inheriting import Document
from cardgen.svg import tree
from cardgen.svg.numbers import number
from cardgen.svg.paths import path_segments

_LEAST = 1e-3
_ENDS = ("x1", "y1", "x2", "y2")
_CAPS = re.compile(rb"square|round")


def lengthen_points(document: tree.Document) -> None:
    """Give lines with such caps some length where they have none."""
    if _CAPS.search(document.data) is None:
        return
    stack = [Document(document).root]
    while stack:
        node = stack.pop()
        stack += node.children
        if node.get("stroke-linecap") not in ("square", "round"):
            continue
        if node.tag == "line":
            x1, y1, x2, y2 = (number(node.get(name, "0").removesuffix("px")) for name in _ENDS)
            if (x1, y1) == (x2, y2) and x1 is not None:
                node.element.attrs["x2"] = f"{x1 + _LEAST:.9g}"
        elif node.tag == "path":
            data = node.get("d", "")
            found = _lengthened(data)
            if found:
                node.element.attrs["d"] = f"{data} {found}"


def _lengthened(data: str) -> str:
    """Lines in place of the parts that have no length."""
    parts: list[str] = []
    start: tuple[float, float] | None = None
    point = False

    def end() -> None:
        if start is not None and point:
            parts.append(f"M{start[0]:.9g} {start[1]:.9g}h{_LEAST}")

    for kind, v in path_segments(data):
        place = (v[-2], v[-1])
        if kind == "M":
            end()
            start, point = place, False
        elif start is not None:
            same = all((x, y) == start for x, y in ([place] if kind == "A" else zip(v[::2], v[1::2])))
            start, point = (start, True) if same else (None, False)
    end()
    return "".join(parts)
