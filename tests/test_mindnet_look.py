"""MindNet: four frames on one grid, no picture twice, a mat that pieces fit."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import cardgen
from cardgen.model.artwork import Artwork, TextRun
from cardgen.model.game import Card, Game, ProjectPaths
from cardgen.rendering.templates import Templates
from cardgen.typesetting.fonts import FontBook
from tests.sampling import one_in
from tests.shipped import plain_yaml, shipped

ROOT = Path(__file__).parent.parent
GAME = plain_yaml("data/mindnet/game.yaml")
THEME = GAME["theme"]
SVG, CG = "{http://www.w3.org/2000/svg}", "{urn:cardgen}"
POINT = 25.4 / 72
STATS = ("motivation", "health", "aggression")


def game() -> Game:
    return shipped("mindnet")


@cache
def templates(low_ink: bool) -> Templates:
    return Templates(game(), ProjectPaths((ROOT,)), FontBook(ProjectPaths((ROOT,))), low_ink=low_ink)


def pieces(component: str) -> list[Card]:
    return list(game().component(component).cards)


@cache
def drawn(component: str, id: str, side: str = "face", low_ink: bool = False) -> ElementTree.Element:
    """The SVG of one side."""
    card = next(card for card in pieces(component) if card.id == id)
    name = card.face if side == "face" else card.back
    assert name is not None
    source = templates(low_ink).render(game().component(component), card, side, name).source
    return ElementTree.fromstring(source)


def number(element: ElementTree.Element, name: str) -> float:
    return float(element.attrib[name])


def words(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


def named(root: ElementTree.Element, id: str) -> ElementTree.Element:
    return next(element for element in root.iter() if element.get("id") == id)


def at(root: ElementTree.Element, x: float, y: float) -> list[str]:
    """What the lines say that stand at a place."""
    return [
        words(line)
        for line in root.iter(f"{SVG}text")
        if line.get("x") and abs(number(line, "x") - x) < 0.01 and abs(number(line, "y") - y) < 0.01
    ]


def window(root: ElementTree.Element) -> str:
    return named(root, "window")[0].attrib["d"]


def test_each_kind_has_its_icon() -> None:
    assert len({look["icon"] for look in THEME["kinds"].values()}) == len(THEME["kinds"]) == 6


@pytest.mark.parametrize("low_ink", [False, True])
def test_four_frames_of_four_shapes(low_ink: bool) -> None:
    shapes: dict[str, set[str]] = {}
    for card in pieces("cards"):
        shapes.setdefault(card.fields["type"], set()).add(window(drawn("cards", card.id, low_ink=low_ink)))
    assert set(shapes) == set(THEME["types"])
    assert all(len(outlines) == 2 for outlines in shapes.values()), "a low and a high one"
    # Told apart by how they are made, not by a millimetre here or there.
    made = {type: {re.sub(r"[^A-Z]", "", outline) for outline in them} for type, them in shapes.items()}
    assert all(len(them) == 1 for them in made.values())
    assert len(set.union(*made.values())) == len(shapes)


#: Where the figures stand on the sheet, bleed and all, and their size in points.
FIGURES = {
    "price": (10.8, 10.9, 17),
    "earnings": (12.5, 18.3, 10.5),
    "motivation": (10.8, 29.6, 20),
    "health": (10.8, 40.9, 14),
    "aggression": (10.8, 50.5, 14),
}
BLEED = 3.175
FAN = 12.0
"""How much of a card a fan shows, from its left edge."""


def figures(card: Card) -> dict[str, str]:
    """What is printed for each figure; earnings of 0 are not."""
    fields = card.fields
    said = {name: format(fields[name], "+d") for name in ("earnings",) if fields.get(name)}
    sign = "+d" if fields["type"] == "item" else "d"
    said |= {name: format(fields[name], sign) for name in STATS if name in fields}
    return {"price": str(fields["price"])} | {name: text.replace("-", "−") for name, text in said.items()}


def test_figures_stand_where_they_always_stand() -> None:
    for card in pieces("cards"):
        root = drawn("cards", card.id)
        for name, (x, y, size) in FIGURES.items():
            expected = figures(card).get(name)
            assert at(root, x, y) == ([] if expected is None else [expected]), (card.id, name)
            for line in root.iter(f"{SVG}text"):
                if line.get("x") == f"{x}" and line.get("y") == f"{y}":
                    assert number(line, "font-size") == pytest.approx(size * POINT, abs=0.01)


@cache
def placed(low_ink: bool) -> dict[str, Artwork]:
    """Faces of the cards as they are set, by card."""
    rendering = cardgen.render(game(), components=["cards"], low_ink=low_ink)
    return {art.card: rendering.artworks[art.face] for art in rendering.cards}


@pytest.mark.parametrize("low_ink", one_in(2, [False, True]))
def test_what_a_fan_is_searched_for_lies_within_twelve_millimetres(low_ink: bool) -> None:
    for card in pieces("cards"):
        found = {}
        for text in placed(low_ink)[card.id].texts():
            runs = [run for run in text.runs if isinstance(run, TextRun)]
            left = min(run.x for run in runs) - BLEED
            right = max(run.x + run.advance for run in runs) - BLEED
            if right < 16:
                assert left >= 3.25, (card.id, runs[0].text)
                assert right <= FAN, (card.id, runs[0].text)
                found["".join(run.text for run in runs)] = runs[0].y
        assert set(figures(card).values()) <= set(found), (card.id, found)


def test_the_stripe_has_the_color_of_the_kind() -> None:
    for card in pieces("cards"):
        fields = card.fields
        look = (
            THEME["kinds"][fields["kind"]]
            if fields["type"] == "individual"
            else THEME["types"][fields["type"]]
        )
        stripe = named(drawn("cards", card.id), "stripe").attrib
        assert stripe["fill"] == look["hue"]
        assert ends(stripe["d"]) in ((-1, 56), (-1, 62))


def test_the_picture_is_high_where_the_text_is_short() -> None:
    high = {
        card.id
        for card in pieces("cards")
        if ends(named(drawn("cards", card.id), "stripe").attrib["d"])[1] == 62
    }
    assert 40 <= len(high) <= 60
    wordless = [card.id for card in pieces("cards") if "effect" not in card.fields]
    assert set(wordless) <= high
    for id in high:
        lines = {round(run.y, 1) for run in words_of(id, 9.6) + words_of(id, 8.5)}
        assert len(lines) <= 2, id


def words_of(id: str, points: float) -> list[TextRun]:
    """What a face has in type of a size."""
    runs = [run for text in placed(False)[id].texts() for run in text.runs if isinstance(run, TextRun)]
    return [run for run in runs if abs(run.size / POINT - points) < 0.01]


@pytest.mark.parametrize("low_ink", one_in(2, [False, True]))
def test_two_sizes_a_role(low_ink: bool) -> None:
    sizes: dict[str, set[float]] = {}
    for art in placed(low_ink).values():
        for text in art.texts():
            for run in text.runs:
                if isinstance(run, TextRun):
                    sizes.setdefault(run.font, set()).add(round(run.size / POINT, 1))
    assert sizes["IBMPlexSans-Bold"] == sizes["IBMPlexSans-Regular"] == {9.6, 8.5}
    assert sizes["IBMPlexSans-Italic"] == {9, 7.2}
    assert sizes["Oxanium-Bold"] == {7.5, 9, 10.5, 11.8, 14, 14.5, 17, 20}


def test_no_last_line_is_a_short_one() -> None:
    """At least 30 % of the longest, with its icon or without."""
    for id, art in placed(False).items():
        for text in art.texts():
            lines: dict[float, list[TextRun]] = {}
            for run in text.runs:
                if isinstance(run, TextRun):
                    lines.setdefault(round(run.y, 1), []).append(run)
            wide = [
                max(run.x + run.advance for run in line) - min(run.x for run in line)
                for _, line in sorted(lines.items())
            ]
            assert wide[-1] >= 0.3 * max(wide), (id, wide)


def test_no_two_pictures_are_alike() -> None:
    """Not by color alone: the shapes differ."""
    seen: dict[str, str] = {}
    for card in pieces("cards"):
        picture = ElementTree.tostring(named(drawn("cards", card.id), "picture"), encoding="unicode")
        shapes = re.sub(r"#[0-9a-f]{6}", "", picture)
        assert shapes not in seen, f"{card.id} looks like {seen[shapes]}"
        seen[shapes] = card.id


def test_no_motif_is_used_up() -> None:
    motifs = Counter(tuple(sorted(card.fields["art"].items())) for card in pieces("cards"))
    assert max(motifs.values()) <= 2, motifs.most_common(3)


# ---------------------------------------------------------------- portraits

PEOPLE = [card for card in pieces("cards") if card.fields["type"] == "individual"]


def ends(d: str) -> tuple[float, float]:
    """The least and greatest y of path data of the letters M, L, C, S, Q, H, V and Z, in capitals."""
    heights: list[float] = []
    for letter, rest in re.findall(r"([MLCSQHVZ])([^A-Z]*)", d):
        values = [float(value) for value in re.findall(r"-?\d*\.?\d+", rest)]
        heights += [] if letter == "H" else values if letter == "V" else values[1::2]
    assert not re.search(r"[a-z]", d), d
    return min(heights), max(heights)


@pytest.mark.parametrize("card", PEOPLE, ids=lambda card: card.id)
def test_a_bust_fills_the_hexagon(card: Card) -> None:
    root = drawn("cards", card.id)
    top, foot = ends(window(root))
    scale = 0.48 * (foot - top) / 38.4  # a bust grows with its window
    classes = {element.get("class"): element for element in named(root, "picture").iter()}
    crown, chin = ends(classes["skull"].attrib["d"])
    assert 0.34 <= (chin - crown) * scale / (foot - top) <= 0.42
    neck = ends(classes["neck"].attrib["d"])[1] - chin
    assert 0 < neck <= 0.45 * (chin - crown)


@pytest.mark.parametrize("low_ink", [False, True])
@pytest.mark.parametrize("card", PEOPLE, ids=lambda card: card.id)
def test_a_hand_holds_a_thing_of_the_trade_before_the_frame(card: Card, low_ink: bool) -> None:
    root = drawn("cards", card.id, low_ink=low_ink)
    groups = [group.get("id") for group in root]
    assert groups.index("rim") < groups.index("before") < groups.index("band")
    before = named(root, "before")
    assert before.get("clip-path") is None
    classes = [element.get("class") for element in before.iter()]
    assert classes.count("hand") == classes.count("prop") == 1


def test_no_two_of_a_kind_share_hair_and_pose() -> None:
    for parts in (("hair", "pose"), ("brow", "mouth", "gear")):
        seen = Counter(
            (card.fields["kind"], *(card.fields["art"][part] for part in parts)) for card in PEOPLE
        )
        assert max(seen.values()) == 1, seen.most_common(3)


def test_the_light_on_a_face_bends_the_lines_around_its_frame() -> None:
    """They are close on the side that it comes from; in low ink they are as far on all sides."""
    for card in PEOPLE:
        for low_ink in (False, True):
            root = drawn("cards", card.id, low_ink=low_ink)
            lines = [path.attrib["d"] for path in named(root, "ground")[1].iter(f"{SVG}path")]
            assert len(lines) == 6
            middles = [middle(d) for d in (window(root), *lines)]
            away = -1 if card.fields["art"]["facing"] == "left" else 1
            steps = [(b - a) * away for a, b in itertools.pairwise(middles)]
            assert all(abs(step) < 0.05 if low_ink else step > 0.5 for step in steps), card.id


def middle(d: str) -> float:
    """Halfway across a hexagon's outline."""
    across = [float(x) for x in re.findall(r"[ML](-?[\d.]+) ", d)]
    return (min(across) + max(across)) / 2


def test_every_part_of_a_portrait_is_somebodys() -> None:
    schema = json.loads((ROOT / "schemas/mindnet/cards.schema.json").read_text(encoding="utf-8"))
    for part in PEOPLE[0].fields["art"]:
        assert {card.fields["art"][part] for card in PEOPLE} == set(_enum(schema, part)), part
    assert len({card.fields["art"]["prop"] for card in PEOPLE}) == len(PEOPLE) == 48
    assert all(len(_enum(schema, part)) == 6 for part in ("brow", "mouth"))


def test_pictures_stay_light() -> None:
    for card in pieces("cards"):
        root = drawn("cards", card.id)
        assert sum(1 for _ in named(root, "picture").iter()) < 150, card.id
        assert len(ElementTree.tostring(root)) < 60_000, card.id


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("_devices.svg", "device"),
        ("_places.svg", "place"),
        ("_scenes.svg", "scene"),
        ("_props.svg", "prop"),
        ("_subjects.svg", "subject"),
    ],
)
def test_every_motif_of_the_schema_is_drawn(template: str, name: str) -> None:
    text = (ROOT / "templates/mindnet" / template).read_text(encoding="utf-8")
    table = re.search(r"\{\{ \{(.*?)\}\[.*?\]\((?:d, p|k|q)\) \}\}", text)
    assert table
    schema = json.loads((ROOT / "schemas/mindnet/cards.schema.json").read_text(encoding="utf-8"))
    assert sorted(re.findall(r"'(\w+)':", table[1])) == sorted(_enum(schema, name))


def _enum(node: object, name: str) -> list[str]:
    """The words that a schema allows for a property, wherever it stands."""
    if isinstance(node, dict):
        if isinstance(node.get(name), dict) and "enum" in node[name]:
            return list(node[name]["enum"])
        return next((found for child in node.values() if (found := _enum(child, name))), [])
    return []


def test_every_event_has_a_subject_of_its_own_in_front() -> None:
    seen: dict[bytes, str] = {}
    events = [card for card in pieces("cards") if card.fields["type"] == "event"]
    assert len({card.fields["art"]["subject"] for card in events}) == len(events)
    for card in events:
        drawing = named(drawn("cards", card.id), "picture")[-1]
        subject = drawing[-1]
        assert subject.get("class") == "subject", card.id
        assert subject.get("fill") == THEME["full"]["deep"]
        text = ElementTree.tostring(subject)
        assert text not in seen, (card.id, seen.get(text))
        seen[text] = card.id


@pytest.mark.parametrize("component", ["cards", "aids", "playmat", "tokens"])
def test_type_is_large_enough(component: str) -> None:
    """Rules never below 7.5 pt, nothing below 6.5 pt."""
    for card in pieces(component):
        for side in ("face", "back") if card.back else ("face",):
            for text in drawn(component, card.id, side).iter(f"{SVG}text"):
                least = float(text.get(f"{CG}min-size", text.attrib["font-size"])) / POINT
                rules = text.get("shape-inside", "").startswith(("url(#rules", "url(#steps", "url(#help"))
                assert least >= (7.5 if rules else 6.5) - 0.01, (card.id, words(text))


@pytest.mark.parametrize("low_ink", [False, True])
def test_the_back_is_the_same_either_way_up(low_ink: bool) -> None:
    root = drawn("cards", pieces("cards")[0].id, "back", low_ink)
    width, height = number_pair(root)
    nodes = [tuple(number(dot, name) for name in ("cx", "cy", "r")) for dot in root.iter(f"{SVG}circle")]
    assert len(nodes) > 20
    for x, y, r in nodes:
        turned = (width - x, height - y, r)
        assert any(node == pytest.approx(turned, abs=0.02) for node in nodes), (x, y, r)
    assert [words(text) for text in root.iter(f"{SVG}text")] == ["MINDNET", "MINDNET"]


def number_pair(root: ElementTree.Element) -> tuple[float, float]:
    _, _, width, height = (float(part) for part in root.attrib["viewBox"].split())
    return width, height


def test_a_sign_has_one_meaning() -> None:
    """Bodyguard, Armor, Exhaust and Credits: a sign each, on cards, aids, tokens and the mat."""
    words = plain_yaml("data/mindnet/keywords.yaml")["keywords"]
    signs = Counter(word["icon"] for word in words.values())
    for name in ("bodyguard", "armor", "exhaust", "earn", "fine"):
        assert signs[words[name]["icon"]] == 1, name
    mat, aid = drawn("playmat", "playmat"), drawn("aids", "keywords")
    uses = {
        "coin": [
            named(drawn("cards", "dr-imre-vael"), "earnings"),
            drawn("tokens", "credits"),
            named(mat, "credits"),
        ],
        words["exhaust"]["icon"]: [mat, drawn("cards", "wildcat-strike")],
        words["bodyguard"]["icon"]: [aid, drawn("cards", "shop-steward")],
        words["armor"]["icon"]: [aid, drawn("cards", "guard-frame")],
    }
    for icon, roots in uses.items():
        for root in roots:
            shown = {use.get("href") for use in root.iter(f"{SVG}use")}
            shown |= {
                f"#icon-{sign.partition('@')[0]}"
                for span in root.iter(f"{SVG}tspan")
                if (sign := span.get(f"{CG}icon"))
            }
            assert f"#icon-{icon}" in shown, icon
