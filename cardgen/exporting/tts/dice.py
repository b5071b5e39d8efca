"""Dice with faces of the game's own on Tabletop Simulator's table.

The program's own dice, which tell by name what was rolled: their `RotationValues` say which face lies up.
How a picture is folded around a Custom_Dice stands in templates that come with the program alone, so no
picture of the faces is made: pips are seen, and names are said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cardgen.exporting.tts.measures import transform
from cardgen.exporting.tts.save_objects import DICE, Guids, Object, thing
from cardgen.findings import Findings, Location
from cardgen.model.dice import Die
from cardgen.model.game import Component
from cardgen.model.table import DIE, Spot

_D6 = ((-90.0, 0.0), (0.0, 0.0), (0.0, -90.0), (0.0, 90.0), (0.0, -180.0), (90.0, 0.0))
"""rotX and rotZ of a Die_6 with its face 1, 2, … up, rotY being 0: as programs that write its saves have
them."""


def dice_objects(
    component: str, dice: Iterable[Die], spot: Spot, guids: Guids, seat: str = ""
) -> Iterator[Object]:
    """Dice, every copy, side by side with their middle on a spot."""
    copies = [(die, kind) for die in dice if (kind := die.kind) is not None for _ in range(die.copies)]
    for number, (die, kind) in enumerate(copies):
        place = spot.place(Spot((number - (len(copies) - 1) / 2) * DIE * 1.5, 0.0))
        faces = "\n".join(f"{number}: {name}" for number, name in enumerate(die.names, start=1))
        guid = guids.take("die", component, die.id, seat)
        made = thing(DICE[kind], guid, transform(place), die.id, Description=faces)
        yield made | rotation_values(kind, die.names)


def rotation_values(kind: str, names: Iterable[str] = "123456") -> Object:
    """The field that says which face of a d6 is up; nothing for other dice, whose turns are not known."""
    return {"RotationValues": list(map(_value, names, _D6))} if kind == "d6" else {}


def _value(name: str, turn: tuple[float, float]) -> dict[str, Any]:
    return {"Value": name, "Rotation": {"x": turn[0], "y": 0.0, "z": turn[1]}}


def say_what_is_missing(component: Component, place: Location, findings: Findings) -> None:
    """Note what the table does not show of a component's dice."""
    if any(die.kind is not None for die in component.dice):
        findings.note(
            "tts/die",
            f"{component.title}: the program's own dice stand for them, and say by name what was rolled; "
            "their faces are not shown",
            place,
        )
    for die in component.dice:
        if die.kind is None:
            findings.warning(
                "tts/die",
                f"the program has no die with {len(die.stickers)} faces: '{die.id}' is left out",
                place,
                f"it has {', '.join(DICE)}",
            )
