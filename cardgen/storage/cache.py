"""What can be made again, kept in the user's cache folder, and proved before it is used.

One file an entry: a magic number with the version of this layout, a digest of what the entry is (kind,
environment, key, what it was made of), the content's length, a digest of all that and the content, the
content. So a file that is damaged, cut off, empty, written by another version, or moved to another's
name is as if it were not there, and nobody decodes a byte of it; so is whatever else lies in its place.

The digest is against accidents. Whoever may write to the user's cache folder can run code as that user
anyway, and could reckon a keyed digest just as well as we can.

A cache that cannot be read or written is no error and no reason to stop: things are made anew.
"""

from __future__ import annotations

import contextlib
import os
from contextlib import ExitStack
from hashlib import blake2b
from io import BufferedReader
from pathlib import Path

from cardgen import budget
from cardgen.storage.aside import Aside, Part
from cardgen.storage.environment import environment as our_environment
from cardgen.storage.files import Draft, open_regular, remove_left_behind
from cardgen.storage.folders import cache_folder

MAGIC = b"cardgen cache 2\n"
DIGEST = 16
_LENGTH = 8
_HEADER = len(MAGIC) + DIGEST + _LENGTH + DIGEST

_PIECE = 1 << 18

_swept: set[Path] = set()
"""Folders from which this process has removed what killed ones left."""


class Cache:
    """Entries of one kind. Those kept in another `environment` (code, libraries, …; this process's own
    unless it is given) do not count. `folder` is the user's cache folder unless it is given."""

    def __init__(self, kind: str, environment: str | None = None, folder: Path | None = None) -> None:
        self.kind = kind
        self.environment = our_environment() if environment is None else environment
        base = cache_folder() if folder is None else folder
        self.folder = None if base is None else base / kind

    def path(self, key: str) -> Path | None:
        """Where the entry of that key is kept; None if there is no cache folder."""
        if self.folder is None:
            return None
        return self.folder / f"{_digest(key).hex()}.kept"

    def get(self, key: str, made_of: str = "") -> bytes | None:
        """The content that was put under this key, made of the same; None if there is none, or it is
        not whole."""
        found = self._open(key, made_of)
        if found is None:
            return None
        try:
            with found[0] as file:
                content = file.read()
        except OSError:
            return None
        return content if found[1] == self._header(key, made_of, content) else None

    def unread(self, key: str, made_of: str = "") -> Aside | None:
        """The same content to read parts of while it is kept open. Proved before, a piece at a time."""
        found = self._open(key, made_of)
        if found is None:
            return None
        try:
            with found[0] as file:
                state = blake2b(found[1][:-DIGEST], digest_size=DIGEST)
                while piece := file.read(_PIECE):
                    state.update(piece)
                if state.digest() != found[1][-DIGEST:]:
                    return None
                if os.name != "nt" or self.folder is None:
                    return Aside(file, _HEADER)
                file.seek(_HEADER)  # Windows puts nothing in the place of an open file
                copy = Aside.scratch(self.folder)
                while piece := file.read(_PIECE):
                    copy.add(piece)
                return copy
        except OSError:
            return None

    def _open(self, key: str, made_of: str) -> tuple[BufferedReader, bytes] | None:
        """An entry's file, read up to its content, and its header, if that is of this key and of a content
        of such a length."""
        path = self.path(key)
        if path is None:
            return None
        try:
            with ExitStack() as trouble:
                file = trouble.enter_context(open_regular(path))
                header = file.read(_HEADER)
                length = int.from_bytes(header[-DIGEST - _LENGTH : -DIGEST], "big")
                if os.fstat(file.fileno()).st_size != _HEADER + length:
                    return None
                if not header.startswith(self._head(key, made_of)):
                    return None
                trouble.pop_all()
                return file, header
        except OSError:
            return None

    def put(self, key: str, *parts: bytes | Part, made_of: str = "") -> None:
        """Keep a content, given in one or more parts, in place of what was kept under this key. Parts that
        were put aside are read as they are written."""
        path = self.path(key)
        if path is None:
            return
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.parent not in _swept:
                _swept.add(path.parent)
                remove_left_behind(path.parent)
            with Draft(path) as draft:
                draft.file.write(self._header(key, made_of, *parts))
                draft.file.writelines(map(bytes, parts))
                budget.wrote(draft.file.tell())
                draft.place()

    def _head(self, key: str, made_of: str) -> bytes:
        return MAGIC + _digest(self.kind, self.environment, key, made_of)

    def _header(self, key: str, made_of: str, *parts: bytes | Part) -> bytes:
        head = self._head(key, made_of) + sum(map(len, parts)).to_bytes(_LENGTH, "big")
        state = blake2b(head, digest_size=DIGEST)
        for part in parts:
            state.update(bytes(part))
        return head + state.digest()


def _digest(*texts: str) -> bytes:
    """A digest that tells texts apart, and where one ends and the next begins. Paths may hold bytes
    that are no text."""
    state = blake2b(digest_size=DIGEST)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        state.update(b"%d:" % len(data))
        state.update(data)
    return state.digest()
