"""File names as other programs write them, matched with the names on the disk.

`candidates` reads a name by its text alone: percent escapes, back-slashes, `./` and `../`. None of its
places leads out of the folders `within`. `spelled` looks a place up: letters may be composed or decomposed
(`Ä` is one character or two), and a case-blind disk answers to any case.
"""

from __future__ import annotations

import os
import posixpath
import re
import time
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from cardgen.storage.reading import Name, ReadingError, is_there
from cardgen.storage.stamps import RACY_NS
from cardgen.storage.walking import names_in

MOST_CHARACTERS = 1_000
"""Most characters of a name that is looked for."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/\\]")


class NamedFile(NamedTuple):
    """A file that a name means: the `place` that was looked for, and the `file` as the disk spells it,
    both relative to the project."""

    place: str
    file: str

    @property
    def has_other_case(self) -> bool:
        """Tell whether the name and the file differ in capitals, which Linux tells apart."""
        return composed(self.place) != composed(self.file)


def composed(name: str) -> str:
    """Return a name with composed letters (NFC)."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def folded(name: str) -> str:
    """Return a name as case-blind disks compare it."""
    return composed(composed(name).casefold())


def is_elsewhere(name: str) -> bool:
    """Tell whether a name is an address or an absolute path."""
    return _SCHEME.match(name) is not None


def spellings(name: str) -> list[str]:
    """Return the paths that a name may mean: as it stands, then with its percent escapes decoded."""
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
        folders: Where it may start from, relative to the project.
        within: The folders that must hold the file; "" for the project's own.
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
    """Return what the disk calls the file or folder at a place below `root`; None if there is none."""
    if is_there(os.path.join(root, place)):
        other = "".join(letter.swapcase() if letter.isascii() else letter for letter in place)
        # Only a case-blind disk has something under both names.
        is_blind = other != place and is_there(os.path.join(root, other))
        return (_matched(root, place, blind=True) or place) if is_blind else place
    return None if place.isascii() else _matched(root, place, blind=False)


def other_case(root: Name, place: str) -> str | None:
    """Return what the disk calls a file whose name differs from a place in capitals alone."""
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
    """The names in a folder: by themselves and composed, and as case-blind disks compare them."""

    composed: dict[str, str]
    folded: dict[str, str]


def _listing(folder: str, root: str) -> _Listing:
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
