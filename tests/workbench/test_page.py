"""The page as it stands: our own files alone, no way for data to become markup, small modules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from cardgen.workbench.server.app import PAGE

MOST_LINES = 450
FILES = sorted(path for path in PAGE.rglob("*") if path.is_file())
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
STYLES = [path for path in FILES if path.suffix == ".css"]
IMPORT = re.compile(r"""^(?:import|export)\s(?:[^"';]*\sfrom\s)?\s*["']([^"']+)["'];$""", re.MULTILINE)
ADDRESS = re.compile(r"(?:https?:)?//[\w.-]+\.\w+")
NAMES_ALONE = {"http://www.w3.org/2000/svg", "https://docs.google.com/spreadsheets/"}
"""Addresses that name a vocabulary, or show what may be pasted, and are never fetched by the page."""
MARKUP = (
    r"innerHTML outerHTML insertAdjacentHTML document\.write\b createContextualFragment DOMParser srcdoc"
    r" setHTML setHTMLUnsafe \beval\( new\sFunction setAttribute\([\"']on \bjavascript: import\("
).split(" ")


class Page(HTMLParser):
    """Attributes of each element of a page, and the words within scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inline = ""
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open in ("script", "style"):
            self.inline += data.strip()


PAGES = [Page((PAGE / name).read_text(encoding="utf-8")) for name in ("index.html", "start.html")]
"""The workbench, and the page that starts a game."""


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", "", text, flags=re.DOTALL)


def named_by(script: Path) -> Iterator[Path]:
    for name in IMPORT.findall(script.read_text(encoding="utf-8")):
        yield (script.parent / name).resolve()


def test_index_has_nothing_inline() -> None:
    """A content security policy of 'self' would refuse it."""
    for shown in PAGES:
        assert shown.inline == ""
        for tag, attributes in shown.elements:
            assert "style" not in attributes, tag
            assert not [name for name in attributes if name.startswith("on")], tag


def test_index_names_files_of_its_own_that_are_there() -> None:
    named = [
        attributes.get(name) or ""
        for shown in PAGES
        for tag, attributes in shown.elements
        for name in ("src", "href")
        if name in attributes
    ]
    assert len(named) > 3
    for name in named:
        assert re.fullmatch(r"[\w-]+\.\w+", name), name
        assert (PAGE / name).is_file(), name


def test_nothing_comes_from_another_host() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        found = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[\w./-]*", text))
        assert not {each for each in found if ADDRESS.match(each)} - NAMES_ALONE, path.name
        assert "@import" not in text, path.name


def test_data_never_becomes_markup() -> None:
    for path in SCRIPTS:
        text = without_comments(path.read_text(encoding="utf-8"))
        assert [way for way in MARKUP if re.search(way, text)] == [], path.name


def test_style_is_set_by_properties_of_its_own() -> None:
    """Classes and custom properties: the policy refuses style attributes."""
    way = re.compile(r"""\bstyle:|setAttribute\(["']style|cssText|\.style\.(?!setProperty\b)""")
    assert [path.name for path in SCRIPTS if way.search(path.read_text(encoding="utf-8"))] == []


def test_every_module_is_reached_from_the_index() -> None:
    begun = [attributes["src"] for page in PAGES for tag, attributes in page.elements if tag == "script"]
    assert begun == ["main.js", "start.js"]
    reached: set[Path] = set()
    ahead = [(PAGE / str(script)).resolve() for script in begun]
    while ahead:
        script = ahead.pop()
        if script not in reached:
            assert script.is_file(), f"{script.name} is imported and isn't there"
            reached.add(script)
            ahead.extend(named_by(script))
    assert {path.resolve() for path in SCRIPTS} == reached


def test_imports_are_all_seen_here() -> None:
    """The pattern above reads every import that stands in a module."""
    for script in SCRIPTS:
        text = without_comments(script.read_text(encoding="utf-8"))
        assert len(re.findall(r"^import\b", text, re.MULTILINE)) == len(IMPORT.findall(text)), script.name


def test_every_style_sheet_is_linked() -> None:
    linked = {
        attributes.get("href") for page in PAGES for tag, attributes in page.elements if tag == "link"
    }
    assert {path.name for path in STYLES} <= linked


def test_modules_are_small_and_say_what_they_are() -> None:
    for path in SCRIPTS + STYLES:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) < MOST_LINES, path.name
        assert text.startswith("/*"), path.name


def contrast(one: str, other: str) -> float:
    def luminance(color: str) -> float:
        parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_words_stand_out_in_light_and_dark() -> None:
    """WCAG 2.2, 1.4.3: 4.5 to 1 for all words on all grounds that they stand on."""
    text = (PAGE / "base.css").read_text(encoding="utf-8")
    pairs = dict(re.findall(r"--([\w-]+): light-dark\((#\w{6}, #\w{6})\)", text))
    for scheme in (0, 1):
        colors = {name: pair.split(", ")[scheme] for name, pair in pairs.items()}
        for ink in ("text", "muted", "accent", "error", "warning", "note", "good"):
            for ground in ("panel", "raised", "sunk", "canvas", "accent-soft"):
                assert contrast(colors[ink], colors[ground]) >= 4.5, (ink, ground, scheme)
        for ground in ("old", "new", "error-soft"):
            assert contrast(colors["text"], colors[ground]) >= 4.5, (ground, scheme)
        assert contrast(colors["on-accent"], colors["accent"]) >= 4.5, scheme


def test_all_modules_are_fetched_at_once() -> None:
    """Else the browser learns of one only from another that it has read."""
    page = PAGES[0]
    early = [
        attributes["href"]
        for name, attributes in page.elements
        if name == "link" and attributes.get("rel") == "modulepreload"
    ]
    assert early == sorted(path.name for path in SCRIPTS if path.name not in ("main.js", "start.js"))
