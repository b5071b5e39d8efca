"""PTSD's board, mats and tokens: what cards, cubes and dice fit, and what the cuts leave whole."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from cardgen.geometry import Size
from cardgen.imposition.tiling import plan_tiles
from cardgen.model.artwork import TextRun
from cardgen.svg.colors import parse_color
from cardgen.vision.sights import lab
from tests.ptsd_sides import BLEED, CG, DESIGN, HATS, SVG, THEME, drawn, figure, game, named, placed
from tests.shipped import plain_yaml


@pytest.mark.parametrize("template", ["board.svg", "mat.svg"])
def test_slots_are_cards_with_two_millimetres_of_play(template: str) -> None:
    poker = plain_yaml("data/sizes.yaml")["sizes"]["poker"]
    wide, high = (float(poker[side].removesuffix("mm")) for side in ("width", "height"))
    assert figure(template, "sw") == pytest.approx(wide + 2)
    assert figure(template, "sh") == pytest.approx(high + 2)


def test_spaces_take_a_cube_and_a_token() -> None:
    token = max(
        float(side.removesuffix("mm"))
        for side in plain_yaml("data/ptsd/game.yaml")["components"]["tokens"]["trim"]
    )
    assert figure("board.svg", "cell") >= max(8 + 2, token)
    assert figure("board.svg", "pitch") > figure("board.svg", "cell")


# ---------------------------------------------------------------- the board and the mats

SEAMS = [
    plan
    for paper in (Size(215.9, 279.4), Size(210, 297))
    if (plan := plan_tiles(Size(420, 297), BLEED, paper, margin=5, overlap=10))
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
    assert len(darkest) == len(HATS)
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


@pytest.mark.parametrize("low_ink", [False, True])
@pytest.mark.parametrize("hat", HATS)
def test_a_price_marker_shows_the_hat_of_the_board(hat: str, low_ink: bool) -> None:
    marker = named(drawn("tokens", f"price-{hat}", low_ink), "hat")
    assert fills(marker) == fills(named(drawn("board", "board", low_ink), f"hat-{hat}"))


# ---------------------------------------------------------------- boxes


def test_two_boxes_share_the_data_cards() -> None:
    boxes, data = game().component("data-boxes"), game().component("data")
    assert boxes.box is not None
    assert sum(card.copies for card in data.cards) == 144 == boxes.box.cards * len(boxes.cards)
    said = [re.findall(r"\d+", box.fields["subtitle"]) for box in boxes.cards]
    assert said == [["01", "36"], ["37", "72"]]
    for box, (first, last) in zip(boxes.cards, said, strict=True):
        held = data.cards[int(first) - 1 : int(last)]
        assert sum(card.copies for card in held) == boxes.box.cards
        assert {card.fields["type"] for card in held} == set(box.fields["types"])
        shown = next(card for card in held if card.id == box.fields["shows"])
        assert shown.fields["type"] == box.fields["hue"]


def test_every_card_has_a_box() -> None:
    """All that paper holds: each kind of card lies in one, and each box's signs are of types in it."""
    boxes = [part for part in game().components if part.box is not None]
    held = [name for part in boxes for name in part.box.about["holds"]]
    assert sorted(held) == sorted(part.id for part in game().components if part.kind == "card")
    asked = {card.fields["requires"]["type"] for card in game().component("locations").cards}
    (box,) = game().component("location-box").cards
    assert set(box.fields["types"]) == asked
    assert box.fields["hue"] == next(
        card.fields["requires"]["type"]
        for card in game().component("locations").cards
        if card.id == box.fields["shows"]
    )


@pytest.mark.parametrize("low_ink", [False, True])
def test_a_box_shows_a_thing_that_lies_in_it(low_ink: bool) -> None:
    for box in game().component("data-boxes").cards:
        front = drawn("data-boxes", box.id, low_ink)
        card = drawn("data", box.fields["shows"], low_ink)
        things = [
            [path.get("d") for path in named(root, "evidence").iter(f"{SVG}path")] for root in (front, card)
        ]
        assert things[0] == things[1] != []


def test_a_memory_stack_shows_a_chip_for_each_card_that_it_holds() -> None:
    root = drawn("mats", "mat-1")
    modules = [group for group in root.iter(f"{SVG}g") if group.get("class") == "chips"]
    assert len(modules) == DESIGN["limits"]["stacks"]
    for module, stack in zip(modules, places(root, "stack-").values(), strict=True):
        left, right = (float(chip.attrib["x"]) for chip in (module[0], module[-1]))
        assert len(module) == DESIGN["limits"]["stack"]
        middle = (left + right + float(module[0].attrib["width"])) / 2
        assert middle == pytest.approx(
            float(stack.attrib["x"]) + float(stack.attrib["width"]) / 2, abs=0.02
        )
