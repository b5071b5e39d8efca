"""A picture in the workbench has the very pixels of a proof."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageChops

from cardgen.commands.production.stages import draw_all, render_chosen
from cardgen.core.findings import Findings
from cardgen.core.geometry import MM_PER_INCH
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.workbench.bench import Bench
from tests.for_each import for_each
from tests.sampling import one_in
from tests.shipped import GAMES, PROJECT, shipped

pytestmark = pytest.mark.usefixtures("drawn_here")
WIDTH = 200
_FEW = 1
"""Faces of each component in the short test, the first one."""


def _compare(game: str, most: int | None) -> None:
    """Hold the pictures of a game's sides against proofs, each distinct one once."""
    bench = Bench(PROJECT, game)
    bench.refresh()
    while bench._waiting:
        bench.idle(0.0)
    loaded = shipped(game)
    chosen = [card for component in loaded.components for card in component.cards[:most]]
    rendering = render_chosen(loaded, chosen, Findings())
    drawn = draw_all(loaded, rendering)
    states = {each.place: each for each in bench.state.cards}
    seen: set[str] = set()
    for card in rendering.cards:
        state = states[card.component, card.card]
        for artwork, side in ((card.face, state.face), (card.back, state.back)):
            if artwork is None or artwork in seen:
                continue
            seen.add(artwork)
            assert side is not None
            picture = bench.picture(side.key, WIDTH)
            assert picture is not None, f"{card.card} has no picture"
            dpi = WIDTH / rendering.artworks[artwork].size.width * MM_PER_INCH
            [(_, proof)] = rasterise(drawn, [artwork], RasterOptions(dpi, "bleed"))
            shown = Image.open(BytesIO(picture)).convert("RGB")
            assert shown.width == WIDTH
            assert shown.size == proof.size
            assert ImageChops.difference(shown, proof).getbbox() is None, card.card
    assert len(seen) >= len(loaded.components) - sum(each.book is not None for each in loaded.components)


@pytest.mark.long
@pytest.mark.parametrize("game", one_in(5, GAMES))
def test_some_faces_of_each_component(game: str) -> None:
    _compare(game, _FEW)


@pytest.mark.long
@for_each("game", GAMES)
def test_every_shipped_face(game: str) -> None:
    _compare(game, None)
