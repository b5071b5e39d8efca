"""Sheets as files: ODS here, other formats by their modules."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from importlib import import_module
from xml.sax.saxutils import escape, quoteattr

from cardgen.core.findings import Findings, Location
from cardgen.files.table_formats import FORMATS
from cardgen.files.table_sheets import MOST_TEXT, Out, Sheet

_MIME = "application/vnd.oasis.opendocument.spreadsheet"
_NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" '
    'xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" '
    'xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0" '
    'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" '
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" '
    'office:version="1.3"'
)
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_CHARACTER = 0.2
"""Centimetres of a column's width for each character."""
_SPARE = 500
"""Rows below the last one that have the choices, too."""
_SPACES = re.compile("^ +| {2,}| +$|\t")
_TEXT, _PLAIN, _TITLE = "text", "plain", "title"


def ods_bytes(sheets: Sequence[Sheet]) -> bytes:
    """The bytes of a file."""
    raw = io.BytesIO()
    parts = {
        "mimetype": _MIME,
        "content.xml": _content(sheets),
        "styles.xml": f"{_HEAD}<office:document-styles {_NAMES}/>",
        "settings.xml": _settings(sheets),
        "META-INF/manifest.xml": _manifest(),
    }
    with zipfile.ZipFile(raw, "w") as archive:
        for name, content in parts.items():
            # No time of day, for the same bytes. The first part says what the file is, unpacked.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return raw.getvalue()


def _content(sheets: Sequence[Sheet]) -> str:
    widths = sorted({width for sheet in sheets for width in sheet.widths()})
    validations: dict[tuple[str, ...], str] = {}
    tables = [line for sheet in sheets for line in _table(sheet, validations)]
    return "\n".join(
        (
            f"{_HEAD}<office:document-content {_NAMES}>",
            "<office:automatic-styles>",
            '<number:text-style style:name="as-text"><number:text-content/></number:text-style>',
            *(
                f'<style:style style:name="w{width}" style:family="table-column">'
                "<style:table-column-properties "
                f'style:column-width="{width * _CHARACTER:.2f}cm"/></style:style>'
                for width in widths
            ),
            _cell_style(_PLAIN, ""),
            _cell_style(_TEXT, ' style:data-style-name="as-text"'),
            _cell_style(_TITLE, ' style:data-style-name="as-text"', bold=True),
            "</office:automatic-styles>",
            "<office:body><office:spreadsheet>",
            *_validations(validations),
            *tables,
            "</office:spreadsheet></office:body></office:document-content>",
        )
    )


def _cell_style(name: str, extra: str, *, bold: bool = False) -> str:
    look = 'style:vertical-align="top" fo:wrap-option="wrap"' + (' fo:background-color="#e7e6e6"' * bold)
    text = '<style:text-properties fo:font-weight="bold"/>' * bold
    return (
        f'<style:style style:name="{name}" style:family="table-cell"{extra}>'
        f"<style:table-cell-properties {look}/>{text}</style:style>"
    )


def _validations(found: dict[tuple[str, ...], str]) -> Iterator[str]:
    if not found:
        return
    yield "<table:content-validations>"
    for choices, name in found.items():
        listed = ";".join('"' + each.replace('"', '""') + '"' for each in choices)
        condition = quoteattr(f"of:cell-content-is-in-list({listed})")
        yield (
            f'<table:content-validation table:name="{name}" table:condition={condition} '
            'table:allow-empty-cell="true" table:display-list="unsorted">'
            '<table:error-message table:message-type="warning" table:display="true">'
            "<text:p>None of the values that the game’s schema names.</text:p></table:error-message>"
            "</table:content-validation>"
        )
    yield "</table:content-validations>"


def _table(sheet: Sheet, validations: dict[tuple[str, ...], str]) -> Iterator[str]:
    yield f"<table:table table:name={quoteattr(sheet.name)}>"
    checks = []
    for heading, width in zip(sheet.headings, sheet.widths(), strict=True):
        style = _TEXT if heading.is_text else _PLAIN
        yield f'<table:table-column table:style-name="w{width}" table:default-cell-style-name="{style}"/>'
        name = ""
        if heading.choices:
            name = validations.setdefault(heading.choices, f"choices-{len(validations) + 1}")
        named = f' table:content-validation-name="{name}"' if name else ""
        checks.append(f' table:style-name="{style}"{named}')
    yield "<table:table-header-rows><table:table-row>"
    for heading in sheet.headings:
        note = f"<office:annotation>{_paragraphs(heading.note)}</office:annotation>" if heading.note else ""
        yield (
            f'<table:table-cell table:style-name="{_TITLE}" office:value-type="string">'
            f"{note}{_paragraphs(heading.name)}</table:table-cell>"
        )
    yield "</table:table-row></table:table-header-rows>"
    for row in sheet.rows:
        yield f"<table:table-row>{''.join(map(_cell, row, checks))}</table:table-row>"
    spare = "".join(f"<table:table-cell{check}/>" for check in checks)
    yield f'<table:table-row table:number-rows-repeated="{_SPARE}">{spare}</table:table-row></table:table>'


def _cell(value: Out | None, look: str) -> str:
    if value is None:
        return f"<table:table-cell{look}/>"
    if isinstance(value, bool):
        said = "true" if value else "false"
        typed, shown = f'office:value-type="boolean" office:boolean-value="{said}"', said.upper()
    elif isinstance(value, str):
        typed, shown = 'office:value-type="string"', value
    else:
        typed, shown = f'office:value-type="float" office:value="{value!r}"', f"{value!r}"
    return f"<table:table-cell{look} {typed}>{_paragraphs(shown)}</table:table-cell>"


def _paragraphs(text: str) -> str:
    return "".join(f"<text:p>{_SPACES.sub(_spaces, escape(line))}</text:p>" for line in text.split("\n"))


def _spaces(found: re.Match[str]) -> str:
    """Spaces that XML would make one of, or none."""
    return "<text:tab/>" if found.group() == "\t" else f'<text:s text:c="{len(found.group())}"/>'


def _settings(sheets: Sequence[Sheet]) -> str:
    """The first row and column of each sheet stay in sight."""
    frozen = "".join(
        f'<config:config-item config:name="{name}" config:type="{kind}">{value}</config:config-item>'
        for name, kind, value in (
            ("HorizontalSplitMode", "short", 2),
            ("VerticalSplitMode", "short", 2),
            ("HorizontalSplitPosition", "int", 1),
            ("VerticalSplitPosition", "int", 1),
            ("ActiveSplitRange", "short", 3),
            ("PositionRight", "int", 1),
            ("PositionBottom", "int", 1),
        )
    )
    entries = "".join(
        f"<config:config-item-map-entry config:name={quoteattr(sheet.name)}>{frozen}"
        "</config:config-item-map-entry>"
        for sheet in sheets
    )
    return (
        f"{_HEAD}<office:document-settings {_NAMES}><office:settings>"
        '<config:config-item-set config:name="ooo:view-settings">'
        '<config:config-item-map-indexed config:name="Views"><config:config-item-map-entry>'
        f'<config:config-item-map-named config:name="Tables">{entries}</config:config-item-map-named>'
        "</config:config-item-map-entry></config:config-item-map-indexed></config:config-item-set>"
        "</office:settings></office:document-settings>"
    )


def _manifest() -> str:
    names = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    parts = ("content.xml", "styles.xml", "settings.xml")
    entries = [("/", _MIME), *((name, "text/xml") for name in parts)]
    listed = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{mime}"/>'
        for path, mime in entries
    )
    whole = (
        f'<manifest:manifest xmlns:manifest="{names}" manifest:version="1.3">{listed}</manifest:manifest>'
    )
    return f"{_HEAD}{whole}"


def write_sheets(sheets: Sequence[Sheet], ending: str, name: str, findings: Findings) -> bytes:
    """The bytes of a file: `.xlsx`, `.ods`, or `.csv` of one sheet. The same sheets give the same bytes.
    A finding for each cell that is too long for a program; the file is then of no use."""
    for sheet in sheets:
        for row in sheet.rows:
            long = [at for at, cell in enumerate(row) if isinstance(cell, str) and len(cell) > MOST_TEXT]
            if long:
                field = sheet.headings[long[0]].name
                message = f"{sheet.name}: {row[0]}: {field} has more than {MOST_TEXT:,} characters"
                hint = "no cell of a spreadsheet can have more; leave the component out with --component"
                findings.error("tables/size", message, Location(name), hint)
    writer = FORMATS[ending].writer
    assert writer is not None
    module, _, called = writer.partition(":")
    content: bytes = getattr(import_module(module), called)(sheets)
    return content
