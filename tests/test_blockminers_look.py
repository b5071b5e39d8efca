"""Blockminers on the table: banners in one place, pictures that differ, boards that pieces fit."""

from __future__ import annotations

import functools
import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image, ImageChops, ImageStat

import cardgen
from cardgen.commands.fonts import fontbook
from cardgen.model.artwork import Artwork, Group, Item, Rendering, SetText, TextRun
from cardgen.model.game import Card, Game
from cardgen.project import Project
from cardgen.rendering.templates import Templates
from tests.test_ptsd_look import SIGHT, lab

ROOT = Path(__file__).resolve().parent.parent
DECKS = ("office", "basement", "encounter")
PT = 25.4 / 72
SVG = "{http://www.w3.org/2000/svg}"
SNAP = "{urn:cardgen}snap"
THEME = yaml.safe_load((ROOT / "data/blockminers/game.yaml").read_text(encoding="utf-8"))["theme"]

#: Where the upper left corner's sign hangs, in mm from the bleed's corner: its left edge and its width.
BANNER = (6.4, 12.6)
#: The lower edge of the picture's caption, and the first line of small print.
TEXT = (53.0, 87.0)


@pytest.fixture(scope="module")
def project() -> Project:
    return Project.open(ROOT)


@pytest.fixture(scope="module")
def game(project: Project) -> Game:
    return cardgen.load("blockminers", project=project)


@pytest.fixture(scope="module")
def rendering(game: Game) -> Rendering:
    return cardgen.render(game, components=DECKS)


Drawn = Callable[..., ET.Element]


@pytest.fixture(scope="module")
def drawn(game: Game, project: Project) -> Drawn:
    """The drawing of a side, before it is laid out."""
    templates = {
        low: Templates(game, project.paths, fontbook(project.paths), low_ink=low) for low in (False, True)
    }

    @functools.cache
    def draw(component: str, card: str, side: str = "face", *, low_ink: bool = False) -> ET.Element:
        home = game.component(component)
        found = next(each for each in home.cards if each.id == card)
        name = found.face if side == "face" else found.back
        assert name is not None
        return ET.fromstring(templates[low_ink].render(home, found, side, name).source)

    return draw


def group(drawing: ET.Element, id: str) -> ET.Element:
    found = [each for each in drawing.iter() if each.get("id") == id]
    assert len(found) == 1, f"{len(found)} elements have the id {id}"
    return found[0]


def rects(drawing: ET.Element, prefix: str) -> dict[str, tuple[float, float, float, float]]:
    """The rectangles whose id begins so: x, y, width, height."""
    return {
        each.get("id", ""): tuple(float(each.get(key, "")) for key in ("x", "y", "width", "height"))  # type: ignore[misc]
        for each in drawing.iter(f"{SVG}rect")
        if each.get("id", "").startswith(prefix)
    }


def cards(game: Game, *components: str) -> list[Card]:
    return [card for name in components for card in game.component(name).cards]


# ---------------------------------------------------------------- what a fan shows


def test_the_sign_hangs_at_the_same_place_on_all_frames(game: Game, drawn: Drawn) -> None:
    left, width = BANNER
    for card in cards(game, *DECKS):
        sign = next(iter(group(drawn(card.component, card.id), "banner")))
        if {"banner", "threat", "check"} & set(card.fields):
            assert re.match(rf"M{left}-1V[\d.]+L[\d. ]+ {left + width:g} ", sign.get("d", "")), card.id
        else:
            assert (float(sign.get("x", "")), float(sign.get("width", ""))) == BANNER, card.id


def test_each_character_has_a_letter_and_a_shape_of_its_own() -> None:
    full, low = THEME["full"]["characters"], THEME["low_ink"]["characters"]
    assert len(full) == 5
    for sign in ("letter", "shape"):
        assert len({each[sign] for each in full.values()}) == 5
        assert {id: each[sign] for id, each in full.items()} == {id: each[sign] for id, each in low.items()}


@pytest.mark.parametrize("sight", list(SIGHT))
def test_characters_differ_for_every_eye(sight: str) -> None:
    colors = {id: each["color"] for id, each in THEME["full"]["characters"].items()}
    colors |= {"white": "#ffffff", "basement": THEME["full"]["basement"]["head"]}
    for (one, a), (other, b) in itertools.combinations(colors.items(), 2):
        apart = sum((p - q) ** 2 for p, q in zip(lab(a, sight), lab(b, sight), strict=True)) ** 0.5
        assert apart >= 25, f"{one} and {other}: {apart:.1f}"


# ---------------------------------------------------------------- faces


def runs(items: tuple[Item, ...]) -> Iterator[TextRun]:
    for item in items:
        if isinstance(item, Group):
            yield from runs(item.items)
        elif isinstance(item, SetText) and not item.decor:
            yield from (run for run in item.runs if isinstance(run, TextRun))


def effect_runs(art: Artwork) -> list[TextRun]:
    """What is set between the caption and the small print, but for flavor, which is in plain italics."""
    within = [run for run in runs(art.items) if TEXT[0] < run.y < TEXT[1]]
    return [run for run in within if not run.font.endswith("-Italic")]


def test_effects_are_set_in_7_5_points_at_least(rendering: Rendering) -> None:
    for card in rendering.cards:
        sizes = [run.size / PT for run in effect_runs(rendering.artworks[card.face])]
        assert sizes, card.card
        assert min(sizes) >= 7.5 - 0.01, card.card


def test_effects_come_in_few_sizes(rendering: Rendering) -> None:
    """Type that is as large as it happens to fit makes every card another one."""
    largest = {
        max(run.size / PT for run in effect_runs(rendering.artworks[card.face])) for card in rendering.cards
    }
    assert len({round(size, 1) for size in largest}) <= 5


def test_no_two_pictures_are_alike(game: Game, drawn: Drawn) -> None:
    pictures: dict[str, str] = {}
    for card in cards(game, *DECKS):
        picture = ET.tostring(group(drawn(card.component, card.id), "picture"), encoding="unicode")
        assert picture not in pictures, f"{card.id} shows what {pictures[picture]} shows"
        pictures[picture] = card.id


@pytest.mark.parametrize("deck", DECKS)
def test_no_two_titles_of_a_deck_share_a_subject(deck: str, game: Game) -> None:
    subjects: dict[str, str] = {}
    for card in game.component(deck).cards:
        title, icon = card.fields["title"], card.fields["icon"]
        assert subjects.setdefault(icon, title) == title, f"{title} and {subjects[icon]} show “{icon}”"


def test_icons_of_the_game_are_drawn_on_the_common_grid(game: Game) -> None:
    shown = {card.fields["icon"] for card in cards(game, *DECKS)}
    for path in sorted((ROOT / "templates/blockminers/icons").glob("*.svg")):
        root = ET.parse(path).getroot()
        grid = [root.get(key) for key in ("viewBox", "stroke", "stroke-width")]
        assert grid == ["0 0 24 24", "currentColor", "2"], path.name
        assert path.stem in shown, f"no card shows {path.name}"


# ---------------------------------------------------------------- boards


def test_each_area_has_a_place_for_25_markers(game: Game, drawn: Drawn) -> None:
    marker = next(card for card in cards(game, "tokens") if card.fields["part"] == "marker")
    assert marker.copies == 25
    board = drawn("basement-board", "basement-board")
    slots = rects(board, "slot-")
    assert len(slots) == 3 * 25
    for name, (x, y, wide, high) in slots.items():
        assert min(wide - marker.trim.width, high - marker.trim.height) >= 1, name
        area = next(iter(group(board, f"area-{name.split('-')[1]}")))
        left, top, across, down = (float(area.get(key, "")) for key in ("x", "y", "width", "height"))
        assert left <= x <= left + across - wide, name
        assert top <= y <= top + down - high, name
    for (one, a), (other, b) in itertools.combinations(slots.items(), 2):
        apart = max(abs(a[0] - b[0]) - a[2], abs(a[1] - b[1]) - a[3])
        assert apart >= 0.9, f"{one} and {other}: {apart:.2f}"
    snaps = [each.get(SNAP) for each in board.iter() if each.get(SNAP)]
    assert snaps == [f"{area}-{n + 1}" for area in ("money", "blocks", "rent") for n in range(25)]
    numbers = [text.text for text in board.iter(f"{SVG}text") if (text.text or "").isdigit()]
    assert numbers == [str(n + 1) for _ in range(3) for n in range(25)]


def footprint(game: Game, drawn: Drawn) -> tuple[float, float]:
    """What a standee covers once its feet are bent outward."""
    piece = next(card for card in cards(game, "tokens") if card.fields["part"] == "standee")
    drawing = drawn("tokens", piece.id)
    folds = {
        float(y)
        for each in drawing.iter(f"{SVG}path")
        for y in re.findall(r"^M0 ([\d.]+)H", each.get("d", ""))
    }
    middle = piece.trim.height / 2 + game.component("tokens").bleed
    assert folds == {middle, max(folds)}
    foot = piece.trim.height / 2 - (max(folds) - middle)
    return piece.trim.width, 2 * foot


def test_each_level_has_a_place_for_five_pieces(game: Game, drawn: Drawn) -> None:
    wide, deep = footprint(game, drawn)
    levels = yaml.safe_load((ROOT / "data/blockminers/capitall.yaml").read_text(encoding="utf-8"))["levels"]
    board = drawn("capitall-board", "capitall")
    tops = []
    for level in levels:
        slots = rects(board, f"slot-{level['id']}-")
        assert len(slots) == 5
        assert all(slot[2] >= wide + 1 and slot[3] >= deep + 1 for slot in slots.values()), level["id"]
        tops.append(min(slot[1] for slot in slots.values()))
        said = [text.text for text in board.iter(f"{SVG}text")]
        assert {level["title"], level["ability"]} <= set(said)
        if "check" in level:
            assert str(level["check"]["at"]) in said
    assert tops == sorted(tops, reverse=True)
    pieces = [
        card.fields["character"] for card in cards(game, "tokens") if card.fields["part"] == "standee"
    ]
    snaps = {each.get(SNAP) for each in board.iter() if each.get(SNAP)}
    assert snaps == {f"{level['id']}-{piece}" for level in levels for piece in pieces}


# ---------------------------------------------------------------- backs, and white paper


@pytest.fixture(scope="module")
def shown(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., dict[str, Image.Image]]:
    """A card's sides in grey."""
    output = tmp_path_factory.mktemp("proofs")

    def show(component: str, card: str, *, low_ink: bool = False) -> dict[str, Image.Image]:
        paths = cardgen.proof(
            "blockminers",
            card,
            component=component,
            project=project,
            dpi=50,
            bleed=True,
            low_ink=low_ink,
            output=output,
        )
        return {"back" if "-back" in path.stem else "face": Image.open(path).convert("L") for path in paths}

    return show


def difference(one: Image.Image, other: Image.Image) -> float:
    """Of two grey images, from 0 to 255."""
    histogram = ImageChops.difference(one, other.resize(one.size)).histogram()
    return sum(value * count for value, count in enumerate(histogram)) / sum(histogram)


@pytest.mark.parametrize("low_ink", [False, True])
def test_backs_have_no_up_and_tell_the_decks_apart_in_grey(shown: Any, low_ink: bool) -> None:
    places = {"office": "overtime", "basement": "mixer", "encounter": "raid", "characters": "dan"}
    backs = {
        component: shown(component, card, low_ink=low_ink)["back"] for component, card in places.items()
    }
    for component, back in backs.items():
        assert difference(back, back.rotate(180)) < 3, component
    for (one, a), (other, b) in itertools.combinations(backs.items(), 2):
        assert difference(a, b) > 20, f"{one} and {other}"


@pytest.mark.parametrize(
    ("component", "card"), [("basement", "mixer"), ("basement", "hydra"), ("encounter", "raid")]
)
def test_low_ink_is_mostly_paper(shown: Any, component: str, card: str) -> None:
    def light(*, low_ink: bool) -> float:
        return ImageStat.Stat(shown(component, card, low_ink=low_ink)["face"]).mean[0] / 255

    assert light(low_ink=True) > 0.85 > light(low_ink=False)
