"""Taking turns at a folder that several processes may write to at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardgen.folders import cache_folder


@contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Wait until no other build is at the lists of this folder: each adds to what it finds there."""
    from filelock import FileLock

    name = hashlib.blake2b(str(folder.resolve()).encode(), digest_size=8).hexdigest()
    lock = cache_folder() / "locks" / f"{name}.lock"
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        guard = FileLock(lock, timeout=60)
        guard.acquire()
    except OSError:
        yield  # no place for a lock: better a build without one than none
        return
    try:
        yield
    finally:
        guard.release()
