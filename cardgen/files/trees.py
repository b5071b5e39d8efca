"""Folders of files in the user's cache, such as a project at a commit."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

from cardgen.core import budget
from cardgen.files.cache import our_environment
from cardgen.files.writing import cache_folder, changed_ns, new_file, read_regular

KEPT_TREES = 4
"""Trees of a kind that are kept, those used last; more only while they may be in use."""
AT_WORK = 24 * 3600.0
"""Seconds since its last use during which a tree may be in use."""
MOST = 16
MOST_LISTING = 64_000_000
MOST_DEPTH = 32
_LISTING = "files.json"
_PART = ".part-"
_FOREIGN = frozenset('\\:*?"<>|') if os.name == "nt" else frozenset()


def tree(kind: str, key: str, files: Callable[[], Iterable[tuple[str, bytes]]]) -> tuple[Path, object]:
    """Return the folder of a tree, made from `files` (name with forward slashes, content) if it is missing,
    and an object to hold while it is used. Without a cache, the folder is temporary, as `temporary` makes
    it.

    `key`, letters and digits, identifies everything that the files depend on. Of two files of one name (on
    a case-insensitive disk), the first is used. Raises OSError, ValueError for a name that leads out of the
    folder, and the errors of `files`; then there is no tree.
    """
    base = cache_folder()
    if base is None:
        return temporary(files)
    home = base / kind
    place = home / key
    if not _is_whole(place):
        try:
            home.mkdir(parents=True, exist_ok=True)
            part = Path(tempfile.mkdtemp(prefix=_PART, dir=home))
        except OSError:  # an unwritable cache is no reason to stop
            return temporary(files)
        try:
            _fill(part, files())
            _replace(part, place)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.utime(place)
    _clear(home, place)
    return place / "tree", place


def temporary(files: Callable[[], Iterable[tuple[str, bytes]]]) -> tuple[Path, object]:
    """Return the same in a temporary folder, which is deleted with the object."""
    folder = Path(tempfile.mkdtemp(prefix="cardgen-"))
    holder = _Holder()
    weakref.finalize(holder, shutil.rmtree, folder, True)
    _fill(folder, files())
    return folder / "tree", holder


class _Holder:
    """An owner of a temporary folder."""


def _fill(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write the files and, beside them, a list of their state."""
    top = folder / "tree"
    top.mkdir()
    listed = {}
    for name, content in files:
        path = top.joinpath(*_parts(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with new_file(path, path) as file:
                file.write(content)
                budget.wrote(len(content))
        except FileExistsError:
            continue
        listed[name] = list(_state(path))
    with new_file(folder / _LISTING, folder / _LISTING) as file:
        file.write(json.dumps([our_environment(), listed]).encode("utf-8", "surrogateescape"))


def _parts(name: str) -> tuple[str, ...]:
    """Return the parts of a file's name. Raises ValueError for one that leads out of the folder."""
    parts = tuple(name.split("/"))
    path = PurePosixPath(name)
    wrong = any(part in ("", ".", "..") or "\0" in part or _FOREIGN & set(part) for part in parts)
    if wrong or path.is_absolute() or len(parts) > MOST_DEPTH:
        raise ValueError(f"{name!r} is not a valid file name")
    return parts


def _state(path: Path) -> tuple[int, int]:
    found = path.lstat()
    return found.st_size, changed_ns(found)


def _is_whole(place: Path) -> bool:
    """Return True if a tree is unchanged. Only the listed files are checked: nobody else knows of the
    folder, and anyone who may write to it can run code as its user anyway."""
    try:
        made_in, listed = json.loads(read_regular(place / _LISTING, MOST_LISTING))
        return made_in == our_environment() and all(
            list(_state(place.joinpath("tree", *_parts(name)))) == state for name, state in listed.items()
        )
    except (OSError, ValueError, TypeError, AttributeError):
        return False


def _replace(part: Path, place: Path) -> None:
    """Put a finished tree in its place. If another process was faster, its equal tree stays."""
    try:
        part.rename(place)
    except OSError:
        if _is_whole(place):
            return
        shutil.rmtree(place)
        part.rename(place)


def _clear(home: Path, used: Path) -> None:
    """Remove the trees that were not used for longest, and files left by killed processes."""
    now, ages = time.time(), []
    with contextlib.suppress(OSError), os.scandir(home) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and Path(entry.path) != used:
                ages.append((now - entry.stat(follow_symlinks=False).st_mtime, entry.path))
    kept = 1
    for age, path in sorted(ages):
        if os.path.basename(path).startswith(_PART):
            gone = age > AT_WORK
        else:
            kept += 1
            gone = kept > MOST or (kept > KEPT_TREES and age > AT_WORK)
        if gone:
            shutil.rmtree(path, ignore_errors=True)
