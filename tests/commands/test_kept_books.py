"""A rulebook is laid out again when anything that it is made of has changed, and only then."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import fields, make_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import cardgen
from cardgen.book import layout
from cardgen.commands.check.check import CheckOptions, check_game
from cardgen.commands.production import books
from cardgen.commands.production.fonts import fontbook
from tests.book.conftest import add_book

Run = Callable[..., tuple[int, str, str]]
Settle = Callable[[Path], None]
Change = Callable[[Path], None]

BOOK = """\
# Rules

There are {{ components.cards.count }} cards.

The first is worth {{ components.cards.cards['early-bird'].value }}.

## Cards

![The owl](card:cards/night-owl) Take [](card:cards/gardener) and a :leaf: card, then a ╔.

:::set-up card:cards/old-oak
1. `well` Here.
:::
"""
WELL = '<circle cg:snap="well" cx="20" cy="70" r="4" fill="none"/>'

GAME, CARDS = "data/demo/game.yaml", "data/demo/cards.yaml"


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of books as they are laid out."""
    titles: list[str] = []
    lay_out = layout.lay_out

    def noted(*given: Any) -> Any:
        titles.append(given[1].game.title)
        return lay_out(*given)

    monkeypatch.setattr(layout, "lay_out", noted)
    return titles


@pytest.fixture
def project(demo: Path, settle: Settle) -> Path:
    add_book(demo, BOOK, "accent: '#2d4f8e'")
    _write("templates/demo/card.svg", "</svg>", f"{WELL}\n</svg>")(demo)
    bundled = Path(fontbook(cardgen.Project.open(demo).paths).face("IBM Plex Sans", 700).path)
    (demo / "fonts").mkdir(exist_ok=True)
    shutil.copy(bundled, demo / "fonts/Mine.ttf")
    _write(GAME, "version:", "fonts: {fallback: [IBM Plex Mono]}\nversion:")(demo)
    settle(demo)
    return demo


def built(project: Path, **options: Any) -> dict[str, str]:
    result = cardgen.build(cardgen.BuildOptions("demo", **options), project=cardgen.Project.open(project))
    return {file.sheet: hashlib.sha256(Path(file.path).read_bytes()).hexdigest() for file in result.files}


def clean(project: Path, **options: Any) -> dict[str, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(project / "no-cache"))
        shutil.rmtree(project / "no-cache", ignore_errors=True)
        return built(project, output=project / "clean", **options)


def _write(file: str, old: str, new: str) -> Change:
    def change(demo: Path) -> None:
        text = (demo / file).read_text("utf-8")
        assert old in text
        (demo / file).write_text(text.replace(old, new, 1), "utf-8")

    return change


def test_a_field_that_nobody_thought_of_makes_another(project: Path) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(project))
    about = books._about(game, {})
    known = [(each.name, each.type) for each in fields(about)]
    values = {each.name: getattr(about, each.name) for each in fields(about)}
    wider = make_dataclass("BookGame", [*known, ("designer", str)])
    component = game.component("rules")
    keys = {
        books.key_of(game, wider(**values, designer=name), component, "# Rules")
        for name in ("Ada", "Bob", "Bob")
    }
    assert len(keys) == 2


@pytest.mark.long
def test_a_part_on_the_title_page_that_moves_makes_another(
    project: Path, settle: Settle, laid_out: list[str]
) -> None:
    scene = '<rect id="scene" x="13" y="23" width="40" height="30" fill="none"/>'
    look = "accent: '#2d4f8e'"
    _write(GAME, look, f"{look}\n      front: {{card: cards/gardener, part: scene}}")(project)
    _write("templates/demo/card.svg", "</svg>", f"{scene}\n</svg>")(project)
    settle(project)
    first = built(project)
    _write("templates/demo/card.svg", 'x="13"', 'x="11"')(project)
    laid_out.clear()
    now = built(project)
    assert len(laid_out) == 1
    assert now["rules"] != first["rules"]
    assert now == clean(project)


def test_only_what_a_book_is_made_of_makes_another(project: Path, laid_out: list[str]) -> None:
    first = built(project)
    laid_out.clear()
    _write(CARDS, "title: Full Moon", "title: Fuller Moon")(project)
    now = built(project)
    assert laid_out == []
    assert now["rules"] == first["rules"]
    assert now["poker"] != first["poker"]
    assert now == clean(project)


@pytest.mark.long
def test_each_ink_has_its_own(project: Path, laid_out: list[str]) -> None:
    options: list[dict[str, Any]] = [{"players": 2, "sheets": ("rules",)}, {"low_ink": True}]
    first = [built(project, **each)["rules"] for each in options]
    assert first[0] != first[1]
    _write(CARDS, "title: Full Moon", "title: Fuller Moon")(project)
    laid_out.clear()
    assert [built(project, **each)["rules"] for each in options] == first
    assert laid_out == []
    assert clean(project, **options[1])["rules"] == first[1]


def test_pages_are_drawn_of_a_book_that_a_check_laid_out(project: Path, laid_out: list[str]) -> None:
    assert not [each for each in checked(project) if each.severity is cardgen.Severity.ERROR]
    laid_out.clear()
    first = built(project)
    assert len(laid_out) == 1
    assert first == clean(project)


def checked(project: Path) -> tuple[cardgen.Finding, ...]:
    return check_game(CheckOptions("demo"), project=cardgen.Project.open(project)).findings


def test_a_check_says_of_a_kept_book_what_it_said(
    project: Path, laid_out: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = checked(project)
    assert "text/fallback" in {each.code for each in first}
    assert len(laid_out) == 1  # low ink has the same layout
    laid_out.clear()
    _write(CARDS, "title: Night Owl", "title: Owl")(project)  # as large as it was
    assert checked(project) == first
    assert laid_out == []
    monkeypatch.setenv("CARDGEN_CACHE", str(project / "no-cache"))
    assert checked(project) == first


def test_a_book_with_findings_is_not_kept(project: Path, laid_out: list[str]) -> None:
    _write("data/demo/rulebook.md", "Take", "*Take ** and")(project)
    for _ in range(2):
        laid_out.clear()
        said = [each for each in checked(project) if each.code == "text/markdown"]
        assert [each.location and each.location.line for each in said] == [9]
        assert len(laid_out) == 2
        _write("data/demo/cards.yaml", "title: Full", "title: Fuller")(project)


def test_data_that_are_not_plain_have_no_key(project: Path) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(project))
    about = replace(books._about(game, {}), theme={"made": object()})
    keys = [books.key_of(game, about, game.component("rules"), "# Rules") for _ in range(2)]
    assert len(set(keys)) == 2


@pytest.mark.long
def test_colors_that_can_be_read_change_no_layout(project: Path, laid_out: list[str]) -> None:
    first = checked(project)
    laid_out.clear()
    _write(GAME, "accent: '#2d4f8e'", "accent: ink")(project)
    assert {each.code for each in checked(project)} == {each.code for each in first}
    _write(GAME, "ink: '#1d2433'", "ink: '#1d2434'")(project)
    laid_out.clear()
    assert checked(project) == first
    assert laid_out == []
    _write(GAME, "ink: '#1d2434'", "ink: '#eeeeee'")(project)
    assert "book/contrast" in {each.code for each in checked(project)}
