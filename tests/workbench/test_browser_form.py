"""Values that are typed into the inspector."""

from __future__ import annotations

import base64

from playwright.sync_api import Locator, Page, Route, expect

from tests.workbench.desk import Desk, becomes_other, card, pixels, until

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>'


def inspector(desk: Desk, page: Page, title: str) -> Locator:
    desk.open(page)
    card(page, title).click()
    found = page.get_by_role("complementary", name="Inspector")
    expect(found.get_by_label("title", exact=True)).to_have_value(title)
    return found


def test_typed_text_is_saved_drawn_undone_and_redone(desk: Desk, page: Page) -> None:
    form = inspector(desk, page, "Gardener")
    first, tile = desk.cards_file.read_text(), card(page, "Gardener")
    before = pixels(tile)
    form.get_by_label("title", exact=True).press_sequentially("s")
    until(lambda: "title: Gardeners\n" in desk.cards_file.read_text())
    becomes_other(card(page, "Gardeners"), before)
    page.get_by_role("button", name="Undo", exact=False).click()
    until(lambda: desk.cards_file.read_text() == first)
    expect(form.get_by_label("title", exact=True)).to_have_value("Gardener")
    form.get_by_role("heading", name="Data").click()
    page.keyboard.press("Control+Shift+Z")
    until(lambda: "title: Gardeners\n" in desk.cards_file.read_text())


def test_picture_comes_before_the_value_is_saved_and_goes_with_one_that_is_refused(
    desk: Desk, page: Page
) -> None:
    form = inspector(desk, page, "Gardener")
    first, tile = desk.cards_file.read_text(), card(page, "Gardener")
    before = pixels(tile)
    held: list[Route] = []
    page.route("**/edit", lambda route: held.append(route))
    form.get_by_label("title", exact=True).press_sequentially("s")
    until(lambda: page.wait_for_timeout(20) is None and bool(held) and pixels(tile) != before)
    assert desk.cards_file.read_text() == first
    page.unroute("**/edit")  # which lets the held one go on
    until(lambda: "title: Gardeners\n" in desk.cards_file.read_text())
    titled = pixels(card(page, "Gardeners"))
    form.get_by_label("value", exact=True).fill("99")
    expect(form.get_by_role("button", name="Save it anyway")).to_be_visible()
    until(lambda: pixels(card(page, "Gardeners")) == titled)


def test_choices_numbers_and_icons_are_proposed(desk: Desk, page: Page) -> None:
    form = inspector(desk, page, "Gardener")
    form.get_by_label("suit", exact=True).select_option("moon")
    until(lambda: "title: Gardener\n    suit: moon\n" in desk.cards_file.read_text())
    form.get_by_label("value", exact=True).press("ArrowUp")
    until(lambda: "suit: moon\n    value: 3\n" in desk.cards_file.read_text())
    form.get_by_label("text", exact=True).press("Control+End")
    form.get_by_label("text", exact=True).press_sequentially(" :le", delay=80)  # saved after each key
    expect(form.get_by_role("option", name=":leaf:")).to_be_visible()
    page.keyboard.press("Enter")
    until(lambda: "at the end. :leaf:\n" in desk.cards_file.read_text())


def test_invalid_value_is_said_at_its_field_and_saved_on_request(desk: Desk, page: Page) -> None:
    form = inspector(desk, page, "Gardener")
    first = desk.cards_file.read_text()
    form.get_by_label("value", exact=True).fill("many")
    expect(form.get_by_text("'many' is not a whole number")).to_be_visible()
    assert desk.cards_file.read_text() == first
    form.get_by_role("button", name="Save it anyway").click()
    until(lambda: "value: many\n" in desk.cards_file.read_text())


def test_value_that_changed_elsewhere_shows_both_versions(desk: Desk, page: Page) -> None:
    form = inspector(desk, page, "Gardener")
    title = form.get_by_label("title", exact=True)
    title.focus()
    desk.edit(desk.cards_file, "title: Gardener", "title: Digger")
    expect(card(page, "Digger")).to_be_visible()
    title.press("End")
    title.press_sequentially("s")
    box = form.get_by_role("alert")
    expect(box).to_contain_text("Digger")
    expect(box).to_contain_text("Gardeners")
    assert "title: Digger\n" in desk.cards_file.read_text()
    box.get_by_role("button", name="Save mine").click()
    until(lambda: "title: Gardeners\n" in desk.cards_file.read_text())


def test_dropped_picture_is_saved_among_the_art(desk: Desk, page: Page) -> None:
    desk.edit(desk.cards_file, "title: Gardener\n", "title: Gardener\n    art: leaf.svg\n")
    schema = desk.project / "schemas/owls/cards.schema.json"
    desk.edit(schema, '"value": {', '"art": { "type": "string" }, "value": {')
    form = inspector(desk, page, "Gardener")
    form.get_by_label("art: file").set_input_files(
        {"name": "My Owl.SVG", "mimeType": "image/svg+xml", "buffer": SVG}
    )
    until(lambda: "art: my-owl.svg\n" in desk.cards_file.read_text())
    assert (desk.project / "templates/owls/art/my-owl.svg").read_bytes() == SVG
    body = {"component": "cards", "name": "x.py", "data": base64.b64encode(b"x").decode()}
    assert desk.shop.ask("art", method="POST", body=body).status == 400
    body["name"] = "../../a.svg"
    assert desk.shop.ask("art", method="POST", body=body).json["file"] == "templates/owls/art/a.svg"


def test_playtest_is_recorded_in_a_file(desk: Desk, page: Page) -> None:
    desk.open(page)
    page.get_by_role("button", name="Theme and keys").click()
    page.get_by_role("button", name="Record a playtest").click()
    form = page.get_by_role("dialog", name="Record a playtest")
    form.get_by_label("Date").fill("2026-03-01")
    form.get_by_label("Players").fill("3")
    form.get_by_label("Gardener: Played").fill("1")
    form.get_by_role("button", name="Save the record").click()
    expect(form.get_by_role("alert")).to_contain_text("drawn 0 times")
    form.get_by_label("Gardener: Drawn").fill("2")
    form.get_by_role("button", name="Save the record").click()
    record = desk.project / "data/owls/playtests/2026-03-01.yaml"
    until(record.exists)
    assert '"gardener": {"drawn": 2, "played": 1, "won": 0}' in record.read_text()
    expect(form).to_be_hidden()
