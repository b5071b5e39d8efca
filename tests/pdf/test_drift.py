"""The colors at cut edges, and frames near them."""

from __future__ import annotations

import json

import pytest
from PIL import Image, ImageDraw

from cardgen.core.geometry import Rect
from cardgen.pdf.drift import CutEdges, cut_edges, differ, differing, of_plain, plain
from tests.for_each import for_each

DPI = 254.0
"""Ten pixels a mm."""
BLEED = 3.0
TRIM = Rect(BLEED, BLEED, 60, 90)
RED, GREEN, BLUE, WHITE = (200, 0, 0), (0, 120, 0), (0, 0, 200), (255, 255, 255)
Box = tuple[float, float, float, float]


def side(*boxes: tuple[Box, tuple[int, int, int]], ground: tuple[int, int, int] = WHITE) -> CutEdges:
    """Return the edges of a 60×90 mm side; boxes are in mm from the corner of its trim."""
    image = Image.new("RGB", (660, 960), ground)
    draw = ImageDraw.Draw(image)
    for (left, top, right, bottom), color in boxes:
        pixels = [round((edge + BLEED) * 10) for edge in (left, top, right, bottom)]
        draw.rectangle((pixels[0], pixels[1], pixels[2] - 1, pixels[3] - 1), fill=color)
    found = cut_edges(image, TRIM, 3.0, DPI)
    assert found is not None
    return found


def test_edges_run_clockwise_from_the_top_left() -> None:
    halves = side(((-3, -3, 30, 45), RED), ((30, -3, 63, 45), GREEN), ((-3, 45, 30, 93), BLUE))
    top, right, bottom, left = halves.edges
    assert (top[0], top[-1]) == (RED, GREEN)
    assert (right[0], right[-1]) == (GREEN, WHITE)
    assert (bottom[0], bottom[-1]) == (WHITE, BLUE)
    assert (left[0], left[-1]) == (BLUE, RED)


def test_facing_edges_are_compared_the_other_way_round() -> None:
    one = side(((30, -3, 63, 45), RED))  # red at the upper half of its right edge
    other = side(((-3, -3, 30, 45), RED))  # and at the upper half of its left one
    assert differing(one.edges[1], other.edges[3]) <= 1 / 32
    below = side(((-3, 45, 30, 93), RED))
    assert differing(one.edges[1], below.edges[3]) == pytest.approx(1, abs=1 / 32)


@for_each(("width", "found"), [(0.6, 0.6), (1.2, 1.2), (1.8, None), (-0.3, -0.3), (-0.9, None)])
def test_a_frame_is_found_while_a_cut_may_spoil_it(width: float, found: float | None) -> None:
    framed = side(((width, width, 60 - width, 90 - width), WHITE), ground=RED)
    for frame in framed.frames:
        assert frame == (None if found is None else pytest.approx(found, abs=0.11))


def test_a_picture_at_the_edge_is_no_frame() -> None:
    steps = [((0.2 + n % 3 * 0.6, n * 5.0, 60.0, n * 5.0 + 5), BLUE) for n in range(18)]
    assert side(*steps, ground=RED).frames[3] is None


def test_a_pattern_that_runs_through_the_bleed_is_no_frame() -> None:
    stripes = [((-3.0, n * 2.0 - 3, 63.0, n * 2.0 - 2), BLUE) for n in range(48)]
    assert side(*stripes, ground=RED).frames == (None,) * 4


def test_a_small_difference_does_not_count() -> None:
    assert not differ((100, 100, 100), (148, 100, 100))
    assert differ((100, 100, 100), (149, 100, 100))


def test_a_side_without_room_for_edges_has_none() -> None:
    assert cut_edges(Image.new("RGB", (80, 80)), Rect(1, 1, 6, 6), 3.0, DPI) is None


def test_edges_survive_json() -> None:
    edges = side(((0.6, 0.6, 59.4, 89.4), BLUE), ground=RED)
    assert of_plain(json.loads(json.dumps(plain(edges)))) == edges
