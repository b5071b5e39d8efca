"""The order of a guillotine's cuts: numbers at the marks, a line in the margin."""

from __future__ import annotations

from cardgen.core.findings import Findings
from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import CasedLine, Duplex, Page
from cardgen.sheets.marks import NUMBER, CutOrder, cut_order
from tests.wording import Wording

from .decks import A4, LETTER, POKER, Deck, imposed, layout

ORDERED = layout(cut_order=True)


def numbered(page: Page) -> dict[str, list[tuple[float, float]]]:
    """Where each number stands."""
    found: dict[str, list[tuple[float, float]]] = {}
    for label in page.labels:
        if label.size == NUMBER:
            found.setdefault(label.text, []).append((label.x, label.y))
    return found


def said(page: Page) -> str:
    return next(label.text for label in page.labels if "cut 1" in label.text)


def test_the_long_cuts_come_first_and_every_cut_has_its_turn(wording: Wording) -> None:
    trims = [Rect(x, y, 60, 90) for y in (10, 106) for x in (20, 86)]
    order = cut_order(trims, Size(210, 297))
    assert order == CutOrder((20, 80, 86, 146), (10, 100, 106, 196), True)
    assert [order.number(True, x) for x in order.upright] == [1, 2, 3, 4]
    assert [order.number(False, y) for y in order.level] == [5, 6, 7, 8]
    assert order.number(True, 81) is None
    wording(str(order), "90")
    lying = cut_order(trims, Size(297, 210))
    assert lying is not None
    assert [lying.number(False, 10), lying.number(True, 20)] == [1, 5]


def test_bricks_are_not_cut_by_a_guillotine() -> None:
    assert cut_order([Rect(0, 0, 60, 30), Rect(60, 0, 60, 30), Rect(30, 30, 60, 30)], A4.size) is None


def test_numbers_stand_at_the_marks_of_faces(wording: Wording) -> None:
    two_by_two = layout(cut_order=True, grid=(2, 2))
    face, back = imposed(Deck("a", POKER, 4), paper=A4, sheet_layout=two_by_two).pages
    assert sorted(numbered(face)) == ["1", "2", "3", "4", "5", "6"]
    assert not numbered(back)
    marks = [line for line in face.lines if not isinstance(line, CasedLine)]
    for number, places in numbered(face).items():
        for x, y in places:
            away = [
                max(min(line.x1, line.x2) - x, x - max(line.x1, line.x2), 0)
                + max(min(line.y1, line.y2) - y, y - max(line.y1, line.y2), 0)
                for line in marks
            ]
            assert min(away) < 2, (number, x, y)
    wording(said(face), "88.9")
    assert not numbered(imposed(Deck("a", POKER, 4), paper=A4).pages[0]), "only where a layout asks for it"


def test_marks_on_art_have_no_number_but_the_margin_tells_all() -> None:
    (page,) = imposed(Deck("a", POKER, 9), paper=LETTER, sheet_layout=ORDERED, backs=False).pages
    assert sorted(numbered(page)) == ["5", "6", "7", "8"]
    assert "cut 1–4 upright" in said(page)


def test_numbers_keep_clear_of_cards_ruler_and_labels() -> None:
    for paper in (A4, LETTER):
        duplexes: tuple[Duplex, ...] = ("long-edge", "fold")
        for duplex in duplexes:
            sheet = imposed(Deck("a", POKER, 5), paper=paper, sheet_layout=ORDERED, duplex=duplex)
            page = sheet.pages[0]
            areas = [
                Rect(label.x, label.y - NUMBER * 0.75, len(label.text) * 0.55 * NUMBER, NUMBER * 0.75)
                for label in page.labels
                if label.size == NUMBER
            ]
            assert areas
            for area in areas:
                assert not any(area.overlaps(slot.clip) for slot in page.slots)
                assert not any(area.overlaps(other) for other in areas if other != area)


def test_what_no_guillotine_frees_is_a_note() -> None:
    findings = Findings()
    chips = Deck("a", Size(30, 30), 20, shape="ellipse")
    sheet = imposed(chips, sheet_layout=layout(cut_order=True, marks="outline"), findings=findings)
    assert [finding.code for finding in findings] == ["sheet/cut-order"]
    assert not any("cut 1" in label.text for label in sheet.pages[0].labels)
