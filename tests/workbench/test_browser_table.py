"""The cards of a component as a table: cells, rows, rows from a spreadsheet."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.for_each import for_each
from tests.workbench.desk import Desk, until

_PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.querySelector(".table-scroller").dispatchEvent(event);
}"""


def table(desk: Desk, page: Page) -> Locator:
    desk.open(page)
    page.get_by_role("button", name="Table", exact=True).click()
    grid = page.get_by_role("grid", name="Cards as a table")
    expect(grid.get_by_role("rowheader")).to_have_count(6)
    return grid


def text(desk: Desk) -> str:
    return desk.cards_file.read_text(encoding="utf-8")


def test_cells_are_typed_and_invalid_ones_wait_for_the_designer(desk: Desk, page: Page) -> None:
    grid = table(desk, page)
    grid.get_by_role("gridcell", name="Gardener", exact=True).click()
    page.keyboard.type("Digger")
    page.keyboard.press("Tab")
    until(lambda: "title: Digger\n" in text(desk))
    page.keyboard.type("star")
    page.keyboard.press("Enter")
    trouble = page.locator(".table-trouble")
    expect(trouble).to_contain_text("'star'")
    assert "star" not in text(desk).partition("gardener")[2].partition("value")[0]
    trouble.get_by_role("button", name="Save anyway").click()
    until(lambda: "suit: star\n" in text(desk))
    expect(grid.get_by_role("rowheader").nth(2)).to_have_class("cell number error")


def test_rows_are_added_duplicated_deleted_and_brought_back(desk: Desk, page: Page) -> None:
    first = text(desk)
    grid = table(desk, page)
    grid.get_by_role("gridcell", name="Gardener", exact=True).click()
    page.get_by_role("button", name="Duplicate").click()
    until(lambda: "id: gardener-2\n    title: Gardener\n" in text(desk))
    expect(grid.get_by_role("rowheader")).to_have_count(7)
    page.get_by_role("button", name="Add a card").click()
    until(lambda: "id: new-card\n" in text(desk))
    expect(grid.get_by_role("rowheader")).to_have_count(8)
    grid.get_by_role("rowheader").nth(7).click()
    page.get_by_role("button", name="Delete").click()
    until(lambda: "id: new-card\n" not in text(desk))
    expect(grid.get_by_role("rowheader")).to_have_count(7)
    for _ in range(3):
        grid.press("Control+z")
        page.wait_for_timeout(100)
    until(lambda: text(desk) == first)


def test_rows_of_a_spreadsheet_change_cards_by_id_and_add_others(desk: Desk, page: Page) -> None:
    grid = table(desk, page)
    grid.click()
    page.evaluate(
        _PASTE,
        'id\ttitle\tvalue\tsuit\ttext\nold-oak\tOlder Oak\t5\tleaf\t"Two\nlines."\n\tFox\t3\tsun\tRun.',
    )
    until(lambda: "id: fox\n" in text(desk))
    assert "id: old-oak\n    title: Older Oak\n" in text(desk)
    expect(grid.get_by_role("rowheader")).to_have_count(7)


def test_headings_sort_up_down_and_as_in_the_file_while_cards_change(desk: Desk, page: Page) -> None:
    grid = table(desk, page)
    titles = grid.locator('.table-row .cell[data-column="1"]')
    in_file = titles.all_inner_texts()
    heading = grid.get_by_role("button", name="title")
    heading.evaluate("each => { globalThis.heading = each }")
    grid.get_by_role("gridcell", name="Gardener", exact=True).click()
    page.keyboard.type("Digger")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("Delver")  # before the answer to the first
    page.keyboard.press("Enter")
    until(lambda: "title: Delver\n" in text(desk))
    expect(page.locator(".table-trouble")).to_be_hidden()
    assert page.evaluate("heading.isConnected")
    named = ["Delver" if each == "Gardener" else each for each in in_file]
    for order in (sorted(named), sorted(named, reverse=True), named):
        heading.click()
        expect(titles).to_have_text(order)


@for_each(
    "words, rows",
    [
        ("a\tb\nc\td", [["a", "b"], ["c", "d"]]),
        ('"a\tb"\t"say ""hi"""\r\n\r\nc\t', [["a\tb", 'say "hi"'], ["c", ""]]),
        ('"open', [["open"]]),
        ("", []),
    ],
)
def test_rows_on_the_clipboard_are_parted(desk: Desk, page: Page, words: str, rows: Any) -> None:
    desk.open(page)
    script = "async words => (await import('./pasting.js')).parseRows(words)"
    assert page.evaluate(script, words) == rows
