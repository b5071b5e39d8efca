"""A schema file: JSON as strict as our YAML, and where each part of it stands."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

from cardgen.findings import Location
from cardgen.schema.equality import repeated
from cardgen.schema.vocabulary import SUBSCHEMA, SUBSCHEMA_LISTS, SUBSCHEMA_MAPS, check_schema
from cardgen.yaml.positions import Place, find_positions
from cardgen.yaml.reader import MAX_DEPTH, path_text
from cardgen.yaml.scalars import MAX_DIGITS

Pointer = tuple[str | int, ...]
"""The way from a file's outermost schema to a part of it."""


MOST_PLACES = 200_000
"""Most parts of a schema file whose lines are known: there may be 50,000 schemas, with what they say."""


@dataclass(slots=True)
class SchemaFile:
    """A schema file: its content (None if it cannot be used) and its text, for line numbers."""

    relative: str
    text: str
    content: Any = None
    _places: Place | None = None
    _anchors: dict[str, Pointer] | None = None
    _schemas: dict[Pointer, bool] = field(default_factory=dict)

    def locate(self, path: Pointer, *, key: bool = False) -> Location:
        if self._places is None:
            self._places = find_positions(self.text, MOST_PLACES)  # JSON is YAML too
        line, column = self._places.at(path, key=key)
        return Location(self.relative, line, column, path_text(path))

    def at(self, pointer: Pointer) -> Any:
        """The part at a place."""
        content = self.content
        for step in pointer:
            content = content[step]
        return content

    def find(self, fragment: str) -> Pointer | None:
        """The place of a schema that a JSON pointer or an `$anchor` names, or None."""
        if not fragment:
            return ()
        if not fragment.startswith("/"):
            if self._anchors is None:
                self._anchors = {}
                _note_anchors(self.content, (), self._anchors)
            return self._anchors.get(fragment)
        content, steps = self.content, list[str | int]()
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

    def is_schema(self, pointer: Pointer) -> bool:
        """Whether a schema without problems stands at a place. True at once where one must stand: the
        whole file has been checked."""
        if pointer not in self._schemas:
            self._schemas[pointer] = _leads_to_schema(pointer) or not any(check_schema(self.at(pointer)))
        return self._schemas[pointer]


@dataclass(eq=False)
class JsonError(ValueError):
    """A text that is not JSON, or not such as a schema may be. `line` and `column` count from 1; None
    where the place is not known. `repeated` is a key that stands twice in an object, `word` a number as
    it is written."""

    message: str
    line: int | None = None
    column: int | None = None
    repeated: str | None = None
    word: str | None = None


def parse_json(text: str) -> Any:
    """The value of a JSON text. Raises JsonError also for repeated keys, for numbers that are too long
    or not finite, for halves of characters, and for nesting deeper than MAX_DEPTH."""
    try:
        content = json.loads(
            text,
            object_pairs_hook=_without_repeats,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_whole,
        )
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise JsonError(message, error.lineno, error.colno) from None
    except JsonError as error:
        if error.word is not None:
            error.line, error.column = _place_of(error.word, text)
        raise
    except RecursionError:
        raise JsonError("not JSON that can be read: too deep or too long") from None
    if _is_deeper(content, MAX_DEPTH):
        raise JsonError(f"the schema is nested more than {MAX_DEPTH} deep")
    if _HALF.search(text) and _has_halves(content):
        raise JsonError(r"an escape such as \ud800 is half a character")
    return content


_WORDS = re.compile(r'"(?:[^"\\]|\\.)*+"|[^\s",:\[\]{}]++', re.DOTALL)


def _place_of(word: str, text: str) -> tuple[int | None, int | None]:
    """Line and column where a number first stands in a JSON text."""
    for match in _WORDS.finditer(text):
        if match[0] == word:
            start = match.start()
            return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    return None, None


_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def _has_halves(content: Any) -> bool:
    """Whether any text in it holds half of a surrogate pair."""
    try:
        json.dumps(content, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        name = names[repeated(names) or 0]
        raise JsonError(f"the key '{name[:40]}' stands twice", repeated=name)
    return result


def _refuse_constant(name: str) -> Any:
    raise JsonError(f"not JSON: {name} is not a number", word=name)


def _finite(text: str) -> float:
    number = float(text)
    if len(text) > MAX_DIGITS or not math.isfinite(number):
        raise JsonError(f"the number {text[:12]}… is too large", word=text)
    return number


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise JsonError(f"the number {text[:12]}… has more than {MAX_DIGITS} digits", word=text)
    return int(text)


def _is_deeper(content: Any, most: int) -> bool:
    """Whether objects and lists are nested deeper than `most`; itself without recursion."""
    level = [content]
    for _ in range(most + 1):
        level = [
            item
            for value in level
            if isinstance(value, dict | list)
            for item in (value.values() if isinstance(value, dict) else value)
        ]
    return bool(level)


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


def _leads_to_schema(pointer: Pointer) -> bool:
    """Whether a place is one where a schema stands, by the keywords on the way."""
    steps = iter(pointer)
    for step in steps:
        if step in SUBSCHEMA:
            continue
        if (step not in SUBSCHEMA_LISTS and step not in SUBSCHEMA_MAPS) or next(steps, None) is None:
            return False
    return True
