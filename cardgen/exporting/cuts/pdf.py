"""Cuts and folds as PDF: a page a printed page, lines in spot colours that overprint.

`CutContour` is the name by which printers' and cutters' programs know a cut line, `Crease` that of a fold.
They are shown in magenta and cyan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import BinaryIO

from reportlab.lib.colors import CMYKColorSep

from cardgen.geometry import Point, Rect, Size
from cardgen.model.cuts import Cut
from cardgen.pdf_canvas import PdfCanvas
from cardgen.units import MM_PER_PT, PT_PER_MM

SPOT, CREASE = "CutContour", "Crease"
MARKS = "Regmark"
"""What Summa's plug-in calls the layer of marks."""
WEIGHT = 0.25
"""pt, the weight of the lines."""
_ARC = 0.5522847498
"""How far along its tangent, in radii, the handle of a Bézier curve for a quarter circle lies."""


def write_cuts_pdf(
    pages: Iterable[tuple[Size, Sequence[Cut], Sequence[Rect], Sequence[Cut]]], out: BinaryIO, title: str
) -> None:
    """Write a page for each size with its cuts, its machine's marks and folds. There is at least one."""
    canvas = PdfCanvas(out, pagesize=(1, 1), pageCompression=1, invariant=1, pdfVersion=(1, 6))
    canvas.setTitle(title)
    canvas.setCreator("cardgen")
    canvas.setViewerPreference("PrintScaling", "None")
    for size, cuts, marks, creases in pages:
        canvas.setPageSize((size.width * PT_PER_MM, size.height * PT_PER_MM))
        canvas.setStrokeColor(CMYKColorSep(0, 1, 0, 0, spotName=SPOT))
        canvas.setStrokeOverprint(True)
        canvas.setLineWidth(WEIGHT)
        place = partial(_point, size=size)
        _draw(canvas, cuts, place)
        if creases:
            canvas.setStrokeColor(CMYKColorSep(1, 0, 0, 0, spotName=CREASE))
            _draw(canvas, creases, place)
        if marks:
            canvas.setFillColor(CMYKColorSep(0, 0, 0, 1, spotName=MARKS))
        for mark in marks:
            left, bottom = _point((mark.x, mark.bottom), size)
            canvas.rect(left, bottom, mark.width * PT_PER_MM, mark.height * PT_PER_MM, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()


def draw_lines(canvas: PdfCanvas, cuts: Sequence[Cut], creases: Sequence[Cut]) -> None:
    """Draw cuts and folds over what is on a page whose unit is a mm, y down."""
    canvas.saveState()
    canvas.setStrokeOverprint(True)
    canvas.setLineWidth(WEIGHT * MM_PER_PT)
    canvas.setDash()
    for lines, ink, spot in ((cuts, (0, 1, 0, 0), SPOT), (creases, (1, 0, 0, 0), CREASE)):
        if lines:
            canvas.setStrokeColor(CMYKColorSep(*ink, spotName=spot))
            _draw(canvas, lines, lambda point: point)
    canvas.restoreState()


def write_filled_pdf(size: Size, cuts: Sequence[Cut], out: BinaryIO) -> None:
    """Write a page on which all that lies within closed cuts is black."""
    canvas = PdfCanvas(out, pagesize=(size.width * PT_PER_MM, size.height * PT_PER_MM), invariant=1)
    _draw(canvas, cuts, partial(_point, size=size), filled=True)
    canvas.showPage()
    canvas.save()


def _draw(
    canvas: PdfCanvas, cuts: Sequence[Cut], place: Callable[[Point], Point], *, filled: bool = False
) -> None:
    for cut in cuts:
        path = canvas.beginPath()
        path.moveTo(*place(cut.strokes[0].start))
        for stroke in cut.strokes:
            if stroke.middle is None:
                path.lineTo(*place(stroke.end))
                continue
            x, y = stroke.middle
            # Where the tangents at both ends meet, seen from the middle.
            corner = stroke.start[0] + stroke.end[0] - x, stroke.start[1] + stroke.end[1] - y
            handles = (
                (end[0] + _ARC * (corner[0] - end[0]), end[1] + _ARC * (corner[1] - end[1]))
                for end in (stroke.start, stroke.end)
            )
            values = [v for each in (*handles, stroke.end) for v in place(each)]
            path.curveTo(*values)
        if cut.closed:
            path.close()
        canvas.drawPath(path, stroke=0 if filled else 1, fill=1 if filled else 0)


def _point(place: Point, size: Size) -> Point:
    return place[0] * PT_PER_MM, (size.height - place[1]) * PT_PER_MM
