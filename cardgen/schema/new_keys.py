"""A key that a game's schema does not know but many entries have: not misspelt, the schema lacks a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
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


@dataclass(slots=True)
class NewKey:
    """An unknown key of one part of the schema: how many entries have it, and the types of its values."""

    schema: Any  # kept, so that no other can have its id
    count: int = 0
    types: dict[type, None] = field(default_factory=dict)
    findings: dict[Finding, None] = field(default_factory=dict)

    def take(self, value: Any) -> None:
        """Count an entry that has the key with this value."""
        self.count += 1
        self.types[type(value)] = None


class NewKeys:
    """The unknown keys of one document, with the types of their values."""

    def __init__(self, schema: PreparedSchema) -> None:
        self._schema = schema
        self._found: dict[tuple[int, str, str], NewKey] = {}

    def add(self, finding: Finding, key: str, schema: Any) -> NewKey:
        """Note a finding of a key that this part of the schema does not know."""
        place = finding.location.path if finding.location else ""
        found = self._found.setdefault((id(schema), key, _INDEX.sub("[]", place)), NewKey(schema))
        found.findings[finding] = None
        return found

    def hinted(self) -> dict[Finding, Finding]:
        """The findings of keys that many entries have, each with the one that says the line to add."""
        better = {}
        for (_, key, _), found in self._found.items():
            place = self._schema.place(found.schema)
            if found.count < MANY or place is None or place.file.count("/") < 2 or len(key) > _LONGEST:
                continue  # a slip, or a schema of the engine's own
            line = f"{json.dumps(key, ensure_ascii=False)}: {_schema_of(found.types)}"
            where = place.file if place.line is None else f"{place.file}:{place.line}"
            for finding in found.findings:
                meant = f'to allow it, add to the "properties" in {where}: {line}'
                first = finding.hint or ""
                hint = f"{first} If not: {meant}" if first.startswith("did you mean") else meant
                better[finding] = replace(finding, hint=hint)
        return better


def _schema_of(found: Iterable[type]) -> str:
    """Return the plainest schema that values of these types fit, as JSON."""
    types = dict.fromkeys(_TYPES[each] for each in found if each in _TYPES)
    if "number" in types:
        types.pop("integer", None)
    named = list(types)
    return json.dumps({"type": named[0] if len(named) == 1 else named} if named else {}, ensure_ascii=False)
