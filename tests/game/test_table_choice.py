"""Which cards a thing on the table is made of: by fields, by deck list, mixed, for a seat, what is left."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.core.geometry import Rect, Size
from cardgen.core.table import BAG, COUNTER, DIE, NOTE, PAWN, Placed, Spot, Table
from tests.for_each import for_each
from tests.shipped import GAMES, shipped
from tests.wording import Wording

GAME = Path(__file__).resolve().parent.parent / "examples" / "deck-lists" / "game"
HEAD = "size: [1000mm, 600mm]\nleft_out: [cards, markers, others]\n"
SEATS = "seats: [{color: Red, at: [0mm, 350mm]}, {color: Blue, at: [0mm, -350mm], turn: 180}]\n"
OTHERS = "others:\n  - {id: lookout, title: Look again, type: agent, price: 1, power: 1, copies: 3}\n"

Lay = Callable[..., Table]
Load = Callable[..., cardgen.Game]


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    """The game of the deck lists, with a second component of poker cards, `others`."""
    root = Path(shutil.copytree(GAME, tmp_path / "game"))
    (root / "data/duel/others.yaml").write_text(OTHERS, encoding="utf-8")
    game = root / "data/duel/game.yaml"
    more = (
        "  others:\n    title: Others\n    kind: card\n    trim: poker\n    data: others.yaml\n"
        "    schema: cards.schema.json\n    face: card.svg\n    back: back.svg\nsheets:\n"
    )
    text = game.read_text(encoding="utf-8")
    text = text.replace("sheets:\n", more).replace("components: [cards]", "components: [cards, others]")
    game.write_text(text, encoding="utf-8")
    schema = root / "schemas/duel/cards.schema.json"
    text = schema.read_text(encoding="utf-8")
    others = '"others": { "type": "array", "items": { "$ref": "#/$defs/card" } },\n    "markers"'
    schema.write_text(text.replace('"markers"', others), encoding="utf-8")
    return root


@pytest.fixture
def load(duel: Path) -> Load:
    """Loads the game with things on its table."""

    def load(items: list[str], each: list[str] | None = None, players: int | None = None) -> cardgen.Game:
        lines = [HEAD, "items:\n", *(f"  - {item}\n" for item in items), SEATS]
        lines += ["each_seat:\n", *(f"  - {item}\n" for item in each)] if each else []
        text = "".join(lines) if items else "".join(lines).replace("items:\n", "items: []\n")
        (duel / "data/duel/table.yaml").write_text(text, encoding="utf-8")
        return cardgen.load("duel", project=cardgen.Project.open(duel), players=players)

    return load


@pytest.fixture
def lay(load: Load) -> Lay:
    """The table that such a game has."""

    def lay(items: list[str], each: list[str] | None = None, players: int | None = None) -> Table:
        table = load(items, each, players).table
        assert table is not None
        return table

    return lay


def ids(item: Placed) -> list[str]:
    return [id for id, _ in item.cards]


def test_cards_with_fields(lay: Lay) -> None:
    first, second = lay(
        [
            "{deck: cards, where: {type: agent, price: [1, 6]}, at: [0mm, 0mm]}",
            "{bag: cards, where: {unique: true}, at: [0mm, 0mm]}",
        ]
    ).items
    assert ids(first) == ["lookout", "zoe"]
    assert ids(second) == ["zoe"]


def test_a_deck_of_several_components(lay: Lay) -> None:
    mixed, whole = lay(
        [
            "{deck: [cards, others], where: {price: 1}, at: [0mm, 0mm]}",
            "{deck: [others, cards], at: [0mm, 0mm]}",
        ]
    ).items
    assert mixed.parts == (
        ("cards", (("lookout", 1), ("rope", 1), ("quote", 1))),
        ("others", (("lookout", 3),)),
    )
    assert mixed.total == 6
    assert [component for component, _ in whole.parts] == ["others", "cards"]
    assert whole.total == 3 + 13


def test_each_seat_has_cards_by_fields_or_a_deck_list(lay: Lay) -> None:
    table = lay(
        [],
        [
            "{deck: cards, nth: [{type: agent}, {type: tool}], at: [0mm, -100mm]}",
            "{deck: cards, list: [alley, alley], at: [0mm, -100mm]}",
            "{deck: cards, list: alley, name: Ours, at: [0mm, -100mm]}",
        ],
    )
    agents, tools, first, second, ours, _ = table.items
    assert ids(agents)[0] == "lookout"
    assert ids(tools) == ["rope", "lamp"]
    deck = cardgen.load("duel", project=cardgen.Project.open(GAME)).decks[0]
    assert dict(first.cards) == {entry.card: entry.copies for entry in deck.entries}
    assert (first.name, ours.name) == (deck.title, "Ours")
    assert (first.cards, first.seat, second.seat) == (second.cards, "Red", "Blue")


def test_the_rest_is_what_does_not_lie_elsewhere(lay: Lay) -> None:
    items = [
        "{bag: markers, rest: true, at: [0mm, 0mm]}",
        "{piece: markers/alarm, at: [0mm, 0mm], seat: Red}",
        "{piece: markers/alarm, count: 2, at: [0mm, 0mm], seat: Blue}",
        "{bag: markers/alarm, infinite: true, at: [0mm, 0mm]}",
    ]
    bag, red, blue, _ = lay(items).items
    assert bag.cards == (("alarm", 1),), "four, less one, less two"
    assert (red.seat, blue.seat) == ("Red", "Blue")


def test_a_seat_that_is_not_taken_has_nothing(lay: Lay, duel: Path) -> None:
    game = duel / "data/duel/game.yaml"
    text = game.read_text(encoding="utf-8")
    game.write_text(text.replace("{min: 2, max: 2}", "{min: 1, max: 2}"), encoding="utf-8")
    items = [
        "{bag: markers, rest: true, at: [0mm, 0mm]}",
        "{piece: markers/alarm, at: [0mm, 0mm], seat: Red}",
        "{pawn: Two, color: '#0000ff', at: [0mm, 0mm], seat: Blue}",
        "{piece: markers/alarm, at: [0mm, 0mm], seat: Blue}",
    ]
    bag, *others = lay(items, players=1).items
    assert bag.cards == (("alarm", 3),)
    assert [item.seat for item in others] == ["Red"]
    assert [item.kind for item in lay(items).items] == ["bag", "piece", "pawn", "piece"]


@for_each(
    ("items", "each", "code"),
    [
        ("{deck: cards, where: {type: spy}, at: [0mm, 0mm]}", "", "table/item"),
        ("{deck: cards, where: {kind: agent}, at: [0mm, 0mm]}", "", "table/item"),
        ("{deck: cards, where: {type: tool}, cards: [rope], at: [0mm, 0mm]}", "", "table/key"),
        ("{deck: [cards, others], cards: [rope], at: [0mm, 0mm]}", "", "table/item"),
        ("{deck: [cards, markers], at: [0mm, 0mm]}", "", "table/item"),
        ("{deck: [cards, nothing], at: [0mm, 0mm]}", "", "reference/component"),
        ("{deck: cards, list: valley, at: [0mm, 0mm]}", "", "reference/deck"),
        ("{deck: markers, list: alley, at: [0mm, 0mm]}", "", "table/item"),
        ("{deck: cards, list: [alley], at: [0mm, 0mm]}", "", "table/nth"),
        ("", "{deck: cards, list: [alley], at: [0mm, -99mm]}", "table/nth"),
        ("", "{pawn: A, seat: Red, at: [0mm, -99mm]}", "table/key"),
        ("{pawn: A, seat: Green, at: [0mm, 0mm]}", "", "table/seats"),
        ("{piece: cards/rope, rest: true, at: [0mm, 0mm]}", "", "table/key"),
    ],
)
def test_a_wrong_choice_is_a_finding_at_its_line(
    load: Load, items: str, each: str, code: str, wording: Wording
) -> None:
    game = load([items] if items else [], [each] if each else None)
    assert game.table is None
    (found,) = game.table_problems
    assert found.code == code
    wording(found)
    assert found.location is not None
    assert found.location.line == (4 if items else 6)


def test_nothing_left_is_a_finding(load: Load, wording: Wording) -> None:
    game = load(["{bag: markers, at: [0mm, 0mm]}", "{bag: markers, rest: true, at: [0mm, 0mm]}"])
    (found,) = game.table_problems
    wording(found)
    assert found.location is not None
    assert found.location.line == 5


@for_each("id", GAMES)
def test_nothing_on_a_shipped_table_lies_on_something_else(id: str) -> None:
    game = shipped(id)
    assert game.table is not None
    sizes = {"bag": BAG, "counter": COUNTER, "note": NOTE, "pawn": PAWN}
    boxes: list[tuple[str, Rect]] = []
    for item in game.table.items:
        if isinstance(item.at, Spot) and item.kind != "zone":  # which are laid under things
            size = sizes.get(item.kind, Size(item.count * DIE * 1.5, DIE))
            if item.component and item.kind != "bag":
                home = game.component(item.component)
                trims = [card.trim for card in home.cards if card.id == item.cards[0][0]]
                size = home.trim if home.book is not None and home.trim else trims[0]
            reach = item.at.extent(size)
            boxes.append((str(item.path), around(item.at, reach)))
    hands = [(seat.color, around(seat.at, seat.at.extent(game.table.hand))) for seat in game.table.seats]
    meet = [
        (name, other)
        for (name, a), (other, b) in itertools.combinations([*boxes, *hands], 2)
        if a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom
    ]
    assert meet == []
    assert len(boxes) > 2 * len(hands)


def around(spot: Spot, size: Size) -> Rect:
    """What a thing covers, a hundredth of a mm less so that things may touch."""
    return Rect(
        spot.x - size.width / 2 + 0.01,
        spot.y - size.height / 2 + 0.01,
        size.width - 0.02,
        size.height - 0.02,
    )
