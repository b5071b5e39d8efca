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
from hashlib import blake2b
from pathlib import Path

from cardgen.storage.environment import environment as our_environment
from cardgen.storage.files import Draft, open_regular, remove_left_behind
from cardgen.storage.folders import cache_folder

MAGIC = b"cardgen cache 2\n"
DIGEST = 16
_LENGTH = 8
_HEADER = len(MAGIC) + DIGEST + _LENGTH + DIGEST

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
        path = self.path(key)
        if path is None:
            return None
        try:
            with open_regular(path) as file:
                header = file.read(_HEADER)
                length = int.from_bytes(header[-DIGEST - _LENGTH : -DIGEST], "big")
                if os.fstat(file.fileno()).st_size != _HEADER + length:
                    return None
                if not header.startswith(self._head(key, made_of)):
                    return None
                content = file.read()
        except OSError:
            return None
        return content if header == self._header(key, made_of, content) else None

    def put(self, key: str, *parts: bytes, made_of: str = "") -> None:
        """Keep a content, given in one or more parts, in place of what was kept under this key."""
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
                draft.file.writelines(parts)
                draft.place()

    def _head(self, key: str, made_of: str) -> bytes:
        return MAGIC + _digest(self.kind, self.environment, key, made_of)

    def _header(self, key: str, made_of: str, *parts: bytes) -> bytes:
        head = self._head(key, made_of) + sum(map(len, parts)).to_bytes(_LENGTH, "big")
        state = blake2b(head, digest_size=DIGEST)
        for part in parts:
            state.update(part)
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
