"""Looking at a game: search, order, zoom, keys, hands, sheets, changes, and what the buttons do."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.repositories import git
from tests.workbench.desk import Desk, becomes_other, card, cards, findings, pixels, titles, until, view

pytestmark = pytest.mark.long

TITLES = ["Early Bird", "Night Owl", "Gardener", "Long Lunch", "Full Moon", "Old Oak"]
VALUES = {"Early Bird": 1, "Night Owl": 1, "Gardener": 2, "Long Lunch": 3, "Full Moon": 4, "Old Oak": 5}


def test_search_and_its_errors_in_words(desk: Desk, page: Page) -> None:
    desk.open(page)
    search = page.get_by_role("combobox", name="Search cards")
    for words, found in {
        "suit:moon": ["Night Owl", "Full Moon"],
        "suit:moon value>3": ["Full Moon"],
        "text~turn -suit:sun": ["Night Owl", "Gardener", "Old Oak"],
        "owl or oak": ["Night Owl", "Old Oak"],
        "nothing-like-it": [],
        "": TITLES,
    }.items():
        search.fill(words)
        until(lambda found=found: titles(page) == found)
    search.fill("no-such-words")
    page.get_by_role("button", name="Clear the search").click()
    until(lambda: titles(page) == TITLES)
    search.fill("siut:moon")
    expect(page.get_by_text("No card here has a field “siut”; did you mean “suit”.")).to_be_visible()
    assert titles(page) == TITLES  # what can't be read hides nothing
    search.fill("value>moon")
    expect(page.get_by_text("“moon” is not a number, which value> needs.")).to_be_visible()


def test_order(desk: Desk, page: Page) -> None:
    desk.open(page)
    page.get_by_role("combobox", name="Sort by").select_option("title")
    until(lambda: titles(page) == sorted(TITLES))
    page.get_by_role("combobox", name="Sort by").select_option("value")
    until(lambda: titles(page) == sorted(TITLES, key=lambda title: VALUES[title]))
    page.get_by_role("button", name="Reverse the order").click()
    until(lambda: titles(page)[0] == "Old Oak")
    assert [VALUES[title] for title in titles(page)] == sorted(VALUES.values(), reverse=True)


def width(inside: Locator) -> float:
    box = inside.bounding_box()
    assert box is not None
    return box["width"]


def test_true_size_and_zoom(desk: Desk, page: Page) -> None:
    desk.open(page)
    face = card(page, "Early Bird").get_by_role("img", name="Early Bird, face")
    assert abs(width(face) - 63.5 * 96 / 25.4) < 1
    page.keyboard.press("Control+-")
    until(lambda: abs(width(face) - 0.9 * 63.5 * 96 / 25.4) < 1)
    page.get_by_role("slider", name="Zoom").fill("1")
    until(lambda: abs(width(face) - 2 * 63.5 * 96 / 25.4) < 1)
    bleed = 63.5 + 2 * 3.175
    wanted = round(bleed * 2 * 96 / 25.4)
    until(lambda: abs(face.locator("img").evaluate("image => image.naturalWidth") - wanted) <= 2)
    page.keyboard.press("Control+0")
    until(lambda: abs(width(face) - 63.5 * 96 / 25.4) < 1)


def test_by_keys_alone(desk: Desk, page: Page) -> None:
    desk.open(page)
    page.keyboard.press("Escape")
    expect(card(page, "Early Bird")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(card(page, "Night Owl")).to_be_focused()
    expect(card(page, "Night Owl")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(card(page, "Full Moon")).to_be_focused()
    page.keyboard.press("Enter")
    large = page.get_by_role("dialog", name="Full Moon")
    expect(large.get_by_role("img", name="Full Moon, face")).to_be_visible()
    expect(large.get_by_role("img", name="Full Moon, back")).to_be_visible()
    page.keyboard.press("f")
    expect(large.get_by_role("img", name="Full Moon, back")).to_be_hidden()
    page.keyboard.press("f")
    expect(large.get_by_role("img", name="Full Moon, face")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("dialog", name="Old Oak")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(card(page, "Old Oak")).to_be_focused()
    for number, name in enumerate(("Cards", "Sheets", "Rules", "Hand", "Changes"), 1):
        page.keyboard.press(str(number))
        expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("tabpanel", name=name)).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Search cards")).to_be_focused()


def test_other_eyes_and_overlays(desk: Desk, page: Page) -> None:
    desk.open(page)
    face = card(page, "Gardener").get_by_role("img", name="Gardener, face")
    card(page, "Gardener").click()
    seen = {face.screenshot()}
    inspector = page.get_by_role("complementary", name="Inspector")
    for vision in ("Gray", "Protanopia", "Deuteranopia", "Tritanopia"):
        inspector.get_by_role("combobox", name="Seen by").select_option(label=vision)
        until(lambda: face.screenshot() not in seen)
        seen.add(face.screenshot())
    before = width(face)
    inspector.get_by_role("button", name="Bleed").click()
    until(lambda: width(face) > before + 10)


def test_a_card_s_place_is_opened_in_the_editor(desk: Desk, page: Page) -> None:
    asked: list[Any] = []

    def answer(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or ""))
        route.fulfill(json={"opened": True})

    page.route("**/open", answer)
    desk.open(page)
    card(page, "Gardener").click()
    inspector = page.get_by_role("complementary", name="Inspector")
    inspector.get_by_role("button", name="data/owls/cards.yaml:").click()
    inspector.get_by_role("button", name="value", exact=True).click()
    page.get_by_text("Opened data/owls/cards.yaml").first.wait_for()
    text = desk.cards_file.read_text(encoding="utf-8").splitlines()
    first, second = (
        next(n for n, line in enumerate(text, 1) if words in line) for words in ("gardener", "value: 2")
    )
    until(lambda: len(asked) == 2)
    assert [(each["file"], each["line"]) for each in asked] == [
        ("data/owls/cards.yaml", first),
        ("data/owls/cards.yaml", second),
    ]
    desk.edit(desk.cards_file, "suit: leaf\n    value: 2", "suit: loaf\n    value: 2")
    row = findings(page).filter(has_text="loaf")
    row.get_by_role("button", name="data/owls/cards.yaml:").first.click()
    until(lambda: len(asked) == 3)
    assert text[asked[2]["line"] - 1].strip() == "suit: leaf"


def test_hands(desk: Desk, page: Page) -> None:
    desk.open(page)
    hand = view(page, "Hand")
    held = hand.get_by_role("list", name="Hand").get_by_role("listitem")
    expect(held).to_have_count(5)
    hand.get_by_role("textbox", name="Seed").fill("owls")
    hand.get_by_role("textbox", name="Seed").press("Enter")
    first = held.all_inner_texts()
    hand.get_by_role("button", name="Draw again").click()
    second = held.all_inner_texts()
    hand.get_by_role("button", name="The hand before").click()
    assert held.all_inner_texts() == first != second
    hand.get_by_role("spinbutton", name="Cards drawn").fill("3")
    expect(held).to_have_count(3)
    assert held.all_inner_texts() == first[:3]
    hand.get_by_role("searchbox", name="Cards that count").fill("suit:sun")
    odds = Fraction(comb(9, 3) - comb(6, 3), comb(9, 3))  # three of nine cards are suns
    region = hand.get_by_role("region", name="Odds")
    expect(region).to_contain_text(f"Exactly {odds.numerator} / {odds.denominator}")
    expect(region).to_contain_text(f"{float(odds * 100):.2f} %")
    expect(region).to_contain_text("Is there most often a sun in a hand of three?")


def test_the_pages_of_a_sheet(desk: Desk, page: Page) -> None:
    desk.open(page)
    sheets = view(page, "Sheets")
    pages = sheets.get_by_role("button", name=re.compile(r"^Page \d+ of \d+$"))
    expect(pages.first.locator("img")).to_be_visible()
    until(lambda: pages.locator("img").count() == pages.count())
    assert pages.count() >= 2  # faces, and backs
    shown = [pixels(each) for each in pages.all()]
    assert len(set(shown)) == len(shown)
    ratio = pages.first.locator("img").evaluate("image => image.naturalWidth / image.naturalHeight")
    assert abs(ratio - 8.5 / 11) < 0.01
    desk.edit(desk.cards_file, "title: Gardener", "title: Farmer")
    becomes_other(pages.first, shown[0])
    pages.first.click()
    expect(page.get_by_role("dialog", name="Page").get_by_role("img", name="Page 1")).to_be_visible()


def test_changes_since_the_last_commit(desk: Desk, page: Page) -> None:
    desk.open(page)
    changes = view(page, "Changes")
    expect(changes.get_by_text("No card differs from HEAD.")).to_be_visible()
    desk.edit(desk.cards_file, "Turn one of your", "Turn two of your")
    entry = changes.get_by_role("article").filter(has_text="Gardener")
    expect(entry).to_be_visible()
    old, new = entry.get_by_role("img", name="old face"), entry.get_by_role("img", name="new face")
    expect(old.locator("img")).to_be_visible()
    expect(new.locator("img")).to_be_visible()
    assert pixels(old) != pixels(new)
    assert entry.locator("del").all_inner_texts() == ["one"]
    assert entry.locator("ins").all_inner_texts() == ["two"]
    changes.get_by_role("button", name="Slider").click()
    slider = changes.get_by_role("slider")
    shots = []
    for cut in ("0", "100"):
        slider.fill(cut)
        shots.append(entry.screenshot())
    assert shots[0] != shots[1]
    commits = page.get_by_role("combobox", name="Compared with").get_by_role("option")
    assert any("The first owls" in text for text in commits.all_inner_texts())
    page.get_by_role("textbox", name="Any revision").fill("no-such")
    page.get_by_role("textbox", name="Any revision").press("Enter")
    expect(changes.get_by_text("Nothing can be compared")).to_be_visible()
    assert "Gardener" not in git(desk.project, "log", "--format=%s")


def test_what_changed_is_printed_alone(desk: Desk, page: Page) -> None:
    desk.open(page)
    desk.edit(desk.cards_file, "Turn one of your", "Turn two of your")
    changes = view(page, "Changes")
    expect(changes.get_by_role("article")).to_be_visible()
    before = set((desk.project / "output").rglob("*.pdf"))
    page.get_by_role("button", name="Print only what changed").click()
    until(lambda: bool(set((desk.project / "output").rglob("*.pdf")) - before))


def test_pdfs_are_built(desk: Desk, page: Page) -> None:
    desk.open(page)
    page.get_by_role("button", name="Print and export").click()
    page.get_by_role("button", name="Build PDFs").click()
    jobs = page.get_by_role("region", name="Jobs")
    expect(jobs.get_by_text(re.compile(r"\.pdf"))).to_be_visible()
    assert any((desk.project / "output" / "owls").glob("*.pdf"))


def test_at_800_by_600(desk: Desk, page: Page) -> None:
    page.set_viewport_size({"width": 800, "height": 600})
    desk.open(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 800
    expect(
        page.get_by_role("button", name="Print and export")
    ).to_be_visible()  # by name, though it is a sign
    page.get_by_role("button", name="Left panel").click()
    expect(
        page.get_by_role("listbox", name="Components").get_by_role("option", name="Cards")
    ).to_be_in_viewport()
    page.keyboard.press("Escape")
    card(page, "Night Owl").click()
    page.get_by_role("button", name="Right panel").click()
    expect(
        page.get_by_role("complementary", name="Inspector").get_by_role("heading", name="Night Owl")
    ).to_be_in_viewport()
    page.keyboard.press("Escape")
    for name in ("Sheets", "Rules", "Hand", "Changes"):
        expect(view(page, name)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 800
    view(page, "Cards")
    expect(cards(page).first).to_be_visible()
