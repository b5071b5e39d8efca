"""Boxes as numbers: what meets along a fold fits, there is room for what is asked, and nothing overlaps."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from cardgen.core.geometry import Point, Size
from cardgen.core.sheets import Dieline, Room, near
from cardgen.sheets.boxes import hatching, inside, surface
from cardgen.sheets.dielines import (
    LEAST_GLUED,
    Pile,
    lid,
    room_for,
    room_in_tray,
    tongue,
    tray,
    tuck_box,
    wallet,
)
from tests.for_each import for_each


def _folded() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "docs/folded.py"
    spec = importlib.util.spec_from_file_location("doc_folded", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


paper = _folded()
PAPER = st.floats(0.1, 1.0)
ROOMS = st.builds(Room, st.floats(20, 250), st.floats(20, 300), st.floats(1, 120))
BOXES = st.one_of(
    st.builds(tuck_box, ROOMS, PAPER, st.sampled_from(["glued", "tucked", None])),
    st.builds(wallet, ROOMS, PAPER),
)
TRAYS = st.builds(tray, ROOMS, PAPER)
LIDS = st.builds(lid, TRAYS, st.floats(0.2, 3), PAPER)
EVERY = st.one_of(BOXES, TRAYS, LIDS)
POKER = Size(63.5, 88.9)


DENTED = {"tuck": ("front",), "wallet": ("front",), "lid": ("top", "bottom")}
"""The panels with a thumb notch."""


def pairs(corners: Sequence[Point]) -> list[tuple[Point, Point]]:
    return [(corner, corners[(i + 1) % len(corners)]) for i, corner in enumerate(corners)]


def test_a_pile_has_the_room_of_its_copies() -> None:
    room = room_for([Pile(POKER, 50), Pile(POKER.turned, 4)], 0.3, False, 1.0)
    assert (room.width, room.height) == pytest.approx((64.5, 89.9))
    assert room.depth == pytest.approx(54 * 0.3 + 1)
    sleeved = room_for([Pile(POKER, 54)], 0.3, True, 1.0)
    assert sleeved.depth == pytest.approx(54 * 0.5 + 1)
    assert sleeved.width - room.width == pytest.approx(2.5)
    assert sleeved.height - room.height == pytest.approx(3.0)


def test_boxes_that_share_cards_have_the_room_of_the_fullest() -> None:
    piles = [Pile(POKER, 80), Pile(POKER, 65)]
    assert room_for(piles, 0.3, False, 1.0, 2) == room_for([Pile(POKER, 73)], 0.3, False, 1.0)


def test_the_largest_card_gives_width_and_height() -> None:
    room = room_for([Pile(Size(120, 70), 3), Pile(Size(60, 150), 2)], 0.3, False, 0.0)
    assert (room.width, room.height) == (70, 150)


@given(EVERY)
def test_panels_that_meet_along_a_fold_have_equal_edges(box: Dieline) -> None:
    panels = {panel.name: panel for panel in box.panels}
    for panel in box.panels[1:]:
        assert panel.parent is not None
        assert panel.hinge is not None
        edge = {near(point) for point in panel.hinge}
        assert edge in [{near(a), near(b)} for a, b in pairs(panels[panel.parent].corners)]
        assert {near(panel.corners[0]), near(panel.corners[-1])} == edge
    for fold, panel in zip(box.folds, box.panels[1:]):
        assert panel.hinge is not None
        slits = sum(math.dist(*slit) for slit in box.slits if near(slit[0])[1] == near(panel.hinge[0])[1])
        missing = math.dist(*panel.hinge) - math.dist(*fold)
        assert missing == pytest.approx(slits if missing > 1e-6 else 0.0)


@given(EVERY)
def test_nothing_lies_on_anything_else(box: Dieline) -> None:
    assert surface(box.outline) > 0
    whole = sum(surface(panel.corners) for panel in box.panels)
    assert surface(box.outline) == pytest.approx(whole)  # panels fill the outline
    assert all(-1e-9 <= x <= box.size.width + 1e-9 for x, _ in box.outline)
    assert all(-1e-9 <= y <= box.size.height + 1e-9 for _, y in box.outline)
    flaps = [panel for panel in box.panels if panel.name not in DENTED.get(box.form, ())]
    for index, one in enumerate(flaps):
        for other in flaps[index + 1 :]:
            assert abs(surface(inside(one.corners, other.corners) or [(0, 0)] * 3)) < 1e-6, (
                one.name,
                other.name,
            )


@given(BOXES)
def test_a_folded_box_closes_and_has_the_room_that_was_asked_for(box: Dieline) -> None:
    planes = paper.folded(box)
    panels = {panel.name: panel for panel in box.panels}

    def corners(name: str) -> list[tuple[float, float, float]]:
        rect = panels[name].rect
        points = [(rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)]
        return sorted(tuple(round(k, 6) + 0.0 for k in planes[name].at(point)) for point in points)  # type: ignore[misc]

    def span(name: str, axis: int) -> tuple[float, float]:
        values = [place[axis] for place in corners(name)]
        return min(values), max(values)

    front, back = corners("front"), corners("back")
    deep = front[0][2] - back[0][2]
    assert [place[:2] for place in front] == [pytest.approx(place[:2], abs=1e-5) for place in back]
    # what lies between the walls: half a thickness of each of them, and the flaps inside
    layers = 3 if "tongue" in panels else 1
    assert deep - layers * box.paper == pytest.approx(box.room.depth, abs=1e-5)
    assert front[-1][0] - front[0][0] - box.paper == pytest.approx(box.room.width, abs=1e-5)
    high = span("front", 1)[1] - span("front", 1)[0]
    assert high - box.paper >= box.room.height - 1e-5
    for name, out in {
        "left": (-1, 0, 0),
        "right": (1, 0, 0),
        "top": (0, -1, 0),
        "bottom": (0, 1, 0),
    }.items():
        assert planes[name].out == pytest.approx(out)
        assert span(name, 2) == pytest.approx((back[0][2], front[0][2]), abs=1e-5)
    assert planes["back"].out == pytest.approx((0, 0, -1))
    # the lid's tongue hangs down inside, next to the front, and is not longer than the box is high
    assert span("tongue", 2)[0] == pytest.approx(front[0][2], abs=1e-5)
    assert span("tongue", 1)[1] <= span("front", 1)[1]


def test_pieces_in_a_tray_lie_flat_beside_each_other() -> None:
    board, cards = Pile(Size(210, 150), 1, 8.0), Pile(POKER, 100, 0.3)
    room = room_in_tray([board, cards], 1.0)
    assert (room.width, room.height) == (151, 211)
    assert room.depth == pytest.approx(8 + 30 / 4 + 0.3 + 1)  # 2 × 2 piles of cards
    lying = room_in_tray([Pile(Size(90, 128), 1, 1.0), Pile(POKER.turned, 10, 1.0)], 0.0)
    assert lying.depth == pytest.approx(1 + 10 / 2 + 1)  # two piles, each turned by a quarter
    assert room_in_tray([cards], 0.0) == room_for([cards], 0.3, False, 0.0)


@given(st.one_of(TRAYS, LIDS))
def test_folded_tray_and_lid_have_four_walls_and_the_room_that_was_asked_for(box: Dieline) -> None:
    planes = paper.folded(box)
    floor = box.panels[0]
    assert floor.name == ("front" if box.form == "lid" else "back")
    places: dict[str, list[tuple[float, float, float]]] = {
        panel.name: [planes[panel.name].at(corner) for corner in panel.corners] for panel in box.panels
    }
    deep = {round(-min(z for *_, z in places[name]), 5) for name in WALLS}
    assert len(deep) == 1
    assert deep.pop() == pytest.approx(box.room.depth + box.paper, abs=1e-5)
    for name, out in WALLS.items():
        assert planes[name].out == pytest.approx((*out, 0))
        assert max(z for *_, z in places[name]) == pytest.approx(0, abs=1e-9)
    wide, high = floor.rect.width, floor.rect.height
    assert wide - box.paper == pytest.approx(box.room.width)
    assert high - 3 * box.paper == pytest.approx(box.room.height)  # two walls' halves, and two flaps
    glued = [panel for panel in box.panels if panel.glued]
    assert len(glued) == len(box.glue) == 4
    for flap in glued:
        wall = flap.name.rpartition("_")[2]
        assert planes[flap.name].out == pytest.approx(planes[wall].out)
        xs, ys, zs = zip(*places[flap.name])
        assert {round(y, 5) for y in ys} == {round(places[wall][0][1], 5)}  # within that wall, not beyond
        assert floor.rect.x - 1e-6 <= min(xs) <= max(xs) <= floor.rect.right + 1e-6
        assert -box.room.depth - box.paper - 1e-6 <= min(zs) <= max(zs) <= 1e-6


WALLS = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}


@given(TRAYS, st.floats(0.2, 3), PAPER)
def test_lid_slides_over_its_tray(below: Dieline, ease: float, thick: float) -> None:
    above = lid(below, ease, thick)
    assert above.room.width == pytest.approx(below.outer.width + ease)
    assert above.room.height == pytest.approx(below.outer.height + ease)
    assert above.room.depth == pytest.approx(below.outer.depth)


@given(st.one_of(TRAYS, LIDS))
def test_art_on_walls_has_its_head_at_a_lids_face_or_a_trays_rim(box: Dieline) -> None:
    planes = paper.folded(box)
    down = (0, 0, -1) if box.form == "lid" else (0, 0, 1)
    for panel in box.panels:
        if panel.name in WALLS:
            plane, turn = planes[panel.name], panel.placing
            start, end = (plane.at(turn.apply(*point)) for point in ((0.0, 0.0), (0.0, 1.0)))
            assert tuple(b - a for a, b in zip(start, end)) == pytest.approx(down, abs=1e-9)


@given(BOXES)
def test_art_stands_upright_on_every_panel(box: Dieline) -> None:
    """Down on the art is down on walls, and towards who stands in front on lids; on the bottom, art has its
    head at the front edge. Across is to the right of who looks at the panel."""
    planes = paper.folded(box)
    wanted = {
        **dict.fromkeys(("front", "back", "left", "right"), (0, 1, 0)),
        "top": (0, 0, 1),
        "bottom": (0, 0, -1),
    }
    for panel in box.panels:
        if panel.name not in wanted:
            continue
        plane, turn = planes[panel.name], panel.placing

        def direction(x: float, y: float, plane=plane, turn=turn) -> tuple[float, ...]:  # type: ignore[no-untyped-def]
            start, end = (plane.at(turn.apply(*point)) for point in ((0.0, 0.0), (x, y)))
            return tuple(b - a for a, b in zip(start, end))

        assert direction(0, 1) == pytest.approx(wanted[panel.name], abs=1e-9)
        right, down, out = direction(1, 0), direction(0, 1), plane.out
        cross = (
            right[1] * down[2] - right[2] * down[1],
            right[2] * down[0] - right[0] * down[2],
            right[0] * down[1] - right[1] * down[0],
        )
        assert cross == pytest.approx(out, abs=1e-9)  # nothing is mirrored


def test_glue_is_put_on_flaps_beyond_the_overlap_of_the_ink() -> None:
    box = tuck_box(Room(64.5, 89.9, 17.2), 0.35)
    assert [panel.name for panel in box.panels if panel.glued] == ["glue", "glue_bottom"]
    glue = box.panel("glue")
    area = box.glue[0]
    assert max(x for x, _ in area) == pytest.approx(glue.rect.right - box.overlap)
    assert len(list(hatching(area))) > 10
    assert box.panel("left").edges.count("glue") == 1


def test_a_thin_box_has_a_bottom_that_is_tucked() -> None:
    assert any(panel.name == "tongue_bottom" for panel in tuck_box(Room(64.5, 89.9, 9.9), 0.35).panels)
    assert any(
        panel.name == "glue_bottom" for panel in tuck_box(Room(64.5, 89.9, LEAST_GLUED), 0.35).panels
    )


@for_each(("length", "straight"), [(64.0, 4.8), (20.0, 11.0)])
def test_the_sides_of_a_tongue_are_straight_before_they_are_round(length: float, straight: float) -> None:
    around = tongue(length, 16.0)
    assert min(y for _, y in around if y > 0) == pytest.approx(straight)
    assert max(y for _, y in around) == pytest.approx(16)


FACES = {"front": "#ff0000", "back": "#00ff00", "left": "#0000ff", "right": "#ffff00", "top": "#00ffff"}
FACES |= {"bottom": "#ff00ff", "tongue": "#808080"}
DPI = 50.8  # 2 px a mm


def flat_picture(box: Dieline) -> Image.Image:
    """A box with a wall a color, each with a white square at the upper left corner of its upright art."""
    image = Image.new("RGB", (round(box.size.width * 2), round(box.size.height * 2)), "black")
    draw = ImageDraw.Draw(image)
    for name, color in FACES.items():
        panel = box.panel(name)
        rect = panel.rect
        draw.rectangle([2 * rect.x, 2 * rect.y, 2 * rect.right, 2 * rect.bottom], fill=color)
        if name != "tongue":
            spots = [panel.placing.apply(*spot) for spot in ((1.0, 1.0), (5.0, 5.0))]
            across, down = ([2 * spot[k] for spot in spots] for k in (0, 1))
            draw.rectangle([min(across), min(down), max(across), max(down)], fill="white")
    return image


@for_each("form", ["tuck", "wallet"])
def test_the_folded_box_shows_its_art_the_right_way_up(form: str) -> None:
    room = Room(64.5, 89.9, 20.0)
    box = tuck_box(room, 0.35) if form == "tuck" else wallet(room, 0.35)
    flat = flat_picture(box)
    front = box.panel("front").rect
    deep, wide, high = box.panel("left").rect.width, front.width, front.height
    seen = {
        # the walls of each view, and where in mm the white squares lie, from the front's middle
        (0, 0): {"front": (-wide / 2 + 3, -high / 2 + 3)},
        (180, 0): {"back": (-wide / 2 + 3, -high / 2 + 3)},
        (90, 0): {"left": (-deep + 3, -high / 2 + 3)},
        (-90, 0): {"right": (3, -high / 2 + 3)},
        (0, 90): {"top": (-wide / 2 + 3, -deep + 3)},
        (0, -90): {"bottom": (-wide / 2 + 3, 3)},
    }
    for (yaw, pitch), walls in seen.items():
        view = paper.View(yaw, pitch)
        image = paper.picture(flat, box, 0.0, DPI, view).convert("RGB")
        for name, (x, y) in walls.items():
            wall = paper.maps(box, view)[name]
            around = [wall.apply(*corner) for corner in box.panel(name).corners]
            left, top = min(u for u, _ in around), min(v for _, v in around)
            spot = (round((x - left) * 2) + 1, round((y - top) * 2) + 1)
            shade = round(255 * paper.SHADES[name])
            assert image.getpixel(spot) == (shade,) * 3, (name, spot)
            middle = image.getpixel((image.width // 2, image.height // 2))
            color = tuple(round(int(FACES[name][k : k + 2], 16) * paper.SHADES[name]) for k in (1, 3, 5))
            assert middle == color, name


def test_a_box_seen_askew_shows_three_walls_and_its_tongue_in_the_dip() -> None:
    box = tuck_box(Room(64.5, 89.9, 20.0), 0.35)
    view = paper.View(-30, 25)
    assert [*paper.maps(box, view)] == ["tongue", "front", "right", "top"]
    image = paper.picture(flat_picture(box), box, 0.0, DPI, view).convert("RGB")
    colors = {color for count, color in image.getcolors(100_000) or () if count > 200}
    shades = {name: paper.SHADES[name] for name in ("front", "right", "top", "tongue")}
    for name, shade in shades.items():
        assert tuple(round(int(FACES[name][k : k + 2], 16) * shade) for k in (1, 3, 5)) in colors, name
