"""A YAML text as the tree of what is written, each part with the characters that it takes up.

What `reader` makes data of is kept here as it stands: quotes, brackets, anchors, aliases. For editing a
text in its place. The text must be one that the reader accepts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from cardgen.yaml.positions import Events, open_events
from cardgen.yaml.scalars import resolve

BREAK = re.compile("\r\n|[\r\n]")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:[ \t]+|(?=[\r\n,\]}])|$))+")
_BETWEEN = re.compile(r"(?:(?<![^\r\n])#[^\r\n]*)?(?:[ \t\r\n]+(?:#[^\r\n]*)?)*")
"""What may stand between two tokens: spaces, line breaks, comments."""


@dataclass(slots=True)
class Node:
    """A value as it is written, in characters of the text: `start` is past an anchor, `end` past its last
    character, before comments and blank lines that follow. `style` is a scalar's quote or `|`, `>`, or
    empty; `is_flow` says that a list or mapping stands in brackets, `inside` that it is within such."""

    kind: Literal["scalar", "mapping", "sequence", "alias"]
    start: int
    end: int
    style: str = ""
    is_flow: bool = False
    inside: bool = False
    anchor: str | None = None
    value: Any = None
    """A scalar's value as the reader has it; an alias's name."""
    pairs: list[Pair] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    def pair(self, key: str) -> Pair | None:
        """The entry of a mapping with that key, written in this very place."""
        return next((each for each in self.pairs if each.name == key and not each.is_merge), None)


@dataclass(slots=True)
class Pair:
    """A mapping's entry: its key's characters, where its colon stands (-1 where there is none) and its
    value.
    `is_plain` says that the key stands by itself before its colon, without `?`."""

    name: str
    start: int
    end: int
    colon: int
    node: Node
    is_merge: bool = False
    is_plain: bool = True


@dataclass(slots=True)
class Item:
    """A list's item; `start` is its dash, or in brackets where it begins."""

    start: int
    node: Node


def compose(text: str) -> Node:
    """The tree of a text that the reader accepts."""
    events = open_events(text)
    try:
        while not isinstance(event := events.get_event(), yaml.StreamEndEvent):
            if isinstance(event, yaml.NodeEvent):
                return _Composer(text, events).node(event, 0, False)
    finally:
        events.dispose()
    return Node("scalar", 0, 0)


def line_start(text: str, place: int) -> int:
    """Where the line begins that holds a place."""
    return max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1


def line_end(text: str, place: int) -> int:
    """Where the line ends that holds a place, before its line break."""
    found = BREAK.search(text, place)
    return found.start() if found else len(text)


def past_break(text: str, place: int) -> int:
    """Past the line break at a place; the same place where there is none."""
    found = BREAK.match(text, place)
    return found.end() if found else place


def past_blank(text: str, place: int) -> int:
    """Past spaces, line breaks and comments."""
    found = _BETWEEN.match(text, place)
    return found.end() if found else place


def column(text: str, place: int) -> int:
    """How many characters of its line stand before a place."""
    return place - line_start(text, place)


class _Composer:
    """One pass over the events."""

    def __init__(self, text: str, events: Events) -> None:
        self._text = text
        self._get: Callable[[], Any] = events.get_event

    def node(self, event: Any, least: int, inside: bool) -> Node:
        """The node that begins with an event. `least` is where it can begin: past its colon or dash."""
        begin, end = _span(event)
        if event.__class__ is yaml.AliasEvent:
            return Node("alias", begin, end, inside=inside, value=event.anchor)
        start = begin
        if event.anchor is not None and (found := _PROPERTIES.match(self._text, begin)):
            start = found.end()
        if event.__class__ is yaml.ScalarEvent:
            return self._scalar(event, start, end, least, inside)
        is_flow = bool(event.flow_style)
        if event.anchor is not None:
            start = past_blank(self._text, start)
        is_mapping = event.__class__ is yaml.MappingStartEvent
        kind: Literal["mapping", "sequence"] = "mapping" if is_mapping else "sequence"
        node = Node(kind, start, start, is_flow=is_flow, inside=inside, anchor=event.anchor)
        closing = self._pairs(node) if is_mapping else self._items(node)
        if is_flow:
            node.end = closing.end_mark.index
        elif is_mapping:
            node.end = max(node.pairs[-1].node.end, node.pairs[-1].end)
        else:
            node.end = max(node.items[-1].node.end, node.items[-1].start + 1)
        return node

    def _scalar(self, event: Any, start: int, end: int, least: int, inside: bool) -> Node:
        node = Node("scalar", start, end, event.style or "", inside=inside, anchor=event.anchor)
        if node.style in ("|", ">"):
            # Blank lines after it are layout, unless it says that it keeps them.
            written = self._text[start:end]
            header = BREAK.split(written, maxsplit=1)[0]
            if "+" in header.partition("#")[0]:
                last = written[-2:] if written.endswith("\r\n") else written[-1:]
                node.end = end - len(last) if BREAK.fullmatch(last) else end
            else:
                node.end = start + len(written.rstrip())
        elif start == end and event.anchor is None:
            node.start = node.end = max(least, 0)
        elif start > end:
            node.start = end
        node.value = event.value
        if event.implicit[0]:
            with suppress(ValueError):
                node.value = resolve(event.value)
        return node

    def _pairs(self, node: Node) -> Any:
        text = self._text
        while (key := self._get()).__class__ is not yaml.MappingEndEvent:
            if key.__class__ is not yaml.ScalarEvent:
                raise ValueError("a key that is no text")
            begin, end = _span(key)
            colon = past_blank(text, end)
            if text[colon : colon + 1] != ":":
                colon = -1
            before = text[line_start(text, begin) : begin].rstrip()
            value = self.node(self._get(), end if colon < 0 else colon + 1, node.is_flow)
            merges = key.value == "<<" and key.implicit[0]
            plain = not before.endswith("?") and text[begin : begin + 1] != "?"
            node.pairs.append(Pair(key.value, begin, end, colon, value, merges, plain))
        return key

    def _items(self, node: Node) -> Any:
        text, at = self._text, node.start
        while (event := self._get()).__class__ is not yaml.SequenceEndEvent:
            if node.is_flow:
                item = self.node(event, event.start_mark.index, True)
                node.items.append(Item(event.start_mark.index, item))
                continue
            dash = past_blank(text, at)
            item = self.node(event, dash + 1, False)
            node.items.append(Item(dash, item))
            at = item.end
        return event


def _span(event: Any) -> tuple[int, int]:
    """An event's characters, its anchor among them."""
    return event.start_mark.index, event.end_mark.index
