"""Texts that a slanted or round cut may take off: what lies in the trim may lie beside the piece."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from cardgen.drawing.edges import Edge
from cardgen.geometry import Point, Rect, Shape, corners_of, moved_out
from cardgen.model.artwork import Artwork, Group, Item, SetText, TextRun
from cardgen.model.boxes import Dieline
from cardgen.model.cuts import near
from cardgen.rendering.letters import Outlines

TOLERANCE = 0.05
"""mm that ink may be beyond a line."""


def texts_beyond(
    artwork: Artwork, shape: Shape, safe: float, outlines: Outlines
) -> Iterator[tuple[SetText, str, Rect]]:
    """The texts of a side with ink outside of the safe zone of a hexagon, polygon or ellipse: each, its
    words and the area of its ink, mm from the corner of the side's bleed. Of a rectangle there are none."""
    within = _zone(shape, artwork.trim, safe)
    if within is None:
        return
    for text in _texts(artwork.items):
        ink = None if text.decor or text.place is None else outlines.ink(text.runs)
        if ink is None:
            continue
        area = text.matrix.around(ink)
        if not artwork.trim.inset(safe).contains(area, TOLERANCE):
            continue  # that is said of any shape
        places = [text.matrix.apply(x, y) for x in (ink.x, ink.right) for y in (ink.y, ink.bottom)]
        if not all(map(within, places)):
            words = " ".join(run.text for run in text.runs if isinstance(run, TextRun))
            yield text, words, area


def _zone(shape: Shape, trim: Rect, safe: float) -> Callable[[Point], bool] | None:
    """What tells whether a place is in the safe zone of a shape; None for a rectangle."""
    corners = corners_of(shape, trim)
    if corners is not None:
        zone = moved_out(corners, [TOLERANCE - safe] * len(corners))
        return lambda place: _within(place, zone)
    if shape != "ellipse":
        return None
    across, down = (side / 2 - safe + TOLERANCE for side in (trim.width, trim.height))
    x, y = trim.x + trim.width / 2, trim.y + trim.height / 2
    return lambda place: ((place[0] - x) / across) ** 2 + ((place[1] - y) / down) ** 2 <= 1


def texts_off_panels(
    artwork: Artwork, box: Dieline, safe: float, outlines: Outlines
) -> Iterator[tuple[SetText, str, Rect]]:
    """The texts of a box with ink that lies `safe` mm inside no panel, as `texts_beyond` gives them: over a
    fold, in a bleed, or where glue is put on."""
    bleed = artwork.trim.x
    zones = [
        Rect(panel.rect.x + bleed, panel.rect.y + bleed, panel.rect.width, panel.rect.height).inset(safe)
        for panel in box.panels
        if not panel.glued
    ]
    for text in _texts(artwork.items):
        ink = None if text.decor or text.place is None else outlines.ink(text.runs)
        if ink is None:
            continue
        area = text.matrix.around(ink)
        if not any(zone.contains(area, TOLERANCE) for zone in zones):
            words = " ".join(run.text for run in text.runs if isinstance(run, TextRun))
            yield text, words, area


def walls_of(box: Dieline, artwork: Artwork) -> Iterator[tuple[str, Rect, tuple[Edge, ...]]]:
    """The panels of a box that are printed, mm from the corner of the bleed, each with those of its edges
    that are cut straight along it."""
    bleed = artwork.trim.x
    for panel in box.panels:
        if panel.glued:
            continue
        rect = panel.rect
        sides: dict[Edge, tuple[Point, Point]] = {
            "left": ((rect.x, rect.bottom), (rect.x, rect.y)),
            "top": ((rect.x, rect.y), (rect.right, rect.y)),
            "right": ((rect.right, rect.y), (rect.right, rect.bottom)),
            "bottom": ((rect.right, rect.bottom), (rect.x, rect.bottom)),
        }
        corners = panel.corners
        cut = {
            (near(corner), near(corners[(index + 1) % len(corners)]))
            for index, corner in enumerate(corners)
            if panel.edges[index] == "cut"
        }
        found = tuple(name for name, (start, end) in sides.items() if (near(start), near(end)) in cut)
        yield panel.name, Rect(rect.x + bleed, rect.y + bleed, rect.width, rect.height), found


def _texts(items: Iterable[Item]) -> Iterator[SetText]:
    for item in items:
        if isinstance(item, SetText):
            yield item
        elif isinstance(item, Group):
            yield from _texts(item.items)


def _within(place: Point, corners: Sequence[Point]) -> bool:
    """Whether a place lies in a polygon: a line from it to the right crosses an odd number of sides."""
    x, y = place
    inside = False
    for index, (from_x, from_y) in enumerate(corners):
        to_x, to_y = corners[index - 1]
        if (from_y > y) != (to_y > y) and x < (to_x - from_x) * (y - from_y) / (to_y - from_y) + from_x:
            inside = not inside
    return inside
