"""Writing a file whole or not at all.

A file is written beside its place under a temporary name, brought to the disk and only then renamed,
so that a reader, another build or a power cut never meets half a file. Raises CardgenError with the
finding `output/unwritable` or `output/disk-full`; the file that was there before is then untouched.

A temporary file is locked while its process writes it. One that is not locked was left behind by a
process that was killed, and goes when the next file is written to its folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import time
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from cardgen import budget
from cardgen.findings import CardgenError, Finding, Location, Severity
from cardgen.storage.locks import is_at, try_lock

STALE_AFTER = 3600.0
"""Seconds after which a temporary file counts as left behind where files cannot be locked."""

_TEMPORARY = re.compile(r"\..+\.cardgen-[A-Za-z0-9_]+\.tmp")
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
"""Opening a pipe that nobody writes to would wait for ever."""
_TRIES = 100


class Output:
    """Turns trouble with writing a file into a finding about its place.

        with Output(path) as output:
            output.let(write, file)

    Whatever the writer itself raises passes through. Only an OSError without a file name is the
    writing: one with a name is about a file that the writer reads.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._passes: OSError | None = None

    def __enter__(self) -> Output:
        return self

    def let(self, write: Callable[[BinaryIO], object], file: BinaryIO) -> None:
        """Have `write` write to an open file, and bring that to the disk."""
        try:
            write(file)
        except OSError as error:
            if error.filename is not None:
                self._passes = error
            raise
        file.flush()
        budget.wrote(os.fstat(file.fileno()).st_size)
        os.fsync(file.fileno())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, OSError) and error is not self._passes:
            raise unwritable(self._place, error) from error


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let `write` write a binary file and put it at `path`, in place of what is there.

    Missing folders are made. Whatever `write` raises passes through, after cleaning up.
    """
    with Output(path) as output:
        path.parent.mkdir(parents=True, exist_ok=True)
        refuse_devices(path)
        remove_left_behind(path.parent)
        with Draft(path) as draft:
            output.let(write, draft.file)
            draft.place()
    sync_folder(path.parent)


def write_bytes(path: Path, content: bytes) -> None:
    """`write_whole` for content that is at hand."""
    write_whole(path, lambda file: file.write(content))


def refuse_devices(path: Path) -> None:
    """Raise OSError for what a file must not take the place of, such as /dev/null, or a link to it."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # of a folder the system says so itself
        raise OSError(errno.EEXIST, "there is something that is no file")


class Draft:
    """A temporary file beside `path`, open as `file` and locked. It goes unless it is placed.

    It gets the permissions of the file at `path`, or those of any new file. Raises OSError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        for _ in range(_TRIES):
            self.temporary = path.with_name(f".{path.name}.cardgen-{os.urandom(4).hex()}.tmp")
            try:
                self.file = new_file(self.temporary, path)
            except FileExistsError:
                continue
            # Somebody who is cleaning up may have come between making and locking it.
            if try_lock(self.file.fileno()) is not False and is_at(self.file.fileno(), self.temporary):
                return
            self.file.close()
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))

    def __enter__(self) -> Draft:
        return self

    def place(self) -> None:
        """Put the file at its path, in place of what is there."""
        self.file.flush()
        if os.name == "nt":  # Windows renames no open file
            self.file.close()
        os.replace(self.temporary, self.path)

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):  # a full disk, met already
            self.file.close()
        remove(self.temporary)


def new_file(path: Path, like: Path) -> BinaryIO:
    """A new file, open for writing, with the permissions of the one at `like`, or of any new file.

    It is never open to more readers than it is to be in the end. Raises OSError, FileExistsError among
    them.
    """
    try:
        mode = like.stat().st_mode & 0o777
    except OSError:
        return os.fdopen(os.open(path, _NEW_FILE, 0o666), "wb")
    handle = os.open(path, _NEW_FILE, mode)
    with contextlib.suppress(OSError):
        # What the umask took away; by the open file where that can be, for a confined process may not do it
        # by the path.
        os.chmod(handle if os.chmod in os.supports_fd else path, mode)
    return os.fdopen(handle, "wb")


def open_regular(path: Path, most: int | None = None) -> BufferedReader:
    """Open a file for reading. Raises OSError for anything but a regular file, which might be read for
    ever, and for one of more than `most` bytes."""
    handle = os.open(path, _READ)
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        if most is not None and found.st_size > most:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path, most: int) -> bytes:
    """The content of a regular file of at most so many bytes. Raises OSError."""
    with open_regular(path, most) as file:
        return file.read(most)


def remove_left_behind(folder: Path) -> None:
    """Remove the temporary files in a folder whose writers were killed."""
    for path in _temporary_files(folder):
        try:
            handle = os.open(path, _READ | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            continue
        try:
            locked = try_lock(handle)
            if locked or (locked is None and is_stale(path)):
                remove(path)
        finally:
            os.close(handle)
        if locked is None and is_stale(path):  # Windows removes no open file
            remove(path)


def changed_ns(stat: os.stat_result) -> int:
    """The time of a file's last change, ns. The time of modification can be set to anything, by unpacking
    an archive or restoring a copy; the other one cannot. (On Windows that is the time of making it.)"""
    return max(stat.st_mtime_ns, stat.st_ctime_ns)


def is_stale(path: Path) -> bool:
    """Whether something temporary is so old that nobody can be at work on it."""
    try:
        return time.time() - path.lstat().st_mtime > STALE_AFTER
    except OSError:
        return False


def _temporary_files(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if _TEMPORARY.fullmatch(entry.name)]
    except OSError:
        return []


def remove(path: Path) -> None:
    """Remove a file, if it is there and can be removed."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Bring the renaming itself to the disk, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    with contextlib.suppress(OSError):
        os.fsync(handle)
    os.close(handle)


def unwritable(path: Path, error: OSError) -> CardgenError:
    """What to say of a file that could not be written."""
    if error.errno == errno.EFBIG:
        return budget.too_large_file()
    place = Location(path.as_posix())
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        code, message = "output/disk-full", "the disk is full"
        hint = "free some space or choose another folder; the file that was there is unchanged"
    else:
        code, message = "output/unwritable", f"cannot be written: {error.strerror or error}"
        hint = "check the folder's permissions or choose another one; the file that was there is unchanged"
    return CardgenError(Finding(Severity.ERROR, code, message, place, hint))
