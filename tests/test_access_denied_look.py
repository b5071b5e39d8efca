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


def test_a_fan_shows_code_symbol_and_sector(game: Game, drawn: Drawn, rendering: Rendering) -> None:
    """The button below the keycap says how it is played, or which rung it gives; the next one, where."""
    shown, bleed = FAN
    for card in cards(game):
        tools = group(drawn("cards", card.id), "tools")
        line = card.fields.get("requires") or card.fields.get("grants")
        wanted = [(THEME["symbols"][symbol], 20.15) for symbol in card.fields["symbols"] if symbol != "key"]
        wanted += [(THEME["sectors"][line["sector"]], 30.6)] if line else []
        signs = list(tools.iter(f"{SVG}use"))
        found = [((sign.get("href") or "")[6:], float(sign.get("y", ""))) for sign in signs]
        assert found == wanted, card.id
        for sign in signs:
            assert float(sign.get("x", "")) + float(sign.get("width", "")) <= bleed + shown, card.id
        if grants := card.fields.get("grants"):
            lit = [step.get("fill") == THEME["full"]["ink"] for step in list(tools.iter(f"{SVG}rect"))[3:6]]
            assert lit == [rung == grants["access"] for rung in ("User", "Oper", "Root")], card.id
    for each in rendering.cards:
        code = next(run for run in runs(rendering.artworks[each.face].items) if run.y < bleed + 14)
        assert len(code.text) == 1
        assert code.x + code.advance <= bleed + shown, each.card


def test_what_a_card_requires_is_said_once(game: Game, drawn: Drawn, rendering: Rendering) -> None:
    """By the key, in the line that names sector and rung; what a card gives is said by its text alone."""
    texts = {
        each.card: [run.text for run in runs(rendering.artworks[each.face].items)]
        for each in rendering.cards
    }
    for card in cards(game):
        drawing, need = drawn("cards", card.id), card.fields.get("requires")
        keys = [use.get("href") for use in drawing.iter(f"{SVG}use")].count("#icon-key")
        assert keys == ("key" in card.fields["symbols"]) == bool(need), card.id
        assert any(each.get("id") == "line" for each in drawing.iter()) == bool(need), card.id
        assert not {"Requires", "Gives"} & set(texts[card.id]), card.id
        if need:
            assert texts[card.id].count(need["sector"]) == 1, card.id


def test_short_texts_leave_room_to_the_picture(game: Game, drawn: Drawn, rendering: Rendering) -> None:
    """Two heights of the picture, and the text below it begins as much lower."""
    heights = {}
    for card in cards(game):
        heights[card.id] = round(
            float(next(iter(group(drawn("cards", card.id), "pane"))).get("height", "")), 1
        )
    assert set(heights.values()) == {30.9, 39.1}
    assert heights["samurai"] == heights["multi-virus"] == heights["warez"] == heights["ice"] == 39.1
    assert heights["usenet"] == heights["bug"] == 30.9
    for each in rendering.cards:
        body = [
            run for run in runs(rendering.artworks[each.face].items) if run.font == "IBMPlexSans-Regular"
        ]
        assert (min(run.y for run in body) > 60) == (heights[each.card] > 31), each.card


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


def drawn_box(source: str) -> list[float]:
    """What a picture's pixels cover, but for their shadow: left, top, right, bottom."""
    spans: list[tuple[float, float]] = []
    for fill, path in re.findall(r'fill="\{\{ (.*?) \}\}" d="([^"]+)"', source):
        x = y = x0 = y0 = 0.0
        for command, numbers in re.findall(r"([MmhvHVz])([^A-Za-z]*)", path):
            at = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
            if command in "Mm":
                x, y = (at[0], at[1]) if command == "M" else (x + at[0], y + at[1])
                x0, y0 = x, y
            elif command in "hH":
                x = at[0] + (x if command == "h" else 0)
            elif command in "vV":
                y = at[0] + (y if command == "v" else 0)
            else:
                x, y = x0, y0
            spans += [(x, y)] if fill != "shadow" else []
    moved = re.findall(r"translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)", source)
    right, down, scale = map(float, moved[0]) if moved else (0.0, 0.0, 1.0)
    xs, ys = [x * scale + right for x, _ in spans], [y * scale + down for _, y in spans]
    return [min(xs), min(ys), max(xs), max(ys)]


def test_a_picture_stands_in_the_middle_of_its_window(game: Game, drawn: Drawn) -> None:
    """As large as can be beside the buttons, off every edge, with as much room on either side."""
    pictures = ROOT / "templates/access-denied/pictures"
    for card in cards(game):
        source = (pictures / f"{card.fields['emblem']}.svg").read_text(encoding="utf-8")
        said = [float(each) for each in re.findall(r"set box = \[(.*?)\]", source)[0].split(", ")]
        assert said == pytest.approx(drawn_box(source), abs=0.06), card.id
        drawing = drawn("cards", card.id)
        pane = list(group(drawing, "pane"))[1]
        place = next(each for each in group(drawing, "picture") if each.get("transform"))
        left, top, px = map(float, re.findall(r"-?[\d.]+", place.get("transform", "")))
        edges = [left + said[0] * px, top + said[1] * px, left + said[2] * px, top + said[3] * px]
        start = 16.05 if len(group(drawing, "tools")) else 7
        below = float(pane.get("y", "")) + float(pane.get("height", ""))
        gaps = [edges[0] - start, 63.2 - edges[2], edges[1] - 19.35, below - edges[3]]
        assert min(gaps) > 0.8, card.id
        assert gaps[0] == pytest.approx(gaps[1], abs=0.1), card.id
        assert gaps[2] == pytest.approx(gaps[3], abs=0.1), card.id
        assert px > 0.85, card.id


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
    assert [head.split()[0] for head, _ in english] == [
        "anatomy",
        "set-up",
        "set-up",
        "strip",
        "strip",
        "strip",
    ]


def test_the_boxs_back_has_the_six_keys(drawn: Drawn) -> None:
    """In the room between its words, in the order of the alphabet."""
    drawing = drawn("box", "box")
    keys = group(drawing, "keys")
    colors = {rect.get("fill") for rect in keys.iter(f"{SVG}rect")}
    assert {code["color"] for code in THEME["codes"].values()} <= colors
