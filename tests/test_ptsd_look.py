"""PTSD on the table: cards that a fan and a table can read."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import pytest

from cardgen.model.artwork import Artwork, TextRun
from tests.ptsd_sides import (
    BLEED,
    CG,
    DESIGN,
    HATS,
    ROOT,
    SVG,
    drawn,
    figure,
    game,
    ids,
    named,
    numbers,
    placed,
    source,
)
from tests.shipped import plain_yaml

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

FAN = 12.0
"""How much of a card a fan shows, from its left edge."""


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
        art = named(root, "art" if hat != "grey" else "upper-art")
        circle = next(art.iter(f"{SVG}circle")).attrib
        middle, reach = float(circle["cy"]), float(circle["r"]) + float(circle["stroke-width"]) / 2
        assert middle - reach - top == pytest.approx(2)
        assert foot - middle - reach == pytest.approx(2)


def lines(component: str, id: str, said: str) -> list[tuple[float, float]]:
    """Left and right end of each line of what is set as `said`, from above."""
    plain = said.replace("*", "").replace(" ", "")
    for text in placed(component, False)[id].texts():
        runs = [run for run in text.runs if isinstance(run, TextRun)]
        if "".join(run.text for run in runs).replace(" ", "") == plain:
            rows: dict[float, list[TextRun]] = {}
            for run in runs:
                rows.setdefault(round(run.y, 2), []).append(run)
            return [
                (min(run.x for run in row), max(run.x + run.advance for run in row))
                for _, row in sorted(rows.items())
            ]
    raise AssertionError((id, said))


@pytest.mark.parametrize("component", ["locations", *EVIDENCE])
def test_the_last_line_of_a_text_is_no_stub(component: str) -> None:
    for card in game().component(component).cards:
        for role in {"flavor", "effect"} & set(card.fields):
            widths = [right - left for left, right in lines(component, card.id, card.fields[role])]
            assert widths[-1] >= 0.3 * max(widths), (card.id, role, widths)


# ---------------------------------------------------------------- two layouts, by what is measured


def window(component: str, id: str, low_ink: bool = False) -> float:
    """How high a card's picture is."""
    frame = named(drawn(component, id, low_ink), "frame")
    if component == "data":
        top, foot = re.findall(r"M[\d.]+ ([\d.]+)H70", frame[0].attrib["d"])
    else:
        top, foot = (line.attrib["d"].split()[1].partition("H")[0] for line in frame[:2])
    return float(foot) - float(top)


@pytest.mark.parametrize("hat", HATS)
def test_above_a_short_effect_the_picture_of_a_market_card_is_higher(hat: str) -> None:
    component = f"market-{hat}"
    seen = set()
    for card in game().component(component).cards:
        high = window(component, card.id)
        short = (
            len(lines(component, card.id, card.fields["effect"])) <= 3
            and len(lines(component, card.id, card.fields["when"]["text"])) == 1
        )
        assert high == pytest.approx(41.2 if short else 36), card.id
        assert window(component, card.id, True) == pytest.approx(high)
        seen.add(short)
    assert seen == {True, False}


def test_above_a_flavor_of_one_line_the_picture_of_a_data_card_is_higher() -> None:
    highs = {
        (len(lines("data", card.id, card.fields["flavor"])), round(window("data", card.id), 2))
        for card in game().component("data").cards
    }
    assert highs == {(1, 59.0), (2, 55.4)}


# ---------------------------------------------------------------- type and light

SIZES = {
    "data": {"title": {16.0}, "flavor": {8.5}},
    "locations": {"title": {18.0}, "flavor": {8.0, 7.5}},
    **{f"market-{hat}": {"title": {15.0, 13.0}, "effect": {10.0, 9.0}, "flavor": {8.0}} for hat in HATS},
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


# ---------------------------------------------------------------- what is said in several places


def test_a_wildcard_is_said_alike_in_schema_reference_and_rulebook() -> None:
    said = "passes for any type that a location asks for, in a Hack and to Harden."
    for file in ("schemas/ptsd/data.schema.json", "data/ptsd/GAME_CARDS.md", "data/ptsd/rulebook.md"):
        text = " ".join((ROOT / file).read_text("utf-8").split())
        assert said in text, file
    assert "or a Wildcard" in plain_yaml("data/ptsd/actions.yaml")["harden"]["rule"]


# ---------------------------------------------------------------- the game's own letters

DISPLAY = "TekturSemiCondensed-Bold"


@pytest.mark.parametrize(
    ("component", "fields"),
    [
        ("data", ["title", "points", "sysm"]),
        ("locations", ["title", "fame"]),
        *((f"market-{hat}", ["title"]) for hat in HATS),
        ("turn-order", ["player"]),
    ],
)
def test_titles_and_figures_are_set_in_the_letters_of_the_game(component: str, fields: list[str]) -> None:
    for card in game().component(component).cards:
        runs = [
            run for text in placed(component, False)[card.id].texts() for run in text.runs
            if isinstance(run, TextRun) and run.font == DISPLAY
        ]  # fmt: skip
        said = "".join(run.text for run in runs).replace(" ", "")
        for field in fields:
            assert str(card.fields[field]).upper().replace(" ", "") in said, (card.id, field)
        assert all(run.size * 72 / 25.4 > 7.9 for run in runs), card.id


def test_the_rulebook_speaks_in_the_letters_of_the_cards() -> None:
    book = next(
        part
        for part in plain_yaml("data/ptsd/game.yaml")["components"].values()
        if part.get("kind") == "book"
    )
    assert book["look"]["display"] == "Tektur SemiCondensed"


@pytest.mark.parametrize("low_ink", [False, True])
def test_the_ground_of_a_chart_reaches_the_foot_of_a_picture(low_ink: bool) -> None:
    for card in game().component("data").cards:
        if card.fields["type"] == "Market Intel":
            area = next(
                path
                for path in named(drawn("data", card.id, low_ink), "ground")
                if path.get("d", "").endswith("Z")
            )
            foot = float(
                named(drawn("data", card.id, low_ink), "frame")[0].attrib["d"].split()[-1].partition("H")[0]
            )
            assert max(float(y) for y in re.findall(r"[\d.]+[ ,]([\d.]+)", area.attrib["d"])) >= foot, (
                card.id
            )
