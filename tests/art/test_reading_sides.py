"""Templates that don't say that a unit is a millimetre, or have something of a drawing program in them."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from cardgen.art.splitting import SideReader, _is_unusual
from cardgen.core.artwork import Picture, SetText
from cardgen.core.geometry import Size
from cardgen.pdf.drawing import draw
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.pdf.store import ArtStore
from tests.art.support import FONT, Result, Workshop, book
from tests.for_each import for_each

DRAWN = Path(__file__).parents[1] / "drawings" / "editors"
PX = 'xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" width="660" height="860"'
"""Of a side of 66 × 86 mm, so that ten units are a millimetre."""
BIG = 'font-family="IBM Plex Sans" font-size="30"'
MM = 'xmlns="http://www.w3.org/2000/svg" xmlns:cg="urn:cardgen" width="66mm" height="86mm"'
MASK = '<mask id="m"><rect width="660" height="860" fill="#fff"/></mask>'


def side(shop: Workshop, body: str, root: str = f'{PX} viewBox="0 0 660 860"') -> Result:
    shop.write("demo/card.svg", f"<svg {root}>\n{body}\n</svg>\n")
    return shop.render()


def pixel(result: Result, x: float, y: float) -> tuple[int, ...]:
    """The colour at a place in mm."""
    art = draw(result.rendering, book(), ArtStore.memory())
    options = RasterOptions(dpi=50.8, area="bleed")
    (image,) = (image for _, image in rasterise(art, [result.art.key], options))
    found = image.convert("RGB").getpixel((round(2 * x), round(2 * y)))
    assert isinstance(found, tuple)
    return found


def test_text_stands_where_the_root_fits_it(shop: Workshop) -> None:
    result = side(shop, f'<g transform="translate(100 0)"><text x="100" y="400" {BIG}>abc</text></g>')
    assert result.codes == []
    (text,) = result.texts
    (run,) = text.runs
    assert text.matrix.apply(run.x, run.y) == pytest.approx((20, 40))
    assert text.size * text.matrix.scale == pytest.approx(3)


def test_type_is_held_to_its_size_on_the_card(shop: Workshop) -> None:
    result = side(shop, f'<text x="100" y="400" {FONT}>abc</text>')
    assert result.codes == ["text/size"]  # 0.3 mm


def test_text_flows_in_a_box_of_the_drawings_units(shop: Workshop) -> None:
    body = (
        '<defs><rect id="box" x="100" y="200" width="200" height="300"/></defs>'
        f'<text shape-inside="url(#box)" {BIG} cg:fit="shrink" cg:min-size="25">'
        "When you play this card, draw two cards</text>"
    )
    result = side(shop, body)
    assert result.codes == []
    assert len(result.words().splitlines()) > 2


@for_each(
    ("root", "x", "y"),
    [
        (f'{PX} viewBox="0 0 660 860"', 11, 21),
        (PX, 11, 21),
        ('xmlns="http://www.w3.org/2000/svg" viewBox="100 200 660 860"', 1, 1),
        (f'{PX} viewBox="0 0 660 860" transform="translate(100 0)"', 21, 21),
        (f'{PX} viewBox="0 0 660 860" style="enable-background:new 0 0 9 9" x="3px" y="9px"', 11, 21),
    ],
)
def test_shapes_stand_where_the_root_fits_them(shop: Workshop, root: str, x: float, y: float) -> None:
    result = side(shop, '<rect x="100" y="200" width="100" height="100" fill="#f00"/>', root)
    assert result.codes == []
    assert pixel(result, x, y) == (255, 0, 0)
    assert pixel(result, x + 10, y) == (255, 255, 255)


def test_what_the_root_says_of_the_whole_side(shop: Workshop) -> None:
    body = f'<rect width="660" height="860"/><text x="100" y="400" {BIG}>abc</text>'
    result = side(shop, body, f'{PX} viewBox="0 0 660 860" opacity="0.5"')
    assert result.codes == []
    assert all(abs(channel - 128) < 3 for channel in pixel(result, 5, 5))
    assert len(result.texts) == 1


def test_a_drawing_of_the_trim_size_has_no_bleed(shop: Workshop) -> None:
    root = 'xmlns="http://www.w3.org/2000/svg" width="60mm" height="80mm" viewBox="0 0 60 80"'
    result = side(shop, '<rect width="5" height="5" fill="#f00"/>', root)
    assert "svg/bleed" in result.codes
    assert pixel(result, 4, 4) == (255, 0, 0)
    assert pixel(result, 2, 2) == (255, 255, 255)


def test_problems_are_told_where_they_are_in_the_template(shop: Workshop) -> None:
    body = (
        '<style>@media print { .a { fill: red } }</style>\n<g class="a">\n<circle r="9" fill="nix"/>\n</g>'
    )
    result = side(shop, body)
    (finding,) = result.findings
    assert finding.code == "svg/color"
    assert finding.location is not None
    assert finding.location.line == 4


@for_each(
    "body",
    [
        f'{MASK}<g mask="url(#m)"><text x="100" y="400" {BIG}>abc</text></g>',
        f'{MASK}<text mask="url(#m)" x="100" y="400" {BIG}>abc</text>',
        f'<clipPath id="c"><rect width="900" height="900"/></clipPath><g clip-path="url(#c)"><text x="100" '
        f'y="400" {BIG}>abc</text></g>',
        f'<g style="mix-blend-mode:multiply"><text x="100" y="400" {BIG}>abc</text></g>',
        f'<symbol id="s" overflow="visible"><text x="100" y="400" {BIG}>abc</text></symbol>'
        '<use href="#s"/>',
        f'<defs><g id="s" {BIG}><text x="100" y="400">abc</text></g></defs><use href="#s"/>',
        f'<defs><text id="s" x="100" y="400">abc</text></defs><g {BIG}><use xlink:href="#s"/></g>',
        f'<svg width="660" height="860"><text x="100" y="400" {BIG}>abc</text></svg>',
        f'<clipPath id="c"><text x="100" y="400" {BIG}>abc</text></clipPath><rect width="660" height="860" '
        'clip-path="url(#c)"/>',
        f'<pattern id="p" width="660" height="860" patternUnits="userSpaceOnUse"><text x="100" y="400" '
        f'{BIG}>abc</text></pattern><rect width="660" height="860" fill="url(#p)"/>',
    ],
)
@for_each("unit", ["px", "mm"])
def test_text_in_pictures_is_outlines(body: str, unit: str, shop: Workshop) -> None:
    root = f'{PX} viewBox="0 0 660 860"'
    if unit == "mm":
        body = f'<g transform="scale(.1)">{body}</g>'
        root = 'xmlns="http://www.w3.org/2000/svg" width="66mm" height="86mm" viewBox="0 0 66 86"'
    result = side(shop, body, root)
    assert result.codes == []
    assert result.texts == []
    art = draw(result.rendering, book(), ArtStore.memory())
    options = RasterOptions(dpi=254, area="bleed")
    (image,) = (image for _, image in rasterise(art, [result.art.key], options))
    inked = image.convert("L").point(lambda value: 255 * (value < 128)).getbbox()
    assert inked is not None
    left, top, _, bottom = inked
    assert (round(left, -2), round(bottom, -1)) == (100, 400)
    assert 360 < top < 385


def test_other_text_stays_text_over_pictures(shop: Workshop) -> None:
    body = (
        '<filter id="f"><feGaussianBlur stdDeviation="5"/></filter>'
        f'<g filter="url(#f)"><rect x="100" y="100" width="90" height="90"/><text x="100" y="300" '
        f'{BIG}>in</text></g><text id="t" x="100" y="400" {BIG}>over</text><use href="#t" y="50"/>'
    )
    result = side(shop, body)
    assert result.codes == ["svg/filter-pixels"]
    assert result.words() == "over"
    kinds = [type(item) for item in result.art.items]
    assert kinds == [Picture, SetText, Picture]


def test_text_in_pictures_has_the_problems_of_text(shop: Workshop) -> None:
    small = BIG.replace("30", "3")
    body = f'{MASK}\n<g mask="url(#m)"><text x="100" y="400" {small}>abc</text></g>'
    result = side(shop, body)
    assert [(finding.code, finding.location and finding.location.line) for finding in result.findings] == [
        ("text/size", 3)
    ]


def test_text_in_pictures_is_of_no_group(shop: Workshop) -> None:
    body = f'{MASK}<text mask="url(#m)" x="100" y="400" {BIG} cg:fit="shrink" cg:group="a">abc</text>'
    assert side(shop, body).codes == ["text/group"]


def test_icons_in_text_of_pictures_are_drawn(shop: Workshop) -> None:
    shop.write(
        "demo/icons/coin.svg",
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" '
        'fill="currentColor"/></svg>',
    )
    body = f'{MASK}<text mask="url(#m)" x="100" y="400" {BIG} fill="#f00">:coin:</text>'
    result = side(shop, body)
    assert result.codes == []
    assert pixel(result, 11, 39) == (255, 0, 0)


def test_hidden_layers_are_not_looked_at(shop: Workshop) -> None:
    body = (
        '<g display="none"><foreignObject/><image href="nowhere.png"/><text>loose</text></g>'
        '<g style="display:none"><rect fill="nix"/></g>'
        '<g display="none"><rect id="r" x="100" y="200" width="100" height="100" fill="#f00"/></g>'
        '<use href="#r"/>'
    )
    for result in (side(shop, body), shop.render(body.replace("100", "10").replace("200", "20"))):
        assert result.codes == []
        assert pixel(result, 11, 21) == (255, 0, 0)


def test_definitions_take_along_what_they_inherit(shop: Workshop) -> None:
    body = (
        '<g fill="#f00"><pattern id="p" width="40" height="40" patternUnits="userSpaceOnUse"><rect '
        'width="40" height="40"/></pattern></g><rect width="660" height="860" fill="url(#p)"/>'
    )
    assert pixel(side(shop, body), 30, 30) == (255, 0, 0)


@for_each(
    "selector", [".dark .ground", ".card.dark rect", "g rect.ground", "rect:nth-child(1)", ".dark > rect"]
)
def test_a_style_sheet_in_millimetres_says_where_elements_lie(shop: Workshop, selector: str) -> None:
    sheet = f"<style>.ground {{ fill: #ff0000 }} /* at night */ {selector} {{ fill: #0000ff }}</style>"
    ground = '<rect class="ground" width="66" height="86"/>'
    result = side(shop, f'{sheet}<g class="card dark">{ground}</g>', f'{MM} viewBox="0 0 66 86"')
    assert result.codes == []
    assert pixel(result, 33, 43) == (0, 0, 255)


def test_html_is_refused_with_its_place(shop: Workshop) -> None:
    result = side(
        shop, '<rect width="9" height="9"/>\n<foreignObject width="99"><p>Hello</p></foreignObject>'
    )
    (finding,) = result.findings
    assert finding.code == "svg/foreignobject"
    assert finding.location is not None
    assert finding.location.line == 3


def data_url(side: int) -> str:
    file = io.BytesIO()
    Image.new("RGB", (side, side), "#f00").save(file, "PNG")
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def test_images_in_the_template_itself(shop: Workshop) -> None:
    result = side(shop, f'<image href="{data_url(120)}" x="100" y="200" width="100" height="100"/>')
    assert result.codes == []  # 120 pixels on 10 mm
    assert pixel(result, 15, 25) == (255, 0, 0)
    (finding,) = side(shop, f'<image href="{data_url(40)}" width="100" height="100"/>').findings
    assert finding.code == "image/resolution"
    assert "102 dpi at 10×10 mm" in finding.message
    assert len(finding.message) < 250


def test_units_stay_wrong_where_a_unit_is_a_millimetre(shop: Workshop) -> None:
    body = '<switch><rect x="2mm" width="9" height="9"/></switch>'
    assert shop.render(body).codes == ["svg/unit"]
    assert side(shop, body).codes == []


def test_a_plain_template_is_its_own_tree(shop: Workshop) -> None:
    reader = SideReader(None, "en")  # type: ignore[arg-type]
    svg = '<svg width="66mm" height="86mm" viewBox="0 0 66 86"><g><text>a</text></g><use href="#a"/></svg>'
    read = reader.read(svg, Size(66, 86), 3, 3)
    assert read.document is not None
    assert read.document.data == svg.encode()
    assert read.problems == ()


@for_each(
    "name",
    [
        "affinity-clip",
        "corel-units",
        "drawio-lines",
        "figma-mask",
        "figma-drop-shadow",
        "illustrator-pgf",
        "illustrator-opacity-mask",
        "inkscape-layers",
        "inkscape-locked",
        "inkscape-pt",
        "inkscape-inches",
        "sketch-export",
    ],
)
def test_a_designers_file_is_a_template(shop: Workshop, name: str) -> None:
    """These are square: they fill no card of ours, which is all that is said."""
    text = (DRAWN / f"{name}.svg").read_text("utf-8")
    reader = SideReader(None, "en")  # type: ignore[arg-type]
    read = reader.read(text, Size(50, 50), 0, 0)
    assert read.problems == ()
    assert read.document is not None
    box = read.document.root.get("viewBox")
    assert box == "0 0 50 50"
    shop.write("demo/card.svg", text)
    assert set(shop.render().codes) == {"svg/size"}


@for_each(("dpi", "wanted"), [(None, 300), (600, 300), (150, 150)])
def test_what_has_a_filter_is_said_with_its_dpi(shop: Workshop, dpi: int | None, wanted: int) -> None:
    body = (
        '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter>'
        '<rect x="9" y="9" width="20" height="20" filter="url(#f)"/>'
    )
    result = shop.render(body, image_dpi=dpi)
    (finding,) = result.findings
    assert (finding.code, finding.severity.value) == ("svg/filter-pixels", "note")
    assert f"{wanted} dpi" in finding.message
    (picture,) = result.pictures
    assert ('data-filter-dpi="150"' in picture.svg) == (wanted == 150)


@for_each(
    "unusual",
    [
        "<!DOCTYPE svg>",
        "<switch/>",
        "<a >",
        '<svg:rect xmlns:svg="s"/>',
        '<rect style="fill:var(--a)"/>',
        '<rect width="calc(1px)"/>',
        "fill: red ! important",
        "@media print {}",
        "@import 'a'",
        "@font-face {}",
        '"initial"',
        "fill: unset",
        ";revert",
        'requiredFeatures=""',
        "systemLanguage",
        "pathLength",
        "transform-box",
        'marker=""',
        "font: bold",
        "transform:none",
        "; d:path",
        "filter:none",
        "url( #a)",
        "url('#a')",
        "circle(1)",
        "polygon(1)",
        'display="none"',
        "<style>g > path {}</style>",
        "<style><![CDATA[a~.b{}]]></style>",
    ],
)
def test_a_side_is_unusual_by_any_of_its_signs(unusual: str) -> None:
    assert _is_unusual(f"<svg>{unusual}</svg>".encode(), 0)
    assert not _is_unusual(f"<svg>{unusual}<rect/></svg>".encode(), len(unusual) + 5)


@for_each(
    "plain",
    [
        '<rect fill="red"/>',
        '<text font-size="3" font-family="A">initial, unset</text>',
        '<g marker-end="url(#a)" transform="scale(2)"/>',
        "<style>.a { fill: red }</style>",
        '<g display="inline"/>',
        '<g xmlns:cg="c" cg:group="a"/>',
    ],
)
def test_a_side_is_plain_whose_words_only_resemble_signs(plain: str) -> None:
    assert not _is_unusual(f"<svg>{plain}</svg>".encode(), 0)
