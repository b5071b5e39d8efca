"""Folds a flat box up, for the documents and for tests: each panel's place in space, once all that hangs on
a fold is turned back by a right angle, and a picture of that. The front stands where it lay; x goes to the
right, y down, z towards who looks at it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PIL import Image, ImageDraw

from cardgen.core.geometry import MM_PER_INCH, Matrix, Point
from cardgen.core.sheets import Dieline, Panel

Place = tuple[float, float, float]


@dataclass(frozen=True)
class Plane:
    """Where a point (x, y) of the flat comes to lie: `origin` + x·`across` + y·`down`; `out` is what the
    printed side looks at."""

    origin: Place
    across: Place
    down: Place
    out: Place

    def at(self, point: Point) -> Place:
        x, y = point
        return _sum((1, self.origin), (x, self.across), (y, self.down))


def folded(box: Dieline) -> dict[str, Plane]:
    """The plane of each panel by its name."""
    found = {box.panels[0].name: Plane((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))}
    for panel in box.panels[1:]:  # each after the one that it hangs on
        assert panel.parent is not None
        found[panel.name] = _turned(found[panel.parent], panel)
    return found


def _turned(plane: Plane, panel: Panel) -> Plane:
    assert panel.hinge is not None
    (x1, y1), (x2, y2) = panel.hinge
    length = abs(x2 - x1) + abs(y2 - y1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    nx, ny = dy, -dx  # to the left of the way around: away from what it hangs on
    along = _sum((dx, plane.across), (dy, plane.down))
    away = _sum((nx, plane.across), (ny, plane.down))
    back = _sum((-1, plane.out))
    across, down = _sum((dx, along), (nx, back)), _sum((dy, along), (ny, back))
    origin = _sum((1, plane.at((x1, y1))), (-x1, across), (-y1, down))
    return Plane(origin, across, down, away)


@dataclass(frozen=True)
class View:
    """From where a box is looked at: turned about its upright axis by `yaw` degrees (above 0, its left side
    is seen), then tipped by `pitch` (above 0, its lid is seen)."""

    yaw: float
    pitch: float

    def at(self, place: Place) -> Place:
        """A place as it is seen: across, down, towards who looks."""
        x, y, z = place
        turn, tip = math.radians(self.yaw), math.radians(self.pitch)
        x, z = x * math.cos(turn) + z * math.sin(turn), z * math.cos(turn) - x * math.sin(turn)
        y, z = y * math.cos(tip) + z * math.sin(tip), z * math.cos(tip) - y * math.sin(tip)
        return x, y, z


SHADES = {
    "front": 1.0,
    "back": 1.0,
    "left": 0.82,
    "right": 0.82,
    "top": 0.92,
    "bottom": 0.7,
    "tongue": 0.75,
}
"""How light the walls are that are seen of a closed box; all else is inside. What is behind comes last."""


def maps(box: Dieline, view: View) -> dict[str, Matrix]:
    """The map of each wall that is seen, from mm of the flat to mm of the picture, the front's middle at
    0, 0. What lies behind comes first."""
    planes = folded(box)
    front = box.panels[0].rect
    middle = (front.x + front.width / 2, front.y + front.height / 2)
    start = view.at(planes[box.panels[0].name].at(middle))
    found = {}
    for name in ("tongue", *(each for each in SHADES if each != "tongue")):
        if name not in planes:
            continue  # a lid has no back, a tray no front
        plane = planes[name]
        if view.at(plane.out)[2] <= 1e-9:
            continue
        (a, b, _), (c, d, _) = view.at(plane.across), view.at(plane.down)
        e, f, _ = view.at(plane.origin)
        found[name] = Matrix(a, b, c, d, e - start[0], f - start[1])
    return found


def picture(flat: Image.Image, box: Dieline, bleed: float, dpi: float, view: View) -> Image.Image:
    """The folded box. `flat` shows its art with the bleed, at `dpi`, and so is what comes of it."""
    scale = dpi / MM_PER_INCH
    walls = maps(box, view)
    corners = [
        wall.apply(*corner)
        for name, wall in walls.items()
        for corner in box.panel(name).corners
        if name != "tongue"
    ]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    width, height = max(x for x, _ in corners) - left, max(y for _, y in corners) - top
    size = math.ceil(width * scale) + 2, math.ceil(height * scale) + 2
    result = Image.new("RGBA", size, (255, 255, 255, 0))
    onto = Matrix(scale, 0, 0, scale, 1 - left * scale, 1 - top * scale)
    for name, wall in walls.items():
        place = wall.then(onto)
        back = place.inverse().then(Matrix(scale, 0, 0, scale, bleed * scale, bleed * scale))
        art = flat.convert("RGB").transform(
            size,
            Image.Transform.AFFINE,
            (back.a, back.c, back.e, back.b, back.d, back.f),
            resample=Image.Resampling.BICUBIC,
        )
        shade = SHADES[name]
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).polygon([place.apply(*corner) for corner in box.panel(name).corners], fill=255)
        result.paste(art.point([round(value * shade) for value in range(256)] * 3), (0, 0), mask)
    return result


def _sum(*parts: tuple[float, Place]) -> Place:
    x, y, z = (sum(times * place[k] for times, place in parts) for k in range(3))
    return x, y, z
