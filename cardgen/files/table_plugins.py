"""Tables of plug-ins: a function from a file's bytes to rows, or to rows by the names of sheets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from cardgen.core.findings import Findings, Location
from cardgen.files import plugins
from cardgen.files.table_grid import Grid
from cardgen.files.tables import DamagedError, RefusedError, Value


class PluginReader:
    """A reader of files in a plug-in's format. A ValueError of its function is a mistake in the file."""

    def __init__(self, raw: bytes, name: str) -> None:
        found = plugins.find("table_formats", name.lower().rpartition(".")[2])
        assert found is not None
        self._plugin, self._name = found, name
        read = plugins.load_function(found)
        with plugins.guarded(found, "failed", RefusedError):
            try:
                content = read(raw)
            except ValueError as error:
                raise DamagedError(f"the file can't be read: {error}", "fix it, or save it again") from None
            stem = PurePosixPath(name).stem
            sheets = content if isinstance(content, Mapping) else {stem: content}
            self._sheets = {str(title): _rows(rows) for title, rows in sheets.items()}

    def sheets(self) -> list[str]:
        """Return the names of its sheets, in order."""
        return list(self._sheets)

    def read(self, sheet: str | None, findings: Findings) -> Grid | None:
        """Return the values of a sheet, by default the first; None after findings. Raises TooLargeError."""
        names = self.sheets()
        title = sheet if sheet is not None else next(iter(names), "")
        if title not in self._sheets:
            message = f"there is no sheet '{title}' in the file"
            hint = f"use one of: {', '.join(names[:12])}" if names else None
            findings.error("tables/sheet", message, Location(self._name), hint)
            return None
        others = tuple(each for each in names if each != title and any(self._sheets[each]))
        grid = Grid(self._name, title, others=others)
        for number, row in enumerate(self._sheets[title], 1):
            for column, value in enumerate(row):
                if value is not None:
                    grid.put(number, column, value)
        return grid


def _rows(rows: Iterable[Iterable[Any]]) -> list[list[Value | None]]:
    """Return the rows of a sheet. Raises TypeError for a value that is no text, number or truth."""
    return [[_value(value) for value in row] for row in rows]


def _value(value: Any) -> Value | None:
    found: Value | None = plugins.plain_data(value)
    if isinstance(found, (list, dict)):
        raise TypeError(f"a cell is a {type(value).__name__}, not text, a number, true, false or None")
    return None if isinstance(found, float) and not math.isfinite(found) else found
