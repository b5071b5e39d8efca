"""H@x0rz! on the table: what a fan shows, one size a role, emblems that stay clear of what is read."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.fonts import fontbook
from cardgen.model.artwork import Artwork, SetText, TextRun
from cardgen.model.game import Card, Game
from cardgen.project import Project
from cardgen.rendering.templates import Templates
from tests.shipped import plain_yaml, shipped

ROOT = Path(__file__).resolve().parent.parent
SVG = "{http://www.w3.org/2000/svg}"
BLEED = 3.175
FAN = 12.0
"""How much of a card a fan shows, from its left edge."""
SAFE = 3.25
"""What cutting may take off at the sides, mm."""
PT = 25.4 / 72
LANGUAGES = [None, "de"]


def game(language: str | None = None) -> Game:
    return shipped("hackers", language)


@cache
def placed(component: str, language: str | None = None, low_ink: bool = False) -> dict[str, Artwork]:
    """Faces as they are set, by card."""
    rendering = cardgen.render(game(language), components=[component], low_ink=low_ink)
    return {art.card: rendering.artworks[art.face] for art in rendering.cards}


def cards() -> list[Card]:
    return list(game().component("cards").cards)


@cache
def drawn(component: str, card: str, low_ink: bool = False) -> ET.Element:
    """The drawing of a face, before it is laid out."""
    home = game().component(component)
    found = next(each for each in home.cards if each.id == card)
    templates = Templates(
        game(), Project.open(ROOT).paths, fontbook(Project.open(ROOT).paths), low_ink=low_ink
    )
    assert found.face is not None
    return ET.fromstring(templates.render(home, found, "face", found.face).source)


def lines(art: Artwork) -> Iterator[tuple[str, float, float, SetText]]:
    """What each text says, and from where to where it reaches across, mm from the trim, turned as it is."""
    for text in art.texts():
        runs = [run for run in text.runs if isinstance(run, TextRun)]
        m = text.matrix
        corners = [
            m.a * x + m.c * y + m.e - BLEED
            for run in runs
            for x in (run.x, run.x + run.advance)
            for y in (run.y, run.y - 0.7 * run.size)
        ]
        yield "".join(run.text for run in runs), min(corners), max(corners), text


def shift(root: ET.Element, id: str) -> tuple[float, float]:
    """Where a group's own origin lies, mm from the bleed's corner."""
    (found,) = (each for each in root.iter(f"{SVG}g") if each.get("id") == id)
    holder = found if found.get("transform") else found[0]
    x, y = re.findall(r"translate\(([\d.]+) ([\d.]+)\)", holder.get("transform", ""))[0]
    return float(x), float(y)


@pytest.mark.parametrize("low_ink", [False, True])
def test_a_fan_shows_value_and_copies(low_ink: bool) -> None:
    for card in cards():
        art = placed("cards", low_ink=low_ink)[card.id]
        for figure in (str(card.fields["value"]), f"×{card.copies}"):
            found = [(left, right) for said, left, right, _ in lines(art) if said == figure]
            assert len(found) == 1, (card.id, figure)
            left, right = found[0]
            assert SAFE <= left < right <= FAN, (card.id, figure)


@pytest.mark.parametrize("component", ["cards", "reference", "tokens"])
def test_no_figure_stands_on_its_head(component: str) -> None:
    """A 6 turned round is a 9, a 7 an L."""
    for name, art in placed(component).items():
        for said, _, _, text in lines(art):
            assert text.matrix.d > 0.99, (name, said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_role_has_its_sizes(language: str | None) -> None:
    """Titles have two, texts and jokes one each, in either language."""
    sizes: dict[str, set[float]] = {"title": set(), "effect": set(), "quip": set()}
    for card in game(language).component("cards").cards:
        for said, _, _, text in lines(placed("cards", language)[card.id]):
            plain = re.sub(r"[\s*]", "", said)
            for role in sizes:
                if plain == re.sub(r"[\s*]", "", str(card.fields[role])):
                    sizes[role].add(round(text.size / PT, 2))
    assert sizes == {"title": {17, 13}, "effect": {10.8}, "quip": {7.8}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_effects_begin_at_one_height(language: str | None) -> None:
    """Below the banner, wherever it hangs lowest."""
    tops = set()
    for card in game(language).component("cards").cards:
        (effect,) = (
            text
            for _, _, _, text in lines(placed("cards", language)[card.id])
            if text.size == pytest.approx(10.8 * PT, abs=0.01)
        )
        tops.add(round(min(run.y for run in effect.runs), 3))
    assert len(tops) == 1
    assert tops.pop() - 10.8 * PT * 0.75 >= 65


def test_the_banner_leaves_the_emblem_in_sight() -> None:
    """The last units of an emblem are its own die-cut border."""
    for card in cards():
        root = drawn("cards", card.id)
        (emblem,) = (each for each in root.iter(f"{SVG}g") if each.get("id") == "emblem")
        (scale,) = re.findall(r"scale\(([\d.]+)\)", emblem[0].get("transform", ""))
        _, top = shift(root, "emblem")
        _, banner = shift(root, "banner")
        assert top + 98 * float(scale) <= banner - 4.5 - 1.1 + 0.1, card.id


def dots(root: ET.Element) -> int:
    """Dots within the fills of the emblem."""
    (emblem,) = (each for each in root.iter(f"{SVG}g") if each.get("id") == "emblem")
    return sum(
        len(list(each.iter(f"{SVG}circle"))) for each in emblem.iter(f"{SVG}g") if each.get("clip-path")
    )


def test_fills_are_shaded_with_dots_except_where_ink_is_spared() -> None:
    for card in cards():
        assert dots(drawn("cards", card.id)) > 60, card.id
        assert dots(drawn("cards", card.id, low_ink=True)) == 0, card.id


def test_the_reference_shows_each_face_beside_its_value() -> None:
    """Each emblem is clipped to its row's tile."""
    root = drawn("reference", "reference")
    tiles = {each.get("id"): each[0] for each in root.iter(f"{SVG}clipPath")}
    shown = [each.get("clip-path") for each in root.iter(f"{SVG}g") if each.get("clip-path")]
    assert shown == [f"url(#tile{card.fields['value']})" for card in cards()]
    heights = [(float(tile.get("y", "")), float(tile.get("height", ""))) for tile in tiles.values()]
    assert all(y + height < below for (y, height), (below, _) in itertools.pairwise(heights))


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_have_a_number_for_each_caption(language: str | None) -> None:
    """In the drawing and in the list beside it; a strip of panels has them once."""
    for card in game(language).component("guide").cards:
        said = [said for said, _, _, _ in lines(placed("guide", language)[card.id])]
        captions = len(card.fields["captions"])
        for number in range(1, captions + 1):
            found = said.count(str(number))
            # The anatomy's card and the small cards have values of their own.
            assert found >= (1 if card.fields["figure"] != "setup" else 2), (card.id, number)
        assert str(captions + 1) not in said, card.id


def test_the_figures_card_is_the_card_itself() -> None:
    """The words of the first card, set where the card has them, at the scale of the figure."""
    card = cards()[0]
    real = {said: text for said, _, _, text in lines(placed("cards")[card.id])}
    shown = {said: text for said, _, _, text in lines(placed("guide")["anatomy"])}
    for said in (card.fields["title"], f"×{card.copies}"):
        a, b = real[said].matrix, shown[said].matrix
        assert b.e == pytest.approx(2.23 + 1.0532 * (14.6 + 0.64 * a.e), abs=0.01)
        assert b.f == pytest.approx(1.0532 * (9 - 3.2 + 0.64 * a.f), abs=0.01)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_references_foot_stands_apart(language: str | None) -> None:
    """Its number is no further row of the table above it."""
    (art,) = (
        rendered.artworks[each.back]
        for rendered in [cardgen.render(game(language), components=("reference",))]
        for each in rendered.cards
        if each.back is not None
    )
    texts = list(art.texts())
    baselines = sorted({round(text.matrix.f + run.y, 2) for text in texts for run in text.runs})
    *_, upper, row, foot = baselines
    assert foot - row > 1.15 * (row - upper)


def test_both_rulebooks_show_the_same_in_the_stickers_world() -> None:
    """The box's front, titles on plates, all eight faces, and as many panels and labels."""
    look = plain_yaml("data/hackers/game.yaml")["components"]["rules"]["look"]
    assert look["front"] == {"card": "box/box", "part": "front"}
    assert look["rule"] == "plate"
    shapes = []
    for book in ("rulebook.md", "de/rulebook.md"):
        text = (ROOT / "data/hackers" / book).read_text(encoding="utf-8")
        assert "{% for each in card.values() %}![](card:cards/{{ each.id }}" in text
        found = re.findall(r"^:::(.+)\n((?:.+\n)+?):::$", text, re.MULTILINE)
        shapes.append([(head, len(re.findall(r"(?m)^(?:-|\d\.) ", items))) for head, items in found])
    english, german = shapes
    assert english == german
    assert [head.split()[0] for head, _ in english].count("strip") == 2
