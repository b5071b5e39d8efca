"""Pieces that a print service has no size for: made to fit its nearest product, or the one they name."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cardgen.core.geometry import Rect
from cardgen.exports.job import Piece
from cardgen.exports.service_orders import ordered_as
from cardgen.exports.services import Canvas
from cardgen.game.facts import load_service
from tests.exports.test_services import GAME, Edit, Run, squared
from tests.for_each import for_each
from tests.shipped import GAMES, shipped
from tests.wording import Wording

Fixture = Callable[..., Any]


def only_row(demo: Path, service: str = "tgc") -> dict[str, str]:
    with (demo / "output/demo" / service / "order.csv").open(encoding="utf-8", newline="") as file:
        return next(csv.DictReader(file))


def dark(path: Path) -> tuple[int, int, int, int]:
    with Image.open(path) as image:
        box = image.convert("L").point(lambda value: 255 if value < 20 else 0).getbbox()
    assert box is not None
    return box


def test_the_nearest_product_is_taken_if_asked_for(run: Run, demo: Path, edit: Edit) -> None:
    squared(demo)
    edit(GAME, "trim: poker", "trim: [60mm, 84mm]")
    code, _, errors = run("export", "demo", "--to", "tgc")
    assert code == 1
    assert "[service/trim]" in errors
    assert "--fit" in errors
    code, _, errors = run("export", "demo", "--to", "tgc", "--fit", "nearest")
    assert code == 0
    assert "is printed at 105 % as Euro Poker Deck (63×88 mm)" in errors
    assert "service/fit" in errors
    assert "[service/fit]" in errors
    assert "trim: [63mm, 88mm]" in errors
    row = only_row(demo)
    assert (row["product"], row["percent"]) == ("EuroPokerDeck", "104.8")
    left, _, right, _ = dark(demo / "output/demo/tgc" / row["face"])
    assert right - left == pytest.approx(300 * 88 / 84, abs=2)  # an inch of the art
    assert "printed at 104.8 % of its size" in (demo / "output/demo/tgc/ORDER.txt").read_text("utf-8")


def test_what_would_become_another_thing_is_not_fitted_by_itself(run: Run, demo: Path, edit: Edit) -> None:
    edit(GAME, "trim: poker", "trim: [200mm, 290mm]")
    code, _, errors = run("export", "demo", "--to", "mpc", "--fit", "nearest")
    assert code == 1
    assert "service/trim" in errors
    assert "prints it as that" not in errors


def test_a_component_names_its_product(run: Run, demo: Path, edit: Edit) -> None:
    squared(demo)
    edit(GAME, "trim: poker", "trim: poker\n    products: {tgc: TarotDeck}")
    code, _, errors = run("export", "demo", "--to", "tgc")
    assert code == 0
    assert "is printed at 110 % as Tarot Deck" in errors
    assert "[service/fit]" in errors
    assert "11.4 mm" in errors
    assert "7.9 mm" in errors
    with Image.open(demo / "output/demo/tgc" / only_row(demo)["face"]) as image:
        assert image.size == (900, 1500)
        assert image.getpixel((450, 2)) == (0, 0, 255)  # the top of the face, drawn out
    code, _, errors = run("export", "demo", "--to", "mpc")
    assert code == 0  # other services take what they have of that size
    assert "service/fit" not in errors


def test_of_several_products_each_piece_takes_the_one_nearest_to_its_size(
    run: Run, demo: Path, edit: Edit
) -> None:
    edit(
        GAME,
        "components:\n",
        "components:\n  chits:\n    {title: Chits, kind: token, trim: [13mm, 13mm], data: chits.yaml, "
        "face: card.svg, products: {tgc: [StripChit, SmallSquareChit]}}\n",
    )
    (demo / "data/demo/chits.yaml").write_text(
        "chits:\n  - {id: small}\n  - {id: long, trim: [84mm, 22mm]}\n", encoding="utf-8"
    )
    (demo / "templates/demo/card.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
        'viewBox="0 0 {{ width }} {{ height }}"><rect width="9" height="9"/></svg>',
        encoding="utf-8",
    )
    code, _, errors = run("export", "demo", "--to", "tgc", "--component", "chits")
    assert code == 0, errors
    with (demo / "output/demo/tgc/order.csv").open(encoding="utf-8", newline="") as file:
        listed = [
            (row["card"], row["product"], row["turned"], row["percent"]) for row in csv.DictReader(file)
        ]
    assert listed == [
        ("small", "SmallSquareChit", "no", "97.69"),
        ("long", "StripChit", "yes", "90.71"),
    ]


@for_each("game", GAMES)
def test_every_shipped_game_can_be_ordered_whole(game: str) -> None:
    loaded = shipped(game)
    service = load_service(loaded.paths, "tgc")
    for component in loaded.components:
        if component.box is not None:  # left out: services fold along lines of their own
            continue
        assert set(component.products.get(service.id) or ()) <= {each.id for each in service.products}
        for card in component.cards:
            piece = Piece(card, "", None, card.copies)
            product = ordered_as(service, component, piece, False).product
            assert product is not None, f"{component.id}/{card.id}"
            assert product.shape == component.shape
            assert component.kind in product.kinds


@pytest.mark.parametrize(
    ("products", "code"),
    [
        ("{tgc: TarotDekc}", "service/product"),
        ("{tgc: CircleDeck}", "service/product"),
        ("{tcg: TarotDeck}", "reference/service"),
        ("{tgc: true}", "schema/"),
    ],
)
def test_products_that_there_are_not(
    run: Run, demo: Path, edit: Edit, products: str, code: str, wording: Wording
) -> None:
    edit(GAME, "trim: poker", f"trim: poker\n    products: {products}")
    status, _, errors = run("export", "demo", "--to", "tgc")
    assert status == 1
    wording(errors)
    assert code in errors
    assert "data/demo/game.yaml:" in errors


def test_a_component_can_stay_out_of_an_order(run: Run, demo: Path, edit: Edit) -> None:
    edit(GAME, "trim: poker", "trim: [60mm, 84mm]\n    products: {tgc: false}")
    code, _, errors = run("export", "demo", "--to", "tgc")
    assert code == 1  # nothing is left
    assert "[service/left-out]" in errors
    assert "'cards'" in errors
    assert "service/empty" in errors


def test_a_pdf_is_scaled_only_if_asked_for(run: Run, demo: Path, edit: Edit, wording: Wording) -> None:
    edit(GAME, "trim: poker", "trim: [60mm, 84mm]\n    products: {drivethru: poker}")
    code, _, errors = run("export", "demo", "--to", "drivethru")
    assert code == 1
    assert "[service/product]" in errors
    assert "--fit" in errors
    code, _, errors = run("export", "demo", "--to", "drivethru", "--fit", "nearest")
    assert code == 0
    assert "60×84 mm, is printed at 106 % as Poker cards" in errors
    code, _, errors = run("export", "demo", "--to", "printshop", "--fit", "nearest")
    assert code == 2
    wording(errors)


def test_euro_poker_cards_become_poker_cards_in_a_pdf(run: Run, demo: Path, edit: Edit) -> None:
    edit(GAME, "trim: poker", "trim: euro-poker")
    template = demo / "templates/demo/card.svg"
    template.write_text(  # a frame from trim to trim, on a ground that bleeds
        '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
        'viewBox="0 0 {{ width }} {{ height }}"><rect width="{{ width }}" height="{{ height }}" '
        'fill="#ff0"/>'
        '<rect x="{{ bleed }}" y="{{ bleed }}" width="63" height="88"/></svg>',
        encoding="utf-8",
    )
    code, _, errors = run("export", "demo", "--to", "drivethru")
    assert code == 1
    assert "choose one of the nearest: Poker cards (2.5 × 3.5 in) (63.5×88.9 mm)" in errors
    assert "[service/trim]" in errors
    assert "--fit" in errors
    code, _, errors = run("export", "demo", "--to", "drivethru", "--fit", "nearest", "--inks", "rgb")
    assert code == 0
    assert "63×88 mm, is printed at 101 % as Poker cards" in errors
    assert "[service/fit]" in errors
    assert "0.2 %" in errors
    (path,) = (demo / "output/demo/drivethru").glob("*.pdf")
    with pikepdf.Pdf.open(path) as pdf:
        page = pdf.pages[1]  # after its back
        assert [float(each) for each in page.mediabox] == pytest.approx([0, 0, 198, 270], abs=0.01)
        assert [float(each) for each in page.trimbox] == pytest.approx([9, 9, 189, 261], abs=0.01)
    with pypdfium2.PdfDocument(path) as pdf:
        image = pdf[1].render(scale=300 / 72).to_pil().convert("RGB")
    corners = [image.getpixel((x, y)) for x in (1, 823) for y in (1, 1123)]
    assert set(corners) == {(255, 255, 0)}  # the bleed is covered to its edge
    black = image.convert("L").point(lambda value: 255 if value < 20 else 0).getbbox()
    assert black == pytest.approx((38, 38, 787, 1087), abs=2)  # the trim, an eighth of an inch in


def test_what_a_pdf_would_distort_is_refused(run: Run, demo: Path, edit: Edit) -> None:
    edit(GAME, "trim: poker", "trim: [60mm, 88mm]")
    code, _, errors = run("export", "demo", "--to", "drivethru", "--fit", "nearest")
    assert code == 1
    assert "service/trim" in errors
    assert "prints it as that" not in errors


@given(st.floats(0.5, 2), st.sampled_from((0, 90, 180, 270)))
def test_a_scaled_canvas_shows_the_middle_of_the_side(scale: float, turn: int) -> None:
    trim = Rect(3, 3, 63.5, 88.9)
    area = Canvas((825, 1125), 300, turn, scale).area(trim)
    width, height = Canvas((825, 1125), 300, turn, scale).unturned
    assert area.width * 300 / 25.4 * scale == pytest.approx(width)
    assert area.height * 300 / 25.4 * scale == pytest.approx(height)
    assert area.x + area.width / 2 == pytest.approx(3 + 63.5 / 2)
    assert area.y + area.height / 2 == pytest.approx(3 + 88.9 / 2)


def test_hexagons_are_hex_tiles(run: Run, demo: Path, edit: Edit) -> None:
    edit(GAME, "kind: card", "kind: token\n    shape: hexagon")
    edit(GAME, "trim: poker", "trim: [2in, 1.75in]")
    (demo / "templates/demo/card.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
        'viewBox="0 0 {{ width }} {{ height }}"><rect width="99" height="99"/></svg>',
        encoding="utf-8",
    )
    shutil.copy(demo / "templates/demo/card.svg", demo / "templates/demo/back.svg")
    code, _, errors = run("export", "demo", "--to", "tgc")
    assert code == 0, errors
    assert only_row(demo)["product"] == "SmallHexTile"


def test_a_box_is_only_for_what_names_it(run: Run, demo: Path, edit: Edit) -> None:
    squared(demo)
    edit(GAME, "trim: poker", "trim: [7.75in, 6.5in]")
    code, _, errors = run("export", "demo", "--to", "tgc", "--fit", "nearest")
    assert "Tuck Box" not in errors
    edit(GAME, "trim: [7.75in, 6.5in]", "trim: [7.75in, 6.5in]\n    products: {tgc: PokerTuckBox54}")
    code, _, errors = run("export", "demo", "--to", "tgc")
    assert code == 0, errors
    assert "service/fit" not in errors
    with Image.open(demo / "output/demo/tgc" / only_row(demo)["face"]) as image:
        assert image.size == (2325, 1950)
