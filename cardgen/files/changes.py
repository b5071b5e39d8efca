"""Changing several files of a folder together: all of them or none, even if the process is killed.

    with Changes(folder) as changes:
        changes.write("poker.pdf", writer)
        changes.write_bytes("manifest.json", content)
        changes.remove("old.pdf")
        changes.commit()

New files are first written to a hidden folder `.cardgen-…` inside the folder and brought to the disk;
what is there stays as it is. `commit` then writes a journal of what is to be done, and renames one file
after the other, in the order they were asked for. So a process that is killed leaves

- before the journal: the old files, and a hidden folder that the next run removes;
- after it: a folder whose next run does the rest of the journal before anything else.

Old and new files lie side by side only while the renaming lasts, some milliseconds, and not at all for
those who run cardgen again. Should a renaming fail (a file that Windows holds open), the ones before it
are undone in the same way.

Why not a new folder in exchange for the old one? That would be a single step on Linux, but nowhere
else; whoever has the folder open, a web server or a shell, would go on seeing the old one, and a file
that a user puts there at that moment would be lost with it.

One process at a time changes a folder (see `locks`), so all hidden folders that it finds are left over.
A folder may have come from a stranger, journal and all: a journal only moves files from its hidden
folder to places below the folder it lies in, and no link out of that is followed.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
import re
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from cardgen.core.findings import CardgenError, Finding, Location, Severity
from cardgen.files.writing import (
    Output,
    held,
    is_stale,
    new_file,
    read_regular,
    refuse_devices,
    remove,
    remove_left_behind,
    sync_folder,
)

FORMAT = 1
_HIDDEN = re.compile(r"\.cardgen-[0-9a-f]{8}")
_DO, _UNDO = "journal.json", "undo.json"
_OURS = re.compile(r"(new|old)-\d+|journal\.json\.part")
_A_LINK_ITSELF = {"follow_symlinks": False} if os.link in os.supports_follow_symlinks else {}
MOST_JOURNAL = 100_000_000
"""Bytes; some 100 for a file."""


@dataclass(frozen=True, slots=True)
class _Step:
    """A file to put in its place, or to remove. `name` is relative to the folder, with forward
    slashes. `replaces` says whether there is a file in its place, which undoing must know."""

    number: int
    name: str
    writes: bool
    replaces: bool = False

    def new(self, hidden: Path) -> Path:
        """Where the new file lies until it is put in its place."""
        return hidden / f"new-{self.number}"

    def old(self, hidden: Path) -> Path:
        """Where the file lies that is replaced or removed, until all is done."""
        return hidden / f"old-{self.number}"


class Changes:
    """What is to change in a folder. Nothing is touched before it is entered, and it waits then until
    no other process changes the folder. Left without `commit`, nothing has changed.

    Raises CardgenError with the findings `output/…`: unwritable, disk-full, busy, link.
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
            _recover(self.folder, alone)
            self._entered = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        if self._hidden is not None:
            _clear(self._hidden)
            self._hidden = None
        self._entered.close()

    def write(self, name: str, write: Callable[[BinaryIO], object]) -> Path:
        """Have a new file written, for `name` in the folder; returns where it lies until then.

        May be called from several threads. Whatever `write` raises passes through.
        """
        place = self.folder / name
        with Output(place) as output:
            with self._guard:
                hidden = self._hidden or self._hide()
                step = _Step(next(self._numbers), name, True)
            with new_file(step.new(hidden), place) as file:
                output.let(write, file)
        with self._guard:
            self._steps.append(step)
            self._staged[name] = step.new(hidden)
        return step.new(hidden)

    def write_bytes(self, name: str, content: bytes) -> Path:
        """`write` for content that is at hand."""
        return self.write(name, lambda file: file.write(content))

    def remove(self, name: str) -> bool:
        """Have a file removed, and the folders that it leaves empty. False if there is no such file
        below the folder itself: what is reached through a link outwards is somebody else's."""
        place = self.folder / name
        if not _is_below(self.folder, name) or not (os.path.isfile(place) or os.path.islink(place)):
            return False
        with self._guard:
            self._steps.append(_Step(next(self._numbers), name, False))
        return True

    def path(self, name: str) -> Path:
        """Where the file of that name lies now: the new one if it was written already."""
        return self._staged.get(name, self.folder / name)

    def commit(self) -> None:
        """Put the new files in their places and remove what is to be removed."""
        if not self._steps:
            return
        steps = [_prepared(self.folder, step) for step in self._steps]
        with Output(self.folder):
            hidden = self._hidden or self._hide()
            _write_journal(hidden, steps)
            sync_folder(self.folder)
        try:
            for step in steps:
                with Output(self.folder / step.name):
                    _do(self.folder, hidden, step)
        except BaseException:
            self._undo(hidden, steps)
            raise
        _sync_folders(self.folder, steps)
        _clear(hidden)
        self._hidden = None
        self._steps, self._staged = [], {}

    def _hide(self) -> Path:
        hidden = self.folder / f".cardgen-{os.urandom(4).hex()}"
        hidden.mkdir()
        self._hidden = hidden
        return hidden

    def _undo(self, hidden: Path, steps: list[_Step]) -> None:
        """Take back a commit that failed. If that fails as well, the next run goes on with it."""
        try:
            os.replace(hidden / _DO, hidden / _UNDO)
            _take_back(self.folder, hidden, steps)
        except (OSError, CardgenError):
            self._hidden = None  # it stays, for the next run


def recover(folder: Path) -> None:
    """Finish or undo what a killed process left in a folder. Costs next to nothing where there is
    nothing of the kind; leaves a folder alone that another process works on or that can't be written."""
    if _hidden_folders(folder):
        with contextlib.suppress(CardgenError, OSError), held(folder, 0) as alone:
            _recover(folder, alone)


# ---------------------------------------------------------------- doing


def _prepared(folder: Path, step: _Step) -> _Step:
    """A step that nothing seems to be in the way of, before anything is changed. Raises CardgenError."""
    place = folder / step.name
    with Output(place):
        if not _is_below(folder, step.name):
            message = "a link on the way to this file leads out of the output folder"
            hint = "put a folder in the place of the link, or choose another place with --output"
            location = Location(place.as_posix())
            raise CardgenError(Finding(Severity.ERROR, "output/link", message, location, hint))
        if step.writes:
            refuse_devices(place)
        if step.writes and place.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(place))
    return replace(step, replaces=os.path.lexists(place))


def _do(folder: Path, hidden: Path, step: _Step) -> None:
    """Put a new file in its place, or move an old one out of it. The one that was there is kept until
    all is done. Raises OSError."""
    place, old = folder / step.name, step.old(hidden)
    if step.writes:
        place.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(place):
            try:
                os.link(place, old, **_A_LINK_ITSELF)
            except (OSError, NotImplementedError):  # a disk without links
                os.replace(place, old)
        os.replace(step.new(hidden), place)
    else:
        os.replace(place, old)
        _remove_empty(folder, place)


def _finish(folder: Path, hidden: Path, steps: Iterable[_Step]) -> None:
    """Do those steps of a journal that are not done yet. Raises CardgenError."""
    for step in steps:
        place = folder / step.name
        with Output(place):
            if step.writes and os.path.lexists(step.new(hidden)):
                place.parent.mkdir(parents=True, exist_ok=True)
                os.replace(step.new(hidden), place)
            elif not step.writes and not os.path.lexists(step.old(hidden)) and not place.is_dir():
                with contextlib.suppress(FileNotFoundError):
                    os.replace(place, step.old(hidden))
                _remove_empty(folder, place)


def _take_back(folder: Path, hidden: Path, steps: Iterable[_Step]) -> None:
    """Undo those steps that were done. Raises CardgenError."""
    for step in reversed(list(steps)):
        place = folder / step.name
        with Output(place):
            if os.path.lexists(step.old(hidden)):
                place.parent.mkdir(parents=True, exist_ok=True)
                os.replace(step.old(hidden), place)
            elif step.writes and not step.replaces:
                if not os.path.lexists(step.new(hidden)):
                    place.unlink(missing_ok=True)
                _remove_empty(folder, place)


def _remove_empty(folder: Path, place: Path) -> None:
    """Remove the folders that are empty without a file."""
    with contextlib.suppress(OSError):
        for parent in place.parents:
            if parent == folder:
                break
            parent.rmdir()


def _sync_folders(folder: Path, steps: Iterable[_Step]) -> None:
    for parent in sorted({(folder / step.name).parent for step in steps}):
        sync_folder(parent)


def _is_below(folder: Path, name: str) -> bool:
    """Whether a name is that of a file in the folder, with no link on the way that leads out of it."""
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


# ---------------------------------------------------------------- what a killed process left


def _recover(folder: Path, alone: bool) -> None:
    """Finish or undo all that was left in a folder. Where it cannot be locked (not `alone`), only what
    nobody can be at work on any more. Raises CardgenError."""
    for hidden in _hidden_folders(folder):
        if not alone and not is_stale(hidden):
            continue
        undo = _read_journal(folder, hidden / _UNDO)
        do = _read_journal(folder, hidden / _DO)
        if undo is not None:
            _take_back(folder, hidden, undo)
        elif do is not None:
            _finish(folder, hidden, do)
        _sync_folders(folder, undo or do or ())
        _clear(hidden)
    remove_left_behind(folder)


def _hidden_folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return sorted(
                Path(entry.path)
                for entry in entries
                if _HIDDEN.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
            )
    except (OSError, ValueError):  # nothing that can be a folder, either
        return []


def _clear(hidden: Path) -> None:
    """Remove a hidden folder: first its journals, as nothing is to be done any more, then what else we
    put there. Anything else in it is not ours, and stays."""
    for name in (_DO, _UNDO):
        remove(hidden / name)
        if os.path.lexists(hidden / name):
            return
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(hidden)):
            if _OURS.fullmatch(entry.name):
                remove(Path(entry.path))
        hidden.rmdir()


def _write_journal(hidden: Path, steps: Iterable[_Step]) -> None:
    """Raises OSError."""
    entries = [[step.number, step.name, step.writes, step.replaces] for step in steps]
    part = hidden / f"{_DO}.part"
    with new_file(part, part) as file:
        file.write(json.dumps({"journal": FORMAT, "steps": entries}).encode())
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, hidden / _DO)
    sync_folder(hidden)


def _read_journal(folder: Path, path: Path) -> list[_Step] | None:
    """The steps of a journal; None if there is none. Steps that lead elsewhere are left out: we write
    no such ones."""
    try:
        content = json.loads(read_regular(path, MOST_JOURNAL))
        if content["journal"] != FORMAT:
            return None
        steps = [_Step(*entry) for entry in content["steps"]]
        if not all(
            isinstance(step.number, int)
            and isinstance(step.name, str)
            and isinstance(step.writes, bool)
            and isinstance(step.replaces, bool)
            for step in steps
        ):
            return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return [step for step in steps if _is_below(folder, step.name)]
