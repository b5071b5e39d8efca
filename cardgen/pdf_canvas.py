"""ReportLab's canvas and fonts, with what they write otherwise than ISO 32000-1 asks put right."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, BinaryIO

from reportlab.pdfbase import pdfdoc
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

_IN_PATH = re.compile(r"(?:^|\s)(?:m|l|c|v|y|h|re|W\*?)$")
_CHARACTERS = re.compile(r"\d+ beginbfchar\n(.*?)\nendbfchar", re.DOTALL)
_ENTRY = re.compile(r"<(\w+)> <(\w+)>")
_BLOCK = 100
"""Entries that a block of a CMap may have (Adobe Technical Note 5014)."""


class PdfCanvas(Canvas):
    """A canvas that writes valid content streams and outlines. Takes what ReportLab's takes, a binary file
    instead of its name too, into which objects are written one by one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        document = vars(self)["_doc"]
        document.outline = document.Outlines = document.Catalog.Outlines = _Outlines()
        out = vars(self)["_filename"]
        if hasattr(out, "write"):
            document.format = partial(_write, document, out)

    def showPage(self) -> None:  # noqa: N802
        """End the page."""
        code: list[str] = vars(self)["_code"]
        code[:] = _without_lone_ends(code)
        super().showPage()


def _write(document: Any, out: BinaryIO) -> bytes:
    """The same bytes as ReportLab's `PDFDocument.format` of a document that isn't encrypted. They go to the
    file at once, where ReportLab keeps them all, and then all of them once more. Gives none of them."""
    start = pdfdoc.PDFFile(document._pdfVersion).strings[0]
    out.write(start)
    at, number = len(start), 1
    entries = ["0000000000 65535 f "]
    while number in document.numberToId:  # objects may add further ones
        body = pdfdoc.format(document.idToObject[document.numberToId[number]], document, toplevel=1)
        head, end = b"%d 0 obj\n" % number, b"endobj\n" if body.endswith(b"\n") else b"\nendobj\n"
        out.writelines((head, body, end))
        entries.append(f"{at:010d} 00000 n ")
        at += len(head) + len(body) + len(end)
        number += 1
    table = "\n".join((f"xref\n0 {number}", *entries, ""))
    out.write(table.encode("ascii"))
    root, info = document.Reference(document.Catalog), document.Reference(document.info)
    trailer = pdfdoc.PDFTrailer(startxref=at, Size=number, Root=root, Info=info, ID=document.ID())
    out.write(trailer.format(document))
    return b""


def _without_lone_ends(code: list[str]) -> list[str]:
    """Operators without the `n` that ReportLab writes before each path. It ends a path and may stand
    nowhere else (ISO 32000-1, 8.5.3)."""
    kept: list[str] = []
    for piece in code:
        rest = piece.removeprefix("n ")
        if rest != "n" or (kept and _IN_PATH.search(kept[-1])):
            kept.append(rest)
    return kept


class PdfFont(TTFont):
    """A TrueType font whose map to Unicode other programs can read."""

    def addObjects(self, doc: Any) -> None:  # noqa: N802
        before = set(doc.idToObject)
        super().addObjects(doc)
        for name in doc.idToObject.keys() - before:
            if name.startswith("toUnicodeCMap:"):
                stream = doc.idToObject[name]
                stream.content = _CHARACTERS.sub(_in_blocks, stream.content)


class _Outlines(pdfdoc.PDFOutlines):
    """ReportLab counts each entry with entries of its own twice."""

    def prepare(self, document: Any, canvas: Any) -> None:
        super().prepare(document, canvas)
        if self.mydestinations is not None:
            self.count = pdfdoc.count(self.mydestinations, self.closedict)


def _in_blocks(match: re.Match[str]) -> str:
    """A block of characters as several that are not too long, characters in UTF-16."""
    entries = [
        f"<{code}> <{chr(int(value, 16)).encode('utf-16-be').hex().upper()}>"
        for code, value in _ENTRY.findall(match[1])
    ]
    blocks = [entries[start : start + _BLOCK] for start in range(0, len(entries), _BLOCK)]
    return "\n".join("\n".join((f"{len(block)} beginbfchar", *block, "endbfchar")) for block in blocks)
