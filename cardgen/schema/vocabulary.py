"""The JSON Schema keywords that cardgen understands and the shape each one's value must have.

JSON Schema lets unknown keywords pass in silence, so that a misspelt one checks nothing. Here it is a
problem, as are the keywords of older drafts that 2020-12 replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from cardgen.findings import Problem, did_you_mean
from cardgen.schema.ecma_patterns import PatternAllowance, PatternError
from cardgen.schema.wording import TYPES


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


SUBSCHEMA = words(
    "additionalProperties unevaluatedProperties items unevaluatedItems contains propertyNames "
    "not if then else"
)
"""Keywords that hold one schema."""
SUBSCHEMA_LISTS = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
"""Keywords that hold a list of schemas."""
SUBSCHEMA_MAPS = frozenset(("properties", "patternProperties", "dependentSchemas", "$defs"))
"""Keywords that hold schemas by name."""
_TEXTS = words(
    "$schema $id $comment $anchor title description contentMediaType contentEncoding "
    # What editors read: VS Code and yaml-language-server.
    "markdownDescription errorMessage patternErrorMessage deprecationMessage suggestSortText"
)
"""Keywords that check nothing and hold text."""
ANNOTATIONS = _TEXTS | words(
    "default examples deprecated readOnly writeOnly "
    "markdownEnumDescriptions enumDescriptions defaultSnippets doNotSuggest "
    # Ours: a text that is put into other languages, what parts a list's items in a table's cell, how its
    # numbers are written there, and whether a field is for print at all.
    "translate separator numbers printed"
)
"""Keywords that check nothing."""

_NUMBERS = re.compile(r"1(?:234[.,]|['\u0020]234[.,]|,234\.|\.234,)5")
"""Ways to write numbers, as in `tables/number_signs.py`."""

_REPLACED = {
    "definitions": "$defs",
    "dependencies": "dependentRequired or dependentSchemas",
    "additionalItems": "items beside prefixItems",
    "id": "$id",
    "$dynamicRef": "$ref",
    "$recursiveRef": "$ref",
    "$dynamicAnchor": "$anchor",
}

Path = tuple[str | int, ...]

MAX_SCHEMAS = 50_000
"""Most schemas within a file."""


def wrong(path: Path, message: str, hint: str | None = None, *, key: bool = False) -> Problem:
    """Something wrong in a schema, at a path within its file; `key` if the keyword itself is wrong."""
    return Problem("schema/schema", message, hint, path=path, key=key)


def check_schema(schema: Any, patterns: PatternAllowance | None = None) -> Iterator[Problem]:
    """All problems of a schema and of the schemas within it. `patterns` bounds the patterns of many
    schemas together; without it, those of this one."""
    yield from _Walk(patterns or PatternAllowance()).schema(schema, ())


class _Walk:
    def __init__(self, patterns: PatternAllowance) -> None:
        self._patterns = patterns
        self._left = MAX_SCHEMAS

    def schema(self, schema: Any, path: Path) -> Iterator[Problem]:
        self._left -= 1
        if self._left < 0:
            if self._left == -1:
                yield wrong(path, f"the file has more than {MAX_SCHEMAS:,} schemas in it")
            return
        if isinstance(schema, bool):
            return
        if not isinstance(schema, dict):
            yield wrong(path, "a schema must be an object, true or false")
            return
        for keyword, value in schema.items():
            here = (*path, keyword)
            if keyword in SUBSCHEMA:
                if keyword == "items" and isinstance(value, list):
                    yield wrong(here, "'items' must be one schema", "use prefixItems for a list")
                else:
                    yield from self.schema(value, here)
            elif keyword in SUBSCHEMA_LISTS:
                yield from self._list(value, here)
            elif keyword in SUBSCHEMA_MAPS:
                yield from self._map(keyword, value, here)
            elif keyword == "pattern":
                yield from self._pattern(value, here, key=False)
            elif keyword in _SHAPES:
                if (wanted := _SHAPES[keyword](value)) is not None:
                    yield wrong(here, f"'{keyword}' must be {wanted}")
            elif keyword not in ANNOTATIONS and not keyword.startswith("x-"):
                yield _unknown(keyword, here)

    def _list(self, value: Any, path: Path) -> Iterator[Problem]:
        if not isinstance(value, list) or not value:
            yield wrong(path, f"'{path[-1]}' must be a list of schemas")
            return
        for index, item in enumerate(value):
            yield from self.schema(item, (*path, index))

    def _map(self, keyword: str, value: Any, path: Path) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield wrong(path, f"'{keyword}' must be an object of schemas by name")
            return
        for name, item in value.items():
            if keyword == "patternProperties":
                yield from self._pattern(name, (*path, name), key=True)
            yield from self.schema(item, (*path, name))

    def _pattern(self, value: Any, path: Path, *, key: bool) -> Iterator[Problem]:
        if not isinstance(value, str):
            yield wrong(path, "'pattern' must be a regular expression")
            return
        try:
            self._patterns.check(value)
        except PatternError as error:
            yield wrong(path, f"this pattern can't be used: {error}", error.hint, key=key)


def _unknown(keyword: str, path: Path) -> Problem:
    if keyword in _REPLACED:
        hint: str | None = f"JSON Schema 2020-12 has {_REPLACED[keyword]} for it"
    else:
        known = [*SUBSCHEMA, *SUBSCHEMA_LISTS, *SUBSCHEMA_MAPS, *ANNOTATIONS, *_SHAPES, "pattern"]
        hint = did_you_mean(keyword, known) or "names of your own start with x-"
    return wrong(path, f"unknown keyword '{keyword}'", hint, key=True)


# Each shape returns None if the value is right, else what it must be.


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) else "text"


def _count(value: Any) -> str | None:
    right = _number(value) is None and isinstance(value, int) and value >= 0
    return None if right else "a whole number of at least 0"


def _number(value: Any) -> str | None:
    return None if isinstance(value, int | float) and not isinstance(value, bool) else "a number"


def _names(value: Any) -> str | None:
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return None if len(set(value)) == len(value) else "a list without repeats"
    return "a list of names"


def _name_lists(value: Any) -> str | None:
    if isinstance(value, dict) and all(_names(names) is None for names in value.values()):
        return None
    return "an object of lists of names"


def _types(value: Any) -> str | None:
    names = value if isinstance(value, list) and value else [value]
    if all(isinstance(name, str) and name in TYPES for name in names):
        return None
    return f"one of {', '.join(TYPES)}, or a list of them"


_SHAPES: dict[str, Callable[[Any], str | None]] = {
    "type": _types,
    "enum": lambda value: None if isinstance(value, list) and value else "a list of values",
    "const": lambda value: None,
    "format": _text,
    "$ref": _text,
    "separator": lambda value: (
        None if isinstance(value, str) and 0 < len(value) <= 10 else "a sign or a few"
    ),
    "numbers": lambda value: (
        None
        if isinstance(value, str) and _NUMBERS.fullmatch(value)
        else "an example such as 1,234.5 or 1.234,5"
    ),
    **dict.fromkeys(_TEXTS, _text),
    "required": _names,
    "dependentRequired": _name_lists,
    **dict.fromkeys(
        ("uniqueItems", "translate", "printed"),
        lambda value: None if isinstance(value, bool) else "true or false",
    ),
    "multipleOf": lambda value: None if _number(value) is None and value > 0 else "a number above 0",
    **dict.fromkeys(words("minimum maximum exclusiveMinimum exclusiveMaximum"), _number),
    **dict.fromkeys(words("minLength maxLength minItems maxItems"), _count),
    **dict.fromkeys(words("minProperties maxProperties minContains maxContains"), _count),
}
