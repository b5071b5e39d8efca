"""`manifest.json`: what an output folder holds, for those who collect the files.

It is put in its place last and only names files that exist: those of this build and, of the ones
listed before, those of sheets that the game still has which are still there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.core.geometry import Size
from cardgen.core.sheets import ImposedSheet
from cardgen.files.reading import LIST, ReadingError, is_regular, read_file
from cardgen.files.writing import open_regular

NAME = "manifest.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """One file. `path` is relative to the manifest, with forward slashes; `page` is the size of the
    first page in mm; `cards` counts copies."""

    path: str
    sha256: str
    bytes: int
    pages: int
    cards: int
    page: Size
    sheet: str
    paper: str

    def as_json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "sheet": self.sheet,
            "paper": self.paper,
            "page_mm": [round(self.page.width, 3), round(self.page.height, 3)],
            "pages": self.pages,
            "cards": self.cards,
            "bytes": self.bytes,
            "sha256": self.sha256,
        }


def entry_for(name: str, path: Path, sheet: ImposedSheet) -> ManifestEntry:
    """The entry of a file that was written to `path` and is to be called `name`. Raises OSError if it
    cannot be read."""
    first = sheet.pages[0].size
    return ManifestEntry(
        name, *measure(path), len(sheet.pages), sheet.cards, first, sheet.name, sheet.paper
    )


def measure(path: Path) -> tuple[str, int]:
    """A file's digest (SHA-256, hexadecimal) and bytes. Raises OSError."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()


def measured(path: Path) -> tuple[str, int] | None:
    """The same, or None for a file that can't be read."""
    try:
        return measure(path)
    except OSError:
        return None


def manifest_of(
    folder: Path, game: str, version: str, entries: Iterable[ManifestEntry], sheets: Container[str] | None
) -> tuple[bytes, list[str]]:
    """The content of `folder`'s manifest: these entries, and those that it has of other files of the
    `sheets` (None for any) that still exist. The same files give the same bytes. Then the files of sheets
    that are no more, and the incomplete ones of these, if they are as they were written."""
    entries = list(entries)
    files, gone = {}, []
    outdated = {f"{entry.path.removesuffix('.pdf')}.incomplete.pdf" for entry in entries}
    for old in _entries(folder / NAME):
        if old["path"] not in outdated and (sheets is None or old.get("sheet") in sheets):
            if is_regular(folder / old["path"]):
                files[old["path"]] = old
        elif _is_unchanged(folder / old["path"], old):
            gone.append(old["path"])
    files.update((entry.path, entry.as_json()) for entry in entries)
    content = {
        "manifest": FORMAT,
        "game": game,
        "version": version,
        "files": [files[name] for name in sorted(files)],
    }
    listed = (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
    return listed, [name for name in gone if name not in files]


def _is_unchanged(path: Path, entry: dict[str, Any]) -> bool:
    """Return True if a file in the manifest's folder matches its entry."""
    if path.name != entry["path"] or not is_regular(path):
        return False
    found = measured(path)
    return found is not None and found[0] == entry.get("sha256")


def _entries(path: Path) -> list[dict[str, Any]]:
    """The entries of the manifest as it is; none if there is none, or it is no manifest of ours. It
    only repeats what the files themselves say, so a damaged one is replaced without ado."""
    try:
        content = json.loads(read_file(path, LIST, path.name, None))
        entries = content["files"] if content["manifest"] == FORMAT else []
        json.dumps(entries, ensure_ascii=False).encode("utf-8")  # text that can be written again
        return [entry for entry in entries if isinstance(entry["path"], str)]
    except (ReadingError, ValueError, KeyError, TypeError, RecursionError):
        return []
