"""The border with marks around single pages."""

from __future__ import annotations

import pytest

from cardgen.core.findings import Findings
from cardgen.core.geometry import Rect, Size
from cardgen.sheets.ruler_and_labels import in_pure_inks
from cardgen.sheets.single import BAR, BLACK, REGISTER, bar
from tests.for_each import for_each

from .decks import BLEED, LETTER, POKER, TABLOID, Deck, imposed, layout

SLUG = layout(grid="single", slug=10.0)


def test_a_slug_leaves_the_boxes_where_they_are_on_the_card() -> None:
    face, back = imposed(Deck("a", POKER, 1), sheet_layout=SLUG).pages
    for page in (face, back):
        assert page.size == POKER.grown(BLEED).grown(10)
        assert page.bleed == Rect(10, 10, 63.5 + 2 * BLEED, 88.9 + 2 * BLEED)
        assert page.trim == Rect(10 + BLEED, 10 + BLEED, 63.5, 88.9) == page.slots[0].trim
        assert page.slots[0].clip == page.bleed


def test_marks_of_a_slug_are_outside_the_bleed_and_on_the_trim() -> None:
    (page,) = imposed(Deck("a", POKER, 1, back=False), sheet_layout=SLUG).pages
    uprights = {round(line.x1, 3) for line in page.lines if line.x1 == line.x2}
    levels = {round(line.y1, 3) for line in page.lines if line.y1 == line.y2}
    assert {13.175, 76.675} <= uprights
    assert {13.175, 102.075} <= levels
    inside = page.bleed.inset(0.01)
    for line in page.lines:
        assert not Rect.around([(line.x1, line.y1), (line.x2, line.y2)]).overlaps(inside, 0)
    assert any("a0" in label.text and "face" in label.text for label in page.labels)


def test_register_marks_print_on_every_plate_at_the_middle_of_each_edge() -> None:
    sheet = in_pure_inks(imposed(Deck("a", POKER, 1, back=False), sheet_layout=SLUG))
    (page,) = sheet.pages
    assert len(page.patches) == 8
    assert {patch.inks for patch in page.patches} == {(1, 1, 1, 1)}
    assert all(patch.pure for patch in page.patches)
    whole, middle = page.size.whole, (page.size.width / 2, page.size.height / 2)
    for patch in page.patches:
        assert max(patch.rect.width, patch.rect.height) == pytest.approx(REGISTER)
        assert whole.contains(patch.rect)
        assert not patch.rect.overlaps(page.bleed)
        x, y = patch.rect.x + patch.rect.width / 2, patch.rect.y + patch.rect.height / 2
        assert x == pytest.approx(middle[0]) or y == pytest.approx(middle[1])


@for_each("trim", [POKER, Size(120, 160)])
def test_the_strip_of_colors_goes_into_a_slug(trim: Size) -> None:
    striped, findings = layout(grid="single", slug=10.0, strip=True), Findings()
    (page,) = imposed(Deck("a", trim, 1, back=False), sheet_layout=striped, findings=findings).pages
    assert not findings.items
    for label in page.labels:
        assert 0.5 < label.x < page.size.width - 0.5
        assert 0.5 < label.y < page.size.height - 0.5
    assert len(page.patches) == 8 + 12
    assert not any(patch.rect.overlaps(page.bleed) for patch in page.patches)


@for_each(("slug", "trim"), [(2.0, POKER), (6.0, Size(12, 12))])
def test_a_slug_without_room_is_a_note(slug: float, trim: Size) -> None:
    findings = Findings()
    narrow = layout(grid="single", slug=slug, strip=True)
    imposed(Deck("a", trim, 1), sheet_layout=narrow, findings=findings)
    assert [finding.code for finding in findings] == ["sheet/no-room"]


def test_pages_without_a_slug_have_no_marks() -> None:
    (page,) = imposed(Deck("a", POKER, 1, back=False), sheet_layout=layout(grid="single")).pages
    assert (page.lines, page.labels, page.patches) == ((), (), ())
    assert page.bleed == page.size.whole


def test_a_sheet_of_several_cards_keeps_its_slug_free_for_register_marks() -> None:
    face, back = imposed(Deck("a", POKER, 9), paper=TABLOID, sheet_layout=layout(slug=12.0)).pages
    for page in (face, back):
        assert [patch.inks for patch in page.patches] == [(1, 1, 1, 1)] * 8
        inner = page.size.whole.inset(12)
        for slot in page.slots:
            assert inner.inset(-0.001).contains(slot.clip)
        for patch in page.patches:
            assert not patch.rect.overlaps(inner)
    close = imposed(Deck("a", POKER, 40), paper=LETTER, sheet_layout=layout())
    wide = imposed(Deck("a", POKER, 40), paper=LETTER, sheet_layout=layout(slug=12.0))
    assert len(wide.pages) > len(close.pages)


@for_each("changes", [{"duplex": "fold"}, {"slug": 4.0}, {"marks": "silhouette"}])
def test_sheets_without_room_for_register_marks_have_none(changes: dict[str, object]) -> None:
    setting = layout(**{"slug": 12.0, **changes})
    (page, *_) = imposed(Deck("a", POKER, 1), sheet_layout=setting, findings=Findings()).pages
    assert page.patches == ()


def test_bars_to_collate_are_steps_on_single_pages() -> None:
    pages = imposed(
        Deck("a", POKER, 3, back=False), sheet_layout=layout(grid="single", slug=10.0, collate=True)
    ).pages
    bars = [next(patch.rect for patch in page.patches if patch.inks == BLACK) for page in pages]
    assert [round(bar.y - bars[0].y, 3) for bar in bars] == [0, BAR, 2 * BAR]
    assert {round(bar.right, 3) for bar in bars} == {round(pages[0].size.width, 3)}


def test_bars_begin_again_at_the_end_of_their_room() -> None:
    assert [bar(number, 10, 17) for number in range(3)] == [(10, 13), (13, 16), (10, 13)]
