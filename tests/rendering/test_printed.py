"""What SVG means, from the template to the pixels: nothing is reported, and it prints so."""

from __future__ import annotations

import pytest

from cardgen.drawing import ArtStore
from cardgen.drawing.draw import draw_artworks
from cardgen.drawing.raster import RasterOptions, rasterise
from tests.drawing.samples import at, close
from tests.rendering.support import FONT, Workshop, book

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
    "a text that is see-through": (
        '<text x="10" y="40" font-family="IBM Plex Sans" font-size="30" font-weight="bold" '
        'fill="rgb(255 0 0 / 50%)">I<tspan fill="#0000ff80">I</tspan></text>',
        {(15.5, 30): PINK, (28, 30): (127, 127, 255)},
    ),
}


@pytest.mark.parametrize("name", PRINTED)
def test_prints(name: str, shop: Workshop) -> None:
    body, expected = PRINTED[name]
    result = shop.render(body)
    assert result.findings == []
    art = draw_artworks([result.art], {}, book(), ArtStore.memory())
    image = next(iter(rasterise(art, [result.art.key], RasterOptions(dpi=254.0, area="bleed"))))[1]
    found = {place: at(image, *place) for place in expected}
    assert all(close(found[place], colour) for place, colour in expected.items()), found


def test_a_part_of_a_text_can_not_be_fainter_than_the_rest(shop: Workshop) -> None:
    for fill in ("none", "#ff000080", "transparent"):
        result = shop.render(f'<text x="10" y="40" {FONT}>a<tspan fill="{fill}">b</tspan></text>')
        assert result.codes == ["text/part"]
