"""Pictures of what comes of a document's sections, where it says `<!-- picture: COMPONENT/CARD -->`."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from io import BytesIO
from pathlib import Path

import gallery
from following import PICTURE, follow, sections

import cardgen
from cardgen.commands.production.fonts import fontbook
from cardgen.core.geometry import MM_PER_INCH
from cardgen.pdf.drawing import draw
from cardgen.pdf.store import ArtStore

WIDEST = 380
"""The most pixels that a picture is wide."""


def shown(document: Path, text: str) -> str:
    """A page's text with its pictures in their places."""
    for number, match in enumerate(PICTURE.finditer(text)):
        text = text.replace(match[0], f"![The card by now]({name_of(document, number)})", 1)
    return text


def pictures(document: Path) -> dict[str, bytes]:
    """A document's pictures as PNG, by their paths on the site."""
    text = document.read_text(encoding="utf-8")
    drawn = made(document, text) if PICTURE.search(text) else []
    return {name_of(document, number): picture for number, picture in enumerate(drawn)}


def name_of(document: Path, number: int) -> str:
    """The path on the site of a document's picture, the first being 0."""
    return f"outcomes/{document.stem}-{number + 1}.png"


@cache
def made(document: Path, text: str) -> list[bytes]:
    """The pictures of a document; `text` is what it says, since they are kept until that changes."""
    here = Path.cwd()
    found: list[bytes] = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            starter = cardgen.new_project("night-market", Path(folder, "starter"))
            for number, section in enumerate(sections(document)):
                if any(step.shown for step in section.steps):
                    place = Path(folder, str(number))
                    place.mkdir()
                    follow(section, place, starter, lambda card: found.append(picture(Path.cwd(), card)))
                    os.chdir(here)
    finally:
        os.chdir(here)
    return found


def picture(project: Path, card: str) -> bytes:
    """One side of a card of a project's own game, as `cards/fox` or `cards/fox#back`."""
    component, _, name = card.partition("/")
    name, _, side = name.partition("#")
    (game_id,) = (path.parent.name for path in project.glob("data/*/game.yaml"))
    game = cardgen.load(game_id, project=cardgen.Project.open(project))
    rendering = cardgen.render(game, components=[component], cards=[name])
    (art,) = rendering.cards
    key = art.back if side and art.back else art.face
    drawn = draw(rendering, fontbook(game.paths), ArtStore.memory())
    of = game.component(component)
    (card_of,) = (each for each in of.cards if each.id == name)
    dpi = min(gallery.DPI, WIDEST / card_of.trim.width * MM_PER_INCH)
    image = gallery.side(drawn, key, of, dpi)
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
