"""Write planned files to a folder: only those that changed, each whole, their list last.

`export.json` in the folder lists every file with a digest of its inputs, a digest of its bytes, and the
code that made them. The next export skips files whose digests are still right, writes the others, and
removes files that it no longer makes. Files missing from the list belong to somebody else and are kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, NamedTuple

from cardgen.core.records import dataclass
from cardgen.exports.job import PlannedFile, on_threads
from cardgen.exports.manifest import measure, measured
from cardgen.files.cache import code_digest
from cardgen.files.changes import Changes
from cardgen.files.reading import LIST, OUTPUT, ReadingError, read_blocks, read_file
from cardgen.files.writing import Output

NAME = "export.json"
FORMAT = 1

Step = Callable[[int, int], None]
"""Called with the number of finished files, and their total."""


class Delivered(NamedTuple):
    """An exported file in the folder. `changed` is false if it was up to date before."""

    path: Path
    bytes: int
    changed: bool


@dataclass(frozen=True, slots=True)
class Delivery:
    """The result of an export: its files in the order of the plan, copies after their originals, and
    the files of an earlier export that were removed."""

    files: tuple[Delivered, ...]
    removed: tuple[Path, ...]
    manifest: Path


def deliver(
    changes: Changes,
    planned: Sequence[PlannedFile],
    about: dict[str, str],
    *,
    partial: bool = False,
    lasting: tuple[str, ...] = (),
    progress: Step | None = None,
) -> Delivery:
    """Update the folder of `changes`, which are entered, to match a plan.

    `about` goes into the list: the game, its version, the exporter. A `partial` plan keeps the other files
    of the folder; any plan keeps the folders `lasting` ("images/"). Raises CardgenError, and restores the
    folder, if a file can't be written. Copies to other folders are made after this one succeeds.
    """
    check_names(planned)
    folder = changes.folder
    manifest = folder / NAME
    known = _entries(manifest)
    done: list[_Entry] = []

    def one(file: PlannedFile) -> _Entry:
        return _bring(changes, file, known.get(file.name))

    for closing in (False, True):
        for entry in on_threads(one, [file for file in planned if file.closing is closing]):
            done.append(entry)
            if progress is not None:
                progress(len(done), len(planned))
    order = {file.name: number for number, file in enumerate(planned)}
    done.sort(key=lambda entry: order[entry.name])
    stale = [name for name in sorted(set(known) - set(order)) if not _goes_by(folder, name, order)]
    kept: list[_Entry] = []
    removed: list[Path] = []
    for name in stale:
        if partial or name.startswith(lasting):
            if _is_there(folder / name):
                kept.append(known[name])
        elif changes.remove(name):
            removed.append(folder / name)
    _write_list(changes, about, [*done, *kept])
    changes.commit()
    copies = _install(folder, planned)
    files: list[Delivered] = []
    for entry, file in zip(done, planned):
        files.append(Delivered(folder / entry.name, entry.bytes, entry.changed))
        files += [Delivered(place, entry.bytes, place in copies) for place in file.also]
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


def _bring(changes: Changes, file: PlannedFile, known: _Entry | None) -> _Entry:
    place = changes.folder / file.name
    if (
        known is not None
        and known.made_of == file.digest
        and measured(place) == (known.sha256, known.bytes)
    ):
        return known
    written = changes.write(file.name, file.write)
    with Output(place):
        return _Entry(file.name, file.digest, *measure(written), True)


def _goes_by(folder: Path, name: str, planned: Iterable[str]) -> bool:
    """Return True if a file also exists under a planned name, on a disk that ignores case."""
    same = [each for each in planned if each.casefold() == name.casefold()]
    try:
        return any(os.path.samefile(folder / name, folder / each) for each in same)
    except (OSError, ValueError):
        return False


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # never a file name
        return False


def check_names(planned: Sequence[PlannedFile]) -> None:
    """Raise ValueError for duplicate or unsafe names, an exporter's bug: ids and titles are safe by now."""
    seen: set[str] = {NAME}
    for file in planned:
        if not _is_inside(file.name):
            raise ValueError(f"'{file.name}' is not a name inside the export's folder")
        if file.name.casefold() in seen:
            raise ValueError(f"two files of one export are called '{file.name}'")
        seen.add(file.name.casefold())


def _install(folder: Path, planned: Sequence[PlannedFile]) -> set[Path]:
    """Update the copies outside of the folder, all of one folder together. Return those that changed."""
    wanted: dict[Path, dict[Path, Path]] = {}
    for file in planned:
        for place in file.also:
            wanted.setdefault(place.parent, {})[place] = folder / file.name
    changed: set[Path] = set()
    for parent, copies in wanted.items():
        with Changes(parent) as changes:
            for place, source in copies.items():
                if measured(place) != measured(source):
                    changes.write(place.name, partial(_copy, source))
                    changed.add(place)
            changes.commit()
    return changed


def _copy(source: Path, out: BinaryIO) -> None:
    out.writelines(read_blocks(source, OUTPUT, source.name, None))


def _write_list(changes: Changes, about: dict[str, str], entries: Sequence[_Entry]) -> None:
    files = [entry.as_json() for entry in sorted(entries, key=lambda entry: entry.name)]
    listed = {"export": FORMAT, **about, "made_by": code_digest(), "files": files}
    content = (json.dumps(listed, indent=2) + "\n").encode("utf-8")
    try:
        if read_file(changes.folder / NAME, LIST, NAME, None) == content:
            return
    except ReadingError:
        pass
    changes.write_bytes(NAME, content)


def _entries(path: Path) -> dict[str, _Entry]:
    """Return the listed files by name; none if the list is missing or damaged, which writes all files
    again. Names that lead out of the folder are ignored."""
    try:
        content = json.loads(read_file(path, LIST, path.name, None))
        if content["export"] != FORMAT:
            return {}
        ours = content.get("made_by") == code_digest()
        entries = [
            _Entry(
                str(file["path"]),
                str(file["made_of"]) if ours else "",
                str(file["sha256"]),
                int(file["bytes"]),
            )
            for file in content["files"]
        ]
    except (ReadingError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return {}
    return {entry.name: entry for entry in entries if entry.name != NAME and _is_inside(entry.name)}


def _is_inside(name: str) -> bool:
    """Return True for the name of a file within the export's folder."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name
