"""Define the folders of a project, and the names of files in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol


class NamedFile(NamedTuple):
    """A file that a name refers to: the requested `place`, and the `file` as spelled on disk, both relative
    to the project."""

    place: str
    file: str

    @property
    def has_other_case(self) -> bool:
        """Return True if the name and the file differ in capitals, which matter on Linux."""
        return composed(self.place) != composed(self.file)


def composed(name: str) -> str:
    """Return a name with composed letters (NFC)."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


class ProjectPaths(Protocol):
    """The folders of a game: the user's own project first, then the bundled one."""

    @property
    def roots(self) -> tuple[Path, ...]:
        """Return the folders as paths."""
        ...

    def __hash__(self) -> int: ...

    def find(self, relative: str) -> Path | None:
        """Return the first existing file or folder with that relative name, or None."""
        ...

    def locate(
        self, name: str, folders: Iterable[str], within: Sequence[str]
    ) -> tuple[Path, NamedFile] | None:
        """Return the first file that a name refers to, in its displayed spelling, with its root."""
        ...

    def other_case(self, name: str, folders: Iterable[str], within: Sequence[str]) -> str | None:
        """Return the file whose name differs only in capitals, relative to the project."""
        ...
