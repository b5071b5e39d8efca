"""The page of differences: whole in itself, with pictures, and nothing that cards say is markup in it."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image

from cardgen.commands.compare import page as difference_page
from tests.repositories import commit

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]
CARDS = "data/demo/cards.yaml"
_EMPTY = {"meta", "img", "input"}


class Page(HTMLParser):
    """What stands in a page: its tags with their attributes, its text, its pictures by what they show."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(content)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in _EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def pictures(self) -> list[tuple[str, Image.Image]]:
        found = []
        for tag, attrs in self.tags:
            if tag == "img":
                kind, _, data = str(attrs["src"]).partition(",")
                assert kind == "data:image/png;base64"
                found.append((str(attrs["alt"]), Image.open(io.BytesIO(base64.b64decode(data)))))
        return found


@pytest.fixture
def page(demo: Path, run: Run) -> Callable[[], tuple[str, Page]]:
    def made() -> tuple[str, Page]:
        file = demo.parent / "out" / "changes.html"
        code, _, err = run("diff", "demo", "--html", str(file))
        assert code == 0, err
        content = file.read_text(encoding="utf-8")
        return content, Page(content)

    return made


Made = Callable[[], tuple[str, Page]]


@pytest.fixture(autouse=True)
def _committed(demo: Path) -> None:
    commit(demo)


def test_old_and_new_stand_beside_each_other(edit: Edit, page: Made) -> None:
    edit(CARDS, "title: Night Owl", "title: Dawn Owl")
    edit(CARDS, "id: old-oak", "id: elder")
    _, found = page()
    pictures = found.pictures()
    assert [alt for alt, _ in pictures] == ["face before", "face now", "face", "back"], (
        "a removed card that looks like a new one refers to that"
    )
    sizes = {image.size for _, image in pictures}
    assert sizes == {(375, 525)}, "2.5×3.5 inches at 150 dpi"
    before, now = (image.convert("RGB") for _, image in pictures[:2])
    differs = [
        y for y in range(525) for x in range(0, 375, 3) if before.getpixel((x, y)) != now.getpixel((x, y))
    ]
    assert differs, "the title"
    assert max(differs) < 110
    assert "the same as on" in found.text
    assert "likely renamed from 'old-oak'" in found.text
    assert re.search(r"data/demo/cards\.yaml:12", found.text)


def test_what_is_the_same_on_many_cards_is_shown_once(demo: Path, page: Made) -> None:
    back = demo / "templates/demo/back.svg"
    back.write_text(back.read_text().replace('rx="3"', 'rx="9"'))
    _, found = page()
    assert [alt for alt, _ in found.pictures()] == ["back before", "back now"]
    assert found.text.count("the same as on") == 5
    first = next(attrs["id"] for tag, attrs in found.tags if tag == "article")
    assert {attrs["href"] for tag, attrs in found.tags if tag == "a"} == {f"#{first}"}


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> </style> {{ 7 * 7 }} \\\" ' &amp; -->"


def test_what_cards_say_is_never_markup(demo: Path, edit: Edit, page: Made) -> None:
    edit(CARDS, "title: Night Owl", f'title: "{HOSTILE}"')
    edit(CARDS, "The lamp is still on.", "</td></table><iframe src='https://example.org'>")
    edit("data/demo/game.yaml", "title: Demo", "title: 'Demo</title><script>alert(3)</script>'")
    _, found = page()
    assert HOSTILE.replace('\\"', '"') in found.text
    assert "</td></table><iframe" in found.text
    assert {tag for tag, _ in found.tags} & {"script", "iframe", "link", "object", "embed", "base"} == set()
    assert not [
        name for _, attrs in found.tags for name in attrs if name.startswith("on") or name == "style"
    ]
    addresses = [attrs.get("src") or attrs.get("href") or "" for _, attrs in found.tags]
    assert all(address.startswith(("data:image/png;base64,", "#")) for address in addresses if address)


def test_what_is_invisible_is_spelled_out_and_nothing_else(edit: Edit, page: Made) -> None:
    edit(CARDS, "title: Night Owl", 'title: "::moon:: ##[x]"')
    edit(CARDS, "title: Gardener", r'title: "\u202eOwl\u2069"')
    content, found = page()
    assert "::moon:: ##[x]" in found.text
    assert r"\u202eOwl\u2069" in found.text
    assert "\u202e" not in content
    edit(CARDS, "The lamp is still on.", "The lamp\n      is still on.")
    assert "The lamp\nis still on." in page()[1].text, "lines stay lines"


def test_the_page_may_do_nothing_but_look(edit: Edit, page: Made) -> None:
    edit(CARDS, "title: Night Owl", "title: Dawn Owl")
    content, found = page()
    [policy] = [attrs["content"] for tag, attrs in found.tags if "http-equiv" in attrs]
    style = re.search("<style>(.*)</style>", content, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    sources = ["default-src 'none'", "img-src data:", f"style-src 'sha256-{digest}'"]
    assert str(policy).split("; ") == [*sources, "base-uri 'none'", "form-action 'none'"]
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_sides_that_can_not_be_drawn_say_why(demo: Path, edit: Edit, page: Made) -> None:
    template = demo / "templates/demo/card.svg"
    template.write_text(template.read_text().replace("</svg>", "{{ nothing.there }}</svg>"))
    _, found = page()
    assert {alt for alt, _ in found.pictures()} == {"face before"}
    assert found.text.count("no picture") == 6
    assert "nothing" in found.text.partition("What is wrong with either")[2]


def test_of_very_many_cards_some_are_shown(demo: Path, page: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difference_page, "MOST_CARDS", 2)
    template = demo / "templates/demo/card.svg"
    template.write_text(template.read_text().replace("</svg>", '<rect width="9" height="9"/></svg>'))
    _, found = page()
    assert len(found.pictures()) == 4
    assert "4 sides have no pictures here" in found.text


def test_a_page_that_can_not_be_written(demo: Path, run: Run) -> None:
    (demo / "there").mkdir()
    code, _, err = run("diff", "demo", "--html", str(demo / "there"))
    assert code == 1
    assert "output/unwritable" in err
