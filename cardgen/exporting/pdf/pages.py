"""ReportLab's canvas for sheets of thousands of pages: their forms are written before them, and of a page
only its bytes are held until it is written."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

from reportlab.pdfbase import pdfdoc

from cardgen.pdf_canvas import PdfCanvas

_FILTER = pdfdoc.PDFArray([pdfdoc.PDFName(pdfdoc.PDFZCompress.pdfname)])
_CONTENTS, _PARENT = b"@contents@", b"@parent@"


@dataclass(frozen=True, slots=True)
class Forms:
    """Forms that stand in the file: the numbers of their objects by name. `family` is part of what pages
    call them."""

    family: str
    numbers: dict[str, int]


def document_of(canvas: PdfCanvas) -> Any:
    """ReportLab's book behind a canvas; what it offers foreign objects is untyped."""
    return vars(canvas)["_doc"]


class FormCanvas(PdfCanvas):
    """A canvas that shows forms, whose pages are held as bytes. They don't start by choosing Helvetica,
    which would then stand in every page's fonts without being embedded."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._shown: dict[str, bytes] = {}
        """References to the forms on this page."""

    def _make_preamble(self) -> None:
        self._preamble = ""

    def show(self, forms: Forms, name: str) -> None:
        """Paint a form."""
        called = pdfdoc.xObjectName(f"{forms.family}-{name}")
        self._shown[called] = b"%d 0 R" % forms.numbers[name]
        self.addLiteral(f"/{called} Do")

    def showPage(self) -> None:  # noqa: N802
        """End the page."""
        super().showPage()
        document = document_of(self)
        page = document.Pages.pages[-1]
        if self._shown:
            page.XObjects = pdfdoc.PDFDictionary(self._shown).format(document)
            self._shown = {}
        ready = _ReadyPage(page, document)
        document.Pages.pages[-1] = document.idToObject[ready.__InternalName__] = ready


class _ReadyPage(pdfdoc.PDFObject):
    """A page as ReportLab writes it, where its content and the tree of pages get their numbers only when it
    is written."""

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
