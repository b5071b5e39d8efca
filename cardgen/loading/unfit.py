"""A game.yaml that doesn't fit its schema: what is put in the place of its wrong values, so that all that
rests on the others is judged. What comes of it is never printed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from typing import Any

from cardgen.schema.schema_findings import Path

NOBODY = "none"
"""The id of a component that stands in for all."""
_BOOK = {"title": "-", "kind": "book", "trim": "a5", "book": "none.md"}
_SHEET = {"components": [NOBODY]}
_STAND_INS: Mapping[str, Any] = {
    "title": "-",
    "version": "-",
    "author": "-",
    "players": {"min": 1, "max": 99},
    "components": {NOBODY: _BOOK},
    "sheets": {NOBODY: _SHEET},
}
"""Values of the keys that must be there."""
_OF_PLAYERS = frozenset(("copies/players", "copies/none", "game/pieces"))
"""What is said of numbers of players."""


def mended(data: dict[str, Any], game_id: str, wrong: Collection[Path]) -> tuple[dict[str, Any], set[str]]:
    """A game.yaml's data with other values, or none, for the keys that are wrong, entries of components and
    sheets aside; and which keys these are."""
    keys = {str(path[0]) for path in wrong if len(path) == 1 or path[0] not in ("components", "sheets")}
    stand_ins = deepcopy({"id": game_id, **_STAND_INS})  # loading takes out what it has seen
    kept = {key: value for key, value in data.items() if key not in keys}
    return kept | {key: value for key, value in stand_ins.items() if key in keys}, keys


def of_entry(entry: Any, wrong: Collection[Path], base: Path) -> dict[str, Any]:
    """What of an entry fits, whose misfits are below `base`."""
    if not isinstance(entry, dict) or base in wrong:
        return {}
    bad = {path[2] for path in wrong if path[:2] == base and len(path) > 2}
    return {key: value for key, value in entry.items() if key not in bad}


def named(data: Mapping[str, Any]) -> Iterator[str]:
    """The components that sheets and deck lists name, in data of any shape."""
    sheets = data.get("sheets")
    for sheet in sheets.values() if isinstance(sheets, dict) else ():
        listed = sheet.get("components") if isinstance(sheet, dict) else None
        yield from (id for id in (listed if isinstance(listed, list) else ()) if isinstance(id, str))
    decks = data.get("decks")
    if isinstance(decks, dict) and isinstance(decks.get("component"), str):
        yield decks["component"]


def rests_on(code: str, keys: Collection[str]) -> bool:
    """Whether a finding may be due to what stands in for one of these keys."""
    return "players" in keys and code in _OF_PLAYERS
