"""Pictures through our PDF against plain CairoSVG, and pixel by pixel where CairoSVG is wrong."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from pathlib import Path

import cairosvg
import pytest
from PIL import Image, ImageChops, ImageStat

from cardgen.core.artwork import Picture
from cardgen.core.geometry import Size
from cardgen.pdf.objects import DrawingError
from cardgen.pdf.pixels import RasterOptions, rasterise
from tests.for_each import for_each

from .samples import ROOT, SVG, artwork, at, close, drawn, pdf, picture, pixels

EXAMPLES = sorted((ROOT / "tests" / "examples" / "pictures").glob("*.svg"))
TOLERANCE = {"gradients": 5.0, "fading": 2.0, "opacity": 1.0}
"""Mean difference of 255; pdfium paints gradients in steps."""


@for_each("path", [path for path in EXAMPLES if path.stem != "patterns"], ids=lambda path: path.stem)
def test_looks_as_cairosvg_draws_it(path: Path) -> None:
    png = cairosvg.svg2png(bytestring=path.read_bytes(), output_width=400, output_height=400)
    expected = Image.new("RGBA", (400, 400), "white")
    expected.alpha_composite(Image.open(BytesIO(png)).convert("RGBA"))
    found = pixels(Picture(path.stem, path.read_text(encoding="utf-8")))
    difference = ImageChops.difference(expected.convert("RGB"), found)
    assert max(ImageStat.Stat(difference).mean) < TOLERANCE.get(path.stem, 0.6)
    assert found.getcolors(1 << 18) != [(160000, (255, 255, 255))]


RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
RIGHT = {
    "a clip rule": (
        '<clipPath id="c"><path d="M0 0h40v40h-40z M10 10h20v20h-20z" clip-rule="evenodd"/></clipPath>'
        '<rect width="40" height="40" fill="red" clip-path="url(#c)"/>',
        {(5, 5): RED, (20, 20): WHITE},
    ),
    "a clip of paths that turn against each other": (
        '<clipPath id="c"><path d="M0 0h20v20h-20z"/><path d="M10 10v20h20v-20z"/></clipPath>'
        '<rect width="40" height="40" fill="red" clip-path="url(#c)"/>',
        {(5, 5): RED, (15, 15): RED, (25, 25): RED, (25, 5): WHITE, (35, 35): WHITE},
    ),
    "a clip that is clipped, turned and holds a use": (
        '<defs><rect id="r" width="20" height="20"/></defs>'
        '<clipPath id="a"><rect width="15" height="40"/></clipPath>'
        '<clipPath id="b" clip-path="url(#a)"><use href="#r" x="10" y="10"/></clipPath>'
        '<g transform="translate(5 0)"><rect width="40" height="40" fill="red" clip-path="url(#b)"/></g>',
        {(12, 20): WHITE, (17, 20): RED, (22, 20): WHITE, (17, 5): WHITE, (17, 35): WHITE},
    ),
    "a clip of two round corners": (
        '<clipPath id="c"><rect width="10" height="40" rx="5"/>'
        '<rect x="20" width="10" height="40" ry="5"/></clipPath>'
        '<rect width="40" height="40" fill="red" clip-path="url(#c)"/>',
        {(5, 20): RED, (25, 20): RED, (15, 20): WHITE, (0.5, 0.5): WHITE, (20.5, 0.5): WHITE},
    ),
    "a gradient over a group of polygons that is clipped to its box": (
        '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath>'
        '<g clip-path="url(#c)" fill="red"><polygon points="0,0 10,0 10,10 0,10"/>'
        '<polygon points="30,30 40,30 40,40 30,40"/></g>',
        {(5, 5): RED, (35, 35): WHITE, (20, 20): WHITE},
    ),
    "a clip in parts of a box": (
        '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath>'
        '<circle cx="20" cy="20" r="10" fill="red" clip-path="url(#c)"/>',
        {(15, 20): RED, (25, 20): WHITE},
    ),
    "a group under clip and opacity": (
        '<clipPath id="c"><path d="M0 0h20v40h-20z"/><path d="M0 0v10h40v-10z"/></clipPath>'
        '<g clip-path="url(#c)" opacity=".5"><rect width="40" height="40" fill="red"/>'
        '<rect width="30" height="40" fill="blue"/></g>',
        {(10, 20): (127, 127, 255), (35, 5): (255, 127, 127), (35, 20): WHITE},
    ),
    "colours with their own opacity": (
        '<rect width="20" height="40" fill="#ff000080"/>'
        '<rect x="20" width="20" height="40" fill="rgb(0 0 255/.5)"/>',
        {(10, 10): (255, 127, 127), (30, 10): (127, 127, 255)},
    ),
    "the opacity of a use": (
        '<defs><g id="g"><rect width="20" height="20" fill="red"/></g></defs><use href="#g" opacity=".5"/>',
        {(10, 10): (255, 127, 127)},
    ),
    "the opacity of a filled and stroked shape": (
        '<rect x="10" y="10" width="20" height="20" fill="red" '
        'stroke="blue" stroke-width="10" opacity=".5"/>',
        {(12, 20): (127, 127, 255), (20, 20): (255, 127, 127)},
    ),
    "multiplied colours": (
        '<rect width="40" height="40" fill="#ff0"/>'
        '<rect width="20" height="40" fill="#0ff" style="mix-blend-mode:multiply"/>',
        {(10, 10): GREEN, (30, 10): (255, 255, 0)},
    ),
    "a blend mode that is not inherited": (
        '<rect width="40" height="40" fill="#ff0"/><g style="mix-blend-mode:multiply">'
        '<rect width="40" height="40" fill="#fff"/><rect width="20" height="40" fill="#0ff"/></g>',
        {(10, 10): GREEN, (30, 10): (255, 255, 0)},
    ),
    "a pattern used twice with opacity": (
        '<pattern id="p" width="1" height="1" patternContentUnits="objectBoundingBox">'
        '<rect width=".5" height="1" fill="red"/></pattern>'
        '<rect width="20" height="20" fill="url(#p)" fill-opacity=".5"/>'
        '<rect y="20" width="20" height="20" fill="url(#p)" fill-opacity=".5"/>',
        {(5, 5): (255, 127, 127), (15, 5): WHITE, (5, 25): (255, 127, 127), (15, 25): WHITE},
    ),
    "a pattern with fractions of a mm": (
        '<pattern id="p" width="2.5" height="2.5" patternUnits="userSpaceOnUse">'
        '<rect width="1.25" height="2.5" fill="red"/></pattern>'
        '<rect width="40" height="40" fill="url(#p)"/>',
        {(0.6, 5): RED, (1.9, 5): WHITE, (38.1, 5): RED, (39.4, 5): WHITE},
    ),
    "a pattern with a viewBox": (
        '<pattern id="p" width="10" height="10" viewBox="0 0 2 2" patternUnits="userSpaceOnUse">'
        '<rect width="1" height="1" fill="red"/></pattern><rect width="40" height="40" fill="url(#p)"/>',
        {(2, 2): RED, (8, 2): WHITE, (12, 12): RED, (12, 18): WHITE},
    ),
    "the stroke below the fill": (
        '<rect x="10" y="10" width="20" height="20" fill="red" '
        'stroke="blue" stroke-width="8" paint-order="stroke"/>',
        {(12, 20): RED, (8, 20): BLUE},
    ),
    "a transform about an origin": (
        '<rect x="20" width="10" height="10" fill="red" transform="rotate(90)" '
        'transform-origin="20px 20px"/>',
        {(35, 25): RED, (25, 5): WHITE},
    ),
    "a gradient over a curve's own box": (
        '<linearGradient id="g"><stop offset=".5" stop-color="red"/>'
        '<stop offset=".5" stop-color="blue"/></linearGradient>'
        '<path d="M10 10 C10 -10 30 -10 30 10 z" fill="url(#g)"/>',
        {(18, 4): RED, (22, 4): BLUE},
    ),
    "currentColor in any spelling": (
        '<g color="red"><rect width="20" height="40" fill="currentcolor"/>'
        '<rect x="20" width="20" height="40" fill="currentColor"/></g>',
        {(5, 5): RED, (25, 5): RED},
    ),
    "hidden things": (
        '<rect width="40" height="40" fill="red" display="none"/>'
        '<g visibility="hidden"><rect width="40" height="40"/>'
        '<rect width="10" height="10" fill="blue" visibility="visible"/>'
        '</g><rect width="0" height="5" stroke="red"/>',
        {(5, 5): BLUE, (20, 20): WHITE},
    ),
    "a gradient that takes over its stops, used again and again": (
        '<linearGradient id="a"><stop stop-color="red"/></linearGradient>'
        '<linearGradient id="b" href="#a"/><linearGradient id="c" href="#b"/>'
        '<g fill="url(#c)"><rect width="9" height="9"/><rect x="10" width="9" height="9"/>'
        '<rect x="20" width="9" height="9"/></g>',
        {(5, 5): RED, (15, 5): RED, (25, 5): RED},
    ),
    "markers at a path's start, corners and end": (
        '<marker id="r" viewBox="0 0 4 4" refX="2" refY="2" markerWidth="4" markerHeight="4">'
        '<rect width="4" height="4" fill="red"/></marker>'
        '<marker id="g" viewBox="0 0 2 2" refX="1" refY="1" markerWidth="4" markerHeight="4">'
        '<rect width="2" height="2" fill="lime"/></marker>'
        '<marker id="b" refX="2" refY="2" markerWidth="4" markerHeight="4" markerUnits="userSpaceOnUse">'
        '<rect width="9" height="9" fill="blue"/></marker>'
        '<path d="M5 5h15v15h15" fill="none" stroke="none" stroke-width="2" marker-start="url(#r)" '
        'marker-mid="url(#g)" marker-end="url(#b)"/>',
        {(2, 5): RED, (8, 8): RED, (17, 5): GREEN, (23, 23): GREEN, (34, 21): BLUE, (38, 20): WHITE},
    ),
    "markers that turn with their line, and are cut to their box": (
        '<marker id="m" viewBox="0 0 10 10" refX="0" refY="5" markerWidth="10" markerHeight="10" '
        'markerUnits="userSpaceOnUse" orient="auto"><rect y="4" width="90" height="2" fill="red"/></marker>'
        '<line x1="20" y1="5" x2="20" y2="20" marker-end="url(#m)"/>'
        '<polyline points="5,20 5,10" marker-end="url(#m)" marker-start="url(#m)"/>',
        {(20, 25): RED, (20, 32): WHITE, (25, 20): WHITE, (5, 5): RED, (5, 15): RED, (5, 30): WHITE},
    ),
    "elements of other vocabularies": (
        '<x:note xmlns:x="urn:x"><rect width="40" height="40" fill="red"/></x:note>',
        {(5, 5): WHITE},
    ),
    "a transparent gradient up to the last tenth of a mm": (
        '<linearGradient id="g"><stop offset="0" stop-color="red" stop-opacity=".5"/>'
        '<stop offset="1" stop-color="red" stop-opacity=".5"/>'
        '</linearGradient><rect width="40" height="40" fill="url(#g)"/>',
        {(39.8, 20): (255, 127, 127), (20, 39.8): (255, 127, 127)},
    ),
}


@for_each("name", RIGHT)
def test_draws_right(name: str) -> None:
    content, expected = RIGHT[name]
    image = pixels(picture(content))
    found = {place: at(image, *place) for place in expected}
    assert all(close(found[place], color) for place, color in expected.items()), found


WRONG = {
    "picture/text": '<text x="5" y="5">No</text>',
    "picture/color": '<rect width="9" height="9" fill="bleu"/>',
    "picture/element": "<foreignObject/>",
    "picture/image": '<image href="/etc/passwd" width="9" height="9"/>',
    "picture/svg": "<rect",
}
REFERENCES = [
    '<rect width="9" height="9" fill="url(#none)"/>',
    '<rect width="9" height="9" clip-path="url(#none)"/>',
    '<use href="#none"/>',
    '<use href="other.svg#a"/>',
    '<g id="a"><use href="#a"/></g>',
    '<path d="M0 0h9" stroke="red" marker-end="url(#none)"/>',
]


@for_each("code", WRONG)
def test_refuses(code: str) -> None:
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(picture(WRONG[code])))
    assert [finding.code for finding in caught.value.findings] == [code]


@for_each("content", REFERENCES)
def test_refuses_references_that_lead_nowhere_or_outside(content: str) -> None:
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(picture(content)))
    assert [finding.code for finding in caught.value.findings] == ["picture/reference"]


def test_external_entities_are_refused() -> None:
    svg = f'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg {SVG}><title>&x;</title></svg>'
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(Picture("x", svg)))
    assert [finding.code for finding in caught.value.findings] == ["picture/svg"]


@for_each(
    "content",
    [
        '<rect width="1e999" height="9" fill="red" transform="scale(1e300)"/>',
        '<rect width="9" height="9" stroke="red" stroke-dasharray="-1 3"/>',
        '<path d="M0 0L1e400 5" stroke="red"/>',
        '<svg width="9" height="9" viewBox="0 0 0 0"><rect width="9" height="9"/></svg>',
        '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'
        '<rect width="9" height="9" fill="url(#a)"/>',
        '<marker id="m"/><path d="M0 0h9" stroke="red" marker-end="url(#m)"/>',
    ],
)
def test_odd_values_draw_something_or_are_findings(content: str) -> None:
    with suppress(DrawingError):  # anything else is a traceback for a designer
        drawn(artwork(picture(content)))


def test_all_pictures_are_tried_before_any_error_is_raised() -> None:
    bad = [picture('<rect width="9" height="9" fill="bleu"/>'), picture("<use href='#none'/>")]
    with pytest.raises(DrawingError) as caught:
        drawn(artwork(bad[0], picture("<g/>"), bad[1]))
    assert [finding.code for finding in caught.value.findings] == ["picture/color", "picture/reference"]


def test_a_picture_keeps_its_place_and_size_on_a_side_of_any_size() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="69.85mm" '
        'height="95.25mm" viewBox="0 0 69.85 95.25">'
    )
    side = artwork(
        Picture("k", f'{svg}<rect x="59.85" y="85.25" width="10" height="10"/></svg>'),
        size=Size(69.85, 95.25),
    )
    image = next(iter(rasterise(drawn(side), ["side"], RasterOptions(dpi=300, area="bleed"))))[1]
    assert image.size == (825, 1125)
    assert image.point(lambda value: 255 - value).getbbox() == (706, 1006, 825, 1125)  # 706.9 and 1006.9


def test_pictures_are_the_same_bytes_alone_and_among_others() -> None:
    mine = picture(
        EXAMPLES[0].read_text(encoding="utf-8").partition(">")[2].removesuffix("</svg>\n"), key="mine"
    )
    others = [
        picture(f'<g opacity=".{n}"><circle r="{n}"/><rect width="9" height="9"/></g>') for n in range(1, 9)
    ]
    alone = drawn(artwork(mine))
    among = drawn(artwork(*others, key="others"), artwork(mine))
    assert pdf(alone, "side") == pdf(among, "side")
