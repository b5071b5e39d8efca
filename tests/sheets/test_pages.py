"""Order of cards and backs, as lists; backs behind their faces, as numbers."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings, Severity
from cardgen.core.geometry import IDENTITY, Matrix, Rect, Size
from cardgen.core.sheets import BackCorrection, CasedLine, Duplex, ImposedSheet, Line, Page, PrinterProfile
from cardgen.sheets.grid import back_rotation, bounds, flip_axis, within
from cardgen.sheets.marks import CLOSEST, WEIGHT, crop_marks
from cardgen.sheets.ruler_and_labels import furnish
from tests.for_each import for_each
from tests.wording import Wording

from .decks import A3, A4, BLEED, LETTER, POKER, Deck, imposed, layout, placing, rows

MINI = Size(44.45, 63.5)
PAPERS = {paper.name: paper for paper in (A4, LETTER, A3)}


def sides(sheet: ImposedSheet) -> str:
    return "".join(page.side[0] for page in sheet.pages)


def test_long_edge_backs_mirror_the_columns() -> None:
    sheet = imposed(Deck("a", POKER, 5))
    assert sides(sheet) == "fb"
    face, back = sheet.pages
    assert rows(face.slots) == [["a0", "a1", "a2"], ["a3", "a4"]]
    assert rows(back.slots) == [["a2", "a1", "a0"], ["a4", "a3"]]
    assert {slot.rotation for slot in back.slots} == {0}
    assert min(slot.trim.x for slot in back.slots if slot.card in ("a3", "a4")) == pytest.approx(76.2)


def test_short_edge_backs_mirror_the_rows_and_stand_on_their_heads() -> None:
    face, back = imposed(Deck("a", POKER, 5), duplex="short-edge").pages
    assert rows(face.slots) == [["a0", "a1", "a2"], ["a3", "a4"]]
    assert rows(back.slots) == [["a3", "a4"], ["a0", "a1", "a2"]]
    assert {slot.rotation for slot in back.slots} == {180}
    assert back.slots[0].trim.y == pytest.approx(6.35 + 2 * 88.9)


def test_on_landscape_pages_the_two_swap() -> None:
    four_by_two = layout(grid=(4, 2))
    face, back = imposed(Deck("a", POKER, 6), sheet_layout=four_by_two).pages
    assert face.size.landscape
    assert rows(back.slots) == [["a4", "a5"], ["a0", "a1", "a2", "a3"]]
    assert {slot.rotation for slot in back.slots} == {180}
    _, back = imposed(Deck("a", POKER, 6), sheet_layout=four_by_two, duplex="short-edge").pages
    assert rows(back.slots) == [["a3", "a2", "a1", "a0"], ["a5", "a4"]]
    assert {slot.rotation for slot in back.slots} == {0}


@for_each("grid", ["auto", "single"])
def test_without_duplex_there_are_faces_only(grid: Literal["auto", "single"]) -> None:
    deck = Deck("a", POKER, 11)
    stated = layout(grid=grid, duplex="none")
    for sheet in (
        imposed(deck, sheet_layout=layout(grid=grid), duplex="none"),
        imposed(deck, sheet_layout=stated),
    ):
        assert sides(sheet) == ("ff" if grid == "auto" else 11 * "f")
        assert sheet == imposed(deck, sheet_layout=stated, backs=False)


def test_fold_puts_backs_across_the_line() -> None:
    sheet = imposed(Deck("a", POKER, 5), sheet_layout=layout(grid=(4, 1)), duplex="fold")
    assert sides(sheet) == "ff"
    first, second = sheet.pages
    assert rows(first.slots) == [["a0", "a1", "a2", "a3"], ["a0", "a1", "a2", "a3"]]
    assert [slot.rotation for slot in first.slots] == [0] * 4 + [180] * 4
    assert [slot.artwork for slot in second.slots] == ["a4.face", "a4.back"]
    (fold,) = [line for line in first.lines if line.dashed]
    assert fold.y1 == fold.y2 == pytest.approx(107.95)


def test_folding_from_left_to_right_turns_no_back() -> None:
    tall = Size(100, 180)  # two halves side by side on a landscape page
    (page,) = imposed(Deck("a", tall, 1), duplex="fold").pages
    assert [slot.rotation for slot in page.slots] == [0, 0]
    (fold,) = [line for line in page.lines if line.dashed]
    assert fold.x1 == fold.x2 == pytest.approx(139.7)


def test_faces_only() -> None:
    sheet = imposed(Deck("a", POKER, 12), backs=False)
    assert sides(sheet) == "ff"
    assert sheet.duplex == "none"
    folded = imposed(Deck("a", POKER, 12), backs=False, duplex="fold")
    assert [len(page.slots) for page in folded.pages] == [9, 3], "nothing to fold: whole pages"


def test_a_deck_without_backs_has_faces_only() -> None:
    assert sides(imposed(Deck("a", POKER, 12, back=False))) == "ff"


def test_a_card_without_a_back_leaves_a_blank_slot() -> None:
    deck = Deck("a", POKER, 1).add(1, back=False).add(1)
    _, back = imposed(deck).pages
    assert [(slot.card, round(slot.trim.x, 3)) for slot in back.slots] == [("a0", 139.7), ("a2", 12.7)]
    inner = back.slots[0].clip
    assert inner.x == pytest.approx(back.slots[0].trim.x), "no bleed onto the blank neighbour"


def test_a_blank_back_page_keeps_the_order_but_not_at_the_end() -> None:
    blank_first = imposed(Deck("a", POKER, 9, back=False).add(1))
    assert sides(blank_first) == "fbfb"
    assert blank_first.pages[1].slots == ()
    assert any("(blank)" in label.text for label in blank_first.pages[1].labels)
    assert not [line for line in blank_first.pages[1].lines if line.x1 == pytest.approx(12.7)]
    assert sides(imposed(Deck("a", POKER, 9).add(1, back=False))) == "fbf"
    assert sides(imposed(Deck("a", POKER, 9).add(9, back=False).add(1))) == "fbfbfb"


def test_landscape_cards_are_turned_and_their_backs_with_them() -> None:
    deck = Deck("a", POKER, 1).add(1, POKER.turned)
    face, back = imposed(deck).pages
    assert [slot.rotation for slot in face.slots] == [0, 90]
    assert [slot.rotation for slot in back.slots] == [0, 270]
    _, back = imposed(deck, duplex="short-edge").pages
    assert [slot.rotation for slot in back.slots] == [180, 90]


@for_each(
    ("page", "edge", "axis"),
    [
        (Size(210, 297), "long-edge", "vertical"),
        (Size(210, 297), "short-edge", "horizontal"),
        (Size(297, 210), "long-edge", "horizontal"),
        (Size(297, 210), "short-edge", "vertical"),
    ],
)
def test_flip_axes(page: Size, edge: str, axis: str) -> None:
    assert flip_axis(page, edge) == axis  # type: ignore[arg-type]


def test_back_rotations() -> None:
    assert [back_rotation(r, "vertical") for r in (0, 90, 180, 270)] == [0, 270, 180, 90]  # type: ignore[arg-type]
    assert [back_rotation(r, "horizontal") for r in (0, 90, 180, 270)] == [180, 90, 0, 270]  # type: ignore[arg-type]


def through_the_paper(page: Page, duplex: Duplex) -> Matrix:
    """Where a point of the back page lies on the face page, once the paper is turned over."""
    width, height = page.size.width, page.size.height
    if (duplex == "long-edge") == (width <= height):
        return Matrix(-1, 0, 0, 1, width, 0)
    return Matrix(1, 0, 0, -1, 0, height)


def assert_backs_behind_faces(sheet: ImposedSheet, sizes: dict[str, Size]) -> None:
    """A back's point (x, y) lies behind the face's point (width − x, y): a card turned like a leaf."""
    if sheet.duplex == "fold":
        pairs = []
        for page in sheet.pages:
            half = [slot for slot in page.slots if slot.artwork.endswith("face")]
            backs = [slot for slot in page.slots if slot.artwork.endswith("back")]
            (fold,) = [line for line in page.lines if line.dashed]
            width, height = page.size.width, page.size.height
            upright = (
                Matrix(-1, 0, 0, 1, width, 0) if fold.x1 == fold.x2 else Matrix(1, 0, 0, -1, 0, height)
            )
            pairs.append((half, backs, upright))
    else:
        pairs = [
            (face.slots, back.slots, through_the_paper(back, sheet.duplex))
            for face, back in zip(sheet.pages[::2], sheet.pages[1::2])
        ]
    for faces, backs, through in pairs:
        with_back = [slot for slot in faces if (sizes[slot.card], True)]
        assert [slot.card for slot in with_back] == [slot.card for slot in backs]
        for face, back in zip(with_back, backs):
            size = sizes[face.card]
            for x, y in ((0, 0), (size.width, 0), (5, 20)):
                on_back = placing(back, size).then(through).apply(x, y)
                assert on_back == pytest.approx(placing(face, size).apply(size.width - x, y), abs=1e-6)


decks = st.builds(
    lambda trim, upright, lying, gutter: (trim, upright, lying, gutter),
    st.sampled_from([POKER, MINI, Size(50, 50), Size(59, 92), Size(70, 120)]),
    st.lists(st.integers(1, 4), max_size=6),
    st.lists(st.integers(1, 4), max_size=6),
    st.sampled_from([0.0, 6.35, 9.0]),
)


@given(
    decks,
    st.sampled_from(["long-edge", "short-edge", "fold", "none"]),
    st.sampled_from(sorted(PAPERS)),
    st.sampled_from([0.0, 3.0, BLEED]),
)
def test_properties(
    deck: tuple[Size, list[int], list[int], float], duplex: Duplex, paper: str, bleed: float
) -> None:
    trim, upright, lying, gutter = deck
    if not upright and not lying:
        upright = [1]
    made = Deck("a", trim, 0, bleed=bleed)
    for copies in upright:
        made.add(1, trim, copies=copies)
    for copies in lying:
        made.add(1, trim.turned, copies=copies)
    sizes = {card: size for card, size, _, _ in made.cards}
    wanted = sorted(card for card, _, copies, _ in made.cards for _ in range(copies))
    sheet = imposed(made, paper=PAPERS[paper], sheet_layout=layout(gutter=gutter), duplex=duplex)

    faces = [slot for page in sheet.pages for slot in page.slots if slot.artwork.endswith("face")]
    backs = [slot for page in sheet.pages for slot in page.slots if slot.artwork.endswith("back")]
    assert sorted(slot.card for slot in faces) == wanted
    assert sorted(slot.card for slot in backs) == (wanted if duplex != "none" else [])
    assert sheet.cards == len(wanted)

    for page in sheet.pages:
        whole = Rect(0, 0, page.size.width, page.size.height)
        printable = whole.inset(5.0)
        for slot in page.slots:
            assert slot.trim.size.close_to(
                sizes[slot.card].turned if slot.rotation % 180 else sizes[slot.card]
            )
            assert printable.contains(slot.trim, 1e-3)
            assert whole.contains(slot.clip)
            assert slot.clip.contains(slot.trim)
            assert slot.trim.inset(-min(bleed, BLEED)).contains(slot.clip)
            for other in page.slots:
                if other is not slot:
                    assert not slot.trim.overlaps(other.trim)
                    assert not slot.clip.overlaps(other.trim)
        for line in page.lines:
            covered = Rect(
                min(line.x1, line.x2), min(line.y1, line.y2), abs(line.x2 - line.x1), abs(line.y2 - line.y1)
            )
            assert whole.contains(covered)
            for slot in page.slots:
                near = slot.trim.inset(1e-3 - (CLOSEST if isinstance(line, CasedLine) else BLEED))
                assert not near.overlaps(
                    Rect(covered.x, covered.y, covered.width or 1e-5, covered.height or 1e-5)
                )
    if duplex != "none":
        assert_backs_behind_faces(sheet, sizes)


def test_bleed_runs_outside_the_block_and_towards_empty_slots_only() -> None:
    (page,) = imposed(Deck("a", POKER, 5), backs=False).pages
    outer = {
        slot.card: tuple(
            round(value, 3)
            for value in (
                slot.trim.y - slot.clip.y,
                slot.clip.right - slot.trim.right,
                slot.clip.bottom - slot.trim.bottom,
                slot.trim.x - slot.clip.x,
            )
        )
        for slot in page.slots
    }
    assert outer == {  # top, right, bottom, left
        "a0": (BLEED, 0, 0, BLEED),
        "a1": (BLEED, 0, 0, 0),
        "a2": (BLEED, BLEED, BLEED, 0),
        "a3": (0, 0, BLEED, BLEED),
        "a4": (0, BLEED, BLEED, 0),
    }


def test_bleed_is_the_least_of_sheet_card_and_room() -> None:
    (page,) = imposed(Deck("a", POKER, 1, bleed=1.5), backs=False).pages
    assert page.slots[0].clip == page.slots[0].trim.inset(-1.5)
    (page,) = imposed(Deck("a", POKER, 1), sheet_layout=layout(bleed=2.0), backs=False).pages
    assert page.slots[0].clip == page.slots[0].trim.inset(-2.0)
    tall = Size(POKER.width, 279.4 - 2 * 1.5)
    (page,) = imposed(Deck("a", tall), sheet_layout=layout(margin=1.0), backs=False).pages
    assert page.slots[0].clip.y == 0
    assert page.slots[0].clip.bottom == pytest.approx(279.4)


def test_wide_gutters_hold_both_bleeds() -> None:
    (page,) = imposed(Deck("a", POKER, 4), sheet_layout=layout(gutter=6.35), backs=False).pages
    for slot in page.slots:
        assert slot.clip == slot.trim.inset(-BLEED)


def test_components_start_with_bookmarks_on_face_pages() -> None:
    sheet = imposed(Deck("a", POKER, 10), Deck("b", POKER, 1), Deck("c", POKER, 8))
    assert [page.bookmark for page in sheet.pages] == ["Deck a", None, "Deck b\nDeck c", None, None, None]


def test_single_pages_are_trim_plus_bleed_in_turns() -> None:
    deck = Deck("a", POKER, 1, copies=3).add(1, POKER.turned, back=False)
    sheet = imposed(deck, sheet_layout=layout(grid="single"))
    assert sides(sheet) == "fbfb"
    assert [[slot.artwork for slot in page.slots] for page in sheet.pages] == [
        ["a0.face"], ["a0.back"], ["a1.face"], [],
    ]  # fmt: skip
    first, lying = sheet.pages[0], sheet.pages[2]
    assert first.size.close_to(Size(69.85, 95.25))
    assert lying.size.close_to(Size(95.25, 69.85))
    assert first.trim == first.slots[0].trim == Rect(BLEED, BLEED, 63.5, 88.9)
    assert first.bleed == first.slots[0].clip == Rect(0, 0, first.size.width, first.size.height)
    assert not first.lines
    assert not first.labels
    assert sheet.cards == 4


def test_single_faces_only() -> None:
    sheet = imposed(Deck("a", POKER, 3), sheet_layout=layout(grid="single"), backs=False)
    assert sides(sheet) == "fff"


PROFILE = PrinterProfile("inky", BackCorrection(1.0, -0.5, 1.01, 1.0), None)


def test_a_printer_profile_moves_the_backs() -> None:
    face, back = imposed(Deck("a", POKER, 2), printer=PROFILE).pages
    assert face.adjust == IDENTITY
    centre = (LETTER.size.width / 2, LETTER.size.height / 2)
    assert back.adjust.apply(*centre) == pytest.approx((centre[0] - 1.0, centre[1] - 0.5))
    assert back.adjust.a == 1.01
    _, back = imposed(Deck("a", POKER, 2), printer=PROFILE, duplex="short-edge").pages
    assert back.adjust.apply(*centre) == pytest.approx((centre[0] + 1.0, centre[1] + 0.5))


@for_each("duplex", ["fold", "none"])
def test_a_profile_does_nothing_without_a_flip(duplex: Duplex) -> None:
    for page in imposed(Deck("a", POKER, 2), printer=PROFILE, duplex=duplex).pages:
        assert page.adjust == IDENTITY


def test_an_orientation_that_was_not_measured_is_a_finding() -> None:
    findings = Findings()
    four_by_two = layout(grid=(4, 2))
    sheet = imposed(Deck("a", POKER, 17), sheet_layout=four_by_two, printer=PROFILE, findings=findings)
    assert all(page.adjust == IDENTITY for page in sheet.pages)
    assert [finding.code for finding in findings] == ["printer/unmeasured"]


@for_each(
    ("grid", "deck", "pages"),
    [
        ("single", Deck("a", POKER, 30, copies=999), None),  # each distinct card once
        ("single", Deck("a", POKER, 25_001), 50_002),
        ("auto", Deck("a", Size(190, 260), 26, copies=999), 51_948),
        ("tiled", Deck("a", Size(1200, 1200), 2, copies=999), 69_930),
    ],
)
def test_a_sheet_has_no_more_pages_than_anybody_prints(grid: str, deck: Deck, pages: int | None) -> None:
    findings = Findings()
    sheet = imposed(deck, sheet_layout=layout(grid=grid), findings=findings)
    if pages is None:
        assert len(sheet.pages) == 60
        assert findings.errors == []
    else:
        assert sheet.pages == ()
        message = f"the sheet 'cards' would have {pages:,} pages, more than 50,000"
        assert [finding.message for finding in findings.errors] == [message]


@given(st.lists(st.tuples(st.floats(50, 50.1), st.floats(60, 60.1)), min_size=1, max_size=30))
def test_cards_share_pages_with_the_first_that_is_as_large(trims: list[tuple[float, float]]) -> None:
    """As large means to a hundredth of a millimetre, of which the first card decides."""
    deck = Deck("a", Size(*trims[0]), 1, back=False)
    for trim in trims[1:]:
        deck.add(1, Size(*trim), back=False)
    groups: list[tuple[Size, list[str]]] = []
    for number, trim in enumerate(trims):
        size = Size(*trim)
        home = next((group for known, group in groups if known.close_to(size)), None)
        if home is None:
            home = []
            groups.append((size, home))
        home.append(f"a{number}")
    pages = imposed(deck).pages
    found = [[slot.card for slot in page.slots] for page in pages]
    assert [card for page in found for card in page] == [card for _, group in groups for card in group]


def test_pages_that_share_furniture_have_what_they_would_have_alone() -> None:
    setting = layout()
    sheet = imposed(
        Deck("a", POKER, 96), Deck("b", MINI, 7), Deck("c", POKER, 2, bleed=0.0), sheet_layout=setting
    )
    assert len(sheet.pages) > 20
    for number, page in enumerate(sheet.pages, start=1):
        trims, size = [slot.trim for slot in page.slots], page.size
        block = within(bounds(trims).inset(-setting.bleed), size)

        def marks(length: float, trims: list[Rect] = trims, size: Size = size) -> tuple[Line, ...]:
            return crop_marks(trims, size, bleed=setting.bleed, margin=setting.margin, length=length)

        side = "faces" if page.side == "face" else "backs"
        texts = ("Demo 1.2.3", f"cards · {side} · page {number}/{len(sheet.pages)}", "print at 100 %")
        alone = furnish(size, [block], marks, (), texts, margin=setting.margin)
        assert not alone.missing
        assert (page.lines, page.labels) == (alone.marks + alone.lines, alone.labels)


MAT = Size(200, 150)
"""mm: fits on letter, and not on half of it."""


def test_a_sheet_with_a_card_too_large_for_half_of_the_paper_is_not_folded(wording: Wording) -> None:
    findings = Findings()
    sheet = imposed(Deck("a", POKER, 3), Deck("mat", MAT), duplex="fold", findings=findings)
    (finding,) = findings
    assert (finding.severity, finding.code) == (Severity.WARNING, "sheet/duplex")
    assert "'mat0'" in finding.message
    wording(finding, "cards")
    assert sheet == imposed(Deck("a", POKER, 3), Deck("mat", MAT))


def test_a_layout_that_is_folded_falls_back_to_the_long_edge() -> None:
    findings = Findings()
    sheet = imposed(Deck("mat", MAT), sheet_layout=layout(duplex="fold"), findings=findings)
    assert [finding.code for finding in findings] == ["sheet/duplex"]
    assert (sheet.duplex, len(sheet.pages)) == ("long-edge", 2)


def test_a_fixed_grid_that_is_too_large_for_half_of_the_paper_is_not_folded(wording: Wording) -> None:
    findings = Findings()
    sheet = imposed(Deck("a", POKER), sheet_layout=layout(grid=(3, 3)), duplex="fold", findings=findings)
    assert [finding.code for finding in findings] == ["sheet/duplex"]
    wording(findings.items[0])
    assert sheet.duplex == "long-edge"


def test_what_fits_on_no_page_is_an_error_folded_or_not() -> None:
    findings = Findings()
    imposed(Deck("a", Size(500, 500)), duplex="fold", findings=findings)
    assert [finding.code for finding in findings] == ["sheet/too-large"]


# ---------------------------------------------------------------- what a printer reaches


@for_each(
    ("margin", "severity", "words"),
    [
        (None, None, ""),
        (3.0, None, ""),
        (5.0, None, ""),
        (5.6, "note", "less than 1 mm of bleed"),
        (8.0, "warning", "12 card sides are up to 1.7 mm inside that margin"),
    ],
)
def test_cards_in_the_printers_white_edge(margin: float | None, severity: str | None, words: str) -> None:
    """Nine poker cards on Letter begin 6.35 mm from the paper's upper and lower edges."""
    findings = Findings()
    printer = PrinterProfile("office", BackCorrection(), None, margin)
    sheet = imposed(Deck("a", POKER, 9), printer=printer, findings=findings)
    assert len(sheet.pages[0].slots) == 9, "what fits on a page does not change"
    found = [(str(finding.severity), finding.code) for finding in findings if "printer" in finding.code]
    assert found == ([] if severity is None else [(severity, "printer/margin")])
    assert not severity or any(words in finding.message for finding in findings)


def test_marks_keep_to_what_a_printer_reaches() -> None:
    def ends(margin: float | None) -> float:
        printer = PrinterProfile("office", BackCorrection(), None, margin)
        (page,) = imposed(
            Deck("a", POKER, 2), sheet_layout=layout(gutter=6.35), paper=A4, backs=False, printer=printer
        ).pages
        lines = [line for line in page.lines if line.y1 > 200]
        return round(page.size.height - max(max(line.y1, line.y2) for line in lines), 6)

    half = WEIGHT / 2
    assert [ends(None), ends(4.0), ends(6.0)] == [
        pytest.approx(margin + half, abs=1e-3) for margin in (5, 4, 6)
    ]
