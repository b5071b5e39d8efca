"""CSV and TSV: text to a grid.

The delimiter is that of the first line: a comma, a semicolon (as spreadsheets in much of Europe write it,
whose numbers then have a decimal comma) or a tab; a first line `sep=;` says so. Quotes stand around a cell,
twice within it. The text is UTF-8, or UTF-16 with a byte order mark; else Windows' western one, with a
warning. A cell that begins with `'=`, `'+`, `'-`, `'@`, `'` and a tab, or `''` is text as it stands behind
the first `'`: so is text written that a spreadsheet program would take for a formula.
"""

from __future__ import annotations

import codecs
import re

from cardgen.findings import Findings, Location
from cardgen.tables.grid import Grid, is_comment
from cardgen.tables.meter import COLUMNS, SEEN
from cardgen.tables.table import Lines, letters
from cardgen.tables.values import ERRORS, Fault

_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\r?(?:\n|\Z)', re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_BREAK = re.compile("\r\n|[\r\n]")
_ESCAPED = re.compile("'(?=[=+\\-@\t\r'])")
_TEXT_FORMULA = re.compile('="((?:[^"]|"")*+)"')
"""How programs export text that spreadsheets would otherwise take for a number: `="007"`."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ZEROS = 4
"""What has more than one zero byte in so many characters is no text, but a binary file or UTF-16."""
_SAVE = "save the file as CSV with the encoding UTF-8"


def read_delimited(raw: bytes, name: str, delimiter: str | None, findings: Findings) -> Grid | None:
    """The grid of a text file; `delimiter` is None where the text is to say it. None after findings.
    Raises TooLargeError."""
    text = _decoded(raw, name, findings)
    if text is None:
        return None
    start = 0
    if found := _SEPARATOR.match(text):
        delimiter, start = found[1], found.end()
    sign = delimiter or _guessed(text)
    grid = Grid(name, lines=Lines(text), decimal_comma=sign == ";")
    return grid if _fill(grid, start, sign, findings) else None


def _decoded(raw: bytes, name: str, findings: Findings) -> str | None:
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            try:
                return _checked(raw[len(mark) :].decode(encoding), name, findings)
            except UnicodeDecodeError:
                message = f"the file begins as {encoding.upper()} does, but is not"
                findings.error("tables/encoding", message, Location(name), _SAVE)
                return None
    try:
        return _checked(raw.decode("utf-8"), name, findings)
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8", "replace")
        lines = _BREAK.split(before)
        place = Location(name, len(lines), len(lines[-1]) + 1)
        byte = f"the byte 0x{raw[error.start]:02x} is not UTF-8"
    try:
        text = raw.decode("cp1252")
    except UnicodeDecodeError:
        findings.error("tables/encoding", byte, place, _SAVE)
        return None
    line = _BREAK.split(text)[len(lines) - 1][:60]
    message = f"{byte}; the file is read as Windows' western encoding: '{line}'"
    findings.warning("tables/encoding", message, place, _SAVE)
    return _checked(text, name, findings)


def _checked(text: str, name: str, findings: Findings) -> str | None:
    zeros = text.count("\0")
    if zeros * _ZEROS <= len(text):
        return text
    lines = _BREAK.split(text[: text.index("\0")])
    message = f"the file is no text: {zeros:,} of its {len(text):,} characters are U+0000"
    place = Location(name, len(lines), len(lines[-1]) + 1)
    findings.error("tables/character", message, place, "save the table as CSV")
    return None


def _guessed(text: str) -> str:
    """The delimiter that the first line with words has most of."""
    for line in _BREAK.split(_QUOTED.sub("", text[:200_000])):
        if line.strip(" ,;\t") and not is_comment(line.strip(" ,;\t")):
            return max(",;\t", key=line.count)
    return ","


def _fill(grid: Grid, at: int, sign: str, findings: Findings) -> bool:
    """Read all rows; whether nothing was wrong."""
    text = grid.lines.text
    cell = re.compile(rf'"((?:[^"]|"")*+)"([^{sign}\r\n]*)|([^{sign}\r\n]*)')
    row, column = 1, 0
    starts: list[int] = []
    good = True
    while at < len(text):
        found = cell.match(text, at)
        assert found is not None  # the last form takes anything
        if column <= COLUMNS.most:
            starts.append(at)
        inside, behind, bare = found.groups()
        if inside is None and bare.startswith('"'):
            place = grid.place(at, f"{letters(column)}{row}")
            hint = 'write a quote within a quoted cell twice: "He said ""Ha!"""'
            findings.error("tables/quote", "the quoted cell that starts here is not closed", place, hint)
            return False
        if behind and behind.strip():
            place = grid.place(at, f"{letters(column)}{row}")
            message = f"'{behind.strip()[:40]}' stands behind the quoted cell that starts here"
            hint = 'put the whole cell in quotes, and those within it twice: "He said ""Ha!"""'
            findings.error("tables/quote", message, place, hint)
            good = False
        content = (bare if inside is None else inside.replace('""', '"')).strip()
        if formula := _TEXT_FORMULA.fullmatch(content):
            content = formula[1].replace('""', '"').strip()
        if not content:
            grid.meter.charge(SEEN)
        elif content in ERRORS:
            grid.put(row, column, Fault(content))
        else:
            grid.put(row, column, content[1:] if _ESCAPED.match(content) else content)
        at = found.end()
        if text.startswith(sign, at):
            at += len(sign)
            column += 1
            continue
        if row in grid.rows:
            grid.starts[row], grid.ends[row] = starts, at
        at += 2 if text.startswith("\r\n", at) else 1
        row, column, starts = row + 1, 0, []
    if starts and row in grid.rows:
        grid.starts[row], grid.ends[row] = starts, at
    return good
