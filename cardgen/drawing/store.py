"""Forms kept from build to build, so that unchanged art costs no cairo.

One file per game: a magic number, a header (JSON), a digest of the header, then the objects' bytes.
Objects are named by their content, so that each proves itself when it is read; whatever does not
is as if it were not there. The file is written beside its place and moved into it, so concurrent
builds see one whole file or another, and the last one wins.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cardgen.drawing.objects import PdfObject, digest
from cardgen.folders import cache_folder

MAGIC = b"cardgen art 1\n\0\0"
KEEP = 8
"""Builds that draw something new before an entry that none of them used is dropped. Building one
sheet today and another tomorrow must not throw away the first one's art."""
_DRAWN_WITH = ("cairosvg", "cairocffi", "pikepdf", "PIL")
CHECK_BYTES = 16


class ArtStore:
    """Forms by the key of what they show.

    `drawn_by` describes the cairo library that drew them; see `library_changed`.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._roots: dict[str, str] = {}
        self._ages: dict[str, int] = {}
        self._objects: dict[str, PdfObject] = {}
        self._packed: dict[str, tuple[int, int, int]] = {}  # name: start, bytes of head, of stream
        self._data = b""
        self._used: set[str] = set()
        self._new = False
        self.drawn_by: list[Any] = []
        if path is not None:
            self._load(path)

    @classmethod
    def memory(cls) -> ArtStore:
        """A store that lasts as long as the process."""
        return cls(None)

    @classmethod
    def open(cls, project: Path, game: str) -> ArtStore:
        """The store of one game of one project folder, in $CARDGEN_CACHE or the user's cache folder."""
        place = digest(str(project.resolve()).encode())[:12]
        return cls(cache_folder() / "art" / f"{game}-{place}.pack")

    @property
    def entries(self) -> list[str]:
        """All keys, sorted, those of damaged entries among them."""
        return sorted(self._roots)

    def get(self, key: str) -> str | None:
        """The name of the form kept under `key`, or None. What it needs is then in `objects`."""
        root = self._roots.get(key)
        if root is None or not self._whole(root):
            return None
        self._used.add(key)
        return root

    def put(self, key: str, root: str, objects: Iterable[PdfObject]) -> None:
        """Keep a form and everything that it refers to."""
        self._objects.update((obj.name, obj) for obj in objects)
        self._roots[key] = root
        self._used.add(key)
        self._new = True

    def objects(self, roots: Iterable[str]) -> list[PdfObject]:
        """The objects below these forms, each once, references first."""
        from cardgen.drawing.objects import in_order

        return list(in_order(roots, self._objects))

    def clear(self) -> None:
        """Forget everything."""
        self._roots.clear()
        self._objects.clear()
        self._packed.clear()
        self._used.clear()
        self._new = True

    def save(self) -> None:
        """Write the store if something new was drawn. An unwritable cache is no error: the next build
        draws again."""
        if self._path is None or not self._new:
            return
        ages = {key: 0 if key in self._used else self._ages.get(key, 0) + 1 for key in self._roots}
        kept = sorted(key for key, age in ages.items() if age < KEEP and self._whole(self._roots[key]))
        objects = self.objects(self._roots[key] for key in kept)
        header = json.dumps(
            {
                "made": _identity(),
                "drawn_by": self.drawn_by,
                "forms": [[key, self._roots[key], ages[key]] for key in kept],
                "objects": [
                    [obj.name, len(obj.head), -1 if obj.stream is None else len(obj.stream)]
                    for obj in objects
                ],
            },
            separators=(",", ":"),
        ).encode()
        parts = [MAGIC, len(header).to_bytes(8, "big"), header, check(header)]
        for obj in objects:
            parts += (obj.head, obj.stream or b"")
        try:
            write(self._path, parts)
            self._new = False
        except OSError:
            pass

    # ------------------------------------------------------------ reading

    def _load(self, path: Path) -> None:
        try:
            data = path.read_bytes()
            start = len(MAGIC) + 8
            end = start + int.from_bytes(data[len(MAGIC) : start], "big")
            header = data[start:end]
            if not data.startswith(MAGIC) or data[end : end + CHECK_BYTES] != check(header):
                return
            content = json.loads(header)
        except (OSError, ValueError):
            return
        if content["made"] != _identity() or library_changed(content["drawn_by"]):
            return
        position = end + CHECK_BYTES
        for name, head, stream in content["objects"]:
            self._packed[name] = (position, head, stream)
            position += head + max(stream, 0)
        for key, root, age in content["forms"]:
            self._roots[key] = root
            self._ages[key] = age
        self._data = data
        self.drawn_by = content["drawn_by"]

    def _whole(self, root: str) -> bool:
        """Whether the object and all that it refers to are there and undamaged."""
        if root in self._objects:
            return True
        place = self._packed.get(root)
        if place is None:
            return False
        start, head, stream = place
        middle = start + head
        obj = PdfObject.of(
            self._data[start:middle], None if stream < 0 else self._data[middle : middle + stream]
        )
        if obj.name != root or not all(self._whole(ref) for ref in obj.refs):
            return False
        self._objects[root] = obj
        return True


def library_changed(drawn_by: list[Any]) -> bool:
    """Whether the file of the cairo library that `drawn_by` describes is no longer the same."""
    if len(drawn_by) != 4 or drawn_by[1] is None:
        return False
    return _stat(Path(drawn_by[1])) != drawn_by[2:]


def describe_library(version: str, file: Path | None) -> list[Any]:
    """A cairo library for `ArtStore.drawn_by`: version, file, its size and time."""
    return [version, str(file) if file else None, *(_stat(file) if file else (0, 0))]


def _stat(path: Path) -> list[int]:
    try:
        found = path.stat()
    except OSError:
        return [0, 0]
    return [found.st_size, found.st_mtime_ns]


def _identity() -> list[Any]:
    """What a form's bytes depend on besides the picture: our code and the libraries' files."""
    code = blake2b(digest_size=CHECK_BYTES)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        code.update(path.read_bytes())
    return [code.hexdigest(), describe_modules(_DRAWN_WITH)]


def describe_modules(names: Iterable[str]) -> list[Any]:
    """Name, size and time of modules, found without importing them."""
    described = []
    for name in names:
        spec = find_spec(name)
        described.append([name, *_stat(Path(spec.origin))] if spec and spec.origin else [name])
    return described


def check(*parts: bytes | memoryview) -> bytes:
    """A digest of bytes in several parts."""
    state = blake2b(digest_size=CHECK_BYTES)
    for part in parts:
        state.update(part)
    return state.digest()


def write(path: Path, parts: list[bytes]) -> None:
    """Put a file at `path` whole. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
