"""Writing a file whole or not at all.

A file is written beside its place under a temporary name, brought to the disk and only then renamed,
so that a reader, another build or a power cut never meets half a file. Raises CardgenError with the
finding `output/unwritable` or `output/disk-full`; the file that was there before is then untouched.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from cardgen.findings import CardgenError, Finding, Location, Severity

STALE_AFTER = 3600.0
"""Seconds after which a temporary file counts as left behind by a process that was killed. A build
takes seconds; another computer's process, on a shared disk, cannot be asked whether it still runs."""

_TEMPORARY = re.compile(r"\.(?P<name>.+)\.cardgen-[A-Za-z0-9_]+\.tmp")


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let `write` write a binary file and put it at `path`, in place of what is there.

    Missing folders are made. Whatever `write` raises passes through, after cleaning up; only an
    OSError without a file name, which is the writing itself, counts as trouble with this file.
    """
    temporary: Path | None = None
    writing = False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _clean_up(path)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.cardgen-", suffix=".tmp", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            writing = True
            write(file)
            writing = False
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        if writing and error.filename is not None:
            raise
        raise _unwritable(path, error) from error
    finally:
        if temporary is not None:
            _remove(temporary)
    _sync_folder(path.parent)


def write_bytes(path: Path, content: bytes) -> None:
    """`write_whole` for content that is at hand."""
    write_whole(path, lambda file: file.write(content))


def _mode(path: Path) -> int:
    """The permissions that the file has, or that a new one gets; a temporary file is private."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _clean_up(path: Path) -> None:
    """Remove what killed writers of this very file left behind an hour or more ago."""
    for leftover in path.parent.glob(".*.cardgen-*.tmp"):
        match = _TEMPORARY.fullmatch(leftover.name)
        if match is None or match["name"] != path.name:
            continue
        try:
            stale = time.time() - leftover.stat().st_mtime > STALE_AFTER
        except OSError:
            continue
        if stale:
            _remove(leftover)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Bring the renaming itself to the disk, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    with contextlib.suppress(OSError):
        os.fsync(handle)
    os.close(handle)


def _unwritable(path: Path, error: OSError) -> CardgenError:
    place = Location(path.as_posix())
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        code, message = "output/disk-full", "the disk is full"
        hint = "free some space or choose another folder; the file that was there is unchanged"
    else:
        code, message = "output/unwritable", f"cannot be written: {error.strerror or error}"
        hint = "check the folder's permissions or choose another one; the file that was there is unchanged"
    return CardgenError(Finding(Severity.ERROR, code, message, place, hint))
