"""A sheet as CSV: UTF-8 with a byte order mark, commas, and line ends as Excel and LibreOffice write them.

Without the mark Excel takes the file for the machine's own encoding. Text that a program would take for a
formula is written behind a `'`, which `delimited` takes away again.
"""

from __future__ import annotations

import codecs
import re

from cardgen.tables.sheets import Out, Sheet

_FORMULA = re.compile("[=+\\-@\t\r]|'[=+\\-@\t\r']")
_TO_QUOTE = re.compile('[",;\t\r\n]|^ | $|^#')


def csv_bytes(sheet: Sheet) -> bytes:
    """The bytes of a file."""
    rows = [[heading.name for heading in sheet.headings], *sheet.rows]
    lines = [",".join(cell_text(value) for value in row) for row in rows]
    return codecs.BOM_UTF8 + "".join(f"{line}\r\n" for line in lines).encode()


def cell_text(value: Out | None, sign: str = ",") -> str:
    """A cell as it stands in the file, parted from others by a sign."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    text = f"'{value}" if _FORMULA.match(value) else value
    if not _TO_QUOTE.search(text) and sign not in text:
        return text
    return '"' + text.replace('"', '""') + '"'
