"""Several sets of a game on shared sheets, and what they take."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

import cardgen
from cardgen.commands.build.print_runs import _coverage, say_prices
from cardgen.core.findings import Findings
from cardgen.core.services import Prices
from cardgen.game.facts import check_services, priced_services
from tests.for_each import for_each


def build(root: Path, **options: object) -> cardgen.BuildResult:
    chosen = cardgen.BuildOptions("demo", **options)  # type: ignore[arg-type]
    return cardgen.build(chosen, project=cardgen.Project.open(root))


def test_sets_share_sheets_and_a_nearly_empty_one_is_said(demo: Path) -> None:
    ids = [card.id for card in cardgen.load("demo", project=cardgen.Project.open(demo)).cards()]
    found = build(demo, cards=(ids[0],), sets=5)
    (file,) = found.files
    assert file.shown.endswith(f"poker.{ids[0]}.5-sets.pdf")
    assert (file.cards, file.pages) == (10, 4)  # 9 + 1 faces, each page with its backs
    last, run = found.findings
    assert (last.code, run.code) == ("sheet/last", "sheet/run")
    assert last.hint is not None
    assert last.hint.endswith("--sets 9")
    assert run.message.startswith("5 sets: 2 sheets of letter; ")


def test_full_sheets_are_only_counted(demo: Path) -> None:
    found = build(demo, sets=2)
    assert [(each.code, each.message.partition(";")[0]) for each in found.findings] == [
        ("sheet/run", "2 sets: 2 sheets of letter")
    ]


@for_each("sets", [0, 1001])
def test_a_wrong_number_of_sets_is_refused(sets: int) -> None:
    with pytest.raises(cardgen.UsageError):
        cardgen.BuildOptions("demo", sets=sets)


@for_each(("color", "covered"), [("white", 0), ("black", 1), ("red", 2), ("#808080", 0.5), ("cyan", 1)])
def test_gray_takes_black_ink_alone(color: str, covered: float) -> None:
    assert _coverage(Image.new("RGB", (4, 4), color)) == pytest.approx(covered, abs=0.01)


PRICES = """title: Shop
like: mpc
sources: {list: {from: A letter., seen: 2026-11}}
products:
  poker: {title: Cards, kinds: [card], trim: [2.5in, 3.5in], source: list}
prices:
  currency: EUR
  source: list
  steps: {poker: [{cards: 6, price: 5}, {cards: 20, price: 8}]}
  discounts: [{sets: 10, off: 0.25}]
"""


def test_a_price_table_gives_the_cost_and_the_next_step(demo: Path) -> None:
    (demo / "data/services").mkdir()
    (demo / "data/services/shop.yaml").write_text(PRICES, encoding="utf-8")
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    cards = sum(card.copies for card in game.cards())
    found = Findings()
    say_prices(game, 10, found)
    assert [each.code for each in found] == ["sheet/price", "sheet/price"]
    step, cost = found
    assert f"{cards - 6} card" in step.message
    assert step.hint is not None
    assert "22.50 EUR" in step.hint
    assert f"60.00 EUR (cards {cards} of 20 cards)" in cost.message


@for_each(
    ("cards", "step"),
    [(1, (6, 5.0, 1)), (6, (6, 5.0, 6)), (7, (20, 8.0, 1)), (20, (20, 8.0, 14)), (21, None)],
)
def test_a_set_has_the_first_step_with_room(cards: int, step: tuple[int, float, int] | None) -> None:
    assert Prices("EUR", {"poker": ((6, 5.0), (20, 8.0))}).step("poker", cards) == step
    assert Prices("EUR", {}).step("poker", cards) is None


def test_steps_that_fall_are_an_error(demo: Path) -> None:
    (demo / "data/services").mkdir()
    wrong = PRICES.replace("cards: 20", "cards: 5")
    (demo / "data/services/shop.yaml").write_text(wrong, encoding="utf-8")
    found = Findings()
    paths = cardgen.Project.open(demo).paths
    check_services(paths, found)
    (error,) = found
    assert error.location is not None
    assert (error.code, error.location.path) == ("service/prices", "prices.steps.poker[1]")
    assert priced_services(paths) == []
