"""The strip of colours and grays in the margin."""

from __future__ import annotations

import io

import pikepdf
import pytest

from cardgen.core.findings import Findings
from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import ImposedSheet, Page, Paper, Patch
from cardgen.exports.pdf import write_pdf
from cardgen.pdf.objects import DrawnArt
from cardgen.sheets.ruler_and_labels import CAPTION, INKS, LENGTH, in_pure_inks
from cardgen.text.fonts import FontBook
from tests.for_each import for_each
from tests.pdf_grammar import judge
from tests.shipped import PROJECT

from .decks import A4, LETTER, POKER, Deck, imposed, layout

STRIPPED = layout(strip=True)


@for_each("paper", [A4, LETTER], ids=lambda paper: paper.name)
@for_each("count", [9, 2])
def test_a_strip_stands_on_paper_clear_of_all_else(paper: Paper, count: int) -> None:
    page = imposed(Deck("a", POKER, count), paper=paper, sheet_layout=STRIPPED).pages[0]
    assert [patch.inks for patch in page.patches] == list(INKS)
    areas = [patch.rect for patch in page.patches]
    assert sum(max(area.width, area.height) for area in areas) == pytest.approx(LENGTH)
    assert any(label.text == CAPTION for label in page.labels)
    reach = Rect(0, 0, page.size.width, page.size.height).inset(5)
    for area in areas:
        assert reach.contains(area)
        assert not any(area.overlaps(slot.clip) for slot in page.slots)
        for line in page.lines:
            left, top = min(line.x1, line.x2), min(line.y1, line.y2)
            drawn = Rect(left, top, abs(line.x2 - line.x1) + 1e-4, abs(line.y2 - line.y1) + 1e-4)
            assert not area.overlaps(drawn)
    others = [label for label in page.labels if label.text != CAPTION]
    assert len(others) >= 2, "the ruler and the labels are still there"
    assert not any(area.contains(Rect(label.x, label.y, 0, 0)) for area in areas for label in others)


def test_only_where_a_layout_asks_for_it() -> None:
    assert not imposed(Deck("a", POKER, 9)).pages[0].patches


def test_no_room_for_a_strip_is_a_note() -> None:
    findings = Findings()
    imposed(Deck("a", Size(205, 269)), sheet_layout=STRIPPED, findings=findings, backs=False)
    (note,) = [finding for finding in findings if finding.code == "sheet/no-room"]
    assert "the ruler and the strip and the labels" in note.message


def written(sheet: ImposedSheet) -> tuple[bytes, list[tuple[str, list[float]]]]:
    """A sheet as PDF, and the colours that its first page chooses."""
    out = io.BytesIO()
    write_pdf(sheet, DrawnArt({}, ()), FontBook(PROJECT.paths), out, title="x", author="x")
    with pikepdf.open(io.BytesIO(out.getvalue())) as pdf:
        found = [
            (str(each.operator), [float(value) for value in each.operands])
            for each in pikepdf.parse_content_stream(pdf.pages[0])
            if str(each.operator) in ("rg", "k")
        ]
    return out.getvalue(), found


def test_patches_are_colours_of_a_screen_or_pure_inks() -> None:
    whole = Rect(0, 0, 99, 99)
    inks = (INKS[0], INKS[4], INKS[7], INKS[-1])
    patches = tuple(Patch(Rect(4 * number, 9, 4, 3), each) for number, each in enumerate(inks))
    sheet = ImposedSheet(
        "x", "square", "none", (Page(whole.size, "face", whole, whole, (), patches=patches),), 0
    )
    data, colours = written(sheet)
    assert colours == [("rg", [0, 1, 1]), ("rg", [1, 0, 0]), ("rg", [0.8] * 3), ("rg", [0, 0, 0])]
    assert judge(data).faults == ()
    _, colours = written(in_pure_inks(sheet))
    assert colours == [("k", list(each)) for each in inks]
