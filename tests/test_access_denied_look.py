"""Access Denied on the table: what a fan shows, pictures within their panes, sheets of their own hue."""

from __future__ import annotations

import functools
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cardgen
from cardgen.commands.fonts import fontbook
from cardgen.model.artwork import Group, Item, Rendering, SetText, TextRun
from cardgen.model.game import Card, Game
from cardgen.project import Project
from cardgen.rendering.templates import Templates
from tests.shipped import plain_yaml, shipped

ROOT = Path(__file__).resolve().parent.parent
PT = 25.4 / 72
SVG = "{http://www.w3.org/2000/svg}"
THEME = plain_yaml("data/access-denied/game.yaml")["theme"]
#: What a fan shows of a card, from its left edge, and the bleed before it.
FAN = (12.0, 3.175)
Drawn = Callable[..., ET.Element]


@pytest.fixture(scope="module")
def project() -> Project:
    return Project.open(ROOT)


@pytest.fixture(scope="module")
def game() -> Game:
    return shipped("access-denied")


@pytest.fixture(scope="module")
def rendering(game: Game) -> Rendering:
    return cardgen.render(game, components=("cards",))


@pytest.fixture(scope="module")
def drawn(game: Game, project: Project) -> Drawn:
    """The drawing of a face, before it is laid out."""
    templates = Templates(game, project.paths, fontbook(project.paths), low_ink=False)

    @functools.cache
    def draw(component: str, card: str) -> ET.Element:
        home = game.component(component)
        found = next(each for each in home.cards if each.id == card)
        return ET.fromstring(templates.render(home, found, "face", found.face).source)

    return draw


def cards(game: Game, component: str = "cards") -> tuple[Card, ...]:
    return tuple(game.component(component).cards)


def group(drawing: ET.Element, id: str) -> ET.Element:
    return next(each for each in drawing.iter() if each.get("id") == id)


def runs(items: tuple[Item, ...]) -> Iterator[TextRun]:
    for item in items:
        if isinstance(item, Group):
            yield from runs(item.items)
        elif isinstance(item, SetText) and not item.decor:
            yield from (run for run in item.runs if isinstance(run, TextRun))


def test_a_fan_shows_code_symbols_and_sector(game: Game, drawn: Drawn, rendering: Rendering) -> None:
    shown, bleed = FAN
    for card in cards(game):
        line = card.fields.get("requires") or card.fields.get("grants")
        wanted = [THEME["symbols"][symbol] for symbol in card.fields["symbols"]]
        wanted += [THEME["sectors"][line["sector"]]] if line else []
        signs = list(group(drawn("cards", card.id), "tools").iter(f"{SVG}use"))
        assert [sign.get("href") for sign in signs] == [f"#icon-{name}" for name in wanted], card.id
        for sign in signs:
            assert float(sign.get("x", "")) + float(sign.get("width", "")) <= bleed + shown, card.id
    for each in rendering.cards:
        code = next(run for run in runs(rendering.artworks[each.face].items) if run.y < bleed + 14)
        assert len(code.text) == 1
        assert code.x + code.advance <= bleed + shown, each.card


def test_buttons_have_a_place_each(game: Game, drawn: Drawn) -> None:
    """Each has its place in the corner over the picture: how it is played, the key, the sector."""
    places = {"key": 20.6, **dict.fromkeys(("scissors", "arrow", "card", "joker"), 10.15)}
    for card in cards(game):
        drawing = drawn("cards", card.id)
        tools, pane = group(drawing, "tools"), next(iter(group(drawing, "pane")))
        wanted = [places[symbol] for symbol in card.fields["symbols"]]
        wanted += [31.05] if "requires" in card.fields or "grants" in card.fields else []
        signs = list(tools.iter(f"{SVG}use"))
        assert [float(sign.get("y", "")) - 10 for sign in signs] == pytest.approx(wanted), card.id
        assert len(list(tools.iter(f"{SVG}rect"))) == 3 * len(signs), card.id
        assert float(pane.get("width", "")) > 56, card.id


def test_short_texts_leave_room_to_the_picture(game: Game, drawn: Drawn, rendering: Rendering) -> None:
    """Two heights of the picture, and the text below it begins as much lower."""
    heights = {}
    for card in cards(game):
        heights[card.id] = round(
            float(next(iter(group(drawn("cards", card.id), "pane"))).get("height", "")), 1
        )
    assert set(heights.values()) == {30.9, 39.1}
    assert heights["samurai"] == heights["multi-virus"] == 39.1 > heights["usenet"]
    for each in rendering.cards:
        body = [
            run for run in runs(rendering.artworks[each.face].items) if run.font == "IBMPlexSans-Regular"
        ]
        assert (min(run.y for run in body) > 60) == (heights[each.card] > 31), each.card


def test_a_sector_is_named_once_in_words(game: Game, drawn: Drawn) -> None:
    """Beside its sign among the buttons; the bottom line repeats neither."""
    for card in cards(game):
        if "requires" in card.fields or "grants" in card.fields:
            assert not list(group(drawn("cards", card.id), "line").iter(f"{SVG}use")), card.id


def test_rules_are_set_in_two_sizes(rendering: Rendering) -> None:
    sizes = {
        round(run.size / PT, 1)
        for card in rendering.cards
        for run in runs(rendering.artworks[card.face].items)
        if run.font == "IBMPlexSans-Regular"
    }
    assert sizes <= {9.5, 8.5}


def test_titles_are_set_in_two_sizes(rendering: Rendering) -> None:
    sizes = {
        round(run.size / PT, 1)
        for card in rendering.cards
        for run in runs(rendering.artworks[card.face].items)
        if run.font.startswith("Jersey15")
    }
    assert sizes == {23.0, 17.0}


@pytest.mark.parametrize(
    "name",
    ["samurai", "guru", "dumpster-diving", "telecourse", "burnout", "mothers-maiden-name", "multi-virus"],
)
def test_a_picture_keeps_off_its_window(name: str) -> None:
    source = (ROOT / f"templates/access-denied/pictures/{name}.svg").read_text(encoding="utf-8")
    x, y, scale = map(float, re.findall(r"translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)", source)[0])
    assert min(x, y) > 1
    assert x + 46 * scale < 45
    assert y + 32 * scale < 31


def test_a_rung_has_the_same_sign_on_sheets_and_cards(drawn: Drawn) -> None:
    """Three steps, those that will do filled: Root alone is the third."""

    def filled(drawing: ET.Element, id: str) -> list[bool]:
        steps = list(group(drawing, id).iter(f"{SVG}rect"))[-3:]
        return [step.get("fill") == THEME["full"]["ink"] for step in steps]

    sheet = drawn("sectors", "banking")
    assert [filled(sheet, f"rung-{rung}") for rung in ("user", "oper", "root")] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]
    assert filled(drawn("cards", "fbi-raid"), "line") == filled(sheet, "rung-root")


def test_a_sheet_has_the_hue_of_its_sector(game: Game, drawn: Drawn) -> None:
    frames = {}
    for card in cards(game, "sectors"):
        window = group(drawn("sectors", card.id), "window")
        fills = [each.get("fill") for each in window.iter(f"{SVG}rect")]
        assert THEME["accents"][card.fields["accent"]] in fills, card.id
        frames[card.id] = THEME["accents"][card.fields["accent"]]
    assert len(set(frames.values())) == len(frames) == 6


def test_both_rulebooks_show_the_same_diagrams() -> None:
    """Table, card, sheet, turn and attempt, with as many items each."""
    shapes = []
    for book in ("rulebook.md", "de/rulebook.md"):
        text = (ROOT / "data/access-denied" / book).read_text(encoding="utf-8")
        found = re.findall(r"^:::(.+)\n((?:.+\n)+?):::$", text, re.MULTILINE)
        shapes.append([(head, len(re.findall(r"(?m)^(?:-|\d\.) ", items))) for head, items in found])
    english, german = shapes
    assert english == german
    assert [head.split()[0] for head, _ in english] == ["anatomy", "set-up", "set-up", "strip", "strip"]
