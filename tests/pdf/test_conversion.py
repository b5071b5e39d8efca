"""Whole PDFs in inks: what is thin where it comes to lie, and images within content streams."""

from __future__ import annotations

import pikepdf
from PIL import Image

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


def test_images_within_a_stream_come_out_in_inks() -> None:
    """Two, one of them in a form, with names that are taken already; their places stay."""
    red = b"BI /W 2 /H 1 /BPC 8 /CS /RGB /F /AHx ID ff0000ffffff> EI"
    pdf = page(b"1 0 0 rg q 9 0 0 9 0 0 cm " + red + b" Q BT (no BI ID EI) Tj ET /f Do")
    form = pdf.make_stream(b"q 3 0 0 3 1 1 cm " + red + b" Q", Type=pikepdf.Name.XObject)
    form.Subtype = pikepdf.Name.Form
    pdf.pages[0].obj.Resources.XObject = pikepdf.Dictionary(f=form, lifted0=form)
    done = converted(pdf).pages[0].obj
    assert b"BI /W" not in done.Contents.read_bytes()
    assert b"9 0 0 9 0 0 cm\n/lifted1 Do" in done.Contents.read_bytes()
    for image in (done.Resources.XObject.lifted1, done.Resources.XObject.f.Resources.XObject.lifted0):
        assert (image.ColorSpace, image.Subtype) == ("/DeviceCMYK", "/Image")
        shown = coated().image(Image.frombytes("RGB", (2, 1), bytes([255, 0, 0, 255, 255, 255])))
        assert pikepdf.PdfImage(image).as_pil_image().tobytes() == shown.tobytes()
