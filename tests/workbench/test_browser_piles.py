"""Hands from the game's deck lists, with their exact odds, while the lists are edited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.workbench.desk import Desk, findings, until, view

pytestmark = pytest.mark.long

SUNNY = "title: Sunny Side\ncards:\n  Old Oak: 2\n  Early Bird: 3\n  Night Owl: 5\n"


@pytest.fixture
def sunny(desk: Desk) -> Iterator[Path]:
    """A deck list of ten cards; the game is as it was afterwards."""
    folder = desk.project / "data" / "owls" / "decks"
    folder.mkdir(exist_ok=True)
    list_file = folder / "sunny.yaml"
    list_file.write_text(SUNNY, encoding="utf-8")
    rules = desk.project / "data" / "owls" / "rules.yaml"
    rules.write_text(
        rules.read_text(encoding="utf-8")
        + "deck_rules:\n  - {id: suns, question: Is there a sun at once?, kind: probability, classes: suit,"
        " draw: 2, event: counts.sun >= 1}\n",
        encoding="utf-8",
    )
    game = desk.project / "data" / "owls" / "game.yaml"
    game.write_text(game.read_text(encoding="utf-8") + "decks: {component: cards}\n", encoding="utf-8")
    until(lambda: [deck["id"] for deck in desk.shop.ask("state.json").json["decks"]] == ["sunny"])
    yield list_file
    desk.mend()
    until(lambda: desk.shop.ask("state.json").json["decks"] == [])


def odds(hits: int, cards: int, drawn: int) -> str:
    """At least one, as the page says it exactly."""
    chance = Fraction(comb(cards, drawn) - comb(cards - hits, drawn), comb(cards, drawn))
    return f"Exactly {chance.numerator} / {chance.denominator}"


def pile(page: Page, name: str) -> Locator:
    return page.get_by_role("listbox", name="Deck lists").get_by_role("option", name=name)


def test_hands_of_a_deck_list(desk: Desk, page: Page, sunny: Path) -> None:
    desk.open(page)
    expect(page.get_by_role("listbox", name="Deck lists")).to_be_hidden()  # cards are no piles elsewhere
    hand = view(page, "Hand")
    held = hand.get_by_role("list", name="Hand").get_by_role("listitem")
    region = hand.get_by_role("region", name="Odds")
    expect(region).to_contain_text("Is there most often a sun in a hand of three?")
    pile(page, "Sunny Side").click()
    expect(pile(page, "Sunny Side")).to_have_attribute("aria-selected", "true")
    expect(hand.get_by_role("heading", name="Sunny Side")).to_be_visible()
    expect(hand.get_by_text("10 cards", exact=True)).to_be_visible()
    expect(region).to_contain_text("Is there a sun at once? (Sunny Side)")
    expect(region).not_to_contain_text("Is there most often a sun")
    hand.get_by_role("spinbutton", name="Cards drawn").fill("10")
    expect(held).to_have_count(10)
    named = sorted(held.all_inner_texts())
    assert named == ["Early Bird"] * 3 + ["Night Owl"] * 5 + ["Old Oak"] * 2
    hand.get_by_role("spinbutton", name="Cards drawn").fill("4")
    asked = hand.get_by_role("searchbox", name="Cards that count")
    asked.fill("suit:moon")
    expect(region).to_contain_text(odds(5, 10, 4))
    asked.fill("copies<=3")  # those of the list, as its rules count them
    expect(region).to_contain_text(odds(5, 10, 4))
    asked.fill('"Early Bird"')
    expect(region).to_contain_text(odds(3, 10, 4))
    desk.edit(sunny, "Early Bird: 3", "Early Bird: 1")
    expect(region).to_contain_text(odds(1, 8, 4))
    page.reload()  # the address says which pile it is
    expect(hand.get_by_role("heading", name="Sunny Side")).to_be_visible()
    page.get_by_role("listbox", name="Components").get_by_role("option", name="Cards").click()
    expect(hand.get_by_text("9 cards", exact=True)).to_be_visible()


def test_a_deck_list_in_error_and_one_that_is_gone(desk: Desk, page: Page, sunny: Path) -> None:
    desk.open(page)
    hand = view(page, "Hand")
    pile(page, "Sunny Side").click()
    expect(hand.get_by_text("10 cards", exact=True)).to_be_visible()
    desk.edit(sunny, "Old Oak", "Old Oke")
    expect(hand.get_by_text("the last readable version")).to_be_visible()
    expect(hand.get_by_text("10 cards", exact=True)).to_be_visible()
    expect(findings(page).filter(has_text="Old Oke")).to_be_visible()
    sunny.unlink()
    expect(hand.get_by_text(re.compile("There is no deck list “sunny” now"))).to_be_visible()
    expect(hand.get_by_role("list", name="Hand").get_by_role("listitem")).to_have_count(0)
