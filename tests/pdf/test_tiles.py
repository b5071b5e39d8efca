"""Patterns in every painter: their tiles are put one by one, for readers round those of a PDF pattern."""

from __future__ import annotations

from io import BytesIO

import pikepdf

from cardgen.pdf.plain import plain_form
from cardgen.pdf.shapes import Drawable
from tests.for_each import for_each

from .samples import UNPLAIN, artwork, at, close, drawn, pdf, picture, pixels

DOTS = (
    '<pattern id="p" width="3" height="3" patternUnits="userSpaceOnUse" {}>'
    '<rect width="1.5" height="1.5" fill="red"/></pattern>'
)
INNER = (
    '<pattern id="q" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" '
    'fill="url(#p)"/><rect x="3" y="3" width="3" height="3" fill="blue"/></pattern>'
)
FILL = '<rect width="40" height="40" fill="url(#{})" {}/>'
MASK = '<mask id="k"><rect width="40" height="40" fill="#fff"/></mask>'
PLAIN = DOTS.format("") + FILL.format("p", "")
TYPST = [
    PLAIN + UNPLAIN,
    DOTS.format('patternTransform="rotate(30)"') + FILL.format("p", 'fill-opacity=".5"') + UNPLAIN,
    DOTS.format("") + INNER + FILL.format("q", "") + UNPLAIN,
    DOTS.format("") + f'<g opacity=".5" transform="scale(.5)">{FILL.format("p", "")}</g>' + UNPLAIN,
]
TYPST.append(MASK + DOTS.format("") + FILL.format("p", 'mask="url(#k)"'))


def tilings(data: bytes) -> int:
    """How many tiling patterns a PDF has."""
    with pikepdf.open(BytesIO(data)) as document:
        return sum(
            isinstance(each, pikepdf.Stream) and each.get("/PatternType") == 1 for each in document.objects
        )


def test_no_side_of_a_game_of_patterns_has_a_tiling() -> None:
    contents = [PLAIN, *TYPST]
    plain = [plain_form(Drawable("key", picture(each).svg)) is not None for each in contents]
    assert plain == [True, *[False] * len(TYPST)]
    side = artwork(*(picture(each, f"k{number}") for number, each in enumerate(contents)))
    assert tilings(pdf(drawn(side))) == 0


@for_each(
    ("content", "places"),
    [
        (
            TYPST[0],
            {(30.7, 30.7): "red", (32.2, 30.7): "white", (36.7, 39.7): "red"},
        ),
        (TYPST[2], {(30.7, 30.7): "red", (34.5, 34.5): "blue", (38.2, 30.7): "white", (36.7, 36.7): "red"}),
        (TYPST[3], {(18.4, 18.4): "light", (19.1, 18.4): "white", (21, 21): "white"}),
    ],
    ids=["dots", "nested", "in a group"],
)
def test_tiles_lie_where_the_drawing_has_them(content: str, places: dict[tuple[float, float], str]) -> None:
    """Far from where the pattern begins, where rounded tiles have gone astray."""
    colours = {"red": (255, 0, 0), "blue": (0, 0, 255), "white": (255, 255, 255), "light": (255, 127, 127)}
    image = pixels(picture(content))
    for place, colour in places.items():
        assert close(at(image, *place), colours[colour]), (place, at(image, *place))


def test_what_stays_a_tiling() -> None:
    """Lines drawn with a pattern, and fills of more than three thousand tiles."""
    stroke = DOTS.format("") + '<rect width="30" height="30" stroke="url(#p)" stroke-width="4"/>' + UNPLAIN
    tiny = DOTS.format('patternTransform="scale(.1)"') + FILL.format("p", "") + UNPLAIN
    assert [tilings(pdf(drawn(artwork(picture(each))))) for each in (stroke, tiny)] == [1, 1]
