"""Set-up diagrams: numbers where named things are, the list beside or below, boxes that stay whole."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardgen
from cardgen.book.blocks import LARGEST
from cardgen.book.callouts import HALO, spread_discs
from cardgen.book.diagrams import RADIUS
from cardgen.commands.production import stages as production
from cardgen.core.artwork import Picture, Placed
from cardgen.core.book import BookPage
from cardgen.core.findings import Findings
from cardgen.core.geometry import Point, Rect
from tests.book.conftest import Made, texts
from tests.wording import Wording

Make = Callable[..., Made]
Edit = Callable[[str, str, str], Path]
CARD = "templates/demo/card.svg"
SNAP = '<circle cg:snap="well" cx="{x}" cy="70" r="4" fill="none"/>\n</svg>'
BOARD = "# T\n\n## Set-up\n\n:::set-up card:cards/night-owl 60mm\n"
TABLE = """\
size: [600mm, 400mm]
hand: [200mm, 60mm]
items:
  - {deck: cards, name: Deck, at: [-50mm, 0mm]}
  - {piece: cards/night-owl, at: [100mm, 20mm]}
  - {dice: d6, name: Weather, at: [160mm, 0mm]}
  - {bag: cards, name: Bag, cards: [old-oak], at: [-150mm, 0mm]}
seats:
  - {color: Red, at: [0mm, 230mm]}
  - {color: Blue, at: [0mm, -230mm], turn: 180}
  - {color: Green, at: [-330mm, 0mm], turn: 90}
  - {color: White, at: [330mm, 0mm], turn: 270}
each_seat:
  - {zone: Row, at: [0mm, -60mm], size: [120mm, 60mm]}
"""


def discs(page: BookPage) -> list[Point]:
    """The middles of numbers, in the order in which they are painted; those of the list come last."""
    found: list[Point] = []
    for item in page.artwork.items:
        if isinstance(item, Picture):
            for x, y in re.findall(rf'<circle cx="([\d.]+)" cy="([\d.]+)" r="{RADIUS:.3f}"', item.svg):
                found.append((float(x), float(y)))
    return found


def shown(page: BookPage) -> list[Placed]:
    return [item for item in page.artwork.items if isinstance(item, Placed)]


def near(point: Point, other: Point) -> bool:
    return math.dist(point, other) < 0.01


# ---------------------------------------------------------------------- where numbers stand


def test_a_number_stands_on_what_it_names(make: Make, edit: Edit) -> None:
    edit(CARD, "</svg>", SNAP.format(x=20))
    made = make(BOARD + "1. `well` Fill it.\n2. Shuffle.\n3. `value` Look.\n:::\n\nThen play.")
    page = made.pages[2]
    (card,) = shown(page)
    bleed = card.trim.x
    assert card.trim.width * card.matrix.a == pytest.approx(60)
    well, value, *listed = discs(page)
    assert near(well, card.matrix.apply(20, 70))
    x, y = card.matrix.inverse().apply(*value)
    assert math.dist((x - bleed, y - bleed), (10, 10)) < 0.5  # a figure in the middle of its disc
    assert len(listed) == 3
    said = texts(page)
    assert sorted(line for line in said if line in "123") == ["1", "1", "2", "3", "3", "3"]  # a page's, too
    assert {"Fill it.", "Shuffle.", "Look."} <= set(said)
    assert "Then play." in said


def test_numbers_move_with_what_they_name(make: Make, demo: Path, edit: Edit) -> None:
    edit(CARD, "</svg>", SNAP.format(x=20))
    before = discs(make(BOARD + "1. `well` Fill it.\n:::\n", low_ink=True).pages[2])[0]
    edit(CARD, 'cx="20"', 'cx="32"')
    game, findings = cardgen.load("demo", project=cardgen.Project.open(demo)), Findings()
    book = production.render_book(game, game.component("rules"), findings, low_ink=True)
    after = discs(Made(book, findings).pages[2])[0]
    assert after[0] - before[0] == pytest.approx(12 * 60 / 63.5, abs=0.01)
    assert after[1] == pytest.approx(before[1])


def test_fields_are_where_they_are_printed(make: Make) -> None:
    made = make(BOARD + "1. `title` The title.\n2. `suit` The suit.\n3. `effect` The text.\n:::\n")
    page = made.pages[2]
    (card,) = shown(page)
    places = [card.matrix.inverse().apply(*each) for each in discs(page)[:3]]
    title, suit, effect = (Rect(x - card.trim.x, y - card.trim.y, 0, 0) for x, y in places)
    assert Rect(17, 7, 43, 6).contains(title)
    assert Rect(20, 20, 24, 26).contains(suit)  # its icon
    assert Rect(7, 55, 50, 27).contains(effect)


@pytest.mark.parametrize(("width", "beside"), [("50mm", True), ("75mm", False)])
def test_a_list_stands_beside_a_narrow_picture_and_below_a_wide_one(
    make: Make, width: str, beside: bool
) -> None:
    made = make(f"# T\n\n## S\n\n:::set-up card:cards/night-owl {width}\n- `value` Look.\n:::\n")
    (card,), (_, number) = shown(made.pages[2]), discs(made.pages[2])
    right, bottom = card.matrix.apply(card.trim.right, card.trim.bottom)
    assert (number[0] > right, number[1] > bottom) == (beside, not beside)


def test_a_table_has_what_lies_on_it(make: Make, demo: Path) -> None:
    (demo / "data/demo/table.yaml").write_text(TABLE, "utf-8")
    made = make(
        "# T\n\n## S\n\n:::set-up table 2 players\n1. `Deck` Shuffle.\n2. `Weather` Roll.\n"
        "3. `cards/night-owl` Turn up.\n4. `Red` Sit.\n:::\n"
    )
    page = made.pages[2]
    deck, owl = (
        card.matrix.apply(card.trim.x + card.trim.width / 2, card.trim.y + card.trim.height / 2)
        for card in shown(page)
    )
    on_deck, on_die, on_owl, seat, *_ = discs(page)
    assert near(on_deck, deck)
    assert near(on_owl, owl)
    scale = (owl[0] - deck[0]) / 150
    assert owl[1] - deck[1] == pytest.approx(20 * scale)
    assert near(on_die, (deck[0] + 210 * scale, deck[1]))
    assert near(seat, (deck[0] + 50 * scale, deck[1] + 230 * scale))
    svg = "".join(item.svg for item in page.artwork.items if isinstance(item, Picture))
    assert svg.count("rotate(180.000") == 2  # one of two hands, and the row in front of it
    assert "rotate(90.000" not in svg


@pytest.mark.parametrize(
    ("block", "code", "line"),
    [
        ("set-up card:cards/night-owl\n1. `wel` x", "book/place", 7),
        ("set-up card:cards/owl\n1. `well` x", "book/card", 6),
        ("set-up card:cards/night-owl wide\n1. `well` x", "book/width", 6),
        ("set-up board\n1. `well` x", "book/diagram", 6),
        ("set-up\n1. `well` x", "book/diagram", 6),
        ("set-up table\n1. `Deck` x", "book/diagram", 6),
        ("set-up table many\n1. `Deck` x", "book/diagram", 6),
        ("setup table\n1. `Deck` x", "book/diagram", 6),
        ("set-up card:cards/night-owl\nText.", "book/diagram", 7),
        ("set-up card:cards/night-owl", "book/diagram", 6),
        ("set-up card:cards/night-owl\n1. `well`", "book/diagram", 7),
        ("set-up card:cards/night-owl\n1. `well` x\n\n   more", "book/diagram", 9),
    ],
)
def test_what_is_wrong_is_said_at_its_line(
    make: Make, edit: Edit, block: str, code: str, line: int, wording: Wording
) -> None:
    edit(CARD, "</svg>", SNAP.format(x=20))
    made = make(f"# T\n\n## S\n\nText.\n:::{block}\n:::\n")
    assert made.book is None
    (finding,) = [each for each in made.findings if each.code == code]
    assert finding.location is not None
    assert (finding.location.file, finding.location.line) == ("data/demo/rulebook.md", line)
    wording(finding)


def test_a_block_without_an_end_is_said(make: Make) -> None:
    made = make("# T\n\n## S\n\n:::set-up card:cards/night-owl\n1. `value` x\n")
    assert made.said == [("book/diagram", 5, "':::set-up' has no end")]


def test_a_table_names_what_is_on_it_for_so_many(make: Make, demo: Path) -> None:
    (demo / "data/demo/table.yaml").write_text(TABLE, "utf-8")
    made = make("# T\n\n:::set-up table 9 players\n1. `Deck` x\n:::\n\n:::set-up table\n1. `Dock` x\n:::")
    assert made.said == [
        ("book/diagram", 3, "the table has no seats for 9 players"),
        ("book/place", 8, "no object on the table is called 'Dock'"),
    ]


# ---------------------------------------------------------------------- plans

SOMEWHERE = st.tuples(st.floats(0, 100), st.floats(0, 70))


@given(st.lists(SOMEWHERE, max_size=20))
def test_discs_never_touch(points: list[Point]) -> None:
    radius, area = RADIUS + HALO, Rect(-1.5, -1.5, 103, 73)
    found = spread_discs(points, radius, area)
    assert found is not None
    assert len(found) == len(points)
    for index, disc in enumerate(found):
        assert area.contains(Rect(disc[0] - radius, disc[1] - radius, 2 * radius, 2 * radius))
        assert all(math.dist(disc, other) >= 2 * radius for other in found[:index])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=8, unique=True), SOMEWHERE)
def test_no_line_goes_below_another_disc(cells: list[tuple[int, int]], apart: Point) -> None:
    """Pairs of points, as near to each other as may be."""
    radius, aside = RADIUS + HALO, (apart[0] / 40, apart[1] / 40)
    points = [(x * 25 + by[0], y * 25 + by[1]) for x, y in cells for by in ((0.0, 0.0), aside)]
    found = spread_discs(points, radius, Rect(-6, -6, 112, 87)) or []
    assert len(found) == len(points)
    for index, disc in enumerate(found):
        for place, other in enumerate(found):
            if place != index and math.dist(other, points[index]) > radius + 0.3:
                assert beside(other, disc, points[index]) >= radius


def beside(point: Point, start: Point, end: Point) -> float:
    """The least distance of a point to some of those of a line."""
    steps = [number / 40 for number in range(41)]
    return min(
        math.dist(point, (start[0] + (end[0] - start[0]) * at, start[1] + (end[1] - start[1]) * at))
        for at in steps
    )


@given(st.lists(SOMEWHERE, min_size=1, max_size=8, unique_by=lambda at: (at[0] // 12, at[1] // 12)))
def test_discs_stay_on_points_that_lie_apart(points: list[Point]) -> None:
    radius = RADIUS + HALO
    found = spread_discs(points, radius, Rect(-3, -3, 106, 76)) or []
    for point, disc in zip(points, found):
        if all(math.dist(point, other) > 8 * radius for other in points if other != point):
            assert math.dist(point, disc) < 1e-9


def test_discs_without_room_have_no_plan() -> None:
    assert spread_discs([(2, 2)] * 9, RADIUS, Rect(0, 0, 8, 8)) is None
    assert spread_discs([(2, 2)], RADIUS, Rect(0, 0, 4, 4)) is None
    assert spread_discs([], RADIUS, Rect(0, 0, 8, 8)) == []


# ---------------------------------------------------------------------- together

LINES = "One line of an example, and a few more words. " * 2


def boxes(made: Made) -> list[int]:
    """The pages on which lines of examples stand."""
    return [
        number
        for number, page in enumerate(made.pages)
        if any(re.search("[Ee]xample", line) for line in texts(page)[1:])
    ]


@pytest.mark.parametrize("before", [5, 17, 24, 31])
def test_a_box_stays_on_one_page(make: Make, before: int) -> None:
    text = "# T\n\n## C\n\n" + "Words.\n\n" * before + "> [!Example]\n" + f"> {LINES}\n>\n" * 7
    made = make(text + "\nAfter.")
    assert len(boxes(made)) == 1


@pytest.mark.parametrize("before", [14, 17, 20])
def test_a_heading_stays_with_the_box_below_it(make: Make, before: int) -> None:
    box = "> [!Example]\n" + f"> {LINES}\n>\n" * 7
    made = make("# T\n\n## C\n\n" + "Words.\n\n" * before + "### Of boxes\n\n" + box)
    (page,) = boxes(made)
    assert "Of boxes" in texts(made.pages[page])[1:]


def test_a_box_higher_than_a_page_is_parted(make: Make) -> None:
    made = make("# T\n\n## C\n\n> [!Example]\n" + f"> {LINES}\n>\n" * 40)
    assert len(boxes(made)) > 1
    assert not made.said


DRAWN = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
  xmlns:cg="urn:cardgen" width="635" height="889" viewBox="0 0 635 889">
<defs><rect id="hidden" width="9" height="9"/></defs>
<rect width="635" height="889" fill="#eee"/>
<g inkscape:label="well" transform="translate(100 0)"><rect x="100" y="200" width="100" height="50"/></g>
<g id="deep"><g><g id="inner"><circle cx="500" cy="700" r="20" fill="#393"/></g></g></g>
<rect cg:snap="spot" x="0" y="800" width="100" height="80" fill="none"/>
<text x="300" y="100" font-family="IBM Plex Sans" font-size="40">{{ card['title'] }}</text>
</svg>
"""


def test_names_in_a_drawing_program_s_file(make: Make, demo: Path) -> None:
    """A drawing in pixels, its objects labelled, which is rewritten in plain SVG."""
    (demo / CARD).write_text(DRAWN, "utf-8")
    made = make(BOARD.replace("60mm", "63.5mm") + "1. `well` `inner` `spot` `title` Look.\n:::\n")
    (card,), (*points, _) = shown(made.pages[2]), discs(made.pages[2])
    found = [card.matrix.inverse().apply(*point) for point in points]
    well, inner, spot, title = ((x - card.trim.x, y - card.trim.y) for x, y in found)
    assert near(well, (25, 22.5))
    assert near(inner, (50, 70))
    assert near(spot, (5, 84))
    assert Rect(30, 6, 24, 4).contains(Rect(*title, 0, 0))


def test_what_is_only_defined_is_nowhere(make: Make, demo: Path) -> None:
    (demo / CARD).write_text(DRAWN, "utf-8")
    made = make(BOARD + "1. `hidden` Look.\n:::\n")
    assert ("book/place", 6, "no object on the card 'cards/night-owl' is called 'hidden'") in made.said
    (finding,) = [each for each in made.findings if each.code == "book/place"]
    assert finding.hint == "use one of: deep, inner, spot, well, id, title, …"


@pytest.mark.parametrize("name", ["id", "out"])
def test_what_is_known_and_lies_nowhere_is_not_said_to_be_misspelt(
    make: Make, edit: Edit, name: str, wording: Wording
) -> None:
    """A field that the template doesn't print, an object outside of the trim."""
    edit(CARD, "</svg>", '<circle id="out" cx="-20" cy="-20" r="4"/>\n</svg>')
    made = make(BOARD + f"1. `{name}` Look.\n:::\n")
    (finding,) = [each for each in made.findings if each.code == "book/place"]
    wording(finding, "cards/night-owl")


# ---------------------------------------------------------------------- scenes

SCENES = """scenes:
  before:
    title: Before
    items:
      - {zone: Hand, size: [80mm, 110mm], at: [0mm, -8mm]}
      - {piece: cards/night-owl, at: [0mm, 0mm]}
  after:
    items:
      - {piece: cards/night-owl, at: [0mm, 0mm]}
      - {piece: cards/gardener, at: [70mm, 0mm]}
      - {pawn: Ann, color: '#4cc0ee', at: [70mm, 0mm]}
"""


def test_scenes_show_real_cards_at_one_scale_beside_each_other(make: Make, demo: Path) -> None:
    (demo / "data/demo/table.yaml").write_text(TABLE + SCENES, "utf-8")
    page = make("# T\n\n## S\n\n:::scene before after\n4. `Ann` Moves.\n:::\n").pages[2]
    boxes = [card.matrix.around(card.trim) for card in shown(page)]
    assert len(boxes) == 3, "nothing of the set-up table"
    assert len({round(box.width, 3) for box in boxes}) == 1
    assert boxes[0].width > 20
    first, second, third = sorted(boxes, key=lambda box: box.x)
    assert second.x - first.right > 9  # room for an arrow
    assert third.x - second.right == pytest.approx(6.5 / 63.5 * first.width, abs=0.01)
    said = texts(page)
    assert {"Before", "Hand", "4"} <= {word for line in said for word in (line, *line.split())}
    assert near(discs(page)[0], (third.x + third.width / 2, third.y + third.height / 2))
    svg = "".join(item.svg for item in page.artwork.items if isinstance(item, Picture))
    assert "#4cc0ee" in svg.lower()


def test_a_scene_is_at_most_as_large_as_the_things(make: Make, demo: Path) -> None:
    (demo / "data/demo/table.yaml").write_text(TABLE + SCENES, "utf-8")
    page = make("# T\n\n## S\n\n:::scene before\n:::\n").pages[2]
    (card,) = shown(page)
    assert card.matrix.around(card.trim).width == pytest.approx(63.5)


def test_a_scene_may_have_a_share_of_the_size_of_the_things(make: Make, demo: Path) -> None:
    (demo / "data/demo/table.yaml").write_text(TABLE + SCENES, "utf-8")
    page = make("# T\n\n## S\n\n:::scene before 40%\n:::\n").pages[2]
    (card,) = shown(page)
    assert 0.39 * 63.5 < card.matrix.around(card.trim).width < 0.4 * 63.5 * LARGEST + 0.1


@pytest.mark.parametrize(
    ("block", "code", "line"),
    [
        ("scene\n1. `Ann` x", "book/diagram", 5),
        ("scene a b c d e", "book/diagram", 5),
        ("scene befor", "book/diagram", 5),
        ("scene before\n1. `Bob` x", "book/place", 6),
        ("scene before\n1. x", "book/diagram", 6),
    ],
)
def test_what_is_wrong_with_a_scene_is_said_at_its_line(
    make: Make, demo: Path, block: str, code: str, line: int, wording: Wording
) -> None:
    (demo / "data/demo/table.yaml").write_text(TABLE + SCENES, "utf-8")
    made = make(f"# T\n\n## S\n\n:::{block}\n:::\n")
    (said,) = made.said
    assert said[:2] == (code, line)
    wording(said[2])
