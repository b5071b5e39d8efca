"""Files that the page sends: kept in the server's own folder until it ends."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Collection
from pathlib import Path
from typing import Any

from cardgen.core.findings import UsageError
from cardgen.files.listing import names_in
from cardgen.files.writing import write_bytes

MOST_FILES = 500
MOST_BYTES = 300_000_000
"""Bytes of all files of a run."""
_HIDDEN = re.compile(r"[\x00-\x1f/\\:]|^\.")


class Uploads:
    """The files of this run, a folder for each upload."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: dict[int, Path] = {}
        self._bytes = 0

    def put(self, asked: dict[str, Any], endings: Collection[str]) -> dict[str, Any]:
        """Keep files (`name`, `data` in base64), beside those of the upload `to` if there is one → `upload`
        (its number), `names`. Raises UsageError for files with other endings than these."""
        files, number = asked.get("files"), asked.get("to")
        if not isinstance(files, list) or not 0 < len(files) <= MOST_FILES:
            raise UsageError(f"send 1 to {MOST_FILES} files")
        contents = dict(_read(each, endings) for each in files)
        self._bytes += sum(map(len, contents.values()))
        if self._bytes > MOST_BYTES:
            raise UsageError("too many files were sent", "restart cardgen preview")
        if not isinstance(number, int) or number not in self._kept:
            number = len(self._kept)
            self._kept[number] = self._folder / f"upload-{number}"
        for name, content in contents.items():
            write_bytes(self._kept[number] / name, content)
        return {"upload": number, "names": sorted(contents)}

    def file(self, number: object, name: object) -> Path:
        """Return a file of an upload. Raises UsageError if there is none."""
        folder = self._kept.get(number) if isinstance(number, int) else None
        if folder is None or not isinstance(name, str) or name not in names_in(folder, "", (folder,)):
            raise UsageError("send the file first")
        return folder / name


def _read(each: object, endings: Collection[str]) -> tuple[str, bytes]:
    name, data = (each.get("name"), each.get("data")) if isinstance(each, dict) else (None, None)
    if not isinstance(name, str) or not isinstance(data, str):
        raise UsageError("name each file and send its content")
    if not name or len(name.encode()) > 200 or _HIDDEN.search(name):
        raise UsageError(f"'{name[:60]}' can't be a file's name")
    if not name.lower().endswith(tuple(endings)):
        raise UsageError(f"'{name[:60]}' can't be used here", f"send one of {', '.join(sorted(endings))}")
    try:
        return name, b64decode(data, validate=True)
    except ValueError:
        raise UsageError("the file's content is not base64") from None
