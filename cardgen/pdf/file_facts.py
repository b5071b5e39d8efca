"""Facts that a PDF of any program states: standard, boxes, fonts, output intent, what presses forbid."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import pikepdf
from PIL import ImageCms

from cardgen.core.findings import Parsing
from cardgen.core.records import dataclass, field
from cardgen.pdf.painted import LimitError, Reader, Tally

MOST_PAGES = 2_000
MOST_OBJECTS = 500_000
_MOST_PROFILE = 16 * 1024 * 1024
_PACKET = re.compile(rb"GTS_PDFXVersion\s*(?:>|=\s*[\"'])\s*([^<\"']{1,60})")
_BOXES = ("/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox")
_EMBEDDED = ("/FontFile", "/FontFile2", "/FontFile3")

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in pt."""


class UnreadableError(ValueError):
    """A file is no PDF that can be read."""


class LockedError(ValueError):
    """A file opens only with a password."""


@dataclass(frozen=True, slots=True)
class PageFacts:
    """A page: its boxes by name, inherited ones too, and what it paints."""

    boxes: dict[str, Box]
    tally: Tally
    annotations: int = 0


@dataclass(frozen=True, slots=True)
class FontFacts:
    """A font that paints text: its name, its type, and whether the file contains it."""

    name: str
    kind: str
    embedded: bool


@dataclass(slots=True)
class PdfFacts:
    """A document. `claims` are the standards that it names, in its document information and its metadata;
    `condition` is that of the output intent, `profile` the title of its profile, None without one."""

    version: str
    producer: str
    page_count: int
    claims: tuple[str, ...] = ()
    has_intent: bool = False
    condition: str = ""
    profile: str | None = None
    profile_space: str = ""
    trapped: str = ""
    encrypted: bool = False
    forbidden: tuple[str, ...] = ()
    """Scripts, attached files, forms and the like."""
    pages: list[PageFacts] = field(default_factory=list)
    fonts: tuple[FontFacts, ...] = ()
    limit: str | None = None
    """Why reading ended early."""

    @property
    def total(self) -> Tally:
        """Return what all pages paint."""
        found = Tally()
        for page in self.pages:
            found.add(page.tally)
        return found


def read_facts(content: bytes) -> PdfFacts:
    """Return the facts of a PDF. Raises UnreadableError and LockedError."""
    with opened(content) as pdf:
        return _facts(pdf)


@contextmanager
def opened(content: bytes) -> Iterator[pikepdf.Pdf]:
    """Open a PDF that may be damaged. Raises UnreadableError, also for exceptions while it is open, and
    LockedError."""
    logging.getLogger("pikepdf").addHandler(logging.NullHandler())  # it tells the terminal of damage
    with warnings.catch_warnings(), Parsing(lambda error: UnreadableError(str(error)), LockedError):
        warnings.simplefilter("ignore")
        try:
            pdf = pikepdf.open(BytesIO(content))
        except pikepdf.PasswordError as error:
            raise LockedError from error
        with pdf:
            yield pdf


def _facts(pdf: pikepdf.Pdf) -> PdfFacts:
    info = pdf.docinfo
    facts = PdfFacts(str(pdf.pdf_version), _text(info.get("/Producer")), len(pdf.pages))
    facts.claims = tuple(dict.fromkeys(_claims(pdf)))
    facts.trapped = _text(info.get("/Trapped")).removeprefix("/")
    facts.encrypted = pdf.is_encrypted
    _read_intent(pdf, facts)
    facts.forbidden = tuple(_forbidden(pdf))
    reader = Reader(pdf)
    try:
        if len(pdf.objects) > MOST_OBJECTS:
            raise LimitError(f"more than {MOST_OBJECTS:,} objects")
        for page in pdf.pages:
            if len(facts.pages) == MOST_PAGES:
                raise LimitError(f"more than {MOST_PAGES:,} pages")
            notes = page.obj.get("/Annots")
            tally = reader.page(page)
            count = sum(1 for _ in notes) if isinstance(notes, pikepdf.Array) else 0
            facts.pages.append(PageFacts(dict(_boxes(page)), tally, count))
    except LimitError as error:
        facts.limit = str(error)
    used = {key: font for each in facts.pages for key, font in each.tally.fonts.items()}
    facts.fonts = tuple(sorted({_font(font) for font in used.values()}, key=lambda font: font.name))
    return facts


def _text(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split())[:200]


def _claims(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Yield the PDF/X standards that a document claims."""
    for key in ("/GTS_PDFXConformance", "/GTS_PDFXVersion"):
        if (claimed := _text(pdf.docinfo.get(key))) and not (
            key == "/GTS_PDFXVersion" and "/GTS_PDFXConformance" in pdf.docinfo
        ):
            yield claimed
    packet = pdf.Root.get("/Metadata")
    if isinstance(packet, pikepdf.Stream) and (found := _PACKET.search(packet.read_bytes())):
        yield _text(found[1].decode("utf-8", "replace"))


def _read_intent(pdf: pikepdf.Pdf, facts: PdfFacts) -> None:
    for intent in list(pdf.Root.get("/OutputIntents", []))[:8]:
        if intent.get("/S") != "/GTS_PDFX":
            continue
        facts.has_intent = True
        facts.condition = _text(intent.get("/OutputConditionIdentifier"))
        profile = intent.get("/DestOutputProfile")
        if isinstance(profile, pikepdf.Stream):
            content = profile.read_bytes()[:_MOST_PROFILE]
            try:
                opened = ImageCms.ImageCmsProfile(BytesIO(content))
                facts.profile = _text(ImageCms.getProfileDescription(opened)) or "without a title"
                facts.profile_space = opened.profile.xcolor_space.strip()
            except Exception:  # Pillow raises what it likes for broken profiles
                facts.profile = "damaged"


def _forbidden(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Yield what no standard for print allows, by name."""
    root: Any = pdf.Root
    names, opening = root.get("/Names", {}), root.get("/OpenAction")
    runs = isinstance(opening, pikepdf.Dictionary) and opening.get("/S") == "/JavaScript"
    if "/JavaScript" in names or runs:
        yield "scripts"
    if "/EmbeddedFiles" in names:
        yield "attached files"
    form = root.get("/AcroForm")
    if form is not None and len(form.get("/Fields", [])):
        yield "a form to fill in"


def _boxes(page: pikepdf.Page) -> Iterator[tuple[str, Box]]:
    for name in _BOXES:
        values = getattr(page, "mediabox", None) if name == "/MediaBox" else page.obj.get(name)
        if values is None or len(values) != 4:
            continue
        x1, y1, x2, y2 = (float(value) for value in values)
        yield name[1:], (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))


def _font(font: Any) -> FontFacts:
    kind = str(font.get("/Subtype", "/unknown"))[1:]
    name = _text(font.get("/BaseFont")).removeprefix("/") or _text(font.get("/Name")).removeprefix("/")
    held = font
    if kind == "Type0" and len(font.get("/DescendantFonts", [])):
        held = font.DescendantFonts[0]
    described = held.get("/FontDescriptor", {})
    return FontFacts(
        name or "without a name", kind, kind == "Type3" or any(e in described for e in _EMBEDDED)
    )
