"""Cells of XLSX and ODS workbooks edited in place: all other cells, styles and parts keep their content."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from io import BytesIO
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZipFile

from cardgen.core.records import dataclass, field
from cardgen.files.table_formats import format_of
from cardgen.files.table_sheets import Out, UneditedError
from cardgen.files.table_writing import ods_paragraphs
from cardgen.files.tables import letters
from cardgen.files.workbooks import Archive, Ods, column_number, open_workbook

CellEdits = Mapping[tuple[int, int], Out | None]
"""Values by row, from 1, and column, from 0."""

_TAG_END = re.compile(rb"""<(?:[^>"']|"[^"]*"|'[^']*')*>""")
_CALCULATION = re.compile(rb"<((?:\w+:)?)calcPr\b([^>]*?)(/?)>")
_REFERENCE = re.compile("([A-Z]{1,3})([0-9]+)")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(slots=True)
class _Node:
    """An element with the bytes that it takes: `start` to `end`, its content `begin` to `close`."""

    name: str
    attributes: dict[str, str]
    start: int
    begin: int
    close: int = 0
    end: int = 0
    children: list[_Node] = field(default_factory=list)

    @property
    def local(self) -> str:
        return self.name.rpartition(":")[2]

    @property
    def prefix(self) -> str:
        return self.name[: -len(self.local)]


def edited_workbook(
    raw: bytes, name: str, sheet: str, cells: CellEdits, gone: Collection[int] = ()
) -> bytes:
    """Return a workbook's bytes with other values in cells of a sheet. A cell keeps its style. The rows
    `gone` are removed, if nothing in the file refers to rows by their numbers.

    Raises UneditedError for a cell with a formula and for a file that is built in an unusual way;
    DamagedError and TooLargeError as reading does.
    """
    format = format_of(name)
    archive = Archive(raw)
    parts: dict[str, bytes] = {}
    if format is not None and format.ending == ".xlsx":
        sheets = open_workbook(archive).sheets
        part = sheets[sheet]
        parts[part] = _edited_xlsx(b"".join(archive.blocks(part)), cells)
        others = ("xl/workbook.xml", *(each for each in sheets.values() if each != part))
        if gone and not any(_NAMING.search(b"".join(archive.blocks(each))) for each in others):
            parts[part] = _without_rows(parts[part], gone)
        parts |= _calculated_again(archive, parts)
    else:
        Ods(raw, name)  # raises for a password
        data = _edited_ods(b"".join(archive.blocks("content.xml")), sheet, cells)
        parts["content.xml"] = _without_ods_rows(data, sheet, gone) if gone else data
    return _packed(raw, parts)


def _packed(raw: bytes, parts: Mapping[str, bytes]) -> bytes:
    """Return an archive with other content in some parts. Each part keeps its date and its way of
    packing."""
    made = BytesIO()
    with ZipFile(BytesIO(raw)) as old, ZipFile(made, "w") as new:
        for info in old.infolist():
            new.writestr(info, parts[info.filename] if info.filename in parts else old.read(info))
    return made.getvalue()


def _nodes(data: bytes, names: frozenset[str]) -> list[_Node]:
    """Return the elements of these local names, each within the nearest one around it."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    top: list[_Node] = []
    opened: list[_Node] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] in names:
            at = parser.CurrentByteIndex
            found = _TAG_END.match(data, at)
            if found is None:
                raise UneditedError("the file's text is stored in an unusual way")
            node = _Node(name, attributes, at, found.end())
            (opened[-1].children if opened else top).append(node)
            opened.append(node)

    def end(name: str) -> None:
        if name.rpartition(":")[2] in names:
            node, at = opened.pop(), parser.CurrentByteIndex
            if data[node.begin - 2 : node.begin] == b"/>":
                node.close = node.end = node.begin
            else:
                node.close, node.end = at, data.index(b">", at) + 1

    def refuse(*_: object) -> None:
        raise UneditedError("the file declares a document type")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        raise UneditedError("the file is damaged") from None
    return top


def _spliced(data: bytes, splices: Sequence[tuple[int, int, str]]) -> bytes:
    pieces, at = [], 0
    for start, end, put in sorted(splices, key=lambda each: each[:2]):
        pieces += [data[at:start], put.encode()]
        at = end
    return b"".join((*pieces, data[at:]))


def _opening(node: _Node, *without: str, also: Mapping[str, str] | None = None, closed: bool) -> str:
    """Return an element's start tag, without some attributes and with others."""
    kept = {name: value for name, value in node.attributes.items() if name not in without}
    kept |= also or {}
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in kept.items())
    return f"<{node.name}{attributes}{'/' if closed else ''}>"


# ---------------------------------------------------------------- XLSX

_XLSX = frozenset(("sheetData", "row", "c", "f"))
_OF_VALUE = ("t", "cm", "vm")
"""Attributes of a cell that describe its value."""


def _edited_xlsx(data: bytes, cells: CellEdits) -> bytes:
    top = [node for node in _nodes(data, _XLSX) if node.local == "sheetData"]
    if len(top) != 1:
        raise UneditedError("the sheet is stored in an unusual way")
    rows: dict[int, _Node] = {}
    places: dict[int, dict[int, _Node]] = {}
    styles: dict[int, str] = {}
    for row in top[0].children:
        stated = row.attributes.get("r", "")
        if row.local != "row" or not stated.isdecimal():
            raise UneditedError("its rows have no numbers")
        rows[int(stated)] = row
        places[int(stated)] = found = {}
        for cell in row.children:
            reference = _REFERENCE.fullmatch(cell.attributes.get("r", ""))
            if reference is None:
                raise UneditedError("its cells have no addresses")
            column = column_number(reference[1])
            found[column] = cell
            if "s" in cell.attributes:
                styles[column] = cell.attributes["s"]
    splices: list[tuple[int, int, str]] = []
    new: dict[int, dict[int, Out]] = {}
    for (number, column), value in sorted(cells.items()):
        known = places.get(number, {}).get(column)
        if known is not None:
            if any(each.local == "f" for each in known.children):
                message = f"the cell {letters(column)}{number} contains a formula"
                raise UneditedError(message)
            splices.append((known.start, known.end, _xlsx_cell(known, value)))
        elif value is not None:
            new.setdefault(number, {})[column] = value
    numbers = sorted(rows)
    prefix = top[0].prefix
    below: dict[int, str] = {}
    for number, values in new.items():
        made = {
            column: _xlsx_cell(_new_cell(prefix, number, column, styles), value)
            for column, value in values.items()
        }
        if number not in rows:
            at = bisect_left(numbers, number)
            place = rows[numbers[at]].start if at < len(numbers) else top[0].close
            put = f'<{prefix}row r="{number}">{"".join(made.values())}</{prefix}row>'
            below[place] = below.get(place, "") + put
            continue
        row, others = rows[number], sorted(places[number])
        groups: dict[int, str] = {}
        for column, text in made.items():
            at = bisect_left(others, column)
            place = places[number][others[at]].start if at < len(others) else row.close
            groups[place] = groups.get(place, "") + text
        if row.begin == row.close == row.end:  # a row without content
            put = "".join(groups.values())
            tag = _opening(row, closed=False)
            splices.append((row.start, row.end, f"{tag}{put}</{row.name}>"))
        else:
            splices += [(place, place, put) for place, put in groups.items()]
    if below and top[0].begin == top[0].end:
        put = "".join(below.values())
        splices.append((top[0].start, top[0].end, f"<{top[0].name}>{put}</{top[0].name}>"))
    else:
        splices += [(place, place, put) for place, put in below.items()]
    return _spliced(data, splices)


_NAMING = re.compile(rb"<(?:\w+:)?(?:f|definedName)[\s/>]")
"""Elements outside of a sheet that may name its rows."""
_REFERRING = re.compile(
    rb"<(?:\w+:)?(?:f|mergeCells|hyperlinks|rowBreaks|drawing|legacyDrawing|tableParts|extLst)[\s/>]"
)
"""Elements of a sheet that name rows, or have a place by them. Ranges of checks and colors may stay
longer."""


def _without_rows(data: bytes, gone: Collection[int]) -> bytes:
    """Return a sheet without some rows, those below moved up; the same sheet if something refers to
    rows."""
    if _REFERRING.search(data):
        return data
    removed, splices = sorted(gone), list[tuple[int, int, str]]()
    for row in next(node for node in _nodes(data, _XLSX) if node.local == "sheetData").children:
        number = int(row.attributes["r"])
        at = bisect_left(removed, number)
        if number in gone:
            splices.append((row.start, row.end, ""))
        elif at:
            new = str(number - at)
            splices.append(
                (row.start, row.begin, _opening(row, also={"r": new}, closed=row.begin == row.end))
            )
            for cell in row.children:
                place = f"{cell.attributes['r'].rstrip('0123456789')}{new}"
                tag = _opening(cell, also={"r": place}, closed=cell.begin == cell.end)
                splices.append((cell.start, cell.begin, tag))
    return _spliced(data, splices)


def _new_cell(prefix: str, number: int, column: int, styles: Mapping[int, str]) -> _Node:
    """Return an empty cell with the style of its column's last one."""
    attributes = {"r": f"{letters(column)}{number}"}
    if column in styles:
        attributes["s"] = styles[column]
    return _Node(f"{prefix}c", attributes, 0, 0)


def _xlsx_cell(cell: _Node, value: Out | None) -> str:
    if value is None:
        return _opening(cell, *_OF_VALUE, closed=True)
    name, prefix = cell.name, cell.prefix
    if isinstance(value, str):
        start = _opening(cell, *_OF_VALUE, also={"t": "inlineStr"}, closed=False)
        text = _CONTROL.sub(lambda found: f"_x{ord(found[0]):04X}_", _escaped_signs(value))
        words = f'<{prefix}t xml:space="preserve">{escape(text)}</{prefix}t>'
        return f"{start}<{prefix}is>{words}</{prefix}is></{name}>"
    if isinstance(value, bool):
        start = _opening(cell, *_OF_VALUE, also={"t": "b"}, closed=False)
        return f"{start}<{prefix}v>{int(value)}</{prefix}v></{name}>"
    return f"{_opening(cell, *_OF_VALUE, closed=False)}<{prefix}v>{value!r}</{prefix}v></{name}>"


def _escaped_signs(text: str) -> str:
    """Return a text in which nothing looks like one of Excel's escapes."""
    return re.sub("_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text)


def _calculated_again(archive: Archive, parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the workbook's part with the order to calculate its formulas when it is opened, if it has
    any."""
    place = "xl/workbook.xml"
    if not archive.has(place) or not archive.has("xl/calcChain.xml"):
        return {}
    data = b"".join(archive.blocks(place))
    found = _CALCULATION.search(data)
    if found is None or b"fullCalcOnLoad" in found[2]:
        return {}
    put = b"<" + found[1] + b"calcPr" + found[2] + b' fullCalcOnLoad="1"' + found[3] + b">"
    return {place: data[: found.start()] + put + data[found.end() :]}


# ---------------------------------------------------------------- ODS

_ODS = frozenset(("table", "table-row", "table-cell", "covered-table-cell"))
_ROWS, _COLUMNS = "table:number-rows-repeated", "table:number-columns-repeated"
_KEPT = ("table:style-name", "table:content-validation-name")
_MOST_REPEATED = 10**8


@dataclass(slots=True)
class _Run:
    """Equal rows or cells: the first one's number, and how many there are."""

    node: _Node
    first: int
    times: int


def _runs(nodes: Sequence[_Node], attribute: str, first: int) -> list[_Run]:
    found = []
    for node in nodes:
        stated = node.attributes.get(attribute, "1")
        times = min(int(stated), _MOST_REPEATED) if stated.isdecimal() and stated != "0" else 1
        found.append(_Run(node, first, times))
        first += times
    return found


def _ods_rows(data: bytes, sheet: str) -> tuple[_Node, list[_Run]]:
    """Return a sheet's element and its rows."""
    tables = [
        node
        for node in _nodes(data, _ODS)
        if node.name == "table:table" and node.attributes.get("table:name") == sheet
    ]
    if len(tables) != 1:
        raise UneditedError("the sheet is stored in an unusual way")
    children = [each for each in tables[0].children if each.local == "table-row"]
    return tables[0], _runs(children, _ROWS, 1)


_ODS_REFERRING = re.compile(
    rb"<table:(?:named-range|named-expression|database-range|data-pilot-table|consolidation|tracked-changes)"
    rb"[\s/>]|<draw:object[\s/>]|\stable:(?:formula=|condition=\"[^\"]*\[|number-rows-spanned=\"(?!1\"))"
    rb"|\sxlink:href=\"#"
)
"""Parts of a file that may name rows. Ranges of colors and of printing may stay longer."""
_NO_ROWS = re.compile(rb"<table:table-(?:row-group|rows|header-rows)\b[^>]*>\s*</")


def _without_ods_rows(data: bytes, sheet: str, gone: Collection[int]) -> bytes:
    """Return a file with a sheet without some rows; the same file if something may refer to rows, or if a
    group of rows would be left without any."""
    if _ODS_REFERRING.search(data):
        return data
    splices = []
    for run in _ods_rows(data, sheet)[1]:
        if less := sum(run.first <= number < run.first + run.times for number in gone):
            splices.append((run.node.start, run.node.end, _repeated(data, run.node, run.times - less)))
    made = _spliced(data, splices)
    return data if _NO_ROWS.search(made) else made


def _edited_ods(data: bytes, sheet: str, cells: CellEdits) -> bytes:
    table, rows = _ods_rows(data, sheet)
    looks: dict[int, str] = {}
    for row in rows:
        for run in _runs(row.node.children, _COLUMNS, 0):
            if run.times == 1 and "table:style-name" in run.node.attributes:
                looks[run.first] = run.node.attributes["table:style-name"]
    by_row: dict[int, dict[int, Out | None]] = {}
    for (number, column), value in sorted(cells.items()):
        by_row.setdefault(number, {})[column] = value
    splices: list[tuple[int, int, str]] = []
    last = rows[-1].first + rows[-1].times if rows else 1
    added = ""
    for run in rows:
        inside = {n: by_row.pop(n) for n in list(by_row) if run.first <= n < run.first + run.times}
        if not inside:
            continue
        pieces, at = [], run.first
        for number, values in sorted(inside.items()):
            pieces += [_repeated(data, run.node, number - at), _ods_row(data, run.node, values, looks)]
            at = number + 1
        pieces.append(_repeated(data, run.node, run.first + run.times - at))
        splices.append((run.node.start, run.node.end, "".join(pieces)))
    for number, values in sorted(by_row.items()):
        if number > last:
            added += f'<table:table-row {_ROWS}="{number - last}"><table:table-cell/></table:table-row>'
        empty = _Node("table:table-row", {}, 0, 0)
        added += _ods_row(data, empty, values, looks)
        last = number + 1
    if added:
        place = max((row.node.end for row in rows), default=table.close)
        splices.append((place, place, added))
    return _spliced(data, splices)


def _repeated(data: bytes, row: _Node, times: int) -> str:
    if times <= 0:
        return ""
    also = {_ROWS: str(times)} if times > 1 else {}
    inner = data[row.begin : row.close].decode()
    return f"{_opening(row, _ROWS, also=also, closed=False)}{inner}</{row.name}>"


def _ods_row(data: bytes, row: _Node, values: Mapping[int, Out | None], looks: Mapping[int, str]) -> str:
    """Return one row with other values."""
    left = dict(values)
    pieces = [_opening(row, _ROWS, closed=False)]
    at = 0
    for run in _runs(row.children, _COLUMNS, 0):
        end = run.first + run.times
        inside = sorted(column for column in left if run.first <= column < end)
        at = run.first
        if inside and ("table:formula" in run.node.attributes or run.node.local != "table-cell"):
            raise UneditedError(
                f"the cell {letters(inside[0])} contains a formula, or is part of a larger one"
            )
        for column in inside:
            pieces.append(_same_cells(data, run.node, column - at))
            pieces.append(_ods_cell(run.node.attributes, left.pop(column)))
            at = column + 1
        pieces.append(_same_cells(data, run.node, end - at))
        at = end
    for column, value in sorted(left.items()):
        if column > at:
            pieces.append(f'<table:table-cell {_COLUMNS}="{column - at}"/>')
        look = {"table:style-name": looks[column]} if column in looks else {}
        pieces.append(_ods_cell(look, value))
        at = column + 1
    return "".join((*pieces, f"</{row.name}>"))


def _same_cells(data: bytes, cell: _Node, times: int) -> str:
    if times <= 0:
        return ""
    also = {_COLUMNS: str(times)} if times > 1 else {}
    inner = data[cell.begin : cell.close].decode()
    return f"{_opening(cell, _COLUMNS, also=also, closed=False)}{inner}</{cell.name}>"


def _ods_cell(attributes: Mapping[str, str], value: Out | None) -> str:
    kept = {name: attributes[name] for name in _KEPT if name in attributes}
    if value is None:
        return _opening(_Node("table:table-cell", kept, 0, 0), closed=True)
    shown = (
        value if isinstance(value, str) else str(value).upper() if isinstance(value, bool) else repr(value)
    )
    if isinstance(value, str):
        if _CONTROL.search(value):
            raise UneditedError("the text contains an invisible character")
        kind = {"office:value-type": "string"}
    elif isinstance(value, bool):
        kind = {"office:value-type": "boolean", "office:boolean-value": str(value).lower()}
    else:
        kind = {"office:value-type": "float", "office:value": repr(value)}
    start = _opening(_Node("table:table-cell", kept, 0, 0), also=kind, closed=False)
    return f"{start}{ods_paragraphs(shown)}</table:table-cell>"
