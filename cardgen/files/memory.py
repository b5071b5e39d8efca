"""Files in memory, below a path that no disk has, for projects that are no folders.

`files/reading.py` and `files/listing.py` look here first. A project's path contains the digest of all its
files, so the path of a file identifies its content too. Files are kept as long as someone has their
`MemoryFiles`, which can be sent to other processes.
"""

from __future__ import annotations

import os
import re
from _blake2 import blake2b
from collections.abc import Mapping
from pathlib import Path
from typing import Union
from weakref import WeakValueDictionary

from cardgen.core.findings import UsageError

Name = Union[str, "os.PathLike[str]"]
Folder = dict[str, Union[bytes, "Folder"]]
"""The files and folders in a folder, by their names."""

_PLACE = os.path.abspath("/dev/null/cardgen")
"""The folder of all such projects: no system has one below its null device."""
_MOST = 100_000
_MOST_PARTS = 32
_INVALID = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\\\\]")


class MemoryFiles:
    """The files of a project, by their path in it. Never changes."""

    __slots__ = ("__weakref__", "files", "root", "tree")

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(sorted(files.items()))
        state = blake2b(digest_size=16)
        for name, content in self.files.items():
            encoded = name.encode("utf-8", "surrogatepass")
            state.update(b"%d %d\0" % (len(encoded), len(content)))
            state.update(encoded)
            state.update(content)
        self.root = Path(_PLACE, state.hexdigest())
        self.tree: Folder = {}
        for name, content in self.files.items():
            *above, last = name.split("/")
            folder = self.tree
            for part in above:
                inner = folder.setdefault(part, {})
                if not isinstance(inner, dict):
                    raise UsageError(f"'{name}' is in a folder that is also a file", "rename one of them")
                folder = inner
            if last in folder:
                raise UsageError(f"'{name}' is both a file and a folder", "rename one of them")
            folder[last] = content

    def __reduce__(self) -> tuple[object, ...]:
        return hold, (self.files,)


_held: WeakValueDictionary[str, MemoryFiles] = WeakValueDictionary()
"""Files in use, by the digest of all of them."""


def hold(files: Mapping[str, bytes | str]) -> MemoryFiles:
    """Return these files, to be read below its `root`; texts are encoded as UTF-8.

    Raises UsageError for more than 100,000 files and for a name that is no path in a project.
    """
    if len(files) > _MOST:
        raise UsageError(f"{len(files):,} files are more than {_MOST:,}", "pass only files of the game")
    for name in files:
        parts = name.split("/")
        wrong = len(parts) > _MOST_PARTS or any(part in ("", ".", "..") for part in parts)
        if wrong or _INVALID.search(name):
            hint = "write a path in the project, such as data/GAME/game.yaml"
            raise UsageError(f"{name!a} is no name of a project's file", hint)
    made = MemoryFiles(
        {
            name: content.encode("utf-8", "surrogatepass") if isinstance(content, str) else bytes(content)
            for name, content in files.items()
        }
    )
    return _held.setdefault(made.root.name, made)


def is_in_memory(path: Name) -> bool:
    """Return True if a path is one of files in memory, there or not."""
    return os.fspath(path).startswith(_PLACE)


def entry(path: Name) -> bytes | Folder | None:
    """Return the file or folder at a path in memory, None if there is none."""
    parts = os.path.relpath(os.path.normpath(path), _PLACE).split(os.sep)
    held = _held.get(parts[0])
    found: bytes | Folder | None = None if held is None else held.tree
    for part in parts[1:]:
        found = found.get(part) if isinstance(found, dict) else None
    return found


def name_for_results(root: Path) -> str | None:
    """Return the name under which results of a project are kept; None, not at all, for one in memory."""
    return None if is_in_memory(root) else str(root.resolve())
