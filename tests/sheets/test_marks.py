"""Crop marks, outlines, ruler and labels: where they are, and what they keep clear of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings
from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import CasedLine, Label, Line, Page
from cardgen.sheets.grid import bounds
from cardgen.sheets.marks import LEAST_LENGTH, OFF_CUT, SPECK

from .decks import A3, A4, BLEED, LETTER, POKER, TABLOID, Deck, imposed, layout
from .test_grid import SIZES

PAPERS = {paper.name: paper for paper in (A4, LETTER, A3, TABLOID)}


def marks(page: Page) -> list[Line]:
    """The page's lines without the ruler's, which come last and start with a bar of 50 mm."""
    for number, line in enumerate(page.lines):
        if abs(max(abs(line.x2 - line.x1), abs(line.y2 - line.y1)) - 50) < 1e-6:
            return [line for line in page.lines[:number] if not line.dashed]
    return [line for line in page.lines if not line.dashed]


def upright(lines: list[Line]) -> list[tuple[float, float, float]]:
    return sorted((round(a.x1, 3), round(a.y1, 3), round(a.y2, 3)) for a in lines if a.x1 == a.x2)


def level(lines: list[Line]) -> list[tuple[float, float, float]]:
    return sorted((round(a.y1, 3), round(a.x1, 3), round(a.x2, 3)) for a in lines if a.y1 == a.y2)


def test_marks_of_a_full_page() -> None:
    """A4, nine poker cards: the block starts at 9.75, 15.15."""
    (page,) = imposed(Deck("a", POKER, 9), paper=A4, backs=False).pages
    found = upright(marks(page))
    assert sorted({x for x, _, _ in found}) == [9.75, 73.25, 136.75, 200.25]
    assert {end for _, _, end in found if end < 100} == {round(15.15 - BLEED, 3)}
    assert {start for _, start, _ in found if start > 100} == {round(281.85 + BLEED, 3)}
    assert len(found) == len(level(marks(page))) == 8


def test_marks_of_a_partial_page_stand_around_the_occupied_cells() -> None:
    (page,) = imposed(Deck("a", POKER, 5), paper=A4, backs=False).pages
    columns = upright(marks(page))
    assert sorted({x for x, _, _ in columns}) == [9.75, 73.25, 136.75, 200.25]
    assert {start for _, start, _ in columns if start > 100} == {round(15.15 + 2 * 88.9 + BLEED, 3)}
    assert sorted({y for y, _, _ in level(marks(page))}) == [15.15, 104.05, 192.95]
    (page,) = imposed(Deck("a", POKER, 2), paper=A4, backs=False).pages
    columns = upright(marks(page))
    assert sorted({x for x, _, _ in columns}) == [9.75, 73.25, 136.75]
    rights = [start for _, start, _ in level(marks(page)) if start > 100]
    assert rights == [round(136.75 + BLEED, 3)] * 2


def test_marks_of_a_partial_back_are_behind_those_of_the_face() -> None:
    face, back = imposed(Deck("a", POKER, 2), paper=A4).pages
    mirrored = sorted(round(210 - x, 3) for x, _, _ in upright(marks(face)))
    assert [x for x, _, _ in upright(marks(back))] == mirrored


def test_gutters_have_two_cuts_each() -> None:
    (page,) = imposed(Deck("a", POKER, 2), sheet_layout=layout(gutter=8.0), backs=False).pages
    assert len({x for x, _, _ in upright(marks(page))}) == 4


def test_marks_stand_in_the_bleed_where_the_printable_room_is_too_short() -> None:
    """Letter, nine poker cards: 6.35 mm above the block, of which 3.175 are bleed and 5 out of reach."""
    (page,) = imposed(Deck("a", POKER, 9), backs=False).pages
    assert {(start, end) for _, start, end in upright(marks(page)) if end < 100} == {(0, 6.0)}
    left = {(start, end) for _, start, end in level(marks(page)) if end < 100}
    assert left == {(5.0, 9.525)}, "at the sides they end at the margin"
    kinds = {(line.x1 == line.x2, type(line)) for line in marks(page)}
    assert kinds == {(True, CasedLine), (False, Line)}, "what stands on art has white around it"


def seen(page: Page, cut: float, *, across: bool, margin: float) -> list[float]:
    """How many mm of each mark of a cut the printer puts on paper."""
    reach = Rect(0, 0, page.size.width, page.size.height).inset(margin)
    found = []
    for line in marks(page):
        if abs((line.x1 if across else line.y1) - cut) > 1e-6 or (line.x1 == line.x2) != across:
            continue
        ends = (line.y1, line.y2) if across else (line.x1, line.x2)
        low, high = (reach.y, reach.bottom) if across else (reach.x, reach.right)
        found.append(min(max(ends), high) - max(min(ends), low))
    return found


@given(
    st.sampled_from(sorted(SIZES)),
    st.sampled_from(sorted(PAPERS)),
    st.sampled_from([0.0, 6.35]),
    st.sampled_from([0.0, 1.5, BLEED]),
    st.integers(1, 20),
)
def test_both_ends_of_every_cut_are_printed(
    size: str, paper: str, gutter: float, bleed: float, count: int
) -> None:
    margin = 5.0
    plan = layout(gutter=gutter, bleed=bleed, margin=margin)
    for page in imposed(Deck("a", SIZES[size], count), paper=PAPERS[paper], sheet_layout=plan).pages:
        trims = [slot.trim for slot in page.slots]
        box = bounds(trims)
        room = min(box.x, box.y, page.size.width - box.right, page.size.height - box.bottom) - margin
        for across, cuts in (
            (True, {edge for trim in trims for edge in (trim.x, trim.right)}),
            (False, {edge for trim in trims for edge in (trim.y, trim.bottom)}),
        ):
            for cut in cuts:
                ends = seen(page, cut, across=across, margin=margin)
                assert len(ends) >= 2
                assert min(ends) >= min(room - OFF_CUT, LEAST_LENGTH) - 1e-6
                if room < SPECK and gutter and len(trims) > 1:
                    assert len(ends) > 2 or _in_one_row(trims, across), "marks in gutters"


def _in_one_row(trims: list[Rect], across: bool) -> bool:
    """Return True if no gutter crosses the cuts of these cards."""
    return len({round(trim.y if across else trim.x, 3) for trim in trims}) == 1


def test_a_sheet_without_bleed_keeps_its_marks_off_the_cards() -> None:
    (page,) = imposed(Deck("a", POKER, 1), sheet_layout=layout(bleed=0.0), backs=False).pages
    trim = page.slots[0].trim
    assert max(end for _, _, end in upright(marks(page)) if end < 100) == pytest.approx(
        trim.y - OFF_CUT, abs=1e-3
    )


def test_outlines_and_no_marks() -> None:
    (page,) = imposed(Deck("a", POKER, 2), sheet_layout=layout(marks="outline"), backs=False).pages
    assert marks(page) == []
    assert [(line.rect, line.shape, line.radius) for line in page.outlines] == [
        (slot.trim, "rectangle", 3.0) for slot in page.slots
    ]
    (page,) = imposed(Deck("a", POKER, 2), sheet_layout=layout(marks="none"), backs=False).pages
    assert marks(page) == []
    assert page.outlines == ()


def test_round_tokens_are_outlined_on_their_faces() -> None:
    tokens = Deck("a", Size(25, 25), 3, shape="ellipse")
    face, back = imposed(tokens).pages
    assert [(line.rect, line.shape) for line in face.outlines] == [
        (slot.trim, "ellipse") for slot in face.slots
    ]
    assert back.outlines == ()
    assert marks(face)
    (page,) = imposed(tokens, duplex="fold").pages
    assert len(page.outlines) == 3


def test_labels_say_which_page_this_is() -> None:
    face, back = imposed(Deck("a", POKER, 5), paper=A4).pages
    texts = {label.text for label in face.labels}
    assert texts == {
        "50 mm / 2 in",
        "Demo 1.2.3 · cards · faces · page 1/2 · print at 100 %",
    }
    assert "Demo 1.2.3 · cards · backs · page 2/2 · print at 100 %" in {label.text for label in back.labels}


def ruler(page: Page) -> list[Line]:
    known = set(map(id, marks(page)))
    return [line for line in page.lines if id(line) not in known and not line.dashed]


def test_the_ruler_measures_50_mm_and_2_in() -> None:
    (page,) = imposed(Deck("a", POKER, 9), paper=A4, backs=False).pages
    lines = ruler(page)
    bars = [line for line in lines if abs(line.x2 - line.x1) > 10]
    assert [line.x2 - line.x1 for line in bars] == [pytest.approx(50), pytest.approx(50.8)]
    start = bars[0].x1
    ticks = sorted(round(line.x1 - start, 3) for line in lines if line.x1 == line.x2)
    metric = [5.0 * n for n in range(11)]
    assert ticks == sorted([*metric, *(round(6.35 * n, 3) for n in range(9))])


def test_on_letter_the_ruler_stands_at_the_side() -> None:
    (page,) = imposed(Deck("a", POKER, 9), backs=False).pages
    bars = [line for line in ruler(page) if abs(line.y2 - line.y1) > 10]
    assert [abs(line.y2 - line.y1) for line in bars] == [pytest.approx(50), pytest.approx(50.8)]
    assert all(label.rotation == 90 for label in page.labels)
    assert_clear(page)
    for extent in furniture(page):
        assert Rect(0, 0, 215.9, 279.4).inset(5).contains(extent, 0.05), "within the printable area"


def extent(label: Label) -> Rect:
    """What a label covers at most: its room, from the descenders to the ascenders."""
    assert label.room is not None
    up, down = 0.8 * label.size, 0.25 * label.size
    if label.rotation:
        return Rect(label.x - up, label.y - label.room, up + down, label.room)
    return Rect(label.x, label.y - up, label.room, up + down)


def stroke(line: Line) -> Rect:
    left, top = min(line.x1, line.x2), min(line.y1, line.y2)
    return Rect(left, top, abs(line.x2 - line.x1), abs(line.y2 - line.y1)).inset(-line.weight / 2)


def furniture(page: Page) -> list[Rect]:
    return [extent(label) for label in page.labels] + [stroke(line) for line in ruler(page)]


def assert_clear(page: Page) -> None:
    """Labels and ruler touch no card, no bleed, no mark and, apart from ruler ticks, not each other."""
    whole = Rect(0, 0, page.size.width, page.size.height)
    others = [slot.clip for slot in page.slots] + [stroke(line) for line in marks(page)]
    others += [stroke(line) for line in page.lines if line.dashed]
    for rect in furniture(page):
        assert whole.contains(rect)
        assert not [other for other in others if rect.overlaps(other)]
    labels = [extent(label) for label in page.labels]
    strokes = [stroke(line) for line in ruler(page)]
    for number, label in enumerate(labels):
        assert not [other for other in labels[:number] + strokes if label.overlaps(other)]


@given(
    st.sampled_from(sorted(SIZES)),
    st.sampled_from(sorted(PAPERS)),
    st.sampled_from([0.0, 6.35]),
    st.sampled_from(["long-edge", "fold"]),
    st.integers(1, 40),
    st.sampled_from(["crop", "outline", "none"]),
)
def test_furniture_keeps_clear(
    size: str, paper: str, gutter: float, duplex: str, count: int, kind: str
) -> None:
    findings = Findings()
    sheet = imposed(
        Deck("a", SIZES[size], count),
        paper=PAPERS[paper],
        sheet_layout=layout(gutter=gutter, marks=kind),
        duplex=duplex,  # type: ignore[arg-type]
        findings=findings,
    )
    lost = [finding for finding in findings if finding.code == "sheet/no-room"]
    assert not lost, "every usual size leaves room for ruler and label"
    for page in sheet.pages:
        assert_clear(page)
        assert len(ruler(page)) == 22
        assert "print at 100 %" in " ".join(label.text for label in page.labels)


def test_no_room_at_all_is_a_note() -> None:
    findings = Findings()
    sheet = imposed(Deck("a", Size(205, 269)), findings=findings, backs=False)
    assert [finding.code for finding in findings] == ["sheet/no-room", "sheet/marks"]
    assert all(finding.hint for finding in findings)
    assert ruler(sheet.pages[0]) == []
