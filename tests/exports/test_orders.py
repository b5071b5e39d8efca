"""Orders as shops and programs take them: PDF a deck, a size or a card; cards.xml; page labels."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pytest

from tests.exports.test_services import GAME, Edit, Run, exported, rows
from tests.wording import Wording

MM = 72 / 25.4


def labels(path: Path) -> list[str]:
    with pikepdf.Pdf.open(path) as pdf:
        return [page.label for page in pdf.pages]


def test_a_deck_is_one_pdf_face_first(run: Run, demo: Path) -> None:
    folder = exported(run, demo, "printshop", "--pdf", "deck")
    assert [path.name for path in folder.glob("*.pdf")] == ["cards.pdf"]
    listed = rows(folder)
    assert {row["face"] for row in listed} == {row["back"] for row in listed} == {"cards.pdf"}
    wanted = [
        f"{row['card']} {side}"
        for row in listed
        for _ in range(int(row["copies"]))
        for side in ("face", "back")
    ]
    assert labels(folder / "cards.pdf") == wanted


@pytest.mark.parametrize(("width", "mm"), [("3mm", 3), ("0.125in", 3.175), ("0mm", 0)])
def test_the_bleed_of_pdf_pages_is_chosen(run: Run, demo: Path, width: str, mm: float) -> None:
    folder = exported(run, demo, "printshop", "--bleed-width", width)
    with pikepdf.Pdf.open(next(folder.glob("cards/*.pdf"))) as pdf:
        page = pdf.pages[0]
        assert float(page.mediabox[2]) == pytest.approx((63.5 + 2 * mm) * MM, abs=0.01)
        assert float(page.trimbox[0]) == pytest.approx(mm * MM, abs=0.01)


def test_more_bleed_than_the_art_has_is_an_error(run: Run, demo: Path) -> None:
    code, _, errors = run("export", "demo", "--to", "printshop", "--bleed-width", "6mm")
    assert code == 1
    assert "needs 6 mm" in errors


def test_a_size_is_one_pdf_and_lying_cards_turn(run: Run, demo: Path, edit: Edit) -> None:
    edit(
        GAME,
        "components:\n",
        "components:\n  lying: {title: Lying, kind: card, trim: poker, turned: true, data: lying.yaml, "
        "face: card.svg}\n",
    )
    data = demo / "data/demo/lying.yaml"
    data.write_text("lying:\n  - {id: flat, copies: 2}\n", encoding="utf-8")
    template = demo / "templates/demo/card.svg"
    template.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}mm" height="{{ height }}mm" '
        'viewBox="0 0 {{ width }} {{ height }}"><rect width="9" height="9"/></svg>',
        encoding="utf-8",
    )
    folder = exported(run, demo, "printshop", "--pdf", "size")
    (path,) = folder.glob("*.pdf")
    assert path.name == "63.5x88.9mm.pdf"
    with pikepdf.Pdf.open(path) as pdf:
        assert {tuple(map(float, page.mediabox[2:])) for page in pdf.pages} == {
            tuple(map(float, pdf.pages[0].mediabox[2:]))
        }
        names = [page.label for page in pdf.pages]
        assert names[:4] == ["flat face", "flat back"] * 2  # the back is an empty page
        assert "/XObject" not in (pdf.pages[1].get("/Resources") or {})
        assert len(names) % 2 == 0


@pytest.mark.parametrize(
    "words",
    [
        ("mpc", "--pdf", "deck"),
        ("mpc", "--bleed-width", "3mm"),
        ("printshop", "--bleed-width", "3"),
        ("printshop", "--bleed-width", "90mm"),
        ("printshop", "--pdf", "box"),
        ("mpc", "--stock", "X9"),
        ("tgc", "--stock", "S30"),
    ],
)
def test_misuse(run: Run, demo: Path, words: tuple[str, ...], wording: Wording) -> None:
    code, _, errors = run("export", "demo", "--to", *words)
    assert code == 2
    wording(errors)
    assert not list((demo / "output").glob("**/export.json"))


def test_autofill_fills_every_slot_with_a_file_that_is_there(run: Run, demo: Path) -> None:
    folder = exported(run, demo, "mpc", "--stock", "m31")
    order = ElementTree.parse(folder / "cards.xml").getroot()
    listed = rows(folder)
    quantity = sum(int(row["copies"]) for row in listed)
    assert order.findtext("details/quantity") == str(quantity)
    assert [each.tag for each in order.iterfind("details/*")] == ["quantity", "stock", "foil"]
    assert order.findtext("details/stock") == "(M31) Linen"
    slots: dict[int, str] = {}
    for card in order.iterfind("fronts/card"):
        name = card.findtext("id") or ""
        assert (folder / name).is_file()
        assert [each.tag for each in card] == ["id", "sourceType", "slots", "name", "query"]
        assert card.findtext("sourceType") == "Local File"
        for number in (card.findtext("slots") or "").split(","):
            assert slots.setdefault(int(number), name) == name
    assert sorted(slots) == list(range(quantity))
    assert [slots[n] for n in sorted(slots)] == [
        row["face"] for row in listed for _ in range(int(row["copies"]))
    ]
    assert (folder / (order.findtext("cardback") or "?")).is_file()
    assert order.find("backs") is None  # one back for all


def test_a_size_that_autofill_does_not_know_has_no_cards_xml(run: Run, demo: Path, edit: Edit) -> None:
    edit(GAME, "trim: poker", "trim: tarot")
    code, _, errors = run("export", "demo", "--to", "mpc", "--stock", "S33")
    assert code == 0
    assert "service/stock" in errors
    assert not list((demo / "output/demo/mpc").glob("*.xml"))
