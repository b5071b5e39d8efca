"""A check after an edit looks at what changed, and says what a check of everything says."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import cardgen
from cardgen.art.laying_out import LayingOut
from cardgen.art.outlining import LaidOut
from cardgen.art.sources import Source
from cardgen.commands.check import looks as viewing
from cardgen.commands.check.looks import Looks, Viewer

Edit = Callable[[str, str, str], Path]
Run = Callable[..., tuple[int, str, str]]
Settle = Callable[[Path], None]

GAME = "data/demo/game.yaml"
CARDS = "data/demo/cards.yaml"
TEMPLATE = "templates/demo/card.svg"

FAULTS = """\
<text x="8" y="30" font-family="IBM Plex Sans" font-size="4" fill="#eee">Pale {{ card.title[:1] }}</text>
<text x="8" y="62" font-family="IBM Plex Sans" font-size="4">Covered {{ card.id[:2] }}</text>
<rect x="8" y="57" width="40" height="8" fill="{{ '#fff' if low_ink else '#ccc' }}"/>
<text x="8" y="70" font-family="IBM Plex Sans" font-size="4">One {{ card.title[:2] }} text</text>
<text x="9" y="70" font-family="IBM Plex Sans" font-size="4">runs into it</text>
{% if card.id == 'long-lunch' %}
<text x="8" y="80" font-family="IBM Plex Sans" font-size="1">Tiny {{ card.value }}</text>
<text x="8" y="50" font-family="IBM Plex Sans" font-size="4">漢{{ card.title }}</text>
{% endif %}
</svg>"""


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sides that were laid out."""
    sides: list[str] = []
    lay_out = LayingOut.lay_out

    def noted(self: LayingOut, source: Source, made_from: bytes) -> LaidOut:
        sides.append(source.svg)
        return lay_out(self, source, made_from)

    monkeypatch.setattr(LayingOut, "lay_out", noted)
    return sides


@pytest.fixture
def flawed(demo: Path, edit: Edit, settle: Settle) -> Path:
    """A project of whose sides there is much to say."""
    edit(TEMPLATE, "</svg>", FAULTS)
    path = demo / TEMPLATE
    text = path.read_text("utf-8")
    start = text.index(">", text.index("<svg")) + 1
    stripe = '<rect x="0" y="0" width="20" height="200" fill="#fff"/>'
    stripe += '<rect x="2.2" y="0" width="5" height="200" fill="#222"/>'
    end = text.index("<text")
    path.write_text(f"{text[:start]}{text[start:end]}{stripe}{text[end:]}", "utf-8")
    settle(demo)
    return demo


def clean(run: Run, folder: Path) -> tuple[int, str, str]:
    """What a check with nothing kept says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(folder / "no-cache"))
        shutil.rmtree(folder / "no-cache", ignore_errors=True)
        return run("check", "demo", "--all")


def test_only_what_changed_is_laid_out(
    demo: Path, edit: Edit, run: Run, laid_out: list[str], tmp_path: Path
) -> None:
    first = run("check", "demo")
    every = len(laid_out)
    assert every > 3
    laid_out.clear()
    edit(CARDS, "title: Early Bird", "title: Earlier Bird")
    assert run("check", "demo") == first
    assert 1 <= len(laid_out) <= 2  # in full and in low ink
    assert all("Earlier Bird" in svg for svg in laid_out)
    laid_out.clear()
    clean(run, tmp_path)
    assert len(laid_out) == every


@pytest.mark.long
def test_a_side_of_another_kind_of_component_is_looked_at_again(flawed: Path, laid_out: list[str]) -> None:
    game = cardgen.load("demo", project=cardgen.Project.open(flawed))
    before = cardgen.check(game)
    assert cardgen.check(game) == before
    changed = replace(game, components=tuple(replace(each, shape="ellipse") for each in game.components))
    laid_out.clear()
    found = cardgen.check(changed)
    assert laid_out
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGEN_CACHE", str(flawed / "no-cache"))
        assert cardgen.check(changed) == found


def test_letters_of_kept_sides_are_told(flawed: Path, edit: Edit, run: Run, tmp_path: Path) -> None:
    edit(GAME, "version:", "fonts: {fallback: [IBM Plex Mono]}\nversion:")
    edit(TEMPLATE, "Covered ", "╔ ")
    first = run("check", "demo", "--all")
    edit(CARDS, "title: Early Bird", "title: Bird")
    again = run("check", "demo", "--all")
    assert again == clean(run, tmp_path)
    assert "text/fallback" in first[1]
    assert "text/fallback" in again[1]


@pytest.mark.long
def test_pictures_that_builds_need_are_not_forgotten(
    demo: Path, edit: Edit, run: Run, laid_out: list[str]
) -> None:
    run("build", "demo")
    was = "Early Bird"
    for number in range(10):
        now = f"Bird {number}"
        edit(CARDS, f"title: {was}", f"title: {now}")
        assert run("check", "demo")[0] == 0
        was = now
    edit(CARDS, f"title: {was}", "title: Early Bird")
    laid_out.clear()
    run("build", "demo", "--output", str(demo / "again"))
    assert not laid_out


def test_what_lies_on_a_side_is_let_go_when_it_was_looked_at(
    demo: Path, flawed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: dict[str, LaidOut] = {}

    def keep(self: Looks, keys: object, laid_out: Mapping[str, LaidOut]) -> None:
        held.update(laid_out)

    monkeypatch.setattr(Looks, "keep", keep)
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    said = {finding.code for finding in cardgen.check(game)}
    assert {"text/contrast", "text/covered", "text/overlap", "side/bleed"} <= said
    assert len(held) > 1
    assert all(made.artwork is not None and made.artwork.items == () for made in held.values())


@pytest.mark.long
def test_sides_are_looked_at_some_at_a_time_with_the_same_result(
    demo: Path, flawed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDGEN_CACHE", str(demo / "one"))
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    together = cardgen.check(game)
    looked: list[int] = []
    finish = Viewer.finish

    def noted(self: Viewer) -> None:
        looked.append(len(self._waiting))
        finish(self)

    monkeypatch.setattr(Viewer, "finish", noted)
    monkeypatch.setattr(viewing, "AT_ONCE", 2)
    monkeypatch.setenv("CARDGEN_CACHE", str(demo / "other"))
    assert cardgen.check(game) == together
    assert max(looked) == 2
    assert len(looked) > 3
