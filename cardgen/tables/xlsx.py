"""XLSX: a sheet of an Office Open XML workbook to a grid. Formulas give the values they came to when the
file was saved."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from posixpath import dirname, join, normpath

from cardgen.tables.archive import Archive, StopError, Walk, read_markup
from cardgen.tables.grid import Grid
from cardgen.tables.meter import STYLES, TEXT, TEXTS, DamagedError, Meter, TooLargeError
from cardgen.tables.moments import of_serial
from cardgen.tables.number_formats import (
    BUILT_IN,
    SYSTEM_DATES,
    Format,
    format_of,
    shown_number,
    shown_text,
)
from cardgen.tables.rich_text import Run, rich_text, without_own
from cardgen.tables.values import Fault, Formatted, Moment, Rich, Value, number_text, plain_number, unified

_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_ESCAPES = re.compile("(?:_x[0-9A-Fa-f]{4}_)+")
_PLAIN: frozenset[str] = frozenset()
_OFF = frozenset(("0", "false", "none"))


@dataclass(slots=True)
class Workbook:
    """A workbook's sheets: the name and the part of each, and the names of those that are hidden."""

    sheets: dict[str, str] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    parts: dict[str, str] = field(default_factory=dict)
    """Shared strings and styles."""
    from_1904: bool = False


def open_workbook(archive: Archive) -> Workbook:
    """What a workbook consists of. Raises DamagedError and TooLargeError, as all here."""
    first = _Relations()
    place = "xl/workbook.xml"
    if archive.has("_rels/.rels"):
        read_markup(archive, "_rels/.rels", first)
        place = next((target for kind, target in first.found.values() if kind == "officeDocument"), place)
        place = normpath(place.lstrip("/"))
    book = _Book()
    read_markup(archive, place, book)
    folder = dirname(place)
    relations = _Relations()
    rels = join(folder, "_rels", f"{place.rpartition('/')[2]}.rels")
    if archive.has(rels):
        read_markup(archive, rels, relations)
    workbook = Workbook(from_1904=book.from_1904)
    targets: dict[str, str] = {}
    for id, (kind, target) in relations.found.items():
        part = normpath(target.lstrip("/") if target.startswith("/") else join(folder, target))
        if kind in ("sharedStrings", "styles"):
            workbook.parts[kind] = part
        elif kind == "worksheet":  # others are sheets of charts
            targets[id] = part
    for name, id, hidden in book.sheets:
        if id in targets:
            workbook.sheets[name] = targets[id]
            workbook.hidden.update([name] if hidden else [])
    return workbook


def read_sheet(archive: Archive, workbook: Workbook, sheet: str, name: str) -> Grid:
    """The grid of a sheet of that name."""
    strings, styles = _Strings(), _Styles()
    if (part := workbook.parts.get("sharedStrings")) is not None and archive.has(part):
        read_markup(archive, part, strings)
    if (part := workbook.parts.get("styles")) is not None and archive.has(part):
        read_markup(archive, part, styles)
    grid = Grid(name, sheet, meter=archive.meter)
    walk = _Sheet(grid, strings.found, styles, workbook.from_1904)
    read_markup(archive, workbook.sheets[sheet], walk)
    return grid


class _Values(Walk):
    """Looks for the first value of a sheet."""

    def __init__(self) -> None:
        self._inside = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._inside = name in ("v", "t")

    def text(self, words: str) -> None:
        if self._inside and words.strip():
            raise StopError


def has_values(archive: Archive, workbook: Workbook, sheet: str) -> bool:
    """Whether anything stands in a sheet of that name, as far as it can be read."""
    try:
        read_markup(archive, workbook.sheets[sheet], _Values())
    except StopError:
        return True
    except (DamagedError, TooLargeError):
        return False
    return False


class _Relations(Walk):
    def __init__(self) -> None:
        self.found: dict[str, tuple[str, str]] = {}

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            kind = attributes.get("Type", "").rpartition("/")[2]
            self.found[attributes.get("Id", "")] = kind, attributes.get("Target", "")


class _Book(Walk):
    def __init__(self) -> None:
        self.sheets: list[tuple[str, str, bool]] = []
        self.from_1904 = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sheet":
            hidden = attributes.get("state", "visible") != "visible"
            self.sheets.append((attributes.get("name", ""), attributes.get("id", ""), hidden))
        elif name == "workbookPr":
            self.from_1904 = attributes.get("date1904") in ("1", "true")


class _Text(Walk):
    """Gathers the text of `t` elements and the marks of the runs that they are in, but for those that spell
    words out (`rPh`)."""

    def __init__(self) -> None:
        self._runs: list[tuple[str, frozenset[str] | None]] = []
        self._words: list[str] = []
        self._length = 0
        self._open = self._aside = False
        self._marks: set[str] | None = None

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "rPh":
            self._aside = True
        elif name == "r":
            self._marks = None
        elif name == "rPr":
            self._marks = set()
        elif self._marks is not None and (mark := _mark(name, attributes)):
            self._marks.add(mark)
        self._open = name == "t" and not self._aside

    def end(self, name: str) -> None:
        if name == "rPh":
            self._aside = False
        elif name == "t":
            self._open = False
        elif name == "r":
            self._end_run()

    def _end_run(self) -> None:
        if self._words:
            marks = None if self._marks is None else frozenset(self._marks)
            self._runs.append((_unescaped("".join(self._words)), marks))
        self._words, self._marks = [], None

    def text(self, words: str) -> None:
        if self._open:
            self._length += len(words)
            if self._length > TEXT.most:
                raise TEXT.exceeded("a cell")
            self._words.append(words)

    def taken(self) -> _Said:
        """The text so far, which then begins anew."""
        self._length = 0
        if not self._runs:
            if not self._words:
                return ""
            if not self._marks:
                text, self._words = _unescaped("".join(self._words)), []
                return text
        self._end_run()
        runs, self._runs = self._runs, []
        if any(marks for _, marks in runs) or len({marks is None for _, marks in runs}) > 1:
            return tuple(runs)
        return "".join(text for text, _ in runs)


_Said = str | tuple[tuple[str, frozenset[str] | None], ...]
"""Plain text, or runs of text with their marks; None stands for those of the cell."""


def _mark(name: str, attributes: Mapping[str, str]) -> str:
    """The mark that an element of a font's look stands for; empty for none."""
    stated = attributes.get("val", "1")
    if name == "vertAlign":
        return {"superscript": "raised", "subscript": "lowered"}.get(stated, "")
    found = {"b": "bold", "i": "italic", "strike": "strike", "u": "underline"}.get(name, "")
    return "" if stated in _OFF else found


def _unescaped(text: str) -> str:
    return _ESCAPES.sub(_characters, text) if "_x" in text else text


def _characters(found: re.Match[str]) -> str:
    """Escapes as characters; two halves of one that stand together are one."""
    units = "".join(chr(int(each, 16)) for each in found[0][2:-1].split("__x"))
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class _Strings(_Text):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[_Said] = []

    def end(self, name: str) -> None:
        super().end(name)
        if name == "si":
            Meter.limit(TEXTS, len(self.found) + 1)
            said = self.taken()
            self.found.append(unified(said).strip() if isinstance(said, str) else said)


class _Styles(Walk):
    """The number format and the marks of each style of cells."""

    def __init__(self) -> None:
        self._codes: dict[int, str] = {}
        self._fonts: list[set[str]] = []
        self._part = ""
        self.of: list[_Style] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name in ("fonts", "cellXfs"):
            self._part = name
        elif name == "numFmt":
            self._codes[_whole(attributes.get("numFmtId"))] = attributes.get("formatCode", "")
        elif name == "font" and self._part == "fonts":
            Meter.limit(STYLES, len(self._fonts) + 1)
            self._fonts.append(set())
        elif self._part == "fonts" and self._fonts and (mark := _mark(name, attributes)):
            self._fonts[-1].add(mark)
        elif name == "xf" and self._part == "cellXfs":
            Meter.limit(STYLES, len(self.of) + 1)
            number, font = _whole(attributes.get("numFmtId")), _whole(attributes.get("fontId"))
            marks = frozenset(self._fonts[font]) if 0 <= font < len(self._fonts) else _PLAIN
            self.of.append(_style(number, self._codes.get(number), marks))

    def end(self, name: str) -> None:
        if name == self._part:
            self._part = ""


@dataclass(frozen=True, slots=True)
class _Style:
    """How a cell shows what it holds. `format` is None for none at all, and where the `code` can't be
    worked out."""

    code: str = ""
    format: Format | None = None
    is_date: bool = False
    marks: frozenset[str] = _PLAIN


def _style(number: int, stated: str | None, marks: frozenset[str]) -> _Style:
    code = BUILT_IN.get(number, "") if stated is None else stated
    if code.lower() == "general":
        code = ""
    if stated is None and number in SYSTEM_DATES:
        return _Style(f"[{number}]", None, is_date=True, marks=marks)
    format = format_of(code) if code else None
    return _Style(code, format, _is_date(code) if format is None else format.is_date, marks)


def _is_date(code: str) -> bool:
    """Whether a code that can't be worked out is for dates."""
    shown = _SILENT.sub("", code[:500].partition(";")[0]).replace("General", "")
    return re.search("[dmyhs]", shown, re.IGNORECASE) is not None


_SILENT = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
"""What in a format's code says nothing of what kind of number it shows."""


def _whole(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 9 else -1


class _Sheet(_Text):
    """The cells of a sheet. Where a row or a cell does not say which it is, it is the next."""

    def __init__(self, grid: Grid, strings: Sequence[_Said], styles: _Styles, from_1904: bool) -> None:
        super().__init__()
        self._grid, self._strings, self._styles, self._from_1904 = grid, strings, styles, from_1904
        self._row, self._column = 0, -1
        self._kind, self._style = "", -1
        self._formula = self._raw = False
        self._value: list[str] = []
        self._shared: dict[tuple[int, int], str | Rich] = {}
        """Shared texts as cells of a style show them, each made once."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "c":
            self._begin(attributes)
        elif name == "v":
            self._raw = True
        elif name == "row":
            number = _whole(attributes.get("r"))
            self._row = number if number > 0 else self._row + 1
            self._column = -1
        elif name == "f":
            self._formula = True
        elif name == "mergeCell":
            self._merge(attributes.get("ref", ""))
        else:
            super().start(name, attributes)

    def _begin(self, attributes: Mapping[str, str]) -> None:
        found = _REFERENCE.fullmatch(attributes.get("r", ""))
        if found:
            self._column, self._row = _column(found[1]), int(found[2])
        else:
            self._column += 1
        self._kind = attributes.get("t", "n")
        self._style = _whole(attributes.get("s", "0"))
        self._formula, self._value = False, []
        if self._words or self._runs:
            self.taken()  # text outside of cells

    def _merge(self, reference: str) -> None:
        first, _, last = reference.partition(":")
        one, other = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
        if one and other:
            self._grid.merge(int(one[2]), _column(one[1]), int(other[2]), _column(other[1]))

    def text(self, words: str) -> None:
        if not self._raw:
            super().text(words)
        else:
            self._length += len(words)
            if self._length > TEXT.most:
                raise TEXT.exceeded("a cell")
            self._value.append(words)

    def end(self, name: str) -> None:
        if name == "v":
            self._raw = False
        elif name == "c":
            value = self._read("".join(self._value), self.taken())
            self._value = []
            if value is not None:
                self._grid.put(self._row, self._column, value)
        else:
            super().end(name)

    def _read(self, raw: str, said: _Said) -> Value | None:
        kind = self._kind
        if kind == "inlineStr":
            return self._text(said or _unescaped(raw))
        if not raw:
            return Fault("") if self._formula and kind not in ("str", "s") else None
        if kind == "s":
            at = _whole(raw.strip())
            if not 0 <= at < len(self._strings):
                raise DamagedError("a cell names a text that the file does not have")
            if (at, self._style) not in self._shared:
                self._shared[at, self._style] = self._text(self._strings[at])
            return self._shared[at, self._style]
        if kind == "str":
            return self._text(_unescaped(raw))
        if kind == "b":
            return raw.strip() not in ("0", "false")
        if kind == "e":
            return Fault(raw.strip()[:40])
        if kind == "d":
            return Moment(raw.strip()[:40], raw.strip()[:40])
        try:
            number = float(raw)
        except ValueError:
            return raw
        return self._number(number)

    @property
    def _look(self) -> _Style:
        of = self._styles.of
        return of[self._style] if 0 <= self._style < len(of) else _GENERAL

    def _text(self, said: _Said) -> str | Rich:
        look = self._look
        if isinstance(said, str):
            return said if look.format is None else shown_text(unified(said), look.format)
        runs: list[Run] = [(text, look.marks if marks is None else marks) for text, marks in said]
        return rich_text(without_own(runs, look.marks))

    def _number(self, number: float) -> Value:
        if not isfinite(number):
            return Fault("#NUM!")
        look = self._look
        if not look.code:
            return plain_number(number)
        shown: str | None = None
        if look.format is not None:
            shown = shown_number(number, look.format, from_1904=self._from_1904)
        if look.is_date and (moment := of_serial(number, self._from_1904)) is not None:
            return Moment(moment, shown, look.code)
        if shown == number_text(number):
            return plain_number(number)
        return Formatted(number, shown, look.code)


_GENERAL = _Style()


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
