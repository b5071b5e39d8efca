"""Schema files: strict JSON, the keywords that cardgen knows, and their places."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.core.findings import Location, Problem, did_you_mean, nearest
from cardgen.files.reading import read_bundled
from cardgen.files.yaml import MAX_DEPTH, path_text
from cardgen.files.yaml_text import MAX_DIGITS, Place, find_positions
from cardgen.game.patterns import PatternAllowance, PatternError, Steps
from cardgen.game.schema import Evaluator, Node, repeated

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
        """Tell whether a schema without problems stands at a place. True at once where one must stand: the
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
    """Tell whether any text in it holds half of a surrogate pair."""
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
        raise JsonError(f"the key '{name[:40]}' appears twice", repeated=name)
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
    """Tell whether objects and lists are nested deeper than `most`; itself without recursion."""
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
    """Tell whether a place is one where a schema stands, by the keywords on the way."""
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
    """A value as a message shows it: 'text', 12, true, a list, a mapping, an empty value."""
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
    """A name as a message shows it: whole, unless it is very long."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def listed(values: Sequence[Any]) -> str:
    """Values side by side: d6, d8, d10; text without quotes; of very many the first."""
    words = [named(value) if isinstance(value, str) and value else shown(value) for value in values[:_MANY]]
    if len(values) > _MANY:
        words.append(f"… ({len(values) - _MANY:,} more)")
    return ", ".join(words)


def either(names: Iterable[str]) -> str:
    """Names as alternatives: a, b or c."""
    *first, last = list(dict.fromkeys(names))
    return f"{', '.join(first)} or {last}" if first else last


def suggestion(name: str) -> str:
    """The hint that a name is likely to be meant."""
    return f"did you mean '{named(name)}'?"


class Guesses:
    """`did_you_mean` for all slips of one file, with a bound on what that takes: each name compared
    takes microseconds, and a large file can have a slip in every line."""

    def __init__(self, comparisons: int = 20_000) -> None:
        self._left = comparisons

    def __call__(self, name: object, known: Collection[object]) -> str | None:
        near = self.meant(name, known)
        return None if near is None else suggestion(near)

    def meant(self, name: object, known: Collection[object]) -> str | None:
        """The name itself that is likely to be meant."""
        if self._left <= 0:
            return None
        self._left -= len(known) + 1
        names = (value for value in known if isinstance(value, str))
        return nearest(name, names) if isinstance(name, str) else None


def name_hint(name: str, known: Iterable[str], kind: str) -> str:
    """A hint for an unknown name: the nearest known one, else all of them."""
    names = sorted(known)
    return did_you_mean(name, names) or (f"{kind}: {listed(names)}" if names else f"there are no {kind}")


def counted(number: int, noun: str) -> str:
    """A number of things: 1 value, 3 values."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


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
_KNOWN: dict[str, Any] = json.loads(read_bundled("game", "schema_keywords.json"))
"""The values that keywords take, and what JSON Schema has for keywords of other drafts."""
ANNOTATIONS = words(" ".join(each["keywords"] for each in _KNOWN["values"] if each.get("annotation")))
"""Keywords that check nothing: for people, for editors, for cardgen."""
_VALUES: dict[str, list[tuple[str, Node]]] = {}
"""By keyword: each thing that its value must be, in words and as a schema."""
for _entry in _KNOWN["values"]:
    for _keyword in _entry["keywords"].split():
        _VALUES.setdefault(_keyword, []).append((_entry["wanted"], Evaluator(_entry["schema"]).root))

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
            elif keyword in _VALUES:
                unfit = [said for said, node in _VALUES[keyword] if not node.fits(value, Steps(value))]
                if unfit:
                    yield wrong(here, f"'{keyword}' must be {unfit[0]}")
            elif not keyword.startswith("x-"):
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
    if keyword in _KNOWN["replaced"]:
        hint: str | None = f"JSON Schema 2020-12 has {_KNOWN['replaced'][keyword]} for it"
    else:
        known = [*SUBSCHEMA, *SUBSCHEMA_LISTS, *SUBSCHEMA_MAPS, *_VALUES, "pattern"]
        hint = did_you_mean(keyword, known) or "names of your own start with x-"
    return wrong(path, f"unknown keyword '{keyword}'", hint, key=True)
