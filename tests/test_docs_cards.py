"""The page on cards and components is a game: its files build, and do what the page says of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardgen
from cardgen.files.reading import YAML

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/cards.md").read_text(encoding="utf-8")
FILE = re.compile(r"^```\w+\n(?:#|//|<!--) (\S+?)(?: -->)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> cardgen.Project:
    """The project that a new one becomes with the files of the page."""
    folder = cardgen.new_project("market", tmp_path_factory.mktemp("docs"))
    for name, content in FILE.findall(PAGE):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return cardgen.Project.open(folder)


def test_all_that_stands_on_the_page_is_used() -> None:
    assert len(FILE.findall(PAGE)) == PAGE.count("```") / 2 == 10


def test_it_builds_and_nothing_is_wrong_with_it(market: cardgen.Project) -> None:
    result = cardgen.build(cardgen.BuildOptions("market"), project=market)
    assert [str(finding) for finding in result.findings] == []
    assert sum(file.cards for file in result.files) == 2 + 4 + 2 + 1
    assert cardgen.check(cardgen.load("market", project=market)) == []


def test_cards_are_as_the_page_says(market: cardgen.Project) -> None:
    game = cardgen.load("market", project=market)
    apples, stall, rush, coin = game.cards()
    assert (apples.file, coin.file) == ("data/market/cards.yaml", "data/market/more.yaml")
    assert (stall.copies, rush.copies) == (4, 2)
    for_two = [card.copies for card in cardgen.load("market", project=market, players=2).cards()]
    assert for_two == [2, 2, 1, 1]
    assert (stall.face, stall.back) == ("market/stall.svg", None)
    assert coin.back == "market/coin.svg"
    assert (rush.trim, coin.trim.width, coin.trim.height) == (apples.trim.turned, 40, 40)
    assert (game.limits.type_pt, game.limits.contrast) == (7, 5)


def test_blocks_and_pictures_are_as_the_page_says(market: cardgen.Project) -> None:
    art = cardgen.render(cardgen.load("market", project=market))
    pictures = [
        "".join(item.svg for item in art.artworks[card.face].items if hasattr(item, "svg"))
        for card in art.cards
    ]
    assert ["#b3261e" in svg for svg in pictures] == [True, False, True, False]
    assert ["#2f6b3c" in svg for svg in pictures] == [False, False, False, True]


def test_the_bound_of_a_file_is_as_the_page_says() -> None:
    assert YAML.most == 8 * 1024 * 1024
    assert "YAML: at most 8 MB" in PAGE
