"""Cells of workbooks edited in place: what changes, and what stays."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest
from openpyxl.styles import Font

from cardgen.core.findings import Findings
from cardgen.files.table_formats import FORMATS
from cardgen.files.table_reading import reader_of
from cardgen.files.table_sheets import Heading, Sheet, UneditedError
from cardgen.files.table_writing import write_sheets
from cardgen.files.tables import text_of
from cardgen.files.workbook_editing import edited_workbook
from tests.for_each import for_each


def _book() -> bytes:
    book = openpyxl.Workbook()
    page = book.active
    page.title = "Cards"
    page.append(["id", "title", "cost", "sum"])
    page.append(["fox", "Fox", 3, "=C2*2"])
    page.append(["owl", "Owl", 2])
    page["B2"].font = Font(bold=True)
    page.append([])
    page.append(["elk", "Elk"])
    other = book.create_sheet("Notes")
    other["A1"] = "kept"
    raw = BytesIO()
    book.save(raw)
    return raw.getvalue()


def _ods() -> bytes:
    rows = (("fox", "Fox", 3), ("owl", "Owl", 3), ("elk", None, None))
    sheets = [
        Sheet("Cards", tuple(map(Heading, ("id", "title", "cost"))), rows),
        Sheet("Notes", (Heading("id"),), (("a",),)),
    ]
    return write_sheets(sheets, ".ods", "deck.ods", Findings())


def _cells(raw: bytes, ending: str, sheet: str) -> dict[tuple[int, int], str]:
    grid = reader_of(FORMATS[ending], raw, f"deck{ending}").read(sheet, Findings())
    assert grid is not None
    return {
        (number, column): text_of(value)
        for number, row in grid.rows.items()
        for column, value in row.items()
        if value is not None
    }


CHANGES: list[tuple[int, int, Any]] = [
    (2, 1, 'Red <fox> & "co"'),
    (3, 2, 7),
    (3, 2, 2.5),
    (5, 2, True),
    (4, 0, "in an empty row"),
    (9, 1, "far below"),
    (2, 0, "two\nlines"),
    (3, 5, "a new column"),
    (5, 1, None),
]


@for_each("row, column, value", CHANGES)
@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
def test_one_cell_changes_and_all_others_stay(ending: str, row: int, column: int, value: Any) -> None:
    raw = _book() if ending == ".xlsx" else _ods()
    before = _cells(raw, ending, "Cards")
    new = edited_workbook(raw, f"deck{ending}", "Cards", {(row, column): value})
    now = _cells(new, ending, "Cards")
    expected = {**before, (row, column): text_of(value)} if value is not None else dict(before)
    if value is None:
        expected.pop((row, column), None)
    assert now == expected
    assert _cells(new, ending, "Notes") == _cells(raw, ending, "Notes")


def test_style_and_other_parts_of_the_file_stay() -> None:
    raw = _book()
    new = edited_workbook(raw, "deck.xlsx", "Cards", {(2, 1): "Lynx", (6, 1): "Bee"})
    page = openpyxl.load_workbook(BytesIO(new))["Cards"]
    assert page["B2"].font.bold
    assert page["B2"].value == "Lynx"
    assert page["D2"].value == "=C2*2"
    old_zip, new_zip = ZipFile(BytesIO(raw)), ZipFile(BytesIO(new))
    assert old_zip.namelist() == new_zip.namelist()
    different = [name for name in old_zip.namelist() if old_zip.read(name) != new_zip.read(name)]
    assert different == ["xl/worksheets/sheet1.xml"]


def test_equal_rows_and_cells_of_ods_are_parted() -> None:
    raw = _ods()
    with ZipFile(BytesIO(raw)) as archive:
        content = archive.read("content.xml").decode()
    row = content[content.index("<table:table-row", content.index(">owl<") - 300) :]
    assert "elk" in row
    new = edited_workbook(raw, "deck.ods", "Cards", {(3, 2): 1, (40, 0): "z"})
    assert _cells(new, ".ods", "Cards")[3, 2] == "1"
    assert _cells(new, ".ods", "Cards")[40, 0] == "z"
    again = edited_workbook(new, "deck.ods", "Cards", {(20, 0): "between", (21, 3): "b"})
    cells = _cells(again, ".ods", "Cards")
    assert (cells[20, 0], cells[21, 3], cells[40, 0]) == ("between", "b", "z")


def test_cell_with_formula_is_refused() -> None:
    with pytest.raises(UneditedError, match="D2"):
        edited_workbook(_book(), "deck.xlsx", "Cards", {(2, 3): 1})


def test_removed_rows_are_taken_out_and_styled_empty_cells_stay() -> None:
    book = openpyxl.Workbook()
    page = book.active
    for row in (["id", "cost"], ["fox", 1], ["owl", 2], ["elk", 3]):
        page.append(row)
    for number in range(2, 6):
        page.cell(number, 3).font = Font(bold=True)  # cells with a style and no value
    raw = BytesIO()
    book.save(raw)
    edits = {(3, 0): None, (3, 1): None, (4, 1): 9}
    after = edited_workbook(raw.getvalue(), "deck.xlsx", "Sheet", edits, {3})
    assert _cells(after, ".xlsx", "Sheet") == {
        (1, 0): "id",
        (1, 1): "cost",
        (2, 0): "fox",
        (2, 1): "1",
        (3, 0): "elk",
        (3, 1): "9",
    }
    found = openpyxl.load_workbook(BytesIO(after)).active
    assert [found.cell(number, 3).font.bold for number in range(2, 6)] == [True, True, True, False]
    again = edited_workbook(after, "deck.xlsx", "Sheet", {(4, 0): "yak", (4, 2): "new"})
    assert _cells(again, ".xlsx", "Sheet")[4, 2] == "new"


def test_rows_that_a_formula_may_name_become_empty() -> None:
    edits = {(3, 0): None, (3, 1): None, (3, 2): None}
    after = _cells(edited_workbook(_book(), "deck.xlsx", "Cards", edits, {3}), ".xlsx", "Cards")
    assert (3, 0) not in after
    assert after[5, 0] == "elk"


def _ods_with(old: str, new: str) -> bytes:
    """Return the ODS workbook with other words in its content."""
    made = BytesIO()
    with ZipFile(BytesIO(_ods())) as old_file, ZipFile(made, "w") as new_file:
        for info in old_file.infolist():
            content = old_file.read(info)
            if info.filename == "content.xml":
                assert old.encode() in content
                content = content.replace(old.encode(), new.encode(), 1)
            new_file.writestr(info, content)
    return made.getvalue()


GONE = {(2, 0): None, (2, 1): None, (2, 2): None, (4, 0): "yak", (9, 0): "bee"}


def test_removed_rows_of_ods_are_taken_out() -> None:
    raw = edited_workbook(_ods(), "deck.ods", "Cards", {(20, 0): "ant"})  # above it, a run of empty rows
    after = edited_workbook(raw, "deck.ods", "Cards", GONE, {2, 7})
    cells = _cells(after, ".ods", "Cards")
    assert {at: cells[at] for at in cells if at[0] > 1} == {
        (2, 0): "owl",
        (2, 1): "Owl",
        (2, 2): "3",
        (3, 0): "yak",
        (7, 0): "bee",
        (18, 0): "ant",
    }
    assert _cells(after, ".ods", "Notes") == _cells(raw, ".ods", "Notes")


@for_each(
    "old, new",
    [
        ("<text:p>Owl", '<text:p><text:a xmlns:xlink="x" xlink:href="#Cards.A2">Owl</text:a>'),
        ("</office:spreadsheet>", '<table:named-range table:name="x"/></office:spreadsheet>'),
        (
            'office:value-type="string"><text:p>owl',
            'office:value-type="string" table:formula="of:=[.A2]"><text:p>owl',
        ),
    ],
)
def test_rows_of_ods_that_something_may_name_become_empty(old: str, new: str) -> None:
    after = _cells(edited_workbook(_ods_with(old, new), "deck.ods", "Cards", GONE, {2}), ".ods", "Cards")
    assert (2, 0) not in after
    assert after[4, 0] == "yak"
