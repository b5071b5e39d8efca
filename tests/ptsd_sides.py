"""PTSD's faces, rendered and set once a process, for the tests that look at them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import cardgen
from cardgen.model.artwork import Artwork
from cardgen.model.game import Game, ProjectPaths
from cardgen.rendering.templates import Templates
from cardgen.typesetting.fonts import FontBook
from tests.shipped import plain_yaml, shipped

ROOT = Path(__file__).parent.parent
DESIGN = plain_yaml("data/ptsd/design.yaml")
THEME = plain_yaml("data/ptsd/game.yaml")["theme"]
BLEED = 3.175
HATS = ["black", "grey", "white"]
SVG, CG = "{http://www.w3.org/2000/svg}", "{urn:cardgen}"


def game() -> Game:
    return shipped("ptsd")


@cache
def templates(low_ink: bool) -> Templates:
    paths = ProjectPaths((ROOT,))
    return Templates(game(), paths, FontBook(paths), low_ink=low_ink)


@cache
def source(component: str, id: str, low_ink: bool = False) -> str:
    """The SVG of a face."""
    card = next(card for card in game().component(component).cards if card.id == id)
    assert card.face is not None
    return templates(low_ink).render(game().component(component), card, "face", card.face).source


def drawn(component: str, id: str, low_ink: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(source(component, id, low_ink))


def ids(component: str) -> list[str]:
    return [card.id for card in game().component(component).cards]


def named(root: ElementTree.Element, id: str) -> ElementTree.Element:
    return next(element for element in root.iter() if element.get("id") == id)


def numbers(text: str) -> list[str]:
    return re.findall(r"\d*\.?\d+", text)


def figure(template: str, name: str) -> float:
    """The number that a template sets as `name`."""
    found = re.search(
        rf"{{% set {name} = ([0-9.]+) %}}", (ROOT / "templates/ptsd" / template).read_text("utf-8")
    )
    assert found, f"{template} sets no {name}"
    return float(found[1])


@cache
def placed(component: str, low_ink: bool) -> dict[str, Artwork]:
    """Faces as they are set, by card."""
    rendering = cardgen.render(game(), components=[component], low_ink=low_ink)
    return {art.card: rendering.artworks[art.face] for art in rendering.cards}
