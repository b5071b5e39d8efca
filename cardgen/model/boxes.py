"""A box in the flat: the panels of one sheet of card, in mm from the top left corner of its trim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cardgen.geometry import Matrix, Point, Rect, Size
from cardgen.model.sheets import Rotation

BoxForm = Literal["tuck", "wallet"]
Side = Literal["top", "right", "bottom", "left"]
Edge = Literal["cut", "fold", "glue"]
"""What a panel's edge is: cut, folded, or folded to a flap that glue is put on."""
Span = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Room:
    """The inside of a box in mm: across, from top to bottom, from front to back."""

    width: float
    height: float
    depth: float


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a box between folds and cuts.

    `rect` is the rectangle around it, `corners` go around it clockwise as seen on the printed side, and
    `edges[i]` is what lies between corner i and the next. `turn` is how art must be turned clockwise in the
    flat to stand upright on the folded box, seen from the front (a lid: from in front of it; the back: from
    behind). It hangs on its `parent` by the `hinge`, from its first corner to its last; the front hangs on
    nothing. `glued`: glue is put on its printed side.
    """

    name: str
    rect: Rect
    corners: tuple[Point, ...]
    edges: tuple[Edge, ...]
    turn: Rotation = 0
    parent: str | None = None
    hinge: Span | None = None
    glued: bool = False

    @property
    def upright(self) -> Size:
        """The panel's size as art on it sees it."""
        return self.rect.size if self.turn in (0, 180) else self.rect.size.turned

    @property
    def placing(self) -> Matrix:
        """The map of upright art, its top left corner at 0, 0, to the flat."""
        return placed(self.rect, self.turn)


def placed(rect: Rect, turn: Rotation) -> Matrix:
    """The map of art, its top left corner at 0, 0, into a rectangle, turned clockwise."""
    return {
        0: Matrix(1, 0, 0, 1, rect.x, rect.y),
        90: Matrix(0, 1, -1, 0, rect.right, rect.y),
        180: Matrix(-1, 0, 0, -1, rect.right, rect.bottom),
        270: Matrix(0, -1, 1, 0, rect.x, rect.bottom),
    }[turn]


@dataclass(frozen=True, slots=True)
class Dieline:
    """A box in the flat, `size` of it. `room` is what is inside once it is folded of card `paper` mm thick,
    `outer` what it measures outside. `outline` goes around the sheet clockwise, `slits` are cuts inside it,
    `folds` leave the slits out, `glue` are areas without ink. Ink runs `overlap` mm onto flaps that are
    glued. `cards` is how many it holds."""

    form: BoxForm
    size: Size
    room: Room
    outer: Room
    paper: float
    overlap: float
    panels: tuple[Panel, ...]
    outline: tuple[Point, ...]
    slits: tuple[Span, ...]
    folds: tuple[Span, ...]
    glue: tuple[tuple[Point, ...], ...]
    cards: int = 0
    about: Mapping[str, Any] = field(default_factory=dict)
    """What templates are told of it besides."""

    def panel(self, name: str) -> Panel:
        """The panel of that name; StopIteration if there is none."""
        return next(panel for panel in self.panels if panel.name == name)
