"""The gallery: a page of the bundled games, with pictures of their pieces that are drawn for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from PIL import Image

import cardgen
from cardgen.commands.production.fonts import fontbook
from cardgen.core.geometry import to_px
from cardgen.pdf.drawing import draw
from cardgen.pdf.objects import DrawnArt
from cardgen.pdf.pixels import RasterOptions, rasterise
from cardgen.pdf.store import ArtStore

ROOT = Path(__file__).resolve().parent.parent.parent
DPI = 110.0
ACROSS = 267.0
"""How wide a picture is, mm: the pieces lie in rows of so much, at one scale."""
GAP = 4.0
MOST = 150.0
"""The longest side of a piece that is shown, mm; boards would leave no room for cards."""
CARDS, OTHERS = 3, 2
"""How many pieces are shown of a game's first deck, and of each other component."""
ROWS = 2


def pages() -> dict[str, str | bytes]:
    """The page as Markdown and its pictures as PNG, by their paths on the site."""
    lines = [
        "# Gallery",
        "",
        "The five games that come with cardgen, drawn by the build of this site from their YAML files and",
        "SVG templates. `cardgen build GAME` prints them; their files are the longest examples there are.",
        "",
    ]
    made: dict[str, str | bytes] = {}
    for name in games():
        game = cardgen.load(name, project=cardgen.Project.open(ROOT))
        picture = f"gallery/{name}.png"
        made[picture] = picture_of(name)
        players = f"{game.players[0]}–{game.players[1]} players"
        lines += [f"## {game.title}", "", f"{game.description} {players}.", ""]
        lines += [f"![Pieces of {game.title}]({picture})", "", *_counts(game), ""]
    return {"gallery.md": "\n".join(lines), **made}


def games() -> list[str]:
    """The ids of the bundled games."""
    return sorted(path.parent.name for path in ROOT.glob("data/*/game.yaml"))


def _counts(game: cardgen.Game) -> Iterator[str]:
    yield from ("| piece | different | in the box |", "|---|---|---|")
    for component in game.components:
        if component.cards:
            copies = sum(card.copies for card in component.cards)
            yield f"| {component.title} | {len(component.cards)} | {copies} |"


@cache
def picture_of(name: str) -> bytes:
    """Some of a game's pieces in rows, as PNG on a transparent ground."""
    game = cardgen.load(name, project=cardgen.Project.open(ROOT))
    chosen: list[tuple[str, str]] = []
    for component in game.components:
        small = [card for card in component.cards if max(card.trim.width, card.trim.height) <= MOST]
        wide = any(card.trim.width > ACROSS / 3 for card in small)
        most = 1 if wide else OTHERS if chosen else CARDS
        step = max(1, len(small) // most)
        chosen += [(component.id, card.id) for card in small[::step][:most]]
    rendering = cardgen.render(
        game, components=list(dict.fromkeys(one for one, _ in chosen)), cards=[card for _, card in chosen]
    )
    drawn = draw(rendering, fontbook(game.paths), ArtStore.memory())
    sides = {(art.component, art.card): art for art in rendering.cards}
    shown = []
    for number, key in enumerate(chosen):
        art, component = sides[key], game.component(key[0])
        keys = [art.face, art.back] if number == 0 and art.back else [art.face]
        shown += [side(drawn, key, component, DPI) for key in keys]
    return _in_rows(shown)


def side(drawn: DrawnArt, key: str, component: cardgen.Component, dpi: float) -> Image.Image:
    """One side of a component's piece, cut to its shape, on a transparent ground."""
    options = RasterOptions(dpi, "trim", component.shape, component.corner_radius, transparent=True)
    ((_, image),) = rasterise(drawn, [key], options)
    return image


def _in_rows(pictures: list[Image.Image]) -> bytes:
    """Pictures beside each other, in the next row where there is no room; some rows of them."""
    gap, across = to_px(GAP, DPI), to_px(ACROSS, DPI)
    rows: list[list[Image.Image]] = [[]]
    for picture in pictures:
        if rows[-1] and sum(each.width + gap for each in rows[-1]) + picture.width > across:
            rows.append([])
        rows[-1].append(picture)
    rows = rows[:ROWS]
    sheet = Image.new("RGBA", (across, sum(max(each.height for each in row) + gap for row in rows)))
    y = 0
    for row in rows:
        x = 0
        for picture in row:
            sheet.alpha_composite(picture, (x, y))
            x += picture.width + gap
        y += max(each.height for each in row) + gap
    out = BytesIO()
    sheet.quantize(255, Image.Quantize.FASTOCTREE).save(out, "PNG", optimize=True)
    return out.getvalue()
