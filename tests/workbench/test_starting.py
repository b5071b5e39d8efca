"""The page that is shown where there is no game yet."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cardgen.commands.data.new import new_project
from cardgen.core.findings import UsageError
from cardgen.workbench.server.uploads import Uploads
from tests.for_each import for_each
from tests.workbench.served import Served, served

DECK = "Name,Type,Cost,Copies,Text\nFox,Beast,2,3,Draw a card.\nOwl,Beast,1,2,Look at a hand.\n"


def sent(name: str, content: str = DECK) -> dict[str, Any]:
    return {"files": [{"name": name, "data": base64.b64encode(content.encode()).decode()}]}


def post(shop: Served, action: str, body: dict[str, Any]) -> tuple[int, Any]:
    answer = shop.ask(f"start/{action}", method="POST", body=body)
    return answer.status, answer.json


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def shop(folder: Path) -> Iterator[Served]:
    new_project("owls", folder)
    with served(folder) as running:
        yield running


def test_start_page_lists_starters_and_games_of_the_folder(shop: Served, folder: Path) -> None:
    about = shop.ask("start.json").json
    assert about["folder"] == folder.name
    assert about["games"] == [{"folder": "owls", "game": "owls"}]
    assert {"", "poker", "tokens"} <= {each["name"] for each in about["starters"]}
    [first, *_] = shop.ask("starter.json?name=").json["pictures"]
    assert first["title"] == "Early Bird"
    picture = shop.ask(f"picture/{first['key']}.png")
    assert (picture.status, picture.body[:4]) == (200, b"\x89PNG")
    assert shop.ask("picture/x.png").status == 404
    assert shop.ask("starter.json?name=none").status == 400


def test_only_what_is_offered_is_made_or_opened(shop: Served, folder: Path) -> None:
    before = sorted(folder.iterdir())
    for body in ({"folder": "..", "game": "owls"}, {"folder": "owls", "game": "x"}, {"folder": None}):
        assert post(shop, "open", body)[0] == 400, body
    for name in ("../x", "A B", "", None, "/tmp/x"):
        assert post(shop, "new", {"name": name, "starter": ""})[0] == 400, name
    assert post(shop, "new", {"name": "x", "starter": "none"})[0] == 409
    assert post(shop, "new", {"name": "owls", "starter": ""})[0] == 409
    assert post(shop, "sample", {"upload": 99, "file": "deck.csv"})[0] == 400
    assert [each["name"] for each in shop.ask("start.json").json["looks"]] == [
        "poster",
        "midnight",
        "mosaic",
    ]
    _, upload = post(shop, "upload", sent("a.csv", "Name\n"))
    assert post(shop, "sample", {**upload, "file": "a.csv", "look": "sevn"})[0] == 400
    status, refusal = post(shop, "sample", {"upload": upload["upload"], "file": "a.csv"})
    assert (status, refusal["findings"][0]["code"]) == (409, "tables/empty")
    for file in ("../a.csv", "b.csv", "/etc/passwd"):
        assert post(shop, "new", {"name": "x", "upload": upload["upload"], "file": file})[0] == 400, file
    assert shop.ask("/start.json", whole=True).status == 404
    assert (
        shop.ask("start/new", method="POST", body={}, headers={"Origin": "http://x.example"}).status == 403
    )
    assert sorted(folder.iterdir()) == before


@pytest.mark.long
def test_dropped_spreadsheet_becomes_the_game_that_is_shown(shop: Served, folder: Path, page: Page) -> None:
    page.goto(shop.address)
    file = {"name": "My Deck.csv", "mimeType": "text/csv", "buffer": DECK.encode()}
    page.get_by_label("Spreadsheet file").set_input_files(file)
    dialog = page.get_by_role("dialog", name="My Deck.csv")
    expect(dialog.get_by_role("img")).to_have_count(2)
    expect(dialog).to_contain_text("5 cards")
    assert not (folder / "my-deck").exists()
    dialog.get_by_role("button", name="Midnight").click()
    expect(dialog).to_contain_text("gold ornaments")
    expect(dialog.get_by_role("img")).to_have_count(2)
    dialog.get_by_label("Name of its folder").fill("foxes")
    dialog.get_by_role("button", name="Make this game").click()
    expect(page.get_by_role("option", name="Fox")).to_be_visible()
    assert (folder / "foxes/data/foxes/deck.csv").read_text() == DECK
    assert (folder / "foxes/templates/foxes/midnight-scenes.svg").is_file()
    assert shop.ask("start/new", method="POST", body={"name": "y", "starter": ""}).status in (404, 405)


@for_each("name", ["../a.csv", ".a.csv", "a/b.csv", "a\\b.csv", "a.py", "", "a\n.csv"])
def test_upload_of_another_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        Uploads(tmp_path).put(sent(name), [".csv"])
    assert not list(tmp_path.rglob("*.*"))


@pytest.mark.long
def test_uploads_stay_in_a_folder_each(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    first = uploads.put(sent("a.csv", "1"), [".csv"])["upload"]
    second = uploads.put(sent("a.csv", "2"), [".csv"])["upload"]
    assert uploads.put({**sent("b.csv"), "to": first}, [".csv"])["upload"] == first
    assert uploads.file(second, "a.csv").read_text() == "2"
    assert uploads.file(first, "a.csv").parent == uploads.file(first, "b.csv").parent
    with pytest.raises(UsageError):
        uploads.file(second, "b.csv")
