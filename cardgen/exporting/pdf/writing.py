"""An imposed sheet as PDF.

ReportLab writes the file; what it paints is drawn already. Every distinct side is one Form XObject,
placed as often as needed through a clip and a matrix, so that a file grows with its distinct sides
and not with its copies. Labels are set with a font of the project like all other text.

The file is PDF 1.7 (transparency needs 1.4; the print scaling and duplex wishes that stop dialogs
from shrinking pages need 1.6 and 1.7). Points appear only here. The same input gives the same bytes:
dates are $SOURCE_DATE_EPOCH or the start of the year 2000, the file's id a digest of what it shows.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO

from reportlab.pdfbase import pdfdoc

from cardgen.drawing.content_stream import rounded, straight
from cardgen.drawing.objects import DrawnArt, DrawnFace
from cardgen.exporting.cuts.pdf import draw_lines
from cardgen.exporting.pdf.labels import drawn_labels, label_key
from cardgen.exporting.pdf.metadata import PdfInfo, xmp_packet
from cardgen.exporting.pdf.page_names import page_names
from cardgen.exporting.pdf.pages import FormCanvas, Forms, document_of
from cardgen.exporting.pdf.wording import in_words
from cardgen.geometry import Matrix, Rect, Shape, Size, corners_of
from cardgen.model.sheets import CasedLine, ImposedSheet, Line, Outline, Page, Patch, Rotation, Slot
from cardgen.units import MM_PER_PT, PT_PER_MM

if TYPE_CHECKING:
    from cardgen.typesetting.fonts import FontBook

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
    creator: str = "cardgen",
    language: str = "en",
) -> None:
    """Write `sheet` to `out`.

    `art` holds every side that the sheet shows. `language` is a tag such as "en". Labels take letters
    that their font lacks as `fontbook` says. Raises ValueError for a sheet without pages.
    """
    if not sheet.pages:
        raise ValueError(f"the sheet '{sheet.name}' has no pages")
    canvas = FormCanvas(out, pagesize=(1, 1), pageCompression=1, invariant=1, pdfVersion=_VERSION)
    _describe(canvas, sheet, PdfInfo(title, author, subject, creator, language))
    shown = dict.fromkeys(slot.artwork for page in sheet.pages for slot in page.slots)
    faces = _written(canvas, art, shown, "face")
    drawn = drawn_labels(sheet.pages, fontbook)
    captions = _written(canvas, drawn, drawn.faces, "label")
    labels = dict(drawn.faces)
    del shown, drawn  # what is written need not be held
    for number, (page, name) in enumerate(zip(sheet.pages, page_names(sheet.pages))):
        _begin(canvas, page, number, name)
        for slot in page.slots:
            _place(canvas, slot, art.faces[slot.artwork], faces)
        _furnish(canvas, page, labels.get(label_key(number)), captions)
        canvas.showPage()
    canvas.save()


def _written(canvas: FormCanvas, art: DrawnArt, keys: Collection[str], family: str) -> Forms:
    """Write every object that the sides need; their forms. `family` keeps the names of two arts apart:
    each has fonts of its own, subset for it."""
    names = {art.faces[key].name for key in keys}
    numbers: dict[str, int] = {}

    def ref(name: str) -> bytes:
        return b"%d 0 R" % numbers[name]

    for obj in art.objects(keys):
        numbers[obj.name] = canvas.put(obj.body(ref))
    document = document_of(canvas)
    for name in sorted(names):
        document.signature.update(name.encode("ascii"))
    return Forms(family, {name: numbers[name] for name in names})


def _describe(canvas: FormCanvas, sheet: ImposedSheet, info: PdfInfo) -> None:
    """Everything that is said about the document as a whole."""
    canvas.setTitle(info.title)
    canvas.setAuthor(info.author)
    canvas.setSubject(info.subject)
    canvas.setCreator(info.creator)
    canvas.setProducer(PRODUCER)
    document = document_of(canvas)
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


def _begin(canvas: FormCanvas, page: Page, number: int, name: str) -> None:
    """The page as such, called `name` in viewers, up to where its slots are painted."""
    canvas.setPageSize((page.size.width * PT_PER_MM, page.size.height * PT_PER_MM))
    canvas.setTrimBox(_box(page.trim, page.size))
    canvas.setBleedBox(_box(page.bleed, page.size))
    canvas.addPageLabel(number, prefix=name)
    for place, title in enumerate((page.bookmark or "").splitlines()):
        key = f"component-{number}-{place}"
        canvas.bookmarkPage(key)
        canvas.addOutlineEntry(title, key)
        canvas.showOutline()
    _lead(canvas, page)
    flip = Matrix(PT_PER_MM, 0, 0, -PT_PER_MM, 0, page.size.height * PT_PER_MM)
    canvas.addLiteral(_concat(page.adjust.then(flip)))  # from here on mm, y down


def _furnish(canvas: FormCanvas, page: Page, label: DrawnFace | None, captions: Forms) -> None:
    """What is painted over the slots."""
    if page.patches:
        canvas.addLiteral(_patches(page.patches))
    canvas.addLiteral("0 G")
    for outline in page.outlines:
        _outline(canvas, outline)
    if page.lines:
        canvas.addLiteral(_strokes(page.lines))
    if page.cuts or page.creases:
        draw_lines(canvas, page.cuts, page.creases)
    if label is not None:
        canvas.addLiteral(_concat(_form_to_mm(label.size)))
        canvas.show(captions, label.name)


def _lead(canvas: FormCanvas, page: Page) -> None:
    """The page's entries in the outline, and its links to entries and addresses."""
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
    """A page box: left, bottom, right, top in points from the bottom left corner."""
    sides = (rect.x, page.height - rect.bottom, rect.right, page.height - rect.y)
    left, bottom, right, top = (round(side * PT_PER_MM, 4) for side in sides)
    return left, bottom, right, top


def _place(canvas: FormCanvas, slot: Slot, face: DrawnFace, forms: Forms) -> None:
    """Paint a side where its slot says, within its clip."""
    canvas.addLiteral(_in_slot(slot.trim, slot.rotation, slot.clip, slot.shape, face.size, slot.mirrored))
    canvas.show(forms, face.name)
    canvas.addLiteral("Q")


@lru_cache(maxsize=1024)
def _in_slot(
    trim: Rect, rotation: Rotation, clip: Rect, shape: Shape, size: Size, mirrored: bool = False
) -> str:
    """The operators before a side of a size, which most pages have in common."""
    area = _path(clip, shape)
    return f"q {area} W n {_concat(_form_to_mm(size).then(_placing(trim, rotation, size, mirrored)))}"


def placing(slot: Slot, size: Size) -> Matrix:
    """The map of a side (mm, its bleed's top left corner at 0, 0) to its slot: turned clockwise about
    its middle, which comes to lie on the middle of the slot's trim; mirrored before that, if it says so."""
    return _placing(slot.trim, slot.rotation, size, slot.mirrored)


def _placing(trim: Rect, rotation: Rotation, size: Size, mirrored: bool = False) -> Matrix:
    cosine, sine = _COSINES[rotation]
    middle = Matrix(1, 0, 0, 1, -size.width / 2, -size.height / 2)
    if mirrored:
        middle = middle.then(Matrix(-1, 0, 0, 1))
    turned = middle.then(Matrix(cosine, sine, -sine, cosine))
    return turned.then(Matrix(1, 0, 0, 1, trim.x + trim.width / 2, trim.y + trim.height / 2))


def _form_to_mm(size: Size) -> Matrix:
    """The map of the points of a form of that size, y up, to mm, y down."""
    return Matrix(MM_PER_PT, 0, 0, -MM_PER_PT, 0, size.height)


def _concat(matrix: Matrix) -> str:
    """The operator that applies a matrix. Seven places keep the far corner of any paper within a
    ten-thousandth of a mm."""
    a, b, c, d, e, f = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
    return f"{a:.7f} {b:.7f} {c:.7f} {d:.7f} {e:.4f} {f:.4f} cm"


@lru_cache(maxsize=16)
def _strokes(lines: tuple[Line, ...]) -> str:
    """The operators that draw lines, those of one kind in one path. Most pages of a sheet have the
    same ones."""
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
    """The operators that fill patches."""
    parts = ["q"]
    for patch in patches:
        color = f"{' '.join(f'{share:g}' for share in patch.inks)} k"
        if not patch.pure:
            *inks, black = patch.inks
            color = f"{' '.join(f'{(1 - share) * (1 - black):g}' for share in inks)} rg"
        parts.append(f"{color} {_rectangle(patch.rect)} f")
    return "\n".join((*parts, "Q"))


def _outline(canvas: FormCanvas, outline: Outline) -> None:
    """A cut line, dashed black on white so that it shows on any ground."""
    path = _path(outline.rect, outline.shape, outline.radius)
    width = outline.weight
    canvas.addLiteral(f"1 G {2 * width:.4f} w [] 0 d {path} S 0 G {width:.4f} w [1 1] 0 d {path} S")


def _path(rect: Rect, shape: Shape, radius: float = 0.0) -> str:
    """The path of a shape that fills `rect`."""
    if (corners := corners_of(shape, rect)) is not None:
        return straight(corners, "{:.4f}".format)
    if shape == "ellipse":
        return _ellipse(rect)
    return rounded(rect, radius, radius, "{:.4f}".format) if radius > 0 else _rectangle(rect)


def _rectangle(rect: Rect) -> str:
    return f"{rect.x:.4f} {rect.y:.4f} {rect.width:.4f} {rect.height:.4f} re"


def _ellipse(rect: Rect) -> str:
    return rounded(rect, rect.width / 2, rect.height / 2, "{:.4f}".format)
