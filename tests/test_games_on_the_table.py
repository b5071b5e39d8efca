"""The shipped games as players handle them: fans, places for pieces, pictures, backs, books."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageStat

import cardgen
from cardgen.art.templates import Templates
from cardgen.core.artwork import Artwork, TextRun
from cardgen.core.game import Card
from cardgen.core.geometry import Rect
from cardgen.text.fonts import FontBook
from tests.for_each import for_each
from tests.sampling import one_in, sampled
from tests.shipped import GAMES, PROJECT, ROOT, plain_yaml, shipped

SVG, CG = "{http://www.w3.org/2000/svg}", "{urn:cardgen}"
BLEED = 3.175
FAN = (3.0, 12.05)
"""The strip of a card that a fan shows, safe from the cut, in mm from its left edge."""
HATS = ("black", "grey", "white")


def cards(game: str, component: str) -> tuple[Card, ...]:
    return tuple(shipped(game).component(component).cards)


@cache
def _templates(game: str, low_ink: bool) -> Templates:
    return Templates(shipped(game), PROJECT.paths, FontBook(PROJECT.paths), low_ink=low_ink)


@cache
def drawn(game: str, component: str, id: str, low_ink: bool = False) -> ElementTree.Element:
    """The face's SVG before layout."""
    card = next(card for card in cards(game, component) if card.id == id)
    assert card.face is not None
    home = shipped(game).component(component)
    source = _templates(game, low_ink).render(home, card, "face", card.face).source
    assert source is not None
    return ElementTree.fromstring(source)


# ---------------------------------------------------------------- a strip visible in a fan


def actions(effect: Any) -> Iterator[dict[str, Any]]:
    """Find what an effect does, at any depth."""
    if "do" in effect:
        yield effect
    else:
        for each in effect.values() if isinstance(effect, dict) else effect:
            if isinstance(each, dict | list):
                yield from actions(each)


def signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def mindnet(fields: dict[str, Any]) -> list[str]:
    stats = [fields[name] for name in ("motivation", "health", "aggression") if name in fields]
    said = [signed(stat) if fields["type"] == "item" else str(stat) for stat in stats]
    return [str(fields["price"]), *said, *(signed(n) for n in [fields.get("earnings", 0)] if n)]


def blockminers(fields: dict[str, Any]) -> list[str]:
    top = [fields["threat"]] if "threat" in fields else [fields["check"]["at"]] if "check" in fields else []
    does = list(actions(fields["effect"]))
    changes = [each.get("amount", each.get("bonus")) for each in does if "count" not in each]
    counts = [str(number) for number in [*top, *(each["count"] for each in does if "count" in each)]]
    return counts + [signed(change) for change in changes if change is not None]


FIGURES: dict[tuple[str, str], Callable[[Any], list[str]]] = {
    ("access-denied", "cards"): lambda fields: [fields["code"]],
    ("hackers", "cards"): lambda fields: [str(fields["value"])],
    ("mindnet", "cards"): mindnet,
    ("ptsd", "data"): lambda fields: [str(fields["points"]), str(fields["sysm"]), *fields["fragments"]],
    **{("blockminers", deck): blockminers for deck in ("office", "basement", "encounter")},
}
"""What players search a fan for, as printed."""
SMALLEST = ("hackers", "cards")
"""The deck that is laid out in every run, and the others in the long one."""


def texts_in(artwork: Artwork, left: float, right: float) -> list[str]:
    """The texts between two distances from the left edge of the trim."""
    found = []
    for text in artwork.texts():
        runs = [run for run in text.runs if isinstance(run, TextRun)]
        if runs and not text.decor:
            matrix = text.matrix
            ends = [
                matrix.a * x + matrix.c * run.y + matrix.e - BLEED
                for run in runs
                for x in (run.x, run.x + run.advance)
            ]
            if left <= min(ends) and max(ends) <= right:
                found.append("".join(run.text for run in runs))
    return found


@pytest.mark.parametrize("low_ink", one_in(2, [False, True]))
@pytest.mark.parametrize(("game", "component"), sampled((deck, deck == SMALLEST) for deck in FIGURES))
def test_figures_of_a_card_are_visible_in_a_fan(game: str, component: str, low_ink: bool) -> None:
    rendering = cardgen.render(shipped(game), components=[component], low_ink=low_ink)
    artworks = {each.card: rendering.artworks[each.face] for each in rendering.cards}
    for card in cards(game, component):
        wanted = Counter(FIGURES[game, component](card.fields))
        assert wanted <= Counter(texts_in(artworks[card.id], *FAN)), card.id


def icons(game: str, fields: Any) -> list[str]:
    theme = shipped(game).theme
    if game == "access-denied":
        line = fields.get("requires") or fields.get("grants")
        signs = [theme["symbols"][symbol] for symbol in fields["symbols"] if symbol != "key"]
        return signs + ([theme["sectors"][line["sector"]]] if line else [])
    if game == "ptsd":
        suits = plain_yaml("data/ptsd/design.yaml")["suits"]
        return [suit["icon"] for suit in suits if suit["name"] == fields["suit"]]
    words = plain_yaml("data/blockminers/keywords.yaml")["keywords"]
    return [words[action["do"]]["icon"] for action in actions(fields["effect"])]


@pytest.mark.long
@for_each(("game", "component"), [key for key in FIGURES if key[0] not in ("hackers", "mindnet")])
def test_icons_of_a_card_are_visible_in_a_fan(game: str, component: str) -> None:
    for card in cards(game, component):
        shown = [
            use.attrib["href"].removeprefix("#icon-")
            for use in drawn(game, component, card.id).iter(f"{SVG}use")
            if FAN[0] <= float(use.get("x", 0)) - BLEED <= FAN[1] - float(use.get("width", 0))
        ]
        assert Counter(icons(game, card.fields)) <= Counter(shown), card.id


# ---------------------------------------------------------------- pieces that fit their places

CUBE = (8.0, 8.0)
STANDEE = (22.0, 18.0)
"""What a figure covers with its feet, 9 mm each, bent outward."""
PLACES: list[tuple[str, str, str, int, str | tuple[float, float], float]] = [
    # game, board/card, snap points, how many, the piece's component or its size, mm of play
    ("access-denied", "sectors/banking", "controller", 1, "markers", 1.5),
    ("blockminers", "basement-board/basement-board", r"(money|blocks|rent)-\d+", 75, "tokens/marker", 1),
    ("blockminers", "capitall-board/capitall", r"[a-z-]+", 35, STANDEE, 1),
    ("mindnet", "playmat/playmat", r"(home|interaction|possessions)-\d|deck|discard|gne", 17, "cards", 2),
    ("mindnet", "playmat/playmat", r"credits-\d+|genies-\d+", 42, "tokens", 0.5),
    ("ptsd", "board/board", r"deck-\w+|discards", 5, "data", 2),
    ("ptsd", "board/board", r"(track|scan|round|price|sysm)-[a-z-]*\d+", 132, "tokens", 0),
    ("ptsd", "board/board", r"(track|scan|round|price|sysm)-[a-z-]*\d+", 132, CUBE, 2),
    ("ptsd", "mats/mat-1", r"stack-\d", 3, "data", 2),
    ("ptsd", "locations/night-clinic", r"bay-\d", 6, CUBE, 2),
]


def size_of(game: str, piece: str | tuple[float, float]) -> tuple[float, float]:
    if not isinstance(piece, str):
        return piece
    component, _, part = piece.partition("/")
    trims = [card.trim for card in cards(game, component) if part in ("", card.fields.get("part"))]
    return max(trim.width for trim in trims), max(trim.height for trim in trims)


def box(place: ElementTree.Element) -> Rect:
    if place.tag == f"{SVG}circle":
        x, y, r = (float(place.attrib[name]) for name in ("cx", "cy", "r"))
        return Rect(x - r, y - r, 2 * r, 2 * r)
    return Rect(*(float(place.attrib[name]) for name in ("x", "y", "width", "height")))


@for_each(("game", "board", "named", "count", "piece", "play"), PLACES)
def test_pieces_fit_their_places(
    game: str, board: str, named: str, count: int, piece: str | tuple[float, float], play: float
) -> None:
    component, _, id = board.partition("/")
    elements = {
        name: element
        for element in drawn(game, component, id).iter()
        if (name := element.get(f"{CG}snap")) and re.fullmatch(named, name)
    }
    places = {name: box(element) for name, element in elements.items()}
    round_ones = {name for name, element in elements.items() if element.tag == f"{SVG}circle"}
    assert len(places) == count
    width, height = size_of(game, piece)
    home = shipped(game).component(component)
    trim = next(card.trim for card in cards(game, component) if card.id == id)
    sheet = Rect(0, 0, trim.width + 2 * home.bleed, trim.height + 2 * home.bleed)
    for name, place in places.items():
        assert place.width >= width + play - 0.01, name
        assert place.height >= height + play - 0.01, name
        assert sheet.contains(place), name
    for (one, a), (other, b) in itertools.combinations(places.items(), 2):
        if {one, other} <= round_ones:  # side by side on a curve
            apart = math.hypot(
                a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2
            )
            assert apart >= (a.width + b.width) / 2 - 0.005, (one, other)
        else:
            assert not a.inset(0.005).overlaps(b), (one, other)


# ---------------------------------------------------------------- pictures

PICTURES = [
    ("access-denied", ("cards",), "picture"),
    ("blockminers", ("office", "basement", "encounter"), "picture"),
    ("hackers", ("cards",), "emblem"),
    ("mindnet", ("cards",), "picture"),
    ("ptsd", ("locations",), "picture"),
    ("ptsd", ("data", *(f"market-{hat}" for hat in HATS)), "evidence"),
]


@pytest.mark.parametrize(("game", "components", "id"), one_in(6, PICTURES))
def test_no_picture_is_on_two_cards(game: str, components: tuple[str, ...], id: str) -> None:
    """Colors aside: the shapes differ."""
    seen: dict[str, str] = {}
    for component in components:
        for card in cards(game, component):
            (picture,) = (each for each in drawn(game, component, card.id).iter() if each.get("id") == id)
            shapes = re.sub(r"#[0-9a-f]{3,6}\b", "", ElementTree.tostring(picture, encoding="unicode"))
            assert shapes not in seen, f"{card.id} looks like {seen.get(shapes)}"
            seen[shapes] = card.id


def test_every_drawing_of_a_game_is_used() -> None:
    for game in GAMES:
        sources = [*(ROOT / "data" / game).rglob("*.yaml"), *(ROOT / "data" / game).rglob("*.md")]
        templates = sorted((ROOT / "templates" / game).rglob("*.svg"))
        words = set(
            re.findall(r"[\w-]+", " ".join(path.read_text("utf-8") for path in sources + templates))
        )
        assert [
            path.name for path in templates if not {path.stem, path.stem.partition("-")[2]} & words
        ] == []


BACKS = [*(("blockminers", deck) for deck in ("office", "basement", "encounter")), ("mindnet", "cards")]


def difference(one: Image.Image, other: Image.Image) -> float:
    return ImageStat.Stat(ImageChops.difference(one, other)).mean[0]


@pytest.mark.long
@pytest.mark.parametrize("low_ink", [False, True])
def test_backs_have_no_up_and_differ_in_grey(low_ink: bool, tmp_path: Path) -> None:
    backs = []
    for game, component in BACKS:
        card = cards(game, component)[0].id
        wish: Any = {"component": component, "dpi": 50, "bleed": True, "low_ink": low_ink}
        paths = cardgen.proof(game, card, project=PROJECT, output=tmp_path / game / component, **wish)
        back = Image.open(next(path for path in paths if "-back" in path.stem)).convert("L")
        assert difference(back, back.rotate(180)) < 3, component
        backs.append(back)
    for one, other in itertools.combinations(backs[:3], 2):
        assert difference(one, other) > 20


# ---------------------------------------------------------------- books and boxes


@for_each(
    "book", sorted((ROOT / "data").glob("*/??/rulebook.md")), ids=lambda path: path.parent.parent.name
)
def test_a_translated_rulebook_has_the_same_diagrams(book: Path) -> None:
    shapes = [
        [
            (head, len(re.findall(r"(?m)^(?:-|\d\.) ", items)))
            for head, items in re.findall(r"^:::(.+)\n((?:.+\n)+?):::$", path.read_text("utf-8"), re.M)
        ]
        for path in (book, book.parent.parent / book.name)
    ]
    assert shapes[0] == shapes[1] != []


@for_each("game", GAMES)
def test_boxes_hold_every_deck_and_trays_everything_else(game: str) -> None:
    parts = shipped(game).components
    boxes = [part.box for part in parts if part.box is not None]
    held = {name for box in boxes for name in box.about["holds"]}
    assert {part.id for part in parts if part.kind == "card"} <= held
    whole = [box.about["holds"] for box in boxes if box.form == "tray"]
    assert len(whole) == (0 if game == "hackers" else 1)
    for names in whole:
        assert {part.id for part in parts if part.box is None and part.kind != "die"} == set(names)
