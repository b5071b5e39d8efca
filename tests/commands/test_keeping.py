"""What was drawn is kept, whatever else is wrong: a build after mending one card draws that card."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from cardgen.commands.production import sides
from cardgen.core.artwork import Artwork
from cardgen.pdf import drawing as draw
from cardgen.pdf.objects import DrawingError

Run = Callable[..., tuple[int, str, str]]
Edit = Callable[[str, str, str], Path]

CARDS = "data/demo/cards.yaml"
FACE = "templates/demo/card.svg"


@pytest.fixture
def drawn(demo: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of sides that were drawn, in a cache of its own."""
    monkeypatch.setenv("CARDGEN_CACHE", str(demo / "no-cache"))
    keys: list[str] = []

    def draw_sides(artworks: Iterable[Artwork], *rest: Any) -> Any:
        artworks = list(artworks)
        made = draw.draw_sides(artworks, *rest)
        keys.extend(artwork.key for artwork in artworks)
        return made

    monkeypatch.setattr(sides, "draw_sides", draw_sides)
    return keys


def test_what_was_drawn_is_kept_where_a_build_fails(run: Run, edit: Edit, drawn: list[str]) -> None:
    edit(CARDS, "Turn one of your :leaf:", "Turn one of your :leef:")
    assert run("build", "demo")[0] == 1
    assert len(drawn) == 6  # five faces of six and the back
    drawn.clear()
    edit(CARDS, "Turn one of your :leef:", "Turn one of your :leaf:")
    assert run("build", "demo")[0] == 0
    assert len(drawn) == 1


def test_a_broken_icon_stops_only_those_that_show_it(
    run: Run, demo: Path, edit: Edit, settle: Callable[[Path], None], drawn: list[str]
) -> None:
    icon = demo / "templates/demo/icons/blot.svg"
    icon.parent.mkdir(exist_ok=True)
    icon.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24"/>', encoding="utf-8")
    settle(demo / "templates")
    edit(CARDS, "Turn one of your :leaf:", "Turn one of your :blot:")
    code, _, err = run("build", "demo")
    assert (code, err.count("[icon/file]")) == (1, 1)
    assert "templates/demo/icons/blot.svg:1: the icon 'blot' can't be placed" in err
    assert "(card 'gardener')" in err
    assert len(drawn) == 6
    drawn.clear()
    edit(CARDS, "Turn one of your :blot:", "Turn one of your :leaf:")
    assert run("build", "demo")[0] == 0
    assert len(drawn) == 1


def test_sides_with_warnings_are_kept_and_warned_of_again(
    run: Run, demo: Path, edit: Edit, settle: Callable[[Path], None], drawn: list[str]
) -> None:
    icon = demo / "templates/demo/icons/pale.svg"
    icon.parent.mkdir(exist_ok=True)
    shape = '<path d="M3 3h9v9z" fill="#fff"/>'
    icon.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{shape}</svg>', encoding="utf-8"
    )
    edit(FACE, "</svg>", "{{ icon('pale', 20, 20, 5) }}</svg>")
    settle(demo / "templates")
    code, _, first = run("build", "demo")
    assert code == 0
    assert first.count("[icon/unseen]") == 1
    assert "and 5 more)" in first
    assert len(drawn) == 7
    drawn.clear()
    edit(CARDS, "Turn one of your :leaf:", "Turn none of your :leaf:")
    code, _, again = run("build", "demo")
    assert code == 0
    assert [line for line in again.splitlines() if "[icon/unseen]" in line] == [
        line for line in first.splitlines() if "[icon/unseen]" in line
    ]
    assert len(drawn) == 1


def test_a_picture_that_cannot_be_drawn_stops_its_own_side(
    run: Run, monkeypatch: pytest.MonkeyPatch, drawn: list[str]
) -> None:
    whole = sides.draw_sides

    def failing(artworks: Iterable[Artwork], *rest: Any) -> Any:
        artworks = list(artworks)
        runs = [run for each in artworks for text in each.texts() for run in text.runs]
        if any("Gardener" in getattr(run, "text", "") for run in runs):
            raise DrawingError.of("art/failed", "the picture can't be drawn")
        return whole(artworks, *rest)

    monkeypatch.setattr(sides, "draw_sides", failing)
    code, _, err = run("build", "demo")
    assert (code, err.count("[art/failed]")) == (1, 1)
    assert "(card 'gardener')" in err
    assert len(drawn) == 6
