"""The documents as a site: it builds without a warning, links lead somewhere, references are complete."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt

import cardgen
from cardgen.cli import arguments
from tests.workbench.conftest import chromium

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = sorted(path.name.removesuffix(".schema.json") for path in ROOT.glob("schemas/*.json"))
WITHOUT_A_PAGE = {"common", "effect", "cockatrice", "tts-save"}
"""Schemas of values that others use, and of what exports write."""


class Page(HTMLParser):
    """The addresses and the names of places in a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.addresses: list[str] = []
        self.text = text
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if place := values.get("id"):
            self.places.add(place)
        for key in ("href", "src"):
            if (address := values.get(key)) and tag != "base":
                self.addresses.append(address)

    @property
    def article(self) -> str:
        return self.text[self.text.index("<article") : self.text.index("</article>")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    found = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    return {path: page for path, page in found.items() if path.name != "404.html"}  # its links are absolute


@pytest.mark.long
def test_every_link_of_the_site_leads_somewhere(pages: dict[Path, Page]) -> None:
    wrong = []
    for path, page in pages.items():
        for address in page.addresses:
            if re.match(r"[a-z]+:", address):
                continue
            file, _, place = address.partition("#")
            target = (path.parent / unquote(file)).resolve() if file else path
            known = pages[target].places if target in pages else {place}
            if not target.is_file() or (place and unquote(place) not in known):
                wrong.append((path.name, address))
    assert wrong == []
    assert len(pages) > 30


@pytest.mark.long
def test_search_finds_concepts_first_and_no_old_changes(site: Path) -> None:
    found = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))["docs"]
    bleed = {
        entry["location"].partition("#")[0]: entry for entry in found if "bleed" in entry["text"].lower()
    }
    assert bleed["concepts.html"]["boost"] > bleed["printing.html"].get("boost", 1)
    assert not any(entry["location"].startswith("project/changelog") for entry in found)


@pytest.mark.long
def test_nothing_is_fetched_from_elsewhere(pages: dict[Path, Page]) -> None:
    fetched = re.compile(r"<(?:script|img|iframe|source)[^>]* src=\"?https?:|<link[^>]*href=\"?https?:")
    assert [path.name for path, page in pages.items() if fetched.search(page.text)] == []


@pytest.mark.long
def test_cells_show_bars_without_escapes(pages: dict[Path, Page]) -> None:
    (templates,) = (page.text for path, page in pages.items() if path.name == "templates.html")
    assert "<code>8|pt</code>" in templates
    cells = re.compile(r"<td(?:(?!</td>).)*\\\|", re.DOTALL)
    assert [path.name for path, page in pages.items() if cells.search(page.text)] == []


@pytest.mark.long
def test_pages_opened_as_files_can_be_used(site: Path) -> None:
    """Search answers, pages lead on, a copy has commands alone, and a phone shows a page's whole width."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(60_000)
        page.goto((site / "tutorial.html").as_uri())
        assert page.locator(".md-footer__link").count() == 2
        page.evaluate(
            """() => {
                window.copied = [];
                document.execCommand = () => {
                    copied.push(document.activeElement.value);
                    return true;
                };
                if (navigator.clipboard) navigator.clipboard.writeText = async text => copied.push(text);
            }"""
        )
        page.locator("div.highlight:has-text('cardgen new') button").first.click()
        page.wait_for_function("copied.length > 0")
        copied = "cardgen new night-market\ncd night-market\ncardgen build night-market"
        assert copied in page.evaluate("copied")
        page.keyboard.press("/")
        page.keyboard.type("bleed", delay=30)
        page.wait_for_selector(".md-search-result__item")
        assert page.locator(".md-search-result__item").first.inner_text().startswith("Concepts")
        page.set_viewport_size({"width": 390, "height": 800})
        for name in ("index", "tutorial", "limits", "tables", "concepts", "reference/command-line"):
            page.goto((site / f"{name}.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") == 390, name
        browser.close()


DOCUMENTS = [
    *sorted(ROOT.glob("docs/*.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "SECURITY.md")),
]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
@pytest.mark.long
def test_a_page_is_parted_as_on_a_code_host(path: Path, site: Path, pages: dict[Path, Page]) -> None:
    """Two dialects of Markdown differ in lists after a paragraph and in code within them."""
    folder = "" if path.parent.name == "docs" else "project/"
    name = f"{folder}{path.stem.lower()}.html"
    (shown,) = (page.article for place, page in pages.items() if place == (site / name).resolve())
    meant = MarkdownIt("commonmark").enable("table").render(path.read_text(encoding="utf-8"))
    for tag in ("li", "ul", "ol", "td", "h2", "h3", "pre", "blockquote", "strong"):
        counts = [len(re.findall(rf"<{tag}[ >]", text)) for text in (meant, shown)]
        assert counts[0] == counts[1], tag


# ---------------------------------------------------------------- references


@pytest.mark.long
def test_every_schema_has_a_page_or_a_reason(site: Path) -> None:
    made = {path.stem for path in (site / "reference").glob("*.html")} - {"command-line", "python"}
    assert made == set(SCHEMAS) - WITHOUT_A_PAGE


@cache
def schema(name: str) -> Any:
    return json.loads((ROOT / f"schemas/{name}.schema.json").read_text(encoding="utf-8"))


def keys(value: Any) -> Iterator[str]:
    """Every key that a schema states, however deep."""
    if isinstance(value, dict):
        stated = value.get("properties", {})
        yield from (key for key in stated if "const" not in stated[key])
        for inner in value.values():
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


@pytest.mark.parametrize("name", sorted(set(SCHEMAS) - WITHOUT_A_PAGE))
@pytest.mark.long
def test_every_key_is_on_its_page(name: str, site: Path) -> None:
    text = (site / f"reference/{name}.html").read_text(encoding="utf-8")
    told = set(re.findall(r"<td><code>([^<]+)</code>", text))
    assert set(keys(schema(name))) - {"of", "by"} <= told
    assert "\\" not in re.sub(r"<code>.*?</code>|<script.*?</script>", "", text, flags=re.DOTALL), (
        "an escape"
    )


@pytest.mark.long
def test_every_command_and_option_is_on_the_page(site: Path) -> None:
    text = (site / "reference/command-line.html").read_text(encoding="utf-8")
    cells = re.findall(r"<td><code>(-[^<]+)</code>", text)
    told = {word for cell in cells for word in re.findall(r"(?<!\S)--?[\w-]+", cell)}
    parser = arguments._parser(frozenset(arguments.COMMANDS))
    (commands,) = (action for action in parser._actions if action.dest != "help" and action.choices)
    for name, command in dict(commands.choices or {}).items():
        assert f'id="{name}"' in text
        words = {
            word
            for action in command._actions
            for word in action.option_strings
            if action.help != "==SUPPRESS=="
        }
        assert words - {"-h", "--help"} <= told, name


@pytest.mark.long
def test_every_public_name_is_on_the_page(site: Path) -> None:
    text = (site / "reference/python.html").read_text(encoding="utf-8")
    told = re.findall(r'<h3 id="(\w+)"', text)
    assert sorted(told) == sorted({*cardgen.__all__, *cardgen.SECOND_ROW} - {"__version__"})
    assert not re.search(r"0x[0-9a-f]{6}|&lt;(?:function|factory|class)", text)


@pytest.mark.long
def test_pictures_are_of_what_comes_of_a_section(site: Path, pages: dict[Path, Page]) -> None:
    asked = {
        path: len(re.findall(r"<!-- picture: ", path.read_text(encoding="utf-8"))) for path in DOCUMENTS
    }
    assert sum(asked.values()) > 10
    for path, number in asked.items():
        if number:
            page = pages[(site / f"{path.stem}.html").resolve()]
            shown = [address for address in page.addresses if address.startswith("outcomes/")]
            assert len(shown) == len(set(shown)) == number, path.name
