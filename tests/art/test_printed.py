"""What SVG means, from the template to the pixels: nothing is reported, and it prints so."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import ImageChops

from cardgen.pdf.drawing import draw
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.pdf.store import ArtStore
from tests.art.support import FONT, Workshop, book
from tests.for_each import for_each
from tests.pdf.samples import at, close, pdf

RED, GREEN, BLUE, WHITE, BLACK = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0)
PINK = (255, 127, 127)

PRINTED = {
    "hsl": ('<rect width="10" height="10" fill="hsl(120, 100%, 50%)"/>', {(5, 5): GREEN}),
    "hsl with an angle and an opacity": (
        '<rect width="10" height="10" fill="hsl(0.5turn 100% 50% / 50%)"/>',
        {(5, 5): (127, 255, 255)},
    ),
    "a fill and a stroke that are see-through": (
        '<rect x="10" y="10" width="20" height="20" fill="#ff000080" stroke="rgba(0, 0, 255, 0.5)" '
        'stroke-width="10"/>',
        {(20, 20): PINK, (7, 20): (127, 127, 255), (13, 20): (127, 63, 191)},
    ),
    "a stop that is see-through": (
        '<linearGradient id="g"><stop stop-color="#f008"/><stop offset="1" stop-color="#f008"/>'
        '</linearGradient><rect width="10" height="10" fill="url(#g)"/>',
        {(5, 5): (255, 119, 119)},
    ),
    "what is blended with what lies below it on the side": (
        '<rect width="20" height="20" fill="#f00"/><rect x="10" width="20" height="20" fill="#ff0" '
        'style="mix-blend-mode: multiply"/><circle cx="15" cy="10" r="3" fill="#00f" '
        'mix-blend-mode="screen"/>',
        {(5, 5): RED, (15, 3): RED, (25, 5): (255, 255, 0), (15, 10): (255, 0, 255)},
    ),
    "what is blended with a text": (
        '<rect width="66" height="86" fill="#fff"/><text x="10" y="40" font-family="IBM Plex Sans" '
        'font-size="30" font-weight="bold" fill="#f00">I</text><rect width="66" height="86" fill="#fff" '
        'mix-blend-mode="difference"/>',
        {(15.5, 30): (0, 255, 255), (40, 40): BLACK},
    ),
    "what is blended in a group that stands alone": (
        '<rect width="40" height="40" fill="#f00"/><g isolation="isolate"><rect width="20" height="20" '
        'fill="#ff0" mix-blend-mode="multiply"/></g>',
        {(5, 5): (255, 255, 0), (30, 30): RED},
    ),
    "a clip rule": (
        '<clipPath id="c"><path clip-rule="evenodd" d="M0 0h40v40h-40z M10 10h20v20h-20z"/></clipPath>'
        '<rect width="40" height="40" fill="red" clip-path="url(#c)"/>',
        {(5, 5): RED, (20, 20): WHITE},
    ),
    "a clip in parts of a box": (
        '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath>'
        '<circle cx="20" cy="20" r="10" fill="red" clip-path="url(#c)"/>',
        {(15, 20): RED, (25, 20): WHITE},
    ),
    "a stroke that keeps its width": (
        '<g transform="translate(10 10) scale(4 1)"><path d="M0 0v20M0 20h5" stroke="red" stroke-width="2" '
        'vector-effect="non-scaling-stroke"/></g>',
        {(10.5, 5 + 10): RED, (11.5, 15): WHITE, (20, 29.5): RED, (20, 28.5): WHITE},
    ),
    "a transform about an origin": (
        '<rect x="20" width="10" height="10" fill="red" transform="rotate(90)" transform-origin="20 20"/>'
        '<g transform="scale(2)" transform-origin="40px 60px"><rect x="40" y="60" width="5" height="5"/>'
        '<text x="40" y="60" font-family="IBM Plex Sans" font-size="3">.</text></g>',
        {(35, 25): RED, (25, 5): WHITE, (48, 68): BLACK, (38, 58): WHITE},
    ),
    "a stroke below its fill": (
        '<g paint-order="stroke"><rect x="10" y="10" width="20" height="20" fill="#0f0" stroke="red" '
        'stroke-width="8"/></g>',
        {(12, 20): GREEN, (8, 20): RED},
    ),
    "markers below a stroke": (
        '<marker id="m" markerWidth="4" markerHeight="4" refX="2" refY="2" markerUnits="userSpaceOnUse">'
        '<rect width="4" height="4"/></marker><path d="M10 10h20" stroke="red" stroke-width="2" '
        'paint-order="markers" marker-start="url(#m)"/>',
        {(11, 10): RED, (11, 11.5): BLACK, (20, 10): RED},
    ),
    "a gradient from an inner circle": (
        '<radialGradient id="g" gradientUnits="userSpaceOnUse" cx="30" cy="30" r="20" fr="10">'
        '<stop stop-color="red"/><stop offset="1" stop-color="blue"/></radialGradient>'
        '<rect x="10" y="10" width="40" height="40" fill="url(#g)"/>',
        {(30, 30): RED, (36, 30): RED, (45, 30): (127, 0, 127), (11, 11): BLUE},
    ),
    "a text that is see-through": (
        '<text x="10" y="40" font-family="IBM Plex Sans" font-size="30" font-weight="bold" '
        'fill="rgb(255 0 0 / 50%)">I<tspan fill="#0000ff80">I</tspan></text>',
        {(15.5, 30): PINK, (28, 30): (127, 127, 255)},
    ),
}


@for_each("name", PRINTED)
def test_prints(name: str, shop: Workshop) -> None:
    body, expected = PRINTED[name]
    result = shop.render(body)
    assert result.findings == []
    art = draw(result.rendering, book(), ArtStore.memory())
    image = next(iter(rasterise(art, [result.art.key], RasterOptions(dpi=254.0, area="bleed"))))[1]
    found = {place: at(image, *place) for place in expected}
    assert all(close(found[place], colour) for place, colour in expected.items()), found


@for_each("order", ["normal", "stroke"])
@for_each("fill", ["#0f0", "none", "#0f08"])
def test_a_stroke_set_as_text_prints_as_its_outlines_do(order: str, fill: str, shop: Workshop) -> None:
    body = (
        f'<text x="12" y="40" font-family="IBM Plex Sans" font-size="16" fill="{fill}" '
        f'stroke="#f00" stroke-width="1.2" stroke-linejoin="round" paint-order="{order}" '
        'transform="rotate(8)" letter-spacing="1" DASHED>fflAV</text>'
    )
    images = []
    for dashes in ("", 'stroke-dasharray="9999"'):
        result = shop.render(body.replace("DASHED", dashes))
        assert result.findings == []
        art = draw(result.rendering, book(), ArtStore.memory())
        images.append(
            next(iter(rasterise(art, [result.art.key], RasterOptions(dpi=100.0, area="bleed"))))[1]
        )
    apart = ImageChops.difference(*images).convert("L").point(lambda value: 255 * (value > 40))
    assert apart.histogram()[255] < 60  # where a dash begins there is no join
    assert images[0].getcolors() != [(images[0].width * images[0].height, (255, 255, 255))]


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler is not installed")
@pytest.mark.parametrize(("order", "fill"), [("normal", "#0f0"), ("stroke", "#0f0"), ("normal", "none")])
def test_letters_with_a_stroke_are_read_once(order: str, fill: str, shop: Workshop, tmp_path: Path) -> None:
    body = (
        f'<text x="5" y="40" {FONT} fill="{fill}" stroke="#f00" stroke-width="0.1" '
        f'paint-order="{order}">Waffle office</text>'
    )
    art = draw(shop.render(body).rendering, book(), ArtStore.memory())
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(art))
    found = subprocess.run(["pdftotext", str(path), "-"], capture_output=True, text=True, check=True).stdout
    assert found.split() == ["Waffle", "office"]


def test_a_part_of_a_text_with_a_stroke_can_not_be_fainter_than_the_rest(shop: Workshop) -> None:
    for fill in ("none", "#ff000080", "transparent"):
        body = f'<text x="10" y="40" stroke="#00f" {FONT}>a<tspan fill="{fill}">b</tspan></text>'
        assert shop.render(body).codes == ["text/part"]


@for_each(
    ("body", "code"),
    [
        ('<rect width="9" height="9" mix-blend-mode="plus-lighter"/>', "svg/mix-blend-mode"),
        ('<rect width="9" height="9" vector-effect="fixed-position"/>', "svg/vector-effect"),
        ('<rect width="9" height="9" transform-origin="center"/>', "svg/transform"),
        ('<rect width="9" height="9" style="transform-origin: 2px 3px"/>', "svg/css-transform"),
        ('<rect width="9" height="9" paint-order="strokes"/>', "svg/paint-order"),
        ('<clipPath id="c" clipPathUnits="box"/>', "svg/clippathunits"),
    ],
)
def test_what_can_not_be_drawn_is_said(body: str, code: str, shop: Workshop) -> None:
    assert shop.render(body).codes == [code]
