"""What a PDF paints, counted: sizes, inks, lines, images, overprint; and what a hostile one may not do."""

from __future__ import annotations

import zlib
from io import BytesIO

import pikepdf
import pytest

from cardgen.pdf import file_facts, painted
from cardgen.pdf.file_facts import LockedError, PdfFacts, UnreadableError, read_facts
from cardgen.pdf.painted import Tally
from tests.for_each import for_each

from .test_conversion import page


def document(content: bytes) -> pikepdf.Pdf:
    """A page with a font, states, a form that paints a line twice as large, an image and a shading."""
    pdf = page(
        content,
        ExtGState=pikepdf.Dictionary(
            o=pikepdf.Dictionary(OP=True, OPM=1), h=pikepdf.Dictionary(ca=0.5), n=pikepdf.Dictionary(ca=1)
        ),
    )
    resources = pdf.pages[0].obj.Resources
    resources.Font = pikepdf.Dictionary(
        f=pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Times
            )
        )
    )
    form = pdf.make_stream(b"0.1 w 0 0 m 9 9 l S", Subtype=pikepdf.Name.Form)
    form.BBox, form.Matrix = [0, 0, 9, 9], [2, 0, 0, 2, 0, 0]
    image = pdf.make_stream(bytes(300), Subtype=pikepdf.Name.Image)
    image.Width, image.Height, image.BitsPerComponent = 10, 10, 8
    image.ColorSpace = pikepdf.Name.DeviceRGB
    resources.XObject = pikepdf.Dictionary(x=form, i=image)
    tint = pikepdf.Dictionary(FunctionType=2, Domain=[0, 1], C0=[0], C1=[1], N=1)
    foil = pikepdf.Array(
        [pikepdf.Name.Separation, pikepdf.Name("/Gold Foil"), pikepdf.Name.DeviceCMYK, tint]
    )
    resources.ColorSpace = pikepdf.Dictionary(s=foil)
    return pdf


def facts(content: bytes) -> PdfFacts:
    return saved(document(content))


def saved(pdf: pikepdf.Pdf) -> PdfFacts:
    out = BytesIO()
    pdf.save(out)
    return read_facts(out.getvalue())


def tally(content: bytes) -> Tally:
    (only,) = facts(content).pages
    return only.tally


TEXT = b"BT /f 8 Tf 1 0 0 1 9 9 Tm (a) Tj ET"


@for_each(
    ("content", "counts"),
    [
        (b"0 0 0 1 k " + TEXT, {"text": 1, "black text": 1}),
        (b"/o gs 0 0 0 1 k " + TEXT, {"text": 1, "black text": 1, "black text over": 1}),
        (b"/h gs 0 0 0 1 k " + TEXT, {"text": 1}),
        (b"/h gs /n gs 0 0 0 1 k " + TEXT, {"text": 1, "black text": 1}),
        (b"0 0 0 1 k 5 0 0 5 0 0 cm " + TEXT, {"text": 1}),
        (b"1 0 1 .2 k " + TEXT, {"text": 1, "small text of many inks": 1}),
        (b"1 0 1 .2 k 2 0 0 2 0 0 cm " + TEXT, {"text": 1}),
        (b"1 0 0 rg " + TEXT, {"text": 1}),
        (b"3 Tr 1 0 1 .2 k " + TEXT, {}),
        (b"q 1 0 1 .2 k Q " + TEXT, {"text": 1}),
        (b"0 w 0 0 m 9 9 l S", {"paths": 1, "lines": 1, "thin lines": 1}),
        (b"0.25 w 0 0 m 9 9 l S", {"paths": 1, "lines": 1}),
        (b"0 0 50 .1 re f", {"paths": 1, "lines": 1, "thin lines": 1}),
        (b"0 0 50 .1 re W n", {}),
        (b"/x Do 2 0 0 2 0 0 cm /x Do", {"paths": 2, "lines": 2, "thin lines": 1}),
        (b"/o gs 0 0 0 0 k 0 0 9 9 re f", {"paths": 1, "white over": 1}),
        (b"0 0 0 0 k 0 0 9 9 re f", {"paths": 1}),
        (b"72 0 0 36 0 0 cm /i Do", {"images": 1}),
        (b"/no gs /x 7 Tf 1 0 cm (a) Tj", {"broken streams": 3, "text": 1}),
    ],
)
def test_paint_is_counted(content: bytes, counts: dict[str, int]) -> None:
    assert {name: count for name, count in tally(content).counts.items() if count} == counts


def test_sizes_are_those_on_the_page() -> None:
    found = tally(b"q .5 0 0 .5 0 0 cm 0 0 0 1 k " + TEXT + b" Q /x Do 144 0 0 72 0 0 cm /i Do").least
    assert found["text"] == pytest.approx(4)
    assert found["line"] == pytest.approx(0.2)
    assert found["dpi"] == pytest.approx(5)


def test_colors_are_named_by_their_space() -> None:
    found = tally(b"1 0 0 rg 0 0 9 9 re f /s cs 1 scn 0 0 9 9 re f /i Do 0 g 0 0 9 9 re f").colors
    names = {space.name: count for space, count in found.items()}
    assert names == {"DeviceRGB": 2, "spot Gold Foil": 1, "DeviceGray": 1}


def test_fonts_are_those_that_paint() -> None:
    (font,) = facts(b"0 0 0 1 k " + TEXT).fonts
    assert (font.name, font.kind, font.embedded) == ("Times", "Type1", False)
    assert facts(b"0 0 9 9 re f").fonts == ()


def test_a_document_says_what_it_is() -> None:
    pdf = document(b"0 0 9 9 re f")
    pdf.docinfo["/GTS_PDFXVersion"] = pikepdf.String("PDF/X-1a:2003")
    pdf.docinfo["/Trapped"] = pikepdf.Name("/False")
    pdf.Root.OutputIntents = [
        pikepdf.Dictionary(S=pikepdf.Name.GTS_PDFX, OutputConditionIdentifier=pikepdf.String("FOGRA51"))
    ]
    pdf.Root.Names = pikepdf.Dictionary(JavaScript=pikepdf.Dictionary())
    pdf.pages[0].obj.TrimBox = [90, 90, 10, 10]
    found = saved(pdf)
    assert (found.claims, found.trapped, found.condition) == (("PDF/X-1a:2003",), "False", "FOGRA51")
    assert (found.has_intent, found.profile, found.forbidden) == (True, None, ("scripts",))
    assert found.pages[0].boxes["TrimBox"] == (10, 10, 90, 90)


# ---------------------------------------------------------------- hostile files


def test_a_form_that_shows_itself_ends() -> None:
    pdf = document(b"/x Do")
    form = pdf.pages[0].obj.Resources.XObject.x
    form.write(b"/x Do 0 0 9 9 re f")
    form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(x=form))
    found = saved(pdf).pages[0].tally.counts
    assert (found["broken streams"], found["paths"]) == (1, 1)


def test_forms_that_double_each_other_are_looked_at_once() -> None:
    """Twenty of them would show the last a million times."""
    pdf = document(b"/x Do")
    inner = pdf.pages[0].obj.Resources.XObject.x
    for _ in range(20):
        outer = pdf.make_stream(b"/x Do /x Do", Subtype=pikepdf.Name.Form)
        outer.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(x=inner))
        inner = outer
    pdf.pages[0].obj.Resources.XObject.x = inner
    assert saved(pdf).pages[0].tally.counts["lines"] == 2**20


def test_a_stream_that_unpacks_to_gigabytes_is_not_unpacked() -> None:
    pdf = document(b"")
    bomb = pdf.make_stream(b"")
    bomb.write(zlib.compress(b" " * 40_000_000), filter=pikepdf.Name.FlateDecode)
    pdf.pages[0].obj.Contents = bomb
    found = saved(pdf)
    assert found.limit is not None
    assert "content stream" in found.limit
    assert found.pages == []


@for_each(
    ("module", "name", "most", "content"),
    [
        (painted, "MOST_INSTRUCTIONS", 2, b"0 g 0 g 0 g"),
        (painted, "_DEPTH", 0, b"/x Do"),
        (file_facts, "MOST_PAGES", 0, b""),
        (file_facts, "MOST_OBJECTS", 2, b""),
        (painted, "MOST_STREAM", 3, b"0 0 9 9 re f"),
    ],
)
def test_reading_ends_at_a_limit(module: object, name: str, most: int, content: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, most)
        assert facts(content).limit


def test_what_is_no_pdf_is_refused() -> None:
    for content in (b"", b"%PDF-1.7\n", b"<svg/>"):
        with pytest.raises(UnreadableError):
            read_facts(content)


def test_a_locked_file_is_refused_and_one_without_a_password_is_read() -> None:
    for password, error in (("secret", LockedError), ("", None)):
        out = BytesIO()
        document(b"0 g").save(out, encryption=pikepdf.Encryption(owner="other", user=password))
        if error is None:
            assert read_facts(out.getvalue()).encrypted
        else:
            with pytest.raises(error):
                read_facts(out.getvalue())
