"""Cells as they look: the same text in every format."""

from __future__ import annotations

from xml.sax.saxutils import escape

from cardgen.core.findings import Findings
from cardgen.files.table_reading import read_rows, read_table
from cardgen.files.tables import Fault, Formatted, Moment, Rich, Value, text_of
from tests.files.making import ods, ods_rows, rows, xlsx
from tests.for_each import for_each

LINE_ENDS = ("\n", "\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029")


def cells(raw: bytes, name: str) -> list[Value | None]:
    findings = Findings()
    table = read_table(raw, name, None, findings)
    assert findings.items == []
    assert table is not None
    return [cell for row in table.rows for cell in row.cells]


@for_each("sign", LINE_ENDS)
def test_line_ends_of_every_kind_are_kept_in_every_format(sign: str) -> None:
    text = f"one{sign}two"
    spelt = escape("".join(f"_x{ord(each):04X}_" for each in sign))
    raw = {
        "deck.csv": f'title\n"{text}"\n'.encode(),
        "deck.tsv": f'title\n"{text}"\n'.encode(),
        "deck.xlsx": xlsx({"A": rows(("title",), (f"one{spelt}two",))}),
    }
    if sign not in ("\x0b", "\x0c", "\r\n"):  # XML has none of these
        raw["deck.ods"] = ods({"A": ods_rows(("title",), (text,))})
    assert {name: cells(each, name) for name, each in raw.items()} == {name: ["one\ntwo"] for name in raw}


def test_line_ends_of_ods_are_breaks_and_paragraphs() -> None:
    cell = "<text:p>one<text:line-break/>two</text:p><text:p>three</text:p>"
    content = f'<table:table-cell office:value-type="string">{cell}</table:table-cell>'
    raw = ods({"A": f"{ods_rows(('title',))}<table:table-row>{content}</table:table-row>"})
    assert cells(raw, "deck.ods") == ["one\ntwo\nthree"]


@for_each(
    ("spelt", "shown"),
    [
        ('="007"', "007"),
        ('"=""1.50"""', "1.50"),
        ('"=""a ""b"""', '="a "b"'),
        ("=1+1", "=1+1"),
        ('\'="7"', '="7"'),
    ],
)
def test_text_formula_of_a_text_file_shows_its_text(spelt: str, shown: str) -> None:
    for ending in ("csv", "tsv"):
        assert cells(f"title\n{spelt}\n".encode(), f"deck.{ending}") == [shown]


@for_each(
    ("spelt", "text"),
    [
        ("a_x000B_b", "a\nb"),
        ("a_x005F_x000B_b", "a_x000B_b"),
        ("_xD83D__xDE00_", "\U0001f600"),
        ("a_x0009_b", "a\tb"),
        ("a_xyz_b", "a_xyz_b"),
    ],
)
def test_escapes_of_xlsx_are_characters(spelt: str, text: str) -> None:
    assert cells(xlsx({"A": rows(("title",), (spelt,))}), "deck.xlsx") == [text]


@for_each("character", ["\x00", "\x07", "\x1b", "\x92", "\ufffe"])
def test_character_that_no_card_prints_spoils_one_cell(character: str) -> None:
    raw = f"title\nFox\nO{character}wl\n".encode()
    assert cells(raw, "deck.csv") == ["Fox", Fault(f"O{character}wl", character)]


def test_escaped_halves_and_control_characters_spoil_one_cell() -> None:
    raw = xlsx({"A": rows(("title",), ("a_xD83D_b",), ("a_x0001_b",), ("Fox",))})
    found = cells(raw, "deck.xlsx")
    assert [type(each) for each in found] == [Fault, Fault, str]


FONTS = "<fonts><font/><font><b/></font><font><strike/><b/></font></fonts>"


@for_each(
    ("style", "runs", "value"),
    [
        (
            0,
            "<r><t>Pay </t></r><r><rPr><strike/></rPr><t>5</t></r><r><t> 3</t></r>",
            Rich("Pay 5 3", "Pay ~~5~~ 3"),
        ),
        (
            0,
            '<r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r>',
            Rich("106", "10^6^"),
        ),
        (
            0,
            '<r><t>H</t></r><r><rPr><vertAlign val="subscript"/></rPr><t>2</t></r><r><t>O</t></r>',
            Rich("H2O", "H~2~O"),
        ),
        (
            0,
            '<r><rPr><u/></rPr><t>a</t></r><r><rPr><u val="none"/></rPr><t> 2*3</t></r>',
            Rich("a 2*3", r"++a++ 2\*3"),
        ),
        (0, "<r><rPr><b/><i/></rPr><t>Haste</t></r>", Rich("Haste", "***Haste***")),
        (0, '<r><rPr><b val="0"/><color rgb="FFFF0000"/></rPr><t>2*3</t></r>', "2*3"),
        (1, "<r><t>all </t></r><r><rPr><b/></rPr><t>bold</t></r>", "all bold"),
        (1, "<r><t>bold </t></r><r><rPr><sz/></rPr><t>not</t></r>", Rich("bold not", "**bold** not")),
        (1, "<t>all bold</t>", "all bold"),
        (2, "<t>all struck</t>", Rich("all struck", "~~all struck~~")),
        (
            2,
            "<r><t>struck, </t></r><r><rPr><b/></rPr><t>not</t></r>",
            Rich("struck, not", "~~struck,~~ not"),
        ),
    ],
)
def test_rich_text_of_xlsx_is_markdown(style: int, runs: str, value: object) -> None:
    styles = f'{FONTS}<cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs>'
    shared = "<si>" + runs.replace("<t>", '<t xml:space="preserve">') + "</si>"
    row = f'<row r="2"><c r="A2" s="{style}" t="s"><v>0</v></c></row>'
    raw = xlsx({"A": rows(("title",)) + row}, strings=shared, styles=styles)
    assert cells(raw, "deck.xlsx") == [value]


def test_rich_text_of_ods_is_markdown() -> None:
    looks = {
        "T1": 'fo:font-weight="bold"',
        "T2": 'style:text-position="super 58%"',
        "T3": 'style:text-position="-33% 58%"',
        "T4": 'style:text-line-through-style="solid"',
        "T5": 'fo:font-style="italic" style:text-underline-style="solid"',
    }
    styles = "".join(
        f'<style:style xmlns:fo="urn:fo" style:name="{name}" style:family="text">'
        f"<style:text-properties {look}/></style:style>"
        for name, look in looks.items()
    )
    span = '<text:span text:style-name="{}">{}</text:span>'
    text = f"a {span.format('T1', 'b')} 10{span.format('T2', '6')} H{span.format('T3', '2')} "
    text += f"{span.format('T4', 'x')} {span.format('T5', 'y')}"
    row = f'<table:table-row><table:table-cell office:value-type="string"><text:p>{text}</text:p>'
    raw = ods({"A": f"{ods_rows(('title',))}{row}</table:table-cell></table:table-row>"}, styles=styles)
    assert cells(raw, "deck.ods") == [Rich("a b 106 H2 x y", "a **b** 10^6^ H~2~ ~~x~~ ++*y*++")]


@for_each(
    ("look", "value"),
    [
        ('style:text-line-through-style="solid"', Rich("all", "~~all~~")),
        ('style:text-position="super 58%"', Rich("all", "^all^")),
        ('fo:font-weight="bold"', "all"),
    ],
)
def test_whole_ods_cells_keep_marks_that_change_their_meaning(look: str, value: object) -> None:
    style = '<style:style xmlns:fo="urn:fo" style:name="ce1" style:family="table-cell">'
    cell = '<table:table-cell table:style-name="ce1" office:value-type="string"><text:p>all</text:p>'
    row = f"<table:table-row>{cell}</table:table-cell></table:table-row>"
    styles = f"{style}<style:text-properties {look}/></style:style>"
    raw = ods({"A": ods_rows(("title",)) + row}, styles=styles)
    assert cells(raw, "deck.ods") == [value]


@for_each(
    ("attributes", "shown", "value"),
    [
        ('office:value-type="float" office:value="7"', "007", Formatted(7, "007", "float", is_final=True)),
        ('office:value-type="float" office:value="7"', "7", 7),
        ('office:value-type="float" office:value="7"', "###", Formatted(7, None, "float", is_final=True)),
        (
            'office:value-type="currency" office:value="3.5"',
            "3,50 €",
            Formatted(3.5, "3,50 €", "currency", is_final=True),
        ),
        (
            'office:value-type="boolean" office:boolean-value="true"',
            "WAHR",
            Formatted(True, "WAHR", "boolean", is_final=True),
        ),
        ('office:value-type="boolean" office:boolean-value="true"', "TRUE", True),
        ('office:value-type="float" office:value="0"', "", Formatted(0, "", "float", is_final=True)),
        (
            'office:value-type="string"',
            "<text:ruby><text:ruby-base>base</text:ruby-base><text:ruby-text>over</text:ruby-text></text:ruby>",
            "base",
        ),
        (
            'office:value-type="date" office:date-value="2026-04-03"',
            "3. April 26",
            Moment("2026-04-03", "3. April 26", "date"),
        ),
        (
            'office:value-type="time" office:time-value="PT36H00M00S"',
            "36:00",
            Moment("36:00", "36:00", "time"),
        ),
    ],
)
def test_cell_of_ods_shows_its_own_text(attributes: str, shown: str, value: object) -> None:
    cell = f"<table:table-cell {attributes}><text:p>{shown}</text:p></table:table-cell>"
    raw = ods({"A": f"{ods_rows(('title',))}<table:table-row>{cell}</table:table-row>"})
    assert cells(raw, "deck.ods") == [value]


@for_each(("make", "row", "name"), [(xlsx, rows, "deck.xlsx"), (ods, ods_rows, "deck.ods")])
def test_further_sheets_are_those_with_values(make: object, row: object, name: str) -> None:
    sheets = {
        "Cards": row(("title",), ("Fox",)),  # type: ignore[operator]
        "Tokens": row(("title",), ("Coin",)),  # type: ignore[operator]
        "Sheet3": "",
        "# notes": row(
            ("x",),
        ),  # type: ignore[operator]
    }
    findings = Findings()
    table = read_table(make(sheets), name, None, findings)  # type: ignore[operator]
    assert table is not None
    assert table.others == ("Tokens",)
    assert not findings.items
    read_rows(make(sheets), name, findings)  # type: ignore[operator]
    assert [(each.code, each.severity) for each in findings] == [("tables/unused-sheet", "warning")]


def test_hidden_sheets_are_no_further_sheets() -> None:
    raw = xlsx({"A": rows(("a",), (1,)), "lists": rows(("b",), (2,))}, hidden=("lists",))
    table = read_table(raw, "deck.xlsx", None, Findings())
    assert table is not None
    assert table.others == ()


@for_each("writer", ["openpyxl", "xlsxwriter"])
def test_workbooks_of_other_programs_show_their_formats(writer: str) -> None:
    import io

    shown = {
        "000": (7, "007"),
        "$#,##0.00": (3.5, "$3.50"),
        "# ?/?": (0.5, "1/2"),
        '"Level "0': (3, "Level 3"),
    }
    raw = io.BytesIO()
    if writer == "openpyxl":
        import openpyxl

        book = openpyxl.Workbook()
        sheet = book.active
        assert sheet is not None
        sheet.append([f"as {code}" for code in shown])
        sheet.append([number for number, _ in shown.values()])
        for cell, code in zip(sheet[2], shown, strict=True):
            cell.number_format = code
        book.save(raw)
    else:
        import xlsxwriter

        with xlsxwriter.Workbook(raw, {"in_memory": True}) as made:
            page = made.add_worksheet()
            for at, (code, (number, _)) in enumerate(shown.items()):
                page.write_string(0, at, f"as {code}")
                page.write_number(1, at, number, made.add_format({"num_format": code}))
    found = cells(raw.getvalue(), "deck.xlsx")
    assert [text_of(each) for each in found if each is not None] == [text for _, text in shown.values()]
