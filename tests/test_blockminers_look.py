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
from PIL import Image, ImageChops, ImageStat

import cardgen
from cardgen.commands.fonts import fontbook
from cardgen.effects.printing import print_effect
from cardgen.model.artwork import Artwork, Group, Item, Rendering, SetText, TextRun
from cardgen.model.game import Card, Game
from cardgen.project import Project
from cardgen.rendering.templates import Templates
from tests.shipped import plain_yaml, shipped

ROOT = Path(__file__).resolve().parent.parent
DECKS = ("office", "basement", "encounter")
PT = 25.4 / 72
SVG = "{http://www.w3.org/2000/svg}"
SNAP = "{urn:cardgen}snap"
WORDS = plain_yaml("data/blockminers/keywords.yaml")
THEME = plain_yaml("data/blockminers/game.yaml")["theme"]

#: Where the upper left corner's banner hangs, in mm from the bleed's corner: its left edge and its width.
BANNER = (6.4, 8.6)
#: What a fan shows of a card, from its left edge, and the bleed before it.
FAN = (12.0, 3.175)


@pytest.fixture(scope="module")
def project() -> Project:
    return Project.open(ROOT)


@pytest.fixture(scope="module")
def game() -> Game:
    return shipped("blockminers")


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


def test_banners_hang_at_the_same_place_on_all_frames(game: Game, drawn: Drawn) -> None:
    left, width = BANNER
    for card in cards(game, *DECKS):
        banner = group(drawn(card.component, card.id), "banner")
        if {"banner", "threat", "check"} & set(card.fields):
            outline = next(iter(banner)).get("d", "")
            assert re.match(rf"M{left}-1V[\d.]+L[\d. ]+ {left + width:g} ", outline), card.id
        else:
            assert not len(banner), card.id


def actions(effect: Any) -> Iterator[dict[str, Any]]:
    """What an effect does, in the order of its paragraphs."""
    if isinstance(effect, dict) and "do" in effect:
        yield effect
    elif isinstance(effect, dict):
        yield from actions(effect.get("then") or effect["choose"])
    else:
        for each in effect:
            yield from actions(each)


def figure(action: dict[str, Any]) -> str | None:
    """The number that an action is printed with."""
    if "count" in action:
        return str(action["count"])
    change = next((action[name] for name in ("amount", "bonus") if name in action), None)
    return None if change is None else f"{change:+d}".replace("-", "−")


def test_a_fan_shows_what_a_card_does(game: Game, drawn: Drawn, rendering: Rendering) -> None:
    """Each keyword's sign with its figure, and the number of a threat or check, where they are placed."""
    known = plain_yaml("data/blockminers/keywords.yaml")["keywords"]
    shown, bleed = FAN
    for each in rendering.cards:
        card = next(one for one in game.component(each.component).cards if one.id == each.card)
        does = list(actions(card.fields["effect"]))
        signs = list(group(drawn(card.component, card.id), "signs").iter(f"{SVG}use"))
        assert [sign.get("href") for sign in signs] == [
            f"#icon-{known[action['do']]['icon']}" for action in does
        ], card.id
        marked = group(drawn(card.component, card.id), "signs").findall(f"{SVG}g")
        assert len(marked) == sum("deck" in action for action in does), f"{card.id}: from which deck?"
        for sign in signs:
            x, width = float(sign.get("x", "")), float(sign.get("width", ""))
            assert bleed + 3 <= x <= x + width <= bleed + shown, card.id
        numerals = [
            run
            for run in runs(rendering.artworks[each.face].items)
            if run.font.startswith("BigShoulders") and run.x < bleed + shown
        ]
        for run in numerals:
            assert bleed + 3 <= run.x <= run.x + run.advance <= bleed + shown + 0.05, (card.id, run.text)
        banner = [card.fields["threat"]] if "threat" in card.fields else []
        if not banner and "check" in card.fields:
            banner = [card.fields["check"]["at"]]
        wanted = [str(number) for number in banner] + [text for text in map(figure, does) if text]
        assert [run.text for run in numerals] == wanted, card.id


def test_each_character_has_a_letter_and_a_shape_of_its_own() -> None:
    full, low = THEME["full"]["characters"], THEME["low_ink"]["characters"]
    assert len(full) == 5
    for sign in ("letter", "shape"):
        assert len({each[sign] for each in full.values()}) == 5
        assert {id: each[sign] for id, each in full.items()} == {id: each[sign] for id, each in low.items()}


# ---------------------------------------------------------------- faces


def runs(items: tuple[Item, ...]) -> Iterator[TextRun]:
    for item in items:
        if isinstance(item, Group):
            yield from runs(item.items)
        elif isinstance(item, SetText) and not item.decor:
            yield from (run for run in item.runs if isinstance(run, TextRun))


def effect_runs(art: Artwork) -> list[TextRun]:
    """The rules of a card: what is in Plex Sans upright, and the word between two options."""
    return [
        run
        for run in runs(art.items)
        if re.fullmatch(r"IBMPlexSans-(Regular|Bold|SemiBoldItalic)", run.font)
    ]


def test_effects_are_set_in_two_sizes(rendering: Rendering) -> None:
    """Type as large as it happens to fit makes every card another one. Keywords are smaller capitals."""
    sizes: set[float] = set()
    for card in rendering.cards:
        found = {round(run.size / PT, 1) for run in effect_runs(rendering.artworks[card.face])}
        assert found, card.card
        sizes |= found
    assert sizes == {10.5, 9.2, 9.0, 7.9}


def test_titles_are_set_in_two_sizes(rendering: Rendering) -> None:
    sizes = {
        round(run.size / PT, 1)
        for card in rendering.cards
        for run in runs(rendering.artworks[card.face].items)
        if run.font.startswith("BigShoulders") and run.x > sum(FAN)
    }
    assert sizes == {19.0, 13.5}


def test_what_is_told_of_characters_is_set_in_one_size(game: Game) -> None:
    art = cardgen.render(game, components=["characters"])
    sizes = {
        round(run.size / PT, 1)
        for card in art.cards
        for run in runs(art.artworks[card.face].items)
        if run.font == "IBMPlexSans-Regular"
    }
    assert sizes == {8.4}


def test_short_effects_leave_their_room_to_the_picture(game: Game, drawn: Drawn) -> None:
    """Two layouts: the scale of what happens in the picture tells them apart."""

    def tall(component: str, card: str) -> bool:
        moved = group(drawn(component, card), "subject").get("transform", "")
        return moved.endswith(("scale(1.26)", "scale(1.14)"))

    assert tall("office", "infiltrate-dan")
    assert tall("encounter", "raid")
    assert not tall("basement", "proof-of-work")
    assert not tall("encounter", "boardroom-summons")


def test_no_row_of_an_effect_is_one_word_left_over(game: Game, rendering: Rendering) -> None:
    """A paragraph of more words than three doesn't end with one of them alone."""
    for each in rendering.cards:
        card = next(one for one in game.component(each.component).cards if one.id == each.card)
        assert game.effects is not None
        printed = [line.text.split() for line in print_effect(game.effects.language, card.fields["effect"])]
        ends = {words[-1]: len(words) for words in printed}
        rows: dict[float, list[str]] = {}
        for run in effect_runs(rendering.artworks[each.face]):
            rows.setdefault(run.y, []).extend(run.text.split())
        for row in rows.values():
            assert not (len(row) == 1 and ends.get(row[0], 0) > 3), (card.id, row)


def test_no_two_pictures_are_alike(game: Game, drawn: Drawn) -> None:
    pictures: dict[str, str] = {}
    for card in cards(game, *DECKS):
        picture = ET.tostring(group(drawn(card.component, card.id), "picture"), encoding="unicode")
        assert picture not in pictures, f"{card.id} shows what {pictures[picture]} shows"
        pictures[picture] = card.id


@pytest.mark.parametrize("ink", ["full", "low_ink"])
def test_a_second_plate_lies_under_each_picture(ink: str, game: Game, drawn: Drawn) -> None:
    """In one color and by as little as a press is off; on white paper a tint, for white strokes."""
    for card in cards(game, *DECKS):
        if card.fields.get("banner", "dan") != "dan":
            continue
        world = "virus" if card.fields.get("virus") else card.component
        plate = group(drawn(card.component, card.id, low_ink=ink == "low_ink"), "plate")
        moved = re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\)", plate.get("transform", ""))
        assert moved
        assert all(0.2 <= float(by) <= 0.5 for by in moved.groups())
        colors = {each.get(key) for each in plate.iter() for key in ("fill", "stroke")}
        assert colors - {None, "none"} == {THEME[ink][world]["picture"]["plate"]}, card.id


@pytest.mark.parametrize("deck", DECKS)
def test_every_title_has_a_picture_of_its_own(deck: str, game: Game) -> None:
    pictures: dict[str, str] = {}
    for card in game.component(deck).cards:
        title, picture = card.fields["title"], card.fields["picture"]
        assert pictures.setdefault(picture, title) == title, (
            f"{title} and {pictures[picture]} show “{picture}”"
        )


def test_every_picture_is_on_a_card(game: Game) -> None:
    shown = {card.fields["picture"] for card in cards(game, *DECKS)}
    assert {path.stem for path in (ROOT / "templates/blockminers/pictures").glob("*.svg")} == shown


def test_a_sign_of_the_rules_is_no_picture(game: Game, drawn: Drawn) -> None:
    """Pictures are of things and people; an icon in one would mean something."""
    for card in cards(game, *DECKS):
        uses = group(drawn(card.component, card.id), "picture").iter(f"{SVG}use")
        assert not [use.get("href") for use in uses if (use.get("href") or "").startswith("#icon-")], (
            card.id
        )


def test_faces_stay_small(game: Game, drawn: Drawn) -> None:
    sizes = {
        card.id: len(ET.tostring(drawn(card.component, card.id), encoding="utf-8"))
        for card in cards(game, *DECKS, "characters", "capitall-board", "basement-board")
    }
    assert max(sizes.values()) < 60_000, max(sizes, key=sizes.__getitem__)


def test_icons_of_the_game_are_drawn_on_the_common_grid() -> None:
    shown = {word["icon"] for part in ("keywords", "terms") for word in WORDS[part].values()}
    for path in sorted((ROOT / "templates/blockminers/icons").glob("*.svg")):
        root = ET.parse(path).getroot()
        grid = [root.get(key) for key in ("viewBox", "stroke", "stroke-width")]
        assert grid == ["0 0 24 24", "currentColor", "2"], path.name
        assert path.stem in shown, f"nothing shows {path.name}"


def test_every_keyword_has_a_sign_of_its_own() -> None:
    words = plain_yaml("data/blockminers/keywords.yaml")["keywords"]
    assert len({word["icon"] for word in words.values()}) == len(words)


def test_a_starter_has_a_thought_of_its_owner(game: Game, rendering: Rendering) -> None:
    """In one row, so that the picture keeps its height, and another for each of the five."""
    thoughts = {
        card.id: card.fields["flavor"] for card in cards(game, *DECKS) if card.fields["set"] == "starter"
    }
    assert len(set(thoughts.values())) == len(thoughts) == 60
    for each in rendering.cards:
        if each.card in thoughts:
            rows = {
                run.y
                for run in runs(rendering.artworks[each.face].items)
                if run.font == "IBMPlexSans-Italic" and run.y > 83
            }
            assert len(rows) == 1, each.card


# ---------------------------------------------------------------- the rulebook

BOOK = (ROOT / "data/blockminers/rulebook.md").read_text(encoding="utf-8")


def test_the_rulebook_shows_what_it_speaks_of() -> None:
    shown = re.findall(r"^:::(set-up|anatomy|strip) ?(\S*)", BOOK, re.M)
    assert ("set-up", "table") in shown
    subjects = {ref.split(":")[1].split("/")[0] for name, ref in shown if name == "anatomy"}
    assert subjects == {*DECKS, "characters", "capitall-board", "basement-board"}
    assert [name for name, _ in shown].count("strip") == 2, "a day in short, and one played out"


def test_the_contents_fit_on_the_first_page() -> None:
    """Beside the introduction it holds 21 chapters and sections."""
    assert len(re.findall(r"^###? ", BOOK, re.M)) <= 21


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Can I Reboot Encounter cards?", "No"),
        ("I am in Jail, and a card tells me to draw Basement cards.", "It Crashes"),
        ("Can I Distract a card to somebody who has folded?", "Yes"),
        ("Several things happen at one moment. Which is first?", "The player with “Go First” says"),
        ("Where do Extracted cards go?", "On top of your decks"),
    ],
)
def test_the_rulebook_answers(question: str, answer: str) -> None:
    """What the first rules leave open is answered, and marked as ours."""
    questions = BOOK.split("\n## Questions")[1]
    assert f"**{question}** :seal: {answer}" in questions


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
    levels = plain_yaml("data/blockminers/capitall.yaml")["levels"]
    board = drawn("capitall-board", "capitall")
    tops = []
    for level in levels:
        slots = rects(board, f"slot-{level['id']}-")
        assert len(slots) == 5
        assert all(slot[2] >= wide + 1 and slot[3] >= deep + 1 for slot in slots.values()), level["id"]
        tops.append(min(slot[1] for slot in slots.values()))
        said = [text.text for text in board.iter(f"{SVG}text")]
        assert {level["title"].upper(), level["ability"]} <= set(said)
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


# ---------------------------------------------------------------- the boxes


@pytest.mark.parametrize("low_ink", [False, True])
def test_a_boxs_back_shows_two_scenes_of_its_deck(game: Game, drawn: Drawn, low_ink: bool) -> None:
    """Side by side below the words, each within its pane, and no two boxes the same."""
    shown = set()
    for box in ("office-box", "basement-box", "encounter-box"):
        (card,) = game.component(box).cards
        scenes = group(drawn(box, card.id, low_ink=low_ink), "scenes")
        panes = [clip[0] for clip in scenes.iter(f"{SVG}clipPath")]
        (left, right) = sorted(float(pane.get("x", "")) for pane in panes)
        assert left + float(panes[0].get("width", "")) < right
        pictures = [each for each in scenes.iter(f"{SVG}g") if "scale(0.44)" in each.get("transform", "")]
        shown |= {ET.tostring(picture) for picture in pictures}
    assert len(shown) == 6


def test_a_days_phases_are_of_one_size_and_end_above_the_next(game: Game) -> None:
    """The steps of all three; below the last line of each lies room."""
    rendering = cardgen.render(game, components=("aids",))
    (face,) = (each.face for each in rendering.cards if each.card == "day")
    steps = [text for text in rendering.artworks[face].texts() if len(text.runs) > 3 and text.size < 9 * PT]
    assert len(steps) == 3
    assert len({round(text.size / PT, 2) for text in steps}) == 1
    ends = [text.matrix.f + max(run.y for run in text.runs) for text in steps]
    assert [below - end > 1.8 for end, below in zip(ends, (51.4, 82.6, 118.2))] == [True] * 3
