"""The pictures of `docs/starters.md`, as `cardgen new --template` makes them, and the README's card.

That one is from the spreadsheet in `docs/first-deck.md`, as `cardgen new --from` makes it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

import cardgen
from cardgen.commands.data.starters import list_starters
from cardgen.commands.production.fonts import fontbook
from cardgen.pdf.drawing import draw
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.pdf.store import ArtStore

GAME = "night-market"
WIDTH = 1400
"""The most pixels that a picture is wide: twice the column of a README."""
DPI = 180.0
SMALL_DPI = 84.0
"""A poker card is as wide as half a column of a README."""
GAP = 24
COLORS = 256
SHOWN = {
    "event": ("ice-groans", "other-camp", "aurora"),
    "full-art": ("owl", "fox", "bear"),
    "hex-tiles": ("woods", "mere", "acres"),
    "mini-euro": ("bread", "wool", "kettle"),
    "player-board": ("palm-house",),
    "poker": ("harbour-light", "low-tide", "westerly"),
    "tarot": ("viaduct", "salt-flats"),
    "tokens": ("coin-one", "coin-five", "heart", "torch", "crown"),
    "trading-card": ("anglerfish", "nautilus", "isopod"),
    "tuck-box": ("lanterns",),
}
"""The cards of each starter that are shown; the back of the last one stands beside them."""

LOOKS = ("poster", "midnight", "mosaic")


def pictures() -> Iterator[tuple[str, Image.Image]]:
    """A picture of every starter with its file's name. CardgenError if one is wrong."""
    for starter in list_starters():
        with tempfile.TemporaryDirectory() as folder:
            project = cardgen.new_project(GAME, Path(folder), template=starter.name)
            game = cardgen.load(GAME, project=cardgen.Project.open(project))
            yield f"starter-{starter.name}.png", _row(game, SHOWN[starter.name])
    yield "market-stall.png", _from_spreadsheet("poster", "market-stall")
    for look in LOOKS:
        yield f"look-{look}.png", _from_spreadsheet(look, "merchant", "harvest-fair", backs=True)


def _from_spreadsheet(look: str, *cards: str, backs: bool = False) -> Image.Image:
    """Cards of the deck in `docs/first-deck.md`, in a look."""
    page = (Path(__file__).parent / "first-deck.md").read_text(encoding="utf-8")
    (deck,) = re.findall(r"^```csv\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "deck.csv"
        source.write_text(deck, encoding="utf-8")
        made = cardgen.new_from_table(GAME, Path(folder), str(source), look=look)
        game = cardgen.load(GAME, project=cardgen.Project.open(made.folder))
        return _row(game, cards, SMALL_DPI, backs=backs)


def _row(
    game: cardgen.Game, cards: tuple[str, ...], dpi: float = DPI, *, backs: bool = True
) -> Image.Image:
    """Faces and a back side by side on white, their corners cut as the cards' are."""
    rendering = cardgen.render(game, cards=cards)
    drawn = draw(rendering, fontbook(game.paths), ArtStore.memory())
    by_id = {art.card: art for art in rendering.cards}
    shown = [by_id[card] for card in cards]
    component = game.component(shown[0].component)
    sides = [art.face for art in shown]
    if backs and shown[-1].back is not None:
        sides.append(shown[-1].back)
    options = RasterOptions(dpi, "trim", component.shape, component.corner_radius, transparent=True)
    images = [image for _, image in rasterise(drawn, sides, options)]
    row = Image.new("RGBA", (sum(one.width + GAP for one in images) - GAP, images[0].height), "white")
    x = 0
    for image in images:
        row.alpha_composite(image.convert("RGBA"), (x, 0))
        x += image.width + GAP
    if row.width > WIDTH:
        row = row.resize((WIDTH, round(row.height * WIDTH / row.width)), Image.Resampling.LANCZOS)
    # Few colours, and those that are rare among them, which the palette of a file would leave out.
    flat = row.convert("RGB").quantize(COLORS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return flat.convert("RGB")
