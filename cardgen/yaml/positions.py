"""Where the values and keys of a YAML text stand. Slow, and so only asked for when something is wrong."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, TypeAlias

import yaml

Loader: TypeAlias = "yaml.BaseLoader | yaml.CBaseLoader"
_LOADER: type[Loader] = yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader
"""libyaml where PyYAML has it, else PyYAML's own parser, the same but 20 times slower."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\.", re.DOTALL)
_STAND_IN = r"\ufdd0\ufdd1"
"""Escapes of two noncharacters, which no text has."""
_READ, _WRITTEN = re.compile("\ufdd0\ufdd1"), re.compile(re.escape(_STAND_IN))
"""What they are in a text that has escapes, and in others."""


def open_events(text: str) -> Events:
    """Open the events of a text. They raise yaml.YAMLError where the text is not YAML."""
    return _Paired(text) if _SURROGATE.search(text) else _LOADER(text)


def _pair(found: re.Match[str]) -> str:
    return bytes.fromhex(found[1] + found[2]).decode("utf-16-be")


class _Paired:
    """The events of a text with escaped surrogates, as JSON writes characters beyond U+FFFF.

    YAML has no such pairs. Other escapes of the same length take their place for the parser, so that all
    positions stay.
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
        """Line and column of the value at `path` (of its key if `key`), or of the nearest value
        around it where nothing stands at that path."""
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
        """The line of the value at `path`, or of the nearest around it, and those of its children by their
        keys."""
        place = self
        for step in path:
            child = place.children.get(step)
            if child is None:
                return place.line, {}
            place = child
        return place.line, {str(key): child.line for key, child in place.children.items()}


_NONE: dict[str | int, Place] = {}
"""The children of what has none; never written to."""


MOST_PLACES = 600_000
"""Most values of a text whose places are noted; the reader refuses files with more."""


def find_positions(text: str, most: int = MOST_PLACES) -> Place:
    """The places of all values of a text that the reader has accepted (or of those before its
    first error, or of the first `most`)."""
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
        """Note what the value that begins with an event consists of."""
        self._left -= 1
        if self._left < 0:
            raise _EnoughError
        kind = event.__class__
        if kind is yaml.AliasEvent:
            # The value's inside stands where the anchor is; the value itself stands here.
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
    """An event's line and column, from 1."""
    mark = event.start_mark
    return mark.line + 1, mark.column + 1
