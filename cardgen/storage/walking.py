"""Listing folders of a project: each once, bounded, never out of the project.

A link to a folder is followed where that lies in the project and was not walked yet. Nothing is opened.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence

from cardgen.storage.files import changed_ns
from cardgen.storage.reading import Name, ReadingError, is_inside, is_there, resolved

MOST_NAMES = 20_000
"""Most files and folders in a folder that is listed."""
MOST_ENTRIES = 100_000
"""Most files and folders in a folder and all folders below it."""
MOST_DEPTH = 32
"""Deepest nesting of folders."""


class Walked:
    """What lies in a folder, at any depth, in no order.

    `files` are path, bytes and time of the last change (ns), -1 and 0 for what cannot be looked at; a path
    through a linked folder is that folder's own. `folders` are those that were listed. `links` say where
    each link leads, "" for nowhere; `outside` are those that lead out of the project.
    """

    def __init__(self) -> None:
        self.files: list[tuple[str, int, int]] = []
        self.folders: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.outside: list[str] = []


Skip = Callable[[str, str, int], bool]
"""Whether to leave a folder out: its path, its name, how deep it lies (0 for the first)."""


def walk(
    folder: Name,
    shown: str,
    within: Sequence[Name] | None,
    *,
    skip: Skip | None = None,
    most: int = MOST_ENTRIES,
) -> Walked:
    """The files in a folder and below it; none if there is no such folder. Links are followed as far as
    they stay in the folders `within`; anywhere, for None.

    Raises ReadingError folder/size or folder/depth for more than is bounded.
    """
    found = Walked()
    start = _followed(os.fspath(folder), within, found) if is_there(folder) else None
    folders: list[tuple[str, int]] = [(start, 0)] if start is not None else []
    through_links: list[tuple[str, int]] = []
    walked: set[str] = set()
    count = 0
    while folders or through_links:
        # Real folders first, so that which path wins does not depend on the order of names.
        path, depth = folders.pop() if folders else through_links.pop()
        if path in walked:
            continue
        walked.add(path)
        if depth > MOST_DEPTH:
            reason = f"has folders nested more than {MOST_DEPTH} deep"
            raise ReadingError("folder/depth", shown, reason, "move out what no game needs", "folder")
        try:
            entries = os.scandir(path)
        except OSError:
            # What cannot be listed cannot be read either; whoever needs a file of it says so.
            found.files.append((path, -1, 0))
            continue
        found.folders.append(path)
        with entries:
            for entry in entries:
                count += 1
                if count > most:
                    raise _too_many(shown, most)
                try:
                    if entry.is_symlink():
                        inner = _followed(entry.path, within, found)
                        if inner is None:
                            continue
                        state = os.stat(inner)
                        is_folder = stat.S_ISDIR(state.st_mode)
                    else:
                        inner = entry.path
                        is_folder = entry.is_dir(follow_symlinks=False)
                        state = entry.stat(follow_symlinks=False)
                except OSError:
                    found.files.append((entry.path, -1, 0))
                    continue
                if not is_folder:
                    found.files.append((entry.path, state.st_size, changed_ns(state)))
                elif skip is None or not skip(entry.path, entry.name, depth):
                    (folders if inner is entry.path else through_links).append((inner, depth + 1))
    return found


def _followed(path: str, within: Sequence[Name] | None, found: Walked) -> str | None:
    """The path without links, which are noted in `found`; None where nothing of the project lies there."""
    real, there = os.path.realpath(path), os.path.exists(path)
    if real == path and there:
        return path
    found.links.append((path, real if there else ""))
    if not there:
        return None
    if within is not None and not is_inside(real, within):
        found.outside.append(path)
        return None
    return real


def names_in(folder: Name, shown: str, within: Sequence[Name] | None, ending: str = "") -> list[str]:
    """The names in a folder that have this ending, sorted, hidden ones left out; none if there is no
    such folder. What is of that name may be no file; reading it says so.

    Raises ReadingError: file/outside or file/link for a link that is no folder of the project,
    folder/kind for what is no folder, folder/size, file/unreadable.
    """
    if not is_there(folder):
        return []
    real = resolved(folder, shown, within, "folder")
    names = []
    try:
        with os.scandir(real) as entries:
            for count, entry in enumerate(entries):
                if count >= MOST_NAMES:
                    raise _too_many(shown, MOST_NAMES)
                if entry.name.endswith(ending) and not entry.name.startswith("."):
                    names.append(entry.name)
    except NotADirectoryError:
        raise ReadingError("folder/kind", shown, "is a file", "delete or rename it", "folder") from None
    except OSError as error:
        reason = f"cannot be read: {error.strerror or 'unknown reason'}"
        raise ReadingError("file/unreadable", shown, reason, None, "folder") from None
    return sorted(names)


def homes(roots: Sequence[Name], folder: str, file: str) -> list[str]:
    """The names of the folders in `folder` that have such a file, in any of the roots, sorted. Raises as
    `names_in` does."""
    found: set[str] = set()
    for root in roots:
        base = os.path.join(root, folder)
        names = names_in(base, folder, roots)
        found.update(name for name in names if is_there(os.path.join(base, name, file)))
    return sorted(found)


def _too_many(shown: str, most: int) -> ReadingError:
    reason = f"holds more than {most:,} files and folders"
    return ReadingError("folder/size", shown, reason, "move out what no game needs", "folder")
