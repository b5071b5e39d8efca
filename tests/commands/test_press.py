"""`build --inks cmyk`: what is asked for, and what can't be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest

import cardgen
from cardgen.pdf.inks import load_profile
from cardgen.sheets.ruler_and_labels import INKS
from tests.for_each import for_each
from tests.wording import Wording

Run = Callable[..., tuple[int, str, str]]


def test_the_file_stands_beside_that_for_a_screen(run: Run, demo: Path) -> None:
    assert run("build", "demo")[0] == 0
    code, out, err = run("build", "demo", "--inks", "cmyk")
    assert code == 0, err
    assert "poker.cmyk.pdf" in out
    assert {path.name for path in (demo / "output/demo").glob("*.pdf")} == {"poker.pdf", "poker.cmyk.pdf"}


@for_each(
    ("options", "name"),
    [
        ({}, "cmyk"),
        ({"standard": "x1a", "ink_limit": 240}, "cmyk.x1a.240-ink"),
        ({"profile": "/shops/Our shop.v2.ICC"}, "cmyk.Our-shop-v2"),
        ({"profile": "coated", "overprint": False}, "cmyk.coated.no-overprint"),
        ({"black_images": True}, "cmyk.black-images"),
    ],
)
def test_options_appear_in_the_file_name(options: dict[str, Any], name: str) -> None:
    assert ".".join(cardgen.PressOptions(**options).name_parts) == name


def test_files_for_two_presses_stand_beside_each_other(run: Run, demo: Path) -> None:
    for words in (("--ink-limit", "240"), ("--no-overprint",)):
        assert run("build", "demo", "--inks", "cmyk", *words)[0] == 0
    found = {path.name for path in (demo / "output/demo").glob("*.pdf")}
    assert found == {"poker.cmyk.240-ink.pdf", "poker.cmyk.no-overprint.pdf"}


def test_a_game_says_that_its_shop_traps(run: Run, demo: Path, edit: Callable[..., Path]) -> None:
    for says, over in (("true", True), ("false", False)):
        before = "\ncomponents:\n" if over else "press: {overprint: true}\n"
        edit("data/demo/game.yaml", before, f"\npress: {{overprint: {says}}}\n{before if over else ''}")
        assert run("build", "demo", "--inks", "cmyk")[0] == 0
        with pikepdf.open(demo / "output/demo/poker.cmyk.pdf") as pdf:
            assert any(b"/cg-over" in each.read_bytes() for each in streams(pdf)) is over


def streams(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Stream]:
    """Its forms."""
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form":
            yield each


def test_a_strip_of_colours_is_of_pure_inks(run: Run, demo: Path) -> None:
    (demo / "data/sheets").mkdir(exist_ok=True)
    (demo / "data/sheets/poker.yaml").write_text("title: Poker\nstrip: true\n", encoding="utf-8")
    assert run("build", "demo", "--inks", "cmyk")[0] == 0
    with pikepdf.open(demo / "output/demo/poker.cmyk.pdf") as pdf:
        operators = pikepdf.parse_content_stream(pdf.pages[0])
        colours = [tuple(map(float, each.operands)) for each in operators if str(each.operator) == "k"]
    patches = colours[: len(INKS)]
    assert patches == [pytest.approx(inks) for inks in INKS]


def test_another_profile_is_another_build(run: Run, demo: Path) -> None:
    words = ("build", "demo", "--inks", "cmyk", "--profile", str(demo / "shop.icc"))
    (demo / "shop.icc").write_bytes(load_profile("coated").content)
    assert "done" in run(*words)[1]
    assert "up to date" in run(*words)[1]
    (demo / "shop.icc").write_bytes(load_profile("coated").content + b"\0")
    assert "up to date" not in run(*words)[1]


def test_what_cannot_be_asked_for(run: Run, wording: Wording) -> None:
    for words in (
        ("--profile", "coated"),
        ("--ink-limit", "240"),
        ("--standard", "x1a"),
        ("--no-overprint",),
        ("--black-images",),
        ("--inks", "cmyk", "--ink-limit", "90"),
        ("--inks", "cmyk", "--profile", "glossy"),
        ("--inks", "cmyk", "--profile", "no.icc"),
    ):
        code, _, err = run("build", "demo", *words)
        assert code == 2
        wording(err)
