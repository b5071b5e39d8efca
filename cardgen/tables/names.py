"""What a file's name says of tables."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

ENDINGS = (".csv", ".tsv", ".xlsx", ".ods")
_NAMED = re.compile(r"(.+\.(?:xlsx|ods))#(.*)", re.DOTALL | re.IGNORECASE)


def parted(name: str) -> tuple[str, str | None]:
    """A file as game.yaml names it, such as `deck.xlsx#Cards`: the file, and the sheet if one is named."""
    found = _NAMED.fullmatch(name)
    return (found[1], found[2]) if found else (name, None)


def is_table(name: str) -> bool:
    """Whether a file's name, a sheet behind it or not, is that of a table."""
    return PurePosixPath(parted(name)[0]).suffix.lower() in ENDINGS
