"""Cuts and folds as SVG: one path each, in a group of its kind, the document as large as the paper."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from cardgen.geometry import Rect, Size
from cardgen.model.cuts import Cut
from cardgen.units import decimal

MARKS = "Regmark"
"""What Summa's plug-in calls the layer of marks."""


def cuts_as_svg(
    cuts: Sequence[Cut],
    page: Size,
    title: str,
    marks: Sequence[Rect] = (),
    creases: Sequence[Cut] = (),
) -> bytes:
    """The document, UTF-8. Cuts are red, in the group `cut`. `marks` are what the machine looks for: black,
    in a group of their own. `creases`, folds, are blue, in the group `crease`."""
    width, height = decimal(page.width), decimal(page.height)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}">',
        f"<title>{escape(title)}</title>",
        '<g id="cut" fill="none" stroke="#ff0000" stroke-width="0.1">',
        *(f'<path d="{path_of(cut)}"/>' for cut in cuts),
        "</g>",
        *_creases(creases),
        *_marks(marks),
        "</svg>",
        "",
    ]
    return "\n".join(lines).encode("utf-8")


def _creases(creases: Sequence[Cut]) -> list[str]:
    if not creases:
        return []
    paths = (f'<path d="{path_of(crease)}"/>' for crease in creases)
    return ['<g id="crease" fill="none" stroke="#0000ff" stroke-width="0.1">', *paths, "</g>"]


def _marks(marks: Sequence[Rect]) -> list[str]:
    if not marks:
        return []
    squares = (
        f'<rect x="{decimal(each.x)}" y="{decimal(each.y)}" width="{decimal(each.width)}" '
        f'height="{decimal(each.height)}"/>'
        for each in marks
    )
    return [f'<g id="{MARKS}" fill="#000000">', *squares, "</g>"]


def path_of(cut: Cut) -> str:
    """A cut as the data of a path."""

    def point(place: tuple[float, float]) -> str:
        return f"{decimal(place[0])} {decimal(place[1])}"

    parts = [f"M{point(cut.strokes[0].start)}"]
    for stroke in cut.strokes:
        if stroke.middle is None:
            parts.append(f"L{point(stroke.end)}")
        else:
            parts.append(f"A{point(stroke.radii)} 0 0 1 {point(stroke.end)}")
    return "".join([*parts, "Z" if cut.closed else ""])
