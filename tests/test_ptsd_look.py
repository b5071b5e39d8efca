"""PTSD on the table: scenes and evidence, what a fan shows, a board that cards, cubes and tokens fit."""

from __future__ import annotations

import itertools
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import cardgen
from cardgen.geometry import Size
from cardgen.imposition.tiling import plan_tiles
from cardgen.model.artwork import Artwork, TextRun
from cardgen.model.game import Game, ProjectPaths
from cardgen.rendering.templates import Templates
from cardgen.svg.colors import parse_color
from cardgen.typesetting.fonts import FontBook
from cardgen.vision.sights import lab
from tests.shipped import plain_yaml, shipped

ROOT = Path(__file__).parent.parent
GAME = plain_yaml("data/ptsd/game.yaml")
DESIGN = plain_yaml("data/ptsd/design.yaml")
THEME = GAME["theme"]


def figure(template: str, name: str) -> float:
    """The number that a template sets as `name`."""
    found = re.search(
        rf"{{% set {name} = ([0-9.]+) %}}", (ROOT / "templates/ptsd" / template).read_text("utf-8")
    )
    assert found, f"{template} sets no {name}"
    return float(found[1])


@pytest.mark.parametrize("template", ["board.svg", "mat.svg"])
def test_slots_are_cards_with_two_millimetres_of_play(template: str) -> None:
    poker = plain_yaml("data/sizes.yaml")["sizes"]["poker"]
    wide, high = (float(poker[side].removesuffix("mm")) for side in ("width", "height"))
    assert figure(template, "sw") == pytest.approx(wide + 2)
    assert figure(template, "sh") == pytest.approx(high + 2)


def test_spaces_take_a_cube_and_a_token() -> None:
    token = max(float(side.removesuffix("mm")) for side in GAME["components"]["tokens"]["trim"])
    assert figure("board.svg", "cell") >= max(8 + 2, token)
    assert figure("board.svg", "pitch") > figure("board.svg", "cell")


# ---------------------------------------------------------------- sides as they are drawn

SVG, CG = "{http://www.w3.org/2000/svg}", "{urn:cardgen}"


def game() -> Game:
    return shipped("ptsd")


@cache
def source(component: str, id: str, low_ink: bool = False) -> str:
    """The SVG of a face."""
    paths = ProjectPaths((ROOT,))
    templates = Templates(game(), paths, FontBook(paths), low_ink=low_ink)
    card = next(card for card in game().component(component).cards if card.id == id)
    assert card.face is not None
    return templates.render(game().component(component), card, "face", card.face).source


def drawn(component: str, id: str, low_ink: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(source(component, id, low_ink))


def ids(component: str) -> list[str]:
    return [card.id for card in game().component(component).cards]


def named(root: ElementTree.Element, id: str) -> ElementTree.Element:
    return next(element for element in root.iter() if element.get("id") == id)


def numbers(text: str) -> list[str]:
    return re.findall(r"\d*\.?\d+", text)


LOCATIONS = ids("locations")


def test_every_location_is_a_place_of_its_own() -> None:
    assert sorted(path.stem for path in (ROOT / "templates/ptsd/scenes").glob("*.svg")) == sorted(LOCATIONS)
    pictures = {ElementTree.tostring(named(drawn("locations", id), "picture")) for id in LOCATIONS}
    assert len(pictures) == len(LOCATIONS) == 15


@pytest.mark.parametrize("id", LOCATIONS)
@pytest.mark.parametrize("low_ink", [False, True])
def test_a_scene_is_light_and_on_a_tenth_of_a_unit(id: str, low_ink: bool) -> None:
    assert len(source("locations", id, low_ink)) < 60_000
    picture = named(drawn("locations", id, low_ink), "picture")
    assert not [use for use in picture.iter(f"{SVG}use") if use.get("href", "").startswith("#icon-")]
    for element in picture.iter():
        for name in {"d", "x", "y", "cx", "cy", "r", "rx", "ry", "width", "height"} & set(element.attrib):
            for number in numbers(element.attrib[name]):
                assert len(number.partition(".")[2]) <= 1, (element.tag, name, element.attrib[name])


def test_the_art_panel_of_a_location_runs_from_edge_to_edge() -> None:
    size = game().component("locations").trim
    assert size is not None
    right, bottom = size.width + 3.175, size.height + 3.175
    rect = named(drawn("locations", "night-clinic"), "sight")[0]
    x, y, width, height = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
    assert right - x == pytest.approx(42, abs=0.1)
    assert x + width >= right + 3.175
    assert y <= 0
    assert y + height >= bottom + 3.175


@pytest.mark.parametrize("id", LOCATIONS)
def test_sockets_stand_in_one_row_a_millimetre_apart(id: str) -> None:
    sockets = [path.attrib["d"] for path in named(drawn("locations", id), "sockets")[::2]]
    places = [[float(number) for number in numbers(d)[:2]] for d in sockets]
    card = next(card for card in game().component("locations").cards if card.id == id)
    assert len(places) == len(card.fields["requires"]["fragments"])
    assert len({y for _, y in places}) == 1
    assert all(b[0] - a[0] == pytest.approx(8.8 + 1) for a, b in itertools.pairwise(places))


def test_six_bays_take_twelve_cubes() -> None:
    bays = [rect for rect in drawn("locations", "night-clinic").iter() if f"{CG}snap" in rect.attrib]
    assert [bay.attrib[f"{CG}snap"] for bay in bays] == [f"bay-{i}" for i in range(1, 7)]
    assert all(float(bay.attrib["height"]) >= 10 and float(bay.attrib["width"]) >= 8 + 2 for bay in bays)
    starts = [float(bay.attrib["x"]) for bay in bays]
    assert all(b - a >= float(bays[0].attrib["width"]) for a, b in itertools.pairwise(starts))
    assert starts[-1] + float(bays[-1].attrib["width"]) <= 81.8


# ---------------------------------------------------------------- cards held as a fan

BLEED = 3.175
FAN = 12.0
"""How much of a card a fan shows, from its left edge."""


@cache
def placed(component: str, low_ink: bool) -> dict[str, Artwork]:
    """Faces as they are set, by card."""
    rendering = cardgen.render(game(), components=[component], low_ink=low_ink)
    return {art.card: rendering.artworks[art.face] for art in rendering.cards}


def reach(artwork: Artwork, said: str, most: float) -> list[tuple[float, float, float]]:
    """Left and right ends from the trim, and size in points, of what is set as `said` left of `most` mm."""
    found = []
    for text in artwork.texts():
        runs = [run for run in text.runs if isinstance(run, TextRun)]
        if not text.decor and "".join(run.text for run in runs) == said:
            left = min(run.x for run in runs) - BLEED
            right = max(run.x + run.advance for run in runs) - BLEED
            if left < most:
                found.append((left, right, text.size * 72 / 25.4))
    return found


@pytest.mark.parametrize("low_ink", [False, True])
def test_what_a_fan_is_searched_for_lies_within_twelve_millimetres(low_ink: bool) -> None:
    for card in game().component("data").cards:
        artwork = placed("data", low_ink)[card.id]
        fields = card.fields
        for said in [str(fields["points"]), str(fields["sysm"]), *fields["fragments"]]:
            ends = reach(artwork, said, 20)
            assert ends, (card.id, said)
            assert all(left >= 3.25 and right <= FAN for left, right, _ in ends), (card.id, said, ends)


@pytest.mark.parametrize("low_ink", [False, True])
def test_the_points_stand_large_below_the_suit(low_ink: bool) -> None:
    icons = {suit["name"]: suit["icon"] for suit in DESIGN["suits"]}
    for card in game().component("data").cards:
        artwork = placed("data", low_ink)[card.id]
        left, right, size = next(
            ends for ends in reach(artwork, str(card.fields["points"]), 20) if ends[2] > 19
        )
        assert size == pytest.approx(20, abs=0.01)
        assert (left + right) / 2 == pytest.approx(7.5, abs=0.3)
        name = f"#icon-{icons[card.fields['suit']]}"
        suit = next(
            use for use in drawn("data", card.id, low_ink).iter(f"{SVG}use") if use.get("href") == name
        )
        x, width = float(suit.attrib["x"]) - BLEED, float(suit.attrib["width"])
        assert x >= 3.2
        assert x + width <= FAN
        assert x + width / 2 == pytest.approx((left + right) / 2, abs=0.1)


def test_the_stripe_is_narrow_and_tiles_are_wide() -> None:
    assert figure("data.svg", "edge") - BLEED == pytest.approx(1.5)
    for card in game().component("data").cards:
        root = drawn("data", card.id)
        for number in range(len(card.fields["fragments"])):
            outline = named(root, f"tile-{number + 1}")[0].attrib["d"]
            start, width = (
                float(numbers(outline)[0]) - BLEED,
                float(numbers(outline.partition("h")[2])[0]) + 1.6,
            )
            assert width == pytest.approx(9.5)
            assert start + width <= FAN


# ---------------------------------------------------------------- evidence

HATS = ["black", "grey", "white"]
EVIDENCE = ["data", *(f"market-{hat}" for hat in HATS)]


@pytest.mark.parametrize("component", EVIDENCE)
def test_every_card_shows_a_thing_of_its_own_with_one_detail(component: str) -> None:
    things: dict[str, str] = {}
    for id in ids(component):
        thing = named(drawn(component, id), "evidence")
        assert not [use for use in thing.iter(f"{SVG}use") if use.get("href", "").startswith("#icon-")], id
        kinds = {kind for element in thing.iter() for kind in element.get("class", "").split()}
        assert kinds & {"y", "v"}, f"{id} has no detail"
        assert "h" in kinds, f"{id} has no hatch"
        assert len(source(component, id)) < 60_000
        text = ElementTree.tostring(thing, encoding="unicode")
        assert text not in things, (id, things.get(text))
        things[text] = id


def test_every_thing_found_belongs_to_a_card() -> None:
    files = sorted(path.stem for path in (ROOT / "templates/ptsd/evidence").glob("*.svg"))
    assert files == sorted(id for component in EVIDENCE for id in ids(component))


@pytest.mark.parametrize("hat", HATS)
@pytest.mark.parametrize("low_ink", [False, True])
def test_the_ring_of_a_market_card_keeps_off_the_rules(hat: str, low_ink: bool) -> None:
    for id in ids(f"market-{hat}"):
        root = drawn(f"market-{hat}", id, low_ink)
        top, foot = (
            float(line.attrib["d"].split()[1].partition("H")[0]) for line in named(root, "frame")[:2]
        )
        assert foot - top == pytest.approx(36)
        art = named(root, "art" if hat != "grey" else "upper-art")
        circle = next(art.iter(f"{SVG}circle")).attrib
        middle, reach = float(circle["cy"]), float(circle["r"]) + float(circle["stroke-width"]) / 2
        assert middle - reach - top == pytest.approx(2)
        assert foot - middle - reach == pytest.approx(2)


@pytest.mark.parametrize("component", ["locations", *EVIDENCE])
def test_the_last_line_of_a_flavor_is_no_stub(component: str) -> None:
    for card in game().component(component).cards:
        flavor = card.fields["flavor"]
        for text in placed(component, False)[card.id].texts():
            runs = [run for run in text.runs if isinstance(run, TextRun)]
            words = "".join(run.text for run in runs)
            if words.replace(" ", "") != flavor.replace(" ", ""):
                continue
            widths: dict[float, float] = {}
            for run in runs:
                widths[run.y] = max(widths.get(run.y, 0.0), run.x + run.advance)
            left = min(run.x for run in runs)
            last = widths[max(widths)] - left
            assert last >= 0.3 * (max(widths.values()) - left), (card.id, flavor)
            break
        else:
            pytest.fail(f"{card.id}: no flavor")


# ---------------------------------------------------------------- type and light

SIZES = {
    "data": {"title": {14.0}, "flavor": {8.5}},
    "locations": {"title": {17.0}, "flavor": {8.0, 7.5}},
    **{f"market-{hat}": {"title": {15.0, 12.0}, "effect": {10.0, 9.0}, "flavor": {8.0}} for hat in HATS},
}
"""The sizes in points that a role may have: two at most."""


@pytest.mark.parametrize("component", list(SIZES))
@pytest.mark.parametrize("low_ink", [False, True])
def test_a_role_has_two_sizes_at_most(component: str, low_ink: bool) -> None:
    for card in game().component(component).cards:
        sizes = {}
        for text in placed(component, low_ink)[card.id].texts():
            said = "".join(run.text for run in text.runs if isinstance(run, TextRun))
            sizes[said.replace(" ", "").lower()] = round(text.size * 72 / 25.4, 2)
        for role, allowed in SIZES[component].items():
            words = str(card.fields[role]).replace("*", "").replace(" ", "").lower()
            assert sizes[words] in allowed, (card.id, role, sizes[words])


@pytest.mark.parametrize(
    ("component", "id"),
    [("data", "first-dream"), *((each, "") for each in ("locations", *EVIDENCE[1:], "board", "mats"))],
)
def test_screens_are_lit_in_full_color_alone(component: str, id: str) -> None:
    """Lights are opaque, so that no export has to flatten them."""
    id = id or ids(component)[0]
    root = drawn(component, id)
    lights = [light.attrib["id"] for light in root.iter(f"{SVG}radialGradient")]
    assert len(lights) >= 2
    used = {element.get("fill") for element in root.iter()}
    assert any(f"url(#{light})" in used for light in lights)
    stops = list(root.iter(f"{SVG}stop"))
    assert all(re.fullmatch("#[0-9a-f]{6}", stop.attrib["stop-color"]) for stop in stops)
    assert not [stop for stop in stops if "stop-opacity" in stop.attrib]
    assert not list(drawn(component, id, True).iter(f"{SVG}radialGradient"))


# ---------------------------------------------------------------- the board and the mats

BOARD_BLEED = 3.175
SEAMS = [
    plan
    for paper in (Size(215.9, 279.4), Size(210, 297))
    if (plan := plan_tiles(Size(420, 297), BOARD_BLEED, paper, margin=5, overlap=10))
]


def places(root: ElementTree.Element, start: str) -> dict[str, ElementTree.Element]:
    """Snap points whose names begin so."""
    return {
        name: element for element in root.iter() if (name := element.get(f"{CG}snap", "")).startswith(start)
    }


def strokes(d: str) -> list[list[tuple[float, float]]]:
    """The corners of path data of M, L, l, h and v, a list for each M."""
    lines: list[list[tuple[float, float]]] = []
    x = y = 0.0
    for letter, rest in re.findall(r"([MLlhv])([^MLlhv]*)", d):
        values = [float(value) for value in re.findall(r"-?\d*\.?\d+", rest)]
        if letter in "ML":
            x, y = values
        else:
            dx, dy = {"l": values, "h": [*values, 0.0], "v": [0.0, *values]}[letter]
            x, y = x + dx, y + dy
        if letter == "M":
            lines.append([])
        lines[-1].append((x, y))
    return lines


def test_every_track_runs_up_from_left_to_right() -> None:
    root = drawn("board", "board")
    for name in THEME["types"]:
        stem = "track-" + name.lower().replace(" ", "-")
        at = [
            float(places(root, f"{stem}-{value}")[f"{stem}-{value}"].attrib["x"]) for value in range(1, 11)
        ]
        assert at == sorted(at), name


def test_seams_of_tiles_cut_no_space_and_no_bus() -> None:
    root = drawn("board", "board")
    spaces = [
        [float(rect.attrib[name]) for name in ("x", "y", "width", "height")]
        for start in ("track-", "scan-", "round-", "price-", "sysm-")
        for name, rect in places(root, start).items()
        if "die" not in name
    ]
    assert len(spaces) == 60 + 6 + 42 + 18 + 6
    buses = [line for path in named(root, "buses") for line in strokes(path.attrib["d"])]
    assert len(buses) > 60
    assert len(SEAMS) == 2
    for plan in SEAMS:
        assert plan.across
        assert plan.down
        for seam in plan.across:
            assert not [space for space in spaces if space[0] - 0.5 < seam < space[0] + space[2] + 0.5]
            assert not [line for line in buses if min(line)[0] - 0.5 < seam < max(line)[0] + 0.5]
        for seam in plan.down:
            heights = [[y for _, y in line] for line in buses]
            assert not [space for space in spaces if space[1] - 0.5 < seam < space[1] + space[3] + 0.5]
            assert not [ys for ys in heights if min(ys) - 0.5 < seam < max(ys) + 0.5]


@pytest.mark.parametrize("low_ink", [False, True])
def test_traces_keep_off_captions(low_ink: bool) -> None:
    """Those on the bare board: names of tracks, what is said of them, and the line at the top."""
    traces = [
        line
        for part in named(drawn("board", "board", low_ink), "copper")
        for line in strokes(part.attrib["d"])
    ]
    assert len(traces) > 60
    card = next(card for card in game().component("board").cards).fields
    bare = {name.upper() for name in THEME["types"]} | {card["tracks"]["rule"], "All tracks start at 5."}
    seen = set()
    for text in placed("board", low_ink)["board"].texts():
        runs = [run for run in text.runs if isinstance(run, TextRun)]
        said = "".join(run.text for run in runs)
        if said not in bare and not said.startswith("Trade pays"):
            continue
        seen.add(said)
        left, right = min(run.x for run in runs) - BLEED, max(run.x + run.advance for run in runs) - BLEED
        foot = runs[0].y - BLEED
        for line in traces:
            for (x1, y1), (x2, y2) in itertools.pairwise(line):
                for part in range(21):
                    x, y = x1 + (x2 - x1) * part / 20, y1 + (y2 - y1) * part / 20
                    inside = left - 1.5 < x < right + 1.5 and foot - text.size * 0.7 - 1.5 < y < foot + 1.5
                    assert not inside, (said, line)
    assert len(seen) == len(bare) + 1


def fills(element: ElementTree.Element) -> list[str]:
    return [path.get("fill", "") for path in element.iter(f"{SVG}path")]


@pytest.mark.parametrize("low_ink", [False, True])
def test_the_board_shows_the_hats_of_the_cards(low_ink: bool) -> None:
    board = drawn("board", "board", low_ink)
    for hat in HATS:
        on_board = fills(named(board, f"hat-{hat}"))
        card = game().component(f"market-{hat}").cards[0].id
        frame = named(drawn(f"market-{hat}", card, low_ink), "frame")
        assert len(on_board) == 3
        assert fills(frame)[-3:] == on_board
    upper = [parse_color(fills(named(board, f"hat-{hat}"))[0]) for hat in HATS]
    darkest = [lab(np.array(color[:3]))[0] for color in upper if color]
    assert darkest == sorted(darkest)
    assert darkest[0] < 15
    assert darkest[-1] > 95


def test_every_die_has_a_socket_where_it_snaps() -> None:
    root = drawn("board", "board")
    dice = {
        name: element.attrib
        for name, element in places(root, "").items()
        if name.endswith(("-die",)) or "-die-" in name
    }
    assert sorted(dice) == ["price-die-black", "price-die-grey", "price-die-white", "scan-die", "sysm-die"]
    cores = [
        (float(rect.attrib["x"]) + 5.3, float(rect.attrib["y"]) + 5.3)
        for rect in root.iter(f"{SVG}rect")
        if rect.get("width") == "10.6"
    ]
    for name, at in dice.items():
        x = float(at["cx"]) if "cx" in at else float(at["x"]) + float(at["width"]) / 2
        y = float(at["cy"]) if "cy" in at else float(at["y"]) + float(at["height"]) / 2
        assert any(abs(x - a) < 0.01 and abs(y - b) < 0.01 for a, b in cores), name


@pytest.mark.parametrize("low_ink", [False, True])
def test_the_chain_of_a_mat_is_framed_whole_and_hides_no_legend(low_ink: bool) -> None:
    root = drawn("mats", "mat-1", low_ink)
    frame = named(root, "chain-frame").attrib
    left, top, width, height = (float(frame[name]) for name in ("x", "y", "width", "height"))
    slots = [rect.attrib for rect in places(root, "chain-").values()]
    assert len(slots) == 10
    assert min(float(slot["x"]) for slot in slots) == pytest.approx(left)
    ends = [float(slot["x"]) + float(slot["width"]) for slot in slots]
    assert max(ends) == pytest.approx(left + width, abs=0.01)
    column = next(rect for rect in named(root, "seat").iter(f"{SVG}rect")).attrib
    assert left + width == pytest.approx(float(column["x"]) + float(column["width"]))
    for text in placed("mats", low_ink)["mat-1"].texts():
        if not text.decor and text.box.bottom > top:
            said = "".join(run.text for run in text.runs if isinstance(run, TextRun))
            assert said in {str(number) for number in range(1, 11)}, said
    assert height == pytest.approx(90.9)


# ---------------------------------------------------------------- what is said in several places


def test_a_wildcard_is_said_alike_in_schema_reference_and_rulebook() -> None:
    said = "passes for any type that a location asks for, in a Hack and to Harden."
    for file in ("schemas/ptsd/data.schema.json", "data/ptsd/GAME_CARDS.md", "data/ptsd/rulebook.md"):
        text = " ".join((ROOT / file).read_text("utf-8").split())
        assert said in text, file
    assert "or a Wildcard" in plain_yaml("data/ptsd/actions.yaml")["harden"]["rule"]
