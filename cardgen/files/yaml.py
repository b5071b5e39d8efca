"""The project's only YAML reader: strict, bounded, and able to locate every value.

It builds plain dicts, lists, strings, numbers, booleans and None from the parser's events in one walk.
Anchors, aliases and `<<` merge keys work; an alias becomes a copy, so no two values of a document are the
same object. Mappings have text keys as in JSON: a whole number becomes its digits.
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from cardgen.core.findings import Finding, Findings, Location
from cardgen.core.records import dataclass, field
from cardgen.files.reading import YAML, Kind, ReadingError, read_file
from cardgen.files.yaml_text import (
    CONTROL,
    DataPath,
    Events,
    Place,
    SourceError,
    decode,
    explain,
    find_positions,
    json_problem,
    nesting_bound,
    open_events,
    resolve,
)

MAX_DEPTH = 64
"""Deepest nesting of lists and mappings, aliases followed."""
MAX_VALUES = 500_000
"""Most values of a file, including those of aliases: twenty for each of 20,000 cards, and a quarter
more."""
MAX_KEY = 200
"""Most characters of a key."""
_LONGEST_STEP = 60
"""Most characters of a key in a path."""
MAX_PROBLEMS = 1_000
"""After this many problems, the rest of a file is not read."""
MAX_TAG_LINES = 50
"""Most %TAG lines: the parser compares each with all others."""
_TAG_LINE = re.compile("^%TAG", re.MULTILINE)
MAX_ALIASED = 100_000
"""Most values that all aliases of a file may add together (the "alias bomb" guard)."""


_LARGE = 1_000_000
"""Characters from which on a text is held compressed: it is only needed to locate findings."""


def _held(text: str) -> str | bytes:
    return text if len(text) < _LARGE else zlib.compress(text.encode("utf-8"), 1)


@dataclass(slots=True)
class Document:
    """A YAML file's content. `relative` is the file's name in findings; `data` may be changed (the loader
    adds defaults), places are those of the original text."""

    relative: str
    _data: Any
    _text: str | bytes = field(repr=False)
    _places: Place | None = field(default=None, repr=False)
    translated: dict[tuple[str | int, ...], tuple[str, int]] = field(default_factory=dict, repr=False)
    """File and line of each text that a translation has replaced."""
    printed: dict[tuple[str | int, ...], tuple[str | int, ...]] = field(default_factory=dict, repr=False)
    """The path of the value that each text without a place of its own is printed from."""
    _packed: Mapping[str, Sequence[Any]] = field(default_factory=dict, repr=False)
    """All of its data, by key, if a change to them would be lost."""

    @property
    def data(self) -> Any:
        return {key: list(each) for key, each in self._packed.items()} if self._packed else self._data

    @data.setter
    def data(self, data: Any) -> None:
        self._data, self._packed = data, {}

    def pack(self, key: str, records: Sequence[Any]) -> None:
        """Read the data from now on from these records, which are all of them and equal: a list at `key`.
        `data` is then slow, and may not be changed."""
        self._data, self._packed = None, {key: records}

    @property
    def text(self) -> str:
        """Return the text of the file."""
        return self._text if isinstance(self._text, str) else zlib.decompress(self._text).decode("utf-8")

    @property
    def name(self) -> str:
        """Return a name that is unique among documents."""
        return self.relative

    @property
    def records(self) -> list[Any]:
        """Return the rows of a spreadsheet; none of a YAML file."""
        return []

    def copy(self) -> Document:
        """Return the document with data of its own, none of them translated."""
        return Document(self.relative, copied(self.data), self._text, self._places)

    def lines(self, path: DataPath) -> tuple[int, dict[str, int]]:
        """Return the line of the mapping at `path`, and those of the values of its keys, in the file
        itself."""
        if self._places is None:
            self._places = find_positions(self.text)
        return self._places.lines(path)

    def locate(self, path: DataPath = (), *, key: bool = False) -> Location:
        """Return the place of the value at `path` (or of its key). If the text has no such value, the
        nearest value around it gives the line; the path is always named in full. A translated text is
        located in its translation."""
        path = self.printed.get(tuple(path), path) if self.printed else path
        if self.translated and not key and (found := self.translated.get(tuple(path))) is not None:
            return Location(found[0], found[1], None, path_text(path))
        if self._places is None:
            self._places = find_positions(self.text)
        line, column = self._places.at(path, key=key)
        return Location(self.relative, line, column, path_text(path))

    def new(self, findings: list[Finding]) -> list[Finding]:
        """Return the findings that are new since its values were read."""
        return findings

    def shared_keys(self, path: DataPath) -> Hashable:
        """Return the identity of the keys of the mapping at `path`, if other records share it."""
        return None

    def rename_column(self, path: DataPath, name: str, meant: str) -> bool:
        """Give the column of a key of the mapping at `path` the name of another key; return False if there
        is no such column, or another one has that name."""
        return False

    def lacking(self, path: DataPath, name: str) -> Location:
        """Return the place of a key that the mapping at `path` lacks: that of the mapping."""
        return self.locate(path)


def path_text(path: DataPath) -> str:
    """Return a path as findings write it: ("cards", 3, "reward") is `cards[3].reward`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
            continue
        step = step if len(step) <= _LONGEST_STEP else f"{step[: _LONGEST_STEP - 1]}…"
        if step and all(character.isalnum() or character in "_-$" for character in step):
            text += f".{step}" if text else step
        else:
            text += f"[{step!r}]"
    return text


def is_json(name: str) -> bool:
    """Return True if a file's name requires JSON."""
    return name.lower().endswith(".json")


def load_yaml(
    path: Path,
    relative: str,
    findings: Findings,
    kind: Kind = YAML,
    *,
    within: Sequence[Path] | None = None,
) -> Document | None:
    """Read a YAML file, as `read_text` does.

    Problems are added to `findings`, each with its line. The result is None if the file is unusable; after
    smaller problems (a duplicate key, a tag) it contains the rest, so that further checks can continue.
    """
    text = read_text(path, relative, findings, kind, within=within)
    return None if text is None else parse_yaml(text, relative, findings)


def read_text(
    path: Path,
    relative: str,
    findings: Findings,
    kind: Kind = YAML,
    *,
    within: Sequence[Path] | None = None,
) -> str | None:
    """Return a text file's content, or None and a finding: missing, no file, too large, not UTF-8.

    `within` are the folders that must contain the file; None for one that may be anywhere.
    """
    try:
        raw = read_file(path, kind, relative, within)
    except ReadingError as error:
        findings.extend(error.findings)
        return None
    try:
        return decode(raw)
    except SourceError as problem:
        _report(findings, problem, relative)
        return None


def parse_yaml(
    text: str, relative: str, findings: Findings, reading: Reading | None = None
) -> Document | None:
    """Parse a text as `load_yaml` does. `reading` is of the same text, if it was read already.

    A file named .json is read in the same way, and must also be JSON.
    """
    reading = reading or Reading(text)
    problems = reading.problems
    is_syntax = not problems or problems[-1].code == "yaml/syntax"
    if is_json(relative) and is_syntax and (wrong := json_problem(text)) is not None:
        problems = [*problems[:-1], wrong]
    for found in problems:
        _report(findings, found, relative)
    if problems is not reading.problems:
        return None
    return None if reading.failed else Document(relative, reading.data, _held(text))


class Reading:
    """A text that was read: its data, its problems, and True if the last one stopped it.

    `count` is its number of values, `deepest` the depth of its nesting.
    """

    def __init__(self, text: str) -> None:
        self.problems: list[SourceError] = []
        self.failed = True
        self.data: Any = None
        tags = list(itertools.islice(_TAG_LINE.finditer(text), 1 + MAX_TAG_LINES))
        if len(tags) > MAX_TAG_LINES:
            line = text.count("\n", 0, tags[-1].start()) + 1
            message = f"more than {MAX_TAG_LINES} lines begin with %TAG"
            self.problems.append(
                SourceError("yaml/tag", message, line, 1, "remove them: tags are not supported")
            )
            return
        builder, problem = _build(text)
        self.problems = builder.problems
        self.failed = problem is not None
        if problem is not None:
            self.problems.append(problem)
        self.data = builder.data
        self.count, self.deepest = builder.count, builder.deepest
        self._anchored = builder.anchored

    @property
    def is_plain(self) -> bool:
        """Return True if it has neither problems nor anchors."""
        return not self.problems and not self._anchored


def _build(text: str) -> tuple[_Builder, SourceError | None]:
    """Build a text's data. Return the builder and the problem that stopped it, if any."""
    events = open_events(text)
    builder = _Builder(events)
    try:
        builder.read()
    except SourceError as problem:
        return builder, problem
    except yaml.YAMLError as error:
        if (mark := nesting_bound(error)) is None:
            return builder, explain(error, text)
        if mark.index < len(text):
            # The parser reads ahead: it can reach its own bound before it reports the level that is our
            # bound. The text before its mark has that level.
            builder, found = _build(text[: mark.index])
            if found is not None and found.code == "yaml/depth":
                return builder, found
        return builder, SourceError(
            "yaml/depth", _TOO_DEEP, mark.line + 1, mark.column + 1, "reduce the nesting"
        )
    finally:
        events.dispose()
    return builder, None


def _report(findings: Findings, problem: SourceError, relative: str) -> None:
    place = Location(relative, problem.line, problem.column)
    findings.error(problem.code, problem.message, place, problem.hint)


_SOFT_LINE_ENDS = str.maketrans("\v\f", "\n\n")
"""Line ends of word processors, which YAML and JSON have as escapes only."""
_TOO_DEEP = f"values are nested more than {MAX_DEPTH} deep"
_MERGE = object()
"""The key of a merge entry, so that a quoted "<<" stays an ordinary key."""


class _Builder:
    """A builder of one document's data; raises SourceError if it cannot continue, and collects the rest."""

    def __init__(self, events: Events) -> None:
        self._next = events.get_event
        self._plain: dict[str, object] = {}
        self._anchors: dict[str, tuple[Any, int, int]] = {}  # value, its count of values, its depth
        self._open: set[str] = set()
        self.count = 0
        self._aliased = 0
        self.deepest = 0
        self.data: Any = None
        self.problems: list[SourceError] = []

    @property
    def anchored(self) -> bool:
        """Return True if there are anchors."""
        return bool(self._anchors)

    def read(self) -> None:
        """Read the stream's one document into `data`."""
        seen = False
        while not isinstance(event := self._next(), yaml.StreamEndEvent):
            if isinstance(event, yaml.DocumentStartEvent):
                if seen:
                    raise _problem(
                        "yaml/documents",
                        "a second document starts here",
                        event,
                        "keep one document per file",
                    )
                seen = True
            elif isinstance(event, yaml.NodeEvent):
                self.data = self._value(event, 0)
        if self.data is None:
            hint = "write its content, or remove its name from game.yaml"
            raise SourceError("yaml/empty", "the file is empty", 1, 1, hint)

    def _value(self, event: Any, depth: int) -> Any:
        kind = event.__class__
        if kind is yaml.AliasEvent:
            return self._alias(event, depth)
        self.count += 1
        if self.count > MAX_VALUES:
            raise _too_many(event)
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self._add(
                "yaml/tag", f"the tag {tag[:40]} is not supported", event, "quote text that starts with '!'"
            )
        anchor = event.anchor
        if anchor is None:
            return self._content(event, kind, depth)
        count, deepest = self.count, self.deepest
        self._open.add(anchor)
        self.deepest = depth
        value = self._content(event, kind, depth)
        self._open.discard(anchor)
        self._anchors[anchor] = (value, self.count - count + 1, self.deepest - depth)
        self.deepest = max(deepest, self.deepest)
        return value

    def _content(self, event: Any, kind: type, depth: int) -> Any:
        if kind is yaml.ScalarEvent:
            return self._scalar(event)
        depth += 1
        if depth > self.deepest:
            self.deepest = depth
            if depth > MAX_DEPTH:
                raise _problem("yaml/depth", _TOO_DEEP, event, "reduce the nesting")
        return self._mapping(depth) if kind is yaml.MappingStartEvent else self._sequence(depth)

    def _scalar(self, event: Any) -> object:
        text: str = event.value
        if not event.implicit[0]:
            if event.style == '"' and not text.isprintable():
                text = text.translate(_SOFT_LINE_ENDS)
            if event.style == '"' and (bad := CONTROL.search(text)):
                message = f"the escape for the invisible character U+{ord(bad.group()):04X} is not allowed"
                self._add("yaml/character", message, event, "delete it")
                return CONTROL.sub("", text)  # reported once
            return text
        plain = self._plain
        if text in plain:
            return plain[text]
        try:
            value = resolve(text)
        except ValueError as error:
            self._add("yaml/number", str(error), event, "if it is text, put it in quotes")
            return text
        plain[text] = value
        return value

    def _sequence(self, depth: int) -> list[Any]:
        items = []
        end = yaml.SequenceEndEvent
        while (event := self._next()).__class__ is not end:
            items.append(self._value(event, depth))
        return items

    def _mapping(self, depth: int) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        merged: list[dict[str, Any]] | None = None
        get, scalar, end = self._next, yaml.ScalarEvent, yaml.MappingEndEvent
        while (event := get()).__class__ is not end:
            key = self._key(event, depth)
            following = get()
            if following.__class__ is scalar and following.anchor is None and following.tag is None:
                self.count += 1
                if self.count > MAX_VALUES:
                    raise _too_many(following)
                value = self._scalar(following)
            else:
                value = self._value(following, depth)
            if key is _MERGE:
                if merged is not None:
                    self._add("yaml/duplicate-key", "the key << appears twice", event, "write <<: [*a, *b]")
                merged = (merged or []) + self._merge_sources(value, following)
            elif key in mapping:
                self._add("yaml/duplicate-key", f"the key '{key}' appears twice", event, "keep one of them")
            elif key is not None:
                mapping[key] = value
        for source in merged or ():
            for name, value in source.items():
                mapping.setdefault(name, value)
        return mapping

    def _key(self, event: Any, depth: int) -> Any:
        """Return a mapping's key: text, _MERGE, or None after a finding."""
        if event.__class__ is not yaml.ScalarEvent:
            self._value(event, depth)
            self._add(
                "yaml/key", "a key must be text", event, "put text that starts with [, { or * in quotes"
            )
            return None
        text: str = event.value
        if len(text) > MAX_KEY:
            self._add(
                "yaml/key",
                f"the key '{text[:40]}…' has more than {MAX_KEY} characters",
                event,
                "shorten it",
            )
            return None
        if event.anchor is not None or event.tag is not None:
            self._add("yaml/key", f"the key '{text}' has an anchor or a tag", event, "delete it")
        if not event.implicit[0]:
            return self._scalar(event)
        if text == "<<":
            return _MERGE
        value = self._scalar(event)
        if value.__class__ is str:
            return value  # the same object for all such keys
        if value.__class__ is int and str(value) == text:
            return text
        shown = f"the key '{text}'" if text else "an empty key"
        self._add("yaml/key", f"{shown} is not text", event, "put it in quotes")
        return None

    def _alias(self, event: Any, depth: int) -> Any:
        name = event.anchor
        if name in self._open:
            raise _problem(
                "yaml/alias", f"*{name} is inside the value it repeats", event, "write the value itself"
            )
        if name not in self._anchors:
            hint = f"put text that starts with * in quotes: '*{name}'"
            self._add("yaml/alias", f"there is no &{name} above", event, hint)
            return None
        value, count, height = self._anchors[name]
        self.count += count
        self._aliased += count
        if self._aliased > MAX_ALIASED:
            message = f"aliases such as *{name} repeat more than {MAX_ALIASED:,} values"
            raise _problem("yaml/alias", message, event, "use fewer aliases, or split the file")
        if self.count > MAX_VALUES:
            raise _too_many(event)
        if depth + height > MAX_DEPTH:
            raise _problem("yaml/depth", _TOO_DEEP, event, "reduce the nesting")
        self.deepest = max(self.deepest, depth + height)
        return copied(value)

    def _merge_sources(self, value: Any, event: Any) -> list[dict[str, Any]]:
        sources = value if isinstance(value, list) else [value]
        if all(isinstance(source, dict) for source in sources):
            return sources
        self._add("yaml/merge", "<< needs a mapping or a list of mappings", event, "write <<: *name")
        return []

    def _add(self, code: str, message: str, event: Any, hint: str | None = None) -> None:
        self.problems.append(_problem(code, message, event, hint))
        if len(self.problems) >= MAX_PROBLEMS:
            message = f"{MAX_PROBLEMS:,} problems up to here: the rest of the file was not read"
            raise _problem("yaml/many", message, event, "fix the first ones and check again")


def _problem(code: str, message: str, event: Any, hint: str | None = None) -> SourceError:
    return SourceError(code, message, event.start_mark.line + 1, event.start_mark.column + 1, hint)


def _too_many(event: Any) -> SourceError:
    message = f"the file has more than {MAX_VALUES:,} values"
    return _problem("yaml/size", message, event, "split it into several files")


def copied(value: Any) -> Any:
    """Return equal data that share no object with these."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copied(item) for item in value]
    return value


_LIST = re.compile(r"^([A-Za-z_][\w-]*): *(?:#[^\n]*|\r)?\n(?: *(?:#[^\n]*|\r)?\n)*?( *)- ", re.MULTILINE)
_LONE = re.compile(r"\r(?!\n)")

Records = dict[str, Any]
"""The records of a file by their text. The workbench keeps them, and reads only the changed ones."""


def read_records(
    text: str, relative: str, findings: Findings, known: Records
) -> tuple[Document | None, Pieces | None, Records]:
    """Return the document of a text whose records may be `known`, its pieces and its records, which are the
    very values of the document. A text that can't be split has no pieces and no records."""
    pieces = Pieces.of(text)
    data = None if pieces is None or not known else pieces.read(known)
    if data is not None:
        document: Document | None = Document(relative, data, _held(text))
    else:
        reading = Reading(text)
        document, data = parse_yaml(text, relative, findings, reading), reading.data
        if document is None or pieces is None or not pieces.are_all_of(reading):
            return document, None, {}
    assert pieces is not None
    return document, pieces, dict(zip(pieces.parts, data[pieces.key], strict=True))


class Pieces:
    """A split text: the part before its last list, that list's key, and the text of each record."""

    def __init__(self, text: str, key: str, starts: list[int]) -> None:
        self.head, self.key = text[: starts[0]], key
        self.parts = [text[start:end] for start, end in pairwise((*starts, len(text)))]

    @classmethod
    @lru_cache(4)
    def of(cls, text: str) -> Pieces | None:
        """Return the pieces of a text; None if it can't be split."""
        found = _LIST.search(text)
        if found is None or _LONE.search(text):
            return None
        indent = len(found[2])
        begin = found.start(2)
        # By the line's end before it, which is searched faster than a beginning.
        stray = rf"\n(?! {{{indent + 1}}}| {{{indent}}}- | *(?:#|\r?(?:\n|\Z)))"
        if re.compile(stray).search(text, begin - 1):
            return None
        starts = [each.end() for each in re.compile(rf"\n(?= {{{indent}}}- )").finditer(text, begin - 1)]
        return cls(text, found[1], starts)

    def read(self, known: Records) -> dict[str, Any] | None:
        """Return the text's data, reading only records that are not `known`; None if it can't be read in
        pieces."""
        head = Reading(self.head)
        data = head.data
        if not head.is_plain or not self._is_last_of(data) or data[self.key] is not None:
            return None
        records = dict(known)
        for part in self.parts:
            if part not in records:
                reading = Reading(part)
                if not reading.is_plain or reading.deepest >= MAX_DEPTH or len(reading.data) != 1:
                    return None
                records[part] = reading.data[0]
        used: set[str] = set()
        items = data[self.key] = []
        for part in self.parts:
            items.append(copied(records[part]) if part in used else records[part])
            used.add(part)
        # A value takes a character at least, and there are no aliases.
        length = len(self.head) + sum(map(len, self.parts))
        return data if length <= MAX_VALUES or _count(data) <= MAX_VALUES else None

    def are_all_of(self, reading: Reading) -> bool:
        """Return True if the records of a whole text are these pieces."""
        items = reading.data.get(self.key) if isinstance(reading.data, dict) else None
        return (
            reading.is_plain
            and self._is_last_of(reading.data)
            and isinstance(items, list)
            and len(items) == len(self.parts)  # more pieces if one begins within a quoted text
        )

    def _is_last_of(self, data: Any) -> bool:
        return isinstance(data, dict) and next(reversed(data), None) == self.key

    @cached_property
    def _starts(self) -> list[int]:
        """Return the number of lines before each piece."""
        lines = (part.count("\n") for part in (self.head, *self.parts))
        return list(itertools.accumulate(lines))

    def lines(self, key: str, index: int) -> tuple[int, dict[str, int]] | None:
        """Return the line of a record of the list `key`, and those of the values of its keys: the same
        object if they are equal; None if there is none."""
        if key != self.key or index >= len(self.parts):
            return None
        return _lines_of(self.parts[index], self._starts[index])


def _count(value: Any) -> int:
    """Return the number of values in a value."""
    if isinstance(value, dict | list):
        return 1 + sum(map(_count, value.values() if isinstance(value, dict) else value))
    return 1


@lru_cache(50_000)
def _lines_of(piece: str, before: int) -> tuple[int, dict[str, int]] | None:
    """Return the lines of a record with that many lines before it."""
    lines = _lines_inside(piece)
    return lines and (before + lines[0], {key: before + line for key, line in lines[1].items()})


@lru_cache(50_000)
def _lines_inside(piece: str) -> tuple[int, dict[str, int]] | None:
    item = find_positions(piece).children.get(0)
    return None if item is None else item.lines(())
