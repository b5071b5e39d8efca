"""What print services are sent, read back with Pillow, pikepdf, zipfile, csv and json."""

from __future__ import annotations

import csv
import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

import cardgen
from cardgen.core.geometry import Rect
from cardgen.exports.services import Canvas, drawn_out, missing_edge
from tests.sampling import one_in

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
GAME = "data/demo/game.yaml"


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "order.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def exported(run: Run, demo: Path, service: str, *words: str) -> Path:
    code, _, errors = run("export", "demo", "--to", service, *words)
    assert code == 0, errors
    return demo / "output" / "demo" / service


@pytest.fixture(scope="module")
def order(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An order of the demo project at The Game Crafter, which nobody changes."""
    project = cardgen.Project.open(cardgen.new_project("demo", tmp_path_factory.mktemp("order")))
    cardgen.export_to(cardgen.ExportOptions("demo", "tgc"), project=project)
    return project.root / "output/demo/tgc"


def squared(demo: Path) -> None:
    """Faces become a white ground with a black inch in the middle; backs a red one with its top blue."""
    inch = 'x="{{ width / 2 - 12.7 }}" y="{{ height / 2 - 12.7 }}" width="25.4" height="25.4"'
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
        'viewBox="0 0 {{ width }} {{ height }}">'
    )
    ground = '<rect width="{{ width }}" height="{{ height }}" fill="#%s"/>'
    top = '<rect width="{{ width }}" height="{{ height / 4 }}" fill="#0000ff"/>'
    folder = demo / "templates" / "demo"
    (folder / "card.svg").write_text(
        head + ground % "ffffff" + top + f"<rect {inch}/></svg>", encoding="utf-8"
    )
    (folder / "back.svg").write_text(head + ground % "ff0000" + top + "</svg>", encoding="utf-8")


# ---------------------------------------------------------------- images


@pytest.mark.parametrize(
    ("service", "trim", "canvas"),
    [
        ("tgc", "poker", (825, 1125)),
        ("mpc", "bridge", (747, 1122)),
        ("boardgamesmaker", "square", (1122, 1122)),
    ],
)
def test_images_are_the_products_own_pixels(
    run: Run, demo: Path, edit: Edit, service: str, trim: str, canvas: tuple[int, int]
) -> None:
    squared(demo)
    edit(GAME, "trim: poker", f"trim: {trim}")
    folder = exported(run, demo, service)
    images = sorted(folder.glob("*/*.png"))
    assert len(images) == len(rows(folder)) + 1  # one back for all
    for path in images:
        with Image.open(path) as image:
            assert (image.mode, image.size, image.format) == ("RGB", canvas, "PNG")
            assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)


@pytest.mark.parametrize(("service", "trim"), [("tgc", "us-game"), ("mpc", "poker")])
def test_an_inch_is_300_pixels_in_the_middle(
    run: Run, demo: Path, edit: Edit, service: str, trim: str
) -> None:
    squared(demo)
    edit(GAME, "trim: poker", f"trim: {trim}")
    folder = exported(run, demo, service)
    with Image.open(next(folder.glob("*/*-face.png"))) as image:
        dark = image.convert("L").point(lambda value: 255 if value < 20 else 0).getbbox()
        assert dark is not None
        left, top, right, bottom = dark
        assert 299 <= right - left <= 301
        assert 299 <= bottom - top <= 301
        assert abs(left - (image.width - right)) <= 1
        assert abs(top - (image.height - bottom)) <= 1


def test_art_that_ends_before_the_canvas_is_drawn_out_and_said_so(run: Run, demo: Path, edit: Edit) -> None:
    squared(demo)
    edit(GAME, "trim: poker", "trim: us-game")
    code, _, errors = run("export", "demo", "--to", "tgc")
    assert code == 0
    # 1125 px are 95.25 mm, 4.125 mm a side more than 87 mm; the art has 3.175 mm
    assert "[service/edge]" in errors
    assert "0.95 mm" in errors
    assert "'cards'" in errors
    assert "service/edge" in errors
    with Image.open(demo / "output/demo/tgc/cards/back.png") as image:
        assert {image.getpixel(place) for place in ((0, 800), (749, 1124), (374, 1124))} == {(255, 0, 0)}
        assert {image.getpixel(place) for place in ((0, 0), (749, 0), (374, 0))} == {(0, 0, 255)}


def test_a_bleed_that_is_too_narrow_is_a_warning(run: Run, demo: Path, edit: Edit) -> None:
    squared(demo)
    edit(GAME, "trim: poker", "trim: poker\n    bleed: 1mm")
    code, _, errors = run("export", "demo", "--to", "tgc")
    assert code == 0
    assert "warning" in errors
    assert "needs 3.175 mm" in errors
    with Image.open(demo / "output/demo/tgc/cards/back.png") as image:
        assert image.size == (825, 1125)
        assert image.getpixel((0, 1124)) == (255, 0, 0)


def test_landscape_cards_lie_turned_and_their_backs_the_other_way(run: Run, demo: Path, edit: Edit) -> None:
    squared(demo)
    edit(GAME, "trim: poker", "trim: poker\n    turned: true")
    folder = exported(run, demo, "mpc")
    assert {row["turned"] for row in rows(folder)} == {"yes"}
    blue = (0, 0, 255)
    with (
        Image.open(next(folder.glob("*/*-face.png"))) as face,
        Image.open(folder / "poker/back.png") as back,
    ):
        assert face.size == back.size == (822, 1122)
        # the top edge is to the right of the face; behind it, to the left of the back
        assert face.getpixel((800, 561)) == blue
        assert face.getpixel((20, 561)) != blue
        assert back.getpixel((20, 561)) == blue
        assert back.getpixel((800, 561)) != blue


def test_round_tokens_become_round_chits(run: Run, demo: Path, edit: Edit) -> None:
    squared(demo)
    edit(GAME, "kind: card\n    trim: poker", "kind: token\n    shape: ellipse\n    trim: [19mm, 19mm]")
    edit(GAME, "    back: back.svg\n", "")
    code, _, errors = run("export", "demo", "--to", "tgc")
    folder = demo / "output/demo/tgc"
    assert code == 0
    assert "[service/back]" in errors
    assert json.loads((folder / "manifest.json").read_text())["orders"][0]["product"] == "MediumCircleChit"
    assert all(row["back"] == "" for row in rows(folder))


def test_drawing_out_keeps_what_is_there() -> None:
    image = Image.new("RGB", (20, 30), "white")
    image.paste((200, 0, 0), (2, 3, 17, 26))
    image.putpixel((2, 10), (0, 200, 0))
    mm = 25.4 / 300
    out = drawn_out(image, Rect(1.5 * mm, 2.5 * mm, 15.6 * mm, 23.7 * mm), 300 / 25.4)
    assert out.size == (20, 30)
    assert out.crop((2, 3, 17, 26)).tobytes() == image.crop((2, 3, 17, 26)).tobytes()
    assert out.getpixel((0, 10)) == (0, 200, 0)
    assert out.getpixel((0, 0)) == (200, 0, 0)
    assert out.getpixel((19, 29)) == (200, 0, 0)


def test_a_canvas_knows_where_art_is_missing() -> None:
    trim = Rect(3.175, 3.175, 63.0, 88.0)
    assert missing_edge(trim, 3.175, Canvas((825, 1125), 300)) == pytest.approx(3.625 - 3.175, abs=1e-6)
    assert missing_edge(trim, 4.0, Canvas((825, 1125), 300)) == 0
    assert Canvas((825, 1125), 300, 90).unturned == (1125, 825)


# ---------------------------------------------------------------- what is ordered


def test_the_order_has_every_copy(demo: Path, order: Path) -> None:
    folder = order
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    copies = {card.id: card.copies for card in game.cards()}
    lines = rows(folder)
    assert {row["card"]: int(row["copies"]) for row in lines} == copies
    assert all((folder / row["face"]).is_file() and (folder / row["back"]).is_file() for row in lines)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["cards"] == sum(copies.values())
    assert [piece["card"] for piece in manifest["orders"][0]["pieces"]] == list(copies)
    text = (folder / "ORDER.txt").read_text(encoding="utf-8")
    assert f"{sum(copies.values())} pieces in all" in text
    assert "Poker Deck" in text
    assert max(map(len, text.splitlines())) <= 88


def test_the_zip_holds_the_order_under_fixed_dates(order: Path) -> None:
    folder = order
    with zipfile.ZipFile(folder / "demo-tgc.zip") as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert {"order.csv", "ORDER.txt", "manifest.json"} <= set(names)
        for name in names:
            assert archive.read(name) == (folder / name).read_bytes()
        assert {entry.date_time for entry in archive.infolist()} == {(2000, 1, 1, 0, 0, 0)}
    assert {row["face"] for row in rows(folder)} < set(names)


def test_the_same_input_gives_the_same_bytes(run: Run, demo: Path, order: Path) -> None:
    again = exported(run, demo, "tgc")
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (order, again)
    )
    assert first == second


@pytest.mark.parametrize("service", one_in(2, ["mpc", "drivethru"]))
def test_a_second_export_touches_nothing(run: Run, demo: Path, service: str) -> None:
    folder = exported(run, demo, service)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    _, out, _ = run("export", "demo", "--to", service)
    assert out.startswith("0 files written")
    (demo / "data/services").mkdir()  # another input, the same outcome
    shutil.copy(Path(cardgen.__file__).parents[1] / f"data/services/{service}.yaml", demo / "data/services")
    _, out, _ = run("export", "demo", "--to", service)
    assert out.startswith("0 files written")
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_more_cards_than_an_order_may_have_are_parted(run: Run, demo: Path, edit: Edit) -> None:
    squared(demo)
    path = demo / "data/demo/cards.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("copies: 2", "copies: 300"), encoding="utf-8")
    code, _, errors = run("export", "demo", "--to", "mpc")
    assert code == 0
    assert "at most 612 cards: there are 2" in errors
    folder = demo / "output/demo/mpc"
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    sums: dict[str, int] = {}
    copies: dict[str, int] = {}
    for row in rows(folder):
        sums[row["order"]] = sums.get(row["order"], 0) + int(row["copies"])
        copies[row["card"]] = copies.get(row["card"], 0) + int(row["copies"])
    assert copies == {card.id: card.copies for card in game.cards()}
    assert sums["poker-1"] == 612
    assert set(sums) == {"poker-1", "poker-2"}
    assert sum(row["card"] == "gardener" for row in rows(folder)) == 2  # 12 here, 288 there


def test_players_and_components_narrow_the_order(run: Run, demo: Path) -> None:
    assert run("export", "demo", "--to", "tgc", "--component", "cards")[0] == 0
    code, _, errors = run("export", "demo", "--to", "tgc", "--component", "card")
    assert code == 2
    assert "did you mean 'cards'" in errors


# ---------------------------------------------------------------- PDF


def test_a_deck_for_drivethru_is_in_its_inks(run: Run, demo: Path) -> None:
    squared(demo)
    folder = exported(run, demo, "drivethru")
    assert "PDF/X-1a:2003, at most 240 % ink" in " ".join((folder / "ORDER.txt").read_text().split())
    with pikepdf.open(folder / "cards.pdf") as pdf:
        assert str(pdf.docinfo["/GTS_PDFXVersion"]) == "PDF/X-1a:2003"


def test_a_deck_for_drivethru_in_rgb_is_a_proof_with_each_back_before_its_face(
    run: Run, demo: Path
) -> None:
    squared(demo)
    code, _, errors = run("export", "demo", "--to", "drivethru", "--inks", "rgb")
    assert code == 0
    assert "is a proof: the press wants CMYK" in errors
    folder = demo / "output/demo/drivethru"
    copies = sum(int(row["copies"]) for row in rows(folder))
    assert {row["face"] for row in rows(folder)} == {"cards-proof.pdf"}
    with pikepdf.open(folder / "cards-proof.pdf") as pdf:
        assert len(pdf.pages) == 2 * copies
        for page in pdf.pages:
            assert [float(side) for side in page.mediabox] == [0, 0, 198, 270]  # 2.75 × 3.75 in
            assert [float(side) for side in page.BleedBox] == [0, 0, 198, 270]
            assert [float(side) for side in page.TrimBox] == [9, 9, 189, 261]
        titles = []
        with pdf.open_outline() as outline:
            titles = [str(item.title) for item in outline.root]
        assert titles == ["PROOF: not for the press", "Cards"]
        assert "PROOF" in str(pdf.docinfo["/Title"])
        assert "PDF/X-1a" in str(pdf.docinfo["/Subject"])
        assert "PROOF" in pdf.Root.Metadata.read_bytes().decode("utf-8")
    colours = page_colours(folder / "cards-proof.pdf", [0, 1, 2, 3])
    assert colours == [(255, 0, 0), (255, 255, 255)] * 2


def page_colours(path: Path, pages: list[int]) -> list[tuple[int, int, int]]:
    """The colour of each page a third from its bottom left corner, by pdfium."""
    import pypdfium2

    found = []
    with pypdfium2.PdfDocument(path) as pdf:
        for number in pages:
            image = pdf[number].render(scale=1).to_pil().convert("RGB")
            found.append(image.getpixel((20, image.height - 20)))
    return found


def test_a_print_shop_gets_a_pdf_a_card(run: Run, demo: Path) -> None:
    squared(demo)
    folder = exported(run, demo, "printshop")
    lines = rows(folder)
    assert len({row["face"] for row in lines}) == len(lines)
    for row in lines:
        assert row["face"] == row["back"]
        with pikepdf.open(folder / row["face"]) as pdf:
            assert len(pdf.pages) == 2
            page = pdf.pages[0]
            width, height = float(row["width_mm"]), float(row["height_mm"])
            box = [float(side) * 25.4 / 72 for side in page.mediabox]
            assert box[2:] == pytest.approx([width + 6, height + 6], abs=1e-3)
            trim = [float(side) * 25.4 / 72 for side in page.TrimBox]
            assert trim == pytest.approx([3, 3, width + 3, height + 3], abs=1e-3)
    assert page_colours(folder / lines[0]["face"], [0, 1]) == [(255, 255, 255), (255, 0, 0)]


def test_art_without_bleed_cannot_go_to_press(run: Run, demo: Path, edit: Edit) -> None:
    squared(demo)
    edit(GAME, "trim: poker", "trim: poker\n    bleed: 1mm")
    code, _, errors = run("export", "demo", "--to", "drivethru")
    assert code == 1
    assert "write bleed: 3.175mm" in errors
    assert "game.yaml:21" in errors
    assert not (demo / "output/demo/drivethru").exists()


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("trim", "words"),
    [
        (
            "[60mm, 85mm]",
            ("makes no cards of 60×85 mm", "cards/early-bird and", "Euro Poker Deck (63×88 mm)"),
        ),
        ("[100mm, 100mm]", ("Square Deck (88.9×88.9 mm)", "service/trim")),
    ],
)
def test_a_trim_that_is_not_made_is_refused_with_the_nearest(
    run: Run, demo: Path, edit: Edit, trim: str, words: tuple[str, ...]
) -> None:
    squared(demo)
    edit(GAME, "trim: poker", f"trim: {trim}")
    code, _, errors = run("export", "demo", "--to", "tgc")
    assert code == 1
    assert "game.yaml:20:" in errors
    assert "nearest:" in errors
    assert all(word in errors for word in words), errors
    assert not (demo / "output/demo/tgc").exists()


def test_what_a_service_prints_not_at_all_is_left_out_unless_asked_for(
    run: Run, demo: Path, edit: Edit
) -> None:
    squared(demo)
    text = (demo / GAME).read_text(encoding="utf-8")
    token = text[text.index("  cards:") : text.index("\nsheets:")]
    token = token.replace("cards:\n", "tiles:\n").replace("kind: card", "kind: token")
    token = token.replace("data: cards.yaml", "data: tiles.yaml").replace("schema: cards", "schema: tiles")
    edit(GAME, "\nsheets:", f"{token}\nsheets:")
    cards = (demo / "data/demo/cards.yaml").read_text(encoding="utf-8")
    (demo / "data/demo/tiles.yaml").write_text(cards.replace("cards:\n", "tiles:\n"), encoding="utf-8")
    schema = (demo / "schemas/demo/cards.schema.json").read_text(encoding="utf-8")
    (demo / "schemas/demo/tiles.schema.json").write_text(
        schema.replace('"cards"', '"tiles"'), encoding="utf-8"
    )
    code, _, errors = run("export", "demo", "--to", "mpc")
    assert code == 0
    assert "MakePlayingCards prints no tokens" in errors
    assert "warning" in errors
    assert {row["component"] for row in rows(demo / "output/demo/mpc")} == {"cards"}
    code, _, errors = run("export", "demo", "--to", "mpc", "--component", "tiles")
    assert code == 1
    assert "service/kind" in errors


def test_a_card_without_a_back_is_an_error_where_both_sides_are_printed(
    run: Run, demo: Path, edit: Edit
) -> None:
    edit(GAME, "    back: back.svg\n", "")
    for service in ("tgc", "mpc", "drivethru"):
        code, _, errors = run("export", "demo", "--to", service)
        assert code == 1
        assert "[service/back]" in errors
        assert "cards.yaml:" in errors


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--to", "tcg"), "did you mean 'tgc'"),
        (("--to", "drivethrough"), "did you mean 'drivethru'"),
        (("--to", "tgc", "--dpi", "600"), "list its options: cardgen export --to tgc --help"),
    ],
)
def test_misuse(run: Run, words: tuple[str, ...], hint: str) -> None:
    code, _, errors = run("export", "demo", *words)
    assert code == 2
    assert hint in errors


def test_figures_that_are_not_certain_are_said_to_be(run: Run, demo: Path) -> None:
    squared(demo)
    code, _, errors = run("export", "demo", "--to", "printerstudio")
    assert code == 0
    assert "service/unsure" in errors
    text = (demo / "output/demo/printerstudio/ORDER.txt").read_text(encoding="utf-8")
    assert "Make sure" in text
    assert "compare them with the order page" in " ".join(text.split())


def test_a_service_is_one_file(run: Run, demo: Path) -> None:
    squared(demo)
    (demo / "data/services").mkdir()
    own = """\
title: Corner Shop
delivery: images
dpi: {value: 150, source: phone}
bleed: {value: 2mm, source: phone}
sources: {phone: a call}
products:
  Standard: {title: Standard cards, kinds: [card], trim: poker, source: phone}
"""
    (demo / "data/services/corner.yaml").write_text(own, encoding="utf-8")
    folder = exported(run, demo, "corner")
    with Image.open(folder / "cards/back.png") as image:
        assert image.size == (round(67.5 / 25.4 * 150), round(92.9 / 25.4 * 150))
        assert image.info["dpi"] == pytest.approx((150, 150), abs=0.02)
    (demo / "data/services/png.yaml").write_text(own, encoding="utf-8")
    code, _, errors = run("export", "demo", "--to", "png")
    assert code == 2
    assert "rename data/services/png.yaml" in errors


def test_an_order_of_nothing_is_an_error(run: Run, edit: Edit) -> None:
    edit(GAME, "kind: card", "kind: board")
    code, _, errors = run("export", "demo", "--to", "mpc")
    assert code == 1
    assert "MakePlayingCards can print nothing of this game" in errors


def test_the_zip_can_be_read_from_memory(order: Path) -> None:
    with zipfile.ZipFile(io.BytesIO((order / "demo-tgc.zip").read_bytes())) as archive:
        lines = list(csv.DictReader(io.StringIO(archive.read("order.csv").decode("utf-8"))))
        for name in {row["face"] for row in lines}:
            with Image.open(io.BytesIO(archive.read(name))) as image:
                assert image.size == (825, 1125)
