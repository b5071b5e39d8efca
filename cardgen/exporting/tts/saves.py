"""Whole saves and saved objects, as JSON values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from cardgen.exporting.tts.save_objects import Object
from cardgen.model.game import Game
from cardgen.model.table import Table

VERSION = "v13.1.1"
"""The version whose fields these saves have."""
_GREY = {"r": 0.5, "g": 0.5, "b": 0.5}


def saved_object(objects: Sequence[Object]) -> dict[str, Any]:
    """Things to be put on any table."""
    return {
        "SaveName": "",
        "Date": "",
        "VersionNumber": "",
        "GameMode": "",
        "GameType": "",
        "GameComplexity": "",
        "Tags": [],
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "Table": "",
        "Sky": "",
        "Note": "",
        "TabStates": {},
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "ObjectStates": list(objects),
    }


def whole_save(
    game: Game, table: Table, objects: Sequence[Object], setup: str, surface: str
) -> dict[str, Any]:
    """A table to play at. `surface` is the address of the picture of its top."""
    date = _date()
    return {
        "SaveName": game.title,
        "EpochTime": int(date.timestamp()),
        "Date": _american(date),
        "VersionNumber": VERSION,
        "GameMode": game.title,
        "GameType": "",
        "GameComplexity": "",
        "PlayingTime": list(table.minutes),
        "PlayerCounts": list(game.players),
        "Tags": list(table.tags),
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "Table": "Table_Custom",
        "TableURL": surface,
        "Sky": "Sky_Museum",
        "Note": setup,
        "TabStates": _tabs({"Set-up": setup, "About": _about(game)}),
        "Grid": {
            "Type": 0,
            "Lines": False,
            "Color": {"r": 0.0, "g": 0.0, "b": 0.0},
            "Opacity": 0.75,
            "ThickLines": False,
            "Snapping": False,
            "Offset": False,
            "BothSnapping": False,
            "xSize": 2.0,
            "ySize": 2.0,
            "PosOffset": {"x": 0.0, "y": 1.0, "z": 0.0},
        },
        "Lighting": {
            "LightIntensity": 0.54,
            "LightColor": {"r": 1.0, "g": 0.9804, "b": 0.8902},
            "AmbientIntensity": 1.3,
            "AmbientType": 0,
            "AmbientSkyColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "AmbientEquatorColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "AmbientGroundColor": {"r": 0.5, "g": 0.5, "b": 0.5},
            "ReflectionIntensity": 1.0,
            "LutIndex": 0,
            "LutContribution": 1.0,
        },
        "Hands": {"Enable": True, "DisableUnused": True, "Hiding": 0},
        "ComponentTags": {"labels": labels(objects)},
        "Turns": {
            "Enable": False,
            "Type": 1,
            "TurnOrder": [seat.color for seat in table.seats],
            "Reverse": False,
            "SkipEmpty": True,
            "DisableInteractions": False,
            "PassTurns": True,
            "TurnColor": "",
        },
        "DecalPallet": [],
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "ObjectStates": list(objects),
    }


def labels(objects: Iterable[Object]) -> list[dict[str, str]]:
    """All tags of objects and of what is in them, as a save lists them."""
    found: dict[str, str] = {}
    todo = list(objects)
    while todo:
        each = todo.pop()
        todo += [*each.get("ContainedObjects", ()), *each.get("States", {}).values()]
        for tag in each.get("Tags", ()):
            found[tag] = tag.lower().replace(" ", "_")
    return [{"displayed": tag, "normalized": found[tag]} for tag in sorted(found)]


def _tabs(pages: Mapping[str, str]) -> dict[str, Any]:
    """The pages of the notebook."""
    return {
        str(number): {
            "title": title,
            "body": body,
            "color": "Grey",
            "visibleColor": _GREY,
            "id": number,
        }
        for number, (title, body) in enumerate(pages.items())
        if body
    }


def _about(game: Game) -> str:
    least, most = game.players
    players = f"{least} to {most} players" if least < most else f"{least} players"
    return f"{game.title}, version {game.version}\nby {game.author}\n{players}\n\n{game.description}"


def _american(date: datetime) -> str:
    """A date as saves write it, the same in every locale: 1/31/2000 2:05:09 PM."""
    half = "AM" if date.hour < 12 else "PM"
    return f"{date.month}/{date.day}/{date.year} {date.hour % 12 or 12}:{date:%M:%S} {half}"


def _date() -> datetime:
    """$SOURCE_DATE_EPOCH or the start of the year 2000, like the dates of PDFs: the same input gives
    the same bytes."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    if stated.isdigit():
        return datetime.fromtimestamp(int(stated), UTC)
    return datetime(2000, 1, 1, tzinfo=UTC)
