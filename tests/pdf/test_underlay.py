"""A given PDF under the pages of a sheet: seen as pixels, with a printer's correction, and in inks."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

import cardgen
from cardgen.core.geometry import IDENTITY, Matrix, Size
from cardgen.core.sheets import Page, Side
from cardgen.pdf.file_facts import LockedError, UnreadableError
from cardgen.pdf.underlay import page_sizes, underlaid
from tests.for_each import for_each

A6 = Size(105, 148)


def base_of(*colors: tuple[float, float, float], size: tuple[float, float] = (297.64, 419.53)) -> bytes:
    """Pages with a square of 10 mm in their upper left corner, in a color."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=size)
    for color in colors:
        canvas.setFillColorRGB(*color)
        canvas.rect(0, size[1] - 28.35, 28.35, 28.35, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def page(side: Side = "face", adjust: Matrix = IDENTITY) -> Page:
    return Page(A6, side, A6.whole, A6.whole, (), adjust=adjust)


def blank(count: int = 1) -> bytes:
    out = BytesIO()
    canvas = Canvas(out, pagesize=(297.64, 419.53))
    for _ in range(count):
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def pixels(pdf: bytes, number: int = 0) -> Image.Image:
    """A page at 1 px a mm."""
    return pypdfium2.PdfDocument(pdf)[number].render(scale=72 / 25.4 / 72 * 25.4 / 2.8346).to_pil()


RED, BLUE = (1, 0, 0), (0, 0, 1)


def test_faces_and_backs_have_a_page_each() -> None:
    pages = [page(), page("back")]
    found = underlaid(blank(2), base_of(RED, BLUE), pages)
    assert pixels(found, 0).getpixel((5, 5)) == (255, 0, 0)
    assert pixels(found, 1).getpixel((5, 5)) == (0, 0, 255)
    assert pixels(found, 0).getpixel((15, 15)) == (255, 255, 255)
    alone = underlaid(blank(2), base_of(RED), pages)
    assert pixels(alone, 1).getpixel((5, 5)) == (255, 255, 255)
    same = blank(2)
    assert underlaid(same, alone, pages) == underlaid(same, alone, pages)


def test_a_printers_correction_moves_it_too() -> None:
    found = pixels(underlaid(blank(), base_of(RED), [page(adjust=Matrix(1, 0, 0, 1, 20, 30))]))
    assert found.getpixel((5, 5)) == (255, 255, 255)
    assert found.getpixel((25, 35)) == (255, 0, 0)


def test_boxes_and_rotation_of_the_base_are_seen_as_a_viewer_shows_them() -> None:
    with pikepdf.open(BytesIO(base_of(RED, size=(419.53, 297.64)))) as pdf:
        only = pdf.pages[0]
        only.TrimBox = [100, 100, 200, 200]
        only.Rotate = 90
        out = BytesIO()
        pdf.save(out)
    (size,) = page_sizes(out.getvalue())
    assert size.close_to(A6, 0.1)
    found = pixels(underlaid(blank(), out.getvalue(), [page()]))
    assert found.getpixel((99, 5)) == (255, 0, 0)


def test_files_that_cannot_be_read() -> None:
    with pytest.raises(UnreadableError):
        page_sizes(b"no PDF")
    with pikepdf.open(BytesIO(base_of(RED))) as pdf:
        out = BytesIO()
        pdf.save(out, encryption=pikepdf.Encryption(owner="o", user="u"))
    with pytest.raises(LockedError):
        page_sizes(out.getvalue())


def with_layout(demo: Path, base: bytes | None, name: str = "shop.pdf") -> cardgen.Project:
    folder = demo / "data/sheets"
    folder.mkdir(exist_ok=True)
    (folder / "poker.yaml").write_text(f"title: On a template\nunderlay: {name}\n", encoding="utf-8")
    if base is not None:
        (folder / "shop.pdf").write_bytes(base)
    return cardgen.Project.open(demo)


@for_each(
    ("base", "code"),
    [(None, "sheet/underlay"), (b"no PDF", "sheet/underlay"), (base_of(RED), "sheet/underlay")],
)
def test_missing_broken_and_small_templates_are_errors(demo: Path, base: bytes | None, code: str) -> None:
    (demo / "data/sheets/shop.pdf").unlink(missing_ok=True)
    with pytest.raises(cardgen.CardgenError) as caught:
        cardgen.build(cardgen.BuildOptions("demo"), project=with_layout(demo, base))
    assert [finding.code for finding in caught.value.findings] == [code]


def test_the_pdf_of_one_card_has_the_template_too(demo: Path) -> None:
    (demo / "data/sheets").mkdir(exist_ok=True)
    single = demo / "data/sheets/single.yaml"
    single.write_text("title: T\ngrid: single\nmarks: none\nunderlay: shop.pdf\n", encoding="utf-8")
    (demo / "data/sheets/shop.pdf").write_bytes(base_of(RED, size=(198, 270)))  # poker with 3.175 mm bleed
    made = cardgen.render_card(
        cardgen.load("demo", project=cardgen.Project.open(demo)), "early-bird", "pdf"
    )
    with pikepdf.open(BytesIO(made)) as pdf:
        assert "/base-0" in pdf.pages[0].Resources.XObject


def test_a_build_for_a_press_has_the_template_below_the_cards(demo: Path) -> None:
    project = with_layout(demo, base_of(RED, size=(612, 792)))
    options = cardgen.BuildOptions("demo", press=cardgen.PressOptions())
    (file,) = cardgen.build(options, project=project).files
    with pikepdf.open(file.path) as pdf:
        found = pdf.pages[0]
        assert "/base-0" in found.Resources.XObject
        assert b"rg" not in found.Resources.XObject["/base-0"].read_bytes()
    (demo / "data/sheets/shop.pdf").write_bytes(base_of(BLUE, size=(612, 792)))
    assert not cardgen.build(options, project=project).up_to_date
