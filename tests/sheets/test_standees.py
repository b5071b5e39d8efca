"""Figures that stand: their pieces as values, their pages, and what a loaded game says of bad ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardgen.core.findings import Findings
from cardgen.core.game import Standee, flanks
from cardgen.core.geometry import Polygon, Rect, Size
from cardgen.core.sheets import ImposedSheet, PrinterProfile
from cardgen.sheets.boxes import piece_of
from cardgen.sheets.imposition import impose
from cardgen.sheets.marks import cuts_of
from tests.for_each import for_each

from .decks import A4, LETTER, TABLOID, Deck, game_of, layout

FLAPS = Standee("flaps", 12, 0.8)
ARROW = Polygon(((0.3, 0), (0.7, 0), (1, 0.4), (0.8, 1), (0.2, 1), (0, 0.2)))
LAYOUT = layout(name="standees", gutter=6.35, marks="outline", duplex="none")
TRIM = Size(30, 50)


def laid(
    *,
    standee=FLAPS,
    shape="rectangle",
    trim=TRIM,
    count=1,
    back=True,
    backs=True,
    paper=A4,
    sheet_layout=LAYOUT,
    printer=None,
    papers=(),
) -> tuple[ImposedSheet, Findings]:  # type: ignore[no-untyped-def]
    game, rendering, sheet = game_of(Deck("a", trim, count, back=back))
    component = replace(game.components[0], kind="standee", shape=shape, corner_radius=0.0, standee=standee)
    findings = Findings()
    game = replace(game, components=(component,))
    done = impose(
        game,
        sheet,
        sheet_layout,
        paper,
        rendering,
        findings=findings,
        backs=backs,
        printer=printer,
        papers=papers,
    )
    return done, findings


def test_flaps_go_on_below_both_halves() -> None:
    piece = piece_of(FLAPS, "rectangle", TRIM)
    assert piece.size == Size(30, 124)
    assert (piece.back, piece.face) == (Rect(0, 12, 30, 50), Rect(0, 62, 30, 50))
    [outline] = piece.outlines
    assert set(outline) == {(0, 0), (30, 0), (30, 124), (0, 124)}
    assert [fold[0][1] for fold in piece.folds] == [62, 112, 12]


def test_figures_stand_where_a_measured_printer_prints() -> None:
    sheet, findings = laid(count=12, printer=PrinterProfile("office", margin=14.0))
    for page in sheet.pages:
        reach = Rect(0, 0, page.size.width, page.size.height).inset(14)
        assert all(reach.contains(slot.trim) for slot in page.slots)
    assert not findings.errors


def test_a_tab_is_not_folded() -> None:
    piece = piece_of(Standee("tab", 10, 0.8), "rectangle", TRIM)
    assert [fold[0][1] for fold in piece.folds] == [60]


def test_a_slotted_figure_and_its_foot_go_into_each_other() -> None:
    piece = piece_of(Standee("slotted", 10, 1.0), "rectangle", TRIM)
    figure, foot = piece.outlines
    slit = [(x, y) for x, y in figure if 14 < x < 16 and y > 60]
    assert sorted(slit) == [
        (14.5, 115),
        (14.5, 120),
        (15.5, 115),
        (15.5, 120),
    ]  # half of the tab, from below
    ends = sorted({y for x, y in foot if 14 < x < 16})
    top, bottom = min(y for _, y in foot), max(y for _, y in foot)
    assert bottom - top == 20  # folded, as high as the tab
    assert ends == pytest.approx([top, top + 5, bottom - 5, bottom])
    assert top > 120
    assert piece.size.height == bottom


def test_the_outline_is_its_own_mirror_image_in_the_fold() -> None:
    piece = piece_of(FLAPS, ARROW, TRIM)
    [outline] = piece.outlines
    fold = piece.folds[0][0][1]
    there = {(round(x, 6), round(y, 6)) for x, y in outline}
    assert there == {(x, round(2 * fold - y, 6)) for x, y in there}
    assert piece.folds[0] == ((9, 62), (21, 62))
    area = sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in zip(outline, outline[1:] + outline[:1])) / 2
    # the arrow twice, and two flaps as wide as its lower edge
    corners = [(x * 30, y * 50) for x, y in ARROW.corners]
    arrow = sum(x * to_y - to_x * y for (x, y), (to_x, to_y) in zip(corners, corners[1:] + corners[:1])) / 2
    assert area == pytest.approx(2 * arrow + 2 * 18 * 12)


@for_each(
    "shape",
    ["ellipse", Polygon(((0.5, 0), (1, 1), (0, 1))), Polygon(((0.3, 0), (0.4, 0), (1, 1), (0, 1)))],
)
def test_what_has_no_level_edge_to_fold_or_stand_on_has_no_flanks(shape) -> None:  # type: ignore[no-untyped-def]
    assert flanks(shape, TRIM) is None
    with pytest.raises(ValueError, match="level edge"):
        piece_of(FLAPS, shape, TRIM)


def test_halves_lie_head_to_head() -> None:
    sheet, findings = laid()
    assert not findings.errors
    [page] = sheet.pages
    face, back = page.slots
    assert (face.artwork, face.rotation, face.mirrored) == ("a0.face", 0, False)
    assert (back.artwork, back.rotation, back.mirrored) == ("a0.back", 180, False)
    assert back.trim.bottom == pytest.approx(face.trim.y)
    assert back.trim.x == pytest.approx(face.trim.x)
    assert face.clip.y == face.trim.y, "art ends at the fold"
    assert face.clip.bottom == face.trim.bottom, "and at the feet"
    assert (face.trim.x - face.clip.x) == pytest.approx(3.175)


def test_without_a_back_the_face_is_seen_from_behind() -> None:
    [page] = laid(back=False)[0].pages
    assert [(slot.artwork, slot.mirrored) for slot in page.slots] == [("a0.face", False), ("a0.face", True)]
    [page] = laid(back=False, backs=False)[0].pages
    assert len(page.slots) == 1


def test_a_wide_figure_is_turned_with_its_back_and_its_cut() -> None:
    sheet, findings = laid(trim=Size(60, 115), count=2, shape=ARROW)
    assert not findings.errors
    for page in sheet.pages:
        face, back = page.slots[:2]
        assert (back.rotation - face.rotation) % 360 == 180
        turned = face.rotation == 90
        assert (back.trim.x > face.trim.x) == turned
        for outline in page.pieces:
            assert Rect(0, 0, page.size.width, page.size.height).contains(outline.rect)


def test_pieces_are_cut_and_not_the_trims_of_sides() -> None:
    sheet, _ = laid(count=3, standee=Standee("slotted", 10, 1.0))
    [page] = sheet.pages
    cuts = cuts_of(page, {"a": ("rectangle", 0.0)})
    assert len(cuts) == 6
    assert all(cut.closed for cut in cuts)
    assert page.outlines == page.pieces


def test_beside_a_machines_marks_nothing_else_is_printed_to_cut_along() -> None:
    sheet, findings = laid(count=3, sheet_layout=replace(LAYOUT, marks="silhouette"))
    assert not findings.errors
    [page] = sheet.pages
    assert page.outlines == ()
    assert len(page.pieces) == 3


def test_copies_are_counted_and_pages_filled() -> None:
    sheet, _ = laid(count=20, paper=LETTER)
    assert sheet.cards == 20
    assert sum(len(page.pieces) for page in sheet.pages) == 20


def test_what_is_too_large_or_mixed_is_said() -> None:
    _, findings = laid(trim=Size(100, 190), papers=(A4, TABLOID))
    [finding] = findings.errors
    assert finding.code == "sheet/too-large"
    assert "--paper tabloid" in (finding.hint or "")
    game, rendering, sheet = game_of(Deck("a", TRIM), Deck("b"))
    standing = replace(game.components[0], standee=FLAPS)
    game = replace(game, components=(standing, game.components[1]))
    findings = Findings()
    assert impose(game, sheet, LAYOUT, A4, rendering, findings=findings).pages == ()
    assert [finding.code for finding in findings.errors] == ["sheet/standees"]
