"""Writing files whole or not at all, one process at a time."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import time
from _blake2 import blake2b
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedReader
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

from cardgen.core import budget
from cardgen.core.findings import CardgenError, Finding, Location, Severity

if TYPE_CHECKING:
    from platformdirs import PlatformDirs


STALE_AFTER = 3600.0
"""Seconds after which a temporary file counts as left behind if files can't be locked."""

_TEMPORARY = re.compile(r"\..+\.cardgen-[A-Za-z0-9_]+\.tmp")
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
"""Opening a pipe without a writer would wait forever."""
_TRIES = 100


class Output:
    """A context that turns write errors into findings about a file.

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
        """Call `write` with an open file, and sync that to the disk."""
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
    """Let `write` write a binary file and put it at `path`, replacing an existing one.

    Missing folders are made. Exceptions of `write` pass through, after cleaning up.
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
    """Write existing content, as `write_whole` does."""
    write_whole(path, lambda file: file.write(content))


def refuse_devices(path: Path) -> None:
    """Raise OSError for a place that a file must not replace, such as /dev/null, or a link to it."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # the system itself reports a folder
        raise OSError(errno.EEXIST, "it exists and is not a file")


class Draft:
    """A temporary file beside `path`, open as `file` and locked. It is deleted unless it is placed.

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
            # A cleanup may have run between making and locking it.
            if try_lock(self.file.fileno()) is not False and is_at(self.file.fileno(), self.temporary):
                return
            self.file.close()
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))

    def __enter__(self) -> Draft:
        return self

    def place(self) -> None:
        """Put the file at its path, replacing an existing one."""
        self.file.flush()
        if os.name == "nt":  # Windows doesn't rename open files
            self.file.close()
        os.replace(self.temporary, self.path)

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):  # a full disk, reported already
            self.file.close()
        remove(self.temporary)


def new_file(path: Path, like: Path) -> BinaryIO:
    """Return a new file, open for writing, with the permissions of the one at `like`, or of any new file.

    It is never open to more readers than in the end. Raises OSError, including FileExistsError.
    """
    try:
        mode = like.stat().st_mode & 0o777
    except OSError:
        return os.fdopen(os.open(path, _NEW_FILE, 0o666), "wb")
    handle = os.open(path, _NEW_FILE, mode)
    with contextlib.suppress(OSError):
        # The umask may have removed permissions. A confined process may not set them by the path, so use
        # the open file if possible.
        os.chmod(handle if os.chmod in os.supports_fd else path, mode)
    return os.fdopen(handle, "wb")


def open_regular(path: Path, most: int | None = None) -> BufferedReader:
    """Open a file for reading. Raises OSError for anything but a regular file, which might be read forever,
    and for one of more than `most` bytes."""
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
    """Return the content of a regular file of at most that many bytes. Raises OSError."""
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
        if locked is None and is_stale(path):  # Windows doesn't remove open files
            remove(path)


def changed_ns(stat: os.stat_result) -> int:
    """Return the time of a file's last change, ns. The time of modification can be set to anything, by
    unpacking an archive or restoring a copy; this one cannot. (On Windows it is the time of creation.)"""
    return max(stat.st_mtime_ns, stat.st_ctime_ns)


def is_stale(path: Path) -> bool:
    """Return True if a temporary file is so old that no process can be using it."""
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
    """Remove a file, if it exists and can be removed."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Flush a rename to the disk, if the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    with contextlib.suppress(OSError):
        os.fsync(handle)
    os.close(handle)


def unwritable(path: Path, error: OSError) -> CardgenError:
    """Return the finding for a file that could not be written."""
    if error.errno == errno.EFBIG:
        return budget.too_large_file()
    place = Location(path.as_posix())
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        code, message = "output/disk-full", "the disk is full"
        hint = "free some space or choose another folder; the file that was there is unchanged"
    elif error.errno in (errno.EEXIST, errno.EISDIR):
        code, message = "output/unwritable", "cannot be written: something that is not a file has this name"
        hint = "move it away, or choose another place"
    elif error.errno == errno.ENAMETOOLONG:
        code, message = "output/unwritable", "cannot be written: its name or path is too long"
        hint = "use shorter names, or a folder with a shorter path"
    else:
        code, message = "output/unwritable", f"cannot be written: {error.strerror or error}"
        hint = "check the folder's permissions or choose another one; the file that was there is unchanged"
    return CardgenError(Finding(Severity.ERROR, code, message, place, hint))


try:
    import fcntl as _fcntl
except ImportError:  # Windows
    _fcntl = None  # type: ignore[assignment]
fcntl: Any = _fcntl

WAIT = 600.0
"""Seconds to wait for a folder. The wait is for the writing alone: seconds for sheets, a minute or two for
the pictures of a large game on a slow machine."""

_PAUSE = 0.02
"""Seconds between two tries."""


@contextmanager
def held(folder: Path, wait: float | None = None) -> Iterator[bool]:
    """Lock a folder, made if missing, against all other processes and threads that ask for it.

    Gives True if the lock is certain, False if nothing can be locked. Waits up to `wait` seconds (None:
    `WAIT`). Raises CardgenError `output/busy` after that, OSError if the folder can be neither made nor
    opened.
    """
    deadline = time.monotonic() + (WAIT if wait is None else wait)
    with ExitStack() as stack:
        handle = _lock_folder(folder, deadline)
        guard = _lock_file(folder, deadline) if handle is None else None
        if handle is not None:
            stack.callback(os.close, handle)
        elif guard is not None:
            stack.callback(guard.release)
        yield handle is not None or guard is not None


def try_lock(handle: int) -> bool | None:
    """Lock an open file or folder. Return False if somebody else has it locked, None if it can't be
    locked."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def is_at(handle: int, path: Path) -> bool:
    """Return True if an open file is still the one at `path`: it may have been removed or replaced."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False


def _lock_folder(folder: Path, deadline: float) -> int | None:
    """Return the locked folder, open; None if folders cannot be locked."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        if fcntl is None:
            return None
        try:
            handle = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:  # removed between the two
            continue
        except PermissionError:  # it may still be writable
            return None
        locked = try_lock(handle)
        if locked and is_at(handle, folder):
            return handle
        os.close(handle)
        if locked is None:
            return None
        if not locked and time.monotonic() >= deadline:
            raise _busy(folder)
        if not locked:
            time.sleep(_PAUSE)


def _lock_file(folder: Path, deadline: float) -> Any:
    """Return a locked file for the folder, in the user's cache; None if there can't be one."""
    from filelock import FileLock, Timeout

    cache = cache_folder()
    if cache is None:
        return None
    name = blake2b(os.fsencode(os.path.realpath(folder)), digest_size=8).hexdigest()
    try:
        (cache / "locks").mkdir(parents=True, exist_ok=True)
        guard = FileLock(cache / "locks" / f"{name}.lock")
        guard.acquire(timeout=max(0.0, deadline - time.monotonic()))
    except Timeout:
        raise _busy(folder) from None
    except (OSError, NotImplementedError):
        return None
    return guard


def _busy(folder: Path) -> CardgenError:
    message = "another cardgen keeps writing to this folder"
    hint = "wait for it or stop it, then run this again; nothing was changed"
    place = Location(folder.as_posix())
    return CardgenError(Finding(Severity.ERROR, "output/busy", message, place, hint))


def cache_folder() -> Path | None:
    """Return the folder for things that can be made again: $CARDGEN_CACHE, else the system's cache folder.
    None for a user without a home."""
    return _folder("CARDGEN_CACHE", lambda folders: folders.user_cache_path)


def config_folder() -> Path | None:
    """Return the folder for the user's settings: $CARDGEN_CONFIG, else the system's settings folder. None
    for a user without a home."""
    return _folder("CARDGEN_CONFIG", lambda folders: folders.user_config_path)


def _folder(variable: str, find: Callable[[PlatformDirs], Path]) -> Path | None:
    """Return the variable's folder, else the one of platformdirs. Without a known home, new versions of it
    raise RuntimeError, and old ones return `~/…`, which would be a folder called `~` in the current one."""
    if chosen := os.environ.get(variable):
        return Path(chosen)
    from platformdirs import PlatformDirs

    try:
        path = find(PlatformDirs("cardgen", appauthor=False))
    except RuntimeError:
        return None
    return path if path.is_absolute() else None
