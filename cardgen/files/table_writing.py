"""Sheets as files: ODS here, by the templates of its parts in `ods/`; other formats by their modules."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from importlib import import_module
from xml.sax.saxutils import escape as xml_escape

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from cardgen.core.findings import Findings, Location
from cardgen.files.reading import read_bundled
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
_SPACES = re.compile("^ +| {2,}| +$|\t")
_PARTS = {
    "content.xml": "content.xml",
    "styles.xml": "styles.xml",
    "settings.xml": "settings.xml",
    "META-INF/manifest.xml": "manifest.xml",
}
"""The parts of a file besides its kind, and their templates."""


def ods_bytes(sheets: Sequence[Sheet]) -> bytes:
    """Return the bytes of a file."""
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    environment.filters |= {"paragraphs": ods_paragraphs, "listed": _listed}
    environment.globals["cells"] = _cells
    said = {
        "mime": _MIME,
        "names": Markup(_NAMES),
        "sheets": sheets,
        "widths": sorted({width for sheet in sheets for width in sheet.widths()}),
        "choices": list(
            dict.fromkeys(each.choices for sheet in sheets for each in sheet.headings if each.choices)
        ),
    }
    parts = {"mimetype": _MIME}
    for name, template in _PARTS.items():
        source = read_bundled("files/ods", template).decode("utf-8")
        parts[name] = environment.from_string(source).render(said)
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, content in parts.items():
            # No time of day, for the same bytes. The first part gives the type, so it is not compressed.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return raw.getvalue()


def _cells(row: Sequence[Out | None], looks: Sequence[str]) -> Markup:
    """Return the cells of a row. They are written here, because a template takes seven times as long."""
    return Markup("".join(map(_cell, row, looks)))


def _cell(value: Out | None, look: str) -> str:
    if value is None:
        return f"<table:table-cell{look}/>"
    if isinstance(value, bool):
        said = "true" if value else "false"
        typed, shown = f'office:value-type="boolean" office:boolean-value="{said}"', said.upper()
    elif isinstance(value, str):
        typed, shown = 'office:value-type="string"', value
    else:
        typed, shown = f'office:value-type="float" office:value="{value!r}"', repr(value)
    return f"<table:table-cell{look} {typed}>{ods_paragraphs(shown)}</table:table-cell>"


def ods_paragraphs(text: str) -> Markup:
    """Return a paragraph per line of a text, with elements for spaces that XML would collapse."""
    lines = (_SPACES.sub(_spaces, xml_escape(line)) for line in text.split("\n"))
    return Markup("".join(f"<text:p>{line}</text:p>" for line in lines))


def _spaces(found: re.Match[str]) -> str:
    return "<text:tab/>" if found.group() == "\t" else f'<text:s text:c="{len(found.group())}"/>'


def _listed(choices: Sequence[str]) -> str:
    """Return choices as a formula lists them."""
    return ";".join('"' + each.replace('"', '""') + '"' for each in choices)


def write_sheets(sheets: Sequence[Sheet], ending: str, name: str, findings: Findings) -> bytes:
    """Return the bytes of a file: `.xlsx`, `.ods`, or `.csv` of one sheet. The same sheets give the same
    bytes. Add a finding for each cell that is too long for a program; the file is then unusable."""
    for sheet in sheets:
        for row in sheet.rows:
            long = [at for at, cell in enumerate(row) if isinstance(cell, str) and len(cell) > MOST_TEXT]
            if long:
                field = sheet.headings[long[0]].name
                message = f"{sheet.name}: {row[0]}: {field} has more than {MOST_TEXT:,} characters"
                hint = "shorten it, or select the other components with --component"
                findings.error("tables/size", message, Location(name), hint)
    writer = FORMATS[ending].writer
    assert writer is not None
    module, _, called = writer.partition(":")
    content: bytes = getattr(import_module(module), called)(sheets)
    return content
