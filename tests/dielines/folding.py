"""Folds a flat box up: each panel's place in space, once all that hangs on a fold is turned back by a right
angle. The front stands where it lay; x goes to the right, y down, z towards who looks at it."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.geometry import Point
from cardgen.model.boxes import Dieline, Panel

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
    found = {"front": Plane((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))}
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


def _sum(*parts: tuple[float, Place]) -> Place:
    x, y, z = (sum(times * place[k] for times, place in parts) for k in range(3))
    return x, y, z
