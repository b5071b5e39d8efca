"""Planned files to a folder: only those that changed, each whole, the list of them last.

`export.json` in the folder names every file with the digest of what it is made of and that of its bytes,
and the code that made them.
The next export leaves a file alone whose digests are still right, writes the others, and removes those
that it no longer makes; what the list does not name was put there by somebody else and stays.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from cardgen.exporting.job import PlannedFile
from cardgen.exporting.pixels import WORKERS
from cardgen.files import write_bytes, write_whole

NAME = "export.json"
FORMAT = 1

Step = Callable[[int, int], None]
"""Called with how many files are done and how many there are."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """A file of an export, there now. `changed` says that it was written, not left as it was."""

    path: Path
    bytes: int
    changed: bool


@dataclass(frozen=True, slots=True)
class Delivery:
    """What came of an export: its files in the order of the plan, copies after their originals, and
    the files of an earlier export that were removed."""

    files: tuple[Delivered, ...]
    removed: tuple[Path, ...]
    manifest: Path


def deliver(
    folder: Path,
    planned: Sequence[PlannedFile],
    about: dict[str, str],
    *,
    partial: bool = False,
    progress: Step | None = None,
) -> Delivery:
    """Bring `folder` up to date with a plan.

    `about` is said in the list: the game, its version, the exporter. A `partial` plan leaves the
    other files of the folder as they are. Raises CardgenError if a file can't be written; nothing
    has been removed then, and each file is as it was or as it should be.
    """
    _check_names(planned)
    manifest = folder / NAME
    known = _entries(manifest)
    done: list[_Entry] = []

    def one(file: PlannedFile) -> _Entry:
        return _bring(folder, file, known.get(file.name))

    for closing in (False, True):
        wave = [file for file in planned if file.closing is closing]
        with ThreadPoolExecutor(WORKERS) as pool:
            futures = [pool.submit(one, file) for file in wave]
            try:
                for future in futures:
                    done.append(future.result())
                    if progress is not None:
                        progress(len(done), len(planned))
            finally:
                for future in futures:
                    future.cancel()
    order = {file.name: number for number, file in enumerate(planned)}
    done.sort(key=lambda entry: order[entry.name])
    stale = sorted(set(known) - set(order))
    kept: list[_Entry] = []
    removed: list[Path] = []
    for name in stale:
        path = folder / name
        if partial:
            if path.is_file():
                kept.append(known[name])
        elif _removed(path, folder):
            removed.append(path)
    _write_list(manifest, about, [*done, *kept])
    files: list[Delivered] = []
    for entry, file in zip(done, planned):
        files.append(Delivered(folder / entry.name, entry.bytes, entry.changed))
        for place in file.also:
            files.append(_copied(folder / entry.name, place, entry.bytes))
    return Delivery(tuple(files), tuple(removed), manifest)


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    made_of: str
    sha256: str
    bytes: int
    changed: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"path": self.name, "bytes": self.bytes, "sha256": self.sha256, "made_of": self.made_of}


def _bring(folder: Path, file: PlannedFile, known: _Entry | None) -> _Entry:
    path = folder / file.name
    if known is not None and known.made_of == file.digest and _sha256(path) == known.sha256:
        return known
    write_whole(path, file.write)
    return _Entry(file.name, file.digest, _sha256(path) or "", path.stat().st_size, True)


def _sha256(path: Path) -> str | None:
    """None for a file that can't be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _check_names(planned: Sequence[PlannedFile]) -> None:
    """An exporter's mistake, not a designer's: ids and titles are safe and distinct by then."""
    seen: set[str] = {NAME}
    for file in planned:
        path = PurePosixPath(file.name)
        if path.is_absolute() or ".." in path.parts or "\\" in file.name:
            raise ValueError(f"'{file.name}' is not a name inside the export's folder")
        if file.name.casefold() in seen:
            raise ValueError(f"two files of one export are called '{file.name}'")
        seen.add(file.name.casefold())


def _removed(path: Path, folder: Path) -> bool:
    """Whether a stale file is gone now; folders that it leaves empty go with it."""
    try:
        path.unlink(missing_ok=True)
        for parent in path.parents:
            if parent == folder or any(parent.iterdir()):
                break
            parent.rmdir()
    except OSError:
        return not path.exists()
    return True


def _copied(source: Path, place: Path, size: int) -> Delivered:
    """A copy outside of the folder, left alone if it is right already."""
    if place.is_file() and place.stat().st_size == size and _sha256(place) == _sha256(source):
        return Delivered(place, size, False)

    def write(out: BinaryIO) -> None:
        with source.open("rb") as original:
            shutil.copyfileobj(original, out, 1 << 20)

    write_whole(place, write)
    return Delivered(place, size, True)


def _write_list(path: Path, about: dict[str, str], entries: Sequence[_Entry]) -> None:
    files = [entry.as_json() for entry in sorted(entries, key=lambda entry: entry.name)]
    listed = {"export": FORMAT, **about, "made_by": _code(), "files": files}
    content = (json.dumps(listed, indent=2) + "\n").encode("utf-8")
    try:
        if path.read_bytes() == content:
            return
    except OSError:
        pass
    write_bytes(path, content)


@cache
def _code() -> str:
    """A digest of the exporters' own code: another one may make something else of the same things."""
    state = hashlib.blake2b(digest_size=12)
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        state.update(path.name.encode() + b"\0" + path.read_bytes())
    return state.hexdigest()


def _entries(path: Path) -> dict[str, _Entry]:
    """The files of the list as it is, by name; none if it is missing or damaged: all is written anew
    then. A name that leads out of the folder is nobody's."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["export"] != FORMAT:
            return {}
        ours = content.get("made_by") == _code()
        entries = [
            _Entry(
                str(file["path"]),
                str(file["made_of"]) if ours else "",
                str(file["sha256"]),
                int(file["bytes"]),
            )
            for file in content["files"]
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return {
        entry.name: entry
        for entry in entries
        if not PurePosixPath(entry.name).is_absolute()
        and ".." not in PurePosixPath(entry.name).parts
        and "\\" not in entry.name
    }
