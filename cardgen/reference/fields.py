"""From the schema of a card to its fields, one row each, those within mappings among them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "array": "list",
    "object": "mapping",
    "null": "empty",
}
MOST_DEPTH = 4
"""How far mappings within mappings are followed."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field by its path, such as ("requires", "type"); `listed` says that a card has a list of such
    values. `values` are those allowed, in the schema's order, where it lists them."""

    path: tuple[str, ...]
    kind: str
    description: str
    required: bool
    limits: tuple[str, ...]
    values: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        return ".".join(self.path).replace(".[]", "[]")


def fields_of(schema: Any) -> list[Field]:
    """The fields of a card, in the schema's order."""
    return list(_fields(schema, (), 0))


def _fields(schema: Any, path: tuple[str, ...], depth: int) -> Iterator[Field]:
    if not isinstance(schema, Mapping):
        return
    required: set[str] = set()
    properties: dict[str, Any] = {}
    for part in _parts(schema):
        required.update(part.get("required", ()))
        for name, value in (part.get("properties") or {}).items():
            properties.setdefault(name, value)
    for name, value in properties.items():
        if not isinstance(value, Mapping):
            continue
        here = (*path, name)
        items = _items(value)
        yield Field(
            here,
            _kind(value),
            str(value.get("description", "")),
            name in required,
            tuple(_limits(value)),
            _values(items if items is not None else value),
        )
        inner = items if items is not None else value
        if depth < MOST_DEPTH and any("properties" in part for part in _parts(inner)):
            below = (*here, "[]") if items is not None else here
            yield from _fields(inner, below, depth + 1)


def _parts(schema: Any) -> list[Mapping[str, Any]]:
    """The schema and all that it joins by `allOf`, and by conditions, whose fields it has too."""
    if not isinstance(schema, Mapping):
        return []
    found: list[Mapping[str, Any]] = [schema]
    for part in schema.get("allOf", ()):
        found += _parts(part)
    return found


def _items(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    items = schema.get("items")
    return items if isinstance(items, Mapping) else None


def _values(schema: Mapping[str, Any]) -> tuple[Any, ...]:
    for part in _parts(schema):
        if "enum" in part:
            return tuple(part["enum"])
        if "const" in part:
            return (part["const"],)
    return ()


def _kind(schema: Mapping[str, Any]) -> str:
    items = _items(schema)
    if items is not None:
        return f"list of {_plural(_kind(items))}"
    if _values(schema):
        return "one of a list"
    for part in _parts(schema):
        stated = part.get("type")
        if isinstance(stated, str):
            return _TYPES.get(stated, stated)
        if isinstance(stated, Sequence):
            return " or ".join(_TYPES.get(each, str(each)) for each in stated)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            kinds = dict.fromkeys(_kind(option) for option in schema[key] if isinstance(option, Mapping))
            return " or ".join(kinds)
    return "any"


def _plural(kind: str) -> str:
    if kind == "one of a list":
        return "values of a list"
    if kind == "text":
        return "texts"
    return kind if kind in ("any", "true or false") else f"{kind}s"


def _limits(schema: Mapping[str, Any]) -> Iterator[str]:
    for part in _parts(schema):
        if "minimum" in part and "maximum" in part:
            yield f"{part['minimum']} to {part['maximum']}"
        elif "minimum" in part:
            yield f"at least {part['minimum']}"
        elif "maximum" in part:
            yield f"at most {part['maximum']}"
        if "maxLength" in part:
            yield f"at most {part['maxLength']} characters"
        least, most = part.get("minItems"), part.get("maxItems")
        if least is not None and least == most:
            yield f"{least} of them"
        elif most is not None:
            yield f"{least or 0} to {most} of them"
        elif least:
            yield f"at least {least} of them"
        if part.get("uniqueItems"):
            yield "all different"
        if "patternErrorMessage" in part:
            yield str(part["patternErrorMessage"])
        if "default" in part:
            yield f"else {json.dumps(part['default'], ensure_ascii=False)}"


def values_at(data: Any, path: Sequence[str]) -> Iterator[Any]:
    """The values that a card has at a path, each of a list one by one."""
    if not path:
        if isinstance(data, Sequence) and not isinstance(data, str):
            for item in data:
                yield from values_at(item, ())
        else:
            yield data
        return
    step, rest = path[0], path[1:]
    if step == "[]":
        for item in data if isinstance(data, Sequence) and not isinstance(data, str) else ():
            yield from values_at(item, rest)
    elif isinstance(data, Mapping) and step in data:
        yield from values_at(data[step], rest)
