"""Put pages of a given PDF, such as a shop's template, under the pages of a finished one."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pikepdf

from cardgen.core.geometry import MM_PER_PT, PT_PER_MM, Matrix, Size
from cardgen.core.sheets import Page
from cardgen.pdf.file_facts import opened

_BOXES = ("/TrimBox", "/BleedBox", "/ArtBox", "/CropBox")


def page_sizes(base: bytes) -> list[Size]:
    """Return the sizes of a PDF's pages as a viewer shows them, in mm. Raises UnreadableError, or
    LockedError for one with a password."""
    with opened(base) as pdf:
        return [_size(page) for page in pdf.pages]


def underlaid(content: bytes, base: bytes, pages: Sequence[Page]) -> bytes:
    """Return a PDF with a `base` under its `pages`, which are corrected for a printer: its first page under
    faces, its second, if there is one, under backs. Links and form fields of the base are lost."""
    with opened(base) as under, opened(content) as pdf:
        forms = [pdf.copy_foreign(_form(under, number)) for number in range(min(2, len(under.pages)))]
        for page, target in zip(pages, pdf.pages, strict=True):
            number = 0 if page.side == "face" else 1
            if number >= len(forms):
                continue
            name = target.add_resource(forms[number], pikepdf.Name.XObject, pikepdf.Name(f"/base-{number}"))
            placed = target.calc_form_xobject_placement(
                forms[number], name, pikepdf.Rectangle(target.mediabox)
            )
            flip = Matrix(PT_PER_MM, 0, 0, -PT_PER_MM, 0, page.size.height * PT_PER_MM)
            moved = flip.inverse().then(page.adjust).then(flip)
            values = (moved.a, moved.b, moved.c, moved.d, moved.e, moved.f)
            matrix = " ".join(f"{value:.7f}" for value in values)
            stream = b"q %s cm %s Q\n" % (matrix.encode("ascii"), placed)
            target.contents_add(pdf.make_stream(stream), prepend=True)
        out = BytesIO()
        pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.disable)
        return out.getvalue()


def _form(pdf: pikepdf.Pdf, number: int) -> Any:
    """Return a whole page as a form."""
    page = pdf.pages[number]
    for box in _BOXES:
        if box in page.obj:
            del page.obj[box]
    return page.as_form_xobject()


def _size(page: pikepdf.Page) -> Size:
    left, bottom, right, top = (float(side) for side in page.mediabox)
    unit = MM_PER_PT * float(page.obj.get("/UserUnit", 1))
    size = Size(abs(right - left) * unit, abs(top - bottom) * unit)
    return size.turned if int(page.obj.get("/Rotate", 0)) % 180 else size
