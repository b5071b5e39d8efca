"""Whole documents: a sheet with everything passes, and each rule finds what breaks it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.geometry import Rect, Size
from cardgen.core.sheets import Heading, ImposedSheet, Label, Link, Page, Slot
from cardgen.exports.pdf import write_pdf
from tests.for_each import for_each
from tests.pdf.samples import SANS, artwork, drawn, fonts, picture, text
from tests.pdf_grammar import judge

GRADIENT = (
    '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/><stop offset=".5" stop-color="blue"/>'
    '<stop offset="1" stop-color="lime" stop-opacity="0.5"/></linearGradient></defs>'
    '<rect width="30" height="30" fill="url(#a)" opacity="0.7"/>'
)


@pytest.fixture(scope="module")
def sheet() -> bytes:
    """A page with a side, a label, two bookmarks and three links."""
    art = drawn(
        artwork(
            picture(GRADIENT), text("AV wide", gaps=(0.2, 0.1), opacity=0.5), text("fi", font=SANS, y=20)
        )
    )
    page = Page(
        Size(100, 100), "face", Rect(5, 5, 90, 90), Rect(2, 2, 96, 96),
        (Slot(Rect(10, 10, 40, 40), 0, Rect(8, 8, 44, 44), "side", "deck", "card"),),
        labels=(Label("A label", 60, 50, 3.0, 90),),
        headings=(Heading("one", "One", 0, 10.0), Heading("two", "Two", 1, 20.0)),
        links=(Link(Rect(10, 60, 20, 5), "#two"), Link(Rect(10, 70, 20, 5), "https://example.org/a?b=c")),
    )  # fmt: skip
    out = io.BytesIO()
    sheet = ImposedSheet("cards", "square", "none", (page,), 1)
    write_pdf(sheet, art, fonts(), out, title="Títle", author="(a) \\ b")
    return out.getvalue()


def test_a_sheet_with_everything(sheet: bytes) -> None:
    verdict = judge(sheet)
    assert verdict.faults == ()
    assert verdict.streams == 7  # page, side, picture and its two groups, soft mask, label
    assert verdict.operators > 45


def page(pdf: pikepdf.Pdf) -> Any:
    return pdf.pages[0].obj


def link(pdf: pikepdf.Pdf, number: int) -> Any:
    return page(pdf).Annots[number]


def side(pdf: pikepdf.Pdf) -> Any:
    (form,) = (form for name, form in page(pdf).Resources.XObject.items() if "face-" in name)
    return form


def font(pdf: pikepdf.Pdf) -> Any:
    return side(pdf).Resources.Font.f0


def inner(pdf: pikepdf.Pdf) -> Any:
    return font(pdf).DescendantFonts[0]


def shading(pdf: pikepdf.Pdf) -> Any:
    for obj in pdf.objects:
        if isinstance(obj, pikepdf.Dictionary) and "/Shading" in obj and "/PatternType" in obj:
            return obj.Shading
        if isinstance(obj, pikepdf.Dictionary) and "/ShadingType" in obj:
            return obj
    raise AssertionError


def replaced(stream: Any, old: bytes, new: bytes) -> None:
    data = stream.read_bytes()
    assert old in data
    stream.write(data.replace(old, new, 1))


def twice_wide(pdf: pikepdf.Pdf) -> None:
    widths = inner(pdf).W[1]
    widths[0] = float(widths[0]) + 100 if float(widths[0]) else 100


BREAKS: dict[str, Callable[[pikepdf.Pdf], object]] = {
    "Tf with 3 operands": lambda pdf: replaced(side(pdf), b" Tf", b" 1 Tf"),
    "/f0 is not among": lambda pdf: side(pdf).Resources.Font.__delitem__("/f0"),
    "/BBox is not four numbers": lambda pdf: setattr(side(pdf), "BBox", pikepdf.Array([0, 0, 1])),
    "/Matrix is not six numbers": lambda pdf: setattr(side(pdf), "Matrix", pikepdf.Array([1])),
    "/MediaBox": lambda pdf: setattr(page(pdf), "MediaBox", pikepdf.Array([0, 0, 0, 10])),
    "/TrimBox [": lambda pdf: setattr(page(pdf), "TrimBox", pikepdf.Array([0, 0, 283, 283])),
    "/BleedBox [": lambda pdf: setattr(page(pdf), "BleedBox", pikepdf.Array([-9, 0, 283, 283])),
    "Resources is missing": lambda pdf: page(pdf).__delitem__("/Resources"),
    "/Rotate": lambda pdf: setattr(page(pdf), "Rotate", 45),
    "an annotation of /Subtype": lambda pdf: setattr(link(pdf, 0), "Subtype", pikepdf.Name.Movie),
    "/Rect": lambda pdf: setattr(link(pdf, 0), "Rect", pikepdf.Array([9, 9, 1, 1])),
    "off the page": lambda pdf: setattr(link(pdf, 0), "Rect", pikepdf.Array([1, 1, 9999, 9])),
    "without a target": lambda pdf: link(pdf, 0).__delitem__("/Dest"),
    "the address": lambda pdf: setattr(link(pdf, 1).A, "URI", pikepdf.String("a b\n")),
    "an action": lambda pdf: setattr(link(pdf, 1).A, "S", pikepdf.Name.Launch),
    "the target": lambda pdf: setattr(link(pdf, 0), "Dest", pikepdf.Name.Nowhere),
    "a target that is no page": lambda pdf: setattr(
        link(pdf, 0), "Dest", pikepdf.Array([pdf.Root.Pages, pikepdf.Name.Fit])
    ),
    "a target /XYZ with 0 numbers": lambda pdf: setattr(
        link(pdf, 0), "Dest", pikepdf.Array([page(pdf), pikepdf.Name.XYZ])
    ),
    "/Count": lambda pdf: setattr(pdf.Root.Outlines, "Count", 7),
    "/Last is not the last": lambda pdf: setattr(pdf.Root.Outlines, "Last", pdf.Root.Outlines.First.First),
    "names another parent": lambda pdf: setattr(pdf.Root.Outlines.First.First, "Parent", pdf.Root.Outlines),
    "entries in a circle": lambda pdf: setattr(pdf.Root.Outlines.First, "Next", pdf.Root.Outlines.First),
    "page labels": lambda pdf: setattr(
        pdf.Root.PageLabels, "Nums", pikepdf.Array([1, pikepdf.Dictionary()])
    ),
    "/Lang": lambda pdf: setattr(pdf.Root, "Lang", pikepdf.String("no language")),
    "/CreationDate": lambda pdf: pdf.docinfo.__setitem__("/CreationDate", "yesterday"),
    "/Encoding": lambda pdf: setattr(font(pdf), "Encoding", pikepdf.Name.WinAnsiEncoding),
    "no /ToUnicode": lambda pdf: font(pdf).__delitem__("/ToUnicode"),
    "values for 2 entries of bfchar": lambda pdf: font(pdf).ToUnicode.write(
        b"2 beginbfchar <0003> <0041> endbfchar"
    ),
    "are not codes of 2 bytes": lambda pdf: font(pdf).ToUnicode.write(
        b"1 beginbfchar <03> <0041> endbfchar"
    ),
    "stands twice": lambda pdf: font(pdf).ToUnicode.write(
        b"2 beginbfchar <0003><0041><0003><0042> endbfchar"
    ),
    "the names": lambda pdf: setattr(font(pdf), "BaseFont", pikepdf.Name.Other),
    "/DescendantFonts": lambda pdf: setattr(font(pdf), "DescendantFonts", pikepdf.Array([])),
    "/CIDToGIDMap": lambda pdf: inner(pdf).__delitem__("/CIDToGIDMap"),
    "wide, not": lambda pdf: setattr(inner(pdf), "W", pikepdf.Array([])),
    "it ends in the middle": lambda pdf: setattr(inner(pdf), "W", pikepdf.Array([1])),
    "has two widths": lambda pdf: setattr(inner(pdf), "W", pikepdf.Array([1, [5, 5], 2, [5]])),
    "its program cannot be read": lambda pdf: inner(pdf).FontDescriptor.FontFile2.write(b"no font"),
    "/Length1": lambda pdf: setattr(inner(pdf).FontDescriptor.FontFile2, "Length1", 7),
    "/FontBBox": lambda pdf: setattr(inner(pdf).FontDescriptor, "FontBBox", pikepdf.Array([0, 0, 0, 0])),
    "/Flags": lambda pdf: setattr(inner(pdf).FontDescriptor, "Flags", 36),
    "/StemV": lambda pdf: inner(pdf).FontDescriptor.__delitem__("/StemV"),
    "/Descent": lambda pdf: setattr(inner(pdf).FontDescriptor, "Descent", 200),
    "programs": lambda pdf: inner(pdf).FontDescriptor.__delitem__("/FontFile2"),
    "/Coords": lambda pdf: setattr(shading(pdf), "Coords", pikepdf.Array([0])),
    "/ColorSpace": lambda pdf: setattr(shading(pdf), "ColorSpace", pikepdf.Name.Odd),
    "no function": lambda pdf: shading(pdf).__delitem__("/Function"),
    "/ShadingType 9": lambda pdf: setattr(shading(pdf), "ShadingType", 9),
    "a function's /Domain": lambda pdf: setattr(shading(pdf).Function, "Domain", pikepdf.Array([1, 0])),
}


@for_each("said", BREAKS)
def test_what_is_wrong_is_found(said: str, sheet: bytes) -> None:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(sheet)) as pdf:
        BREAKS[said](pdf)
        pdf.save(out, static_id=True)
    assert any(said in fault for fault in judge(out.getvalue()).faults), judge(out.getvalue()).faults


@for_each("packed", [False, True])
def test_other_writers_files_are_read_as_well(sheet: bytes, packed: bool) -> None:
    out = io.BytesIO()
    mode = pikepdf.ObjectStreamMode.generate if packed else pikepdf.ObjectStreamMode.disable
    with pikepdf.open(io.BytesIO(sheet)) as pdf:
        pdf.save(out, object_stream_mode=mode, static_id=True)
    assert (b"/ObjStm" in out.getvalue()) == packed
    assert judge(out.getvalue()).faults == ()


@for_each(
    ("old", "new", "said"),
    [
        (rb"\A%PDF-1.7", b"%PDF-9.7", "no header"),
        (rb"%%EOF\s*\Z", b"%%EOF\n<html>", "no end, or something after it"),
        (rb"%%EOF\s*\Z", b"", "no end"),
        (rb"startxref(\s+)\d", rb"startxref\g<1>7", "neither a table nor a stream"),
        (rb"0000000000 65535 f", b"0000000000 65535 n", "a second generation of object 0"),
        (rb"</rdf:RDF>", b"</rdf:RDX>", "the metadata:"),
        (rb"/Size \d+", b"/Size 3", "/Size 3"),
        (rb"(trailer\s+<<)", rb"\1/Prev 0", "a file with a past"),
        (rb"endobj(?=\s+\d+ 0 obj)", b"endo  ", "does not end"),
        (rb"/Length \d+", b"/Length 1", "is not 1 bytes long"),
        (rb"(/Contents )\d+ 0 R", rb"\g<1>99 0 R", "refers to 99"),
    ],
)
def test_the_file_around_the_objects(old: bytes, new: bytes, said: str, sheet: bytes) -> None:
    match = re.search(old, sheet)
    assert match
    middle = match.expand(new).ljust(match.end() - match.start())  # offsets stay true
    changed = sheet[: match.start()] + middle + sheet[match.end() :]
    assert any(said in fault for fault in judge(changed).faults), judge(changed).faults


@given(st.data())
def test_no_file_with_a_byte_too_many_or_cut_off_passes(sheet: bytes, data: st.DataObject) -> None:
    table = int(re.findall(rb"startxref\s+(\d+)", sheet)[-1])
    at = data.draw(st.integers(0, table))
    byte = bytes([data.draw(st.integers(0, 255))])
    assert judge(sheet[:at] + byte + sheet[at:]).faults
    assert judge(sheet[: data.draw(st.integers(0, len(sheet) - 3))]).faults
