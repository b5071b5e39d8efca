"""Files are edited while a page shows the game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from cardgen.commands.data.new import new_project
from tests.sampling import one_in
from tests.workbench.desk import (
    Desk,
    becomes_other,
    card,
    findings,
    forgive,
    greyed,
    pixels,
    titles,
    until,
    view,
)
from tests.workbench.served import served


def test_a_card_changes_where_it_stands_on_every_page(desk: Desk, page: Page) -> None:
    desk.open(page)
    second = card(desk.open(page.context.new_page()), "Gardener")
    tile, other = card(page, "Gardener"), card(page, "Night Owl")
    before, others, at = pixels(tile), pixels(other), tile.bounding_box()
    desk.edit(desk.cards_file, "Turn one of your", "Turn two of your")
    now = becomes_other(tile, before)
    assert becomes_other(second, before) == now
    assert tile.bounding_box() == at
    assert pixels(other) == others
    desk.edit(desk.cards_file, "title: Gardener", "title: Gardeners")
    expect(card(page, "Gardeners")).to_be_visible()
    assert titles(page)[2] == "Gardeners"
    desk.edit(desk.cards_file, "title: Gardeners", "title: Gardener")
    desk.edit(desk.cards_file, "Turn two of your", "Turn one of your")
    until(lambda: pixels(tile) == before)


TITLES = ["Early Bird", "Night Owl", "Gardener", "Long Lunch", "Full Moon", "Old Oak"]
BREAKS = {
    "data": ("data/owls/cards.yaml", "title: Gardener", 'title: "Gardener'),
    "game": ("data/owls/game.yaml", "components:", "components: ["),
    "schema": ("schemas/owls/cards.schema.json", '"type": "object",', '"type": "object"'),
    "template": ("templates/owls/card.svg", "{{ card.value }}", "{{ card.value "),
    "drawing": ("templates/owls/card.svg", "</svg>", "</svgs>"),
}


@pytest.mark.parametrize("what", one_in(6, BREAKS))
def test_what_is_broken_is_said_and_the_last_picture_stays_grey(
    desk: Desk, page: Page, complaints: list[str], what: str
) -> None:
    path, old, new = BREAKS[what]
    desk.open(page)
    tile = card(page, "Gardener")
    before = pixels(tile)
    place = findings(page).get_by_role("button", name=f"{path}:")
    expect(place).to_have_count(0)
    desk.edit(desk.project / path, old, new)
    expect(place.first).to_be_visible()
    expect(tile.get_by_role("img", name="the last good picture")).to_be_visible()
    expect(tile.get_by_text("last good picture")).to_be_visible()
    assert greyed(tile)
    assert pixels(tile) == before
    desk.edit(desk.project / path, new, old)
    expect(place).to_have_count(0)
    expect(tile.get_by_role("img", name="the last good picture")).to_have_count(0)
    assert not greyed(tile)
    assert pixels(tile) == before
    forgive(complaints, "/side/")  # that a drawing is in error shows when its picture is asked for


def test_the_inspector_shows_the_cause_where_a_file_is_broken(desk: Desk, page: Page) -> None:
    desk.open(page)
    card(page, "Gardener").click()
    inspector = page.get_by_role("complementary", name="Inspector")
    own = inspector.get_by_role("listitem")
    expect(own).to_have_count(0)
    desk.edit(desk.cards_file, "title: Gardener", "tilte: Gardener")
    expect(own.filter(has_text="tilte").first).to_be_visible()
    until(lambda: desk.shop.ask("rules.json").json["running"] == [])  # a check has found it as well
    last = desk.cards_file.read_text(encoding="utf-8").rindex("title:")
    text = desk.cards_file.read_text(encoding="utf-8")
    desk.cards_file.write_text(f"{text[:last]}title: ]{text[last:]}", encoding="utf-8")
    line = text[:last].count("\n") + 1
    expect(own).to_have_count(1)
    expect(own.get_by_role("button", name=f"cards.yaml:{line}")).to_be_visible()
    until(lambda: desk.shop.ask("rules.json").json["running"] == [])
    expect(own).to_have_count(1)
    expect(own.get_by_role("button", name=f"cards.yaml:{line}")).to_be_visible()


@pytest.mark.long
def test_a_renamed_card_stays_selected(page: Page, tmp_path: Path) -> None:
    """Of two cards of one title, each with an id made from it, the first is renamed."""
    project = new_project("owls", tmp_path)
    file = project / "data" / "owls" / "cards.csv"
    rows = ["title,suit,value,text", "Guard,sun,1,First.", "Guard,moon,2,Second.", "Fox,leaf,3,Third.", ""]
    file.write_text("\n".join(rows), encoding="utf-8")
    manifest = project / "data" / "owls" / "game.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("data: cards.yaml", "data: cards.csv"), encoding="utf-8")
    inspector = page.get_by_role("complementary", name="Inspector")
    with served(project) as shop:
        page.goto(shop.address)
        card(page, "Guard").first.click()
        expect(inspector.get_by_text("First.")).to_be_visible()
        for title in ("Warden", "Fox", "Guard"):
            rows[1] = f"{title},sun,1,First."
            file.write_text("\n".join(rows), encoding="utf-8")
            expect(inspector.get_by_role("heading", name=title)).to_be_visible()
            expect(inspector.get_by_text("First.")).to_be_visible()
        page.goto("about:blank")


@pytest.mark.long
def test_a_file_that_is_half_written(desk: Desk, page: Page) -> None:
    desk.open(page)
    tile = card(page, "Gardener")
    before = pixels(tile)
    whole = desk.cards_file.read_bytes()
    for content in (whole[: len(whole) // 2] + b"\xc3", b"", whole[:-7]):
        desk.cards_file.write_bytes(content)
        expect(page.get_by_role("button", name=re.compile(r"^\d+ finding"))).to_be_visible()
        assert titles(page) == TITLES
        assert pixels(tile) == before
    desk.cards_file.write_bytes(whole.replace(b"twice", b"thrice"))
    becomes_other(tile, before)
    expect(page.get_by_role("button", name="No findings")).to_be_visible()


def test_words_that_don_t_fit_are_marked(desk: Desk, page: Page) -> None:
    desk.open(page)
    tile = card(page, "Old Oak")
    before = pixels(tile)
    desk.edit(desk.cards_file, "text: This card", f"text: {'This card is far too old. ' * 30}This card")
    expect(tile.get_by_role("img", name="its problems are marked")).to_be_visible()
    assert becomes_other(tile, before)
    tile.click()
    inspector = page.get_by_role("complementary", name="Inspector")
    expect(inspector.get_by_role("region", name="Findings").get_by_role("listitem").first).to_be_visible()
    page.get_by_role("combobox", name="Search cards").fill("is:marked")
    expect(card(page, "Gardener")).to_have_count(0)
    assert titles(page) == ["Old Oak"]


def test_the_verdict_of_a_rule_follows_its_bound(desk: Desk, page: Page) -> None:
    desk.open(page)
    rules = view(page, "Rules")
    held = rules.locator("details.rule").filter(has_text="Are there enough cards")
    expect(held).to_contain_text("Holds")
    rules_file = desk.project / "data" / "owls" / "rules.yaml"
    desk.edit(rules_file, "min: 9", "min: 10")
    expect(held).to_contain_text("Fails")
    said = findings(page).filter(has_text="data/owls/rules.yaml:")
    desk.edit(rules_file, "min: 10", "min: [")
    expect(said.first).to_be_visible()
    desk.edit(rules_file, "min: [", "min: 8")
    expect(held).to_contain_text("Holds")
    expect(said).to_have_count(0)


def test_cards_come_and_go_and_a_template_changes_them_all(desk: Desk, page: Page) -> None:
    desk.open(page)
    tiles = [card(page, title) for title in titles(page)[:3]]
    before = [pixels(tile) for tile in tiles]
    desk.edit(desk.template, 'stroke-width="0.4"', 'stroke-width="2.4"')
    after = [becomes_other(tile, was) for tile, was in zip(tiles, before)]
    assert len({*before, *after}) == 6
    desk.edit(desk.cards_file, "  - id: old-oak", "  - id: young-oak")
    desk.edit(
        desk.cards_file,
        "cards:\n",
        "cards:\n  - {id: newt, title: Newt, suit: moon, value: 9, text: A newt., copies: 3}\n",
    )
    expect(card(page, "Newt")).to_be_visible()
    assert titles(page)[0] == "Newt"
    expect(card(page, "Newt")).to_contain_text("×3")
    assert len(titles(page)) == 7


def test_banner_names_the_broken_file_over_the_last_good_pictures(desk: Desk, page: Page) -> None:
    desk.open(page)
    banner = page.locator(".banner")
    expect(banner).to_be_hidden()
    desk.edit(desk.cards_file, "title: Gardener", 'title: "Gardener')
    expect(banner).to_contain_text(
        "data/owls/cards.yaml can’t be read: 6 cards show their last good picture"
    )
    expect(banner.get_by_role("button", name="data/owls/cards.yaml:")).to_be_visible()
    desk.edit(desk.cards_file, 'title: "Gardener', "title: Gardener")
    expect(banner).to_be_hidden()
