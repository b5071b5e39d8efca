"""ReportLab's canvas, corrected where it does not write what ISO 32000-1 asks."""

from __future__ import annotations

import re
from array import array
from typing import Any, BinaryIO

from reportlab import rl_config
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

# Streams as they are deflated: spelling them in ASCII only makes them a quarter longer. It is said here,
# where all that write pages with ReportLab come by, for it holds in the whole process.
rl_config.useA85 = 0

_IN_PATH = re.compile(r"(?:^|\s)(?:m|l|c|v|y|h|re|W\*?)$")


class PdfCanvas(Canvas):
    """A canvas that writes valid content streams and outlines. Takes what ReportLab's takes, a binary file
    instead of its name too, into which objects are written one by one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        document = vars(self)["_doc"]
        document.outline = document.Outlines = document.Catalog.Outlines = _Outlines()
        out = vars(self)["_filename"]
        if hasattr(out, "write"):
            self._file = _File(document, out)
            document.format = self._file.finish

    def put(self, body: bytes) -> int:
        """Write an object of our own into the file at once, after those that the document has so far, which
        are not to change any more; its number."""
        return self._file.put(body)

    def showPage(self) -> None:  # noqa: N802
        """End the page."""
        code: list[str] = vars(self)["_code"]
        code[:] = _without_lone_ends(code)
        super().showPage()

    def endForm(self, **options: Any) -> None:  # noqa: N802
        """End the form that was begun last."""
        code: list[str] = vars(self)["_code"]
        code[:] = _without_lone_ends(code)
        super().endForm(**options)


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


def _without_lone_ends(code: list[str]) -> list[str]:
    """Operators without the `n` that ReportLab writes before each path. It ends a path and may stand
    nowhere else (ISO 32000-1, 8.5.3)."""
    kept: list[str] = []
    for piece in code:
        rest = piece.removeprefix("n ")
        if rest != "n" or (kept and _IN_PATH.search(kept[-1])):
            kept.append(rest)
    return kept


class _Outlines(pdfdoc.PDFOutlines):
    """ReportLab counts each entry with entries of its own twice."""

    def prepare(self, document: Any, canvas: Any) -> None:
        super().prepare(document, canvas)
        if self.mydestinations is not None:
            self.count = pdfdoc.count(self.mydestinations, self.closedict)
