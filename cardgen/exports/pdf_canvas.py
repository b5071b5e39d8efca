"""ReportLab's canvas, which writes objects into an open file one by one and shows forms."""

from __future__ import annotations

import zlib
from array import array
from dataclasses import dataclass
from typing import Any, BinaryIO

from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

_FILTER = pdfdoc.PDFArray([pdfdoc.PDFName(pdfdoc.PDFZCompress.pdfname)])
_CONTENTS, _PARENT = b"@contents@", b"@parent@"


@dataclass(frozen=True, slots=True)
class Forms:
    """Forms that stand in the file: the numbers of their objects by name. `family` is part of what pages
    call them."""

    family: str
    numbers: dict[str, int]


class PdfCanvas(Canvas):
    """A canvas that shows forms, whose pages are held as bytes. They don't start by choosing Helvetica,
    which would then stand in every page's fonts without being embedded. What pages show is written by
    `addLiteral`: ReportLab's own paths begin with an operator that may not stand there."""

    def __init__(self, out: BinaryIO, version: tuple[int, int]) -> None:
        super().__init__(out, pagesize=(1, 1), pageCompression=1, invariant=1, pdfVersion=version)
        self.document: Any = vars(self)["_doc"]
        """ReportLab's book behind the canvas; what it offers foreign objects is untyped."""
        self.document.outline = self.document.Outlines = self.document.Catalog.Outlines = _Outlines()
        self._file = _File(self.document, out)
        self.document.format = self._file.finish
        self._shown: dict[str, bytes] = {}
        """References to the forms on this page."""

    def _make_preamble(self) -> None:
        self._preamble = ""

    def put(self, body: bytes) -> int:
        """Write an object of our own into the file at once, after those that the document has so far, which
        are not to change any more; its number."""
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


class _File:
    """Objects of a document that isn't encrypted, written to a file one by one and held no longer, where
    ReportLab keeps them all, and then all of them once more. The bytes are those of its
    `PDFDocument.format`."""

    def __init__(self, document: Any, out: BinaryIO) -> None:
        self._document, self._out = document, out
        self._at = 0
        self._places = array("Q")
        """Where objects begin, by number."""

    def put(self, body: bytes) -> int:
        """Write an object that the document doesn't know; its number."""
        self._write_known()
        self._document.objectcounter += 1
        self._write(body)
        return len(self._places)

    def finish(self) -> bytes:
        """Write all that the document has, and its end. Gives none of it."""
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
