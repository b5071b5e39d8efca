"""A game in its languages and inks, a server that goes away, and a large game."""

from __future__ import annotations

import re
import shutil
import signal
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from cardgen.cli.main import main
from tests.workbench.desk import Desk, becomes_other, card, cards, greyed, owls, pixels, titles, until, view
from tests.workbench.served import PATIENCE_S, served

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]


def translated(folder: Path) -> Path:
    """The owls, with a title in German and all else as it is."""
    project = owls(folder)
    game = project / "data" / "owls" / "game.yaml"
    game.write_text(f"{game.read_text(encoding='utf-8')}languages: {{de: {{}}}}\n", encoding="utf-8")
    assert main(["translate", "owls", "--language", "de", "--project", str(project)]) == 0
    texts = project / "data" / "owls" / "de" / "texts.po"
    whole = re.sub(
        r'(?s)msgid ("(?:.(?!\nmsgstr))*.)\nmsgstr ""\n(?!")',
        r"msgid \1\nmsgstr \1\n",
        texts.read_text(encoding="utf-8"),
    )
    texts.write_text(whole.replace('msgstr "Early Bird"', 'msgstr "Früher Vogel"'), encoding="utf-8")
    return project


def test_languages_and_inks_and_a_server_that_ends(
    tmp_path: Path, page: Page, complaints: list[str]
) -> None:
    project = translated(tmp_path)
    with served(project) as shop:
        desk = Desk(shop, project)
        desk.open(page)
        tile = card(page, "Early Bird")
        full = pixels(tile)
        page.get_by_role("button", name="en, full ink").click()
        page.get_by_role("button", name="Low ink", exact=True).click()
        light = becomes_other(tile, full)
        page.get_by_role("button", name="en, low ink").click()
        page.get_by_role("button", name="de", exact=True).click()
        expect(card(page, "Früher Vogel")).to_be_visible()
        german = card(page, "Früher Vogel")
        until(lambda: pixels(german) not in (full, light))
        page.get_by_role("button", name="de, low ink").click()
        page.get_by_role("button", name="Full ink", exact=True).click()
        page.get_by_role("button", name="de, full ink").click()
        page.get_by_role("button", name="en", exact=True).click()
        until(lambda: pixels(tile) == full)
        desk.edit(desk.cards_file, "title: Gardener", "title: Farmer")
        expect(card(page, "Farmer")).to_be_visible()

        shop.process.send_signal(signal.SIGKILL)
        shop.process.wait(PATIENCE_S)
        expect(page.get_by_role("banner")).to_contain_text("Not connected")
        assert titles(page)[2] == "Farmer"  # what was shown stays
        assert pixels(tile) == full
        token = urlsplit(shop.address).path
    complaints[:] = [each for each in complaints if "net::ERR_" not in each]
    with served(project, "--port", str(shop.port)) as again:
        assert urlsplit(again.address).path != token  # a page of the one before may ask nothing of it
        expect(page.get_by_role("banner")).to_contain_text("Not connected")
        page.goto("about:blank")
        complaints[:] = [each for each in complaints if "404" not in each]  # the new one refuses that page
        Desk(again, project).open(page)
        expect(page.get_by_role("banner")).not_to_contain_text("Not connected")
        page.goto("about:blank")
    complaints[:] = [each for each in complaints if "net::ERR_" not in each]


@pytest.mark.long
def test_a_large_game(tmp_path: Path, page: Page) -> None:
    for name in ("data", "schemas", "templates", "fonts"):
        shutil.copytree(ROOT / name, tmp_path / name)
    with served(tmp_path, "ptsd") as shop:
        page.goto(shop.address)
        expect(cards(page).first.locator("img")).to_be_visible()
        shown = int(page.get_by_role("tab", name="Cards").inner_text().split()[-1])
        assert shown == len(shop.ask("state.json").json["cards"]) > 50
        expect(cards(page)).to_have_count(shown)
        drawn = page.locator("cg-side img").count()
        assert 0 < drawn < shown / 2  # what is far from the screen isn't drawn
        last = cards(page).last
        last.scroll_into_view_if_needed()
        expect(last.locator("img").first).to_be_visible()
        assert not greyed(last)
        rules = view(page, "Rules")
        expect(rules.get_by_role("group").first).to_be_visible()
        page.keyboard.press("4")
        expect(page.get_by_role("list", name="Hand").get_by_role("listitem")).to_have_count(5)
        page.goto("about:blank")
