"""Texts that a cut with slanted sides may take off: what lies in the trim may lie beside the piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cardgen.geometry import Point, Rect, Shape, corners_of, moved_out
from cardgen.model.artwork import Artwork, Group, Item, SetText, TextRun
from cardgen.model.boxes import Dieline
from cardgen.rendering.letters import Outlines

TOLERANCE = 0.05
"""mm that ink may be beyond a line."""


def texts_beyond(
    artwork: Artwork, shape: Shape, safe: float, outlines: Outlines
) -> Iterator[tuple[SetText, str, Rect]]:
    """The texts of a side with ink outside of the safe zone of a hexagon or polygon: each, its words and
    the area of its ink, mm from the corner of the side's bleed. Of other shapes there are none."""
    corners = corners_of(shape, artwork.trim)
    if corners is None:
        return
    zone = moved_out(corners, [TOLERANCE - safe] * len(corners))
    for text in _texts(artwork.items):
        ink = None if text.decor or text.place is None else outlines.ink(text.runs)
        if ink is None:
            continue
        area = text.matrix.around(ink)
        if not artwork.trim.inset(safe).contains(area, TOLERANCE):
            continue  # that is said of any shape
        places = [text.matrix.apply(x, y) for x in (ink.x, ink.right) for y in (ink.y, ink.bottom)]
        if not all(_within(place, zone) for place in places):
            words = " ".join(run.text for run in text.runs if isinstance(run, TextRun))
            yield text, words, area


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
