"""How many cards fit, against a published table worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardgen.core.findings import Findings
from cardgen.core.geometry import Size
from cardgen.sheets.grid import arrange, fold_room
from tests.for_each import for_each
from tests.wording import Wording

from .decks import A3, A4, LETTER, POKER, TABLOID, Deck, imposed, layout, rows

SIZES = {
    "poker": POKER,
    "bridge": Size(57.15, 88.9),
    "tarot": Size(69.85, 120.65),
    "jumbo": Size(88.9, 139.7),
    "mini": Size(44.45, 63.5),
    "mini-euro": Size(44, 68),
    "mini-us": Size(41, 63),
    "square": Size(88.9, 88.9),
    "small-square": Size(63.5, 63.5),
    "business": Size(50.8, 88.9),
}
BUTTED = {  # A4, letter, A3, tabloid, 5 mm unprintable at each edge
    "poker": (9, 9, 18, 18),
    "bridge": (10, 9, 21, 21),
    "tarot": (4, 4, 12, 12),
    "jumbo": (4, 3, 8, 9),
    "mini": (18, 18, 36, 36),
    "mini-euro": (16, 18, 36, 36),
    "mini-us": (21, 20, 42, 40),
    "square": (6, 6, 12, 12),
    "small-square": (12, 12, 24, 24),
    "business": (10, 12, 24, 24),
}


@for_each("name", BUTTED)
def test_butted_cards_a_page(name: str) -> None:
    found = [arrange(SIZES[name], paper.size, layout()) for paper in (A4, LETTER, A3, TABLOID)]
    assert tuple(each.capacity for each in found if each) == BUTTED[name]


@for_each(
    ("name", "paper", "count", "landscape"),
    [
        ("poker", A4, 8, True),
        ("poker", LETTER, 6, False),
        ("bridge", LETTER, 8, True),
        ("poker", A3, 16, None),
    ],
)
def test_cards_with_their_own_bleed(name: str, paper: object, count: int, landscape: bool | None) -> None:
    found = arrange(SIZES[name], paper.size, layout(gutter=6.35), standing=1)  # type: ignore[attr-defined]
    assert found is not None
    assert found.capacity == count
    if landscape is not None:
        assert found.page.landscape == landscape


def test_nine_poker_cards_lie_centred_on_letter() -> None:
    found = arrange(POKER, LETTER.size, layout())
    assert found is not None
    assert (found.columns, found.rows, found.page) == (3, 3, LETTER.size)
    assert (found.block.x, found.block.y) == (pytest.approx(12.7), pytest.approx(6.35))
    middle = found.place(4)
    assert (middle.x + middle.width / 2, middle.y + middle.height / 2) == pytest.approx((107.95, 139.7))


def test_among_equals_the_fewest_cards_are_turned() -> None:
    jumbo = SIZES["jumbo"]  # three fit on letter, on a portrait page turned or on a landscape page upright
    upright = arrange(jumbo, LETTER.size, layout(), standing=1)
    lying = arrange(jumbo, LETTER.size, layout(), lying=1)
    assert upright
    assert lying
    assert (upright.page.landscape, upright.cell.landscape) == (True, False)
    assert (lying.page.landscape, lying.cell.landscape) == (False, True)
    mixed = imposed(Deck("a", jumbo, 1).add(2, jumbo.turned))
    assert [slot.rotation for slot in mixed.pages[0].slots] == [90, 0, 0]


def test_a_square_is_never_turned() -> None:
    found = arrange(SIZES["square"], A4.size, layout(), lying=0, standing=4)
    assert found is not None
    assert not found.page.landscape


def test_a_fixed_grid_is_taken_as_it_is() -> None:
    found = arrange(POKER, LETTER.size, layout(grid=(4, 2)))
    assert found is not None
    assert (found.page.landscape, found.cell, found.capacity) == (True, POKER, 8)
    assert arrange(POKER, LETTER.size, layout(grid=(4, 3))) is None


def test_four_and_four_across_a_fold() -> None:
    found = arrange(POKER, LETTER.size, layout(grid=(4, 1), duplex="fold"), fold=True)
    assert found is not None
    assert (found.page.landscape, found.fold) == (True, "horizontal")
    assert found.block.bottom == pytest.approx(107.95 - 3.175)
    assert found.block.x == pytest.approx(12.7)


def test_a_card_larger_than_the_paper_names_a_paper_that_would_do(wording: Wording) -> None:
    findings = Findings()
    board = Size(250, 380)
    sheet = imposed(Deck("a", board), Deck("b", POKER), papers=(LETTER, TABLOID, A3, A4), findings=findings)
    (finding,) = findings.errors
    assert finding.code == "sheet/too-large"
    assert "250×380 mm" in finding.message
    assert "letter (215.9×279.4 mm" in finding.message
    wording(finding, "279.4", "431.8")
    assert finding.location is not None
    assert finding.location.file == "data/demo/game.yaml"
    assert sheet.cards == 1, "the other cards are laid out all the same"


def test_a_card_larger_than_any_paper() -> None:
    findings = Findings()
    imposed(Deck("a", Size(500, 500)), papers=(LETTER, A3), findings=findings)
    assert "grid: single" in (findings.errors[0].hint or "")


def test_a_grid_larger_than_the_paper() -> None:
    findings = Findings()
    imposed(Deck(), sheet_layout=layout(grid=(5, 4)), findings=findings)
    (finding,) = findings.errors
    assert finding.code == "sheet/grid"
    assert "5×4" in finding.message
    assert "317.5×355.6 mm" in finding.message


@for_each("gutter", [0.5, 3.175, 6.3])
def test_a_gutter_narrower_than_two_bleeds(gutter: float) -> None:
    findings = Findings()
    imposed(Deck(), sheet_layout=layout(gutter=gutter), findings=findings)
    (finding,) = findings.errors
    assert finding.code == "sheet/gutter"
    assert "6.35mm" in (finding.hint or "")
    assert finding.location is not None
    assert finding.location.path == "gutter"


@for_each("gutter", [0, 6.35, 8])
def test_gutters_that_are_right(gutter: float) -> None:
    imposed(Deck(), sheet_layout=layout(gutter=gutter))


def test_no_cards() -> None:
    findings = Findings()
    sheet = imposed(Deck("a", POKER, 0), findings=findings)
    assert sheet.pages == ()
    assert sheet.cards == 0
    assert [finding.code for finding in findings] == ["sheet/empty"]


def test_trims_have_pages_of_their_own_in_order_of_appearance() -> None:
    mini = Size(44.45, 63.5)
    sheet = imposed(Deck("a", POKER, 2), Deck("b", mini, 1), Deck("c", POKER.turned, 1), backs=False)
    assert [rows(page.slots) for page in sheet.pages] == [[["a0", "a1", "c0"]], [["b0"]]]


def test_a_sheet_in_inches_still_fits() -> None:
    inches = Size(2.5 * 25.4, 3.5 * 25.4)
    exact = replace(layout(), margin=(279.4 - 3 * inches.height) / 2)
    assert arrange(inches, LETTER.size, exact).capacity == 9  # type: ignore[union-attr]


@for_each(("gutter", "room"), [(0, 3.175), (6, 3.175), (10, 5)])
def test_half_a_gutter_or_the_bleed_parts_cards_from_the_fold(gutter: float, room: float) -> None:
    assert fold_room(layout(gutter=gutter)) == pytest.approx(room)
