"""Numbers, points, paths, colours and seeded chance."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.art import functions
from cardgen.art import functions as colors
from cardgen.art.functions import Rng
from cardgen.art.templating import TemplateEnvironment
from cardgen.files.listing import ProjectFolders
from tests.for_each import for_each
from tests.wording import Wording

from .support import FONT, Workshop

DRAWING = functions.DrawingFunctions(TemplateEnvironment(ProjectFolders(())))


@for_each(
    ("value", "decimals", "text"),
    [
        (1.0, 3, "1"),
        (-0.0001, 3, "0"),
        (2.5, 0, "2"),
        (1 / 3, 3, "0.333"),
        (1e9, 3, "1000000000"),
        (70, 3, "70"),
    ],
)
def test_number(value: float, decimals: int, text: str) -> None:
    assert functions.number(value, decimals) == text


@for_each("value", [math.inf, math.nan])
def test_number_refuses_infinity(value: float) -> None:
    with pytest.raises(ValueError, match="infinite"):
        functions.number(value)


def test_points_and_paths() -> None:
    corners = [(0, 0), (10, 0), (10, 10.5)]
    assert DRAWING.points(corners) == "0,0 10,0 10,10.5"
    assert DRAWING.path(corners) == "M0 0L10 0L10 10.5"
    assert DRAWING.path(corners, close=True) == "M0 0L10 0L10 10.5Z"
    assert DRAWING.path([]) == ""


def test_a_smooth_path_passes_through_its_points() -> None:
    data = DRAWING.path([(0, 0), (10, 0), (10, 10)], smooth=1)
    assert data == "M0 0C1.667 0 8.333 -1.667 10 0C11.667 1.667 10 8.333 10 10"


def test_polar_angles_turn_clockwise() -> None:
    assert functions.polar(1, 1, 2, 90) == pytest.approx((1, 3))


def test_polygon_and_star_begin_at_the_top() -> None:
    square = DRAWING.polygon(0, 0, 1, 4)
    assert square == [pytest.approx(p, abs=1e-9) for p in [(0, -1), (1, 0), (0, 1), (-1, 0)]]
    assert len(DRAWING.star(0, 0, 2, 1, 5)) == 10


def test_arcs() -> None:
    assert functions.arc(0, 0, 1, 0, 90) == "M1 0A1 1 0 0 1 0 1"
    assert functions.arc(0, 0, 1, 0, -200) == "M1 0A1 1 0 1 0 -0.94 0.342"
    assert functions.arc(0, 0, 1, 0, 90, pie=True) == "M0 0L1 0A1 1 0 0 1 0 1Z"
    assert functions.arc(5, 5, 1, 0, 360) == "M4 5A1 1 0 1 1 6 5A1 1 0 1 1 4 5Z"


def test_hexgrid_keeps_its_distance_and_its_box() -> None:
    centres = DRAWING.hexgrid(1, 2, 10, 9, 1)
    assert all(1 <= x <= 11 + 1e-6 and 2 <= y <= 11 + 1e-6 for x, y in centres)
    nearest = min(math.dist(a, b) for i, a in enumerate(centres) for b in centres[:i])
    assert nearest == pytest.approx(math.sqrt(3))


def test_corners_of_hexagons_are_there_once() -> None:
    assert len(DRAWING.hexcorners(0, 0, 0.1, 0.1, 1)) == 6
    centres, corners = DRAWING.hexgrid(5, 7, 40, 30, 4), DRAWING.hexcorners(5, 7, 40, 30, 4)
    wanted = {
        (
            round(cx + 4 * math.sin(math.radians(60 * k)), 6),
            round(cy - 4 * math.cos(math.radians(60 * k)), 6),
        )
        for cx, cy in centres
        for k in range(6)
    }
    assert {(round(cx, 6), round(cy, 6)) for cx, cy in corners} == wanted
    nearest = min(math.dist(a, b) for i, a in enumerate(corners) for b in corners[:i])
    assert nearest == pytest.approx(4)
    assert [y for _, y in corners] == sorted(y for _, y in corners)


def test_icon() -> None:
    assert functions.icon("key", 1, 2, 6) == '<use href="#icon-key" x="1" y="2" width="6" height="6"/>'
    assert functions.icon("a&b", 1, 2, 6, fill='"').startswith('<use href="#icon-a&amp;b"')
    assert 'color="&#34;"' in functions.icon("key", 1, 2, 6, fill='"')
    assert 'transform="rotate(90 4 5)"' in functions.icon("key", 1, 2, 6, rotate=90)


def test_color_filters() -> None:
    assert colors.mix("#000", "#fff", 0.25) == "#404040"
    assert colors.lighten("#000000", 1) == "#ffffff"
    assert colors.darken("#ffffff", 0.5) == "#808080"
    assert colors.grey("#00ff00") == "#b6b6b6"
    assert colors.contrast("#000", "#fff") == pytest.approx(21)
    assert (colors.ink_on("#ffee00"), colors.ink_on("#101040")) == ("#000000", "#ffffff")


def test_chance_is_the_same_everywhere() -> None:
    # Figures that any machine and any version of Python must give.
    dice = Rng("hack", 3)
    assert [dice.randint(1, 6) for _ in range(8)] == [5, 5, 4, 6, 5, 4, 4, 1]
    assert Rng("a", "b").random() != Rng("ab").random()


@given(st.text(), st.integers(-5, 5), st.integers(0, 9))
def test_chance_stays_in_bounds(key: str, low: int, extra: int) -> None:
    dice = Rng(key)
    assert low <= dice.randint(low, low + extra) <= low + extra
    assert 0 <= dice.random() < 1
    assert sorted(dice.shuffle(range(9))) == list(range(9))
    assert len(set(dice.sample(range(9), 4))) == 4


def test_noise_is_smooth_and_bounded() -> None:
    values = [DRAWING.noise(i / 50, 0.3, "seed") for i in range(200)]
    assert all(0 <= value <= 1 for value in values)
    assert max(abs(a - b) for a, b in itertools.pairwise(values)) < 0.05
    assert len(set(values)) > 100


@for_each(
    ("expression", "printed"),
    [
        ("lerp(2, 4, 0.5)|f", "3"),
        ("clamp(7)|f", "1"),
        ("clamp(-3, -2, 5)|f", "-2"),
        ("hexgrid(0, 0, 4, 2, 1)|length", "5"),
        ("hexcorners(0, 0, 4, 2, 1)|length", "19"),
        ("points(grid(0, 0, 4, 2, 2, 1))", "1,1 3,1"),
        ("path(polygon(0, 0, 1, 4, 0), close=true)", "M1 0L0 1L-1 0L0 -1Z"),
        ("star(0, 0, 2, 1, 5)|length", "10"),
        ("noise(3, 4, 'a') == noise(3, 4, 'a')", "True"),
        ("rng('a').randint(4, 4)", "4"),
        ("rng('a', 1.5).choice([7])", "7"),
        ("rng('a').shuffle([1, 2, 3])|sort|join", "123"),
        ("rng('a').sample([1, 2, 3], 3)|sort|join", "123"),
        ("rng('a').chance(1)", "True"),
        ("rng('a').chance(0)", "False"),
        ("rng('a').uniform(5, 5)|f", "5"),
        ("rng('a').gauss(3, 0)|f", "3"),
        ("rng('a').random() == rng('a').random()", "True"),
        ("rng('a').random() == rng('b').random()", "False"),
    ],
)
def test_templates_call_them(shop: Workshop, expression: str, printed: str) -> None:
    result = shop.render(f'<text x="9" y="19" {FONT}>{{{{ {expression} }}}}</text>')
    assert (result.codes, result.words()) == ([], printed)


@for_each(
    "expression",
    [
        "hexgrid(0, 0, 4, 2, 0)",
        "hexcorners(0, 0, 4, 2, -1)",
        "icon(5, 0, 0, 1)",
        "lerp('a', 1, 'b')",
        "clamp('a')",
        "rng('a').randint(4, 3)",
        "rng('a').choice([])",
        "grid(0, 0, 1, 1, 99999, 99999)",
    ],
)
def test_wrong_values_are_said_at_the_template(shop: Workshop, expression: str, wording: Wording) -> None:
    (finding,) = shop.render(f"\n{{{{ {expression} }}}}").findings
    assert finding.code.startswith("template/")
    wording(finding)
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == ("templates/demo/card.svg", 3)


@for_each(("language", "words"), [("en", ["yes", "no"]), ("de-AT", ["ja", "nein"]), ("tlh", ["yes", "no"])])
def test_truths_are_printed_in_the_language(language: str, words: list[str]) -> None:
    filled = functions.yes_no(language)
    assert [filled(True), filled(False)] == words
    assert [filled(value) for value in (1, 0, "", None, "TRUE")] == [1, 0, "", None, "TRUE"]
