"""A title page that a side of a card, or a part of it, fills."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.book.layout import BAND
from cardgen.commands.production import stages as production
from cardgen.core.artwork import Picture, Placed, SetText, TextRun
from cardgen.core.findings import Findings
from cardgen.core.geometry import Rect
from tests.book.conftest import Made, texts
from tests.book.test_diagrams import CARD
from tests.shipped import GAMES, shipped
from tests.wording import Wording

Make = Callable[..., Made]
Edit = Callable[[str, str, str], Path]
A5 = (148.0, 210.0)
SCENE = '<rect id="scene" x="13" y="23" width="40" height="30" fill="#eee"/>\n</svg>'


def placed(made: Made) -> tuple[Placed, Rect]:
    """The side on the title page, and what of the page it covers."""
    (item,) = [item for item in made.pages[0].artwork.items if isinstance(item, Placed)]
    return item, item.matrix.around(item.trim)


def test_a_side_fills_the_title_page_down_to_its_band(make: Make) -> None:
    made = make("# The Game\n\n## One\n\nText.", "front: {card: cards/night-owl}")
    item, covered = placed(made)
    assert (covered.x, covered.y) == pytest.approx((0, 0))
    assert (covered.width, covered.height) == pytest.approx((A5[0], A5[1] - BAND))
    assert item.matrix.a == pytest.approx(item.matrix.d)
    assert set(texts(made.pages[0])) == {"Rules", "Your name"}


def test_it_reaches_over_the_trim_where_the_book_has_a_bleed(
    with_book: Callable[[str, str], Path], edit: Edit
) -> None:
    demo = with_book("# T\n\n## One\n\nText.", "front: {card: cards/night-owl}")
    edit("data/demo/game.yaml", "    trim: a5", "    trim: a5\n    bleed: 3mm")
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    book = production.render_book(game, game.component("rules"), Findings(), low_ink=False)
    assert book is not None
    (item,) = [item for item in book.book.pages[0].artwork.items if isinstance(item, Placed)]
    covered = item.matrix.around(item.trim)
    assert (covered.x, covered.y) == pytest.approx((0, 0))
    assert (covered.width, covered.height) == pytest.approx((A5[0] + 6, A5[1] + 3 - BAND))


def test_a_part_of_a_side_fills_it_from_its_middle(make: Make, edit: Edit) -> None:
    edit(CARD, "</svg>", SCENE)
    item, covered = placed(make("# T\n\n## One\n\nText.", "front: {card: cards/night-owl, part: scene}"))
    assert covered.height == pytest.approx(A5[1] - BAND)
    wide = 30 * A5[0] / (A5[1] - BAND)
    assert item.trim.height == pytest.approx(30)
    assert (item.trim.x, item.trim.width) == pytest.approx((13 + (40 - wide) / 2, wide))


@pytest.mark.parametrize(
    ("front", "code"),
    [
        ("{card: cards/night-wol}", "book/card"),
        ("{card: cards/night-owl, part: secne}", "book/place"),
    ],
)
def test_what_is_not_there_is_said_at_its_line_of_game_yaml(
    make: Make, edit: Edit, front: str, code: str, wording: Wording
) -> None:
    edit(CARD, "</svg>", SCENE)
    made = make("# T\n\n## One\n\nText.", f"front: {front}")
    assert made.book is None
    (finding,) = made.findings
    assert finding.location is not None
    assert (finding.code, finding.location.file) == (code, "data/demo/game.yaml")
    wording(finding)


STYLED = """# T

## One

> [!Tip]
> Aside.
"""
SIGNS = ["terminal", "window", "tower", "hexagon", "sticker"]


def shapes(made: Made) -> str:
    """The shapes below the text of the first page of text."""
    return "".join(item.svg for item in made.pages[2].artwork.items if isinstance(item, Picture))


@pytest.mark.parametrize("low_ink", [False, True])
@pytest.mark.parametrize("style", SIGNS)
def test_a_style_frames_pages_and_call_outs(make: Make, style: str, low_ink: bool) -> None:
    look = f"accent: '#102030'\nground: '#102030'\non_ground: '#ffffff'\nrule: band\nstyle: {style}"
    made = make(STYLED, look, low_ink=low_ink)
    assert len(re.findall("<(rect|path|circle|polygon)", shapes(made))) > 12
    assert ("#102030" in shapes(made)) is not low_ink
    number, label = (
        next(
            item.matrix.e + run.x + run.advance / 2
            for item in made.pages[2].artwork.items
            if isinstance(item, SetText)
            for run in item.runs
            if isinstance(run, TextRun) and run.text == wanted
        )
        for wanted in ("3", "Tip")
    )
    assert number > A5[0] - 25  # pages on the right have their number at the right
    assert label < 30


def test_no_two_shipped_books_have_the_same_style_or_ornament() -> None:
    looks = [
        component.book.look
        for game in GAMES
        if game != "demo"
        for component in shipped(game).components
        if component.book
    ]
    for key in ("style", "ornament", "display"):
        assert len({look[key] for look in looks}) == len(looks) == 5
