"""A book shows cards that the build has laid out already, and cards kept from earlier builds."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.production import render_book
from cardgen.findings import Findings
from cardgen.rendering.splitting import Measures, Split, Splitter

BOOK = "# Rules\n\n![The owl](card:cards/night-owl) ![](card:cards/night-owl#back)\n"


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources of the sides that are laid out, as it happens."""
    sources: list[str] = []
    split = Splitter.split

    def counted(self: Splitter, source: str, measures: Measures, folder: str) -> Split:
        sources.append(source)
        return split(self, source, measures, folder)

    monkeypatch.setattr(Splitter, "split", counted)
    return sources


def build(project: Path, *sheets: str, backs: bool = True) -> dict[str, str]:
    options = cardgen.BuildOptions("demo", sheets=sheets, backs=backs)
    result = cardgen.build(options, project=cardgen.Project.open(project))
    return {file.sheet: hashlib.sha256(Path(file.path).read_bytes()).hexdigest() for file in result.files}


def test_a_rendering_s_cards_are_not_laid_out_again(
    with_book: Callable[..., Path], laid_out: list[str]
) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(with_book(BOOK)))
    rendering = cardgen.render(game)
    rules = game.component("rules")
    laid_out.clear()
    alone = render_book(game, rules, Findings())
    assert len(laid_out) == 2
    laid_out.clear()
    shared = render_book(game, rules, Findings(), shown=rendering)
    assert laid_out == []
    assert alone is not None
    assert shared is not None
    assert shared.book == alone.book
    assert shared.rendering.artworks == alone.rendering.artworks


def test_sides_that_the_rendering_lacks_are_laid_out(
    with_book: Callable[..., Path], laid_out: list[str]
) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(with_book(BOOK)))
    rendering = cardgen.render(game, backs=False)
    rules = game.component("rules")
    alone = render_book(game, rules, Findings())
    laid_out.clear()
    shared = render_book(game, rules, Findings(), shown=rendering)
    assert len(laid_out) == 1
    assert alone is not None
    assert shared is not None
    assert shared.book == alone.book
    assert shared.rendering.artworks == alone.rendering.artworks


def test_a_book_with_kept_cards_has_a_clean_build_s_bytes(
    with_book: Callable[..., Path],
    laid_out: list[str],
    tmp_path: Path,
    settle: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = with_book(BOOK)
    settle(project / "data")
    build(project)
    laid_out.clear()
    markdown = project / "data/demo/rulebook.md"
    markdown.write_text(BOOK + "\nMore.\n", encoding="utf-8")
    settle(project / "data")
    kept = build(project)
    assert laid_out == []
    only = build(project, "rules", backs=False)
    assert laid_out == []
    assert only == {"rules": kept["rules"]}
    shutil.rmtree(project / "output")
    monkeypatch.setenv("CARDGEN_CACHE", str(tmp_path / "empty"))
    assert build(project) == kept
