"""Plays designers in the workbench, in a real browser, and takes a picture of each step.

    python benchmarks/personas.py FOLDER [--only hobbyist|professional|club]

The hobbyist drops a workbook of three sheets (XLSX), the professional begins with a starter (YAML), the
club drops a CSV file. They edit cards, mend a mistake, print, and export to Tabletop Simulator. Nothing is
typed into a shell after `cardgen preview`, and no file is edited by hand. A step that fails ends the
script.
The pictures are in FOLDER, numbered in their order.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from preview_browser import QUIET, chromium

from cardgen.files.table_sheets import Heading, Sheet
from cardgen.files.xlsx_writing import xlsx_bytes

WAIT_MS = 300_000
WIDE = {"width": 1280, "height": 800}
CARDS = [
    ("Ferry", "Boat", 2, 3, "Move two goods across the river."),
    ("Barge", "Boat", 3, 2, "Carries any number of goods, slowly."),
    ("Market", "Place", 4, 2, "Sell a good for its price in coins."),
    ("Mill", "Place", 3, 2, "Turn grain into bread: +1 coin."),
    ("Flood", "Event", 0, 1, "All boats return to their harbor."),
    ("Festival", "Event", 1, 1, "Each player draws a card."),
]
MINIS = [("Grain", 1, 8), ("Bread", 2, 6), ("Cloth", 3, 5)]
TOKENS = [("Coin", 1, 20), ("Purse", 5, 8)]


def workbook() -> bytes:
    """Return a workbook of cards, minis, tokens, and a sheet of notes that is skipped."""
    named = [Heading(name) for name in ("Name", "Type", "Cost", "Copies", "Text")]
    few = [Heading(name) for name in ("Name", "Value", "Copies")]
    return xlsx_bytes(
        [
            Sheet("Cards", tuple(named), tuple(CARDS)),
            Sheet("Minis", tuple(few), tuple(MINIS)),
            Sheet("Tokens", tuple(few), tuple(TOKENS)),
            Sheet("_Notes", (Heading("To do"),), (("Balance the boats",),)),
        ]
    )


class Script:
    """A page with steps, each with its picture."""

    def __init__(self, page: Page, folder: Path, person: str, home: Path) -> None:
        self.page, self._folder, self._person, self._number = page, folder, person, 0
        self._home = home
        self.edits = 0

    def picture(self, words: str) -> None:
        """Take a picture of a step."""
        self._number += 1
        name = f"{self._person}-{self._number:02}-{re.sub('[^a-z0-9]+', '-', words.lower())}.png"
        self.page.wait_for_timeout(400)
        self.page.screenshot(path=self._folder / name)
        print(f"{self._person} {self._number:02} {words}", flush=True)

    def view(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).first.click()

    def choose(self, title: str) -> None:
        """Select a card by its title."""
        self.view("Cards")
        cards = self.page.get_by_role("listbox", name="Cards", exact=True)
        cards.get_by_role("option", name=re.compile(f"^{title}\\b")).first.click()

    def field(self, name: str, value: str) -> None:
        """Type a value into a field of the inspector, and wait until it is saved."""
        entry = self.page.get_by_role("complementary", name="Inspector").get_by_label(name, exact=True)
        with self.page.expect_response(lambda answer: answer.url.endswith("/edit")) as caught:
            entry.fill(value)
        assert caught.value.json()["saved"], caught.value.text()
        self.edits += 1

    def cell(self, old: str, new: str) -> None:
        """Type into the cell of the table with a value."""
        grid = self.page.get_by_role("grid", name="Cards as a table")
        grid.get_by_role("gridcell", name=old, exact=True).first.click()
        with self.page.expect_response(lambda answer: answer.url.endswith("/edit")) as caught:
            self.page.keyboard.type(new)
            self.page.keyboard.press("Enter")
        assert caught.value.json()["saved"], caught.value.text()
        self.edits += 1

    def tool(self, name: str) -> None:
        """Click a button of the table that changes its rows."""
        with self.page.expect_response(lambda answer: answer.url.endswith("/edit")) as caught:
            self.page.get_by_role("button", name=name).click()
        assert caught.value.json()["saved"], caught.value.text()
        self.edits += 1

    def undo(self) -> None:
        with self.page.expect_response(lambda answer: answer.url.endswith("/undo")) as caught:
            self.page.get_by_role("button", name="Undo").click()
        assert caught.value.json()["saved"], caught.value.text()

    def job(self, title: str, begin: Callable[[], None]) -> None:
        """Begin a job and wait until it is done."""
        begin()
        card = self.page.locator(".job", has_text=title).last
        expect(card).to_have_class(re.compile(r"\b(done|failed|stopped)\b"), timeout=WAIT_MS)
        assert "done" in (card.get_attribute("class") or ""), card.inner_text()

    def panel(self) -> Locator:
        """Put old jobs away and open the panel for printing."""
        for _ in range(self.page.locator(".job").count()):
            self.page.locator(".job").get_by_role("button", name="Dismiss").first.click()
        self.page.get_by_role("button", name="Print and export").click()
        return self.page.locator(".menu:popover-open")

    def print(self, *, everything: bool = True, inks: str = "") -> None:
        """Build the PDFs of the sheets."""
        panel = self.panel()
        for tick in panel.locator(".ticks input").all() if everything else []:
            tick.check()
        if inks:
            panel.get_by_label("Inks").select_option(inks)
        self.picture("print panel")
        self.job("Building PDFs", panel.get_by_role("button", name="Build PDFs").click)
        self.picture("printed")

    def export(self, target: str) -> None:
        """Export to a program."""
        panel = self.panel()
        panel.get_by_label("Export to").select_option(target)
        self.job("Exporting", panel.get_by_role("button", name="Export", exact=True).click)
        self.picture("exported")

    def mend(self, title: str, field: str, wrong: str) -> None:
        """Save a wrong value all the same, see what it breaks, and bring the right one back."""
        self.choose(title)
        inspector = self.page.get_by_role("complementary", name="Inspector")
        inspector.get_by_label(field, exact=True).fill(wrong)
        inspector.get_by_role("button", name="Save it anyway").click()
        self.edits += 1
        expect(self.page.get_by_role("banner").get_by_role("button", name="finding")).to_contain_text(
            re.compile("[1-9]")
        )
        self.page.wait_for_timeout(1500)
        self.picture("a mistake")
        self.undo()
        self.page.wait_for_timeout(1500)
        self.picture("mended")

    def broken(self, file: str, old: str, new: str) -> None:
        """Have another program break the syntax of a file; bring back its last good version."""
        [path] = self._home.glob(f"*/data/*/{file}")
        good = path.read_text("utf-8")
        path.write_text(good.replace(old, new, 1), "utf-8")
        self.view("Cards")
        banner = self.page.locator(".banner")
        expect(banner).to_contain_text(file)
        self.picture("a broken file")
        banner.get_by_role("button", name="Bring back").click()
        expect(banner).to_be_hidden()
        assert path.read_text("utf-8") == good
        self.picture("brought back")

    def layout(self, sheet: str, layout: str) -> None:
        """Choose another layout for a sheet."""
        self.view("Settings")
        select = self.page.get_by_label(f"sheets {sheet} layout")
        with self.page.expect_response(lambda answer: answer.url.endswith("/knob")) as caught:
            select.select_option(layout)
        assert caught.value.json()["saved"], caught.value.text()
        self.picture("another layout")

    def sheets(self) -> None:
        self.view("Sheets")
        expect(self.page.locator(".pages .page img").first).to_be_visible(timeout=WAIT_MS)
        self.picture("sheets")


def drop(play: Script, name: str, content: bytes, kind: str) -> None:
    """Drop a spreadsheet on the start page and make the game."""
    page = play.page
    expect(page.locator(".tile img").first).to_be_visible(timeout=WAIT_MS)
    play.picture("an empty folder")
    file = {"name": name, "mimeType": kind, "buffer": content}
    page.get_by_label("Spreadsheet file").set_input_files(file)  # type: ignore[arg-type]
    expect(page.locator(".samples img").first).to_be_visible(timeout=WAIT_MS)
    play.picture("a dropped spreadsheet")
    page.get_by_role("button", name="Midnight", exact=True).click()
    expect(page.locator(".samples img").first).to_be_visible(timeout=WAIT_MS)
    play.picture("another look")
    page.get_by_role("button", name="Poster", exact=True).click()
    expect(page.locator(".samples img").first).to_be_visible(timeout=WAIT_MS)
    page.get_by_role("button", name="Make this game").click()
    expect(page.locator("cg-grid img").first).to_be_visible(timeout=WAIT_MS)
    page.wait_for_timeout(2500)
    play.picture("the game")


def hobbyist(play: Script) -> None:
    """A hobby designer with a workbook."""
    drop(
        play, "River.xlsx", workbook(), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    )
    play.choose("Ferry")
    play.field("name", "River ferry")
    play.field("text", "Move three goods across the river.")
    play.field("cost", "3")
    play.choose("Festival")
    play.field("text", "Each player draws two cards.")
    play.field("copies", "2")
    play.picture("edited in the inspector")
    table(play, {"Barge": "Long barge", "Market": "Great market"})
    play.sheets()
    play.mend("Mill", "cost", "many")
    play.broken("game.yaml", "title:", "title: '")
    play.print()
    sheet = play.page.evaluate("fetch('state.json').then((answer) => answer.json())")["sheets"][0]
    play.layout(sheet["name"], "sleeves")
    play.page.get_by_label("Kind of component").select_option("box")
    play.job("Adding", play.page.get_by_role("button", name="Add this component").click)
    play.picture("a box added")
    play.sheets()
    play.export("tts")


def table(play: Script, names: dict[str, str]) -> None:
    """Edit a component in the table: other names, a card more, one less, and back."""
    page = play.page
    play.view("Cards")
    page.get_by_role("listbox", name="Components").get_by_role("option").nth(1).click()
    page.get_by_role("button", name="Table", exact=True).click()
    for old, new in names.items():
        play.cell(old, new)
    grid = page.get_by_role("grid", name="Cards as a table")
    grid.get_by_role("gridcell", name=new, exact=True).first.click()
    play.tool("Duplicate")
    play.picture("edited in the table")
    grid.get_by_role("gridcell", name=new, exact=True).last.click()
    play.tool("Delete")
    play.tool("Add a card")
    play.undo()
    page.get_by_role("button", name="Table", exact=True).click()


def professional(play: Script) -> None:
    """A professional who begins with a starter, in YAML."""
    page = play.page
    page.get_by_role("button", name="Small deck").click()
    expect(page.locator(".samples img").first).to_be_visible(timeout=WAIT_MS)
    play.picture("a starter")
    page.get_by_role("button", name="Make this game").click()
    expect(page.locator("cg-grid img").first).to_be_visible(timeout=WAIT_MS)
    play.choose("Gardener")
    play.field("title", "Head gardener")
    play.field("value", "3")
    play.choose("Old Oak")
    play.field("title", "Oldest oak")
    play.field("value", "4")
    play.picture("edited in the inspector")
    table(play, {"Night Owl": "Barn owl", "Long Lunch": "Longer lunch"})
    play.view("Settings")
    with page.expect_response(lambda answer: answer.url.endswith("/knob")):
        page.get_by_label("theme hues sun", exact=True).fill("#8a1f5c")
    play.picture("a color of the theme")
    page.get_by_label("Kind of component").select_option("tokens")
    play.job("Adding", page.get_by_role("button", name="Add this component").click)
    play.picture("tokens added")
    play.mend("Oldest oak", "value", "many")
    play.broken("cards.yaml", "cards:", "cards: [")
    play.print(inks="x4")
    play.layout("poker", "sleeves")
    play.sheets()
    play.export("tts")


def club(play: Script) -> None:
    """A club with a CSV file."""
    rows = [("Name", "Type", "Cost", "Copies", "Text"), *CARDS]
    text = "\n".join(",".join(f'"{each}"' for each in row) for row in rows)
    drop(play, "Harbor.csv", text.encode(), "text/csv")
    play.choose("Flood")
    play.field("text", "All boats return to their harbor, and wait.")
    play.field("copies", "2")
    play.choose("Mill")
    play.field("name", "Old mill")
    play.field("text", "Turn grain into bread: +2 coins.")
    play.field("cost", "4")
    play.picture("edited in the inspector")
    table(play, {"Market": "Great market", "Ferry": "River ferry"})
    play.page.set_viewport_size({"width": 800, "height": 600})
    play.page.get_by_role("banner").get_by_role("button", name="finding").click()
    play.picture("findings in a small window")
    play.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    play.view("Rules")
    play.picture("rules")
    play.mend("Barge", "cost", "many")
    play.broken("game.yaml", "components:", "components")
    play.print()
    play.layout("poker", "sleeves")
    play.sheets()
    play.export("tts")


PEOPLE = {each.__name__: each for each in (hobbyist, professional, club)}


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Give the address of the workbench of an empty folder."""
    command = [sys.executable, "-P", "-m", "cardgen", "preview"]
    environment = {**os.environ, "CARDGEN_CACHE": str(folder / "cache")}
    home = folder / "games"
    home.mkdir()
    with subprocess.Popen(command, cwd=home, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip().partition(": ")[2]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def played(browser: Browser, person: str, pictures: Path) -> None:
    """Play one person."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address:
        page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]
        page.set_default_timeout(WAIT_MS)
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        play = Script(page, pictures, person, Path(folder) / "games")
        try:
            PEOPLE[person](play)
        except BaseException:
            play.picture("it failed here")
            raise
        files = sorted(
            path.relative_to(folder) for path in Path(folder).rglob("output/**/*") if path.is_file()
        )
        print(f"{person}: {play.edits} edits, {len(files)} files, {time.monotonic() - begun:.0f} s")
        assert not complaints, complaints
        page.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=PEOPLE)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(QUIET))
        for person in [given.only] if given.only else PEOPLE:
            played(browser, person, given.folder)
        browser.close()


if __name__ == "__main__":
    main()
