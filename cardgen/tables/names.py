"""What a file's name says of tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from cardgen.findings import Location

ENDINGS = (".csv", ".tsv", ".xlsx", ".ods")
_SHOWN = 6
"""Sheets that a message names."""
_NAMED = re.compile(r"(.+\.(?:xlsx|ods))#(.*)", re.DOTALL | re.IGNORECASE)


def parted(name: str) -> tuple[str, str | None]:
    """A file as game.yaml names it, such as `deck.xlsx#Cards`: the file, and the sheet if one is named."""
    found = _NAMED.fullmatch(name)
    return (found[1], found[2]) if found else (name, None)


def is_table(name: str) -> bool:
    """Whether a file's name, a sheet behind it or not, is that of a table."""
    return PurePosixPath(parted(name)[0]).suffix.lower() in ENDINGS


def unused_sheets(file: str, sheets: Sequence[str], how: str) -> tuple[str, str, Location, str]:
    """The finding about sheets of a workbook that nothing reads; `how` says what to do to have one read."""
    shown = ", ".join(f"'{name}'" for name in sheets[:_SHOWN])
    more = f" and {len(sheets) - _SHOWN} more" if len(sheets) > _SHOWN else ""
    hint = f"{how}; to ignore a sheet, hide it or begin its name with '# '"
    return "tables/unused-sheet", f"nothing reads the sheet {shown}{more}", Location(file), hint
