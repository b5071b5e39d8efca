"""Slanted and round edges at which paint stops before the bleed does, and what only looks like it."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from cardgen.core.geometry import Point, Polygon, Rect, Shape, corners_of, moved_out
from cardgen.pdf.edges import short_sides
from tests.for_each import for_each

SCALE = 4.0
"""Pixels to a mm."""
TRIM = Rect(3, 3, 60, 52)
WHOLE = Rect(0, 0, 66, 58)
ALL = ("top", "upper right", "lower right", "bottom", "lower left", "upper left")
HEXAGON = corners_of("hexagon", TRIM) or ()
ARROW = Polygon(((0.5, 0.0), (1.0, 0.5), (0.7, 0.5), (0.7, 1.0), (0.3, 1.0), (0.3, 0.5), (0.0, 0.5)))


def found(shape: Shape, corners: tuple[Point, ...] = (), oval: Rect | None = None) -> dict[str, float]:
    """How much is missing, to a quarter of a mm, by edge, where this is painted."""
    image = Image.new("RGB", (round(WHOLE.width * SCALE), round(WHOLE.height * SCALE)), "white")
    pen = ImageDraw.Draw(image)
    if corners:
        pen.polygon([(x * SCALE, y * SCALE) for x, y in corners], fill="#345")
    if oval is not None:
        pen.ellipse([v * SCALE for v in (oval.x, oval.y, oval.right, oval.bottom)], fill="#345")
    edges = short_sides(image, TRIM, shape, SCALE * 25.4)
    return {each.edge: each.missing for each in edges}


def test_a_hexagon_painted_up_to_its_cut_lacks_the_bleed_of_every_side() -> None:
    edges = found("hexagon", HEXAGON)
    assert tuple(edges) == ALL
    assert list(edges.values()) == pytest.approx([3] * 6, abs=0.3)


@for_each("side", range(6))
def test_one_side_that_stops_short(side: int) -> None:
    away = [3.3] * 6
    away[side] = 1
    edges = found("hexagon", moved_out(HEXAGON, away))
    assert tuple(edges) == (ALL[side],)
    assert edges[ALL[side]] == pytest.approx(2, abs=0.3)


@for_each(
    "corners",
    [
        moved_out(HEXAGON, [3.3] * 6),
        ((0, 0), (66, 0), (66, 58), (0, 58)),
        moved_out(HEXAGON, [-2] * 6),
        (),
        ((30, 3), (34, 3), (34, 9), (30, 9)),
    ],
    ids=["with bleed", "all over", "a white rim", "blank", "one small thing at the cut"],
)
def test_what_is_no_slip(corners: tuple[Point, ...]) -> None:
    assert found("hexagon", corners) == {}


def test_a_round_token() -> None:
    edges = found("ellipse", oval=TRIM)
    assert edges["round"] == pytest.approx(3, abs=0.3)
    assert found("ellipse", oval=WHOLE.inset(-1)) == {}
    assert found("ellipse", oval=TRIM.inset(2)) == {}


def test_an_arrow_with_corners_that_go_inwards() -> None:
    corners = corners_of(ARROW, TRIM) or ()
    assert {"upper right", "upper left", "right", "left", "bottom"} <= set(found(ARROW, corners))
    assert found(ARROW, moved_out(corners, [3.3] * 7)) == {}


def test_of_a_rectangle_nothing_is_said_here() -> None:
    assert found("rectangle", ((3, 3), (63, 3), (63, 55), (3, 55))) == {}
