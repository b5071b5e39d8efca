"""Sides as pixels from documents that are opened as needed."""

from __future__ import annotations

from cardgen.core.artwork import Artwork, Picture, Rendering
from cardgen.core.geometry import Rect, Size
from cardgen.exports import job as pixels
from cardgen.exports.job import Sides
from cardgen.pdf.drawing import draw
from cardgen.pdf.store import ArtStore
from tests.pdf.samples import fonts

COLORS = {f"side-{red}": (red, 20, 40) for red in range(0, 250, 2)}


def side(key: str, color: tuple[int, int, int]) -> Artwork:
    fill = "#{:02x}{:02x}{:02x}".format(*color)
    rectangle = f'<rect width="20" height="30" fill="{fill}"/>'
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="30mm" viewBox="0 0 20 30">'
    return Artwork(key, Size(20, 30), 0.0, (Picture(fill, f"{head}{rectangle}</svg>"),))


def test_sides_look_the_same_in_any_order_and_few_documents_stay_open() -> None:
    artworks = {key: side(key, color) for key, color in COLORS.items()}
    art = draw(Rendering((), artworks), fonts(), ArtStore.memory())
    keys = [*COLORS, *reversed(COLORS), *list(COLORS)[::40]]
    with Sides(art) as sides:
        for key in keys:
            assert sides.image(key, (2, 3)).getcolors() == [(6, COLORS[key])]
            assert len(sides._open) <= pixels._MOST_OPEN
        beside = sides.window("side-100", Rect(-20, 0, 40, 30), (4, 3))
        assert beside.crop((0, 0, 2, 3)).getcolors() == [(6, (255, 255, 255))]
        assert beside.crop((2, 0, 4, 3)).getcolors() == [(6, COLORS["side-100"])]
