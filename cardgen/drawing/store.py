"""Forms kept from build to build, so that unchanged art costs no cairo.

One entry of the user's cache per game: the length of a header, the header (JSON), then the objects'
bytes. Concurrent builds see one whole entry or another, and the last one wins. Large streams, such as
photographs, are never all in memory: they stay in files until they are written elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from cardgen.drawing.objects import PdfObject, in_order
from cardgen.storage.aside import Aside, Part
from cardgen.storage.cache import Cache
from cardgen.storage.generations import Ages, Generations

LENGTH = 8
"""Bytes in which an entry says how long its header is."""
_LARGE = 1 << 14
"""Bytes from which on a stream stays in a file until it is written."""
_AT_ONCE = 500
"""Entries of a header that are spelled at a time."""
_SHORT = 120
"""Bytes of a head that others may have as well."""


class ArtStore:
    """Forms by the key of what they show, kept in `cache` under `name`, or nowhere.

    `variant` says what is built: forms are forgotten that other builds of the same did not use for a while.
    """

    def __init__(self, cache: Cache | None, name: str = "", variant: str = "") -> None:
        self._cache, self._name = cache, name
        self._roots: dict[str, tuple[str, str]] = {}
        """Keys, with themselves, to the names of forms."""
        self._ages: dict[str, Ages] = {}
        self._objects: dict[str, PdfObject] = {}
        self._packed: dict[str, tuple[int, int, int]] = {}  # name: start, bytes of head, of stream
        self._kept = cache.unread(name) if cache is not None else None
        self._scratch: Aside | None = None
        self._heads: dict[bytes, bytes] = {}
        self._used: set[str] = set()
        self._new = False
        users = [] if self._kept is None else self._load(self._kept)
        self._generations = Generations(variant, users)

    @classmethod
    def memory(cls) -> ArtStore:
        """A store that lasts as long as the process."""
        return cls(None)

    @classmethod
    def open(cls, project: Path, game: str, variant: str = "") -> ArtStore:
        """The store of one game of one project folder, in $CARDGEN_CACHE or the user's cache folder."""
        return cls(Cache("art"), pack_name(project, game), variant)

    @property
    def entries(self) -> list[str]:
        """All keys, sorted."""
        return sorted(self._roots)

    def get(self, key: str) -> str | None:
        """The name of the form kept under `key`, or None. What it needs is then in `objects`."""
        found = self._roots.get(key)
        if found is None or not self._whole(found[1]):
            return None
        self._used.add(found[0])
        return found[1]

    def entry(self, key: str, root: str) -> tuple[str, str]:
        """A key and the name of its form: always the same object for one that is kept."""
        found = self._roots.get(key)
        return found if found is not None and found[1] == root else (key, root)

    def put(self, key: str, root: str, objects: Iterable[PdfObject]) -> None:
        """Keep a form and everything that it refers to."""
        if root in self._objects and self._roots.get(key, (key, ""))[1] == root:
            self._used.add(key)  # it was sent here before
            return
        self._objects.update((obj.name, self._set_aside(obj)) for obj in objects)
        self._roots[key] = key, root
        self._used.add(key)
        self._new = True

    def objects(self, roots: Iterable[str]) -> list[PdfObject]:
        """The objects below these forms, each once, references first."""
        return list(in_order(roots, self._objects))

    def save(self) -> None:
        """Write the store if something new was drawn."""
        if self._cache is None or not self._new:
            return

        def age(key: str) -> Ages:
            return self._generations.next(self._ages.get(key, ()), used=key in self._used)

        kept = sorted(key for key, (_, root) in self._roots.items() if age(key) and self._whole(root))
        objects = self.objects(self._roots[key][1] for key in kept)
        about = (
            b'{"users":',
            spelled(self._generations.users),
            b',"forms":',
            spelled([*self._roots[key], *age(key)] for key in kept),
            b',"objects":',
            spelled(map(_measures, objects)),
            b"}",
        )
        size = sum(map(len, about)).to_bytes(LENGTH, "big")
        self._cache.put(self._name, size, *about, *packed(objects))
        self._new = False

    def _set_aside(self, obj: PdfObject) -> PdfObject:
        """An object whose stream, if it is a large one such as a photograph's, is in a file. Heads that are
        the same, such as those of areas in many colours, are one object."""
        if len(obj.head) <= _SHORT:
            obj = PdfObject(obj.name, self._heads.setdefault(obj.head, obj.head), obj.stream)
        folder = self._cache.folder if self._cache is not None else None
        if folder is None or not isinstance(obj.stream, bytes) or len(obj.stream) < _LARGE:
            return obj
        try:
            self._scratch = self._scratch or Aside.scratch(folder)
            return PdfObject(obj.name, obj.head, self._scratch.add(obj.stream))
        except OSError:  # there may be memory where there is no room on the disk
            return obj

    # ------------------------------------------------------------ reading

    def _load(self, kept: Aside) -> list[str]:
        """Take what was kept; all that used it so far."""
        size = int.from_bytes(kept.read(0, LENGTH), "big")
        content, position = unpack_header(kept.read(0, LENGTH + size))
        for name, head, stream in content["objects"]:
            self._packed[name] = (position, head, stream)
            position += head + max(stream, 0)
        for key, root, *ages in content["forms"]:
            self._roots[key] = key, root
            self._ages[key] = tuple([(user, age) for user, age in ages])
        return list(content["users"])

    def _whole(self, root: str) -> bool:
        """Whether the object and all that it refers to are there."""
        if root in self._objects:
            return True
        place = self._packed.get(root)
        if place is None:
            return False
        assert self._kept is not None
        start, head, stream = place
        if stream < _LARGE:
            data = self._kept.read(start, head + max(stream, 0))
            obj = PdfObject(root, data[:head], None if stream < 0 else data[head:])
        else:
            obj = PdfObject(root, self._kept.read(start, head), self._kept.part(start + head, stream))
        if not all(self._whole(ref) for ref in obj.refs):
            return False
        self._objects[root] = obj
        return True


def pack_name(project: Path, game: str) -> str:
    """The name of a game's entry: every project folder has its own."""
    return f"{project.resolve()}\0{game}"


def listed(objects: Iterable[PdfObject]) -> list[list[str | int]]:
    """What a header says of objects: name, bytes of the head and of the stream, -1 where there is none."""
    return list(map(_measures, objects))


def _measures(obj: PdfObject) -> list[str | int]:
    return [obj.name, len(obj.head), -1 if obj.stream is None else len(obj.stream)]


def spelled(entries: Iterable[Any]) -> bytes:
    """A list as JSON, of which few entries are there as values at a time."""
    rest, text = iter(entries), bytearray(b"[")
    while some := list(islice(rest, _AT_ONCE)):
        text += b"," * (len(text) > 1) + json.dumps(some, separators=(",", ":"))[1:-1].encode()
    return bytes(text + b"]")


def packed(objects: Iterable[PdfObject]) -> list[bytes | Part]:
    """The bytes of objects, one after the other."""
    return [part for obj in objects for part in (obj.head, obj.stream or b"")]


def pack_header(header: Any) -> bytes:
    """A header to be put before other bytes."""
    data = json.dumps(header, separators=(",", ":")).encode()
    return len(data).to_bytes(LENGTH, "big") + data


def unpack_header(data: bytes) -> tuple[Any, int]:
    """The header that was put before other bytes, and where these begin."""
    end = LENGTH + int.from_bytes(data[:LENGTH], "big")
    return json.loads(data[LENGTH:end]), end
