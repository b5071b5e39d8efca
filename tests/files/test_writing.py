"""Sheets as files of spreadsheet programs: what other programs find in them, and the same bytes."""

from __future__ import annotations

import io
import zipfile

import openpyxl
from odf.opendocument import load as load_ods
from odf.table import ContentValidation, Table

from cardgen.core.findings import Findings
from cardgen.files.table_reading import read_table, sheet_names
from cardgen.files.table_sheets import MOST_TEXT, Heading, Out, Sheet, sheet_name
from cardgen.files.table_writing import write_sheets
from tests.for_each import for_each

LONG = tuple(f"choice number {number}, with a comma" for number in range(30))
HEADINGS = (
    Heading("id", is_text=True),
    Heading("title", "The card's name, <b> & all.", is_text=True),
    Heading("suit", "", ("sun", "moon")),
    Heading("kind", "", LONG),
    Heading("cost"),
    Heading("unique", "", ("TRUE", "FALSE")),
)
ROWS: tuple[tuple[Out | None, ...], ...] = (
    ("fox", "=SUM(A1:A9)", "sun", LONG[3], 3, True),
    ("owl", "two\nlines  and\ttab", None, None, 0.5, False),
    ("elk", "'=x", "moon", None, None, None),
)
SHEETS = (Sheet("cards", HEADINGS, ROWS), Sheet("a 'b' & c", HEADINGS[:2], (("x", "y"),)))


def written(ending: str) -> bytes:
    findings = Findings()
    raw = write_sheets(SHEETS, ending, "deck", findings)
    assert not findings.items
    return raw


@for_each("ending", [".xlsx", ".ods", ".csv"])
def test_what_is_written_is_read_and_has_the_same_bytes_again(ending: str) -> None:
    raw = written(ending)
    assert raw == written(ending)
    findings = Findings()
    table = read_table(raw, f"deck{ending}", None, findings)
    assert table is not None
    assert [column.name for column in table.columns] == [heading.name for heading in HEADINGS]
    spelled = [("true" if cell is True else str(cell)) if ending == ".csv" else cell for cell in ROWS[0]]
    assert list(table.rows[0].cells) == spelled
    assert table.rows[1].cells[1] == ROWS[1][1]
    assert table.rows[2].cells == (*ROWS[2][:3], None, None, None)
    assert not findings.items


def test_a_workbook_has_notes_choices_and_no_formulas() -> None:
    book = openpyxl.load_workbook(io.BytesIO(written(".xlsx")))
    page = book["cards"]
    assert page.freeze_panes == "B2"
    assert page["B2"].data_type == "s"
    assert page["B2"].value == "=SUM(A1:A9)"
    assert page["B2"].quotePrefix
    assert page["B2"].number_format == "@"
    assert "<b> & all" in page["B1"].comment.text
    checks = {str(each.sqref).partition("2")[0]: each for each in page.data_validations.dataValidation}
    assert checks["C"].formula1 == '"sun,moon"'
    assert checks["D"].formula1 == "lists!$A$2:$A$31"
    assert [cell.value for cell in book["lists"]["A"][1:]] == list(LONG)
    assert book["lists"].sheet_state == "hidden"
    assert sheet_names(written(".xlsx"), "deck.xlsx", Findings())[:2] == ["cards", "a 'b' & c"]


def test_a_spreadsheet_of_libreoffice_has_notes_and_choices() -> None:
    raw = written(".ods")
    document = load_ods(io.BytesIO(raw))
    assert [table.getAttribute("name") for table in document.spreadsheet.getElementsByType(Table)] == [
        "cards",
        "a 'b' & c",
    ]
    checks = document.spreadsheet.getElementsByType(ContentValidation)
    assert checks[0].getAttribute("condition") == 'of:cell-content-is-in-list("sun";"moon")'
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        content = archive.read("content.xml").decode()
    assert "&lt;b&gt; &amp; all" in content
    assert "table:formula" not in content


def test_text_that_looks_like_a_formula_is_text_in_a_text_file() -> None:
    lines = written(".csv").decode("utf-8-sig").split("\r\n")
    assert lines[1].startswith("fox,'=SUM(A1:A9),")
    assert lines[-2].startswith("elk,''=x,")


def test_cells_that_no_program_takes_are_said() -> None:
    findings = Findings()
    sheet = Sheet("cards", HEADINGS[:2], (("fox", "x" * (MOST_TEXT + 1)),))
    write_sheets([sheet], ".xlsx", "deck.xlsx", findings)
    assert [each.code for each in findings] == ["tables/size"]
    assert "fox: title" in findings.items[0].message


def test_names_of_sheets_are_what_every_program_takes() -> None:
    assert sheet_name("cards", []) == "cards"
    assert sheet_name("cards", ["Cards"]) == "cards-2"
    assert sheet_name("a/b: [c]?", []) == "a-b- -c--"
    assert len(sheet_name("x" * 40, ["x" * 31])) == 31
