"""PDF objects as plain values, named by what they contain, and the drawn sides made of them.

Nothing here imports a PDF library. A writer gives each object a number and asks for its bytes:

    numbers = {}
    for obj in drawn.objects(keys):              # what an object refers to comes before it
        numbers[obj.name] = writer.new()
        writer.put(numbers[obj.name], obj.body(lambda name: b"%d 0 R" % numbers[name]))
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from hashlib import blake2b
from io import BytesIO
from typing import Protocol

from cardgen.core.findings import CardgenError, Finding, Severity
from cardgen.core.geometry import PT_PER_MM, Rect, Size, decimal
from cardgen.core.records import dataclass, field
from cardgen.files.cache import Part

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
        """Report the problems with pictures, each with its name, and each once."""
        about, findings = zip(*dict.fromkeys(problems), strict=True)
        return cls(*findings, about=about)

    @classmethod
    def of(cls, code: str, message: str, hint: str | None = None) -> DrawingError:
        return cls(Finding(Severity.ERROR, code, message, None, hint))


def reference(name: str) -> bytes:
    """Return the placeholder for the object of that name until a writer has numbers."""
    return b"@" + name.encode("ascii") + b"@"


def digest(*parts: bytes) -> str:
    """Return 24 hex digits that identify the content (96 bits: no accidental clash in any real file)."""
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
        """Return an object named by its content. Heads hold their references' names, so the name covers
        everything below the object as well."""
        return cls(digest(head) if stream is None else digest(head, stream), head, stream)

    @property
    def refs(self) -> tuple[str, ...]:
        """Return the names of the objects that this one refers to, each once, in order."""
        return tuple(name.decode("ascii") for name in dict.fromkeys(_REFERENCE.findall(self.head)))

    def body(self, ref: Callable[[str], bytes]) -> bytes:
        """Return the bytes between `obj` and `endobj`; `ref` turns an object's name into `12 0 R`."""
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


class DrawnArt:
    """All sides of a rendering as PDF objects. Build it with `cardgen.pdf.drawing`.

    `faces` maps `Artwork.key` to its form, `packed` the names of others to contents that have them.
    `unpack` returns the objects of such a content, the one of this name with this very name.
    """

    __slots__ = ("_last", "_objects", "_packed", "_unpack", "faces")

    def __init__(
        self,
        faces: Mapping[str, DrawnFace],
        objects: Iterable[PdfObject],
        packed: Mapping[str, bytes | Part] | None = None,
        unpack: Callable[[bytes | Part, str], Iterable[PdfObject]] = lambda packed, name: (),
    ) -> None:
        self.faces, self._unpack = faces, unpack
        self._objects: dict[str, PdfObject] = {obj.name: obj for obj in objects}
        self._packed = packed or {}
        self._last: dict[str, PdfObject] = {}
        """Those that were unpacked last: one is asked for several times, and with its neighbors."""

    def __getitem__(self, name: str) -> PdfObject:
        found = self._last.get(name) or self._objects.get(name)
        if found is None:
            self._last = {obj.name: obj for obj in self._unpack(self._packed[name], name)}
            found = self._last[name]
        return found

    def objects(self, artworks: Iterable[str] | None = None) -> Iterator[PdfObject]:
        """Yield the objects that the named sides need (default: all sides), each once, and each after
        those it refers to; the same order every time. KeyError for a side that was not drawn."""
        keys = self.faces if artworks is None else artworks
        yield from in_order((self.faces[key].name for key in keys), self)


class Named(Protocol):
    """Objects by name."""

    def __getitem__(self, name: str, /) -> PdfObject: ...


def in_order(roots: Iterable[str], objects: Named) -> Iterator[PdfObject]:
    """Yield `roots` and everything they refer to, each once, references first."""
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


@dataclass(frozen=True, slots=True)
class View:
    """A page: `area` of a side, in mm from the top left corner of its bleed."""

    artwork: str
    area: Rect


def write_views(art: DrawnArt, views: Iterable[View]) -> bytes:
    """Return a PDF 1.6 with one page for each view."""
    views = list(views)
    numbers: dict[str, int] = {}
    writer = _Writer()
    catalog, pages = writer.reserve(), writer.reserve()
    for obj in art.objects(dict.fromkeys(view.artwork for view in views)):
        numbers[obj.name] = writer.add(obj.body(lambda name: b"%d 0 R" % numbers[name]))
    kids = []
    for view in views:
        face = art.faces[view.artwork]
        left = -view.area.x * PT_PER_MM
        lower = (view.area.bottom - face.size.height) * PT_PER_MM
        content = f"1 0 0 1 {decimal(left, 6)} {decimal(lower, 6)} cm /x0 Do".encode("ascii")
        stream = writer.add(b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content))
        box = f"{decimal(view.area.width * PT_PER_MM, 6)} {decimal(view.area.height * PT_PER_MM, 6)}"
        kids.append(
            writer.add(
                b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s]/Group<</S/Transparency/CS/DeviceRGB>>"
                b"/Resources<</XObject<</x0 %d 0 R>>>>/Contents %d 0 R>>"
                % (pages, box.encode("ascii"), numbers[face.name], stream)
            )
        )
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    writer.set(pages, b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), listed))
    writer.set(catalog, b"<</Type/Catalog/Pages %d 0 R>>" % pages)
    return writer.finish(catalog)


class _Writer:
    """Numbered objects and their cross-reference table."""

    def __init__(self) -> None:
        self._bodies: list[bytes] = []

    def reserve(self) -> int:
        return self.add(b"null")

    def add(self, body: bytes) -> int:
        self._bodies.append(body)
        return len(self._bodies)

    def set(self, number: int, body: bytes) -> None:
        self._bodies[number - 1] = body

    def finish(self, root: int) -> bytes:
        file = BytesIO()
        file.write(b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n")
        table = [b"0000000000 65535 f \n"]
        for number, body in enumerate(self._bodies, 1):
            table.append(b"%010d 00000 n \n" % file.tell())
            file.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
        start = file.tell()
        file.write(b"xref\n0 %d\n" % len(table) + b"".join(table))
        file.write(
            b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(table), root, start)
        )
        return file.getvalue()


@lru_cache(maxsize=512)
def _opacities(fill: float, stroke: float) -> str:
    return f"<</ca {decimal(fill, 4)}/CA {decimal(stroke, 4)}>>"


@dataclass(slots=True)
class Content:
    """A content stream while it is written, with what it names, and the state that the operators so far
    have left. `state` has no entry for what is not known."""

    box: str
    lines: list[str] = field(default_factory=list)
    named: dict[tuple[str, str], str] = field(default_factory=dict)
    """Kind and PDF text of resources to their local names."""
    state: dict[str, str] = field(default_factory=dict)

    def name(self, kind: str, text: str) -> str:
        return self.named.setdefault((kind, text), f"{kind[0].lower()}{len(self.named)}")

    def put(self, key: str, operator: str) -> None:
        """Set a part of the graphics state, unless it is set."""
        if self.state.get(key) != operator:
            self.state[key] = operator
            self.lines.append(operator)

    def alpha(self, fill: float, stroke: float) -> None:
        text = _opacities(fill, stroke)
        if self.state.get("alpha", "<</ca 1/CA 1>>") != text:
            self.state["alpha"] = text
            self.lines.append(f"/{self.name('ExtGState', text)} gs")

    @contextmanager
    def kept(self, *operators: str) -> Iterator[None]:
        """Within it, the state may be changed."""
        before = dict(self.state)
        self.lines.append(" ".join(("q", *operators)))
        yield
        self.lines.append("Q")
        self.state = before

    def form(self, entries: str) -> PdfObject:
        """Return the content as a form."""
        stream = zlib.compress("\n".join(self.lines).encode("ascii"), 6)
        kinds: dict[str, list[str]] = {}
        for (kind, text), name in self.named.items():
            kinds.setdefault(kind, []).append(f"/{name} {text}")
        resources = "".join(f"/{kind}<<{''.join(kinds[kind])}>>" for kind in sorted(kinds))
        head = (
            f"<</Type/XObject/Subtype/Form/BBox[{self.box}]{entries}/Resources<<{resources}>>"
            f"/Filter/FlateDecode/Length {len(stream)}>>"
        )
        return PdfObject.of(head.encode("ascii"), stream)


_NUMBER = r"-?(?:\d+(?:\.\d+)?|\.\d+)"
_AREA = re.compile(
    rf'<svg xmlns="[^"]*"(?: xmlns:xlink="[^"]*")? width="({_NUMBER})mm" height="({_NUMBER})mm" '
    rf'viewBox="0 0 \1 \2"><rect(?: x="({_NUMBER})")?(?: y="({_NUMBER})")? width="({_NUMBER})" '
    rf'height="({_NUMBER})" fill="#([0-9A-Fa-f]{{3}}|[0-9A-Fa-f]{{6}})"/></svg>'
)


def area_form(svg: str) -> PdfObject | None:
    """Return the form of a document that holds one plain rectangle, in mm with y down; None for any
    other."""
    match = _AREA.fullmatch(svg)
    if match is None:
        return None
    width, height, x, y, w, h, fill = match.groups(default="0")
    if w.startswith("-") or h.startswith("-"):
        return None
    if len(fill) == 3:
        fill = "".join(2 * digit for digit in fill)
    red, green, blue = (int(fill[i : i + 2], 16) / 255 for i in (0, 2, 4))
    stream = zlib.compress(f"{red:.5g} {green:.5g} {blue:.5g} rg {x} {y} {w} {h} re f".encode("ascii"), 6)
    head = "<</Type/XObject/Subtype/Form/BBox[0 0 {} {}]/Resources<<>>/Filter/FlateDecode/Length {}>>"
    return PdfObject.of(head.format(width, height, len(stream)).encode("ascii"), stream)
