"""What a template reads of a game's tables: a side whose template reads the same of them is the same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from cardgen.sandbox.watched import WHOLE, Watched

Place = tuple[str | None, ...]
"""The way to mappings in the tables: keys, and None for each entry of a list."""


class TableReads:
    """The tables of a game as templates see them. What is read of them is collected from each `begin` on:
    single keys of mappings, for all mappings of a list together, or whole mappings. How long lists are, and
    where there is a mapping, is part of what is read by whoever gets that far.
    """

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._tables = tables
        self._read: set[tuple[Place, str | None]] = set()
        self._known: dict[str, Any] = {}
        self.watched: Any = self._watched(tables, ())

    @staticmethod
    def can_tell(tables: Mapping[str, Any]) -> bool:
        """Whether these are tables of which it can be told: all their keys are texts."""
        todo: list[Any] = [tables]
        while todo:
            value = todo.pop()
            if isinstance(value, Mapping):
                if any(type(key) is not str for key in value):
                    return False
                todo += value.values()
            elif isinstance(value, (list, tuple)):
                todo += value
        return True

    def begin(self) -> None:
        """Begin to render a side."""
        self._read = set()

    def plain(self) -> list[Any]:
        """What was read since, as JSON knows it, in one order."""
        return sorted(([list(place), key] for place, key in self._read), key=json.dumps)

    def values(self, reads: list[Any]) -> list[Any]:
        """What there is now where `plain` says that something was read, as plain data."""
        return [self._value(place, key) for place, key in reads]

    def _note(self, place: Place, key: Any) -> None:
        self._read.add((place, None if key is WHOLE or type(key) is not str else key))

    def _watched(self, value: Any, place: Place) -> Any:
        if isinstance(value, Mapping):
            content = {key: self._watched(each, (*place, key)) for key, each in value.items()}
            return Watched(content, partial(self._note, place))
        if isinstance(value, (list, tuple)):
            return type(value)([self._watched(each, (*place, None)) for each in value])
        return value

    def _value(self, place: list[Any], key: str | None) -> Any:
        """What stands at a key of the mappings at a place, or all that stands in them, without what stands
        in mappings there: what is read of those is told by itself."""
        known = json.dumps([place, key])
        if known not in self._known:
            self._known[known] = [
                {name: _outside(each) for name, each in found.items()}
                if key is None
                else _outside(found.get(key, ...))  # an entry that is null is there
                for found in _at(self._tables, place)
            ]
        return self._known[known]


def _at(value: Any, place: list[Any]) -> Iterator[Mapping[str, Any]]:
    """The mappings at a place, in order."""
    if not place:
        if isinstance(value, Mapping):
            yield value
        return
    step, rest = place[0], place[1:]
    if step is None:
        if isinstance(value, (list, tuple)):
            for each in value:
                yield from _at(each, rest)
    elif isinstance(value, Mapping) and step in value:
        yield from _at(value[step], rest)


def _outside(value: Any) -> Any:
    """A value with nothing in its mappings."""
    if isinstance(value, Mapping):
        return {}
    if isinstance(value, (list, tuple)):
        return type(value)(map(_outside, value))
    return value
