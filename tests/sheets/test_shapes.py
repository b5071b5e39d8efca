"""Pieces that are no rectangles: hexagons in a honeycomb, polygons in their cells, by their areas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings
from cardgen.core.geometry import POINTED, Point, Polygon, Rect, Shape, Size, clipped, corners_of, moved_out
from cardgen.core.sheets import ImposedSheet, Slot
from tests.for_each import for_each

from .decks import A3, A4, BLEED, LETTER, Deck, imposed, layout

HEX = Size(69.282, 60)
ARROW = Polygon(((0.5, 0), (1, 0.4), (0.6, 0.4), (0.6, 1), (0.4, 1), (0.4, 0.4), (0, 0.4)))
TRIANGLE = Polygon(((0, 0), (1, 0), (0, 1)))


def tiles(count: int, trim: Size = HEX, shape: object = "hexagon") -> Deck:
    return Deck("a", trim, count, shape=shape)  # type: ignore[arg-type]


def painted(slot: Slot) -> tuple[Point, ...]:
    """The corners of what a piece may paint."""
    corners = corners_of(slot.shape, slot.clip)
    assert corners is not None
    return corners


def area(corners: Sequence[Point]) -> float:
    return sum(x * v - u * y for (x, y), (u, v) in pairwise([*corners, corners[0]])) / 2


def common(one: Sequence[Point], other: Sequence[Point]) -> float:
    """The area that two convex polygons share, found by cutting one along each side of the other."""
    points = list(one)
    for (x, y), (u, v) in pairwise([*other, other[0]]):

        def depth(point: Point, x: float = x, y: float = y, u: float = u, v: float = v) -> float:
            return (u - x) * (point[1] - y) - (v - y) * (point[0] - x)

        kept: list[Point] = []
        for before, point in zip([points[-1], *points] if points else [], points):
            was, now = depth(before), depth(point)
            if was * now < 0:
                share = was / (was - now)
                kept.append(tuple(b + share * (p - b) for b, p in zip(before, point)))  # type: ignore[arg-type]
            if now >= 0:
                kept.append(point)
        points = kept
    return area(points) if points else 0.0


@given(
    st.integers(1, 40),
    st.sampled_from([HEX, HEX.turned, Size(40, 30), Size(30, 30), Size(25, 44)]),
    st.sampled_from([0.0, 2 * BLEED, 9.0]),
    st.sampled_from([A4, LETTER, A3]),
    st.sampled_from(["long-edge", "short-edge", "fold", "none"]),
)
def test_hexagons_of_a_honeycomb_never_paint_on_each_other(count, trim, gutter, paper, duplex) -> None:  # type: ignore[no-untyped-def]
    sheet = imposed(tiles(count, trim), paper=paper, sheet_layout=layout(gutter=gutter), duplex=duplex)
    for page in sheet.pages:
        whole = Rect(0, 0, page.size.width, page.size.height)
        for slot in page.slots:
            hexagon = corners_of("hexagon", slot.trim)
            assert hexagon is not None
            assert whole.contains(slot.trim)
            assert common(hexagon, painted(slot)) == pytest.approx(area(hexagon)), "all of it is painted"
        for one, other in combinations(page.slots, 2):
            assert common(painted(one), painted(other)) < 0.01


def distances(sheet: ImposedSheet) -> list[float]:
    """From the first piece's middle to all others', nearest first."""
    first, *others = (slot.trim for slot in sheet.pages[0].slots)
    return sorted(math.hypot(each.x - first.x, each.y - first.y) for each in others)


def test_neighbours_in_a_honeycomb_share_their_sides() -> None:
    near = distances(imposed(tiles(12), paper=A4))
    assert near[:2] == pytest.approx([60, 60], abs=0.01)


def test_a_gutter_lies_between_all_sides_of_a_honeycomb() -> None:
    near = distances(imposed(tiles(12), paper=A3, sheet_layout=layout(gutter=8.0)))
    assert near[:2] == pytest.approx([68, 68], abs=0.01)


def test_a_honeycomb_holds_more_than_a_grid() -> None:
    def on_a_page(shape: str) -> int:
        return len(imposed(tiles(60, HEX, shape), paper=A3).pages[0].slots)

    assert on_a_page("hexagon") > on_a_page("ellipse")


def test_a_hexagon_bleeds_where_it_has_no_neighbour() -> None:
    [slot] = imposed(tiles(1)).pages[0].slots
    hexagon = corners_of("hexagon", slot.trim)
    assert hexagon is not None
    outside = clipped(moved_out(hexagon, [BLEED] * 6), slot.clip)
    assert area(painted(slot)) == pytest.approx(area(outside))
    assert area(painted(slot)) > area(hexagon) * 1.15


def test_hexagons_have_outlines_and_no_crop_marks() -> None:
    page = imposed(tiles(3)).pages[0]
    assert [outline.shape for outline in page.outlines] == ["hexagon"] * 3
    marked = {(line.x1, line.y1) for line in page.lines}
    plain = {(line.x1, line.y1) for line in imposed(tiles(3, HEX, "rectangle")).pages[0].lines}
    assert len(marked) < len(plain)


def test_hexagons_and_rectangles_of_one_size_do_not_share_pages() -> None:
    both = imposed(Deck("a", HEX, 1, shape="hexagon"), Deck("b", HEX, 1), backs=False)
    assert [[slot.card for slot in page.slots] for page in both.pages] == [["a0"], ["b0"]]


@for_each("duplex", ["long-edge", "short-edge", "fold"])
@for_each("shape", [ARROW, TRIANGLE])
@for_each("trim", [Size(50, 30), Size(30, 50)])
def test_a_polygons_back_lies_behind_its_face(shape: Shape, trim: Size, duplex: str) -> None:
    sheet = imposed(tiles(5, trim, shape), sheet_layout=layout(gutter=2 * BLEED), duplex=duplex)  # type: ignore[arg-type]
    slots = [slot for page in sheet.pages for slot in page.slots]
    faces = {slot.card: slot for slot in slots if slot.artwork.endswith("face")}
    backs = {slot.card: slot for slot in slots if slot.artwork.endswith("back")}
    assert len(faces) == len(backs) == 5
    moves = set()
    for card, face in faces.items():
        turned_over = [(round(x, 6), round(y, 6)) for x, y in painted(face)]
        size = sheet.pages[0].size
        there = {(round(x, 6), round(y, 6)) for x, y in painted(backs[card])}
        across = {(round(size.width - x, 6), y) for x, y in turned_over}
        down = {(x, round(size.height - y, 6)) for x, y in turned_over}
        moves.add("across" if there == across else "down" if there == down else "lost")
    assert moves in ({"across"}, {"down"})


def test_a_polygon_is_cut_as_it_lies() -> None:
    """In a cell that turns it by a quarter, its outline is turned with it."""
    sheet = imposed(tiles(1, Size(120, 60), TRIANGLE), sheet_layout=layout(grid=(1, 4)), paper=LETTER)
    [slot] = sheet.pages[0].slots
    [outline] = sheet.pages[0].outlines
    assert outline.shape == TRIANGLE.turned(slot.rotation)


def test_the_whole_of_a_polygon_is_painted_with_its_bleed() -> None:
    [slot] = imposed(tiles(1, Size(40, 40), ARROW)).pages[0].slots
    corners = corners_of(ARROW, slot.trim)
    assert corners is not None
    assert area(painted(slot)) > area(corners)


@given(st.sampled_from([ARROW, TRIANGLE, POINTED]), st.sampled_from([0, 90, 180, 270]))
def test_turning_and_mirroring_keep_a_polygon(shape: Polygon, degrees: int) -> None:
    box = Rect(0, 0, 30, 30)
    corners = corners_of(shape.turned(degrees), box)
    plain = corners_of(shape, box)
    assert corners is not None
    assert plain is not None
    assert area(corners) == pytest.approx(area(plain))
    back = shape.mirrored().mirrored()
    assert {tuple(round(v, 9) for v in c) for c in back.corners} == {
        tuple(round(v, 9) for v in c) for c in shape.corners
    }
    assert area(corners_of(shape.mirrored(), box) or ()) == pytest.approx(area(plain)), "still clockwise"


def test_sides_move_out_by_what_they_are_told() -> None:
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    assert moved_out(square, [1, 2, 3, 4]) == ((-4, -1), (12, -1), (12, 13), (-4, 13))
    assert set(clipped(square, Rect(5, 5, 20, 20))) == {(5, 5), (10, 5), (10, 10), (5, 10)}
    assert clipped(square, Rect(20, 20, 5, 5)) == ()


@for_each(("shape", "codes"), [("rectangle", ["sheet/marks"]), ("hexagon", [])])
def test_only_pieces_with_crop_marks_need_room_for_them(shape: str, codes: list[str]) -> None:
    findings = Findings()
    imposed(tiles(1, Size(200, 173.2), shape), paper=A4, findings=findings)
    assert [finding.code for finding in findings if finding.code == "sheet/marks"] == codes
