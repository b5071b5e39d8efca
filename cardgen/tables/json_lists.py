"""JSON: a list of objects to a grid, a row for each object and a column for each key.

A list is named by the keys that lead to it, such as `cards` or `data.cards`; the outermost list has the
empty name. An object within an object becomes columns such as `stats.power`, a list of plain values one
cell with semicolons. Lists of anything else have no cell.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Any

from cardgen.findings import Findings, Location
from cardgen.tables.grid import Grid
from cardgen.tables.meter import COLUMNS, SEEN, DamagedError
from cardgen.tables.table import Lines
from cardgen.tables.values import Formatted, Value, text_of

ENDING = ".json"
_DEEPEST = 2
"""Most keys that lead to a list of cards."""
_MOST_NESTED = 8
"""Most objects in one another that become columns."""
_BAD = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""Control characters and halves of characters."""
_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()

Found = tuple[str, int, Any]
"""A key, where its value begins, and the value."""


def list_names(raw: bytes) -> list[str]:
    """Return the names of the lists of objects in a file, the outer ones first. Raises DamagedError."""
    return [name for name, _ in sorted(_lists(*_read(raw)), key=lambda each: each[0].count("."))]


def read_list(raw: bytes, called: str, name: str, findings: Findings) -> Grid | None:
    """Return the grid of the list `called` so; None after findings.

    Raises DamagedError, and TooLargeError for more than a table may have.
    """
    text, data = _read(raw)
    lists = dict(_lists(text, data))
    if called not in lists:
        hint = f"lists: {', '.join(repr(each) for each in list(lists)[:12])}" if lists else None
        message = f"there is no list '{called}' of objects in the file"
        findings.error("tables/sheet", message, Location(name), hint)
        return None
    grid = Grid(name, lines=Lines(text), has_comments=False)
    _Rows(grid, findings).fill(lists[called])
    return grid


def _read(raw: bytes) -> tuple[str, Any]:
    try:
        text = raw.decode("utf-8-sig")
        return text, json.loads(text)
    except UnicodeDecodeError:
        raise DamagedError("the file is not UTF-8", "save it with the encoding UTF-8") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise DamagedError(f"the file is not JSON: {error.msg.lower()} in {place}") from None
    except (RecursionError, ValueError) as error:
        raise DamagedError(f"the file can't be read as JSON: {error}") from None


def _lists(text: str, data: Any) -> Iterator[tuple[str, int]]:
    """Yield the lists of objects: their names, and where they begin."""
    pending: deque[tuple[str, int, Any, int]] = deque([("", _past_blank(text, 0), data, 0)])
    while pending:
        name, at, value, depth = pending.popleft()
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            yield name, at
        elif isinstance(value, dict) and depth < _DEEPEST:
            for key, start, inner in _members(text, at):
                pending.append((f"{name}.{key}" if name else key, start, inner, depth + 1))


def _past_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _members(text: str, at: int) -> Iterator[Found]:
    """Yield the members of the object that begins at a place."""
    at = _past_blank(text, at + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _past_blank(text, _past_blank(text, at) + 1)  # past the colon
        value, end = _DECODER.raw_decode(text, at)
        yield key, at, value
        at = _past_comma(text, end)


def _items(text: str, at: int) -> Iterator[int]:
    """Yield where each item of the list begins that begins at a place."""
    at = _past_blank(text, at + 1)
    while text[at] != "]":
        yield at
        at = _past_comma(text, _DECODER.raw_decode(text, at)[1])


def _past_comma(text: str, at: int) -> int:
    at = _past_blank(text, at)
    return _past_blank(text, at + 1) if text[at] == "," else at


class _Rows:
    """Fills a grid with the objects of a list."""

    def __init__(self, grid: Grid, findings: Findings) -> None:
        self._grid, self._findings = grid, findings
        self._columns: dict[str, int] = {}
        self._said: set[str] = set()

    def fill(self, at: int) -> None:
        text = self._grid.lines.text
        starts: list[int] = []
        for number, start in enumerate(_items(text, at), 2):
            places: dict[int, int] = {}
            for key, place, value in self._leaves(start):
                column = self._columns.setdefault(key, len(self._columns))
                self._grid.meter.limit(COLUMNS, column + 1, f"the object {number - 1}")
                if column == len(starts):
                    starts.append(place)
                self._put(number, column, key, place, value)
                places[column] = place
            self._grid.starts[number] = [places.get(each, start) for each in range(len(self._columns))]
            self._grid.ends[number] = start
        for key, column in self._columns.items():
            self._grid.put(1, column, key)
        self._grid.starts[1], self._grid.ends[1] = starts, at

    def _leaves(self, start: int) -> Iterator[Found]:
        """Yield what an object comes to, those in it by their keys joined with points."""
        pending = deque([("", start, 0)])
        while pending:
            outer, at, depth = pending.popleft()
            seen: set[str] = set()
            for key, place, value in _members(self._grid.lines.text, at):
                self._grid.meter.charge(SEEN)
                name = f"{outer}.{key}" if outer else key
                if key in seen:
                    message = f"the key '{key}' stands twice"
                    self._say("yaml/duplicate-key", message, place, "keep one of them", is_error=True)
                elif isinstance(value, dict) and depth < _MOST_NESTED:
                    pending.append((name, place, depth + 1))
                else:
                    yield name, place, value
                seen.add(key)

    def _put(self, number: int, column: int, key: str, place: int, value: Any) -> None:
        made: Value | None = _shown(value) if not isinstance(value, dict | list) else None
        if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
            made = "; ".join(text_of(_shown(each)) for each in value if each is not None)
        elif made is None and value and key not in self._said:
            self._said.add(key)
            message = f"'{key}' holds objects or lists within a list, which no cell can hold"
            hint = "it is left out; as data: FILE.json with a list under the component's id it is kept"
            self._say("tables/column", message, place, hint)
        if isinstance(made, str) and (bad := _BAD.search(made)) is not None:
            message = f"the invisible character U+{ord(bad[0]):04X} is not allowed"
            self._say("tables/character", message, place, "leave it out", is_error=True)
            made = _BAD.sub("", made)
        if made is not None:
            self._grid.put(number, column, made)

    def _say(self, code: str, message: str, place: int, hint: str, *, is_error: bool = False) -> None:
        at = self._grid.place(place)
        (self._findings.error if is_error else self._findings.warning)(code, message, at, hint)


def _shown(value: Any) -> Any:
    """A value of JSON, its truths in the words of JSON."""
    return Formatted(value, str(value).lower(), is_final=True) if isinstance(value, bool) else value
