"""Bytes put aside in a file, read when they are asked for."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from cardgen import budget


class Aside:
    """A file that is open for as long as somebody may need parts of it, from any thread. Nobody else writes
    to it: it has no name, or is an entry of the cache, which is replaced and never changed."""

    def __init__(self, file: BinaryIO, start: int = 0) -> None:
        """What is in an open file from `start` on. The file may be closed."""
        self._handle = os.dup(file.fileno())
        self._start, self._size = start, 0
        self._lock = Lock()

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            os.close(self._handle)

    @classmethod
    def scratch(cls, folder: Path) -> Aside:
        """A new file in `folder`, which is made; it is gone with this object. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            return cls(file)

    def part(self, start: int, size: int) -> Part:
        """Bytes of the file, unread."""
        return Part(self, start, size)

    def add(self, content: bytes) -> Part:
        """Put bytes at the end of a scratch file. Raises OSError."""
        budget.wrote(len(content))
        with self._lock:
            start, left = self._size, memoryview(content)
            os.lseek(self._handle, start, os.SEEK_SET)
            while left:
                left = left[os.write(self._handle, left) :]
            self._size += len(content)
        return Part(self, start, len(content))

    def read(self, start: int, size: int) -> bytes:
        """Bytes of the file. OSError if there are fewer."""
        pieces: list[bytes] = []
        with self._lock:
            os.lseek(self._handle, self._start + start, os.SEEK_SET)
            while size > 0:
                piece = os.read(self._handle, size)
                if not piece:
                    raise OSError(f"{size} bytes of what was put aside are gone")
                pieces.append(piece)
                size -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class Part:
    """Bytes in a file: `len(part)` says how many, `bytes(part)` reads them."""

    __slots__ = ("_aside", "_size", "_start")

    def __init__(self, aside: Aside, start: int, size: int) -> None:
        self._aside, self._start, self._size = aside, start, size

    def __len__(self) -> int:
        return self._size

    def __bytes__(self) -> bytes:
        return self._aside.read(self._start, self._size)
