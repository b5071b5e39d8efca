"""A whole document: the file, its pages and their boxes, what lies on them, outlines and links, fonts,
what it says of itself. `faults` is the one function that tests need.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pikepdf

from tests.pdf_grammar.contents import Contents
from tests.pdf_grammar.files import File
from tests.pdf_grammar.fonts import font_faults
from tests.pdf_grammar.lexer import FaultError
from tests.pdf_grammar.resources import image_faults, numbers

_DATE = re.compile(
    r"D:[0-9]{4}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]"
    r"(Z|Z00'00'|[+-][0-9]{2}'[0-9]{2}'?)"
)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!-~]+")
ROUNDING = 0.01
"""Points by which a box may reach out of the one around it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a document came to: streams and operators seen, and what is wrong, in words."""

    streams: int
    operators: int
    faults: tuple[str, ...]


def judge(data: bytes) -> Verdict:
    """Everything that these rules have to say on a PDF."""
    faults: list[str] = []
    try:
        faults += File.read(data).faults()
    except FaultError as fault:
        faults.append(f"file: {fault}")
    contents = Contents(faults)
    try:
        with pikepdf.open(BytesIO(data)) as pdf:
            faults += _document(pdf, contents)
            faults += [f"qpdf: {warning}" for warning in pdf.get_warnings()]
    except (pikepdf.PdfError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        faults.append(f"not as any document is: {error!r}")
    return Verdict(contents.streams, contents.operators, tuple(faults))


def _document(pdf: pikepdf.Pdf, contents: Contents) -> Iterator[str]:
    if not len(pdf.pages):
        yield "no pages"
    for index, page in enumerate(pdf.pages, 1):
        where = f"page {index}"
        yield from (f"{where}: {what}" for what in _box_faults(page.obj))
        yield from (f"{where}: {what}" for what in _annotation_faults(pdf, page.obj, contents, where))
        listed = page.obj.get("/Contents")
        streams = (
            list(listed) if isinstance(listed, pikepdf.Array) else [listed] if listed is not None else []
        )
        resources = page.obj.get("/Resources")
        if resources is None:
            yield f"{where}: no /Resources"
        contents.check([stream.read_bytes() for stream in streams], resources, where)
    pages = {page.obj.objgen for page in pdf.pages}
    for font in list(contents.fonts.values()):
        shown = contents.shown.get(font.objgen, set())
        name = f"font {font.get('/BaseFont', font.get('/Name', ''))}"

        def glyph(stream: Any, resources: Any, which: str, name: str = name) -> None:
            contents.glyph(stream, resources, f"{name} {which}")

        yield from (f"{name}: {what}" for what in font_faults(font, shown, glyph))
    for image in contents.images.values():
        yield from (f"image {image.objgen[0]}: {what}" for what in image_faults(image))
    root = pdf.Root
    if "/Outlines" in root:
        yield from (f"outline: {what}" for what in _outline_faults(root.Outlines, pages, root))
    if "/PageLabels" in root:
        yield from (f"page labels: {what}" for what in _label_faults(root.PageLabels, len(pdf.pages)))
    yield from _said_faults(pdf)


# ---------------------------------------------------------------- pages


def _inherited(page: Any, key: str) -> Any:
    while page is not None:
        if key in page:
            return page[key]
        page = page.get("/Parent")
    return None


def _box_faults(page: Any) -> Iterator[str]:
    media = numbers(_inherited(page, "/MediaBox"), 4)
    if media is None or not (media[0] < media[2] and media[1] < media[3]):
        yield f"/MediaBox {media}"
        return
    if max(media[2] - media[0], media[3] - media[1]) > 14400:
        yield f"/MediaBox {media} is larger than readers take"
    around = {"/CropBox": media, "/BleedBox": media, "/TrimBox": media, "/ArtBox": media}
    if "/BleedBox" in page:
        around["/TrimBox"] = numbers(page.BleedBox, 4) or media
    for key, outer in around.items():
        if key not in page:
            continue
        box = numbers(page[key], 4)
        if box is None or not (box[0] < box[2] and box[1] < box[3]):
            yield f"{key} {box}"
        elif any(a < b - ROUNDING for a, b in zip(box[:2], outer[:2])) or any(
            a > b + ROUNDING for a, b in zip(box[2:], outer[2:])
        ):
            yield f"{key} {box} is not within {outer}"
    if _inherited(page, "/Rotate") not in (None, 0, 90, 180, 270):
        yield "/Rotate"


def _annotation_faults(pdf: pikepdf.Pdf, page: Any, contents: Contents, where: str) -> Iterator[str]:
    media = numbers(_inherited(page, "/MediaBox"), 4)
    pages = {each.obj.objgen for each in pdf.pages}
    for note in page.get("/Annots", []):
        if str(note.get("/Subtype")) != "/Link":
            yield f"an annotation of /Subtype {note.get('/Subtype')}"
        area = numbers(note.get("/Rect"), 4)
        if area is None or not (area[0] <= area[2] and area[1] <= area[3]):
            yield f"/Rect {area}"
        elif media and not (
            media[0] <= area[0] and area[2] <= media[2] and media[1] <= area[1] and area[3] <= media[3]
        ):
            yield f"a link at {area}, off the page"
        if "/Border" in note and numbers(note.Border[:3]) is None:
            yield "/Border"
        if ("/A" in note) == ("/Dest" in note):
            yield "a link without a target, or with two"
        elif "/A" in note:
            yield from _action_faults(note.A, pages, pdf.Root)
        else:
            yield from _target_faults(note.Dest, pages, pdf.Root)
        if "/AP" in note:
            for state in note.AP.values():
                for form in [state] if isinstance(state, pikepdf.Stream) else state.values():
                    contents.form(form, f"{where} appearance")


def _action_faults(action: Any, pages: set[Any], root: Any) -> Iterator[str]:
    kind = str(action.get("/S"))
    if kind == "/URI":
        address = bytes(action.get("/URI", b"")).decode("latin-1")
        if not _ADDRESS.fullmatch(address):
            yield f"the address {address!r}"
    elif kind == "/GoTo":
        yield from _target_faults(action.get("/D"), pages, root)
    else:
        yield f"an action {kind}"


def _target_faults(target: Any, pages: set[Any], root: Any) -> Iterator[str]:
    """A destination: explicit, or a name that the document knows."""
    if isinstance(target, pikepdf.Name):
        named = root.get("/Dests", {})
        if target not in named:
            yield f"the target {target}, which is nowhere"
            return
        target = named[str(target)]
    elif isinstance(target, pikepdf.String):
        found = dict(_leaves(root.get("/Names", {}).get("/Dests", {}), "/Names")).get(bytes(target))
        if found is None:
            yield f"the target {target}, which is nowhere"
            return
        target = found
    if isinstance(target, pikepdf.Dictionary):
        target = target.get("/D")
    if not isinstance(target, pikepdf.Array) or len(target) < 2:
        yield f"the target {target!r}"
    elif target[0].objgen not in pages:
        yield "a target that is no page"
    else:
        operands = {
            "/Fit": 0,
            "/FitB": 0,
            "/FitH": 1,
            "/FitV": 1,
            "/FitBH": 1,
            "/FitBV": 1,
            "/XYZ": 3,
            "/FitR": 4,
        }
        if operands.get(str(target[1])) != len(target) - 2:
            yield f"a target {target[1]} with {len(target) - 2} numbers"


def _leaves(tree: Any, key: str) -> Iterator[tuple[Any, Any]]:
    """The pairs of a name or number tree."""
    items = list(tree.get(key, []))
    for name, value in zip(items[::2], items[1::2]):
        yield bytes(name) if isinstance(name, pikepdf.String) else name, value
    for kid in tree.get("/Kids", []):
        yield from _leaves(kid, key)


# ---------------------------------------------------------------- around the pages


def _outline_faults(node: Any, pages: set[Any], root: Any) -> Iterator[str]:
    """A node's children: linked both ways, counted, each with a title and a target."""
    shown = 0
    child, before = node.get("/First"), None
    seen: set[Any] = set()
    while child is not None:
        if child.objgen in seen:
            yield "entries in a circle"
            return
        seen.add(child.objgen)
        if child.get("/Parent") is None or child.Parent.objgen != node.objgen:
            yield f"'{child.get('/Title')}' names another parent"
        previous = child.get("/Prev")
        if (previous.objgen if previous is not None else None) != (
            before.objgen if before is not None else None
        ):
            yield f"'{child.get('/Title')}' names another entry before it"
        if not str(child.get("/Title", "")):
            yield "an entry without a title"
        if "/Dest" in child:
            yield from _target_faults(child.Dest, pages, root)
        elif "/A" in child:
            yield from _action_faults(child.A, pages, root)
        yield from _outline_faults(child, pages, root)
        shown += 1 + max(0, int(child.get("/Count", 0)))
        before, child = child, child.get("/Next")
    last = node.get("/Last")
    if (last.objgen if last is not None else None) != (before.objgen if before is not None else None):
        yield "/Last is not the last"
    count = int(node.get("/Count", 0))
    if count >= 0 and count != shown:
        yield f"/Count {count} instead of {shown}"


def _label_faults(tree: Any, pages: int) -> Iterator[str]:
    starts = []
    for start, label in _leaves(tree, "/Nums"):
        starts.append(start)
        if str(label.get("/S", "/D")) not in ("/D", "/R", "/r", "/A", "/a"):
            yield f"/S {label.get('/S')}"
        if int(label.get("/St", 1)) < 1:
            yield f"/St {label.St}"
    if starts != sorted(set(starts)) or starts[:1] != [0] or starts[-1] >= pages:
        yield f"they begin at {starts}"


def _said_faults(pdf: pikepdf.Pdf) -> Iterator[str]:
    for key, value in pdf.docinfo.items():
        if key in ("/CreationDate", "/ModDate"):
            if not _DATE.fullmatch(str(value)):
                yield f"{key} {value}"
        elif key == "/Trapped":
            if value not in ("/True", "/False", "/Unknown"):
                yield f"{key} {value}"
        elif not isinstance(value, pikepdf.String):
            yield f"{key} is no text"
    identity = [bytes(item) for item in pdf.trailer.get("/ID", [])]
    if identity and (len(identity) != 2 or not all(len(item) >= 16 for item in identity)):
        yield "/ID is not two strings of 16 bytes"
    if "/Metadata" in pdf.Root:
        packet = pdf.Root.Metadata
        if (packet.get("/Type"), packet.get("/Subtype")) != ("/Metadata", "/XML"):
            yield "the metadata are no XML"
        try:
            ElementTree.fromstring(packet.read_bytes())
        except ElementTree.ParseError as error:
            yield f"the metadata: {error}"
    if "/Lang" in pdf.Root and not re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", str(pdf.Root.Lang)):
        yield f"/Lang {pdf.Root.Lang}"
    if pdf.Root.get("/PageMode", pikepdf.Name.UseNone) not in (
        "/UseNone", "/UseOutlines", "/UseThumbs", "/FullScreen", "/UseOC", "/UseAttachments"
    ):  # fmt: skip
        yield f"/PageMode {pdf.Root.PageMode}"
