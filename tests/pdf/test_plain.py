"""Plain pictures, painted straight to PDF, look as cairo draws them; all others are left to it."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageFilter

from cardgen.core.artwork import IconRun, Item
from cardgen.core.geometry import Matrix, decimal
from cardgen.pdf import drawing as draw
from cardgen.pdf.plain import plain_form
from cardgen.pdf.shapes import Drawable, icon_document, written, written_ellipse
from cardgen.svg.outlines import Outline, ellipse_outline
from tests.for_each import for_each

from .samples import ICONS, SVG, UNPLAIN, at, close, picture, pixels, text

SHAPES = (
    '<rect x="6" y="8" width="22" height="14" {}/>',
    '<rect x="6" y="8" width="22" height="14" rx="5" {}/>',
    '<circle cx="20" cy="20" r="11" {}/>',
    '<ellipse cx="20" cy="20" rx="14" ry="6" {}/>',
    '<path d="M8 30C8 5 32 5 32 30S20 38 20 24t-6-9 4-6z" {}/>',
    '<path d="M10 20a9 6 20 1 1 14 8A12 12 0 0 1 12 30H4V22z" {}/>',
    '<polygon points="20,3 33,36 4,14 36,14 7,36" {}/>',
    '<polyline points="5,5 20,30 35,5" {}/>',
    '<line x1="4" y1="33" x2="34" y2="9" {}/>',
)
BOXED = (
    'fill="url(#line)" stroke="url(#round)" stroke-width="3"',
    'fill="url(#round)" fill-opacity=".6"',
    'fill="#080" clip-path="url(#boxed)" opacity=".7"',
)
"""Told by the box around a shape, which cairo takes too large where that is turned or skewed."""
PAINTS = (
    'fill="#c33"',
    'fill="none" stroke="#183" stroke-width="2.5"',
    'fill="gold" stroke="#00f" stroke-width="3" stroke-linejoin="round" fill-rule="evenodd"',
    'fill="#0a08" stroke="rgba(0,0,160,.6)" stroke-width="4"',
    'fill="#939" stroke="#000" stroke-width="5" paint-order="stroke" opacity=".5"',
    'fill="none" stroke="#000" stroke-width="2" stroke-dasharray="4 2 1" stroke-dashoffset="-3"',
    'fill="url(#own)"',
    'fill="#c33" clip-path="url(#clip)"',
)
UPRIGHT = (
    "<g>{}</g>",
    '<g transform="translate(4 9) scale(.8 .5)">{}</g>',
    '<g opacity=".5"><rect width="20" height="40" fill="#226"/>{}</g>',
    '<g mix-blend-mode="multiply"><rect x="9" width="9" height="40" fill="#ff0"/>{}</g>',
    '<g clip-path="url(#clip)" fill="#0cc">{}</g>',
    '<defs><g id="shown">{}</g></defs><use href="#shown" x="3" y="2"/>',
)
AROUND = (
    *UPRIGHT,
    '<g transform="rotate(20 20 20)">{}</g>',
    '<g transform="translate(4 9) scale(.8 .5) skewX(12)">{}</g>',
)
PAIRS = [(around, paint) for around in AROUND for paint in PAINTS]
PAIRS += [(around, paint) for around in UPRIGHT for paint in BOXED]
DEFINED = """<defs>
<linearGradient id="line"><stop stop-color="#f00"/><stop offset=".4" stop-color="#ff0"/>
<stop offset="1" stop-color="#00f"/></linearGradient>
<radialGradient id="round" cx=".4" cy=".4" fx=".3" fy=".3"><stop offset=".2" stop-color="#fff"/>
<stop offset=".9" stop-color="#035"/></radialGradient>
<linearGradient id="own" gradientUnits="userSpaceOnUse" x1="5" y1="5" x2="30" y2="30"
 gradientTransform="rotate(30)"><stop stop-color="#0f0"/><stop offset="1" stop-color="#909"/>
</linearGradient>
<clipPath id="clip"><circle cx="18" cy="18" r="12"/><rect x="20" y="20" width="15" height="15"/></clipPath>
<clipPath id="boxed" clipPathUnits="objectBoundingBox"><ellipse cx=".5" cy=".5" rx=".4" ry=".5"/></clipPath>
</defs>"""
GROUND = '<rect width="40" height="40" fill="#eee"/>'


COORDINATES = st.floats(-1e6, 1e6) | st.integers(-2000, 2000).map(lambda n: n / 200) | st.just(-0.0)


@given(
    letters=st.text("LCZ", max_size=4).map("M".__add__).filter("MLLLZ".__ne__),
    numbers=st.lists(COORDINATES, min_size=26, max_size=26),
    places=st.integers(1, 8),
)
def test_operators_have_the_numbers_of_decimal(letters: str, numbers: list[float], places: int) -> None:
    outline = Outline(
        letters, numbers[: 2 * len(letters) + 4 * letters.count("C") - 2 * letters.count("Z")]
    )
    expected = " ".join(
        " ".join([*(decimal(value, places) for value in values), {"Z": "h"}.get(kind, kind.lower())])
        for kind, values in outline.segments()
    )
    assert written(outline, places) == expected


@given(st.lists(COORDINATES, min_size=8, max_size=8), st.integers(2, 6))
def test_ellipse_that_stays_upright_is_written_as_any_outline(values: list[float], places: int) -> None:
    cx, cy, rx, ry, *scale = values
    outline = ellipse_outline(cx, cy, abs(rx) + 0.001, abs(ry) + 0.001)
    matrix = Matrix(scale[0], 0.0, -0.0, *scale[1:])
    assert written_ellipse(outline, places, matrix) == written(outline, places, matrix)


def both(content: str, patch: pytest.MonkeyPatch) -> tuple[Image.Image, Image.Image]:
    """The picture painted plainly and by cairo."""
    item = picture(DEFINED + GROUND + content)
    assert plain_form(Drawable("key", item.svg)) is not None
    mine = pixels(item)
    with patch.context() as within:
        within.setattr(draw, "plain_form", lambda *_: None)
        return mine, pixels(item)


def apart(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels that differ by more than an edge that lies a little elsewhere."""
    difference = ImageChops.difference(one, other).convert("L").filter(ImageFilter.MinFilter(3))
    return sum(difference.histogram()[24:]) / (one.width * one.height)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=st.lists(st.tuples(st.sampled_from(SHAPES), st.sampled_from(PAIRS)), min_size=1, max_size=3))
def test_looks_as_cairo_draws_it(
    pairs: list[tuple[str, tuple[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = "".join(around.format(shape.format(paint)) for shape, (around, paint) in pairs)
    content = content.replace('id="shown"', "", content.count('id="shown"') - 1)
    assert apart(*both(content, monkeypatch)) < 0.001


def test_the_box_around_a_turned_shape_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """As wide as the shape before it is turned (SVG 2, section 8.10)."""
    shape = (
        '<g transform="rotate(40 20 20)"><rect x="10" y="10" width="20" height="20" fill="url(#{})"/></g>'
    )
    stated = (
        '<linearGradient id="stated" gradientUnits="userSpaceOnUse" x1="10" x2="30">'
        '<stop stop-color="#f00"/>'
        '<stop offset=".4" stop-color="#ff0"/><stop offset="1" stop-color="#00f"/></linearGradient>'
    )
    one, other = (pixels(picture(DEFINED + stated + shape.format(name))) for name in ("line", "stated"))
    assert apart(one, other) == 0
    assert len(one.getcolors(1 << 18) or []) > 50


@pytest.mark.parametrize(("around", "paint"), PAIRS)
def test_every_paint_looks_as_cairo_draws_it(
    around: str, paint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert apart(*both(around.format(SHAPES[4].format(paint)), monkeypatch)) < 0.001


TILES = '<pattern id="p" {}><rect width="2" height="2" fill="#f00"/></pattern>'


@for_each(
    ("attributes", "shape", "expected"),
    [
        (
            'x="1" y="1" width="4" height="4" patternUnits="userSpaceOnUse"',
            "",
            {(2, 2): 1, (4, 4): 0, (38, 38): 1},
        ),
        ('width=".1" height=".1"', "", {(1, 1): 1, (3, 3): 0, (37, 37): 1}),
        (
            'width="4" height="4" patternUnits="userSpaceOnUse" '
            'patternTransform="translate(2 0) rotate(90)"',
            "",
            {(1, 1): 1, (3, 3): 0, (37, 37): 1},
        ),
        (
            'width="8" height="8" viewBox="0 0 4 4" patternUnits="userSpaceOnUse"',
            'fill-opacity=".5"',
            {(2, 2): 2, (6, 6): 0, (18, 2): 2},
        ),
    ],
)
def test_patterns_are_laid_tile_by_tile(
    attributes: str, shape: str, expected: dict[tuple[float, float], int]
) -> None:
    body = f'<defs>{TILES.format(attributes)}</defs><rect width="40" height="40" {shape} fill="url(#p)"/>'
    item = picture(body)
    objects = plain_form(Drawable("key", item.svg))
    assert objects is not None
    assert not any(b"/PatternType" in obj.head for obj in objects)
    image = pixels(item)
    colors = [(255, 255, 255), (255, 0, 0), (255, 127, 127)]
    assert all(close(at(image, *place), colors[color]) for place, color in expected.items())


def test_what_of_a_tile_only_touches_the_edge_is_not_drawn_there() -> None:
    """A quarter of each tile, of which the filled area ends with the first or the last."""
    tile = (
        '<defs><pattern id="p" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M0 0h4v4h-4z" '
        'fill="#f00"/><path d="M4 4h4v4h-4z" fill="#00f"/></pattern></defs>'
    )

    def drawn(size: float) -> list[int]:
        """How many shapes each form of tiles has."""
        shape = f'<rect x="4" y="4" width="{size}" height="{size}" fill="url(#p)"/>'
        objects = plain_form(Drawable("key", picture(tile + shape).svg))
        assert objects is not None
        return [zlib.decompress(bytes(obj.stream)).count(b" f") for obj in objects[:-1] if obj.stream]

    # At the first row and column the first of the two touches, at the last the second.
    assert drawn(16.5) == [1, 2]
    assert drawn(16) == drawn(16.0000001) == [1, 2, 1]


@for_each(
    "content",
    [
        UNPLAIN,
        '<text x="9" y="9">a</text>',
        '<rect width="9" height="9" mask="url(#m)"/>',
        '<rect width="9" height="9" filter="url(#m)"/>',
        '<rect width="9" height="9" fill="url(#none)"/>',
        '<rect width="9" height="9" fill="nocolour"/>',
        '<rect width="9cm" height="9"/>',
        '<rect width="9%" height="9"/>',
        '<use href="#none"/>',
        '<g id="self"><use href="#self"/></g>',
        '<g mix-blend-mode="strange"><circle r="4"/></g>',
        '<linearGradient id="g"><stop stop-opacity="0"/><stop offset="1"/></linearGradient>'
        '<rect width="9" height="9" fill="url(#g)"/>',
        '<linearGradient id="g" spreadMethod="repeat" x2=".1"><stop/><stop offset="1" stop-color="red"/>'
        '</linearGradient><rect width="9" height="9" fill="url(#g)"/>',
        '<clipPath id="c"><path d="M0 0h20v20h-20z"/><path d="M10 10v20h20v-20z"/></clipPath>'
        '<rect width="9" height="9" clip-path="url(#c)"/>',
        '<pattern id="p" width=".01" height=".01"><path d="M0 0h1"/></pattern>'
        '<rect width="9" height="9" fill="url(#p)"/>',
    ],
)
def test_what_is_not_plain_is_left_to_others(content: str) -> None:
    assert plain_form(Drawable("key", picture(content).svg)) is None


@for_each(
    "root",
    [
        SVG.replace('viewBox="0 0 40 40"', ""),
        SVG.replace("40 40", "40 20"),
        SVG.replace("40mm", "40"),
        f'{SVG} preserveAspectRatio="none"',
    ],
)
def test_a_root_of_another_kind_is_left_to_others(root: str) -> None:
    assert plain_form(Drawable("key", f'<svg {root}><circle r="4"/></svg>')) is None
    assert plain_form(Drawable("key", "<svg")) is None


def test_what_shows_nothing_paints_nothing() -> None:
    nothing = (
        '<rect width="0" height="9"/><circle r="0"/><path d=""/>'
        '<g display="none"><rect width="9" height="9"/></g>'
        '<g transform="scale(0)"><rect width="9" height="9"/></g><rect width="9" height="9" fill="none"/>'
        '<rect width="9" height="9" visibility="hidden"/><line x2="9" fill="red"/><polygon points="3"/>'
        '<rect width="9" height="9" fill="none" stroke="red" stroke-width="0"/>'
        '<linearGradient id="g"/><rect width="9" height="9" fill="url(#g)"/>'
        '<g opacity=".5"><circle r="0"/></g>'
    )
    objects = plain_form(Drawable("key", picture(nothing).svg))
    assert objects is not None
    assert len(objects) == 1
    assert pixels(picture(nothing)).getcolors() == [(160000, (255, 255, 255))]


def test_icons_fill_the_unit_square(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ICONS:
        drawable = Drawable("key", icon_document(ICONS[name], (1, 0, 0)), unit=True)
        assert plain_form(drawable) is not None
        icon: Item = text("", icons=(IconRun(name, 5, 5, 20, (1, 0, 0), 2.0 if name == "wide" else 1.0),))
        mine = pixels(icon)
        with monkeypatch.context() as within:
            within.setattr(draw, "plain_form", lambda *_: None)
            assert apart(mine, pixels(icon)) < 0.001
