"""Listing folders, matching file names, and finding the place for results."""

from __future__ import annotations

import os
import posixpath
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from cardgen.core.findings import CardgenError, Finding, Location, Severity
from cardgen.core.paths import NamedFile, composed
from cardgen.core.records import dataclass, field
from cardgen.files.cache import RACY_NS
from cardgen.files.memory import Folder, MemoryFiles, Name, entry, is_in_memory
from cardgen.files.reading import ReadingError, is_inside, is_there, leads_through, resolved
from cardgen.files.writing import changed_ns

MOST_CHARACTERS = 1_000
"""Most characters of a name to look up."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/\\]")


def folded(name: str) -> str:
    """Return a name as case-insensitive disks compare it."""
    return composed(composed(name).casefold())


def is_elsewhere(name: str) -> bool:
    """Return True if a name is an address or an absolute path."""
    return _SCHEME.match(name) is not None


def spellings(name: str) -> list[str]:
    """Return the paths that a name may mean: unchanged, then with its percent escapes decoded."""
    found = [name]
    if "%" in name:
        try:
            found.append(unquote(name, errors="strict"))
        except UnicodeDecodeError:
            found.append(unquote(name, "latin-1"))
    return list(dict.fromkeys(each.replace("\\", "/") for each in found))


def candidates(name: str, folders: Iterable[str], within: Sequence[str]) -> list[str]:
    """Return the places that a name may mean below some folders of a project, in order.

    Args:
        name: A relative path, as a person or a program wrote it.
        folders: Its possible starting folders, relative to the project.
        within: The folders that must contain the file; "" for the project's own.
    """
    if not 0 < len(name) <= MOST_CHARACTERS:
        return []
    starts, found = list(folders), dict[str, None]()
    for path in spellings(name):
        parts = path.split("/")
        if _CONTROL.search(path) or "" in parts or parts[-1] in (".", ".."):
            continue
        for folder in starts:
            place = posixpath.normpath(posixpath.join(folder, path))
            if place.partition("/")[0] != ".." and any(
                place.startswith(top and f"{top}/") for top in within
            ):
                found[place] = None
    return list(found)


def spelled(root: Name, place: str) -> str | None:
    """Return the disk's name for the file or folder at a place below `root`; None if there is none."""
    if is_there(os.path.join(root, place)):
        other = "".join(letter.swapcase() if letter.isascii() else letter for letter in place)
        # Only a case-insensitive disk finds something under both names.
        is_blind = other != place and is_there(os.path.join(root, other))
        return (_matched(root, place, blind=True) or place) if is_blind else place
    return None if place.isascii() else _matched(root, place, blind=False)


def other_case(root: Name, place: str) -> str | None:
    """Return the disk's name for a file whose name differs from a place only in capitals."""
    return _matched(root, place, blind=True)


def _matched(root: Name, place: str, *, blind: bool) -> str | None:
    """Return the place with each part as its folder lists it."""
    parts: list[str] = []
    for part in place.split("/"):
        folder = os.path.join(root, *parts)
        listing = _listing(folder, os.fspath(root))
        found = listing.composed.get(part) or listing.composed.get(composed(part))
        if found is None and blind:
            found = listing.folded.get(folded(part))
        if found is None:
            return None
        parts.append(found)
    return "/".join(parts)


class _Listing(NamedTuple):
    """The names in a folder: unchanged and composed, and as case-insensitive disks compare them."""

    composed: dict[str, str]
    folded: dict[str, str]


def _listing(folder: str, root: str) -> _Listing:
    if is_in_memory(folder):
        return _kept_listing(folder, root, 0)
    try:
        changed = os.stat(folder).st_mtime_ns
    except OSError:
        return _Listing({}, {})
    if changed + RACY_NS >= time.time_ns():  # the next change may not show
        return _list(folder, root)
    return _kept_listing(folder, root, changed)


@lru_cache(maxsize=64)
def _kept_listing(folder: str, root: str, changed: int) -> _Listing:
    return _list(folder, root)


def _list(folder: str, root: str) -> _Listing:
    try:
        names = names_in(folder, folder, [root])
    except ReadingError:
        names = []
    alike = {composed(name): name for name in reversed(names)}
    return _Listing(
        {**alike, **{name: name for name in names}}, {folded(name): name for name in reversed(names)}
    )


_WRITTEN_OTHERWISE = ("%", "\\", "/.")
"""The signs in a name that may refer to a differently named file."""


@dataclass(frozen=True, slots=True)
class ProjectFolders:
    """The folders with a game's files, searched in order. `held` are those of a folder in memory."""

    roots: tuple[Path, ...]
    held: MemoryFiles | None = field(default=None, compare=False, repr=False)

    def find(self, relative: str) -> Path | None:
        """Return the first existing file or folder of that relative name, or None.

        A link counts, wherever it leads: reading it reports the problem, and no other file replaces it.
        """
        found = self._spelled(relative)
        if found is None and any(sign in relative for sign in _WRITTEN_OTHERWISE):
            found = self.locate(relative, [""], [relative.partition("/")[0]])
        return None if found is None else found[0] / found[1].file

    def locate(
        self, name: str, folders: Iterable[str], within: Sequence[str]
    ) -> tuple[Path, NamedFile] | None:
        """Return the first file that a name means, as people and programs write it, with its root.

        Args:
            name: A relative path.
            folders: Its possible starting folders, relative to the project, in order.
            within: The folders that must contain the file.
        """
        for place in candidates(name, folders, within):
            if (found := self._spelled(place)) is not None:
                return found
        return None

    def other_case(self, name: str, folders: Iterable[str], within: Sequence[str]) -> str | None:
        """Return the file whose name differs only in capitals, relative to the project."""
        places = candidates(name, folders, within)
        found = (other_case(root, place) for place in places for root in self.roots)
        return next((file for file in found if file is not None), None)

    def _spelled(self, place: str) -> tuple[Path, NamedFile] | None:
        for root in self.roots:
            if (file := spelled(root, place)) is not None:
                return root, NamedFile(place, file)
        return None


MOST_NAMES = 20_000
"""Most files and folders in a folder that is listed."""
MOST_ENTRIES = 100_000
"""Most files and folders in a folder and all folders below it."""
MOST_DEPTH = 32
"""Deepest nesting of folders."""


class Walked:
    """The content of a folder, at any depth, in no order.

    `files` are path, bytes and time of the last change (ns), -1 and 0 for unreadable ones; a path through a
    linked folder is that folder's own. `folders` are those that were listed. `links` have each link's
    target, "" for nowhere; `outside` are those that lead out of the project.
    """

    def __init__(self) -> None:
        self.files: list[tuple[str, int, int]] = []
        self.folders: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.outside: list[str] = []


Skip = Callable[[str, str, int], bool]
"""Returns True to skip a folder: its path, its name, its depth (0 for the first)."""


def walk(
    folder: Name,
    shown: str,
    within: Sequence[Name] | None,
    *,
    skip: Skip | None = None,
    most: int = MOST_ENTRIES,
) -> Walked:
    """Return the files in a folder and below it; none if there is no such folder. Follow links that stay in
    the folders `within`; for None, all links.

    Raises ReadingError folder/size or folder/depth for more than is bounded.
    """
    found = Walked()
    if is_in_memory(folder):
        inside = entry(folder)
        if isinstance(inside, dict):
            _walk_memory(os.path.normpath(folder), inside, 0, skip, found)
        return found
    start = _followed(os.fspath(folder), within, found) if is_there(folder) else None
    folders: list[tuple[str, int]] = [(start, 0)] if start is not None else []
    through_links: list[tuple[str, int]] = []
    walked: set[str] = set()
    count = 0
    while folders or through_links:
        # Real folders first, so that the order of names doesn't decide which path is used.
        path, depth = folders.pop() if folders else through_links.pop()
        if path in walked:
            continue
        walked.add(path)
        if depth > MOST_DEPTH:
            reason = f"has folders nested more than {MOST_DEPTH} deep"
            raise ReadingError(
                "folder/depth", shown, reason, "move files that no game needs out of the project", "folder"
            )
        try:
            entries = os.scandir(path)
        except OSError:
            # An unlisted folder can't be read either; reading a file of it reports that.
            found.files.append((path, -1, 0))
            continue
        found.folders.append(path)
        with entries:
            for each in entries:
                count += 1
                if count > most:
                    raise _too_many(shown, most)
                try:
                    if each.is_symlink():
                        inner = _followed(each.path, within, found)
                        if inner is None:
                            continue
                        state = os.stat(inner)
                        is_folder = stat.S_ISDIR(state.st_mode)
                    else:
                        inner = each.path
                        is_folder = each.is_dir(follow_symlinks=False)
                        state = each.stat(follow_symlinks=False)
                except OSError:
                    found.files.append((each.path, -1, 0))
                    continue
                if not is_folder:
                    found.files.append((each.path, state.st_size, changed_ns(state)))
                elif skip is None or not skip(each.path, each.name, depth):
                    (folders if inner is each.path else through_links).append((inner, depth + 1))
    return found


def _walk_memory(path: str, inside: Folder, depth: int, skip: Skip | None, found: Walked) -> None:
    """Add the content of a folder in memory, which has no links and few enough files."""
    found.folders.append(path)
    for name, each in inside.items():
        inner = os.path.join(path, name)
        if isinstance(each, bytes):
            found.files.append((inner, len(each), 0))
        elif skip is None or not skip(inner, name, depth):
            _walk_memory(inner, each, depth + 1, skip, found)


def _followed(path: str, within: Sequence[Name] | None, found: Walked) -> str | None:
    """Return the path without links, which are noted in `found`; None if it leads to no file or folder of
    the project."""
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
    """Return the names in a folder that have this ending, sorted, hidden ones skipped; none if there is no
    such folder. A name may not be a file; reading it reports that.

    Raises ReadingError: file/outside or file/link for a link that is no folder of the project, folder/kind
    if it is no folder, folder/size, file/unreadable.
    """
    if not is_there(folder):
        return []
    real = resolved(folder, shown, within, "folder")
    names = []
    try:
        for count, name in enumerate(_names(real)):
            if count >= MOST_NAMES:
                raise _too_many(shown, MOST_NAMES)
            if name.endswith(ending) and not name.startswith("."):
                names.append(name)
    except NotADirectoryError:
        raise ReadingError("folder/kind", shown, "is a file", "delete or rename it", "folder") from None
    except OSError as error:
        reason = f"cannot be read: {error.strerror or 'unknown reason'}"
        raise ReadingError("file/unreadable", shown, reason, None, "folder") from None
    return sorted(names)


def _names(folder: str) -> Iterator[str]:
    """Yield the names in a folder. Raises OSError."""
    if is_in_memory(folder):
        inside = entry(folder)
        if not isinstance(inside, dict):
            raise NotADirectoryError
        yield from inside
        return
    with os.scandir(folder) as entries:
        for each in entries:
            yield each.name


def homes(roots: Sequence[Name], folder: str, file: str) -> list[str]:
    """Return the names of the folders in `folder` that have such a file, in any of the roots, sorted.
    Raises as `names_in` does."""
    found: set[str] = set()
    for root in roots:
        base = os.path.join(root, folder)
        names = names_in(base, folder, roots)
        found.update(name for name in names if is_there(os.path.join(base, name, file)))
    return sorted(found)


def _too_many(shown: str, most: int) -> ReadingError:
    reason = f"contains more than {most:,} files and folders"
    return ReadingError(
        "folder/size", shown, reason, "move files that no game needs out of the project", "folder"
    )


MOST_OUTPUTS = 1_000_000
"""Most files in a game's output folder."""


def check_place(folder: Path, project: Name, *, within: bool = True) -> None:
    """Raise CardgenError output/outside if `folder`, or a link `within` it, leads out of the project folder
    through which it is reached.

    A folder that is not reached through the project is the user's own choice, with all links in it.
    """
    root = os.path.realpath(project)
    if not leads_through(folder, root):
        return
    real = os.path.realpath(folder)
    if not is_inside(real, [root]):
        raise _outside(folder, real)
    for link in walk(real, folder.name, [root], most=MOST_OUTPUTS).outside if within else ():
        raise _outside(Path(link), os.path.realpath(link))


def _outside(folder: Path, real: str) -> CardgenError:
    message = f"a link here leads out of the project, to {real}"
    hint = "delete the link, or choose another folder with --output"
    return CardgenError(
        Finding(Severity.ERROR, "output/outside", message, Location(folder.as_posix()), hint)
    )
