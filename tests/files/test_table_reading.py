"""Spreadsheets of all kinds to tables: what a person sees in the program is what a table says."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.findings import Findings, Severity
from cardgen.files.table_formats import is_table, parted
from cardgen.files.table_reading import read_rows, read_table, sheet_names
from cardgen.files.tables import (
    PARTS,
    SEEN,
    Fault,
    Formatted,
    Moment,
    Rich,
    Table,
    letters,
    number_text,
    of_serial,
    quoted,
    text_of,
)
from tests.files.making import ods, ods_rows, rows, xlsx, zipped
from tests.for_each import for_each
from tests.wording import Wording


def read(raw: bytes | str, name: str = "deck.csv", sheet: str | None = None) -> Table:
    findings = Findings()
    content = raw.encode() if isinstance(raw, str) else raw
    table = read_table(content, name, sheet, findings)
    assert findings.items == []
    assert table is not None
    return table


def cells(raw: bytes | str, name: str = "deck.csv", sheet: str | None = None) -> list[tuple[Any, ...]]:
    table = read(raw, name, sheet)
    return [tuple(column.name for column in table.columns), *(row.cells for row in table.rows)]


def said(raw: bytes | str, name: str = "deck.csv", sheet: str | None = None) -> list[str]:
    findings = Findings()
    content = raw.encode() if isinstance(raw, str) else raw
    table = read_table(content, name, sheet, findings)
    assert (table is None) == any("two columns" not in each.message for each in findings.errors)
    return [f"{finding} [{finding.code}]" for finding in findings]


# ---- text


@for_each(
    ("text", "expected"),
    [
        ("title,cost\nFox,3\n", [("title", "cost"), ("Fox", "3")]),
        ("title;cost\nFox;3,5", [("title", "cost"), ("Fox", "3,5")]),
        ("title\tcost\nFox\t3", [("title", "cost"), ("Fox", "3")]),
        ("sep=|\ntitle|cost\nFox|3", [("title", "cost"), ("Fox", "3")]),
        ("\ufefftitle,cost\r\nFox,\r\n,\r\n", [("title", "cost"), ("Fox", None)]),
        ("title\rFox\rOwl", [("title",), ("Fox",), ("Owl",)]),
        ('a,b\n"x, ""y""","1\r\n2"\n', [("a", "b"), ('x, "y"', "1\n2")]),
        ("a,b\n x , y \n", [("a", "b"), ("x", "y")]),
        ('"a,1";b\n1;2', [("a,1", "b"), ("1", "2")]),
        ("# a, comment,\n\na,b\n#,1\n# no,2\n#1 Fan,3\n", [("a", "b"), ("#1 Fan", "3")]),
        ("a,# notes,#,b\n1,x,y,2\n", [("a", "b"), ("1", "2")]),
        ("a,b\n'=1+1,'-2\n''x,'tis\n", [("a", "b"), ("=1+1", "-2"), ("'x", "'tis")]),
        ("a,b\n#REF!,1\n", [("a", "b"), (Fault("#REF!"), "1")]),
        ("a,b,,\n1,2,,\n", [("a", "b"), ("1", "2")]),
        ("a,b\n1\n", [("a", "b"), ("1", None)]),
    ],
)
def test_text(text: str, expected: list[tuple[Any, ...]]) -> None:
    assert cells(text) == expected


def test_tabs_part_cells_in_tsv_whatever_else_there_is() -> None:
    assert cells("a,b;c\td\n1,2\t3", "x.tsv") == [("a,b;c", "d"), ("1,2", "3")]


@for_each("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings(encoding: str) -> None:
    assert cells("title\nZoë 狐\n".encode(encoding)) == [("title",), ("Zoë 狐",)]


def test_windows_western_is_read_with_a_warning() -> None:
    findings = Findings()
    table = read_table("title\nCaffè – 3 €\n".encode("cp1252"), "deck.csv", None, findings)
    assert table is not None
    assert table.rows[0].cells == ("Caffè – 3 €",)
    (finding,) = findings
    assert (finding.severity, finding.code) == (Severity.WARNING, "tables/encoding")
    assert str(finding.location) == "deck.csv:2:5"


def test_a_table_knows_the_cell_of_each_value() -> None:
    table = read('# x\ntitle,"cost"\n"a\nb", 3 \n\nOwl\n')
    first, last = table.rows
    assert str(table.place(table.header, 1)) == "deck.csv:2:7: B2"
    assert str(table.place(first, 1, "cards[0].cost")) == "deck.csv:4:4: B3: cost"
    assert str(table.place(last, 1)) == "deck.csv:6:4: B5"
    assert [letters(number) for number in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]


@for_each(
    ("raw", "expected"),
    [
        ("", "deck.csv: the table is empty [tables/empty]"),
        ("# a\n,,\n", "deck.csv: the table is empty [tables/empty]"),
        ("# a,b\n", "deck.csv: the table is empty [tables/empty]"),
        ("a,a\n", "deck.csv:1:3: B1: two columns are called 'a': A and B [tables/column]"),
        ("a,,b\n1,2,3\n", "deck.csv:2:3: B2: the column B has no name in the first row [tables/column]"),
        ("a\n1,2\n", "deck.csv:2:3: B2: the column B has no name in the first row [tables/column]"),
        ('a,b\n1,"2\n', "deck.csv:2:3: B2: the quoted cell that starts here is not closed [tables/quote]"),
        (
            'a,b\n1,"Ha!" he said\n',
            "deck.csv:2:3: B2: 'he said' follows the quoted cell that starts here [tables/quote]",
        ),
        ("a\0\nx\n", "deck.csv:1:1: A1: the character U+0000 can't be printed [tables/character]"),
        ("a\nx\0\0\n", "deck.csv:2:2: the file is not text: 2 of its 6 characters are U+0000"),
        (b"a\n\x81\n", "deck.csv:2:1: the byte 0x81 is not UTF-8 [tables/encoding]"),
        (b"\xff\xfea", "deck.csv: the file starts as UTF-16-LE but is not valid [tables/encoding]"),
        (b"PK\3\4", "deck.csv: this is a workbook, not a CSV file [tables/damaged]"),
        ("a" * 201, f"deck.csv:1:1: A1: the column name '{'a' * 40}…' has more than 200 characters "
         "[tables/column]"),
        ("a" * 100_001, "deck.csv: the cell A1 has more than 100,000 characters [tables/size]"),
        ("a\n" + "1\n" * 50_000, "deck.csv: more than 50,000 rows have values [tables/size]"),
        ("a" + ",a" * 600, "deck.csv: row 1 has values beyond column SF, the 500th [tables/size]"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_text(raw: bytes | str, expected: str) -> None:
    assert [expected in each for each in said(raw)][:1] == [True]


def test_empty_cells_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.files.table_grid.SEEN", replace(SEEN, most=2_000))
    message = "there are more than 2,000 cells, most of them empty [tables/size]"
    assert [message in each for each in said("," * 2_001)] == [True]


# ---- workbooks

XF = "<cellXfs>{}</cellXfs>"


@for_each(
    ("cell", "value"),
    [
        ('<c t="inlineStr"><is><r><t>Fo</t></r><r><t xml:space="preserve">x </t></r></is></c>', "Fox"),
        ('<c t="s"><v>0</v></c>', "Fox"),
        ('<c t="s"><v>1</v></c>', "a\nb"),
        ('<c t="str"><f>A1&amp;"!"</f><v>Fox!</v></c>', "Fox!"),
        ('<c t="str"><f>IF(1,"")</f><v></v></c>', None),
        ("<c><f>1+1</f><v>2</v></c>", 2),
        ("<c><f>1+1</f></c>", Fault("")),
        ('<c t="e"><f>A99</f><v>#REF!</v></c>', Fault("#REF!")),
        ('<c t="b"><v>1</v></c>', True),
        ('<c t="b"><v>0</v></c>', False),
        ("<c><v>7</v></c>", 7),
        ("<c><v>0.1</v></c>", 0.1),
        ("<c><v>1E+300</v></c>", 1e300),
        ("<c><v>1E999</v></c>", Fault("#NUM!")),
        ('<c s="1"><v>0.5</v></c>', Formatted(0.5, "50%", "0%")),
        ('<c s="2"><v>45000</v></c>', Moment("2023-03-15", None, "[14]")),
        ('<c s="3"><v>45000.5</v></c>', Moment("2023-03-15 12:00", "15/03/2023 12:00", "dd/mm/yyyy hh:mm")),
        ('<c s="4"><v>3</v></c>', Formatted(3.0, "3 days", '[Red]0 "days"')),
        ('<c s="99"><v>3</v></c>', 3),
        ('<c t="d"><v>2026-04-03</v></c>', Moment("2026-04-03", "2026-04-03")),
        ('<c t="n"><v>x</v></c>', "x"),
    ],
)
def test_cells_of_xlsx(cell: str, value: object) -> None:
    strings = "<si><t>Fox</t></si><si><r><t>a_x000D_\n</t></r><rPh><t>no</t></rPh><r><t>b</t></r></si>"
    formats = (
        '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/>'
        '<numFmt numFmtId="165" formatCode="[Red]0 &quot;days&quot;"/></numFmts>'
    )
    styles = formats + XF.format("".join(f'<xf numFmtId="{n}"/>' for n in (0, 9, 14, 164, 165)))
    content = rows(("a", "b")) + f'<row r="2"><c r="A2"><v>1</v></c>{cell}</row>'
    raw = xlsx({"Cards": content}, strings=strings, styles=styles)
    assert cells(raw, "deck.xlsx") == [("a", "b"), (1, value)]


@for_each(
    ("cell", "value"),
    [
        ('<table:table-cell office:value-type="string"><text:p>a<text:s text:c="2"/>b<text:tab/>c'
         "</text:p><text:p><text:a>d</text:a></text:p></table:table-cell>", "a  b\tc\nd"),
        ('<table:table-cell office:value-type="string" office:string-value="Fox"/>', "Fox"),
        ('<table:table-cell office:value-type="float" office:value="7"><text:p>7,00</text:p>'
         "</table:table-cell>", Formatted(7.0, "7,00", "float", is_final=True)),
        ('<table:table-cell office:value-type="currency" office:value="2.5"/>',
         Formatted(2.5, None, "currency", is_final=True)),
        ('<table:table-cell office:value-type="percentage" office:value="0.5"/>',
         Formatted(0.5, "50%", "percentage", is_final=True)),
        ('<table:table-cell office:value-type="boolean" office:boolean-value="true"/>', True),
        ('<table:table-cell office:value-type="date" office:date-value="2026-04-03T13:30:00"/>',
         Moment("2026-04-03 13:30:00", None, "date")),
        ('<table:table-cell office:value-type="time" office:time-value="PT01H05M00S"/>',
         Moment("01:05", None, "time")),
        ('<table:table-cell table:formula="of:=x" office:value-type="string"><text:p>#REF!</text:p>'
         "</table:table-cell>", Fault("#REF!")),
        ('<table:table-cell table:formula="of:=1"/>', Fault("")),
        ('<table:table-cell office:value-type="string"><office:annotation><text:p>no</text:p>'
         "</office:annotation><text:p>yes</text:p></table:table-cell>", "yes"),
    ],
)  # fmt: skip
def test_cells_of_ods(cell: str, value: object) -> None:
    first = '<table:table-cell office:value-type="float" office:value="1"/>'
    content = f"{ods_rows(('a', 'b'))}<table:table-row>{first}{cell}</table:table-row>"
    assert cells(ods({"Cards": content}), "deck.ods") == [("a", "b"), (1, value)]


def test_rows_and_cells_that_stand_for_several() -> None:
    twice = (
        '<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="{}"/>'
    )
    empty = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>'
    content = (
        ods_rows(("a", "b", "c"))
        + '<table:table-row table:number-rows-repeated="3"><table:table-cell '
        + f'table:number-columns-repeated="1"/>{twice.format(4)}'
        + f'<table:table-cell table:number-columns-repeated="16380"/></table:table-row>{empty}'
    )
    assert cells(ods({"Cards": content}), "deck.ods")[1:] == [(None, 4, 4)] * 3


def test_sheets(wording: Wording) -> None:
    one, other = rows(("a",), (1,)), rows(("b",), (2,))
    raw = xlsx({"Old": one, "My cards": other}, hidden=("Old",))
    assert cells(raw, "deck.xlsx") == [("b",), (2,)]
    assert cells(raw, "deck.xlsx", "Old") == [("a",), (1,)]
    wording(said(raw, "deck.xlsx", "Cards"), "Cards", "tables/sheet")
    assert sheet_names(raw, "deck.xlsx", Findings()) == ["My cards", "Old"]
    table = read(raw, "deck.xlsx")
    assert str(table.place(table.rows[0], 0, "cards[0].b")) == "deck.xlsx:'My cards'!A2: b"
    unseen = '<style:style style:name="s-Old"><style:table-properties table:display="false"/></style:style>'
    raw = ods({"Old": ods_rows(("a",), (1,)), "New": ods_rows(("b",), (2,))}, styles=unseen)
    assert cells(raw, "deck.ods") == [("b",), (2,)]
    assert sheet_names(raw, "deck.ods", Findings()) == ["New", "Old"]
    assert sheet_names(b"a", "deck.csv", Findings()) == []
    assert quoted("It's") == "'It''s'"


def test_merged_cells_and_headings() -> None:
    content = (
        "<sheetData>"
        + rows(
            ("Our deck",),
            ("type", "title"),
            ("beast", "Fox"),
            (None, "Owl"),
            ("All plants",),
            ("plant", "Oak"),
        )
        + '</sheetData><mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A3:A4"/><mergeCell ref="A5:B5"/>'
        "</mergeCells>"
    )
    assert cells(xlsx({"Cards": content}), "deck.xlsx") == [
        ("type", "title"), ("beast", "Fox"), ("beast", "Owl"), ("plant", "Oak")
    ]  # fmt: skip
    merged = '<table:table-cell table:number-rows-spanned="2" office:value-type="string"><text:p>x</text:p>'
    inside = f"<table:table-row>{merged}</table:table-cell>{{}}</table:table-row>"
    inside += "<table:table-row><table:covered-table-cell/>{}</table:table-row>"
    number = '<table:table-cell office:value-type="float" office:value="1"/>'
    content = ods_rows(("a", "b")) + inside.format(number, number)
    assert cells(ods({"Cards": content}), "deck.ods") == [("a", "b"), ("x", 1), ("x", 1)]


@for_each("ending", ["xlsx", "ods"])
def test_rows_without_names_of_columns(ending: str) -> None:
    listed = (("# mine",), ("#", "card"), (3, "Rope"), (None, "Lamp"))
    raw = xlsx({"A": rows(*listed)}) if ending == "xlsx" else ods({"A": ods_rows(*listed)})
    found = read_rows(raw, f"deck.{ending}", Findings())
    assert [row.cells for row, _ in found] == [("#", "card"), (3, "Rope"), (None, "Lamp")]
    assert [str(places[-1]) for _, places in found] == [f"deck.{ending}:A!B{row}" for row in (2, 3, 4)]
    for spoilt, code in ((b"PK", "tables/damaged"), (xlsx({"A": FAR}), "tables/size")):
        findings = Findings()
        assert read_rows(spoilt, "deck.xlsx", findings) == []
        assert [each.code for each in findings] == [code]
        assert sheet_names(spoilt[:100], "deck.xlsx", Findings()) == []


@for_each(
    "content",
    [
        "{many}",
        '<table:table-row table:number-rows-repeated="60000">{one}</table:table-row>',
        "<table:table-row><table:table-cell><text:p>{long}</text:p></table:table-cell></table:table-row>",
        '<table:table-row><table:table-cell office:value-type="string" office:string-value="{long}"/>'
         "</table:table-row>",
    ],
)  # fmt: skip
def test_sheets_of_ods_that_are_too_large(content: str, wording: Wording) -> None:
    one = '<table:table-cell office:value-type="float" office:value="1"/>'
    wide = one.replace("<table:table-cell", '<table:table-cell table:number-columns-repeated="16384"')
    many = f"<table:table-row>{wide}</table:table-row>"
    raw = ods({"A": content.format(many=many, one=one, long="x" * 100_001)})
    (finding,) = said(raw, "deck.ods")
    wording(finding)


def test_rows_that_do_not_say_which_they_are() -> None:
    content = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c/><c><v>4</v></c></row>"
    assert cells(xlsx({"Cards": content}), "deck.xlsx") == [("1", "2"), (None, 4)]


@for_each(
    ("number", "from_1904", "moment"),
    [
        (1, False, "1900-01-01"),
        (59, False, "1900-02-28"),
        (61, False, "1900-03-01"),
        (0.5, False, "12:00"),
        (0, True, "1904-01-01"),
        (45000.999999, False, "2023-03-16"),
        (-1, False, None),
        (2_958_466, False, None),
        (2_958_465.9999999, False, None),
    ],
)
def test_days_are_counted_as_spreadsheets_do(number: float, from_1904: bool, moment: str | None) -> None:
    found = of_serial(number, from_1904)
    assert found == moment


def test_values_in_words() -> None:
    values = [True, 7.0, 0.1 + 0.2, 1e20, Formatted(7, "007"), Moment("13:30"), "x", Rich("a", "**a**")]
    assert [text_of(value) for value in values] == ["TRUE", "7", "0.3", "1E+20", "007", "13:30", "x", "a"]
    assert number_text(-0.5) == "-0.5"


def test_names() -> None:
    assert parted("a/deck.xlsx#My cards") == ("a/deck.xlsx", "My cards")
    assert parted("a#b.csv") == ("a#b.csv", None)
    assert parted("deck.csv#Cards") == ("deck.csv#Cards", None)
    assert [is_table(name) for name in ("a.yaml", "A.CSV", "a.ods#x", "a.yaml#x.ods")] == [
        False, True, True, True
    ]  # fmt: skip


# ---- what strangers send


BOMB = "<c r='A1' t='inlineStr'><is><t>" + "x" * 100_001 + "</t></is></c>"
FAR = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'


@for_each(
    ("raw", "code"),
    [
        (b"", "tables/damaged"),
        (b"\xd0\xcf\x11\xe0 old", "tables/damaged"),
        (zipped({"a": "b"}), "tables/damaged"),
        (xlsx({}), "tables/damaged"),
        (xlsx({"Cards": "<row>"}), "tables/damaged"),
        (xlsx({"Cards": '<row><c t="s"><v>5</v></c></row>'}), "tables/damaged"),
        (xlsx({"Cards": f"<row>{BOMB}</row>"}), "tables/size"),
        (xlsx({"Cards": FAR}), "tables/size"),
        (xlsx({"Cards": "<a>" * 100}), "tables/damaged"),
        (xlsx({"Cards": ""}), "tables/empty"),
        (zipped({str(number): "" for number in range(PARTS.most + 1)}), "tables/size"),
        (
            zipped({"xl/workbook.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}),
            "tables/damaged",
        ),
    ],
)
def test_what_is_no_workbook(raw: bytes, code: str) -> None:
    (finding,) = said(raw, "deck.xlsx")
    assert finding.endswith(f"[{code}]")


def test_a_file_that_unpacks_to_more_than_it_may(wording: Wording) -> None:
    wording(
        said(xlsx({"Cards": rows(("a",))}, strings="<si>" + " " * (33 * 1024 * 1024)), "deck.xlsx")[0], "32"
    )


def test_passwords(wording: Wording) -> None:
    locks = '<m:manifest xmlns:m="x"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    raw = ods({"Cards": ods_rows(("a",))}, further={"META-INF/manifest.xml": locks})
    wording(said(raw, "deck.ods"), "tables/damaged")


ROOT = Path(__file__).resolve().parents[2]
WHOLE = {
    "deck.xlsx": xlsx(
        {"Cards": rows(("title", "cost"), ("Fox", 1), ("Owl", 2.5), ("Oak", True))},
        strings="<si><t>x</t></si>",
        styles=XF.format('<xf numFmtId="14"/>'),
    ),
    "deck.ods": ods({"Cards": ods_rows(("title", "cost"), ("Fox", 1), ("Owl", 2.5), ("Oak", True))}),
    "deck.csv": 'title,cost\n"Fox, the",1\nZoë;\t,2\n'.encode(),
}


@for_each("name", WHOLE)
def test_spoilt_files_are_findings(name: str) -> None:
    """Cut off anywhere, or with some bytes changed: a table or findings, never an exception."""
    whole = WHOLE[name]
    chance = random.Random(name)
    spoilt = [whole[:length] for length in range(0, len(whole), max(1, len(whole) // 60))]
    for _ in range(300):
        other = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            other[chance.randrange(len(other))] = chance.randrange(256)
        spoilt.append(bytes(other))
    for raw in spoilt:
        findings = Findings()
        table = read_table(raw, name, None, findings)
        assert (table is None) == bool(findings.errors)


@given(st.text(alphabet=" \",;\t\r\n#a1='é\0", max_size=40))
def test_any_text_is_a_table_or_findings(text: str) -> None:
    findings = Findings()
    table = read_table(text.encode(), "deck.csv", None, findings)
    assert (table is None) == bool(findings.errors)
    if table is not None:
        for row in table.rows:
            for at, value in enumerate(row.cells):
                assert value != ""
                assert table.place(row, at).line is not None


_CELL = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn")), max_size=12).map(str.strip)


@given(st.lists(st.lists(_CELL, min_size=2, max_size=2), max_size=5), st.sampled_from(",;\t"))
def test_what_a_spreadsheet_writes_is_read_back(lines: list[list[str]], sign: str) -> None:
    import csv
    from io import StringIO

    kept = [line for line in lines if any(line) and line[0] != "#" and not line[0].startswith("# ")]
    kept = [line for line in kept if not any(cell.startswith(("'", "#")) for cell in line)]
    file = StringIO()
    csv.writer(file, delimiter=sign).writerows([["a", "b"], *kept])
    found = cells(file.getvalue())
    assert found[1:] == [tuple(cell or None for cell in line) for line in kept]
