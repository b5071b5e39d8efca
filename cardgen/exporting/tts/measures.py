"""The figures of Tabletop Simulator, in one place, and millimetres to its units.

Its unit is an inch. It is left-handed: x to the right, y up, z away from the near player. Things lie
readable for the near player at rotY 180; rotY grows clockwise as seen from above; rotZ 180 is face down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cardgen.geometry import Size
from cardgen.model.table import Spot

MM_PER_UNIT = 25.4

CARD_WIDTH, CARD_HEIGHT = 56.0, 80.0
"""mm of a card of poker's shape at scale 1 (tts-deckconverter, measured). The width of another shape
follows its cell on the atlas (knowledge base, Custom Deck), the height stays."""
POKER = Size(63.5, 88.9)
TILE_SHORT = 2 * MM_PER_UNIT
"""mm of the shorter side of a Custom_Tile at scale 1; the longer one follows the picture (measured by
renderers of its saves, on snap points that meet printed slots)."""
PAGE_HEIGHT = 3.5 * MM_PER_UNIT
"""mm of a Custom_PDF's page at scale 1, about: what books in real saves come to."""

RESTING = 1.0
"""Height of what is locked in place, just above the table top."""
DROPPED = 1.6
"""Height from which the rest settles, onto a board where there is one."""

TILE_THICKNESS = 0.1
CARD_SHAPES = {"rounded": 0, "rectangle": 1, "hexagon": 3, "ellipse": 4, "polygon": 1}
"""`Type` of a custom deck (API, Custom Game Objects)."""
TILE_SHAPES = {"rectangle": 0, "hexagon": 1, "ellipse": 2, "rounded": 3, "polygon": 0}
"""`Type` of a custom tile (API, Custom Game Objects)."""

CARD_TINT = 0.713235259
SEAT_TINTS: Mapping[str, tuple[float, float, float]] = {
    "White": (1.0, 1.0, 1.0),
    "Brown": (0.443, 0.231, 0.09),
    "Red": (0.856, 0.1, 0.094),
    "Orange": (0.956, 0.392, 0.113),
    "Yellow": (0.905, 0.898, 0.172),
    "Green": (0.192, 0.701, 0.168),
    "Teal": (0.129, 0.694, 0.607),
    "Blue": (0.118, 0.53, 1.0),
    "Purple": (0.627, 0.125, 0.941),
    "Pink": (0.96, 0.439, 0.807),
}
"""The colours of seats (API, Player Colors)."""


def units(mm: float) -> float:
    """Units in millimetres."""
    return rounded(mm / MM_PER_UNIT)


def rounded(value: float) -> float:
    """A figure as saves write it: short, and never -0."""
    return round(value, 5) + 0.0


def card_scale(trim: Size, cell: tuple[int, int]) -> tuple[float, float]:
    """scaleX and scaleZ of a card with this trim, shown on cells of this many pixels."""
    shape = (cell[0] / cell[1]) / (POKER.width / POKER.height)
    return rounded(trim.width / (CARD_WIDTH * shape)), rounded(trim.height / CARD_HEIGHT)


def tile_scale(trim: Size) -> float:
    """The scale, across and deep, of a tile with this trim."""
    return rounded(min(trim.width, trim.height) / TILE_SHORT)


def page_scale(trim: Size) -> float:
    """The scale of a book with pages of this trim."""
    return rounded(trim.height / PAGE_HEIGHT)


NATIVE = CARD_WIDTH / POKER.width
"""What all sizes and places are multiplied by, so that a poker card has the program's own size."""
UNSCALED = ("Figurine_Custom", "Bag", "Infinite_Bag", "Counter", "Notecard", "PlayerPawn", "BlockSquare")
"""Kinds that have the program's own size in any case, as dice have."""


def resized(objects: Iterable[dict[str, Any]], factor: float) -> None:
    """Make objects and the places where they lie larger or smaller, all of them alike."""
    for each in objects:
        place = each["Transform"]
        fixed = each["Name"] in UNSCALED or each["Name"].startswith("Die_")
        for key in ("posX", "posZ") if fixed else ("posX", "posZ", "scaleX", "scaleZ"):
            place[key] = rounded(place[key] * factor)
        resized([*each.get("ContainedObjects", ()), *each.get("States", {}).values()], factor)


def transform(
    spot: Spot,
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
    *,
    face_up: bool = True,
    height: float = DROPPED,
) -> dict[str, float]:
    """Where a thing lies that is drawn to be read from the near side."""
    return {
        "posX": units(spot.x),
        "posY": height,
        "posZ": units(-spot.y),
        "rotX": 0.0,
        "rotY": rounded((180 + spot.turn) % 360),
        "rotZ": 0.0 if face_up else 180.0,
        "scaleX": scale[0],
        "scaleY": scale[1],
        "scaleZ": scale[2],
    }


def on_tile(trim: Size, x: float, y: float) -> tuple[float, float]:
    """x and z within a tile (which its scale multiplies) of a place in mm from the top left corner of its
    trim. A tile's picture lies with its top towards -z and its right towards -x."""
    half = min(trim.width, trim.height) / 2
    return rounded(-(x - trim.width / 2) / half), rounded((y - trim.height / 2) / half)


def tint(color: str) -> dict[str, float]:
    """`#1b7399` as red, green and blue from 0 to 1."""
    red, green, blue = (rounded(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return {"r": red, "g": green, "b": blue}


BASE: Mapping[str, Any] = {
    "GUID": "",
    "Name": "",
    "Transform": {},
    "Nickname": "",
    "Description": "",
    "GMNotes": "",
    "AltLookAngle": {"x": 0.0, "y": 0.0, "z": 0.0},
    "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
    "LayoutGroupSortIndex": 0,
    "Value": 0,
    "Locked": False,
    "Grid": True,
    "Snap": True,
    "IgnoreFoW": False,
    "MeasureMovement": False,
    "DragSelectable": True,
    "Autoraise": True,
    "Sticky": True,
    "Tooltip": True,
    "GridProjection": False,
    "HideWhenFaceDown": False,
    "Hands": False,
    "LuaScript": "",
    "LuaScriptState": "",
    "XmlUI": "",
}
"""The fields that every object of version 13 has, in the order of its saves. A save with an object that
lacks some of them does not open at all."""
