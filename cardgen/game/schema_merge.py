"""Several schemas as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cardgen.game.json_values import size
from cardgen.game.schema_file import words

Schema = dict[str, Any]

_FREE = words(
    "type enum const pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength "
    "maxLength minItems maxItems uniqueItems minProperties maxProperties dependentRequired anyOf oneOf not"
)
"""Keywords whose meaning does not depend on their neighbors, so that they may move."""
_ANNOTATIONS = words(
    "$schema $id $comment $anchor title description contentMediaType contentEncoding default examples "
    "deprecated readOnly writeOnly translate printed separator numbers markdownDescription errorMessage "
    "patternErrorMessage deprecationMessage suggestSortText markdownEnumDescriptions enumDescriptions "
    "defaultSnippets doNotSuggest"
)
"""Keywords that check nothing: for people, for editors, for cardgen."""
_JOINED = frozenset(("properties", "patternProperties", "required", "allOf"))
"""Keywords of two schemas that can be merged into one."""
_IN_PLACE_LISTS = ("allOf", "anyOf", "oneOf")
_IN_PLACE = ("if", "then", "else")

_UNLISTED = words("$ref patternProperties additionalProperties unevaluatedProperties")
"""Keywords by which a schema evaluates keys that it does not name."""
_ALIKE = 500
"""Largest parts of two schemas, in values, that are compared for equality."""


def merged(outer: Schema, others: Iterable[Any]) -> Schema:
    """Return the schema that requires `outer` and all of `others`. Those of `others` that cannot be merged
    stay in `allOf`. No input is changed."""
    sum_ = _Sum()
    rest: list[Any] = []
    for other in others:
        if other is True:
            continue
        if _may_merge(other, outer) and _may_merge(other, sum_.schema):
            sum_.add(other)
        else:
            rest.append(other)
    sum_.add(outer)
    if rest:
        sum_.add({"allOf": rest})
    return sum_.whole()


def _may_merge(schema: Any, target: Schema) -> bool:
    """Return True if the keywords of `schema` mean the same within `target`."""
    if not isinstance(schema, dict) or "additionalProperties" in target:
        return False
    return all(
        keyword in _JOINED
        or keyword in _ANNOTATIONS
        or keyword.startswith("x-")
        or (keyword in _FREE and (keyword not in target or _same(target[keyword], value)))
        for keyword, value in schema.items()
    )


def _same(one: Any, other: Any) -> bool:
    """Return True if two parts are equal. Large ones that are not the same object count as different, which
    is safe: comparing them again and again could take forever."""
    if one is other:
        return True
    return bool(size(one, _ALIKE) <= _ALIKE and size(other, _ALIKE) <= _ALIKE and one == other)


class _Sum:
    """A schema that others are added to. It merges into copies of its own."""

    def __init__(self) -> None:
        self.schema: Schema = {}
        self._required: dict[str, None] | None = None
        self._owned: set[str] = set()

    def add(self, schema: Schema) -> None:
        """Add the keywords of a schema; its annotations win."""
        for keyword, value in schema.items():
            if keyword not in self.schema or keyword not in _JOINED:
                self.schema[keyword] = value
                self._owned.discard(keyword)
            elif keyword == "required":
                if self._required is None:
                    self._required = dict.fromkeys(self.schema[keyword])
                self._required.update(dict.fromkeys(value))
            elif keyword == "allOf":
                self._own(keyword, list).extend(value)
            else:
                both = self._own(keyword, dict)
                for name, part in value.items():
                    both[name] = _both(both[name], part) if name in both else part

    def whole(self) -> Schema:
        if self._required is not None:
            self.schema["required"] = list(self._required)
        return self.schema

    def _own(self, keyword: str, copied: Callable[[Any], Any]) -> Any:
        if keyword not in self._owned:
            self.schema[keyword] = copied(self.schema[keyword])
            self._owned.add(keyword)
        return self.schema[keyword]


def _both(first: Any, second: Any) -> Any:
    if first is True or _same(first, second):
        return second
    if second is True:
        return first
    if first is False or second is False:
        return False
    return merged(second, [first])


def closed(schema: Schema) -> Schema:
    """Return the schema with `unevaluatedProperties: false` replaced by `additionalProperties: false` if
    that means the same: if no other part of it that sees the same object names further keys."""
    if schema.get("unevaluatedProperties") is not False or "additionalProperties" in schema:
        return schema
    properties = schema.get("properties", {})
    for part in _in_place(schema):
        names = _names(part)
        if names is None or not names <= properties.keys():
            return schema
    result = {keyword: value for keyword, value in schema.items() if keyword != "unevaluatedProperties"}
    result["additionalProperties"] = False
    return result


def _in_place(schema: Schema) -> list[Any]:
    """Return the schemas within `schema` that see the same value as it does and can evaluate its keys."""
    parts = [part for keyword in _IN_PLACE_LISTS for part in schema.get(keyword, ())]
    parts += [schema[keyword] for keyword in _IN_PLACE if keyword in schema]
    parts += schema.get("dependentSchemas", {}).values()
    return parts


def _names(schema: Any) -> set[str] | None:
    """Return the keys that a schema evaluates, or None if they cannot be listed."""
    if isinstance(schema, bool):
        return set()
    if not _UNLISTED.isdisjoint(schema):
        return None
    names = set(schema.get("properties", ()))
    for part in _in_place(schema):
        further = _names(part)
        if further is None:
            return None
        names |= further
    return names


def known_keys(schema: Any) -> list[str]:
    """Return all keys that a schema names for its own mapping, in any of its branches."""
    properties = (part.get("properties", {}) for part in _all_in_place(schema))
    return list(dict.fromkeys(name for names in properties for name in names))


def keys_within(schema: Any, key: str) -> frozenset[str]:
    """Return all keys that a schema names for the mapping at `key`, in any of its branches."""
    properties = (part.get("properties", {}) for part in _all_in_place(schema))
    return frozenset(name for names in properties if key in names for name in known_keys(names[key]))


def _all_in_place(schema: Any) -> Iterator[Schema]:
    """Yield a schema and all within it that apply to the same value, in order."""
    pending = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            yield part
            pending += reversed(_in_place(part))
