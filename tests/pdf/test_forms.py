"""Reading the PDF of another program: sharing, names, and the traps of versions."""

from __future__ import annotations

import re
import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import cairocffi
import pikepdf
import pytest

from cardgen.pdf.forms import page_forms
from cardgen.pdf.images import ImageLibrary
from cardgen.pdf.objects import DrawingError, PdfObject, in_order, reference
from tests.for_each import for_each
from tests.pdf_grammar import judge

from .samples import BEBAS, UNPLAIN, artwork, at, drawn, pdf, picture, pixels, text

GRADIENT = (
    '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>'
)


def test_a_form_painted_nine_times_stays() -> None:
    content = "".join(
        f'<g opacity=".5"><circle cx="{4 * n}" cy="20" r="2"/><circle cx="{4 * n}" cy="23" r="2"/></g>'
        for n in range(1, 10)
    )
    tile = '<pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse"><circle r="2"/></pattern>'
    content += tile + "".join(f'<rect y="{n}" width="9" height="1" fill="url(#p)"/>' for n in range(9))
    data = pdf(drawn(artwork(picture(content))))
    with pikepdf.open(BytesIO(data)) as document:
        assert not document.get_warnings()
    _no_name_without_resource(data)


def _no_name_without_resource(data: bytes) -> None:
    with pikepdf.open(BytesIO(data)) as document:
        for obj in document.objects:
            if isinstance(obj, pikepdf.Stream) and obj.get("/Subtype") == "/Form":
                for operands, operator in pikepdf.parse_content_stream(obj):
                    if str(operator) == "Do":
                        assert str(operands[0]) in obj.Resources.XObject


def test_numbers_have_no_exponents() -> None:
    """cairo's bounds of what fades are a hair off zero."""
    fading = '<stop stop-color="#00f"/><stop offset="1" stop-color="#00f" stop-opacity="0"/>'
    for high in range(30, 60):
        item = picture(
            f'<g transform="scale(.26458 .2645833)"><linearGradient id="g">{fading}</linearGradient>'
            f'<rect x="1" y="{high / 10}" width="{high}" height="{high * 1.7}" fill="url(#g)"/></g>'
        )
        for obj in drawn(artwork(item)).objects():
            assert not re.search(rb"[0-9][eE]-?[0-9]", re.sub(rb"@[^@]*@", b"", obj.head))


def test_equal_objects_are_shared_between_pictures() -> None:
    pair = [
        picture(f'{GRADIENT}{UNPLAIN}<rect width="{size}" height="{size}" fill="url(#g)"/>')
        for size in (20, 20.0, 9)
    ]
    art = drawn(artwork(*pair))
    functions = [obj for obj in art.objects() if b"/FunctionType 2" in obj.head]
    assert len(functions) == 1


def test_a_picture_shown_on_many_sides_is_stored_once() -> None:
    frame = picture('<rect width="40" height="40" fill="red"/>')
    sides = [artwork(frame, text(str(n), font=BEBAS), key=str(n)) for n in range(5)]
    forms = [
        obj for obj in drawn(*sides).objects() if b"/Subtype/Form" in obj.head and b"/Font" not in obj.head
    ]
    assert len(forms) == 1


@for_each("offsets", [(0, 0.5, 0.5, 1), (0.5, 0.5), (0, 0, 1), (0, 1, 1), (1, 1), (0.2,) * 40])
def test_a_colour_that_changes_at_once_does_so_in_every_reader(offsets: tuple[float, ...]) -> None:
    stops = "".join(
        f'<stop offset="{offset}" stop-color="{("lime", "red")[number % 2]}"/>'
        for number, offset in enumerate(offsets)
    )
    ends = 'gradientUnits="userSpaceOnUse" x1="10" x2="30"'
    fill = f'<linearGradient id="g" {ends}>{stops}</linearGradient>'
    content = f'{fill}<rect width="40" height="40" fill="url(#g)"/>'
    data = pdf(drawn(artwork(picture(content))))
    assert judge(data).faults == ()
    assert at(pixels(picture(content)), 2, 20) == (0, 255, 0)
    with pikepdf.open(BytesIO(data)) as document:
        (function,) = (
            obj for obj in document.objects if isinstance(obj, pikepdf.Dictionary) and "/Bounds" in obj
        )
        edges = [float(edge) for edge in (function.Domain[0], *function.Bounds, function.Domain[1])]
    assert edges == sorted(set(edges))


def test_a_wrong_number_of_pages_is_refused() -> None:
    target = BytesIO()
    pages = cairocffi.PDFSurface(target, 100, 100)
    pages.show_page()
    pages.finish()
    with pytest.raises(DrawingError, match="pages"):
        page_forms(target.getvalue(), [], ImageLibrary([]))


def test_objects_come_after_what_they_refer_to() -> None:
    leaf = PdfObject.of(b"1")
    middle = PdfObject.of(b"[" + reference(leaf.name) + b"]")
    top = PdfObject.of(b"[" + reference(middle.name) + reference(leaf.name) + b"]", b"x")
    objects = {obj.name: obj for obj in (top, middle, leaf)}
    assert list(in_order([top.name, leaf.name], objects)) == [leaf, middle, top]
    assert top.body(lambda name: b"<%d>" % list(objects).index(name)) == b"[<1><2>]\nstream\nx\nendstream"


def test_names_tell_content_apart() -> None:
    names = {PdfObject.of(b"ab", b"c").name, PdfObject.of(b"a", b"bc").name, PdfObject.of(b"abc").name}
    assert len(names) == 3


@pytest.mark.skipif(not shutil.which("qpdf"), reason="qpdf is not installed")
def test_qpdf_has_nothing_to_say(tmp_path: Path) -> None:
    side = artwork(
        picture(
            f'{GRADIENT}<g opacity=".5"><rect width="9" height="9" fill="url(#g)"/><path d="M0 0h9v9"/></g>'
        ),
        text("some words", opacity=0.5),
        text("CAPS", font=BEBAS),
    )
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(drawn(side)))
    done = subprocess.run(["qpdf", "--check", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
