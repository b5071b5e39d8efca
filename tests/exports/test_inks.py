"""Orders in the inks of a press: as the user asks, as the service's file does, and what can't be."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pytest

from cardgen.pdf.inks import load_profile
from tests.exports.test_services import Run, exported
from tests.wording import Wording

SERVICE = """title: Corner Shop
delivery: deck-pdf
any_trim: true
color: cmyk
profile: shop.icc
ink_limit: {value: 240, source: phone}
standard: x1a
proof: its press wants inks, at most 240 % of them
bleed: {value: 3mm, source: phone}
sources: {phone: what they said}
"""


@pytest.fixture
def shop(demo: Path) -> Path:
    """The demo with a shop that has a profile of its own."""
    folder = demo / "data/services"
    folder.mkdir(parents=True)
    (folder / "shop.yaml").write_text(SERVICE, encoding="utf-8")
    (folder / "shop.icc").write_bytes(load_profile("coated").content)
    return demo


def operators(path: Path) -> set[str]:
    """The operators of all forms."""
    with pikepdf.open(path) as pdf:
        forms = [each for each in pdf.objects if isinstance(each, pikepdf.Stream)]
        return {
            str(each.operator)
            for form in forms
            if form.get("/Subtype") == "/Form"
            for each in pikepdf.parse_content_stream(form)
        }


def conditions(path: Path) -> list[str]:
    with pikepdf.open(path) as pdf:
        found = pdf.Root.get("/OutputIntents", pikepdf.Array())
        return [str(each.OutputConditionIdentifier) for each in found]


def test_a_print_shop_gets_inks_if_one_asks(run: Run, demo: Path) -> None:
    path = exported(run, demo, "printshop", "--pdf", "deck") / "cards.pdf"
    assert "RGB" in (path.parent / "ORDER.txt").read_text()
    assert "k" not in operators(path)
    exported(run, demo, "printshop", "--pdf", "deck", "--inks", "cmyk", "--ink-limit", "240")
    assert "k" in operators(path)
    assert "rg" not in operators(path)
    assert conditions(path) == ["FOGRA39"]
    said = " ".join((path.parent / "ORDER.txt").read_text().split())
    assert "PDF/X-4, at most 240 % ink" in said
    assert "240 % ink" in json.loads((path.parent / "manifest.json").read_text())["colors"]
    before = path.read_bytes()
    exported(run, demo, "printshop", "--pdf", "deck", "--inks", "cmyk", "--ink-limit", "260")
    assert path.read_bytes() != before


def test_a_service_says_what_it_wants(run: Run, shop: Path) -> None:
    folder = exported(run, shop, "shop")
    assert conditions(folder / "cards.pdf") == ["Custom"]  # its own profile
    assert "PDF/X-1a:2003, at most 240 % ink" in " ".join((folder / "ORDER.txt").read_text().split())


@pytest.mark.parametrize(
    ("words", "inks"),
    [
        (("--inks", "rgb"), []),
        (("--ink-limit", "300"), ["Custom"]),
        (("--standard", "x4"), ["Custom"]),
    ],
)
def test_the_command_line_wins_and_the_files_are_then_a_proof(
    run: Run, shop: Path, words: tuple[str, ...], inks: list[str]
) -> None:
    code, _, errors = run("export", "demo", "--to", "shop", *words)
    assert code == 0
    assert "is a proof: its press wants inks" in errors
    assert conditions(shop / "output/demo/shop/cards-proof.pdf") == inks


@pytest.mark.long
def test_another_profile_is_another_order(run: Run, shop: Path) -> None:
    words = ("export", "demo", "--to", "printshop", "--inks", "cmyk", "--profile", str(shop / "mine.icc"))
    (shop / "mine.icc").write_bytes(load_profile("coated").content)
    assert run(*words)[0] == 0
    assert "0 files written" in run(*words)[1]
    (shop / "mine.icc").write_bytes(load_profile("coated").content + b"\0")
    assert "0 files written" not in run(*words)[1]


@pytest.mark.parametrize(
    "words",
    [
        ("printshop", "--ink-limit", "240"),
        ("printshop", "--inks", "cmyk", "--ink-limit", "90"),
        ("printshop", "--inks", "blue"),
        ("printshop", "--inks", "cmyk", "--profile", "no.icc"),
        ("mpc", "--inks", "cmyk"),
        ("png", "--inks", "cmyk"),
    ],
)
def test_what_cannot_be_asked_for(run: Run, demo: Path, words: tuple[str, ...], wording: Wording) -> None:
    code, _, errors = run("export", "demo", "--to", *words)
    assert code == 2
    wording(errors)


def test_a_profile_of_a_service_that_is_none_is_a_finding(run: Run, shop: Path) -> None:
    (shop / "data/services/shop.icc").unlink()
    code, _, errors = run("export", "demo", "--to", "shop")
    assert code == 1
    assert "data/services/shop.yaml: the color profile 'shop.icc' does not exist" in errors
    assert "[service/profile]" in errors
