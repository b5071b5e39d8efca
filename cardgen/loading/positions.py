"""Where the values and keys of a YAML text stand. Slow, and so only asked for when something is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from cardgen.loading.yaml_parser import EventSource, open_events

DataPath = Sequence[str | int]


@dataclass(slots=True)
class Place:
    """A value's place: line and column from 1; its key's place (its own in a list); its children."""

    line: int
    column: int
    key_line: int = 0
    key_column: int = 0
    children: dict[str | int, Place] = field(default_factory=dict)

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


def find_positions(text: str) -> Place:
    """The places of all values of a text that the reader has accepted (or of those before its
    first error)."""
    events = open_events(text)
    walk = _Walk(events)
    try:
        while not isinstance(event := events.get_event(), yaml.StreamEndEvent):
            if isinstance(event, yaml.NodeEvent):
                return walk.node(event)
    except yaml.YAMLError:
        pass
    finally:
        events.dispose()
    return walk.root or Place(1, 1)


class _Walk:
    """One pass over the events of a document."""

    def __init__(self, events: EventSource) -> None:
        self._events = events
        self._anchors: dict[str, Place] = {}
        self.root: Place | None = None

    def node(self, event: Any) -> Place:
        place = Place(*_start(event))
        self.root = self.root or place
        if isinstance(event, yaml.AliasEvent):
            # The value's inside stands where the anchor is; the value itself stands here.
            anchor = self._anchors.get(str(event.anchor))
            place.children = anchor.children if anchor else {}
            return place
        if event.anchor:
            self._anchors[event.anchor] = place
        if isinstance(event, yaml.MappingStartEvent):
            self._mapping(place)
        elif isinstance(event, yaml.SequenceStartEvent):
            index = 0
            while not isinstance(item := self._events.get_event(), yaml.SequenceEndEvent):
                place.children[index] = self.node(item)
                index += 1
        return place

    def _mapping(self, place: Place) -> None:
        merged: list[Place] = []
        while (key := self._events.get_event()).__class__ is not yaml.MappingEndEvent:
            if key.__class__ is not yaml.ScalarEvent:
                self.node(key)
                self.node(self._events.get_event())
                continue
            value = self.node(self._events.get_event())
            if key.value == "<<" and key.implicit[0]:
                merged.append(value)
                continue
            value.key_line, value.key_column = _start(key)
            place.children.setdefault(key.value, value)
        for source in merged:
            nested = source.children.values() if 0 in source.children else [source]
            for origin in nested:
                for name, child in origin.children.items():
                    place.children.setdefault(name, child)


def _start(event: Any) -> tuple[int, int]:
    """An event's line and column, from 1."""
    return event.start_mark.line + 1, event.start_mark.column + 1
