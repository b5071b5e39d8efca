"""A game's table: what its file may say, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import cardgen
from cardgen.core.geometry import Size
from cardgen.core.table import Placed, SnapRef, Spot, Table
from tests.for_each import for_each

START = "size: [1000mm, 600mm]\n"
SEATS = "seats: [{color: Red, at: [0mm, 350mm]}, {color: Blue, at: [100mm, -350mm], turn: 180}]\n"

Write = Callable[[str], Path]


@pytest.fixture
def write(demo: Path) -> Write:
    """Writes the table of the demo game."""

    def write(text: str) -> Path:
        path = demo / "data/demo/table.yaml"
        path.write_text(text, encoding="utf-8")
        return demo

    return write


def table(demo: Path, players: int | None = None) -> Table:
    found = cardgen.load("demo", project=cardgen.Project.open(demo), players=players).table
    assert found is not None
    return found


def codes(demo: Path) -> list[tuple[str, int | None]]:
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    assert game.table is None
    return [
        (finding.code, finding.location.line if finding.location else None)
        for finding in game.table_problems
        if finding.severity is cardgen.Severity.ERROR
    ]


def test_places_are_measured_from_the_middle(write: Write) -> None:
    demo = write(START + "items:\n  - {deck: cards, at: [1in, -20mm], turn: -90}\n" + SEATS)
    (item,) = table(demo).items
    assert item.at == Spot(25.4, -20, 270)
    assert (item.kind, item.component, item.face_up, item.shuffle) == ("deck", "cards", False, False)
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    assert dict(item.cards) == {card.id: card.copies for card in game.component("cards").cards}


def test_things_of_each_seat_turn_with_it(write: Write) -> None:
    demo = write(
        START + "items: []\n" + SEATS + "each_seat:\n  - {piece: cards, nth: true, at: [50mm, -100mm]}\n"
    )
    red, blue = table(demo).items
    assert (red.at, red.seat) == (Spot(50, 250, 0), "Red")
    assert (blue.at, blue.seat) == (Spot(50, -250, 180), "Blue")
    assert red.cards[0][0] != blue.cards[0][0]


def test_fewer_players_take_fewer_seats(write: Write) -> None:
    many = (
        START
        + "items: []\nseats:\n"
        + "".join(
            f"  - {{color: {color}, at: [{x}mm, 350mm]}}\n"
            for color, x in (("Red", -300), ("Blue", -100), ("Green", 100), ("Pink", 300))
        )
    )
    demo = write(many + "each_seat:\n  - {piece: cards, nth: true, at: [0mm, -100mm]}\n")
    assert [seat.color for seat in table(demo, players=2).seats] == ["Red", "Blue"]
    assert len(table(demo, players=2).items) == 2
    assert len(table(demo).seats) == 4


def test_some_cards_of_a_pile(write: Write) -> None:
    text = "items:\n  - {deck: cards, cards: {night-owl: 3, gardener: 1}, at: [0mm, 0mm]}\n"
    (item,) = table(write(START + text + SEATS)).items
    assert item.cards == (("night-owl", 3), ("gardener", 1))


@for_each(
    ("item", "code"),
    [
        ("{deck: cardz, at: [0mm, 0mm]}", "reference/component"),
        ("{piece: cards/night-ow, at: [0mm, 0mm]}", "reference/card"),
        ("{deck: cards, cards: [nobody], at: [0mm, 0mm]}", "reference/card"),
        ("{deck: cards/gardener, at: [0mm, 0mm]}", "schema/pattern"),
        ("{piece: cards, at: [0mm, 0mm]}", "table/item"),
        ("{bag: cards, infinite: true, at: [0mm, 0mm]}", "table/item"),
        ("{book: cards, at: [0mm, 0mm]}", "reference/component"),
        ("{deck: cards, at: [480mm, 0mm]}", "table/outside"),
        ("{deck: cards, at: [0mm, 0mm], value: 3}", "table/key"),
        ("{dice: d6, at: [0mm, 0mm], nth: true}", "table/key"),
        ("{piece: cards/gardener, on: {piece: cards/night-owl, snap: x}}", "table/snap"),
        ("{piece: cards/gardener, on: {piece: cards/nobody, snap: x}}", "reference/card"),
        ("{dice: d7, at: [0mm, 0mm]}", "schema/enum"),
        ("{deck: cards}", "table/item"),
        ("{at: [0mm, 0mm]}", "table/item"),
        ("{deck: cards, dice: d6, at: [0mm, 0mm]}", "table/item"),
        ("{deck: cards, at: [0, 0]}", "schema/type"),
        ("{deck: cards, at: [3 feet, 0mm]}", "schema/pattern"),
    ],
)
def test_a_wrong_thing_is_a_finding_at_its_line(write: Write, item: str, code: str) -> None:
    demo = write(START + f"items:\n  - {{note: fine, at: [0mm, 0mm]}}\n  - {item}\n" + SEATS)
    found = codes(demo)
    assert {line for _, line in found} == {4}
    assert code in {each for each, _ in found} or code.startswith("schema/")
    assert all(each.partition("/")[0] == code.partition("/")[0] for each, _ in found)


@for_each(
    ("text", "code"),
    [
        (
            START + "items: []\nseats: [{color: Red, at: [0mm, 0mm]}, {color: Red, at: [0mm, 9mm]}]\n",
            "table/seats",
        ),
        (START + "items: []\nseats: [{color: Red, at: [0mm, 900mm]}]\n", "table/outside"),
        ("size: [9000mm, 600mm]\nitems: []\n" + SEATS, "schema/length"),
        (START + "items: []\n" + SEATS + "left_out: [nothing]\n", "reference/component"),
        (START + "items: []\n" + SEATS + "tts: {nothing: {tags: [x]}}\n", "reference/component"),
        (
            START
            + "items: []\n"
            + SEATS
            + "each_seat: [{piece: cards, nth: [gardener], at: [0mm, 0mm]}]\n",
            "table/nth",
        ),
    ],
)
def test_a_wrong_table_is_a_finding(write: Write, text: str, code: str) -> None:
    assert code in {each for each, _ in codes(write(text))}


def test_a_wrong_table_is_said_stops_its_exports_and_no_print(write: Write, tmp_path: Path) -> None:
    demo = write(START + "items:\n  - {deck: nowhere, at: [0mm, 0mm]}\n" + SEATS)
    project = cardgen.Project.open(demo)
    said = {finding.code for finding in checked(demo)}
    assert "reference/component" in said
    assert "table/made-up" not in said
    with pytest.raises(cardgen.CardgenError, match="nowhere"):
        cardgen.export_to(cardgen.ExportOptions("demo", "tts", output=tmp_path), project=project)
    built = cardgen.build(cardgen.BuildOptions("demo", output=tmp_path), project=project)
    assert built.files


def test_what_is_not_on_the_table_is_said(write: Write) -> None:
    demo = write(START + "items: []\n" + SEATS)
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    assert "table/unused" in {finding.code for finding in game.table_problems}
    assert "table/seats" in {finding.code for finding in game.table_problems}, "four may play"
    write(START + "items: []\n" + SEATS + "left_out: [cards]\n")
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    assert "table/unused" not in {finding.code for finding in game.table_problems}


SNAP = '<rect cg:snap="{name}" x="{x}" y="20" width="4" height="4" fill="none"/></svg>'


def snapping(demo: Path, name: str, x: float, more: str = "") -> None:
    card = demo / "templates/demo/card.svg"
    text = card.read_text(encoding="utf-8")
    card.write_text(text.replace("</svg>", more + SNAP.format(name=name, x=x)), encoding="utf-8")


def checked(demo: Path) -> list[cardgen.Finding]:
    return cardgen.check(cardgen.load("demo", project=cardgen.Project.open(demo)))


def test_a_thing_on_a_snap_point(write: Write, demo: Path) -> None:
    snapping(demo, "spot", 30)
    text = "items:\n  - {piece: cards/gardener, at: [0mm, 0mm]}\n"
    on = "  - {piece: cards/night-owl, on: {piece: cards/gardener, snap: spot}}\n"
    demo = write(START + text + on + SEATS + "left_out: []\n")
    item = table(demo).items[1]
    assert item.at == SnapRef("cards", "gardener", "spot")
    assert not [finding for finding in checked(demo) if finding.code.startswith("reference/")]
    demo = write(START + text + on.replace("spot", "spott") + SEATS)
    (finding,) = (finding for finding in checked(demo) if finding.code == "reference/snap")
    assert finding.hint == "did you mean 'spot'?"
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == ("data/demo/table.yaml", 4)


@pytest.mark.parametrize(
    ("name", "x", "more", "code"),
    [
        ("spot", -9.0, "", "snap/outside"),
        ("spot", 90.0, "", "snap/outside"),
        ("A Spot", 30.0, "", "snap/name"),
        ("spot", 30.0, '<circle cg:snap="spot" cx="20" cy="20" r="2" fill="none"/>', "snap/name"),
        ("spot", 30.0, '<path cg:snap="other" d="M9 9h4" stroke="#000"/>', "snap/element"),
    ],
)
def test_a_wrong_snap_point_is_a_finding_at_the_template(
    demo: Path, name: str, x: float, more: str, code: str
) -> None:
    lines = (demo / "templates/demo/card.svg").read_text(encoding="utf-8").count("\n")
    snapping(demo, name, x, more)
    (finding,) = (each for each in checked(demo) if each.code.startswith("snap/"))
    assert finding.code == code
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == ("templates/demo/card.svg", lines)


def test_a_seat_s_spot_is_a_turn_about_the_table() -> None:
    assert Spot(10, 20, 90).place(Spot(3, -4, 45)) == Spot(14, 23, 135)
    assert isinstance(Placed("note", Spot(0, 0), 0, ()), Placed)


ZONES = """items:
  - {note: fine, at: [0mm, 0mm]}
  - %s
"""


@for_each(
    ("item", "code"),
    [
        ("{zone: Row, at: [0mm, 0mm]}", "table/item"),
        ("{zone: Row, at: [0mm, 0mm], size: [2mm, 90mm]}", "table/item"),
        ("{zone: Row, at: [0mm, 0mm], size: [90mm, 90mm], name: Line}", "table/key"),
        ("{zone: Row, at: [0mm, 0mm], size: [90mm, 90mm], hides: others}", "table/item"),
        ("{zone: Row, at: [0mm, 0mm], size: [90mm, 90mm], hand: true}", "table/item"),
        (
            "{zone: Row, at: [0mm, 0mm], size: [90mm, 90mm], seat: Red, hand: true, hides: all}",
            "table/item",
        ),
        ("{zone: Row, at: [480mm, 0mm], size: [90mm, 90mm]}", "table/outside"),
        ("{note: Row, at: [0mm, 0mm], size: [90mm, 90mm]}", "table/key"),
    ],
)
def test_a_wrong_zone_is_a_finding_at_its_line(write: Write, item: str, code: str) -> None:
    assert codes(write(START + ZONES % item + SEATS)) == [(code, 4)]


@for_each(
    ("zone", "at", "is_half"),
    [
        ("size: [100mm, 70mm]", "0mm, 0mm", True),  # swapped
        ("size: [70mm, 100mm]", "0mm, 0mm", False),
        ("size: [70mm, 100mm]", "0mm, 60mm", True),
        ("size: [70mm, 100mm]", "68mm, 0mm", False),
        ("size: [20mm, 20mm]", "0mm, 0mm", False),  # a part of the card
        ("size: [70mm, 70mm], turn: 90", "0mm, 0mm", True),
        ("size: [100mm, 70mm], turn: 90", "0mm, 0mm", False),
    ],
)
def test_a_thing_half_in_a_zone_is_a_warning(write: Write, zone: str, at: str, is_half: bool) -> None:
    item = f"{{zone: Row, at: [0mm, 0mm], {zone}}}"
    things = f"items:\n  - {item}\n  - {{piece: cards/gardener, at: [{at}]}}\n"
    scene = (
        f"scenes:\n  first:\n    items:\n      - {item}\n      - {{piece: cards/gardener, at: [{at}]}}\n"
    )
    demo = write(START + things + SEATS + scene)
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    places = [
        (each.location.path, each.message.split()[-1])
        for each in game.table_problems
        if each.code == "table/half-inside" and each.location is not None
    ]
    assert places == ([("items[1].at", "3"), ("scenes.first.items[1].at", "9")] if is_half else [])


def test_zones_belong_to_seats_or_to_all(write: Write) -> None:
    demo = write(
        START
        + ZONES % "{zone: Row, at: [0mm, 0mm], size: [9cm, 1in], hides: all}"
        + SEATS
        + "each_seat: [{zone: Draft, at: [0mm, 90mm], size: [100mm, 50mm], hand: true}]\n"
    )
    row, *drafts = (item for item in table(demo).items if item.kind == "zone")
    assert (row.name, row.area, row.hides, row.seat) == ("Row", Size(90, 25.4), "all", None)
    assert [item.hand for item in drafts] == [True] * len(drafts)
    assert {item.seat for item in drafts} == {seat.color for seat in table(demo).seats}


DEALING = """\
steps:
%s
items:
  - {deck: cards, name: Pile, cards: {early-bird: 5}, at: [0mm, 0mm]}
  - {zone: Row, at: [0mm, 120mm], size: [200mm, 95mm]}
each_seat:
  - {deck: cards, name: Own, cards: {early-bird: 2}, at: [0mm, -60mm]}
  - {zone: Mine, at: [0mm, -60mm], size: [90mm, 95mm]}
"""


@for_each(
    ("steps", "said"),
    [
        (["{deal: Pile, cards: 2}"], None),
        (["{deal: Pile, cards: 3}"], "with 2 players 'Pile' has 1 too few cards"),
        (["{deal: Pile, cards: 2}", "{place: Pile, cards: 2, at: [0mm, 0mm]}"], "has 1 too few"),
        (["{deal: Pile, cards: 3, players: 1}"], None),
        (["{deal: Pile, cards: {by_players: {1: 5, 2: 2}}}"], None),
        (["{deal: Own, cards: 3}"], "'Own' has 1 too few cards"),
        (["{place: Pile, in: Mine, cards: 3}"], "with 2 players 'Pile' has 1 too few cards"),
        (["{place: Own, in: Mine, cards: 2}"], None),
        (["{place: Pile, in: Row, cards: 3, step: [66mm, 0mm]}"], None),
        (["{place: Pile, in: Row, cards: 4, step: [66mm, 0mm]}"], "extend 31mm beyond the zone 'Row'"),
        (["{place: Pile, in: Row, cards: 2, step: [80mm, 0mm], turn: 90}"], None),
        (["{place: Pile, in: Row, cards: 2, step: [0mm, 66mm]}"], "extend 30mm beyond the zone 'Row'"),
    ],
)
def test_a_set_up_that_cannot_be_done_is_said(write: Write, steps: list[str], said: str | None) -> None:
    lines = "\n".join(f"  - {step}" for step in steps)
    demo = write(START + DEALING % lines + SEATS)
    game = cardgen.load("demo", project=cardgen.Project.open(demo))
    found = [finding for finding in game.table_problems if finding.code == "table/dealing"]
    if said is None:
        assert found == []
        return
    (finding,) = found
    assert said in finding.message
    assert finding.location is not None
    assert finding.location.line == 2 + len(steps)


def test_scenes_have_things_and_no_seats(write: Write) -> None:
    scenes = "items: []\nscenes:\n  hand:\n    title: Mine\n    items:\n"
    scenes += "      - {piece: cards/gardener, at: [1mm, 2mm]}\n"
    scenes += "      - {zone: hand, name: My hand, size: [80mm, 90mm], at: [0mm, 0mm]}\n"
    scene = table(write(START + SEATS + scenes)).scenes["hand"]
    piece, zone = scene.items
    assert (scene.title, piece.at, zone.name) == ("Mine", Spot(1, 2), "My hand")


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ("{piece: cards/gardner, at: [0mm, 0mm]}", "reference/card"),
        ("{deck: cards, rest: true, at: [0mm, 0mm]}", "table/item"),
        ("{piece: cards/gardener, seat: Red, at: [0mm, 0mm]}", "table/item"),
        ("{piece: cards/gardener, on: {piece: cards/night-owl, snap: spot}}", "table/snap"),
    ],
)
def test_what_is_wrong_in_a_scene_is_said(write: Write, item: str, code: str) -> None:
    assert codes(write(START + SEATS + f"items: []\nscenes:\n  hand:\n    items:\n      - {item}\n")) == [
        (code, 7)
    ]


def test_unknown_snap_points_of_scenes_are_said(write: Write) -> None:
    on = "{piece: cards/night-owl, on: {piece: cards/gardener, snap: spott}}"
    scene = "items: []\nscenes:\n  hand:\n    items:\n      - {piece: cards/gardener, at: [0mm, 0mm]}\n"
    demo = write(START + SEATS + f"{scene}      - {on}\n")
    snapping(demo, "spot", 30)
    (finding,) = (each for each in checked(demo) if each.code == "reference/snap")
    assert finding.location is not None
    assert finding.location.line == 8
