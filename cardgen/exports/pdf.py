"""Sheets and cuts as PDF, through ReportLab."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from html import escape
from typing import Any, BinaryIO

from reportlab.lib.colors import CMYKColorSep
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from cardgen.core.artwork import Artwork
from cardgen.core.geometry import (
    IDENTITY,
    MM_PER_PT,
    PT_PER_MM,
    Matrix,
    Point,
    Rect,
    Shape,
    Size,
    corners_of,
)
from cardgen.core.records import dataclass, replace
from cardgen.core.sheets import (
    CasedLine,
    Cut,
    ImposedSheet,
    Line,
    Outline,
    Page,
    Patch,
    Rotation,
    Slot,
    Tool,
)
from cardgen.exports.labels import set_labels
from cardgen.files.reading import read_bundled
from cardgen.pdf.drawing import assemble, draw_sides
from cardgen.pdf.fonts import rounded, straight
from cardgen.pdf.objects import DrawnArt, DrawnFace
from cardgen.pdf.store import ArtStore, DrawnSide
from cardgen.text.fonts import FontBook

CREATOR = "cardgen"
PRODUCER = "cardgen with ReportLab"

_VERSION = (1, 7)
_DUPLEX = {"long-edge": "DuplexFlipLongEdge", "short-edge": "DuplexFlipShortEdge"}
_COSINES = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}


def write_pdf(
    sheet: ImposedSheet,
    art: DrawnArt,
    fontbook: FontBook,
    out: BinaryIO,
    *,
    title: str,
    author: str,
    subject: str = "",
    language: str = "en",
) -> None:
    """Write `sheet` to `out`.

    `art` contains every side on the sheet. `language` is a tag such as "en". Letters that the labels' font
    lacks come from `fontbook`. Raises ValueError for a sheet without pages.
    """
    if not sheet.pages:
        raise ValueError(f"the sheet '{sheet.name}' has no pages")
    canvas = PdfCanvas(out, _VERSION)
    _describe(canvas, sheet, PdfInfo(title, author, subject, language))
    shown = dict.fromkeys(slot.artwork for page in sheet.pages for slot in page.slots)
    faces = _written(canvas, art, shown, "face")
    drawn = drawn_labels(sheet.pages, fontbook)
    captions = _written(canvas, drawn, drawn.faces, "label")
    labels = dict(drawn.faces)
    del shown, drawn  # written parts need no memory
    for number, (page, name) in enumerate(zip(sheet.pages, page_names(sheet.pages))):
        _begin(canvas, page, number, name)
        for slot in page.slots:
            _place(canvas, slot, art.faces[slot.artwork], faces)
        _furnish(canvas, page, labels.get(label_key(number)), captions)
        canvas.showPage()
    canvas.save()


def _written(canvas: PdfCanvas, art: DrawnArt, keys: Collection[str], family: str) -> Forms:
    """Write every object that the sides need and return their forms. `family` separates the names of two
    arts: each has its own subset fonts."""
    names = {art.faces[key].name for key in keys}
    numbers: dict[str, int] = {}

    def ref(name: str) -> bytes:
        return b"%d 0 R" % numbers[name]

    for obj in art.objects(keys):
        numbers[obj.name] = canvas.put(obj.body(ref))
    for name in sorted(names):
        canvas.document.signature.update(name.encode("ascii"))
    return Forms(family, {name: numbers[name] for name in names})


def _describe(canvas: PdfCanvas, sheet: ImposedSheet, info: PdfInfo) -> None:
    """Write everything that describes the document as a whole."""
    canvas.setTitle(info.title)
    canvas.setAuthor(info.author)
    canvas.setSubject(info.subject)
    canvas.setCreator(CREATOR)
    canvas.setProducer(PRODUCER)
    document = canvas.document
    document.Catalog.Lang = pdfdoc.PDFString(info.language)
    for piece in in_words(sheet):
        document.signature.update(piece.encode("utf-8"))
    stamp = document._timeStamp.datetime
    # bytes, since a str would pass through PDFDocEncoding, which has no byte order mark
    canvas.setCatalogEntry("Metadata", pdfdoc.XMP(creator=lambda _: xmp_packet(info, PRODUCER, stamp)))
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    canvas.setViewerPreference("Duplex", _DUPLEX.get(sheet.duplex, "Simplex"))


# ---------------------------------------------------------------- pages


def _begin(canvas: PdfCanvas, page: Page, number: int, name: str) -> None:
    """Begin the page, called `name` in viewers, up to the painting of its slots."""
    canvas.setTrimBox(_box(page.trim, page.size))
    canvas.setBleedBox(_box(page.bleed, page.size))
    canvas.addPageLabel(number, prefix=name)
    for place, title in enumerate((page.bookmark or "").splitlines()):
        key = f"component-{number}-{place}"
        canvas.bookmarkPage(key)
        canvas.addOutlineEntry(title, key)
        canvas.showOutline()
    _lead(canvas, page)
    _begin_page(canvas, page.size, page.adjust)


def _begin_page(canvas: PdfCanvas, size: Size, adjust: Matrix = IDENTITY) -> None:
    """Begin the drawing of a page: from here on mm, y down."""
    canvas.setPageSize((size.width * PT_PER_MM, size.height * PT_PER_MM))
    flip = Matrix(PT_PER_MM, 0, 0, -PT_PER_MM, 0, size.height * PT_PER_MM)
    canvas.addLiteral(_concat(adjust.then(flip)))


def _furnish(canvas: PdfCanvas, page: Page, label: DrawnFace | None, captions: Forms) -> None:
    """Paint the marks and labels over the slots."""
    if page.patches:
        canvas.addLiteral(_patches(page.patches))
    canvas.addLiteral("0 G")
    for outline in page.outlines:
        _outline(canvas, outline)
    if page.lines:
        canvas.addLiteral(_strokes(page.lines))
    if page.cuts:
        draw_cuts(canvas, page.cuts)
    if label is not None:
        canvas.addLiteral(_concat(_form_to_mm(label.size)))
        canvas.show(captions, label.name)


def _lead(canvas: PdfCanvas, page: Page) -> None:
    """Add the page's entries in the outline, and its links to entries and addresses."""
    for heading in page.headings:
        canvas.bookmarkPage(heading.key, fit="XYZ", top=(page.size.height - heading.y) * PT_PER_MM)
        canvas.addOutlineEntry(heading.title, heading.key, heading.level)
        canvas.showOutline()
    for link in page.links:
        area = _box(link.area, page.size)
        if link.target.startswith("#"):
            canvas.linkRect("", link.target[1:], area, relative=0)
        else:
            canvas.linkURL(link.target, area, relative=0)


def _box(rect: Rect, page: Size) -> tuple[float, float, float, float]:
    """Return a page box: left, bottom, right, top in points from the bottom left corner."""
    sides = (rect.x, page.height - rect.bottom, rect.right, page.height - rect.y)
    left, bottom, right, top = (round(side * PT_PER_MM, 4) for side in sides)
    return left, bottom, right, top


def _place(canvas: PdfCanvas, slot: Slot, face: DrawnFace, forms: Forms) -> None:
    """Paint a side in its slot, within its clip."""
    canvas.addLiteral(_in_slot(slot.trim, slot.rotation, slot.clip, slot.shape, face.size, slot.mirrored))
    canvas.show(forms, face.name)
    canvas.addLiteral("Q")


@lru_cache(maxsize=1024)
def _in_slot(
    trim: Rect, rotation: Rotation, clip: Rect, shape: Shape, size: Size, mirrored: bool = False
) -> str:
    """Return the operators before a side of a size, which most pages share."""
    area = _path(clip, shape)
    return f"q {area} W n {_concat(_form_to_mm(size).then(_placing(trim, rotation, size, mirrored)))}"


def placing(slot: Slot, size: Size) -> Matrix:
    """Return the map of a side (mm, its bleed's top left corner at 0, 0) to its slot: mirrored if the slot
    requires it, then rotated clockwise about its middle, which lands on the middle of the slot's trim."""
    return _placing(slot.trim, slot.rotation, size, slot.mirrored)


def _placing(trim: Rect, rotation: Rotation, size: Size, mirrored: bool = False) -> Matrix:
    cosine, sine = _COSINES[rotation]
    middle = Matrix(1, 0, 0, 1, -size.width / 2, -size.height / 2)
    if mirrored:
        middle = middle.then(Matrix(-1, 0, 0, 1))
    turned = middle.then(Matrix(cosine, sine, -sine, cosine))
    return turned.then(Matrix(1, 0, 0, 1, trim.x + trim.width / 2, trim.y + trim.height / 2))


def _form_to_mm(size: Size) -> Matrix:
    """Return the map of the points of a form of that size, y up, to mm, y down."""
    return Matrix(MM_PER_PT, 0, 0, -MM_PER_PT, 0, size.height)


def _concat(matrix: Matrix) -> str:
    """Return the operator that applies a matrix. Seven places keep the far corner of any paper within a
    ten-thousandth of a mm."""
    a, b, c, d, e, f = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
    return f"{a:.7f} {b:.7f} {c:.7f} {d:.7f} {e:.4f} {f:.4f} cm"


@lru_cache(maxsize=16)
def _strokes(lines: tuple[Line, ...]) -> str:
    """Return the operators that draw lines, those of one kind in one path. Most pages of a sheet share
    them."""
    kinds: dict[tuple[float, bool], list[str]] = {}
    cased: dict[float, list[str]] = {}
    for line in lines:
        path = f"{line.x1:.4f} {line.y1:.4f} m {line.x2:.4f} {line.y2:.4f} l"
        kinds.setdefault((line.weight, line.dashed), []).append(path)
        if isinstance(line, CasedLine):
            cased.setdefault(line.casing * line.weight, []).append(path)
    parts = []
    for weight, paths in cased.items():
        parts += [f"1 G {weight:.4f} w [] 0 d", *paths, "S 0 G"]
    for (weight, dashed), paths in kinds.items():
        parts.append(f"{weight:.4f} w {'[2 1]' if dashed else '[]'} 0 d")
        parts += [*paths, "S"]
    return "\n".join(parts)


@lru_cache(maxsize=16)
def _patches(patches: tuple[Patch, ...]) -> str:
    """Return the operators that fill patches."""
    parts = ["q"]
    for patch in patches:
        color = f"{' '.join(f'{share:g}' for share in patch.inks)} k"
        if not patch.pure:
            *inks, black = patch.inks
            color = f"{' '.join(f'{(1 - share) * (1 - black):g}' for share in inks)} rg"
        parts.append(f"{color} {_rectangle(patch.rect)} f")
    return "\n".join((*parts, "Q"))


def _outline(canvas: PdfCanvas, outline: Outline) -> None:
    """Draw a cut line, dashed black on white so that it shows on any background."""
    path = _path(outline.rect, outline.shape, outline.radius)
    width = outline.weight
    canvas.addLiteral(f"1 G {2 * width:.4f} w [] 0 d {path} S 0 G {width:.4f} w [1 1] 0 d {path} S")


def _path(rect: Rect, shape: Shape, radius: float = 0.0) -> str:
    """Return the path of a shape that fills `rect`."""
    if (corners := corners_of(shape, rect)) is not None:
        return straight(corners, "{:.4f}".format)
    if shape == "ellipse":
        return _ellipse(rect)
    return rounded(rect, radius, radius, "{:.4f}".format) if radius > 0 else _rectangle(rect)


def _rectangle(rect: Rect) -> str:
    return f"{rect.x:.4f} {rect.y:.4f} {rect.width:.4f} {rect.height:.4f} re"


def _ellipse(rect: Rect) -> str:
    return rounded(rect, rect.width / 2, rect.height / 2, "{:.4f}".format)


_AT_ONCE = 500
"""Pages whose labels are in memory as text at a time."""


def drawn_labels(pages: Sequence[Page], fonts: FontBook) -> DrawnArt:
    """Return the labels of each page as one side of its size, drawn like any other, a few at a time."""
    store = ArtStore.memory()
    sides: dict[str, DrawnSide] = {}
    for start in range(0, len(pages), _AT_ONCE):
        numbered = enumerate(pages[start : start + _AT_ONCE], start)
        artworks = [
            Artwork(label_key(number), page.size, 0.0, set_labels(page.labels, fonts))
            for number, page in numbered
            if page.labels
        ]
        sides.update((side.key, side) for side in draw_sides(artworks, {}, store))
    return assemble(sides, fonts, store)


def label_key(number: int) -> str:
    """Return the key of the drawn labels of a page, counted from 0."""
    return f"labels-{number}"


@dataclass(frozen=True, slots=True)
class PdfInfo:
    """The metadata of a PDF. `language` is a tag such as "en"."""

    title: str
    author: str
    subject: str
    language: str


def xmp_packet(info: PdfInfo, producer: str, date: datetime) -> bytes:
    """Return the packet, UTF-8, `date` in UTC."""
    packet = read_bundled("exports/skeletons", "metadata.xml").decode("utf-8").rstrip("\n")
    return packet.format(
        bom="\ufeff",
        title=_text(info.title),
        author=_text(info.author),
        subject=_text(info.subject),
        language=_text(info.language),
        creator=CREATOR,
        producer=_text(producer),
        date=date.strftime("%Y-%m-%dT%H:%M:%SZ"),
    ).encode("utf-8")


def _text(text: str) -> str:
    """Return `text` as XML, without characters that XML can't represent."""
    return escape("".join(char for char in text if char >= " " or char in "\t\n"), quote=False)


FEW = 3
"""Cards that a label lists; if there are more, it names the first and the last."""
MOST = 24
"""Characters of an id in a label. Viewers show some forty in their page box."""


def page_names(pages: Sequence[Page]) -> Iterator[str]:
    """Yield the label of each page: its own number if it has one, else the ids of its cards in order, `fox,
    owl` or `fox … wren`, with `back` after them on a page of backs. If labels repeat, all but the first add
    their page number. Without cards it is its side and place."""
    taken: set[str] = set()
    for number, page in enumerate(pages, start=1):
        if page.number is not None:
            yield page.number
            continue
        name = _cards(page) or f"{page.side} {number}"
        if name in taken:
            name = f"{name} (page {number})"
        taken.add(name)
        yield name


def _cards(page: Page) -> str:
    ids = list(dict.fromkeys(slot.card for slot in page.slots if slot.card))
    if not ids:
        return ""
    short = [card if len(card) <= MOST else f"{card[: MOST - 1]}…" for card in ids]
    names = ", ".join(short) if len(short) <= FEW else f"{short[0]} … {short[-1]}"
    return f"{names} back" if page.side == "back" else names


def in_words(sheet: ImposedSheet) -> Iterator[str]:
    """Yield `repr(sheet)`, page by page."""
    start, _, end = repr(replace(sheet, pages=())).rpartition("()")
    yield f"{start}("
    for number, page in enumerate(sheet.pages):
        yield f"{', ' if number else ''}{page!r}"
    yield f",){end}" if len(sheet.pages) == 1 else f"){end}"


SPOTS: dict[Tool, tuple[str, tuple[float, float, float, float]]] = {
    "cut": ("CutContour", (0, 1, 0, 0)),
    "half-cut": ("HalfCut", (0, 1, 1, 0)),
    "crease": ("Crease", (1, 0, 0, 0)),
    "perforation": ("PerfCutContour", (1, 0, 1, 0)),
}
"""The plate of each tool, and the inks that show it. CutContour and PerfCutContour are the names that
Roland's VersaWorks looks for; the other two are ours, as no name is common."""
MARKS = "Regmark"
"""The layer of marks, as Summa's plug-in calls it."""
WEIGHT = 0.25
"""pt, the weight of the lines."""
_ARC = 0.5522847498
"""The distance along its tangent, in radii, of the handle of a Bézier curve for a quarter circle."""


def write_cuts_pdf(
    pages: Iterable[tuple[Size, Sequence[Cut], Sequence[Rect]]], out: BinaryIO, title: str
) -> None:
    """Write a page for each size with its cuts and its machine's marks. There is at least one."""
    canvas = PdfCanvas(out, (1, 6))
    canvas.setTitle(title)
    canvas.setCreator(CREATOR)
    canvas.setViewerPreference("PrintScaling", "None")
    for size, cuts, marks in pages:
        _begin_page(canvas, size)
        draw_cuts(canvas, cuts)
        if marks:
            canvas.setFillColor(CMYKColorSep(0, 0, 0, 1, spotName=MARKS))
        for mark in marks:
            canvas.addLiteral(f"{_rectangle(mark)} f")
        canvas.showPage()
    canvas.save()


def draw_cuts(canvas: PdfCanvas, cuts: Sequence[Cut]) -> None:
    """Draw cuts over the content of a page whose unit is a mm, y down, each tool in its spot color."""
    canvas.saveState()
    canvas.setStrokeOverprint(True)
    canvas.setLineWidth(WEIGHT * MM_PER_PT)
    canvas.setDash()
    for tool, (spot, inks) in SPOTS.items():
        lines = [cut for cut in cuts if cut.tool == tool]
        if lines:
            canvas.setStrokeColor(CMYKColorSep(*inks, spotName=spot))
        for line in lines:
            canvas.addLiteral(f"{_path_of_cut(line)} S")
    canvas.restoreState()


def write_filled_pdf(size: Size, cuts: Sequence[Cut], out: BinaryIO) -> None:
    """Write a page with the insides of closed cuts filled in black."""
    canvas = PdfCanvas(out, (1, 6))
    _begin_page(canvas, size)
    for cut in cuts:
        canvas.addLiteral(f"{_path_of_cut(cut)} f")
    canvas.showPage()
    canvas.save()


def _path_of_cut(cut: Cut) -> str:
    """Return the operators of a cut's path."""
    parts = [f"{_points(cut.strokes[0].start)} m"]
    for stroke in cut.strokes:
        if stroke.middle is None:
            parts.append(f"{_points(stroke.end)} l")
            continue
        x, y = stroke.middle
        # The control point: the intersection of the tangents at both ends, from the middle.
        corner = stroke.start[0] + stroke.end[0] - x, stroke.start[1] + stroke.end[1] - y
        handles = [
            (end[0] + _ARC * (corner[0] - end[0]), end[1] + _ARC * (corner[1] - end[1]))
            for end in (stroke.start, stroke.end)
        ]
        parts.append(f"{_points(*handles, stroke.end)} c")
    return " ".join([*parts, "h"] if cut.closed else parts)


def _points(*places: Point) -> str:
    return " ".join(f"{x:.4f} {y:.4f}" for x, y in places)


_FILTER = pdfdoc.PDFArray([pdfdoc.PDFName(pdfdoc.PDFZCompress.pdfname)])
_CONTENTS, _PARENT = b"@contents@", b"@parent@"


@dataclass(frozen=True, slots=True)
class Forms:
    """Forms in the file: the numbers of their objects by name. `family` is a prefix of their names on
    pages."""

    family: str
    numbers: dict[str, int]


class PdfCanvas(Canvas):
    """A canvas that shows forms, whose pages are kept as bytes. They don't start by choosing Helvetica,
    which would appear in every page's fonts without being embedded. Page content is written by
    `addLiteral`: ReportLab's own paths begin with an operator that isn't allowed there."""

    def __init__(self, out: BinaryIO, version: tuple[int, int]) -> None:
        super().__init__(out, pagesize=(1, 1), pageCompression=1, invariant=1, pdfVersion=version)
        self.document: Any = vars(self)["_doc"]
        """ReportLab's document behind the canvas; its interface for foreign objects is untyped."""
        self.document.outline = self.document.Outlines = self.document.Catalog.Outlines = _Outlines()
        self._file = _File(self.document, out)
        self.document.format = self._file.finish
        self._shown: dict[str, bytes] = {}
        """References to the forms on this page."""

    def _make_preamble(self) -> None:
        self._preamble = ""

    def put(self, body: bytes) -> int:
        """Write our own object into the file immediately, after the document's objects so far, which must
        not change any more. Returns its number."""
        return self._file.put(body)

    def show(self, forms: Forms, name: str) -> None:
        """Paint a form."""
        called = pdfdoc.xObjectName(f"{forms.family}-{name}")
        self._shown[called] = b"%d 0 R" % forms.numbers[name]
        self.addLiteral(f"/{called} Do")

    def showPage(self) -> None:  # noqa: N802
        """End the page."""
        super().showPage()
        page = self.document.Pages.pages[-1]
        if self._shown:
            page.XObjects = pdfdoc.PDFDictionary(self._shown).format(self.document)
            self._shown = {}
        ready = _ReadyPage(page, self.document)
        self.document.Pages.pages[-1] = self.document.idToObject[ready.__InternalName__] = ready


class _ReadyPage(pdfdoc.PDFObject):
    """A page as ReportLab writes it. Its content and the page tree get their numbers only on writing."""

    __RefOnly__ = 1

    def __init__(self, page: Any, document: Any) -> None:
        self.__InternalName__ = page.__InternalName__
        self._content = pdfdoc.PDFZCompress.encode(page.stream)
        page.Contents, page.Parent = _CONTENTS, _PARENT
        self._dictionary = zlib.compress(page.format(document), 1)

    def format(self, document: Any) -> bytes:
        parent = document.Reference(document.Pages)
        about = pdfdoc.PDFDictionary({"Filter": _FILTER})
        content = document.Reference(pdfdoc.PDFStream(about, self._content, []))
        found = zlib.decompress(self._dictionary).replace(_CONTENTS, content.format(document), 1)
        return found.replace(_PARENT, parent.format(document), 1)


class _File:
    """Objects of an unencrypted document, written to a file one by one and then freed; ReportLab would keep
    them all, twice. The bytes equal those of its `PDFDocument.format`."""

    def __init__(self, document: Any, out: BinaryIO) -> None:
        self._document, self._out = document, out
        self._at = 0
        self._places = array("Q")
        """Where objects begin, by number."""

    def put(self, body: bytes) -> int:
        """Write an object that the document doesn't know; return its number."""
        self._write_known()
        self._document.objectcounter += 1
        self._write(body)
        return len(self._places)

    def finish(self) -> bytes:
        """Write the rest of the document, and its end. Returns no bytes."""
        self._write_known()
        document, count = self._document, len(self._places) + 1
        self._out.write(b"xref\n0 %d\n0000000000 65535 f \n" % count)
        self._out.writelines(b"%010d 00000 n \n" % place for place in self._places)
        root, info = document.Reference(document.Catalog), document.Reference(document.info)
        trailer = pdfdoc.PDFTrailer(startxref=self._at, Size=count, Root=root, Info=info, ID=document.ID())
        self._out.write(trailer.format(document))
        return b""

    def _write_known(self) -> None:
        """Write the objects that the document has so far; they may add further ones."""
        document = self._document
        if not self._at:
            start = pdfdoc.PDFFile(document._pdfVersion).strings[0]
            self._out.write(start)
            self._at = len(start)
        while (name := document.numberToId.pop(len(self._places) + 1, None)) is not None:
            self._write(pdfdoc.format(document.idToObject[name], document, toplevel=1))

    def _write(self, body: bytes) -> None:
        head = b"%d 0 obj\n" % (len(self._places) + 1)
        end = b"endobj\n" if body.endswith(b"\n") else b"\nendobj\n"
        self._out.writelines((head, body, end))
        self._places.append(self._at)
        self._at += len(head) + len(body) + len(end)


class _Outlines(pdfdoc.PDFOutlines):
    """ReportLab counts each entry with entries of its own twice."""

    def prepare(self, document: Any, canvas: Any) -> None:
        super().prepare(document, canvas)
        if self.mydestinations is not None:
            self.count = pdfdoc.count(self.mydestinations, self.closedict)
