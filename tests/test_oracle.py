"""The shipped games' pictures, drawn our way, against plain CairoSVG drawing the same elements.

Text is left out on both sides: plain CairoSVG neither wraps nor kerns. Each distinct template side is
compared once, on the first card that uses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import cairosvg.surface
import pytest
from PIL import Image, ImageChops, ImageStat

from cardgen.commands.production.fonts import fontbook
from cardgen.commands.production.stages import render_chosen
from cardgen.core.artwork import Artwork, Group, Item, Picture
from cardgen.core.findings import Findings
from cardgen.pdf.drawing import assemble, draw_sides
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.pdf.store import ArtStore
from tests.for_each import for_each
from tests.sampling import one_in
from tests.shipped import GAMES, shipped

MAX_DPI = 200
MAX_PIXELS = 400_000
"""Of a side: a board is compared more coarsely than a card, or it would take minutes."""


@cache
def sides() -> list[tuple[str, str, str]]:
    """(game, component, side) of every template in use."""
    found = {}
    for game in map(shipped, GAMES):
        for card in game.cards():
            for side, template in (("face", card.face), ("back", card.back)):
                if template is not None:
                    found.setdefault(template, (game.id, card.component, side))
    return list(found.values())


class RawSurface(cairosvg.surface.PNGSurface):
    """The pixels as they are: encoding them is nine tenths of the time."""

    def finish(self) -> None:
        self.cairo.flush()
        assert self.cairo.get_stride() == 4 * self.cairo.get_width()
        self.output.write(bytes(self.cairo.get_data()))


def dpi_of(artwork: Artwork) -> int:
    square_inches = artwork.size.width * artwork.size.height / 25.4**2
    return min(MAX_DPI, int((MAX_PIXELS / square_inches) ** 0.5))


def pictures(items: tuple[Item, ...], opacity: float = 1.0) -> Iterator[tuple[Picture, float]]:
    for item in items:
        if isinstance(item, Picture):
            yield item, opacity
        elif isinstance(item, Group):
            yield from pictures(item.items, opacity * item.opacity)


def by_plain_cairosvg(artwork: Artwork, size: tuple[int, int]) -> Image.Image:
    """The pictures one over the other on white; twice the size, then halved, as an antialiased edge
    drawn picture by picture shows its ground."""
    canvas = Image.new("RGBA", (2 * size[0], 2 * size[1]), "white")
    for picture, opacity in pictures(artwork.items):
        pixels = RawSurface.convert(
            bytestring=picture.svg.encode(), output_width=canvas.width, output_height=canvas.height
        )
        layer = Image.frombuffer("RGBa", canvas.size, pixels, "raw", "BGRa").convert("RGBA")
        if opacity < 1:
            layer.putalpha(layer.getchannel("A").point(lambda value, by=opacity: round(value * by)))
        canvas.alpha_composite(layer)
    return canvas.convert("RGB").resize(size, Image.Resampling.BOX)


@pytest.mark.parametrize("first", one_in(17, range(17)))
def test_our_drawing_is_cairosvg_s(first: int) -> None:
    for_each("game_id, component, side", sides()[first::17])(compare_with_cairosvg)()


def compare_with_cairosvg(game_id: str, component: str, side: str) -> None:
    game = shipped(game_id)
    card = game.component(component).cards[0]
    rendering = render_chosen(game, [card], Findings())
    key = rendering.cards[0].face if side == "face" else rendering.cards[0].back
    assert key is not None
    artwork = rendering.artworks[key]
    assert any(pictures(artwork.items)), "a side without any picture"
    store = ArtStore.memory()
    sides = draw_sides([artwork], rendering.icons, store, shows=lambda text: False)
    drawn = assemble({side.key: side for side in sides}, fontbook(game.paths), store)
    ((_, ours),) = rasterise(drawn, [key], RasterOptions(dpi_of(artwork), "bleed"))
    theirs = by_plain_cairosvg(artwork, ours.size)
    difference = ImageChops.difference(ours, theirs)
    mean = sum(ImageStat.Stat(difference).mean) / 3
    assert mean < 4.0, f"mean difference {mean:.2f} of 255"
    # No area may differ: after blurring away edges nothing large is left.
    blurred = difference.convert("L").resize((ours.width // 8, ours.height // 8), Image.Resampling.BOX)
    # Plain CairoSVG paints patterns as coarse pixels.
    patterned = any("<pattern" in picture.svg for picture, _ in pictures(artwork.items))
    assert blurred.getextrema()[1] < (150 if patterned else 100)
