"""Lines to cut, crease and perforate inside pieces."""

from __future__ import annotations

from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import Distance, Line, Page, TrimLine
from cardgen.sheets.trim_lines import cuts_inside, tile_spans
from tests.for_each import for_each

from .decks import BLEED, POKER, Deck, imposed, layout

HALF = Distance(share=0.5)
PLAIN = layout(grid=(1, 1), marks="crop")


def page_of(*lines: TrimLine, trim: Size = POKER, **changes: object) -> Page:
    deck = Deck("a", trim, 1, back=False, lines=lines)
    return imposed(deck, sheet_layout=layout(**{"grid": (1, 1), **changes})).pages[0]


def marks_at(page: Page, x: float | None = None, y: float | None = None) -> list[Line]:
    """The strokes near an upright or level line of the page."""
    return [
        line
        for line in page.lines
        if (x is not None and line.x1 == line.x2 and abs(line.x1 - x) < 0.5)
        or (y is not None and line.y1 == line.y2 and abs(line.y1 - y) < 0.5)
    ]


@for_each(
    ("tool", "strokes"),
    [("cut", 2), ("half-cut", 4), ("crease", 2), ("perforation", 5)],
)
def test_marks_are_beyond_both_ends_outside_the_bleed(tool: str, strokes: int) -> None:
    page = page_of(TrimLine(tool, True, Distance(20)))  # type: ignore[arg-type]
    trim = page.slots[0].trim
    found = marks_at(page, x=trim.x + 20)
    assert len(found) == 2 * strokes
    for line in found:
        assert max(line.y1, line.y2) <= trim.y - BLEED + 0.01 or (
            min(line.y1, line.y2) >= trim.bottom + BLEED - 0.01
        )
    assert len({round(line.x1, 2) for line in found}) == (2 if "cut" in tool else 1)


def test_a_line_that_ends_inside_has_a_mark_at_its_open_end_only() -> None:
    page = page_of(TrimLine("crease", False, HALF, end=HALF))
    trim = page.slots[0].trim
    found = marks_at(page, y=trim.y + trim.height / 2)
    assert found
    assert all(line.x2 < trim.x for line in found)


def test_cards_that_are_turned_have_turned_lines() -> None:
    line = TrimLine("crease", True, Distance(10))
    upright = page_of(line)
    lying = imposed(
        Deck("a", POKER, 3, back=False, lines=[line]).add(1, POKER.turned, back=False),
        sheet_layout=layout(grid=(2, 2)),
    ).pages[0]
    assert cuts_inside(upright, {"a": [line]})[0].tool == "crease"
    last = next(slot for slot in lying.slots if slot.card == "a3")
    stroke = cuts_inside(lying, {"a": [line]})[3].strokes[0]
    assert last.rotation == 90
    # 10 mm from the left of a landscape card is 10 mm from the top once it is turned clockwise.
    assert {round(stroke.start[1] - last.trim.y, 3), round(stroke.end[1] - last.trim.y, 3)} == {10}
    assert abs(stroke.end[0] - stroke.start[0]) == last.trim.width


def test_neighbors_share_the_marks_of_a_column() -> None:
    lines = [TrimLine("crease", True, HALF)]
    page = imposed(Deck("a", POKER, 9, back=False, lines=lines)).pages[0]
    trim = page.slots[0].trim
    assert len(marks_at(page, x=trim.x + trim.width / 2)) == 4
    assert len(cuts_inside(page, {"a": lines})) == 9


def test_backs_beyond_a_fold_have_no_lines() -> None:
    lines = [TrimLine("crease", True, HALF)]
    page = imposed(Deck("a", POKER, 2, lines=lines), duplex="fold").pages[0]
    assert len(page.slots) == 4
    assert len(cuts_inside(page, {"a": lines})) == 2


def test_the_label_explains_the_marks() -> None:
    page = page_of(TrimLine("crease", True, HALF), TrimLine("perforation", False, HALF))
    words = " ".join(label.text for label in page.labels)
    assert "crease between dashed marks, perforate between dotted marks" in words
    assert "crease" not in " ".join(label.text for label in page_of().labels)


def test_a_slug_has_the_marks_too() -> None:
    line = TrimLine("crease", True, HALF)
    assert len(page_of(line, grid="single", slug=12.0).lines) > len(page_of(grid="single", slug=12.0).lines)


def test_tiles_of_a_board_show_the_parts_of_its_lines() -> None:
    board = Size(400, 400)
    slit = TrimLine("cut", True, HALF, end=HALF)
    fold = TrimLine("crease", False, HALF)
    area = Rect(-3, -3, 250, 250)
    assert tile_spans([slit, fold], board, area, 3.0) == [
        ("cut", ((200, -3), (200, 200))),
        ("crease", ((-3, 200), (247, 200))),
    ]
    assert tile_spans([slit], board, Rect(210, -3, 193, 250), 3.0) == []
    deck = Deck("a", board, 1, back=False, lines=[slit, fold])
    pages = imposed(deck, sheet_layout=layout(grid="tiled")).pages
    plain = imposed(Deck("a", board, 1, back=False), sheet_layout=layout(grid="tiled")).pages
    assert sum(len(page.lines) for page in pages) > sum(len(page.lines) for page in plain)
