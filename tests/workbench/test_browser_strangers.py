"""A game from a stranger, whose every text tries to be more than text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from cardgen.commands.data.new import new_project
from tests.repositories import commit
from tests.workbench.desk import card, cards, findings, view
from tests.workbench.served import served

IMAGE = "<img src=x onerror=window.owned=1>"
SCRIPT = "<script>window.owned=2</script>"
LINK = "javascript:window.owned=3"
ATTRIBUTE = '" onmouseover=window.owned=4 x="\''
STYLE = "</style><svg onload=window.owned=5>"
ALL = f"{IMAGE}{SCRIPT}{LINK}{ATTRIBUTE}{STYLE}"


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    project = new_project("owls", tmp_path)
    data = project / "data" / "owls"
    quoted = [json.dumps(each) for each in (IMAGE, SCRIPT, LINK, ATTRIBUTE, STYLE)]
    entries = [
        f"  - {{id: card-{number}, title: {text}, suit: sun, value: {number + 1}, text: {json.dumps(ALL)},"
        f" {text}: {text}, nested: {{{text}: [{text}]}}}}\n"
        for number, text in enumerate(quoted)
    ]
    (data / "cards.yaml").write_text("cards:\n" + "".join(entries), encoding="utf-8")
    schema = project / "schemas" / "owls" / "cards.schema.json"
    schema.write_text(
        schema.read_text(encoding="utf-8").replace('"unevaluatedProperties": false,', ""), encoding="utf-8"
    )
    game = data / "game.yaml"
    text = game.read_text(encoding="utf-8")
    for old, new in {
        "title: Owls": f"title: {json.dumps(IMAGE + SCRIPT)}",
        "title: Cards": f"title: {quoted[0]}",
        "author: Your name": f"author: {quoted[1]}",
    }.items():
        text = text.replace(old, new)
    game.write_text(text, encoding="utf-8")
    (data / "rules.yaml").write_text(
        f"rules:\n  - {{id: a-rule, question: {json.dumps(ALL)}, why: {quoted[0]}, kind: count, min: 99,"
        f" component: cards}}\n",
        encoding="utf-8",
    )
    commit(project, ALL)
    return project


def owned(page: Page) -> bool:
    return bool(
        page.evaluate(
            "'owned' in window"
            " || document.querySelector('img[src=x], [onmouseover], [onload], [onerror]') !== null"
        )
    )


@pytest.mark.long
def test_texts_of_a_stranger_s_game_stay_texts(strange: Path, page: Page, complaints: list[str]) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss())[0])
    with served(strange) as shop:
        page.goto(shop.address)
        expect(cards(page).first.locator("img")).to_be_visible()
        expect(page).to_have_url(f"http://127.0.0.1:{shop.port}/")  # without the token
        expect(page.get_by_role("heading", name=IMAGE + SCRIPT)).to_be_visible()
        for title in (IMAGE, SCRIPT, LINK, ATTRIBUTE, STYLE):
            tile = card(page, title)
            expect(tile).to_contain_text(title)
            tile.click()
            tile.hover()
            inspector = page.get_by_role("complementary", name="Inspector")
            expect(inspector.get_by_role("heading", name=title)).to_be_visible()
            expect(inspector.get_by_role("button", name=title, exact=True).first).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog", name=STYLE)).to_be_visible()
        page.keyboard.press("Escape")
        search = page.get_by_role("combobox", name="Search cards")
        search.fill(f'text~"{IMAGE}"')
        expect(card(page, SCRIPT)).to_be_visible()
        search.fill(IMAGE)
        expect(page.get_by_text("No card here has a field “onerror”")).to_be_visible()
        search.fill("title:")
        expect(
            page.get_by_role("listbox", name="What could come next").get_by_text(IMAGE).first
        ).to_be_visible()
        search.press("Escape")
        search.fill("")
        expect(view(page, "Rules")).to_contain_text(ALL)
        view(page, "Rules").get_by_role("button", name="Report with charts").click()
        expect(page.frame_locator("iframe").get_by_text(IMAGE).first).to_be_visible()
        expect(view(page, "Hand")).to_contain_text(IMAGE)
        expect(
            findings(page).filter(has_text="a-rule").or_(findings(page).filter(has_text=IMAGE)).first
        ).to_be_visible()
        path = strange / "data" / "owls" / "cards.yaml"
        path.write_text(
            path.read_text(encoding="utf-8").replace("suit: sun", f"suit: {json.dumps(ALL)}", 1),
            encoding="utf-8",
        )
        expect(findings(page).filter(has_text="onerror").first).to_be_visible()
        expect(view(page, "Changes")).to_contain_text("onerror")
        view(page, "Sheets")
        view(page, "Cards")
        page.get_by_role("button", name="Theme and keys").click()
        assert not owned(page)
    assert not dialogs


@pytest.mark.long
def test_names_of_files_stay_names(tmp_path: Path, page: Page) -> None:
    project = new_project("owls", tmp_path)
    data = project / "data" / "owls"
    name = "&lt;img src=x onerror=window.owned=1&gt; 'a' onmouseover=b $(c).yaml"  # <, > and " may not be
    (data / "cards.yaml").rename(data / name)
    game = data / "game.yaml"
    game.write_text(
        game.read_text(encoding="utf-8").replace("cards.yaml", json.dumps(name)), encoding="utf-8"
    )
    with served(project) as shop:
        page.goto(shop.address)
        expect(cards(page).first.locator("img")).to_be_visible()
        cards(page).first.click()
        inspector = page.get_by_role("complementary", name="Inspector")
        expect(inspector.get_by_role("button", name=f"data/owls/{name}:").first).to_be_visible()
        text = (data / name).read_text(encoding="utf-8")
        (data / name).write_text(text.replace("suit: sun", "suit: none", 1), encoding="utf-8")
        expect(findings(page).get_by_role("button", name=f"data/owls/{name}:").first).to_be_visible()
        assert not owned(page)
