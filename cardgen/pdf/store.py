"""Pictures and sides kept from build to build."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from cardgen.core.findings import Problem, Severity
from cardgen.core.geometry import Size
from cardgen.files.cache import Ages, Aside, Cache, Generations, Part
from cardgen.pdf.objects import DrawnFace, PdfObject, in_order

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
        sets = [(font, array("H", gids).tobytes()) for font, gids in glyphs.items()]
        header = [[[font, len(gids)] for font, gids in sets], listed(objects)]
        parts = [pack_header(header), *(gids for _, gids in sets), *map(bytes, packed(objects))]
        return cls(key, face, art, b"".join(parts))

    def unpacked(self) -> tuple[Glyphs, tuple[PdfObject, ...]]:
        """Its glyphs and its own objects, the form last."""
        data = bytes(self.packed)
        (sets, sizes), position = unpack_header(data)
        glyphs = {}
        for font, size in sets:
            glyphs[font] = array("H", data[position : position + size])
            position += size
        objects = []
        for name, head, stream in sizes:
            middle = position + head
            position = middle + max(stream, 0)
            content = None if stream < 0 else data[middle:position]
            known = self.face.name if name == self.face.name else name  # one string for all who hold it
            objects.append(PdfObject(known, data[middle - head : middle], content))
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
    """Drawn sides by what they were made from, kept in `cache` under `name`, or nowhere.

    `made_with` describes all that a digest does not cover. None stands for a state of things that can't
    be told from a later one: then nothing is kept. `variant` says what is built of the game: sides are
    forgotten that other builds of the same did not use for a while.
    """

    def __init__(
        self, cache: Cache | None, made_with: str | None, art: ArtStore, name: str = "", variant: str = ""
    ) -> None:
        self._cache, self._name = cache if made_with is not None else None, name
        self._made_with = made_with or ""
        self._art = art
        self._used: dict[str, DrawnSide] = {}
        """Sides used now, by their sources."""
        self._kept: dict[str, tuple[int, Ages]] = {}
        """Sides kept before by their sources, as numbers."""
        self._problems: dict[str, tuple[Problem, ...]] = {}
        self._sides: list[DrawnSide] = []
        """Those kept before, by number."""
        self._there: dict[tuple[str, str], bool] = {}
        """Whether a picture is at hand."""
        self._measures: dict[Any, Any] = {}
        """Sizes and bleeds, which sides share: those that come from other processes have their own."""
        self._new = False
        self._folder = cache.folder if cache is not None else None
        self._scratch: Aside | None = None
        self._room = _HELD
        users: list[str] = []
        content = self._cache.unread(name, made_of=self._made_with) if self._cache is not None else None
        if content is not None:
            users = self._load(content)
        self._generations = Generations(variant, users)

    @classmethod
    def open(
        cls, project: Path, game: str, made_with: str | None, art: ArtStore, variant: str = ""
    ) -> SideStore:
        """The store of one game of one project folder, in $CARDGEN_CACHE or the user's cache folder."""
        return cls(Cache("sides"), made_with, art, pack_name(project, game), variant)

    def get(self, source: str) -> DrawnSide | None:
        """The side made from `source`, if it and all pictures on it are at hand."""
        if (used := self._used.get(source)) is not None:
            return used
        found = self._kept.get(source)
        if found is None:
            return None
        side = self._sides[found[0]]
        for picture in side.art:
            if picture not in self._there:
                self._there[picture] = self._art.get(picture[0]) == picture[1]
            if not self._there[picture]:
                return None
        self._used[source] = side
        return side

    def problems(self, source: str) -> tuple[Problem, ...]:
        """What the kept side was warned of."""
        return self._problems.get(source, ())

    def put(self, source: str, side: DrawnSide, problems: tuple[Problem, ...] = ()) -> DrawnSide:
        """Keep a side drawn in this build, with what it was warned of. The same, which may be put aside."""
        if (used := self._used.get(source)) is not None:
            return used
        if problems:
            self._problems[source] = problems
        self._new = True
        face, share = side.face, self._measures.setdefault
        face = DrawnFace(face.name, share(face.size, face.size), share(face.bleed, face.bleed))
        art = tuple([self._art.entry(picture, name) for picture, name in side.art])
        side = DrawnSide(side.key, face, art, self._set_aside(side.packed))
        self._used[source] = side
        return side

    def save(self) -> None:
        """Write the store if there is something new."""
        if self._cache is None or not self._new:
            return

        def age(source: str) -> Ages:
            before = self._kept[source][1] if source in self._kept else ()
            return self._generations.next(before, used=source in self._used)

        def of(source: str) -> DrawnSide:
            return self._used.get(source) or self._sides[self._kept[source][0]]

        kept = sorted(source for source in {**self._kept, **self._used} if age(source))
        numbers: dict[tuple[str, str], int] = {}
        firsts: dict[str, str] = {}
        """The first source of each side, by the side's key."""
        others: dict[str, list[str]] = {}
        size = 0
        for source in kept:
            side = of(source)
            if firsts.setdefault(side.key, source) == source:
                size += len(side.packed)
            else:
                others.setdefault(side.key, []).append(source)
            for art in side.art:
                numbers.setdefault(art, len(numbers))
        problems = {
            source: list(map(astuple, self._problems[source]))
            for source in kept
            if source in self._problems
        }
        about = {"users": self._generations.users, "bytes": size, "problems": problems}
        lines = bytearray(b'{"art":' + spelled(numbers) + b"," + _line(about)[1:])
        for key, source in firsts.items():
            side = of(source)
            measures = [side.face.name, side.face.size.width, side.face.size.height, side.face.bleed]
            shown = [numbers[art] for art in side.art]
            made = [[each, *age(each)] for each in (source, *others.get(key, ()))]
            lines += _line([key, measures, shown, len(side.packed), made])
        contents = (of(source).packed for source in firsts.values())
        header = len(lines).to_bytes(LENGTH, "big") + lines
        self._cache.put(self._name, header, *contents, made_of=self._made_with)
        self._new = False

    def _set_aside(self, content: bytes | Part) -> bytes | Part:
        """A content that is in a file if there is no more room for it."""
        if not isinstance(content, bytes) or self._folder is None:
            return content
        if self._room >= len(content):
            self._room -= len(content)
            return content
        try:
            self._scratch = self._scratch or Aside.scratch(self._folder)
            return self._scratch.add(content)
        except OSError:  # there may be memory where there is no room on the disk
            return content

    # ------------------------------------------------------------ reading

    def _load(self, content: Aside) -> list[str]:
        """Take what was kept; all that used it so far."""
        size = int.from_bytes(content.read(0, LENGTH), "big")
        position = LENGTH + size
        first, *lines = content.read(LENGTH, size).splitlines()
        about = json.loads(first)
        art = [(picture, name) for picture, name in about["art"]]
        held = content.read(position, about["bytes"]) if about["bytes"] <= _HELD else None
        start = 0
        for number, line in enumerate(lines):
            key, (name, width, height, bleed), shown, length, made = json.loads(line)
            end = start + length
            packed = content.part(position + start, length) if held is None else held[start:end]
            face = DrawnFace(name, Size(width, height), bleed)
            self._sides.append(DrawnSide(key, face, tuple([art[each] for each in shown]), packed))
            start = end
            for source, *ages in made:
                self._kept[source] = number, tuple([(user, age) for user, age in ages])
        self._problems = {
            source: tuple(map(problem_of, problems)) for source, problems in about["problems"].items()
        }
        return list(about["users"])


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def problem_of(entry: list[Any]) -> Problem:
    """A problem as a header has it, the values of its fields as JSON knows them."""
    problem = Problem(*entry)
    return replace(
        problem,
        severity=Severity(problem.severity),
        path=tuple(problem.path),
        place=None if problem.place is None else (problem.place[0], problem.place[1]),
        about=tuple(problem.about),
    )
