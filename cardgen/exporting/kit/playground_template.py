"""What Tabletop Playground's templates of cards and of dice have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NOWHERE = {"X": 0, "Y": 0, "Z": 0}


def template(kind: str, id: str, title: str, own: Mapping[str, Any]) -> dict[str, Any]:
    """A template of a kind: its `own` fields with, and instead of, those that all have."""
    return {
        "Type": kind,
        "GUID": id,
        "Name": title,
        "Metadata": "",
        "CollisionType": "Regular",
        "Friction": 0.7,
        "PrimaryColor": {"R": 255, "G": 255, "B": 255},
        "SecondaryColor": {"R": 0, "G": 0, "B": 0},
        "AutoStraighten": False,
        "ShouldSnap": True,
        "ScriptName": "",
        "Blueprint": "",
        "Models": [],
        "Collision": [],
        "SnapPointsGlobal": False,
        "SnapPoints": [],
        "ZoomViewDirection": NOWHERE,
        "Tags": [],
        **own,
    }
