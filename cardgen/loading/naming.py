"""Naming schemas in a game.yaml, in the text that a person wrote."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.findings import CardgenError, Findings
from cardgen.yaml.reader import Document, parse_yaml


def with_schemas(manifest: Document, schemas: Mapping[str, str]) -> str:
    """The text of game.yaml with a schema's file named for each of these components, by their ids; all else
    is as it was.

    Raises CardgenError where that can't be done in its place.
    """
    lines = str(manifest.text).splitlines(keepends=True)
    places = [
        (place.line or 1, place.column or 1, name)
        for id, name in schemas.items()
        if (place := manifest.locate(("components", id, "data"), key=True))
    ]
    for number, column, name in sorted(places, reverse=True):
        line, start = lines[number - 1], column - 1
        margin = line[:start]
        end = line[len(line.rstrip("\r\n")) :] or "\n"
        own = f"schema: {name}{end}{margin}" if not margin.strip() else f"schema: {name}, "
        lines[number - 1] = margin + own + line[start:]
    text = "".join(lines)
    again = parse_yaml(text, manifest.relative, Findings())
    entries = again.data.get("components", {}) if again is not None and isinstance(again.data, dict) else {}
    if any(entries.get(id, {}).get("schema") != name for id, name in schemas.items()):
        findings = Findings()
        for id, name in schemas.items():
            hint = f"write schema: {name} below it, and run this again"
            place = manifest.locate(("components", id))
            findings.error("schema/unnamed", f"{id} names no schema", place, hint)
        raise CardgenError(*findings.sorted())
    return text
