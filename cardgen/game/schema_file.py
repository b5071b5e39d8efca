"""Schema files: the keywords that contain schemas, places, and values as messages show them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from cardgen.core.findings import did_you_mean, nearest
from cardgen.core.records import dataclass
from cardgen.files.yaml import Document

Pointer = tuple[str | int, ...]
"""The way from a file's outermost schema to a part of it."""


@dataclass(slots=True)
class SchemaFile(Document):
    """A schema file. Its data are None if it cannot be used."""

    _anchors: dict[str, Pointer] | None = None

    def at(self, pointer: Pointer) -> Any:
        """Return the part at a place."""
        content = self.data
        for step in pointer:
            content = content[step]
        return content

    def find(self, fragment: str) -> Pointer | None:
        """Return the place of a schema that a JSON pointer or an `$anchor` names, or None."""
        if not fragment:
            return ()
        if not fragment.startswith("/"):
            if self._anchors is None:
                self._anchors = {}
                _note_anchors(self.data, (), self._anchors)
            return self._anchors.get(fragment)
        content, steps = self.data, list[str | int]()
        for part in fragment[1:].split("/"):
            name = part.replace("~1", "/").replace("~0", "~")
            if isinstance(content, dict) and name in content:
                step: str | int = name
            elif isinstance(content, list) and _is_index(name) and int(name) < len(content):
                step = int(name)
            else:
                return None
            steps.append(step)
            content = content[step]
        return tuple(steps) if isinstance(content, dict | bool) else None


def _is_index(name: str) -> bool:
    return name.isascii() and name.isdecimal() and len(name) < 10


def _note_anchors(content: Any, pointer: Pointer, anchors: dict[str, Pointer]) -> None:
    if isinstance(content, dict):
        name = content.get("$anchor")
        if isinstance(name, str):
            anchors.setdefault(name, pointer)
        for key, value in content.items():
            if key not in ("enum", "const", "default", "examples"):
                _note_anchors(value, (*pointer, key), anchors)
    elif isinstance(content, list):
        for index, value in enumerate(content):
            _note_anchors(value, (*pointer, index), anchors)


def leads_to_schema(pointer: Pointer) -> bool:
    """Return True if the keywords of a pointer lead to a schema."""
    steps = iter(pointer)
    for step in steps:
        if step in SUBSCHEMA:
            continue
        if (step not in SUBSCHEMA_LISTS and step not in SUBSCHEMA_MAPS) or next(steps, None) is None:
            return False
    return True


TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "empty",
}
"""The types of JSON Schema in a designer's words."""
_LONGEST = 40
"""Characters of a value shown in a message."""
_MANY = 24
"""Most values or names listed."""


def shown(value: Any) -> str:
    """Return a value as a message shows it: 'text', 12, true, a list, a mapping, an empty value."""
    if value is None:
        return "an empty value"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{named(' '.join(value[: 8 * _LONGEST].split()))}'"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    return named(str(value))


def named(name: str) -> str:
    """Return a name as a message shows it: whole, unless it is very long."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def listed(values: Sequence[Any]) -> str:
    """Return values as a list, d6, d8, d10, with text unquoted; of very many, the first ones."""
    words = [named(value) if isinstance(value, str) and value else shown(value) for value in values[:_MANY]]
    if len(values) > _MANY:
        words.append(f"… ({len(values) - _MANY:,} more)")
    return ", ".join(words)


def either(names: Iterable[str]) -> str:
    """Return names as alternatives: a, b or c."""
    *first, last = list(dict.fromkeys(names))
    return f"{', '.join(first)} or {last}" if first else last


def suggestion(name: str) -> str:
    """Return the hint that suggests a name."""
    return f"did you mean '{named(name)}'?"


class Guesses:
    """`did_you_mean` for all slips of one file, with a limit: each name compared takes microseconds, and a
    large file can have a slip in every line."""

    def __init__(self, comparisons: int = 20_000) -> None:
        self._left = comparisons

    def __call__(self, name: object, known: Collection[object]) -> str | None:
        near = self.meant(name, known)
        return None if near is None else suggestion(near)

    def meant(self, name: object, known: Collection[object]) -> str | None:
        """Return the known name that is closest to the given one."""
        if self._left <= 0:
            return None
        self._left -= len(known) + 1
        names = (value for value in known if isinstance(value, str))
        return nearest(name, names) if isinstance(name, str) else None


def name_hint(name: str, known: Iterable[str], kind: str, command: str = "") -> str:
    """Return a hint for an unknown name: the nearest known one, else all of them, then the command that
    lists them."""
    names = sorted(known)
    near = did_you_mean(name, names)
    the = "" if kind.startswith("those ") else "the "
    every = f"use one of {the}{kind}: {listed(names)}"
    if not command:
        return near or (every if names else f"there are no {kind}")
    first = f"{near} " if near else f"{every}; " if names else ""
    return f"{first}list all: {command}"


def counted(number: int, noun: str) -> str:
    """Return a number of things: 1 value, 3 values."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def words(text: str) -> frozenset[str]:
    """Return the words of a text, as a set."""
    return frozenset(text.split())


SUBSCHEMA = words(
    "additionalProperties unevaluatedProperties items unevaluatedItems contains propertyNames "
    "not if then else"
)
"""Keywords that contain one schema."""
SUBSCHEMA_LISTS = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
"""Keywords that contain a list of schemas."""
SUBSCHEMA_MAPS = frozenset(("properties", "patternProperties", "dependentSchemas", "$defs"))
"""Keywords that contain schemas by name."""
