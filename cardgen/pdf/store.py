"""Pictures and sides kept from build to build."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cardgen.core.findings import Problem, Severity
from cardgen.core.geometry import Size
from cardgen.core.records import astuple, dataclass, replace
from cardgen.files.cache import Cache, Part, SpillFile
from cardgen.files.memory import name_for_results
from cardgen.pdf.objects import DrawnFace, PdfObject, in_order

LENGTH = 8
"""Bytes in which an entry says how long its header is."""
_LARGE = 1 << 14
"""Bytes from which on a stream stays in a file until it is written."""
_SHORT = 120
"""Bytes of a head that others may have as well."""


class ArtStore:
    """Forms by the key of what they show, kept in `cache`."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._roots: dict[str, tuple[str, str]] = {}
        """Keys, with themselves, to the names of forms."""
        self._objects: dict[str, PdfObject] = {}
        self._heads: dict[bytes, bytes] = {}
        self._spill = SpillFile(cache.folder)

    @classmethod
    def memory(cls) -> ArtStore:
        """Return a store that lasts as long as the process."""
        return cls(Cache.nowhere())

    @classmethod
    def open(cls, project: Path, game: str) -> ArtStore:
        """Return the store of one game of one project folder, in the user's cache."""
        return cls(Cache("art", name_for_results(project), game))

    def get(self, key: str) -> str | None:
        """Return the name of the form kept under `key`, or None. What it needs is then in `objects`."""
        found = self._roots.get(key) or self._read(key)
        return None if found is None else found[1]

    def entry(self, key: str, root: str) -> tuple[str, str]:
        """Return a key and the name of its form: always the same object for one that is kept."""
        found = self._roots.get(key)
        return found if found is not None and found[1] == root else (key, root)

    def put(self, key: str, root: str, objects: Iterable[PdfObject]) -> None:
        """Keep a form and everything that it refers to."""
        if root in self._objects and self._roots.get(key, (key, ""))[1] == root:
            return  # it was sent here before
        for obj in objects:
            if obj.name not in self._objects:
                self._objects[obj.name] = self._held(obj)
                if _is_large(obj):
                    self._cache.put(_stream(obj.name), bytes(obj.stream or b""))
        self._roots[key] = key, root
        if self._cache.folder is not None:
            below = self.objects([root])
            small = [PdfObject(obj.name, obj.head, b"") if _is_large(obj) else obj for obj in below]
            self._cache.put(key, pack([*map(_measures, below)], *small))

    def objects(self, roots: Iterable[str]) -> list[PdfObject]:
        """Return the objects below these forms, each once, references first."""
        return list(in_order(roots, self._objects))

    @property
    def count(self) -> int:
        """Return the number of forms in memory."""
        return len(self._roots)

    def packed(self, known: int) -> bytes:
        """Return all forms but the first `known` ones, with all that they refer to, for `take`."""
        entries = [(key, self.objects([root])) for key, root in list(self._roots.values())[known:]]
        contents = [(key, pack([*map(_measures, below)], *below)) for key, below in entries]
        header = [(key, len(content)) for key, content in contents]
        return pack(header) + b"".join(content for _, content in contents)

    def take(self, packed: bytes) -> None:
        """Keep the forms that another process packed."""
        entries, start = unpack(packed)
        for key, size in entries:
            self._take(key, packed[start : start + size], whole=True)
            start += size

    def save(self) -> None:
        """Write what was drawn."""
        self._cache.save()

    def forget(self) -> None:
        """Free the memory of all forms, since no drawing follows."""
        self._roots, self._objects, self._heads = {}, {}, {}

    def _read(self, key: str) -> tuple[str, str] | None:
        """Take a form from the cache with all that it refers to, if that is all there."""
        content = self._cache.get(key)
        return None if content is None else self._take(key, content)

    def _take(self, key: str, content: bytes, *, whole: bool = False) -> tuple[str, str] | None:
        """Take a packed form; large streams are in the cache, unless the content is `whole`."""
        names, position = unpack(content)
        for name, head, size in names:
            start, position = position, position + head
            stream: bytes | None = None
            if size >= 0 and (whole or size < _LARGE):
                stream = content[position : position + size]
                position += size
            if name in self._objects:
                continue
            if stream is None and size >= _LARGE and (stream := self._cache.get(_stream(name))) is None:
                return None
            self._objects[name] = self._held(PdfObject(name, content[start : start + head], stream))
        self._roots[key] = key, names[-1][0]
        return self._roots[key]

    def _held(self, obj: PdfObject) -> PdfObject:
        """Return an object whose stream, if it is a large one such as a photograph's, is in a file. Heads
        that are the same, such as those of areas in many colors, are one object."""
        head, stream = obj.head, obj.stream
        if len(head) <= _SHORT:
            head = self._heads.setdefault(head, head)
        if isinstance(stream, bytes) and len(stream) >= _LARGE:
            stream = self._spill.add(stream)
        return PdfObject(obj.name, head, stream)


def _stream(name: str) -> str:
    """Return the key of a large stream, which has a place of its own."""
    return f"stream {name}"


def _is_large(obj: PdfObject) -> bool:
    return obj.stream is not None and len(obj.stream) >= _LARGE


def _measures(obj: PdfObject) -> list[Any]:
    """Return the name of an object and the bytes of its head and its stream, -1 if it has none."""
    return [obj.name, len(obj.head), -1 if obj.stream is None else len(obj.stream)]


def pack(header: Any, *objects: PdfObject) -> bytes:
    """Return a header and the bytes of objects after it, one after the other."""
    data = json.dumps(header, separators=(",", ":")).encode()
    parts = [part for obj in objects for part in (obj.head, bytes(obj.stream or b""))]
    return b"".join((len(data).to_bytes(LENGTH, "big"), data, *parts))


def unpack(content: bytes) -> tuple[Any, int]:
    """Return the header of what was packed, and where the rest begins."""
    end = LENGTH + int.from_bytes(content[:LENGTH], "big")
    return json.loads(content[LENGTH:end].decode()), end


Glyphs = Mapping[str, Iterable[int]]
"""Glyph ids by font key."""

_HELD = 1 << 22
"""Bytes of contents that are held in memory, of new sides and of kept ones."""


@dataclass(frozen=True, slots=True)
class DrawnSide:
    """A side's form and what belongs to it: `key` is its artwork's, `art` the pictures and icons that it
    shows: key in the store and name of the form. The rest is packed, at hand or put aside."""

    key: str
    face: DrawnFace
    art: tuple[tuple[str, str], ...]
    packed: bytes | Part

    @classmethod
    def of(
        cls,
        key: str,
        face: DrawnFace,
        objects: Iterable[PdfObject],
        glyphs: Glyphs,
        art: tuple[tuple[str, str], ...],
    ) -> DrawnSide:
        """`objects` are the side's own, the form last, `glyphs` what its fonts must hold."""
        objects = tuple(objects)
        sets = {font: list(gids) for font, gids in glyphs.items()}
        return cls(key, face, art, pack([sets, [*map(_measures, objects)]], *objects))


def unpack_side(packed: bytes | Part, known: str) -> tuple[Glyphs, tuple[PdfObject, ...]]:
    """Return a side's glyphs and its own objects, the form last. The object of the name `known` has this
    very name: one string for all who hold it."""
    data = bytes(packed)
    (glyphs, sizes), position = unpack(data)
    objects = []
    for name, head, stream in sizes:
        middle = position + head
        position = middle + max(stream, 0)
        content = None if stream < 0 else data[middle:position]
        objects.append(PdfObject(known if name == known else name, data[middle - head : middle], content))
    return glyphs, tuple(objects)


class Faces(Mapping[str, DrawnFace]):
    """The forms of drawn sides, by the sides' keys."""

    def __init__(self, sides: Mapping[str, DrawnSide]) -> None:
        self._sides = sides

    def __getitem__(self, key: str) -> DrawnFace:
        return self._sides[key].face

    def __iter__(self) -> Iterator[str]:
        return iter(self._sides)

    def __len__(self) -> int:
        return len(self._sides)


class SideStore:
    """Drawn sides by what they were made from, kept in `cache` if all pictures on them are in `art`."""

    def __init__(self, cache: Cache, art: ArtStore) -> None:
        self._cache, self._art = cache, art
        self._sides: dict[str, DrawnSide] = {}
        self._problems: dict[str, tuple[Problem, ...]] = {}
        self._sizes: dict[Size, Size] = {}
        """The sizes of sides, each once: most are the same."""
        self._spill = SpillFile(cache.folder)
        self._room = _HELD

    def get(self, source: str) -> DrawnSide | None:
        """Return the side made from `source`, if it and all pictures on it are at hand."""
        side = self._sides.get(source)
        if side is not None:
            return side
        content = self._cache.get(source)
        if content is None:
            return None
        (key, (name, width, height, bleed), art, problems), start = unpack(content)
        if any(self._art.get(picture) != root for picture, root in art):
            return None
        if problems:
            self._problems[source] = tuple(map(problem_of, problems))
        size = Size(width, height)
        return self._hold(source, DrawnSide(key, DrawnFace(name, size, bleed), art, content[start:]))

    def problems(self, source: str) -> tuple[Problem, ...]:
        """Return what the kept side was warned of."""
        return self._problems.get(source, ())

    def put(self, source: str, side: DrawnSide, problems: tuple[Problem, ...] = ()) -> DrawnSide:
        """Keep a side drawn in this build, with what it was warned of. Return the same, which may be in a
        file."""
        if (known := self._sides.get(source)) is not None:
            return known
        if problems:
            self._problems[source] = problems
        face = [side.face.name, side.face.size.width, side.face.size.height, side.face.bleed]
        header = pack([side.key, face, side.art, list(map(astuple, problems))])
        self._cache.put(source, header + bytes(side.packed))
        return self._hold(source, side)

    def save(self) -> None:
        """Write what is new."""
        self._cache.save()

    def forget(self) -> None:
        """Free the memory of all sides, since no drawing follows."""
        self._sides, self._problems = {}, {}

    def _hold(self, source: str, side: DrawnSide) -> DrawnSide:
        """Hold a side from now on: in a file if there is no more room in memory."""
        packed = side.packed
        if isinstance(packed, bytes):
            self._room -= len(packed)
            if self._room < 0:
                packed = self._spill.add(packed)
        art = tuple([self._art.entry(picture, root) for picture, root in side.art])
        face, size = side.face, side.face.size
        if (known := self._sizes.setdefault(size, size)) is not size:
            face = DrawnFace(face.name, known, face.bleed)
        side = self._sides[source] = DrawnSide(side.key, face, art, packed)
        return side


def problem_of(entry: list[Any]) -> Problem:
    """Return a problem as a header has it, the values of its fields as JSON knows them."""
    problem = Problem(*entry)
    return replace(
        problem,
        severity=Severity(problem.severity),
        path=tuple(problem.path),
        place=None if problem.place is None else (problem.place[0], problem.place[1]),
        about=tuple(problem.about),
    )
