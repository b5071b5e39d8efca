"""Where a book's pages lie on paper, by lists and by matrices."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.artwork import Artwork
from cardgen.core.book import Book, BookPage
from cardgen.core.findings import Findings
from cardgen.core.game import GameSheet
from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import (
    BackCorrection,
    CasedLine,
    Duplex,
    Heading,
    ImposedSheet,
    Line,
    Link,
    Marks,
    Page,
    Paper,
    PrinterProfile,
    SheetLayout,
)
from cardgen.sheets.booklet import booklet_order, fold_marks, impose_book
from cardgen.sheets.marks import mark_offset
from tests.for_each import for_each
from tests.sheets.decks import game_of
from tests.wording import Wording

LETTER = Paper("letter", Size(215.9, 279.4))
A4 = Paper("a4", Size(210, 297))
HALF_LETTER = Size(139.7, 215.9)


def book_of(count: int, trim: Size = HALF_LETTER) -> Book:
    pages = tuple(
        BookPage(
            Artwork(f"page-{number}", trim, 0.0, ()),
            str(number),
            (Heading(f"h{number}", f"Chapter {number}", 0, 20.0),),
            (Link(Rect(10, 10, 20, 5), "#h1"),),
        )
        for number in range(1, count + 1)
    )
    return Book("rules", trim, pages, frozenset())


def imposed(
    book: Book,
    grid: str,
    paper: Paper = LETTER,
    *,
    marks: Marks = "none",
    margin: float = 0.0,
    duplex: Duplex | None = None,
    printer: PrinterProfile | None = None,
    codes: tuple[str, ...] = (),
    bleed: float = 0.0,
    creep: float = 0.0,
    slug: float = 0.0,
    collate: bool = False,
) -> ImposedSheet:
    layout = SheetLayout(
        "booklet",
        "Booklet",
        grid,
        0,
        bleed,
        margin,
        marks,
        "short-edge",
        creep=creep,  # type: ignore[arg-type]
        slug=slug,
        collate=collate,
    )
    findings = Findings()
    sheet = impose_book(
        game_of()[0],
        GameSheet("rules", "booklet", ("rules",)),
        layout,
        paper,
        book,
        findings=findings,
        duplex=duplex,
        printer=printer,
    )
    assert tuple(finding.code for finding in findings) == codes
    return sheet


def test_single_pages_of_a_book_have_a_slug() -> None:
    plain, marked = (imposed(book_of(2), "single", slug=slug).pages[0] for slug in (0.0, 12.0))
    assert marked.size == plain.size.grown(12)
    assert (marked.bleed.x, marked.bleed.width) == (12, plain.size.width)
    assert (marked.headings[0].y, marked.links[0].area.x) == (32, 22)
    assert len(marked.patches) == 8
    assert marked.lines
    assert "page 1" in " ".join(label.text for label in marked.labels)


def test_bars_to_collate_are_at_the_head_of_each_sheet_a_step_apart() -> None:
    book = book_of(12, Size(130, 180))
    sides = imposed(book, "booklet", marks="crop", margin=5, collate=True).pages
    bars = [[patch.rect for patch in side.patches] for side in sides]
    assert [len(each) for each in bars] == [1, 0, 1, 0, 1, 0]
    faces = [each[0] for each in bars if each]
    assert [round(each.x - faces[0].x, 3) for each in faces] == [0, 3, 6]
    head = sides[0].slots[0].trim.y
    for each in faces:
        assert each.y >= 5
        assert each.bottom <= head - 1
    imposed(book_of(4), "booklet", collate=True, codes=("sheet/no-room",))


@for_each(
    ("count", "order"),
    [
        (4, [4, 1, 2, 3]),
        (8, [8, 1, 2, 7, 6, 3, 4, 5]),
        (12, [12, 1, 2, 11, 10, 3, 4, 9, 8, 5, 6, 7]),
        (16, [16, 1, 2, 15, 14, 3, 4, 13, 12, 5, 6, 11, 10, 7, 8, 9]),
    ],
)
def test_order(count: int, order: list[int]) -> None:
    assert booklet_order(count) == order


@for_each("count", [-4, 0, 1, 2, 6, 9])
def test_what_cannot_be_folded(count: int, wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        booklet_order(count)
    wording(caught.value)


@given(st.integers(1, 100))
def test_a_folded_stack_reads_in_order(sheets: int) -> None:
    """Fold the stack in thought: leaves in reading order carry the pages in reading order."""
    order = booklet_order(4 * sheets)
    outer = [order[index : index + 4] for index in range(0, len(order), 4)]
    right = [page for _, first, second, _ in outer for page in (first, second)]
    left = [page for last, _, _, inner in reversed(outer) for page in (inner, last)]
    assert right + left == list(range(1, 4 * sheets + 1))


def test_two_pages_meet_at_the_fold_of_landscape_paper() -> None:
    sheet = imposed(book_of(8), "booklet")
    assert sheet.duplex == "short-edge"
    assert [[slot.artwork for slot in page.slots] for page in sheet.pages] == [
        ["page-8", "page-1"],
        ["page-2", "page-7"],
        ["page-6", "page-3"],
        ["page-4", "page-5"],
    ]
    assert [page.side for page in sheet.pages] == ["face", "back", "face", "back"]
    for page in sheet.pages:
        assert page.size == Size(279.4, 215.9)
        assert page.adjust.is_identity
        left, right = page.slots
        assert left.trim.right == pytest.approx(139.7)
        assert right.trim.x == pytest.approx(139.7)
        assert (left.rotation, right.rotation) == (0, 0)
        assert not page.headings
        assert not page.links


@for_each(
    ("trim", "paper", "scale"),
    [
        (HALF_LETTER, LETTER, 1.0),
        (HALF_LETTER, A4, 210 / 215.9),
        (Size(148, 210), A4, 1.0),
        (Size(148, 210), LETTER, 279.4 / 296),
        (Size(105, 148), LETTER, 1.0),
    ],
)
def test_pages_that_are_too_large_for_the_paper_are_scaled_down(
    trim: Size, paper: Paper, scale: float
) -> None:
    (page, _) = imposed(book_of(4, trim), "booklet", paper).pages
    assert page.adjust.scale == pytest.approx(scale)
    left, right = page.slots
    corners = [
        page.adjust.apply(x, y)
        for slot in (left, right)
        for x, y in ((slot.trim.x, slot.trim.y), (slot.trim.right, slot.trim.bottom))
    ]
    assert all(-1e-6 <= x <= page.size.width + 1e-6 for x, _ in corners)
    assert all(-1e-6 <= y <= page.size.height + 1e-6 for _, y in corners)
    fold, _ = page.adjust.apply(right.trim.x, 0)
    assert fold == pytest.approx(page.size.width / 2)


def test_pages_for_reading_keep_headings_and_links() -> None:
    sheet = imposed(book_of(4), "single")
    assert [page.slots[0].artwork for page in sheet.pages] == ["page-1", "page-2", "page-3", "page-4"]
    assert [page.size for page in sheet.pages] == [HALF_LETTER] * 4
    assert [page.headings[0].title for page in sheet.pages] == [f"Chapter {n}" for n in range(1, 5)]
    assert [page.links[0].target for page in sheet.pages] == ["#h1"] * 4
    assert [page.number for page in sheet.pages] == ["1", "2", "3", "4"]


def test_a_layout_for_cards_is_a_finding() -> None:
    layout = SheetLayout("poker", "Poker", "auto", 0, 0, 5, "crop", "long-edge")
    findings = Findings()
    sheet = impose_book(
        game_of()[0], GameSheet("rules", "poker", ("rules",)), layout, LETTER, book_of(4), findings=findings
    )
    assert [finding.code for finding in findings.errors] == ["sheet/book"]
    assert (sheet.pages, sheet.cards, sheet.duplex) == ((), 0, "none")


@for_each(("trim", "paper"), [(HALF_LETTER, LETTER), (Size(105, 148), LETTER), (HALF_LETTER, A4)])
def test_each_page_lies_beside_the_fold_in_the_middle_of_the_paper(trim: Size, paper: Paper) -> None:
    sheet = imposed(book_of(8, trim), "booklet", paper)
    lying = paper.size.turned
    top = (lying.height - trim.height) / 2
    places = (
        Rect(lying.width / 2 - trim.width, top, trim.width, trim.height),
        Rect(lying.width / 2, top, trim.width, trim.height),
    )
    assert (sheet.name, sheet.paper, sheet.cards) == ("rules", paper.name, 0)
    for page in sheet.pages:
        assert page.trim == page.bleed == Rect(0, 0, lying.width, lying.height)
        assert len(page.slots) == 2
        for slot, place in zip(page.slots, places):
            found = (slot.trim.x, slot.trim.y, slot.trim.width, slot.trim.height)
            assert found == pytest.approx((place.x, place.y, place.width, place.height))
            assert slot.clip == slot.trim
            assert slot.component == "rules"
    assert [slot.card for slot in sheet.pages[0].slots] == ["8", "1"]


def test_pages_for_reading_are_their_trim() -> None:
    sheet = imposed(book_of(4), "single")
    assert (sheet.name, sheet.paper, sheet.duplex, sheet.cards) == ("rules", "single", "none", 0)
    for page in sheet.pages:
        (slot,) = page.slots
        whole = Rect(0, 0, 139.7, 215.9)
        assert page.trim == page.bleed == slot.trim == slot.clip == whole
        assert (page.side, slot.rotation) == ("face", 0)


def test_flipped_on_the_long_edge_every_second_side_stands_on_its_head() -> None:
    """Turned about the long edge, the paper's left stays left and its top becomes its bottom."""
    usual, turned = (imposed(book_of(8), "booklet", duplex=edge) for edge in ("short-edge", "long-edge"))
    assert (usual.duplex, turned.duplex) == ("short-edge", "long-edge")
    for one, other in zip(usual.pages, turned.pages):
        if one.side == "face":
            assert one == other
            continue
        for slot, upside_down in zip(one.slots, other.slots):
            assert upside_down.artwork == slot.artwork
            assert (slot.rotation, upside_down.rotation) == (0, 180)
            assert upside_down.trim.x == pytest.approx(one.size.width - slot.trim.right)
            assert upside_down.trim.y == pytest.approx(one.size.height - slot.trim.bottom)


@for_each("duplex", ["fold", "none"])
def test_a_booklet_is_printed_on_both_sides_whatever_is_asked_for(duplex: Duplex) -> None:
    sheet = imposed(book_of(4), "booklet", duplex=duplex, codes=("sheet/duplex",))
    assert sheet == imposed(book_of(4), "booklet")


def test_a_printer_profile_moves_every_second_side_of_a_booklet() -> None:
    printer = PrinterProfile("office", landscape=BackCorrection(dx=1.0, dy=0.5))
    face, back = imposed(book_of(4), "booklet", A4, printer=printer).pages
    (still, plain) = imposed(book_of(4), "booklet", A4).pages
    assert face == still
    x, y = plain.adjust.apply(10, 20)
    assert back.adjust.apply(10, 20) == pytest.approx((x - 1.0, y + 0.5)), "turned about an upright axis"
    imposed(book_of(4), "booklet", printer=PrinterProfile("new"), codes=("printer/unmeasured",))


def printed(page: Page) -> list[tuple[type[Line], float, float, float, float]]:
    """Its lines as they lie on the paper."""
    return [
        (type(line), *page.adjust.apply(line.x1, line.y1), *page.adjust.apply(line.x2, line.y2))
        for line in page.lines
    ]


def test_a_booklet_as_large_as_its_paper_has_marks_for_staples_alone() -> None:
    outside, inside = imposed(book_of(4), "booklet", marks="crop", margin=5.0).pages
    assert [line[0] for line in printed(outside)] == [CasedLine, CasedLine]
    assert {line[1] for line in printed(outside)} == {139.7}
    middles = [(line[2] + line[4]) / 2 for line in printed(outside)]
    assert middles == pytest.approx([215.9 / 4, 215.9 * 3 / 4])
    assert not inside.lines


@given(st.floats(60, 148), st.floats(90, 216), st.sampled_from([LETTER, A4]), st.sampled_from([0.0, 5.0]))
def test_every_cut_of_a_booklet_is_marked_where_printers_reach(
    width: float, height: float, paper: Paper, margin: float
) -> None:
    trim = Size(width, height)
    for page in imposed(book_of(4, trim), "booklet", paper, marks="crop", margin=margin).pages:
        sheet = Rect(0, 0, page.size.width, page.size.height)
        left, right = (slot.trim for slot in page.slots)
        (x1, y1), (x2, y2) = page.adjust.apply(left.x, left.y), page.adjust.apply(right.right, right.bottom)
        lines = printed(page)
        for cut, room, upright in (
            (x1, x1, True), (x2, sheet.width - x2, True), (y1, y1, False), (y2, sheet.height - y2, False)
        ):  # fmt: skip
            ends = [
                line for line in lines
                if abs(line[1 if upright else 2] - cut) < 0.3 and (abs(line[1] - line[3]) < 1e-6) == upright
            ]  # fmt: skip
            if room < 0.4:
                assert ends == []
            elif room > 0.6:
                assert len(ends) == 2
                for _, ax, ay, bx, by in ends:
                    low, high = (min(ay, by), max(ay, by)) if upright else (min(ax, bx), max(ax, bx))
                    end = sheet.height if upright else sheet.width
                    assert min(high, end - margin) - max(low, margin) >= 2 * page.adjust.scale - 1e-6
                    assert -1e-6 <= low < high <= end + 1e-6


# ---------------------------------------------------------------- bleed


def bled(count: int, trim: Size, bleed: float = 3.0) -> Book:
    """A book whose pages reach over their trim."""
    book = book_of(count, trim)
    pages = [
        replace(page, artwork=Artwork(page.artwork.key, trim.grown(bleed), bleed, ()))
        for page in book.pages
    ]
    return replace(book, pages=tuple(pages))


def test_single_pages_of_a_book_with_bleed_have_boxes_and_move_what_they_lead_to() -> None:
    sheet = imposed(bled(4, HALF_LETTER), "single", bleed=3.175)
    page = sheet.pages[0]
    assert (page.size, page.bleed) == (HALF_LETTER.grown(3), Rect(0, 0, 145.7, 221.9))
    assert page.trim == Rect(3, 3, 139.7, 215.9) == page.slots[0].trim
    assert page.slots[0].clip == page.bleed
    assert page.headings[0].y == 23
    assert page.links[0].area == Rect(13, 13, 20, 5)
    assert imposed(bled(4, HALF_LETTER), "single").pages[0].size == HALF_LETTER, "as much as the sheet has"


def test_pages_of_a_booklet_bleed_to_where_they_are_cut_and_not_over_the_fold() -> None:
    """A6 pages on A4, each spread 210×148 in the middle of 297×210."""
    sheet = imposed(bled(8, Size(105, 148)), "booklet", A4, bleed=3.175, marks="crop", margin=5.0)
    for page in sheet.pages:
        left, right = page.slots
        assert left.trim.right == left.clip.right == right.clip.x == 148.5
        assert (left.clip.x, left.clip.y, left.clip.bottom) == (40.5, 28, 182)
        assert right.clip.right == 256.5
    cuts = [line for line in sheet.pages[1].lines if type(line) is Line]
    assert len(cuts) == 8
    assert {min(line.x1, line.x2) for line in cuts if line.y1 == line.y2} == {35.5, 256.5}


def test_bleed_of_a_booklet_turned_about_the_long_edge_follows_its_place() -> None:
    sheet = imposed(bled(8, Size(105, 148)), "booklet", A4, bleed=3.175, duplex="long-edge")
    for page in sheet.pages:
        left, right = sorted(page.slots, key=lambda slot: slot.trim.x)
        assert left.clip.right == right.clip.x == 148.5
        assert (left.clip.x, right.clip.right) == (40.5, 256.5)


@for_each("duplex", ["short-edge", "long-edge"])
def test_creep_moves_the_pages_of_each_inner_sheet_to_the_fold(duplex: Duplex) -> None:
    book = bled(12, Size(105, 148))
    sheet = imposed(book, "booklet", A4, bleed=3.0, creep=0.5, duplex=duplex, marks="crop", margin=5.0)
    for index, page in enumerate(sheet.pages):
        moved = index // 2 * 0.5
        left, right = sorted(page.slots, key=lambda slot: slot.trim.x)
        assert (left.trim.x, right.trim.right) == pytest.approx((43.5 + moved, 253.5 - moved))
        assert left.trim.width == pytest.approx(105)
        assert left.clip.right == right.clip.x == pytest.approx(148.5), "nothing crosses the fold"
        assert (left.clip.x, right.clip.right) == pytest.approx((40.5 + moved, 256.5 - moved))
        uprights = {line.x1 for line in page.lines if type(line) is Line and line.x1 == line.x2}
        assert sorted(uprights - {148.5}) == pytest.approx([43.5 + moved, 253.5 - moved])


def test_creep_that_moves_text_off_the_page_is_an_error() -> None:
    sheet = imposed(bled(84, Size(105, 148)), "booklet", A4, creep=2.0, codes=("sheet/creep",))
    assert sheet.pages == ()


def test_fold_marks_begin_beyond_the_bleed_at_both_ends() -> None:
    marks = fold_marks(Rect(50, 50, 200, 150), Rect(0, 0, 300, 250), bleed=3, margin=5)
    ends = [sorted((line.y1, line.y2)) for line in marks if line.dashed]
    above, below = ends
    offset = mark_offset(3)
    assert (above[1], below[0]) == pytest.approx((50 - offset, 200 + offset))
    assert above[1] - above[0] == pytest.approx(below[1] - below[0])
