"""Changing several files of a folder together.

    with Changes(folder) as changes:
        changes.write("poker.pdf", writer)
        changes.write_bytes("manifest.json", content)
        changes.remove("old.pdf")
        changes.commit()

New files are written to a hidden folder `.cardgen-…` inside the folder and synced to the disk. `commit`
checks that nothing blocks any of them, then renames one after the other, in the order of the calls. So each
file is the old one or the new one, whole, even if the process is killed. A list of the files is written
last: a folder with a new list is completely new.

Only one process at a time changes a folder, so all hidden folders that it finds are from killed ones.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple

from cardgen.core.findings import CardgenError, Finding, Location, Severity
from cardgen.files.writing import (
    Output,
    held,
    is_stale,
    new_file,
    refuse_devices,
    remove,
    remove_left_behind,
    sync_folder,
)

_HIDDEN = re.compile(r"\.cardgen-[0-9a-f]{8}")
_NEW = re.compile(r"new-\d+")


class _Step(NamedTuple):
    """A file to put in its place, or to remove if there is no new one."""

    name: str
    new: Path | None


class Changes:
    """A set of changes to a folder's files; without `commit`, nothing changes.

    Entering makes the folder, and waits until no other process changes it. Raises CardgenError with the
    findings `output/…`: unwritable, disk-full, busy, link.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._hidden: Path | None = None
        self._steps: list[_Step] = []
        self._staged: dict[str, Path] = {}
        self._numbers = itertools.count()
        self._guard = threading.Lock()
        self._entered = ExitStack()

    def __enter__(self) -> Changes:
        with Output(self.folder), ExitStack() as stack:
            alone = stack.enter_context(held(self.folder))
            _remove_left_behind(self.folder, alone)
            self._entered = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        if self._hidden is not None:
            _clear(self._hidden)
        self._entered.close()

    def write(self, name: str, write: Callable[[BinaryIO], object]) -> Path:
        """Write a new file for `name` in the folder; return its path until it is committed.

        May be called from several threads. Exceptions of `write` pass through.
        """
        place = self.folder / name
        with Output(place) as output:
            with self._guard:
                new = self._hidden_folder() / f"new-{next(self._numbers)}"
            with new_file(new, place) as file:
                output.let(write, file)
        with self._guard:
            self._steps.append(_Step(name, new))
            self._staged[name] = new
        return new

    def write_bytes(self, name: str, content: bytes) -> Path:
        """Write a new file with this content, as `write` does."""
        return self.write(name, lambda file: file.write(content))

    def remove(self, name: str) -> bool:
        """Plan to remove a file, and the folders that are empty without it.

        Returns False if there is no such file below the folder itself: a file behind a link to outside
        belongs to somebody else.
        """
        place = self.folder / name
        if not _is_below(self.folder, name) or not (os.path.isfile(place) or os.path.islink(place)):
            return False
        with self._guard:
            self._steps.append(_Step(name, None))
        return True

    def path(self, name: str) -> Path:
        """Return the current path of the file of that name: the new one if it was written already."""
        return self._staged.get(name, self.folder / name)

    def commit(self) -> None:
        """Put the new files in their places and remove the planned ones."""
        for step in self._steps:
            _make_way(self.folder, step)
        for step in self._steps[:-1]:
            _do(self.folder, step)
        # The list must not reach the disk before the files that it lists.
        for parent in sorted({(self.folder / step.name).parent for step in self._steps}):
            sync_folder(parent)
        for step in self._steps[-1:]:
            _do(self.folder, step)
            sync_folder((self.folder / step.name).parent)
        self._steps, self._staged = [], {}

    def _hidden_folder(self) -> Path:
        if self._hidden is None:
            hidden = self.folder / f".cardgen-{os.urandom(4).hex()}"
            hidden.mkdir()
            self._hidden = hidden
        return self._hidden


def tidy(folder: Path) -> None:
    """Remove files that killed processes left in a folder, if nobody changes it now."""
    if _hidden_folders(folder):
        with contextlib.suppress(CardgenError, OSError), held(folder, 0) as alone:
            _remove_left_behind(folder, alone)


def _make_way(folder: Path, step: _Step) -> None:
    """Make the folders for a new file. Raise CardgenError if something blocks a step of the path."""
    place = folder / step.name
    with Output(place):
        if not _is_below(folder, step.name):
            message = "a link in this file's path leads out of the output folder"
            hint = "replace the link with a folder, or choose another folder with --output"
            location = Location(place.as_posix())
            raise CardgenError(Finding(Severity.ERROR, "output/link", message, location, hint))
        if step.new is not None:
            refuse_devices(place)
            if place.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(place))
            place.parent.mkdir(parents=True, exist_ok=True)


def _do(folder: Path, step: _Step) -> None:
    """Put a new file in its place, or remove the existing one."""
    place = folder / step.name
    with Output(place):
        if step.new is not None:
            os.replace(step.new, place)
            return
        place.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # a folder that still contains something
        for parent in itertools.takewhile(lambda each: each != folder, place.parents):
            parent.rmdir()


def _is_below(folder: Path, name: str) -> bool:
    """Return True if a name is that of a file in the folder, without a link out of it on the way."""
    pure = PurePosixPath(name)
    if not name or pure.is_absolute() or ".." in pure.parts or "\\" in name or "\0" in name:
        return False
    if os.name == "nt" and ":" in name:  # a drive, or a stream of another file
        return False
    try:
        os.fsencode(name)
    except UnicodeEncodeError:  # half a letter, in a damaged list
        return False
    return Path(os.path.realpath((folder / name).parent)).is_relative_to(os.path.realpath(folder))


def _remove_left_behind(folder: Path, alone: bool) -> None:
    """Remove files that killed processes left in a folder; if it can't be locked, only old ones."""
    for hidden in _hidden_folders(folder):
        if alone or is_stale(hidden):
            _clear(hidden)
    remove_left_behind(folder)


def _hidden_folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [
                Path(entry.path)
                for entry in entries
                if _HIDDEN.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
            ]
    except (OSError, ValueError):  # also nothing that can be a folder
        return []


def _clear(hidden: Path) -> None:
    """Remove a hidden folder with our files in it. If it contains anything else, keep it."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(hidden)):
            if _NEW.fullmatch(entry.name):
                remove(Path(entry.path))
        hidden.rmdir()
