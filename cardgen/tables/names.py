"""What a file's name says of tables."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

ENDINGS = (".csv", ".tsv", ".xlsx", ".ods")
JSON = ".json"
_NAMED = re.compile(r"(.+\.(?:xlsx|ods|json))#(.*)", re.DOTALL | re.IGNORECASE)


def parted(name: str) -> tuple[str, str | None]:
    """A file as game.yaml names it, such as `deck.xlsx#Cards`: the file, and the sheet if one is named; of
    JSON, the list of objects."""
    found = _NAMED.fullmatch(name)
    return (found[1], found[2]) if found else (name, None)


def is_table(name: str) -> bool:
    """Whether a file's name, a sheet behind it or not, is that of a table. JSON is one if a list is named;
    else it says the same as YAML."""
    return is_table_of(*parted(name))


def is_table_of(file: str, sheet: str | None) -> bool:
    """As `is_table`, of a name that was parted."""
    ending = PurePosixPath(file).suffix.lower()
    return ending in ENDINGS or (ending == JSON and sheet is not None)
