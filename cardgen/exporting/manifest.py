"""`manifest.json`: what an output folder holds, for those who collect the files.

It is written last and only names files that exist: those of this build and, of the ones listed
before, those that are still there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.files import write_bytes
from cardgen.geometry import Size
from cardgen.model.sheets import ImposedSheet

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


def entry_for(path: Path, folder: Path, sheet: ImposedSheet) -> ManifestEntry:
    """The entry of a file that was written below `folder`. Raises OSError if it cannot be read."""
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            size += len(block)
    return ManifestEntry(
        path.relative_to(folder).as_posix(),
        digest.hexdigest(),
        size,
        len(sheet.pages),
        sheet.cards,
        sheet.pages[0].size,
        sheet.name,
        sheet.paper,
    )


def update_manifest(folder: Path, game: str, version: str, entries: Iterable[ManifestEntry]) -> Path:
    """Write `folder`'s manifest and return where: these entries, and older ones of other files that
    still exist. The same files give the same bytes. Raises CardgenError if it cannot be written."""
    path = folder / NAME
    files = {entry["path"]: entry for entry in _entries(path) if (folder / entry["path"]).is_file()}
    files.update((entry.path, entry.as_json()) for entry in entries)
    content = {
        "manifest": FORMAT,
        "game": game,
        "version": version,
        "files": [files[name] for name in sorted(files)],
    }
    write_bytes(path, (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode("utf-8"))
    return path


def _entries(path: Path) -> list[dict[str, Any]]:
    """The entries of the manifest as it is; none if there is none, or it is no manifest of ours. It
    only repeats what the files themselves say, so a damaged one is replaced without ado."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        entries = content["files"] if content["manifest"] == FORMAT else []
        return [entry for entry in entries if isinstance(entry["path"], str)]
    except (OSError, ValueError, KeyError, TypeError):
        return []
