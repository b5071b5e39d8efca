"""What a file's name says of tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardgen.findings import Location

ENDINGS = (".csv", ".tsv", ".xlsx", ".ods")
JSON = ".json"
_SHOWN = 6
"""Sheets that a message names."""
_NAMED = re.compile(r"(.+\.(?:xlsx|ods|json))#(.*)", re.DOTALL | re.IGNORECASE)


def parted(name: str) -> tuple[str, str | None]:
    """A file as game.yaml names it, such as `deck.xlsx#Cards`: the file, and the sheet if one is named; of
    JSON, the list of objects."""
    found = _NAMED.fullmatch(name) if "#" in name else None
    return (found[1], found[2]) if found else (name, None)


def is_table(name: str) -> bool:
    """Whether a file's name, a sheet behind it or not, is that of a table. JSON is one if a list is named;
    else it says the same as YAML."""
    return is_table_of(*parted(name))


def is_table_of(file: str, sheet: str | None) -> bool:
    """As `is_table`, of a name that was parted."""
    stem, _, ending = file.rpartition("/")[2].lower().rpartition(".")
    return bool(stem) and (f".{ending}" in ENDINGS or (f".{ending}" == JSON and sheet is not None))


def unused_sheets(file: str, sheets: Sequence[str], how: str) -> tuple[str, str, Location, str]:
    """The finding about sheets of a workbook that nothing reads; `how` says what to do to have one read."""
    shown = ", ".join(f"'{name}'" for name in sheets[:_SHOWN])
    more = f" and {len(sheets) - _SHOWN} more" if len(sheets) > _SHOWN else ""
    hint = f"{how}; to ignore a sheet, hide it or begin its name with '# '"
    return "tables/unused-sheet", f"nothing reads the sheet {shown}{more}", Location(file), hint
