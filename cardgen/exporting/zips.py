"""ZIP files that have the same bytes whenever they hold the same."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from cardgen.exporting.job import PlannedFile, digest_of

EPOCH = (2000, 1, 1, 0, 0, 0)
"""The date of every file in a ZIP."""
_STORED = (".png", ".jpg", ".zip")
"""Endings of files that are packed already."""


def zip_of(name: str, made: Callable[[str], Path], files: Sequence[PlannedFile]) -> PlannedFile:
    """A ZIP of files that are written before it. `made` tells where they lie then."""
    digest = digest_of("zip", EPOCH, [(file.name, file.digest) for file in files])

    def write(out: BinaryIO) -> None:
        with zipfile.ZipFile(out, "w") as archive:
            for file in files:
                add_to_zip(archive, file.name, made(file.name).read_bytes())

    return PlannedFile(name, digest, write, closing=True)


def add_to_zip(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a file under a fixed date; what is packed already is only stored."""
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(_STORED) else zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)
