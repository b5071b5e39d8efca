"""The files that docs/named-objects.md shows become the cards that it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from cardgen.core.geometry import Size
from tests.art import support
from tests.art.named.test_examples import ICON, PICTURE
from tests.art.support import BUNDLED, Result, Workshop

DOCS = (BUNDLED / "docs" / "named-objects.md").read_text("utf-8")
FOUND = re.search(r"```yaml\n(.*?)```", DOCS, re.S)
CARDS = yaml.safe_load(FOUND[1])["cards"] if FOUND else []
FILES = re.findall(r"\]\((named/\w+\.svg)\)", DOCS)


@pytest.fixture(params=FILES)
def made(request: pytest.FixtureRequest, shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    monkeypatch.setattr(support, "TRIM", Size(63.5, 88.9))
    monkeypatch.setattr(support, "BLEED", 3.175)
    shop.write("demo/card.svg", (BUNDLED / "docs" / request.param).read_text("utf-8"))
    for name in ("moon", "leaf"):
        shop.write(f"demo/icons/{name}.svg", ICON)
    shop.write("demo/owl.svg", PICTURE)
    fields = sorted({key for card in CARDS for key in card})
    return [shop.render(cards=[card], declared=fields) for card in CARDS]


def test_both_files_are_shown() -> None:
    assert FILES == ["named/inkscape.svg", "named/figma.svg"]
    for name in FILES:
        assert "{{" not in (Path(BUNDLED) / "docs" / name).read_text("utf-8")


def test_the_cards_are_what_the_data_say(made: list[Result]) -> None:
    owl, oak = made
    assert [result.findings for result in made] == [[], []]
    for result, words in (
        (owl, ("Night Owl", "4", "Draw two cards.")),
        (oak, ("Old Oak", "2", "swapped.")),
    ):
        said = " ".join(result.words().split())
        assert all(word in said for word in words), said
    for sample in ("Early Bird", "stands here", "#D9D9D9"):
        assert sample not in owl.words() + "".join(picture.svg for picture in owl.pictures)
    assert "data:" not in "".join(picture.svg for picture in owl.pictures)


def test_pictures_icons_and_what_is_repeated(made: list[Result]) -> None:
    owl, oak = ("".join(picture.svg for picture in result.pictures).lower() for result in made)
    assert ("#335577" in owl, "#335577" in oak) == (True, False)
    assert "translate(0 0)" in owl
    assert ("translate(-7.2 0)" in owl) != ("translate(-28.8 0)" in owl)  # in mm here, in px there
    assert "translate(-" not in oak
    frames = [re.search(r'width="(57\.85|216)"', svg) is not None for svg in (owl, oak)]
    assert frames == [True, False]
