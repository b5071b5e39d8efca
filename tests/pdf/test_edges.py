"""Edges at which paint stops before the bleed does, and what only looks like it."""

from __future__ import annotations

from PIL import Image, ImageDraw

from cardgen.core.geometry import Rect
from cardgen.pdf.edges import short_edges
from tests.for_each import for_each

SCALE = 4.0
"""Pixels to a mm."""
WHOLE = (0, 0, 69, 94)
TRIM = Rect(3, 3, 63, 88)


def found(
    *boxes: tuple[float, float, float, float], paper: str = "white"
) -> dict[str, tuple[float, float]]:
    """What is missing, and along how much, by edge, where these boxes (in mm) are painted."""
    image = Image.new("RGB", (round(69 * SCALE), round(94 * SCALE)), paper)
    pen = ImageDraw.Draw(image)
    for left, top, right, bottom in boxes:
        pen.rectangle((left * SCALE, top * SCALE, right * SCALE - 1, bottom * SCALE - 1), "#345")
    return {
        each.edge: (round(each.missing, 2), round(each.length))
        for each in short_edges(image, TRIM, 3, SCALE * 25.4)
    }


def test_paint_that_ends_at_the_trim() -> None:
    assert found((3, 3, 66, 91)) == {"left": (3, 82), "right": (3, 82), "top": (3, 57), "bottom": (3, 57)}
    assert found((3, 0, 69, 94)) == {"left": (3, 82)}
    assert found((0, 0, 69, 92)) == {"bottom": (2, 57)}
    assert found((0, 3.25, 69, 94)) == {"top": (3.25, 57)}
    assert found((20, 10, 66.5, 40)) == {"right": (2.5, 30)}


@for_each(
    "boxes",
    [
        [],
        [WHOLE],
        [(0.1, 0.1, 68.9, 93.9)],
        [(5, 5, 64, 89)],  # a frame well inside
        [(3, 20, 20, 30)],  # a short one
        [(0, 10, 69, 20), (3, 40, 30, 90)],  # another reaches the edge: a scene
        [(3, y, 9, y + 4) for y in range(3, 90, 8)],  # a pattern
        [(3 + y % 3, y, 60, y + 1) for y in range(6, 80)],  # no straight line
    ],
)
def test_what_is_no_slip(boxes: list[tuple[float, float, float, float]]) -> None:
    assert found(*boxes) == {}


def test_a_tinted_card_reaches_the_edge() -> None:
    assert found((3, 3, 66, 91), paper="#f0e8d0") == {}


def test_a_side_too_small_to_be_seen() -> None:
    assert list(short_edges(Image.new("RGB", (3, 3)), Rect(0.1, 0.1, 0.5, 0.5), 0, 100)) == []
