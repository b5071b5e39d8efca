"""Workbooks made by hand: the least that XLSX and ODS ask for, so that tests say every byte of them."""

from __future__ import annotations

from io import BytesIO
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
ODF = "urn:oasis:names:tc:opendocument:xmlns"


def zipped(parts: dict[str, str | bytes]) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def xlsx(
    sheets: dict[str, str],
    *,
    hidden: tuple[str, ...] = (),
    strings: str = "",
    styles: str = "",
    properties: str = "",
    further: dict[str, str] | None = None,
) -> bytes:
    """A workbook; each sheet is the markup of its rows, or of all that is in it if that has `sheetData`."""
    listed, relations, parts = "", "", {}
    for number, (name, rows) in enumerate(sheets.items(), 1):
        state = ' state="hidden"' if name in hidden else ""
        listed += f'<sheet name={quoteattr(name)} sheetId="{number}" r:id="s{number}"{state}/>'
        target = f"worksheets/sheet{number}.xml"
        relations += f'<Relationship Id="s{number}" Type="{OFFICE}/worksheet" Target="{target}"/>'
        inside = rows if "<sheetData" in rows else f"<sheetData>{rows}</sheetData>"
        parts[f"xl/{target}"] = f'<worksheet xmlns="{MAIN}">{inside}</worksheet>'
    for kind, content, root in (("sharedStrings", strings, "sst"), ("styles", styles, "styleSheet")):
        if content:
            relations += f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="/xl/{kind}.xml"/>'
            parts[f"xl/{kind}.xml"] = f'<{root} xmlns="{MAIN}">{content}</{root}>'
    book = f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{properties}<sheets>{listed}</sheets></workbook>'
    first = f'<Relationship Id="w" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    return zipped(
        {
            "_rels/.rels": f'<Relationships xmlns="{PACKAGE}">{first}</Relationships>',
            "xl/workbook.xml": book,
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">{relations}</Relationships>',
            **parts,
            **(further or {}),
        }
    )


def rows(*listed: tuple[object, ...], first: int = 1) -> str:
    """Rows of an XLSX sheet with text and numbers; None leaves a cell out."""
    text = ""
    for number, cells in enumerate(listed, first):
        text += f'<row r="{number}">'
        for column, value in enumerate(cells):
            at = f"{chr(ord('A') + column)}{number}"
            if isinstance(value, bool):
                text += f'<c r="{at}" t="b"><v>{int(value)}</v></c>'
            elif isinstance(value, int | float):
                text += f'<c r="{at}"><v>{value}</v></c>'
            elif value is not None:
                text += f'<c r="{at}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'
        text += "</row>"
    return text


def ods(sheets: dict[str, str], *, styles: str = "", further: dict[str, str] | None = None) -> bytes:
    """A spreadsheet; each sheet is the markup of its rows."""
    names = " ".join(f'xmlns:{name}="{ODF}:{name}:1.0"' for name in ("office", "table", "text", "style"))
    tables = "".join(
        f'<table:table table:name={quoteattr(name)} table:style-name="s-{name}">{content}</table:table>'
        for name, content in sheets.items()
    )
    styled = f"<office:automatic-styles>{styles}</office:automatic-styles>"
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    whole = f"<office:document-content {names}>{styled}{body}</office:document-content>"
    return zipped({"content.xml": whole, **(further or {})})


def ods_rows(*listed: tuple[object, ...]) -> str:
    text = ""
    for cells in listed:
        text += "<table:table-row>"
        for value in cells:
            if isinstance(value, bool):
                said = str(value).lower()
                text += f'<table:table-cell office:value-type="boolean" office:boolean-value="{said}"/>'
            elif isinstance(value, int | float):
                text += f'<table:table-cell office:value-type="float" office:value="{value}"/>'
            elif value is None:
                text += "<table:table-cell/>"
            else:
                paragraphs = "".join(f"<text:p>{escape(line)}</text:p>" for line in str(value).split("\n"))
                text += f'<table:table-cell office:value-type="string">{paragraphs}</table:table-cell>'
        text += "</table:table-row>"
    return text
