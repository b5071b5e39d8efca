"""`manifest.json`, the list of an output folder's files for those who collect them.

It is written last and names only existing files: those of this build and, from the list before, those of
sheets that the game still has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any

from cardgen.core.geometry import Size
from cardgen.core.records import dataclass
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
    """Return the entry of a file written to `path`, under `name`. Raises OSError if it can't be read."""
    first = sheet.pages[0].size
    return ManifestEntry(
        name, *measure(path), len(sheet.pages), sheet.cards, first, sheet.name, sheet.paper
    )


def measure(path: Path) -> tuple[str, int]:
    """Return a file's digest (SHA-256, hexadecimal) and bytes. Raises OSError."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()


def measured(path: Path) -> tuple[str, int] | None:
    """Return a file's digest and bytes, or None if it can't be read."""
    try:
        return measure(path)
    except OSError:
        return None


def manifest_of(
    folder: Path, game: str, version: str, entries: Iterable[ManifestEntry], sheets: Container[str] | None
) -> tuple[bytes, list[str]]:
    """Return the content of `folder`'s manifest, and the files to delete: unmodified files of deleted
    sheets, and unmodified incomplete versions of these entries. The manifest has these entries, and current
    ones for other files of the `sheets` (None for any) that still exist. The same files give the same
    bytes."""
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
    """Return the entries of the current manifest; none if it is missing or invalid. It only repeats facts
    about the files, so a damaged one is silently replaced."""
    try:
        content = json.loads(read_file(path, LIST, path.name, None))
        entries = content["files"] if content["manifest"] == FORMAT else []
        json.dumps(entries, ensure_ascii=False).encode("utf-8")  # text without lone surrogates
        return [entry for entry in entries if isinstance(entry["path"], str)]
    except (ReadingError, ValueError, KeyError, TypeError, RecursionError):
        return []
