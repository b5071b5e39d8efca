"""The project's only YAML reader: strict, bounded, and able to locate every value.

It builds plain dicts, lists, strings, numbers, booleans and None from the parser's events in one
walk. Anchors, aliases and `<<` merge keys work; an alias becomes a copy, so no two values of a
document are the same object. Mappings have text keys as in JSON: a whole number stands for its digits.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from cardgen.core.findings import Finding, Findings, Location
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
"""Most values of a file, those of aliases counted: twenty for each of 20,000 cards, and a quarter more."""
MAX_KEY = 200
"""Most characters of a key."""
_LONGEST_STEP = 60
"""Most characters of a key in a path."""
MAX_PROBLEMS = 1_000
"""So many problems, and the rest of a file is not read."""
MAX_TAG_LINES = 50
"""Most %TAG lines: the parser holds each against all others."""
_TAG_LINE = re.compile("^%TAG", re.MULTILINE)
MAX_ALIASED = 100_000
"""Most values that all aliases of a file may add together (the "alias bomb" guard)."""


@dataclass(slots=True)
class Document:
    """A YAML file's content. `relative` is the file's name in findings; `data` may be changed (the
    loader fills defaults in), places are those of the text as it was read."""

    relative: str
    data: Any
    text: str = field(repr=False)
    _places: Place | None = field(default=None, repr=False)
    translated: dict[tuple[str | int, ...], tuple[str, int]] = field(default_factory=dict, repr=False)
    """File and line of each text that a translation has put in the place of the source's."""

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
        return Document(self.relative, copied(self.data), self.text, self._places)

    def lines(self, path: DataPath) -> tuple[int, dict[str, int]]:
        """Return the line of the mapping at `path`, and those of the values of its keys, in the file
        itself."""
        if self._places is None:
            self._places = find_positions(self.text)
        return self._places.lines(path)

    def locate(self, path: DataPath = (), *, key: bool = False) -> Location:
        """Return the place of the value at `path` (or of its key). Where the text has no such value, the
        nearest value around it gives the line; the path is always named in full. A text that was
        translated is in its translation."""
        if self.translated and not key and (found := self.translated.get(tuple(path))) is not None:
            return Location(found[0], found[1], None, path_text(path))
        if self._places is None:
            self._places = find_positions(self.text)
        line, column = self._places.at(path, key=key)
        return Location(self.relative, line, column, path_text(path))

    def new(self, findings: list[Finding]) -> list[Finding]:
        """Return those findings of its values that say more than was said when it was read."""
        return findings

    def shared_keys(self, path: DataPath) -> Hashable:
        """Return what tells the place of the keys of the mapping at `path`, if other records share it."""
        return None

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
    """Return True if a file is to be JSON by its name."""
    return name.lower().endswith(".json")


def load_yaml(
    path: Path,
    relative: str,
    findings: Findings,
    kind: Kind = YAML,
    *,
    within: Sequence[Path] | None = None,
) -> Document | None:
    """Read a YAML file, as `read_text`.

    Problems are added to `findings`, each with its line. The result is None if nothing could be
    made of the file; after smaller problems (a duplicate key, a tag) it contains the rest, so that
    further checks can go on.
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
    """Return a text file's content, or None and a finding: not there, no file, too large, not UTF-8.

    `within` are the folders that must hold the file; None for one that may lie anywhere.
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

    A file named .json is read in the same way, and must be JSON besides.
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
    return None if reading.failed else Document(relative, reading.data, text)


class Reading:
    """A text that was read: its data, its problems, whether the last one put an end to it.

    `count` is how many values it has, `deepest` how deep they are nested. `items` are those of the lists
    in its outer mapping, in order: the line of each, from 0, and how many values there are before it.
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
        self.count, self.deepest, self.items = builder.count, builder.deepest, builder.items
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
_OUTER = 2
"""The depth of a list in the outer mapping."""
_MERGE = object()
"""The key of a merge entry, so that a quoted "<<" stays an ordinary key."""


class _Builder:
    """A builder of one document's data; raises SourceError where it cannot go on, and collects the rest."""

    def __init__(self, events: Events) -> None:
        self._next = events.get_event
        self._plain: dict[str, object] = {}
        self._anchors: dict[str, tuple[Any, int, int]] = {}  # value, its count of values, its depth
        self._open: set[str] = set()
        self.count = 0
        self._aliased = 0
        self.deepest = 0
        self.items: list[tuple[int, int]] = []
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
                return CONTROL.sub("", text)  # said once
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
        event: Any
        while (event := self._next()).__class__ is not end:
            if depth == _OUTER:
                self.items.append((event.start_mark.line, self.count))
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
    """Return data like these, no part of which is the same object."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copied(item) for item in value]
    return value


_MOST_NEW = 8
"""If more than one in so many records is new, the file is read in one piece, which is faster then."""

_LIST = re.compile(r"^([A-Za-z_][\w-]*): *(?:#[^\n]*|\r)?\n(?: *(?:#[^\n]*|\r)?\n)*?( *)- ", re.MULTILINE)
_LONE = re.compile(r"\r(?!\n)")

Kept = dict[str, tuple[int, Any]]
"""Records by the digest of their text: how many values each consists of, and what it says. The workbench
keeps those of a file, and reads the changed ones alone."""


def read_records(
    text: str, relative: str, findings: Findings, pieces: Pieces, known: Kept
) -> tuple[Document | None, Kept]:
    """Return a text that was taken apart, of which records may be `known`, and its records, the very values
    that are in the document; none where it had to be read in one piece and can't be told apart."""
    new = [index for index, name in enumerate(pieces.names) if name not in known]
    data = None
    if len(new) * _MOST_NEW <= len(pieces.names):
        data = pieces.read(new, known)
    if data is None:
        reading = Reading(text)
        document = parse_yaml(text, relative, findings, reading)
        known = pieces.found(reading) if document is not None else {}
        return document, known
    return Document(relative, data, text), {name: known[name] for name in pieces.names}


class RecordLines:
    """The places of a text's records, and their keys. Each piece is looked at once, by its digest."""

    def __init__(self) -> None:
        self._inside: dict[str, tuple[int, dict[str, int]]] = {}
        self._made: dict[tuple[str, int], tuple[int, dict[str, int]]] = {}
        self._starts: list[int] = []
        self._pieces: Pieces | None = None

    def take(self, pieces: Pieces) -> None:
        """Switch to the records of a text."""
        if pieces is self._pieces:
            return
        self._pieces, self._starts = pieces, pieces.starts()
        names = set(pieces.names)
        self._inside = {name: each for name, each in self._inside.items() if name in names}
        self._made = {key: each for key, each in self._made.items() if key[0] in names}

    def of(self, key: str, index: int) -> tuple[int, dict[str, int]] | None:
        """Return the line of a record of the list `key`, and those of the values of its keys: the same
        object as long as they are; None if there is none."""
        pieces = self._pieces
        if pieces is None or pieces.key != key or index >= len(self._starts):
            return None
        name, start = pieces.names[index], self._starts[index]
        made = self._made.get((name, start))
        if made is None:
            inside = self._inside.get(name)
            if inside is None:
                item = find_positions(pieces.piece(index)).children.get(0)
                if item is None:
                    return None
                lines = {str(step): place.line for step, place in item.children.items()}
                inside = self._inside[name] = item.line, lines
            made = start + inside[0], {step: start + line for step, line in inside[1].items()}
            self._made[name, start] = made
        return made


class Pieces:
    """A text taken apart: what is before the list, the list's key, its pieces and their digests."""

    def __init__(self, text: str, key: str, starts: list[int]) -> None:
        self.head, self.key, self._text = text[: starts[0]], key, text
        self._spans = list(pairwise((*starts, len(text))))
        self.names = [
            blake2b(text[start:end].encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            for start, end in self._spans
        ]

    @classmethod
    def of(cls, text: str) -> Pieces | None:
        """Return the pieces of a text; None if it can't be taken apart."""
        found = _LIST.search(text)
        if found is None or _LONE.search(text):
            return None
        indent = len(found[2])
        begin = found.start(2)
        stray = rf"^(?! {{{indent + 1}}}| {{{indent}}}- | *(?:#|\r?$))"
        if re.compile(stray, re.MULTILINE).search(text, begin):
            return None
        starts = [
            each.start() for each in re.compile(rf"^ {{{indent}}}- ", re.MULTILINE).finditer(text, begin)
        ]
        return cls(text, found[1], starts)

    def piece(self, index: int) -> str:
        """Return a record's text."""
        start, end = self._spans[index]
        return self._text[start:end]

    def starts(self) -> list[int]:
        """Return the number of lines before each piece."""
        lines, line = [], self.head.count("\n")
        for start, end in self._spans:
            lines.append(line)
            line += self._text.count("\n", start, end)
        return lines

    def read(self, new: list[int], known: Kept) -> dict[str, Any] | None:
        """Return the text's data by its head and its records, of which those `new` are read and added to
        `known`; None if something speaks against reading it in pieces."""
        head = Reading(self.head)
        if not head.is_plain or not isinstance(head.data, dict):
            return None
        data: dict[str, Any] = head.data
        if next(reversed(data), None) != self.key or data[self.key] is not None:
            return None
        for index in new:
            reading = Reading(self.piece(index))
            if not reading.is_plain or reading.deepest >= MAX_DEPTH or len(reading.data) != 1:
                return None
            known[self.names[index]] = reading.count - 1, reading.data[0]
        count, items, used = head.count, [], set()
        for name in self.names:
            values, item = known[name]
            count += values
            items.append(copied(item) if name in used else item)
            used.add(name)
        data[self.key] = items
        return data if count <= MAX_VALUES else None

    def found(self, reading: Reading) -> Kept:
        """Return the records of the whole text that was read; none where something speaks against reading
        it in pieces."""
        lines = self.starts()
        items = reading.data.get(self.key) if isinstance(reading.data, dict) else None
        if not reading.is_plain or not isinstance(items, list) or next(reversed(reading.data)) != self.key:
            return {}
        begins = reading.items[-len(lines) :]
        if len(items) != len(lines) or [line for line, _ in begins] != lines:
            return {}
        ends = [count for _, count in begins[1:]] + [reading.count]
        return {
            name: (end - begin, item)
            for name, item, (_, begin), end in zip(self.names, items, begins, ends, strict=True)
        }
