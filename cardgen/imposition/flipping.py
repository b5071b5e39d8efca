"""What turning a sheet of paper over does to a place on it and to a turned card.

A printed sheet is turned about an axis through its middle. A point of the back that must lie behind
a point of the face is the face's point mirrored in that axis:

    vertical axis    x → width − x     long edge of a portrait page, short edge of a landscape page
    horizontal axis  y → height − y    short edge of a portrait page, long edge of a landscape page

A gutterfold does the same on one page: the fold line is the axis.

A card is the right way up when its back's top edge is its face's top edge, so that it is turned over
like a leaf of a book. A face turned clockwise by r has its top towards north, east, south, west for
r = 0, 90, 180, 270. Mirroring swaps east and west, or north and south, and so the back is turned by

    vertical axis    −r        (0, 90, 180, 270 → 0, 270, 180, 90)
    horizontal axis  180 − r   (0, 90, 180, 270 → 180, 90, 0, 270)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from cardgen.findings import Findings
from cardgen.geometry import IDENTITY, Matrix, Rect, Size
from cardgen.model.sheets import BackCorrection, PrinterProfile, Rotation

Axis = Literal["vertical", "horizontal"]


def flip_axis(page: Size, edge: Literal["long-edge", "short-edge"]) -> Axis:
    """The axis that a page is turned about when the printer flips it on its long or short edge.

    A square page counts as portrait."""
    return "vertical" if (edge == "long-edge") != page.landscape else "horizontal"


def behind(rect: Rect, page: Size, axis: Axis) -> Rect:
    """The place on the back of a page that lies behind `rect` of its face (and the other way round)."""
    if axis == "vertical":
        return Rect(page.width - rect.right, rect.y, rect.width, rect.height)
    return Rect(rect.x, page.height - rect.bottom, rect.width, rect.height)


def back_rotation(face: Rotation, axis: Axis) -> Rotation:
    """The rotation of a back whose face is turned by `face`."""
    return cast(Rotation, (-face if axis == "vertical" else 180 - face) % 360)


def from_behind(correction: BackCorrection, axis: Axis) -> BackCorrection:
    """A correction, stated as seen from the face, as it is seen on the back page."""
    correction = replace(correction, rotation=-correction.rotation)
    if axis == "vertical":
        return replace(correction, dx=-correction.dx)
    return replace(correction, dy=-correction.dy)


def adjusted(
    printer: PrinterProfile | None, page: Size, axis: Axis, sheet: str, findings: Findings
) -> Matrix:
    """A printer's correction for a page of backs, turned about `axis`. Finding, once a sheet:
    `printer/unmeasured`."""
    if printer is None:
        return IDENTITY
    correction = printer.landscape if page.landscape else printer.portrait
    if correction is not None:
        return from_behind(correction, axis).matrix(page)
    kind = "landscape" if page.landscape else "portrait"
    message = (
        f"the printer profile '{printer.name}' holds no measurements of {kind} pages, "
        f"so the backs of '{sheet}' are not shifted"
    )
    if not any(known.message == message for known in findings):
        hint = f"print and measure the {kind} calibration page"
        findings.warning("printer/unmeasured", message, None, hint)
    return IDENTITY
