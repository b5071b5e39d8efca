"""Paper that has places already: labels and perforated cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardgen.core.findings import Findings
from cardgen.core.geometry import Size
from cardgen.core.sheets import Places
from cardgen.game.facts import load_layouts, load_papers
from tests.for_each import for_each
from tests.shipped import PROJECT

from .decks import A4, BLEED, POKER, Deck, imposed, layout

L7160 = Places(3, 7, Size(63.5, 38.1), Size(66.04, 38.1), "a4")
ON_LABELS = layout(places=L7160, marks="none", bleed=1.0, duplex="none")
SHIPPED = {
    name: each
    for name, each in load_layouts(PROJECT.paths).items()
    if each.places is not None and each.marks == "none"
}
FIRST = {
    "label-5160": (4.7625, 12.7),
    "label-5163": (3.96875, 12.7),
    "perforated": (19.05, 12.7),
    "label-l7160": (7.21, 15.15),
    "label-l7163": (4.67, 15.15),
}
"""Where the first place lies by the papers' public measures, mm."""


@for_each("name", sorted(SHIPPED))
def test_shipped_places_lie_where_the_paper_has_them(name: str) -> None:
    found = SHIPPED[name]
    places = found.places
    assert places is not None
    deck = Deck("a", places.size, places.columns * places.rows, back=False)
    (page,) = imposed(deck, paper=load_papers(PROJECT.paths)[places.paper], sheet_layout=found).pages
    first, last = page.slots[0].trim, page.slots[-1].trim
    assert (first.x, first.y) == pytest.approx(FIRST[name], abs=0.03)
    assert (page.size.width - last.right, page.size.height - last.bottom) == pytest.approx(
        (first.x, first.y)
    )
    second = page.slots[1].trim
    assert second.x - first.x == pytest.approx(places.pitch.width)
    assert page.slots[places.columns].trim.y - first.y == pytest.approx(places.pitch.height)


def test_smaller_pieces_lie_in_the_middle_and_turned_ones_where_only_that_fits() -> None:
    slots = imposed(Deck("a", Size(60, 30), 2, back=False), paper=A4, sheet_layout=ON_LABELS).pages[0].slots
    assert (slots[0].trim.x, slots[0].trim.y) == pytest.approx((7.21 + 1.75, 15.15 + 4.05))
    turned = imposed(Deck("a", Size(38, 63), 1, back=False), paper=A4, sheet_layout=ON_LABELS)
    assert turned.pages[0].slots[0].rotation == 90


def test_bleed_reaches_half_way_to_the_next_place() -> None:
    """Not over labels above and below, which touch."""
    labels = replace(ON_LABELS, bleed=BLEED)
    page = imposed(Deck("a", L7160.size, 21, back=False), paper=A4, sheet_layout=labels).pages[0]
    middle = page.slots[10]
    assert (middle.trim.x - middle.clip.x, middle.trim.y - middle.clip.y) == pytest.approx((1.27, 0))
    assert page.slots[0].trim.y - page.slots[0].clip.y == pytest.approx(BLEED)


def test_an_origin_is_taken_as_it_is() -> None:
    stated = replace(ON_LABELS, places=replace(L7160, origin=(5.0, 9.0)))
    page = imposed(Deck("a", L7160.size, 1, back=False), paper=A4, sheet_layout=stated).pages[0]
    trim = page.slots[0].trim
    assert (trim.x, trim.y) == pytest.approx((5, 9))


@for_each("duplex", ["none", "fold"])
def test_what_no_place_holds_is_an_error(duplex: str) -> None:
    findings = Findings()
    found = replace(ON_LABELS, duplex=duplex)  # type: ignore[arg-type]
    sheet = imposed(Deck("a", POKER, 1), paper=A4, sheet_layout=found, findings=findings)
    assert sheet.pages == ()
    (finding,) = [each for each in findings if each.code == "sheet/too-large"]
    assert "it fits no place of 'cards': 3×7 of 63.5×38.1 mm on a4" in finding.message


def test_landscape_places_lie_on_landscape_paper() -> None:
    lying = replace(ON_LABELS, places=replace(L7160, columns=4, rows=5, landscape=True))
    (page,) = imposed(Deck("a", L7160.size, 20, back=False), paper=A4, sheet_layout=lying).pages
    assert page.size == Size(297, 210)
    first, last = page.slots[0].trim, page.slots[-1].trim
    assert (first.x, first.y) == pytest.approx((297 - last.right, 210 - last.bottom))
