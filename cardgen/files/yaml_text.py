"""The parts of a YAML text: scalars, positions and syntax errors."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, TypeAlias

import yaml

from cardgen.core.records import dataclass

MAX_DIGITS = 300
"""Longest number; longer ones are mistakes, and Python refuses to convert some of them."""

_FIXED: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_FIRST = frozenset("+-.0123456789~nNtTfF") | {""}
"""The first characters of everything that is not text."""

_INTEGER = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


_NUMBER = re.compile(r"(?:[+-](?<![\w.+-].)[0-9.]|[0-9.](?<![\w.+-].))[\w.+-]*")


def resolve(text: str) -> object:
    """Return the value of plain `text`: None, a bool, int or float, or the text itself.

    Raises ValueError, with a sentence for the designer, for a number that JSON cannot contain.
    """
    if text[:1] not in _FIRST:
        return text
    if text in _FIXED:
        return _FIXED[text]
    if _INTEGER.fullmatch(text):
        _refuse_long(text)
        return int(text)
    if _FLOAT.fullmatch(text):
        _refuse_long(text)
        number = float(text)
        if math.isfinite(number):
            return number
        raise ValueError(f"the number {text} is too large")
    if _BASED.fullmatch(text):
        _refuse_long(text)
        return int(text, 0)
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"{text} is not a finite number")
    return text


def _refuse_long(text: str) -> None:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"the number {text[:12]}… has more than {MAX_DIGITS} digits")


class WrittenNumbers:
    """The numbers of a text as written. `odd` are those that are written differently from how they are
    printed: 007, +2, 1.50, 1e3."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines: list[str] = []
        values = {token: _number(token) for token in set(_NUMBER.findall(text))}
        self.odd = frozenset(
            value for token, value in values.items() if value is not None and str(value) != token
        )

    def at(self, line: int, column: int, value: int | float) -> str | None:
        """Return the text of the number at a line and column, from 1; None if another is there."""
        self._lines = self._lines or self._text.split("\n")
        row = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        found = _NUMBER.match(row, max(0, column - 1))
        return found[0] if found is not None and _number(found[0]) == value else None


def _number(token: str) -> int | float | None:
    """Return the number of a plain scalar."""
    try:
        value = resolve(token)
    except ValueError:
        return None
    return value if isinstance(value, (int, float)) else None


Loader: TypeAlias = "yaml.BaseLoader | yaml.CBaseLoader"
_LOADER: type[Loader] = yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader
"""libyaml if PyYAML has it, else PyYAML's own parser, the same but 20 times slower."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\.", re.DOTALL)
_STAND_IN = r"\ufdd0\ufdd1"
"""Escapes of two noncharacters, which no text has."""
_READ, _WRITTEN = re.compile("\ufdd0\ufdd1"), re.compile(re.escape(_STAND_IN))
"""Those escapes in a text that has escapes, and in others."""


def open_events(text: str) -> Events:
    """Open the events of a text. They raise yaml.YAMLError if the text is not YAML."""
    return _Paired(text) if _SURROGATE.search(text) else _LOADER(text)


def _pair(found: re.Match[str]) -> str:
    return bytes.fromhex(found[1] + found[2]).decode("utf-16-be")


class _Paired:
    """The events of a text with escaped surrogates, as JSON writes characters beyond U+FFFF.

    YAML has no such pairs. Other escapes of the same length replace them for the parser, so that all
    positions stay the same.
    """

    def __init__(self, text: str) -> None:
        self._pairs = [found for found in _ESCAPE.finditer(text) if found[1]]
        self._starts = [found.start() for found in self._pairs]
        pieces, at = [], 0
        for found in self._pairs:
            pieces += [text[at : found.start()], _STAND_IN]
            at = found.end()
        self._events = _LOADER("".join((*pieces, text[at:])))

    def get_event(self) -> Any:
        """Return the next event."""
        event: Any = self._events.get_event()
        if event.__class__ is yaml.ScalarEvent:
            begin, end = event.start_mark, event.end_mark
            assert begin is not None
            assert end is not None
            first = bisect_left(self._starts, begin.index)
            last = bisect_left(self._starts, end.index)
            if first < last:
                is_read = event.style == '"'
                pairs = iter([_pair(each) if is_read else each[0] for each in self._pairs[first:last]])
                put = _READ if is_read else _WRITTEN
                event.value = put.sub(lambda found: next(pairs, found[0]), event.value)
        return event

    def dispose(self) -> None:
        """Let the parser go."""
        self._events.dispose()


Events: TypeAlias = "Loader | _Paired"

DataPath = Sequence[str | int]


class Place:
    """A value's place: line and column from 1; its key's place (0 in a list); its children."""

    __slots__ = ("children", "column", "key_column", "key_line", "line")

    def __init__(self, line: int, column: int, key_line: int = 0, key_column: int = 0) -> None:
        self.line = line
        self.column = column
        self.key_line = key_line
        self.key_column = key_column
        self.children: dict[str | int, Place] = _NONE

    def at(self, path: DataPath, *, key: bool = False) -> tuple[int, int]:
        """Return line and column of the value at `path` (of its key if `key`), or of the nearest value
        around it if nothing is at that path."""
        place = self
        for step in path:
            child = place.children.get(step)
            if child is None:
                return place.line, place.column
            place = child
        if key and place.key_line:
            return place.key_line, place.key_column
        return place.line, place.column

    def lines(self, path: DataPath) -> tuple[int, dict[str, int]]:
        """Return the line of the value at `path`, or of the nearest around it, and those of its children by
        their keys."""
        place = self
        for step in path:
            child = place.children.get(step)
            if child is None:
                return place.line, {}
            place = child
        return place.line, {str(key): child.line for key, child in place.children.items()}


_NONE: dict[str | int, Place] = {}
"""The children of a place without any; never written to."""


MOST_PLACES = 600_000
"""Most values of a text whose places are noted; the reader refuses files with more."""


def find_positions(text: str, most: int = MOST_PLACES) -> Place:
    """Return the places of all values of a text that the reader has accepted (or of those before its first
    error, or of the first `most`)."""
    events = open_events(text)
    walk = _Walk(events, most)
    try:
        while not isinstance(event := events.get_event(), yaml.StreamEndEvent):
            if isinstance(event, yaml.NodeEvent):
                walk.root = Place(*_start(event))
                walk.fill(walk.root, event)
                break
    except (yaml.YAMLError, _EnoughError):
        pass
    finally:
        events.dispose()
    return walk.root or Place(1, 1)


class _EnoughError(Exception):
    pass


class _Walk:
    """One pass over the events of a document. Each place is put into its parent before it is filled."""

    def __init__(self, events: Events, most: int) -> None:
        self._get = events.get_event
        self._left = most
        self._anchors: dict[str, Place] = {}
        self.root: Place | None = None

    def fill(self, place: Place, event: Any) -> None:
        """Note the parts of the value that begins with an event."""
        self._left -= 1
        if self._left < 0:
            raise _EnoughError
        kind = event.__class__
        if kind is yaml.AliasEvent:
            # The value's content is at the anchor; the value itself is here.
            anchor = self._anchors.get(str(event.anchor))
            place.children = anchor.children if anchor else _NONE
            return
        if event.anchor:
            self._anchors[event.anchor] = place
        if kind is yaml.MappingStartEvent:
            self._mapping(place)
        elif kind is yaml.SequenceStartEvent:
            children = place.children = {}
            get, end = self._get, yaml.SequenceEndEvent
            while (item := get()).__class__ is not end:
                children[len(children)] = child = Place(*_start(item))
                self.fill(child, item)

    def _mapping(self, place: Place) -> None:
        merged: list[Place] = []
        children = place.children = {}
        get, scalar, end = self._get, yaml.ScalarEvent, yaml.MappingEndEvent
        while (key := get()).__class__ is not end:
            if key.__class__ is not scalar:
                self.fill(Place(*_start(key)), key)
                following = get()
                self.fill(Place(*_start(following)), following)
                continue
            following = get()
            child = Place(*_start(following), *_start(key))
            if key.value == "<<" and key.implicit[0]:
                merged.append(child)
            elif key.value not in children:
                children[key.value] = child
            self.fill(child, following)
        for source in merged:
            nested = source.children.values() if 0 in source.children else [source]
            for origin in nested:
                for name, inherited in origin.children.items():
                    children.setdefault(name, inherited)


def _start(event: Any) -> tuple[int, int]:
    """Return an event's line and column, from 1."""
    mark = event.start_mark
    return mark.line + 1, mark.column + 1


CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that YAML does not allow (YAML 1.2.2, section 5.1)."""
SEPARATOR = re.compile("[\x85\u2028\u2029]")
"""Line breaks to YAML 1.1 parsers but to no editor: they would shift every line number."""
_BREAK = re.compile("\r\n|[\r\n]")
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)')
_HALF = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_PLAIN = bytes((9, 10, 13, *range(0x20, 0x7F)))
"""The characters of most texts, always allowed."""


@dataclass
class SourceError(Exception):
    """A problem at a line and column, both from 1."""

    code: str
    message: str
    line: int
    column: int
    hint: str | None = None


def decode(raw: bytes) -> str:
    """Return the text of a file: UTF-8, with or without a byte order mark, with any line ends.

    Raises SourceError for other encodings and for characters forbidden in YAML files.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place(raw[: error.start].decode("utf-8", "replace"))
        raise SourceError(
            "yaml/encoding",
            f"the byte 0x{raw[error.start]:02x} is not UTF-8",
            line,
            column,
            "save the file with the encoding UTF-8",
        ) from None
    if text.startswith("\ufeff"):
        text = text[1:]
    # All but the plain bytes are few, and whole characters: searching only those takes a tenth of the time.
    others = raw.translate(None, _PLAIN).decode("utf-8")
    bad = None
    if CONTROL.search(others) or SEPARATOR.search(others):
        bad = CONTROL.search(text) or SEPARATOR.search(text)
    if bad is not None:
        line, column = _place(text[: bad.start()])
        raise SourceError(
            "yaml/character",
            f"the invisible character U+{ord(bad.group()):04X} is not allowed",
            line,
            column,
            "delete it, or write it as an escape in double quotes",
        )
    return text


def _place(before: str) -> tuple[int, int]:
    """Return line and column of the character after `before`."""
    lines = _BREAK.split(before)
    return len(lines), len(lines[-1]) + 1


@dataclass(frozen=True, slots=True)
class _Saying:
    """The translation of a parser's wording for designers. `opening` reports the start of the construct."""

    message: str
    hint: str
    code: str = "yaml/syntax"
    opening: bool = False


_QUOTE = "put text with ': ' or ' #' in it in quotes"
_INDENT = "check the indentation of this line and of the lines above"
_BOTH = f"{_INDENT}; {_QUOTE}"

_TAB = _Saying("a tab is used where only spaces are allowed", "indent with spaces", "yaml/tab")
_NO_PAIR = _Saying("this is neither 'key: value' nor a list item", _INDENT, opening=True)
_NO_QUOTE = _Saying("the quoted text that starts here has no closing quote", "close it", opening=True)
_NO_BLOCK = _Saying(
    "text can't follow | or > on the same line", "start it on the next line, or put all of it in quotes"
)
_NO_FIT = _Saying("this does not fit the lines above", _BOTH)

_SAYINGS = {
    "tab character": _TAB,
    "mapping values are not allowed": _Saying("a ':' appears where no key is allowed", _BOTH),
    "could not find expected ':'": _NO_PAIR,
    "while scanning a simple key": _NO_PAIR,
    "expected ',' or ']'": _Saying(
        "the list that starts here with [ has no closing ]", "separate its values with commas", opening=True
    ),
    "expected ',' or '}'": _Saying(
        "the mapping that starts here with { has no closing }",
        "separate its entries with commas",
        opening=True,
    ),
    "unexpected end of stream": _NO_QUOTE,
    "unexpected document separator": _NO_QUOTE,
    "unknown escape character": _Saying(
        "this backslash escape does not exist", "use single quotes, or write the backslash twice"
    ),
    "alphabetic or numeric character": _Saying(
        "a name is missing after '*' or '&'", "put text that starts with * or & in quotes: '**bold**'"
    ),
    "sequence entries are not allowed": _Saying("a list item '-' is not allowed here", _INDENT),
    "did not find expected '-' indicator": _Saying("this line does not fit the list around it", _INDENT),
    "did not find expected key": _Saying("this line does not fit the keys around it", _BOTH),
    "expected <block end>": _NO_FIT,
    "<document start>": _NO_FIT,
    "line break": _NO_BLOCK,
    "chomping": _NO_BLOCK,
    "invalid Unicode": _Saying("this backslash escape is not a character", "write the character itself"),
    "nesting depth": _Saying("values are nested too deep", "reduce the nesting", "yaml/depth"),
    "tag handle": _Saying(
        "tags (words that start with '!') are not supported", "put it in quotes", "yaml/tag"
    ),
    "incompatible YAML document": _Saying("this YAML version is unknown", "delete the %YAML line"),
}
"""By a part of the parser's message: libyaml's, or that of PyYAML's own parser."""


def nesting_bound(error: yaml.YAMLError) -> Any:
    """Return the mark at which a parser refused deep nesting by its own limit, else None."""
    if isinstance(error, yaml.MarkedYAMLError) and "nesting" in f"{error.problem} {error.context}":
        return error.problem_mark or error.context_mark
    return None


_JSON_WORDS = {
    "Expecting value": "a value is missing here, or a comma is too many",
    "Expecting ':' delimiter": "a colon is missing here",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing here",
    "Expecting property name enclosed in double quotes": "a key in double quotes is missing here",
    "Unterminated string starting at": "this text has no closing quote",
    "Invalid control character at": "a text contains a line end or tab here",
    "Invalid \\escape": "a backslash begins no escape here",
    "Extra data": "more text follows the end of the value",
}
"""The messages of Python's reader of JSON, and their replacements."""


def json_words(error: json.JSONDecodeError) -> str:
    """Return the problem of a JSON text, without the reader's own words."""
    words = next((said for start, said in _JSON_WORDS.items() if error.msg.startswith(start)), None)
    return words or error.msg[:1].lower() + error.msg[1:]


def json_problem(text: str) -> SourceError | None:
    """Return the problem that keeps a text from being JSON; None for JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        message = f"not JSON: {json_words(error)}"
        hint = "correct it there, or name the file .yaml if it is YAML"
        return SourceError("yaml/syntax", message, error.lineno, error.colno, hint)
    except (ValueError, RecursionError):  # the reader has reported a number or the depth
        return None
    for found in _CONSTANT.finditer(text):  # Python accepts these, but no other reader does
        if found[1]:
            line, column = _place(text[: found.start()])
            return SourceError("yaml/number", f"{found[1]} is not JSON", line, column, "write null")
    return None


def explain(error: yaml.YAMLError, text: str) -> SourceError:
    """Return a parser's error as a problem, worded for designers; unknown wordings are passed on."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return SourceError("yaml/syntax", f"not YAML: {error}", 1, 1)
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    problem = str(error.problem or error.context or "not YAML")
    if "cannot start any token" in problem:
        return _bad_start(text, line, column)
    wording = f"{problem}; {error.context or ''}"
    for words, saying in _SAYINGS.items():
        if words in wording:
            if saying.opening and error.context_mark is not None:
                line, column = error.context_mark.line + 1, error.context_mark.column + 1
            elif words == "invalid Unicode":
                return _bad_escape(text, line, column)
            return SourceError(saying.code, saying.message, line, column, saying.hint)
    return SourceError("yaml/syntax", f"not YAML: {problem}", line, column, _INDENT)


def _bad_escape(text: str, line: int, column: int) -> SourceError:
    """Return the problem of an escape that is no character; the parser stops after its letter."""
    lines = _BREAK.split(text)
    row = lines[line - 1] if line <= len(lines) else ""
    saying = _SAYINGS["invalid Unicode"]
    start = max(0, column - 3)
    if _HALF.match(row, start) is None:
        return SourceError(saying.code, saying.message, line, column, saying.hint)
    message = f"the escape {row[start : start + 6]} is half of a character"
    hint = "write the character itself, or both halves, such as \\ud83e\\udd8a"
    return SourceError(saying.code, message, line, start + 1, hint)


def _bad_start(text: str, line: int, column: int) -> SourceError:
    """Return the problem of a character that starts nothing: a tab used as indent, or one that needs
    quotes."""
    lines = _BREAK.split(text)
    row = lines[line - 1] if line <= len(lines) else ""
    character = row[column - 1 : column]
    if character == "\t":
        return SourceError(_TAB.code, _TAB.message, line, column, _TAB.hint)
    hint = "put it in quotes"
    return SourceError("yaml/syntax", f"text cannot start with {character} here", line, column, hint)
