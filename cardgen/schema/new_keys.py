"""A key that a game's schema does not know but many entries have: not misspelt, the schema lacks a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cardgen.findings import Finding
from cardgen.schema.prepared import PreparedSchema

MANY = 3
"""So many entries that have the key mean it."""
_LONGEST = 60
_INDEX = re.compile(r"\[[0-9]+\]")
_TYPES: Mapping[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


class NewKeys:
    """The unknown keys of one document, with their values."""

    def __init__(self, schema: PreparedSchema) -> None:
        self._schema = schema
        self._found: dict[tuple[int, str, str], list[tuple[Finding, Any]]] = {}
        self._schemas: dict[int, Any] = {}

    def add(self, finding: Finding, key: str, value: Any, schema: Any) -> None:
        """Note a finding of a key that this part of the schema does not know."""
        place = finding.location.path if finding.location else ""
        self._schemas[id(schema)] = schema  # kept, so that no other can have its id
        self._found.setdefault((id(schema), key, _INDEX.sub("[]", place)), []).append((finding, value))

    def hinted(self) -> dict[Finding, Finding]:
        """The findings of keys that many entries have, each with the one that says the line to add."""
        better = {}
        for (schema, key, _), found in self._found.items():
            place = self._schema.place(self._schemas[schema])
            if len(found) < MANY or place is None or place.file.count("/") < 2 or len(key) > _LONGEST:
                continue  # a slip, or a schema of the engine's own
            line = f"{json.dumps(key, ensure_ascii=False)}: {_schema_of([value for _, value in found])}"
            where = place.file if place.line is None else f"{place.file}:{place.line}"
            for finding, _ in found:
                meant = f'to allow it, add to the "properties" in {where}: {line}'
                first = finding.hint or ""
                hint = f"{first} If not: {meant}" if first.startswith("did you mean") else meant
                better[finding] = replace(finding, hint=hint)
        return better


def _schema_of(values: list[Any]) -> str:
    """The plainest schema that these values fit, as JSON."""
    types = dict.fromkeys(_TYPES[type(value)] for value in values if type(value) in _TYPES)
    if "number" in types:
        types.pop("integer", None)
    named = list(types)
    return json.dumps({"type": named[0] if len(named) == 1 else named} if named else {}, ensure_ascii=False)
