"""Contrast of type against its ground, by WCAG 2's own examples and by cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from cardgen.core.artwork import Artwork, Group, IconRun, Item, Rendering, SetText
from cardgen.core.geometry import MM_PER_PT, Matrix, Size
from cardgen.pdf import legibility
from cardgen.pdf import pixels as raster
from cardgen.pdf.legibility import Contrast, contrast_ratio, contrasts
from cardgen.pdf.objects import View
from cardgen.pdf.store import ArtStore
from tests.for_each import for_each

from .samples import BEBAS, ICONS, artwork, fonts, picture, text

PAPER = picture('<rect width="40" height="40" fill="#fff"/>')
DARK = picture('<rect width="40" height="40" fill="#222"/>')
GROUND = '<rect width="40" height="40" fill="#fff"/>'
HALF = picture(GROUND + '<rect x="18" width="26" height="40" fill="#333"/>')
SPECKS = picture(GROUND + "".join(f'<circle cx="{x}" cy="9" r=".25"/>' for x in range(0, 40, 3)))


def found(*items: Item) -> list[Contrast]:
    side = artwork(*items)
    return list(contrasts(Rendering((), {"side": side}, ICONS), fonts(), ArtStore.memory()))


def ratio(*items: Item) -> float:
    (only,) = found(*items)
    return only.ratio


@for_each(
    ("one", "other", "expected"),
    [
        ((0, 0, 0), (255, 255, 255), 21.0),
        ((119, 119, 119), (255, 255, 255), 4.48),  # the well-known #777 that just fails
        ((118, 118, 118), (255, 255, 255), 4.54),  # and #767676 that just passes
        ((255, 0, 0), (255, 255, 255), 4.0),
        ((1, 2, 3), (1, 2, 3), 1.0),
    ],
)
def test_the_ratio(one: tuple[int, int, int], other: tuple[int, int, int], expected: float) -> None:
    assert contrast_ratio(one, other) == pytest.approx(expected, abs=0.01)
    assert contrast_ratio(other, one) == contrast_ratio(one, other)


def test_black_on_paper_and_on_dark() -> None:
    assert ratio(PAPER, text("words")) == 21
    assert ratio(DARK, text("words")) < 1.5
    assert ratio(text("words")) == 21  # bare paper


def test_one_word_of_a_line_over_a_dark_shape_is_found() -> None:
    (only,) = found(HALF, text("left left and right"))
    assert only.words == "right"
    assert only.ratio < 2


def test_specks_do_not_matter() -> None:
    assert ratio(SPECKS, text("some words here")) == 21


def test_a_photographs_many_colours() -> None:
    colors = [f"hsl({n * 40}, 60%, {75 + n}%)" for n in range(10)]
    stops = "".join(f'<stop offset="{n / 9}" stop-color="{color}"/>' for n, color in enumerate(colors))
    gradient = f'<radialGradient id="g">{stops}</radialGradient>'
    ground = picture(gradient + '<rect width="40" height="40" fill="url(#g)"/>')
    assert 6 < ratio(ground, text("words", size=12, y=20)) < 18


def test_opacity_counts() -> None:
    faint = text("words", opacity=0.5)
    assert ratio(PAPER, faint) == pytest.approx(contrast_ratio((128,) * 3, (255,) * 3), abs=0.1)
    assert ratio(PAPER, Group((faint,), 0.5)) == pytest.approx(
        contrast_ratio((191,) * 3, (255,) * 3), abs=0.1
    )


def test_turned_text_is_measured_where_it_stands() -> None:
    corner = picture('<rect width="40" height="40" fill="#fff"/><path d="M40 0v40h-40z" fill="#000"/>')
    along = Matrix(0.7071, -0.7071, 0.7071, 0.7071, 2, 30)
    assert ratio(corner, text("words", x=0, y=0, matrix=along)) == 21
    across = Matrix(0.7071, 0.7071, -0.7071, 0.7071, 16, 16)
    assert ratio(corner, text("words", x=0, y=0, matrix=across)) < 2


RAMP = (
    '<linearGradient id="r"><stop stop-color="#fff"/><stop offset="1" stop-color="#555"/></linearGradient>'
)


@for_each("opacity", [1.0, 0.6])
@for_each(
    "ground",
    [
        GROUND,
        RAMP + '<rect width="40" height="40" fill="url(#r)"/>',
        GROUND + '<rect x="18" width="26" height="40" fill="#767676"/>',
        "".join(
            f'<rect x="{n}" y="{m}" width="1" height="1" fill="#{n * 6:02x}{m * 6:02x}80"/>'
            for n in range(40)
            for m in range(40)
        ),
    ],
    ids=["flat", "ramp", "half", "many colours"],
)
def test_what_is_left_out_has_enough_contrast(ground: str, opacity: float) -> None:
    matrices = [Matrix(), Matrix(0, 1, -1, 0, 30, 0), Matrix(0.7071, 0.7071, -0.7071, 0.7071, 16, 4)]
    inks = [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.4, 0.4, 0.4), (0.8, 0.2, 0.1)]
    texts = [
        text("some words here", x=x, y=y, fill=ink, matrix=matrix, opacity=opacity)
        for matrix in matrices
        for ink in inks
        for x, y in ((2.0, 10.0), (-4.0, 20.0), (30.0, 39.9))
    ]
    rendering = Rendering((), {"side": artwork(picture(ground), *texts)}, ICONS)
    every = list(contrasts(rendering, fonts(), ArtStore.memory()))
    for enough in (1.5, 3.0, 4.5, 12.0, 21.0):
        kept = list(contrasts(rendering, fonts(), ArtStore.memory(), None, enough))
        assert [each for each in kept if each.ratio < enough] == [
            each for each in every if each.ratio < enough
        ]
        assert len(kept) < len(every) or not any(each.ratio >= enough for each in every) or enough > 4


def test_a_text_of_two_inks_on_two_grounds_is_left_out_by_its_runs() -> None:
    left, right = text("left", x=2), text("right", x=24, fill=(1, 1, 1))
    both = replace(left, runs=(*left.runs, *right.runs))
    rendering = Rendering((), {"side": artwork(HALF, both)}, ICONS)
    assert len(list(contrasts(rendering, fonts(), ArtStore.memory()))) == 1
    assert list(contrasts(rendering, fonts(), ArtStore.memory(), None, 4.5)) == []


def test_letters_set_closer_than_they_are_wide() -> None:
    line = text("left left and right", x=2, fill=(1, 1, 1))
    (run,) = line.runs
    assert not isinstance(run, IconRun)
    back = replace(run, x=34.0, gaps=tuple(-word.advance - 1.5 for word in run.words))
    rendering = Rendering((), {"side": artwork(HALF, replace(line, runs=(back,)))}, ICONS)
    assert len(list(contrasts(rendering, fonts(), ArtStore.memory(), None, 4.5))) == 1


def test_decoration_is_ground() -> None:
    texture = text("HHHHHHHHH", x=0, y=11, size=6, font=BEBAS, decor=True)
    results = found(PAPER, texture, text("words"))
    assert [result.text.decor for result in results] == [False]
    assert results[0].ratio < 2


def test_other_text_and_icons_are_no_ground() -> None:
    other = text("HHHHHHHHH", x=0, y=11, size=6, font=BEBAS, fill=(1, 1, 1))
    pair = found(PAPER, text("words", icons=(IconRun("disc", 2, 7, 4, (0, 0, 0)),)), other)
    assert [round(result.ratio) for result in pair] == [21, 1]


def test_an_icons_figure_stands_on_its_icon() -> None:
    line = text("words", icons=(IconRun("disc", 2, 7, 4, (0, 0, 0)),))
    figure = replace(text("3", fill=(1, 1, 1)).runs[0], within="disc")
    assert [round(result.ratio) for result in found(PAPER, replace(line, runs=(*line.runs, figure)))] == [
        21
    ]


def test_large_type() -> None:
    sizes = {17.9: False, 18.0: True}
    for size, large in sizes.items():
        assert found(PAPER, text("a", y=20, size=size * MM_PER_PT))[0].large is large
    bold = {13.9: False, 14.0: True}
    for size, large in bold.items():
        assert (
            found(PAPER, text("a", y=20, size=size * MM_PER_PT, font="IBMPlexSans-Bold"))[0].large is large
        )
    grown = text("a", x=0, y=8, size=9 * MM_PER_PT, matrix=Matrix(2, 0, 0, 2, 2, 2))
    assert found(PAPER, grown)[0].size_pt == pytest.approx(18)


def test_text_off_the_side_and_without_letters_is_passed_over() -> None:
    blank = text("x")
    spaces = replace(blank, runs=(replace(blank.runs[0], words=(fonts().by_key(BEBAS).word(" "),)),))
    assert found(PAPER, text("gone", x=90), spaces, SetText((), blank.box, 3)) == []


@pytest.mark.parametrize(("side_mm", "pixels"), [(300, 1181), (2000, 2828)])
def test_of_a_large_board_fewer_pixels_are_looked_at(
    side_mm: float, pixels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[tuple[int, int]] = []

    def noting(easel: raster.Easel, page: Any, size: tuple[int, int]) -> Image.Image:
        sizes.append(size)
        return paint(easel, page, size)

    paint = raster.Easel.paint
    monkeypatch.setattr(raster.Easel, "paint", noting)
    large = text("Large", size=20.0, y=30.0, fill=(0.784, 0.784, 0.784))
    side = artwork(PAPER, large, size=Size(side_mm, side_mm))
    (contrast,) = contrasts(Rendering((), {"side": side}, ICONS), fonts(), ArtStore.memory())
    assert sizes == [(pixels, pixels)]
    assert contrast.ratio == pytest.approx(1.67, abs=0.02)


def test_sides_of_one_picture_are_drawn_once_and_judged_each(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    real = legibility.render_one_by_one

    def render(document: bytes, views: list[View], *rest: Any) -> Any:
        drawn.append(len(views))
        return real(document, views, *rest)

    monkeypatch.setattr(legibility, "render_one_by_one", render)
    sides = {
        "dark": replace(artwork(DARK, text("one")), key="dark"),
        "one": replace(artwork(PAPER, text("one")), key="one"),
        "darker": replace(artwork(DARK, text("two")), key="darker"),
        "two": replace(artwork(PAPER, text("two")), key="two"),
    }
    seen: list[str] = []
    judged = list(
        contrasts(
            Rendering((), sides, ICONS), fonts(), ArtStore.memory(), lambda side, *_: seen.append(side.key)
        )
    )
    assert [(each.artwork, each.words, each.ratio > 10) for each in judged] == [
        ("dark", "one", False),
        ("one", "one", True),
        ("darker", "two", False),
        ("two", "two", True),
    ]
    assert seen == ["dark", "darker", "one", "two"]
    assert drawn == [2]


def test_many_sides_are_drawn_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[list[str]] = []
    real = legibility.draw_sides

    def draw_sides(artworks: list[Artwork], *rest: Any, **more: Any) -> Any:
        held.append([each.key for each in artworks])
        return real(artworks, *rest, **more)

    monkeypatch.setattr(legibility, "draw_sides", draw_sides)
    grounds = [DARK, PAPER, PAPER, DARK, DARK]
    sides = {
        str(number): replace(artwork(ground, text(f"word {number}")), key=str(number))
        for number, ground in enumerate(grounds)
    }
    rendering = Rendering((), sides, ICONS)
    whole = list(contrasts(rendering, fonts(), ArtStore.memory()))
    assert [each.ratio > 10 for each in whole] == [False, True, True, False, False]
    monkeypatch.setattr(legibility, "AT_ONCE", 2)
    assert list(contrasts(rendering, fonts(), ArtStore.memory())) == whole
    assert held == [["0", "1", "2", "3", "4"], ["0", "1"], ["2", "3"], ["4"]]
