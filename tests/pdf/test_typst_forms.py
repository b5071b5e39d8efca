"""What Typst is given, and what its PDF becomes, so that readers draw a picture as SVG means it."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pikepdf
import pytest
from PIL import Image

from cardgen.pdf.forms import lay_tiles
from cardgen.pdf.gradients import unroll_gradients
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.typst_pages import in_grays, lengthen_points
from cardgen.svg.tree import Document, Node, parse
from tests.for_each import for_each


def document(body: str) -> Document:
    return parse(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">{body}</svg>'.encode())


def nodes(found: Document, name: str) -> list[Node]:
    return [node for node in found.root.iter() if node.name == name]


# ---- gradients that repeat


def unrolled(attrs: str, shape: str = '<rect width="100" height="100" fill="url(#g)"/>') -> Node:
    stops = '<stop stop-color="#fff"/><stop offset="1" stop-color="#000"/>'
    found = document(
        f'<radialGradient id="g" gradientUnits="userSpaceOnUse" {attrs}>{stops}</radialGradient>{shape}'
    )
    unroll_gradients(found)
    return nodes(found, "radialGradient")[0]


def stops(gradient: Node) -> list[tuple[float, str]]:
    return [
        (float(stop.attrs["offset"]), stop.attrs["stop-color"][4:].split("%")[0])
        for stop in gradient.elements()
    ]


def test_a_repeat_goes_as_far_as_the_shape() -> None:
    gradient = unrolled('cx="0" cy="0" r="100" spreadMethod="repeat"')
    far = [float(gradient.attrs[name]) for name in ("cx", "cy", "r", "fx", "fy")]
    assert far == [0, 0, 200, 0, 0]  # the corner is 141 away
    assert stops(gradient)[::4] == [(0, "100.0000"), (pytest.approx(1 / 2), "100.0000")]


@for_each(
    ("attrs", "shape", "ends"),
    [
        ("", '<rect width="100" height="9" fill="url(#g)"/>', (0, 100)),
        (
            "",
            '<rect x="25" width="30" height="9" fill="none" stroke="url(#g)" stroke-width="20"/>',
            (10, 70),
        ),
        ('gradientTransform="scale(.5)"', '<rect width="100" height="9" fill="url(#g)"/>', (0, 200)),
        # the gradient lies in the units of the shape, wherever that is moved
        ("", '<g fill="url(#g)"><rect width="50" height="9" transform="translate(900)"/></g>', (0, 50)),
        ("", '<defs><rect id="r" width="50" height="9"/></defs><use href="#r" fill="url(#g)"/>', (0, 50)),
    ],
)
def test_a_line_repeats_as_far_as_what_it_paints(attrs: str, shape: str, ends: tuple[int, int]) -> None:
    line = f'x1="0" x2="10" y2="0" spreadMethod="repeat" gradientUnits="userSpaceOnUse" {attrs}'
    found = document(f'<linearGradient id="g" {line}><stop/><stop offset="1"/></linearGradient>{shape}')
    unroll_gradients(found)
    (gradient,) = nodes(found, "linearGradient")
    assert (float(gradient.attrs["x1"]), float(gradient.attrs["x2"])) == ends
    assert "spreadMethod" not in gradient.attrs


def test_back_and_forth() -> None:
    gradient = unrolled('cx="50" cy="50" r="50" spreadMethod="reflect"')
    assert float(gradient.attrs["r"]) == 100
    assert [color for _, color in stops(gradient)][-1] == "100.0000"
    assert dict(stops(gradient))[0.5] == "0.0000"


def test_the_focus_moves_with_the_circles() -> None:
    gradient = unrolled('cx="50" cy="50" r="20" fx="45" fy="50" spreadMethod="repeat"')
    turns = float(gradient.attrs["r"]) / 20
    assert turns > 3
    assert [float(gradient.attrs[name]) for name in ("cx", "fx", "fy")] == pytest.approx(
        [45 + turns * 5, 45, 50]
    )


def test_a_focal_circle_begins_at_its_point() -> None:
    gradient = unrolled('cx="50" cy="50" r="40" fx="40" fy="50" fr="20"')
    assert [float(gradient.attrs[name]) for name in ("fx", "fy", "cx", "r")] == pytest.approx(
        [30, 50, 50, 40]
    )
    assert "fr" not in gradient.attrs
    assert stops(gradient)[:2] == [(0, "100.0000"), (0.5, "100.0000")]


def test_a_focal_circle_repeats_inwards() -> None:
    gradient = unrolled('cx="50" cy="50" r="40" fr="10" spreadMethod="repeat"')
    assert stops(gradient)[0][1] == "33.3333"  # a third of a turn lies within the focal circle
    assert float(gradient.attrs["fx"]) == 50


def test_usual_gradients_are_left_as_they_are() -> None:
    gradient = unrolled('cx="50" cy="50" r="40" fx="40"')
    assert gradient.attrs["id"] == "g"


def test_a_focal_circle_as_large_as_the_outer_one_is_said() -> None:
    with pytest.raises(DrawingError, match="focal circle"):
        unrolled('cx="50" cy="50" r="40" fr="40"')


# ---- points


@for_each(
    ("data", "added"),
    [
        ("M5 6h0", "M5 6h0.001"),
        ("M5 6z M1 1L2 2", "M5 6h0.001"),
        ("M0 0H5M7 7C7 7 7 7 7 7", "M7 7h0.001"),
    ],
)
def test_points_have_caps(data: str, added: str) -> None:
    found = document(f'<g stroke-linecap="square"><path d="{data}"/></g>')
    lengthen_points(found)
    assert nodes(found, "path")[0].attrs["d"] == f"{data} {added}"


def test_only_points_with_caps_are_lengthened() -> None:
    found = document(
        '<path d="M5 6h0"/><line x1="3" x2="3" stroke-linecap="round"/>'
        '<path d="M0 0h1" stroke-linecap="round"/>'
    )
    lengthen_points(found)
    assert [node.attrs["d"] for node in nodes(found, "path")] == ["M5 6h0", "M0 0h1"]
    assert nodes(found, "line")[0].attrs["x2"] == "3.001"


# ---- tiles


def tiled(page: bytes, **pattern: Any) -> list[tuple[list[float], str]]:
    """The operators of a page with a pattern of 10 × 10, laid."""
    pdf = pikepdf.new()
    tile = pdf.make_stream(b"0 0 5 5 re f")
    tile.PatternType, tile.PaintType, tile.TilingType = 1, 1, 1
    tile.BBox, tile.XStep, tile.YStep = [0, 0, 10, 10], 10, 10
    tile.Resources = pikepdf.Dictionary()
    for name, value in pattern.items():
        tile["/" + name] = value
    made = pdf.add_blank_page(page_size=(100, 100))
    made.obj.Resources = pikepdf.Dictionary(Pattern=pikepdf.Dictionary(p0=tile))
    made.obj.Contents = pdf.make_stream(page)
    lay_tiles(pdf)
    out = BytesIO()
    pdf.save(out)
    return [
        ([float(v) for v in each.operands if not isinstance(v, pikepdf.Name)], str(each.operator))
        for each in pikepdf.parse_content_stream(made)
    ]


def places(operators: list[tuple[list[float], str]]) -> list[tuple[float, float]]:
    return [
        (values[4], values[5]) for values, name in operators if name == "cm" and values[:4] == [1, 0, 0, 1]
    ]


def test_tiles_cover_a_fill() -> None:
    found = tiled(b"/Pattern cs /p0 scn 12 3 20 9 re f")
    assert [name for _, name in found].count("Do") == 6
    assert {(10, 0), (20, 0), (30, 0), (10, 10), (20, 10), (30, 10)} <= set(places(found))
    names = [name for _, name in found]
    assert not {"f", "scn"} & set(names), "nothing asks for the pattern any more"
    assert names.index("W") < names.index("Do")


def test_tiles_lie_where_the_pattern_does_whatever_is_around() -> None:
    found = tiled(b"q 2 0 0 2 4 6 cm /Pattern cs /p0 scn 0 0 2 2 re f Q", Matrix=[1, 0, 0, 1, 1, 0])
    (home,) = [values for values, name in found if name == "cm" and values[0] == 0.5]
    assert home == [0.5, 0, 0, 0.5, -1.5, -3]
    assert [name for _, name in found].count("Do") == 1


def test_a_stroke_stays() -> None:
    names = [name for _, name in tiled(b"/Pattern cs /p0 scn 0 0 9 9 re B*")]
    assert names.count("W*") == 1
    assert names[-2:] == ["re", "S"]


def test_other_fills_and_very_many_tiles_stay() -> None:
    assert "f" in [name for _, name in tiled(b"q /Pattern cs /p0 scn Q 1 0 0 rg 0 0 9 9 re f")]
    assert "Do" not in [name for _, name in tiled(b"/Pattern cs /p0 scn 0 0 90000 90000 re f")]
    assert "Do" not in [name for _, name in tiled(b"/Pattern cs /p0 scn 0 0 9 9 re S")]


# ---- images in masks


def test_images_are_weighed_as_svg_does() -> None:
    file = BytesIO()
    picture = Image.new("RGBA", (4, 1))
    for x, color in enumerate([(255, 0, 0, 255), (0, 255, 0, 128), (0, 0, 255, 255), (255, 255, 255, 0)]):
        picture.putpixel((x, 0), color)
    picture.save(file, "PNG")
    with Image.open(BytesIO(in_grays(file.getvalue()))) as gray:
        assert gray.mode == "LA"
        assert [gray.getpixel((x, 0)) for x in range(4)] == [(54, 255), (182, 128), (18, 255), (255, 0)]
