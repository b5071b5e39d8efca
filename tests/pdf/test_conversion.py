"""Whole PDFs in inks: what is thin where it comes to lie, and images within content streams."""

from __future__ import annotations

import pikepdf

from cardgen.pdf.ink_conversion import Conversion
from cardgen.pdf.ink_operators import InkPalette

from .presses import coated


def page(content: bytes, **resources: pikepdf.Object) -> pikepdf.Pdf:
    """A PDF of one page, in inks."""
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(100, 100))
    pdf.pages[0].obj.Contents = pdf.make_stream(content)
    pdf.pages[0].obj.Resources = pikepdf.Dictionary(**resources)
    return pdf


def converted(pdf: pikepdf.Pdf) -> pikepdf.Pdf:
    Conversion(pdf, InkPalette(coated())).run()
    return pdf


def test_a_form_knows_how_large_it_is_shown() -> None:
    """A line of 2 units is thin where a unit is a point, a ground where it is shown 20 times as large."""
    for scale, black in ((1, b"0 0 0 1 K"), (20, b"0.6 0.4 0.4 1 K")):
        pdf = page(b"q %d 0 0 %d 0 0 cm /f Do Q" % (scale, scale))
        form = pdf.make_stream(b"0 0 0 RG 2 w 0 0 m 9 9 l S", Type=pikepdf.Name.XObject)
        form.Subtype = pikepdf.Name.Form
        pdf.pages[0].obj.Resources.XObject = pikepdf.Dictionary(f=form)
        content = converted(pdf).pages[0].obj.Resources.XObject.f.read_bytes()
        assert black in content, content
