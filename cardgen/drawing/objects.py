"""PDF objects as plain values, named by what they contain, and the drawn sides made of them.

Nothing here imports a PDF library. A writer gives each object a number and asks for its bytes:

    numbers = {}
    for obj in drawn.objects(keys):              # what an object refers to comes before it
        numbers[obj.name] = writer.new()
        writer.put(numbers[obj.name], obj.body(lambda name: b"%d 0 R" % numbers[name]))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from cardgen.findings import CardgenError, Finding, Severity
from cardgen.geometry import Rect, Size
from cardgen.storage.aside import Part

_REFERENCE = re.compile(rb"@([0-9A-Za-z.-]+)@")
_NAME_BYTES = 12


class DrawingError(CardgenError):
    """Art that cannot be drawn: SVG we refuse, an unreadable image, a missing system library. `about` says
    for each finding which picture it is about, as `Drawable.name` does; nothing where it is of none."""

    def __init__(self, *findings: Finding, about: Iterable[str] = ()) -> None:
        super().__init__(*findings)
        self.about = (*about,) or ("",) * len(findings)

    @classmethod
    def of_pictures(cls, problems: Iterable[tuple[str, Finding]]) -> DrawingError:
        """What is wrong with pictures, each with its name; the same is said once."""
        about, findings = zip(*dict.fromkeys(problems), strict=True)
        return cls(*findings, about=about)

    @classmethod
    def of(cls, code: str, message: str, hint: str | None = None) -> DrawingError:
        return cls(Finding(Severity.ERROR, code, message, None, hint))


def reference(name: str) -> bytes:
    """How a head refers to the object of that name until a writer has numbers."""
    return b"@" + name.encode("ascii") + b"@"


def digest(*parts: bytes) -> str:
    """24 hex digits that tell contents apart (96 bits: no accidental clash in any real file)."""
    state = blake2b(digest_size=_NAME_BYTES)
    for part in parts:
        state.update(b"%d:" % len(part))
        state.update(part)
    return state.hexdigest()


@dataclass(frozen=True, slots=True)
class PdfObject:
    """One indirect PDF object.

    `head` is the object's text (the dictionary, for a stream), `/Length` and `/Filter` among it,
    with references written as `reference(name)`. `stream` is what stands between `stream` and
    `endstream`, already encoded, at hand or put aside, or None. Two objects of one name are the
    same object.
    """

    name: str
    head: bytes
    stream: bytes | Part | None = None

    @classmethod
    def of(cls, head: bytes, stream: bytes | None = None) -> PdfObject:
        """An object named by its content. Heads hold their references' names, so the name covers
        everything below the object as well."""
        return cls(digest(head) if stream is None else digest(head, stream), head, stream)

    @property
    def refs(self) -> tuple[str, ...]:
        """Names of the objects that this one refers to, each once, in order."""
        return tuple(name.decode("ascii") for name in dict.fromkeys(_REFERENCE.findall(self.head)))

    def body(self, ref: Callable[[str], bytes]) -> bytes:
        """The bytes between `obj` and `endobj`; `ref` turns an object's name into `12 0 R`."""
        parts = _REFERENCE.split(self.head)
        parts[1::2] = [ref(name.decode("ascii")) for name in parts[1::2]]
        head = b"".join(parts)
        if self.stream is None:
            return head
        return b"".join((head, b"\nstream\n", bytes(self.stream), b"\nendstream"))


@dataclass(frozen=True, slots=True)
class DrawnFace:
    """One side as a Form XObject. Painted with `Do`, it covers its `size` (mm, with its bleed) in PDF
    points from (0, 0), y up; nothing outside shows."""

    name: str
    size: Size
    bleed: float

    @property
    def trim(self) -> Rect:
        """In mm from the top left corner of the bleed, as `Artwork.trim`."""
        return Rect(0, 0, self.size.width, self.size.height).inset(self.bleed)


class Packed(Protocol):
    """Some objects that are unpacked when they are asked for."""

    def unpacked(self) -> tuple[object, tuple[PdfObject, ...]]: ...


class DrawnArt:
    """All sides of a rendering as PDF objects. Build it with `cardgen.drawing.draw`.

    `faces` maps `Artwork.key` to its form, `packed` the names of further objects to those that have them,
    which are not held.
    """

    __slots__ = ("_last", "_objects", "_packed", "faces")

    def __init__(
        self,
        faces: Mapping[str, DrawnFace],
        objects: Iterable[PdfObject],
        packed: Mapping[str, Packed] | None = None,
    ) -> None:
        self.faces = faces
        self._objects: dict[str, PdfObject] = {obj.name: obj for obj in objects}
        self._packed = packed or {}
        self._last: dict[str, PdfObject] = {}
        """Those that were unpacked last: one is asked for several times, and with its neighbours."""

    def __getitem__(self, name: str) -> PdfObject:
        found = self._last.get(name) or self._objects.get(name)
        if found is None:
            _, objects = self._packed[name].unpacked()
            self._last = {obj.name: obj for obj in objects}
            found = self._last[name]
        return found

    def objects(self, artworks: Iterable[str] | None = None) -> Iterator[PdfObject]:
        """The objects that the named sides need (default: all sides), each once, and each after
        those it refers to; the same order every time. KeyError for a side that was not drawn."""
        keys = self.faces if artworks is None else artworks
        yield from in_order((self.faces[key].name for key in keys), self)


class Named(Protocol):
    """Objects by name."""

    def __getitem__(self, name: str, /) -> PdfObject: ...


def in_order(roots: Iterable[str], objects: Named) -> Iterator[PdfObject]:
    """`roots` and everything they refer to, each once, references first."""
    seen: set[str] = set()
    for root in roots:
        stack = [(root, False)]
        while stack:
            name, ready = stack.pop()
            if ready:
                yield objects[name]
            elif name not in seen:
                seen.add(name)
                stack.append((name, True))
                stack.extend((ref, False) for ref in reversed(objects[name].refs) if ref not in seen)
