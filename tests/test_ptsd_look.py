"""PTSD's types told apart by every eye, and cards that a fan and a table can read."""

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
    THEME,
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

Triple = tuple[float, float, float]

#: What linear RGB becomes for normal sight and without red, green or blue cones: Machado et al.,
#: "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), full severity.
SIGHT: dict[str, tuple[Triple, Triple, Triple]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
#: Linear sRGB to XYZ (IEC 61966-2-1), each row divided by the white point D65.
XYZ: tuple[Triple, Triple, Triple] = (
    (0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505),
    (0.2126, 0.7152, 0.0722),
    (0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089),
)


def lab(color: str, sight: str) -> Triple:
    """CIELAB of #rrggbb as seen with that sight."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    seen = [
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in SIGHT[sight]
    ]
    white = [sum(a * b for a, b in zip(row, seen, strict=True)) for row in XYZ]
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in white)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("palette", ["full", "low_ink"])
@pytest.mark.parametrize("sight", list(SIGHT))
def test_types_differ_for_every_eye(palette: str, sight: str) -> None:
    colors = {name: hues[palette] for name, hues in THEME["types"].items()} | {
        "ground": THEME[palette]["ground"]
    }
    for (one, a), (other, b) in itertools.combinations(colors.items(), 2):
        apart = sum((p - q) ** 2 for p, q in zip(lab(a, sight), lab(b, sight), strict=True)) ** 0.5
        assert apart >= 25, f"{one} and {other}: {apart:.1f}"


@pytest.mark.parametrize("palette", ["full", "low_ink"])
def test_types_differ_in_grey(palette: str) -> None:
    greys = sorted(lab(hues[palette], "normal")[0] for hues in THEME["types"].values())
    assert min(b - a for a, b in itertools.pairwise(greys)) >= 4


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
