"""Rulebooks in orders: a picture a page where booklets are made, a PDF where any size is cut."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from tests.book.conftest import add_book
from tests.exports.test_services import GAME, Edit, Run, exported, rows

BOXES = ("/MediaBox", "/TrimBox", "/BleedBox")


@pytest.fixture
def booked(demo: Path, edit: Edit) -> Path:
    """The demo with a short rulebook."""
    add_book(demo, "# Rules\n\nDraw a card.\n")
    edit(GAME, "trim: a5", "trim: [5in, 8in]")
    return demo


def test_a_booklet_is_a_picture_a_page(run: Run, booked: Path) -> None:
    folder = exported(run, booked, "tgc", "--component", "rules")
    listed = rows(folder)
    assert [row["face"] for row in listed] == [f"rules/page-{n:02}.png" for n in range(1, len(listed) + 1)]
    assert {
        (row["order"], row["product"], row["copies"], row["back"], row["percent"]) for row in listed
    } == {("rules", "LargeBooklet", "1", "", "100")}
    assert len(listed) % 4 == 0
    for row in listed:
        with Image.open(folder / row["face"]) as image:
            assert (image.size, image.mode) == ((1575, 2475), "RGB")
    with Image.open(folder / listed[0]["face"]) as image:  # the cover's ground is drawn out to the edge
        assert image.getpixel((0, 0)) == image.getpixel((60, 60)) != (255, 255, 255)
    order = json.loads((folder / "manifest.json").read_text("utf-8"))["orders"][0]
    assert (order["cards"], order["pages"], len(order["pieces"])) == (1, len(listed), len(listed))
    text = (folder / "ORDER.txt").read_text("utf-8")
    assert f"Rules: {len(listed)} pages, 1 in all" in text
    assert "To order: 1 product, 1 piece in all." in text


def test_a_book_of_another_size_names_what_is_near_and_is_made_to_fit(
    run: Run, booked: Path, edit: Edit
) -> None:
    edit(GAME, "trim: [5in, 8in]", "trim: half-letter")
    code, _, errors = run("export", "demo", "--to", "tgc", "--component", "rules")
    assert code == 1
    assert "makes no booklets of 139.7×215.9 mm: rules [service/trim]" in errors
    assert "choose one of the nearest: Large Booklet (127×203.2 mm)" in errors
    code, _, errors = run("export", "demo", "--to", "tgc", "--component", "rules", "--fit", "nearest")
    assert code == 0
    assert "rules, 139.7×215.9 mm, is printed at 91 % as Large Booklet" in errors
    assert {row["percent"] for row in rows(booked / "output/demo/tgc")} == {"90.91"}


def test_a_book_of_too_many_pages_is_an_error(run: Run, booked: Path) -> None:
    (booked / "data/services").mkdir()
    (booked / "data/services/corner.yaml").write_text(
        "title: Corner\nlike: tgc\nsources: {them: told}\nproducts:\n"
        "  Leaflet: {title: Leaflet, kinds: [book], trim: [5in, 8in], back: none, most_pages: 4, "
        "source: them}\n",
        encoding="utf-8",
    )
    (booked / "data/demo/rulebook.md").write_text(
        "# Rules\n" + "\n## More\n\nDraw. " * 30, encoding="utf-8"
    )
    code, _, errors = run("export", "demo", "--to", "corner", "--component", "rules")
    assert code == 1
    assert "'rules' has 12 pages, Leaflet at most 4 [service/pages]" in errors


def test_a_book_for_a_print_shop_is_one_pdf(run: Run, booked: Path) -> None:
    code, _, errors = run("export", "demo", "--to", "printshop", "--pdf", "deck")
    assert code == 0
    assert "service/pages" not in errors
    folder = booked / "output/demo/printshop"
    assert {path.name for path in folder.glob("*.pdf")} == {"cards.pdf", "rules.pdf"}
    with pikepdf.Pdf.open(folder / "rules.pdf") as pdf:
        assert len(pdf.pages) % 4 == 0
        trim, bled = ([float(each) for each in pdf.pages[0][box]] for box in ("/TrimBox", "/BleedBox"))
        assert trim == pytest.approx([8.5, 8.5, 368.5, 584.5], abs=0.1)
        assert bled == pytest.approx([0, 0, 377, 593], abs=0.1)
        pages = len(pdf.pages)
    cover = pypdfium2.PdfDocument(folder / "rules.pdf")[0].render(scale=1).to_pil()
    colours = {cover.getpixel(place) for place in ((1, 1), (375, 591), (12, 400), (1, 300))}
    assert len(colours) == 1, "the cover's ground reaches over the trim on all sides"
    assert colours != {(255, 255, 255)}
    (row,) = [row for row in rows(folder) if row["order"] == "rules"]
    assert (row["card"], row["face"], row["copies"]) == ("rules", "rules.pdf", "1")
    assert f"Rules: {pages} pages, 1 in all" in (folder / "ORDER.txt").read_text("utf-8")


def test_pages_of_a_book_have_the_bleed_that_an_order_asks_for(run: Run, booked: Path) -> None:
    assert (
        run("export", "demo", "--to", "printshop", "--component", "rules", "--bleed-width", "5mm")[0] == 0
    )
    with pikepdf.Pdf.open(booked / "output/demo/printshop/rules.pdf") as pdf:
        found = [float(each) for each in pdf.pages[0].mediabox]
    assert found == pytest.approx([0, 0, 360 + 10 * 72 / 25.4, 576 + 10 * 72 / 25.4], abs=0.1)


def test_a_books_pages_are_printed_on_the_underlay_of_single_pages(run: Run, booked: Path) -> None:
    assert run("export", "demo", "--to", "printshop", "--component", "rules")[0] == 0
    made = booked / "output/demo/printshop/rules.pdf"
    with pikepdf.Pdf.open(made) as pdf:
        size = tuple(float(side) for side in pdf.pages[0].mediabox[2:])
        pages = len(pdf.pages)
    canvas = Canvas(str(booked / "shop.pdf"), pagesize=size)
    canvas.rect(0, 0, 30, 30, fill=1)
    canvas.save()
    (booked / "data/sheets").mkdir(exist_ok=True)
    (booked / "shop.pdf").rename(booked / "data/sheets/shop.pdf")
    layout = "title: T\ngrid: single\nmarks: none\nunderlay: shop.pdf\n"
    (booked / "data/sheets/single.yaml").write_text(layout, encoding="utf-8")
    assert run("export", "demo", "--to", "printshop", "--component", "rules")[0] == 0
    with pikepdf.Pdf.open(made) as pdf:
        assert sum("/base-0" in page.Resources.XObject for page in pdf.pages) == pages


def test_a_book_that_states_its_bleed_has_it_in_builds(run: Run, booked: Path, edit: Edit) -> None:
    edit(GAME, "trim: [5in, 8in]", "trim: a6\n    bleed: 3mm")
    assert run("build", "demo", "--sheet", "rules", "--sheet", "booklet", "--paper", "a4")[0] == 0
    with pikepdf.Pdf.open(booked / "output/demo/rules.pdf") as pdf:
        mm = [[round(float(each) * 25.4 / 72, 2) for each in pdf.pages[0][box]] for box in BOXES]
    assert mm == [[0, 0, 111, 154], [3, 3, 108, 151], [0, 0, 111, 154]]
    side = pypdfium2.PdfDocument(booked / "output/demo/booklet.a4.pdf")[0].render(scale=72 / 25.4).to_pil()
    scale = side.width / 297
    row = [side.getpixel((int(x * scale), int(105 * scale))) for x in (255.5, 250, 257.5)]
    assert row[0] == row[1] != (255, 255, 255) == row[2], "from 253.5 mm on over the cut, to 256.5"


def test_who_prints_no_books_leaves_them_out(run: Run, booked: Path) -> None:
    code, _, errors = run("export", "demo", "--to", "mpc")
    assert code == 0
    assert "[service/book]" in errors
    assert "'rules'" in errors
    assert {row["order"] for row in rows(booked / "output/demo/mpc")} == {"poker"}


def test_a_book_may_be_left_out_by_name(run: Run, booked: Path, edit: Edit) -> None:
    edit(GAME, "trim: [5in, 8in]", "trim: half-letter\n    products: {tgc: false}")
    code, _, errors = run("export", "demo", "--to", "tgc")
    assert code == 0
    assert "[service/left-out]" in errors
    assert "'rules'" in errors
