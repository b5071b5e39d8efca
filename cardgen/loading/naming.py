"""Naming schemas in a game.yaml, in the text that a person wrote."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.findings import CardgenError, Finding, Location, Severity
from cardgen.yaml.editing import edited
from cardgen.yaml.problems import SourceError
from cardgen.yaml.reader import Document, copied


def with_schemas(manifest: Document, schemas: Mapping[str, str]) -> str:
    """The text of game.yaml with a schema's file named for each of these components, by their ids; all else
    is as it was.

    Raises CardgenError where that can't be done in its place.
    """
    data = copied(manifest.data)
    for id, name in schemas.items():
        entry: dict[str, object] = {}
        for key, value in data["components"][id].items():
            entry[key] = value
            if key == "data":
                entry["schema"] = name
        data["components"][id] = entry
    try:
        return edited(str(manifest.text), data)
    except SourceError as error:
        place = Location(manifest.relative, error.line, error.column)
        named = ", ".join(f"schema: {name} at {id}" for id, name in schemas.items())
        hint = f"write it there by hand, and run this again: {named}"
        finding = Finding(Severity.ERROR, "schema/unnamed", error.message, place, hint)
        raise CardgenError(finding) from None
