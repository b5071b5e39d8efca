"""Rulebooks in builds and exports: the cards that they show, and what is wrong with their files."""

from __future__ import annotations

import hashlib
import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest

import cardgen
from cardgen.art.splitting import Split, Splitter
from cardgen.commands.production.stages import render_book
from cardgen.core.findings import Findings
from tests.book.conftest import with_book

__all__ = ["with_book"]

BOOK = "# Rules\n\n![The owl](card:cards/night-owl) ![](card:cards/night-owl#back)\n"


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources of the sides that are laid out, as it happens."""
    sources: list[str] = []
    split = Splitter.split

    def counted(self: Splitter, source: str, *rest: Any) -> Split:
        sources.append(source)
        return split(self, source, *rest)

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


Edit = Callable[[str, str, str], Path]
FACE = "templates/demo/card.svg"


def said(project: Path) -> list[tuple[str, str, int | None]]:
    """Code, file and line of what is wrong with the rulebook."""
    game = cardgen.load("demo", project=cardgen.Project.open(project))
    findings = Findings()
    assert render_book(game, game.component("rules"), findings) is None
    return [
        (each.code, each.location.file if each.location else "", each.location and each.location.line)
        for each in findings.sorted()
    ]


RULES = "data/demo/rulebook.md"


def test_what_is_wrong_stands_at_its_line(with_book: Callable[..., Path]) -> None:
    project = with_book("# T")
    for content, code in (
        (b"# T\n\n\xff\xfe", "file/encoding"),
        (b"# T\r\n\r\n{{ nosuch }}\r\n", "template/undefined"),
        (b"\xef\xbb\xbf# T\n\n[gone](#nowhere)\n", "book/link"),
    ):
        (project / RULES).write_bytes(content)
        assert said(project) == [(code, RULES, 3)]


def test_a_wrong_look_and_a_wrong_text_are_said_together(with_book: Callable[..., Path]) -> None:
    project = with_book("# T\n\n:no-such:", look="display: Helvetica")
    assert {code for code, _, _ in said(project)} == {"font/family", "book/icon"}


def test_a_picture_of_a_card_in_error_is_no_page(with_book: Callable[..., Path], edit: Edit) -> None:
    project = with_book(BOOK)
    edit(FACE, "</svg>", "{{ nosuch }}</svg>")
    assert {(code, file) for code, file, _ in said(project)} == {("template/undefined", FACE)}


@pytest.mark.long
def test_a_rulebook_tells_of_the_whole_box(
    with_book: Callable[..., Path], edit: Edit, tmp_path: Path
) -> None:
    """Also where a build or an export is for some players only, for whom cards are left out."""
    edit(
        "data/demo/cards.yaml",
        "title: Old Oak",
        "title: Old Oak\n    copies: {by_players: {2: 1, 3: 1, 4: 3}}",
    )
    project = cardgen.Project.open(with_book("# T\n\n{{ components.cards.copies }} cards\n"))
    assert cardgen.load("demo", project=project, players=2).component("cards").copies == 9
    found: list[bytes] = []
    for players in (None, 2):
        out = tmp_path / f"for {players}"
        options = cardgen.BuildOptions("demo", sheets=("rules",), players=players, output=out)
        found += [Path(file.path).read_bytes() for file in cardgen.build(options, project=project).files]
        wish = cardgen.ExportOptions("demo", to="tts", players=players, output=out, settings={"dpi": 30})
        exported = cardgen.export_to(wish, project=project)
        found += [Path(each.path).read_bytes() for each in exported.files if each.path.endswith(".pdf")]
    assert len(found) == 4
    assert (found[0], found[1]) == (found[2], found[3])
    with pikepdf.open(io.BytesIO(found[0])) as pdf:
        assert len(pdf.pages) == 4
