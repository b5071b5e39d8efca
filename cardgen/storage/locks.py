"""Locks: which process may change a folder, and whether the one that began a file still runs.

The system drops a lock when its process ends, however it ends, so a lock that can be had tells that
nobody is at work. On POSIX a folder is locked itself: no file has to lie in it for that, and builds
that share a folder but no cache see each other. Where folders cannot be locked (Windows, some network
disks), a lock file in the user's cache does; where there is none either, work goes on without.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from cardgen.findings import CardgenError, Finding, Location, Severity
from cardgen.storage.folders import cache_folder

try:
    import fcntl as _fcntl
except ImportError:  # Windows
    _fcntl = None  # type: ignore[assignment]
fcntl: Any = _fcntl

WAIT = 600.0
"""Seconds to wait for a folder. What is waited for is the writing alone: seconds for sheets, a minute
or two for the pictures of a large game on a slow machine."""

_PAUSE = 0.02
"""Seconds between two tries."""


@contextmanager
def held(folder: Path, wait: float | None = None) -> Iterator[bool]:
    """Keep a folder, which is made if need be, from all other processes and threads that ask for it.

    Gives True where that is certain, False where nothing can be locked. Waits up to `wait` seconds
    (None: `WAIT`). Raises CardgenError `output/busy` if it is in vain, OSError if the folder can be
    neither made nor opened.
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
    """Lock an open file or folder if nobody else has it locked; None where that cannot be done."""
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
    """Whether an open file is still the one at `path`: it may have been removed or replaced."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False


def _lock_folder(folder: Path, deadline: float) -> int | None:
    """The locked folder, open; None where folders cannot be locked."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        if fcntl is None:
            return None
        try:
            handle = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:  # removed between the two
            continue
        except PermissionError:  # it may be written to all the same
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
    """A held lock file in the user's cache that stands for the folder; None if there can't be one."""
    from filelock import FileLock, Timeout

    cache = cache_folder()
    if cache is None:
        return None
    name = hashlib.blake2b(os.fsencode(os.path.realpath(folder)), digest_size=8).hexdigest()
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
    message = "another cardgen is writing to this folder and does not come to an end"
    hint = "wait for it or stop it, then run this again; nothing has been changed"
    place = Location(folder.as_posix())
    return CardgenError(Finding(Severity.ERROR, "output/busy", message, place, hint))
